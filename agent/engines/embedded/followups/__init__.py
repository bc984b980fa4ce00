"""Follow-up questions by rules: what a pronoun or a short question is about; and two questions in one taken apart."""
