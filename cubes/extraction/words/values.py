"""Noun phrases and the values in them: what a thing is ("a 1921 American silent film"), names, dates, amounts.

Beside a person's name may stand what it is: "X, Duke of Vell, and", "the Vellish king, X".
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field

from ...core.dates import CALENDAR
from ...core.quantities import quantity_spans
from .lexicon import country_of, group, lexicon
from .words import NameSpan, Sentence, is_verb, participle, skip_brackets, verbal

__all__ = ["JOINED", "JOINS", "OWN", "QUOTES", "TypePhrase", "behind_name", "kind_of", "names_after", "texts_at",
           "type_phrase", "value_at"]  # fmt: skip

QUOTES = ('"', "“", "”")
JOINS = frozenset({"and", ",", "/", "&", "or"})
JOINED = ("and", "&")
OWN = ("his", "her")
_ANOTHER = (*JOINED, "by")  # in front of the name that is joined
_RULERS = frozenset({"emperor", "empress"})  # titles that nobody is called by
_OPENING = frozenset({"a", "an", "the", "one", "of", "also", "and", "any", "both"})
_DEMONYM = re.compile(r"[A-Z][a-zà-ÿ]{2,}(?:ish|ian|(?<!m)an|ese|ene)")
_PIECE = re.compile(r"[^\W\d_]+")
_BODIES = frozenset({"act", "band", "club", "duo", "ensemble", "franchise", "group", "outfit", "side", "team", "trio"})
_WED = ("by", "with", "from")  # "the son of X by his wife Y"
_MOST = 12  # words that may describe a name


@dataclass(slots=True)
class TypePhrase:
    """What a phrase says that something is: its coordinated parts as word ranges, and where it stops."""

    segments: list[tuple[int, int]] = field(default_factory=list)
    # Characters with the pattern of the cue that they fill: origin, language, release_date.
    told: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    end: int = 0


def type_phrase(sentence: Sentence, start: int, limit: int | None = None) -> TypePhrase:
    """Read the noun phrase at ``start``: what its nouns are, and the years, nationalities and languages before them."""
    at, size, phrase = start, len(sentence) if limit is None else limit, TypePhrase()
    while sentence.word(at) in _OPENING or sentence.word(at).endswith("ly"):
        at += 1
    first = begin = at
    while at < size:
        if behind := _told(phrase, sentence, at):
            begin = at = at + behind
        elif sentence.lower[at] in JOINS and at not in sentence.mention_at:  # not in "Trinidad and Tobago"
            _add(phrase, sentence, begin, at)
            begin = at = at + 1
        elif _stops(sentence, at, first):
            break
        else:
            at += 1
    phrase.end = at
    _add(phrase, sentence, begin, at)
    return phrase


def _stops(sentence: Sentence, at: int, begin: int) -> bool:
    """Whether the phrase that begins at ``begin`` ends in front of ``at``.

    A participle may begin a new phrase ("directed by", "starring") or describe ("a retired").
    """
    word, following = sentence.lower[at], sentence.word(at + 1)
    if not word[0].isalnum() or word in group("breaks") or (word.isdigit() and at > begin):
        return word not in "–-" or sentence.starts[at] > sentence.ends[at - 1]  # "an east–west road", "a 9-hour film"
    if word.endswith("ly") and participle(following) and sentence.word(at + 2) in group("prepositions"):
        return True  # "loosely based on"
    if not participle(word) or (at == begin and word.endswith("ing")):  # "was King of Vell"
        return False
    closed = following in group("breaks") | group("directions") | _OPENING
    listed = at + 1 in sentence.mention_at and word.endswith("ing")
    return closed or listed or following.endswith("ly") or not following[:1].isalpha()


def _add(phrase: TypePhrase, sentence: Sentence, start: int, last: int) -> None:
    """Add a part, with years, articles and adverbs left off."""
    words, edges = sentence.words, group("type_edges") | _OPENING
    while start < last - 1 and (not words[start][0].isalpha() or words[start] in edges):
        start += 1 + (words[start] == "-")  # "9- minute"
    while last - start > 1 and (words[last - 1] in edges or words[last - 1].endswith(("ally", "rily"))):
        last -= 1
    word = words[last - 1] if start < last else ""
    if word[:1].isalpha() and not word.endswith("ly"):
        phrase.segments.append((start, last))


def _told(phrase: TypePhrase, sentence: Sentence, at: int) -> int:
    """Record a year, nationality or language at ``at``, also "Hong Kong", "Austrian-German"; its words or 0."""
    known, mention, word = lexicon(), sentence.mention_at.get(at), sentence.words[at]
    if at in sentence.dates and word[:4].isdigit():
        phrase.told.append(("release_date", sentence.dates[at][:2]))
        return 1
    if not word[0].isupper():
        return 0
    for size in (3, 2, 1):
        text = " ".join(sentence.lower[at : at + size])
        whole = mention is None or mention.first == at  # not in "New England"
        if text in known.people_of or (whole and text in known.place_of):
            phrase.told.append(("origin", (sentence.starts[at], sentence.ends[at + size - 1])))
            return size
    pieces, told = list(_PIECE.finditer(sentence.text, sentence.starts[at], sentence.ends[at])), len(phrase.told)
    unlisted = _DEMONYM.fullmatch(word)
    for piece in pieces:
        people = piece[0].lower() in known.people_of
        if piece[0].lower() in group("languages") or (people and pieces[-1][0] in ("language", "speaking")):
            phrase.told.append(("language", piece.span()))
        elif unlisted or people:
            phrase.told.append(("origin", piece.span()))
    return 1 + (sentence.word(at + 1) == "language") if len(phrase.told) > told else 0


def names_after(
    sentence: Sentence, index: int, kind: str, others: Container[str], *, many: bool, parents: bool = False
) -> list[NameSpan]:
    """Read the names of ``kind`` that stand at word ``index``, behind descriptions at most; a list if ``many``.

    What looks like one of the ``others`` kinds is none. Of ``parents`` one may stand "by his wife" behind the other.
    """
    found: list[NameSpan] = []
    at = index
    while (value := _name_at(sentence, at, kind, first=not found)) is not None:
        guess = kind_of(sentence, value)
        body = guess == "organization" and kind != "work" and guess not in others
        day = CALENDAR.issuperset(sentence.lower[value.first : value.last])
        fits = guess in (None, kind) or kind == "name" or body
        if day or not fits or (found and is_verb(sentence, value.last)):
            break
        if kind == "person" and not found and (behind := described(sentence, value)):
            at = behind
            continue
        found += [value] if not (found and titled(sentence, value)) else []  # "Philipp III, Count of Hanau"
        at = behind_name(sentence, value.last) if kind == "person" else skip_brackets(sentence, value.last)
        role = sentence.mention_at.get(at + 1) if sentence.word(at) == "as" else None
        at = role.last if role is not None else at + (sentence.word(at) in QUOTES)
        both = parents and len(found) == 2
        if not many or both or not (joining := _joining(sentence, at, parents=parents)):
            break
        at += joining
    return found


def _joining(sentence: Sentence, at: int, *, parents: bool) -> int:
    """How many words at ``at`` join another name to a list: "and", ", and", "by" his wife where they are parents."""
    word, behind = sentence.word(at), sentence.word(at + 1)
    wed = parents and word in _WED and behind in OWN
    if word not in JOINS and not wed and (word not in ("with", "by") or at + 1 not in sentence.mention_at):
        return 0
    size = 1 + (behind in JOINED)
    return size + (sentence.word(at + size) == "of")  # "and of his wife X"


def _name_at(sentence: Sentence, index: int, kind: str, *, first: bool) -> NameSpan | None:
    """The name that the noun phrase at ``index`` is of: a person's is the last in it, a work's behind its maker's."""
    at, found = index, None
    for _ in range(_MOST if first or kind != "place" else 4):
        mention = sentence.mention_at.get(at)
        if mention is None:
            joining = not first and sentence.word(at).endswith(("ed", "ing"))  # "and starring Y"
            if joining or _ends(sentence, at, kind, index, named=found is not None):
                break
        elif not _only_tells(sentence, mention, at):
            found = _from_mention(sentence, mention, at, kind)
            if kind == "place" or (kind != "person" and not mention.possessive):  # not "MIT's CTSS"
                break
        at = mention.last if mention is not None else at + 1
    return found


def _only_tells(sentence: Sentence, mention: NameSpan, at: int) -> bool:
    """Whether a name says what people, genre or league the one behind it is of: "American", "the Western film X"."""
    noun = sentence.word(mention.last).removesuffix("s")
    form = not mention.possessive and noun in group("works")
    band = noun in _BODIES and mention.last + 1 in sentence.mention_at
    people = " ".join(sentence.lower[max(at, mention.first) : mention.last]) in lexicon().people_of
    return not mention.quoted and (form or band or people)


def _ends(sentence: Sentence, at: int, kind: str, begin: int, *, named: bool) -> bool:
    """Whether the noun phrase from ``begin`` on, which announces a name, is over at a word; ``named`` behind a name."""
    word, closed = sentence.word(at), group("breaks")
    if named:  # "X starring Y", but not "Vell TV's series X"
        closed = group("initial") - group("works")
        if participle(word) or not (word.replace("-", "").isalpha() or word in QUOTES):
            return True
    if word in JOINS:  # "his wife, X", "the actor, writer, and director X"
        before, behind = at - 1 - (sentence.word(at - 1) == ","), at + 1 + (sentence.word(at + 1) in JOINED)
        return at == begin or not sentence.words[before].islower() or sentence.word(behind) in closed
    counted = kind in ("person", "place") and word.isdigit()
    if kind == "place" and word not in OWN and word in lexicon().sex_of_word:  # "born in X, the son of Y"
        return True
    acts = is_verb(sentence, at) and not (_describes(sentence, at, begin) and not named)
    return not word or counted or (word in closed and (word, kind) != ("of", "place")) or acts


def _describes(sentence: Sentence, at: int, begin: int) -> bool:
    """Whether a participle opens the noun phrase from ``begin`` on: "acclaimed director X", "the noted poet X"."""
    before, behind = sentence.word(at - 1), sentence.word(at + 1)
    opens = at == begin or before in _OPENING or before in OWN or before.endswith("ly")
    told = behind[:1].isalpha() and behind not in group("breaks") | _OPENING
    return opens and told and sentence.word(at).endswith("ed")


def _from_mention(sentence: Sentence, mention: NameSpan, at: int, kind: str) -> NameSpan:
    """The value inside a mention, without courtesy titles and with a title behind it ("Otmar II, Duke of Carse")."""
    start, further = max(at, mention.first), None
    while kind == "person" and start < mention.last - 1 and sentence.word(start + 1) != "of":
        word = sentence.lower[start].rstrip(".")
        if word not in lexicon().people_of and word not in group("courtesy"):  # "American actor", "Sir", "Dr."
            break
        start += 1
    if kind == "person" and sentence.word(mention.last) == ",":  # "Karl Lind, 1st Baron Carse"
        behind = mention.last + 1 + sentence.word(mention.last + 1)[:1].isdigit()
        further = sentence.mention_at.get(behind) if sentence.word(behind) in group("titles") else None
    elif kind == "place" and mention.possessive:  # "Abbot's Lynn"
        further = sentence.mention_at.get(mention.last)
    return NameSpan(start, (further or mention).last, sentence.starts[start], (further or mention).end)


def kind_of(sentence: Sentence, name: NameSpan) -> str | None:
    """Guess what a name is a name of; None where its form does not tell."""
    text = sentence.text[name.start : name.end]
    words, bodies = text.lower().split(), group("organisation_words")
    if country_of(text):
        return "place"
    if (words[1:2] == ["of"] and words[0] in bodies) or not bodies.isdisjoint(words[-2:]):
        return "organization"
    return "work" if sentence.mention_at[name.first].quoted else None


def texts_at(sentence: Sentence, at: int, *, many: bool) -> list[NameSpan]:
    """The text at word ``at``, or of a list all that hold no name, if any: "dizziness, dry mouth and a dull taste"."""
    parts = type_phrase(sentence, at).segments[: None if many else 1]
    texts: list[NameSpan] = []
    for first, last in parts:
        further = texts_at(sentence, last + 1, many=False) if sentence.word(last) == "of" else []  # "chief of staff"
        end = further[0].last if further else last
        if len(parts) == 1 or sentence.mention_at.keys().isdisjoint(range(first, end)):
            texts.append(NameSpan(first, end, sentence.starts[first], sentence.ends[end - 1]))
    return texts if texts or not many else texts_at(sentence, at, many=False)


def value_at(sentence: Sentence, at: int, kind: str, *, before: bool = False) -> NameSpan | None:
    """The date or amount at word ``at``, an amount some words behind it too; or the amount ``before`` it."""
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


def behind_name(sentence: Sentence, index: int) -> int:
    """Step over what may stand between a name that ends at ``index`` and the "and" that joins another one to it.

    That is a remark in brackets, what the name is ("X, a banker, and", "X, Holy Roman Emperor, and"), and a comma.
    """
    at = settled = skip_brackets(sentence, _realm(sentence, index))
    while sentence.word(at) == "," and (end := _apposed(sentence, at + 1)):
        at = skip_brackets(sentence, _realm(sentence, end))
    at += sentence.word(at) == ","
    return at if sentence.word(at) in _ANOTHER else settled


def _apposed(sentence: Sentence, at: int) -> int:
    """Where what a name before the comma is ends, that stands at ``at``: "a banker", "3rd Earl of Vell"; 0 for none."""
    mention = sentence.mention_at.get(at + sentence.word(at)[:1].isdigit())
    if mention is not None and titled(sentence, mention):
        return mention.last
    told = sentence.word(at + 1) == "of" and sentence.words[at].islower()  # "lord of Vell"
    if sentence.word(at) not in ("a", "an", "the") and not told:
        return 0
    while _runs_on(sentence, at):
        at += 1
    return at if sentence.word(at) == "," else 0


def _runs_on(sentence: Sentence, at: int) -> bool:
    """Whether a description can go on with a word: it is neither punctuation nor a verb."""
    return sentence.word(at).replace("-", "").isalnum() and not is_verb(sentence, at)


def _realm(sentence: Sentence, index: int) -> int:
    """Behind the second land of a name that ends at ``index``, if another name is joined: "X of Y and Z, and"."""
    named, other = sentence.mention_at.get(index - 1), sentence.mention_at.get(index + 1)
    if named is None or other is None or sentence.word(index) not in JOINED or other.last > index + 2:
        return index
    end = other.last + (sentence.word(other.last) == ",")
    return other.last if "of" in sentence.lower[named.first : index] and sentence.word(end) in _ANOTHER else index


def described(sentence: Sentence, value: NameSpan) -> int:
    """Where a person is named whom the words with a name in them tell: "the Vellish ruler of Carse, X", else 0.

    It is the end of the sentence where nobody is named.
    """
    at, word = value.last, sentence.word(value.last)
    office = titled(sentence, value)
    noun = word.isalpha() and not verbal(word) and word not in group("initial") | group("particles")
    if not office and not noun:
        return 0
    while _runs_on(sentence, at):
        at += 1
    if sentence.word(at) == "," and at + 1 in sentence.mention_at:
        return at + 1
    return 0 if office or " " in sentence.slice(value.first, value.last) else len(sentence)


def titled(sentence: Sentence, name: NameSpan) -> bool:
    """Whether a name is only what somebody is: "11th Baron Vell", "Crown Prince of Hesk", "Holy Roman Emperor"."""
    words = sentence.lower[name.first : name.last]
    head = words[: words.index("of")] if "of" in words else words
    alone = head is not words or head[-1] in _RULERS or " ".join(words) in group("titles")
    return not name.quoted and head[-1] in group("offices") and alone and "," not in head
