"""Who each stretch of a sentence speaks about, so that no clause is credited to the wrong subject."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from ..header import Header
from ..section_state import Referent, SectionState
from ..words.lexicon import lexicon
from ..words.values import is_verb, skip_brackets, without_courtesy
from ..words.words import NameSpan, Sentence

__all__ = ["Clauses", "read_clauses"]

_PRONOUNS = frozenset({"he", "she", "it", "they", "who"})
_OWN = frozenset({"his", "her", "its", "their"})
_MODELLED = frozenset({"based", "adapted", "adaptation", "inspired", "remake", "version"})


@dataclass
class Clauses:
    """Referents by word: from word ``starts[i]`` on the sentence speaks about ``who[i]``; None is
    somebody unknown.
    """

    starts: list[int] = field(default_factory=list)
    who: list[Referent | None] = field(default_factory=list)
    zones: list[tuple[int, int, Referent | None]] = field(default_factory=list)

    def at(self, index: int) -> Referent | None:
        """Whom the word at ``index`` is about."""
        for first, last, who in self.zones:
            if first <= index < last:
                return who
        return self.who[bisect_right(self.starts, index) - 1] if self.starts else None

    def mark(self, index: int, who: Referent | None) -> None:
        """From ``index`` on the sentence speaks about ``who``."""
        if self.starts and self.starts[-1] == index:
            self.who[-1] = who
        else:
            self.starts.append(index)
            self.who.append(who)


@lru_cache(maxsize=1)
def _turning() -> frozenset[str]:
    """The words at which a sentence may turn to another subject."""
    return lexicon().group("conjunctions") | {"who", "whose", "whom", "which", "that", ";", ":", ",", "he", "she", "it"}


class _Reader:
    """Walks over one sentence and notes where its subject changes."""

    def __init__(
        self, state: SectionState, sentence: Sentence, previous: Referent | None, header: Header | None
    ) -> None:
        self.state, self.sentence, self.word = state, sentence, sentence.word
        self.clauses = Clauses()
        self.main: Referent | None = previous
        self.begin = header.copula if header is not None and header.name is not None else 0
        self.main = self._subject_at(0, previous, opening=True) if self.begin <= 0 else state.subject

    def read(self) -> Clauses:
        sentence, size = self.sentence, len(self.sentence)
        self.clauses.mark(0, self.main)
        self._mark_models()
        at, relative = max(1, self.begin), False
        turning, conjunctions = _turning(), lexicon().group("conjunctions")
        while at < size:
            word = sentence.lower[at]
            if word not in turning:
                at += 1
                continue
            if at in sentence.mention_at and sentence.mention_at[at].quoted:
                at = sentence.mention_at[at].last
                continue
            if word in ("who", "whose", "whom", "which") and sentence.words[at].islower():
                self.clauses.mark(at, self._antecedent(at))
                relative = True
            elif word == "that" and self._head_noun(at - 1):
                self.clauses.mark(at, self.state.subject)
            elif word == ";" or (word == ":" and at + 1 < size):
                relative = False
                self.clauses.mark(at + 1, self._subject_at(at + 1, self.main))
            elif word in conjunctions or word == ",":
                relative = self._border(at, relative)
            elif word in ("he", "she", "it") and is_verb(sentence, at + 1):
                self.clauses.mark(at, self._pronoun(word, self.main))
            at += 1
        return self.clauses

    def _mark_models(self) -> None:
        """What "based on" governs tells of the model: who wrote that did not write the section's subject."""
        lower, ends = self.sentence.lower, lexicon().group("after_basis")
        for at, word in enumerate(lower):
            if word not in _MODELLED or self.word(at + 1) not in ("on", "from", "of", "by", "upon"):
                continue
            end = at + 2
            while end < len(lower) and lower[end] not in (".", ";"):
                joins = lower[end] in (",", "and") and end not in self.sentence.mention_at
                if joins and self.word(end + 1) in ends:
                    break
                end += 1
            self.clauses.zones.append((at + 2, end, None))

    def _border(self, at: int, relative: bool) -> bool:
        """A comma or conjunction: a new subject, or the return to the main one; whether a relative clause goes on."""
        word, following = self.word(at), at + 1
        if word == "," and self.word(following) in lexicon().group("conjunctions"):
            joined = self.word(following) in ("and", "but") and following + 1 not in self.sentence.mention_at
            if joined and is_verb(self.sentence, following + 1):
                self.clauses.mark(following, self.main)
                return False
            return relative
        found = self._explicit(following)
        if found is not None:
            self.clauses.mark(following, found[0])
            return word in lexicon().group("subordinators")
        verb = is_verb(self.sentence, following)
        closes = word == "," and (verb or self.word(following).endswith(("ed", "ing")))
        if relative and (closes or (word == "and" and self.word(at - 1) == "," and verb)):
            self.clauses.mark(following, self.main)
            return False
        return relative

    def _explicit(self, at: int) -> tuple[Referent | None] | None:
        """A subject that is plainly expressed at ``at``: a pronoun, or a name or noun with its verb."""
        word = self.word(at)
        if word in ("he", "she", "it", "they"):
            return (self._pronoun(word, self.main),)
        if word in _OWN:
            return self._possessed(at)
        if word in ("the", "this"):
            return self._noun_subject(at)
        at += word in ('"', "“")
        mention = self.sentence.mention_at.get(at)
        if mention is None or mention.first != at or mention.possessive:
            return None
        after = skip_brackets(self.sentence, mention.last + (self.word(mention.last) in ('"', "”")))
        return (self._named(mention),) if is_verb(self.sentence, after) else None

    def _subject_at(self, at: int, previous: Referent | None, *, opening: bool = False) -> Referent | None:
        """The subject of the clause that starts at ``at``."""
        found = self._explicit(at) or self._leading_name(at) or (self._behind_adverbial(at) if opening else None)
        if found is not None:
            return found[0]
        return self.state.subject if previous is None or opening or self.word(at) else previous

    def _leading_name(self, at: int) -> tuple[Referent | None] | None:
        """ "The director X said", "X quickly said": a name in front of the sentence's first verb."""
        mention = self.sentence.mention_at.get(at)
        if mention is None and self.word(at) == "the" and self.word(at + 1).isalpha():
            mention = self.sentence.mention_at.get(at + 2)
        if mention is None or mention.possessive:
            return None
        after = skip_brackets(self.sentence, mention.last)
        return (self._named(mention),) if is_verb(self.sentence, after) or self.word(after).endswith("ly") else None

    def _behind_adverbial(self, at: int) -> tuple[Referent | None] | None:
        """ "In 1935, she married", "In 1935 she married": the subject behind an opening phrase."""
        word, sentence = self.word(at), self.sentence
        opens = word in lexicon().prepositions or word in ("born", "while", "when", "although", "made")
        for index in range(at + 1, min(at + 40, len(sentence))) if opens or word.endswith(("ed", "ing", "ly")) else ():
            if sentence.lower[index] == ",":
                found = self._explicit(index + 1)
                if found is not None:
                    return found
            elif sentence.lower[index] in ("he", "she", "it", "they") and is_verb(sentence, index + 1):
                return (self._pronoun(sentence.lower[index], None),)
        return None

    def _named(self, mention: NameSpan) -> Referent | None:
        if mention.quoted:
            return self.state.subject if self.state.is_subject(mention) else None
        first = without_courtesy(self.sentence, mention.first, mention.last)
        return self.state.referent(mention, first=first, sentence=self.sentence)

    def _pronoun(self, word: str, previous: Referent | None) -> Referent | None:
        """He and she are persons, it is none; another person takes them only if the section's subject cannot."""
        subject, person = self.state.subject, self.state.plan.person
        if word == "it":
            return subject if subject.cube != person else None
        if word not in ("he", "she"):
            return subject
        sex = "male" if word == "he" else "female"
        other = previous is not None and not previous.main and previous.cube == person and previous.sex == sex
        if other and subject.sex != sex:
            return previous
        if subject.cube != person:
            return subject if word == "she" and lexicon().group("ships").intersection(subject.nouns) else None
        return subject if subject.sex in (None, sex) else None

    def _noun_end(self, at: int) -> int:
        """Where the plain words from ``at`` on end."""
        end, words = at, self.sentence.words
        while end < min(len(words), at + 5) and words[end][0].isalpha() and end not in self.sentence.mention_at:
            if is_verb(self.sentence, end) or self.word(end) in lexicon().breaks:
                break
            end += 1
        return end

    def _possessed(self, at: int) -> tuple[Referent | None] | None:
        """ "Her brother X directed", "His films include": relatives are others, the rest tells about the subject."""
        end = self._noun_end(at + 1)
        if lexicon().kin_words.isdisjoint(self.sentence.lower[at + 1 : end]):
            pronoun = {"his": "he", "her": "she", "its": "it"}.get(self.word(at), "they")
            return (self._pronoun(pronoun, self.main),) if is_verb(self.sentence, end) else None
        mention = self.sentence.mention_at.get(end + (self.word(end) == ","))
        after = mention.last if mention is not None else end
        if not is_verb(self.sentence, after + (self.word(after) == ",")):
            return None
        return (self._named(mention) if mention is not None else None,)

    def _noun_subject(self, at: int) -> tuple[Referent | None] | None:
        """ "The film" is the subject where the subject is a film; another class's noun is somebody else."""
        end, subject = self._noun_end(at + 1), self.state.subject
        head = self.word(end - 1).removesuffix("'s").removesuffix("’s")
        mention, verb = self.sentence.mention_at.get(end), is_verb(self.sentence, end)
        if end == at + 1:
            return None
        if mention is not None and not mention.quoted:
            return (self._named(mention),) if is_verb(self.sentence, mention.last) else None
        if head in subject.nouns or head in lexicon().parts or head in ("couple", "pair", "two"):
            return (subject,) if verb or self.word(end) == "of" or head != self.word(end - 1) else None
        cubes, same = self.state.plan.nouns.get(head, ()), lexicon().same_thing
        if not verb or not cubes:
            return None
        another = head in same and any(noun in same for noun in subject.nouns)
        return (subject if subject.cube in cubes and not another else None,)

    def _antecedent(self, at: int) -> Referent | None:
        """What "who" or "which" at ``at`` stands for: the name right before it, or the subject's own noun."""
        sentence, before = self.sentence, at - 1
        while before > 0 and sentence.lower[before] in lexicon().group("before_relative"):
            before -= 1
        if self.word(before) == ")":
            before = max((i for i in range(before) if sentence.lower[i] == "("), default=0) - 1
        before -= self.word(before) in ('"', "”")
        mention = sentence.mention_at.get(before)
        body = mention.first if mention is not None and self.word(at) == "who" else 0
        if self.word(body - 1) == "the" and self.word(body - 2) in ("of", "in", "for") and self._head_noun(body - 3):
            return self.state.subject  # "an officer of the Navy who"
        if mention is not None:
            return self._named(mention) if self.word(at) != "which" or self.state.is_subject(mention) else None
        return self.state.subject if self._head_noun(before) else None

    def _head_noun(self, index: int) -> bool:
        """Whether the word belongs to the phrase that says what the subject is."""
        own = self.word(index) in self.state.subject.nouns and self.word(index - 1) != "the"
        return own or self.state.in_head(self.sentence, index)


def read_clauses(
    state: SectionState, sentence: Sentence, previous: Referent | None, header: Header | None = None
) -> Clauses:
    """Divide a sentence by whom it speaks about; ``previous`` is the subject of the sentence before.

    In the introducing sentence (``header``) everything up to the copula is about the section's subject.
    """
    return _Reader(state, sentence, previous, header).read()
