"""DOCX files as Markdown: styles, numbering, text and images."""
