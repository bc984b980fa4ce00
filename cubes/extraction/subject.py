"""Who or what a section is about, and of which class: from the type phrase, the title, and what else the text shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

from ..core.folding import split_qualifier
from ..core.records import Section
from .header import Header
from .plan import ExtractionPlan
from .section_state import Referent, core_words, name_words
from .words.lexicon import AGENT, lexicon
from .words.words import Sentence

__all__ = ["find_subject"]

_LIFE = re.compile(r"\b(?:born|b\.|died|d\.|née)\s|\d{3,4}\b[^()]{0,40}[-–—][^()]{0,25}\b\d{3,4}\b")
_BEHIND_NOUN = re.compile(r",|\sof\s")  # "Pellam Bridge, Carse", "Treaty of Pellam"
_SEXED = re.compile(r"\b(?:he|his|him|she|her)\b", re.IGNORECASE)


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
