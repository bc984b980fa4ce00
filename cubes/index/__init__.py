"""Keeping Chroma in step with the catalog: what should be there, what is there, and asking it."""
