"""The benchmark as one run: the corpus generated and ingested, every arm asked, and the sweeps of Figures 6 and 7."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...cubes.errors import UsageError
from ..runner import Silent, Watcher
from .arms import ARMS, HQG, LOOP, SINGLE, Answered, Arm, arms
from .cost import Cost, cost
from .generating import generate
from .measuring import IntentsQuestion, Scores, ahead, figures, score
from .page import markdown

if TYPE_CHECKING:
    from ...agent.facade import MultiCube
    from ...cubes.encoding import Encoder

__all__ = ["RRF_KS", "TOP_KS", "IntentsOptions", "run"]

RRF_KS = (40, 50, 60, 70)
TOP_KS = (5, 10, 15)
_SWEPT = (SINGLE, LOOP, HQG)


@dataclass(frozen=True, slots=True)
class IntentsOptions:
    """What to run: the seed of the corpus, where everything goes, how many questions, which arms, and whether to sweep.

    ``limit`` asks the first questions only, of the whole corpus.
    """

    seed: int
    out: Path
    limit: int | None = None
    names: Sequence[str] = ARMS
    sweeps: bool = True
    encoder: str | Encoder | None = None


def run(options: IntentsOptions, watcher: Watcher | None = None) -> dict[str, Any]:
    """Write the corpus, ``results.json``, ``answers.jsonl`` and ``report.md`` into ``out``, and return the results.

    Raises UsageError for an arm that is not there, or a folder that holds something else.
    """
    from ...agent.encoders import encoder_factory
    from ...agent.facade import MultiCube

    watch = watcher or Silent()
    unknown = [name for name in options.names if name not in ARMS]
    if unknown:
        raise UsageError(f'There is no arm "{unknown[0]}"; choose from {"; ".join(ARMS)}.')
    data = options.out / f"data-{options.seed}"
    generate(data, seed=options.seed)
    encoder = encoder_factory(options.encoder)()
    kb_folder = options.out / f"kb-{options.seed}"
    with MultiCube.build([data / "corpus.jsonl"], kb_folder, engine="embedded", encoder=encoder) as kb:
        bench = _Bench(kb, encoder, _questions(data, options.limit), watch)
        results = bench.results(options)
    _write(options.out / "answers.jsonl", bench.lines)
    (options.out / "results.json").write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", "utf-8")
    (options.out / "report.md").write_text(markdown(results), "utf-8")
    return results


class _Bench:
    """Asks arms, and keeps what they answered."""

    def __init__(
        self, kb: MultiCube, encoder: Encoder, questions: Sequence[IntentsQuestion], watch: Watcher
    ) -> None:
        self._kb, self._encoder, self._questions, self._watch = kb, encoder, questions, watch
        self.lines: list[Mapping[str, Any]] = []

    def results(self, options: IntentsOptions) -> dict[str, Any]:
        kinds = [question.type for question in self._questions]
        scores = {arm.name: self._ask(arm) for arm in arms() if arm.name in options.names}
        swept = {}
        if options.sweeps:
            swept = {
                "rrf_k": {k: figures(self._ask(_arm(HQG, rrf_k=k), f"{HQG}, rrf_k {k}"), kinds) for k in RRF_KS},
                "top_k": {
                    k: {name: figures(self._ask(_arm(name, top_k=k), f"{name}, top_k {k}"), kinds) for name in _SWEPT}
                    for k in TOP_KS
                },
            }
        spent: Cost | None = cost(self._kb, [q.question for q in self._questions]) if HQG in scores else None
        return {
            "seed": options.seed,
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

    def _ask(self, arm: Arm, name: str = "") -> list[Scores]:
        self._watch.say(f"{name or arm.name} ...")
        return [self._scored(arm, question, name or arm.name) for question in self._questions]

    def _scored(self, arm: Arm, question: IntentsQuestion, name: str) -> Scores:
        answered = arm.answer(self._kb, question.question)
        found = score(question, answered, self._encoder)
        self.lines.append(_line(name, question, answered, found))
        return found


def _arm(name: str, *, top_k: int = 10, rrf_k: int = 60) -> Arm:
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


def _write(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
