"""The page of the planted-fact experiment: tables of all seeds whose figures are in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ....reports.tables import table

__all__ = ["page"]

_TITLE = """# SMART: facts that no passage states, measured

Invented people belong to hidden groups of five independent kinds (teacher, school, town, prize, company); each passage
tells one thing of one person, in varied words; what somebody is not in is not stated. Sixty questions of three forms
(what named people share, what a group shares that is named by one trait, with whom somebody shares what) need one to
four perspectives, fifteen each. All systems answer with the same engine (embedded) from 2,000 tokens of context, in at
most 200 tokens.

- *explicit*: passages alone.
- *Leiden*: half passages, half reports on Leiden communities of the same graph, in levels of the same sizes and by the
  same summariser, through SMART's own recall; *whole reports* as GraphRAG's local search has them.
- *SMART*: half passages, half what comprehensive retrieval adds: what those who are asked about share, counted on the
  graph, then the findings of the nodes above them in the trees. *Trees alone* leaves the counting out, as Leiden does.
- Perspective coverage: share of gold perspectives of which a key phrase is in the answer (for "with whom": the name of
  one who shares that trait and no other). Word coverage: share of the gold answer's words in the answer. Acc@t: share
  of answers of whose words at least t are in the gold answer. Context: perspective coverage of all that was read."""


def page(out: Path) -> str:
    """Return the page of all seeds whose figures are in a folder."""
    found = (json.loads(file.read_text(encoding="utf-8")) for file in sorted(out.glob("smart-facts-*.json")))
    return "\n\n".join([_TITLE, *(_of_seed(figures) for figures in found)]) + "\n"


def _of_seed(figures: dict[str, Any]) -> str:
    said = (
        f"{figures['passages']:,} passages, {figures['entities']:,} entities and {figures['pairs']:,} pairs that facts "
        f"tie (`python -m multicube.evals smart facts --seed {figures['seed']}`). Intervals: 95 %, bootstrap over "
        "questions."
    )
    systems = figures["systems"]
    return "\n\n".join([
        f"## Seed {figures['seed']}", said,
        table(["system", "perspectives", "words", "Acc@0.25", "Acc@0.5", "answer, characters", "context"],
               [_row(one) for one in systems]),
        table(
            ["perspective coverage", *systems[0]["by_count"], *systems[0]["by_type"]], [_by_count(s) for s in systems]
        ),
        table(["SMART against", "figure", "gain", "interval"], [_gain(one) for one in figures["gains"]]),
    ])  # fmt: skip


def _row(one: dict[str, Any]) -> list[str]:
    overall = one["overall"]
    low, high = overall["perspectives"]["interval"]
    cells = [f"{overall[figure]['mean']:.2f}" for figure in ("words", "acc25", "acc50")]
    spread = f"{overall['perspectives']['mean']:.2f} [{low:.2f}, {high:.2f}]"
    return [one["system"], spread, *cells, f"{overall['length']['mean']:.0f}", f"{overall['context']['mean']:.2f}"]


def _by_count(one: dict[str, Any]) -> list[str]:
    parts = (*one["by_count"].values(), *one["by_type"].values())
    return [one["system"], *(f"{part['perspectives']['mean']:.2f}" for part in parts)]


def _gain(one: dict[str, Any]) -> list[str]:
    low, high = one["interval"]
    return [one["against"], one["figure"], f"{one['gain']:+.0%}", f"[{low:+.0%}, {high:+.0%}]"]
