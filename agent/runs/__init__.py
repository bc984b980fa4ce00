"""A run: its events, its state while it works, and the file in which finished runs are kept."""
