"""The loop's decisions by a language model (MultiCube-RAG 3.4), alone or beside the embedded engine."""
