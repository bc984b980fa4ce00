"""What requests cost: usage, prices, caps, tokens, and the cache of paid replies."""
