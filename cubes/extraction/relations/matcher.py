"""The one reader of relations: phrases and nouns of the ontology's cues, whom they are said of, and their values."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from itertools import pairwise

from ...core.folding import split_qualifier
from ..plan import CueEntry, Frame
from ..subject import CUE, NOBODY, STRUCTURE, Referent, SectionState
from ..words.lexicon import group, lexicon, sex_of
from ..words.values import JOINED, JOINS, OWN, QUOTES, behind_name, kind_of, names_after, texts_at, value_at
from ..words.words import NameSpan, Sentence, is_verb, skip_brackets, verbal

__all__ = ["Matcher"]

_NAMED = frozenset({"person", "place", "organization", "work", "event", "name"})
_HAVING = frozenset({"has", "had", "have", "having", "bore"})
_ENDS = frozenset({".", ";", ")", "who", "whose", "which", "but", "he", "she", "that", "when", "while"})
_BORDERS = frozenset({",", ";", ":", ".", "and", ""})
_ABSOLUTE = _BORDERS | {"from", "as", "with", "in"}  # behind a verb that leaves its object unsaid: "X directed and"
_OTHER = {"male": "female", "female": "male"}
_JOINING = frozenset({"and", "&", "by", "with", "his", "her"})
_MOST = 6  # words of a subject in front of a noun's slot
_REACH = 18  # words of what may stand between two values of one verb
_LISTING = frozenset({",", "of", "and", "a", "an", "the", "born"})
"""What stands in front of a name that the noun behind it does not describe."""
_OWN = frozenset({"his", "her", "its", "their", "whose"})
_PERSONAL = frozenset({"he", "she", "it", "they"})
_RELATIVE = frozenset({"who", "whose", "whom", "which"})


class Matcher:
    """Reads one sentence, whose stretches are divided by whom they speak about.

    In the introducing sentence everything up to the copula, word ``begin``, is about the section's subject.
    """

    def __init__(self, state: SectionState, sentence: Sentence, begin: int = 0) -> None:
        self.state, self.sentence, self.plan, self.word = state, sentence, state.plan, sentence.word
        self._who = [state.subject] * (len(sentence) + 1)
        self._parents: dict[int, Referent] = {}  # whom words between two parents are said of: "X by his wife Y"
        for at in range(max(0, begin), len(sentence)):
            word, before = self.word(at), self.word(at - 1)
            if word in _RELATIVE:
                self.mark(self._antecedent(at), at)
            elif word in _PERSONAL or before in _BORDERS or before in group("conjunctions"):
                found = self.phrase(at)
                if found is not None and is_verb(sentence, found[1]):
                    self.mark(found[0], at)

    def at(self, index: int) -> Referent:
        """Whom the word at ``index`` is about."""
        return self._who[max(0, min(index, len(self.sentence)))]

    def mark(self, who: Referent, first: int, last: int | None = None) -> None:
        """From ``first`` on, or until ``last``, the sentence speaks about ``who``."""
        self._who[first:last] = [who] * len(self._who[first:last])

    def phrase(self, at: int) -> tuple[Referent, int] | None:
        """Whom the phrase at ``at`` means, and where it ends: "she", a name, "the film", "his sister X"."""
        word = self.word(at)
        if word in _PERSONAL:
            return self.pronoun(at), at + 1
        if word in _OWN or word in ("the", "this"):
            return self._noun(at)
        mention = self.sentence.mention_at.get(at)
        if mention is None or mention.first != at or mention.possessive:
            return None
        return self.state.referent(mention, self.sentence), skip_brackets(self.sentence, mention.last)

    def pronoun(self, at: int) -> Referent:
        """Whom a pronoun means: whom the words before it are about or else the section's subject, if it fits them."""
        word, subject = self.word(at), self.state.subject
        sex = lexicon().sex_of_word.get(word)
        joined = self._parents.get(at) or self.state.referent(self._joined(at), self.sentence)
        # "His father X was a clerk, and his mother".
        again = word in self.sentence.lower[: at - 1] and self.word(at - 1) in group("conjunctions") | _BORDERS
        for who in (joined, subject if again else self.at(at - 1), subject)[joined is NOBODY :]:  # "X and his wife Y"
            fits = (who.cube == self.plan.person) == (sex is not None) and who.sex in (None, sex)
            if fits or word in ("they", "their"):
                return who
        return NOBODY

    def _joined(self, at: int) -> NameSpan | None:
        """The name that the pronoun at ``at`` is joined to: "X (1820-88) and his wife", "X, 3rd Earl of Y, and her".

        It is none that the same pronoun introduces: in "her father, X, and her sister" both are hers.
        """
        sentence = self.sentence
        if self.word(at - 1) not in JOINED:
            return None
        named = (sentence.mention_at.get(last - 1) for last in range(at - 1, max(0, at - 16), -1))
        name = next((each for each in named if each is not None and behind_name(sentence, each.last) == at - 1), None)
        introducing = sentence.lower[max(0, name.first - 4) : name.first] if name and self.word(at - 2) == "," else []
        return None if self.word(at) in introducing else name

    def _noun(self, at: int) -> tuple[Referent, int] | None:
        """ "The film", "his films" tell of the subject, a noun of kin or of another class of somebody else."""
        end, sentence, subject = at + 1, self.sentence, self.state.subject
        while self.word(end)[:1].isalpha() and self.word(end) not in group("prepositions"):
            if end in sentence.mention_at or is_verb(sentence, end):
                break
            end += 1
        noun, classes = self.word(end - 1), self.plan.nouns.get(self.word(end - 1), ())
        if not self.plan.relatives.isdisjoint(sentence.lower[at + 1 : end]):  # "her brother X"
            mention = sentence.mention_at.get(end + (self.word(end) == ","))
            last = mention.last if mention is not None else end
            return self.state.referent(mention, sentence), last + (self.word(last) == ",")
        if noun in subject.nouns or noun in group("parts") or subject.cube in classes:
            return subject, end
        return (NOBODY, end) if classes or noun in group("other_parts") else None

    def _antecedent(self, at: int) -> Referent:
        """What "who" or "which" at ``at`` stands for: the name right before it, or the subject's own noun."""
        before = at - 1 - (self.word(at - 1) in group("prepositions").union(",", QUOTES))
        mention, subject = self.sentence.mention_at.get(before), self.state.subject
        if mention is None:
            return subject if self.word(before) in subject.nouns else NOBODY
        if kind_of(self.sentence, mention) in ("organization", "place"):  # "an officer of the Navy who"
            return subject
        named = self.state.referent(mention, self.sentence)
        return named if self.word(at) != "which" or named.main else NOBODY

    def read(self) -> None:
        """Read every phrase and noun; of phrases that overlap the longest counts."""
        said = acted = 0
        for at in range(len(self.sentence)):
            mention = self.sentence.mention_at.get(at)
            if mention is not None and (mention.quoted or mention.known):
                continue
            self._role(at)
            for size, frames in self.plan.phrases(self.sentence.lower, at):
                frame = frames.get(self.state.subject.cube)
                if frame is not None and frame.actors and at >= acted:
                    self._act(frame, at, at + size)
                    acted = at + size
                if at >= said and self._say(frames, at, at + size):
                    said = at + size

    def _say(self, frames: dict[str, Frame], at: int, end: int) -> bool:
        """Read the values behind a phrase for whom it is said of; False where that is nobody known."""
        who = self.bearer(at, verb=next(iter(frames.values())).verb)
        if self._subject_at(end):  # "X released the picture on DATE"
            who = self.state.subject
        if (frame := frames.get(who.cube)) is None:
            return False
        if not frame.verb and self.word(at - 1) in group("titles"):
            return False  # "Queen consort of Vell"
        if any(entry.cue.pattern == "basis" for entries in frame.slots.values() for entry in entries):
            ends = (at for at in range(end, len(self.sentence)) if self.word(at) in _BORDERS)
            self.mark(NOBODY, end, next(ends, None))  # who wrote the model did not write the film
        return self.follow(who, frame, end)

    def follow(self, who: Referent, frame: Frame, at: int, close: int | None = None) -> bool:
        """Read what stands behind word ``at``: each slot once, and behind a verb past what fills none.

        Nothing is read from word ``close`` on.
        """
        open_slots = {slot: list(entries) for slot, entries in frame.slots.items()}
        at = self._coordinated(at, open_slots) if frame.verb else at
        at += 2 * (self.word(at) == "and" and self.word(at + 2) in open_slots)  # "son and heir of"
        if self.word(at) in ("in", "of") and self.word(at) not in open_slots:
            # "a degree in law from", "professor of law at"
            at = next((each for each in range(at, at + _MOST) if self.word(each) in ("from", "at")), at)
        begin, limit = at, at + _REACH
        step: int | None = at
        while step is not None and step < min(limit, close or len(self.sentence)):
            end = self._fill(who, open_slots, step, begin)
            limit = end + _REACH if end else limit
            step = end or self._pass(step, verb=frame.verb)
        return limit > begin + _REACH

    def _coordinated(self, at: int, slots: Container[str] = ()) -> int:
        """Behind verbs that share what stands behind the last: ", directed and produced by X", ", and starring X"."""
        end, word = at, self.word(at)
        while word not in slots and (word in JOINS or (end > at and (word == "by" or verbal(word)))):
            end, word = end + 1, self.word(end + 1)
        return end if word in slots or (end > at and self.word(end - 1) not in JOINS) else at

    def _fill(self, who: Referent, slots: dict[str, list[CueEntry]], at: int, begin: int) -> int | None:
        """Read the values of the slot at ``at``; where they end, or None where none is filled."""
        value, entries = at, slots.get("", [])
        if at in self.sentence.dates:
            entries = [entry for found in slots.values() for entry in found]
        elif slots.get(self.word(at)) and self.word(at - 1) not in group("directions"):
            value, entries = at + 1, slots[self.word(at)]
        elif at != begin and at - 1 not in self.sentence.dates:
            return None
        end = self.fill(who, entries, value)
        if end is not None:
            read = {entry.cue.kind for entry in entries if (entry.cue.kind == "date") == (value in self.sentence.dates)}
            for found in slots.values():
                found[:] = [each for each in found if each.cue.kind not in read or each.cue.pattern == "containment"]
        return end

    def _pass(self, at: int, *, verb: bool) -> int | None:
        """Step over a remark in brackets or "in 1915", behind a verb over anything but its end; None for what stays."""
        dated = self.sentence.dates.get(at + 1) if self.word(at) in ("in", "on") else None
        behind = dated[2] if dated else skip_brackets(self.sentence, at)
        if behind > at or not verb or self.word(at) in _ENDS or is_verb(self.sentence, at):
            return behind if behind > at else None
        return at + 1

    def fill(self, who: Referent, entries: list[CueEntry], at: int) -> int | None:
        """Emit the values at ``at`` for each entry of their kind; return where the last ends."""
        ends: list[int] = []
        makers = any(entry.cue.kind == "person" for entry in entries)
        if makers and self.word(at) in JOINS and at + 1 not in self.sentence.mention_at:
            at = self._coordinated(at)
        parents = len({entry.sex for entry in entries} - {None}) > 1
        for entry in entries:
            values, sure = self._values(entry, at, entries), STRUCTURE - 0.05 if entry.cue.pattern else CUE
            ends += [value.last for value in values]
            if entry.sex is not None and values:
                self.mark(NOBODY, at, skip_brackets(self.sentence, values[-1].last))
                for one, other in pairwise(values if parents else ()):
                    whose = self.state.referent(one, self.sentence)
                    self._parents |= dict.fromkeys(range(one.last, other.first), whose)
                last, end = values[-1], values[-1].last
                apposed = self.word(end) == "," and self.word(end + 1) not in JOINS
                if apposed and not self.plan.relatives.isdisjoint(self.sentence.lower[end : end + 4]):
                    self.mark(self.state.referent(last, self.sentence), end, end + 4)  # "X, daughter of Y"
                values = _deal(self.sentence, values, who.label)[entry.sex] if parents else values[:1]
            for value in values:
                self.state.emit(who, entry, value.start, value.end, self.sentence, sure)
        return max(ends, default=None)

    def _values(self, entry: CueEntry, at: int, entries: list[CueEntry]) -> list[NameSpan]:
        if entry.cue.kind == "text":
            return texts_at(self.sentence, at, many=entry.cue.many)
        if entry.cue.kind not in _NAMED:
            value = value_at(self.sentence, at, entry.cue.kind)
            return [value] if value is not None else []
        many = entry.cue.many or entry.cue.kind == "place" or entry.sex is not None
        found = names_after(self.sentence, at, entry.cue.kind, {other.cue.kind for other in entries}, many=many,
                            parents=entry.sex is not None)
        return [] if entry.cue.pattern == "alias" and found and found[0].first - at > 1 else found

    def bearer(self, at: int, *, verb: bool) -> Referent:
        """Whom a phrase is said of: the clause's subject, or of a noun's the name right before it.

        That is the name that it describes ("X, the eldest son of Y"), but not in "born in X, the son of Y".
        """
        sentence, step, word = self.sentence, at - 1, self.word(at - 1)
        while self.word(step).islower() and self.word(step) not in group("breaks"):
            step -= 1
        named = sentence.mention_at.get(step - 1 if self.word(step) in (",", "(") else at - 1)
        own = word in group("parts") | self.state.subject.nouns
        classes = self.plan.classes(word) if verb and not own else ()
        if classes and self.state.subject.cube not in classes:  # "X, a studio founded in 1928"
            return replace(self.state.referent(named, sentence), cube=classes[0]) if named is not None else NOBODY
        before = self.word(named.first - 1) if named is not None and self.word(step) != "(" else ""
        listed = named is None or before in group("before_places") | _LISTING
        return self.at(at) if verb or listed else self.state.referent(named, sentence)

    def _act(self, frame: Frame, at: int, end: int) -> None:
        """ "Teodor Lasz wrote the score", "Radek Ossory directed": the value is the name in front of the verb."""
        subject, sentence, before = self.state.subject, self.sentence, at - 1
        about = self.word(end) in _ABSOLUTE or self.word(end - 1) in group("parts") or self._subject_at(end)
        while self.word(before) in group("before_agent") or self.word(before) in ("who", ","):
            before -= 1
        beside = self.word(at - 1) == "," and self.word(end) in group("prepositions")  # "a studio in X, established in"
        named = sentence.mention_at.get(before) if about and not beside else None
        first = named.first if named is not None else 0
        if self.word(first - 1) in ("of", ","):  # "X of the Civic Union", "X, Duke of Vell"
            named = sentence.mention_at.get(first - 2, named)
        passive = "by" in sentence.lower[max(0, first - 5) : first] and "who" not in sentence.lower[before:at]
        named = None if passive else named  # "a song by the singer X released in 1985"
        amount = value_at(sentence, at, "quantity", before=True) if self.at(at) is subject else None
        for entry in frame.actors if self.at(at) is not NOBODY else ():
            value = amount if entry.cue.kind == "quantity" else named if entry.cue.kind in _NAMED else None
            if value is not None and not subject.named_by(self.state.text[value.start : value.end]):
                self.state.emit(subject, entry, value.start, value.end, sentence, CUE - 0.05)

    def _subject_at(self, at: int) -> bool:
        """Whether the section's subject or a part of it stands at a word as an object: its name, "it", "the film"."""
        found = self.phrase(at)
        return found is not None and found[0].main

    def _role(self, at: int) -> None:
        """ "his father, X", "the film's composer was X", "had two sons, X and Y": the noun names the relation."""
        noun = self.word(at).removesuffix("'s").removesuffix("’s")
        classes = self.plan.roles.get(noun, {})
        owner, index = self._owner(at) if classes else NOBODY, at + 1
        while owner.cube in classes and self.word(index) in group("linking"):
            index += 1
        if owner.cube in classes:
            self.fill(owner, classes[owner.cube], index)

    def _owner(self, at: int) -> Referent:
        """Whose relative or maker the noun at ``at`` speaks of: "his" and "X's" in front of it, or "had two sons".

        Between them may stand what describes the noun: "the fourth son", "his late first wife".
        """
        before = at - 1
        while before >= 0 and (self.sentence.words[before].islower() or self.word(before)[:1].isdigit()):
            if self.word(before) in _OWN or (self.word(before) in group("breaks") and self.word(before) != "and"):
                break
            before -= 1
        named = self.sentence.mention_at.get(before)
        if named is not None and named.possessive:
            return self.state.referent(named, self.sentence)
        if self.word(before) in _OWN:
            return self.pronoun(before)
        having = not _HAVING.isdisjoint(self.sentence.lower[max(0, at - 6) : at])
        listed = self.word(at + 1) in (":", ",", "-", "–", "named", "with", "by")
        return self.at(at) if having and listed else NOBODY


def _deal(sentence: Sentence, values: list[NameSpan], child: str) -> dict[str, list[NameSpan]]:
    """The first person and the one joined to it, by sex: the man first, unless words or names tell otherwise."""
    first, *joined = values
    between = sentence.lower[first.last : joined[0].first] if joined else []
    if _JOINING.isdisjoint(between):
        between, joined = [], []
    own = [word for word in between if word in OWN]  # "X and his wife Y", "the actress X", "X, a duchess, and Y"
    told = sex_of([*own, *sentence.lower[max(0, first.first - 1) : first.last], *between[:-1]])
    other = sex_of(word for each in joined for word in sentence.lower[each.first - 1 : each.last])
    told = told or _OTHER.get(other or "") or ("female" if _sounds_female(sentence, first, joined, child) else "male")
    return {told: [first], _OTHER[told]: joined}


def _sounds_female(sentence: Sentence, first: NameSpan, joined: list[NameSpan], child: str) -> bool:
    """Whether names tell that the first of two parents is the mother: a maiden name, or none that her ``child`` has."""
    lower, behind = sentence.lower, first.last
    bracketed = skip_brackets(sentence, behind) == behind + 3 and behind + 1 in sentence.mention_at  # "Ada (Hesk)"
    if bracketed or not group("maiden").isdisjoint(lower[behind : behind + 2]):
        return True
    names = split_qualifier(child)[0].partition(",")[0].split() if " of " not in child else []
    own, *other = (sentence.words[each.first : each.last] for each in (first, *joined))
    named = len(own) > 1 and "." not in own[-1]  # not "Karl C. and Ada R. Lund"
    return named and other != [] and other[0][-1:] == names[-1:] and not set(own[1:]).intersection(names)
