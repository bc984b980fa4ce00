"""Kinship: who is whose father, spouse or child, in whichever direction the sentence puts it."""

from __future__ import annotations

from dataclasses import dataclass

from .clauses import Clauses
from .lexicon import lexicon
from .plan import Entry
from .reading import CUE, STRUCTURE, Reading, Referent, sex_of
from .values import Value, closes, is_verb, names_after, skip_brackets
from .words import Mention, Sentence

__all__ = ["read_kin"]

_OWN = frozenset({"his", "her", "their", "whose", "its"})
_BE = frozenset({"is", "was", "are", "were", "include", "included", "being", "be", "named", "became", "has", "had"})


@dataclass(frozen=True, slots=True)
class _Noun:
    """A kinship noun at words ``first`` to ``last``: what its bearer's counterpart is, and the bearer's sex."""

    relation: str
    sex: str | None
    plural: bool
    first: int
    last: int


class _KinReader:
    def __init__(self, reading: Reading, sentence: Sentence, clauses: Clauses) -> None:
        self.reading, self.sentence, self.clauses = reading, sentence, clauses
        self.cube = reading.plan.person or ""
        words = lexicon().kin
        self.nouns, self.plurals, self.modifiers = words["nouns"], words["plurals"], frozenset(words["modifiers"])

    def read(self) -> None:
        at = 0
        while at < len(self.sentence):
            word = self.sentence.lower[at]
            noun = self._noun(at)
            if at in self.sentence.mention_at and self.sentence.words[at][0].isupper() and noun is None:
                at += 1
                continue
            if noun is not None:
                self._read_noun(noun)
                at = noun.last
                continue
            if word in ("married", "wed", "marrying", "remarried", "divorced", "weds", "marries"):
                self._married(at)
            elif word == "marriage" and self.sentence.word(at + 1) in ("to", "with"):
                self._marriage(at)
            elif word == "born" and "to" in self.sentence.lower[at + 1 : at + 14]:
                self._born_to(at)
            elif word in ("fathered", "sired"):
                self._values(self._holder(at), "child", at + 1)
            elif word == "birth" and self.sentence.word(at - 1) in ("gave", "given") and self.sentence.word(at + 1) == "to":
                self._values(self._holder(at), "child", at + 2)
            at += 1

    def _noun(self, at: int) -> _Noun | None:
        """The kinship noun at ``at``, with "half- sister", "brother in law" and "step -father" put together."""
        lower, first, last = self.sentence.lower, at, at + 1
        mention = self.sentence.mention_at.get(at)
        if mention is not None and (mention.quoted or mention.known or mention.first < at or at > 0 and self.sentence.word(at - 1) not in (".", '"')):
            return None
        word = lower[at].removesuffix("'s").removesuffix("’s")
        if at in self.sentence.mention_at and self.sentence.words[at][0].isupper() and self.sentence.word(at + 1) != "of":
            return None
        singular = word if word in self.nouns else self.plurals.get(word)
        if singular is None:
            return None
        if self.sentence.word(at - 1) == "-" and self.sentence.word(at - 2) in ("half", "step", "grand", "great", "ex"):
            singular, first = f"{self.sentence.word(at - 2)}-{singular}", at - 2
        elif self.sentence.word(at - 1) in ("half", "step", "grand"):
            singular, first = f"{self.sentence.word(at - 1)}-{singular}", at - 1
        if lower[last : last + 2] == ["in", "law"]:
            singular, last = f"{singular}-in-law", last + 2
        elif lower[last : last + 4] == ["-", "in", "-", "law"]:
            singular, last = f"{singular}-in-law", last + 4
        entry = self.nouns.get(singular) or self.nouns.get(singular.replace("-", "")) or {"relation": "relative"}
        return _Noun(entry["relation"], entry.get("sex"), word in self.plurals, first, last)

    def _read_noun(self, noun: _Noun) -> None:
        sentence = self.sentence
        before = self._before_modifiers(noun.first)
        if sentence.word(noun.last) in ("of", "to") and not (noun.relation == "spouse" and sentence.word(noun.last) == "to"):
            if sentence.word(before) in _OWN:
                return
            self._noun_of(noun, before)
        elif sentence.word(before) in _OWN:
            self._owned(noun, self._owner(before))
        elif before in sentence.mention_at and sentence.mention_at[before].possessive or sentence.word(before) in ("'s", "’s", "s", "'", "’"):
            self._owned(noun, self._possessor(before))
        elif sentence.word(before) in ("with", "by", "and") or noun.plural:
            self._listed(noun, before)

    def _before_modifiers(self, at: int) -> int:
        """The word in front of "the fourth son", "his late first wife"."""
        at -= 1
        while at >= 0 and (self.sentence.lower[at] in self.modifiers or self.sentence.lower[at] == "-" or self.sentence.lower[at].isdigit() or self.sentence.lower[at] in lexicon().people_of
                           or self.sentence.lower[at].endswith(("-born", "-old", "year"))):
            at -= 1
        return at

    # "son of A and B" ---------------------------------------------------------------------------------

    def _noun_of(self, noun: _Noun, before: int) -> None:
        holder = self._bearer(before)
        if holder is None:
            return
        index = noun.last + 1
        pairs = self._people(index, many=noun.relation != "spouse" or noun.plural)
        if not pairs:
            return
        last = pairs[-1].last
        self.clauses.zones.append((index, last, None))
        if noun.relation == "parent":
            self._parents(holder, pairs, noun, index)
        else:
            for value in pairs if noun.relation in ("child", "sibling", "relative", "grandchild") else pairs[:1]:
                self._relate(holder, noun.relation, value, noun.sex)

    def _bearer(self, before: int) -> Referent | None:
        """Who bears the noun: the clause's subject behind "was the" or in apposition, else the name just before."""
        sentence, at = self.sentence, before
        if sentence.word(at) in ("being", "as"):
            return self.clauses.at(at)
        while sentence.word(at) in ("the", "a", "an", "one", "both", "also", "as", "and", "youngest", "being", "of"):
            if sentence.word(at) == "and" and at - 1 in sentence.mention_at:
                break
            at -= 1
        if sentence.word(at) in _BE or at < 0:
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
                return self._apposed(mention, before)
        return self.clauses.at(before) if before >= 0 else self.clauses.at(0)

    def _apposed(self, mention: Mention, before: int) -> Referent | None:
        """ "X, son of Y": X unless X is a place or closes the main clause ("born in Rome, the son of Y")."""
        sentence = self.sentence
        if self.reading.is_subject(mention):
            return self.reading.subject
        previous = sentence.word(mention.first - 1)
        if previous in ("in", "at", "near", "from", ","):
            return self.clauses.at(before)
        return self.reading.referent(mention)

    def _parents(self, holder: Referent, values: list[Value], noun: _Noun, index: int) -> None:
        """Father and mother in the order of convention unless names, titles or "his wife" tell otherwise."""
        values = values[:2]
        sexes = [self._sex(value, n, index) for n, value in enumerate(values)]
        if len(values) == 2 and sexes[0] is None and sexes[1] is None:
            sexes = ["male", "female"]
        elif len(values) == 2:
            opposite = {"male": "female", "female": "male"}
            sexes = [sexes[0] or opposite[sexes[1] or "female"], sexes[1] or opposite[sexes[0] or "male"]]
            if sexes[0] == sexes[1]:
                sexes = ["male", "female"]
        else:
            sexes = [sexes[0] or "male"]
        for value, sex in zip(values, sexes, strict=True):
            self._emit(holder, "father" if sex == "male" else "mother", value, STRUCTURE)
            self._converse(holder, "child", value)
        if len(values) == 2 and self._wed(values):
            first = self._as_referent(values[0])
            self._emit(first, "spouse", values[1], CUE)
            self._converse(first, "spouse", values[1])

    def _wed(self, values: list[Value]) -> bool:
        between = self.sentence.lower[values[0].last : values[1].first]
        return any(word in ("wife", "husband", "consort", "marriage") for word in between)

    def _sex(self, value: Value, number: int, index: int) -> str | None:
        """By name or title, else by the words that describe the person ("the painter", "his wife", "actress")."""
        sentence = self.sentence
        told = sex_of(self.reading.text[value.start : value.end])
        if told:
            return told
        start = index if number == 0 else value.first - 5
        table = lexicon().sex_of_word
        for word in reversed(sentence.lower[max(index, start) : value.first]):
            if word in table and word not in ("his", "her", "he", "she", "him"):
                return table[word]
            if word in (",", "and"):
                break
        return None

    # "his father, X" ----------------------------------------------------------------------------------

    def _owner(self, before: int) -> Referent | None:
        word = self.sentence.word(before)
        current = self.clauses.at(before)
        subject = self.reading.subject
        if word == "whose":
            return current
        if subject.cube == self.cube and word in ("his", "her"):
            sex = "male" if word == "his" else "female"
            if current is not None and not current.main and (current.sex == sex or subject.sex not in (None, sex)) and current.sex in (None, sex):
                return current
            clause = self.clauses.at(max(0, before - 1))
            if subject.sex in (None, sex):
                return subject if clause is None or clause.main or clause.sex != sex else clause
            return None
        return current if current is not None and current.cube == self.cube else None

    def _possessor(self, before: int) -> Referent | None:
        at = before
        while at >= 0 and self.sentence.word(at) in ("'s", "’s", "s", "'", "’"):
            at -= 1
        mention = self.sentence.mention_at.get(at)
        return self.reading.referent(mention) if mention is not None else None

    def _owned(self, noun: _Noun, owner: Referent | None) -> None:
        """The noun's bearer is the name behind it: "her brother, X", "his parents were A and B"."""
        if owner is None or owner.cube != self.cube:
            return
        sentence, at = self.sentence, noun.last
        if sentence.word(at) in (",", ":", "(", "-"):
            at += 1
        linked = False
        while sentence.word(at) in _BE or sentence.word(at) in ("to", "the", "then", "called", "also", "with", "by"):
            linked = linked or sentence.word(at) in _BE
            at += 1
        values = self._people(at, many=noun.plural or noun.relation == "parent")
        if not values or (not linked and values[0].first - at > 6):
            return
        if values[0].first > at and not self._describes(at, values[0].first, linked):
            return
        if not noun.plural:
            values = values[:1]
        for value in values if noun.relation != "child" else values[:2]:
            self._owned_value(noun, owner, value, values)

    def _describes(self, first: int, last: int, linked: bool) -> bool:
        """Between noun and name only a description may stand ("his wife, the actress X")."""
        between = self.sentence.lower[first:last]
        return linked or all(word not in ("and", ",", "on", "was") for word in between) or first == last

    def _owned_value(self, noun: _Noun, owner: Referent, value: Value, values: list[Value]) -> None:
        """The noun says what the *value* is to the owner, so the relation is the noun's converse."""
        relation = lexicon().kin["converse"].get(noun.relation, "relative")
        if noun.relation == "child":
            relation = "parent"
            sex = noun.sex or self._sex(value, values.index(value), value.first) or ("male" if value is values[0] else "female")
            self._emit(owner, "father" if sex == "male" else "mother", value, STRUCTURE - 0.05)
            self._converse(owner, "child", value)
            return
        self._relate(owner, relation, value, owner.sex, bearer_sex=noun.sex)

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
        if noun.relation != "parent" or not any(w in ("has", "had", "have", "having", "were", "bore", "of", "raised") for w in window):
            return
        if sentence.word(at) in ("with", "by"):
            values = self._people(at + 1, many=False)
            if values:
                at = values[0].last
        if sentence.word(at) in (":", ",", "-", "–", "named", "together", "including"):
            while sentence.word(at) in (":", ",", "-", "–", "named", "including", "together", "both"):
                at += 1
            for value in self._people(at, many=True):
                self._relate(holder, "child", value, None)

    # marriages ----------------------------------------------------------------------------------------

    def _married(self, at: int) -> None:
        holder = self._holder(at)
        if holder is None or holder.cube != self.cube:
            return
        index = at + 1
        passive = self.sentence.word(at - 1) in ("is", "was", "were", "been", "be", "and", "has", "had")
        while self.sentence.word(index) in ("to", "secondly", "firstly", "first", "second", "again", "briefly") or index in self.sentence.dates:
            index += 1
        if self.sentence.word(index) == "(":
            index = skip_brackets(self.sentence, index)
        values = self._people(index, many=False)
        if self.sentence.word(index) in ("in", "into", "on", "at"):
            values = self._behind_date(index) if passive or True else []
        for value in values[:1]:
            self._relate(holder, "spouse", value, None)

    def _behind_date(self, index: int) -> list[Value]:
        """ "was married in 1920 to X"."""
        for at in range(index, min(index + 10, len(self.sentence))):
            if self.sentence.lower[at] == "to":
                return self._people(at + 1, many=False)
            if self.sentence.lower[at] in (".", ";", "and", "who", "but"):
                return []
        return []

    def _marriage(self, at: int) -> None:
        sentence = self.sentence
        before = self._before_modifiers(at)
        if sentence.word(before) in _OWN and {"daughter", "son", "child"}.intersection(sentence.lower[:at]):
            return self._parent_by_marriage(at)
        if sentence.word(before) in _OWN:
            owner = self._owner(before)
        elif before in sentence.mention_at:
            owner = self._possessor(before)
        else:
            owner = self._holder(at)
        if owner is None or owner.cube != self.cube or sentence.word(before) in ("third", "of"):
            return
        for value in self._people(at + 2, many=False)[:1]:
            self._relate(owner, "spouse", value, None)
        return None

    def _parent_by_marriage(self, at: int) -> None:
        """ "a daughter of A by his third marriage to B": B is the other parent, and A's spouse."""
        children = [f for f in self.reading.facts.values() if f.relation in ("father", "mother") and f.sentence == self.sentence.span]
        values = self._people(at + 2, many=False)
        if not children or not values:
            return
        known = children[-1]
        holder = self.reading.subject if known.subject == self.reading.subject.label else None
        if holder is None:
            return
        self._emit(holder, "mother" if known.relation == "father" else "father", values[0], STRUCTURE)
        self._converse(holder, "child", values[0])

    # births -------------------------------------------------------------------------------------------

    def _born_to(self, at: int) -> None:
        """ "was born in X to A and B", "born to A"."""
        holder = self._holder(at)
        if holder is None or holder.cube != self.cube:
            return
        for index in range(at + 1, min(at + 18, len(self.sentence))):
            if self.sentence.lower[index] == "to":
                values = self._people(index + 1, many=True)
                between = self.sentence.lower[index + 1 : values[0].first] if values else []
                if values and not {"family", "clan", "household", "tribe"}.intersection(between) and self.sentence.word(values[0].last) not in ("family", "-", "parents"):
                    self._parents(holder, values, _Noun("parent", None, False, at, at), index + 1)
                return
            if self.sentence.lower[index] in ("and", "but", ";", "who", "as"):
                return

    # emission -----------------------------------------------------------------------------------------

    def _holder(self, at: int) -> Referent | None:
        return self.clauses.at(at)

    def _people(self, index: int, *, many: bool) -> list[Value]:
        """Persons at ``index``; "and his wife B", "by his first wife, B" and "and of B" continue the list."""
        sentence = self.sentence
        values = [v for v in names_after(sentence, index, "person", many=many) if not self._qualifies(v)]
        if not values or not many or len(values) > 1:
            return values
        at = self._skip_title(skip_brackets(sentence, values[0].last))
        if sentence.word(at) == ",":
            at += 1
        spouse = {"wife", "husband", "consort", "partner"}.intersection(sentence.lower[at + 1 : at + 6])
        if sentence.word(at) in ("and", "by", "&") or (sentence.word(at) == "with" and spouse):
            step = at + 1
            while sentence.word(step) in ("of", "his", "her", "first", "second", "third", "wife", "husband", "consort", ",", "the", "fourth", "former", "then", "late", "queen", "morganatic", "marriage", "to", "mistress", "actress", "actor", "empress"):
                step += 1
            more = names_after(sentence, step, "person", many=False)
            if more and more[0].first - step <= 4 and not is_verb(sentence, more[0].last):
                values = [*values, more[0]]
        return values

    def _qualifies(self, value: Value) -> bool:
        """ "the father of Telugu theatre": a name in front of a plain noun is no person."""
        following = self.sentence.word(value.last)
        return following.isalpha() and self.sentence.words[value.last].islower() and not closes(self.sentence, value.last)

    def _skip_title(self, at: int) -> int:
        """Step over ", German Emperor" or ", Duke of Carse" behind a name."""
        sentence = self.sentence
        mention = sentence.mention_at.get(at + 1) if sentence.word(at) == "," else None
        if mention is not None and any(word in lexicon().titles or word in lexicon().courtesy for word in sentence.lower[mention.first : mention.last]):
            return mention.last
        return at

    def _values(self, holder: Referent | None, relation: str, index: int) -> None:
        if holder is not None and holder.cube == self.cube:
            for value in self._people(index, many=True):
                self._relate(holder, relation, value, None)

    def _as_referent(self, value: Value) -> Referent:
        label = self.reading.text[value.start : value.end]
        mention = self.sentence.mention_at[value.first]
        if self.reading.is_subject(mention):
            return self.reading.subject
        return Referent(label, self.cube, (value.start, value.end), sex=sex_of(label))

    def _relate(self, holder: Referent, relation: str, value: Value, holder_sex: str | None, *, bearer_sex: str | None = None) -> None:
        """``value`` is ``holder``'s ``relation``; the converse is emitted too, with the sexes that are known."""
        other = self._as_referent(value)
        if other.label == holder.label:
            return
        self._emit(holder, self._word(relation, bearer_sex or other.sex), value, STRUCTURE - 0.05)
        converse = lexicon().kin["converse"].get(relation, "relative")
        self._converse(holder, self._word(converse, holder_sex or holder.sex), value)

    def _word(self, relation: str, sex: str | None) -> str:
        sexed = lexicon().kin["sexed"].get(relation)
        if sexed is None:
            return relation
        return str(sexed.get(sex, "father" if relation == "parent" else relation))

    def _entry(self, relation: str) -> Entry | None:
        found = self.reading.plan.relation(self.cube, relation)
        if found is not None:
            return found
        entries = self.reading.plan.pattern(self.cube, "kin")
        return entries[0] if entries else None

    def _emit(self, holder: Referent, relation: str, value: Value, confidence: float) -> None:
        entry = self._entry(relation)
        if entry is not None:
            self.reading.relate(holder, entry.cube, entry.dimension.id, relation, (value.start, value.end), "person", self.sentence, confidence)

    def _converse(self, holder: Referent, relation: str, value: Value) -> None:
        """The same relation from the value's side, where the section names the holder."""
        entry = self._entry(relation)
        span = self.reading.place_of(holder, self.sentence)
        if entry is not None and span is not None:
            other = self._as_referent(value)
            self.reading.relate(other, entry.cube, entry.dimension.id, relation, span, "person", self.sentence, STRUCTURE - 0.1)


def read_kin(reading: Reading, sentence: Sentence, clauses: Clauses) -> None:
    """Read every statement of kinship in a sentence; does nothing for an ontology without kinship."""
    person = reading.plan.person
    if person is None or not reading.plan.pattern(person, "kin"):
        return
    _KinReader(reading, sentence, clauses).read()
