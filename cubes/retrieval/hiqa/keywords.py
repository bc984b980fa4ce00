"""Critical keywords (HiQA's CNED): which named things, product codes, titles and headings a section and a query share.

The same rules read both sides, without a model: part numbers and model names by their form ("TPS-2041B", "iPhone 15"),
names by their capitals, documents by their titles, chapters by their headings, and single words of titles and headings
that tell few of them apart. A keyword of a query is the longest run of its words that some section has as a keyword.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.columns import Array, Arrays
from ...core.dates import MONTHS
from ...core.folding import base_key, fold, fold_words
from ...core.lexical import STOP_WORDS, Integers, Mask, Postings, posted
from ...core.records import Section
from ..wording import names_in

__all__ = ["Keyword", "KeywordIndex", "codes_in", "heading_name", "keyword_columns", "speaks_of_documents"]

_ASKING = frozenset({"how", "what", "when", "where", "which", "who", "whom", "whose", "why"})
_NAME, _CODE, _FAMILY, _TITLE, _HEADING, _WORD = "ncfthw"
_LONGEST = 8  # words of a keyword
_TELLING = 0.2  # of all titles, or headings, may share a word that tells them apart
_LEAST = 3
_NOWHERE: Integers = np.empty(0, dtype=np.int64)

_TOKEN = re.compile(r"(?<![\w/])[^\W_][\w./+-]*\w")
_SPACED = re.compile(
    r"(?<![\w-])(?P<name>[^\W\d_]*[A-Z][^\W\d_]*)[ -](?P<number>\d{1,4}[A-Za-z]{0,2})(?![\w.,-]*\d)(?!\w)"
)
_LED_BY_NUMBER = re.compile(r"\d{1,4}[A-Za-z]{1,5}\d+\w*")
_CODE_TAIL = re.compile(r"(?<=\d)[A-Za-z]+$")
_NUMBERING = re.compile(
    r"(?:(?:chapter|section|appendix|part)[ ])?"
    r"(?:(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)[.):]?|[IVX]+[.):])[ \t]+", re.IGNORECASE
)
_DOCUMENTS = re.compile(
    r"\b(?:(?:section|chapter|appendix|table|figure|fig\.|annex|page)s?[ ](?:\d+|[A-Z]|[IVX]+)"
    r"|data[- ]?sheets?|manuals?|user'?s? guides?"
    r"|(?:this|the|which|what|each|every|any)[ ](?:documents?|sections?|chapters?|tables?|figures?|diagrams?))\b",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[^\W_]+(?:[’'`´][^\W_]+)?")
_SEPARATORS = re.compile(r"[\W_]+")
_SENTENCE_END = re.compile(r"(?:^|[.!?:;|>#]\s*|\n\s*)$")
_COUNTED = "table figure section chapter page part step example equation appendix volume note item version day week"
_ORDINARY = frozenset({*MONTHS, *_COUNTED.split()})


@dataclass(frozen=True, slots=True)
class Keyword:
    """A critical keyword of a query, as it is written there, and the sections that have it (ordinals, ascending)."""

    text: str
    sections: Integers


def codes_in(text: str) -> Iterator[str]:
    """Yield the product codes and model names of a text as keys: without separators, in lower case.

    >>> list(codes_in("The TPS-2041B replaces the iPhone 15 at 3.3V and 100mA."))
    ['tps2041b', 'iphone15']
    """
    for found in _TOKEN.finditer(text):
        token = found[0]
        if any(map(str.isdigit, token)) and _is_code(token):
            yield _joined(token)
    for found in _SPACED.finditer(text):
        if found["name"].lower() not in _ORDINARY and len(found["name"]) > 1 and not _is_year(found["number"]):
            yield _joined(found["name"] + found["number"])


def _is_code(token: str) -> bool:
    """Letters before a digit, or number, letters, number ("74HC595"); a quantity ("100mA") is neither."""
    if len(token) < _LEAST or "//" in token or not any(map(str.isalpha, token)):
        return False
    if token[0].isdigit():
        return _LED_BY_NUMBER.fullmatch(token) is not None
    stem = re.split(r"\d", token, maxsplit=1)[0]
    return any(map(str.isupper, token)) and len(_joined(stem)) <= 2 * _LONGEST


def _is_year(number: str) -> bool:
    return len(number) == 4 and number[:2] in ("19", "20")


def _joined(token: str) -> str:
    return _SEPARATORS.sub("", token).lower()


def _families(text: str) -> Iterator[str]:
    """The codes of a text, and those of the families they belong to: "CA-IF1042LS-Q1" is a CA-IF1042LS, a CA-IF1042."""
    for found in _TOKEN.finditer(text):
        token = found[0]
        if not any(map(str.isdigit, token)) or not _is_code(token):
            continue
        while len(_joined(token)) >= _LEAST and _is_code(token):
            yield _joined(token)
            head = token.rpartition("-")[0]
            shorter = head if head and any(map(str.isdigit, head)) else _CODE_TAIL.sub("", token)
            if shorter == token:
                break
            token = shorter


def speaks_of_documents(query: str) -> bool:
    """Whether a query speaks of documents and their parts: "in section 3", "Table 2", "according to the manual"."""
    return _DOCUMENTS.search(query) is not None


def heading_name(heading: str) -> str:
    """Return a heading without its number: "2.1 Electrical characteristics" is "Electrical characteristics"."""
    number = _NUMBERING.match(heading)
    return (heading[number.end() :] if number else heading).strip() or heading.strip()


def keyword_columns(sections: Sequence[Section]) -> dict[str, Array]:
    """Lay down the keywords of every section for `KeywordIndex`.

    A name that few documents have is a keyword of all their chapters: a product's other name need not be repeated in
    the chapter that is asked for.
    """
    titles, headings = _telling(s.title for s in sections), _telling(h for s in sections for h in s.path[1:])
    names = [_names_of(section) for section in sections]
    own = _own_names(sections, names)
    return posted(
        sorted({*_keys(s, titles, headings), *(_NAME + name for name in held | own.get(s.document_id, frozenset()))})
        for s, held in zip(sections, names, strict=True)
    )


def _names_of(section: Section) -> frozenset[str]:
    return frozenset(fold(name) for name in _names("\n".join((*section.path, section.text))))


def _own_names(sections: Sequence[Section], names: Sequence[frozenset[str]]) -> dict[str, frozenset[str]]:
    """The names that tell documents with chapters from the others, by document."""
    held: dict[str, set[str]] = {}
    for section, found in zip(sections, names, strict=True):
        held.setdefault(section.document_id, set()).update(found)
    counts = Counter(name for found in held.values() for name in found)
    most = max(1, int(_TELLING * len(held)))
    chaptered = {section.document_id for section in sections if len(section.path) > 1} if len(held) > 1 else set()
    return {
        document: frozenset(n for n in held[document] if counts[n] <= most and not any(map(str.isdigit, n)))
        for document in chaptered
    }


def _telling(names: Iterable[str]) -> frozenset[str]:
    """Return the words that tell few of these names from the others."""
    distinct = {fold(heading_name(name)) for name in names}
    held = Counter(word for name in distinct for word in set(name.split()))
    most = _TELLING * len(distinct)
    return frozenset(
        w for w, n in held.items() if n <= most and len(w) >= _LEAST and w.isalpha() and w not in STOP_WORDS
    )


def _keys(section: Section, titles: frozenset[str], headings: frozenset[str]) -> set[str]:
    """The keywords of a section besides names."""
    path = [heading_name(heading) for heading in section.path[1:]]
    whole = "\n".join((*section.path, section.text))
    keys = {_CODE + code for code in codes_in(whole)} | {_FAMILY + code for code in _families(whole)}
    keys |= {_TITLE + key for key in (fold(section.title), base_key(section.title)) if key}
    keys |= {_HEADING + fold(heading) for heading in path if fold(heading)}
    keys |= {_WORD + word for word in fold_words(section.title) if word in titles}
    keys |= {_WORD + word for heading in path for word in fold_words(heading) if word in headings}
    return keys


def _names(text: str) -> Iterator[str]:
    """Names of a text; one word with a capital is one only where no sentence begins with it."""
    at = 0
    for name in names_in(text):
        place = text.find(name, at)
        at = place + len(name) if place >= 0 else at
        single = " " not in name
        if max(map(len, _PIECE.findall(name)), default=0) < _LEAST:
            continue  # a unit, an initial
        if not single or name.isupper() or (place > 0 and not _SENTENCE_END.search(text, max(0, place - 4), place)):
            yield name


@dataclass(frozen=True, slots=True)
class _Run:
    """Words of a query, from the ``first`` to before the ``last``; ``proper`` where they are written as a name."""

    first: int
    last: int
    text: str
    folded: str
    proper: bool

    def looked_up(self) -> list[str]:
        """The keys under which it is looked up; names and titles must be written as such."""
        coded = bool(self.family())
        kinds = [_HEADING, _WORD, *([_TITLE] if coded or self.proper else []), *([_NAME] if self.proper else [])]
        keys = [kind + self.folded for kind in kinds] if self.folded else []
        return [*keys, *([_CODE + _joined(self.text)] if coded else [])]

    def family(self) -> list[str]:
        """The key under which the products of a code's family are found, where no product has the very code."""
        joined = _joined(self.text)
        return [_FAMILY + joined] if any(map(str.isdigit, joined)) and not joined.isdigit() else []


def _runs(query: str) -> Iterator[_Run]:
    """Yield the runs of words of a query that may be keywords; one written without capitals may name anything."""
    pieces = list(_PIECE.finditer(query))
    plain = not any(map(str.isupper, query[1:]))
    stops = [piece[0].lower() in STOP_WORDS for piece in pieces]
    for first in range(len(pieces)):
        for last in range(first + 1, min(first + _LONGEST, len(pieces)) + 1):
            if stops[first] or stops[last - 1] or (last - first == 1 and pieces[first][0].lower() in _ASKING):
                continue  # "How" stands in the headings of many an FAQ
            text = query[pieces[first].start() : pieces[last - 1].end()]
            yield _Run(first, last, text, fold(text), plain or any(map(str.isupper, text)))


class KeywordIndex:
    """Which sections have a keyword, as `keyword_columns` has laid it down."""

    def __init__(self, arrays: Arrays) -> None:
        self._postings = Postings(arrays)

    def __len__(self) -> int:
        return self._postings.size

    def names_structure(self, query: str, among: Mask) -> bool:
        """Whether a query names a title or a product code of some sections.

        A heading does not count: a question's nouns ("the options for compression") are headings of many documents.
        """
        return any(self._tells(run, among) for run in _runs(query))

    def _tells(self, run: _Run, among: Mask) -> bool:
        kinds = {key[0] for key in (*run.looked_up(), *run.family()) if among[self._sections([key])].any()}
        return bool(kinds & {_TITLE, _CODE, _FAMILY})

    def keywords(self, query: str) -> list[Keyword]:
        """Return the critical keywords of a query in their order; of runs that overlap the longest is one."""
        found: list[tuple[int, str, Keyword]] = []
        taken: set[int] = set()
        for run in sorted(_runs(query), key=lambda run: (run.first - run.last, run.first)):
            places = set(range(run.first, run.last))
            sections = self._sections(run.looked_up()) if not taken & places else _NOWHERE
            if not len(sections) and not taken & places:
                sections = self._sections(run.family())
            if len(sections):
                taken |= places
                found.append((run.first, run.folded, Keyword(run.text, sections)))
        once = {folded: keyword for _, folded, keyword in sorted(found, key=lambda each: -each[0])}
        return list(once.values())[::-1]

    def _has(self, key: str) -> bool:
        held = self._postings.of(key)
        return bool(held.stop > held.start)

    def _sections(self, keys: Iterable[str]) -> Integers:
        held = [self._postings.documents[self._postings.of(key)] for key in keys if self._has(key)]
        return np.unique(np.concatenate(held)).astype(np.int64) if held else _NOWHERE
