"""Lists of changes: under which release something stands, and when that came out. Both are said by a line above it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .....cubes.core.dates import date_spans, parse_date
from .....cubes.core.folding import fold_words
from .....cubes.core.records import Span
from .....cubes.retrieval.passages import blocks_of
from .....cubes.retrieval.wording import asked_words, stems
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence

__all__ = ["release_told"]

_NUMBER = re.compile(r"(?P<called>\b(?:version|release|v)[ .]*)?(?<![\w.])v?(?P<number>\d+(?:\.\d+)+(?!x)\w*)", re.I)
_WORDS = re.compile(r"[^\W\d_]{3,}")
_CODE = re.compile(r"(?<![\w-])--?\w[\w-]*|\w+[_./]\w[\w./]*|\b[A-Z][A-Z0-9]+\b|\b[a-z]*[A-Z]?[a-z]+[A-Z]\w*")
_WHICH = re.compile(
    r"^(?:(?:in|since|as of|from|with) )?(?:which|what) (?:[\w-]+ ){0,2}?(?:version|release)s?\b(?! control)", re.I
)
_NEEDED = re.compile(
    r"\b(?:needs|requires|supports|runs|works)\b|\b(?:do|does) .*\b(?:need|require|support|run|work)\b", re.IGNORECASE
)
"""What is said of a version of something else: "which version of Perl does it need"."""
_WHEN = re.compile(r"^(?:when|since when|(?:in|on|since) (?:which|what) (?:year|month|day|date))\b", re.IGNORECASE)
_OUT = re.compile(r"\b(?:released?|c[ao]me out)\b", re.IGNORECASE)
_RELEASED = re.compile(r"\b(?:version|release)\b", re.IGNORECASE)
_GONE = re.compile(r"\b(?:remov|dropp?|delet|discontinu|thr[eo]w|ditch|retir|no longer|got rid|gave up)", re.IGNORECASE)
_GENERAL = frozenset(fold_words(
    "the a an of and in for changelog change changes history release released notes news new version"
))  # fmt: skip
_ASKING = frozenset(stems(
    "version release first last newly new add introduce bring get gain come came appear make made publish put finally "
    "support since begin start year month date day change option feature available possible remove drop"
))  # fmt: skip
_LONGEST = 120  # characters of a line that names a release
_ENOUGH = 0.5  # of the asked words that a change must hold
_SURE = 0.8  # how sure the line above a change is that holds all of them


@dataclass(frozen=True, slots=True)
class _Change:
    """A part of a list of changes with the release that it stands under, and the line that says so."""

    section: Evidence
    place: Span
    number: str
    line: str

    @property
    def text(self) -> str:
        return self.section.text[self.place.start : self.place.end]

    def told(self, said: str, sure: float) -> SubAnswer:
        section = self.section.section_id
        return SubAnswer((said,), sure, section, self.place.start, self.place.end, cited=True)

    def day(self, question: str, share: float = 1.0) -> SubAnswer | None:
        """Return the day that the head of the release says, or the line below it."""
        for text in (self.line, *reversed(self.section.path), self.section.text.partition("\n")[0]):
            found = [text[start:end] for start, end in date_spans(text)]
            if found and (date := parse_date(found[-1])) is not None:
                return self.told(str(date.year) if " year " in question.lower() else found[-1], _SURE * share)
        return None


def release_told(question: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """Return the release whose changes tell what is asked, or the day of it; None where neither is asked for, or no
    line says it."""
    which, when, named = _WHICH.match(question), _WHEN.match(question), _NUMBER.search(question)
    if not (which or when) or _NEEDED.search(question):
        return None
    changes = [change for section in evidence for change in _changes(section)]
    own = [change for change in changes if not _product(change.section).isdisjoint(fold_words(question))]
    changes = own or changes  # of the product, if one is named
    if when and (named is not None or _OUT.search(question)):
        told = [c for c in changes if (c.number == named["number"] if named is not None else _is_called(c, question))]
        if told or named is not None:
            return next(filter(None, (change.day(question) for change in told)), None) if _are_of_one(told) else None
    of_release = _RELEASED.search(question) is not None
    best = _asked_for(question, changes, least=_ENOUGH if of_release else 1.0) if of_release or own else None
    if best is None:
        return None
    change, share = best
    return change.day(question, share) if when else change.told(change.number, _SURE * share)


def _is_called(change: _Change, question: str) -> bool:
    """Whether the line above a change calls the release by a word of the question: 'when did "Anemone" come out'."""
    idle = _ASKING.union(stems(change.section.title))
    return not (set(asked_words(question)) & set(stems(change.line))) <= idle


def _are_of_one(changes: Sequence[_Change]) -> bool:
    """Whether there are changes, all in one document."""
    return len({change.section.document_id for change in changes}) == 1


def _product(section: Evidence) -> set[str]:
    return {word for word in fold_words(section.title) if any(map(str.isalpha, word))} - _GENERAL


def _asked_for(question: str, changes: Sequence[_Change], least: float) -> tuple[_Change, float] | None:
    """The change that has what is asked about, and which share of it: of several the first of what came, the last of
    what went. All that looks like a code must stand in it, or else the ``least`` share of the words."""
    idle = _ASKING.union(*map(stems, {change.section.title for change in changes}))
    codes = [code for code in _CODE.findall(question) if idle.isdisjoint(stems(code))]
    asked = [word for word in asked_words(question) if word not in idle]
    told = [(change, set(stems(change.text))) for change in changes if asked]
    held = [(sum(word in own for word in asked) / len(asked), change) for change, own in told]
    most = max((share for share, _ in held), default=0.0)
    coded = [(share, c) for share, c in held if codes and all(_holds(c.text, code) for code in codes)]
    if not coded and most < least:
        return None
    best = [(change, share) for share, change in coded or held if coded or share == most]
    if not _are_of_one([change for change, _ in best]):
        return None
    choose = max if _GONE.search(question) else min
    return choose(best, key=lambda found: [int(part) for part in re.findall(r"\d+", found[0].number)])


def _holds(text: str, code: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(code)}(?![\w-])", text, re.IGNORECASE) is not None


def _changes(section: Evidence) -> Iterator[_Change]:
    """The parts of a section that stand under a release: under a line of the section, or else its heading."""
    product = _product(section)
    headings = ((said, heading) for heading in reversed(section.path) if (said := _release(heading, product)))
    number, line = next(headings, ("", ""))
    for block in blocks_of(section.text):
        for place in block.parts:
            first = section.text[place.start : place.end].strip().partition("\n")[0]
            if block.kind == "text" and len(first) <= _LONGEST and (said := _release(first, product)):
                number, line = said, first
            if number:
                yield _Change(section, place, number, line)


def _release(line: str, product: set[str]) -> str:
    """The number of the release that a line is the head of; "" of a chapter with a number ("2.1 Materials")."""
    if _NUMBER.search(line) is None:  # days take longer to look for
        return ""
    days, bare = date_spans(line), line
    for start, end in reversed(days):
        bare = bare[:start] + bare[end:]
    found = _NUMBER.search(bare)
    if found is None or _said(bare[: found.start()], product):
        return ""
    return found["number"] if days or found["called"] or not _said(bare[found.end() :], product) else ""


def _said(text: str, product: set[str]) -> set[str]:
    """The words of a line besides the product's and those of any list of changes."""
    return {word for word in fold_words(text) if _WORDS.fullmatch(word)} - product - _GENERAL
