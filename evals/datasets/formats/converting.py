"""From a published format to the own layout: once, all or nothing, and again only when the source has changed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock

from ....cubes.core.errors import InputError, UsageError
from ...support import write_whole
from ..dataset import ABOUT, resolve_folder
from .archives import is_archive, unpack
from .downloading import cache_folder, download, verified
from .reading import noted
from .registry import Format, FoundDataset, Release, find, format_named, missing, search
from .sink import ASIDE, Sink

__all__ = ["convert", "fetched", "prepared"]

Say = Callable[[str], None]
_VERSION = 1
"""Rises when the same source gives another conversion."""
_HASHED = 256 << 20
"""Files up to this size are told apart by their content, larger ones by size and time."""
_OWN = ("corpus.jsonl", "questions.jsonl")


def prepared(
    path: str | Path, folder: Path, format: str | None = None, download: bool = False, say: Say = lambda _: None
) -> Path:
    """Return the folder of a data set in the own layout; one in a published format is converted into ``folder``.

    ``path`` is a folder, file or archive, a name in MULTICUBE_DATA, or the name of a published set; ``format`` names
    its format where that is not plain. Nothing is fetched without ``download``. What cannot be used is listed in
    ``set-aside.jsonl`` and told with ``say``. Raises UsageError where the data set or a file of it is missing,
    InputError where nothing of it can be used.
    """
    only, release = format_named(format) if format else (None, None)
    place = _placed(path)
    if place is not None and only is None and (own := _own_layout(place)) is not None:
        return own
    if place is None and only is None:
        try:
            only, release = format_named(str(path))
        except UsageError:
            return resolve_folder(path)  # which says what is missing
    named = release.name if release and place is None else None
    if only is not None and not _is_there(place, only):
        wanted = release or only.releases[0]
        if not download:
            raise UsageError(missing(only, release, place if place is not None else Path(path)))
        place, format, named = fetched(only, wanted, say), wanted.name, wanted.name
    assert place is not None
    return _kept(place, folder, format or (release.name if release else None), named or _plain_name(place), say)


def fetched(one: Format, release: Release, say: Say, cache: Path | None = None) -> Path:
    """Return the cache's folder of a release, after fetching what of it is missing."""
    folder = (cache or cache_folder()) / release.name
    if not release.fetched:
        raise UsageError(f"{one.title} cannot be fetched by --download; it is published at {one.published}.")
    for url, name in release.fetched:
        target = folder / name
        whole = verified(target)
        download(url, target, say)
        inside = folder / "unpacked"
        if is_archive(target) and not (whole and inside.is_dir()):
            scratch = folder / ".unpacking"
            shutil.rmtree(scratch, ignore_errors=True)
            unpack(target, scratch)
            shutil.rmtree(inside, ignore_errors=True)
            scratch.replace(inside)
    return folder / "unpacked" if (folder / "unpacked").is_dir() else folder


def convert(found: FoundDataset, folder: Path, name: str) -> dict[str, Any]:
    """Convert a data set into ``folder``, which appears when it is whole, and return what is said about it."""
    scratch = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    with noted() as used, Sink(scratch) as sink:
        found.format.read(found.path, sink)
    first = f" (the first problem: {sink.asides[0]})" if sink.asides else ""
    for what, count in (("question", sink.questions), ("document", sink.records)):
        if not count:
            shutil.rmtree(scratch)
            raise InputError(f"{found.path}: no {what} could be read as {found.format.title}{first}; mend the file.")
    about = {
        "name": name, "format": found.format.name, "source": str(found.path), "version": _VERSION,
        "records": sink.records, "questions": sink.questions, "set_aside": sink.asides[:1], "asides": len(sink.asides),
        "files": {str(path): _stamp(path) for path in sorted({*used, found.path.parent})},
    }  # fmt: skip
    (scratch / ABOUT).write_text(json.dumps(about, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if folder.exists():
        old = folder.with_name(f".{folder.name}.old")
        shutil.rmtree(old, ignore_errors=True)
        folder.replace(old)
        scratch.replace(folder)
        shutil.rmtree(old)
    else:
        scratch.replace(folder)
    return about


def _kept(place: Path, folder: Path, format: str | None, name: str, say: Say) -> Path:
    """Convert what is at a place, unless the folder holds just that already."""
    with _held(folder), _unpacked(place, folder) as (root, archive):
        found = find(root, format)
        if archive is not None:
            name = f"{name}-{found.path.stem}" if found.path.stem not in name and len(search(root)) > 1 else name
        source = str(archive or found.path)
        about = _about(folder)
        if about is None or not _unchanged(about, source, found, archive):
            about = convert(found, folder, name)
            if archive is not None:
                about = _from_archive(folder, about, archive, found, root)
            say(
                f"{about['name']}: {about['questions']} questions and {about['records']} documents of "
                f"{found.format.title} were read from {source}."
            )
    if about["asides"]:
        records = "record was" if about["asides"] == 1 else "records were"
        say(f"{about['asides']} {records} set aside (the first: {about['set_aside'][0]}); {folder / ASIDE} lists them.")
    return folder


def _from_archive(
    folder: Path, about: dict[str, Any], archive: Path, found: FoundDataset, root: Path
) -> dict[str, Any]:
    """What was unpacked is gone afterwards; the conversion depends on the archive and on the file in it."""
    member = found.path.relative_to(root).as_posix()
    about = {**about, "source": str(archive), "member": member, "files": {str(archive): _stamp(archive)}}
    write_whole(folder / ABOUT, json.dumps(about, indent=2, ensure_ascii=False) + "\n")
    return about


def _placed(path: str | Path) -> Path | None:
    """Where a data set is: as given, or by its name in MULTICUBE_DATA."""
    given = Path(path).expanduser()
    if given.exists():
        return given
    if str(path) == "sample":
        return resolve_folder("sample")
    named = Path(os.environ.get("MULTICUBE_DATA", "../shared/data")) / given
    return named if named.exists() else None


def _own_layout(place: Path) -> Path | None:
    """The folder, where a place is one in the own layout or a file of one."""
    folder = place.parent if place.name in _OWN and place.is_file() else place
    if not folder.is_dir():
        return None
    there = [name for name in _OWN if (folder / name).is_file()]
    if len(there) == len(_OWN):
        return folder
    return folder if there and not search(folder) else None


def _is_there(place: Path | None, only: Format) -> bool:
    return place is not None and (is_archive(place) or bool(search(place, [only])))


def _plain_name(place: Path) -> str:
    name = place.resolve().name
    for ending in (".gz", ".tar", ".tgz", ".zip", ".jsonl", ".json", ".tsv", ".csv"):
        name = name.removesuffix(ending)
    return name or "dataset"


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Hold the folder's place; UsageError where it cannot be written or is somebody else's."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_name(f".{folder.name}.lock")):
            if folder.exists() and _about(folder) is None and not (folder.is_dir() and not any(folder.iterdir())):
                raise UsageError(f"{folder} was not made by multicube; give another --out.")
            yield
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(f"{folder.parent} cannot be written ({reason}); give another --out.") from error


@contextmanager
def _unpacked(place: Path, folder: Path) -> Iterator[tuple[Path, Path | None]]:
    """Unpack an archive for as long as it is read."""
    if not is_archive(place):
        yield place, None
        return
    scratch = folder.with_name(f".{folder.name}.unpacked")
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        yield unpack(place, scratch), place
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _about(folder: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((folder / ABOUT).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _unchanged(about: Mapping[str, Any], source: str, found: FoundDataset, archive: Path | None) -> bool:
    made = {"version": _VERSION, "source": source, "format": found.format.name}
    same = all(about.get(name) == value for name, value in made.items())
    if archive is not None and not str(about.get("member", "")).endswith(found.path.name):
        return False
    files = about.get("files")
    return same and isinstance(files, dict) and all(_stamp(Path(path)) == stamp for path, stamp in files.items())


def _stamp(path: Path) -> str:
    """What a file holds, or which files a folder has."""
    if path.is_dir():
        return _hash(name.encode("utf-8", "surrogateescape") + b"\0" for name in sorted(_named(path)))
    if not path.is_file():
        return "absent"
    size = path.stat().st_size
    if size > _HASHED:
        return f"{size} {path.stat().st_mtime_ns}"
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "blake2b").hexdigest()[:32]


def _named(folder: Path) -> list[str]:
    """The files of a folder; not those below it, which conversions name themselves, nor hidden ones."""
    return [entry.name for entry in folder.iterdir() if entry.is_file() and not entry.name.startswith(".")]


def _hash(parts: Iterable[bytes]) -> str:
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        found.update(part)
    return found.hexdigest()
