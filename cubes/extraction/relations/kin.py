"""Kinship: who is whose father, spouse or child, in whichever direction the sentence puts it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from ...core.folding import base_key, fold
from ..section_state import STRUCTURE, Referent, SectionState, sex_of
from ..words.lexicon import KinNoun, group, lexicon
from ..words.values import ValueSpan, closes, is_verb, names_after, skip_brackets
from ..words.words import NameSpan, Sentence
from .clauses import Clauses

__all__ = ["read_kin"]

_OWN = frozenset({"his", "her", "their", "whose", "its"})
_MARKS = frozenset({"'s", "’s", "s", "'", "’"})
_MARRYING = frozenset({"married", "wed", "marrying", "remarried", "divorced", "weds", "marries"})
_JOINING = frozenset({"and", "&", "by", "with", "his", "her"})
_PARTNERS = frozenset({"wife", "husband", "consort", "partner", "mistress", "marriage", "queen"})
_LISTING = frozenset({":", ",", "-", "–", "named", "including", "both"})
_SHARED = frozenset({"child", "sibling", "relative", "grandchild"})  # relations that one may bear to several
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
        self.word, self.cube = sentence.word, state.plan.person or ""

    def _relate(
        self, holder: Referent | None, relation: str, value: ValueSpan, sex: str | None = None,
        bearer: str | None = None
    ) -> None:  # fmt: skip
        """``value`` is ``holder``'s ``relation``, and the converse holds; ``sex`` is the holder's where it is told."""
        other = self._other(holder, value) if holder is not None and holder.cube == self.cube else None
        if other is None or holder is None:
            return
        self._add(holder, _worded(relation, bearer or other.sex), (value.start, value.end), STRUCTURE - 0.05)
        converse = lexicon().kin["converse"].get(relation, "relative")
        span = self.state.place_of(holder, self.sentence)
        if span is not None:
            self._add(other, _worded(converse, sex or holder.sex), span, STRUCTURE - 0.1)

    def _parents(self, holder: Referent, values: list[ValueSpan], index: int) -> None:
        """Father and mother in the order of convention unless names, titles or "his wife" tell otherwise."""
        lower = self.sentence.lower
        joined = [v for before, v in pairwise(values) if not _JOINING.isdisjoint(lower[before.last : v.first])]
        values = [*values[:1], *joined[:1]]  # not "the son of A, B's first cousin"
        for value, sex in zip(values, self._sexes(values, index), strict=True):
            self._relate(holder, "parent", value, bearer=sex)
        if len(values) == 2 and _PARTNERS.intersection(lower[values[0].last : values[1].first]) - {"mistress"}:
            self._relate(self._named(values[0]), "spouse", values[1])

    def _sexes(self, values: list[ValueSpan], index: int) -> list[str]:
        """Which of one or two parents is the father: as told, else the one that the other is not, else the first."""
        told = [self._sex(value, index if not n else value.first - 5) for n, value in enumerate(values)]
        sounds = [self.sentence.lower[value.first].endswith(_FEMALE) for value in values]
        if told == [None, "male"] or told[:1] == ["female"] or (told == [None, None] and sounds == [True, False]):
            return ["female", "male"][: len(told)]
        return ["male", "female"][: len(told)]

    def _sex(self, value: ValueSpan, start: int) -> str | None:
        """By name or title, else by the words that describe the person ("his wife", "the actress")."""
        told, table = sex_of(self.state.text[value.start : value.end]), lexicon().sex_of_word
        end = value.first - (self.word(value.first - 1) == ",")
        for word in () if told else reversed(self.sentence.lower[max(0, start) : end]):
            if word in ("and", ","):
                break
            told = told or (table.get(word) if word not in _OWN else None)
        return told

    def _other(self, holder: Referent, value: ValueSpan) -> Referent | None:
        """The relative that ``value`` names: nobody is his own, but "Ada Lind Jr." may be a child of "Ada Lind"."""
        other, label = self._named(value), self.state.text[value.start : value.end]
        if other.label != holder.label:
            return other
        own = {fold(holder.label), base_key(holder.label), fold(self.state.text[slice(*(holder.span or (0, 0)))])}
        if not holder.main or " " not in label or fold(label) in own:
            return None
        return Referent(label, self.cube, (value.start, value.end), sex=sex_of(label))

    def _named(self, value: ValueSpan) -> Referent:
        label = self.state.text[value.start : value.end]
        if self.state.is_subject(self.sentence.mention_at[value.first]):
            return self.state.subject
        return Referent(label, self.cube, (value.start, value.end), sex=sex_of(label))

    def _add(self, who: Referent, relation: str, span: tuple[int, int], confidence: float) -> None:
        kin = self.state.plan.pattern(self.cube, "kin")
        for entry in [self.state.plan.relation(self.cube, relation) or kin[0]]:
            place = entry.cube, entry.dimension.id
            self.state.relate(who, *place, relation, span, "person", self.sentence, confidence)


def _worded(relation: str, sex: str | None) -> str:
    """The word that the ontology or a reader uses for a relation to somebody of this sex."""
    sexed = lexicon().kin["sexed"].get(relation)
    return relation if sexed is None else str(sexed.get(sex, "father" if relation == "parent" else relation))


class _KinReader(_Facts):
    """Walks over a sentence and reads every statement of kinship."""

    def read(self) -> None:
        last = 0
        for at, word in enumerate(self.sentence.lower):
            if at < last or word not in _telling():
                continue
            noun = self._noun(at)
            if noun is not None:
                self._read_noun(noun)
                last = noun.last
            elif at in self.sentence.mention_at:
                continue
            elif word in _MARRYING:
                self._married(at)
            elif word == "marriage":
                self._marriage(at)
            elif word == "born":
                self._born_to(at)

    def _noun(self, at: int) -> _Noun | None:
        """The kinship noun at ``at``, with "half- sister" and "brother in law" put together."""
        lower, first, last = self.sentence.lower, at, at + 1
        mention = self.sentence.mention_at.get(at)
        if mention is not None and (mention.quoted or mention.first < at or self.word(at + 1) != "of"):
            return None
        word, nouns = lower[at].removesuffix("'s").removesuffix("’s"), lexicon().kin["nouns"]
        singular = word if word in nouns else lexicon().kin["plurals"].get(word)
        if singular is None:
            return None
        if self.word(at - 1) == "-":
            singular, first = f"{self.word(at - 2)}-{singular}", at - 2
        for law in (["in", "law"], ["-", "in", "-", "law"], ["-", "in-law"], ["-in", "-", "law"]):
            if lower[last : last + len(law)] == law:
                singular, last = f"{singular}-in-law", last + len(law)
        entry = nouns.get(singular) or KinNoun("relative")
        return _Noun(entry.relation, entry.sex, word not in nouns, first, last)

    def _read_noun(self, noun: _Noun) -> None:
        before = self._before_modifiers(noun.first)
        if self.word(noun.last) == "and" and self.word(noun.last + 2) == "of":  # "the son and heir of X"
            noun = replace(noun, last=noun.last + 2)
        named, own = self.sentence.mention_at.get(before), self.word(before) in _OWN
        if not own and (self.word(noun.last) == "of" or (self.word(noun.last) == "to" and noun.relation != "spouse")):
            self._noun_of(noun, before)
        elif own:
            self._owned(noun, self._owner(before))
        elif (named is not None and named.possessive) or self.word(before) in _MARKS:
            self._owned(noun, self._possessor(before))
        else:
            self._listed(noun, before)

    def _before_modifiers(self, at: int) -> int:
        """The word in front of "the fourth son", "his late first wife", "the fifth and youngest daughter"."""
        modifiers = group("kin_modifiers")
        at -= 1
        while at >= 0:
            word = self.word(at)
            joins = word == "and" and self.word(at - 1) in modifiers
            told = word in modifiers or word in lexicon().people_of or word in ("-", "legitimised", "bastard")
            if not (joins or told or word[0].isdigit() or word.endswith(("-born", "-old", "teenth", "tieth"))):
                break
            at -= 1
        return at

    def _owner(self, before: int) -> Referent | None:
        """Whose relative "his", "her" or "whose" at ``before`` speaks of."""
        word, subject, current = self.word(before), self.state.subject, self.clauses.at(before)
        couple = self.sentence.mention_at.get(before - 2) if self.word(before - 1) == "and" else None
        if self.clauses.foreign(before):
            return None
        if couple is not None and self.word(before + 1) in ("husband", "wife"):
            return self.state.referent(couple)
        if word not in ("his", "her") or subject.cube != self.cube:
            return current
        sex = "male" if word == "his" else "female"
        if current is not None and not current.main and sex in (current.sex, None if subject.sex == sex else sex):
            fits = current.sex == sex or (current.sex is None and subject.sex not in (None, sex))
            if fits:
                return current
        return subject if subject.sex in (None, sex) else None

    def _possessor(self, before: int) -> Referent | None:
        while self.word(before) in _MARKS:
            before -= 1
        mention = self.sentence.mention_at.get(before)
        return self.state.referent(mention) if mention is not None else None

    def _people(self, index: int, *, many: bool, couple: bool = False) -> list[ValueSpan]:
        """Persons at ``index``; "and his wife B", "by his first wife, B" and "and of B" continue a couple's list."""
        named = names_after(self.sentence, index, "person", many=many)
        values = [self._with_peerage(value) for value in named if not self._qualifies(value)]
        at = skip_brackets(self.sentence, values[0].last) if values else 0
        at += self.word(at) == ","
        if len(values) != 1 or not (couple or (many and self.word(at + 1) == "of")):
            return values
        step = self._second_parent(at)
        more = names_after(self.sentence, step, "person", many=False) if step else []
        return [*values, *more[:1]] if more and more[0].first - step <= 4 else values

    def _with_peerage(self, value: ValueSpan) -> ValueSpan:
        """ "Karl Lind, 1st Baron Carse", "Otmar II, Duke of Carse": a title tells bearers of one name apart.

        It belongs to a name where it is numbered, and where the name has but one word.
        """
        at, rest = value.last + 1, self.sentence.text[value.start : value.end].split()[1:]
        numbered = _NUMBERED.match(self.word(at)) is not None
        titled = self.sentence.mention_at.get(at + numbered)
        single = not rest or (len(rest) == 1 and _ORDINAL.fullmatch(rest[0]) is not None)
        if self.word(value.last) != "," or titled is None or not (numbered or single):
            return value
        if lexicon().titles.isdisjoint(self.sentence.lower[titled.first : titled.last]):
            return value
        return ValueSpan(value.start, titled.end, value.first, titled.last)

    def _second_parent(self, at: int) -> int:
        """Where the other parent's name may stand, behind "and", "and of" or "by his first wife"; else 0."""
        if self.word(at) not in ("and", "by", "&", "with"):
            return 0
        if self.word(at + 1) == "of":
            return at + 2
        if self.word(at + 1) not in ("his", "her", "the"):
            return at + 1 if self.word(at) != "with" and self.word(at + 1) not in lexicon().kin_words else 0
        step = at + 2
        while self.word(step) in group("second_parent"):
            step += 1
        return step if _PARTNERS.intersection(self.sentence.lower[at:step]) else 0

    def _qualifies(self, value: ValueSpan) -> bool:
        """ "the father of Telugu theatre": a name before a plain noun is no relative."""
        following = self.word(value.last)
        plain = following.isalpha() and self.sentence.words[value.last].islower()
        plain = plain and following not in lexicon().kin_words and not self.sentence.mention_at[value.first].possessive
        return plain and not closes(self.sentence, value.last)

    def _noun_of(self, noun: _Noun, before: int) -> None:
        """ "the son of A and B", "X, wife of Y"."""
        holder, index = self._bearer(before, noun), noun.last + 1
        found = self._people(index, many=noun.relation != "spouse" or noun.plural, couple=noun.relation == "parent")
        queen = self.word(noun.last - 1) == "consort" and self.word(noun.first - 1) in lexicon().titles
        realm = queen and self.sentence.lower[found[0].first if found else 0] not in lexicon().titles
        if holder is None or not found or holder.cube != self.cube or realm:  # "queen consort of Vell"
            return
        self.clauses.zones.append((index, found[-1].last, None))
        if noun.relation == "parent":
            self._parents(holder, found, index)
        for value in found if noun.relation in _SHARED else found[:1] if noun.relation != "parent" else ():
            self._relate(holder, noun.relation, value, noun.sex)

    def _bearer(self, before: int, noun: _Noun) -> Referent | None:
        """Who bears the noun: the clause's subject behind "was the" or in apposition, else the name just before."""
        at, definite = before, self.word(before) == "the"
        named = self.sentence.mention_at.get(at)
        if named is not None and at == noun.first - 1 and not named.possessive:
            return self.state.referent(named)  # "X daughter of Y"
        while self.word(at) in group("before_kin"):
            if self.word(at) in ("and", "being", "as"):  # "…, and the wife of X" goes on about the same person
                return self.clauses.at(before)
            at -= 1
        if at < 0:
            return self.clauses.at(noun.last)
        bracketed = self.word(at) == "("
        if self.word(at) not in (",", "("):
            return self.clauses.at(at)
        at -= 1
        if self.word(at) == ")":
            at = max((i for i in range(at) if self.word(i) == "("), default=0) - 1
        mention = self.sentence.mention_at.get(at)
        if mention is None or mention.possessive:
            return self.clauses.at(max(before, 0))
        return self.state.referent(mention) if bracketed else self._apposed(mention, before, definite=definite)

    def _apposed(self, mention: NameSpan, before: int, *, definite: bool) -> Referent | None:
        """ "X, son of Y": X unless X is a place or closes the main clause ("born in Rome, the son of Y")."""
        previous = self.word(mention.first - 1)
        if self.sentence.lower[mention.first] in lexicon().titles and self.word(mention.first + 1) == "of":
            bearer = self.sentence.mention_at.get(mention.first - 2 - (previous != ","))  # "X, 2nd Earl of Y, son of Z"
            return self.state.referent(bearer) if bearer is not None else self.clauses.at(before)
        related = previous == "of" and self._noun(mention.first - 2) is not None
        # "the son of A and B, daughter of C": the daughter is B
        related = not definite and (related or self.clauses.foreign(mention.first))
        placed = previous in ("in", "at", "near", "from", ",", "of", "and") and not related
        placed = placed and not self.state.is_subject(mention)
        return self.clauses.at(before) if placed else self.state.referent(mention)

    def _owned(self, noun: _Noun, owner: Referent | None) -> None:
        """The noun's bearer is the name behind it: "her brother, X", "his parents were A and B"."""
        at, linked, linking = noun.last, False, group("linking")
        at += self.word(at) in (",", ":", "(", "-")
        while self.word(at) in linking or self.word(at) in ("to", "the", "then", "called", "also", "with", "by"):
            linked = linked or self.word(at) in linking
            at += 1
        values = self._people(at, many=noun.plural or noun.relation == "parent")
        if owner is None or owner.cube != self.cube or not values:
            return
        between = self.sentence.lower[at : values[0].first]  # only a description ("his wife, the actress X")
        if not linked and not {"and", ",", "on", "was"}.isdisjoint(between):
            return
        values = values if noun.plural else values[:1]
        sexes = self._sexes(values[:2], values[0].first) if noun.relation == "child" and noun.sex is None else []
        relation = lexicon().kin["converse"].get(noun.relation, "relative")
        for number, value in enumerate(values):
            self._relate(owner, relation, value, owner.sex, sexes[number] if number < len(sexes) else noun.sex)

    def _listed(self, noun: _Noun, before: int) -> None:
        """ "had two sons, A and B", "bore Karl a son, Rolf"."""
        holder, at = self.clauses.at(noun.first), noun.last
        before_noun = self.sentence.lower[max(0, before - 5) : before + 1]
        having = {"has", "had", "have", "having", "bore"}.intersection(before_noun)
        if self.word(at) in ("with", "by"):  # "had two children by her, A and B"
            other = self._people(at + 1, many=False)
            at = other[0].last if other else at + 2
        if noun.relation != "parent" or not having or self.word(at) not in _LISTING:
            return
        while self.word(at) in _LISTING:
            at += 1
        for value in self._people(at, many=True):
            self._relate(holder, "child", value)

    def _married(self, at: int) -> None:
        """ "he married the actress X", "was married in 1920 to X", "married four times, to A, B and C"."""
        index, step = at + 1, at - 1 - (self.word(at - 1) in group("before_agent"))
        whom = self.sentence.mention_at.get(step - 2 - (self.word(step - 2) == ","))
        while self.word(index) in group("behind_marrying") or index in self.sentence.dates:
            index += 1
        several = {"times", "twice"}.intersection(self.sentence.lower[at:index])
        for value in self._people(index, many=bool(several))[: None if several else 1]:
            self._relate(self.clauses.at(at), "spouse", value)
        if self.word(step) in ("he", "she") and self.word(step - 1) == "whom" and whom is not None:
            self._relate(self.state.subject, "spouse", ValueSpan(whom.start, whom.end, whom.first, whom.last))

    def _marriage(self, at: int) -> None:
        """ "by her marriage in 1920 to X"."""
        step = at + 2 * (self.word(at + 1) == "in" and at + 2 in self.sentence.dates)
        before = self._before_modifiers(at)
        owner = self._owner(before) if self.word(before) in _OWN else self._possessor(before)
        for value in self._people(step + 2, many=False)[:1] if self.word(step + 1) in ("to", "with") else ():
            self._relate(owner or self.clauses.at(at), "spouse", value)

    def _born_to(self, at: int) -> None:
        """ "was born in X to A and B", "born to A"."""
        holder, sentence = self.clauses.at(at), self.sentence
        for index in range(at + 1, min(at + 18, len(sentence))):
            if sentence.lower[index] in ("and", "but", ";", "who", "as", "he", "she") or is_verb(sentence, index):
                return
            if sentence.lower[index] == "to":
                values = self._people(index + 1, many=True, couple=True)
                if values and holder is not None and holder.cube == self.cube:
                    self._parents(holder, values, index + 1)
                return


def read_kin(state: SectionState, sentence: Sentence, clauses: Clauses) -> None:
    """Read every statement of kinship in a sentence; does nothing for an ontology without kinship."""
    person = state.plan.person
    if person is not None and not _telling().isdisjoint(sentence.lower) and state.plan.pattern(person, "kin"):
        _KinReader(state, sentence, clauses).read()
