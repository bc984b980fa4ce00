"""LightRAG (package ``lightrag-hku``, 1.4.9 or newer): `LightRAG.ainsert` and `LightRAG.aquery_data`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any

from lightrag import LightRAG, QueryParam
from lightrag.kg.shared_storage import initialize_pipeline_status
from lightrag.llm.openai import openai_complete_if_cache
from lightrag.utils import EmbeddingFunc

from ....cubes.errors import UsageError
from .peer import Setting

__all__ = ["Adapter"]

_TOKENS = 8_192  # of a text to embed: longer than any chunk


class Adapter:
    """Inserts each section as a document named after it; the chunks of the context that it builds name them again.

    It embeds with the encoder of the knowledge base. Its storages belong to one event loop, so questions take turns.
    """

    def __init__(self, given: Setting) -> None:
        encoder = given.kb.encoder
        if encoder is None:
            raise UsageError("LightRAG embeds what it indexes, which needs an encoder, and none is open here.")

        async def embed(texts: list[str]) -> Any:
            return encoder.encode(texts)

        async def complete(prompt: str, system_prompt: str | None = None, **others: Any) -> Any:
            others.pop("keyword_extraction", None)
            return await openai_complete_if_cache(
                given.model, prompt, system_prompt=system_prompt, base_url=given.url or None,
                api_key=given.key or None, **others,
            )  # fmt: skip

        given.folder.mkdir(parents=True, exist_ok=True)
        self._loop, self._lock = asyncio.new_event_loop(), threading.Lock()
        self._peer = LightRAG(
            working_dir=str(given.folder),
            llm_model_func=complete,
            llm_model_name=given.model,
            embedding_func=EmbeddingFunc(embedding_dim=encoder.dimensions, max_token_size=_TOKENS, func=embed),
        )
        self._ids: dict[str, str] = {}

    def index(self, texts: Mapping[str, str]) -> None:
        """Insert the texts, each under a file's name; those that are there already it leaves out."""
        self._ids = {f"{section_id.replace(':', '-')}.txt": section_id for section_id in texts}
        self._run(self._insert(list(texts.values()), list(self._ids)))

    def retrieve(self, question: str, k: int) -> Sequence[str]:
        """Return the sections of the chunks in its context, in their order."""
        asked = QueryParam(mode="mix", chunk_top_k=k, enable_rerank=False)
        found = self._run(self._peer.aquery_data(question, param=asked))
        chunks = (found.get("data") or {}).get("chunks") or []
        return [self._ids[chunk["file_path"]] for chunk in chunks if chunk.get("file_path") in self._ids]

    async def _insert(self, texts: list[str], names: list[str]) -> None:
        await self._peer.initialize_storages()
        await initialize_pipeline_status()
        await self._peer.ainsert(texts, ids=names, file_paths=names)

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        with self._lock:
            return self._loop.run_until_complete(work)
