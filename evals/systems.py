"""The systems that are compared: the loop over cubes, and the same reader without cubes or without the loop.

All of them ask one knowledge base with one engine; they differ in their settings only. Another kind of system
needs no more than the `System` protocol. An ablation is a system too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from ..agent.embedded.options import EngineOptions
from ..cubes.errors import UsageError
from ..cubes.records import Retrieval, Section
from ..graphs.records import LoopSettings, Run
from .ablations import ABLATIONS

__all__ = [
    "DEFAULT_SYSTEMS",
    "RANKING_DEPTH",
    "SYSTEMS",
    "Asker",
    "LoopSystem",
    "System",
    "engine_options",
    "make_systems",
    "parse_names",
    "settings",
]

_SECTIONS = 30
"""As many as a loop of six hops can read; several may be of one document."""
PassageMode = Literal["bm25", "dense", "hybrid"]
Mode = PassageMode | Literal["hiqa"]
RANKING_DEPTH = 10
"""The deepest k that retrieval is scored at."""

SYSTEMS: Mapping[str, LoopSettings] = {
    "multicube": LoopSettings(),
    "bm25": LoopSettings(retrieval="bm25", single_shot=True),
    "dense": LoopSettings(retrieval="dense", single_shot=True),
    "hybrid": LoopSettings(retrieval="hybrid", single_shot=True),
    "hiqa": LoopSettings(retrieval="hiqa", single_shot=True),
    "loop+bm25": LoopSettings(retrieval="bm25"),
    "loop+dense": LoopSettings(retrieval="dense"),
    "loop+hybrid": LoopSettings(retrieval="hybrid"),
    "loop+hiqa": LoopSettings(retrieval="hiqa"),
}
DEFAULT_SYSTEMS = ("multicube", "bm25", "dense", "hybrid", "loop+bm25", "loop+hybrid")


class System(Protocol):
    """Something that answers questions. It is given the question's text and nothing of its gold."""

    @property
    def name(self) -> str:
        """The name in the results."""
        ...

    def answer(self, question: str) -> Run:
        """Answer one question; this is what is timed. An exception counts as a failure of this question."""
        ...

    def ranking(self, run: Run) -> Sequence[str]:
        """Return the corpus ids found, best first, `RANKING_DEPTH` or more if there are; not timed."""
        ...


class Asker(Protocol):
    """The part of the `MultiCube` facade that the systems use."""

    def ask(self, question: str, *, settings: LoopSettings | None = None, save: bool = True) -> Run:
        """Answer a question under these settings."""
        ...

    @property
    def kb(self) -> Passages:
        """The knowledge base below."""
        ...


class PassageRetriever(Protocol):
    """Retrieval without cubes."""

    def passages(self, query: str, *, k: int, mode: PassageMode) -> Retrieval:
        """Return the best ``k`` sections for the query."""
        ...

    def hiqa(self, query: str, *, k: int) -> Retrieval:
        """Return the best ``k`` sections for the query by the multi-route score."""
        ...


class Passages(Protocol):
    """The part of a knowledge base that a deeper ranking needs."""

    @property
    def retriever(self) -> PassageRetriever:
        """Its retriever."""
        ...

    def section(self, section_id: str) -> Section:
        """Return one section."""
        ...


class LoopSystem:
    """The loop under one set of settings."""

    def __init__(self, name: str, asker: Asker, settings: LoopSettings) -> None:
        self.name = name
        self._asker = asker
        self._settings = settings

    def answer(self, question: str) -> Run:
        """Ask the loop; nothing is saved, since the evaluation keeps its own record."""
        return self._asker.ask(question, settings=self._settings, save=False)

    def ranking(self, run: Run) -> Sequence[str]:
        """Return the run's merged ranking.

        A single-shot system reads five sections as every hop does. Its ranking is continued below them, or
        its recall@8 and recall@10 would be cut off where an iterative system's are not.
        """
        found, mode = tuple(dict.fromkeys(run.retrieved)), self._settings.retrieval
        if mode == "cubes" or not self._settings.single_shot or len(found) >= RANKING_DEPTH:
            return found
        return tuple(dict.fromkeys((*found, *self._deeper(run.question, mode))))[:RANKING_DEPTH]

    def _deeper(self, question: str, mode: Mode) -> list[str]:
        kb = self._asker.kb
        if mode == "hiqa":
            hits = kb.retriever.hiqa(question, k=_SECTIONS).hits
        else:
            hits = kb.retriever.passages(question, k=_SECTIONS, mode=mode).hits
        return [kb.section(hit.section_id).record_id for hit in hits]


def parse_names(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """Read a comma-separated list of systems; UsageError names an unknown one and those there are."""
    listed = names.split(",") if isinstance(names, str) else names or DEFAULT_SYSTEMS
    wanted = tuple(dict.fromkeys(name.strip() for name in listed if name.strip()))
    for name in wanted:
        if name not in SYSTEMS and name not in ABLATIONS:
            raise UsageError(
                f'There is no system "{name}"; choose from {", ".join(SYSTEMS)}, or ablations: {", ".join(ABLATIONS)}.'
            )
    if not wanted:
        raise UsageError(f"No system was named; choose from {', '.join(SYSTEMS)}.")
    return wanted


def make_systems(names: Sequence[str], asker: Asker) -> list[LoopSystem]:
    """Make the named systems over one knowledge base."""
    return [LoopSystem(name, asker, settings(name)) for name in names]


def engine_options(name: str) -> EngineOptions:
    """Return which parts of the engine a system has; the knowledge base is opened with them."""
    return ABLATIONS[name].options if name in ABLATIONS else EngineOptions()


def settings(name: str) -> LoopSettings:
    """Return a system's settings of the loop."""
    return ABLATIONS[name].settings if name in ABLATIONS else SYSTEMS[name]
