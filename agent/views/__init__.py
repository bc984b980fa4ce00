"""A run, a document or a tree shown to a person: terminal text, Mermaid, a page of its own."""
