"""The commands of `multicube`, one module each."""
