"""A corpus with questions that have several intents each, after MuISQA."""
