"""Ontology, labels and cells: the cubes themselves, and how one rolls up and drills down (MultiCube-RAG 3.1-3.2)."""
