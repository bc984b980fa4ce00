"""The experiments: each has a command of `python -m multicube.evals`, and most write a page of the docs."""
