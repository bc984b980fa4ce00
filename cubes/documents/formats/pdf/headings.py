"""Which lines of a PDF are headings, and of which level (HiQA 3.1: chapters, with their level kept).

What the outline or a printed table of contents names is looked for on its page. What they do not name, and everything
where there is neither, is told by size, weight, numbering and the space around it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .contents import ContentsEntry, number_of, plain
from .items import Item, TextLine, starts_caption

__all__ = ["Heading", "body_size", "headings_of"]

_LONGEST = 160
_MOST_LINES = 4
_LARGER = 1.07
_FAR = 4_000  # lines between two chapters that a printed table of contents names
_TRUSTED = 0.5
_NUMBERS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_WORDS = "part|chapter|appendix|annex|kapitel|teil|anhang|chapitre|cap\\S+tulo"
_CHAPTER = re.compile(rf"(?:{_WORDS})\s+(?:\d{{1,3}}|[A-Z]|[IVXLC]+|{'|'.join(_NUMBERS)})[.:]?$", re.IGNORECASE)
_SPELT = re.compile(rf"^(?:(?P<word>{_WORDS})\s+)?(?P<number>{'|'.join(_NUMBERS).upper()})\s+", re.IGNORECASE)
_ALONE = re.compile(rf"\d{{1,2}}|[A-Z]|(?:{'|'.join(_NUMBERS).upper()})")
_ADMONITION = re.compile(
    r"(?:note|notes|tip|caution|warning|important|attention|hinweis|achtung|nota|remarque)\W*$", re.IGNORECASE
)
_WHOLE_WORD = re.compile(r"[^\W\d_]{2}|[\u3040-\u9fff\uac00-\ud7a3]")
_BULLET = re.compile(r"[\u2022\u25aa\u25cf\u25a0\u25e6\u2023*\u2013\u2014\uf0b7-]\s")
_Style = tuple[float, bool, bool]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level from 1, its text with its number, and the ids of the lines it stands on."""

    level: int
    text: str
    lines: tuple[int, ...]


def body_size(pages: Sequence[Sequence[Item]]) -> float:
    """Return the font size of most of the running text."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for item in page:
            if isinstance(item, TextLine) and not item.mono:
                sizes[item.size] += len(item.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def headings_of(
    pages: Sequence[Sequence[Item]], outline: Sequence[ContentsEntry], printed: Sequence[ContentsEntry]
) -> Mapping[int, Heading]:
    """Return the headings by the id of their first line."""
    seen = _Text(pages)
    named = _named(seen, outline)
    if len(named) < 3 or len(named) < _TRUSTED * len(outline):
        other = _named(seen, printed)
        named = other if len(other) > len(named) else named
    styled = {n: place for n, place in _styled(seen, named).items() if not named or n > min(named)}
    found = {**_levels(seen, styled, named), **named}
    ordered = dict(sorted(found.items(), key=lambda each: each[0]))
    return {id(seen.lines[at]): heading for at, heading in _normal(list(ordered.items()))}


class _Text:
    """The lines of a document in order, with what is asked of them again and again."""

    def __init__(self, pages: Sequence[Sequence[Item]]) -> None:
        self.lines = [item for page in pages for item in page if isinstance(item, TextLine)]
        self.size = body_size(pages)
        body = [line for line in self.lines if abs(line.size - self.size) < 0.3]
        self.bold = sum(len(line.text) for line in body if line.bold) > 0.5 * sum(len(line.text) for line in body)
        self.starts: dict[int, int] = {}
        for n, line in enumerate(self.lines):
            self.starts.setdefault(line.page, n)

    def stands_out(self, line: TextLine) -> bool:
        """Whether a line is larger or bolder than the running text."""
        return line.size > self.size * _LARGER or (line.bold and not self.bold and line.size > 0.93 * self.size)

    def front(self) -> int:
        """Return where the first page's title and what goes with it end: at the first line of running text."""
        first = [line for line in self.lines if line.page == self.lines[0].page]
        plain = (n for n, line in enumerate(first) if not self.stands_out(line) and len(line.words) > 6)
        return next(plain, len(first))

    def style(self, line: TextLine) -> _Style:
        """What lines of one level share."""
        return round(line.size * 2) / 2, line.bold, line.italic


# headings that a table of contents names.


def _named(seen: _Text, entries: Sequence[ContentsEntry]) -> dict[int, Heading]:
    found: dict[int, Heading] = {}
    at = 0
    for entry in entries:
        place = _find(seen, entry, at)
        if place is None:
            continue
        start, end = place
        if start in found:
            continue
        found[start] = Heading(entry.level, _text(seen.lines[start:end], entry.title), _ids(seen.lines[start:end]))
        at = end
    return found


def _find(seen: _Text, entry: ContentsEntry, at: int) -> tuple[int, int] | None:
    """Return the lines that an entry of a table of contents names: on its page, or anywhere behind the last one."""
    wanted = plain(entry.title)
    number = number_of(entry.title)
    lead, _, rest = entry.title.partition(" ")
    bare = plain(number[1] if number else rest if re.fullmatch(r"[IVXLC]+|[A-Z]|\d+", lead) else "")
    if not wanted:
        return None
    if entry.page is None:
        first, last = at, min(at + _FAR, len(seen.lines))  # a list of entries that are nowhere must not cost its square
    else:
        first = seen.starts.get(entry.page, seen.starts.get(entry.page + 1, -1))
        if first < 0:
            return None
        last = next(
            (seen.starts[p] for p in range(entry.page + 2, entry.page + 6) if p in seen.starts), len(seen.lines)
        )
    best: tuple[float, int, int] | None = None
    for n in range(first, last):
        if entry.page is None and not (seen.stands_out(seen.lines[n]) or number_of(seen.lines[n].text)):
            continue
        end = _matches(seen, n, wanted, bare)
        if end is None:
            continue
        line = seen.lines[n]
        worth = (
            line.size
            + 2.0 * line.bold
            - (0.0 if n >= at else 8.0)
            - (line.page != entry.page if entry.page is not None else 0) * 1.0
        )
        if best is None or worth > best[0] + 0.5:
            best = (worth, n, end)
        if entry.page is None:
            break
    return None if best is None else (_with_chapter(seen, best[1]), best[2])


def _matches(seen: _Text, n: int, wanted: str, bare: str) -> int | None:
    """Return where the lines end that begin at ``n`` and say what is wanted, number or not; None if they do not."""
    text = plain(seen.lines[n].text)
    if not text or (
        text[0] != wanted[0]
        and not text[0].isdigit()
        and number_of(seen.lines[n].text) is None
        and not (bare and text[0] == bare[0])
    ):
        return None
    joined, raw = "", ""
    for end in range(n, min(n + _MOST_LINES, len(seen.lines))):
        if end > n and abs(seen.lines[end].size - seen.lines[n].size) > 0.6 + 0.3 * seen.lines[n].size:
            return None
        joined += plain(seen.lines[end].text)
        raw = f"{raw} {seen.lines[end].text}".strip()
        if joined in (wanted, bare):
            return end + 1
        number = number_of(raw)
        if number is not None and number[1] and plain(number[1]) in (wanted, bare):
            return end + 1
        if len(joined) > len(wanted) + 24:
            return None
    return None


def _with_chapter(seen: _Text, n: int) -> int:
    """Return where a heading begins if the line above it is "Chapter 3" or the like, or a number alone."""
    line = seen.lines[n]
    for back in (2, 1):
        above = seen.lines[n - back : n] if n >= back else []
        text = " ".join(each.text.strip() for each in above)
        alone = _CHAPTER.match(text) or (back == 1 and _ALONE.fullmatch(text) and above[0].size >= line.size)
        if above and alone and all(each.page == line.page and seen.stands_out(each) for each in above[-1:]):
            return n - back
    return n


def _text(lines: Sequence[TextLine], title: str) -> str:
    """Return a heading's text as it is printed; as the outline has it where that alone has the number."""
    text = ""
    for line in lines:
        broken = text.endswith("-") and text[-2:-1].isalpha() and line.text[:1].islower()
        text = text[:-1] + line.text if broken else f"{text} {line.text}".strip()
    text = _SPELT.sub(
        lambda found: f"{(found['word'] or '').capitalize()} {_NUMBERS.index(found['number'].lower()) + 1} ".lstrip(),
        text,
    )
    number = number_of(title)
    if number and not number_of(text):
        return title
    own = number_of(text)
    if (
        title
        and text.isupper()
        and not title.isupper()
        and own
        and plain(own[1]) == plain(number[1] if number else title)
    ):
        return f"{text[: len(text) - len(own[1])]}{number[1] if number else title}"
    return " ".join(text.split())


def _ids(lines: Sequence[TextLine]) -> tuple[int, ...]:
    return tuple(id(line) for line in lines)


# headings by their looks.


def _styled(seen: _Text, named: Mapping[int, Heading]) -> dict[int, tuple[int, int]]:
    """Return where headings begin and end that stand out, beside those that are named."""
    taken = {line for heading in named.values() for line in heading.lines}
    styles = Counter(seen.style(seen.lines[n]) for n in named)
    found: dict[int, tuple[int, int]] = {}
    n, front = 0, seen.front()
    while n < len(seen.lines):
        end = n
        while end < len(seen.lines) and id(seen.lines[end]) not in taken and _goes_on(seen, n, end):
            end += 1
        if n < front and not seen.lines[n].bold and not seen.lines[n].text[0].isdigit():
            pass  # authors, dates and the like between the title and the text
        elif end > n and end - n <= _MOST_LINES and _heading_like(seen, n, end, styles):
            found[n] = (n, end)
        n = max(end, n + 1)
    return found


def _goes_on(seen: _Text, start: int, n: int) -> bool:
    """Whether a line stands out and belongs to the heading that begins at ``start``."""
    line = seen.lines[n]
    if not (seen.stands_out(line) or _chapter_number(line.text)) or (line.mono and line.size <= seen.size * 1.15):
        return False
    if n == start:
        return True
    last = seen.lines[n - 1]
    near = last.page == line.page and -0.3 * line.size < line.y - last.y < 1.6 * line.size
    after_number = _CHAPTER.match(last.text.strip()) and last.page == line.page and line.y - last.y < 6 * line.size
    if after_number:
        return True
    return near and seen.style(line) == seen.style(last) and number_of(line.text) is None


def _chapter_number(text: str) -> bool:
    return bool(_CHAPTER.match(text.strip()))


def _heading_like(seen: _Text, start: int, end: int, styles: Counter[_Style]) -> bool:
    lines = seen.lines[start:end]
    first, text = lines[0], " ".join(line.text for line in lines)
    letters = sum(char.isalpha() for char in text)
    if (
        len(text) > _LONGEST
        or not _WHOLE_WORD.search(text)
        or _ADMONITION.match(text)
        or letters < 0.4 * len(text.replace(" ", ""))
    ):
        return False
    if _BULLET.match(text) or starts_caption(text) or text.rstrip()[-1] in ",;" or re.fullmatch(r"[\W\d]*", text):
        return False
    number = number_of(text)
    larger = first.size > seen.size * _LARGER
    if text.rstrip().endswith((".", ":", "?", "!")) and not (number and larger) and not text.rstrip().endswith("?"):
        return False
    if number is None and first.text[0].islower() and styles[seen.style(first)] < 2:
        return False
    before = seen.lines[start - 1] if start else None
    apart = (
        before is None or before.page != first.page or not 0 < first.y - before.y < 1.25 * max(first.size, before.size)
    )
    after = seen.lines[end] if end < len(seen.lines) else None
    if after is None and not larger:
        return False
    if larger:
        return apart or number is not None
    return apart and _stands_at_margin(first, after, text)


def _stands_at_margin(line: TextLine, after: TextLine | None, text: str) -> bool:
    """Whether a bold line of the text's own size begins where its column does and is no term with what it means."""
    left, right = line.column
    centred = abs((line.x0 - left) - (right - line.x1)) < 6 and line.x0 - left > 20
    term = after is not None and after.page == line.page and after.x0 > line.x0 + 9 and not after.bold
    return (line.x0 < left + 6 and (not term or text.isupper() or number_of(text) is not None)) or centred


def _levels(seen: _Text, styled: Mapping[int, tuple[int, int]], named: Mapping[int, Heading]) -> dict[int, Heading]:
    """Give headings that no table of contents names their level: by number, else by style, else below what is named."""
    texts = {n: _text(seen.lines[start:end], "") for n, (start, end) in styled.items()}
    shift = _shift(named)
    depths = {n: len(number[0]) + shift for n, text in texts.items() if (number := number_of(text)) and number[1]}
    by_style: dict[_Style, Counter[int]] = {}
    for n, depth in [*depths.items(), *((n, heading.level) for n, heading in named.items())]:
        by_style.setdefault(seen.style(seen.lines[n]), Counter())[depth] += 1
    known = {style: depths_of.most_common(1)[0][0] for style, depths_of in by_style.items()}
    ranks = _ranks({seen.style(seen.lines[n]) for n in styled}, known)
    found: dict[int, Heading] = {}
    last = 0
    for n in sorted({*styled, *named}):
        if n in named:
            last = named[n].level
            continue
        start, end = styled[n]
        style = seen.style(seen.lines[n])
        level = depths.get(n) or ranks[style]
        if named and n not in depths and style not in known:
            level = last + max(1, level - max(known.values()))  # below whatever the tables of contents name
        found[n] = Heading(level, texts[n], _ids(seen.lines[start:end]))
    return found


def _shift(named: Mapping[int, Heading]) -> int:
    """Return how much deeper than its number's parts a named heading is, mostly (parts above chapters: 1)."""
    shifts = Counter(
        heading.level - len(number[0])
        for heading in named.values()
        if (number := number_of(heading.text)) and number[1]
    )
    return max(0, shifts.most_common(1)[0][0]) if shifts else 0


def _ranks(styles: set[_Style], known: Mapping[_Style, int]) -> dict[_Style, int]:
    """Order styles by size and weight; one between two of known level gets a level between them."""
    ordered = sorted({*styles, *known}, key=lambda style: (-style[0], not style[1], style[2]))
    ranks: dict[_Style, int] = {}
    level = 0
    size = None
    for style in ordered:
        if style in known:
            level = known[style]
        elif known:
            below = min((known[s] for s in ordered[ordered.index(style) :] if s in known), default=None)
            level = below if below is not None and level == 0 else level + 1
        elif size is None or style[0] < size * 0.97 or not style[1]:
            level += 1
        ranks[style] = max(level, 1)
        size = style[0]
    return ranks


def _normal(headings: list[tuple[int, Heading]]) -> list[tuple[int, Heading]]:
    """Let the highest level be 1, and no level be more than one below the one above it."""
    if not headings:
        return []
    used = sorted({heading.level for _, heading in headings})
    rank = {level: n for n, level in enumerate(used, start=1)}
    return [(at, replace(heading, level=min(rank[heading.level], 6))) for at, heading in headings]
