"""The whole system over fewer cubes: a preset's alone, or all but one (MultiCube-RAG, table 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .loop import LoopSystem
from .presets import PRESETS

if TYPE_CHECKING:
    from ...agent.app.facade import MultiCube
    from .protocols import System

__all__ = ["NO_CUBE", "PRESET", "cubeless", "is_cubeless", "names_without_each", "says", "split"]

NO_CUBE, PRESET = "no-cube:", "preset:"
"""How names of such systems begin: "no-cube:person", "no-cube:person@2wiki", "preset:2wiki"."""
_OF = "@"
_DESIGNED = "auto"


def is_cubeless(name: str) -> bool:
    """Whether a name is of this kind, and its preset, if it has one, is known and has the cube."""
    if name.startswith(PRESET):
        return name.removeprefix(PRESET) in PRESETS
    cube, preset = split(name)
    if not name.startswith(NO_CUBE) or not cube or name.endswith(_OF):
        return False
    return preset is None or cube in PRESETS.get(preset, ())


def split(name: str) -> tuple[str, str | None]:
    """Return the cube and the preset of "no-cube:CUBE@PRESET"; None where no preset is named."""
    cube, _, preset = name.removeprefix(NO_CUBE).partition(_OF)
    return cube, preset or None


def says(name: str) -> str:
    """Say in one sentence what the system is."""
    if name.startswith(PRESET):
        return f"MultiCube with {_those_of(name.removeprefix(PRESET))}."
    cube, preset = split(name)
    among = "" if preset is None else f", of {_those_of(preset)}"
    return f'MultiCube without the cube "{cube}"{among}.'


def _those_of(preset: str) -> str:
    return f"the {len(PRESETS[preset])} cubes that the paper builds for {preset}"


def names_without_each(
    ontology: str | Sequence[str] | None = None, *, preset: str | None = None
) -> tuple[str, ...]:
    """Return the systems without each cube of an ontology (its name or file, or its cubes), or of a preset after it.

    Without its only cube an ontology has none, which is the ablation "no-cubes"; the cubes of one that is yet to be
    designed ("auto") are to be named.
    """
    if preset is not None:
        return (f"{PRESET}{preset}", *(f"{NO_CUBE}{cube}{_OF}{preset}" for cube in PRESETS[preset]))
    if ontology == _DESIGNED:
        return ()
    if ontology is None or isinstance(ontology, str):
        from ...cubes.model.ontology import load_ontology

        ontology = [spec.id for spec in load_ontology(ontology or "default").cubes]
    return tuple(f"{NO_CUBE}{cube}" for cube in ontology) if len(ontology) > 1 else ()


def cubeless(name: str, asker: MultiCube) -> System:
    """Make such a system; UsageError where the knowledge base has no such cube."""
    from ...graphs.records import LoopSettings
    from .baselines.views import keeping, without

    if name.startswith(PRESET):
        kb = keeping(asker.kb, PRESETS[name.removeprefix(PRESET)])
    else:
        cube, preset = split(name)
        kb = without(asker.kb, cube, PRESETS[preset] if preset is not None else None)
    return LoopSystem(name, asker.over(kb), LoopSettings())
