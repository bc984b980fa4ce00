"""Hypercube-RAG's experiments: ablations, dimensions, the threshold, growth with noise, and its explanation."""
