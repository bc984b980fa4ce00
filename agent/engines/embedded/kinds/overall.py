"""`OverallQuestions`: what things have in common, key factors, overviews, comparisons of groups (SMART).

They are answered by findings, which no single section states.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest

from .....cubes.retrieval.wording import CHARS_PER_TOKEN, asked_words, stems
from .....cubes.smart.extracts import OWN_WORDS
from .....cubes.smart.retrieval import ASKED
from .....graphs.reasoner import SMART, FinalAnswer, Routing, SubAnswer
from .....graphs.records import Evidence, FindingRecord, Hop
from .kind import OneHopKind

__all__ = ["OverallQuestions", "asks_overall"]

_OVERALL = re.compile(
    r"""\bin\s+common\b | \bcommon\s+to\b | \bcommonalit | \boverview\b | \bsimilarit | \balike\b
    | \b(?:key|main|common|shared|contributing|driving)\s+(?:factors?|themes?|traits?|features?|characteristics|topics
    |patterns?|aspects)\b
    | \bwho\s+(?:is|are|was|were)\s+(?:most\s+)?(?:similar|like)\b | \bresembles?\b | \bwhat\b.*\bshare\b
    | \bwhich\s+(?:things|traits|features|properties|aspects|qualities)\b.*\bshare\b | \bshares?\s+(?:some|any)thing\b
    | \b(?:themes|patterns|trends|perspectives)\b | \bwhat\s+(?:else\s+)?(?:links|connects|unites|binds|distinguishes)\b
    | \bcompare\b.*\b(?:groups?|kinds|types|classes|categories)\b
    | \b(?:groups?|kinds|types|classes|categories)\b.*\b(?:compare|differ)\b
    | \bhow\s+do\s+(?:the|those)\b.*\b(?:compare|differ)\b
    | \bwhich\s+(?:groups?|kinds|types|categories)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ASKING = frozenset(stems("common commonality share key main factors themes traits features overview similarities"))
"""What such questions ask with, and findings are worded with: it says nothing of what they are about."""
_ANSWER_TOKENS = 200
_CONFIDENCE = 0.5
_UNFOUND = "No summary tells what the question asks for. Ask about a thing, a group or a class that the documents name."


def asks_overall(question: str) -> bool:
    """Whether a question asks for what many sections imply together."""
    return _OVERALL.search(question) is not None


class OverallQuestions(OneHopKind):
    """Overall questions, answered by the findings that comprehensive retrieval brings.

    ``built`` says whether there are abstractions; ``names_document`` whether a question is about a document by its
    name, which is another kind.
    """

    def __init__(self, names_document: Callable[[str], bool], *, built: bool) -> None:
        self._names_document, self._built = names_document, built

    def take(self, question: str) -> bool:
        """Whether a question asks for what many sections imply together."""
        return self._built and asks_overall(question) and not self._names_document(question)

    def route(self, subquery: str) -> Routing | None:
        """Send an overall question to comprehensive retrieval."""
        return Routing((), "asks for what many sections imply together", (SMART,)) if self.take(subquery) else None

    def offered(self, subquery: str, routing: Routing) -> Routing:
        """Ask comprehensive retrieval besides where nothing is built, so that the trace says how to build it."""
        if self._built or routing.tools is not None or not asks_overall(subquery):
            return routing
        return replace(routing, tools=(SMART,))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
        """Say the findings that bear on the question most, of every perspective."""
        if not self.take(subquery):
            return None
        used = _chosen(subquery, [found for each in evidence for found in each.findings])
        told = " ".join(found.text for found in used)
        return SubAnswer((told,), _CONFIDENCE, findings=tuple(used)) if used else SubAnswer()

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:
        """Return what the hop found, or abstain."""
        if not self.take(question):
            return None
        found = next((hop for hop in reversed(hops) if hop.answers), None)
        return FinalAnswer(found.answers[0], found.confidence) if found is not None else FinalAnswer("", note=_UNFOUND)


def _chosen(subquery: str, findings: Sequence[FindingRecord]) -> list[FindingRecord]:
    """The findings to say, in the order they were recalled in: what was counted for those who are asked about alone.

    Where nobody is asked about, those that bear on the question most, of each perspective in turn. Sentences of
    documents are said only where nothing was counted.
    """
    about = [found for found in findings if found.id.startswith(f"{ASKED}/")]
    if about:
        return _within(about)
    counted = [found for found in findings if found.explanation != OWN_WORDS] or list(findings)
    asked = set(asked_words(subquery)) - _ASKING
    shared = [len(asked & set(stems(f"{f.title} {f.text} {f.explanation.split('. ')[0]}"))) for f in counted]
    queues: dict[str, list[tuple[int, int]]] = {}
    for place, found in enumerate(counted):
        queues.setdefault(found.id.split(".")[0], []).append((-shared[place], place))
    turns = zip_longest(*(sorted(queues[tree]) for tree in sorted(queues)))
    return _within([counted[one[1]] for turn in turns for one in turn if one is not None])


def _within(findings: Sequence[FindingRecord]) -> list[FindingRecord]:
    """As many different findings as an answer has room for, one at least."""
    chosen: dict[str, FindingRecord] = {}
    room = _ANSWER_TOKENS * CHARS_PER_TOKEN
    for found in findings:
        if found.text not in chosen and (len(found.text) <= room or not chosen):
            chosen[found.text] = found
            room -= len(found.text) + 1
    return list(chosen.values())
