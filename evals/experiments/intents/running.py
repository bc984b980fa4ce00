"""The benchmark as one run: the corpus generated and ingested, every arm asked, and the sweeps of Figures 6 and 7."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from ....cubes.core.errors import UsageError
from ...evaluation.runner import Silent, Watcher
from ...generators.intents.generating import QUESTIONS, generate
from ...generators.intents.worlds import FAR
from ...support import write_whole
from .arms import ARMS, HQG, LOOP, SINGLE, Answered, Arm, arms
from .cost import cost
from .measuring import IntentsQuestion, Scores, ahead, figures, score
from .page import markdown

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube
    from ....cubes.core.encoding import Encoder

__all__ = ["RRF_KS", "TOP_KS", "IntentsOptions", "run"]

RRF_KS = (40, 50, 60, 70)
TOP_KS = (5, 10, 15)
_SWEPT = (SINGLE, LOOP, HQG)
_TOP_K, _RRF_K = 10, 60


@dataclass(frozen=True, slots=True)
class IntentsOptions:
    """What to run: the seed of the corpus, where everything goes, how many questions, which arms, and whether to sweep.

    ``limit`` asks the first questions only, of the whole corpus; ``questions`` is how many the corpus is made for, and
    ``far`` the share of its facts that are worded without the words of questions.
    """

    seed: int
    out: Path
    limit: int | None = None
    names: Sequence[str] = ARMS
    sweeps: bool = True
    encoder: str | Encoder | None = None
    questions: int = QUESTIONS
    far: float = FAR


def run(options: IntentsOptions, watcher: Watcher | None = None) -> dict[str, Any]:
    """Write the corpus, ``results.json``, ``answers.jsonl`` and ``report.md`` into ``out``, and return the results.

    Raises UsageError for an arm that is not there, or a folder that holds something else.
    """
    from ....agent.app.facade import MultiCube
    from ....agent.engines.encoders.factory import encoder_factory

    watch = watcher or Silent()
    if options.sweeps and not set(_SWEPT) <= set(options.names):
        raise UsageError(f"The sweeps need the arms {'; '.join(_SWEPT)}; name them, or give --no-sweeps.")
    unknown = [name for name in options.names if name not in ARMS]
    if unknown:
        raise UsageError(f'There is no arm "{unknown[0]}"; choose from {"; ".join(ARMS)}.')
    data = options.out / f"data-{options.seed}"
    generate(data, seed=options.seed, questions=options.questions, far=options.far)
    encoder = encoder_factory(options.encoder)()
    kb_folder = options.out / f"kb-{options.seed}"
    with (
        MultiCube.build([data / "corpus.jsonl"], kb_folder, engine="embedded", encoder=encoder) as kb,
        (options.out / "answers.jsonl").open("w", encoding="utf-8") as log,
    ):
        results = _Bench(kb, encoder, _questions(data, options.limit), watch, log).results(options)
    write_whole(options.out / "results.json", json.dumps(results, indent=2, ensure_ascii=False) + "\n")
    write_whole(options.out / "report.md", markdown(results))
    return results


class _Bench:
    """Asks arms, and writes down what they answered."""

    def __init__(
        self, kb: MultiCube, encoder: Encoder, questions: Sequence[IntentsQuestion], watch: Watcher, log: TextIO
    ) -> None:
        self._kb, self._encoder, self._questions, self._watch, self._log = kb, encoder, questions, watch, log

    def results(self, options: IntentsOptions) -> dict[str, Any]:
        kinds = [question.type for question in self._questions]
        scores = self._ask({arm.name: arm for arm in arms() if arm.name in options.names})
        swept = self._swept(scores, kinds) if options.sweeps else {}
        self._watch.say("Measuring what a look-up costs ...")
        spent = cost(self._kb, [question.question for question in self._questions])
        return {
            "seed": options.seed,
            "far": options.far,
            "questions": len(self._questions),
            "sections": len(self._kb.kb.sections()),
            "encoder": self._encoder.fingerprint,
            "machine": f"{platform.system()} {platform.machine()}",
            "arms": {name: figures(found, kinds) for name, found in scores.items()},
            "ahead": {
                name: ahead(scores[HQG], found) for name, found in scores.items() if name != HQG and HQG in scores
            },
            "sweeps": swept,
            "cost": asdict(spent) if spent is not None else None,
        }

    def _swept(self, scores: Mapping[str, list[Scores]], kinds: Sequence[str]) -> dict[str, Any]:
        """Figures for each constant of the fusion, and each depth; what the defaults gave is there already."""
        rrf = {f"{HQG}, rrf_k {k}": _arm(HQG, rrf_k=k) for k in RRF_KS if k != _RRF_K}
        top = {f"{name}, top_k {k}": _arm(name, top_k=k) for name in _SWEPT for k in TOP_KS if k != _TOP_K}
        found = {**self._ask({**rrf, **top}), **scores}
        return {
            "rrf_k": {k: figures(found.get(f"{HQG}, rrf_k {k}") or found[HQG], kinds) for k in RRF_KS},
            "top_k": {
                k: {n: figures(found.get(f"{n}, top_k {k}") or found[n], kinds) for n in _SWEPT} for k in TOP_KS
            },
        }

    def _ask(self, asked: Mapping[str, Arm]) -> dict[str, list[Scores]]:
        """Ask all arms each question in turn, so that they share what was read of a section."""
        found: dict[str, list[Scores]] = {name: [] for name in asked}
        for number, question in enumerate(self._questions, start=1):
            for name, arm in asked.items():
                found[name].append(self._scored(arm, question, name))
            self._watch.say(f"{number} of {len(self._questions)} questions, {len(asked)} arms")
        return found

    def _scored(self, arm: Arm, question: IntentsQuestion, name: str) -> Scores:
        answered = arm.answer(self._kb, question.question)
        found = score(question, answered, self._encoder)
        self._log.write(json.dumps(_line(name, question, answered, found), ensure_ascii=False) + "\n")
        self._log.flush()
        return found


def _arm(name: str, *, top_k: int = _TOP_K, rrf_k: int = _RRF_K) -> Arm:
    return next(arm for arm in arms(top_k, rrf_k) if arm.name == name)


def _questions(folder: Path, limit: int | None) -> list[IntentsQuestion]:
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [IntentsQuestion.model_validate_json(line) for line in lines[:limit]]


def _line(name: str, question: IntentsQuestion, answered: Answered, found: Scores) -> Mapping[str, Any]:
    return {
        "arm": name,
        "id": question.id,
        "question": question.question,
        **asdict(found),
        "gold": question.rows,
        "columns": answered.columns,
        "rows": answered.rows,
        "queries": answered.queries,
        "retrieved": [e.record_id for e in answered.sections],
        "supporting": question.supporting,
    }

