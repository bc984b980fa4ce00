"""Writes the figures of the experiments: one JSON file each, and one page with the tables of all that are there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...reports.tables import table
from ...support import write_whole

__all__ = ["page", "write"]

_TITLE = "# SMART: trees of several perspectives, measured"


def write(out: Path, name: str, figures: Sequence[dict[str, Any]]) -> Path:
    """Write an experiment's figures into a folder, and its page ``evaluation-smart.md`` anew; returns the page."""
    write_whole(out / f"smart-{name}.json", json.dumps(list(figures), indent=1) + "\n")
    path = out / "evaluation-smart.md"
    write_whole(path, page(out))
    return path


def page(out: Path) -> str:
    """Return the page of all experiments whose figures are in a folder."""
    parts = [_TITLE]
    for name, section in _SECTIONS.items():
        file = out / f"smart-{name}.json"
        if file.is_file():
            parts.append(section(json.loads(file.read_text(encoding="utf-8"))))
    return "\n\n".join(parts) + "\n"


def _planted(rows: list[dict[str, Any]]) -> str:
    systems = ("smart", "smart at λ=0", "leiden")
    body = [
        [name, *(_mean([row[name][figure] for row in rows]) for figure in ("a", "b", "nmi")),
         f"{min(row[name]['a'] for row in rows):.3f}", f"{min(row[name]['b'] for row in rows):.3f}"]
        for name in systems
    ]  # fmt: skip
    better, other = (_mean([row["leiden, one run"][which] for row in rows]) for which in ("better", "other"))
    return _section(
        "Two planted partitions",
        f"1,000 nodes, two independent partitions of four blocks, {_seeds(rows)} (`python -m multicube.evals smart "
        f"planted --first {rows[0]['seed']}`). Two trees of each system, each given the partition that fits best; "
        "Leiden's are the least similar pair of five runs. One run of Leiden finds one of the two: ARI "
        f"{better} with that, {other} with the other.",
        ["system", "ARI with A", "ARI with B", "NMI between trees", "lowest A", "lowest B"], body,
    )  # fmt: skip


def _hierarchy(rows: list[dict[str, Any]]) -> str:
    body = [
        [name, _mean([row[name]["fine"] for row in rows]), _mean([row[name]["coarse"] for row in rows]),
         f"{min(row[name]['fine'] for row in rows):.3f}"]
        for name in ("smart", "leiden")
    ]  # fmt: skip
    return _section(
        "A planted hierarchy",
        f"1,000 nodes, four blocks of four blocks, {_seeds(rows)} (`python -m multicube.evals smart hierarchy "
        f"--first {rows[0]['seed']}`).",
        ["system", "fine ARI", "coarse ARI", "lowest fine"], body,
    )  # fmt: skip


def _real(rows: list[dict[str, Any]]) -> str:
    found = rows[-1]
    levels = range(1, len(found["levels"]) + 1)
    body = [
        [tree["tree"], " / ".join(map(str, tree["communities"])), *(f"{q:.3f}" for q in tree["modularity"]),
         f"{tree['entropy']:.3f}"]
        for tree in found["trees"]
    ]  # fmt: skip
    between = [[name, *(f"{value:.3f}" for value in values)] for name, values in found["nmi"].items()]
    said = (
        f"{found['nodes']:,} entities and {found['edges']:,} pairs of them that facts tie; "
        f"{found['seconds']:.0f} seconds for {len(found['losses'])} restarts, after {found['read_s']:.0f} for making "
        f"the graph and embedding its texts; {found['peak_mb']:.0f} MB at most "
        "(`python -m multicube.evals smart real KB`). Levels are given finest first; entropy is H^T(G) in nats."
    )
    head = ["tree", "communities", *(f"modularity, level {m}" for m in levels), "structural entropy"]
    trees = _section("A real graph of entities", said, head, body)
    return trees + "\n\n" + table(["NMI between trees", *(f"level {m}" for m in levels)], between)


def _heads(rows: list[dict[str, Any]]) -> str:
    body = [[str(r["heads"]), f"{r['modularity']:.3f}", f"{r['nmi']:.3f}"] for r in rows]
    chosen = f"--restarts {rows[0]['restarts']} --epochs {rows[0]['epochs']}"
    return _section(
        "How many trees",
        f"Table 4's ablation on the same graph (`python -m multicube.evals smart heads KB {chosen}`); lower NMI is "
        "more diverse.",
        ["trees", "average modularity", "average NMI"], body,
    )  # fmt: skip


def _heads_asked(rows: list[dict[str, Any]]) -> str:
    columns = ("modularity", "nmi", "words", "acc25", "acc50", "perspectives")
    body = [[str(r["heads"]), *(f"{r[column]:.3f}" for column in columns)] for r in rows]
    return _section(
        "How many trees, and their answers",
        "Table 4's ablation with the questions about [planted facts](evaluation-smart-facts.md) "
        "(`python -m multicube.evals smart heads KB --questions DIR`): answers are from passages and findings of the "
        "trees alone.",
        ["trees", "average modularity", "average NMI", "word coverage", "Acc@0.25", "Acc@0.5", "perspective coverage"],
        body,
    )  # fmt: skip


def _scaling(rows: list[dict[str, Any]]) -> str:
    body = [
        [f"{r['edges']:,}", f"{r['nodes']:,}", f"{r['seconds']:.1f}",
         f"{r['seconds_per_million_edges_and_epoch']:.1f}", f"{r['peak_mb']:.0f}"]
        for r in rows
    ]  # fmt: skip
    return _section(
        "Cost by edges",
        f"{rows[0]['epochs']} epochs of three trees on one thread, everything included "
        "(`python -m multicube.evals smart scaling`).",
        ["edges", "nodes", "processor seconds", "per million edges and epoch", "MB at most"], body,
    )  # fmt: skip


_SECTIONS = {
    "planted": _planted, "hierarchy": _hierarchy, "real": _real, "heads": _heads, "heads-asked": _heads_asked,
    "scaling": _scaling,
}  # fmt: skip


def _seeds(rows: Sequence[dict[str, Any]]) -> str:
    return f"{len(rows)} seeds, {rows[0]['seed']} to {rows[-1]['seed']}"


def _mean(values: Sequence[float]) -> str:
    return f"{np.mean(values):.3f}"


def _section(title: str, said: str, head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    return f"## {title}\n\n{said}\n\n{table(head, body)}"
