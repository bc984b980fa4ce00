"""From files to documents and sections: finding files, reading them, dividing them at their headings (HiQA 3.1-3.2)."""
