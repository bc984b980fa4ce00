"""The LangGraph state machines that answer a question hop by hop."""
