"""What a training reads and leaves out, from the project's own questions."""
