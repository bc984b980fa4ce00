"""Fetching the corpora: packages by ``apt-get download``, and their documents laid out in one folder a corpus.

Nothing is installed. A package that is no longer offered in the version of the recipe is taken in the newest one, and
that is said: some expected answers may then be out of date.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from ....cubes.core.errors import InputError, UsageError
from .recipe import Corpus, Package, PackageFiles

__all__ = ["documents_of", "fetch", "lay_out"]

Say = Callable[[str], None]


def fetch(found: Sequence[Corpus], out: Path, say: Say) -> None:
    """Download every package of the corpora and lay out ``out/corpora/NAME``; what differs from the recipe is said."""
    debs = out / "packages"
    _download_all([package for corpus in found for package in corpus.packages], debs)
    for corpus in found:
        folder = out / "corpora" / corpus.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for package in corpus.packages:
            lay_out(_members(_download(package, debs, say)), package.take, folder)
        say(f"{corpus.name}: {sum(1 for _ in folder.iterdir())} documents of {len(corpus.packages)} packages.")


def documents_of(corpus: Corpus, out: Path) -> Path:
    """Return the folder of a corpus's documents; UsageError where nothing was fetched into it."""
    folder = out / "corpora" / corpus.name
    if not folder.is_dir() or not any(folder.iterdir()):
        raise UsageError(f"{folder} holds no documents; fetch them first.")
    return folder


def lay_out(members: Mapping[str, bytes], wanted: Sequence[PackageFiles], folder: Path) -> None:
    """Write the wanted files of a package into a folder; InputError where the package has none of that name."""
    for take in wanted:
        matches = [path for path in members if fnmatchcase(path, take.source)]
        if not matches:
            raise InputError(f'The package has no file "{take.source}"; change the recipe.')
        for path in matches:
            name = take.to or PurePosixPath(path).name.removesuffix(".gz")
            content = gzip.decompress(members[path]) if path.endswith(".gz") else members[path]
            (folder / name).write_bytes(_part(content, take))


def _part(content: bytes, take: PackageFiles) -> bytes:
    """Cut out the lines that are wanted; an indented line is no heading but one of a table of contents."""
    if not take.start:
        return content
    lines = content.decode("utf-8").splitlines(keepends=True)
    heads = [" ".join(line.split()) if line[:1].strip() else "" for line in lines]
    try:
        first = heads.index(take.start)
        last = heads.index(take.end, first + 1)
    except ValueError:
        raise InputError(f'There are no lines from "{take.start}" to "{take.end}"; change the recipe.') from None
    return "".join(lines[first:last]).encode()


def _download_all(packages: Sequence[Package], debs: Path) -> None:
    """Download at one go what is not there yet: each start of apt-get reads all package lists, which takes seconds.

    apt-get downloads all or none, so packages are fetched one by one where one version is no longer offered.
    """
    debs.mkdir(parents=True, exist_ok=True)
    if missing := [f"{each.package}={each.version}" for each in packages if _kept(each, debs) is None]:
        _apt(missing, debs)


def _kept(package: Package, debs: Path) -> Path | None:
    """Return the recipe's own file of a package where it was downloaded before."""
    files = (*debs.glob(f"{package.package}_*.deb"), *(debs / package.package).glob("*.deb"))
    return next((file for file in files if _digest(file) == package.sha256), None)


def _download(package: Package, debs: Path, say: Say) -> Path:
    """Return the package's file: the recipe's, downloaded before or now, or the newest one that there is."""
    if kept := _kept(package, debs):
        return kept
    folder = debs / package.package
    got = _alone(f"{package.package}={package.version}", folder) or _alone(package.package, folder)
    if got is None:
        raise InputError(
            f"apt-get cannot download {package.package}. The benchmark needs a Debian machine whose package lists are "
            "up to date; run `apt-get update` and fetch again."
        )
    if _digest(got) != package.sha256:
        say(f"{got.name} is not the file that the questions were written from (version {package.version}).")
    return got


def _alone(wanted: str, folder: Path) -> Path | None:
    """Download a package into a folder of its own; None where it is not offered."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _apt([wanted], folder)
    return next(folder.glob("*.deb"), None)


def _apt(wanted: Sequence[str], folder: Path) -> None:
    try:
        subprocess.run(["apt-get", "-q", "download", *wanted], cwd=folder, capture_output=True, check=False)
    except OSError as error:
        raise UsageError(f"apt-get cannot be run, so no package can be fetched: {error}") from error


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _members(deb: Path) -> dict[str, bytes]:
    """Return the documentation in a package by its path; nothing is unpacked onto the disk."""
    try:
        done = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(deb)], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise InputError(f"{deb.name} cannot be unpacked with dpkg-deb: {error}") from error
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        return dict(_documentation(archive))


def _documentation(archive: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for member in archive:
        path = member.name.removeprefix("./")
        if member.isfile() and path.startswith("usr/share/doc/") and (stream := archive.extractfile(member)):
            yield path, stream.read()
