"""Bounds of files that are ZIP archives (DOCX, PPTX, XLSX, EPUB), looked at before anything is unpacked."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.records import MetadataValue
from ..textfiles import MAX_FILE, MAX_UNPACKED, TextFileFault
from .blocks import one_line

__all__ = ["check_package", "properties"]

_ENCRYPTED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # an OLE container: an encrypted file, or one of the years before 2007
_OLD: Mapping[str, str] = {"DOCX": "doc", "PPTX": "ppt", "XLSX": "xls"}


def check_package(path: Path, kind: str, needed: str) -> None:
    """Refuse what is no file of a kind ("DOCX"), or swells beyond bounds; ``needed`` is an entry that each has."""
    if path.stat().st_size > MAX_FILE:
        raise TextFileFault(f"The file is longer than {MAX_FILE // 2**20} MB; split it into smaller ones.")
    with path.open("rb") as file:
        head = file.read(8)
    if not head:
        raise TextFileFault("The file is empty.")
    if head == _ENCRYPTED and kind in _OLD:
        raise TextFileFault(
            f"The {kind} file is encrypted, or a .{_OLD[kind]} file of old; open it in the program that made it and "
            f"save it as .{kind.lower()} without a password."
        )
    try:
        with zipfile.ZipFile(path) as package:
            names = {entry.filename for entry in package.infolist()}
            size = sum(entry.file_size for entry in package.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise TextFileFault(f"The {kind} file is damaged: it is no complete ZIP archive.") from error
    if size > MAX_UNPACKED:
        raise TextFileFault(f"The {kind} file holds more than {MAX_UNPACKED // 2**20} MB; split it into smaller ones.")
    if needed not in names:
        raise TextFileFault(f"The file is a ZIP archive, but no {kind} file.")


def properties(said: Any) -> dict[str, MetadataValue]:
    """What an Office file says of itself, from its core properties."""
    named = {"author": said.author, "subject": said.subject, "keywords": said.keywords, "category": said.category}
    metadata: dict[str, MetadataValue] = {key: one_line(value) for key, value in named.items() if value}
    changed = said.modified or said.created
    return metadata | ({"date": changed.date().isoformat()} if changed is not None else {})
