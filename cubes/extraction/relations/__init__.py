"""Relations read from sentences: cues of the ontology, kinship, lives, places, other names."""
