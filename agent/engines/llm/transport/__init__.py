"""One request to a language model and one reply back: servers, tries, pace, streaming, typed replies."""
