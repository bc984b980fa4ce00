"""A language model as judge of answers: correct and complete, 0 or 1 each (Hypercube-RAG 4.3, appendix B).

The judge sees the question, the gold answer and the predicted one (prompt ``judge``), never which system gave it. Only
answers are judged: a failed or refused question is neither correct nor complete, without asking, and one whose data set
gives no answer is not judged. Verdicts are kept, so that nothing is paid for twice.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from ...agent.engines.llm.errors import ContextLengthError, RefusalError, ReplyError
from ...agent.engines.llm.replies.schemas import Judgement
from ...cubes.core.errors import UsageError
from ..support import RowLog
from .predictions import Prediction

if TYPE_CHECKING:
    from ...agent.engines.llm.client import ModelClient
    from ...agent.engines.llm.cost.limits import Caps
    from ...agent.engines.llm.engine import ModelOptions
    from ...prompts import Prompt

__all__ = [
    "Judge",
    "Verdict",
    "VerdictLog",
    "Verdicts",
    "judge_all",
    "judge_options",
    "make_judge",
    "needs_judging",
    "verdicts_of",
]

STAGE = "judge"
Verdicts = Mapping[tuple[str, str], "Verdict"]
"""By system and question id."""


class Verdict(BaseModel):
    """What the judge says of one answer; None and an ``error`` where its reply could not be used.

    ``judge`` names the model and the prompt's version, ``asked`` marks them with the question, gold and answer shown.
    ``system`` is one that gave this answer.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    system: str
    id: str
    judge: str
    asked: str
    correct: bool | None = None
    complete: bool | None = None
    explanation: str = ""
    error: str = ""


class VerdictLog(RowLog[Verdict]):
    """``judgements.jsonl``: a line per verdict."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, Verdict)


class Judge:
    """Asks a model for verdicts."""

    def __init__(self, client: ModelClient, prompt: Prompt) -> None:
        self.client = client
        self._prompt = prompt

    @property
    def label(self) -> str:
        """The model and the version of the prompt, as results name them."""
        return f"{self.client.label}, prompt {self._prompt.name} {self._prompt.fingerprint}"

    def verdict(self, row: Prediction) -> Verdict:
        """Judge one answer.

        A reply that cannot be used, also when asked again, and a refusal are this answer's alone: the verdict has their
        sentence. Any other ModelError is raised, for the next answer would meet it as well.
        """
        values = {"question": row.question, "gold_answer": _golds(row), "predicted_answer": row.answer}
        named = {"system": row.system, "id": row.id, "judge": self.label, "asked": _mark(self.label, row)}
        try:
            said = self.client.ask(STAGE, self._prompt.fill(values), Judgement)
        except (ContextLengthError, RefusalError, ReplyError) as error:
            return Verdict(**named, error=str(error))
        return Verdict(
            **named, correct=bool(said.correctness), complete=bool(said.completeness), explanation=said.explanation
        )


def make_judge(options: ModelOptions, cache_dir: Path) -> Judge:
    """Return the judge that a model makes: ``options.model``, within ``options.total_caps``.

    What the endpoint can do is remembered in ``cache_dir``. Raises UsageError for a model or prompts that cannot be
    used.
    """
    from ...agent.engines.llm.client import ModelClient
    from ...agent.engines.llm.cost.prices import Prices
    from ...agent.engines.llm.engine import load_prompts
    from ...agent.engines.llm.transport.structured import ModeMemory

    library = load_prompts(options.prompts)
    client = ModelClient(
        options.models().reason, modes=ModeMemory(cache_dir / "endpoints.json"), caps=options.total_caps,
        prices=Prices.load(), repair=library["repair"],
    )  # fmt: skip
    return Judge(client, library["judge"])


def judge_options(named: str | None, model: ModelOptions | None, caps: Caps) -> ModelOptions:
    """Return the model that judges, within ``caps``: the one named, else the one that thinks or is configured.

    Raises UsageError where there is none, or for words that name none.
    """
    from ...agent.engines.llm.engine import ModelOptions, checked, model_options

    if named:
        return checked(ModelOptions(named, prompts=model.prompts if model is not None else None, total_caps=caps))
    chosen = model or model_options()
    if chosen is None:
        raise UsageError("--judge needs a model: name one with --judge-model NAME, or set MULTICUBE_JUDGE_MODEL.")
    return checked(replace(chosen, total_caps=caps))


def needs_judging(row: Prediction) -> bool:
    """Whether there is an answer to be judged, and a gold answer to judge it by."""
    return row.status == "answered" and bool(row.gold)


def judge_all(
    judge: Judge,
    predictions: Iterable[Prediction],
    log: VerdictLog,
    *,
    concurrency: int = 1,
    step: Callable[[Verdict], None] = lambda _: None,
) -> Verdicts:
    """Return a verdict for every answer that can be judged; those in the log are taken from there.

    Answers in the same words to the same question are judged once, whoever gave them. One without a usable verdict is
    asked again by the next run. Raises ModelError; what was judged by then is in the log.
    """
    rows = [row for row in predictions if needs_judging(row)]
    known = {verdict.asked for verdict in log.read() if verdict.correct is not None}
    marked = {_mark(judge.label, row): row for row in rows}
    lock = threading.Lock()

    def judged(row: Prediction) -> None:
        verdict = judge.verdict(row)
        with lock:
            log.append(verdict)
            step(verdict)

    waiting = [row for mark, row in marked.items() if mark not in known]
    if concurrency == 1:
        for row in waiting:
            judged(row)
    else:
        pool = ThreadPoolExecutor(max_workers=concurrency)
        try:
            list(pool.map(judged, waiting))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    return verdicts_of(judge.label, rows, log)


def verdicts_of(judge: str, predictions: Iterable[Prediction], log: VerdictLog) -> Verdicts:
    """Return what the log holds of a judge's verdicts on answers, by system and question; nothing is asked."""
    known: dict[str, Verdict] = {}
    for verdict in log.read():
        if verdict.correct is not None or verdict.asked not in known:
            known[verdict.asked] = verdict
    marked = {(row.system, row.id): _mark(judge, row) for row in predictions if needs_judging(row)}
    return {key: known[mark] for key, mark in marked.items() if mark in known}


def _mark(judge: str, row: Prediction) -> str:
    shown = (judge, row.question, _golds(row), row.answer)
    return hashlib.blake2b("\0".join(shown).encode(), digest_size=12).hexdigest()


def _golds(row: Prediction) -> str:
    """The gold answer, and in what other words it is accepted."""
    first, *others = dict.fromkeys(row.gold or ())
    return f"{first}\n(Also accepted: {'; '.join(others)})" if others else first
