"""`multicube serve`: the HTTP API over a knowledge base, and the page on it."""
