"""Questions about structured documents (manuals, data sheets, reports): those of HiQA's table 4."""
