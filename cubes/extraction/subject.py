"""Who or what a section is about: the sentence that introduces it, what it is called, and of which class it is."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, zip_longest

from ..core.folding import fold, split_qualifier, words
from ..core.records import Section
from .plan import ExtractionPlan
from .words.lexicon import AGENT, group, lexicon
from .words.type_phrase import TypePhrase, type_phrase
from .words.values import skip_brackets
from .words.words import Sentence

__all__ = ["NOBODY", "Header", "Referent", "core_words", "find_header", "find_subject", "name_words", "sex_of"]

_COPULA = frozenset({"is", "was", "are", "were", "became", "remains", "refers"})
_REACH = 90  # words from a name to its copula
_LIFE = re.compile(r"\b(?:born|b\.|died|d\.|née)\s|\d{3,4}\b[^()]{0,40}[-–—][^()]{0,25}\b\d{3,4}\b")
_BEHIND_NOUN = re.compile(r",|\sof\s")  # "Pellam Bridge, Carse", "Treaty of Pellam"
_SEXED = re.compile(r"\b(?:he|his|him|she|her)\b", re.IGNORECASE)


@dataclass(slots=True)
class Header:
    """Where a section introduces its subject: the words naming it, and the verb's position or -1."""

    sentence: Sentence
    name: tuple[int, int] | None
    copula: int = -1
    phrase: TypePhrase | None = None
    brackets: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Referent:
    """A thing that a clause speaks about. ``span`` is where the section names it (None: it does not).

    ``names`` are the words of its names; a name short for it holds one of ``core`` ("Joan", not "Wales",
    for "Joan, Lady of Wales"). ``nouns`` are the plain nouns that may stand for it.
    """

    label: str
    cube: str
    span: tuple[int, int] | None = None
    main: bool = False
    sex: str | None = None
    nouns: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    core: frozenset[str] = frozenset()

    def named_by(self, folded: list[str]) -> bool:
        """Whether a name of these folded words can be short for this thing."""
        telling = set(folded) - group("small")
        return bool(telling) and telling <= self.names and not (self.core and telling.isdisjoint(self.core))


NOBODY = Referent("", "")
"""Somebody of whom nothing is known, not even the class."""


def find_subject(section: Section, header: Header, sentences: list[Sentence], plan: ExtractionPlan) -> Referent:
    """Return the section's subject. A section about nothing nameable has its title or heading as label."""
    text, label, span = section.text, section.title, None
    if header.name is not None:
        first, last = header.name
        span = (header.sentence.starts[first], header.sentence.ends[last - 1])
        if not label and (header.copula >= 0 or header.brackets):
            label = text[span[0] : span[1]]
    label = label or next((part for part in reversed(section.path) if part), "")
    named = text[span[0] : span[1]] if span else ""
    names = name_words(split_qualifier(label)[0]) | (name_words(named) if span else frozenset())
    core = core_words(label) | (core_words(named) if span else frozenset())
    cube = _cube(header, sentences, plan, label)
    heads = header.phrase.heads(header.sentence) if header.phrase is not None else []
    nouns = frozenset(heads)
    sex = _sex(text, heads) if cube == plan.person else None
    return Referent(label, cube, span, True, sex, nouns, names, core)


def _sex(text: str, heads: list[str]) -> str | None:
    """By the pronouns of the text, else by what the person is called."""
    counts = Counter(match.lower() for match in _SEXED.findall(text[:1500]))
    male, female = counts["he"] + counts["his"] + counts["him"], counts["she"] + counts["her"]
    told = None if male == female else "male" if male > female else "female"
    return told or next(filter(None, map(lexicon().sex_of_word.get, heads)), None)


def _cube(header: Header, sentences: list[Sentence], plan: ExtractionPlan, label: str) -> str:
    """The class by the surest sign there is; the ontology's first where there is none."""
    base, qualifier = split_qualifier(label)
    surest = _by_noun(qualifier, plan) or _by_life(header, plan) or next(filter(None, _by_phrase(header, plan)), None)
    return surest or _by_noun(_BEHIND_NOUN.split(base)[0], plan) or _by_words(sentences, plan)


def _by_noun(text: str, plan: ExtractionPlan) -> str | None:
    """The class whose noun ends a phrase; the longest noun that fits counts."""
    phrase = text.lower().split()
    ends = (plan.classes(" ".join(phrase[-size:])) for size in (3, 2, 1) if len(phrase) >= size)
    return next((found[0] for found in ends if found), None)


def _by_phrase(header: Header, plan: ExtractionPlan) -> Iterator[str | None]:
    """The heads of the type phrase: nouns of the ontology, else what one does."""
    lower, segments = header.sentence.lower, header.phrase.segments[:4] if header.phrase is not None else ()
    parts = [" ".join(w for w in lower[first:last] if w != "-") for first, last in segments]
    for part, following in zip_longest(parts, parts[1:], fillvalue=""):
        cube = _by_noun(part, plan)
        if " " in part or " " not in following or _by_noun(following, plan) != plan.person:  # "a film and TV director"
            yield cube
    mention = header.sentence.mention_at.get(header.name[0]) if header.name else None
    if mention is not None and mention.quoted:  # a work's name
        yield next((cube for cube in plan.cubes if plan.holds(cube, "work")), None)
    for head in (part.rpartition(" ")[2] for part in parts):
        agent = AGENT.match(head) and head not in lexicon().people_of
        yield plan.person if agent else None


def _by_life(header: Header, plan: ExtractionPlan) -> str | None:
    """A person is born, and has a life in brackets."""
    sentence, begin = header.sentence, header.name[1] if header.name else 0
    lives = (sentence.text[sentence.starts[a] : sentence.ends[b - 1] + 1] for a, b in header.brackets if a < b)
    if "born" in sentence.lower[begin : max(header.copula, begin) + 2] or any(map(_LIFE.search, lives)):
        return plan.person
    return None


def _by_words(sentences: list[Sentence], plan: ExtractionPlan) -> str:
    """The class whose cues stand most often in the text."""
    votes: Counter[str] = Counter()
    for lower, at in ((each.lower, at) for each in sentences[:4] for at in range(len(each))):
        votes.update(cube for _, frames in plan.phrases(lower, at) for cube in frames)
    return max(plan.cubes, key=lambda cube: votes[cube]) if votes else plan.default


def find_header(sentences: list[Sentence], title: str) -> Header:
    """Find the introduction of ``title``, or, without a title, of whatever the first sentence starts with."""
    base, first = split_qualifier(title)[0], sentences[0]
    return _complete(Header(first, _title_in(first, base) or _leading(first, base)))


def _title_in(sentence: Sentence, base: str) -> tuple[int, int] | None:
    """The words of the sentence that are the title; case, accents, punctuation, an article and spaces are free."""
    pieces = [_plain(word) for word in sentence.lower]
    borders = list(accumulate(map(len, pieces), initial=0))
    wanted, flat = words(base), "".join(pieces)
    for title in ("".join(wanted), "".join(wanted[1:]) if wanted[:1] in (["the"], ["a"], ["an"]) else ""):
        start = flat.find(title) if title else -1
        while start >= 0:
            first, last = bisect_right(borders, start) - 1, bisect_left(borders, start + len(title))
            # Running words are a name only with a capital or a number, except at the very start.
            written = any(not w[0].islower() and w[0].isalnum() for w in sentence.words[first:last])
            if (borders[first], borders[last]) == (start, start + len(title)) and (first <= 1 or written):
                return first, last
            start = flat.find(title, start + 1)
    return None


@lru_cache(maxsize=50_000)
def _plain(word: str) -> str:
    return "".join(words(word))


def _leading(sentence: Sentence, base: str) -> tuple[int, int] | None:
    """The name that the sentence begins with: the title in another language, or written otherwise."""
    telling = {word for word in words(base) if len(word) > 2}
    for name in [each for each in sentence.named() if each.first <= 1]:
        foreign = not base or "(" in sentence.lower[name.last : name.last + 12]
        if foreign or not telling.isdisjoint(words(sentence.slice(name.first, name.last))):
            return name.first, name.last
    return None


def _complete(header: Header) -> Header:
    """Find the copula, the brackets before it and the type phrase behind it."""
    sentence = header.sentence
    start = header.name[1] if header.name else 0
    header.copula = _find_copula(sentence, start)
    if header.copula >= 0 and not _introduces(sentence, header.name, header.copula):
        header.copula = -1
    header.brackets = _brackets(sentence, header.copula if header.copula >= 0 else min(len(sentence), start + 40))
    if header.copula >= 0:
        header.phrase = type_phrase(sentence, header.copula + 1)
    if header.name:
        header.phrase = _apposed(sentence, *header.name) or header.phrase
    return header


def _apposed(sentence: Sentence, name: int, end: int) -> TypePhrase | None:
    """ "The composer NAME was born", "A landlocked republic in the east, NAME has", "…, NAME, an Orvennan film"."""
    if name > 2 and sentence.word(end) == "," and sentence.word(end + 1) in ("a", "an"):
        return type_phrase(sentence, end + 1)
    phrase = type_phrase(sentence, 0, name) if name > 1 and sentence.lower[0] in ("a", "an", "the") else None
    return phrase if phrase is not None and (phrase.end == name or sentence.lower[0] != "the") else None


def _find_copula(sentence: Sentence, start: int) -> int:
    """The first copula outside brackets and names behind the name; a relative clause in between is passed."""
    at = start
    while at < min(len(sentence), start + _REACH):
        behind = skip_brackets(sentence, at)
        if behind == at and at not in sentence.mention_at and sentence.lower[at] in _COPULA:
            return at
        at = max(behind, at + 1)
    return -1


def _introduces(sentence: Sentence, name: tuple[int, int] | None, copula: int) -> bool:
    """Whether the copula speaks of the name and not of something that the name only belongs to.

    "The economy of Vell is diverse" and "Vell's economy is diverse" say nothing of what Vell is.
    """
    if name is None:
        return copula == 1 or sentence.lower[0] == "born"
    before, behind = sentence.word(name[0] - 1 - (sentence.word(name[0] - 1) == "the")), sentence.word(name[1])
    mention = sentence.mention_at.get(name[1] - 1)
    owned = mention is not None and mention.possessive and mention.last == name[1] and not behind.startswith("'")
    return before not in group("prepositions") - {"as"} and not before.endswith(("'s", "’s")) and not owned


def _brackets(sentence: Sentence, limit: int) -> list[tuple[int, int]]:
    """Word ranges inside the brackets that open before ``limit``."""
    ends = ((at, skip_brackets(sentence, at)) for at in range(limit) if sentence.word(at - 1) not in ("(", "["))
    return [(at + 1, end - 1) for at, end in ends if end > at]


def name_words(name: str) -> frozenset[str]:
    """The words that tell a name from another: articles, prepositions and particles are left out."""
    found = words(name)
    return frozenset(word for word in found if word not in group("small")) or frozenset(found)


def core_words(name: str) -> frozenset[str]:
    """The words before the first comma or "of": "Joan" of "Joan, Lady of Wales"."""
    return name_words(re.split(r",|\s(?:of|von)\s", split_qualifier(name)[0])[0])


def sex_of(name: str) -> str | None:
    """A person's sex by title or given name; None where neither tells."""
    known = map(lexicon().sex_of_word.get, fold(split_qualifier(name)[0]).split()[:2])
    return next(filter(None, known), None)
