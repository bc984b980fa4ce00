"""What a finding (SMART) rests on, word for word: the sentences of its facts, each of which states the fact's value."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..cubes.core.folding import fold
from ..cubes.core.records import Fact, Section
from ..cubes.documents.sections import sentences
from ..cubes.smart.abstractions import Finding
from ..cubes.smart.extracts import OWN_WORDS
from ..cubes.smart.perspectives import Perspectives
from .context import Knowledge
from .records import GroundRecord

__all__ = ["grounds_of", "states"]

_ENOUGH = 6  # sentences that speak of what the text names: more are never cited
_MENTIONS, _TIED = "mentions", "has to do with"


def states(sentence: str, value: str) -> bool:
    """Whether a sentence says a value, by whole words; how they are set and spelled does not matter."""
    wanted = fold(value)
    return bool(wanted) and f" {wanted} " in f" {fold(sentence)} "


def grounds_of(finding: Finding, known: Perspectives, knowledge: Knowledge) -> tuple[GroundRecord, ...]:
    """Return the sentences that a finding rests on, one a section; those about things that its text names come first.

    A sentence that does not state the value of the fact read from it is no ground.
    """
    if finding.explanation == OWN_WORDS:
        return tuple(_own_words(finding, known, knowledge))
    about = _Names(known, finding.about)
    found: dict[bool, list[GroundRecord]] = {True: [], False: []}
    for section_id in finding.sections:
        section = knowledge.section(section_id)
        resting = [f for f in knowledge.retriever.cubes.facts_of_section(section_id) if about.rests_on(f, finding)]
        stated = [fact for fact in resting if states(_sentence(section, fact), fact.value)]
        named = [f for f in stated if states(finding.text, f.subject if about.holds(f.subject) else f.value)]
        if stated:
            found[bool(named)].append(_ground((named or stated)[0]))
        if len(found[True]) == _ENOUGH:
            break
    return (*found[True], *found[False])


class _Names:
    """The things that a finding is about, under all their names."""

    def __init__(self, known: Perspectives, about: Collection[str]) -> None:
        self._known = known
        places = [known.places[id] for id in about if id in known.places]
        self._about = frozenset(fold(name) for place in places for name in known.graph.entities[place].names)

    def holds(self, name: str) -> bool:
        """Whether a name is one of theirs."""
        return fold(name) in self._about

    def rests_on(self, fact: Fact, finding: Finding) -> bool:
        """Whether a finding is counted from a fact; of one in a model's words, whether the fact ties what it names."""
        if not finding.trait:
            ends = (fact.subject, fact.value)
            return any(map(self.holds, ends)) and all(states(finding.text, end) or self.holds(end) for end in ends)
        relation = _TIED if fact.relation == _MENTIONS else fact.relation
        if relation not in finding.trait:
            return False
        ahead = self.holds(fact.subject) and self._is_in(finding.trait, fact.value)
        return ahead or (self.holds(fact.value) and self._is_in(finding.trait, fact.subject))

    def _is_in(self, trait: str, name: str) -> bool:
        """Whether a trait leads to what a name means, by whatever name it calls it."""
        entities = self._known.graph.entities
        return states(trait, name) or any(states(trait, entities[n].name) for n in self._known.entities(name))


def _own_words(finding: Finding, known: Perspectives, knowledge: Knowledge) -> Iterator[GroundRecord]:
    """The sentence of a document that a finding repeats, where it stands first."""
    said, entities = finding.text.removesuffix("…"), known.graph.entities
    places = [known.places[id] for id in finding.about if id in known.places]
    for section_id in dict.fromkeys((*finding.sections, *(s for place in places for s in entities[place].sections))):
        text = knowledge.section(section_id).text
        spans = [fact.sentence for fact in knowledge.retriever.cubes.facts_of_section(section_id)]
        for span in (*spans, *sentences(text)):
            if " ".join(text[span.start : span.end].split()).startswith(said):
                yield GroundRecord(section_id=section_id, start=span.start, end=span.end, value=said)
                return


def _sentence(section: Section, fact: Fact) -> str:
    return section.text[fact.sentence.start : fact.sentence.end]


def _ground(fact: Fact) -> GroundRecord:
    return GroundRecord(
        section_id=fact.section_id, start=fact.sentence.start, end=fact.sentence.end, value=fact.value
    )
