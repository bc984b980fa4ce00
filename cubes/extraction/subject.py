"""Who or what a section is about, and of which class: from the type phrase, the title, and what else the
text shows.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from ..folding import fold, split_qualifier
from ..records import Section
from .dates import loose_dates
from .header import Header
from .lexicon import lexicon
from .mentions import most_named
from .plan import Plan
from .reading import Referent, core_words, name_words
from .typephrase import TypePhrase
from .words import Sentence

__all__ = ["find_subject", "noun_cubes"]

_LIFE = re.compile(r"\b(?:born|b\.|died|d\.|née)\s|\d{3,4}\s?\)?\s?[-–—]\s?(?:[\w.,\s]{0,18})\d{3,4}\s*\)")
_PERSONAL = re.compile(r"\b(?:he|she|his|her)\b", re.IGNORECASE)
_RELATED = re.compile(
    r"^(?:He|She) (?:is|was)\b|\b(?:[Hh]e|[Ss]he|was|is) (?:(?:is|was) )?(?:the|a|an) (?:[\w-]+ ){0,2}"
    r"(?:son|daughter|wife|husband|widow|brother|sister|father|mother) of [A-Z]"
)
_AGENT = re.compile(r"\w{3,}(?:or|er|ist|ian|man|woman|wright|smith|ress|ologist)$")


def find_subject(section: Section, header: Header | None, sentences: list[Sentence], plan: Plan) -> Referent:
    """Return the section's subject. A section about nothing nameable has its title or heading as label."""
    title = section.title
    label, span = title, None
    if header is not None and header.name is not None:
        span = _span(header.sentence, header.name)
        label = title
        if not title and (header.copula >= 0 or header.brackets):
            label = section.text[span[0] : span[1]]
    if not label and section.path:
        label = next((part for part in reversed(section.path) if part), "")
    if not label and (mention := most_named(sentences)) is not None:
        span = (mention.start, mention.end)
        label = section.text[span[0] : span[1]]
    names = name_words(split_qualifier(label)[0])
    if span:
        names |= name_words(section.text[span[0] : span[1]])
    cube = _cube(section, header, plan, label)
    heads = _heads(header)
    core = core_words(label) | (core_words(section.text[span[0] : span[1]]) if span else frozenset())
    return Referent(
        label,
        cube,
        span,
        True,
        _sex(section.text, heads, label) if cube == plan.person else None,
        _same(heads),
        names,
        core,
    )


def _span(sentence: Sentence, name: tuple[int, int]) -> tuple[int, int]:
    start, end = sentence.starts[name[0]], sentence.ends[name[1] - 1]
    if sentence.text[start:end].endswith(("'s", "’s")) and sentence.word(name[1]) not in ("is", "was"):
        end -= 2
    return start, end


def _heads(header: Header | None) -> list[str]:
    found: list[str] = []
    if header is not None and header.phrase is not None:
        found += header.phrase.heads(header.sentence)
    return found


def _same(heads: list[str]) -> frozenset[str]:
    """The subject's own nouns and those that may stand for them."""
    found = set(heads)
    for noun in heads:
        found |= lexicon().same_thing.get(noun, frozenset())
    return frozenset(found)


def _sex(text: str, heads: list[str], label: str) -> str | None:
    """By the pronouns of the text, else by what the person is called."""
    counts = Counter(match.lower() for match in re.findall(r"\b(?:he|his|him|she|her)\b", text[:1500], re.IGNORECASE))
    male, female = counts["he"] + counts["his"] + counts["him"], counts["she"] + counts["her"]
    if male != female:
        return "male" if male > female else "female"
    table = lexicon().sex_of_word
    return next((table[word] for word in (*heads, *fold(label).split()[:2]) if word in table), None)


def _cube(section: Section, header: Header | None, plan: Plan, label: str) -> str:
    """The class with the most evidence; the ontology's first where there is none."""
    votes: dict[str, float] = defaultdict(float)
    qualifier = split_qualifier(label)[1]
    for cube in noun_cubes(qualifier.lower().split(), plan):
        votes[cube] += 6
    if header is not None:
        if header.phrase is not None:
            _vote_phrase(votes, header.sentence, header.phrase, plan, 4.0)
        _vote_life(votes, header, plan)
        _vote_form(votes, header, plan)
    if not votes or max(votes.values()) < 2:
        _vote_title(votes, label, plan)
        _vote_text(votes, section.text, plan)
    elif len([1 for v in votes.values() if v == max(votes.values())]) > 1:
        _vote_cues(votes, section.text, plan)
    if not votes:
        return plan.default
    order = list(plan.cubes)
    return max(votes, key=lambda cube: (votes[cube], -order.index(cube)))


def noun_cubes(phrase: list[str], plan: Plan) -> tuple[str, ...]:
    """The classes whose noun ends the phrase; the longest noun that fits counts."""
    for size in (3, 2, 1):
        if len(phrase) >= size:
            found = plan.nouns.get(fold(" ".join(phrase[-size:])))
            if found:
                return found
    return ()


def _vote_phrase(votes: dict[str, float], sentence: Sentence, phrase: TypePhrase, plan: Plan, weight: float) -> None:
    """Heads count fully, the first one most; words inside a part count a little."""
    for number, (first, last) in enumerate(phrase.segments[:4]):
        part = [w for w in sentence.lower[first:last] if w != "-"]
        cubes = noun_cubes(part, plan)
        if (
            not cubes
            and part
            and plan.person
            and _AGENT.match(part[-1])
            and part[-1] not in lexicon().group("no_agent")
        ):
            votes[plan.person] += weight * 0.4
        for rank, cube in enumerate(cubes):
            votes[cube] += (weight if number == 0 else weight / 2) - 0.01 * rank
        if not cubes:
            for word in part[:-1]:
                for cube in plan.nouns.get(fold(word), ())[:1]:
                    votes[cube] += 1.0


def _vote_life(votes: dict[str, float], header: Header, plan: Plan) -> None:
    """Dates of life in the brackets behind a name are those of a person."""
    if plan.person is None or header.name is None:
        return
    sentence = header.sentence
    if sentence.lower[0] == "born" or "born" in (sentence.word(header.name[1] + 1), sentence.word(header.copula + 1)):
        votes[plan.person] += 3
    for first, last in header.brackets[:3]:
        begin = sentence.starts[first] if first < len(sentence) else sentence.span.end
        finish = sentence.ends[last - 1] if first < last else begin
        dates = loose_dates(sentence.text, begin, finish)
        if len(dates) == 2 and re.search(r"[–—-]", sentence.text[dates[0][1] : dates[1][0]]):
            votes[plan.person] += 4
            return
        inside = sentence.text[
            sentence.starts[first] if first < len(sentence) else 0 : sentence.starts[last] + 1
            if last < len(sentence)
            else sentence.span.end
        ]
        if _LIFE.search(inside):
            votes[plan.person] += 5
            return


def _vote_form(votes: dict[str, float], header: Header, plan: Plan) -> None:
    """A name in quotation marks is a work's; what "is situated" is a place."""
    sentence = header.sentence
    mention = sentence.mention_at.get(header.name[0]) if header.name else None
    if mention is not None and mention.quoted:
        for cube in plan.cubes:
            if cube != plan.person and plan.holds(cube, "work"):
                votes[cube] += 2
    if header.copula >= 0 and sentence.word(header.copula + 1) in ("situated", "located", "in", "near"):
        for cube in [cube for cube in plan.cubes if plan.pattern(cube, "containment")][:1]:
            votes[cube] += 3


def _vote_title(votes: dict[str, float], label: str, plan: Plan) -> None:
    """Titles often end in what the thing is ("Pellam Bridge") or begin with it ("University of …",
    "Treaty of …").
    """
    plain = split_qualifier(label)[0].split(",")[0].lower().split()
    name = fold(split_qualifier(label)[0])
    if name in lexicon().place_of or name in lexicon().region_of:
        for cube in [cube for cube in plan.cubes if plan.pattern(cube, "containment")][:1]:
            votes[cube] += 3
    if len(plain) < 2:
        return
    for cube in noun_cubes(plain, plan)[:1]:
        votes[cube] += 1 if votes else 2
    if plain[1:2] == ["of"]:
        for cube in plan.nouns.get(fold(plain[0]), ())[:1]:
            votes[cube] += 2


def _vote_text(votes: dict[str, float], text: str, plan: Plan) -> None:
    """Personal pronouns speak for a person, cue phrases for the class that has them."""
    if plan.person and (len(_PERSONAL.findall(text[:600])) >= 3 or _RELATED.search(text[:300])):
        votes[plan.person] += 1.5
    _vote_cues(votes, text, plan)


def _vote_cues(votes: dict[str, float], text: str, plan: Plan) -> None:
    for _, _, phrases in plan.find(text[:800].lower()):
        if len(phrases[0].text) > 5:
            for cube in {phrase.entry.cube for phrase in phrases}:
                votes[cube] += 0.2
