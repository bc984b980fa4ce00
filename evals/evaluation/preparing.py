"""What an evaluation takes besides its systems: data sets in the own layout, texts, an encoder, verdicts of a judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..datasets.dataset import Dataset
from ..datasets.formats.converting import prepared as converted
from ..metrics.judge import VerdictLog, judge_all, make_judge
from ..metrics.predictions import Prediction
from .scoring import Scoring, record_texts

if TYPE_CHECKING:
    from ...agent.engines.llm.engine import ModelOptions
    from ...cubes.core.encoding import Encoder
    from .options import EvalOptions

__all__ = ["JUDGEMENTS", "ScoringChoices", "by_meaning", "in_own_layout", "prepared"]

JUDGEMENTS = "judgements.jsonl"
"""The file of the judge's verdicts in an evaluation's folder."""


@dataclass(frozen=True, slots=True)
class ScoringChoices:
    """What is scored besides the figures that predictions alone give.

    ``semantic`` compares answers with gold ones by the ``encoder``; ``judge`` is the model that judges them, so many at
    a time as ``concurrency`` says.
    """

    semantic: bool = False
    encoder: str | Encoder | None = None
    judge: ModelOptions | None = None
    concurrency: int = 1


def prepared(
    scoring: Scoring,
    answered: Mapping[str, Sequence[Prediction]],
    dataset: Dataset,
    out: Path,
    wanted: ScoringChoices,
    say: Callable[[str], None],
) -> Scoring:
    """Return the scoring with what it takes, having asked the judge what it was not asked before.

    ``out`` is the evaluation's folder, where verdicts are kept; ``say`` is told what the judge cost. Raises ModelError
    where the judge cannot be asked; its verdicts so far are kept.
    """
    rows = [row for of in answered.values() for row in of]
    scoring = replace(scoring, texts=record_texts(dataset.corpus, rows), documents=len(dataset.corpus_ids))
    if wanted.semantic and scoring.answers:
        scoring = by_meaning(scoring, wanted.encoder)
    if wanted.judge is not None and scoring.answers:
        scoring = _judged(scoring, rows, out, wanted.judge, wanted.concurrency, say)
    return scoring


def by_meaning(scoring: Scoring, encoder: str | Encoder | None) -> Scoring:
    """Return the scoring with an encoder; it is loaded now."""
    from ...agent.engines.encoders.factory import encoder_factory

    made = encoder_factory(encoder)()
    return replace(scoring, encode=made.encode, encoder=made.fingerprint)


def _judged(
    scoring: Scoring,
    rows: Sequence[Prediction],
    out: Path,
    model: ModelOptions,
    concurrency: int,
    say: Callable[[str], None],
) -> Scoring:
    from ...agent.app.settings import load_settings
    from ...agent.views.terminal import spent

    judge = make_judge(model, load_settings().cache_dir)
    try:
        verdicts = judge_all(judge, rows, VerdictLog(out / JUDGEMENTS), concurrency=concurrency)
    finally:
        if judge.client.usage.requests:
            say(f"The judge spent {spent(judge.client.usage)}.")
    return replace(scoring, judge=judge.label, verdicts=verdicts)


def in_own_layout(options: EvalOptions, say: Callable[[str], None]) -> EvalOptions:
    """Return the options with folders in the own layout in place of published data sets.

    The data set goes into ``OUT/dataset``, others that are merged or asked into ``OUT/others/NAME``, each into one of
    its own. Raises UsageError for what is missing, InputError for what cannot be read.
    """
    taken: dict[str, str] = {}

    def other(path: str | Path) -> Path:
        name = Path(path).name
        while taken.setdefault(name, str(path)) != str(path):
            name += "-2"
        return converted(path, options.out / "others" / name, None, options.download, say)

    return replace(
        options,
        dataset=converted(options.dataset, options.out / "dataset", options.format, options.download, say),
        corpus=tuple(map(other, options.corpus)),
        refusals=tuple(map(other, options.refusals)),
    )
