"""Reading phrases and clauses of a question as terms of a plan; see `OutwardReader`. Readings are cached by text."""

from __future__ import annotations

from ..plan import Step, Term, Want
from ..vocabulary.lexicon import Lexicon
from ..vocabulary.linker import Linker
from ..vocabulary.mentions import Mention
from ..vocabulary.wordlists import PREPOSITIONS
from .outward import GAP, OutwardReader, words_of

__all__ = ["TermParser"]


class TermParser:
    """Reads terms with one ontology's lexicon and one corpus's names."""

    def __init__(self, lexicon: Lexicon, linker: Linker) -> None:
        self.lexicon, self.linker = lexicon, linker
        self.outward = OutwardReader(lexicon, linker)
        self.cues, self.mentions = self.outward.cues, self.outward.mentions
        self._terms: dict[str, Term | None] = {}

    def term(self, text: str) -> Term | None:
        """Read a question with one name, or a noun phrase; None where cues do not explain it."""
        if text not in self._terms:
            self._terms[text] = self.outward.read(text)
        return self._terms[text]

    def forget(self) -> None:
        """Drop the cached readings."""
        self._terms.clear()

    def clause(self, text: str, want: Want, opening: str) -> Step | None:
        """Read a clause about a name as a question that begins with ``opening``."""
        words, asked = words_of(text), opening.split()
        found = self.mentions.longest(words)
        return self.about(words, found, want, asked) if found is not None else None

    def about(self, words: list[str], found: Mention, want: Want, asked: list[str]) -> Step | None:
        """Read a clause about the thing that is mentioned in it."""
        gapped = [*asked, *words[: found.start], GAP, *words[found.end :]]
        front = asked[0].lower() if asked[0].lower() in PREPOSITIONS else ""
        return self.outward.clause(gapped, len(asked), found.entity, want, front)
