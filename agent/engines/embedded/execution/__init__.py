"""Walking a plan: which subquery comes next, and what the values found decide."""
