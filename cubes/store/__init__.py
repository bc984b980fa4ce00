"""What a knowledge base keeps on disk: catalog (SQLite), columns, figures, locks, and Chroma collections."""
