"""The error census: for each wrong question one cause, found after the fact from what the run left and the gold.

It is on the scoring side alone; no system ever sees any of it. The gold chain is walked as the loop should have gone:
the first section that was never retrieved, or the first intermediate answer that was never found, is the cause.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...cubes.core.folding import base_key, fold
from ..datasets.dataset import Question, corpus_records
from ..metrics.basic import best_over, f1, normalise
from ..metrics.measures import answer_scores
from ..metrics.predictions import Prediction

__all__ = [
    "CAUSES",
    "Fault",
    "GoldHop",
    "Library",
    "census",
    "fault_lines",
    "fault_of",
    "faults_of",
    "gold_hops",
    "read_library",
]

CAUSES = (
    "failed",
    "answered without an answer in the corpus",
    "right answer in other words",
    "no plan: asked as a whole, and refused",
    "gold section never retrieved",
    "chain broke: an answer on the way was not found",
    "refused though the answer's section was retrieved",
    "yes or no wrong",
    "comparison picked the other",
    "wrong span: the answer is in the retrieved text",
    "answer not in the words of the retrieved text",
)
(_FAILED, _UNANSWERABLE, _OTHER_WORDS, _NO_PLAN, _NEVER, _BROKE, _REFUSED, _YES_NO, _PICKED, _SPAN, _ABSENT) = CAUSES

_EXAMPLES = 3
_ALIKE = 0.5  # F1 from which an answer counts as the right one in other words
_WHOLE = 0.8  # share of a question's words from which a subquery counts as the question itself
_CLOSED = frozenset({"yes", "no"})

Library = Mapping[str, tuple[str, str]]
"""Title and text of corpus records by id: those that were retrieved or are gold."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a question is wrong, and at which hop, if that is known.

    It is counted in the gold chain or, where the engine refused with all sections at hand, in its own.
    """

    cause: str
    hop: int | None = None


@dataclass(frozen=True, slots=True)
class GoldHop:
    """One link of the gold chain: its passage, and the answer that a later hop needs (None of the last one)."""

    section: str | None
    bridge: str | None


def faults_of(
    predictions: Iterable[Prediction], questions: Mapping[str, Question], library: Library
) -> list[tuple[Prediction, Fault]]:
    """Return the wrong answers, each with its cause."""
    judged = ((row, fault_of(row, questions[row.id], library)) for row in predictions)
    return [(row, fault) for row, fault in judged if fault is not None]


def census(wrong: Sequence[tuple[Prediction, Fault]]) -> dict[str, Any]:
    """Count the causes of a system's wrong answers, with examples; ``wrong`` is their sum.

    ``asked_whole`` counts the wrong ones that were put to the passages as they are, without a plan.
    """
    grouped = {cause: [(row, fault) for row, fault in wrong if fault.cause == cause] for cause in CAUSES}
    return {
        "wrong": len(wrong),
        "asked_whole": sum(asked_whole(row) for row, _ in wrong),
        "causes": {cause: _entry(rows) for cause, rows in grouped.items() if rows},
    }


def fault_lines(wrong: Iterable[tuple[Prediction, Fault]]) -> str:
    """Write every wrong answer with its cause as a line of JSON, for reading them one by one."""
    rows = (
        {
            "system": row.system,
            "id": row.id,
            "cause": fault.cause,
            "hop": fault.hop,
            "question": row.question,
            "gold": row.gold,
            "answer": row.answer,
            "note": row.note,
            "subqueries": [f"{hop.subquery} -> {hop.answer}" for hop in row.hops],
        }
        for row, fault in wrong
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def read_library(corpus: Path, predictions: Iterable[Prediction]) -> Library:
    """Read the records that the census of these predictions looks at: what is gold, and what wrong ones retrieved."""
    wanted: set[str] = set()
    for row in predictions:
        if _is_wrong(row):
            wanted.update((*row.supporting, *_retrieved(row)))
    records = (record for record in corpus_records(corpus) if record["id"] in wanted)
    return {r["id"]: (str(r.get("title") or ""), str(r.get("text") or "")) for r in records}


def fault_of(row: Prediction, question: Question, library: Library) -> Fault | None:
    """Return why a question is wrong; None where it is right, or its answers are not known."""
    if not _is_wrong(row):
        return None
    if row.status == "failed":
        return Fault(_FAILED)
    if not row.gold:
        return Fault(_UNANSWERABLE)
    if row.status == "answered" and _alike(row.answer, row.gold):
        return Fault(_OTHER_WORDS)
    if row.status == "abstained" and asked_whole(row):
        return Fault(_NO_PLAN)
    return _on_the_way(row, question, library) or _at_the_end(row, library)


def _is_wrong(row: Prediction) -> bool:
    scores = answer_scores(row)
    return scores is not None and scores[0] < 1.0


def asked_whole(row: Prediction) -> bool:
    """Whether each subquery says nearly all that the question does, and fits no cube: it was not taken apart.

    Of a question that one passage answers, nothing is to be taken apart.
    """
    asked = set(fold(row.question).split())
    whole = all(
        not hop.components and len(asked & set(fold(hop.subquery).split())) >= _WHOLE * len(asked) for hop in row.hops
    )
    return whole and (len(row.supporting) != 1 or not row.hops)


def gold_hops(question: Question, library: Library) -> list[GoldHop]:
    """Return the gold chain of a question, from whichever form its data set has; nothing where it has none."""
    if isinstance(question.decomposition, Sequence) and question.decomposition:
        return _of_decomposition([part for part in question.decomposition if isinstance(part, Mapping)])
    triples = [t for t in question.evidences or () if isinstance(t, Sequence) and len(t) == 3]
    return [_of_triple(place, triples, question, library) for place in range(len(triples))]


def _entry(rows: Sequence[tuple[Prediction, Fault]]) -> dict[str, Any]:
    hops = sorted(fault.hop for _, fault in rows if fault.hop is not None)
    return {
        "count": len(rows),
        "by_hop": {str(hop): hops.count(hop) for hop in dict.fromkeys(hops)},
        "examples": [row.id for row, _ in rows[:_EXAMPLES]],
    }


def _on_the_way(row: Prediction, question: Question, library: Library) -> Fault | None:
    """The first place in the gold chain that the run did not reach."""
    seen = _retrieved(row)
    for number, hop in enumerate(gold_hops(question, library), start=1):
        if hop.section is not None and hop.section not in seen:
            return Fault(_NEVER, number)
        if hop.bridge is not None and not _found(hop.bridge, row):
            return Fault(_BROKE, number)
    missing = [one for one in row.supporting if one not in seen]
    return Fault(_NEVER, len(row.supporting) - len(missing) + 1) if missing else None


def _at_the_end(row: Prediction, library: Library) -> Fault:
    """Everything on the way was found; what went wrong is the answer itself."""
    if row.status == "abstained":
        return Fault(_REFUSED, next((hop.number for hop in row.hops if not (hop.answer or hop.answers)), None))
    if set(map(normalise, row.gold or ())) & _CLOSED:
        return Fault(_YES_NO)
    asked = normalise(row.question)
    if _within(normalise(row.answer), asked) and any(_within(normalise(gold), asked) for gold in row.gold or ()):
        return Fault(_PICKED)
    texts = [normalise(" ".join(library[one])) for one in _retrieved(row) if one in library]
    spelled = any(_within(normalise(gold), text) for gold in row.gold or () for text in texts)
    return Fault(_SPAN if spelled else _ABSENT)


def _of_decomposition(parts: Sequence[Mapping[str, Any]]) -> list[GoldHop]:
    """MuSiQue's form: single-hop questions with answer and passage."""
    return [
        GoldHop(
            str(part["supporting"]) if part.get("supporting") else None,
            str(part["answer"]) if part.get("answer") and place < len(parts) - 1 else None,
        )
        for place, part in enumerate(parts)
    ]


def _of_triple(place: int, triples: Sequence[Sequence[Any]], question: Question, library: Library) -> GoldHop:
    """2WikiMultiHopQA's form: the subject's passage; an object is needed later where it is a later subject."""
    subject, value = str(triples[place][0]), str(triples[place][2])
    titled = (one for one in question.supporting if one in library and _same_name(library[one][0], subject))
    later = any(_same_name(str(other[0]), value) for other in triples[place + 1 :])
    return GoldHop(next(titled, None), value if later else None)


def _same_name(left: str, right: str) -> bool:
    return fold(left) == fold(right) or base_key(left) == base_key(right)


def _retrieved(row: Prediction) -> dict[str, None]:
    """Everything that any hop saw, in order; what the ranking was filled up with afterwards nobody read."""
    return dict.fromkeys(one for hop in row.hops for one in hop.retrieved)


def _found(bridge: str, row: Prediction) -> bool:
    """Whether some hop gave this answer, in whatever words, or a subquery already speaks of it."""
    given = [answer for hop in row.hops for answer in (hop.answer, *hop.answers) if answer]
    if any(_alike(answer, (bridge,)) for answer in given):
        return True
    return any(_within(normalise(bridge), normalise(hop.subquery)) for hop in row.hops)


def _alike(answer: str, golds: Iterable[str]) -> bool:
    """Right but for the words: F1 of a half or more, or one within the other."""
    golds, said = tuple(golds), normalise(answer)
    if best_over(f1, answer, golds) >= _ALIKE:
        return True
    return any(_within(said, normalise(gold)) or _within(normalise(gold), said) for gold in golds)


def _within(part: str, whole: str) -> bool:
    return bool(part) and f" {part} " in f" {whole} "
