"""What is settled before a knowledge base is opened or made: what thinks, and that there is something to read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..cubes.knowledge import KnowledgeBase
from ..cubes.loaders import scan
from ..cubes.ontology import Ontology, load_ontology
from ..cubes.planning import nothing_to_read
from .encoders import encoder_factory

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from ..cubes.encoding import Encoder
    from .llm.engine import ModelOptions
    from .llm.spec import ModelSpec

    Model = str | ModelSpec | BaseChatModel | ModelOptions

__all__ = ["chosen_model", "refuse_empty", "writable"]


def chosen_model(model: Model | None, engine: str | None) -> ModelOptions | None:
    """Return what is to think; None is the embedded engine, for which nothing of the other is loaded."""
    named = [os.environ.get(f"MULTICUBE_{name}") for name in ("MODEL", "ENGINE")]
    if model is None and engine in (None, "embedded") and not any(named):
        return None
    from .llm.engine import model_options

    return model_options(model, engine)


def refuse_empty(paths: Sequence[Path], path: Path) -> None:
    """Make no knowledge base where there is nothing to put into it."""
    if (path / "catalog.sqlite").exists() or not all(p.exists() for p in paths):
        return
    if not scan(paths):
        raise nothing_to_read(paths)


def writable(path: Path, ontology: str | Path | Ontology | None, encoder: str | Encoder | None) -> KnowledgeBase:
    """Open the knowledge base to extend, or create it."""
    chosen = ontology if isinstance(ontology, Ontology) or ontology is None else load_ontology(ontology)
    return KnowledgeBase.create(path, ontology=chosen, encoder=encoder_factory(encoder))
