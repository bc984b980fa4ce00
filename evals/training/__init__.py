"""Training of the span reader (`span.py` of the embedded engine): examples, training loop, export; see README.md."""
