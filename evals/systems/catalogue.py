"""Every system by its name: what it is in one sentence, its settings, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...agent.engines.embedded.options import EngineOptions
from ...cubes.core.errors import UsageError
from ...graphs.records import LoopSettings
from ..ablations import ABLATIONS
from . import cubeless
from .loop import LoopSystem

if TYPE_CHECKING:
    from ...agent.app.facade import MultiCube
    from .baselines.pipeline import Search
    from .protocols import System

__all__ = ["LIMITS", "SYSTEMS", "Description", "describe", "engine_options", "make_system", "settings"]

LIMITS = tuple(f"limit-{hops}" for hops in range(1, 7))
"""MultiCube with so many hops at most."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a system is: its name, one sentence, the settings of its loop and the parts of its engine.

    ``search`` makes a way of finding sections that is not the loop's; ``embedded`` says that parts of the embedded
    engine are off, so that with a language model in its place there is nothing to compare.
    """

    name: str
    says: str
    settings: LoopSettings = field(default_factory=LoopSettings)
    options: EngineOptions = field(default_factory=EngineOptions)
    search: Callable[[], Search] | None = None
    embedded: bool = False

    @property
    def differs(self) -> dict[str, Any]:
        """The settings that are not the defaults', by name; those of the engine after the loop's."""
        return {
            **self.settings.model_dump(mode="json", exclude_defaults=True),
            **self.options.model_dump(mode="json", exclude_defaults=True),
        }


def _once(**others: Any) -> LoopSettings:
    return LoopSettings(single_shot=True, **others)


def _none() -> Search:
    from .baselines.plain import NoSearch

    return NoSearch()


def _rank_bm25() -> Search:
    from .baselines.plain import RankBm25Search

    return RankBm25Search()


def _naive() -> Search:
    from .baselines.plain import NaiveSearch

    return NaiveSearch()


def _ircot() -> Search:
    from .baselines.ircot import IrcotSearch

    return IrcotSearch()


def _hypercube() -> Search:
    from .baselines.single import HypercubeSearch

    return HypercubeSearch()


def _smart() -> Search:
    from .baselines.smart import SmartSearch

    return SmartSearch()


def _raptor() -> Search:
    from .baselines.raptor import RaptorSearch

    return RaptorSearch()


def _longrag() -> Search:
    from .baselines.longrag import LongRagSearch

    return LongRagSearch()


def _chainrag() -> Search:
    from .baselines.chainrag import ChainRagSearch

    return ChainRagSearch()


_LISTED = (
    Description("multicube", "MultiCube-RAG: the loop over cubes, with passages where cubes do not answer."),
    Description(
        "none", "No retrieval: a model answers from what it knows; the embedded engine knows nothing and abstains.",
        _once(), search=_none,
    ),
    Description(
        "rank_bm25", "BM25 by the library rank_bm25 itself, one look-up for the question.",
        _once(retrieval="bm25"), search=_rank_bm25,
    ),
    Description("bm25", "BM25 by this package's index, one look-up for the question.", _once(retrieval="bm25")),
    Description("dense", "Nearest sections by cosine, one look-up for the question.", _once(retrieval="dense")),
    Description("hybrid", "BM25 and dense fused by reciprocal rank, one look-up.", _once(retrieval="hybrid")),
    Description(
        "naive", "Naive RAG: chunks of 200 words that overlap by 40, nearest by cosine, read as plain text.",
        _once(retrieval="dense"), search=_naive,
    ),
    Description(
        "raptor", "RAPTOR: sections and summaries of clusters of them, in levels, the nearest of all by cosine.",
        _once(retrieval="dense"), search=_raptor,
    ),
    Description(
        "longrag", "LongRAG: units of up to 2,000 tokens of documents that name each other, by their nearest section.",
        _once(retrieval="dense", context_tokens=4_000), search=_longrag,
    ),
    Description(
        "rewrite", "Query rewriting: hybrid with the question in other words besides.",
        _once(retrieval="hybrid", expand="always", strategy="rewrite"),
    ),
    Description(
        "hyde", "HyDE: hybrid with a hypothetical passage besides.",
        _once(retrieval="hybrid", expand="always", strategy="hyde"),
    ),
    Description(
        "core-subq", "Core-SubQ: hybrid with core, background and follow-up questions besides.",
        _once(retrieval="hybrid", expand="always", strategy="core_subq"),
    ),
    Description(
        "ircot", "IRCoT: retrieval (hybrid) and chain of thought in turns, read at the end.",
        LoopSettings(retrieval="hybrid"), search=_ircot,
    ),
    Description(
        "chainrag", "ChainRAG: hop by hop, from the nearest sentences along a graph of sentences.",
        LoopSettings(retrieval="dense"), search=_chainrag,
    ),
    Description(
        "hypercube", "Hypercube-RAG: one cube for everything, one look-up, ranked by coverage.",
        _once(label_ranking="coverage"), search=_hypercube,
    ),
    Description("hiqa", "HiQA's multi-route score over chapters, one look-up.", _once(retrieval="hiqa")),
    Description(
        "smart", "SMART: hybrid with the abstractions of what the sections speak of, one look-up.",
        _once(retrieval="hybrid"), search=_smart,
    ),
    Description("loop+bm25", "The same loop and reader over BM25 in place of cubes.", LoopSettings(retrieval="bm25")),
    Description("loop+dense", "The same loop and reader over dense passages.", LoopSettings(retrieval="dense")),
    Description("loop+hybrid", "The same loop and reader over hybrid passages.", LoopSettings(retrieval="hybrid")),
    Description("loop+hiqa", "The same loop and reader over HiQA's retrieval.", LoopSettings(retrieval="hiqa")),
)  # fmt: skip

SYSTEMS: Mapping[str, Description] = {each.name: each for each in _LISTED}
"""MultiCube and the baselines; ablations, limits and cubes have names of their own (see `describe`)."""


def describe(name: str) -> Description:
    """Return what a system is; UsageError for a name that is none. Aliases are not looked at."""
    if name in SYSTEMS:
        return SYSTEMS[name]
    if name in ABLATIONS:
        off = ABLATIONS[name]
        return Description(
            name, f"MultiCube without {off.part}.", off.settings, off.options, embedded=off.options != EngineOptions()
        )
    if name in LIMITS:
        hops = int(name.removeprefix("limit-"))
        return Description(name, f"MultiCube with {hops} hop{'s' * (hops > 1)} at most.", LoopSettings(max_hops=hops))
    if cubeless.is_cubeless(name):
        return Description(name, cubeless.says(name))
    raise UsageError(f'There is no system "{name}".')


def settings(name: str) -> LoopSettings:
    """Return the settings of a system's loop, or of its one look-up."""
    return describe(name).settings


def engine_options(name: str) -> EngineOptions:
    """Return which parts of the engine a system has; the knowledge base is opened with them."""
    return describe(name).options


def make_system(name: str, asker: MultiCube) -> System:
    """Make a system over an open knowledge base."""
    if cubeless.is_cubeless(name):
        return cubeless.cubeless(name, asker)
    found = describe(name)
    if found.search is None:
        return LoopSystem(name, asker, found.settings)
    from .baselines.pipeline import Pipeline

    return Pipeline(name, asker, found.search(), found.settings)
