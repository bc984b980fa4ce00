"""What to quote of a section around a place in it: the sentence, or the list, rows or code with what introduces them.

Texts are read as Markdown leaves them: paragraphs, lists, pipe tables, fenced and indented code. What is quoted stands
word for word in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ..core.records import Span
from ..core.sentences import sentences
from .hiqa.tables import tables_in

__all__ = ["GAP", "LIMIT", "Passage", "TextBlock", "beside", "blocks_of", "introduced", "passage_at", "sentence_at"]

LIMIT = 900
"""Characters that a quotation has at most, unless its first sentence, item or row alone has more."""

GAP = "\n…\n"
"""What stands in a quotation where lines are left out."""

BlockKind = Literal["text", "list", "table", "code"]

_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+(?P<said>\S.*)$")
_STEP = re.compile(r"[ \t]*\(?1[.)][ \t]")
_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})")
_INDENTED = re.compile(r"(?: {4}|\t)\s*\S")
_PLAIN = re.compile(r"\W?[A-Z]?[a-z'’-]+\W{0,2}")
_PROSE_WORDS, _PROSE = 8, 0.75  # words of a paragraph that is set in, and the share of them that are plain ones
_SHORT = 200  # characters of a line that introduces what follows without a colon
_LEANING = re.compile(
    r"(?:this|that|these|those|it|its|they|their|he|his|she|her|such|then|thus|so|therefore|hence|otherwise|instead"
    r"|however|but|and|or|also)\b",
    re.IGNORECASE,
)
_GOING_ON = re.compile(r"(?:this|these|then|thus|so|therefore|hence|otherwise|finally|afterwards)\b", re.IGNORECASE)
_MOST_BEHIND = 2  # sentences that go on from the one that is quoted
_WHOLE = 600  # characters of a paragraph that is quoted to its end


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph, list, table or code block; ``parts`` are its sentences, items, rows or lines.

    A table's header and ruler are ``head``, and no part; so is the opening line of fenced code.
    """

    kind: BlockKind
    span: Span
    parts: tuple[Span, ...]
    head: Span | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """What is quoted, and where it stands; what introduces it from further up is in the text alone."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int
    end: int

    @property
    def blank(self) -> bool:
        return not self.text.strip()


def passage_at(text: str, start: int, end: int, *, whole: bool = False) -> Passage:
    """Return what to quote where a question asks how, why or what: whole sentences, or a whole block.

    Of a paragraph the sentences that go on from the place are quoted, or the ``whole`` of its rest. A question in the
    text is no answer to one: what follows it is.
    """
    blocks = blocks_of(text)
    number = _block_at(blocks, start)
    if number is None:
        return Passage(text[start:end], Span(start, end))
    if blocks[number].kind != "text":
        return _of_block(text, introduced(text, number), blocks[number], start)
    said = _told(text, blocks[number], start, end, whole=whole)
    last_of_block = said.end == blocks[number].span.end
    following = blocks[number + 1] if last_of_block and number + 1 < len(blocks) else None
    if following is not None and (following.kind == "code" or text[said.start : said.end].endswith(":")):
        return _of_block(text, said, following, following.span.start)
    return Passage(text[said.start : said.end], said)


def sentence_at(text: str, start: int, end: int) -> Passage:
    """Return the sentence around a few words: a row with its table's header, an item or a line of code with what opens
    it."""
    blocks = blocks_of(text)
    number = _block_at(blocks, start)
    if number is None:
        return Passage(text[start:end], Span(start, end))
    block = blocks[number]
    held = _touched(block.parts, start, end) or [block.span]
    while len(held) > 1 and held[-1].end - held[0].start > LIMIT:
        held.pop()
    span = Span(held[0].start, held[-1].end)
    if block.kind == "table":
        return _joined(text, [block.head] if block.head is not None else [], span)
    above = introduced(text, number)
    return _joined(text, [above] if above is not None and _opens(text, above) else [], span)


def beside(text: str, one: Passage, other: Passage) -> str:
    """Return two passages of a text as one quotation, in the order in which they stand there."""
    first, second = sorted((one, other), key=lambda passage: passage.span.start)
    between = text[first.span.end : second.span.start]
    return f"{first.text}{GAP if between.strip() else between}{second.text}"


def introduced(text: str, number: int) -> Span | None:
    """Return the sentence that introduces a block: one that ends in a colon, or a short line before it."""
    blocks = blocks_of(text)
    if not number or blocks[number - 1].kind != "text" or blocks[number].kind == "text":
        return None
    before = blocks[number - 1]
    last = before.parts[-1]
    short = len(before.parts) == 1 and last.end - last.start <= _SHORT
    return last if _opens(text, last) or short or blocks[number].kind == "code" else None


@lru_cache(maxsize=2_000)
def blocks_of(text: str) -> tuple[TextBlock, ...]:
    """Return the blocks of a text, in order."""
    lines, tables = _lines(text), {t.span.start: t.span for t in tables_in(text)}
    found: list[TextBlock] = []
    n = 0
    while n < len(lines):
        if lines[n].blank:
            n += 1
            continue
        kind, end = _run(lines, n, tables)
        found.append(_block(text, kind, lines[n:end]))
        n = end
    return tuple(found)


def _run(lines: Sequence[_Line], n: int, tables: dict[int, Span]) -> tuple[BlockKind, int]:
    """The kind of the block that begins at a line, and the number of the line behind it."""
    line = lines[n]
    if line.start in tables:
        last = tables[line.start].end
        return "table", next((m for m in range(n, len(lines)) if lines[m].start >= last), len(lines))
    fence = _FENCE.match(line.text)
    if fence is not None:
        closing = (m for m in range(n + 1, len(lines)) if lines[m].text.strip().startswith(fence["mark"]))
        return "code", next(closing, len(lines) - 1) + 1
    if _ITEM.match(line.text):
        return "list", _end_of_list(lines, n)
    if _INDENTED.match(line.text) and (n == 0 or lines[n - 1].blank) and not _is_prose(lines, n):
        end = _last(lines, n, lambda one: one.blank or _INDENTED.match(one.text) is not None)
        prose = next((m for m in range(n + 1, end) if lines[m - 1].blank and _is_prose(lines, m)), end)
        return "code", _last(lines, n, lambda _: True, prose)
    end = n + 1
    while end < len(lines) and not (lines[end].blank or lines[end].start in tables or _breaks(lines[end])):
        end += 1
    return "text", end


def _is_prose(lines: Sequence[_Line], n: int) -> bool:
    """Whether the lines from one on up to a gap are prose, however far set in: most of their words are plain ones."""
    end = next((m for m in range(n, len(lines)) if lines[m].blank), len(lines))
    said = [word for line in lines[n:end] for word in line.text.split()]
    plain = sum(_PLAIN.fullmatch(word) is not None for word in said)
    return len(said) >= _PROSE_WORDS and plain >= _PROSE * len(said)


def _breaks(line: _Line) -> bool:
    """Whether a line ends the paragraph before it."""
    return _ITEM.match(line.text) is not None or _FENCE.match(line.text) is not None


def _end_of_list(lines: Sequence[_Line], n: int) -> int:
    """A list goes on with further items, with lines that are set in, and with lines that follow without a gap."""
    end, blank = n + 1, False
    while end < len(lines):
        line = lines[end]
        belongs = _ITEM.match(line.text) is not None or line.text[:1] in (" ", "\t")
        if not line.blank and blank and not belongs:
            break
        blank = line.blank
        end += 1
    return _last(lines, n, lambda _: True, end)


def _last(lines: Sequence[_Line], n: int, holds: Callable[[_Line], bool], limit: int | None = None) -> int:
    """The line behind the last filled one of those, from a line on, for which something holds."""
    end = n
    while end < (len(lines) if limit is None else limit) and holds(lines[end]):
        end += 1
    while end > n + 1 and lines[end - 1].blank:
        end -= 1
    return end


def _block(text: str, kind: BlockKind, lines: Sequence[_Line]) -> TextBlock:
    start, end = lines[0].start, lines[-1].end
    span = Span(start, start + len(text[start:end].rstrip()))
    filled = [line for line in lines if not line.blank]
    if kind == "text":
        inner = tuple(Span(start + s.start, start + s.end) for s in sentences(text[start : span.end]))
        first = inner[0].start if inner else start
        return TextBlock(kind, Span(first, span.end), inner or (span,))
    if kind == "list":
        heads = [line.start for line in filled if _ITEM.match(line.text)]
        return TextBlock(kind, span, tuple(_trimmed(text, a, b) for a, b in zip(heads, (*heads[1:], end), strict=True)))
    rows = [Span(line.start, line.end) for line in filled]
    if kind == "code" and _FENCE.match(filled[0].text):
        return TextBlock(kind, span, tuple(rows[1:]) or tuple(rows), rows[0])
    if kind == "table" and len(rows) > 2 and set(text[rows[1].start : rows[1].end]) <= set("|-: \t"):
        return TextBlock(kind, span, tuple(rows[2:]), Span(rows[0].start, rows[1].end))
    return TextBlock(kind, span, tuple(rows))


def _trimmed(text: str, start: int, end: int) -> Span:
    return Span(start, start + len(text[start:end].rstrip()))


def _lines(text: str) -> list[_Line]:
    found, start = list[_Line](), 0
    for line in text.split("\n"):
        found.append(_Line(line, start, start + len(line)))
        start += len(line) + 1
    return found


def _block_at(blocks: Sequence[TextBlock], at: int) -> int | None:
    """The block that a place lies in, or the first behind it."""
    return next((n for n, block in enumerate(blocks) if at < block.span.end), None)


def _touched(parts: Sequence[Span], start: int, end: int) -> list[Span]:
    return [part for part in parts if part.start < max(end, start + 1) and start < part.end]


def _opens(text: str, sentence: Span) -> bool:
    return text[sentence.start : sentence.end].rstrip().endswith(":")


def _told(text: str, block: TextBlock, start: int, end: int, *, whole: bool) -> Span:
    """The sentences around a place, with the one that they lean on and those that go on from them."""
    parts = block.parts
    held = [n for n, part in enumerate(parts) if part in _touched(parts, start, end)] or [0]
    first = last = held[0]
    while last < held[-1] and parts[last + 1].end - parts[first].start <= LIMIT:
        last += 1
    begins = text[parts[first].start : parts[first].end]
    if first and _LEANING.match(begins) and parts[last].end - parts[first - 1].start <= LIMIT:
        first -= 1
    for behind in range(last + 1, len(parts) if whole else min(len(parts), last + 1 + _MOST_BEHIND)):
        fits = parts[behind].end - parts[first].start <= (_WHOLE if whole else LIMIT)
        if not (fits and (whole or _GOING_ON.match(text, parts[behind].start))):
            break
        last = behind
    return Span(parts[first].start, parts[last].end)


def _of_block(text: str, intro: Span | None, block: TextBlock, at: int) -> Passage:
    """A block with its introduction: all of it, or as many of its parts as there is room for, the one at a place among
    them. Steps are told from the first."""
    start = block.span.start if intro is None else intro.start
    if block.span.end - start <= LIMIT:
        return Passage(text[start : block.span.end], Span(start, block.span.end))
    above = [s for s in (intro, block.head) if s is not None]
    room = LIMIT - sum(s.end - s.start for s in above)
    here = next((n for n, part in enumerate(block.parts) if at < part.end), 0)
    first = last = 0 if block.parts[here].end - block.parts[0].start <= room else here
    if first and block.kind == "list" and _STEP.match(text, block.parts[0].start):
        above.append(block.parts[0])
        room -= block.parts[0].end - block.parts[0].start
    while last + 1 < len(block.parts) and block.parts[last + 1].end - block.parts[first].start <= room:
        last += 1
    return _joined(text, above, Span(block.parts[first].start, block.parts[last].end))


def _joined(text: str, above: Sequence[Span], below: Span) -> Passage:
    """What stands further up, and what is quoted below it; a mark says where something is left out between."""
    spans = list(_merged(text, (*above, below)))
    if len(spans) == 1:
        return Passage(text[spans[0].start : spans[0].end], spans[0])
    said = [text[s.start : s.end] for s in spans]
    return Passage(GAP.join(said), below)


def _merged(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Spans with nothing but space between them as one."""
    held = spans[0]
    for span in spans[1:]:
        if text[held.end : span.start].strip():
            yield held
            held = span
        else:
            held = Span(held.start, span.end)
    yield held
