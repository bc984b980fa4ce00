"""When an answer is held back: spans are found in the wrong documents too."""

from __future__ import annotations

from collections.abc import Sequence

from ...cubes.folding import base_key, fold
from ...graphs.records import Hop
from .grounding import grounding, named
from .openplans import over_cubes
from .plan import Attempts, Direct, Plan, Step

__all__ = ["spoken_of"]

_GROUNDED, _HALF = 0.8, 0.5
"""Shares of the words of a question's names that its evidence must hold for a span, and for a verdict, to count."""
_NAMED, _UNSURE = 0.34, 0.5
"""Of its whole names, where the reader is unsure."""
_LEAST, _FORESEEN = 0.12, 0.4
"""What the weakest hop must score at all, and the last one where the ontology has what is asked for."""


_CHAINED = 0.65
"""What the weakest hop must score where the ontology has what is asked for and no cell held more than one hop of it."""
_READ = 3
"""Sections of a hop that count: among many, some word of any name is found."""


def spoken_of(question: str, hops: Sequence[Hop], score: float, plan: Plan | None) -> bool:
    """Whether the evidence speaks of what a question names; ``score`` is that of its weakest hop.

    Facts of cells speak for themselves. A verdict may be reached before all that is compared was looked up, so it needs
    less.
    """
    if not any(hop.answers and hop.fact is None for hop in hops):
        return True
    texts = [f"{e.title} {e.text}" for hop in hops for e in hop.evidence[:_READ]]
    if plan is not None and not isinstance(plan, Direct | Attempts):
        return grounding(question, texts) >= _HALF
    if plan is not None and _foreseen(plan) and _unsure_at_home(hops[-1]):
        return False
    spans = sum(1 for hop in hops if hop.answers and hop.fact is None)
    if plan is not None and _foreseen(plan) and spans > 1 and score < _CHAINED:
        return False
    if score < _LEAST or (score < _UNSURE and named(question, texts) < _NAMED):
        return False
    return grounding(question, texts) >= _GROUNDED


def _unsure_at_home(hop: Hop) -> bool:
    """Whether a hop found no fact and no sure span although its evidence has the section about what it asks of."""
    asked = f" {fold(hop.subquery)} "
    at_home = any(f" {base_key(e.title)} " in asked for e in hop.evidence)
    return hop.fact is None and at_home and hop.confidence < _FORESEEN


def _foreseen(plan: Plan) -> bool:
    """Whether the ontology has all that is asked: then cells should have held it, and a span must be surer."""
    first = next(iter(plan.plans), None) if isinstance(plan, Attempts) else plan
    return isinstance(first, Direct) and isinstance(first.term, Step) and over_cubes(first.term)
