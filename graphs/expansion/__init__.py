"""Hypothetical queries: several statements searched at once, each for one intent of a question (MuISQA, section 4)."""

from .fusion import Ranked, fuse
from .intents import Intents, intents_of

__all__ = ["Intents", "Ranked", "fuse", "intents_of"]
