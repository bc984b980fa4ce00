"""The systems that are compared, by name: baselines, MultiCube, and MultiCube with one part of it off.

All of them ask one knowledge base with one engine; where they retrieve in ways of their own, the same engine reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .catalogue import LIMITS, SYSTEMS, Description, describe, engine_options, make_system, settings
from .loop import LoopSystem
from .naming import ALIASES, DEFAULT_SYSTEMS, GROUPS, all_names, parse_names
from .presets import PRESETS
from .protocols import RANKING_DEPTH, Asker, System

if TYPE_CHECKING:
    from ...agent.app.facade import MultiCube

__all__ = [
    "ALIASES",
    "DEFAULT_SYSTEMS",
    "GROUPS",
    "LIMITS",
    "PRESETS",
    "RANKING_DEPTH",
    "SYSTEMS",
    "Asker",
    "Description",
    "LoopSystem",
    "System",
    "all_names",
    "describe",
    "engine_options",
    "make_systems",
    "parse_names",
    "settings",
]


def make_systems(names: Sequence[str], asker: MultiCube) -> list[System]:
    """Make the named systems over one open knowledge base.

    Raises UsageError where one cannot run over it: a cube that is not there.
    """
    return [make_system(name, asker) for name in names]
