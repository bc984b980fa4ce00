"""Words, names, numbers and values in a sentence, before any relation is read."""
