"""Questions of several perspectives that a language model makes from the documents of a data set (SMART, section 5)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from ....agent.engines.llm.client import ModelClient
from ....agent.engines.llm.errors import UNUSABLE
from ....agent.engines.llm.replies.quotations import find
from ....agent.engines.llm.replies.schemas import PerspectiveQuestion
from ....cubes.core.encoding import Encoder
from ....prompts import Prompt
from .asking import Perspective, Question
from .people import MOST

__all__ = ["groups", "made"]

Record = Mapping[str, Any]
_TOGETHER = 3
"""Documents of one question."""
_CHARS = 2_000
"""How much of a document the model sees."""


def groups(records: Sequence[Record], encoder: Encoder, count: int, seed: int) -> Iterator[list[Record]]:
    """Yield for each question a document drawn at random and those that are most like it."""
    vectors = np.asarray(encoder.encode([_text(record) for record in records]))
    for first in Random(seed).sample(range(len(records)), min(count, len(records))):
        near = np.argsort(-(vectors @ vectors[first]), kind="stable")
        yield [records[n] for n in (first, *(n for n in near if n != first))][:_TOGETHER]


def made(client: ModelClient, prompt: Prompt, shown: Iterable[Sequence[Record]]) -> Iterator[Question]:
    """Yield the questions that a model makes of each group of documents, of one to four perspectives in turn.

    One whose reply cannot be used, or that its documents do not bear out (`_borne_out`), is left out.
    """
    for number, records in enumerate(shown):
        named = {f"d{n}": record for n, record in enumerate(records, 1)}
        lines = (json.dumps({"id": id, "text": _text(record)}, ensure_ascii=False) for id, record in named.items())
        filled = prompt.fill({"number": str(number % MOST + 1), "documents": "\n".join(lines)})
        try:
            said = client.ask("questions", filled, PerspectiveQuestion)
        except UNUSABLE:
            continue
        if _borne_out(said, named):
            yield Question(
                id=f"generated-{number + 1}", question=said.question, answers=[said.answer], type="generated",
                count=len(said.perspectives), supporting=[str(record["id"]) for record in records],
                perspectives=[Perspective(kind=one.kind, keys=[one.phrase]) for one in said.perspectives],
            )  # fmt: skip


def _borne_out(said: PerspectiveQuestion, named: Mapping[str, Record]) -> bool:
    """Whether all documents are rested on, and each phrase stands in its documents and the answer, not the question."""
    rested = {id for one in said.perspectives for id in one.documents}
    return rested == named.keys() and len(said.perspectives) <= MOST and all(
        find(one.phrase, said.answer)
        and not find(one.phrase, said.question)
        and any(find(one.phrase, _text(named[id])) for id in one.documents)
        for one in said.perspectives
    )  # fmt: skip


def _text(record: Record) -> str:
    return f"{record.get('title', '')}\n{record.get('text', '')}".strip()[:_CHARS]
