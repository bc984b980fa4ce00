"""Reading files into documents, as a stream and without ever stopping at a bad one.

What cannot be read is a `Problem` with the file, the line and one sentence; the rest goes on. Documents are
data: nothing in them is run, followed or expanded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from ..core.errors import UsageError
from ..core.extras import require
from ..core.records import Document, Figure, MetadataValue, Problem
from .folders import MEDIA_TYPES, SUPPORTED, kind_of, scan, skipped, unsupported
from .formats.markup import without_markup
from .formats.records import LAYOUTS, ConvertedFile
from .jsonfiles import json_documents, jsonl_documents
from .packed import unpacked
from .records_reader import DocumentBuilder, document_id, one_line
from .sections import first_heading, title_line, top_heading
from .tables import csv_documents
from .textfiles import MAX_FILE, MAX_RECORD, TextFileFault, clean, read_any
from .workbooks import xlsx_documents

__all__ = ["MAX_FILE", "MAX_RECORD", "SUPPORTED", "document_id", "load", "load_content", "scan", "skipped"]

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?P<body>(?:.*\n){0,500}?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FRONT_LINE = re.compile(r"(?P<key>[A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(?P<value>.*))?$")
_FRONT_OTHER = re.compile(r"\s|#|-[ \t]|$")


def load(path: Path) -> Iterator[Document | Problem]:
    """Stream the documents of a file, and a problem for each thing in it that cannot be used.

    Nothing in a file raises; a problem names the line where there is one.
    """
    path = path.resolve()
    return _loaded(path, path)


def load_content(path: Path, content: bytes) -> list[Document | Problem]:
    """Load what was read from a file elsewhere: the same documents and problems as `load` yields there.

    ``path`` is the resolved one. What lies beside the file is not seen.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / path.name
        file.write_bytes(content)
        return list(_loaded(path, file))


def _loaded(path: Path, file: Path) -> Iterator[Document | Problem]:
    """Stream the documents of ``file``, which stands for the one at ``path``."""
    try:
        suffix = kind_of(file)
        if suffix not in SUPPORTED:
            raise TextFileFault(unsupported(suffix))
        if file.exists() and not file.is_file():
            raise TextFileFault("This is not a regular file; name a file or a folder.")
        with unpacked(file) as content:
            yield from _READERS[suffix](DocumentBuilder(path, MEDIA_TYPES[suffix], content))
    except TextFileFault as fault:
        yield Problem(str(path), fault.line, fault.message)
    except OSError as error:
        yield Problem(str(path), None, f"The file cannot be read ({error.strerror}).")


def _plain_file(builder: DocumentBuilder) -> Iterator[Document]:
    """One document: the whole of a .txt file; its top heading, first line or name is its title."""
    text, builder.encoding = read_any(builder.content, MAX_RECORD)
    first = top_heading(text) or title_line(text)
    yield builder.document(builder.stem, builder.titled(first), text, {})


def _markdown_file(builder: DocumentBuilder) -> Iterator[Document]:
    """One document: a .md file; front matter gives its title and metadata, and its images are figures."""
    written, builder.encoding = read_any(builder.content, MAX_RECORD)
    front, text = _front_matter(written)
    text, figures = _figures(text, builder.path.parent)
    text = without_markup(text)
    title = one_line(front.pop("title", None)) or builder.titled(first_heading(text, underlined=True))
    yield builder.document(builder.stem, title, text, front, figures)


def _figures(text: str, folder: Path) -> tuple[str, tuple[Figure, ...]]:
    """Name the images of a Markdown text as figures; what reads them is imported where there are some."""
    if "![" not in text and "<img" not in text.lower():
        return text, ()
    from .formats.markdown import with_figures

    return with_figures(text, folder)


def _front_matter(text: str) -> tuple[dict[str, MetadataValue], str]:
    """Take a Markdown file's front matter off; its "key: value" lines are read, and values stay text."""
    found = _FRONT_MATTER.match(text)
    if found is None:
        return {}, text
    fields: dict[str, MetadataValue] = {}
    for line in found["body"].splitlines():
        entry = _FRONT_LINE.match(line)
        if entry is None and not _FRONT_OTHER.match(line):
            return {}, text  # prose between two rules
        if entry is not None and (value := _unquoted((entry["value"] or "").strip())):
            fields[entry["key"].lower()] = value
    return (fields, text[found.end() :]) if fields else ({}, text)


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _laid_out_file(builder: DocumentBuilder) -> Iterator[Document]:
    """One document: the whole of a file with a layout, which becomes Markdown."""
    found = _convert(builder.content, builder.media_type)
    builder.encoding = found.encoding
    metadata = {clean(key): clean(value) if isinstance(value, str) else value for key, value in found.metadata.items()}
    title = builder.titled(one_line(found.title))
    yield builder.document(builder.stem, title, found.text, metadata, found.figures)


def _convert(path: Path, media_type: str) -> ConvertedFile:
    """Convert a file with the module of its format, which is imported now, with its library."""
    name = _FORMATS[media_type]
    try:
        if name == "pptx":
            require("pptx", "slides", "Reading .pptx files", "python-pptx")
        module = import_module(f".formats.{name}.convert" if name in _FOLDERS else f".formats.{name}", __package__)
        converted: ConvertedFile = module.convert(path)
    except (TextFileFault, OSError):
        raise
    except UsageError as error:
        raise TextFileFault(str(error)) from error
    except Exception as error:  # a fault met in one file must cost that file, not the ingest
        raise TextFileFault(f"The file could not be read ({type(error).__name__}: {error}).") from error
    return converted


_FORMATS = {media_type: suffix.strip(".") for suffix, media_type in LAYOUTS.items()}  # .html, which follows .htm
_FOLDERS = ("docx", "html", "pdf")  # their readers have a folder each
_READERS: Mapping[str, Callable[[DocumentBuilder], Iterator[Document | Problem]]] = {
    ".csv": csv_documents,
    ".json": json_documents,
    ".jsonl": jsonl_documents,
    ".md": _markdown_file,
    ".txt": _plain_file,
    ".xlsx": xlsx_documents,
    **dict.fromkeys(LAYOUTS, _laid_out_file),
}
