"""What answering costs: time, memory, disk, model calls, tokens and money, by system and by size of the corpus."""
