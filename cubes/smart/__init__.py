"""SMART: implicit facts from several perspectives, abstracted from the graph of entities (sections 3 and 4)."""
