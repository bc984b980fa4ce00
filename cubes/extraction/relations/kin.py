"""Kinship: who is whose father, spouse or child, in whichever direction the sentence puts it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from ...core.folding import base_key, fold
from ..plan import CueEntry
from ..section_state import CUE, STRUCTURE, Referent, SectionState, sex_of
from ..words.lexicon import KinNoun, lexicon
from ..words.values import ValueSpan, closes, is_verb, names_after, skip_brackets
from ..words.words import NameSpan, Sentence
from .clauses import Clauses

__all__ = ["read_kin"]

_OWN = frozenset({"his", "her", "their", "whose", "its"})
_MARKS = frozenset({"'s", "’s", "s", "'", "’"})
_MARRYING = frozenset({"married", "wed", "marrying", "remarried", "divorced", "weds", "marries"})
_JOINING = frozenset({"and", "&", "by", "with", "his", "her"})
_STEPS = frozenset({"half", "step", "grand", "great", "ex"})
_FEMALE = ("a", "ette", "elle", "ine", "lyn")  # how most women's given names of Europe end
_NUMBERED = re.compile(r"(?:\d+|(?:twen|thir|for)ty-\w+)(?:st|nd|rd|th)$")
_ORDINAL = re.compile(r"[IVX]+\.?")


@lru_cache(maxsize=1)
def _telling() -> frozenset[str]:
    """Every word that a statement of kinship may turn on."""
    nouns = lexicon().kin_words
    return nouns | {f"{noun}{mark}s" for noun in nouns for mark in "'’"} | _MARRYING | {"marriage", "born"}


@dataclass(frozen=True, slots=True)
class _Noun:
    """A kinship noun at words ``first`` to ``last``: what its bearer's counterpart is, and the bearer's sex."""

    relation: str
    sex: str | None
    plural: bool
    first: int
    last: int


class _Facts:
    """Turns persons and relations into facts, each with its converse."""

    def __init__(self, state: SectionState, sentence: Sentence, clauses: Clauses) -> None:
        self.state, self.sentence, self.clauses = state, sentence, clauses
        self.word = sentence.word
        self.cube = state.plan.person or ""
        self.nouns, self.plurals = lexicon().kin["nouns"], lexicon().kin["plurals"]

    def _relate(
        self, holder: Referent | None, relation: str, value: ValueSpan, sex: str | None = None,
        bearer: str | None = None
    ) -> None:
        """``value`` is ``holder``'s ``relation``, and the converse holds; ``sex`` is the holder's where it is told."""
        other = self._other(holder, value) if holder is not None and holder.cube == self.cube else None
        if other is None or holder is None:
            return
        self._emit(holder, self._word_for(relation, bearer or other.sex), value, STRUCTURE - 0.05)
        converse = lexicon().kin["converse"].get(relation, "relative")
        self._converse(holder, self._word_for(converse, sex or holder.sex), value)

    def _word_for(self, relation: str, sex: str | None) -> str:
        sexed = lexicon().kin["sexed"].get(relation)
        return relation if sexed is None else str(sexed.get(sex, "father" if relation == "parent" else relation))

    def _parents(self, holder: Referent, values: list[ValueSpan], index: int) -> None:
        """Father and mother in the order of convention unless names, titles or "his wife" tell otherwise."""
        lower = self.sentence.lower
        joined = [v for before, v in pairwise(values) if not _JOINING.isdisjoint(lower[before.last : v.first])]
        values = [*values[:1], *joined[:1]]  # not "the son of A, B's first cousin"
        for value, sex in zip(values, self._sexes(values, index), strict=True):
            if self._other(holder, value) is not None:
                self._emit(holder, "father" if sex == "male" else "mother", value, STRUCTURE)
            self._converse(holder, "child", value)
        if len(values) == 2 and {"wife", "husband", "consort"}.intersection(lower[values[0].last : values[1].first]):
            first = self._as_referent(values[0])
            self._emit(first, "spouse", values[1], CUE)
            self._converse(first, "spouse", values[1])

    def _sexes(self, values: list[ValueSpan], index: int) -> list[str]:
        """Which of one or two parents is the father: as told, else the one that the other is not, else the first."""
        told = [self._sex(value, index if not n else value.first - 5) for n, value in enumerate(values)]
        sounds = [self.sentence.lower[value.first].endswith(_FEMALE) for value in values]
        if told == [None, "male"] or told[:1] == ["female"] or (told == [None, None] and sounds == [True, False]):
            return ["female", "male"][: len(told)]
        return ["male", "female"][: len(told)]

    def _sex(self, value: ValueSpan, start: int) -> str | None:
        """By name or title, else by the words that describe the person ("his wife", "the actress")."""
        told = sex_of(self.state.text[value.start : value.end])
        table = lexicon().sex_of_word
        end = value.first - (self.word(value.first - 1) == ",")
        for word in () if told else reversed(self.sentence.lower[max(0, start) : end]):
            if word in table and word not in ("his", "her", "he", "she", "him"):
                return table[word]
            if word in (",", "and"):
                break
        return told

    def _other(self, holder: Referent, value: ValueSpan) -> Referent | None:
        """The relative that ``value`` names: nobody is his own, but "Ada Lind Jr." may be a child of "Ada Lind"."""
        other, label = self._as_referent(value), self.state.text[value.start : value.end]
        if other.label != holder.label:
            return other
        span = holder.span
        own = {fold(holder.label), base_key(holder.label), fold(self.state.text[span[0] : span[1]]) if span else ""}
        if not holder.main or " " not in label or fold(label) in own:
            return None
        return Referent(label, self.cube, (value.start, value.end), sex=sex_of(label))

    def _as_referent(self, value: ValueSpan) -> Referent:
        if self.state.is_subject(self.sentence.mention_at[value.first]):
            return self.state.subject
        label = self.state.text[value.start : value.end]
        return Referent(label, self.cube, (value.start, value.end), sex=sex_of(label))

    def _entry(self, relation: str) -> CueEntry | None:
        found = self.state.plan.relation(self.cube, relation)
        return found or next(iter(self.state.plan.pattern(self.cube, "kin")), None)

    def _emit(self, holder: Referent, relation: str, value: ValueSpan, confidence: float) -> None:
        self._add(holder, relation, (value.start, value.end), confidence)

    def _converse(self, holder: Referent, relation: str, value: ValueSpan) -> None:
        """The same relation from the value's side, where the section names the holder."""
        span, other = self.state.place_of(holder, self.sentence), self._other(holder, value)
        if span is not None and other is not None:
            self._add(other, relation, span, STRUCTURE - 0.1)

    def _add(self, who: Referent, relation: str, span: tuple[int, int], confidence: float) -> None:
        entry = self._entry(relation)
        if entry is not None:
            place = entry.cube, entry.dimension.id
            self.state.relate(who, *place, relation, span, "person", self.sentence, confidence)


class _People(_Facts):
    """Finds the persons that a statement is about: its owner, and whom it names."""

    def _before_modifiers(self, at: int) -> int:
        """The word in front of "the fourth son", "his late first wife", "the fifth and youngest daughter"."""
        at -= 1
        modifiers, people = lexicon().kin_modifiers, lexicon().people_of
        while at >= 0:
            word = self.sentence.lower[at]
            joins = word == "and" and (self.word(at - 1) in modifiers or _NUMBERED.match(self.word(at - 1)))
            told = word in modifiers or word in people or word == "-" or word.isdigit() or _NUMBERED.match(word)
            if not (joins or told or word.endswith(("-born", "-old", "year", "teenth", "tieth"))):
                break
            at -= 1
        return at

    def _owner(self, before: int) -> Referent | None:
        """Whose relative "his", "her" or "whose" at ``before`` speaks of."""
        word, subject = self.word(before), self.state.subject
        if any(first <= before < last and zone is None for first, last, zone in self.clauses.zones):
            return None
        couple = self.sentence.mention_at.get(before - 2) if self.word(before - 1) == "and" else None
        if couple is not None and self.word(before + 1) in ("husband", "wife"):
            realm = self.word(couple.first - 1) == "of"  # of "Otto of Vell and his wife"
            return None if realm else self.state.referent(couple)
        current = self.clauses.at(before)
        if word == "whose" or word not in ("his", "her") or subject.cube != self.cube:
            return current if word == "whose" or (current is not None and current.cube == self.cube) else None
        sex = "male" if word == "his" else "female"
        if current is not None and not current.main:
            named_behind = current.span is not None and current.span[0] > self.sentence.starts[before]
            fits = current.sex == sex or (current.sex is None and subject.sex not in (None, sex))
            if fits and not named_behind:
                return current
        return subject if subject.sex in (None, sex) else None

    def _possessor(self, before: int) -> Referent | None:
        at = before
        while at >= 0 and self.word(at) in _MARKS:
            at -= 1
        mention = self.sentence.mention_at.get(at)
        return self.state.referent(mention) if mention is not None else None

    def _people(self, index: int, *, many: bool, couple: bool = True) -> list[ValueSpan]:
        """Persons at ``index``; "and his wife B", "by his first wife, B" and "and of B" continue a couple's list."""
        named = names_after(self.sentence, index, "person", many=many)
        values = [self._with_peerage(value) for value in named if not self._qualifies(value)]
        if not values or not many or len(values) > 1:
            return values
        at = self._skip_title(skip_brackets(self.sentence, values[0].last))
        at += self.word(at) == ","
        step = self._second_parent(at) if couple or self.word(at + 1) == "of" else 0
        more = names_after(self.sentence, step, "person", many=False) if step else []
        if more and more[0].first - step <= 4 and not is_verb(self.sentence, more[0].last):
            values = [*values, more[0]]
        return values

    def _with_peerage(self, value: ValueSpan) -> ValueSpan:
        """ "Karl Lind, 1st Baron Carse", "Otmar II, Duke of Carse": a title tells bearers of one name apart.

        It belongs to a name where it is numbered, and where the name has but one word.
        """
        at = value.last + 1
        numbered = _NUMBERED.match(self.word(at)) is not None
        titled = self.sentence.mention_at.get(at) or (self.sentence.mention_at.get(at + 1) if numbered else None)
        if self.word(value.last) != "," or titled is None or not (numbered or self._is_bare(value)):
            return value
        if lexicon().titles.isdisjoint(self.sentence.lower[at : at + 2 if numbered else titled.last]):
            return value
        return ValueSpan(value.start, titled.end, value.first, titled.last)

    def _is_bare(self, value: ValueSpan) -> bool:
        """Whether a name is one word, with its number: "Otmar II"."""
        rest = self.sentence.text[value.start : value.end].split()[1:]
        return not rest or (len(rest) == 1 and _ORDINAL.fullmatch(rest[0]) is not None)

    def _second_parent(self, at: int) -> int:
        """Where the other parent's name may stand, behind "and", "and of" or "by his first wife"; else 0."""
        if self.word(at) not in ("and", "by", "&", "with"):
            return 0
        if self.word(at + 1) == "of":
            return at + 2
        if self.word(at + 1) not in ("his", "her", "the"):
            return at + 1 if self.word(at) != "with" and self.word(at + 1) not in self.nouns else 0
        step = at + 2
        while self.word(step) in lexicon().group("second_parent"):
            step += 1
        told = {"wife", "husband", "consort", "partner", "mistress", "marriage", "queen"}
        return step if told.intersection(self.sentence.lower[at:step]) or self.word(at + 1) == "the" else 0

    def _qualifies(self, value: ValueSpan) -> bool:
        """ "the father of Telugu theatre": a name before a plain noun is no relative, but in "his father X's death"."""
        following = self.word(value.last)
        if self.sentence.mention_at[value.first].possessive and following in lexicon().group("of_a_life"):
            return False
        plain = following.isalpha() and self.sentence.words[value.last].islower() and following not in self.nouns
        return plain and not closes(self.sentence, value.last)

    def _skip_title(self, at: int) -> int:
        """Step over ", German Emperor" or ", Duke of Carse" behind a name."""
        mention = self.sentence.mention_at.get(at + 1) if self.word(at) == "," else None
        told = lexicon().titles | lexicon().courtesy
        titled = mention is not None and not told.isdisjoint(self.sentence.lower[mention.first : mention.last])
        return mention.last if mention is not None and titled else at


class _KinReader(_People):
    """Walks over a sentence and reads every statement of kinship."""

    def read(self) -> None:
        last, told = 0, _telling()
        for at, word in enumerate(self.sentence.lower):
            if at >= last and word in told:
                last = self._read_at(at, word)

    def _read_at(self, at: int, word: str) -> int:
        """Read the word of kinship at ``at``; return where to go on."""
        noun = self._noun(at)
        if noun is not None:
            self._read_noun(noun)
            return noun.last
        if at in self.sentence.mention_at and self.sentence.words[at][0].isupper():
            return at + 1
        if word in _MARRYING:
            self._married(at)
        elif word == "marriage":
            step = at + 2 * (self.word(at + 1) == "in" and at + 2 in self.sentence.dates)
            before = self._before_modifiers(at)
            owner = self._owner(before) if self.word(before) in _OWN else self._possessor(before)
            for value in self._people(step + 2, many=False)[:1] if self.word(step + 1) in ("to", "with") else ():
                self._relate(owner or self.clauses.at(at), "spouse", value)
        elif word == "born":
            self._born_to(at)
        return at + 1

    def _noun(self, at: int) -> _Noun | None:
        """The kinship noun at ``at``, with "half- sister", "brother in law" and "step -father" put together."""
        lower, first, last = self.sentence.lower, at, at + 1
        mention = self.sentence.mention_at.get(at)
        if mention is not None and (mention.quoted or mention.known or mention.first < at):
            return None
        if mention is not None and self.sentence.words[at][0].isupper() and self.word(at + 1) != "of":
            return None
        word = lower[at].removesuffix("'s").removesuffix("’s")
        singular = word if word in self.nouns else self.plurals.get(word)
        if singular is None:
            return None
        if self.word(at - 1) == "-" and self.word(at - 2) in _STEPS:
            singular, first = f"{self.word(at - 2)}-{singular}", at - 2
        elif self.word(at - 1) in ("half", "step", "grand"):
            singular, first = f"{self.word(at - 1)}-{singular}", at - 1
        for law in (["in", "law"], ["-", "in", "-", "law"]):
            if lower[last : last + len(law)] == law:
                singular, last = f"{singular}-in-law", last + len(law)
        entry = self.nouns.get(singular) or self.nouns.get(singular.replace("-", "")) or KinNoun("relative")
        return _Noun(entry.relation, entry.sex, word in self.plurals, first, last)

    def _read_noun(self, noun: _Noun) -> None:
        before = self._before_modifiers(noun.first)
        if self.word(noun.last) == "," and self.word(noun.last + 1) == "of":  # "later the wife, of X"
            noun = replace(noun, last=noun.last + 1)
        if self.word(noun.last) == "and" and self.word(noun.last + 2) == "of":  # "the son and heir of X"
            noun = replace(noun, last=noun.last + 2)
        named = self.sentence.mention_at.get(before)
        if self.word(noun.last) == "of" or (self.word(noun.last) == "to" and noun.relation != "spouse"):
            if self.word(before) not in _OWN:
                self._noun_of(noun, before)
        elif self.word(before) in _OWN:
            self._owned(noun, self._owner(before))
        elif (named is not None and named.possessive) or self.word(before) in _MARKS:
            self._owned(noun, self._possessor(before))
        else:
            self._listed(noun, before)

    def _noun_of(self, noun: _Noun, before: int) -> None:
        """ "the son of A and B", "X, wife of Y"."""
        holder, index = self._bearer(before, noun), noun.last + 1
        many = noun.relation != "spouse" or noun.plural
        found = self._people(index, many=many, couple=noun.relation == "parent")
        realm = self.word(noun.last - 1) == "consort" and index in self.sentence.mention_at
        realm = realm and lexicon().titles.isdisjoint(self.sentence.lower[index : index + 1])
        if holder is None or not found or (realm and self.word(noun.first - 1) in lexicon().titles):
            return
        self.clauses.zones.append((index, found[-1].last, None))
        if noun.relation == "parent":
            self._parents(holder, found, index)
            return
        for value in found if noun.relation in ("child", "sibling", "relative", "grandchild") else found[:1]:
            self._relate(holder, noun.relation, value, noun.sex)

    def _bearer(self, before: int, noun: _Noun) -> Referent | None:
        """Who bears the noun: the clause's subject behind "was the" or in apposition, else the name just before."""
        sentence, at, linking = self.sentence, before, lexicon().group("linking")
        named = sentence.mention_at.get(at)
        if named is not None and at == noun.first - 1 and at > named.first and not named.possessive:
            return self.state.referent(named)  # "X daughter of Y"
        definite = self.word(at) == "the"
        while self.word(at) in lexicon().group("before_kin"):
            if self.word(at) in ("and", "being", "as"):  # "…, and the wife of X" goes on about the same person
                return self.clauses.at(before)
            at -= 1
        if self.word(at) in linking or at < 0:
            return self.clauses.at(at if at >= 0 else min(len(sentence) - 1, before + 2))
        if self.word(at) in (",", "("):
            at -= 1
            if self.word(at) == ")":
                at = max((i for i in range(at) if sentence.lower[i] == "("), default=0) - 1
            mention = sentence.mention_at.get(at)
            if mention is not None and not mention.possessive:
                return self._apposed(mention, before, noun, definite=definite)
        return self.clauses.at(max(before, 0))

    def _apposed(self, mention: NameSpan, before: int, noun: _Noun, *, definite: bool) -> Referent | None:
        """ "X, son of Y": X unless X is a place or closes the main clause ("born in Rome, the son of Y")."""
        other = self.state.referent(mention)
        words, previous = self.sentence.lower[mention.first : mention.last], self.word(mention.first - 1)
        if other.main:
            return other
        if previous == "of" and self._noun(mention.first - 2) is not None:
            unfit = definite or noun.sex not in (None, other.sex or noun.sex)
            return self.clauses.at(before) if unfit else other
        realm = not lexicon().group("realms").isdisjoint(words)
        placed = previous in ("in", "at", "near", "from", ",", "of", "and")
        titled = words[0] in lexicon().titles and words[1:2] == ["of"]
        return self.clauses.at(before) if realm or placed or titled else other

    def _owned(self, noun: _Noun, owner: Referent | None) -> None:
        """The noun's bearer is the name behind it: "her brother, X", "his parents were A and B"."""
        at, linked, linking = noun.last, False, lexicon().group("linking")
        at += self.word(at) in (",", ":", "(", "-")
        while self.word(at) in linking or self.word(at) in ("to", "the", "then", "called", "also", "with", "by"):
            linked = linked or self.word(at) in linking
            at += 1
        values = self._people(at, many=noun.plural or noun.relation == "parent")
        if owner is None or owner.cube != self.cube or not values:
            return
        between = self.sentence.lower[at : values[0].first]  # only a description ("his wife, the actress X")
        if not linked and (len(between) > 6 or not {"and", ",", "on", "was"}.isdisjoint(between)):
            return
        values = values if noun.plural else values[:1]
        if noun.relation == "child":
            self._own_parents(owner, noun, values)
            return
        relation = lexicon().kin["converse"].get(noun.relation, "relative")
        for value in values:
            self._relate(owner, relation, value, owner.sex, noun.sex)

    def _own_parents(self, owner: Referent, noun: _Noun, values: list[ValueSpan]) -> None:
        sexes = self._sexes(values[:2], values[0].first) if noun.sex is None else [noun.sex]
        for value, sex in zip(values, sexes, strict=False):
            self._emit(owner, "father" if sex == "male" else "mother", value, STRUCTURE - 0.05)
            self._converse(owner, "child", value)

    def _listed(self, noun: _Noun, before: int) -> None:
        """ "had two sons, A and B", "with husband X"."""
        holder, at = self.clauses.at(noun.first), noun.last
        if noun.relation == "spouse" and self.word(before) in ("with", "by"):
            for value in self._people(at, many=False)[:1]:
                if value.first - at <= 1:
                    self._relate(holder, "spouse", value)
        window = self.sentence.lower[max(0, before - 5) : before + 1]
        having = {"has", "had", "have", "having", "bore"}.intersection(window)
        if self.word(at) in ("with", "by"):  # "had two children by her, A and B"
            other = self._people(at + 1, many=False)
            at = other[0].last if other else at + 2 * (self.word(at + 1) in ("him", "her", "them"))
        if noun.relation != "parent" or not having or self.word(at) not in (":", ",", "-", "–", "named", "including"):
            return
        while self.word(at) in (":", ",", "-", "–", "named", "including", "both"):
            at += 1
        for value in self._people(at, many=True):
            self._relate(holder, "child", value)

    def _married(self, at: int) -> None:
        """ "he married the actress X", "was married in 1920 to X", "who married in 1045 X"."""
        index = at + 1
        while self.word(index) in lexicon().group("behind_marrying") or index in self.sentence.dates:
            index += 1
        index = skip_brackets(self.sentence, index) if self.word(index) == "(" else index
        for value in self._people(index, many=False)[:1]:
            self._relate(self.clauses.at(at), "spouse", value)
        step = at - 1 - (self.word(at - 1) in ("later", "then", "eventually", "subsequently", "soon"))
        named = self.sentence.mention_at.get(step - 2 - (self.word(step - 2) == ","))
        if self.word(step) in ("he", "she") and self.word(step - 1) == "whom" and named is not None:
            self._relate(self.state.subject, "spouse", ValueSpan(named.start, named.end, named.first, named.last))

    def _born_to(self, at: int) -> None:
        """ "was born in X to A and B", "born to A"."""
        holder, sentence = self.clauses.at(at), self.sentence
        ending = frozenset({"and", "but", ";", "who", "as", "he", "she"})
        for index in range(at + 1, min(at + 18, len(sentence))):
            if sentence.lower[index] in ending or is_verb(sentence, index):
                return
            if sentence.lower[index] == "to":
                values = self._people(index + 1, many=True)
                between = sentence.lower[index + 1 : values[0].first] if values else []
                if values and holder is not None and holder.cube == self.cube and not {"family"}.intersection(between):
                    self._parents(holder, values, index + 1)
                return


def read_kin(state: SectionState, sentence: Sentence, clauses: Clauses) -> None:
    """Read every statement of kinship in a sentence; does nothing for an ontology without kinship."""
    person = state.plan.person
    if person is not None and not _telling().isdisjoint(sentence.lower) and state.plan.pattern(person, "kin"):
        _KinReader(state, sentence, clauses).read()
