"""Encoding trees by structural entropy: the graph network that learns them, and its training (SMART section 4)."""
