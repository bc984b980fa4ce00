"""Cube labels that a corpus's authors give, imported in place of extraction (`multicube ingest --labels FILE`).

The file has one JSON record a line: ``{"id": record id, "labels": {dimension: {label: count}}}``. Every label becomes a
fact of origin "authors" in the sections of its document where it stands; one that stands nowhere is filed under the
document's first section. Names of dimensions need not be the ontology's letter by letter, and text that was decoded
with the wrong code page is repaired.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..core.errors import InputError, UsageError
from ..core.records import Document, Fact, Problem, Section, Span
from ..documents.sections import sentences, split
from ..extraction.mention_labels import MENTIONS, document_label
from ..model.ontology import BUILTIN, CubeSpec, Dimension, Ontology, load_ontology

__all__ = ["ORIGIN", "AuthoredExtractor", "AuthoredLabels", "ontology_for", "read_labels", "repaired"]

ORIGIN = "authors"
"""Who said so, for facts that were imported."""

_WESTERN = "cp1252"
_LEAD = re.compile("[\u00c2-\u00f4]$")
_TRACES = re.compile("[\u00c2-\u00f4](?:[\u0080-\u00bf]|[\u2018-\u203a\u20ac\u0152-\u0192\u02c6\u02dc\u2122])")
"""A first byte of UTF-8 that was read as a letter, with a byte that goes on behind it."""
_THREE = re.compile("[\u00e0-\u00ef][^\x00-\x7f]{2}")


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    id: Annotated[str, Field(min_length=1)]
    labels: dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class AuthoredLabels:
    """A file of labels: by record id, the labels of each dimension, as the file names it, and the line."""

    path: Path
    records: Mapping[str, Mapping[str, Sequence[str]]]
    lines: Mapping[str, int]
    digest: str

    def dimensions(self) -> list[str]:
        """Return the names of the dimensions, in the order in which they come."""
        return list(dict.fromkeys(name for labels in self.records.values() for name in labels))

    def unmatched(self, record_ids: set[str]) -> list[Problem]:
        """Return a problem for each record that is no document's."""
        return [
            Problem(str(self.path), self.lines[id], f"There is no document '{id}'; its labels were left out.")
            for id in self.records
            if id not in record_ids
        ]


def read_labels(path: Path) -> AuthoredLabels:
    """Read a file of labels; raises InputError that names the line of what cannot be used."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"The labels {path} cannot be read ({error.strerror}); name a file of JSON lines.") from error
    records: dict[str, dict[str, list[str]]] = {}
    lines: dict[str, int] = {}
    for number, raw in enumerate(content.splitlines(), start=1):
        if not raw.strip():
            continue
        record = _parsed(path, number, raw)
        if record.id in records:
            raise InputError(f"{path}:{number}: the id '{record.id}' was already used on line {lines[record.id]}.")
        records[record.id] = {name: list(labels) for name, labels in record.labels.items() if labels}
        lines[record.id] = number
    if not records:
        raise InputError(f"{path}: the file holds no labels.")
    return AuthoredLabels(path, records, lines, hashlib.blake2b(content, digest_size=8).hexdigest())


def _parsed(path: Path, number: int, raw: bytes) -> _Record:
    try:
        return _Record.model_validate(json.loads(raw.decode("utf-8-sig" if number == 1 else "utf-8")))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the line"
        raise InputError(
            f"{path}:{number}: {where}: {first['msg']}; write {{'id': ..., 'labels': {{dimension: {{label: count}}}}}}."
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}:{number}: the line is not valid JSON in UTF-8; mend or remove it.") from error


def ontology_for(labels: AuthoredLabels) -> Ontology:
    """Return the built-in hypercube that has all of the labels' dimensions, the smallest one; else one made of them."""
    fitting = []
    for path in sorted(BUILTIN.glob("*.yaml")):
        ontology = load_ontology(path.stem)
        cube = _hypercube(ontology)
        if cube is not None and all(_dimension(cube, name) is not None for name in labels.dimensions()):
            fitting.append((len(cube.attributes), ontology))
    return min(fitting, key=lambda one: one[0])[1] if fitting else _made_of(labels)


def _made_of(labels: AuthoredLabels) -> Ontology:
    from ..design.statistics import kind_of_dimension

    named = {"_".join(re.findall("[a-z0-9]+", name.lower())): name for name in labels.dimensions()}
    attributes = [
        {"id": id, "name": name.capitalize(), "description": name, "kind": kind_of_dimension(name)}
        for id, name in named.items()
    ]
    cube = {
        "id": "document", "name": "Document", "description": "documents by what they mention", "nouns": ["document"],
        "subject": {"id": "document_title", "name": "Title", "description": "titles of documents", "kind": "text"},
        "attributes": attributes,
    }  # fmt: skip
    try:
        return Ontology.model_validate({"name": "labels", "cubes": [cube]})
    except ValidationError as error:
        raise UsageError(
            f"The dimensions of {labels.path} ({', '.join(named)}) make no ontology; name one with --ontology."
        ) from error


def _hypercube(ontology: Ontology) -> CubeSpec | None:
    return next((cube for cube in ontology.cubes if cube.is_hypercube), None)


def _dimension(cube: CubeSpec, name: str) -> Dimension | None:
    """The dimension that an author's name means: the same, or the only one whose words hold or begin with its words."""
    asked = re.findall("[a-z0-9]+", name.lower())
    worded = {dimension.id: (dimension, dimension.id.split("_")) for dimension in cube.attributes}
    if "_".join(asked) in worded:
        return worded["_".join(asked)][0]
    held = [d for d, words in worded.values() if asked and set(asked) <= set(words)]
    begun = [d for d, words in worded.values() if len(asked) == 1 and words[0].startswith(asked[0][:5])]
    return next((found[0] for found in (held, begun) if len(found) == 1), None)


class AuthoredExtractor:
    """Gives each section the authors' labels of its document that stand in it (Hypercube-RAG eq. 1).

    Raises UsageError where the ontology has no hypercube, or none of its dimensions is meant by a name of the file.
    """

    def __init__(self, ontology: Ontology, labels: AuthoredLabels) -> None:
        cube = _hypercube(ontology)
        if cube is None:
            raise UsageError(
                f"The ontology '{ontology.name}' has no class of documents to put labels on; "
                "name another with --ontology."
            )
        self._cube, self._labels = cube, labels
        self._dimensions = {name: _known(cube, name, labels.path) for name in labels.dimensions()}
        self._placed: tuple[str, dict[str, list[Fact]]] = ("", {})

    @property
    def version(self) -> str:
        """The origin with the file's hash: other labels are another reading."""
        return f"{ORIGIN}/{self._labels.digest}"

    def prepare(self, documents: Sequence[Document]) -> None:
        """Nothing is to be learnt from the documents."""

    def extract(self, section: Section, document: Document) -> Sequence[Fact]:
        """Return the labels of one section, each at the place where it stands first."""
        if self._placed[0] != document.id:
            self._placed = document.id, self._of(document)
        return self._placed[1].get(section.id, [])

    def _of(self, document: Document) -> dict[str, list[Fact]]:
        placed: dict[str, list[Fact]] = {}
        parts, title = split(document), document_label(document)
        for name, labels in self._labels.records.get(document.record_id, {}).items():
            for label in labels:
                for fact in self._facts(self._dimensions[name], label, title, document, parts):
                    placed.setdefault(fact.section_id, []).append(fact)
        return placed

    def _facts(
        self, dimension: Dimension, label: str, title: str, document: Document, parts: Sequence[Section]
    ) -> Iterator[Fact]:
        text = repaired(label, document.text)  # the document may have been decoded in the same wrong way
        places = [(part, s) for part in parts if (s := _located(text, part.text) or _located(label, part.text))]
        for part, span in places or [(part, Span(0, 0)) for part in parts[:1]]:
            around = next((s for s in sentences(part.text) if s.start <= span.start < s.end), span)
            yield Fact(
                part.id, self._cube.id, dimension.id, title, MENTIONS, text, dimension.kind, span, around, 1.0, ORIGIN
            )


def _known(cube: CubeSpec, name: str, path: Path) -> Dimension:
    found = _dimension(cube, name)
    if found is None:
        known = ", ".join(dimension.id for dimension in cube.attributes)
        raise UsageError(f"{path}: there is no dimension '{name}' among {known}; name another ontology by --ontology.")
    return found


def _located(label: str, text: str) -> Span | None:
    words = r"\s+".join(re.escape(word) for word in label.split())
    found = re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE) if words else None
    return Span(found.start(), found.end()) if found is not None else None


def repaired(label: str, text: str) -> str:
    """Return a label whose UTF-8 was read as Latin letters ("El NiÃ±o") as it was written ("El Niño").

    Where its end was cut off within a letter, the only word of ``text`` that goes on from there tells the letter.
    """
    mended = _mended(label)
    if not _LEAD.search(mended):
        return mended
    lead, whole = ord(mended[-1]), re.escape(mended[:-1])
    ends = re.findall(rf"(?<!\w){whole}\w+", _mended(text))
    going_on = {found for found in ends if found[len(mended) - 1].encode()[0] == lead}
    return going_on.pop() if len(going_on) == 1 else mended


def _mended(text: str) -> str:
    """Letters of three bytes ("â€™") before those of two ("Ã±")."""
    if text.isascii():
        return text
    for broken in (_THREE, _TRACES):
        text = broken.sub(lambda found: _decoded(found[0]), text)
    return text


def _decoded(found: str) -> str:
    for page in (_WESTERN, "latin-1"):
        try:
            return found.encode(page).decode("utf-8")
        except UnicodeError:
            continue
    return found
