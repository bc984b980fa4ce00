"""Dividing documents into sections with their heading paths (HiQA 3.2), and sections into sentences.

A Markdown document, or a plain text with headings (see `plain_headings`), is divided at its headings; every other
text is one section. Section texts and sentences are exact slices of what they come from, so that a span always leads
back to the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..core.records import Document, Section, Span
from ..core.sentences import sentences
from .formats.records import LAYOUTS
from .front_matter import is_contents, is_title_page
from .plain_headings import Heading, Line, lines_of, plain_headings, underlined_headings

__all__ = ["MAX_CHARS", "first_heading", "sentences", "split", "title_line", "top_heading"]

MAX_CHARS = 2_000
"""The length, in characters, that the pieces of a long section are cut to."""

# A text without headings is one passage, the unit that the papers retrieve and cover, unless it is so long
# that it would fill the answer's whole context (2,000 tokens, about 8,000 characters).
_WHOLE = 4
_MARKDOWN = "text/markdown"
_LAID_OUT = frozenset(LAYOUTS.values())
_RECORD = "application/json"

_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<rest>.*)$")
_ATX = re.compile(r" {0,3}(?P<level>#{1,6})(?:[ \t]+(?P<name>.*))?$")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(?P<mark>=+|-+)[ \t]*$")
_NOT_TITLE = re.compile(r"\s*(?:[-*+>|#]|\d+[.)]\s|`{3,}|~{3,}| {4}|\t|$)")
_MARKUP = re.compile(r"\\(?P<escaped>[!-/:-@\[-`{-~])|\*\*|__|`|!?\[(?P<label>[^\]]*)\]\([^)]*\)")
_TITLE_LINE = re.compile(r"[^\W_](?:[^|{}<>=:;\t]|(?<=\w): )*[^\W_][')\]]?\Z")
_CHAPTERS = 3  # of a document that has a title page
_TITLE_WORDS, _TITLE_CHARS = 12, 80
_TABLE_ROW = re.compile(r"[ \t]{0,3}\|")
_LABEL = re.compile(r"\s*[^\s.!?;|]\S*(?: \S+){0,2}(?<![.!?;])\s*")
"""A few words that stand alone, as the name of an option above what it does."""
_LONGEST_TITLE = 250
_PARAGRAPH = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def split(document: Document, *, max_chars: int = MAX_CHARS) -> list[Section]:
    """Divide a document into sections, in the order of its text.

    A section's path is the document's title and the headings above it, however the levels skip. A section's text is
    what stands between its heading and the next. Where that is longer than ``max_chars`` (a text without headings:
    four times as long), it is cut at paragraph and sentence borders, a table between its rows. A table of contents is
    no section. A document without text has none.
    """
    headings = _headings(document.text, document.media_type)
    limit = max_chars if headings else max_chars * _WHOLE
    pieces = [
        (path, piece)
        for path, body in _bodies(document, headings)
        for piece in (_pieces(document.text, body, max_chars) if body.end - body.start > limit else [body])
    ]
    return [_section(document, ordinal, path, piece) for ordinal, (path, piece) in enumerate(pieces)]


def first_heading(text: str, *, underlined: bool = False) -> str | None:
    """Return the Markdown heading that names the whole text; ``underlined`` counts setext headings, too.

    That is the first one where it is of the first level, or nothing stands before it: a README may begin with a logo
    and a paragraph, and its first heading then is that of a chapter.
    """
    if "#" not in text and not underlined:
        return None
    first = next((heading for heading in _markdown_headings(text, underlined=underlined) if heading.name), None)
    return first.name if first is not None and (first.level == 1 or not text[: first.start].strip()) else None


def top_heading(text: str) -> str | None:
    """Return the underlined heading that a plain text begins with."""
    if not text.lstrip().partition("\n")[2]:
        return None
    first = next(iter(underlined_headings(text)), None)
    return first.name if first is not None and not text[: first.start].strip() else None


def title_line(text: str) -> str | None:
    """Return the first line of a plain text where it reads as its title: a few words that stand alone."""
    line, _, rest = text.lstrip().partition("\n")
    line = line.strip()
    apart = bool(rest.strip()) and not rest.partition("\n")[0].strip()
    named = line[:1].isupper() or line[:1].isdigit() or len(line.split()) > 1
    short = len(line) <= _TITLE_CHARS and len(line.split()) <= _TITLE_WORDS
    titled = apart and named and short and _TITLE_LINE.match(line) and not _NOT_TITLE.match(line)
    return " ".join(line.split()) if titled else None


def _section(document: Document, ordinal: int, path: tuple[str, ...], piece: Span) -> Section:
    return Section(
        id=f"{document.id}:{ordinal}",
        document_id=document.id,
        record_id=document.record_id,
        ordinal=ordinal,
        path=path,
        text=document.text[piece.start : piece.end],
        start=piece.start,
    )


def _bodies(document: Document, headings: Sequence[Heading]) -> list[tuple[tuple[str, ...], Span]]:
    """Pair each heading path with the text under it; a heading without text only lends its name."""
    text, title = document.text, document.title
    starts = [0, *(heading.end for heading in headings)]
    ends = [*(heading.start for heading in headings), len(text)]
    spans = [_trim(text, start, end) for start, end in zip(starts, ends, strict=True)]
    found = [
        (path, span)
        for path, span in zip(_paths(title, headings), spans, strict=True)
        if span.end > span.start
    ]
    whole = _trim(text, 0, len(text))
    if not found and whole.end > whole.start:  # nothing but headings: they are the text
        return [((title,), whole)]
    return _telling(document, found) or found


def _telling(
    document: Document, found: Sequence[tuple[tuple[str, ...], Span]]
) -> list[tuple[tuple[str, ...], Span]]:
    """Leave out what only leads to the rest: tables of contents, and a PDF's title page."""
    told = [(path, span) for path, span in found if not is_contents(path[-1], document.text[span.start : span.end])]
    titled = document.media_type == LAYOUTS[".pdf"] and len(told) > _CHAPTERS and len(told[0][0]) == 1
    return told[1:] if titled and is_title_page(document.text[told[0][1].start : told[0][1].end]) else told


def _paths(title: str, headings: Sequence[Heading]) -> Iterator[tuple[str, ...]]:
    """Yield the path before the first heading and under each; the document's own title stands once."""
    yield (title,)
    above: list[Heading] = []
    for heading in headings:
        while above and above[-1].level >= heading.level:
            above.pop()
        above.append(heading)
        names = [each.name for each in above if each.name]
        yield (title, *(names[1:] if names and names[0] == title else names))


# headings.


def _headings(text: str, media_type: str) -> list[Heading]:
    if media_type == _MARKDOWN or media_type in _LAID_OUT:
        return list(_markdown_headings(text, underlined=media_type == _MARKDOWN))
    found = list(_markdown_headings(text, underlined=False)) if media_type == _RECORD and "#" in text else []
    return found or plain_headings(text)


def _markdown_headings(text: str, *, underlined: bool) -> Iterator[Heading]:
    """Yield ATX headings and, where asked for, underlined (setext) ones; fenced code holds none."""
    paragraph: list[Line] = []  # the lines that an underline would make a heading of
    for line in _outside_fences(lines_of(text)):
        if matched := _ATX.match(line.text):
            yield Heading(len(matched["level"]), _plain(matched["name"] or ""), line.start, line.end)
            paragraph = []
        elif underlined and paragraph and (under := _UNDERLINE.match(line.text)):
            name = _plain(" ".join(each.text.strip() for each in paragraph))
            yield Heading(1 if under["mark"][0] == "=" else 2, name, paragraph[0].start, line.end)
            paragraph = []
        elif _NOT_TITLE.match(line.text):
            paragraph = []
        else:
            paragraph = [line] if len(paragraph) > 2 else [*paragraph, line]


def _outside_fences(lines: Sequence[Line]) -> Iterator[Line]:
    """Leave out fenced code, but keep the opening fence, which ends a paragraph."""
    fence = ""
    for line in lines:
        matched = _FENCE.match(line.text)
        if fence:
            if matched and matched["mark"].startswith(fence) and not matched["rest"].strip():
                fence = ""
            continue
        if matched and not ("`" in matched["mark"] and "`" in matched["rest"]):
            fence = matched["mark"]
        yield line


def _plain(name: str) -> str:
    """A heading's name without its closing hashes, emphasis, link targets and escapes."""
    name = _CLOSING_HASHES.sub("", name.strip())
    return _MARKUP.sub(lambda found: found["label"] or found["escaped"] or "", name).strip()


# long sections.


def _pieces(text: str, body: Span, max_chars: int) -> list[Span]:
    """Cut a long text at paragraph borders, at sentence borders where a paragraph is too long itself.

    A table is cut between its rows alone, and not behind its title and its header.
    """
    parts: list[Span] = []
    for paragraph in _with_titles(text, list(_paragraphs(text, body))):
        long = paragraph.end - paragraph.start > max_chars
        cut = _cut_table if _has_table(text, paragraph) else _cut_paragraph
        parts.extend(cut(text, paragraph, max_chars) if long else [paragraph])
    trimmed = (_trim(text, part.start, part.end) for part in _join(text, parts, max_chars))
    return [part for part in trimmed if part.end > part.start]


def _paragraphs(text: str, body: Span) -> Iterator[Span]:
    start = body.start
    for gap in _PARAGRAPH.finditer(text, body.start, body.end):
        yield Span(start, gap.start())
        start = gap.end()
    yield Span(start, body.end)


def _has_table(text: str, paragraph: Span) -> bool:
    """Whether a paragraph is a pipe table, or ends in one."""
    return _TABLE_ROW.match(text[paragraph.start : paragraph.end].rpartition("\n")[2]) is not None


def _with_titles(text: str, paragraphs: Sequence[Span]) -> list[Span]:
    """Put a line and the table behind it together: the line is, or may be, the table's title."""
    joined: list[Span] = []
    for paragraph in paragraphs:
        last = joined[-1] if joined else None
        if last is not None and _TABLE_ROW.match(text, paragraph.start, paragraph.end) and _may_name(text, last):
            joined[-1] = Span(last.start, paragraph.end)
        else:
            joined.append(paragraph)
    return joined


def _may_name(text: str, paragraph: Span) -> bool:
    line = text[paragraph.start : paragraph.end].strip()
    return 0 < len(line) <= _LONGEST_TITLE and "\n" not in line and not line.startswith(("|", "!["))


def _cut_table(text: str, paragraph: Span, max_chars: int) -> Iterator[Span]:
    """Cut a table between its rows, keeping what stands above its first row with that; a long row stays whole."""
    lines = [Span(paragraph.start + line.start, paragraph.start + line.end)
             for line in lines_of(text[paragraph.start : paragraph.end])]  # fmt: skip
    first = next(n for n, line in enumerate(lines) if _TABLE_ROW.match(text, line.start, line.end))
    head = min(first + 2, len(lines) - 1)  # header, ruler, and the first row
    above = Span(paragraph.start, lines[first].start)
    if above.end - above.start > max_chars:
        yield from _cut_paragraph(text, above, max_chars)
        yield Span(lines[first].start, lines[head].end)
    else:
        yield Span(paragraph.start, lines[head].end)
    yield from lines[head + 1 :]


def _cut_paragraph(text: str, paragraph: Span, max_chars: int) -> Iterator[Span]:
    for found in sentences(text[paragraph.start : paragraph.end]):
        start, end = paragraph.start + found.start, paragraph.start + found.end
        while end - start > max_chars:
            space = text.rfind(" ", start + max_chars // 2, start + max_chars)
            cut = space if space > start else start + max_chars
            yield Span(start, cut)
            start = cut + 1 if space > start else cut
        if end > start:
            yield Span(start, end)


def _join(text: str, parts: Sequence[Span], max_chars: int) -> list[Span]:
    """Put neighbours together as long as they fit; the name of what comes next goes with that."""
    joined: list[Span] = []
    last = Span(0, 0)
    for part in parts:
        named = Span(last.start, part.end) if _LABEL.fullmatch(text, last.start, last.end) else part
        if joined and part.end - joined[-1].start <= max_chars:
            joined[-1] = Span(joined[-1].start, part.end)
        elif joined and joined[-1].start < named.start < part.start and part.end - named.start <= max_chars:
            joined[-1] = Span(joined[-1].start, named.start)
            joined.append(named)
        else:
            joined.append(part)
        last = part
    return joined


def _trim(text: str, start: int, end: int) -> Span:
    inside = text[start:end]
    left = len(inside) - len(inside.lstrip())
    return Span(start + left, max(start + left, start + len(inside.rstrip())))
