"""Linking names in questions to the subjects of the cubes, with back-off for how people really write names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from .....cubes.core.folding import base_key, fold, split_qualifier, words
from .....cubes.model.cells import CubeSet, Subject
from .....cubes.model.labels import Label

__all__ = ["EntityLinker"]

_KEPT = 100_000  # names; a server sees questions without end
_STEM = 5  # letters that a demonym shares with its country: Orvenna, Orvennan
_SMALL = frozenset({"the", "a", "an", "of", "in", "on", "at", "and", "for", "s", "to", "by"})
_HONORIFIC = re.compile(
    r"^(?:(?:king|queen|sultan|tsar|archduke|archduchess|earl|marquess|prince|princess|emperor|empress|sir|dame|lord|lady|saint|st\.?|dr\.?|professor|president|pope|"
    r"first lady|general|captain|count|countess|duke|duchess|baron|baroness|mr\.?|mrs\.?|ms\.?)\s+)+(?=[^\W\d_])",
    re.IGNORECASE,
)
_PERSON = "person"
_TELLING = 3  # words of a name that tell a person even without the first name


class EntityLinker:
    """Finds the subjects a name may mean. Results are cached; the cubes do not change under it.

    Without ``backoff`` a name means only what is called exactly so.
    """

    def __init__(self, cubes: CubeSet, *, backoff: bool = True) -> None:
        self._cubes = cubes
        self._names = cubes.names
        self._backoff = backoff
        # Another thread may ask for the same name at any time: caches of the standard library allow it.
        self._links = lru_cache(_KEPT)(self._find)
        self._exact = lru_cache(_KEPT)(self._called)

    def link(self, name: str) -> tuple[Subject, ...]:
        """Return the subjects that a name may mean, best first; nothing where the corpus does not know it."""
        return self._links(name.strip())

    def article(self, name: str) -> str:
        """Return the label of the subject with sections of its own that a name means, or the name as it is.

        A name that only other sections mention ("Princess Clothild") is a subject too, but one with little to say.
        """
        if not self._backoff or any(self._has_article(s) for s in self.link(name)):
            return name
        others = [*self._untitled(name), *self._by_start(name), *self._in_full(name)]
        return next((s.label for s in others if self._has_article(s)), name)

    def plain(self, name: str) -> str:
        """Return a person's name without the title before it, where the title does not belong to the name.

        "King Wu of Carse" and "Queen Ida" are called so; a name that has a section of its own is left as it is.
        """
        bare = _HONORIFIC.sub("", name)
        if (
            bare == name
            or " " not in bare
            or any(s.key == fold(name) and self._has_article(s) for s in self.link(name))
        ):
            return name
        own = any(s.how == "exact" and self._has_article(s) for s in self.link_exactly(bare))
        return name if " of " in bare and not own else bare

    def _has_article(self, subject: Subject) -> bool:
        return any(f.relation == "is" for f in self._cubes[subject.cube].about(subject.key))

    def link_closely(self, name: str) -> tuple[Subject, ...]:
        """Return the subjects called so, word by word if need be, but by no shorter name; for reading questions."""
        return self.link_exactly(name) or (self._by_words(name) if self._backoff else ())

    def link_exactly(self, name: str) -> tuple[Subject, ...]:
        """Return the subjects called so, without matching word by word; for trying many splits."""
        return self._exact(name)

    def _called(self, name: str) -> tuple[Subject, ...]:
        for form in _forms(name.strip()) if self._backoff else (name.strip(),):
            found = self._cubes.subjects(form) if fold(form) else ()
            if found:
                return tuple(found)
        return ()

    def relations_of(self, name: str) -> frozenset[str]:
        """Return the relations that the subjects called so have facts of."""
        subjects = self.link(name)
        return frozenset(
            f.relation for s in subjects if s.how == subjects[0].how for f in self._cubes.facts_about(s.key)
        )

    def values_of(self, name: str, relation: str) -> list[str]:
        """Return the values of one relation of the subjects called exactly so."""
        return [
            f.value for s in self.link_exactly(name) for f in self._cubes.facts_about(s.key) if f.relation == relation
        ]

    def kinds_valued(self, name: str) -> frozenset[str]:
        """Return the kinds of thing a name stands for: its subjects' classes as kinds, and the kinds of the values."""
        cubes = {s.cube for s in self.link_exactly(name)}
        kinds = {kind for kind, cube in (("person", "person"), ("place", "location")) if cube in cubes}
        return frozenset(kinds | {f.kind for f in self._cubes.facts_valued(fold(name))})

    def knows_exactly(self, name: str) -> bool:
        """Whether some subject or value is called exactly so."""
        return bool(fold(name)) and bool(self.link_exactly(name) or self._cubes.facts_valued(fold(name)))

    def _find(self, name: str) -> tuple[Subject, ...]:
        if not fold(name):
            return ()
        found = self.link_closely(name)
        if found or not self._backoff:
            return found
        return self._by_start(name) or self._in_full(name)

    def _by_start(self, name: str) -> tuple[Subject, ...]:
        """ "Princess Clothild" for "Princess Clothild of Tarsenne", where only one subject goes on so."""
        start = fold(name)
        if " " not in start:
            return ()
        last = start.split()[-1]
        texts = map(self._names.text, self._names.starting(f"{start} "))
        found = list(islice((text for text in texts if last in words(text)), 2))
        return tuple(self._cubes.subjects(found[0])) if len(found) == 1 else ()

    def _untitled(self, name: str) -> tuple[Subject, ...]:
        """ "King Osric Longshanks" without "King", where another section speaks of him by his title alone."""
        bare = _HONORIFIC.sub("", name)
        found = self.link_exactly(bare) if bare != name else ()
        return tuple(s for s in found if s.cube == "person" and (" " in bare or s.how == "exact"))

    def _in_full(self, name: str) -> tuple[Subject, ...]:
        """The one person with a section of his own who is called so, or more fully, by one of his names."""
        wanted = words(split_qualifier(_HONORIFIC.sub("", name))[0])
        if len(wanted) < 2 or _PERSON not in self._cubes:
            return ()
        person = self._cubes[_PERSON]
        named = map(self._names.key, self._names.with_word(wanted[-1]))
        keys = {key for name in named for key in (name, *self._other_keys(name))}
        labels = (label for key in keys if (label := person.find(person.spec.subject.id, key)) is not None)
        held = {label.key for label in labels if label.key in keys and self._is_within(wanted, label)}
        subjects = [s for key in sorted(held) for s in self._cubes.subjects(self._name(key)) if self._has_article(s)]
        return tuple(subjects) if len({s.key for s in subjects}) == 1 else ()

    def _other_keys(self, key: str) -> set[str]:
        return {form(other) for other in self._cubes.other_names(key) for form in (fold, base_key)}

    def _is_within(self, wanted: Sequence[str], person: Label) -> bool:
        """Whether a person is called as wanted by a name with the same last word."""
        names = (person.text, *self._cubes.other_names(person.text))
        called = (words(split_qualifier(name)[0]) for name in names)
        return any(len(each) > 1 and each[-1] == wanted[-1] and _within(wanted, each) for each in called)

    def _name(self, key: str) -> str:
        return self._names.text(self._names.find(key))

    def labels_like(self, word: str) -> list[str]:
        """Return the one-word subject labels that share a stem with a word, as a country and its demonym do."""
        names = self._labels_with(fold(word))
        return sorted(self._names.text(name) for name in names if " " not in self._names.key(name))

    def by_descriptor(self, name: str, described: str) -> tuple[Subject, ...]:
        """Return the subjects called ``name`` whose brackets or facts fit words such as "1962 film" best."""
        subjects = self.link_closely(name)
        wanted = set(fold(described).split()) - _SMALL
        if len(subjects) < 2 or not wanted:
            return subjects
        return tuple(sorted(subjects, key=lambda s: -len(wanted & self._described(s))))

    def _described(self, subject: Subject) -> set[str]:
        """Words that tell homonyms apart: the bracketed qualifier, the class, and short attribute values."""
        found = set(fold(split_qualifier(subject.label)[1]).split())
        for fact in self._cubes.facts_about(subject.key):
            if fact.kind in ("text", "date", "nationality"):
                found.update(fold(fact.value).split())
        return found

    def _by_words(self, name: str) -> tuple[Subject, ...]:
        """Match word by word, so that "Orvenna's 1978 election" finds "1978 Orvennan presidential election".

        Every word of the mention must be found in the label (a demonym counts as its country); the label may have
        at most one word more, and more than half of all words must agree.
        """
        wanted = [w for w in words(name) if w not in _SMALL]
        if len(wanted) < 2:
            return ()
        candidates = set.intersection(*(self._labels_with(word) for word in wanted))
        extra = {name: self._extra(name, wanted) for name in candidates}
        fitting = [name for name in candidates if 0 <= extra[name] <= (1 if len(wanted) > 2 else 0)]
        ordered = sorted(fitting, key=lambda name: (extra[name], name))
        return tuple(s for name in ordered for s in self._cubes.subjects(self._names.text(name)))

    def _extra(self, name: int, wanted: Sequence[str]) -> int:
        called = words(split_qualifier(self._names.text(name))[0])
        return len([w for w in called if w not in _SMALL]) - len(wanted)

    def _labels_with(self, word: str) -> set[int]:
        return set(self._names.with_stem(word[:_STEM]) if len(word) >= _STEM else self._names.with_word(word))


def _within(wanted: Sequence[str], called: Sequence[str]) -> bool:
    """Whether one name is a fuller form of the other: "Bo E. Orrin, Jr." of "Bo Eli Orrin Jr."; an initial is enough.

    The first name may be left out ("Ravi Sol Lind" of "Juan Ravi Sol Lind") only where three words are the same.
    """
    short, full = (wanted, called) if len(wanted) <= len(called) else (called, wanted)
    told = len(short) >= _TELLING
    if short[0] != full[0] and not (told and (_alike(short[0], full[0]) or full[1:] == short)):
        return False
    rest = iter(full)
    return all(any(_alike(word, other) for other in rest) for word in short)


def _alike(word: str, other: str) -> bool:
    return word == other or (1 in (len(word), len(other)) and word[0] == other[0])


def _forms(name: str) -> list[str]:
    """The ways a name is looked up in turn: as written, without honorifics, without its qualifier."""
    base, qualifier = split_qualifier(name)
    forms = [name]
    plain = _HONORIFIC.sub("", base)
    if plain != base:
        forms.append(f"{plain} ({qualifier})" if qualifier else plain)
    if base_key(name) != fold(name):
        forms.append(base)
    return forms
