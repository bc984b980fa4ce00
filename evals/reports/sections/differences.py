"""Two runs of one data set: what was changed, what got better, what broke, and where the traces part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....cubes.core.errors import UsageError
from ...metrics.basic import recall_at
from ...metrics.measures import retrieves
from ...metrics.predictions import HopSummary, Prediction
from ...metrics.significance import compare
from ..document import Cell, Column, Group, Section, Span, Table, slug
from ..loading import Answer, Loaded, load

__all__ = ["Paired", "Side", "difference", "paired", "parse_side", "parting"]

_DEPTH = 5


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: a run, and the one system of it that is looked at (None: every one that both have)."""

    run: Loaded
    system: str | None
    name: str


@dataclass(frozen=True, slots=True)
class _Pair:
    before: Answer
    after: Answer


def parse_side(given: str) -> Side:
    """Read ``FOLDER`` or ``FOLDER:SYSTEM``. UsageError where there is no such folder or system."""
    if Path(given).is_dir():
        return Side(load(Path(given)), None, given)
    for place in [at for at, letter in enumerate(given) if letter == ":"]:
        folder, system = given[:place], given[place + 1 :]
        if folder and Path(folder).is_dir():
            run = load(Path(folder))
            if system not in run.systems:
                raise UsageError(f'{folder} has no system "{system}"; choose from {", ".join(run.systems)}.')
            return Side(run, system, given)
    raise UsageError(f"There is no folder {given}; give FOLDER or FOLDER:SYSTEM, a folder that multicube eval wrote.")


def difference(before: Side, after: Side) -> Section:
    """The section. UsageError where the two have no system or no question in common."""
    systems = list(_systems(before, after))
    if not systems and before.run.path.resolve() == after.run.path.resolve() and before.system == after.system:
        raise UsageError(f"{before.name} is one run; give two, or two systems of it as FOLDER:SYSTEM.")
    if not systems:
        raise UsageError(f"{before.name} and {after.name} have no system in common; name one of each as FOLDER:SYSTEM.")
    pairs = {names: _pairs(before.run.answers[names[0]], after.run.answers[names[1]]) for names in systems}
    if not any(pairs.values()):
        raise UsageError(f"{before.name} and {after.name} have no question in common; compare runs of one data set.")
    shown = max(systems, key=lambda names: (names[0] == before.run.main, names[1] == after.run.main))
    said = [
        f"Before: {before.name} ({before.run.dataset}, {before.run.size}). After: {after.name} "
        f"({after.run.dataset}, {after.run.size})."
    ]
    lists = list(_lists(pairs[shown]))
    return Section(
        "difference", "What changed", said, [_changes(before, after), _figures(pairs), *_listed(shown, lists)]
    )


def _systems(before: Side, after: Side) -> Iterator[tuple[str, str]]:
    if before.system or after.system:
        first = before.system or after.system or ""
        second = after.system or before.system or ""
        if (
            first in before.run.systems
            and second in after.run.systems
            and not (before.run.path.resolve() == after.run.path.resolve() and first == second)
        ):
            yield first, second
    elif before.run.path.resolve() != after.run.path.resolve():
        yield from ((name, name) for name in before.run.systems if name in after.run.systems)


def _pairs(before: Mapping[str, Answer], after: Mapping[str, Answer]) -> list[_Pair]:
    """The questions that both answered; one whose wording changed under the same id is another question."""
    return [
        _Pair(answer, after[key])
        for key, answer in before.items()
        if key in after and after[key].given.question == answer.given.question
    ]


def _changes(before: Side, after: Side) -> Table:
    """What of data, code, settings and versions is not the same."""
    old, new = _flat(before.run), _flat(after.run)
    old["system"], new["system"] = before.system or "all", after.system or "all"
    rows: list[list[Cell]] = [
        [key, old.get(key, ""), new.get(key, "")] for key in dict.fromkeys([*old, *new]) if old.get(key) != new.get(key)
    ]
    note = "" if rows else "Nothing that the fingerprint covers: data, code, settings and versions are the same."
    return Table(
        "changes",
        "Data, code, settings and versions that differ",
        [Column("what"), Column("before"), Column("after")],
        [Group(rows)],
        note,
    )


def _flat(run: Loaded) -> dict[str, str]:
    parts: Mapping[str, Any] = run.run.get("parts") or {}
    found = {"fingerprint": str(run.run.get("fingerprint") or ""), "version": str(run.run.get("version") or "")}
    for source, prefix in ((parts, ""), (run.run.get("settings") or {}, "settings ")):
        for key, value in source.items():
            nested = value if isinstance(value, dict) else {"": value}
            found.update({f"{prefix}{key} {name}".strip(): str(inner) for name, inner in nested.items()})
    return found


def _figures(pairs: Mapping[tuple[str, str], Sequence[_Pair]]) -> Table:
    rows: list[list[Cell]] = []
    for (first, second), found in pairs.items():
        for measure, values in _measures(found).items():
            if values:
                rows.append(_row(first if first == second else f"{first} → {second}", measure, paired(values), found))
    heads = ("system", "measure", "before", "after", "difference", "p", "questions", "got better", "broke")
    return Table(
        "difference-figures",
        "Figures over the questions that both answered",
        [Column(h, 4 if h == "p" else 1) for h in heads],
        [Group(rows)],
        "Percentages; the difference in points with its paired 95 % bootstrap interval, and the p of a "
        "sign-flip test. Got better: wrong before, right after; broke: the other way round.",
    )


def _measures(pairs: Sequence[_Pair]) -> dict[str, list[tuple[float, float]]]:
    def of(name: str) -> list[tuple[float, float]]:
        values = [(getattr(pair.before, name), getattr(pair.after, name)) for pair in pairs]
        return [(a, b) for a, b in values if a is not None and b is not None]

    recalls = [(_recall(pair.before.given), _recall(pair.after.given)) for pair in pairs]
    return {
        "EM": of("em"),
        "F1": of("f1"),
        f"recall@{_DEPTH}": [(a, b) for a, b in recalls if a is not None and b is not None],
    }


def _recall(given: Prediction) -> float | None:
    return recall_at(given.retrieved, given.supporting, _DEPTH) if retrieves(given) else None


def _row(system: str, measure: str, result: Paired, pairs: Sequence[_Pair]) -> list[Cell]:
    turned: list[Cell] = [None, None]
    if measure == "EM":
        turned = [sum(_is(pair, False, True) for pair in pairs), sum(_is(pair, True, False) for pair in pairs)]
    low, high = result.interval
    return [
        system,
        measure,
        result.before,
        result.after,
        Span(result.difference, low, high),
        result.p,
        result.questions,
        *turned,
    ]


def _is(pair: _Pair, before: bool, after: bool) -> bool:
    return ((pair.before.outcome == "right"), (pair.after.outcome == "right")) == (before, after)


def _lists(pairs: Sequence[_Pair]) -> Iterator[tuple[str, str, list[_Pair]]]:
    yield "better", "Got better", [pair for pair in pairs if _is(pair, False, True)]
    yield "broke", "Broke", [pair for pair in pairs if _is(pair, True, False)]
    same = [pair for pair in pairs if _is(pair, True, True) or _is(pair, False, False)]
    yield (
        "changed",
        "Another answer, no better and no worse",
        [pair for pair in same if _said(pair.before) != _said(pair.after)],
    )


def _listed(systems: tuple[str, str], lists: Sequence[tuple[str, str, list[_Pair]]]) -> Iterator[Section]:
    name = systems[0] if systems[0] == systems[1] else f"{systems[0]} → {systems[1]}"
    heads = [Column(head) for head in ("question", "gold", "before", "after", "where the traces part", "id")]
    for place, title, pairs in lists:
        rows: list[list[Cell]] = [
            [
                pair.after.given.question,
                " / ".join(pair.after.given.gold or ()),
                _said(pair.before),
                _said(pair.after),
                parting(pair.before.given.hops, pair.after.given.hops),
                pair.after.given.id,
            ]
            for pair in pairs
        ]
        table = Table(f"{place}-{slug(name)}", f"{title}: {name}", heads, [Group(rows)], long=True)
        yield Section(place, f"{title} ({len(pairs)})", () if rows else ("None.",), [table] if rows else ())


def _said(answer: Answer) -> str:
    if answer.given.status == "failed":
        return f"(failed: {answer.given.error or 'no reason given'})"
    return answer.given.answer if answer.given.status == "answered" else "(abstained)"


def parting(before: Sequence[HopSummary], after: Sequence[HopSummary]) -> str:
    """Return in words where two traces first differ: the hop, and what of it."""
    for one, other in zip(before, after, strict=False):
        for said, old, new in _aspects(one, other):
            if old != new:
                return f"hop {one.number} {said}: {old or 'nothing'} → {new or 'nothing'}"
    if len(before) != len(after):
        longer, who = (before, "before") if len(before) > len(after) else (after, "after")
        extra = longer[min(len(before), len(after))]
        return f"hop {extra.number} only {who}: {extra.subquery}"
    return "not in the hops"


def _aspects(one: HopSummary, other: HopSummary) -> Iterator[tuple[str, str, str]]:
    yield "asked", one.subquery, other.subquery
    yield "searched", ", ".join(one.cubes), ", ".join(other.cubes)
    yield "looked for", "; ".join(one.components), "; ".join(other.components)
    yield "found", ", ".join(one.retrieved), ", ".join(other.retrieved)
    yield "answered", one.answer, other.answer
    yield "read", one.sentence, other.sentence


@dataclass(frozen=True, slots=True)
class Paired:
    """Percentages and points; ``p`` is of the sign-flip test."""

    before: float
    after: float
    difference: float
    interval: tuple[float, float]
    p: float
    questions: int


def paired(values: Sequence[tuple[float, float]]) -> Paired:
    """Compare (before, after), 0 to 1, of each question; there is at least one."""
    before, after = (100 * sum(side) / len(values) for side in zip(*values, strict=True))
    found = compare([(b, a) for a, b in values])
    assert found is not None
    low, high = found.interval
    return Paired(before, after, 100 * found.difference, (100 * low, 100 * high), found.p, found.questions)
