"""Reading a question into a plan: chains, pairs, checks, measures, or its own words."""
