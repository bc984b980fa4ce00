"""Who each stretch of a sentence speaks about, so that no clause is credited to the wrong subject."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from ..header import Header
from ..section_state import Referent, SectionState
from ..words.lexicon import group, lexicon
from ..words.values import is_verb, skip_brackets
from ..words.words import NameSpan, Sentence

__all__ = ["OWN", "Clauses", "read_clauses"]

OWN = {"his": "he", "her": "she", "its": "it", "their": "they", "whose": "who"}
_PERSONAL = frozenset({"he", "she", "it", "they"})
_BORDERS = frozenset({",", ";", ":"})
_RELATIVE = frozenset({"who", "whose", "whom", "which"})


@dataclass
class Clauses:
    """Referents by word: from word ``starts[i]`` on the sentence speaks about ``who[i]``; None is somebody unknown."""

    starts: list[int] = field(default_factory=list)
    who: list[Referent | None] = field(default_factory=list)
    zones: list[tuple[int, int]] = field(default_factory=list)

    def at(self, index: int) -> Referent | None:
        """Whom the word at ``index`` is about."""
        if self.foreign(index):
            return None
        return self.who[bisect_right(self.starts, index) - 1] if self.starts else None

    def mark(self, index: int, who: Referent | None) -> None:
        """From ``index`` on the sentence speaks about ``who``."""
        self.starts.append(index)
        self.who.append(who)

    def foreign(self, index: int) -> bool:
        """Whether the word stands where nothing is told of anybody known."""
        return any(first <= index < last for first, last in self.zones)


class _Reader:
    """Walks over one sentence and notes where its subject changes."""

    def __init__(self, state: SectionState, sentence: Sentence, previous: Referent | None) -> None:
        self.state, self.sentence, self.word = state, sentence, sentence.word
        self.clauses, self.main = Clauses(), previous

    def read(self, begin: int) -> Clauses:
        """Divide the sentence; up to word ``begin`` it introduces the section's subject."""
        found = self._explicit(0) if begin <= 0 else (self.state.subject,)
        self.main = found[0] if found is not None else self.state.subject
        self.clauses.mark(0, self.main)
        relative = False
        for at in range(max(1, begin), len(self.sentence)):
            word = self.sentence.words[at]
            if word in _RELATIVE:
                self.clauses.mark(at, self._antecedent(at))
                relative = True
            elif relative and word == "," and is_verb(self.sentence, at + 1):  # "the film, in which X plays, reached"
                self.clauses.mark(at + 1, self.main)
                relative = False
            elif word in _BORDERS or word in group("conjunctions"):
                self._border(at)
            elif word in _PERSONAL and is_verb(self.sentence, at + 1):
                self.clauses.mark(at, self._pronoun(word))
        return self.clauses

    def _border(self, at: int) -> None:
        """A comma or conjunction: a new subject may be expressed behind it."""
        found = self._explicit(at + 1)
        if found is not None:
            if self.word(0) in lexicon().prepositions and len(self.clauses.who) == 1:
                self.main = found[0]  # "In 1935, she married"
            self.clauses.mark(at + 1, found[0])

    def _explicit(self, at: int) -> tuple[Referent | None] | None:
        """A subject that is plainly expressed at ``at``: a pronoun, or a name or noun with its verb."""
        word = self.word(at)
        if word in _PERSONAL:
            return (self._pronoun(word),)
        if word in OWN or word in ("the", "this"):
            return self._noun_subject(at)
        at += word in ('"', "“")
        mention = self.sentence.mention_at.get(at)
        if mention is None or mention.first != at or mention.possessive:
            return None
        after = skip_brackets(self.sentence, mention.last + (self.word(mention.last) in ('"', "”")))
        return (self._named(mention),) if is_verb(self.sentence, after) else None

    def _named(self, mention: NameSpan) -> Referent | None:
        if mention.quoted:
            return self.state.subject if self.state.is_subject(mention) else None
        return self.state.referent(mention, sentence=self.sentence)

    def _pronoun(self, word: str) -> Referent | None:
        """He and she are persons, it is none; another person takes them only if the section's subject cannot."""
        subject, person, previous = self.state.subject, self.state.plan.person, self.main
        if word not in ("he", "she"):
            return subject if word == "they" or subject.cube != person else None
        sex = "male" if word == "he" else "female"
        if previous is not None and not previous.main and previous.sex == sex and subject.sex != sex:
            return previous
        return subject if subject.cube == person and subject.sex in (None, sex) else None

    def _noun_subject(self, at: int) -> tuple[Referent | None] | None:
        """ "The film", "his films" tell of the subject, "her brother X" of X, another class's noun of somebody else."""
        end, sentence, subject = at + 1, self.sentence, self.state.subject
        while self.word(end)[:1].isalpha() and end not in sentence.mention_at and not is_verb(sentence, end):
            end += 1
        nouns, mention = sentence.lower[at + 1 : end], sentence.mention_at.get(end + (self.word(end) == ","))
        if nouns and not self.state.plan.relatives.isdisjoint(nouns):
            after = mention.last if mention is not None else end
            named = self._named(mention) if mention is not None else None
            return (named,) if is_verb(sentence, after + (self.word(after) == ",")) else None
        if not nouns or not is_verb(sentence, end):
            return None
        if self.word(at) in OWN:
            return (self._pronoun(OWN[self.word(at)]),)
        if nouns[-1] in subject.nouns or nouns[-1] in group("parts"):
            return (subject,)
        known = lexicon().same_thing if nouns[-1] in lexicon().same_thing else {}
        another = nouns[-1] in group("other_parts") or any(noun in known for noun in subject.nouns)
        classes = self.state.plan.nouns.get(nouns[-1], ())
        return (subject if subject.cube in classes and not another else None,) if classes or another else None

    def _antecedent(self, at: int) -> Referent | None:
        """What "who" or "which" at ``at`` stands for: the name right before it, or the subject's own noun."""
        before = at - 1
        while before > 0 and (self.word(before) in group("before_relative") or self.word(before) in ('"', "”")):
            before -= 1
        if self.word(before) == ")":
            before = max((i for i in range(before) if self.word(i) == "("), default=0) - 1
        mention = self.sentence.mention_at.get(before)
        if mention is None:
            return self.state.subject if self._head_noun(before) else None
        own = self.state.is_subject(mention)
        return self._named(mention) if own or self.word(at) != "which" else None

    def _head_noun(self, index: int) -> bool:
        """Whether the word is what the subject is."""
        own = self.word(index) in self.state.subject.nouns and self.word(index - 1) != "the"
        return own or self.state.in_head(self.sentence, index)


def read_clauses(
    state: SectionState, sentence: Sentence, previous: Referent | None, header: Header | None = None
) -> Clauses:
    """Divide a sentence by whom it speaks about; ``previous`` is the subject of the sentence before.

    In the introducing sentence (``header``) everything up to the copula is about the section's subject.
    """
    begin = header.copula if header is not None and header.name is not None else 0
    return _Reader(state, sentence, previous).read(begin)
