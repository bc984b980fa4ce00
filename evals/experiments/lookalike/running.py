"""The benchmark as one run: documents ingested, every variant ranked and read, every table and figure of the paper.

A run that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....agent.engines.encoders.factory import encoder_factory
from ....cubes.store.catalog import CATALOG_FILE, Catalog
from ...datasets.dataset import Dataset
from ...evaluation.asking import ask_all
from ...evaluation.building import build
from ...evaluation.options import EvalOptions
from ...evaluation.progress import Silent, Watcher
from ...evaluation.workspace import Workspace, fingerprint_parts
from ...generators.lookalike.questions import LookalikeQuestion, read_questions
from .ablation import accuracy_figures, adequacy_figures, pools_of, rank_all, rank_figures
from .arms import ARMS, Arm, MemoEncoder, make_arm
from .cohesion import cohesion_figures, embedded, table_effect
from .outlines import documents_in
from .page import markdown
from .pictures import draw
from .reading import BUDGETS, ArmSystem, WholeSystem
from .segments import Library

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube
    from ....cubes.core.encoding import Encoder
    from ....graphs.reasoner import Reasoner
    from ...metrics.predictions import Prediction

__all__ = ["GROWTH", "LookalikeOptions", "run"]

GROWTH = (1, 5, 10, 20, 40)
"""Among how many documents Figure 2's questions are asked."""

_HIQA, _PLAIN = "HCA", "fixed chunks, vector only"


@dataclass(frozen=True, slots=True)
class LookalikeOptions:
    """What to run: the generated folder, where results go, the encoder, and where pictures go (None: into ``out``)."""

    folder: Path
    out: Path
    encoder: str | Encoder | None = None
    pictures: Path | None = None
    seed: int = 0


@dataclass(frozen=True)
class _Bench:
    """What every measurement needs."""

    questions: Sequence[LookalikeQuestion]
    library: Library
    arms: Mapping[str, Arm]
    encoder: Encoder
    kb: MultiCube
    workspace: Workspace
    kept: list[Prediction]
    watch: Watcher
    seed: int

    @property
    def reasoner(self) -> Reasoner:
        """The engine that reads."""
        return self.kb.reasoner

    def ask(
        self, system: ArmSystem | WholeSystem, questions: Sequence[LookalikeQuestion] | None = None
    ) -> list[Prediction]:
        """Ask a variant what neither this run nor an earlier one has answered yet."""
        asked = self.questions if questions is None else questions
        rows = ask_all([system], asked, self.workspace.log, kept=self.kept, watcher=self.watch)[system.name]
        self.kept.extend(rows)
        return rows


def run(options: LookalikeOptions, watcher: Watcher | None = None) -> dict[str, Any]:
    """Run the benchmark, write ``results.json``, ``predictions.jsonl`` and ``report.md`` into ``out``, return results.

    Raises UsageError for a folder that was not generated, InputError where nothing could be ingested.
    """
    from ....agent.app.facade import MultiCube

    watch = watcher or Silent()
    questions, files = read_questions(options.folder), documents_in(options.folder)
    workspace = Workspace(options.out)
    with workspace.locked():
        encoder = options.encoder if isinstance(options.encoder, str | None) else options.encoder.fingerprint
        dataset = _dataset(options.folder, questions, files)
        parts = fingerprint_parts(dataset, engine="embedded", labels="own", encoder=encoder)
        if note := workspace.begin(parts):
            watch.say(note)
        build(dataset, workspace, EvalOptions(options.folder, options.out, encoder=options.encoder), watch)
        with MultiCube.open(workspace.kb, encoder=options.encoder, engine="embedded") as kb:
            bench = _bench(options, kb, questions, workspace, watch)
            results = _measured(bench, files)
            draw(embedded(bench.library, bench.encoder), options.pictures or options.out, seed=options.seed)
        workspace.write("results.json", json.dumps(results, indent=2, ensure_ascii=False) + "\n")
        workspace.write("report.md", markdown(results))
    return results


def _dataset(folder: Path, questions: Sequence[LookalikeQuestion], files: Sequence[Path]) -> Dataset:
    """The benchmark as a data set, for what a rerun may go on with; its corpus are the files."""
    corpus = hashlib.blake2b(digest_size=16)
    for path in files:
        corpus.update(path.name.encode() + b"\0" + path.read_bytes())
    asked = hashlib.blake2b((folder / "questions.jsonl").read_bytes(), digest_size=16).hexdigest()
    ids = frozenset(path.stem for path in files)
    return Dataset(
        folder.resolve().name, folder, tuple(questions), len(questions), ids, corpus.hexdigest(), asked,
        merged=folder / "documents",
    )  # fmt: skip


def _bench(
    options: LookalikeOptions,
    kb: MultiCube,
    questions: Sequence[LookalikeQuestion],
    workspace: Workspace,
    watch: Watcher,
) -> _Bench:
    with closing(Catalog.open(workspace.kb / CATALOG_FILE)) as catalog:
        documents = [catalog.document(document.id) for document in kb.kb.documents()]
    library = Library({document.record_id: document for document in documents}, kb.kb.sections())
    encoder = MemoEncoder(encoder_factory(options.encoder)())
    weights = _weights(kb)
    arms = {spec.name: make_arm(spec, library, encoder, weights) for spec in ARMS}
    return _Bench(
        questions, library, arms, encoder, kb, workspace, workspace.kept(), watch, options.seed
    )


def _weights(kb: MultiCube) -> tuple[float, float]:
    """The α and β that the knowledge base's own retriever uses."""
    found = kb.kb.retriever.hiqa("anything", k=1).hits
    parts = found[0].parts if found else None
    assert parts is not None
    return parts.alpha, parts.beta


def _measured(bench: _Bench, files: Sequence[Path]) -> dict[str, Any]:
    alpha, beta = bench.arms[_HIQA].weights
    return {
        "documents": len(files),
        "formats": {suffix: sum(f.suffix == suffix for f in files) for suffix in sorted({f.suffix for f in files})},
        "questions": len(bench.questions),
        "alpha": round(alpha, 4),
        "beta": round(beta, 4),
        "encoder": bench.encoder.fingerprint,
        "arms": _ablation(bench),
        "whole": accuracy_figures(bench.questions, bench.ask(WholeSystem(bench.kb)), seed=bench.seed),
        "budgets": _budgets(bench),
        "growth": _growth(bench),
        "tables": table_effect(bench.library, bench.questions, bench.encoder),
        "cohesion": cohesion_figures(
            embedded(bench.library, bench.encoder), bench.library, bench.questions, bench.encoder
        ),
        "ingest": bench.workspace.ingest.model_dump() if bench.workspace.ingest is not None else None,
    }


def _ablation(bench: _Bench) -> dict[str, Any]:
    answered = {name: bench.ask(ArmSystem(arm, bench.reasoner)) for name, arm in bench.arms.items()}
    rated = adequacy_figures(bench.questions, answered)
    return {
        name: {
            "paper": arm.spec.paper,
            "segments": len(arm.segments),
            "lri": rank_figures(rank_all(arm, bench.library, bench.questions), seed=bench.seed),
            **accuracy_figures(bench.questions, answered[name], seed=bench.seed),
            "adequacy": rated[name],
        }
        for name, arm in bench.arms.items()
    }


def _budgets(bench: _Bench) -> dict[str, Any]:
    """Accuracy as the context grows (Table 7's manner)."""
    return {
        name: {
            str(budget): accuracy_figures(
                bench.questions, bench.ask(ArmSystem(bench.arms[name], bench.reasoner, budget)), seed=bench.seed
            )
            for budget in BUDGETS
        }
        for name in (_HIQA, _PLAIN)
    }


def _growth(bench: _Bench) -> dict[str, Any]:
    """Questions about one document, asked among more and more others (Figure 2)."""
    questions = [question for question in bench.questions if len(question.supporting) == 1]
    documents = sorted(bench.library.documents)
    found: dict[str, Any] = {"questions": len(questions)}
    for name in (_HIQA, _PLAIN):
        found[name] = {}
        for size in sorted({min(size, len(documents)) for size in GROWTH}):
            whole = size == len(documents)
            pools = {} if whole else pools_of(questions, documents, size, seed=bench.seed)
            system = ArmSystem(bench.arms[name], bench.reasoner, pools=pools, among=None if whole else size)
            ranked = rank_all(bench.arms[name], bench.library, questions, pools)
            found[name][str(size)] = {
                "lri": rank_figures(ranked, seed=bench.seed),
                **accuracy_figures(questions, bench.ask(system, questions), seed=bench.seed),
            }
    return found
