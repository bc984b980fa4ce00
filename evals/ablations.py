"""The ablations: the whole system, and the same with one part of it off each time.

Every part is switched off by a setting that the system itself has; nothing is patched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..agent.engines.embedded.options import EngineOptions, Family
from ..graphs.records import LoopSettings

__all__ = ["ABLATIONS", "WHOLE", "Ablation"]

WHOLE = "multicube"
"""The system that an ablation is compared with."""


@dataclass(frozen=True, slots=True)
class Ablation:
    """The system without one part: what is missing in words, and the settings that leave it out."""

    part: str
    settings: LoopSettings = field(default_factory=LoopSettings)
    options: EngineOptions = field(default_factory=EngineOptions)


def _without(family: Family) -> EngineOptions:
    return EngineOptions(without=frozenset({family}))


ABLATIONS: Mapping[str, Ablation] = {
    "no-loop": Ablation("the loop: one retrieval for the whole question", LoopSettings(single_shot=True)),
    "no-chains": Ablation("questions read as chains of hops", options=EngineOptions(chains=False)),
    "no-open-hops": Ablation("hops beyond the ontology, by syntax", options=EngineOptions(open_hops=False)),
    "no-cubes": Ablation("cubes: the loop over passages", LoopSettings(retrieval="hybrid")),
    "no-lexical": Ablation("exact matching of labels", LoopSettings(exact=False)),
    "no-dense": Ablation("everything dense: nothing is embedded", LoopSettings(dense=False)),
    "no-links": Ablation("links between sections", LoopSettings(links=False)),
    "no-backoff": Ablation("name back-off", options=EngineOptions(backoff=False)),
    "no-reader": Ablation("the span reader", options=EngineOptions(reader=False)),
    "no-hqg": Ablation("hypothetical queries", LoopSettings(expand="never")),
    "no-balance": Ablation("room kept for each intent: fused as MuISQA prints it", LoopSettings(fusion="plain")),
    "no-documents": Ablation("reading tables and chapters of documents", options=EngineOptions(documents=False)),
    "no-refusing": Ablation("holding back what is unlikely", options=EngineOptions(least_answerable=0.0)),
    "no-facts": Ablation("facts of cells as answers: sentences are read instead", options=_without("facts")),
    "no-operators": Ablation("comparisons, claims, ages: what is worked out of hops", options=_without("operators")),
    "no-counting": Ablation("counts, lists and superlatives over many cells", options=_without("counting")),
    "no-rows": Ablation("rows of tables, asked for in any words", options=_without("rows")),
    "no-releases": Ablation("lists of changes", options=_without("releases")),
    "no-descriptions": Ablation("asking first for what is described", options=_without("descriptions")),
    "no-forms": Ablation("verdicts, lists and passages as answers", options=_without("forms")),
}
