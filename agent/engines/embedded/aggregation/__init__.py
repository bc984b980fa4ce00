"""Questions over many cells: counting, listing and superlatives, answered from the cubes' facts (Hypercube-RAG C)."""
