"""What stands beside a person's name and tells who it is: "X, Duke of Vell, and", "the Vellish king, X"."""

from __future__ import annotations

from .lexicon import group, lexicon
from .words import NameSpan, Sentence, is_verb, skip_brackets, verbal

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
        at = skip_brackets(sentence, _realm(sentence, end))
    at += sentence.word(at) == "," and sentence.word(at + 1) in _ANOTHER
    return at if sentence.word(at) in _ANOTHER else settled


def _apposed(sentence: Sentence, at: int) -> int:
    """Where what a name before the comma is ends, that stands at ``at``: "a banker", "3rd Earl of Vell"; 0 for none."""
    mention = sentence.mention_at.get(at + sentence.word(at)[:1].isdigit())
    if mention is not None and titled(sentence, mention):
        return mention.last
    told = sentence.word(at + 1) == "of" and sentence.words[at].islower()  # "lord of Vell"
    if sentence.word(at) not in _ARTICLES and not told:
        return 0
    end = at
    while end < at + _MOST and _runs_on(sentence, end):
        end += 1
    return end if sentence.word(end) == "," else 0


def _runs_on(sentence: Sentence, at: int) -> bool:
    """Whether a description can go on with a word: it is neither punctuation nor a verb."""
    return sentence.word(at).replace("-", "").isalnum() and not is_verb(sentence, at)


def _realm(sentence: Sentence, index: int) -> int:
    """Behind the second land of a name that ends at ``index``, if another name is joined: "X of Y and Z, and"."""
    named = sentence.mention_at.get(index - 1)
    other = sentence.mention_at.get(index + 1) if sentence.word(index) in JOINED else None
    of_land = named is not None and "of" in sentence.lower[named.first : named.last]
    if not of_land or other is None or other.last - other.first > 1:
        return index
    end = other.last + (sentence.word(other.last) == ",")
    return other.last if sentence.word(end) in _ANOTHER else index


def described(sentence: Sentence, value: NameSpan) -> int:
    """Where a person is named whom the words with a name in them tell: "the Vellish ruler of Carse, X", else 0.

    It is the end of the sentence where nobody is named.
    """
    at, word = value.last, sentence.word(value.last)
    office = titled(sentence, value)
    plain = word.isalpha() and sentence.words[at].islower() and "of" not in sentence.lower[value.first : at]
    noun = plain and not verbal(word) and not word.endswith("ly") and word not in lexicon().sex_of_word
    if not office and (not noun or word in group("initial") or word in group("particles")):
        return 0
    while at < value.last + _MOST and _runs_on(sentence, at):
        at += 1
    named = sentence.mention_at.get(at + 1) if sentence.word(at) == "," else None
    if named is not None and not titled(sentence, named):
        return at + 1
    return 0 if office or word in group("titles") or " " in sentence.slice(value.first, value.last) else len(sentence)


def titled(sentence: Sentence, name: NameSpan) -> bool:
    """Whether a name is only what somebody is: "11th Baron Vell", "Crown Prince of Hesk", "Holy Roman Emperor"."""
    words = sentence.lower[name.first : name.last]
    head = words[: words.index("of")] if "of" in words else words
    first, last = (word in group("offices") or word in lexicon().sex_of_word for word in (head[0], head[-1]))
    numbered = sentence.word(name.first - 1)[:1].isdigit()
    alone = head is not words or head[-1] in _RULERS or " ".join(words) in group("titles")
    return not name.quoted and ((first and numbered) or (last and alone and "," not in head))
