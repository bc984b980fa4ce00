"""What is known of a section while it is read: whom it is about, the sentence that introduces it, the facts so far."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..core.folding import base_key, fold, split_qualifier, words
from ..core.records import Fact, Section, Span
from .plan import CueEntry, ExtractionPlan
from .words.lexicon import AGENT, group, lexicon, sex_of
from .words.values import TypePhrase, type_phrase
from .words.words import NameSpan, Sentence, skip_brackets

__all__ = ["ALIAS", "CUE", "MENTION", "NOBODY", "STRUCTURE", "VERSION", "Header", "Referent", "SectionState",
           "find_header"]  # fmt: skip

VERSION = "embedded/19"
STRUCTURE, ALIAS, CUE, MENTION = 0.95, 0.9, 0.8, 0.3
"""How sure a fact is: read from a structure, a name given as another name, a cue phrase, a mere mention."""
_COPULA = frozenset({"is", "was", "are", "were", "became", "remains", "refers"})
_REACH = 90  # words from a name to its copula
_BEHIND_NOUN = re.compile(r",|\sof\s")  # "Pellam Bridge, Carse", "Treaty of Pellam"
_LIFE = re.compile(r"\bdied\s|\d{3,4}\b.{0,40}[-–—].{0,25}\b\d{3,4}\b")
_SEXED = re.compile(r"\b(?:he|his|him|she|her)\b")


@dataclass(slots=True)
class Header:
    """Where a section introduces its subject: the words naming it, the verb (or -1), the brackets before that.

    Where nothing names it, the name is empty.
    """

    name: tuple[int, int] = (0, 0)
    copula: int = -1
    phrase: TypePhrase = field(default_factory=TypePhrase)
    brackets: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Referent:
    """A thing that a clause speaks about."""

    label: str
    cube: str
    span: tuple[int, int] | None = None  # where the section names it
    main: bool = False
    sex: str | None = None
    nouns: frozenset[str] = frozenset()  # that may stand for it
    names: frozenset[str] = frozenset()  # the words of its names

    def named_by(self, name: str) -> bool:
        """Whether a name can be short for this thing."""
        called = name_words(name) - group("courtesy")
        return bool(called) and all(map(self._has, called))

    def _has(self, word: str) -> bool:
        """Whether a word is one of its names, or the initial of one: "William H. Lund" of "William Hamar Lund"."""
        initial = len(word) == 1 and word not in "ivx"  # "Hesk I" is another one than "Hesk II"
        return word in self.names or (initial and any(name.startswith(word) for name in self.names))


NOBODY = Referent("", "")  # somebody of whom nothing is known, not even the class


def _classes(header: Header, sentences: list[Sentence], plan: ExtractionPlan, label: str) -> Iterator[str | None]:
    """The classes that something tells, the surest sign first.

    Signs are the title's bracket, a birth, the nouns of the type phrase, what one does, the title, a life in
    brackets, and the cues in the text.
    """
    sentence, (base, qualifier) = sentences[0], split_qualifier(label)
    yield from plan.classes(qualifier)
    begin = max(header.copula, header.name[1]) + 2
    yield plan.person if "born" in (sentence.word(0), *sentence.words[1:begin]) else None  # not "Ada is Born is a film"
    parts = [" ".join(sentence.lower[first:last]) for first, last in header.phrase.segments[:4]]
    told = [cube for part in parts for cube in plan.classes(part)[:1]]
    yield from sorted(told, key=lambda cube: cube != plan.person)  # "a film and TV director"
    heads = {part.rpartition(" ")[2] for part in parts} - lexicon().people_of.keys()
    yield plan.person if any(map(AGENT.match, heads)) else None
    yield from plan.classes(_BEHIND_NOUN.split(base)[0])
    lives = (_LIFE.search(sentence.slice(first, last)) for first, last in header.brackets)
    yield plan.person if any(lives) or _goes_on(sentence, base) else None
    places = ((each.lower, at) for each in sentences[:4] for at in range(len(each)))
    votes = Counter(cube for lower, at in places for _, frames in plan.phrases(lower, at) for cube in frames)
    yield max(plan.cubes, key=lambda cube: votes[cube]) if votes else None


def _goes_on(sentence: Sentence, title: str) -> bool:
    """Whether a section goes on about a person: "He wrote", "Lund left his land" below the title "Ada Lund"."""
    begin, called = sentence.words[0], title.rpartition(" ")[2]
    return begin in ("He", "She") or (begin == called != title and _SEXED.search(sentence.text) is not None)


def _heading_of(section: Section, sentences: list[Sentence], plan: ExtractionPlan) -> str:
    """The heading that names what a section is about: its chapter's, where that says what it names, else the title.

    "Hesk" above "Hesk is a town" in a text about many towns; no "Warranty" above "Warranty is given for a year".
    """
    if len(section.path) < 2:
        return section.title
    header = find_header(sentences, section.path[-1])
    told = (sentences[0].slice(first, last) for first, last in header.phrase.segments)
    begins = header.name[1] > 0 and header.name[0] < 2
    return section.path[-1] if begins and any(map(plan.classes, told)) else section.title


def find_header(sentences: list[Sentence], title: str) -> Header:
    """Find the introduction of ``title``, or, without a title, of whatever the first sentence starts with."""
    base, sentence = split_qualifier(title)[0], sentences[0]
    titled = _title_in(sentence, base) or (0, 0)
    before = sentence.lower[: titled[0]]  # in "Ada Berg was a poet under the pen name NAME"
    byname = before[-1:] in (["name"], ["pseudonym"]) and not _COPULA.isdisjoint(before)
    leading = _leading(sentence, base) if byname or titled[1] == 0 else None
    header, at = Header(leading or titled), 0
    while at < len(sentence) and header.copula < 0:
        behind = skip_brackets(sentence, at)
        header.brackets += [(at + 1, behind - 1)] if behind > at + 2 else []
        called = sentence.word(at + 1) in ("called", "known")  # "X, or Y, as she was called, was a painter"
        if at >= header.name[1] and sentence.lower[at] in _COPULA and not called:
            header.copula = at
        at = max(behind, at + 1)
    if header.copula >= 0 and _introduces(sentence, header):
        header.phrase = type_phrase(sentence, header.copula + 1)
    else:
        header.copula = -1
    header.phrase = _apposed(sentence, *header.name) or header.phrase
    return header


def _title_in(sentence: Sentence, base: str) -> tuple[int, int] | None:
    """The words of the sentence that are the title; case, punctuation and spaces are free."""
    letters = re.compile(r"\W*".join(re.findall(r"\w", base)), re.IGNORECASE)
    for found in letters.finditer(sentence.text, sentence.span.start, sentence.span.end):
        first, last = sentence.index(found.start()), sentence.index(found.end())
        whole = first < last and (sentence.starts[first], sentence.ends[last - 1]) == found.span()
        if whole and (first <= 1 or not sentence.slice(first, last).islower()):  # running words are no name
            return first, last
    return None


def _leading(sentence: Sentence, base: str) -> tuple[int, int] | None:
    """The name that the sentence begins with: the title in another language, or written otherwise."""
    for name in sentence.named()[:1]:
        foreign = not base or "(" in sentence.lower[name.last : name.last + 12]
        alike = not name_words(base).isdisjoint(words(sentence.slice(name.first, name.last)))
        if name.first <= 1 and (foreign or alike):
            return name.first, name.last
    return None


def _apposed(sentence: Sentence, name: int, end: int) -> TypePhrase | None:
    """ "The composer NAME was born", "A landlocked republic in the east, NAME has", "…, NAME, an Orvennan film"."""
    if name > 2 and sentence.word(end) == "," and sentence.word(end + 1) in ("a", "an"):
        return type_phrase(sentence, end + 1)
    phrase = type_phrase(sentence, 0, name) if name > 1 and sentence.lower[0] in ("a", "an", "the") else TypePhrase()
    return phrase if phrase.segments and (phrase.end == name or sentence.lower[0] != "the") else None


def _introduces(sentence: Sentence, header: Header) -> bool:
    """Whether the copula speaks of the name and not, as "the economy of Vell is", of what only belongs to it."""
    first, last = header.name
    if last == 0:
        return header.copula == 1
    mention = sentence.mention_at.get(last - 1)
    before = sentence.word(first - 1 - (sentence.word(first - 1) == "the"))
    return not (mention is not None and mention.possessive) and before not in group("prepositions") - {"as"}


def name_words(name: str) -> frozenset[str]:
    """The words that tell a name from another: articles, prepositions and particles are left out."""
    return frozenset(words(name)) - group("small")


class SectionState:
    """The state of reading one section: its introduction, its subject, the facts so far.

    A section about nothing nameable has its title or heading as its subject's label.
    """

    def __init__(self, section: Section, plan: ExtractionPlan, sentences: list[Sentence]) -> None:
        self.section, self.plan, self.sentences, self.text = section, plan, sentences, section.text
        self.facts: dict[tuple[str, str, str, str, int, int], Fact] = {}
        sentence, title = sentences[0], _heading_of(section, sentences, plan)
        header = find_header(sentences, title)
        first, last = header.name
        span = (sentence.starts[first], sentence.ends[last - 1]) if last else None
        named = self.text[slice(*span)] if span is not None else ""
        label = title or named or next(filter(None, reversed(section.path)), "")
        cube = next(filter(None, _classes(header, sentences, plan, label)), plan.default)
        nouns = [sentence.lower[last - 1] for _, last in header.phrase.segments]
        counts = Counter(map(lexicon().sex_of_word.get, _SEXED.findall(self.text.lower())))
        told = sex_of(nouns) if counts["male"] == counts["female"] else max("male", "female", key=counts.__getitem__)
        sex, names = told if cube == plan.person else None, name_words(label) | name_words(named)
        self.header, self.subject = header, Referent(label, cube, span, True, sex, frozenset(nouns), names)

    def emit(self, who: Referent, entry: CueEntry, start: int, end: int, sentence: Sentence, confidence: float) -> None:
        """Record that the characters ``start`` to ``end`` are the entry's value for ``who``, and the inverse.

        Nothing is its own value; only the subject has other names, by which it is known from there on.
        """
        value = (start, end)
        if entry.cue.kind == "person" and who.cube != self.plan.person:
            value = self._in_full(*value)
        text = self.text[slice(*value)]
        alias = entry.cue.pattern == "alias"
        person = who.cube == self.plan.person  # an album may be called like its band
        if (alias or person) and fold(text) in (fold(who.label), base_key(who.label)):
            return
        if alias and who.main:
            self.relate(who, self.plan.named(who.cube), value, sentence, ALIAS)
            who.names |= name_words(text)
        elif not alias:
            self.relate(who, entry, value, sentence, confidence)
            inverses, span = self.plan.inverses(entry), who.span
            told = [each for each in inverses if each.sex in (None, who.sex)] or inverses
            if told and span is not None and span != value:
                self.relate(Referent(text, told[0].cube), told[0], span, sentence, confidence * 0.9)

    def _in_full(self, start: int, end: int) -> tuple[int, int]:
        """Where a maker who is called by the last name alone was named in full before: "Ada Lind", then "by Lind"."""
        text = self.text[start:end]
        named = (name for sentence in self.sentences if " " not in text for name in sentence.named())
        before = ((name.start, name.end) for name in named if name.start < start and not name.quoted)
        return next((name for name in before if self.text[slice(*name)].endswith(f" {text}")), (start, end))

    def referent(self, mention: NameSpan | None, sentence: Sentence) -> Referent:
        """The thing that a mention names: the subject, else what its last word tells.

        A name in quotation marks is no person's, so nothing is known of it.
        """
        name = self.text[mention.start : mention.end] if mention is not None else ""
        if self.subject.named_by(name):
            return self.subject
        if mention is None or mention.quoted:
            return NOBODY
        lower, span = sentence.lower[mention.first : mention.last], (mention.start, mention.end)
        told = self.plan.nouns.get(lower[-1], ()) if len(lower) > 1 else ()
        cube = told[0] if told else self.plan.person or self.plan.default  # "Pellam Bridge"
        return Referent(name, cube, span, sex=sex_of(lower[:2]))

    def relate(self, who: Referent, entry: CueEntry, span: tuple[int, int], sentence: Sentence, sure: float) -> None:
        """Record a fact; where it is known already, the surer one stays."""
        dimension, relation = entry.dimension.id, entry.cue.relation
        key = (entry.cube, dimension, who.label, relation, *span)
        known = self.facts.get(key)
        if known is None or known.confidence < sure:
            self.facts[key] = Fact(
                self.section.id, entry.cube, dimension, who.label, relation, self.text[slice(*span)], entry.cue.kind,
                Span(*span), sentence.span, round(sure, 3), VERSION,
            )  # fmt: skip
