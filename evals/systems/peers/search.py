"""Retrieval by a peer as a system's search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....cubes.records import Retrieval
from ....graphs.context import AnswerContext
from ....graphs.records import LoopSettings
from ..beside import beside
from ..pipeline import Found, found_by, hits_of
from ..protocols import RANKING_DEPTH
from .peer import Peer, setting

if TYPE_CHECKING:
    from ....agent.facade import MultiCube

__all__ = ["PeerSearch"]


class PeerSearch:
    """Retrieves by a peer; its index is kept beside the knowledge base, in a folder of its own."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    def prepare(self, asker: MultiCube) -> MultiCube:
        """Let the peer index every section under its title."""
        kb = asker.kb
        given = setting(kb, self._peer.name, asker.model)
        self._adapter = self._peer.adapter(given)
        with beside(kb, self._peer.name):
            self._adapter.index({section.id: "\n".join((*section.path, section.text)) for section in kb.sections()})
        return asker

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> Found:
        """Return what the peer found; what it names that is no section is left out."""
        ids = dict.fromkeys(self._adapter.retrieve(question, RANKING_DEPTH))
        ranked = [(section_id, 1.0 / n) for n, section_id in enumerate(ids, 1)]
        return found_by(Retrieval(hits_of(ranked, self._peer.name)), question, context, settings, self._peer.name)
