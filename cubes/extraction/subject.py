"""Who or what a section is about, and of which class: from the type phrase, the title, and what else the text shows."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from ..core.folding import fold, split_qualifier
from ..core.records import Section
from .header import Header
from .plan import ExtractionPlan
from .section_state import Referent, core_words, name_words
from .words.lexicon import AGENT, country_of, group, lexicon
from .words.words import NameSpan, Sentence

__all__ = ["find_subject", "noun_cubes"]

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
    cube = _cube(section, header, sentences, plan, label)
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


def _cube(section: Section, header: Header, sentences: list[Sentence], plan: ExtractionPlan, label: str) -> str:
    """The class with the most evidence; the ontology's first where there is none."""
    votes: dict[str, float] = defaultdict(float)
    base, qualifier = split_qualifier(label)
    for cube in noun_cubes(qualifier.lower().split(), plan):
        votes[cube] += 6
    _vote_phrase(votes, header, plan)
    sentence = header.sentence
    lives = (sentence.text[sentence.starts[a] : sentence.ends[b - 1] + 1] for a, b in header.brackets if a < b)
    begin = header.name[1] if header.name else 0
    born = "born" in sentence.lower[begin : max(header.copula, begin) + 2]
    if plan.person and (born or any(map(_LIFE.search, lives))):
        votes[plan.person] += 5
    mention = sentence.mention_at.get(header.name[0]) if header.name else None
    for cube in plan.cubes if mention is not None and mention.quoted else ():  # a work's name
        votes[cube] += 2.0 * (cube != plan.person and plan.holds(cube, "work"))
    if max(votes.values(), default=0) < 2:
        _vote_title(votes, base, plan)
        if plan.person and (sentences[0].lower[0] in ("he", "she") or len(_SEXED.findall(section.text[:600])) >= 3):
            votes[plan.person] += 1.5
        for lower, at in ((each.lower, at) for each in sentences[:4] for at in range(len(each))):
            for cube in (cube for _, frames in plan.phrases(lower, at) for cube in frames):
                votes[cube] += 0.2
    order = list(plan.cubes)
    return max(votes, key=lambda cube: (votes[cube], -order.index(cube)), default=plan.default)


def noun_cubes(phrase: list[str], plan: ExtractionPlan) -> tuple[str, ...]:
    """The classes whose noun ends the phrase; the longest noun that fits counts."""
    ends = (plan.classes(" ".join(phrase[-size:])) for size in (3, 2, 1) if len(phrase) >= size)
    return next((found for found in ends if found), ())


def _vote_phrase(votes: dict[str, float], header: Header, plan: ExtractionPlan) -> None:
    """Heads of the type phrase count fully, the first one most; words inside a part count a little."""
    lower, segments = header.sentence.lower, header.phrase.segments[:4] if header.phrase is not None else ()
    parts = [[w for w in lower[first:last] if w != "-"] for first, last in segments]
    for number, part in enumerate(parts):
        cubes, following = noun_cubes(part, plan), parts[number + 1 : number + 2]
        short = len(part) == 1 and plan.person not in cubes and following and len(following[0]) > 1
        if short and plan.person in noun_cubes(following[0], plan):  # "a film and television director" is no film
            continue
        for rank, cube in enumerate(cubes):
            votes[cube] += (4.0 if number == 0 else 2.0) - 0.01 * rank
        agent = AGENT.match(part[-1]) and part[-1] not in group("no_agent") and part[-1] not in lexicon().people_of
        if not cubes and plan.person and agent:
            votes[plan.person] += 1.6
        for cube in (cube for word in part[:-1] if not cubes for cube in plan.nouns.get(fold(word), ())[:1]):
            votes[cube] += 1.0


def _vote_title(votes: dict[str, float], base: str, plan: ExtractionPlan) -> None:
    """Titles often end in what the thing is ("Pellam Bridge") or begin with it ("Treaty of …")."""
    plain = base.split(",")[0].lower().split()
    if fold(base) in lexicon().place_of or fold(base) in lexicon().region_of:
        for cube in [cube for cube in plan.cubes if plan.pattern(cube, "containment")][:1]:
            votes[cube] += 3
    named = [*noun_cubes(plain, plan)[:1], *(plan.nouns.get(fold(plain[0]), ())[:1] if plain[1:2] == ["of"] else ())]
    for cube in named if len(plain) > 1 else ():
        votes[cube] += 2
