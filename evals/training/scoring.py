"""Fitting the answer scorer: what each feature of a candidate weighs, by the likelihood of the right texts.

``python -m multicube.evals.training.scoring record DATASET --kb KB --out FILE`` asks each question of a data set as one
hop (of a data set that has their steps, each of those), and keeps the candidates' features and which of
them are right: numbers only. ``--foreign`` says that the knowledge base holds none of the answers. ``fit FILE...``
finds the weights under which the right texts, or "not here" where there are none, are likeliest, prints how well they
do on questions they were fitted without, and writes ``scorer.yaml``.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
import yaml

from ...agent.app.facade import MultiCube
from ...agent.engines.embedded.answers.candidates import FEATURES, SoftmaxScorer, SpanCandidate
from ...agent.engines.embedded.options import EngineOptions
from ...agent.engines.embedded.reasoner import EmbeddedReasoner
from ...cubes.core.errors import InputError
from ...graphs.records import LoopSettings
from ..metrics.basic import best_over, exact_match
from ..metrics.confidence import calibration_error
from ..support import told
from .examples import read_rows

__all__ = ["Asking", "app", "cross_fitted", "fit", "labelled", "recorded", "rounded"]

Floats = npt.NDArray[np.float64]
_TARGET = Path(__file__).resolve().parents[2] / "agent" / "engines" / "embedded" / "answers" / "scorer.yaml"
_HEAD = (
    "# What the features of a candidate weigh (see candidates.py). Written by `python -m\n"
    "# multicube.evals.training.scoring fit`. Fitted to: {}.\n"
)
_RIDGE = 0.001
"""How much weights are held back; the same for all, as features are of like size."""
_ONE_HOP = EngineOptions(chains=False, open_hops=False, least_answerable=0.0)
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@dataclass(frozen=True, slots=True)
class Asking:
    """One hop that was asked: its candidates' features (a row each), and which of them are right.

    It is ``open`` where the documents do not answer it; not where their answer was only not found.
    """

    source: str
    features: Floats
    right: npt.NDArray[np.bool_]
    weight: float = 1.0
    open: bool = False


def labelled(source: str, found: Sequence[SpanCandidate], answers: Sequence[str]) -> Asking:
    """Mark the candidates whose words are a gold answer's."""
    right = [bool(answers) and best_over(exact_match, one.span.text, answers) == 1.0 for one in found]
    rows = np.array([one.features for one in found], dtype=np.float64).reshape(len(found), len(FEATURES))
    return Asking(source, rows, np.array(right, dtype=bool))


def fit(asked: Sequence[Asking], ridge: float = _RIDGE) -> SoftmaxScorer:
    """Return the weights that make what is right likeliest."""
    from scipy.optimize import minimize

    loss = _loss(asked, ridge)
    start = np.zeros(asked[0].features.shape[1] + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return SoftmaxScorer(tuple(float(w) for w in found.x[:-1]), float(found.x[-1]))


def cross_fitted(
    asked: Sequence[Asking], parts: int = 5, seed: int = 20, ridge: float = _RIDGE
) -> list[tuple[Asking, SoftmaxScorer]]:
    """Pair each hop with a scorer that was fitted without it."""
    order = list(range(len(asked)))
    random.Random(seed).shuffle(order)
    paired = []
    for part in range(parts):
        without = fit([asked[i] for n, i in enumerate(order) if n % parts != part], ridge)
        paired += [(asked[i], without) for n, i in enumerate(order) if n % parts == part]
    return paired


def recorded(files: Iterable[Path], features: Sequence[str], module: str) -> list[Asking]:
    """Read what a module of this package recorded of rows with these features; raises InputError for a missing file."""
    found = []
    for file in files:
        if not file.is_file():
            raise InputError(f"{file} is missing; write it with: python -m multicube.evals.training.{module} record.")
        for row in read_rows(file):
            right = np.array(row["right"], dtype=bool)
            if right.size:
                rows = np.array(row["features"], dtype=np.float64).reshape(len(right), len(features))
                found.append(Asking(row["source"], rows, right, open=row.get("open", not right.any())))
    return found


def rounded(fitted: SoftmaxScorer, features: Sequence[str]) -> dict[str, Any]:
    """Return weights as the files beside the engine have them (see `shipped`)."""
    weights = {name: round(weight, 3) for name, weight in zip(features, fitted.weights, strict=True)}
    return {"nothing": round(fitted.nothing, 3), "weights": weights}


def _loss(asked: Sequence[Asking], ridge: float) -> Callable[[Floats], tuple[float, Floats]]:
    """The negative log likelihood of what is right, with its slope; every source weighs alike."""
    sizes = {one.source: sum(other.source == one.source for other in asked) for one in asked}

    def loss(weights: Floats) -> tuple[float, Floats]:
        value, slope = ridge * float(weights[:-1] @ weights[:-1]) / 2, np.append(ridge * weights[:-1], 0.0)
        for one in asked:
            share = one.weight / sizes[one.source] / len(sizes)
            scores = np.append(one.features @ weights[:-1], weights[-1])
            right = np.append(one.right, not one.right.any())
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            mass = max(float(shares[right].sum()), 1e-300)
            pull = shares - np.where(right, shares / mass, 0.0)
            value -= share * float(np.log(mass))
            slope[:-1] += share * (pull[:-1] @ one.features)
            slope[-1] += share * float(pull[-1])
        return value, slope

    return loss


@app.command()
@told
def record(
    dataset: Annotated[Path, typer.Argument(metavar="DATASET", help="The data set whose questions are asked.")],
    kb: Annotated[Path, typer.Option(metavar="DIR", help="The knowledge base that is asked.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the records are added.")],
    foreign: Annotated[bool, typer.Option(help="The knowledge base holds no answers to them.")] = False,
    limit: Annotated[int | None, typer.Option(help="The first so many questions only.")] = None,
) -> None:
    """Ask questions as one hop each, and keep what speaks for the candidates."""
    source = f"{dataset.name} asked of {kb.name}" if foreign else dataset.name
    asked = list(_one_hop(dataset / "questions.jsonl"))[:limit]
    with MultiCube.open(kb, engine_options=_ONE_HOP) as engine, out.open("a", encoding="utf-8") as stream:
        reasoner = engine.reasoner
        assert isinstance(reasoner, EmbeddedReasoner)
        for question, answers in asked:
            found = _candidates(engine, reasoner, question)
            if found:
                one = labelled(source, found, [] if foreign else answers)
                row = {"source": source, "features": one.features.round(4).tolist(), "right": one.right.tolist()}
                stream.write(json.dumps(row) + "\n")


@app.command("fit")
@told
def fit_all(
    records: Annotated[list[Path], typer.Argument(metavar="FILE...", help="What was recorded.")],
    target: Annotated[Path, typer.Option(metavar="FILE", help="Where the weights go.")] = _TARGET,
) -> None:
    """Fit the weights, write them, and print how well they do where they were not fitted."""
    asked = recorded(records, FEATURES, "scoring")
    text = yaml.safe_dump(rounded(fit(asked), FEATURES), sort_keys=False)
    target.write_text(_HEAD.format(", ".join(sorted({one.source for one in asked}))) + text, encoding="utf-8")
    for line in _report(cross_fitted(asked)):
        typer.echo(line)


def _one_hop(path: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """The questions of a data set; where it has their steps, those, with the answers before them filled in."""
    seen: set[str] = set()
    for row in read_rows(path):
        for question, answers in _steps(row):
            if question not in seen and (not answers or answers[0].lower() not in ("yes", "no")):
                seen.add(question)
                yield question, answers


def _steps(row: dict[str, Any]) -> Iterator[tuple[str, Sequence[str]]]:
    steps = row.get("decomposition")
    if not steps:
        triples = row.get("evidences") or ()
        yield from ((f"What is the {relation} of {subject}?", [value]) for subject, relation, value in triples)
        if not triples:
            yield row["question"], row["answers"]
        return
    for step in steps:
        question = step["question"]
        for number, before in enumerate(steps, start=1):
            question = question.replace(f"#{number}", before["answer"])
        subject, _, relation = question.partition(" >> ")
        yield (f"What is the {relation} of {subject}?" if relation else question), [step["answer"]]


def _candidates(engine: MultiCube, reasoner: EmbeddedReasoner, question: str) -> list[SpanCandidate]:
    run = engine.ask(question, save=False, settings=LoopSettings(single_shot=True))
    if not run.hops:
        return []
    hop = run.hops[0]
    return reasoner.candidates(question, hop.evidence[: run.settings.sections_per_hop])


def _report(paired: Sequence[tuple[Asking, SoftmaxScorer]]) -> Iterator[str]:
    judged: dict[str, list[tuple[float, float]]] = {}
    held: dict[str, int] = {}
    for one, scorer in paired:
        scores = one.features @ np.array(scorer.weights)
        at = int(np.argmax(scores))
        shares, _ = scorer.shares(scores.tolist())
        judged.setdefault(one.source, []).append((shares[at], float(one.right[at])))
        held[one.source] = held.get(one.source, 0) + bool(one.right.any())
    for source, pairs in judged.items():
        right, here = sum(r for _, r in pairs) / len(pairs), held[source] / len(pairs)
        error = calibration_error(pairs)
        off = "" if error is None else f", calibration error {100 * error:.1f}"
        share = f"{100 * here:.1f} % with a right candidate, {100 * right:.1f} % chosen right"
        yield f"{source}: {len(pairs)} hops, {share}{off}"


if __name__ == "__main__":
    app()
