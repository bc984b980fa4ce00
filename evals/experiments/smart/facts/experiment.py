"""The experiment: build a corpus's knowledge base, ask every arm, and write the figures and their page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .....agent.app.facade import MultiCube
from .....agent.engines.encoders.factory import encoder_factory
from .....cubes.knowledge.base import KnowledgeBase
from ....generators.facts.writing import read_questions, write_facts
from ....support import write_whole
from .arms import Arm, Bench
from .measuring import against, measured, summed_up
from .page import page

__all__ = ["EXPLICIT", "LEIDEN", "SMART", "run"]

SMART, EXPLICIT, LEIDEN = "SMART", "explicit (hybrid)", "Leiden"
_HEADS = (1, 2, 5)
Watch = Callable[[str], None]


def run(out: Path, seed: int, watch: Watch, *, ablation: bool = True, told: Path | None = None) -> Path:
    """Run the experiment on the corpus of a seed, in a folder of its own, and write the page of all seeds' figures.

    Every answer with its scores is written to ``told``, a file of JSON lines. ``ablation`` adds what holds it back:
    numbers of trees, features, levels, shares of the context, and the true groups as trees.
    """
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "facts"
        passages = write_facts(folder, seed)
        MultiCube.build([folder / "corpus.jsonl"], Path(scratch) / "kb").close()
        with KnowledgeBase.open(Path(scratch) / "kb", encoder=encoder_factory(None)) as kb:
            bench = Bench(kb, folder)
            network = bench.graph.network
            questions, answers = read_questions(folder), dict[str, list[dict[str, Any]]]()
            for arm in _arms(bench, ablation):
                answers[arm.name] = list(measured(bench, arm, questions))
                watch(f"seed {seed}, {arm.name}: {_told(answers[arm.name])}")
    figures = {
        "seed": seed, "passages": passages, "entities": network.size, "pairs": network.edges,
        "systems": [summed_up(rows) for rows in answers.values()],
        "gains": [
            {"against": name, **against(answers[SMART], answers[name], figure)}
            for name in (EXPLICIT, LEIDEN, f"{LEIDEN}, whole reports") for figure in ("perspectives", "words")
        ],
    }  # fmt: skip
    write_whole(out / f"smart-facts-{seed}.json", json.dumps(figures, indent=1) + "\n")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for rows in answers.values() for row in rows)
    if told is not None:
        write_whole(told, lines)
    path = out / "evaluation-smart-facts.md"
    write_whole(path, page(out))
    return path


def _arms(bench: Bench, ablation: bool) -> Iterator[Arm]:
    """The arms in the order of the page; trees are learnt when it is their turn."""
    for mode in ("hybrid", "bm25", "dense"):
        yield bench.explicit(mode)
    leiden, learnt = bench.leiden(), bench.learnt(3)
    yield bench.whole_reports(f"{LEIDEN}, whole reports", leiden)
    yield bench.smart(LEIDEN, leiden, counting=False)
    yield bench.smart(SMART, learnt)
    yield bench.smart("SMART, trees alone", learnt, counting=False)
    if not ablation:
        return
    yield bench.smart("counting of those asked about alone", learnt, recalling=False)
    yield bench.smart("Leiden, with the counting", leiden)
    yield bench.smart("two Leiden trees, least similar of five", bench.leiden(2), counting=False)
    yield bench.smart("trees alone, true groups", bench.planted(), counting=False)
    for count in _HEADS:
        yield bench.smart(f"trees alone, κ = {count}", bench.learnt(count), counting=False)
    yield bench.smart("trees alone, without text features", bench.learnt(3, texts=False), counting=False)
    yield bench.smart("trees alone, one level", bench.learnt(3, depth=1), counting=False)
    for share in (0.25, 0.75):
        yield bench.smart(f"trees alone, {share:.0%} of the context", learnt, share=share, counting=False)


def _told(rows: Sequence[dict[str, Any]]) -> str:
    found = summed_up(rows)["overall"]
    return ", ".join(f"{figure} {found[figure]['mean']:.3f}" for figure in ("perspectives", "words"))
