"""Data sets: their folders, corpora merged, questions that a corpus cannot answer, and published formats."""
