"""The names that `--systems` takes: systems, groups of them, and names of before."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ...cubes.core.errors import UsageError
from ..ablations import ABLATIONS, WHOLE
from . import cubeless
from .catalogue import LIMITS, SYSTEMS
from .presets import PRESETS

__all__ = ["ALIASES", "DEFAULT_SYSTEMS", "GROUPS", "all_names", "parse_names"]

DEFAULT_SYSTEMS = (WHOLE, "bm25", "dense", "hybrid", "loop+bm25", "loop+hybrid")
ALIASES: Mapping[str, str] = {"no-exact": "no-lexical", "no-expansion": "no-hqg"}
"""Names of before, and what they are called now."""

_BASELINES = tuple(name for name in SYSTEMS if name != WHOLE)
_FAMILIES = tuple(name for name, ablation in ABLATIONS.items() if ablation.options.without)
_PARTS = tuple(name for name in ABLATIONS if name not in _FAMILIES)
Ontology = str | Sequence[str] | None

GROUPS: Mapping[str, Callable[[Ontology], tuple[str, ...]]] = {
    "baselines": lambda _: _BASELINES,
    "ablations": lambda _: _PARTS,
    "families": lambda _: _FAMILIES,
    "cubes": cubeless.names_without_each,
    "limits": lambda _: LIMITS,
    "matrix": lambda ontology: (
        WHOLE, *_BASELINES, *_PARTS, *cubeless.names_without_each(ontology), *LIMITS,
    ),
    **{f"cubes:{preset}": partial(cubeless.names_without_each, preset=preset) for preset in PRESETS},
}  # fmt: skip
"""Names that stand for several systems, of an ontology (its name, file, or cubes) where they depend on it.

"cubes" is MultiCube without each cube of the ontology, "cubes:2wiki" with those of a preset alone and without each of
these.
"""


def parse_names(names: str | Sequence[str] | None, *, ontology: Ontology = None) -> tuple[str, ...]:
    """Read a comma-separated list of systems and groups; UsageError names an unknown one and those like it.

    ``ontology`` is what the knowledge base is made with; its cubes are those that the group "cubes" leaves out.
    """
    listed = names.split(",") if isinstance(names, str) else names or DEFAULT_SYSTEMS
    wanted: dict[str, None] = {}
    for given in filter(None, (name.strip() for name in listed)):
        name = ALIASES.get(given, given)
        found = GROUPS[name](ontology) if name in GROUPS else (name,) if _is_system(name) else None
        if found is None:
            raise _unknown(given)
        wanted |= dict.fromkeys(found)
    if not wanted:
        asked = "" if isinstance(names, str) and not names.strip(", ") else " that can run here"
        raise UsageError(f"No system{asked} was named; choose from {_choices()}.")
    return tuple(wanted)


def all_names() -> list[str]:
    """Return every name there is, groups first, for completion."""
    return [*GROUPS, *SYSTEMS, *ABLATIONS, *LIMITS, *cubeless.names_without_each()]


def _is_system(name: str) -> bool:
    return name in SYSTEMS or name in ABLATIONS or name in LIMITS or cubeless.is_cubeless(name)


def _unknown(name: str) -> UsageError:
    near = difflib.get_close_matches(name, [*all_names(), *ALIASES], n=3, cutoff=0.6)
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    return UsageError(f'There is no system "{name}"; choose from {_choices()}.{meant}')


def _choices() -> str:
    return f"{', '.join(SYSTEMS)}, or a group of them: {', '.join(GROUPS)}"
