"""Hierarchical contextual augmentation: the text that stands for a section where it is looked for (HiQA Algorithm 2).

The sections keep their text as it is, for the reader; what is embedded and indexed by words is the augmented text: the
headings above the section, the document's title first (A.2), and its content with each table reduced to its title and
labels (A.4) and each figure to its caption and description (A.3, A.5). The sentences around a table or figure, which
describe it, are part of the content anyway.

One vector of a long section says little of any one sentence. So the parts of a section, a few sentences or rows each,
are embedded as well, each under the headings above the section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from ...core.records import Section
from ...core.sentences import sentences
from .tables import MarkdownTable, tables_in

__all__ = ["HCA", "NO_DESCRIPTIONS", "Augmentation", "augmented_parts", "augmented_text", "is_structured"]

NO_DESCRIPTIONS: Mapping[str, str] = MappingProxyType({})

_IMAGE = re.compile(r"!\[(?P<caption>[^\]\n]*)\]\((?P<target>[^)\s]+)(?:[ \t]+\"[^\"\n]*\")?\)")
_FIGURE = "figure:"
_PART = 250  # characters of a part, unless one sentence is longer
_LABELS = 60  # of a table's rows and columns each; what an encoder reads is bounded, a table need not be


@dataclass(frozen=True, slots=True)
class Augmentation:
    """What of HiQA's augmentation is at work; the ablation of the paper's Table 2 switches its parts off.

    ``hierarchy`` False keeps a section's own heading alone ("No Hierarchy"), ``metadata`` False no heading at all
    ("Original RAG"); ``tables`` False leaves the data cells in (Table 3), ``figures`` False the images as they stand.
    """

    hierarchy: bool = True
    metadata: bool = True
    tables: bool = True
    figures: bool = True


HCA = Augmentation()
"""The whole augmentation, as the paper has it and as knowledge bases are indexed."""


def augmented_text(
    section: Section, options: Augmentation = HCA, descriptions: Mapping[str, str] = NO_DESCRIPTIONS
) -> str:
    """Return what is embedded for a section.

    ``descriptions`` are what is known of figures besides their captions, by figure id. A section without tables and
    figures gives what passages are embedded as (`indexing.passage_text`), so that one vector can serve both.
    """
    return _headed(section, "".join(_content(section.text, options, descriptions)), options)


def augmented_parts(
    section: Section, options: Augmentation = HCA, descriptions: Mapping[str, str] = NO_DESCRIPTIONS
) -> list[str]:
    """Return the parts of a section that are embedded besides, under its headings; none of one that is short.

    Rows of tables are parts as they stand: in a row by itself no data hide its label.
    """
    content = "".join(_content(section.text, replace(options, tables=False), descriptions))
    parts: list[str] = []
    for span in sentences(content):
        said = content[span.start : span.end].strip()
        if parts and len(parts[-1]) + len(said) <= _PART:
            parts[-1] += f" {said}"
        else:
            parts.append(said)
    return [_headed(section, part, options) for part in parts] if len(parts) > 1 else []


def is_structured(section: Section) -> bool:
    """Whether a section stands under a heading of its document."""
    return len(section.path) > 1


def _headed(section: Section, content: str, options: Augmentation) -> str:
    headings = (section.path if options.hierarchy else section.path[-1:]) if options.metadata else ()
    return f"{' > '.join(headings)}\n{content}" if options.metadata else content


def _content(text: str, options: Augmentation, descriptions: Mapping[str, str]) -> Iterator[str]:
    at = 0
    for table in tables_in(text) if options.tables else ():
        yield _images(text[at : table.span.start], options, descriptions)
        yield _labels(table)
        at = table.span.end
    yield _images(text[at:], options, descriptions)


def _labels(table: MarkdownTable) -> str:
    """What a table is about: its labels, without the data (A.4). The title stays where it stands in the text."""
    columns, rows = _distinct(table.columns), _distinct(_row_labels(table))
    lines = [f"{name}: {', '.join(labels)}." for name, labels in (("Columns", columns), ("Rows", rows)) if labels]
    return "\n".join(lines)


def _row_labels(table: MarkdownTable) -> Iterator[str]:
    """The cells that name the rows: those of the first column that is made of words rather than numbers."""
    width = len(table.rows[0]) if table.rows else 0
    wordy = (n for n in range(width) if 2 * sum(_is_wordy(row[n]) for row in table.rows) > len(table.rows))
    column = next(wordy, 0)
    return (row[column] for row in table.rows if row)


def _is_wordy(cell: str) -> bool:
    return sum(map(str.isalpha, cell)) > sum(map(str.isdigit, cell))


def _distinct(labels: Iterator[str] | tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(label for label in labels if label))[:_LABELS]


def _images(text: str, options: Augmentation, descriptions: Mapping[str, str]) -> str:
    """Write each image as its caption and description; a caption that the line below repeats stays where it is."""
    if not options.figures or "](" not in text:
        return text

    def told(image: re.Match[str]) -> str:
        figure = image["target"].removeprefix(_FIGURE)
        known = descriptions.get(figure, "") if image["target"].startswith(_FIGURE) else ""
        parts = dict.fromkeys(part for part in (image["caption"].strip(), known.strip()) if part)
        return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in parts)

    return _IMAGE.sub(told, text)
