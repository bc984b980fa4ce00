"""Reading a hop's answer: the fact in the cell first, the sentence where no fact was extracted (eq. 12)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import base_key, fold
from .....cubes.core.records import Fact
from .....cubes.model.cells import CubeSet, Subject
from ..plan import AnswerType, RelationStep
from ..vocabulary.levels import PlaceLevels
from ..vocabulary.lexicon import QuestionLexicon, listed, nouns_called, ranks
from ..vocabulary.linker import EntityLinker
from ..vocabulary.places import PlaceHierarchy
from .span_form import completed

__all__ = ["FactCandidate", "FactReader"]

_CUBE_OF_KIND = {
    "person": "person",
    "place": "location",
    "organization": "organization",
    "work": "cultural_product",
}
_ANSWERING = {
    "date": {"date"},
    "quantity": {"quantity"},
    "nationality": {"nationality", "place"},
    "person": {"person", "name", "organization"},
    "work": {"work", "name", "text"},
    "organization": {"organization", "name", "place", "text"},
    "place": {"place", "name", "nationality", "organization"},
    "where": {"place", "name", "nationality", "organization", "event", "work"},
}
"""Which kinds of values can answer a question for a kind of thing; names are not always told apart by text."""
_GENDERED = frozenset({"father", "mother", "spouse"})  # the relation itself tells, or it does not matter
_ORIGINS = (
    "born on",
    "released on",
    "founded on",
    "opened on",
    "launched on",
    "built on",
    "took place on",
    "happened on",
)
_BESIDE = 40  # characters between a rank and the value it picks
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
        self._levels = PlaceLevels(cubes, linker, places)
        self._genders: dict[str, str | None] = {}

    def read(self, step: RelationStep, base: str, sections: Collection[str]) -> list[FactCandidate]:
        """Return the candidates of a step for one base, best first.

        ``sections`` are the ids whose facts may be used.
        """
        if not step.relations:
            return []
        found = self._forward(step, base, sections)
        if step.converse or not found:
            found = [*found, *self._backward(step, base, sections)]
        judged = [self._judge(value, fact, step) for value, fact in found if fold(value) != fold(base)]
        best: dict[str, FactCandidate] = {}
        for candidate in judged:
            if candidate is None:
                continue
            key = fold(candidate.value)
            if key not in best or candidate.score > best[key].score:
                best[key] = candidate
        found_best = [self._in_full(c, step) for c in sorted(best.values(), key=lambda c: -c.score)]
        if step.rank:
            return self._picked(found_best, step.rank)
        if step.want.plural and step.want.kind == "person" and step.converse:
            return self._together(found_best)
        return found_best

    def _in_full(self, candidate: FactCandidate, step: RelationStep) -> FactCandidate:
        """A person's family name by itself as the fact's section has it in full."""
        if step.want.kind != "person" or " " in candidate.value:
            return candidate
        return replace(candidate, value=completed(candidate.value, self._text_of(candidate.fact.section_id)))

    @staticmethod
    def _together(candidates: Sequence[FactCandidate]) -> list[FactCandidate]:
        """Those that the sentence of the best names: "Who founded X?" asks for all who did it together."""
        places = [(c.fact.section_id, c.fact.sentence) for c in candidates]
        return [c for c, place in zip(candidates, places, strict=True) if place == places[0]]

    def _picked(self, candidates: Sequence[FactCandidate], rank: str) -> list[FactCandidate]:
        """The one that a rank picks: by the word beside it in the text, else by the dates of all of them."""
        told = [c for c in candidates if self._called(c, rank)]
        if told:
            return told[:1]
        dated = sorted((d, c.value, c) for c in candidates if (d := self._dated(c.value)) is not None)
        place = ranks().get(fold(rank), 1)
        at = place - 1 if place > 0 else len(dated) + place
        if len(dated) < max(2, len(candidates)) or not 0 <= at < len(dated):
            return []
        return [dated[at][2]]

    def _called(self, candidate: FactCandidate, rank: str) -> bool:
        """Whether the fact's sentence says the rank close to the value, or of the thing it is about."""
        span, sentence = candidate.fact.span, candidate.fact.sentence
        text = self._text_of(candidate.fact.section_id)
        near = text[max(sentence.start, span.start - _BESIDE) : min(sentence.end, span.end + _BESIDE)]
        return fold(rank) in fold(near).split()

    def _dated(self, value: str) -> float | None:
        """When a thing came to be: its first date by the order of `_ORIGINS`."""
        facts = [f for s in self._linker.link_exactly(value)[:1] for f in self._cubes.facts_about(s.key)]
        for relation in _ORIGINS:
            for fact in facts:
                date = parse_date(fact.value) if fact.relation == relation else None
                if date is not None:
                    return date.day_number()
        return None

    def _forward(self, step: RelationStep, base: str, sections: Collection[str]) -> list[tuple[str, Fact]]:
        """Values of the base's own facts; of homonyms the first that has any."""
        for subject in self._ordered(base, step):
            facts = [
                f
                for f in self._cubes.facts_about(subject.key)
                if f.relation in step.relations and f.section_id in sections
            ]
            if facts:
                return [(f.value, f) for f in facts]
        return []

    def _ordered(self, base: str, step: RelationStep) -> Sequence[Subject]:
        """Subjects whose class has the relation come first; the rest keep their order."""
        cubes = {r.cube for name in step.relations for r in self._lexicon.relations.get(name, ())}
        return sorted(self._linker.link(base), key=lambda s: s.cube not in cubes)

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

    # Judging --------------------------------------------------------------------------------------------------

    def _judge(self, value: str, fact: Fact, step: RelationStep) -> FactCandidate | None:
        forward = value == fact.value
        kind = fact.kind if forward else self._kind_of_subject(value)
        fit = self._fit(value, kind, step.want, fact)
        if fit is None:
            return None
        if step.gender and fact.relation not in _GENDERED and self._opposite(value, fact, step.gender):
            return None
        own = 0.05 if forward and self._introduces(fact) else 0.0
        return FactCandidate(value, fact, fact.confidence * (1.0 if forward else 0.9) + fit + own)

    def _introduces(self, fact: Fact) -> bool:
        """Whether the fact stands in the section that is about its subject: there it is most likely right."""
        about = self._cubes.facts_about(fold(fact.subject))
        return any(f.relation == "is" and f.section_id == fact.section_id for f in about)

    def at_level(self, candidates: Sequence[FactCandidate], noun: str | None) -> Sequence[FactCandidate]:
        """Where a state, say, is asked for and the cell holds a town, climb from the town to its state."""
        level = self._levels.fit(candidates[0].value, noun or "")
        if noun is None or level is None or level > 0:
            return candidates
        rolled_up = ((c, self._levels.roll_up(c.value, noun)) for c in candidates)
        return [replace(c, value=name) for c, name in rolled_up if name is not None] or candidates

    def rolled_up(self, value: str, noun: str) -> str:
        """The place of the level asked for that holds a place, or the place itself where nothing says so."""
        level = self._levels.fit(value, noun)
        return value if level is None or level > 0 else self._levels.roll_up(value, noun) or value

    def kinds_of(self, value: str) -> frozenset[str]:
        """The kinds of thing that the corpus knows a text as, in its cells and as the subject of a section."""
        kinds = {cube: kind for kind, cube in _CUBE_OF_KIND.items()}
        subjects = {kinds.get(s.cube, "event") for s in self._linker.link_exactly(value)}
        return frozenset({f.kind for f in self._cubes.facts_valued(fold(value))} - {"name", "text"} | subjects)

    def _kind_of_subject(self, value: str) -> str:
        kinds = {cube: kind for kind, cube in _CUBE_OF_KIND.items()}
        subjects = self._linker.link(value)
        return kinds.get(subjects[0].cube, "event") if subjects else "name"

    def _fit(self, value: str, kind: str, want: AnswerType, fact: Fact) -> float | None:
        """How well a value fits what is wanted; None where it cannot be meant."""
        wanted = want.kind
        if wanted in _ANSWERING and kind not in _ANSWERING[wanted]:
            return None
        if want.noun in nouns_called("country_nouns") and kind not in ("place", "nationality"):
            return 0.0 if self._places.country(value) is not None else None
        bonus = 0.2 if wanted == kind else 0.0
        if not want.noun or wanted in ("date", "quantity", "where"):
            return bonus
        if kind == "nationality":
            return bonus + 0.5
        text = self._text_of(fact.section_id)[fact.sentence.start : fact.sentence.end]
        fit = self.noun_fit(value, want.noun, text)
        return None if fit is None else bonus + fit

    def noun_fit(self, value: str, noun: str, sentence: str = "") -> float | None:
        """How well a value may be called what the question calls it (a province, a river); None where it cannot."""
        level = self._levels.fit(value, noun.split()[-1])
        if level:
            return level
        alike = self._lexicon.alike_to(noun.split()[-1])
        if alike & set(fold(value).split()):
            return 0.5
        text = fold(sentence)
        types = self._types(value)
        if alike & types:
            return 0.4
        if noun in listed("offices"):
            return 0.3 if text and noun in text else None
        if noun in ("country", "nation"):
            return 0.5 if self._places.is_country(value) else -0.3
        classes = set(self._lexicon.nouns.get(noun, ()))
        if not classes or "person" in classes or not types & set(self._lexicon.nouns):
            return 0.0
        # A town is no bridge; but a comedy may well be the film that is asked for.
        cubes = {s.cube for s in self._linker.link_exactly(value)[:1]}
        return 0.0 if cubes <= classes and "location" not in classes else None

    def _types(self, value: str) -> set[str]:
        """The words of a subject's own type, genre or occupation."""
        return {
            word
            for s in self._linker.link_exactly(value)[:1]
            for f in self._cubes.facts_about(s.key)
            if f.relation in ("type", "genre", "occupation")
            for word in fold(f.value).split()
        }

    def _opposite(self, value: str, fact: Fact, gender: str) -> bool:
        """Whether the text makes the person out to be of the other gender."""
        known = self.gender(value)
        if known is None:
            sentence = self._text_of(fact.section_id)[
                fact.span.start - 60 if fact.span.start > 60 else 0 : fact.span.start
            ]
            she = len(re.findall(r"\b(?:sister|daughter|wife|aunt|mother)\b", sentence))
            he = len(re.findall(r"\b(?:brother|son|husband|uncle|father)\b", sentence))
            known = "f" if she > he else "m" if he > she else None
        return known is not None and known != gender

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
        cue_many = any(
            cue.many
            for d in self._cubes[chosen.cube].spec.dimensions
            for cue in d.cues
            if cue.relation == chosen.relation
        )
        if cue_many:
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
