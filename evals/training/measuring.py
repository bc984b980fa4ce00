"""How well a reader reads what training left out: each question from its own passage, source by source."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...agent.engines.embedded.answers.span import SpanReader
from ...cubes.core.errors import InputError
from ..metrics.basic import best_over, exact_match, f1, mean
from ..reports.tables import table
from .examples import Example, is_held_out
from .mixture import folders, of_source

__all__ = ["Figures", "measured", "measured_by_source", "written"]

_HEADER = ("source", "questions", "EM", "F1", "not here", "said so")


@dataclass(frozen=True, slots=True)
class Figures:
    """The scores of each answerable question, and of each other whether the reader said that nothing answers it."""

    source: str
    em: tuple[float, ...]
    f1: tuple[float, ...]
    refused: tuple[float, ...]


def measured_by_source(
    path: Path, reading: Path, data: Path, *, limit: int | None = None, seed: int = 20, own: Path | None = None
) -> Iterator[Figures]:
    """Measure an exported reader on the held-out questions of every source, at most ``limit`` drawn from each.

    The sources that the project makes are asked where ``own`` has them.
    """
    if path.suffix != ".onnx" or not path.is_file():
        raise InputError(f"{path} is no exported reader; make one with: python -m multicube.evals.training export.")
    reader = SpanReader(path)
    for source, folder in folders(reading, own).items():
        held = [example for example in of_source(source, folder, data) if is_held_out(example.question)]
        random.Random(seed).shuffle(held)
        yield measured(source, held[:limit], reader)


def measured(source: str, examples: Iterable[Example], reader: SpanReader) -> Figures:
    """Ask each question of its own passage and score the reader's surest span, however sure."""
    em: list[float] = []
    words: list[float] = []
    refused: list[float] = []
    for example in examples:
        spans = reader.read(example.question, [(example.title, example.text)])
        if example.answerable:
            answer = spans[0].text if spans else ""
            em.append(best_over(exact_match, answer, example.answers))
            words.append(best_over(f1, answer, example.answers))
        else:
            refused.append(float(not spans or spans[0].margin < 0))
    return Figures(source, tuple(em), tuple(words), tuple(refused))


def written(figures: Sequence[Figures]) -> str:
    """Write figures as a Markdown table, percentages; the last line is of all questions together."""
    together = Figures(
        "all",
        tuple(value for one in figures for value in one.em),
        tuple(value for one in figures for value in one.f1),
        tuple(value for one in figures for value in one.refused),
    )
    return table(_HEADER, [_row(one) for one in (*figures, together)])


def _row(one: Figures) -> tuple[str, ...]:
    counts = str(len(one.em)), str(len(one.refused))
    return one.source, counts[0], _percent(one.em), _percent(one.f1), counts[1], _percent(one.refused)


def _percent(values: Sequence[float]) -> str:
    average = mean(values)
    return "–" if average is None else f"{100 * average:.1f}"
