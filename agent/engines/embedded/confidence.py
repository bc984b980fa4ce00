"""What speaks for an answer, and from that the probabilities that the documents hold one and that this one is right.

The signals are shares between 0 and 1 that know neither a data set nor a phrasing. Two small logistic models go over
them, monotone: more of a signal never means less probability. Their weights are data (`confidence.yaml`), fitted by
`multicube.evals.experiments.calibration.command`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any

import yaml

from ....cubes.core.folding import base_key, fold
from ....cubes.core.records import Fact
from ....cubes.model.corrections import PERSON
from ....cubes.model.tables import ORIGIN as TABLE
from ....cubes.retrieval.wording import names_asked, stems
from ....graphs.records import Evidence, Hop
from ..encoders.sessions import side_by_side
from .answers.candidates import coverage
from .answers.quotations import Tell
from .vocabulary.wording import Likeness

__all__ = [
    "ANSWERABLE", "ANSWERABLE_ODDS", "RIGHT", "RIGHT_ODDS", "AnswerSignals", "Calibration", "Logistic", "calibration",
    "fact_probability", "fact_signals", "read_from", "read_signals", "refusal",
]  # fmt: skip

# What tells whether the documents hold an answer, and whether the answer found is right.
ANSWERABLE = ("told", "home", "held", "last", "alike", "part")
RIGHT = ("told", "weakest", "last", "part")
ANSWERABLE_ODDS, RIGHT_ODDS = ("held", "last", "part"), ("last",)
"""Those that enter by their log odds, cut at `_CUT`; the others as they are. With ``last`` as a share no answer was
surer than .8 (docs/validation.md)."""
_CUT = 0.01


@dataclass(frozen=True, slots=True)
class AnswerSignals:
    """What is known of an answer besides its text; more of any of them speaks for it.

    ``told`` is the share of the asked words that stand in the evidence, ``home`` that of the hops whose evidence
    has the section of a thing that they ask of, ``held`` how likely evidence holds an answer at all, ``weakest``
    the confidence of the weakest hop, ``last`` that of the last answered one. ``alike`` is how alike by meaning the
    question is to the section read that is most alike, ``part`` how likely any part of the sections tells what a
    subquery asks; a fact in a cell speaks for itself. Where not said otherwise, the hop counts where it is least.
    ``unknown`` are the question's names that the evidence lacks.
    """

    told: float
    home: float
    held: float
    weakest: float
    last: float
    alike: float
    part: float
    unknown: tuple[str, ...] = ()

    def shares(self) -> dict[str, float]:
        """Return the signals that enter a model, by name."""
        return {name: value for name, value in asdict(self).items() if name != "unknown"}


def read_signals(
    question: str, hops: Sequence[Hop], knows: Callable[[str], bool], likeness: Likeness, tell: Tell
) -> AnswerSignals:
    """Read the signals off a question's hops; ``knows`` says what the corpus has a label for."""
    evidence = {e.section_id: f"{e.title}\n{e.text}" for hop in hops for e in hop.evidence}
    texts = " ".join(f" {fold(text)} " for text in evidence.values())
    answered = [hop for hop in hops if hop.answers]
    # Answers that were read from a text: neither facts nor what a person said.
    read = [(h, e) for h in answered if h.fact is None and h.status != "edited" for e in read_from(h)]
    # Each encodes sentences or a section, which takes longer than all else here.
    works: list[Callable[[], Any]] = [partial(tell, hop.subquery, hop.evidence) for hop, _ in read]
    works.append(partial(likeness, question, [f"{e.title}: {e.text}" for _, e in read]))
    *parts, alike = side_by_side(lambda work: work(), works)
    return AnswerSignals(
        told=coverage(question, set(stems(" ".join(evidence.values())))),
        home=sum(map(_at_home, hops)) / len(hops) if hops else 0.0,
        held=min((hop.held for hop in answered), default=0.0),
        weakest=min((hop.confidence for hop in answered), default=0.0),
        last=answered[-1].confidence if answered else 0.0,
        alike=max((max(0.0, cosine) for cosine in alike), default=1.0),
        part=min((part.any if part is not None else 0.0 for part in parts), default=1.0),
        unknown=tuple(n for n in names_asked(question) if not knows(n) and f" {fold(n)} " not in texts),
    )


def read_from(hop: Hop) -> Sequence[Evidence]:
    """Return the one section that a hop's answer was read from; the first where it was put in other words."""
    key = fold(hop.answer)
    return [*(e for e in hop.evidence if key in fold(e.sentence)), *hop.evidence][:1]


def _at_home(hop: Hop) -> bool:
    """Whether a hop's evidence has the section of something that its subquery names."""
    return any(f" {base_key(e.title)} " in f" {fold(hop.subquery)} " for e in hop.evidence)


def _log_odds(probability: float) -> float:
    """The log odds of a probability, neither of nothing nor of all."""
    cut = min(max(probability, _CUT), 1 - _CUT)
    return math.log(cut / (1 - cut))


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic model: a bias and a weight for each signal by its name; those of ``odds`` enter by their log odds."""

    bias: float
    weights: Mapping[str, float]
    odds: Sequence[str] = ()

    def entering(self, signals: Mapping[str, float]) -> list[float]:
        """Return the signals as the model takes them, in the order of its weights."""
        return [_log_odds(signals[name]) if name in self.odds else signals[name] for name in self.weights]

    def probability(self, signals: Mapping[str, float]) -> float:
        """Return what the model makes of the signals."""
        weighed = zip(self.weights.values(), self.entering(signals), strict=True)
        return 1 / (1 + math.exp(-self.bias - sum(weight * signal for weight, signal in weighed)))


@dataclass(frozen=True, slots=True)
class Calibration:
    """What an evaluation has fitted: the two models, and the least ``answerable`` of what is answered."""

    answerable: Logistic
    right: Logistic
    least: float


@cache
def calibration() -> Calibration:
    """Return the weights committed beside this module."""
    read = yaml.safe_load(files(__package__).joinpath("confidence.yaml").read_text(encoding="utf-8"))
    answerable = Logistic(**read["answerable"], odds=ANSWERABLE_ODDS)
    return Calibration(answerable, Logistic(**read["right"], odds=RIGHT_ODDS), read["least"])


def fact_signals(fact: Fact, title: str, values: Sequence[str]) -> dict[str, float]:
    """Return what speaks for a fact as the answer of a hop whose cell has these values, the answer first.

    That is the kind of its value ("subject" where the fact is read the other way round), what the extractor made of
    its sentence, whether that is the first of its section, whether the section is about the fact's subject, and how few
    values there are.
    """
    kind = fact.kind if values[0] != fact.subject else "subject"
    own, first = float(fact.subject == title), float(fact.sentence.start == 0)
    return {kind: 1.0, "extracted": fact.confidence, "own": own, "first": first, "alone": 1 / len(values)}


def fact_probability(fact: Fact, title: str, values: Sequence[str]) -> float:
    """Return how likely a fact from a section of this title answers a hop; a person's correction is taken as it is, and
    so is a table's cell."""
    if fact.origin in (PERSON, TABLE):
        return 1.0
    signals = fact_signals(fact, title, values)
    return _fact_model().probability({name: signals.get(name, 0.0) for name in _fact_model().weights})


@cache
def _fact_model() -> Logistic:
    return Logistic(**yaml.safe_load(files(__package__).joinpath("facts.yaml").read_text(encoding="utf-8")))


def refusal(signals: AnswerSignals, least: float | None = None) -> str:
    """Say why an answer with these signals is held back; "" where it is given.

    ``least`` is the least probability that the documents hold an answer at all, by default what the evaluation chose;
    0 holds nothing back.
    """
    bound = calibration().least if least is None else least
    if bound <= 0 or calibration().answerable.probability(signals.shares()) >= bound:
        return ""
    if not signals.unknown:
        return "What was found has too little to do with the question."
    return f"What was found does not speak of {' or '.join(map(repr, signals.unknown))}."
