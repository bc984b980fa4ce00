"""Finding the headings of a plain text: underlined, numbered, in capitals, the questions of a list of questions, the
releases of a list of changes, or what a list of contents announces."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

__all__ = ["Heading", "Line", "lines_of", "plain_headings", "underlined_headings"]

_RULED = re.compile(r" {0,3}(?P<mark>[=~^*#-])(?P=mark){2,100}[ \t]*$")
_NUMBERED = re.compile(
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,5})\.?[ \t]+(?P<name>[^\W\d_].{0,98}[^\s.;:,])[ \t]*$"
)
_NUMBERED_WORDS = 16
_SUBNUMBERED = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,5}\.?[ \t]")
_CAPITALS = re.compile(r"[^\W\d_a-z]{3}")
_CAPITALS_WORDS, _CAPITALS_CHARS = 8, 60
_WRAPPED = 60  # characters of a line that goes on in the next
_GOES_ON = re.compile(r"[ \t]*[^\W\d][^\n]{0,60}$")
_LEFT_OUT = 2  # how far a number such as "2.5" may be ahead: a heading may have been missed
_FEWEST = 3  # headings in capitals, or questions, from which they divide a text
_ASKED = re.compile(r"[ \t]*(?:Q|Question)[ \t]*\d{0,3}[ \t]*[:.)][ \t]*(?=\S)")
_TOLD = re.compile(r"[ \t]*(?:A|Answer)[ \t]*\d{0,3}[ \t]*[:.)][ \t]*\S")
_LONGEST_QUESTION = 400
_RELEASE = re.compile(
    r"[ \t]*\W{0,3}(?P<lead>(?:[^\W\d][\w\"'-]*\W{1,2}){0,7})\W?v?(?P<number>\d+(?:\.\d+)*)(?P<rest>[^\n]*)"
)
_VERSION = re.compile(r"\b(?:version|release)", re.IGNORECASE)
_DATED = re.compile(r"\W*(?:\b.*\d{2}.*)?")
_LONGEST_RELEASE = 90
_SHORT_LIST = 6_000  # characters of a list of changes that stays whole: a section is not much shorter
_IN_ORDER = 0.8  # of the releases of a list of changes
_LONGEST_ANNOUNCED = 100
_ANNOUNCED = 0.8  # of the lines of a list of contents that stand again above what they announce


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and where it stands: ``start`` to ``end`` are the characters of its line or lines."""

    level: int
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text and the characters that it takes, without its end."""

    text: str
    start: int
    end: int


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text with their places."""
    lines, start = list[Line](), 0
    for line in text.split("\n"):
        lines.append(Line(line, start, start + len(line)))
        start += len(line) + 1
    return lines


def plain_headings(text: str) -> list[Heading]:
    """Return the headings of a plain text, of the kind that it has most of.

    A list of contents is a heading without a name: it only leads to the others.
    """
    if "\n" not in text:
        return []
    lines = lines_of(text)
    contents, announced = _contents(lines)
    kinds = (
        underlined_headings(text), _numbered_headings(text, lines), _questions(lines), _in_capitals(lines), announced
    )  # fmt: skip
    found = max(kinds, key=len)
    if len(text) > _SHORT_LIST:
        found = _with_releases(text, found, _releases(lines))
    apart = (h for h in found if all(h.end <= c.start or c.end <= h.start for c in contents))
    return sorted((*contents, *apart), key=lambda heading: heading.start)


def _numbered_headings(text: str, lines: Sequence[Line]) -> list[Heading]:
    """Return headings such as "2.1 Materials": they stand alone and count on, as list items do not."""
    filled = [(line, _numbered(line)) for line in _unwrapped(lines) if line.text.strip()]
    alone = {
        b.start for (a, _), (b, _) in pairwise(filled) if "\n\n" in text[a.end : b.start].replace(" ", "")
    }
    found: list[Heading] = []
    previous: tuple[int, ...] = ()
    for (line, numbers), (_, behind) in pairwise(filled):
        stands = line.start in alone or line is filled[0][0]
        if numbers is None or not stands or (behind is not None and len(behind[0]) == len(numbers[0])):
            continue
        if _counts_on(previous, numbers[0]):
            previous = numbers[0]
            found.append(Heading(len(previous), numbers[1], line.start, line.end))
    return found


def _unwrapped(lines: Sequence[Line]) -> Iterator[Line]:
    """Put the two lines of a wrapped heading such as "2.1 ..." together; they stand alone between blank lines."""
    ends = [Line("", 0, 0)]
    passed = False
    for before, line, behind, beyond in zip([*ends, *lines], lines, [*lines[1:], *ends], [*lines[2:], *ends, *ends],
                                            strict=False):  # fmt: skip
        wraps = len(line.text) >= _WRAPPED and _SUBNUMBERED.match(line.text) and _GOES_ON.match(behind.text)
        if wraps and not before.text.strip() and not beyond.text.strip():
            yield Line(f"{line.text.rstrip()} {behind.text.strip()}", line.start, behind.end)
            passed = True
        elif passed:
            passed = False
        else:
            yield line


def _questions(lines: Sequence[Line]) -> list[Heading]:
    """Return the questions of a list of questions ("Q: ..."), where answers ("A: ...") follow most of them."""
    found, told, at = list[Heading](), 0, 0
    while at < len(lines):
        asked = _ASKED.match(lines[at].text)
        told += _TOLD.match(lines[at].text) is not None
        if asked is None:
            at += 1
            continue
        end = at + 1
        while end < len(lines) and lines[end].text.strip() and not _TOLD.match(lines[end].text):
            end += 1
        name = " ".join(" ".join((lines[at].text[asked.end() :], *(one.text for one in lines[at + 1 : end]))).split())
        if len(name) <= _LONGEST_QUESTION:
            found.append(Heading(1, name, lines[at].start, lines[end - 1].end))
        at = end
    return found if len(found) >= _FEWEST and 2 * told > len(found) else []


def _releases(lines: Sequence[Line]) -> list[Heading]:
    """Return the releases of a list of changes, the newest or the oldest first: "Version 2.1 (4 May 2020)"."""
    kinds = defaultdict[str, list[tuple[tuple[int, ...], Heading]]](list)
    for before, line in zip([Line("", 0, 0), *lines], lines, strict=False):
        found = _RELEASE.match(line.text) if len(line.text) <= _LONGEST_RELEASE and not before.text.strip() else None
        if found is None or line.text.rstrip()[-1] in ".,;":
            continue
        lead, number = found["lead"].lower(), tuple(map(int, found["number"].split(".")))
        sure = len(number) > 1 and (lead or _DATED.fullmatch(found["rest"]))
        if sure or _VERSION.search(lead):
            # Its line stays in the text: it tells the date.
            kinds[lead].append((number, Heading(1, " ".join(line.text.split()).strip(" *=#:"), line.start, line.start)))
    releases = max(kinds.values(), key=len, default=[])
    steps = [(other > one) - (other < one) for (one, _), (other, _) in pairwise(releases)]
    ordered = max(steps.count(1), steps.count(-1)) >= _IN_ORDER * len(steps)
    return [heading for _, heading in releases] if len(releases) >= _FEWEST and ordered else []


def _with_releases(text: str, others: list[Heading], releases: list[Heading]) -> list[Heading]:
    """Return releases among a text's other headings: below the one that they stand right behind, else beside it.

    Where other headings stand between releases, those that are more divide the text.
    """
    if not releases:
        return others
    first, last = releases[0].start, releases[-1].start
    if any(first < other.start < last for other in others):
        return max(others, releases, key=len)
    before = max((other for other in others if other.start < first), key=lambda other: other.start, default=None)
    level = 1 if before is None else before.level + (not text[before.end : first].strip())
    kept = (other for other in others if other.start not in (first, last))
    return [*kept, *(replace(release, level=level) for release in releases)]


def _contents(lines: Sequence[Line]) -> tuple[list[Heading], list[Heading]]:
    """Return lists of contents, and what they announce: lines that stand once more below them, each above some text."""
    places = defaultdict[str, list[int]](list)
    for number, line in enumerate(lines):
        places[_folded(line)].append(number)
    lists, announced = list[Heading](), list[Heading]()
    for run in _runs(lines):
        found = (places[key] for number in run if (key := _folded(lines[number])))
        again = [at[1] for at in found if len(at) == 2 and at[1] > run[-1]]
        told = (any(map(_folded, lines[one + 1 : other])) for one, other in pairwise(again))
        if len(again) >= max(_FEWEST, _ANNOUNCED * len(run)) and all(told):
            lists.append(Heading(1, "", lines[run[0]].start, lines[run[-1]].end))
            announced.extend(Heading(1, lines[n].text.strip(), lines[n].start, lines[n].end) for n in again)
    return lists, announced


def _runs(lines: Sequence[Line]) -> Iterator[range]:
    """Yield the numbers of the lines between blank ones."""
    blank = [-1, *(number for number, line in enumerate(lines) if not line.text.strip()), len(lines)]
    yield from (range(one + 1, other) for one, other in pairwise(blank) if other - one > _FEWEST)


def _folded(line: Line) -> str:
    """A line as it is compared; nothing of one without letters, or one too long for a heading."""
    text = " ".join(line.text.lower().split())
    return text if any(map(str.isalpha, text)) and len(text) <= _LONGEST_ANNOUNCED else ""


def _in_capitals(lines: Sequence[Line]) -> list[Heading]:
    """Return lines in capitals that stand below a blank line and at the left, as in a manual page."""
    found = [
        Heading(1, line.text.strip(), line.start, line.end)
        for before, line in zip([Line("", 0, 0), *lines], lines, strict=False)
        if not before.text.strip() and _is_in_capitals(line.text)
    ]
    return found if len(found) >= _FEWEST else []


def _is_in_capitals(text: str) -> bool:
    name = text.rstrip()
    short = len(name) <= _CAPITALS_CHARS and len(name.split()) <= _CAPITALS_WORDS
    plain = name[:1].isalpha() and name[-1:] not in ".,;!" and name == name.upper()
    return short and plain and _CAPITALS.search(name) is not None


def underlined_headings(text: str) -> list[Heading]:
    """Return headings of plain text that stand alone and are underlined; each kind of line is a level, as it comes."""
    if "\n" not in text:
        return []
    lines = lines_of(text)
    found: list[Heading] = []
    levels: dict[str, int] = {}
    for before, line, under in zip([Line("", 0, 0), *lines], lines, lines[1:], strict=False):
        ruled = _RULED.match(under.text)
        name = line.text.strip()
        if ruled is None or before.text.strip() or not any(map(str.isalnum, name)):
            continue
        if abs(len(ruled[0].rstrip()) - len(line.text.rstrip())) <= max(2, len(name) // 4):
            level = levels.setdefault(ruled["mark"], len(levels) + 1)
            found.append(Heading(level, name, line.start, under.end))
    return found


def _numbered(line: Line) -> tuple[tuple[int, ...], str] | None:
    matched = _NUMBERED.match(line.text.strip()) if len(line.text) < 200 else None
    if matched is None or len(matched["name"].split()) > _NUMBERED_WORDS or matched["name"][0].islower():
        return None
    return tuple(int(part) for part in matched["number"].split(".")), line.text.strip()


def _counts_on(previous: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Whether a number may follow: the first of a deeper level, or the next of this or a higher one."""
    if len(number) > len(previous):
        return number[: len(previous)] == previous and all(part in (0, 1) for part in number[len(previous) :])
    last = len(number) - 1
    ahead = number[last] - previous[last]
    return number[:last] == previous[:last] and 1 <= ahead <= (_LEFT_OUT if last else 1)


