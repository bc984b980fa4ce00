"""What speaks for an answer: shares between 0 and 1 that know neither a data set nor a phrasing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....cubes.core.folding import base_key, fold
from ....cubes.retrieval.wording import names_asked, stems
from ....graphs.records import Evidence, Hop
from .answers.candidates import coverage
from .answers.telling_sentences import Likeness

__all__ = ["ANSWERABLE", "RIGHT", "AnswerSignals", "read_signals"]


@dataclass(frozen=True, slots=True)
class AnswerSignals:
    """What is known of an answer besides its text; more of any of them speaks for it.

    ``told`` is the share of the asked words that stand in the evidence, ``section`` that of a subquery's in the section
    where a span was read, of the hop where that is least; a fact in a cell speaks for itself. ``home`` is the share of
    the hops whose evidence has the section of a thing that they ask of, ``held`` how likely evidence holds an answer at
    all, of the hop where that is least, ``weakest`` the confidence of the weakest hop, ``last`` that of the last
    answered one. ``alike`` is how alike by meaning the question is to the section read that is most alike, ``near`` how
    alike each subquery is to its section, of the hop where that is least.

    ``unknown`` are the names of the question that the evidence lacks.
    """

    told: float
    section: float
    home: float
    held: float
    weakest: float
    last: float
    alike: float
    near: float
    unknown: tuple[str, ...] = ()

    def shares(self) -> dict[str, float]:
        """Return the signals that enter a model, by name."""
        return {name: getattr(self, name) for name in dict.fromkeys((*ANSWERABLE, *RIGHT))}


ANSWERABLE = ("told", "section", "home", "held", "last", "alike", "near")
"""What tells whether the documents hold an answer."""
RIGHT = ("held", "weakest", "last")
"""What tells whether the answer found is right."""


def read_signals(
    question: str, hops: Sequence[Hop], knows: Callable[[str], bool], likeness: Likeness
) -> AnswerSignals:
    """Read the signals off a question's hops; ``knows`` says what the corpus has a label for."""
    evidence = {e.section_id: f"{e.title}\n{e.text}" for hop in hops for e in hop.evidence}
    texts = " ".join(f" {fold(text)} " for text in evidence.values())
    answered = [hop for hop in hops if hop.answers]
    # Answers that were read from a text: neither facts nor what a person said.
    read = [(h, e) for h in answered if h.fact is None and h.status != "edited" and (e := _read_from(h)) is not None]
    return AnswerSignals(
        told=coverage(question, set(stems(" ".join(evidence.values())))),
        section=min((coverage(hop.subquery, set(stems(f"{e.title} {e.text}"))) for hop, e in read), default=1.0),
        home=sum(map(_at_home, hops)) / len(hops) if hops else 0.0,
        held=min((hop.held for hop in answered), default=0.0),
        weakest=min((hop.confidence for hop in answered), default=0.0),
        last=answered[-1].confidence if answered else 0.0,
        alike=max(_cosines(likeness, question, [f"{e.title}: {e.text}" for _, e in read]), default=1.0),
        near=min((cosine for hop, e in read for cosine in _cosines(likeness, hop.subquery, [e.text])), default=1.0),
        unknown=tuple(n for n in names_asked(question) if not knows(n) and f" {fold(n)} " not in texts),
    )


def _cosines(likeness: Likeness, text: str, others: Sequence[str]) -> list[float]:
    return [max(0.0, cosine) for cosine in likeness(text, others)] if others else []


def _read_from(hop: Hop) -> Evidence | None:
    """The section that a hop's answer was read from; the first where the answer was put in other words."""
    key = fold(hop.answer)
    return next((e for e in hop.evidence if key in fold(e.sentence)), next(iter(hop.evidence), None))


def _at_home(hop: Hop) -> bool:
    """Whether a hop's evidence has the section of something that its subquery names."""
    asked = f" {fold(hop.subquery)} "
    return any(f" {base_key(e.title)} " in asked for e in hop.evidence)
