"""A corpus of invented people who belong to hidden groups, of several independent kinds, and questions about them.

No passage names a group: each tells one thing of one person (SMART's section 4.1: milk and wings). What somebody is
not in is not said at all. `people` plants the groups, `prose` writes the passages, `asking` the questions, `writing`
the files; `by_model` lets a language model make questions of any documents.
"""
