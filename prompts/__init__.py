"""One file per prompt, checked on load; the language-model engine brings them, the embedded one has none."""
