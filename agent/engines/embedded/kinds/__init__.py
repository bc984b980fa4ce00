"""The kinds of questions that the embedded engine answers, and what they share.

`..question_kind` says what a kind is. `kind` has those that are asked in one hop as they stand; `documents` and
`planned` are kinds of their own, and questions over many cells are in `aggregation` beside this folder. `..reasoner`
has their order. The others help: `hop_reader` reads a hop's answer, `hypercubes` the labels that a question names,
`answer_tables` is for several intents.
"""
