"""The bundled sample (corpus, questions and notes), kept here as package data."""
