"""Training of the span reader (agent/embedded/span.py): its examples, the training loop, the export; see README.md."""
