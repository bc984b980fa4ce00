"""Every published format that is known: its files, where they are published, how it is told from the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ....cubes.core.errors import UsageError
from .reading import first_item
from .sink import Sink

__all__ = ["FORMATS", "Format", "FoundDataset", "Release", "detect", "find", "format_named", "names", "search"]

_ENDINGS = (".json", ".jsonl", ".tsv", ".csv", ".json.gz", ".jsonl.gz")
_NOT_ENTERED = {"evidence", "documents", "docs", "articles", "papers", "pdfs", "output", "__pycache__"}
_DEPTH = 2
_MOST = 5000


@dataclass(frozen=True, slots=True)
class Release:
    """One published set of a format: its name, how its question file is called, and what is to be fetched.

    ``fetched`` are (address, file name); an archive is unpacked. Without any the set has to be fetched by hand.
    """

    name: str
    files: str
    named: str
    fetched: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A published format; ``releases`` are its known sets, the first one what ``--download`` fetches by its name."""

    name: str
    title: str
    published: str
    licence: str
    releases: tuple[Release, ...]
    module: str

    def fits(self, path: Path) -> bool:
        """Whether a file has questions in this format, by its first record and what is beside it."""
        module = self._module()
        return bool(module.fits(path, first_item(path, within=getattr(module, "WITHIN", None))))

    def read(self, path: Path, sink: Sink) -> None:
        """Read a question file, and what belongs to it."""
        self._module().read(path, sink)

    def detect(self, path: Path) -> bool:
        """Whether a file or folder is of this format, and of none that goes before it."""
        return any(found.format == self for found in search(path))

    def _module(self) -> Any:
        return import_module(f".{self.module}", __package__)


@dataclass(frozen=True, slots=True)
class FoundDataset:
    """A data set in a published format: the file of its questions."""

    format: Format
    path: Path


def _release(name: str, one: Mapping[str, Any]) -> Release:
    fetched = tuple((url, file) for file, url in one.get("fetched", {}).items())
    return Release(name, one["files"], one["named"], fetched)


def _known() -> tuple[Format, ...]:
    import yaml

    listed = yaml.safe_load((Path(__file__).parent / "published.yaml").read_text("utf-8"))
    return tuple(
        Format(
            name, one["title"], one["published"], one["licence"],
            tuple(_release(title, each) for title, each in one["sets"].items()), one["module"],
        )
        for name, one in listed.items()
    )  # fmt: skip


FORMATS: tuple[Format, ...] = _known()
"""The formats in the order in which they claim a file."""


def names() -> list[str]:
    """Return what ``--format`` takes: the formats, and the sets of each."""
    return list(dict.fromkeys(name for one in FORMATS for name in (one.name, *(r.name for r in one.releases))))


def format_named(name: str) -> tuple[Format, Release | None]:
    """Return a format, and the release where the name is that of one; UsageError for any other name."""
    for one in FORMATS:
        if name == one.name:
            return one, None
        for release in one.releases:
            if name == release.name:
                return one, release
    raise UsageError(f'There is no data set format "{name}"; `multicube datasets` lists those that are known.')


def search(path: Path, formats: Iterable[Format] = FORMATS) -> list[FoundDataset]:
    """Return every data set in a published format at a path; a file is claimed by the first format that it fits."""
    found, left = list[FoundDataset](), _files(path)
    for one in formats:
        claimed = [file for file in left if one.fits(file)]
        found.extend(FoundDataset(one, file) for file in claimed)
        left = [file for file in left if file not in claimed]
    return found


def detect(path: Path) -> Format | None:
    """Return the format of a file or folder; None where it is of none, or of several."""
    formats = {found.format.name: found.format for found in search(path)}
    return next(iter(formats.values())) if len(formats) == 1 else None


def find(path: Path, name: str | None = None) -> FoundDataset:
    """Return the one data set at a path.

    ``name`` is a format, or one of its sets where a folder holds several. Raises UsageError where there is none, or
    more than one: it then says what to give.
    """
    only, release = format_named(name) if name else (None, None)
    found = search(path, [only] if only else FORMATS)
    if release is not None and len(found) > 1:
        found = [one for one in found if re.fullmatch(release.named, one.path.name)]
    if not found and only is not None:
        raise UsageError(missing(only, release, path))
    if not found:
        raise UsageError(
            f"{path} is no data set: it holds neither corpus.jsonl and questions.jsonl nor the files of a published "
            "format; `multicube datasets` lists these."
        )
    if len(found) > 1:
        shown = ", ".join(sorted(str(one.path.relative_to(path)) for one in found)[:6])
        raise UsageError(f"{path} holds several data sets ({shown}); give the path of one.")
    return found[0]


def missing(one: Format, release: Release | None, path: Path) -> str:
    """Say that a format's files are not at a path, and where they are published."""
    wanted = release or one.releases[0]
    how = "or add --download" if wanted.fetched else "fetch them from there"
    verb = "are" if " + " in wanted.files else "is"
    pronoun = "they are" if verb == "are" else "it is"
    return f"{one.title}'s {wanted.files} {verb} not in {path}; {pronoun} published at {one.published}; {how}."


def _files(path: Path) -> list[Path]:
    """The files that may hold questions, of a folder not too far down and none of a folder of documents."""
    if path.is_file():
        return [path]
    found, folders = list[Path](), [(path, 0)]
    while folders and len(found) < _MOST:
        folder, depth = folders.pop(0)
        for entry in sorted(folder.iterdir()):
            if entry.name.startswith("."):
                continue
            if entry.is_dir():
                entered = depth < _DEPTH and entry.name not in _NOT_ENTERED
                folders.extend([(entry, depth + 1)] if entered else [])
            elif entry.name.endswith(_ENDINGS):
                found.append(entry)
    return found
