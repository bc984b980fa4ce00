"""What is measured: of one answer, of a ranking, and of two systems on the same questions."""
