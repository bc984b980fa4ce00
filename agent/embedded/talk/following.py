"""Follow-up questions: which kind they are, and what stands for what in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .fragments import Fragments
from .pronouns import Pronouns
from .referents import Asked, referents
from .wording import is_clause, without_lead
from .world import World

if TYPE_CHECKING:
    from ....cubes.knowledge import KnowledgeBase
    from ...conversation import Turn

__all__ = ["follow_up"]

_REMEMBERED = 8
"""Turns that a question may look back on."""


def follow_up(question: str, turns: Sequence[Turn], kb: KnowledgeBase) -> str:
    """Return a question as one that needs no conversation, or as it is where it stands alone.

    A turn without a run is read by the turns before it, as it was when it was asked.
    """
    world = World(kb.cubes, lambda section: kb.section(section).text)
    asked: list[Asked] = []
    for turn in turns[-_REMEMBERED:]:
        alone = turn.run.question if turn.run is not None else _alone(turn.question, asked, world)
        asked.append(Asked(alone, turn.answer, turn.run))
    return _alone(question, asked, world)


def _alone(question: str, turns: Sequence[Asked], world: World) -> str:
    if not turns:
        return question
    things = referents(turns, world)
    lead, rest = without_lead(question, world)
    if not rest:
        return question
    if is_clause(rest):
        return Pronouns(world, things, turns).clause(rest)
    return Fragments(world, things, turns).read(rest, led=bool(lead)) or question
