"""Reading phrases and clauses of a question as terms of a plan; see `SingleEntityParser`. Readings are cached by
text."""

from __future__ import annotations

from ..plan import AnswerType, RelationStep, Term
from ..vocabulary.lexicon import QuestionLexicon
from ..vocabulary.linker import EntityLinker
from ..vocabulary.mentions import QuestionMention
from ..vocabulary.wordlists import PREPOSITIONS
from .outward import GAP, SingleEntityParser, words_of

__all__ = ["TermParser"]


class TermParser:
    """Reads terms with one ontology's lexicon and one corpus's names."""

    def __init__(self, lexicon: QuestionLexicon, linker: EntityLinker) -> None:
        self.lexicon, self.linker = lexicon, linker
        self.outward = SingleEntityParser(lexicon, linker)
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

    def clause(self, text: str, want: AnswerType, opening: str) -> RelationStep | None:
        """Read a clause about a name as a question that begins with ``opening``."""
        words, asked = words_of(text), opening.split()
        found = self.mentions.longest(words)
        return self.about(words, found, want, asked) if found is not None else None

    def about(
        self, words: list[str], found: QuestionMention, want: AnswerType, asked: list[str]
    ) -> RelationStep | None:
        """Read a clause about the thing that is mentioned in it."""
        gapped = [*asked, *words[: found.start], GAP, *words[found.end :]]
        front = asked[0].lower() if asked[0].lower() in PREPOSITIONS else ""
        return self.outward.clause(gapped, len(asked), found.entity, want, front)
