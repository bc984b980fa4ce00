"""Readers of the published data sets that ask about Wikipedia."""
