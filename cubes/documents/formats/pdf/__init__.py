"""PDF files as Markdown: words with their fonts, lines, tables, figures, headings, paragraphs."""
