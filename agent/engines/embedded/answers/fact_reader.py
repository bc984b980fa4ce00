"""Reading a hop's answer: the fact in the cell first, the sentence where no fact was extracted (eq. 12)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import base_key, fold
from .....cubes.core.records import Fact
from .....cubes.model.cells import CubeSet
from ..plan import RelationStep
from ..vocabulary.cues import ANSWERING, KIND_CUBES
from ..vocabulary.lexicon import QuestionLexicon, kinds_of, listed
from ..vocabulary.linker import EntityLinker
from ..vocabulary.places import PlaceHierarchy

__all__ = ["FactReader"]

_KIND_OF = {cube: kind for kind, cube in KIND_CUBES.items()}
_TYPED = frozenset({"type", "genre", "occupation"})
_GENDERED = frozenset({"father", "mother", "spouse"})  # the relation itself tells, or it does not matter
_SHE = re.compile(r"\b(?:she|her|hers|actress|queen|princess)\b", re.IGNORECASE)
_HE = re.compile(r"\b(?:he|his|him|king|prince)\b", re.IGNORECASE)


class FactReader:
    """Reads values of steps from facts, restricted to the sections at hand."""

    def __init__(
        self, cubes: CubeSet, linker: EntityLinker, lexicon: QuestionLexicon, places: PlaceHierarchy,
        text_of: Callable[[str], str]
    ) -> None:
        self._cubes, self._linker, self._lexicon, self._places = cubes, linker, lexicon, places
        self._text_of, self._genders = text_of, dict[str, str | None]()

    def read(self, step: RelationStep, base: str, sections: Collection[str]) -> list[tuple[str, Fact]]:
        """Return the values of a step for one base, each with its fact, the one that fits best first.

        ``sections`` are the ids whose facts may be used. Of homonyms the first counts that has any.
        """
        if not step.relations:
            return []  # which one is the first or the youngest, sentences tell
        subjects = self._linker.link(base)
        told = (self.tied(subject.key, step.relations, (), sections.__contains__) for subject in subjects)
        found = next(filter(None, told), [])
        if step.converse or not found:  # the other way round: inverse relations, and a verb's own
            names = self.inverses(step.relations) | (set(step.relations) if step.converse else set())
            for key in dict.fromkeys((fold(base), base_key(base), *(s.key for s in subjects[:1]))):
                found += self.tied(key, (), names, sections.__contains__)
        others = [(value, fact) for value, fact in found if fold(value) != fold(base)]
        fits = [(fit, value, fact) for value, fact in others if (fit := self._judge(value, fact, step)) is not None]
        best: dict[str, tuple[str, Fact]] = {}
        for _, value, fact in sorted(fits, key=lambda each: -each[0]):
            best.setdefault(fold(value), (value, fact))
        return list(best.values())

    def inverses(self, relations: Collection[str]) -> set[str]:
        """Return the relations that say the same read backwards: a film's director directed it."""
        held = self._lexicon.relations
        told = {phrase.inverse for name in relations for phrase in held.get(name, ()) if phrase.inverse}
        return told | {name for name, phrases in held.items() if any(phrase.inverse in relations for phrase in phrases)}

    def tied(
        self, key: str, own: Collection[str], other: Collection[str], allows: Callable[[str], bool]
    ) -> list[tuple[str, Fact]]:
        """Return the values of what a key's ``own`` relations are said of, and the subjects of ``other`` ones that have
        it as value, in the sections that count."""
        told = [(fact.value, fact) for fact in self._cubes.facts_about(key) if fact.relation in own]
        told += [(fact.subject, fact) for fact in self._cubes.facts_valued(key) if fact.relation in other]
        return [each for each in told if allows(each[1].section_id)]

    def _judge(self, value: str, fact: Fact, step: RelationStep) -> float | None:
        """How well a value fits what is wanted; None where it cannot be meant."""
        forward, want = value == fact.value, step.want
        kind = fact.kind if forward else self._kind_of_subject(value)
        if want.kind in ANSWERING and kind not in ANSWERING[want.kind]:
            return None
        if not forward and (kind, want.kind) == ("person", "organization"):  # "which organization is based in X"
            return None
        if step.gender and fact.relation not in _GENDERED and self.gender(value) not in (None, step.gender):
            return None
        noun = want.noun if want.kind not in ("date", "quantity", "where") else None
        fits = self.noun_fit(value, noun) if noun else 0.0
        if fits is None:
            return None
        # The section that is about its subject is most likely right.
        own = (f.section_id for f in self._cubes.facts_about(fold(fact.subject)) if f.relation == "is")
        likely = fact.confidence if forward else 0.9 * fact.confidence
        date = parse_date(value) if kind == "date" else None
        exact = 0.1 * (date is not None and date.day is not None)  # "a 1984 film ... released on 3 May 1984"
        return likely + fits + exact + 0.2 * (want.kind == kind) + 0.05 * (forward and fact.section_id in own)

    def _kind_of_subject(self, value: str) -> str:
        subjects = self._linker.link(value)
        return _KIND_OF.get(subjects[0].cube, "event") if subjects else "name"

    def noun_fit(self, value: str, noun: str) -> float | None:
        """How well a value may be called what the question calls it (a province, a river); None where it cannot."""
        if level := self._places.fit(value, noun.split()[-1]):
            return level
        subject = next(iter(self._linker.link_exactly(value)), None)
        facts = self._cubes.facts_about(subject.key) if subject is not None else ()
        types = {word for f in facts if f.relation in _TYPED for word in fold(f.value).split()}
        if kinds_of(noun.split()[-1]) & {*types, *fold(value).split()}:
            return 0.5
        if noun in listed("offices"):
            return None
        if noun in ("country", "nation"):
            return 0.5 if self._places.is_country(value) else -0.3
        return 0.0

    def gender(self, name: str) -> str | None:
        """ "f" or "m" by the pronouns of the person's own sections, None where they do not tell."""
        key = fold(name)
        if key not in self._genders:
            found = self._linker.link(name)[:1]
            own = [f.section_id for s in found for f in self._cubes.facts_about(s.key) if f.relation == "is"]
            texts = [self._text_of(i) for i in (own or [i for s in found for i in s.sections])[:2]]
            she, he = (sum(len(pronoun.findall(text)) for text in texts) for pronoun in (_SHE, _HE))
            self._genders[key] = None if she == he else "f" if she > he else "m"
        return self._genders[key]

    def conflicts(self, chosen: Fact) -> list[Fact]:
        """Facts of other sections that give another value where only one can be right."""
        cues = (cue for d in self._cubes[chosen.cube].spec.dimensions for cue in d.cues)
        if any(cue.many for cue in cues if cue.relation == chosen.relation):
            return []
        told = (f for f in self._cubes.facts_about(fold(chosen.subject)) if f.relation == chosen.relation)
        return [f for f in told if f.section_id != chosen.section_id and not _agree(f.value, chosen.value)]


def _agree(left: str, right: str) -> bool:
    """Equal, one within the other, or dates of which one is only less exact."""
    a, b = parse_date(left), parse_date(right)
    if a is not None and b is not None:
        return a.contains(b) or b.contains(a)
    return fold(left) in fold(right) or fold(right) in fold(left)
