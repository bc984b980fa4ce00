"""Reading examples from what the engine asks: the subquery of a hop, with a gold section that answers it.

The questions are those of data sets whose gold steps are known, or their last one. What the engine answered is not
looked at: a step's own answer stands in its own section. Half of the questions, chosen by their words, are left out, so
that what the engine says of its answers can be fitted to these.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....agent.app.facade import MultiCube
from ....cubes.core.folding import fold
from ....graphs.records import Hop, Run
from ..examples import Passage, is_drawn, locate, read_corpus, read_rows, reading_row, write_rows
from ..mixture import HOPS

__all__ = ["write_hops"]


@dataclass(frozen=True, slots=True)
class _Step:
    """A gold step of a question: what answers it, in which passages; ``of`` is what it asks about ("": not known)."""

    answers: tuple[str, ...]
    passages: tuple[str, ...]
    of: str = ""


def write_hops(datasets: Sequence[Path], kbs: Path, folder: Path) -> int:
    """Write ``folder/hops.jsonl.gz`` in the layout of the reading data, and return how many rows it has.

    ``kbs`` holds a knowledge base of each data set, in a folder of its name. The questions that are left out become
    data sets in ``folder``.
    """
    rows = [row for each in datasets for row in _of_dataset(each, kbs / each.name)]
    write_rows(folder / f"{HOPS}.jsonl.gz", rows)
    for each in datasets:
        left = [row for row in read_rows(each / "questions.jsonl") if not _is_read(row)]
        write_rows(folder / each.name / "questions.jsonl", left)
        shutil.copyfile(each / "corpus.jsonl", folder / each.name / "corpus.jsonl")
    return len(rows)


def _is_read(question: dict[str, Any]) -> bool:
    """Whether a question is trained on; half of them are."""
    return is_drawn(question["question"], 2)


def _of_dataset(dataset: Path, kb: Path) -> Iterator[dict[str, Any]]:
    corpus = read_corpus(dataset)
    with MultiCube.open(kb) as opened:
        for question in filter(_is_read, read_rows(dataset / "questions.jsonl")):
            run = opened.ask(question["question"], save=False)
            steps = _steps(question)
            asked = [(hop.subquery, step) for hop in run.hops if (step := _step(hop, run, steps)) is not None]
            last = _Step(tuple(question["answers"]), tuple(question["supporting"]))
            for number, (subquery, step) in enumerate(dict.fromkeys([*asked, (question["question"], last)])):
                if row := _row(f"{dataset.name}-{question['id']}-{number}", subquery, step, corpus):
                    yield row


def _steps(question: dict[str, Any]) -> list[_Step]:
    found = tuple(question["supporting"])
    if "decomposition" in question:
        return [_Step((part["answer"],), (part["supporting"],)) for part in question["decomposition"]]
    if "evidences" in question:
        return [_Step((value,), found, fold(of)) for of, _, value in question["evidences"]]
    return [_Step(tuple(question["answers"]), found)]


def _step(hop: Hop, run: Run, steps: Sequence[_Step]) -> _Step | None:
    """The gold step that a hop asks: the one about a name of its subquery, else the one at its place."""
    if steps and steps[0].of:
        about = [step for step in steps if step.of in fold(hop.subquery)]
        return about[0] if len(about) == 1 else None
    if len(run.hops) == len(steps):
        return steps[run.hops.index(hop)]
    return steps[-1] if hop is run.hops[-1] else None


def _row(name: str, subquery: str, step: _Step, corpus: dict[str, Passage]) -> dict[str, Any] | None:
    passages = [corpus[id] for id in step.passages]
    about = [passage for passage in passages if step.of and fold(passage.title).startswith(step.of)]
    for passage in about or passages:
        place = locate(subquery, passage.text, step.answers)
        if place is not None and fold(passage.text[slice(*place)]) not in fold(subquery):
            return reading_row(name, subquery, passage, passage.text[slice(*place)], place[0], "hop", HOPS)
    return None
