"""`OverallQuestions`: what things have in common, key factors, overviews, comparisons of groups (SMART).

They are answered by findings, which no single section states.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from .....cubes.retrieval.wording import CHARS_PER_TOKEN, asked_words, stems
from .....cubes.smart.extracts import OWN_WORDS
from .....cubes.smart.retrieval import ASKED
from .....graphs.reasoner import SMART, Routing, SubAnswer
from .....graphs.records import Evidence, FindingRecord
from .kind import OneHopKind

__all__ = ["OverallQuestions", "asks_overall"]

_GROUPS = r"\b(?:groups?|kinds|types|classes|categories)\b"
_OVERALL = re.compile(
    rf"""\bin\s+common\b | \bcommon\s+to\b | \bcommonalit | \boverview\b | \bsimilarit | \balike\b | \bresembles?\b
    | \b(?:key|main|common|shared|contributing|driving)\s+(?:factors?|themes?|traits?|features?|characteristics|topics
    |patterns?|aspects)\b
    | \b(?:themes|patterns|trends|perspectives)\b | \bwhat\b.*\bshare\b | \bshares?\s+(?:some|any)thing\b
    | \bwho\s+(?:is|are|was|were)\s+(?:most\s+)?(?:similar|like)\b
    | \bwhich\s+(?:things|traits|features|properties|aspects|qualities)\b.*\bshare\b
    | \bwhat\s+(?:else\s+)?(?:links|connects|unites|binds|distinguishes)\b
    | \bcompare\b.*{_GROUPS} | {_GROUPS}.*\b(?:compare|differ)\b | \bwhich\s+(?:groups?|kinds|types|categories)\b
    | \bhow\s+do\s+(?:the|those)\b.*\b(?:compare|differ)\b""",
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
        """Say the findings that bear on the question most, as many as an answer has room for, one at least."""
        if not self.take(subquery):
            return None
        chosen: dict[str, FindingRecord] = {}
        for found in _ranked(subquery, [found for each in evidence for found in each.findings]):
            if not chosen or len(" ".join((*chosen, found.text))) <= _ANSWER_TOKENS * CHARS_PER_TOKEN:
                chosen.setdefault(found.text, found)
        if not chosen:
            return SubAnswer(note=_UNFOUND)
        return SubAnswer((" ".join(chosen),), _CONFIDENCE, findings=tuple(chosen.values()))


def _ranked(subquery: str, findings: Sequence[FindingRecord]) -> Sequence[FindingRecord]:
    """The findings to say, the first first: what was counted for those who are asked about alone, as it was recalled.

    Where nobody is asked about, those that bear on the question most, of each perspective in turn. Sentences of
    documents are said only where nothing was counted.
    """
    about = [found for found in findings if found.id.startswith(f"{ASKED}/")]
    if about:
        return about
    counted = [found for found in findings if found.explanation != OWN_WORDS] or list(findings)
    asked, trees = set(asked_words(subquery)) - _ASKING, Counter[str]()
    turns: list[tuple[int, str, FindingRecord]] = []
    for found in sorted(counted, key=lambda f: -len(asked & set(stems(f"{f.title} {f.text} {_first(f)}")))):
        tree = found.id.split(".")[0]
        turns.append((trees[tree], tree, found))
        trees[tree] += 1
    return [found for *_, found in sorted(turns, key=lambda turn: turn[:2])]


def _first(found: FindingRecord) -> str:
    """The first sentence of a finding's explanation."""
    return found.explanation.split(". ")[0]
