"""The questions of the look-alike benchmark as records: what is asked, what is right, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints

from ....cubes.core.errors import InputError
from ...datasets.dataset import Question, required_file

__all__ = ["KINDS", "GoldSection", "LookalikeQuestion", "read_questions"]

KINDS = (
    "single_choice",
    "multiple_choice",
    "judgement",
    "fill_in",
    "descriptive",
    "comparison",
    "summary",
    "calculation",
    "crossing",
    "table",
    "figure",
)
"""HiQA's Table 4, and questions that ask for a figure (A.3)."""


class GoldSection(BaseModel):
    """A place that has to be read to answer: its document, the headings above it, and exactly what stands there.

    ``quote`` is a paragraph, a point of a list, a figure's caption, or a row of a table with " | " between its cells.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    document: Annotated[str, StringConstraints(min_length=1)]
    path: tuple[str, ...]
    quote: Annotated[str, StringConstraints(min_length=1)]


class LookalikeQuestion(Question):
    """A question of the benchmark; ``answers``, ``type`` and ``supporting`` are those of every data set.

    ``options`` are those of a choice, also written out in the question. ``blanks`` are the accepted fillings of each
    blank, where there are several. ``keys`` are the values that a text has to name. ``unit`` is a number's unit.
    ``figure`` is the caption of the figure asked for. ``named`` says how the products are named: by part number,
    nickname or series.
    """

    answers: tuple[str, ...]
    options: Mapping[str, str] = {}
    gold_sections: tuple[GoldSection, ...] = ()
    blanks: tuple[tuple[str, ...], ...] = ()
    keys: tuple[str, ...] = ()
    unit: str = ""
    figure: str = ""
    named: str = "part"

    def line(self) -> dict[str, Any]:
        """The record as it is written, without what is empty."""
        kept = ("id", "question", "answers", "type")
        return {name: value for name, value in self.model_dump(mode="json").items() if name in kept or value}


def read_questions(folder: Path) -> tuple[LookalikeQuestion, ...]:
    """Read ``questions.jsonl`` of a generated folder; UsageError without one, InputError for a broken line."""
    path = required_file(folder, "questions.jsonl")
    found = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        try:
            found.append(LookalikeQuestion.model_validate_json(line))
        except ValueError as error:
            raise InputError(f"{path}:{number}: this is no question of the benchmark; generate it anew.") from error
    return tuple(found)
