"""An ontology compiled for reading: its cues as phrases and nouns of roles, and which class a noun names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..core.folding import fold
from ..model.ontology import CubeSpec, Cue, Dimension, Ontology
from .words.lexicon import AGENT, group, lexicon
from .words.words import split_words, verbal

__all__ = ["CueEntry", "ExtractionPlan", "Frame"]

_PERSON_PATTERNS = frozenset({"kin", "birth_date", "birth_place"})
_INSIDE = ("in", "of", "at", "within", "from")  # between a place and what it lies in ("a village in A")


@dataclass(frozen=True, slots=True)
class CueEntry:
    """A cue with the cube and dimension its facts belong to."""

    cube: str
    dimension: Dimension
    cue: Cue

    @property
    def sex(self) -> str | None:
        """The sex of those who can be its value, where the relation's own word tells: a father is male."""
        return lexicon().sex_of_word.get(self.cue.relation)


@dataclass(slots=True)
class Frame:
    """What may stand beside a word or phrase of a class: values behind it, directly ("") or behind a preposition.

    ``actors`` have their values in front of it ("X wrote the score"). Behind a ``verb`` they stand in any order and
    with others between ("published in Carse in 1871 by X").
    """

    slots: dict[str, list[CueEntry]] = field(default_factory=lambda: defaultdict(list))
    actors: list[CueEntry] = field(default_factory=list)
    verb: bool = False


class ExtractionPlan:
    """Everything the rules ask about an ontology, looked up in constant time."""

    def __init__(self, ontology: Ontology) -> None:
        self.cubes: dict[str, CubeSpec] = {cube.id: cube for cube in ontology.cubes}
        self.default = ontology.cubes[0].id
        self._entries = [CueEntry(c.id, d, cue) for c in ontology.cubes for d in c.dimensions for cue in d.cues]
        self.patterns: dict[tuple[str, str], list[CueEntry]] = defaultdict(list)  # by cube and structure
        for entry in self._entries:
            self.patterns[entry.cube, entry.cue.pattern or ""].append(entry)
        persons = {cube for cube, pattern in self.patterns if pattern in _PERSON_PATTERNS}
        self.person = next((c for c, spec in self.cubes.items() if c in persons or "person" in (c, *spec.nouns)), None)
        """The class of persons: one that reads lives or kinship, or that calls its members persons."""
        self.nouns: dict[str, tuple[str, ...]] = {}  # folded, to the cubes that list them
        for cube in ontology.cubes:
            for noun in {fold(text): None for text in (*cube.nouns, cube.name, cube.id.replace("_", " "))}:
                self.nouns[noun] = (*self.nouns.get(noun, ()), cube.id)
        for noun in map(fold, group("occupations") if self.person else ()):
            self.nouns.setdefault(noun, (str(self.person),))
        dated = {cube for cube, pattern in self.patterns if pattern == "event_date"}
        kinds = {c: "place" if self.holds(c, "place") else "event" if c in dated else "" for c in self.cubes}
        self.kinds = {noun: kinds[cubes[0]] for noun, cubes in self.nouns.items() if cubes[0] != self.person}
        """Which kind of thing the nouns of classes tell of a name ("Pellam Bridge")."""
        # Cues by the noun that their value bears ("his father, X") and by class.
        self.roles: dict[str, dict[str, list[CueEntry]]] = defaultdict(lambda: defaultdict(list))
        self.relatives: set[str] = set()  # nouns of roles that one has for another: kinship, predecessors
        self._inverses: dict[tuple[str, str], list[CueEntry]] = {}
        self.forms: dict[tuple[str, str], Frame] = defaultdict(lambda: Frame(verb=True))
        """What a form of a class holds: behind the phrase that says what a thing "is", beside a "birth" or "death"."""
        self._frames: dict[tuple[str, ...], dict[str, Frame]] = defaultdict(dict)
        for entry in (*self._entries, *map(self.named, self.cubes)):
            self._index(entry)
        self._longest = {words[0]: len(words) for words in sorted(self._frames, key=len)}

    def named(self, cube: str, relation: str = "also known as") -> CueEntry:
        """The cue of other names of a class's members, or of their own name."""
        subject = self.cubes[cube].subject
        called = tuple(group("called"))
        return CueEntry(cube, subject, Cue(relation=relation, kind=subject.kind, pattern="alias", after=called))

    def classes(self, phrase: str) -> tuple[str, ...]:
        """The classes that list the noun at the end of a phrase; of "art-song" the last word tells."""
        words = phrase.lower().split()
        nouns = [" ".join(words[-size:]) for size in (2, 1) if size <= len(words)]
        nouns += [noun.rpartition("-")[2] for noun in nouns[-1:] if not AGENT.match(noun)]  # a film-maker is no maker
        return next(filter(None, (self.nouns.get(fold(noun)) for noun in nouns)), ())

    def phrases(self, lower: list[str], at: int) -> Iterator[tuple[int, dict[str, Frame]]]:
        """The phrases at a word, the longest first: how many words, and what stands beside them by class."""
        for size in range(self._longest.get(lower[at], 0), 0, -1):
            if frames := self._frames.get(tuple(lower[at : at + size])):
                yield size, frames

    def inverses(self, entry: CueEntry) -> list[CueEntry]:
        """The cues that the value would bear: the one named, or those that name this relation (child: father, mother).

        Of several classes that know the relation, the one that holds the value counts.
        """
        key = entry.cube, entry.cue.relation
        if key not in self._inverses:
            named = [each for each in self._entries if each.cue.relation == entry.cue.inverse]
            found = named or [each for each in self.patterns[entry.cube, "kin"] if each.cue.inverse == key[1]]
            cubes = sorted({each.cube for each in found}, key=lambda cube: (not self.holds(cube, entry.cue.kind), cube))
            self._inverses[key] = [each for each in found if each.cube == cubes[0]]
        return self._inverses[key]

    def holds(self, cube: str, kind: str) -> bool:
        """Whether values of this kind are members of the class."""
        return cube == self.person if kind == "person" else kind in (cube, *self.cubes[cube].nouns)

    def _index(self, entry: CueEntry) -> None:
        for text in entry.cue.after:
            self._phrase(text, entry)
        for text in entry.cue.before:
            self._frame(tuple(split_words(text).lower), entry.cube).actors.append(entry)
        side, _, what = (entry.cue.pattern or "").partition("_")
        for preposition in _INSIDE if entry.cue.pattern == "containment" else ():
            self.forms["is", entry.cube].slots[preposition].append(entry)
        for slot in ("", ",", *_INSIDE) if side in ("birth", "death") and what in ("date", "place") else ():
            self.forms[side, entry.cube].slots[slot].append(entry)
        for noun in map(str.lower, entry.cue.asks if entry.cue.kind in ("person", "name") else ()):
            self.roles[noun][entry.cube].append(entry)
            for inverse in self.inverses(entry) if entry.cue.pattern == "kin" else ():
                self.relatives.add(noun)
                self._phrase(f"{noun} of", inverse)
                self._phrase(f"{noun} to", inverse)

    def _phrase(self, text: str, entry: CueEntry) -> None:
        words = tuple(split_words(text.removesuffix(" the").removeprefix("first ")).lower)
        slot = words[-1] if words[-1] in group("prepositions") else ""
        words = words[:-1] if slot else words
        frame = self._frame(words, entry.cube) if words else self.forms["is", entry.cube]  # "from": a band from X
        frame.slots[slot].append(entry)

    def _frame(self, words: tuple[str, ...], cube: str) -> Frame:
        return self._frames[words].setdefault(cube, Frame(verb=verbal(words[-1]) or verbal(words[0])))
