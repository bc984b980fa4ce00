"""Questions that ask for a share: "What share of the films directed by A were released after 1960?"."""

from __future__ import annotations

import re
from collections.abc import Callable

from .....cubes.core.folding import fold
from ..plan import OpenStep, Part, Plan, RelationStep, ShareOf, Term, ValueCount
from .open_plans import over_cubes
from .terms import TermParser

__all__ = ["ShareParser"]

_SHARE = re.compile(
    r"^(?:what|which) (?:share|percentage|percent|proportion|fraction) of (?:all )?(?:the )?(?P<things>[^,]+) "
    r"(?P<held>(?:was|were|is|are|has|have|had) [^,]+)$",
    re.IGNORECASE,
)


class ShareParser:
    """Reads such a question as two counts, each a question over many cells; ``count`` reads "How many ...?"."""

    def __init__(self, terms: TermParser, count: Callable[[str], Plan | None]) -> None:
        self._terms, self._count = terms, count

    def share(self, text: str) -> Plan | None:
        """Read "What share of the films by A were released after 1960?"; A is a known name, or described by one."""
        found = _SHARE.match(text)
        if found is None:
            return None
        things, held = found["things"], found["held"]
        term = self._counted(things)
        if not isinstance(term, RelationStep) or not term.converse or not over_cubes(term):
            return None
        if fold(term.want.noun or "") not in self._terms.lexicon.nouns:
            return None  # of people, texts say shares themselves
        parts: tuple[Part, ...] = ()
        words: tuple[str, ...] = ()
        if isinstance(term.base, RelationStep):  # "films directed by | the brother of A": a hop of its own
            described = self._described(things, term.base)
            if described is None:
                return None
            things, parts, words = things.removesuffix(described) + "{0}", (term.base,), (described,)
        return ShareOf(
            OpenStep(f"How many {things} {held}?", parts, words),
            OpenStep(f"How many {things} are there?", parts, words),
        )

    def _counted(self, things: str) -> Term | None:
        plan = self._count(f"How many {things} are there")
        return plan.term if isinstance(plan, ValueCount) else self._terms.term(f"the {things}")

    def _described(self, things: str, base: Term) -> str | None:
        """The words at the end that describe the name of the relation."""
        words = things.split()
        endings = (" ".join(words[at:]) for at in range(1, len(words)))
        return next((ending for ending in endings if self._terms.term(ending) == base), None)
