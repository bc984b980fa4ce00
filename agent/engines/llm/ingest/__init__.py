"""What a language model does at ingest: facts, ontology, formatting, descriptions of figures."""
