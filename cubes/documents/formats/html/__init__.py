"""HTML files as Markdown: content without navigation, in reading order."""
