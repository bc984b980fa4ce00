"""Fitting which sentence tells what is asked: what each feature of a part weighs, and from when on it is told.

``python -m multicube.evals.training.telling record --out FILE`` keeps the parts' features and which of them are right,
numbers only, of SQuAD's development questions (``--squad DIR``; each is read in its own passage and in BM25's near
misses, and one in five in near misses alone), or of a recipe as `evals.realdocs` has them (``--recipe DIR``; ``--kb``
is the folder of its knowledge bases). ``fit FILE...`` finds the weights under which the right parts, or "nothing
tells it", are likeliest, chooses the least probability by questions it was fitted without, and writes `telling.yaml`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
import yaml

from ...agent.app.facade import MultiCube
from ...agent.engines.embedded.answers.candidates import SoftmaxScorer
from ...agent.engines.embedded.answers.quotations import FEATURES, SentencePart, parts_of
from ...agent.engines.embedded.answers.span import open_reader
from ...agent.engines.embedded.vocabulary.wording import Likeness
from ...cubes.core.lexical import Bm25Index, tokens, top
from ...cubes.retrieval.passages import passage_at
from ...graphs.records import Evidence
from ..experiments.realdocs.judging import holds
from ..experiments.realdocs.recipe import corpora, questions
from ..support import told
from .examples import Example, Passage, read_corpus, squad_examples
from .scoring import Asking, cross_fitted, fit, recorded, rounded

__all__ = ["app"]

_TARGET = Path(__file__).resolve().parents[2] / "agent" / "engines" / "embedded" / "answers" / "telling.yaml"
_HEAD = (
    "# What the features of a part weigh (see telling.py). Written by `python -m\n"
    "# multicube.evals.training.telling fit`. Fitted to: {}.\n"
)
_SQUAD = "squad"
_RIDGE = 0.01
_REFUSED = 0.8  # of the questions that the documents do not answer, of other sources than SQuAD where there are any
_SEED = 7
_BEYOND, _FIRST = 0.2, 0.75  # of the questions: without the right passage; with it first
_SECTIONS = 5
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
_Row = tuple[str, list[SentencePart], list[bool], bool]


@app.command()
@told
def record(
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the records are added.")],
    kb: Annotated[Path, typer.Option(metavar="DIR", help="One with an encoder; of a recipe, the folder of its own.")],
    squad: Annotated[Path | None, typer.Option(metavar="DIR", help="SQuAD's development set.")] = None,
    recipe: Annotated[Path | None, typer.Option(metavar="DIR", help="A folder as evals/realdocs is.")] = None,
    limit: Annotated[int, typer.Option(help="So many of SQuAD's questions.")] = 700,
) -> None:
    """Read questions, and keep what speaks for the parts of what they are read in."""
    rows = [*([_of_squad(squad, kb, limit)] if squad else []), *([_of_recipe(recipe, kb)] if recipe else [])]
    with out.open("a", encoding="utf-8") as stream:
        for source, parts, right, unanswered in chain.from_iterable(rows):
            features = [[round(value, 4) for value in part.features] for part in parts]
            row = {"source": source, "features": features, "right": right, "open": unanswered}
            stream.write(json.dumps(row) + "\n")
            stream.flush()


@app.command("fit")
@told
def fit_all(
    records: Annotated[list[Path], typer.Argument(metavar="FILE...", help="What was recorded.")],
    target: Annotated[Path, typer.Option(metavar="FILE", help="Where the weights go.")] = _TARGET,
) -> None:
    """Fit the weights, choose the least probability, and print how well both do where they were not fitted."""
    asked = recorded(records, FEATURES, "telling")
    paired = cross_fitted(asked, ridge=_RIDGE)
    sources = list(dict.fromkeys(one.source for one in asked))
    chosen = [name for name in sources if name != _SQUAD] or sources
    least = float(np.quantile([_any(o, s) for o, s in paired if o.source in chosen and o.open], _REFUSED))
    text = yaml.safe_dump({"least": round(least, 3), **rounded(fit(asked, _RIDGE), FEATURES)}, sort_keys=False)
    target.write_text(_HEAD.format(", ".join(sources)) + text, encoding="utf-8")
    for name in sources:
        typer.echo(_line(name, [pair for pair in paired if pair[0].source == name], least))


def _of_squad(folder: Path, kb: Path, limit: int) -> Iterator[_Row]:
    passages, examples = list(read_corpus(folder).values()), list(squad_examples(folder))
    rng = random.Random(_SEED)
    rng.shuffle(examples)
    index = Bm25Index(tokens(f"{p.title} {p.text}") for p in passages)
    with MultiCube.open(kb) as opened:
        for example in examples[:limit]:
            near = [passages[int(at)] for at in top([index.scores(tokens(example.question))], _SECTIONS + 2)]
            told = [answer.lower() for answer in example.answers]
            lacking = [p for p in near if p.text != example.text and not any(a in p.text.lower() for a in told)]
            shown = _shown(example, lacking[: _SECTIONS - 1], rng)
            parts = _parts(example.question, shown, opened.kb.likeness)
            right = [_tells(example, shown[part.section], part) for part in parts]
            yield _SQUAD, parts, right, not any(right)


def _shown(example: Example, near: list[Passage], rng: random.Random) -> list[Evidence]:
    """The passages that a question is read in: its own mostly first, or not at all."""
    if not (example.answerable and rng.random() < _BEYOND):
        at = 0 if rng.random() < _FIRST or not near else rng.randrange(1, len(near) + 1)
        near.insert(at, Passage("own", example.title, example.text))
    return [Evidence(section_id=p.id, document_id=p.id, record_id=p.id, title=p.title, text=p.text) for p in near]


def _tells(example: Example, section: Evidence, part: SentencePart) -> bool:
    own = example.answerable and section.text == example.text
    return own and part.place.start < example.end and example.start < part.place.end


def _of_recipe(recipe: Path, kbs: Path) -> Iterator[_Row]:
    for corpus in corpora(recipe):
        with MultiCube.open(kbs / corpus.name) as opened:
            for question in questions(corpus.name, recipe):
                run = opened.ask(question.question, save=False)
                shown = list(run.hops[-1].evidence)[:_SECTIONS] if run.hops else []
                parts = _parts(question.question, shown, opened.kb.likeness)
                phrases = question.quote or question.members
                said = [passage_at(shown[p.section].text, p.place.start, p.place.end).text for p in parts]
                right = [any(holds(text, phrase) for phrase in phrases) for text in said]
                yield recipe.name, parts, right, not question.answerable


def _parts(question: str, shown: Sequence[Evidence], like: Likeness) -> list[SentencePart]:
    reader = open_reader()
    spans = reader.read(question, [(e.heading, e.text) for e in shown]) if reader is not None else []
    return parts_of(question, shown, spans, like)


def _any(one: Asking, scorer: SoftmaxScorer) -> float:
    return scorer.shares((one.features @ np.array(scorer.weights)).tolist())[1]


def _line(name: str, paired: Sequence[tuple[Asking, SoftmaxScorer]], least: float) -> str:
    held = [(one, scorer) for one, scorer in paired if one.right.any()]
    first = sum(bool(one.right[int(np.argmax(one.features @ np.array(s.weights)))]) for one, s in held)
    told = sum(_any(one, scorer) >= least for one, scorer in held)
    refused = sum(_any(one, scorer) < least for one, scorer in paired if not one.right.any())
    return (
        f"{name}: {len(held)} questions that a part tells, {first} with it first, {told} told; "
        f"{refused} of the {len(paired) - len(held)} others refused"
    )


if __name__ == "__main__":
    app()
