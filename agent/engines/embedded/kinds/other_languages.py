"""`ForeignQuestions`: questions in another language than English, answered by the sentence that fits them best.

Rules, cells and the span reader are English. What needs none of them is searching, chapters and quoting: a sentence is
weighed by the stems that it, or half as much its heading, shares with the question, rare ones more, and by its meaning.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from typing import Any

from .....cubes.core.folding import words
from .....cubes.core.language import asked_in, language_name
from .....cubes.core.sentences import sentences
from .....cubes.retrieval.passages import sentence_at
from .....graphs.reasoner import Routing, SubAnswer
from .....graphs.records import Evidence
from ..answers.telling_sentences import Likeness
from .kind import OneHopKind

__all__ = ["ForeignQuestions"]

_MEANING = 0.5  # what likeness by meaning weighs beside shared stems
_HEADED = 0.5  # what a stem counts that only the heading has
_LEAST = 0.35  # below this nothing that was found speaks of what is asked
_CONFIDENCE = 0.6  # of questions whose best sentence shares all that is asked; see docs/languages.md

_QUOTED = "The question is in {}. The rules are English, so this is the sentence that fits best."
_UNFOUND = (
    "No passage was found that speaks of it. The question is in {}: it was searched for, but the rules that follow "
    "several steps are English."
)


class ForeignQuestions(OneHopKind):
    """Questions in a language that documents are written in and that is not English.

    ``languages`` are those of the documents.
    """

    def __init__(self, languages: Collection[str], likeness: Likeness) -> None:
        others = frozenset(languages) - {"en"}
        self._language = lru_cache(maxsize=2_000)(lambda question: asked_in(question, others) if others else "en")
        self._likeness = likeness

    def take(self, question: str) -> bool:
        """Whether a question is in another language."""
        return self._language(question) != "en"

    def route(self, subquery: str) -> Routing | None:
        """Send the question to passages and chapters; cells are read from English alone."""
        if not self.take(subquery):
            return None
        return Routing((), f"asked in {language_name(self._language(subquery))}; the rules are English")

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
        """Return the sentence that fits the question best."""
        if not self.take(subquery):
            return None
        language = self._language(subquery)
        parts = [(each, span) for each in evidence for span in sentences(each.text)]
        texts = [section.text[span.start : span.end] for section, span in parts]
        held = [_stems(text, language) for text in texts]
        # A stem counts the less, the more of the sentences hold it; half where only the heading has it.
        weights = {stem: 1 / (1 + sum(stem in own for own in held)) for stem in _stems(subquery, language)}
        alike = self._likeness(subquery, texts) or [0.0] * len(texts)
        best, at = 0.0, None
        for (section, span), own, cosine in zip(parts, held, alike, strict=True):
            head = _stems(" ".join(section.path) or section.title, language)
            told = sum(w * (1.0 if stem in own else _HEADED if stem in head else 0.0) for stem, w in weights.items())
            fits = told / (sum(weights.values()) or 1.0) + _MEANING * max(0.0, cosine)
            best, at = max((best, at), (fits, (section, span)), key=lambda pair: pair[0])
        if at is None or best < _LEAST:
            return SubAnswer(note=_UNFOUND.format(language_name(language)))
        section, span = at
        quoted = sentence_at(section.text, span.start, span.end)
        return SubAnswer(
            (quoted.text,), _CONFIDENCE * min(best, 1.0), section.section_id, quoted.span.start, quoted.span.end,
            note=_QUOTED.format(language_name(language)), cited=True, form="passage",
        )  # fmt: skip


def _stems(text: str, language: str) -> frozenset[str]:
    stemmer = _stemmer(language)
    return frozenset(stemmer.stemWords(words(text)) if stemmer is not None else words(text))


@cache
def _stemmer(language: str) -> Any:
    """Return the language's stemmer; None where there is none, and words stay as they are."""
    import Stemmer

    try:
        return Stemmer.Stemmer({"nb": "no"}.get(language, language))
    except KeyError:
        return None
