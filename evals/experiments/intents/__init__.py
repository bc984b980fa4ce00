"""A generated benchmark of questions with several intents, after MuISQA, and what hypothetical queries bring on it."""
