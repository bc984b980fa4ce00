"""IRCoT (Trivedi et al. 2023): retrieval and chain of thought in turns, each thought being the next query."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....cubes.core.folding import fold
from ....cubes.documents.sections import sentences
from ....cubes.retrieval.wording import asked_words, names_in, stems
from ....graphs.context import AnswerContext
from ....graphs.evidence import within
from ....graphs.reasoner import ChainOfThoughtReasoner, SubAnswer
from ....graphs.records import Evidence, Hop, LoopSettings
from ....graphs.tools import search_passages
from .pipeline import RetrievedSections, hop_of, milliseconds

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube

__all__ = ["PARAGRAPHS", "IrcotSearch", "next_sentence"]

PARAGRAPHS = 15
"""Paragraphs that are gathered at most (the paper's limit)."""


class IrcotSearch:
    """Retrieves with the question, thinks one sentence on from what was read, retrieves with that, and so on.

    It ends where there is nothing more to think, at the limit of hops, at `PARAGRAPHS`, or where a thought comes again.
    All paragraphs together, in the order they were found, are what the question is read from.
    """

    def prepare(self, asker: MultiCube) -> MultiCube:
        """Passages are indexed already."""
        return asker

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> RetrievedSections:
        """Return the paragraphs of all turns; each turn is a hop whose subquery is the question or a thought."""
        hops: list[Hop] = []
        gathered: dict[str, Evidence] = {}
        query, thoughts = question, list[str]()
        while query and len(hops) < settings.max_hops and not context.overdue():
            started = time.perf_counter()
            evidence = search_passages(query, settings, None, context)
            took = milliseconds(started)
            hops.append(hop_of(len(hops) + 1, query, evidence, SubAnswer(), took, took))
            gathered |= {e.section_id: e for e in evidence if e.section_id not in gathered}
            if len(gathered) >= PARAGRAPHS or len(hops) == settings.max_hops:
                break
            read = within(list(gathered.values()), settings.context_tokens)
            query = _thought(question, thoughts, read, context)
            query = "" if fold(query) in {fold(one) for one in (question, *thoughts)} else query
            thoughts += [query] if query else []
        found = [e.model_copy(update={"rank": n}) for n, e in enumerate(list(gathered.values())[:PARAGRAPHS], 1)]
        return RetrievedSections(found, tuple(dict.fromkeys(e.record_id for e in found)), tuple(hops))


def _thought(question: str, thoughts: Sequence[str], evidence: Sequence[Evidence], context: AnswerContext) -> str:
    engine = context.reasoner
    if isinstance(engine, ChainOfThoughtReasoner):
        return engine.thought(question, thoughts, evidence)
    return next_sentence(question, thoughts, evidence)


def next_sentence(question: str, thoughts: Sequence[str], evidence: Sequence[Evidence]) -> str:
    """Return the sentence that continues the question without a model: a rule in place of the paper's prompt.

    Of the sentences that name something which neither the question nor a thought has named, it is the one that shares
    most words with what the question asks; the earlier found of equals. "" where no sentence shares any.
    """
    asked = set(asked_words(question))
    known = f" {fold(' '.join((question, *thoughts)))} "
    best, most = "", 0
    for item in evidence:
        for span in sentences(item.text):
            text = " ".join(item.text[span.start : span.end].split())
            shared = len(asked & set(stems(f"{item.title} {text}")))
            if shared > most and any(f" {fold(name)} " not in known for name in names_in(text)):
                best, most = text, shared
    return best
