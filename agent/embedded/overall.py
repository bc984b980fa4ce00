"""`OverallReasoner`: the embedded engine over a knowledge base whose abstractions (SMART) are built.

Questions about what things have in common, key factors, overviews and comparisons of groups are answered by findings,
which no single section states; all others as ever.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...cubes.wording import asked_words, stems
from ...graphs.reasoner import SMART, FinalAnswer, Routing, Step, SubAnswer
from ...graphs.records import Evidence, FindingRecord, Hop
from .shelved import ShelvedReasoner

__all__ = ["OverallReasoner", "asks_overall"]

_OVERALL = re.compile(
    r"""\bin\s+common\b | \bcommonalit | \b(?:key|main|common|shared|contributing|driving)\s+(?:factors?|themes?|traits?
    |features?|characteristics|topics|patterns?|aspects)\b | \boverview\b | \bsimilarit | \bwhat\b.*\bshare\b
    | \b(?:themes|patterns|trends|perspectives)\b | \bwhat\s+(?:links|connects|unites|distinguishes)\b
    | \bcompare\b.*\b(?:groups?|kinds|types|classes|categories)\b
    | \b(?:groups?|kinds|types|classes|categories)\b.*\b(?:compare|differ)\b
    | \bwhich\s+(?:groups?|kinds|types|categories)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ASKING = frozenset(stems("common commonality share key main factors themes traits features overview similarities"))
"""What such questions ask with, and findings are worded with: it says nothing of what they are about."""
_MOST = 6
_CONFIDENCE = 0.5
_UNFOUND = "No abstraction says what the question asks about; ask about a thing, a group or a class that is there."
_OWN_WORDS = "In the documents' own words."


def asks_overall(question: str) -> bool:
    """Whether a question asks for what many sections imply together."""
    return _OVERALL.search(question) is not None


class OverallReasoner(ShelvedReasoner):
    """Answers overall questions in one hop by the findings that comprehensive retrieval brings."""

    def next_step(self, question: str, hops: Sequence[Hop]) -> Step:
        """Return the question itself, as one hop."""
        if not self._is_overall(question):
            return super().next_step(question, hops)
        return Step(None, sufficient=bool(hops[-1].answers)) if hops else Step(question)

    def route(self, subquery: str) -> Routing:
        """Send an overall question to comprehensive retrieval."""
        if not self._is_overall(subquery):
            return super().route(subquery)
        return Routing((), "asks for what many sections imply together", (SMART,))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Say the findings that bear on the question most, of every perspective."""
        if not self._is_overall(subquery):
            return super().answer(subquery, evidence)
        used = _chosen(subquery, [found for each in evidence for found in each.findings])
        if not used:
            return SubAnswer()
        return SubAnswer((" ".join(found.text for found in used),), _CONFIDENCE, findings=tuple(used))

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Return what the hop found, or abstain."""
        if not self._is_overall(question):
            return super().finalize(question, hops)
        found = next((hop for hop in reversed(hops) if hop.answers), None)
        return FinalAnswer(found.answers[0], found.confidence) if found is not None else FinalAnswer("", note=_UNFOUND)

    def _is_overall(self, question: str) -> bool:
        """Whether a question is of this kind, and about no document by its name."""
        return asks_overall(question) and not self._documents.claims(question)


def _chosen(subquery: str, findings: Sequence[FindingRecord]) -> list[FindingRecord]:
    """The findings to say: those about the group that is named, then each perspective's that fit best, in turns."""
    asked = set(asked_words(subquery)) - _ASKING
    counted = [found for found in findings if found.explanation != _OWN_WORDS] or list(findings)
    queues: dict[str, list[tuple[int, int, FindingRecord]]] = {}
    for place, found in enumerate(counted):
        shared = len(asked & set(stems(f"{found.title} {found.text} {found.explanation.split('. ')[0]}")))
        queues.setdefault(found.id.split(".")[0].split("/")[0], []).append((-shared, place, found))
    if "asked" in queues:  # what the named group shares comes first, and what else is said must speak of all of it
        least = -len(asked)
        queues = {tree: [one for one in held if tree == "asked" or one[0] <= least] for tree, held in queues.items()}
    turns = [sorted(queues[tree], key=lambda one: one[:2]) for tree in sorted(queues, key=lambda t: (t != "asked", t))]
    chosen: dict[str, FindingRecord] = {}
    while any(turns) and len(chosen) < _MOST:
        for held in turns:
            if held and len(chosen) < _MOST:
                _, _, found = held.pop(0)
                chosen.setdefault(found.text, found)
    return list(chosen.values())
