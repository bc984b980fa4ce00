"""From files with a layout (PDF, DOCX, HTML ...) to Markdown with chapters, tables and figures (HiQA 3.1, Algorithm 1).

A module or folder named as a suffix has ``convert(path) -> ConvertedFile``. It is imported when such a file is met,
with the library it needs. The other modules are what these share: `blocks`, `records`, `archives`, `images`,
`page_starts`. `markdown` and `markup` serve Markdown files, which are not converted.
"""
