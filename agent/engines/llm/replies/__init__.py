"""What a model may reply to each prompt, what prompts are filled with, and its quotations checked."""
