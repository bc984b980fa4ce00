"""Fetching published files, only when asked to: into the user's cache, going on where an earlier fetch stopped."""

from __future__ import annotations

import hashlib
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

from filelock import FileLock

from ....cubes.core.errors import InputError, UsageError

__all__ = ["cache_folder", "download", "verified"]

Say = Callable[[str], None]
_TRIES = 4
_BLOCK = 1 << 18
_TIMEOUT = 60.0
_STEP = 10.0  # seconds between two words on a long download
_MB = 1 << 20


def cache_folder() -> Path:
    """Return where published data sets are kept: below MULTICUBE_CACHE, or the user's cache folder."""
    named = os.environ.get("MULTICUBE_CACHE") or os.environ.get("MULTICUBE_CACHE_DIR")
    if named:
        return Path(named).expanduser() / "datasets"
    from platformdirs import user_cache_path

    return user_cache_path("multicube") / "datasets"


def download(url: str, target: Path, say: Say = lambda _: None, *, pause: float = 1.0) -> Path:
    """Fetch a file unless it is there, whole, and return its path.

    A fetch that broke off is gone on with, after ``pause`` seconds or by the next call; the file appears when it is
    whole, with its SHA-256 in ``NAME.sha256``. Raises UsageError for an address that has nothing or cannot be
    reached, InputError where the connection keeps breaking off.
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise UsageError(f"{url} is no web address; nothing was fetched.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(target.with_name(f".{target.name}.lock")):
            if verified(target):
                return target
            _fetch(url, target, say, pause)
    except OSError as error:
        raise UsageError(
            f"{target.parent} cannot be written ({error.strerror or error}); name another folder with MULTICUBE_CACHE."
        ) from error
    return target


def verified(target: Path) -> bool:
    """Whether a file was fetched whole and is still what it was then."""
    stamp = _stamp(target)
    return target.is_file() and stamp.is_file() and stamp.read_text("utf-8").split()[:1] == [_sha256(target)]


def _fetch(url: str, target: Path, say: Say, pause: float) -> None:
    part = target.with_name(f".{target.name}.part")
    reason = ""
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(pause * attempt)
        try:
            reason = _once(url, part, say)
        except urllib.error.HTTPError as error:
            if error.code == 416:  # what is there is not a beginning of what is published
                part.unlink(missing_ok=True)
            elif error.code < 500 and error.code not in (408, 429):
                raise UsageError(f"{url} cannot be fetched (status {error.code}); fetch the file by hand.") from error
            reason = f"status {error.code}"
        except (urllib.error.URLError, TimeoutError, HTTPException, ConnectionError) as error:
            reason = str(getattr(error, "reason", error)) or type(error).__name__
        if not reason:
            _finish(part, target)
            return
    had = part.stat().st_size if part.exists() else 0
    if not had:
        raise UsageError(f"{url} cannot be reached ({reason}); try again later or fetch the file by hand.")
    raise InputError(f"The fetch of {url} broke off after {had} bytes ({reason}); the same command goes on from there.")


def _once(url: str, part: Path, say: Say) -> str:
    """Go on with a fetch; returns why it is not whole, nothing where it is."""
    had, marked = (part.stat().st_size if part.exists() else 0), _mark(part)
    headers = {"User-Agent": "multicube", "Accept-Encoding": "identity"}
    if had and marked.get("url") == url and marked.get("version"):
        headers |= {"Range": f"bytes={had}-", "If-Range": marked["version"]}
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=_TIMEOUT) as answer:
        going_on = answer.status == 206
        start, length = (had if going_on else 0), answer.headers.get("Content-Length")
        total = start + int(length) if length and length.isdigit() else None
        version = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or ""
        strong = "" if version.startswith("W/") else version
        _marks(part).write_text(json.dumps({"url": url, "version": strong}), "utf-8")
        said = f" of {total / _MB:.1f} MB" if total else ""
        say(f"Fetching {url}{said}{f', from byte {start} on' if start else ''}.")
        got = start + _copy(answer, part, "ab" if going_on else "wb", start, total, say)
    return "" if total is None or got == total else f"{got} of {total} bytes came"


def _copy(answer: HTTPResponse, part: Path, mode: str, start: int, total: int | None, say: Say) -> int:
    got, told = 0, time.monotonic()
    with part.open(mode) as written:
        while block := answer.read1(_BLOCK):
            written.write(block)
            got += len(block)
            if time.monotonic() - told > _STEP:
                told = time.monotonic()
                share = f" ({100 * (start + got) // total} %)" if total else ""
                say(f"{(start + got) / _MB:.1f} MB have come{share}.")
    return got


def _finish(part: Path, target: Path) -> None:
    digest = _sha256(part)
    _stamp(target).write_text(f"{digest}  {target.name}\n", "utf-8")
    part.replace(target)
    _marks(part).unlink(missing_ok=True)


def _stamp(target: Path) -> Path:
    return target.with_name(f"{target.name}.sha256")


def _marks(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _mark(part: Path) -> dict[str, str]:
    try:
        found = json.loads(_marks(part).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
