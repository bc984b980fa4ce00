"""Who each stretch of a sentence speaks about, so that no clause is credited to the wrong subject."""

from __future__ import annotations

from ..section_state import SectionState
from ..subject import Referent
from ..words.lexicon import group
from ..words.values import is_verb, skip_brackets
from ..words.words import NameSpan, Sentence

__all__ = ["OWN", "Clauses"]

OWN = {"his": "he", "her": "she", "its": "it", "their": "they", "whose": "who"}
_PERSONAL = frozenset({"he", "she", "it", "they"})
_BORDERS = frozenset({",", ";", ":"})
_QUOTES = ('"', "“", "”")
_RELATIVE = frozenset({"who", "whose", "whom", "which"})


class Clauses:
    """Whom a sentence speaks about at each of its words; None is somebody unknown.

    In the introducing sentence everything up to the copula, word ``begin``, is about the section's subject.
    """

    def __init__(self, state: SectionState, sentence: Sentence, begin: int = 0) -> None:
        self.state, self.sentence, self.word = state, sentence, sentence.word
        found = self._explicit(0) if begin <= 0 else None
        main = found[0] if found is not None else state.subject
        self._who = [main] * (len(sentence) + 1)
        relative = False
        for at in range(max(1, begin), len(sentence)):
            word, before = sentence.words[at], sentence.words[at - 1]
            if word in _RELATIVE:
                self._mark(at, self._antecedent(at))
                relative = True
                continue
            if relative and before == "," and is_verb(sentence, at):  # "the film, in which X plays, reached"
                self._mark(at, main)
            told = word in _PERSONAL and is_verb(sentence, at + 1)
            told = told or (at > begin and (before in _BORDERS or before in group("conjunctions")))
            found = self._explicit(at) if told else None
            if found is not None:
                self._mark(at, found[0])

    def at(self, index: int) -> Referent | None:
        """Whom the word at ``index`` is about."""
        return self._who[min(index, len(self.sentence))]

    def hide(self, first: int, last: int) -> None:
        """From ``first`` to ``last`` nothing is told of anybody known."""
        self._who[first:last] = [None] * (last - first)

    def _mark(self, index: int, who: Referent | None) -> None:
        """From ``index`` on the sentence speaks about ``who``."""
        self._who[index:] = [who] * (len(self._who) - index)

    def _explicit(self, at: int) -> tuple[Referent | None] | None:
        """A subject that is plainly expressed at ``at``: a pronoun, or a name or noun with its verb."""
        word = self.word(at)
        if word in _PERSONAL:
            return (self._pronoun(word),)
        if word in OWN or word in ("the", "this"):
            return self._noun_subject(at)
        at += word in _QUOTES
        mention = self.sentence.mention_at.get(at)
        if mention is None or mention.first != at or mention.possessive:
            return None
        after = skip_brackets(self.sentence, mention.last + (self.word(mention.last) in _QUOTES))
        return (self._named(mention),) if is_verb(self.sentence, after) else None

    def _named(self, mention: NameSpan) -> Referent | None:
        who = self.state.referent(mention, sentence=self.sentence)
        return None if mention.quoted and not who.main else who

    def _pronoun(self, word: str) -> Referent | None:
        """He and she are persons, it is none."""
        subject, person = self.state.subject, self.state.plan.person
        if word not in ("he", "she"):
            return subject if word == "they" or subject.cube != person else None
        sex = "male" if word == "he" else "female"
        return subject if subject.cube == person and subject.sex in (None, sex) else None

    def _noun_subject(self, at: int) -> tuple[Referent | None] | None:
        """ "The film", "his films" tell of the subject, a noun of kin or of another class of somebody else."""
        end, sentence, subject = at + 1, self.sentence, self.state.subject
        while self.word(end)[:1].isalpha() and end not in sentence.mention_at and not is_verb(sentence, end):
            end += 1
        noun, kin = self.word(end - 1), not self.state.plan.relatives.isdisjoint(sentence.lower[at + 1 : end])
        mention = sentence.mention_at.get(end + (self.word(end) == ",")) if kin else None
        after = mention.last if mention is not None else end
        if end == at + 1 or not is_verb(sentence, after + (kin and self.word(after) == ",")):
            return None
        if kin:  # "her brother X"
            return (self._named(mention) if mention is not None else None,)
        if self.word(at) in OWN:
            return (self._pronoun(OWN[self.word(at)]),)
        if noun in subject.nouns or noun in group("parts"):
            return (subject,)
        classes = self.state.plan.nouns.get(noun, ())
        return (subject if subject.cube in classes else None,) if classes or noun in group("other_parts") else None

    def _antecedent(self, at: int) -> Referent | None:
        """What "who" or "which" at ``at`` stands for: the name right before it, or the subject's own noun."""
        before = at - 1
        while before > 0 and (self.word(before) in group("before_relative") or self.word(before) in _QUOTES):
            before -= 1
        mention = self.sentence.mention_at.get(before)
        if mention is not None:
            return self._named(mention) if self.word(at) != "which" or self.state.is_subject(mention) else None
        own = self.word(before) in self.state.subject.nouns and self.word(before - 1) != "the"
        return self.state.subject if own else None
