"""Reading phrases and clauses of a question as terms of a plan; see `SingleEntityParser`. Readings are cached by
text."""

from __future__ import annotations

from collections.abc import Sequence

from ..plan import AnswerType, RelationStep, Term
from ..vocabulary.lexicon import QuestionLexicon
from ..vocabulary.linker import EntityLinker
from ..vocabulary.mentions import QuestionMention
from ..vocabulary.wordlists import PREPOSITIONS
from .outward import GAP, SingleEntityParser, words_of

__all__ = ["TermParser", "looked_up"]

_QUESTIONS = {
    "died on": "When did {} die?",
    "died in": "Where did {} die?",
    "took place on": "When did {} take place?",
    "happened on": "When did {} happen?",
    "reigned from": "When did {} reign?",
    "nationality": "What nationality is {}?",
    "based in": "Where is {} based?",
    "located in": "Where is {} located?",
    "employees": "How many employees does {} have?",
    "members": "How many members does {} have?",
}
_WORDS_OF = {"on": "When was {} ", "in": "Where was {} ", "by": "Who was {} "}


def looked_up(names: Sequence[str]) -> str:
    """The subquery that looks a relation up: "born on" by "When was {} born?"."""
    name = names[0] if names else "value"
    verb, _, last = name.rpartition(" ")
    if name in _QUESTIONS:
        return _QUESTIONS[name]
    if verb and last in _WORDS_OF:
        return f"{_WORDS_OF[last]}{name if last == 'by' else verb}?"
    return f"What is {{}} a {name}?" if last == "of" else f"What is the {name} of {{}}?"


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
