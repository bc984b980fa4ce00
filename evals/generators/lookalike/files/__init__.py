"""The datasheets as files: DOCX, HTML, Markdown and PDF."""
