"""The kinds of questions that the embedded engine answers, and what they share.

Kinds: `other_languages`, `overall`, `documents`, `per_cell`, `planned`; questions over many cells are in `aggregation`
beside this folder. `..reasoner` has their order. The other modules help: `hop_reader` reads a hop's answer, `by_value`
and `hypercubes` route and decompose for `planned`, the rest is for hypothetical queries and answer tables.
"""
