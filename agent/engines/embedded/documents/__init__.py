"""Answering questions about structured documents (manuals, data sheets, reports) without a language model.

The kinds of questions are those of HiQA's table 4: choices, judgements, blanks, comparisons, calculations, summaries,
tables, figures, and questions across documents.
"""
