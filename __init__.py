"""MultiCube-RAG: multi-hop question answering over a folder of documents, traced hop by hop."""
