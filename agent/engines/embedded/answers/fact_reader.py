"""Reading a hop's answer: the fact in the cell first, the sentence where no fact was extracted (eq. 12)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import base_key, fold
from .....cubes.core.records import Fact
from .....cubes.model.cells import CubeSet
from ..plan import RelationStep
from ..vocabulary.cues import ANSWERING, KIND_CUBES
from ..vocabulary.lexicon import QuestionLexicon, kinds_of, listed
from ..vocabulary.linker import EntityLinker
from ..vocabulary.places import PlaceHierarchy

__all__ = ["KIND_OF", "FactCandidate", "FactReader"]

KIND_OF = {cube: kind for kind, cube in KIND_CUBES.items()}
"""The kind of what a cube's subjects are."""
_TYPED = frozenset({"type", "genre", "occupation"})
_GENDERED = frozenset({"father", "mother", "spouse"})  # the relation itself tells, or it does not matter
_SHE = re.compile(r"\b(?:she|her|hers|actress|queen|princess)\b", re.IGNORECASE)
_HE = re.compile(r"\b(?:he|his|him|king|prince)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FactCandidate:
    """A possible answer with the fact it was read from, and how well it fits (0-1)."""

    value: str
    fact: Fact
    score: float


class FactReader:
    """Reads values of steps from facts, restricted to the sections at hand."""

    def __init__(
        self, cubes: CubeSet, linker: EntityLinker, lexicon: QuestionLexicon, places: PlaceHierarchy,
        text_of: Callable[[str], str]
    ) -> None:
        self._cubes = cubes
        self._text_of = text_of
        self._linker = linker
        self._lexicon = lexicon
        self._places = places
        self._genders: dict[str, str | None] = {}

    def read(self, step: RelationStep, base: str, sections: Collection[str]) -> list[FactCandidate]:
        """Return the candidates of a step for one base, best first.

        ``sections`` are the ids whose facts may be used.
        """
        if not step.relations:
            return []  # which one is the first or the youngest, sentences tell
        found = self._forward(step, base, sections)
        if step.converse or not found:
            found = [*found, *self._backward(step, base, sections)]
        best: dict[str, FactCandidate] = {}
        for value, fact in found:
            candidate = self._judge(value, fact, step) if fold(value) != fold(base) else None
            key = fold(value)
            if candidate is not None and (key not in best or candidate.score > best[key].score):
                best[key] = candidate
        return sorted(best.values(), key=lambda c: -c.score)

    def _forward(self, step: RelationStep, base: str, sections: Collection[str]) -> list[tuple[str, Fact]]:
        """Values of the base's own facts; of homonyms the first that has any."""
        for subject in self._linker.link(base):
            facts = self._cubes.facts_about(subject.key)
            found = [(f.value, f) for f in facts if f.relation in step.relations and f.section_id in sections]
            if found:
                return found
        return []

    def _backward(self, step: RelationStep, base: str, sections: Collection[str]) -> list[tuple[str, Fact]]:
        """Subjects whose facts have the base as value: of inverse relations, and of a verb read the other way."""
        inverse = {r.inverse for name in step.relations for r in self._lexicon.relations.get(name, ()) if r.inverse}
        names = inverse | (set(step.relations) if step.converse else set())
        found = []
        for key in dict.fromkeys((fold(base), base_key(base), *(s.key for s in self._linker.link(base)[:1]))):
            for fact in self._cubes.facts_valued(key):
                if fact.relation in names and fact.section_id in sections:
                    found.append((fact.subject, fact))
        return found

    def _judge(self, value: str, fact: Fact, step: RelationStep) -> FactCandidate | None:
        """How well a value fits what is wanted; None where it cannot be meant."""
        forward, want = value == fact.value, step.want
        kind = fact.kind if forward else self._kind_of_subject(value)
        if want.kind in ANSWERING and kind not in ANSWERING[want.kind]:
            return None
        if step.gender and fact.relation not in _GENDERED and self.gender(value) not in (None, step.gender):
            return None
        fits: float | None = 0.0
        if want.noun and want.kind not in ("date", "quantity", "where"):
            fits = 0.5 if kind == "nationality" else self.noun_fit(value, want.noun)
        if fits is None:
            return None
        fits += 0.2 if want.kind == kind else 0.0
        if forward and any(f.relation == "is" and f.section_id == fact.section_id
                           for f in self._cubes.facts_about(fold(fact.subject))):  # fmt: skip
            fits += 0.05  # the section that is about its subject is most likely right
        return FactCandidate(value, fact, fact.confidence * (1.0 if forward else 0.9) + fits)

    def _kind_of_subject(self, value: str) -> str:
        subjects = self._linker.link(value)
        return KIND_OF.get(subjects[0].cube, "event") if subjects else "name"

    def noun_fit(self, value: str, noun: str) -> float | None:
        """How well a value may be called what the question calls it (a province, a river); None where it cannot."""
        level = self._places.fit(value, noun.split()[-1])
        if level:
            return level
        alike = kinds_of(noun.split()[-1])
        if alike & set(fold(value).split()):
            return 0.5
        subject = next(iter(self._linker.link_exactly(value)), None)
        facts = self._cubes.facts_about(subject.key) if subject is not None else ()
        types = {word for f in facts if f.relation in _TYPED for word in fold(f.value).split()}
        if alike & types:
            return 0.4
        if noun in listed("offices"):
            return None
        if noun in ("country", "nation"):
            return 0.5 if self._places.is_country(value) else -0.3
        classes = set(self._lexicon.nouns.get(noun, ()))
        if not classes or "person" in classes or not types & set(self._lexicon.nouns):
            return 0.0
        # A town is no bridge; but a comedy may well be the film that is asked for.
        return 0.0 if subject is not None and subject.cube in classes and "location" not in classes else None

    def gender(self, name: str) -> str | None:
        """ "f" or "m" by the pronouns of the person's own sections, None where they do not tell."""
        key = fold(name)
        if key not in self._genders:
            found = self._linker.link(name)[:1]
            own = [f.section_id for s in found for f in self._cubes.facts_about(s.key) if f.relation == "is"]
            texts = [self._text_of(i) for i in (own or [i for s in found for i in s.sections])[:2]]
            she = sum(len(_SHE.findall(t)) for t in texts)
            he = sum(len(_HE.findall(t)) for t in texts)
            self._genders[key] = None if she == he else "f" if she > he else "m"
        return self._genders[key]

    def conflicts(self, chosen: Fact) -> list[Fact]:
        """Facts of other sections that give another value where only one can be right."""
        cues = (cue for d in self._cubes[chosen.cube].spec.dimensions for cue in d.cues)
        if any(cue.many for cue in cues if cue.relation == chosen.relation):
            return []
        return [
            f
            for f in self._cubes.facts_about(fold(chosen.subject))
            if f.relation == chosen.relation and f.section_id != chosen.section_id and not _agree(f.value, chosen.value)
        ]


def _agree(left: str, right: str) -> bool:
    """Equal, one within the other, or dates of which one is only less exact."""
    a, b = parse_date(left), parse_date(right)
    if a is not None and b is not None:
        return a.contains(b) or b.contains(a)
    x, y = fold(left), fold(right)
    return x in y or y in x
