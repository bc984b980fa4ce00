"""Hypothetical answers without a language model: the cubes supply what an answer may look like (MuISQA 4.1).

Candidate values of the asked dimension, of the subject itself and of its neighbours, become statements. They may be
wrong, and mostly are: a passage that says something of the kind is nearer to a statement than to a question.
"""

from __future__ import annotations

import re
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
_ASKING = re.compile(
    r"^(?:(?:in|on|at|from|by|of|for|to)\s+)?(?:which|what|who|whom|where|when|how\s+\w+)\b"
    r"(?:\s+(?:is|are|was|were|did|does|do)\b)?",
    re.IGNORECASE,
)
_NOUN = re.compile(r"^(?:[a-z-]+\s+){1,2}?(?=[a-z]+(?:s|ed)?\b)")
_PARTICIPLE = re.compile(r".+ (?:by|in|on|at|to|from|of|for|as|with)$")


class HypothesisGenerator:
    """Makes the statements of every strategy, and fills tables."""

    def __init__(self, context: EngineContext, hops: HopReader) -> None:
        self._context, self._cubes, self._linker, self._hops = context, context.cubes, context.linker, hops

    def table(self, intents: Intents, evidence: Sequence[Evidence]) -> Sequence[Sequence[AnswerCell]]:
        """Return the table that the sections fill, a row for each instance."""
        return Tabulator(self._hops.spans, self._hops.ranked).table(intents, evidence)

    def generate(self, subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Hypotheses:
        """Return the statements that a strategy makes of a subquery and what it found (MuISQA eq. 7).

        There are none where no relation says what could be so: what only repeats a subquery finds what its words
        find, and not what its labels are on.
        """
        if expansion.strategy != "hqg":
            return Hypotheses(tuple(_compared(subquery, evidence, expansion)))
        if expansion.intents is not None:
            return Hypotheses(tuple(self._several(expansion.intents, evidence, expansion.number)))
        made = () if self._context.hypercubes_alone else self._single(subquery, evidence, expansion.number)
        return Hypotheses(tuple(made))

    def _single(self, subquery: str, evidence: Sequence[Evidence], number: int) -> Iterator[Statement]:
        hop = self._context.one_hop(subquery)
        if hop is not None and hop[0].relations:
            step, entity = hop
            said = [
                _sentence(entity, relation, value)
                for relation in step.relations
                for value in islice(self._values(entity, relation, evidence), number)
            ]
            plain = [_sentence(entity, relation) for relation in step.relations[:2]]
        else:
            open_words = _declared(subquery)
            titles = (e.title for e in evidence if f" {fold(e.title)} " not in f" {fold(subquery)} ")
            said = [f"{title}: {open_words}" for title in dict.fromkeys(titles)]
            plain = [open_words]
        for n, text in enumerate((*plain, *said[:number]), start=1):
            yield Statement(text, hypothesis=n)

    def _several(self, intents: Intents, evidence: Sequence[Evidence], number: int) -> Iterator[Statement]:
        names = [intents.subject] if intents.subject else self._instances(intents, evidence)[:number]
        for n, name in enumerate(names, start=1):
            if not intents.subject:
                yield Statement(f"{name} {_declared(intents.head)}", intents.columns[0], n, name)
            for column in intents.asked:
                yield Statement(_sentence(name, column), column, n, name)
        if not names:
            for column in intents.columns:
                yield Statement(f"{column}: {_declared(intents.head)}", column, 1)

    def _instances(self, intents: Intents, evidence: Sequence[Evidence]) -> list[str]:
        """Things that may be instances: what is read in the sections, what the cubes tie to it, what was found."""
        near = [one.name for one in instances(intents.head, evidence, self._hops.spans, _LIKELY)]
        tied = [fact.subject for name in names_in(intents.head) for fact in self._cubes.facts_valued(fold(name))]
        known = (*near, *topics_of(intents.head))
        others = [one for one in tied if not any(overlap(one, name) for name in known)]
        names = [*near, *others] or [e.title for e in evidence]
        return list({base_key(name): name for name in names if not overlap(name, intents.head)}.values())

    def _values(self, entity: str, relation: str, evidence: Sequence[Evidence]) -> Iterator[str]:
        """Values of a relation: the subject's own, then those of its neighbours, the subjects of what was found."""
        seen = {fold(entity)}
        near = (f for e in evidence for f in self._cubes.facts_of_section(e.section_id) if f.relation == relation)
        for value in (*self._linker.values_of(entity, relation), *(fact.value for fact in near)):
            if fold(value) not in seen:
                seen.add(fold(value))
                yield value


def _compared(subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Iterator[Statement]:
    """The strategies that MuISQA compares with: other words (rewriting), one passage (HyDE), sub-questions."""
    declared, names, intents = _declared(subquery), dict.fromkeys(names_in(subquery)), expansion.intents
    if expansion.strategy == "hyde":
        yield Statement(" ".join([f"{declared}.", *(e.sentence for e in evidence[:3])]))
    elif expansion.strategy == "rewrite":
        yield Statement(declared, hypothesis=1)
        yield Statement(" ".join(asked_words(subquery)), hypothesis=2)
    else:
        yield Statement(intents.head if intents is not None else subquery, "core", 1)
        yield from (Statement(f"What is {name}?", "background", 1) for name in names)
        asked = intents.asked if intents is not None else ()
        yield from (Statement(f"What is known of the {column}: {declared}?", "follow-up", 1) for column in asked)


def _sentence(subject: str, relation: str, value: str = "") -> str:
    """A statement: "The Tin Kettle was directed by Ines Calder.", "The length of the Amber is 40 km."."""
    if _PARTICIPLE.fullmatch(relation):
        return f"{subject} was {relation} {value}".rstrip() + "."
    return f"The {relation} of {subject} is {value}.".replace(" is .", ".")


def _declared(question: str) -> str:
    """A question without what makes it one: "Which drugs can treat Velmoria?" as "can treat Velmoria"."""
    text = question.strip().rstrip("?. ")
    bare = _ASKING.sub("", text, count=1).strip()
    noun = _NOUN.match(bare) if bare[:1].islower() and bare != text else None
    return (bare[noun.end() :] if noun is not None else bare) or text
