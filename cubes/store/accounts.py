"""What extraction has cost a knowledge base so far, by the engine that did it; estimates learn from it."""

from __future__ import annotations

import json

from ..core.spending import ModelUsage
from .catalog import Catalog

__all__ = ["add_spent", "spent_before"]

_KEY = "extraction_spent"


def spent_before(catalog: Catalog, engine: str) -> ModelUsage:
    """Return what an engine spent on extraction in all ingests that came to an end."""
    return ModelUsage.model_validate(_accounts(catalog).get(engine, {}))


def add_spent(catalog: Catalog, engine: str, spent: ModelUsage) -> None:
    """Add what one ingest spent."""
    with catalog.writing():
        total = spent_before(catalog, engine).plus(spent)
        accounts = {**_accounts(catalog), engine: total.model_dump()}
        catalog.set_meta(**{_KEY: json.dumps(accounts, sort_keys=True)})


def _accounts(catalog: Catalog) -> dict[str, dict[str, object]]:
    return dict(json.loads(catalog.meta(_KEY) or "{}"))
