"""Where figures come from: the entry ``run`` of ``results.json``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import __version__
from .efficiency.machine import machine
from .systems import describe

if TYPE_CHECKING:
    from .options import EvalOptions
    from .workspace import Workspace

__all__ = ["run_record"]


def run_record(workspace: Workspace, options: EvalOptions, names: Sequence[str]) -> dict[str, Any]:
    """Return what the figures depend on: code, data, versions, seeds, each system's settings, and the machine.

    ``fingerprint`` changes with any of ``parts``; ``settings`` are those that differ from the default.
    """
    return {
        "fingerprint": workspace.fingerprint,
        "parts": workspace.parts,
        "version": __version__,
        "machine": {name: value for name, value in machine().items() if name != "load"},  # of a moment
        "asked": {"limit": options.limit, "shuffle": options.shuffle, "seed": options.seed},
        "settings": {name: describe(name).differs for name in names},
    }
