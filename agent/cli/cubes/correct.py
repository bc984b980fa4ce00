"""Corrections by a person: strike out, change or add a fact, rename or merge labels, list and undo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....cubes.core.errors import UsageError
from ...views.text import clean
from ..console import say, say_json
from . import views

if TYPE_CHECKING:
    from ....cubes.core.records import Fact
    from ....cubes.knowledge.base import KnowledgeBase
    from ....cubes.model.corrections import Correction

__all__ = ["CorrectionOptions", "correct"]

Place = tuple[str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class CorrectionOptions:
    """What the correcting options of `multicube cube` ask for; false where they ask for nothing."""

    retract: tuple[str, ...] = ()
    set_value: tuple[str, str] | None = None
    add: tuple[str, str, str] | None = None
    rename: str | None = None
    merge: str | None = None
    undo: str | None = None
    listed: bool = False

    def __bool__(self) -> bool:
        """Whether any of them was given."""
        return self._count() > 0

    @property
    def change(self) -> bool:
        """Whether the knowledge base would be changed."""
        return bool(self) and not self.listed

    def _count(self) -> int:
        given = (self.set_value, self.add, self.rename, self.merge, self.undo)
        return sum(wish is not None for wish in given) + bool(self.retract) + self.listed

    def check(self, place: tuple[str | None, ...]) -> None:
        """Refuse wishes that exclude each other or lack the place they are about."""
        if self._count() > 1:
            raise UsageError("Make one correction at a time: --retract, --set, --add, --rename, --merge or --undo.")
        if (self.rename is not None or self.merge is not None) and place[2] is None:
            raise UsageError("Say which label: multicube cube CLASS DIMENSION LABEL --rename NAME (or --merge OTHER).")
        if self.add is not None and (place[1] is None or place[2] is not None):
            raise UsageError("Say where the fact belongs: multicube cube CLASS DIMENSION --add SUBJECT RELATION VALUE.")
        texts = (self.rename, self.merge, *(self.set_value or ()), *(self.add or ()))
        if any(text is not None and not text.strip() for text in texts):
            raise UsageError("A correction needs a name or value that is not empty.")


def correct(kb: KnowledgeBase, wishes: CorrectionOptions, place: Place, section: str | None, *, as_json: bool) -> None:
    """Make, list or undo corrections, and say what was done."""
    if wishes.listed:
        _list(kb, as_json)
    elif wishes.undo is not None:
        kb.undo_correction(wishes.undo)
        say([f"correction {clean(wishes.undo)} was taken back"])
    else:
        made = [kb.correct(wish) for wish in list(_wished(kb, wishes, place, section))]
        if as_json:
            say_json([correction.model_dump(mode="json") for correction in made])
        else:
            say(f"correction {correction.id}: {clean(str(correction))}" for correction in made)


def _list(kb: KnowledgeBase, as_json: bool) -> None:
    found = kb.corrections()
    if as_json:
        say_json([correction.model_dump(mode="json") for correction in found])
        return
    rows = [(str(each.id), each.made_at[:19].replace("T", " "), str(each)) for each in found]
    views.show([views.CubeTable("corrections", ("id", "when", "correction"), rows)], as_json=False)


def _wished(kb: KnowledgeBase, wishes: CorrectionOptions, place: Place, section: str | None) -> Iterator[Correction]:
    """Turn what was asked for into corrections; everything is looked up before anything is stored."""
    from ....cubes.store import correction_requests as correcting

    cube, dimension, label = (name or "" for name in place)
    for name in wishes.retract:
        yield correcting.retract(kb, _fact(kb, name))
    if wishes.set_value is not None:
        yield correcting.replace_value(kb, _fact(kb, wishes.set_value[0]), wishes.set_value[1])
    if wishes.add is not None:
        section_id = views.find_section(kb, section).id if section is not None else None
        yield correcting.add(kb, cube, dimension, *wishes.add, section_id=section_id)
    if wishes.rename is not None:
        yield correcting.rename(kb, cube, dimension, label, wishes.rename)
    if wishes.merge is not None:
        yield correcting.merge(kb, cube, dimension, label, wishes.merge)


def _fact(kb: KnowledgeBase, name: str) -> Fact:
    """Return the fact with an id that `multicube cube` printed."""
    for cube in kb.cubes:
        for fact in cube.facts():
            if views.fact_id(fact) == name:
                return fact
    raise UsageError(
        f"There is no fact '{name}'; `multicube cube CLASS DIMENSION LABEL` shows the facts with their ids."
    )
