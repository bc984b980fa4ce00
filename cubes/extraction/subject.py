"""Who or what a section is about, and of which class: from the type phrase, the title, and what else the text shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

from ..core.folding import fold, split_qualifier
from ..core.records import Section
from .header import Header
from .plan import ExtractionPlan
from .section_state import Referent, core_words, name_words
from .words.lexicon import AGENT, country_of, group, lexicon
from .words.words import NameSpan, Sentence

__all__ = ["find_subject"]

_LIFE = re.compile(r"\b(?:born|b\.|died|d\.|née)\s|\d{3,4}\b[^()]{0,40}[-–—][^()]{0,25}\b\d{3,4}\b")
_SEXED = re.compile(r"\b(?:he|his|him|she|her)\b", re.IGNORECASE)


def find_subject(section: Section, header: Header, sentences: list[Sentence], plan: ExtractionPlan) -> Referent:
    """Return the section's subject. A section about nothing nameable has its title or heading as label."""
    text, label, span = section.text, section.title, None
    if header.name is not None:
        span = _span(header.sentence, header.name)
        if not label and (header.copula >= 0 or header.brackets):
            label = text[span[0] : span[1]]
    label = label or next((part for part in reversed(section.path) if part), "")
    if not label and (mention := _most_named(sentences)) is not None:
        span = (mention.start, mention.end)
        label = text[span[0] : span[1]]
    named = text[span[0] : span[1]] if span else ""
    names = name_words(split_qualifier(label)[0]) | (name_words(named) if span else frozenset())
    core = core_words(label) | (core_words(named) if span else frozenset())
    cube = _cube(header, sentences, plan, label)
    heads = header.phrase.heads(header.sentence) if header.phrase is not None else []
    nouns = frozenset(heads).union(*(lexicon().same_thing.get(noun, frozenset()) for noun in heads))
    sex = _sex(text, heads, label) if cube == plan.person else None
    return Referent(label, cube, span, True, sex, nouns, names, core)


def _most_named(sentences: list[Sentence]) -> NameSpan | None:
    """The name a section without a title uses most; None where no name occurs twice."""
    named = [m for sentence in sentences for m in sentence.named() if not m.quoted]
    texts = [sentences[0].text[m.start : m.end] for m in named]
    counts = Counter(text for text in texts if len(text) > 2 and not country_of(text))
    name = max(counts, key=lambda text: (counts[text], len(text.split())), default="")
    return named[texts.index(name)] if counts[name] > 1 else None


def _span(sentence: Sentence, name: tuple[int, int]) -> tuple[int, int]:
    start, end = sentence.starts[name[0]], sentence.ends[name[1] - 1]
    possessive = sentence.text[start:end].endswith(("'s", "’s")) and sentence.word(name[1]) not in ("is", "was")
    return start, end - 2 * possessive


def _sex(text: str, heads: list[str], label: str) -> str | None:
    """By the pronouns of the text, else by what the person is called."""
    counts = Counter(match.lower() for match in _SEXED.findall(text[:1500]))
    male, female = counts["he"] + counts["his"] + counts["him"], counts["she"] + counts["her"]
    if male != female:
        return "male" if male > female else "female"
    table = lexicon().sex_of_word
    return next((table[word] for word in (*heads, *fold(label).split()[:2]) if word in table), None)


def _cube(header: Header, sentences: list[Sentence], plan: ExtractionPlan, label: str) -> str:
    """The class by the surest sign there is; the ontology's first where there is none."""
    base, qualifier = split_qualifier(label)
    signs = (_by_noun(qualifier, plan), _by_life(header, plan), *_by_phrase(header, plan), *_by_title(base, plan))
    return next(filter(None, signs), None) or _by_words(sentences, plan)


def _by_noun(text: str, plan: ExtractionPlan) -> str | None:
    """The class whose noun ends a phrase; the longest noun that fits counts."""
    phrase = text.lower().split()
    ends = (plan.classes(" ".join(phrase[-size:])) for size in (3, 2, 1) if len(phrase) >= size)
    return next((found[0] for found in ends if found), None)


def _by_phrase(header: Header, plan: ExtractionPlan) -> Iterator[str | None]:
    """The heads of the type phrase, then the words inside its parts."""
    lower, segments = header.sentence.lower, header.phrase.segments[:4] if header.phrase is not None else ()
    parts = [" ".join(w for w in lower[first:last] if w != "-") for first, last in segments]
    for part, following in zip_longest(parts, parts[1:], fillvalue=""):
        cube, head = _by_noun(part, plan), part.rpartition(" ")[2]
        agent = AGENT.match(head) and head not in group("no_agent") and head not in lexicon().people_of
        if " " in part or " " not in following or _by_noun(following, plan) != plan.person:  # "a film and TV director"
            yield cube or (plan.person if agent else None)
    mention = header.sentence.mention_at.get(header.name[0]) if header.name else None
    if mention is not None and mention.quoted:  # a work's name
        yield next((cube for cube in plan.cubes if plan.holds(cube, "work")), None)
    for word in (word for part in parts for word in reversed(part.split())):
        yield next(iter(plan.nouns.get(fold(word), ())), None)


def _by_life(header: Header, plan: ExtractionPlan) -> str | None:
    """A person is born, and has a life in brackets."""
    sentence, begin = header.sentence, header.name[1] if header.name else 0
    lives = (sentence.text[sentence.starts[a] : sentence.ends[b - 1] + 1] for a, b in header.brackets if a < b)
    if "born" in sentence.lower[begin : max(header.copula, begin) + 2] or any(map(_LIFE.search, lives)):
        return plan.person
    return None


def _by_title(base: str, plan: ExtractionPlan) -> Iterator[str | None]:
    """Titles are lands, end in what the thing is ("Pellam Bridge") or begin with it ("Treaty of …")."""
    plain = base.split(",")[0].lower().split()
    land = fold(base) in lexicon().place_of or fold(base) in lexicon().region_of
    yield next((cube for cube in plan.cubes if land and plan.pattern(cube, "containment")), None)
    yield _by_noun(" ".join(plain), plan) if len(plain) > 1 else None
    yield next(iter(plan.nouns.get(fold(plain[0]), ())), None) if plain[1:2] == ["of"] else None


def _by_words(sentences: list[Sentence], plan: ExtractionPlan) -> str:
    """The class whose cues stand in the text; that of persons where the text tells of him or her."""
    votes: Counter[str] = Counter()
    for lower, at in ((each.lower, at) for each in sentences[:4] for at in range(len(each))):
        votes.update(cube for _, frames in plan.phrases(lower, at) for cube in frames)
    if plan.person and len(_SEXED.findall(sentences[0].text[:600])) >= 3:
        votes[plan.person] += 8
    return max(plan.cubes, key=lambda cube: votes[cube]) if votes else plan.default
