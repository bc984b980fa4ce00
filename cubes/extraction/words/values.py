"""Reading a value of a given kind directly behind or in front of a phrase: the slot of a cue."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .lexicon import country_of, group, lexicon
from .words import NameSpan, Sentence

__all__ = [
    "ValueSpan",
    "closes",
    "is_verb",
    "kind_of",
    "name_before",
    "names_after",
    "names_place",
    "skip_brackets",
    "without_courtesy",
]

_PARTICIPLE = re.compile(r"\w{2,}(?:ed|ing)$")
_DETERMINERS = frozenset({"his", "her", "its", "their", "the", "a", "him", "them"})
_QUOTES = ('"', "“", "”")
_UNPLACED = frozenset({"war", "eve", "day"})


@dataclass(frozen=True, slots=True)
class ValueSpan:
    """A value found: characters ``start`` to ``end``, words ``first`` to ``last`` (exclusive)."""

    start: int
    end: int
    first: int
    last: int


def is_verb(sentence: Sentence, index: int) -> bool:
    """Whether the word at ``index`` is a finite verb as far as its form tells."""
    word = sentence.word(index)
    if not word.isalpha() or not sentence.words[index].islower():
        return False
    regular = word.endswith("ed") and len(word) > 3 and word not in group("not_verbs")
    return word in lexicon().finite or (regular and sentence.word(index + 1) != "by")


def names_after(
    sentence: Sentence, index: int, kind: str, *, many: bool, stop: Callable[[NameSpan], bool] | None = None
) -> list[ValueSpan]:
    """Read the names of ``kind`` that stand at word ``index``, behind descriptors at most; a list if ``many``.

    ``stop`` says of a mention that it cannot be a further value (the section's own subject).
    """
    found: list[ValueSpan] = []
    at: int | None = index
    while at is not None:
        value = _one_name(sentence, at, kind, first=not found)
        if value is None or (found and is_verb(sentence, value.last)):
            break
        if found and stop is not None and stop(sentence.mention_at[value.first]):
            break
        if not (found and kind in ("person", "name") and _is_title(sentence, value.first)):
            found.append(value)
        at = _continues(sentence, value.last, kind, many)
    return found


def _is_title(sentence: Sentence, first: int) -> bool:
    """ "Philipp III, Count of Hanau", "X, the 14th President of Vell": a title in apposition and no further person."""
    titled = sentence.lower[first] in lexicon().titles | group("offices")
    return titled and (sentence.word(first + 1) == "of" or sentence.word(first - 1)[:1].isdigit())


def _continues(sentence: Sentence, index: int, kind: str, many: bool) -> int | None:
    """Where the next item of a list starts; None at its end."""
    at = skip_brackets(sentence, index)
    if kind == "person" and sentence.word(at) == "as" and at + 1 in sentence.mention_at:
        at = sentence.mention_at[at + 1].last
    at += sentence.word(at) in _QUOTES
    at += kind == "place" and sentence.word(at) in group("area_nouns") and sentence.word(at + 1) == ","
    word, following = sentence.word(at), sentence.word(at + 1)
    if word == "," and (many or kind == "place"):
        return at + 1 + (many and following in ("and", "&"))
    joined = word in ("and", "&", "/") or (word == "with" and kind == "person" and at + 1 in sentence.mention_at)
    return at + 1 if many and joined else None


def skip_brackets(sentence: Sentence, index: int) -> int:
    """Step over a bracketed remark at ``index``."""
    depth = 0
    for at in range(index, min(index + 60, len(sentence))):
        depth += (sentence.words[at] in "([") - (sentence.words[at] in ")]")
        if depth <= 0:
            return at + (at > index)
    return index


def _one_name(sentence: Sentence, index: int, kind: str, *, first: bool) -> ValueSpan | None:
    """Skip descriptors and return the name behind them."""
    at, skipped = index, 0
    while at < len(sentence) and skipped < 12:
        mention = sentence.mention_at.get(at)
        if mention is not None:
            value = _from_mention(sentence, mention, at, kind)
            if value is not None:
                return value if _fits(sentence, value, kind, skipped) else None
            at = mention.last
        elif _is_descriptor(sentence, at, kind, first, skipped):
            at += 1
        else:
            return None
        skipped += 1
    return None


def _is_descriptor(sentence: Sentence, at: int, kind: str, first: bool, skipped: int) -> bool:
    """Whether the word may stand between a phrase and the name it announces."""
    word = sentence.lower[at]
    if word == "of":
        body = kind in ("organization", "name") and sentence.word(at - 1) in ("firm", "company", "house", "group")
        return body or (kind == "place" and sentence.word(at - 1) in group("geographic"))
    if word in group("breaks") or is_verb(sentence, at):
        return False
    if word in ("and", ",", "/", "&"):
        return skipped > 0 and _joins_descriptor(sentence, at, kind)
    if word in ('"', "“", "-", "'", "‘", ":", "["):
        return True
    if at in sentence.dates or word.isdigit():
        return first and kind in ("work", "name", "organization")
    if not any(c.isalpha() for c in word) or (not first and _PARTICIPLE.match(word)):
        return False
    return word.endswith("ern") or word in group("before_place") if kind == "place" else skipped < 8


def _joins_descriptor(sentence: Sentence, at: int, kind: str) -> bool:
    """Whether a comma or "and" stands between descriptions of a name that is still to come."""
    following, behind = sentence.mention_at.get(at + 1), sentence.words[at + 1 : at + 2]
    if following is not None and sentence.lower[at] == "," and kind == "person":
        before = sentence.mention_at.get(at - 1)
        office = before is not None and _is_office(sentence.lower[before.first : before.last])
        return office or (sentence.words[at - 1].islower() and sentence.lower[at - 1] not in _DETERMINERS)
    if following is not None:
        titled = kind == "work" and following.quoted  # 'a remake of the Vellish film, "X"'
        return titled or _describes_next(sentence, following, kind)
    return bool(behind) and behind[0][0].islower() and behind[0] not in group("breaks")


def _from_mention(sentence: Sentence, mention: NameSpan, at: int, kind: str) -> ValueSpan | None:
    """The value inside a mention, without courtesy titles; None where the mention only describes (American)."""
    start = max(at, mention.first)
    while mention.first < start < mention.last - 1 and sentence.words[start].islower():
        start += 1
    if not mention.quoted:
        text = sentence.slice(start, mention.last).lower()
        medium = kind in ("organization", "work") and text in group("media")
        behind = sentence.word(mention.last) == "," and mention.last + 1 in sentence.mention_at
        office = kind == "person" and behind and _is_office(sentence.lower[mention.first : mention.last])
        if medium or office or text in lexicon().people_of or _describes_next(sentence, mention, kind):
            return None
        if kind in ("person", "name"):
            start = without_courtesy(sentence, start, mention.last)
    begin = mention.start if start == mention.first else sentence.starts[start]
    return ValueSpan(begin, mention.end, start, mention.last)


def _describes_next(sentence: Sentence, mention: NameSpan, kind: str) -> bool:
    """ "Wall Street stockbroker X", "Vell TV's series "X"": the name behind the noun is the value."""
    if kind == "work" and not mention.possessive:
        return not mention.known and _describes_work(sentence, mention)
    if kind not in ("person", "place", "work"):
        return False
    begin = at = mention.last
    while at < begin + 5 and sentence.word(at).isalpha() and sentence.words[at].islower():
        joins = at > begin and sentence.lower[at] == "and"  # "the Vellish artist and designer X"
        if closes(sentence, at) and not joins:
            break
        at += 1
    at += (kind == "work" and sentence.word(at) in _QUOTES) or (mention.possessive and sentence.word(at) == ",")
    if kind == "place":
        return at > begin and sentence.word(begin) not in group("geographic")
    return at > begin and at in sentence.mention_at and (kind == "work" or not sentence.mention_at[at].quoted)


def _describes_work(sentence: Sentence, mention: NameSpan) -> bool:
    """ "several TV series", "the Vellish film "X"": a name in front of a noun for works that is no title."""
    noun, behind = sentence.word(mention.last), mention.last + 1
    if noun == "series":
        abbreviated = sentence.words[mention.first].isupper()
        return abbreviated or behind in sentence.mention_at or sentence.word(behind) in _QUOTES
    return noun in group("works") or noun.removesuffix("s") in group("works")


def closes(sentence: Sentence, at: int) -> bool:
    """Whether a word behind a name begins something new and does not describe a further name."""
    word = sentence.lower[at]
    listed = word in group("breaks") or word in lexicon().prepositions or word in group("after_name")
    return listed or is_verb(sentence, at) or word.endswith(("ed", "ing", "ly"))


def without_courtesy(sentence: Sentence, start: int, last: int) -> int:
    """Leave off "Sir", "Dr.", "American actor"; what is left must still be a name."""
    while start < last - 1 and sentence.word(start + 1) != "of":
        word = sentence.lower[start].rstrip(".")
        if word not in lexicon().people_of and word not in group("courtesy"):
            break
        start += 1
    return start


def _fits(sentence: Sentence, value: ValueSpan, kind: str, skipped: int) -> bool:
    """Whether a name may be a value of this kind."""
    text, quoted = sentence.text[value.start : value.end], sentence.mention_at[value.first].quoted
    if kind == "person":
        return country_of(text) is None and not (quoted and skipped > 1)
    if kind == "place":
        return not quoted and names_place(sentence, value.first, value.last)
    if kind == "organization":
        return not quoted and country_of(text) is None and not _is_office(sentence.lower[value.first : value.last])
    return True


def names_place(sentence: Sentence, first: int, last: int) -> bool:
    """Whether the words of a name allow that it is a place: no office, body, family, war or day."""
    words = sentence.lower[first:last]
    body = words[0] in group("placeless") and words[1:2] == ["of"]
    return not (body or _is_office(words) or _UNPLACED.intersection(words) or sentence.word(last) in group("families"))


def _is_office(words: list[str]) -> bool:
    """ "Bishop of Carse", "President of the Canal Union": who holds an office."""
    while words and words[0] in group("office_modifiers"):
        words = words[1:]
    return len(words) > 2 and words[1] in ("of", "for") and words[0] in group("offices")


def name_before(sentence: Sentence, index: int) -> NameSpan | None:
    """The name that ends right in front of word ``index``; adverbs and auxiliaries may stand between."""
    at = index - 1
    while at > 0 and sentence.lower[at] in group("before_agent"):
        at -= 1
    at -= sentence.word(at) == "who"
    at -= sentence.word(at) == ","
    at -= sentence.word(at) in _QUOTES
    mention = sentence.mention_at.get(at)
    titled = mention is not None and sentence.word(mention.first - 1) == "," and _is_title(sentence, mention.first)
    return sentence.mention_at.get(mention.first - 2) if mention is not None and titled else mention


def kind_of(text: str, sentence: Sentence, value: ValueSpan) -> str | None:
    """Guess what a name is a name of; None where its form does not tell."""
    words, bodies = text.lower().split(), group("organisation_words")
    if country_of(text):
        return "place"
    if _is_office(words):
        return "person"
    if (words[1:2] == ["of"] and words[0] in bodies) or not bodies.isdisjoint(words[-2:]):
        return "organization"
    if sentence.mention_at[value.first].quoted:
        return "work"
    return "person" if words and (words[0].rstrip(".") in lexicon().titles) else None
