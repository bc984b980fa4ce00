"""Linking names in questions to the subjects of the cubes, with back-off for how people really write names."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from .....cubes.core.folding import fold, split_qualifier, words
from .....cubes.core.records import Fact
from .....cubes.extraction.words.lexicon import country_of, group
from .....cubes.model.cells import CubeSet, Subject

__all__ = ["EntityLinker"]

_KEPT = 100_000  # names; a server sees questions without end
_STEM = 5  # letters that a demonym shares with its country: Orvenna, Orvennan
_SMALL = frozenset({"the", "a", "an", "of", "in", "on", "at", "and", "for", "s", "to", "by"})
_TITLES = group("titles") | group("courtesy") - group("ranks") | {"captain", "president"}  # a "director X" is described
_HONORIFIC = re.compile(rf"^(?:(?:{'|'.join(sorted(_TITLES))})\.?\s+)+(?=[^\W\d_])", re.IGNORECASE)


class EntityLinker:
    """Finds the subjects a name may mean. Results are cached; the cubes do not change under it.

    Without ``backoff`` a name means only what is called exactly so.
    """

    def __init__(self, cubes: CubeSet, *, backoff: bool = True) -> None:
        self._cubes, self._names, self._backoff = cubes, cubes.names, backoff
        # Another thread may ask for the same name at any time: caches of the standard library allow it.
        self.link = lru_cache(_KEPT)(self._find)
        self.link_exactly = lru_cache(_KEPT)(self._called)

    def _find(self, name: str) -> tuple[Subject, ...]:
        """Return the subjects that a name may mean, best first; nothing where the corpus does not know it."""
        return self.link_exactly(name) or (self._near(name.strip()) if self._backoff else ())

    def _called(self, name: str) -> tuple[Subject, ...]:
        """Return the subjects called so as written, else without honorifics, else without the qualifier."""
        name = name.strip()
        base, qualifier = split_qualifier(name)
        plain = _HONORIFIC.sub("", base)
        forms = (name, f"{plain} ({qualifier})" if qualifier else plain, base) if self._backoff else (name,)
        return next((tuple(found) for form in forms if fold(form) and (found := self._cubes.subjects(form))), ())

    def article(self, name: str) -> str:
        """Return the label of the subject with sections of its own that a name means, or the name as it is.

        A name that only other sections mention ("Princess Clothild") is a subject too, but one with little to say.
        """
        if not self._backoff or any(self._has_article(s) for s in self.link(name)):
            return name
        others = [*self.link_exactly(_HONORIFIC.sub("", name)), *self._near(name)]
        return next((s.label for s in others if self._has_article(s)), name)

    def _has_article(self, subject: Subject) -> bool:
        return any(f.relation == "is" for f in self._cubes[subject.cube].about(subject.key))

    def facts_of(self, name: str) -> list[Fact]:
        """Return the facts about the subjects that a name means."""
        subjects = self.link(name)
        return [f for s in subjects if s.how == subjects[0].how for f in self._cubes.facts_about(s.key)]

    def is_adjective(self, name: str) -> bool:
        """Whether a name is a country's adjective: by what everybody knows, else as the corpus uses it."""
        country, kinds = country_of(name), {f.kind for f in self.valued(name)}
        if country is not None or "nationality" not in kinds:
            return country is not None and fold(country) != fold(name)
        return kinds <= {"nationality", "place", "name"} and not any(s.how == "exact" for s in self.link_exactly(name))

    def knows_exactly(self, name: str) -> bool:
        """Whether some subject or value is called exactly so."""
        return bool(self.link_exactly(name) or self.valued(name))

    def valued(self, value: str) -> Sequence[Fact]:
        """Return the facts with a value that is called exactly so; none for one without letters and digits."""
        key = fold(value)
        return self._cubes.facts_valued(key) if key else ()

    def _near(self, name: str) -> tuple[Subject, ...]:
        """Match word by word: "Orvenna's 1978 election" finds "1978 Orvennan presidential election", and a short name
        the one article that has it in full ("Princess Clothild of Tarsenne").

        Every word of the mention must be found in the label; a demonym counts as its country, an initial as any word.
        """
        bare = _HONORIFIC.sub("", split_qualifier(name)[0])
        wanted = _telling(bare if " " in bare else name)
        telling = [w for w in wanted if len(w) > 1]
        if len(telling) < 2:
            return ()
        candidates = set.intersection(*(self._labels_with(word) for word in telling))
        labels = sorted((len(_telling(split_qualifier(self._names.text(each))[0])), each) for each in candidates)
        found = [(size - len(wanted), s) for size, each in labels for s in self._cubes.subjects(self._names.text(each))]
        own = {s.key for _, s in found if self._has_article(s)}
        longest = len(wanted) > 2
        return tuple(s for more, s in found if more >= 0 and (more <= longest or (len(own) == 1 and s.key in own)))

    def _labels_with(self, word: str) -> set[int]:
        return set(self._names.with_stem(word[:_STEM]) if len(word) >= _STEM else self._names.with_word(word))

    def labels_like(self, word: str) -> list[str]:
        """Return the one-word subject labels that share a stem with a word, as a country and its demonym do."""
        texts = map(self._names.text, self._labels_with(fold(word)))
        return sorted(text for text in texts if " " not in text)

    def by_context(self, name: str, *told: Collection[str]) -> str:
        """Return the label of the one of several subjects called so of whose brackets and facts most is ``told``: whole
        values or words of them, of equal ones by the next group. Where nothing is, the name stays as it is."""
        subjects = self.link(name)
        if len({s.label for s in subjects}) < 2 or not any(told):
            return name
        fits = [([len(self._described(s) & {*words}) for words in told], s.label) for s in subjects]
        most, best = max(fits, key=lambda fit: fit[0])
        return best if any(most) else name

    def _described(self, subject: Subject) -> set[str]:
        """What tells homonyms apart: the words of the bracketed qualifier, values and the words of values."""
        values = [fold(fact.value) for fact in self._cubes.facts_about(subject.key)]
        return {*fold(split_qualifier(subject.label)[1]).split(), *values, *(w for v in values for w in v.split())}


def _telling(text: str) -> list[str]:
    return [word for word in words(text) if word not in _SMALL]
