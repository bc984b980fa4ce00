"""Hypothetical answers without a language model: the cubes supply what an answer may look like (MuISQA 4.1).

Candidate values of the asked dimension, of the subject itself and of its neighbours, become statements. They may be
wrong, and mostly are: a passage that says something of the kind is nearer to a statement than to a question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from .....cubes.core.folding import base_key, fold
from .....cubes.retrieval.wording import asked_words, names_in
from .....graphs.expansion.intents import Intents
from .....graphs.expansion.statements import AnswerCell, ExpansionRequest, Hypotheses, Statement
from .....graphs.records import Evidence
from ..context import EngineContext
from .answer_tables import Tabulator, instances, overlap, topics_of
from .hop_reader import HopReader

__all__ = ["HypothesisGenerator"]

_LIKELY = 0.05
"""The least that speaks for a thing that is supposed to be an instance; what was found is supposed where nothing is."""


class HypothesisGenerator:
    """Makes the statements of every strategy, and fills tables."""

    def __init__(self, context: EngineContext, hops: HopReader) -> None:
        self._context, self._cubes, self._hops = context, context.cubes, hops

    def table(self, intents: Intents, evidence: Sequence[Evidence]) -> Sequence[Sequence[AnswerCell]]:
        """Return the table that the sections fill, a row for each instance."""
        return Tabulator(self._hops.spans, self._hops.ranked).table(intents, evidence)

    def generate(self, subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Hypotheses:
        """Return the statements that a strategy makes of a subquery and what it found (MuISQA eq. 7).

        There are none where no relation says what could be so: what only repeats a subquery finds what its words
        find, and not what its labels are on.
        """
        intents, number = expansion.intents, expansion.number
        if expansion.strategy != "hqg":
            return Hypotheses(tuple(_compared(subquery, evidence, expansion)))
        if intents is not None:
            return Hypotheses(tuple(self._several(intents, evidence, number)))
        said = () if self._context.hypercubes_alone else tuple(self._single(subquery, evidence, number))
        return Hypotheses(tuple(Statement(text, hypothesis=n) for n, text in enumerate(said, start=1)))

    def _single(self, subquery: str, evidence: Sequence[Evidence], number: int) -> Iterator[str]:
        """What is asked, then each value that it may have, of its own or of what was found."""
        hop = self._context.one_hop(subquery)
        yield subquery
        if hop is None or not hop[0].relations:
            titles = dict.fromkeys(e.title for e in evidence if f" {fold(e.title)} " not in f" {fold(subquery)} ")
            yield from (f"{title}: {subquery}" for title in islice(titles, number))
            return
        step, entity = hop
        near = [f for e in evidence for f in self._cubes.facts_of_section(e.section_id)]
        for relation in step.relations:
            yield f"The {relation} of {entity}"
            found = (f.value for f in near if f.relation == relation)
            held = (fact.value for fact in self._context.linker.facts_of(entity) if fact.relation == relation)
            values = {fold(value): value for value in (*held, *found)}
            others = islice((value for key, value in values.items() if key != fold(entity)), number)
            yield from (f"The {relation} of {entity}: {value}" for value in others)

    def _several(self, intents: Intents, evidence: Sequence[Evidence], number: int) -> Iterator[Statement]:
        """What is asked of each thing that may be an instance; of none where there is none."""
        names = [intents.subject] if intents.subject else self._instances(intents, evidence)[:number]
        for n, name in enumerate(names, start=1):
            if not intents.subject:
                yield Statement(f"{name}: {intents.head}", intents.columns[0], n, name)
            yield from (Statement(f"The {column} of {name}.", column, n, name) for column in intents.asked)
        if not names:
            yield from (Statement(f"{column}: {intents.head}", column, 1) for column in intents.columns)

    def _instances(self, intents: Intents, evidence: Sequence[Evidence]) -> list[str]:
        """Things that may be instances: what is read in the sections, what the cubes tie to it, what was found."""
        near = [one.name for one in instances(intents.head, evidence, self._hops.spans, _LIKELY)]
        tied = [fact.subject for name in names_in(intents.head) for fact in self._cubes.facts_valued(fold(name))]
        known = (*near, *topics_of(intents.head))
        others = [one for one in tied if not any(overlap(one, name) for name in known)]
        names = [*near, *others] or [e.title for e in evidence]
        return list({base_key(name): name for name in names if not overlap(name, intents.head)}.values())


def _compared(subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Iterator[Statement]:
    """The strategies that MuISQA compares with: other words (rewriting), one passage (HyDE), sub-questions."""
    names, intents = dict.fromkeys(names_in(subquery)), expansion.intents
    if expansion.strategy == "hyde":
        yield Statement(" ".join([subquery, *(e.sentence for e in evidence[:3])]))
    elif expansion.strategy == "rewrite":
        yield Statement(" ".join(asked_words(subquery)), hypothesis=1)
    else:
        yield Statement(intents.head if intents is not None else subquery, "core", 1)
        yield from (Statement(f"What is {name}?", "background", 1) for name in names)
        asked = intents.asked if intents is not None else ()
        yield from (Statement(f"What is known of the {column}: {subquery}", "follow-up", 1) for column in asked)
