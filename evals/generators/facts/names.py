"""Invented names of people, schools, towns, prizes and companies; none twice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

__all__ = ["Namer", "Pronouns"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_WOMEN = _words(
    "Ada Agnes Alma Anna Berta Clara Dora Edith Ella Emma Flora Greta Hanna Helen Ida Ingrid Irene Julia Karin Laura "
    "Lena Lydia Maria Martha Nora Olga Paula Rosa Sofia Tilda Vera Wilma"
)
_MEN = _words(
    "Adam Albert Anton Axel Boris Carl Conrad David Edgar Emil Erik Felix Frank Georg Gustav Hans Henrik Hugo Ivan "
    "Jacob Jonas Karl Leo Martin Max Nils Oscar Otto Paul Peter Simon Viktor"
)
_ONSETS = _words("B Br D Dr F Fr G Gr H K Kr L M N P Pr R S Sk St T Tr V W")
_VOWELS = _words("a e i o u au ei")
_CODAS = _words("l ld lm lt m n nd ng rd rk rl rn rst sk st tt x")
_PERSON_ENDS = _words("er ing sen mann ik ov ey ault")
_TOWN_ENDS = _words("burg stad mere wick holm ford havn au")
_SCHOOLS = ("Academy", "College", "Institute", "School", "Conservatory", "University")
_PRIZES = ("Prize", "Medal", "Award")
_EMBLEMS = _words("Silver Golden Iron Amber Copper Crystal Ivory Scarlet")
_CREATURES = _words("Heron Compass Lantern Anchor Falcon Acorn Swan Thistle Beacon Laurel Key Otter Wheel")
_COMPANIES = ("Company", "Works", "Society", "Guild", "Trust")


class Pronouns(NamedTuple):
    """How a person is spoken of."""

    she: str
    her: str
    woman: str


_SHE, _HE = Pronouns("she", "her", "woman"), Pronouns("he", "his", "man")


class Namer:
    """Makes up names, from one source of chance."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._taken: set[str] = set()

    def person(self) -> tuple[str, Pronouns]:
        """Return a person's name and pronouns; no two people share a family name."""
        pronouns, given = self._rng.choice([(_SHE, _WOMEN), (_HE, _MEN)])
        return f"{self._rng.choice(given)} {self._root(_PERSON_ENDS)}", pronouns

    def value(self, kind: str) -> str:
        """Return the name of what people of a kind of group have to do with."""
        if kind == "teacher":
            return self.person()[0]
        if kind == "town":
            return self._root(_TOWN_ENDS)
        if kind == "school":
            return f"{self._root(_TOWN_ENDS)} {self._rng.choice(_SCHOOLS)}"
        if kind == "prize":
            return self._new(lambda: f"{self._of(_EMBLEMS)} {self._of(_CREATURES)} {self._of(_PRIZES)}")
        return f"{self._root(_PERSON_ENDS)} {self._rng.choice(_COMPANIES)}"

    def _of(self, words: tuple[str, ...]) -> str:
        return self._rng.choice(words)

    def _root(self, ends: tuple[str, ...]) -> str:
        return self._new(lambda: f"{self._of(_ONSETS)}{self._of(_VOWELS)}{self._of(_CODAS)}{self._of(ends)}")

    def _new(self, make: Callable[[], str]) -> str:
        while (name := make()) in self._taken:
            pass
        self._taken.add(name)
        return name
