"""Finding sections: matched cells, BM25, dense, links, and how they are fused and ranked (MultiCube-RAG 3.3-3.4)."""
