"""Reading files into the catalog: what is new, in parallel, resumable, with a report of what it did."""
