"""The embedded reasoner: multi-hop questions without a language model."""
