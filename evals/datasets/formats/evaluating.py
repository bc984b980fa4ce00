"""An evaluation's data sets in the own layout: those in published formats are converted inside its folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .converting import prepared

if TYPE_CHECKING:
    from ...evaluation.options import EvalOptions

__all__ = ["in_own_layout"]


def in_own_layout(options: EvalOptions, say: Callable[[str], None]) -> EvalOptions:
    """Return the options with folders in the own layout in place of published data sets.

    The data set goes into ``OUT/dataset``, others that are merged or asked into ``OUT/others/NAME``, each into one of
    its own. Raises UsageError for what is missing, InputError for what cannot be read.
    """
    taken: dict[str, str] = {}

    def other(path: str | Path) -> Path:
        name = Path(path).name
        while taken.setdefault(name, str(path)) != str(path):
            name += "-2"
        return prepared(path, options.out / "others" / name, None, options.download, say)

    return replace(
        options,
        dataset=prepared(options.dataset, options.out / "dataset", options.format, options.download, say),
        corpus=tuple(map(other, options.corpus)),
        refusals=tuple(map(other, options.refusals)),
    )

