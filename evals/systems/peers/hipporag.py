"""HippoRAG 2 (package ``hipporag``): `HippoRAG.index` and `HippoRAG.retrieve`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from hipporag import HippoRAG

from .peer import Setting

__all__ = ["Adapter"]

_EMBEDDING = "nvidia/NV-Embed-v2"  # the one of its paper


class Adapter:
    """Gives HippoRAG the sections as its documents; what it retrieves are these texts again."""

    def __init__(self, given: Setting) -> None:
        self._peer = HippoRAG(
            save_dir=str(given.folder),
            llm_model_name=given.model,
            llm_base_url=given.url or None,
            embedding_model_name=os.environ.get("MULTICUBE_PEER_EMBEDDING", _EMBEDDING),
        )
        self._ids: dict[str, str] = {}

    def index(self, texts: Mapping[str, str]) -> None:
        """Index the texts; equal ones are one document to it."""
        for section_id, text in texts.items():
            self._ids.setdefault(text, section_id)
        self._peer.index(docs=list(self._ids))

    def retrieve(self, question: str, k: int) -> Sequence[str]:
        """Return the sections of the passages that it ranks highest."""
        found = self._peer.retrieve(queries=[question], num_to_retrieve=k)[0]
        return [self._ids[text] for text in found.docs if text in self._ids]
