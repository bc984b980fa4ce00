"""Reading what was found: facts of cells, spans, quotations, and the choice among them."""
