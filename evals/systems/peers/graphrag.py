"""GraphRAG (package ``graphrag``, 2.x or 3.x): `api.build_index` and `api.local_search`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import graphrag.api as api
from graphrag.config.load_config import load_config
from pandas import DataFrame, read_parquet

from ....cubes.errors import UsageError
from .peer import Setting

__all__ = ["Adapter"]

_TABLES = ("entities", "communities", "community_reports", "text_units", "relationships")
_LEVEL = 2  # of communities: its own command line's default


class Adapter:
    """Gives GraphRAG the sections as documents; the sources of its local search are text units of these.

    Its models are those of the ``settings.yaml`` in its folder, which `graphrag init` writes.
    """

    def __init__(self, given: Setting) -> None:
        self._folder = given.folder
        if not (given.folder / "settings.yaml").is_file():
            raise UsageError(
                f"GraphRAG takes its models from {given.folder / 'settings.yaml'}; write it with: graphrag init --root "
                f"{given.folder}"
            )
        self._config = load_config(given.folder)
        self._texts: dict[str, str] = {}

    def index(self, texts: Mapping[str, str]) -> None:
        """Run its pipeline over the sections, unless its tables are there; then read these."""
        self._texts = {_plain(text): section_id for section_id, text in texts.items()}
        output = self._folder / "output"
        if not all((output / f"{name}.parquet").is_file() for name in _TABLES):
            documents = DataFrame([_document(n, *each) for n, each in enumerate(texts.items())])
            results = asyncio.run(api.build_index(config=self._config, input_documents=documents))
            broken = [result.workflow for result in results if _went_wrong(result)]
            if broken:
                raise UsageError(f"GraphRAG could not index the sections ({', '.join(broken)}); see its logs.")
        self._tables = {name: read_parquet(output / f"{name}.parquet") for name in _TABLES}

    def retrieve(self, question: str, k: int) -> Sequence[str]:
        """Return the sections of the sources; its own answer is left aside."""
        _, context = asyncio.run(api.local_search(
            config=self._config, **self._tables, covariates=None, community_level=_LEVEL,
            response_type="Single sentence", query=question,
        ))  # fmt: skip
        return [found for text in _sources(context) if (found := self._of(text)) is not None][:k]

    def _of(self, text: str) -> str | None:
        """The section of a text unit, which may be a part of it."""
        key = _plain(text)
        if key in self._texts:
            return self._texts[key]
        return next((section_id for whole, section_id in self._texts.items() if key and key in whole), None)


def _document(number: int, section_id: str, text: str) -> dict[str, Any]:
    """A row of its table of documents."""
    return {"id": section_id, "human_readable_id": number, "title": section_id, "text": text, "creation_date": "",
            "raw_data": None}  # fmt: skip


def _went_wrong(result: Any) -> bool:
    """Whether a workflow failed: 2.x lists errors, 3.x gives one."""
    return bool(getattr(result, "errors", None)) or getattr(result, "error", None) is not None


def _sources(context: Any) -> Iterable[str]:
    held = context.get("sources") if isinstance(context, Mapping) else None
    rows = held.to_dict(orient="records") if isinstance(held, DataFrame) else held or []
    return [str(row["text"]) for row in rows if row.get("text")]


def _plain(text: str) -> str:
    return " ".join(text.split())
