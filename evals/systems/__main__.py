"""``python -m multicube.evals.systems``: prints every system with its sentence and settings, as the docs have them."""

from __future__ import annotations

from ..ablations import ABLATIONS
from .catalogue import LIMITS, SYSTEMS, describe

__all__ = ["listing"]


def listing() -> str:
    """Return the systems as a Markdown table; those without one cube each are as many as an ontology has cubes."""
    names = [*SYSTEMS, *ABLATIONS, *LIMITS]
    rows = [(f"`{name}`", describe(name).says, _told(describe(name).differs)) for name in names]
    return "\n".join(f"| {' | '.join(row)} |" for row in [("system", "what it is", "settings"), ("---",) * 3, *rows])


def _told(differs: dict[str, object]) -> str:
    return ", ".join(f"`{name}={value}`" for name, value in differs.items())


if __name__ == "__main__":
    print(listing())
