"""Reports on evaluations: tables beside the papers', plots, every question with its trace, and what a change did."""
