"""Peers that a person has installed (HippoRAG, LightRAG, GraphRAG): they retrieve in their way, our engine reads.

None of them is a dependency, and none is imported before it is asked for. Where a peer is not installed it is in no
group, and named outright it says how to install it.
"""

from __future__ import annotations

from collections.abc import Mapping

from .peer import Peer

__all__ = ["PEERS", "Peer", "installed"]

PEERS: Mapping[str, Peer] = {
    peer.name: peer
    for peer in (
        Peer(
            "hipporag", "HippoRAG", "hipporag", "pip install hipporag",
            "HippoRAG 2 as installed: OpenIE graph and personalised PageRank find the sections.",
        ),
        Peer(
            "lightrag", "LightRAG", "lightrag", "pip install lightrag-hku",
            "LightRAG as installed, in its mix mode: keywords, entity graph and vectors find the sections.",
        ),
        Peer(
            "graphrag", "GraphRAG", "graphrag", "pip install graphrag",
            "GraphRAG as installed: the sources of its local search are the sections.",
        ),
    )
}  # fmt: skip
"""The peers by the names of their systems."""


def installed() -> tuple[str, ...]:
    """Return the names of those that can be imported here."""
    return tuple(name for name, peer in PEERS.items() if peer.is_installed)
