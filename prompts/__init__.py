"""One file per prompt, with a loader that checks its variables."""
