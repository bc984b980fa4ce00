"""Reading a value of a given kind directly behind or in front of a phrase."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .kinds import describes_work, is_office, names_place
from .lexicon import country_of, lexicon
from .words import NameSpan, Sentence

__all__ = [
    "ValueSpan",
    "closes",
    "is_verb",
    "kind_of",
    "name_before",
    "names_after",
    "skip_brackets",
    "without_courtesy",
]

_DETERMINERS = frozenset({"his", "her", "its", "their", "the", "a", "him", "them"})
_PARTICIPLE = re.compile(r"\w{2,}(?:ed|ing)$")


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
    return word in lexicon().finite or (
        word.endswith("ed") and word not in lexicon().not_verbs and sentence.word(index + 1) != "by" and len(word) > 3
    )


def names_after(
    sentence: Sentence, index: int, kind: str, *, many: bool, stop: Callable[[NameSpan], bool] | None = None
) -> list[ValueSpan]:
    """Read the names of ``kind`` that stand at word ``index``, behind descriptors at most; a list if
    ``many``.

    ``stop`` says of a mention that it cannot be a value (the section's own subject).
    """
    found: list[ValueSpan] = []
    at: int | None = index
    while at is not None and len(found) < 24:
        value = _one_name(sentence, at, kind, first=not found)
        if value is None or (found and is_verb(sentence, value.last) and sentence.word(value.last + 1) != "by"):
            break
        if found and kind in ("person", "name") and is_title(sentence, value.first):
            at = _continues(sentence, value.last, kind, many)
            continue
        if stop is not None and found and stop(sentence.mention_at[value.first]):
            break
        found.append(value)
        at = _continues(sentence, value.last, kind, many)
    return found


def is_title(sentence: Sentence, first: int) -> bool:
    """ "Philipp III, Count of Hanau": a title in apposition and no further person."""
    behind = sentence.word(first - 1) == "," and sentence.word(first + 1) == "of"
    return behind and sentence.lower[first] in lexicon().titles


def _continues(sentence: Sentence, index: int, kind: str, many: bool) -> int | None:
    """Where the next item of a list starts; None at its end."""
    at = skip_brackets(sentence, index)
    if kind == "person" and sentence.word(at) == "as" and at + 1 in sentence.mention_at:
        at = sentence.mention_at[at + 1].last
    at += sentence.word(at) in ('"', "”", "“")
    word, following = sentence.word(at), sentence.word(at + 1)
    if kind == "place" and word in lexicon().group("area_nouns") and following == ",":
        return at + 2  # "in Ash district, Vell state, Carse"
    if word == "," and (many or kind == "place"):
        return at + 1 + (many and following in ("and", "&"))
    joined = word in ("and", "&", "/") or (word == "with" and kind == "person" and at + 1 in sentence.mention_at)
    return at + 1 if many and joined else None


def skip_brackets(sentence: Sentence, index: int) -> int:
    """Step over a bracketed remark at ``index``."""
    if sentence.word(index) not in ("(", "["):
        return index
    depth = 0
    for at in range(index, min(index + 60, len(sentence))):
        if sentence.words[at] in "([":
            depth += 1
        elif sentence.words[at] in ")]":
            depth -= 1
            if not depth:
                return at + 1
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
            at, skipped = mention.last, skipped + 1
            continue
        if not _is_descriptor(sentence, at, kind, first, skipped):
            return None
        at, skipped = at + 1, skipped + 1
    return None


def _is_descriptor(sentence: Sentence, at: int, kind: str, first: bool, skipped: int) -> bool:
    """Whether the word may stand between a phrase and the name it announces."""
    word, before = sentence.lower[at], sentence.word(at - 1)
    if word == "of":
        body = kind in ("organization", "name") and before in ("firm", "company", "house", "group", "order")
        return body or (kind == "place" and before in lexicon().group("geographic"))
    if word in lexicon().breaks or is_verb(sentence, at):
        return False
    if word in ("and", ",", "/", "&"):
        return skipped > 0 and _joins_descriptor(sentence, at, kind)
    if word in ('"', "“", "-", "'", "‘", ":", "["):
        return True
    if at in sentence.dates or word.isdigit():
        dated = kind in ("work", "name", "organization") and first
        return dated or (kind == "person" and sentence.word(at + 1) == "-")
    if not any(c.isalpha() for c in word) or (not first and _PARTICIPLE.match(word)):
        return False
    if kind == "place":
        return word.endswith("ern") or word in lexicon().group("before_place")
    return skipped < 8


def _joins_descriptor(sentence: Sentence, at: int, kind: str) -> bool:
    """Whether a comma or "and" stands between descriptions of a name that is still to come."""
    following = sentence.mention_at.get(at + 1)
    office = sentence.mention_at.get(at - 1)
    if following is not None and office is not None and sentence.lower[at] == "," and kind == "person":
        return is_office(sentence.lower[office.first : office.last])
    if following is not None and sentence.lower[at] == "," and kind == "person":
        return sentence.words[at - 1].islower() and sentence.lower[at - 1] not in _DETERMINERS
    if following is not None:
        return _describes_next(sentence, following, kind)
    behind = sentence.words[at + 1] if at + 1 < len(sentence) else "-"
    return behind[0].islower() and behind not in lexicon().breaks


def _from_mention(sentence: Sentence, mention: NameSpan, at: int, kind: str) -> ValueSpan | None:
    """The value inside a mention, without courtesy titles; None where the mention only describes
    (American).
    """
    start = max(at, mention.first)
    while mention.first < start < mention.last - 1 and sentence.words[start].islower():
        start += 1
    following = sentence.word(mention.last)
    if not mention.quoted and _describes_next(sentence, mention, kind):
        return None
    office = kind == "person" and not mention.known and is_office(sentence.lower[mention.first : mention.last])
    if office and following == "," and mention.last + 1 in sentence.mention_at:
        return None  # "the President of Vell, Otmar Lind"
    torn = following == "-" and sentence.word(mention.last + 1) in lexicon().group("torn_from_names")
    if not mention.quoted and (torn or (following.startswith("award") and kind == "person")):
        return None
    if sentence.words[mention.last - 1].lower().endswith(("-winning", "-nominated", "-based", "-born")):
        return None
    if kind != "nationality" and not mention.quoted and _only_describes(sentence, start, mention.last, kind):
        return None
    if kind in ("person", "name") and not mention.quoted:
        start = without_courtesy(sentence, start, mention.last)
    if start == mention.first:
        return ValueSpan(mention.start, mention.end, start, mention.last)
    return ValueSpan(sentence.starts[start], mention.end, start, mention.last)


def _describes_next(sentence: Sentence, mention: NameSpan, kind: str) -> bool:
    """ "Wall Street stockbroker X", "Muhammad's daughter X": the name behind the noun is the value."""
    if kind == "work":
        return not mention.known and describes_work(sentence, mention)
    if kind not in ("person", "place"):
        return False
    at, limit = mention.last, mention.last + 5
    while at < limit and sentence.word(at) in ("'", "’", "s", "-"):
        at += 1
    begin = at
    while at < limit and sentence.word(at).isalpha() and sentence.words[at].islower() and not closes(sentence, at):
        at += 1
    if kind == "place":
        return at > begin and sentence.word(begin) not in lexicon().group("geographic")
    if sentence.word(at) == "," and mention.possessive:
        return at + 1 in sentence.mention_at
    if sentence.word(at) == "and" and at + 2 in sentence.mention_at and sentence.words[at + 1].islower():
        return at > begin and not closes(sentence, at + 1)  # "Quebec director and producer X"
    return at > begin and at in sentence.mention_at and not sentence.mention_at[at].quoted


def closes(sentence: Sentence, at: int) -> bool:
    """Whether a word behind a name begins something new and does not describe a further name."""
    word = sentence.lower[at]
    return (
        word in lexicon().breaks
        or word in lexicon().prepositions
        or is_verb(sentence, at)
        or word.endswith(("ed", "ing", "ly"))
        or word in lexicon().group("after_name")
    )


def _only_describes(sentence: Sentence, start: int, last: int, kind: str) -> bool:
    """Nationalities before a noun describe the value that follows ("American singer X")."""
    text = sentence.slice(start, last)
    if text.lower() in lexicon().people_of or (kind == "place" and text.lower() in lexicon().language_names):
        return True
    if kind == "organization" and (text.lower() in lexicon().group("media") or sentence.word(last) in ("'s", "’s")):
        return True
    if kind == "person" and last - start < 3 and sentence.lower[last - 1] in ("dj", "mc", "vj", "mp"):
        return last - start == 1 or sentence.lower[start] in lexicon().people_of
    return kind == "person" and sentence.word(last) in lexicon().group("describing_roles")


def without_courtesy(sentence: Sentence, start: int, last: int) -> int:
    """Leave off "Sir", "Dr.", "American actor"; what is left must still be a name."""
    people = lexicon().people_of
    while start < last - 1:
        word = sentence.lower[start].rstrip(".")
        if sentence.word(start + 1) == "of":
            break
        if word in people or (word in lexicon().courtesy and not (last - start == 2 and word in ("lord", "lady"))):
            start += 1
        else:
            break
    return start


def _fits(sentence: Sentence, value: ValueSpan, kind: str, skipped: int) -> bool:
    """Whether a name may be a value of this kind."""
    text = sentence.text[value.start : value.end]
    quoted = sentence.mention_at[value.first].quoted
    if kind == "person":
        return country_of(text) is None and not (quoted and skipped > 1)
    if kind == "place":
        return not quoted and names_place(sentence, value.first, value.last)
    if kind == "organization":
        return not quoted and country_of(text) is None and not is_office(sentence.lower[value.first : value.last])
    if kind == "work":
        return quoted or text.lower() not in lexicon().not_places | lexicon().no_nationality
    return True


def name_before(sentence: Sentence, index: int) -> NameSpan | None:
    """The name that ends right in front of word ``index``; adverbs and auxiliaries may stand between."""
    at = index - 1
    while at > 0 and sentence.lower[at] in lexicon().group("before_agent"):
        at -= 1
    at -= sentence.word(at) == "who"
    at -= sentence.word(at) == ","
    if sentence.word(at) == ")":
        at = max((i for i in range(at) if sentence.lower[i] == "("), default=0) - 1
    at -= sentence.word(at) in ('"', "”")
    mention = sentence.mention_at.get(at)
    if mention is not None and is_title(sentence, mention.first):  # "Otmar, Duke of Carse, founded it"
        return sentence.mention_at.get(mention.first - 2)
    return mention


def kind_of(text: str, sentence: Sentence, value: ValueSpan) -> str | None:
    """Guess what a name is a name of; None where its form does not tell."""
    words = text.lower().split()
    if country_of(text):
        return "place"
    if is_office(words):
        return "person"
    named_of = words[1:2] == ["of"] and words[0] in lexicon().organisation_words
    if named_of or any(word in lexicon().organisation_words for word in words[-2:]):
        return "organization"
    if sentence.mention_at.get(value.first) is not None and sentence.mention_at[value.first].quoted:
        return "work"
    if words and (words[0].rstrip(".") in lexicon().titles or words[0] in lexicon().sex_of_word):
        return "person"
    return None
