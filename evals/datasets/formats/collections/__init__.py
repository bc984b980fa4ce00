"""Readers of the published data sets over other collections: science, law, news, products."""
