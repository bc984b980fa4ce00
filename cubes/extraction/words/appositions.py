"""What stands beside a person's name and tells who it is: "X, Duke of Vell, and", "the Vellish king, X"."""

from __future__ import annotations

from .lexicon import group, lexicon
from .words import NameSpan, Sentence, inflected, is_verb, skip_brackets

__all__ = ["JOINED", "OWN", "behind_name", "described", "titled"]

JOINED = ("and", "&")
OWN = ("his", "her")
_ANOTHER = (*JOINED, "by")  # in front of the name that is joined
_ARTICLES = ("a", "an", "the")
_RULERS = frozenset({"emperor", "empress"})  # titles that nobody is called by
_MOST = 14  # words that tell what a name is


def behind_name(sentence: Sentence, index: int) -> int:
    """Step over what may stand between a name that ends at ``index`` and the "and" that joins another one to it.

    That is a remark in brackets, what the name is ("X, a banker, and", "X, Holy Roman Emperor, and"), and a comma.
    """
    at = settled = skip_brackets(sentence, _realm(sentence, index))
    while sentence.word(at) == "," and (end := _apposed(sentence, at + 1)):
        plain = sentence.words[at + 1].islower() and sentence.word(at + 1) not in _ARTICLES  # "lord of Vell"
        at = skip_brackets(sentence, _realm(sentence, end))
        settled = settled if plain else at
    at += sentence.word(at) == "," and sentence.word(at + 1) in _ANOTHER
    return at if sentence.word(at) in _ANOTHER else settled


def _apposed(sentence: Sentence, at: int) -> int:
    """Where what a name before the comma is ends, that stands at ``at``: "a banker", "3rd Earl of Vell"; 0 for none."""
    mention = sentence.mention_at.get(at + sentence.word(at)[:1].isdigit())
    if mention is not None and _is_title(sentence, mention):
        return mention.last
    word, end, behind = sentence.word(at), at, mention.last if mention is not None else at + 1
    of_noun = mention is not None or (sentence.word(behind) == "of" and sentence.words[at].islower())  # "lord of Vell"
    noun = sentence.word(behind if mention is not None else at)
    told = of_noun and noun.isalpha() and noun not in group("breaks") and not is_verb(sentence, behind)
    if word not in _ARTICLES and not told:
        return 0
    while end < at + _MOST and _runs_on(sentence, end):
        other = end - 1 not in sentence.mention_at and end + 1 in sentence.mention_at
        if sentence.word(end) in JOINED and (other or sentence.word(end + 1) in OWN):
            return end
        end += 1
    return end if sentence.word(end) == "," else 0


def _runs_on(sentence: Sentence, at: int) -> bool:
    """Whether a description can go on with a word: it is neither punctuation nor a verb."""
    return sentence.word(at).replace("-", "").isalnum() and not is_verb(sentence, at)


def _realm(sentence: Sentence, index: int) -> int:
    """Behind the second land of a name that ends at ``index``, if another name is joined: "X of Y and Z, and"."""
    named = sentence.mention_at.get(index - 1)
    other = sentence.mention_at.get(index + 1) if sentence.word(index) in JOINED else None
    if named is None or other is None or "of" not in sentence.lower[named.first : named.last]:
        return index
    person = "of" in sentence.lower[other.first : other.last] or sentence.lower[other.first] in group("titles")
    if person or other.last - other.first > 2:
        return index
    end = other.last + (sentence.word(other.last) == ",")
    return other.last if sentence.word(end) in _ANOTHER else index


def _is_title(sentence: Sentence, mention: NameSpan) -> bool:
    """Whether a name is what somebody is: "Crown Prince of Vell", "Holy Roman Emperor"."""
    words = sentence.lower[mention.first : mention.last]
    head = words[: words.index("of")] if "of" in words else words
    told = head[0] in group("titles") or (head[-1] in group("titles") and ("of" in words or head[-1] in _RULERS))
    return told and not mention.quoted


def described(sentence: Sentence, value: NameSpan) -> int:
    """Where a person is named whom the words with a name in them tell: "the Vellish ruler of Carse, X", else 0.

    It is the end of the sentence where nobody is named.
    """
    at, word = value.last, sentence.word(value.last)
    title = " ".join(sentence.lower[value.first : at]) in group("titles")  # "the Crown Prince, X"
    office = title or titled(sentence, value)
    plain = word.isalpha() and sentence.words[at].islower() and "of" not in sentence.lower[value.first : at]
    noun = plain and not inflected(word) and not is_verb(sentence, at) and word not in lexicon().sex_of_word
    if not office and (not noun or word in group("initial") or word in group("particles")):
        return 0
    while at < value.last + _MOST and _runs_on(sentence, at):
        at += 1
    named = sentence.mention_at.get(at + 1) if sentence.word(at) == "," else None
    if named is not None and not _is_title(sentence, named):
        return at + 1
    return 0 if office or word in group("titles") or " " in sentence.slice(value.first, value.last) else len(sentence)


def titled(sentence: Sentence, name: NameSpan) -> bool:
    """Whether a name is only a title of the person before it: "and 11th Baron Vell", "Countess of Hesk"."""
    word = sentence.lower[name.first]
    numbered = sentence.word(name.first - 1)[:1].isdigit()
    told = word in group("offices") or word in lexicon().sex_of_word
    return told and (numbered or sentence.word(name.first + 1) == "of")
