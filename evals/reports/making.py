"""A whole report: its sections in the order of what matters, and the files it is written to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from os.path import relpath
from pathlib import Path
from typing import Any

from ...cubes.core.errors import UsageError
from ..support import write_whole
from .browsing import browser_data
from .document import Plot, Section, as_data
from .loading import Loaded, load
from .markdown import markdown
from .page import page
from .plots import svg
from .sections.costs import costs
from .sections.differences import Side, difference, parse_side
from .sections.further import causes, further
from .sections.kinds import kinds
from .sections.overview import in_short, origins, systems
from .sections.papers import papers
from .sections.parts import parts

__all__ = ["Report", "make"]

_INTRO = (
    "Figures marked measured are of the runs named here, by multicube eval; figures marked published are printed in "
    "the papers. Percentages count every question, a failed or abstained one as wrong, unless it says otherwise."
)


_OF_TWO = (
    "Two runs over the same questions, by multicube eval. Percentages count every question, a failed or abstained one "
    "as wrong."
)


@dataclass(frozen=True)
class Report:
    """A report that is not yet written. ``traced`` are the systems of each run whose hops the page keeps."""

    title: str
    runs: Sequence[Loaded]
    traced: Sequence[Collection[str]]
    sections: Sequence[Section]
    intro: str = _INTRO

    def data(self) -> dict[str, Any]:
        """Return its tables as plain data."""
        return {"title": self.title, "tables": as_data(self.sections)}

    def write_html(self, path: Path) -> None:
        """Write the page. UsageError where the place cannot be written."""
        _write(path, page(self.title, self.intro, self.sections, browser_data(self.runs, self.traced)))

    def write_markdown(self, path: Path, pictures: Path | None) -> None:
        """Write the Markdown, and its plots into ``pictures`` where that is given."""
        drawn: dict[str, str] = {}
        for plot in _plots(self.sections) if pictures else ():
            assert pictures is not None
            target = pictures / f"{plot.id}.svg"
            _write(target, svg(plot))
            drawn[plot.id] = _address(target, path.parent)
        _write(path, markdown(self.title, self.intro, self.sections, drawn))


def make(
    folders: Sequence[Path],
    diff: tuple[str, str] | None = None,
    title: str | None = None,
    traces: str = "main",
    remark: str | None = None,
) -> Report:
    """Read the runs and compile their report.

    ``diff`` are two runs as FOLDER or FOLDER:SYSTEM. ``traces`` is main, all, or names with commas. ``remark`` stands
    below the heading. UsageError where there is nothing to report on.
    """
    if not folders and diff is None:
        raise UsageError("Give a folder that multicube eval wrote, or two with --diff.")
    sides = tuple(map(parse_side, diff)) if diff else ()
    once = {folder.resolve(): folder for folder in folders}
    runs = _told_apart([load(folder) for folder in once.values()] or _runs(sides))
    sections = [difference(*sides)] if len(sides) == 2 else []
    if folders:
        sections = [*_sections(runs, sections)]
    sections.append(origins(runs))
    _check_traces(traces, runs)
    traced = [_traced(run, traces, sides) for run in runs]
    intro = " ".join(filter(None, (remark, _INTRO if folders else _OF_TWO)))
    return Report(title or _title(runs, sides), runs, traced, sections, intro)


def _sections(runs: Sequence[Loaded], first: Sequence[Section]) -> Iterator[Section]:
    yield in_short(runs)
    yield from first
    made = (papers(runs), systems(runs), parts(runs), kinds(runs), costs(runs), causes(runs), further(runs))
    yield from (section for section in made if section is not None)


def _runs(sides: Sequence[Side]) -> list[Loaded]:
    return list({side.run.path.resolve(): side.run for side in sides}.values())


def _title(runs: Sequence[Loaded], sides: Sequence[Side]) -> str:
    listed = list(dict.fromkeys(run.results.dataset for run in runs))
    return f"{'What changed on' if sides and len(listed) == 1 else 'Evaluation:'} {', '.join(listed)}"


def _told_apart(runs: Sequence[Loaded]) -> list[Loaded]:
    """Call runs of one data set by their folders too: places and pictures of a page are named after runs."""
    return [replace(run, label=_label(run, [each for each in runs if each is not run])) for run in runs]


def _label(run: Loaded, others: Sequence[Loaded]) -> str:
    alike = [each for each in others if each.results.dataset == run.results.dataset]
    name = run.path.resolve().name
    where = str(run.path) if name in [each.path.resolve().name for each in alike] else name
    return f"{run.results.dataset} ({where})" if alike else ""


def _check_traces(traces: str, runs: Sequence[Loaded]) -> None:
    named = [] if traces in ("main", "all") else [name.strip() for name in traces.split(",")]
    known = [name for run in runs for name in run.systems]
    if unknown := next((name for name in named if name not in known), None):
        raise UsageError(f'No run has a system "{unknown}" to keep traces of; choose from {", ".join(known)}.')


def _traced(run: Loaded, traces: str, sides: Sequence[Side]) -> set[str]:
    if traces == "all":
        return set(run.systems)
    asked = {side.system for side in sides if side.system}
    named = {run.main} if traces == "main" else {name.strip() for name in traces.split(",")}
    return (named | asked) & set(run.systems) or {run.main}


def _plots(sections: Sequence[Section]) -> Iterator[Plot]:
    for section in sections:
        for item in section.items:
            if isinstance(item, Plot):
                yield item
            elif isinstance(item, Section):
                yield from _plots([item])


def _address(target: Path, folder: Path) -> str:
    """The address of a file from a folder's page."""
    return Path(relpath(target, folder)).as_posix().replace(" ", "%20")


def _write(path: Path, text: str) -> None:
    """Write a page; one that is open is never half of one."""
    try:
        write_whole(path, text)
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}); give another place.") from error
