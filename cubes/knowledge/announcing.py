"""Announcing generations: the states of a catalog that were completely written, which readers follow."""

from __future__ import annotations

from ..store.catalog import Catalog
from .snapshot import Snapshot

__all__ = ["announce", "is_whole"]

_SETTLED = ("changes", "indexed", "encoder", "vectors_at", "perspectives")


def announce(catalog: Catalog) -> bool:
    """Announce a new generation where catalog or vectors are not those of the last one; False where they are."""
    if _is_announced(catalog):
        return False
    with catalog.writing():
        catalog.bump("generation")
        catalog.set_meta(settled=_written(catalog))
    return True


def is_whole(catalog: Catalog, snapshot: Snapshot) -> bool:
    """Whether what a snapshot has loaded is the whole of the generation that was announced last."""
    with catalog.reading():
        known = (catalog.number("generation"), catalog.meta("content") or "")
        return known == (snapshot.generation, snapshot.state) and _is_announced(catalog)


def _is_announced(catalog: Catalog) -> bool:
    return catalog.meta("settled") == _written(catalog)


def _written(catalog: Catalog) -> str:
    return "/".join(str(catalog.meta(key)) for key in _SETTLED)
