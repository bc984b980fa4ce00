"""Encoders for dense matching: the packaged MiniLM, sentence-transformers models, and endpoints."""
