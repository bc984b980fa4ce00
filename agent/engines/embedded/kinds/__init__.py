"""The kinds of questions that the embedded engine answers, and what they share.

Kinds: `other_languages`, `overall`, `documents`, `cells`, `planned`; questions over many cells are in `aggregation`
beside this folder. `..reasoner` has their order, `kind` what they are. The other modules help: `hop_reader` reads a
hop's answer, `named_values` routes and decomposes by the values that a question names, the rest is for hypothetical
queries and answer tables.
"""
