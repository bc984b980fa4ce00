"""PDF files as Markdown: words with their fonts, lines, tables, figures, headings, paragraphs.

`convert` starts a process (`worker`), `document` reads the file in it: `pages` gives words, `tables`, `figures` and
`layout` items of a page, `headings` and `paragraphs` the blocks of the document.
"""
