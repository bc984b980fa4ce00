"""The knowledge base: documents, sections, ontology, extraction, cube cells, matching, ranking and the store."""
