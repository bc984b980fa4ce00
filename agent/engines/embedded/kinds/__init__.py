"""The kinds of questions that the embedded engine answers, one module each."""
