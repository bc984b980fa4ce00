"""What speaks for an answer: shares between 0 and 1 that know neither a data set nor a phrasing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....cubes.core.folding import base_key, fold
from ....cubes.retrieval.wording import stems
from ....graphs.records import Evidence, FactRecord, Hop
from .answers.grounding import Knows, coverage, ground
from .answers.telling_sentences import Likeness

__all__ = ["ANSWERABLE", "RIGHT", "AnswerSignals", "read_signals"]


@dataclass(frozen=True, slots=True)
class AnswerSignals:
    """What is known of an answer besides its text; more of any of them speaks for it.

    ``names``, ``words``, ``told`` and ``together`` say what of the question stands in the evidence (see `Grounding`).
    ``section`` and ``sentence`` say what of its subquery stands where a span was read, of the hop where that is least;
    a fact in a cell speaks for itself. ``home`` is the share of the hops whose evidence has the section of a thing that
    they ask of, ``held`` how likely evidence holds an answer at all, of the hop where that is least, ``weakest`` the
    confidence of the weakest hop, ``last`` that of the last answered one, ``cells`` the share of the answered hops that
    a cell answered, ``named`` whether the facts in these cells are about what their subqueries name in full. ``alike``
    is how alike by meaning the question is to the section read that is most alike, ``near`` how alike each subquery is
    to its section, of the hop where that is least.

    ``unknown`` are the names that the evidence lacks.
    """

    names: float
    words: float
    told: float
    together: float
    section: float
    sentence: float
    home: float
    held: float
    weakest: float
    last: float
    cells: float
    named: float
    alike: float
    near: float
    unknown: tuple[str, ...] = ()

    def shares(self) -> dict[str, float]:
        """Return the signals that enter a model, by name."""
        return {name: getattr(self, name) for name in dict.fromkeys((*ANSWERABLE, *RIGHT))}


ANSWERABLE = (
    "names", "words", "told", "together", "section", "sentence", "home", "held", "weakest", "last", "alike", "near",
)  # fmt: skip
"""What tells whether the documents hold an answer."""
RIGHT = ("together", "section", "sentence", "home", "held", "weakest", "last", "cells", "named")
"""What tells whether the answer found is right."""


def read_signals(question: str, hops: Sequence[Hop], knows: Knows, likeness: Likeness) -> AnswerSignals:
    """Read the signals off a question's hops; ``likeness`` says how alike texts are by meaning."""
    texts = {e.section_id: f"{e.title}\n{e.text}" for hop in hops for e in hop.evidence}
    grounding = ground(question, list(texts.values()), knows)
    answered = [hop for hop in hops if hop.answers]
    spans = [(hop, found) for hop in answered if _is_span(hop) and (found := _read_from(hop)) is not None]
    return AnswerSignals(
        grounding.names,
        grounding.words,
        grounding.told,
        grounding.together,
        min((coverage(hop.subquery, set(stems(f"{e.title} {e.text}"))) for hop, e in spans), default=1.0),
        min((coverage(hop.subquery, set(stems(e.sentence))) for hop, e in spans), default=1.0),
        sum(map(_at_home, hops)) / len(hops) if hops else 0.0,
        min((hop.held for hop in answered), default=0.0),
        min((hop.confidence for hop in answered), default=0.0),
        answered[-1].confidence if answered else 0.0,
        sum(hop.fact is not None for hop in answered) / len(answered) if answered else 0.0,
        min((float(_is_named(hop.fact, hop.subquery)) for hop in answered if hop.fact is not None), default=1.0),
        max(_cosines(likeness, question, [f"{e.title}: {e.text}" for _, e in spans]), default=1.0),
        min((cosine for hop, e in spans for cosine in _cosines(likeness, hop.subquery, [e.text])), default=1.0),
        grounding.unknown,
    )


def _cosines(likeness: Likeness, text: str, others: Sequence[str]) -> list[float]:
    return [max(0.0, cosine) for cosine in likeness(text, others)] if others else []


def _is_named(fact: FactRecord, subquery: str) -> bool:
    """Whether a subquery has the name that a fact is about, or the value that it leads back from, in full."""
    asked = f" {fold(subquery)} "
    return any(f" {base_key(name)} " in asked for name in (fact.subject, fact.value))


def _is_span(hop: Hop) -> bool:
    """Whether a hop's answer was read from a text; neither a fact nor what a person said."""
    return hop.fact is None and hop.status != "edited"


def _read_from(hop: Hop) -> Evidence | None:
    """The section that a hop's answer was read from; the first where the answer was put in other words."""
    key = fold(hop.answer)
    return next((e for e in hop.evidence if key in fold(e.sentence)), next(iter(hop.evidence), None))


def _at_home(hop: Hop) -> bool:
    """Whether a hop's evidence has the section of something that its subquery names."""
    asked = f" {fold(hop.subquery)} "
    return any(f" {base_key(e.title)} " in asked for e in hop.evidence)
