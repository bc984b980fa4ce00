"""Finding the sentences of English text: rules over the places where a sentence could end.

>>> text = 'He met J. R. R. Tolkien on Dec. 29. "It rained," he said.'
>>> [text[span.start : span.end] for span in sentences(text)]
['He met J. R. R. Tolkien on Dec. 29.', '"It rained," he said.']
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .records import Span

__all__ = ["sentence_around", "sentences"]

# Possessive repeats and the look-behind keep the search linear on any input, such as a megabyte of dots.
_STOP = re.compile(
    r"""(?<![.!?…])[.!?…]++["'”’»)\]]*+(?=\s|\Z)   # stop, closing quotes and brackets, space
      | [。！？]++[」』”）]*+                          # full-width stops need no space behind them
      | (?<=[a-z0-9)])\.(?=(?:The|He|She|It|His|Her|In|This|They)\s)   # a space was lost""",
    re.VERBOSE,
)
# A blank line ends a sentence, and so does the beginning of a list item, a table row, an image or a "key: value" line.
_BREAK = re.compile(
    r"\n[^\S\n]*+(?:\n\s*+|(?=[-*+•#]\s|\||!\[|\d{1,3}[.)]\s|[A-Za-z][\w-]{0,30}(?:[ \t][\w-]{1,30}){0,2}:\s))"
)
_LAST_WORD = re.compile(r"[^\s(\[\"“‘]*\Z")
_NEXT = re.compile(r"[\s\"'“‘«(\[]*")
_NEXT_WORD = re.compile(r"[^\W\d_]++(?!\.)")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}\Z|Ph\.D\Z")
_WORD_REACH = 40
_WHOLE = ("|", "![")  # a table's row and an image's line are no prose: what stops they have end nothing


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that begin a sentence and no name: an abbreviation before them ends its sentence.
_STARTERS = _words(
    """the a an he she it they we you his her its their this that these those there here in on at by for
    from with after before during since until while when where as if although though because but and or
    however then also both many most some all another other each one two no not what who which such
    later soon under over between among according despite meanwhile today born based following upon once
    only even like to of is was were are had has have did does my your our"""
)
# Never the end of a sentence: a name or a number follows.
_TITLES = _words(
    """mr mrs ms mx dr prof rev revd hon gen col capt lt sgt maj cmdr adm gov sen rep pres fr msgr messrs
    mme mlle supt pvt cpl amb sir brig ens cdr cmdre rt mt ft dipl ing vs cf viz e.g i.e eg ie"""
)
# Abbreviations that can stand at the end of a sentence, too.
_ABBREVIATIONS = _words(
    """st ste jr sr bros inc ltd corp co cos llc plc est dept univ assn assoc inst intl natl ave blvd rd
    hwy sq bldg etc al ed eds trans transl repr rev vol vols orig var approx ca circa fl b d c r m v bn
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun phd md
    mfg mgr min max hrs hr lbs oz mi km dist prov gov't ser esq ret a.k.a aka"""
)
# Abbreviations only where a number follows ("No. 5", but "He said no. Later ...").
_BEFORE_NUMBERS = _words("no nos p pp op ch fig figs sec art para par vol cap lot div ver v nr ca c approx")


def sentences(text: str) -> list[Span]:
    """Return the sentences of a text in order; together they hold everything but the space between them.

    Initials, titles, months and other abbreviations, numbers, ellipses and stops inside a quotation do not
    end a sentence. Blank lines and list items do. A row of a table is one, whatever stands in it.
    """
    found: list[Span] = []
    start = 0
    for gap in _BREAK.finditer(text):
        found.extend(_within(text, start, gap.start()))
        start = gap.end()
    found.extend(_within(text, start, len(text)))
    return found


def sentence_around(text: str, span: Span) -> Span:
    """Return the sentence that a span begins in, or the span itself where it begins in none."""
    return next((s for s in sentences(text) if s.start <= span.start < s.end), span)


def _within(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the sentences of one paragraph."""
    start = _skip_space(text, start, end)
    if text.startswith(_WHOLE, start):
        yield Span(start, start + len(text[start:end].rstrip()))
        return
    quotes, counted = 0, start
    for stop in _STOP.finditer(text, start, end):
        if stop.start() < start:
            continue
        quotes += text.count('"', counted, stop.end())
        counted = stop.end()
        border = _closing_quote(text, counted, end) if quotes % 2 else counted
        if not _ends(text, start, stop, border, end):
            continue
        yield Span(start, border)
        start = _skip_space(text, border, end)
        quotes, counted = 0, start
    last = start + len(text[start:end].rstrip())
    if last > start:
        yield Span(start, last)


def _skip_space(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def _closing_quote(text: str, stop: int, end: int) -> int:
    """Include the quotation mark that closes an open quotation behind a space ('"Stop. " He ...')."""
    behind = stop + 1
    closes = text[stop:behind].isspace() and text[behind : behind + 1] == '"' and behind < end
    return behind + 1 if closes and not text[behind + 1 : min(behind + 2, end)].strip() else stop


def _ends(text: str, start: int, stop: re.Match[str], border: int, end: int) -> bool:
    """Whether a sentence that began at ``start`` ends with this stop."""
    behind = _NEXT.match(text, border, end)
    following = behind.end() if behind else border
    if following >= end:
        return True
    if text[following].islower() or text[following] in ",;:":
        return False
    if not stop[0].startswith(".") or stop[0].startswith(".."):
        return True
    reach = text[max(start, stop.start() - _WORD_REACH) : stop.start()]
    found = _LAST_WORD.search(reach)
    word = found[0] if found else ""
    return not _abbreviated(word, text, following, alone=len(reach) == len(word))


def _abbreviated(word: str, text: str, following: int, *, alone: bool) -> bool:
    """Whether the stop belongs to ``word``; ``alone`` if nothing stands before it in the sentence."""
    lowered = word.lower()
    number = text[following].isdigit()
    if number and (lowered in _BEFORE_NUMBERS or lowered in _ABBREVIATIONS):
        return True
    if lowered in _TITLES or (alone and word.isdigit() and len(word) < 4):
        return True
    hyphened = len(word) > 2 and word[-2] in "-–." and word[-1].isupper()
    if (len(word) == 1 and word.isalpha()) or hyphened or lowered in _ABBREVIATIONS or _DOTTED.search(word):
        return not number and not _begins_sentence(text, following)
    return False


def _begins_sentence(text: str, following: int) -> bool:
    found = _NEXT_WORD.match(text, following)
    return found is not None and found[0].lower() in _STARTERS
