"""Hypothetical queries: several statements searched at once, each for one intent of a question (MuISQA, section 4)."""

from .fusion import StatementRanking, fuse
from .intents import Intents, intents_of

__all__ = ["Intents", "StatementRanking", "fuse", "intents_of"]
