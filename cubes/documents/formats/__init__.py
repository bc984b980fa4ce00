"""From files with a layout (PDF, DOCX, HTML) to Markdown with chapters, tables and figures (HiQA 3.1, Algorithm 1).

Each module has one ``convert(path) -> Converted`` and is imported when such a file is met, with the library it needs.
"""
