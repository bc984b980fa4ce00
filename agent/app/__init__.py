"""What a program touches: the facade, its settings, its factory, and the tools for LangChain."""
