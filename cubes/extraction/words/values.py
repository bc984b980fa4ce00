"""Reading a value of a given kind beside a phrase: names, numbers with their units, dates, text."""

from __future__ import annotations

from collections.abc import Container

from ...core.quantities import quantity_spans
from .lexicon import country_of, group, lexicon
from .words import NameSpan, Sentence

__all__ = ["QUOTES", "is_verb", "kind_of", "name_before", "names_after", "skip_brackets", "value_at", "verbal",
           "without_courtesy"]  # fmt: skip

_ARTICLES = frozenset({"his", "her", "its", "their", "the", "a", "an", "him", "them", "as"})
_TEXT_ENDS = frozenset({"and", "who", "while", "aged", "age", "only"})
_LONGEST = 8  # words of a text
QUOTES = ('"', "“", "”")
_JOINS = frozenset({"and", ",", "/", "&"})
_MOST = 12  # words that may describe a name in front of it, and four between places: "Vell, an entity of Hesk"


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
        if not (found and kind in ("person", "name") and _is_title(sentence, value.first)):
            found.append(value)
        at = skip_brackets(sentence, value.last)
        role = sentence.mention_at.get(at + 1) if kind == "person" and sentence.word(at) == "as" else None
        at = role.last if role is not None else at + (sentence.word(at) in QUOTES)
        joined = sentence.word(at) in _JOINS or (sentence.word(at) == "with" and at + 1 in sentence.mention_at)
        if not (many and joined) and not (kind == "place" and sentence.word(at) == ","):
            return found
        at += 1 + (many and sentence.word(at) == "," and sentence.word(at + 1) in ("and", "&"))


def _is_title(sentence: Sentence, first: int) -> bool:
    """ "Philipp III, Count of Hanau", "X, the 14th President of Vell": a title in apposition and no further person."""
    titled = sentence.lower[first] in group("titles") | group("offices")
    return titled and (sentence.word(first + 1) == "of" or sentence.word(first - 1)[:1].isdigit())


def skip_brackets(sentence: Sentence, index: int) -> int:
    """Step over a bracketed remark at ``index``."""
    depth = 0
    for at in range(index, min(index + 60, len(sentence))):
        depth += (sentence.words[at] in "([") - (sentence.words[at] in ")]")
        if depth <= 0:
            return at + (at > index)
    return index


def _name_at(sentence: Sentence, index: int, kind: str, *, first: bool) -> NameSpan | None:
    """The name at word ``index``, or behind words and names that only describe it."""
    at = index
    for _ in range(_MOST if first or kind != "place" else 4):
        mention = sentence.mention_at.get(at)
        if mention is not None and not _describes(sentence, mention, at, kind):
            return _from_mention(sentence, mention, at, kind)
        over = not first and sentence.word(at).endswith(("ed", "ing"))  # "directed by X and starring Y"
        if mention is None and (over or not _is_descriptor(sentence, at, kind, at > index)):
            return None
        at = mention.last if mention is not None else at + 1
    return None


def _is_descriptor(sentence: Sentence, at: int, kind: str, inside: bool) -> bool:
    """Whether the word may stand between a phrase and the name it announces."""
    word = sentence.word(at)
    if word == "of":
        return kind == "place"
    if not word or word in group("breaks") or is_verb(sentence, at):
        return False
    if word in _JOINS and at + 1 in sentence.mention_at:  # "his wife, X"
        noun = sentence.words[at - 1].islower() and sentence.word(at - 1) not in _ARTICLES
        return inside and word == "," and kind == "person" and noun
    if word in _JOINS:  # between descriptions of a name that is still to come
        return inside and sentence.word(at + 1)[:1].isalpha() and sentence.word(at + 1) not in group("breaks")
    return kind in ("work", "name", "organization") or not (at in sentence.dates or word.isdigit())


def _describes(sentence: Sentence, mention: NameSpan, at: int, kind: str) -> bool:
    """Whether a name only describes what follows: "American", "Wall Street stockbroker X", "Vell TV's series "X"'."""
    end = mention.last
    if mention.quoted:
        return False
    if " ".join(sentence.lower[max(at, mention.first) : end]) in lexicon().people_of:
        return True
    if kind == "work" and not mention.possessive:
        return sentence.word(end).removesuffix("s") in group("works") or sentence.word(end) == "series"
    while end < mention.last + 5 and sentence.word(end).isalpha() and sentence.words[end].islower():
        word = sentence.lower[end]
        if word in group("initial") - group("parts") or is_verb(sentence, end) or word.endswith(("ed", "ing", "ly")):
            break
        end += 1
    end += kind == "work" and sentence.word(end) in QUOTES
    named = sentence.mention_at.get(end) if end > mention.last and kind in ("person", "work") else None
    return named is not None and (kind == "work" or not named.quoted)


def _from_mention(sentence: Sentence, mention: NameSpan, at: int, kind: str) -> NameSpan:
    """The value inside a mention, without courtesy titles and with a title behind it ("Otmar II, Duke of Carse")."""
    start, last = max(at, mention.first), mention.last
    if kind in ("person", "name") and kind_of(sentence, mention) in (None, "person"):
        start = without_courtesy(sentence, start, last)
    behind = last + 1 + sentence.word(last + 1)[:1].isdigit()  # "Karl Lind, 1st Baron Carse"
    peer = sentence.mention_at.get(behind) if kind == "person" and sentence.word(last) == "," else None
    if kind == "place" and mention.possessive:  # "King's Lynn"
        owned = sentence.mention_at.get(last)
        mention = mention if owned is None or owned.quoted else owned
        last = mention.last
    if peer is not None and sentence.lower[peer.first] in group("titles"):
        last = peer.last
    begin = mention.start if start == mention.first else sentence.starts[start]
    return NameSpan(start, last, begin, mention.end if last == mention.last else sentence.ends[last - 1])


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


def name_before(sentence: Sentence, index: int) -> NameSpan | None:
    """The name that ends right in front of word ``index``; adverbs and auxiliaries may stand between."""
    at = index - 1
    while at > 0 and sentence.lower[at] in group("before_agent"):
        at -= 1
    at -= sentence.word(at) == "who"
    at -= sentence.word(at) in (",", *QUOTES)
    mention = sentence.mention_at.get(at)
    at = mention.first - 1 - (sentence.word(mention.first - 1) == "the") if mention is not None else -1
    titled = mention is not None and sentence.word(at) == "," and _is_title(sentence, mention.first)
    owner = sentence.mention_at.get(at - 1) if titled or sentence.word(at) == "of" else None
    return owner or mention  # "X of the Civic Union", "Otto Lind, Duke of Vell"


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
    """The date, text or amount at word ``at``, behind hedges ("about") or a copula; or the amount ``before`` it."""
    if kind == "text":
        return _text(sentence, at)
    if kind == "date":
        date = sentence.dates.get(at)
        return NameSpan(at, date[2], date[0], date[1]) if date else None
    amounts = quantity_spans(sentence.text, sentence.span.start, sentence.span.end) if kind == "quantity" else ()
    while not before and sentence.word(at) in group("hedges"):
        at += 1
    copulas = (i + 1 for i in range(at, at + 9) if sentence.word(i) in ("was", "is", "were"))
    places = {at} if before else {at, *copulas}
    for start, end, _ in amounts:
        found = NameSpan(sentence.index(start), sentence.index(end), start, end)
        if (found.last if before else found.first) in places and found.first not in sentence.dates:
            return found
    return None


def _text(sentence: Sentence, at: int) -> NameSpan | None:
    """A noun phrase in lower case: some words before punctuation, a preposition or a verb."""
    while sentence.word(at) in _ARTICLES:
        at += 1
    last = at
    while last < min(len(sentence), at + _LONGEST) and sentence.words[last][0].isalnum() and last not in sentence.dates:
        word = sentence.lower[last]
        if (last > at and is_verb(sentence, last)) or word in _TEXT_ENDS:
            break
        if word in group("breaks") and (word != "of" or last == at):
            break
        last += 1
    while last > at and sentence.lower[last - 1] in ("of", *_ARTICLES):
        last -= 1
    return NameSpan(at, last, sentence.starts[at], sentence.ends[last - 1]) if last > at else None
