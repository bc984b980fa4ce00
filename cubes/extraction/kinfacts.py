"""Facts of kinship: persons in a list, which parent is which, and every relation with its converse."""

from __future__ import annotations

import re
from itertools import pairwise

from ..folding import base_key, fold
from .clauses import Clauses
from .lexicon import lexicon
from .plan import Entry
from .reading import CUE, STRUCTURE, Reading, Referent, sex_of
from .values import Value, closes, is_verb, names_after, skip_brackets
from .words import Sentence

__all__ = ["OWN", "KinFacts"]

OWN = frozenset({"his", "her", "their", "whose", "its"})
_JOINING = frozenset({"and", "&", "by", "with", "his", "her"})
_ROLES = lexicon().titles | lexicon().group("offices") | frozenset(lexicon().sex_of_word) | {"laureate", "producer"}
_NUMBERED = re.compile(r"(?:\d+|(?:twen|thir|for)ty-\w+)(?:st|nd|rd|th)$")


class KinFacts:
    """What every rule of kinship needs to turn words of one sentence into facts."""

    def __init__(self, reading: Reading, sentence: Sentence, clauses: Clauses) -> None:
        self.reading, self.sentence, self.clauses = reading, sentence, clauses
        self.cube = reading.plan.person or ""
        self.nouns, self.plurals = lexicon().kin["nouns"], lexicon().kin["plurals"]
        self.modifiers = lexicon().kin_modifiers

    def _before_modifiers(self, at: int) -> int:
        """The word in front of "the fourth son", "his late first wife"."""
        at -= 1
        if self.sentence.word(at) == ")":  # "the fifth (but third surviving) son"
            at = max(0, max((i for i in range(at) if self.sentence.lower[i] == "("), default=0) - 1)
        while at >= 0 and (
            self.sentence.lower[at] in self.modifiers
            or self.sentence.lower[at] == "-"
            or self.sentence.lower[at].isdigit()
            or self.sentence.lower[at] in lexicon().people_of
            or self.sentence.lower[at].endswith(("-born", "-old", "year", "teenth", "tieth"))
            or _NUMBERED.match(self.sentence.lower[at])
            or self._joins_modifiers(at)
        ):
            at -= 1
        return at

    def _joins_modifiers(self, at: int) -> bool:
        """ "the fifth and youngest son", "the fourth child and only daughter": the "and" in between."""
        word, before = self.sentence.word(at), self.sentence.word(at - 1)
        if at < 1 or not self.sentence.words[at - 1].islower():  # "Otto the Elder and sister of Ulf"
            return False
        if word in self.nouns:
            return self.sentence.word(at + 1) == "and" and before in self.modifiers
        return word == "and" and (
            before in self.modifiers
            or _NUMBERED.match(before) is not None
            or (before in self.nouns and self.sentence.word(at - 2) in self.modifiers)
        )

    def _parents(self, holder: Referent, values: list[Value], index: int) -> None:
        """Father and mother in the order of convention unless names, titles or "his wife" tell otherwise."""
        joined = [
            v
            for before, v in pairwise(values)
            if _JOINING.intersection(self.sentence.lower[before.last : v.first]) and not self._office(v)
        ]
        values = [*values[:1], *joined[:1]]  # "the son of A, B's first cousin", "of A, Elector of B, and C"
        for value, sex in zip(values, self._sexes(values, index), strict=True):
            if self._other(holder, value) is not None:
                self._emit(holder, "father" if sex == "male" else "mother", value, STRUCTURE)
            self._converse(holder, "child", value)
        if len(values) == 2 and self._wed(values):
            first = self._as_referent(values[0])
            self._emit(first, "spouse", values[1], CUE)
            self._converse(first, "spouse", values[1])

    def _of_spouse(self, at: int, name: int) -> bool:
        """Whether a name is reached by way of somebody's wife or husband."""
        mention = self.sentence.mention_at.get(at)
        between = self.sentence.lower[at:name]
        return (
            mention is not None
            and mention.possessive
            and any(self.nouns.get(word, {}).get("relation") == "spouse" for word in between)
        )

    def _child_of_couple(self, at: int, relation: str, value: Value) -> None:
        """ "the eldest son of A's second wife, B": B is a parent too, of whom the child is told to be."""
        mention = self.sentence.mention_at.get(self._before_modifiers(at))
        if mention is None or self.sentence.word(mention.first - 1) != "of":
            return
        noun = self.nouns.get(self.sentence.word(mention.first - 2), {})
        holder = self.clauses.at(mention.first - 2)
        if noun.get("relation") == "parent" and holder is not None and holder.cube == self.cube:
            self._emit(holder, relation, value, STRUCTURE)
            self._converse(holder, "child", value)

    def _office(self, value: Value) -> bool:
        """ "A, the former senator and Governor of X": an office is no second parent."""
        lower = self.sentence.lower
        return any(
            lower[at] in lexicon().group("offices") and self.sentence.word(at + 1) == "of"
            for at in range(value.first, min(value.first + 2, value.last))
        )

    def _sexes(self, values: list[Value], index: int) -> list[str]:
        """Which of one or two parents is the father: as told, else the one that the other is not, else the first."""
        sexes = [self._sex(value, n, index) for n, value in enumerate(values)]
        if len(values) == 2 and sexes[0] is None and sexes[1] is None:
            first = self._sounds_female(values[0]) and not self._sounds_female(values[1])
            sexes = ["female", "male"] if first else ["male", "female"]
        elif len(values) == 2:
            opposite = {"male": "female", "female": "male"}
            sexes = [sexes[0] or opposite[sexes[1] or "female"], sexes[1] or opposite[sexes[0] or "male"]]
            if sexes[0] == sexes[1]:
                sexes = ["male", "female"]
        return [sex or "male" for sex in sexes]

    def _sounds_female(self, value: Value) -> bool:
        """A last resort: most European given names in -a and a few other endings are women's."""
        return self.sentence.lower[value.first].endswith(("a", "ette", "elle", "ine", "lyn"))

    def _wed(self, values: list[Value]) -> bool:
        between = self.sentence.lower[values[0].last : values[1].first]
        return any(word in ("wife", "husband", "consort", "marriage") for word in between)

    def _sex(self, value: Value, number: int, index: int) -> str | None:
        """By name or title, else by the words that describe the person ("the painter", "his wife",
        "actress").
        """
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

    def _owner(self, before: int) -> Referent | None:
        word = self.sentence.word(before)
        if any(first <= before < last and zone is None for first, last, zone in self.clauses.zones):
            return None
        couple = self.sentence.mention_at.get(before - 2) if self.sentence.word(before - 1) == "and" else None
        if couple is not None and self.sentence.word(before + 1) in ("husband", "wife"):
            realm = self.sentence.word(couple.first - 1) == "of"  # of "Otto of Vell and his wife"
            return None if realm else self.reading.referent(couple)
        current = self._told_before(before, self.clauses.at(before))
        subject = self.reading.subject
        if word == "whose":
            return current
        if subject.cube == self.cube and word in ("his", "her"):
            sex = "male" if word == "his" else "female"
            if (
                current is not None
                and not current.main
                and (current.sex == sex or subject.sex not in (None, sex))
                and current.sex in (None, sex)
            ):
                return current
            clause = self._told_before(before, self.clauses.at(max(0, before - 1)))
            if subject.sex in (None, sex):
                return subject if clause is None or clause.main or clause.sex != sex else clause
            return None
        return current if current is not None and current.cube == self.cube else None

    def _told_before(self, at: int, who: Referent | None) -> Referent | None:
        """ "Her sister Ida was": a possessive never means the person named behind it."""
        if who is not None and not who.main and who.span is not None and who.span[0] > self.sentence.starts[at]:
            return self.reading.subject
        return who

    def _possessor(self, before: int) -> Referent | None:
        at = before
        while at >= 0 and self.sentence.word(at) in ("'s", "’s", "s", "'", "’"):
            at -= 1
        mention = self.sentence.mention_at.get(at)
        return self.reading.referent(mention) if mention is not None else None

    def _holder(self, at: int) -> Referent | None:
        return self.clauses.at(at)

    def _people(self, index: int, *, many: bool, couple: bool = True) -> list[Value]:
        """Persons at ``index``; "and his wife B", "by his first wife, B" and "and of B" continue a couple's list."""
        sentence = self.sentence
        named = names_after(sentence, index, "person", many=many)
        values = [self._with_peerage(v) for v in named if not self._qualifies(v) and not self._ends_title(v)]
        if not values or not many or len(values) > 1:
            return values
        at = self._skip_title(skip_brackets(sentence, values[0].last))
        if sentence.word(at) == ",":
            at += 1
        step = self._second_parent(at) if couple or sentence.word(at + 1) == "of" else 0
        more = names_after(sentence, step, "person", many=False) if step else []
        if more and more[0].first - step <= 4 and not is_verb(sentence, more[0].last):
            values = [*values, more[0]]
        return values

    def _behind_role(self, index: int, *, many: bool = False) -> list[Value]:
        """ "the son of the last crown prince of Vell, X": the name behind the comma that closes an office."""
        sentence = self.sentence
        for at in range(index, min(index + 14, len(sentence))):
            word = sentence.lower[at]
            if word == ",":
                titled = not _ROLES.isdisjoint(sentence.lower[index:at]) and at + 1 in sentence.mention_at
                return self._people(at + 1, many=many) if titled else []
            if word in (".", ";", "who", "which", "whose", "that") or is_verb(sentence, at):
                return []
        return []

    def _with_peerage(self, value: Value) -> Value:
        """ "Karl Lind, 1st Baron Carse": a numbered title tells bearers of one name apart, and belongs to it."""
        sentence = self.sentence
        at = value.last + 1
        if sentence.word(value.last) != "," or not _NUMBERED.match(sentence.word(at)):
            return value
        titled = sentence.mention_at.get(at) or sentence.mention_at.get(at + 1)
        if titled is None or not lexicon().titles.intersection(sentence.lower[at : at + 2]):
            return value
        return Value(value.start, titled.end, value.first, titled.last)

    def _second_parent(self, at: int) -> int:
        """Where the other parent's name may stand, behind "and", "and of" or "by his first wife"; else 0."""
        word = self.sentence.word
        if word(at) not in ("and", "by", "&", "with"):
            return 0
        if word(at + 1) == "of":
            return at + 2
        if word(at + 1) not in ("his", "her", "the"):
            return at + 1 if word(at) in ("and", "&", "by") and word(at + 1) not in self.nouns else 0
        step = at + 2
        while word(step) in lexicon().group("second_parent"):
            step += 1
        told = {"wife", "husband", "consort", "partner", "mistress", "marriage", "queen", "wives"}
        return step if told.intersection(self.sentence.lower[at:step]) or word(at + 1) == "the" else 0

    def _ends_title(self, value: Value) -> bool:
        """ "Otto, Prince of Vell and Carse, and his wife": the second land of a title is nobody."""
        lower, at = self.sentence.lower, value.first - 1
        behind = lower[value.last : value.last + 3]  # the other parent is still to come
        if self.sentence.word(at) != "and" or "and" not in behind or {"his", "her"}.isdisjoint(behind):
            return False
        before = lower[max(0, at - 5) : at]
        return "of" in before and not lexicon().titles.isdisjoint(before[: before.index("of")])

    def _qualifies(self, value: Value) -> bool:
        """ "the father of Telugu theatre": a name in front of a plain noun is no person."""
        following = self.sentence.word(value.last)
        if following in self.nouns:  # "married Ada Lind daughter of Otto Lind"
            return False
        if self.sentence.mention_at[value.first].possessive and following in lexicon().group("of_a_life"):
            return False  # "after his father X's death"
        return (
            following.isalpha() and self.sentence.words[value.last].islower() and not closes(self.sentence, value.last)
        )

    def _skip_title(self, at: int) -> int:
        """Step over ", German Emperor" or ", Duke of Carse" behind a name."""
        sentence = self.sentence
        mention = sentence.mention_at.get(at + 1) if sentence.word(at) == "," else None
        if mention is not None and any(
            word in lexicon().titles or word in lexicon().courtesy
            for word in sentence.lower[mention.first : mention.last]
        ):
            return mention.last
        return at

    def _values(self, holder: Referent | None, relation: str, index: int) -> None:
        if holder is not None and holder.cube == self.cube:
            for value in self._people(index, many=True):
                self._relate(holder, relation, value, None)

    def _other(self, holder: Referent, value: Value) -> Referent | None:
        """The relative that ``value`` names: nobody is his own, but "Ada Lind Jr." may be a child of "Ada Lind"."""
        other, label = self._as_referent(value), self.reading.text[value.start : value.end]
        if other.label != holder.label:
            return other
        span = holder.span
        own = {fold(holder.label), base_key(holder.label), fold(self.reading.text[span[0] : span[1]]) if span else ""}
        if not holder.main or " " not in label or fold(label) in own:
            return None
        return Referent(label, self.cube, (value.start, value.end), sex=sex_of(label))

    def _as_referent(self, value: Value) -> Referent:
        label = self.reading.text[value.start : value.end]
        mention = self.sentence.mention_at[value.first]
        if self.reading.is_subject(mention):
            return self.reading.subject
        return Referent(label, self.cube, (value.start, value.end), sex=sex_of(label))

    def _relate(
        self,
        holder: Referent,
        relation: str,
        value: Value,
        holder_sex: str | None,
        *,
        bearer_sex: str | None = None,
    ) -> None:
        """``value`` is ``holder``'s ``relation``; the converse is emitted too, with the sexes that are
        known.
        """
        other = self._other(holder, value)
        if other is None:
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
            self.reading.relate(
                holder,
                entry.cube,
                entry.dimension.id,
                relation,
                (value.start, value.end),
                "person",
                self.sentence,
                confidence,
            )

    def _converse(self, holder: Referent, relation: str, value: Value) -> None:
        """The same relation from the value's side, where the section names the holder."""
        entry = self._entry(relation)
        span = self.reading.place_of(holder, self.sentence)
        other = self._other(holder, value)
        if entry is not None and span is not None and other is not None:
            self.reading.relate(
                other,
                entry.cube,
                entry.dimension.id,
                relation,
                span,
                "person",
                self.sentence,
                STRUCTURE - 0.1,
            )
