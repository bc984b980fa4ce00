"""The kinds of questions that are asked in one hop as they stand.

Overall questions ask what many sections imply together, and are answered by findings (SMART). For questions in another
language than English there are no rules, cells or span reader: a sentence is quoted, weighed by the stems that it and
its headings share with the question, rare ones more, and by its meaning.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import zip_longest

import Stemmer

from .....cubes.core.folding import words
from .....cubes.core.language import asked_in, language_name
from .....cubes.retrieval.wording import CHARS_PER_TOKEN, asked_words, stems
from .....cubes.smart.extracts import OWN_WORDS
from .....cubes.smart.retrieval import ASKED
from .....graphs.reasoner import SMART, FinalAnswer, NextStep, Routing, SubAnswer
from .....graphs.records import Evidence, FindingRecord, Hop
from ..documents.statements import told_in
from ..question_kind import QuestionKind
from ..vocabulary.wording import Likeness

__all__ = ["NOTHING", "ForeignQuestions", "OverallQuestions", "asks_overall"]

NOTHING = "Nothing was found in the documents for: "
_GROUPS = r"\b(?:groups?|kinds|types|classes|categories)\b"
_OVERALL = re.compile(
    rf"""\bin\s+common\b | \bcommon\s+to\b | \bcommonalit | \boverview\b | \bsimilarit | \balike\b | \bresembles?\b
    | \b(?:key|main|common|shared|contributing|driving)\s+(?:factors?|themes?|traits?|features?|characteristics|topics
    |patterns?|aspects)\b
    | \b(?:themes|patterns|trends|perspectives)\b | \bshares?\s+(?:some|any)thing\b
    | \b(?:what|which\s+(?:things|traits|features|properties|aspects|qualities))\b.*\bshare\b
    | \bwho\s+(?:is|are|was|were)\s+(?:most\s+)?(?:similar|like)\b
    | \bwhat\s+(?:else\s+)?(?:links|connects|unites|binds|distinguishes)\b
    | \bcompare\b.*{_GROUPS} | {_GROUPS}.*\b(?:compare|differ)\b | \bwhich\s+(?:groups?|kinds|types|categories)\b
    | \bhow\s+do\s+(?:the|those)\b.*\b(?:compare|differ)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ASKING = frozenset(stems("common commonality share key main factors themes traits features overview similarities"))
"""What such questions ask with, and findings are worded with: it says nothing of what they are about."""
_ANSWER_TOKENS, _FOUND_SURE = 200, 0.5
_NO_SUMMARY = "No summary tells what is asked for. Ask about a thing, a group or a class that the documents name."
_MEANING = 0.5  # what likeness by meaning weighs beside shared stems
_LEAST = 0.35  # below this nothing that was found speaks of what is asked
_QUOTED_SURE = 0.6  # of questions whose best sentence shares all that is asked; see docs/languages.md

_QUOTED = "The question is in {}. The rules are English, so this is the sentence that fits best."
_UNFOUND = (
    "No passage was found that speaks of it. The question is in {}: it was searched for, but the rules that follow "
    "several steps are English."
)


class OneHopKind(QuestionKind):
    """Questions that are asked in one hop as they stand."""

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep | None:
        """Return the question itself, as one hop."""
        return NextStep(None, sufficient=bool(hops[-1].answers)) if hops else NextStep(question)

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:  # noqa: ARG002
        """Return what the hop found, with what it notes."""
        if not hops:
            return None
        last = hops[-1]
        return FinalAnswer(next(iter(last.answers), ""), last.confidence, "".join(last.notes[-1:]), last.form)


def asks_overall(question: str) -> bool:
    """Whether a question asks for what many sections imply together."""
    return _OVERALL.search(question) is not None


class OverallQuestions(OneHopKind):
    """Overall questions, answered by the findings that comprehensive retrieval brings where abstractions are ``built``;
    those that name a document are of another kind."""

    def __init__(self, names_document: Callable[[str], bool], *, built: bool) -> None:
        self._names_document, self._built = names_document, built

    def take(self, question: str) -> bool:
        """Whether a question asks for what many sections imply together."""
        return self._built and asks_overall(question) and not self._names_document(question)

    def route(self, subquery: str) -> Routing | None:  # noqa: ARG002
        """Send an overall question to comprehensive retrieval."""
        return Routing((), "asks for what many sections imply together", (SMART,))

    def offered(self, subquery: str, routing: Routing) -> Routing:
        """Ask comprehensive retrieval besides where nothing is built, so that the trace says how to build it."""
        unbuilt = not self._built and routing.tools is None and asks_overall(subquery)
        return replace(routing, tools=(SMART,)) if unbuilt else routing

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
        """Say the findings that bear on the question most, as many as an answer has room for, one at least."""
        chosen: dict[str, FindingRecord] = {}
        for found in _ranked(subquery, [found for each in evidence for found in each.findings]):
            if not chosen or len(" ".join((*chosen, found.text))) <= _ANSWER_TOKENS * CHARS_PER_TOKEN:
                chosen.setdefault(found.text, found)
        if not chosen:
            return SubAnswer(note=_NO_SUMMARY)
        return SubAnswer((" ".join(chosen),), _FOUND_SURE, findings=tuple(chosen.values()))


def _ranked(subquery: str, findings: Sequence[FindingRecord]) -> Sequence[FindingRecord]:
    """The findings to say, the first first: what was counted for those who are asked about alone, as it was recalled.

    Where nobody is asked about, those that bear on the question most, of each perspective in turn. Sentences of
    documents are said only where nothing was counted.
    """
    about = [found for found in findings if found.id.startswith(f"{ASKED}/")]
    if about:
        return about
    counted = [found for found in findings if found.explanation != OWN_WORDS] or findings
    asked, trees = set(asked_words(subquery)) - _ASKING, defaultdict[str, list[FindingRecord]](list)

    def bearing(found: FindingRecord) -> int:
        first, *_ = found.explanation.split(". ")
        return len(asked & set(stems(f"{found.title} {found.text} {first}")))

    for found in sorted(counted, key=bearing, reverse=True):
        trees[found.id.split(".")[0]].append(found)
    turns = zip_longest(*(told for _, told in sorted(trees.items())))
    return [found for turn in turns for found in turn if found is not None]


class ForeignQuestions(OneHopKind):
    """Questions in a language that documents are written in (``languages``) and that is not English."""

    def __init__(self, languages: Collection[str], likeness: Likeness) -> None:
        self._language = lru_cache(maxsize=2_000)(lambda question: asked_in(question, languages))
        self._likeness = likeness

    def take(self, question: str) -> bool:
        """Whether a question is in another language."""
        return self._language(question) != "en"

    def route(self, subquery: str) -> Routing | None:
        """Send the question to passages and chapters; cells are read from English alone."""
        return Routing((), f"asked in {language_name(self._language(subquery))}; the rules are English")

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
        """Return the sentence that fits the question best."""
        language = self._language(subquery)
        stemmed = _stemmer(language)
        said = list(told_in(evidence, read=lambda text: stemmed(words(text))))
        # A stem counts the less, the more of the sentences hold it.
        holding = Counter(stem for one in said for stem in one.own)
        weights = {stem: 1 / (1 + holding[stem]) for stem in stemmed(words(subquery))}
        alike = self._likeness(subquery, [one.text for one in said]) or [0.0] * len(said)
        fits = [one.held(weights) + _MEANING * max(0.0, c) for one, c in zip(said, alike, strict=True)]
        if max(fits, default=0.0) < _LEAST:
            return SubAnswer(note=_UNFOUND.format(language_name(language)))
        best = said[fits.index(max(fits))]
        found = best.answer(best.text, sure=_QUOTED_SURE * min(max(fits), 1.0))
        return replace(found, note=_QUOTED.format(language_name(language)), form="passage")


@cache
def _stemmer(language: str) -> Callable[[Sequence[str]], Sequence[str]]:
    """What makes stems of a language's words; words stay as they are where there is nothing."""
    try:
        return Stemmer.Stemmer({"nb": "no"}.get(language, language)).stemWords  # type: ignore[no-any-return]
    except KeyError:
        return list
