"""Reading examples from questions about real documents: each with the section that its quotation stands in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from ....agent.app.facade import MultiCube
from ....cubes.core.records import Section
from ...experiments.realdocs.recipe import RealQuestion, corpora, questions
from ..examples import Passage, reading_row, write_rows
from ..mixture import MANUALS

__all__ = ["write_manuals"]

_AROUND = 160  # characters beside a quotation in which a short answer is looked for
_BETWEEN = r"[\s*_`\"“”'’|\\-]{1,8}"
"""What may stand between the words of a phrase: white space, and marks of layout."""
_NEAR = 2  # sections that nothing in answers a question, taken for each question without an answer


def write_manuals(recipe: Path, kbs: Path, folder: Path) -> int:
    """Write ``folder/manuals.jsonl.gz`` in the layout of the reading data, and return how many rows it has.

    ``kbs`` holds a knowledge base of each corpus, as `realdocs run` leaves them.
    """
    rows = [row for corpus in corpora(recipe) for row in _of_corpus(questions(corpus.name, recipe), kbs / corpus.name)]
    write_rows(folder / f"{MANUALS}.jsonl.gz", rows)
    return len(rows)


def _of_corpus(asked: Sequence[RealQuestion], kb: Path) -> Iterator[dict[str, Any]]:
    with MultiCube.open(kb) as opened:
        sections = {s.id: s for s in opened.kb.sections()}
        for question in asked:
            run = opened.ask(question.question, save=False)
            found = [sections[e.section_id] for e in run.hops[0].evidence] if run.hops else []
            if not question.answerable:
                yield from (_row(question, section, "", -1) for section in found[:_NEAR])
                continue
            looked_at = chain(found, sections.values())
            held = ((s, place) for s in looked_at if (place := _answer_in(s.text, question)) is not None)
            section, (start, end) = next(held, (None, (0, 0)))
            if section is not None:
                yield _row(question, section, section.text[start:end], start)


def _answer_in(text: str, question: RealQuestion) -> tuple[int, int] | None:
    """Where a section answers a question: the short answer in or beside a quotation, else the quotation itself."""
    for phrase in question.quote:
        quoted = _found(text, phrase)
        if quoted is None:
            continue
        low, high = max(0, quoted[0] - _AROUND), quoted[1] + _AROUND
        for part in ((quoted[0], quoted[1]), (low, high)):
            for answer in question.answers:
                place = _found(text[part[0] : part[1]], answer)
                if place is not None and answer.lower() not in ("yes", "no"):
                    return part[0] + place[0], part[0] + place[1]
        return quoted
    return None


def _found(text: str, phrase: str) -> tuple[int, int] | None:
    words = [re.escape(word) for word in phrase.split()]
    if not words:
        return None
    found = re.search(rf"(?<!\w){_BETWEEN.join(words)}(?!\w)", text, re.IGNORECASE)
    return (found.start(), found.end()) if found is not None else None


def _row(question: RealQuestion, section: Section, answer: str, start: int) -> dict[str, Any]:
    passage = Passage(section.id, section.heading, section.text)
    return reading_row(question.id, question.question, passage, answer, start, question.kind, MANUALS)
