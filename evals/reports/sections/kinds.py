"""How the systems do by type of question and by number of hops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..document import Cell, Column, Group, Plot, Section, Series, Table, names, slug
from ..loading import Answer, Loaded, figure

__all__ = ["kinds"]

_SHOWN = 6
"""As many systems as a plot can be read with."""
_PREFERRED = ("multicube", "loop+hybrid", "ircot", "hybrid", "hypercube", "bm25", "dense", "none")

Slices = Mapping[str, Mapping[str, Mapping[str, Any]]]


def kinds(runs: Sequence[Loaded]) -> Section | None:
    """The section, or None where no question has a type or a known number of hops."""
    parts = []
    for run in runs:
        types = {name: run.systems[name].get("by_type") or {} for name in run.named}
        items = [
            *_plot(run, types, "type", "dots", "type of question"),
            *_plot(run, _hops(run), "hops", "lines", "gold hops"),
        ]
        if items:
            parts.append(Section(f"kinds-{slug(run.dataset)}", run.dataset, (), items))
    return Section("kinds", "By kind of question", (), parts) if parts else None


def _hops(run: Loaded) -> Slices:
    """By number of gold hops: as the evaluation has it, else from the predictions."""
    found = {
        name: {
            hops: of
            for hops, of in ((run.systems[name].get("metrics") or {}).get("by_hops") or {}).items()
            if hops.isdigit()
        }
        for name in run.named
    }
    return found if any(found.values()) else {name: _by_hops(run.answers[name].values()) for name in run.named}


def _by_hops(answers: Any) -> dict[str, dict[str, Any]]:
    groups: dict[int, list[Answer]] = {}
    for answer in answers:
        if answer.given.hops_gold is not None:
            groups.setdefault(answer.given.hops_gold, []).append(answer)
    return {str(hops): _slice(group) for hops, group in sorted(groups.items())}


def _slice(answers: Sequence[Answer]) -> dict[str, Any]:
    scored = [answer for answer in answers if answer.em is not None and answer.f1 is not None]
    return {
        "questions": len(answers),
        "em": 100 * sum(answer.em or 0.0 for answer in scored) / len(scored) if scored else None,
        "f1": 100 * sum(answer.f1 or 0.0 for answer in scored) / len(scored) if scored else None,
        "failed": sum(answer.outcome == "failed" for answer in answers),
        "abstained": sum(answer.given.status == "abstained" for answer in answers),
    }


def _plot(run: Loaded, slices: Slices, kind: str, how: str, said: str) -> list[Plot]:
    listed = names(found for found in slices.values())
    if not listed:
        return []
    chosen = _chosen(run)
    series = [
        Series(
            name,
            [
                _point(how, each, figure(slices[name].get(each), "em"))
                for each in listed
                if figure(slices[name].get(each), "em") is not None
            ],
        )
        for name in chosen
    ]
    series = [each for each in series if each.points]
    if not series:
        return []
    title = f"{run.dataset}: EM by {said}"
    return [
        Plot(
            f"by-{kind}-{slug(run.dataset)}",
            how,
            title,
            said,
            "EM (%)",
            series,
            _table(run, slices, listed, kind, said),
        )
    ]


def _point(how: str, each: str, em: float | None) -> tuple[float | str, float, str]:
    assert em is not None
    return (float(each) if how == "lines" else each, em, each)


def _chosen(run: Loaded) -> list[str]:
    """The systems that a plot shows: the well-known ones first."""
    first = [name for name in _PREFERRED if name in run.named]
    return names([first, run.named])[:_SHOWN]


def _table(run: Loaded, slices: Slices, listed: Sequence[str], kind: str, said: str) -> Table:
    columns = [Column("system")]
    for each in listed:
        count = max((figure(found.get(each), "questions") or 0) for found in slices.values())
        columns += [Column(f"{each} EM ({int(count)})"), Column("F1")]
    rows: list[list[Cell]] = [
        [name, *(figure(found.get(each), key) for each in listed for key in ("em", "f1"))]
        for name, found in slices.items()
        if found
    ]
    return Table(
        f"by-{kind}-{slug(run.dataset)}-figures",
        f"{run.dataset}: by {said}, questions in brackets, measured",
        columns,
        [Group(rows)],
    )
