"""Invented names, each given once: a seed gives the same ones in the same order."""

from __future__ import annotations

import random
from collections.abc import Callable

__all__ = ["Names"]

_ONSETS = (
    "b", "br", "c", "cl", "d", "dr", "f", "fl", "g", "gl", "h", "k", "l", "m", "n", "p", "pr", "qu", "r", "s",
    "st", "t", "tr", "v", "w", "z",
)
_MIDDLES = (
    "l", "ll", "m", "n", "nd", "r", "rr", "rt", "s", "st", "v", "z", "d", "k", "lm", "lt", "rv",
)
_VOWELS = (
    "a", "e", "i", "o", "u", "ai", "ea",
)
_FIRST = (
    "Ada", "Bruno", "Cora", "Dario", "Edda", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Karla", "Levin", "Mira",
    "Nils", "Olga", "Piet", "Runa", "Stella", "Tomas",
)
_ACIDS = (
    "Ala", "Arg", "Asn", "Asp", "Cys", "Gln", "Glu", "Gly", "His", "Ile", "Leu", "Lys", "Met", "Phe", "Pro",
    "Ser", "Thr", "Trp", "Tyr", "Val",
)
_FEELINGS = (
    "itching", "numbness", "burning", "swelling", "stiffness", "soreness", "tingling", "weakness", "dryness",
    "redness", "twitching", "cramps",
)
_PLACES = (
    "lips", "palms", "tongue", "ankles", "eyelids", "fingers", "throat", "scalp", "knees", "ears", "gums", "calves",
    "shoulders", "cheeks", "heels", "wrists", "jaw", "elbows", "toes", "neck",
)


class Names:
    """Makes names of every kind; no two are alike, whatever they name."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._given: set[str] = set()

    def once(self, make: Callable[[], str]) -> str:
        """A name that has not been given yet."""
        while (name := make()).casefold() in self._given:
            pass
        self._given.add(name.casefold())
        return name

    def drug(self) -> str:
        """A brand: "Brelonax"."""
        endings = ("ax", "il", "ex", "an", "or", "yn", "us")
        return self.once(lambda: self._stem(2).capitalize() + self._rng.choice(endings))

    def molecule(self) -> str:
        """A substance: "tralidine sulfate"."""
        ending = self._rng.choice(("idine", "amide", "oxine", "azole", "icin", "opram"))
        return self.once(lambda: self._stem(2) + ending + self._rng.choice(("", "", " sulfate", " hydrochloride")))

    def illness(self) -> str:
        """A disease by the name of a place or a person: "Dornal palsy"."""
        kind = self._rng.choice(("palsy", "fever", "syndrome", "anaemia", "ataxia", "disease", "dystrophy"))
        return self.once(lambda: f"{self._stem(2).capitalize()} {kind}")

    def effect(self) -> str:
        """A complaint: "itching of the palms"."""
        return self.once(lambda: f"{self._rng.choice(_FEELINGS)} of the {self._rng.choice(_PLACES)}")

    def gene(self) -> str:
        """A symbol: "DRV3A"."""
        rng = self._rng
        letters = "ABCDFGHKLMNPRSTVZ"
        return self.once(lambda: f"{''.join(rng.sample(letters, 3))}{rng.randint(2, 19)}{rng.choice('ABX')}")

    def mutation(self) -> tuple[str, str]:
        """A change of the gene and of its protein: ("c.714G>A", "p.Trp238Arg")."""
        place = self._rng.randint(100, 3900)
        old, new = self._rng.sample("ACGT", 2)
        first, second = self._rng.sample(_ACIDS, 2)
        return self.once(lambda: f"c.{place + self._rng.randint(0, 99)}{old}>{new}"), self.once(
            lambda: f"p.{first}{place // 3 + self._rng.randint(0, 33)}{second}"
        )

    def river(self) -> str:
        """A river with its article: "the Velm"."""
        return f"the {self.once(lambda: self._stem(self._rng.choice((1, 2))).capitalize())}"

    def range(self) -> str:
        """Mountains: "the Torvan Hills"."""
        kind = self._rng.choice(("Hills", "Mountains", "Heights", "Fells"))
        return f"the {self.once(lambda: self._stem(2).capitalize())} {kind}"

    def country(self) -> str:
        """A country: "Belmoria"."""
        return self.once(lambda: self._stem(2).capitalize() + self._rng.choice(("ia", "land", "stan", "mark")))

    def town(self) -> str:
        """A town: "Karstow"."""
        endings = ("stow", "ford", "by", "wick", "ham", "burg")
        return self.once(lambda: self._stem(1).capitalize() + self._rng.choice(endings))

    def person(self) -> str:
        """A person: "Greta Molven"."""
        return self.once(lambda: f"{self._rng.choice(_FIRST)} {self._stem(2).capitalize()}")

    def _stem(self, syllables: int) -> str:
        parts = [self._rng.choice(_ONSETS) + self._rng.choice(_VOWELS) + self._rng.choice(_MIDDLES)]
        parts += [self._rng.choice(_VOWELS) + self._rng.choice(_MIDDLES) for _ in range(syllables - 1)]
        return "".join(parts)
