"""The engines that make the decisions of the loop: embedded, by a language model, or both; and the encoders."""
