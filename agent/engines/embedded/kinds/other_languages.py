"""`ForeignQuestions`: questions in another language than English, answered by the sentence that fits them best.

Rules, cells and the span reader are English. What needs none of them is searching, chapters and quoting: a sentence is
weighed by the stems that it shares with the question, rare ones more, and by its meaning as the encoder tells it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from typing import Any

from .....cubes.core.folding import words
from .....cubes.core.language import asked_in, language_name
from .....cubes.core.records import Span
from .....cubes.core.sentences import sentences
from .....cubes.retrieval.passages import sentence_at
from .....graphs.reasoner import FinalAnswer, NextStep, Routing, SubAnswer
from .....graphs.records import Evidence, Hop
from ..answers.telling_sentences import Likeness

__all__ = ["ForeignQuestions"]

_MEANING = 0.5  # what likeness by meaning weighs beside shared stems
_LEAST = 0.35  # below this nothing that was found speaks of what is asked
_PARTS = 60  # sentences that are embedded for one question
_CONFIDENCE = 0.6  # of questions whose best sentence shares all that is asked; see docs/languages.md
_HEADED = 0.5  # what a stem counts that only the heading has


class ForeignQuestions:
    """Questions in a language that documents are written in and that is not English.

    Each decision is None for a question in English. ``languages`` are those of the documents.
    """

    def __init__(self, languages: Collection[str], likeness: Likeness) -> None:
        others = frozenset(languages) - {"en"}
        self._language = lru_cache(maxsize=2_000)(lambda question: asked_in(question, others) if others else "en")
        self._likeness = likeness

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep | None:
        """Return the question itself, as one hop."""
        if not self._take(question):
            return None
        return NextStep(None, sufficient=bool(hops[-1].answers)) if hops else NextStep(question)

    def route(self, subquery: str) -> Routing | None:
        """Send the question to passages and chapters; cells are read from English alone."""
        if not self._take(subquery):
            return None
        return Routing((), f"asked in {language_name(self._language(subquery))}; the rules are English")

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
        """Return the sentence that fits the question best."""
        if not self._take(subquery):
            return None
        parts = [(n, span) for n, each in enumerate(evidence) for span in sentences(each.text)]
        weighed = self._weighed(subquery, evidence, parts)
        if not weighed or max(weighed) < _LEAST:
            return SubAnswer()
        best = max(range(len(parts)), key=lambda n: weighed[n])
        section, span = evidence[parts[best][0]], parts[best][1]
        quoted = sentence_at(section.text, span.start, span.end)
        return SubAnswer(
            (quoted.text,), _CONFIDENCE * min(weighed[best], 1.0), section.section_id, quoted.span.start,
            quoted.span.end, cited=True, form="passage",
        )  # fmt: skip

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:
        """Return the quotation, and say what could not be done."""
        if not self._take(question):
            return None
        name = language_name(self._language(question))
        last = next((hop for hop in reversed(hops) if hop.answers), None)
        if last is None:
            return FinalAnswer("", note=f"No passage was found that speaks of it. The question is in {name}: it was "
                               "searched for, but the rules that follow several steps are English.")  # fmt: skip
        note = f"The question is in {name}. The rules are English, so this is the sentence that fits best."
        return FinalAnswer(last.answers[0], last.confidence, note=note, form="passage")

    def _take(self, question: str) -> bool:
        return self._language(question) != "en"

    def _weighed(
        self, question: str, evidence: Sequence[Evidence], parts: Sequence[tuple[int, Span]]
    ) -> list[float]:
        """Return how well each sentence fits: the weighted share of the asked stems, and the likeness."""
        language = self._language(question)
        held = [_stems(evidence[n].text[span.start : span.end], language) for n, span in parts]
        heads = [_stems(" ".join(each.path) or each.title, language) for each in evidence]
        asked = _weights(_stems(question, language), held)
        whole = sum(asked.values()) or 1.0
        shares = [
            sum(w * (1.0 if stem in own else _HEADED) for stem, w in asked.items() if stem in own | heads[n]) / whole
            for own, (n, _) in zip(held, parts, strict=True)
        ]
        first = sorted(range(len(parts)), key=lambda n: (-shares[n], n))[:_PARTS]
        texts = [evidence[parts[n][0]].text[parts[n][1].start : parts[n][1].end] for n in first]
        alike = dict(zip(first, self._likeness(question, texts), strict=False))
        return [share + _MEANING * max(alike.get(n, 0.0), 0.0) for n, share in enumerate(shares)]


def _weights(asked: Collection[str], held: Sequence[Collection[str]]) -> dict[str, float]:
    """Weigh the asked stems by how rare they are in what was found; one that nothing holds says little."""
    counts = Counter(stem for own in held for stem in set(own))
    return {stem: math.log(1 + len(held) / (1 + counts[stem])) * (1.0 if counts[stem] else 0.3) for stem in asked}


def _stems(text: str, language: str) -> frozenset[str]:
    return frozenset(_stemmer(language).stemWords(words(text)))


@cache
def _stemmer(language: str) -> Any:
    """Return the language's stemmer; where there is none, words stay as they are."""
    import Stemmer

    names = {"pt": "portuguese", "it": "italian", "nl": "dutch", "ru": "russian", "sv": "swedish", "da": "danish",
             "fi": "finnish", "no": "norwegian", "nb": "norwegian", "de": "german", "fr": "french", "es": "spanish",
             "ro": "romanian", "hu": "hungarian", "tr": "turkish"}  # fmt: skip
    return Stemmer.Stemmer(names[language]) if language in names else _Plain()


class _Plain:
    """Leaves words as they are."""

    def stemWords(self, written: Sequence[str]) -> Sequence[str]:  # noqa: N802 (PyStemmer's name)
        """Return the words."""
        return written
