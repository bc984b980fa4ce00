"""`/engine`: the engine, the knowledge base, the settings and the cost so far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...views.text import clean

if TYPE_CHECKING:
    from .session import Session

__all__ = ["facts"]


def facts(session: Session) -> Iterator[tuple[str, str]]:
    """Yield named values, each on one line."""
    from ....graphs.records import LoopSettings
    from ...views.terminal import spent
    from ..engine_options import models_at_work

    opened = session.kb
    yield "engine", clean(opened.reasoner.name)
    if opened.model is not None:
        yield "models", clean(models_at_work(opened.model, ("reason", "read")))
    yield "knowledge base", clean(str(opened.kb.path))
    yield "holds", f"{len(opened.kb.documents()):,} documents, {len(opened.kb.sections()):,} sections"
    cubes = [cube.spec.id for cube in opened.kb.cubes]
    yield "cubes", clean(f"{len(cubes)} of the ontology '{opened.kb.ontology.name}': {', '.join(cubes)}")
    chosen, usual = session.settings or opened.settings, LoopSettings()
    changed = {k: v for k, v in chosen.model_dump().items() if v != getattr(usual, k)}
    yield "settings", clean(", ".join(f"{k}={v}" for k, v in changed.items())) or "the papers'"
    if opened.spent.requests or opened.spent.cached:
        yield "spent", spent(opened.spent)
    yield "conversation", f"{len(session.turns)} {'turn' if len(session.turns) == 1 else 'turns'}"
