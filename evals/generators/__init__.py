"""Generated corpora and graphs: what they hold, and so what is right, is known. The same seed gives the same bytes."""
