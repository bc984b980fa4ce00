"""The grammar of a question: its dependency tree, its question word, its clauses."""
