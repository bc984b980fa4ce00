"""MultiCube-RAG: multi-hop question answering over a folder of documents, traced hop by hop.

>>> from multicube import MultiCube
>>> kb = MultiCube.build(["docs"], "kb")                                        # doctest: +SKIP
>>> run = kb.ask("Where was the director of The Salt Lantern born?")    # doctest: +SKIP
>>> run.answer, run.citations, run.hops                                         # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agent.app.facade import MultiCube
    from .agent.runs.events import Event
    from .cubes.core.errors import MultiCubeError
    from .cubes.core.records import Filters
    from .cubes.model.ontology import Ontology
    from .graphs.records import Hop, LoopSettings, Run

__all__ = [
    "Event",
    "Filters",
    "Hop",
    "LoopSettings",
    "MultiCube",
    "MultiCubeError",
    "Ontology",
    "Run",
    "__version__",
]

__version__ = "0.1.0"

_HOMES = {
    "Event": "agent.runs.events",
    "Filters": "cubes.core.records",
    "Hop": "graphs.records",
    "LoopSettings": "graphs.records",
    "MultiCube": "agent.app.facade",
    "MultiCubeError": "cubes.core.errors",
    "Ontology": "cubes.model.ontology",
    "Run": "graphs.records",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that `import multicube` stays cheap."""
    if name not in _HOMES:
        raise AttributeError(f"module 'multicube' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
