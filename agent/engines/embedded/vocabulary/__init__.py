"""What words may name: subjects of the cubes, relations of the ontology, places and their levels."""
