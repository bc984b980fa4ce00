"""Kinship: who is whose father, spouse or child, in whichever direction the sentence puts it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from .clauses import Clauses
from .kinfacts import OWN, KinFacts
from .lexicon import lexicon
from .reading import STRUCTURE, Reading, Referent
from .values import Value, is_verb, skip_brackets
from .words import Mention, Sentence

__all__ = ["read_kin"]


_MARRYING = frozenset({"married", "wed", "marrying", "remarried", "divorced", "weds", "marries"})


@lru_cache(maxsize=1)
def _telling() -> frozenset[str]:
    """Every word that a statement of kinship may turn on."""
    nouns, others = lexicon().kin_words, {"marriage", "born", "fathered", "sired", "birth"}
    return nouns | {f"{noun}{mark}s" for noun in nouns for mark in "'’"} | _MARRYING | others


@dataclass(frozen=True, slots=True)
class _Noun:
    """A kinship noun at words ``first`` to ``last``: what its bearer's counterpart is, and the bearer's sex."""

    relation: str
    sex: str | None
    plural: bool
    first: int
    last: int


class _KinReader(KinFacts):
    def read(self) -> None:
        last, told = 0, _telling()
        for at, word in enumerate(self.sentence.lower):
            if at >= last and word in told:
                last = self._read_at(at)

    def _read_at(self, at: int) -> int:
        """Read the word of kinship at ``at``; return where to go on."""
        word, noun = self.sentence.lower[at], self._noun(at)
        if noun is not None:
            self._read_noun(noun)
            return noun.last
        if at in self.sentence.mention_at and self.sentence.words[at][0].isupper():
            return at + 1
        if word in _MARRYING:
            self._married(at)
        elif word == "marriage":
            step = at + 2 if self.sentence.word(at + 1) == "in" and at + 2 in self.sentence.dates else at
            step = self.sentence.dates[step][2] - 1 if step > at else at
            if self.sentence.word(step + 1) in ("to", "with"):
                self._marriage(at, step)
        elif word == "born" and "to" in self.sentence.lower[at + 1 : at + 14]:
            self._born_to(at)
        elif word in ("fathered", "sired"):
            self._values(self._holder(at), "child", at + 1)
        elif word == "birth" and self.sentence.word(at - 1) in ("gave", "given") and self.sentence.word(at + 1) == "to":
            self._values(self._holder(at), "child", at + 2)
        return at + 1

    def _noun(self, at: int) -> _Noun | None:
        """The kinship noun at ``at``, with "half- sister", "brother in law" and "step -father" put
        together.
        """
        lower, first, last = self.sentence.lower, at, at + 1
        mention = self.sentence.mention_at.get(at)
        if mention is not None and (
            mention.quoted
            or mention.known
            or mention.first < at
            or (at > 0 and self.sentence.word(at - 1) not in (".", '"'))
        ):
            return None
        word = lower[at].removesuffix("'s").removesuffix("’s")
        if (
            at in self.sentence.mention_at
            and self.sentence.words[at][0].isupper()
            and self.sentence.word(at + 1) != "of"
        ):
            return None
        singular = word if word in self.nouns else self.plurals.get(word)
        if singular is None:
            return None
        if self.sentence.word(at - 1) == "-" and self.sentence.word(at - 2) in (
            "half",
            "step",
            "grand",
            "great",
            "ex",
        ):
            singular, first = f"{self.sentence.word(at - 2)}-{singular}", at - 2
        elif self.sentence.word(at - 1) in ("half", "step", "grand"):
            singular, first = f"{self.sentence.word(at - 1)}-{singular}", at - 1
        if word == "consort" and self.sentence.word(at - 1) in lexicon().titles and not self._of_person(at + 2):
            return None
        if lower[last : last + 2] == ["in", "law"]:
            singular, last = f"{singular}-in-law", last + 2
        elif lower[last : last + 4] == ["-", "in", "-", "law"]:
            singular, last = f"{singular}-in-law", last + 4
        entry = self.nouns.get(singular) or self.nouns.get(singular.replace("-", "")) or {"relation": "relative"}
        return _Noun(entry["relation"], entry.get("sex"), word in self.plurals, first, last)

    def _of_person(self, at: int) -> bool:
        """Whether "consort of X" names a person and no realm: by a title, a number or an "of" in the name."""
        mention = self.sentence.mention_at.get(at)
        if mention is None:
            return False
        words = self.sentence.words[mention.first : mention.last]
        return words[0].lower() in lexicon().titles or any(
            set(word) <= set("IVX") or word == "of" for word in words[1:]
        )

    def _read_noun(self, noun: _Noun) -> None:
        sentence = self.sentence
        before = self._before_modifiers(noun.first)
        if sentence.word(noun.last) == "," and sentence.word(noun.last + 1) == "of":  # "later the wife, of X"
            noun = replace(noun, last=noun.last + 1)
        if sentence.word(noun.last) == "and" and sentence.word(noun.last + 2) == "of":  # "the son and heir of X"
            noun = replace(noun, last=noun.last + 2)
        if sentence.word(noun.last) in ("of", "to") and not (
            noun.relation == "spouse" and sentence.word(noun.last) == "to"
        ):
            if sentence.word(before) in OWN:
                return
            self._noun_of(noun, before)
        elif sentence.word(before) in OWN:
            self._owned(noun, self._owner(before))
        elif (before in sentence.mention_at and sentence.mention_at[before].possessive) or sentence.word(before) in (
            "'s",
            "’s",
            "s",
            "'",
            "’",
        ):
            self._owned(noun, self._possessor(before))
        elif sentence.word(before) in ("with", "by", "and", "had", "has", "having", "bore") or noun.plural:
            self._listed(noun, before)

    def _noun_of(self, noun: _Noun, before: int) -> None:
        holder = self._bearer(before, noun)
        if holder is None:
            return
        index = noun.last + 1
        many = noun.relation != "spouse" or noun.plural
        pairs = self._people(index, many=many, couple=noun.relation == "parent")
        if not pairs and (self.sentence.word(before - 1) in {",", *lexicon().group("linking")}):
            pairs = self._behind_role(index, many=many)
        if not pairs or self._of_spouse(index, pairs[0].first):  # "the son of A's wife, B"
            return
        named = self.reading.text[pairs[0].start : pairs[0].end]
        if noun.relation == "partner" and self.reading.class_of(named) != self.cube:  # "the mistress of X Manor"
            return
        last = pairs[-1].last
        self.clauses.zones.append((index, last, None))
        if noun.relation == "parent":
            self._parents(holder, pairs, index)
        else:
            for value in pairs if noun.relation in ("child", "sibling", "relative", "grandchild") else pairs[:1]:
                self._relate(holder, noun.relation, value, noun.sex)

    def _bearer(self, before: int, noun: _Noun) -> Referent | None:
        """Who bears the noun: the clause's subject behind "was the" or in apposition, else the name just
        before.
        """
        sentence, at = self.sentence, before
        if sentence.word(at) in ("being", "as"):
            return self.clauses.at(at)
        named = sentence.mention_at.get(at)
        beside = named is not None and at == noun.first - 1 and at > named.first
        if named is not None and beside and not named.possessive:  # "X daughter of Y"
            return self.reading.referent(named)
        definite = sentence.word(at) == "the"
        while sentence.word(at) in lexicon().group("before_kin"):
            if sentence.word(at) == "and":  # "…, and the wife of X" goes on about the same person
                return self.clauses.at(before)
            at -= 1
        if sentence.word(at) in lexicon().group("linking") or at < 0:
            return self.clauses.at(max(at, 0) if at >= 0 else min(len(sentence) - 1, before + 2))
        position = at
        if sentence.word(position) in (",", "("):
            position -= 1
            if sentence.word(position) == ")":
                while position > 0 and sentence.word(position) != "(":
                    position -= 1
                position -= 1
            mention = sentence.mention_at.get(position)
            if mention is not None and not mention.possessive:
                return self._apposed(mention, before, noun, definite=definite)
        return self.clauses.at(before) if before >= 0 else self.clauses.at(0)

    def _apposed(self, mention: Mention, before: int, noun: _Noun, *, definite: bool) -> Referent | None:
        """ "X, son of Y": X unless X is a place or closes the main clause ("born in Rome, the son of Y")."""
        sentence = self.sentence
        if self.reading.is_subject(mention):
            return self.reading.subject
        previous = sentence.word(mention.first - 1)
        if lexicon().group("realms").intersection(sentence.lower[mention.first : mention.last]):
            return self.clauses.at(before)
        if previous == "of" and self._noun(mention.first - 2) is not None:
            other = self.reading.referent(mention)
            return self.clauses.at(before) if definite or noun.sex not in (None, other.sex or noun.sex) else other
        if previous in ("in", "at", "near", "from", ",", "of", "and") or (
            sentence.lower[mention.first] in lexicon().titles and sentence.word(mention.first + 1) == "of"
        ):
            return self.clauses.at(before)
        return self.reading.referent(mention)

    def _owned(self, noun: _Noun, owner: Referent | None) -> None:
        """The noun's bearer is the name behind it: "her brother, X", "his parents were A and B"."""
        if owner is None or owner.cube != self.cube:
            return None
        sentence, at = self.sentence, noun.last
        if sentence.word(at) in (",", ":", "(", "-"):
            at += 1
        linked = False
        while sentence.word(at) in lexicon().group("linking") or sentence.word(at) in (
            *("to", "the", "then", "called", "also", "with", "by"),
        ):
            linked = linked or sentence.word(at) in lexicon().group("linking")
            at += 1
        values = self._people(at, many=noun.plural or noun.relation == "parent")
        if not values and sentence.word(noun.last) in (".", ",", ";", ""):
            values = self._named_before(noun)
            if values:
                return self._owned_value(noun, owner, values[0], values)
        if not values or (not linked and values[0].first - at > 6) or not self._describes(at, values[0].first, linked):
            return None
        if not noun.plural:
            values = values[:1]
        for value in values if noun.relation != "child" else values[:2]:
            self._owned_value(noun, owner, value, values)
        return None

    def _named_before(self, noun: _Noun) -> list[Value]:
        """ "X was their daughter": the name in front of the copula."""
        at = self._before_modifiers(noun.first) - 1
        mention = self.sentence.mention_at.get(at - 1) if self.sentence.word(at) in ("is", "was") else None
        return [Value(mention.start, mention.end, mention.first, mention.last)] if mention is not None else []

    def _describes(self, first: int, last: int, linked: bool) -> bool:
        """Between noun and name only a description may stand ("his wife, the actress X")."""
        between = self.sentence.lower[first:last]
        return linked or all(word not in ("and", ",", "on", "was") for word in between) or first == last

    def _owned_value(self, noun: _Noun, owner: Referent, value: Value, values: list[Value]) -> None:
        """The noun says what the *value* is to the owner, so the relation is the noun's converse."""
        relation = lexicon().kin["converse"].get(noun.relation, "relative")
        if noun.relation == "child":
            relation = "parent"
            sex = noun.sex or self._sexes(values[:2], values[0].first)[values.index(value)]
            self._emit(owner, "father" if sex == "male" else "mother", value, STRUCTURE - 0.05)
            self._converse(owner, "child", value)
            return
        self._relate(owner, relation, value, owner.sex, bearer_sex=noun.sex)
        if noun.relation == "spouse" and noun.sex is not None:
            self._child_of_couple(noun.first, "mother" if noun.sex == "female" else "father", value)

    def _listed(self, noun: _Noun, before: int) -> None:
        """ "had two sons, A and B", "with husband X"."""
        sentence, at = self.sentence, noun.last
        holder = self.clauses.at(noun.first)
        if holder is None or holder.cube != self.cube:
            return
        window = sentence.lower[max(0, before - 5) : before + 1]
        if noun.relation == "spouse" and sentence.word(before) in ("with", "by"):
            values = self._people(at, many=False)
            if values and values[0].first - at <= 1:
                self._relate(holder, "spouse", values[0], None)
            return
        if noun.relation != "parent" or not any(
            w in ("has", "had", "have", "having", "were", "bore", "of", "raised") for w in window
        ):
            return
        if sentence.word(at) in ("with", "by"):
            values = self._people(at + 1, many=False)
            at = values[0].last if values else at + 2 * (sentence.word(at + 1) in ("him", "her", "them"))
        if sentence.word(at) in (":", ",", "-", "–", "named", "together", "including"):
            while sentence.word(at) in (":", ",", "-", "–", "named", "including", "together", "both"):
                at += 1
            for value in self._people(at, many=True):
                self._relate(holder, "child", value, None)

    def _married(self, at: int) -> None:
        holder = self._holder(at)
        if holder is None or holder.cube != self.cube:
            return
        index = at + 1
        while (
            self.sentence.word(index) in ("to", "secondly", "firstly", "first", "second", "again", "briefly")
            or index in self.sentence.dates
        ):
            index += 1
        if self.sentence.word(index) == "(":
            index = skip_brackets(self.sentence, index)
        if self.sentence.word(index) in ("in", "on") and index + 1 in self.sentence.dates:  # "who married in 1045 X"
            behind = self.sentence.dates[index + 1][2]
            index = behind if behind in self.sentence.mention_at else index
        values = self._people(index, many=False) or self._behind_role(index)
        if self.sentence.word(index) in ("in", "into", "on", "at"):
            values = self._behind_date(index)
        if not values:
            values, holder = self._relative_object(at), self.reading.subject
        for value in values[:1]:
            self._relate(holder, "spouse", value, None)

    def _relative_object(self, at: int) -> list[Value]:
        """ "the guitarist X, whom she later married"."""
        step = at - 1
        while self.sentence.word(step) in ("later", "then", "eventually", "subsequently", "had", "soon", "also"):
            step -= 1
        if self.sentence.word(step) not in ("he", "she") or self.sentence.word(step - 1) not in ("who", "whom"):
            return []
        mention = self.sentence.mention_at.get(step - 2 - (self.sentence.word(step - 2) == ","))
        return [Value(mention.start, mention.end, mention.first, mention.last)] if mention is not None else []

    def _behind_date(self, index: int) -> list[Value]:
        """ "was married in 1920 to X"."""
        for at in range(index, min(index + 10, len(self.sentence))):
            if self.sentence.lower[at] == "to":
                return self._people(at + 1, many=False)
            if self.sentence.lower[at] in (".", ";", "and", "who", "but"):
                return []
        return []

    def _marriage(self, at: int, step: int) -> None:
        sentence = self.sentence
        before = self._before_modifiers(at)
        if sentence.word(before) in OWN and {"daughter", "son", "child"}.intersection(sentence.lower[:at]):
            return self._parent_by_marriage(at)
        if sentence.word(before) in OWN:
            owner = self._owner(before)
        elif before in sentence.mention_at:
            owner = self._possessor(before)
        else:
            owner = self._holder(at)
        if owner is None or owner.cube != self.cube or sentence.word(before) in ("third", "of"):
            return None
        for value in self._people(step + 2, many=False)[:1]:
            self._relate(owner, "spouse", value, None)
        return None

    def _parent_by_marriage(self, at: int) -> None:
        """ "a daughter of A by his third marriage to B": B is the other parent, and A's spouse."""
        children = [
            f
            for f in self.reading.facts.values()
            if f.relation in ("father", "mother") and f.sentence == self.sentence.span
        ]
        values = self._people(at + 2, many=False)
        if not children or not values:
            return
        known = children[-1]
        holder = self.reading.subject if known.subject == self.reading.subject.label else None
        if holder is None:
            return
        self._emit(holder, "mother" if known.relation == "father" else "father", values[0], STRUCTURE)
        self._converse(holder, "child", values[0])

    def _born_to(self, at: int) -> None:
        """ "was born in X to A and B", "born to A"."""
        holder = self._holder(at)
        if holder is None or holder.cube != self.cube:
            return
        for index in range(at + 1, min(at + 18, len(self.sentence))):
            if self.sentence.lower[index] == "to":
                values = self._people(index + 1, many=True)
                between = self.sentence.lower[index + 1 : values[0].first] if values else []
                if (
                    values
                    and not {"family", "clan", "household", "tribe"}.intersection(between)
                    and self.sentence.word(values[0].last) not in ("family", "-", "parents")
                ):
                    self._parents(holder, values, index + 1)
                return
            if self.sentence.lower[index] in ("and", "but", ";", "who", "as", "he", "she") or is_verb(
                self.sentence, index
            ):
                return


def read_kin(reading: Reading, sentence: Sentence, clauses: Clauses) -> None:
    """Read every statement of kinship in a sentence; does nothing for an ontology without kinship."""
    person = reading.plan.person
    if person is None or _telling().isdisjoint(sentence.lower) or not reading.plan.pattern(person, "kin"):
        return
    _KinReader(reading, sentence, clauses).read()
