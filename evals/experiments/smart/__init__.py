"""What SMART is measured by: planted graphs, the communities that GraphRAG uses, real graphs, and what it costs."""
