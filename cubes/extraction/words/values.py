"""Reading a value of a given kind beside a phrase: names, numbers with their units, dates, text."""

from __future__ import annotations

from collections.abc import Container

from ...core.quantities import quantity_spans
from .lexicon import country_of, group, lexicon
from .type_phrase import type_phrase
from .words import NameSpan, Sentence

__all__ = ["QUOTES", "is_verb", "kind_of", "names_after", "skip_brackets", "value_at", "verbal",
           "without_courtesy"]  # fmt: skip

QUOTES = ('"', "“", "”")
_JOINS = frozenset({"and", ",", "/", "&"})
_MOST = 12  # words that may describe a name in front of it


def is_verb(sentence: Sentence, index: int) -> bool:
    """Whether the word at ``index`` is a finite verb as far as its form tells."""
    word = sentence.word(index)
    if not word.isalpha() or not sentence.words[index].islower():
        return False
    regular = word.endswith("ed") and len(word) > 4
    return word in group("finite") or (regular and sentence.word(index + 1) != "by")


def verbal(word: str) -> bool:
    """Whether the last word of a phrase is a form of a verb."""
    bare = word.removeprefix("co-")
    regular = word.endswith(("ed", "ing"))
    return regular or bare in group("finite") or bare in group("irregular_participles")


def names_after(
    sentence: Sentence, index: int, kind: str, *, many: bool, others: Container[str] = ()
) -> list[NameSpan]:
    """Read the names of ``kind`` that stand at word ``index``, behind descriptions at most; a list if ``many``.

    What looks like one of the ``others`` kinds is none.
    """
    found: list[NameSpan] = []
    at = index
    while True:
        value = _name_at(sentence, at, kind, first=not found)
        if value is None or not _fits(sentence, value, kind, others) or (found and is_verb(sentence, value.last)):
            return found
        titled = sentence.lower[value.first] in group("offices") and sentence.word(value.first + 1) == "of"
        found += [value] if not (found and titled) else []  # "Philipp III, Count of Hanau"
        at = skip_brackets(sentence, value.last)
        role = sentence.mention_at.get(at + 1) if kind == "person" and sentence.word(at) == "as" else None
        at = role.last if role is not None else at + (sentence.word(at) in QUOTES)
        joined = sentence.word(at) in _JOINS or (sentence.word(at) == "with" and at + 1 in sentence.mention_at)
        if not (many and joined) and not (kind == "place" and sentence.word(at) == ","):
            return found
        at += 1 + (many and sentence.word(at) == "," and sentence.word(at + 1) in ("and", "&"))


def skip_brackets(sentence: Sentence, index: int) -> int:
    """Step over a bracketed remark at ``index``."""
    depth = 0
    for at in range(index, min(index + 60, len(sentence))):
        depth += (sentence.words[at] in "([") - (sentence.words[at] in ")]")
        if depth <= 0:
            return at + (at > index)
    return index


def _name_at(sentence: Sentence, index: int, kind: str, *, first: bool) -> NameSpan | None:
    """The name that the noun phrase at ``index`` is of: a person's is the last in it, a work's behind its maker's."""
    at, found = index, None
    for _ in range(_MOST if first or kind != "place" else 4):
        mention = sentence.mention_at.get(at)
        if mention is None and _ends(sentence, at, kind, index, named=found is not None):
            break
        if mention is None and not first and sentence.word(at).endswith(("ed", "ing")):  # "and starring Y"
            break
        if mention is not None and not _only_tells(sentence, mention, at, kind):
            if found is not None and mention.quoted and kind == "person":
                break
            found = _from_mention(sentence, mention, at, kind)
            if kind != "person" and not (kind == "work" and mention.possessive):
                break
        at = mention.last if mention is not None else at + 1
    return found


def _only_tells(sentence: Sentence, mention: NameSpan, at: int, kind: str) -> bool:
    """Whether a name says what people or genre the one behind it is of: "American", "the Western film X"."""
    works = kind == "work" and not mention.possessive
    genre = works and sentence.word(mention.last).removesuffix("s") in group("works")
    people = " ".join(sentence.lower[max(at, mention.first) : mention.last]) in lexicon().people_of
    return not mention.quoted and (genre or people)


def _ends(sentence: Sentence, at: int, kind: str, begin: int, *, named: bool) -> bool:
    """Whether the noun phrase from ``begin`` on, which announces a name, is over at a word; ``named`` behind a name."""
    word, closed = sentence.word(at), group("breaks")
    if named:  # "X starring Y", but not "Vell TV's series X"
        closed = group("initial") - group("works")
        if not (word.isalpha() or word in QUOTES) or word.endswith(("ed", "ing", "ly")):
            return True
    if word in _JOINS:  # "his wife, X", "the actor and director X"
        return at == begin or not sentence.words[at - 1].islower() or sentence.word(at + 1) in closed
    counted = kind in ("person", "place") and (at in sentence.dates or word.isdigit())
    return not word or counted or (word in closed and (word, kind) != ("of", "place")) or is_verb(sentence, at)


def _from_mention(sentence: Sentence, mention: NameSpan, at: int, kind: str) -> NameSpan:
    """The value inside a mention, without courtesy titles and with a title behind it ("Otmar II, Duke of Carse")."""
    start, further = max(at, mention.first), None
    if kind in ("person", "name") and kind_of(sentence, mention) in (None, "person"):
        start = without_courtesy(sentence, start, mention.last)
    if kind == "person" and sentence.word(mention.last) == ",":  # "Karl Lind, 1st Baron Carse"
        behind = mention.last + 1 + sentence.word(mention.last + 1)[:1].isdigit()
        further = sentence.mention_at.get(behind) if sentence.word(behind) in group("titles") else None
    elif kind == "place" and mention.possessive:  # "Abbot's Lynn"
        further = sentence.mention_at.get(mention.last)
    begin = mention.start if start == mention.first else sentence.starts[start]
    return NameSpan(start, (further or mention).last, begin, (further or mention).end)


def without_courtesy(sentence: Sentence, start: int, last: int) -> int:
    """Leave off "Sir", "Dr.", "American actor"; what is left must still be a name."""
    while start < last - 1 and sentence.word(start + 1) != "of":
        word = sentence.lower[start].rstrip(".")
        if word not in lexicon().people_of and word not in group("courtesy"):
            break
        start += 1
    return start


def _fits(sentence: Sentence, value: NameSpan, kind: str, others: Container[str]) -> bool:
    """Whether a name may be a value of this kind, as far as its form tells."""
    guess = kind_of(sentence, value)
    body = guess == "organization" and kind != "work" and guess not in others
    return guess in (None, kind) or kind == "name" or body


def kind_of(sentence: Sentence, name: NameSpan) -> str | None:
    """Guess what a name is a name of; None where its form does not tell."""
    text = sentence.text[name.start : name.end]
    words, bodies = text.lower().split(), group("organisation_words")
    if country_of(text):
        return "place"
    if (words[1:2] == ["of"] and words[0] in bodies) or not bodies.isdisjoint(words[-2:]):
        return "organization"
    return "work" if sentence.mention_at[name.first].quoted else None


def value_at(sentence: Sentence, at: int, kind: str, *, before: bool = False) -> NameSpan | None:
    """The date, text or amount at word ``at``, an amount some words behind it too; or the amount ``before`` it."""
    if kind == "text":
        phrase = type_phrase(sentence, at)
        first, last = phrase.segments[0] if phrase is not None and phrase.segments else (at, at)
        of = value_at(sentence, last + 1, kind) if sentence.word(last) == "of" else None  # "chief of staff"
        last = of.last if of is not None else last
        return NameSpan(first, last, sentence.starts[first], sentence.ends[last - 1]) if last > first else None
    if kind == "date":
        date = sentence.dates.get(at)
        return NameSpan(at, date[2], date[0], date[1]) if date else None
    amounts = quantity_spans(sentence.text, sentence.span.start, sentence.span.end) if kind == "quantity" else ()
    for start, end, _ in amounts:
        found = NameSpan(sentence.index(start), sentence.index(end), start, end)
        near = found.last == at if before else at <= found.first < at + _MOST
        if near and found.first not in sentence.dates:
            return found
    return None
