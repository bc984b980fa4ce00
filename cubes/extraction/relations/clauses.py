"""Who each stretch of a sentence speaks about, so that no clause is credited to the wrong subject."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from ..header import Header
from ..section_state import Referent, SectionState
from ..words.lexicon import group, lexicon
from ..words.values import is_verb, skip_brackets
from ..words.words import NameSpan, Sentence

__all__ = ["Clauses", "read_clauses"]

_PERSONAL = ("he", "she", "it", "they")
_OWN = {"his": "he", "her": "she", "its": "it", "their": "they"}
_MODELLED = frozenset({"based", "adapted", "adaptation", "inspired", "remake", "version"})
_PLACING = frozenset({"in", "at", "from", "near"})


@dataclass
class Clauses:
    """Referents by word: from word ``starts[i]`` on the sentence speaks about ``who[i]``; None is somebody unknown."""

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

    def foreign(self, index: int) -> bool:
        """Whether the word stands where nothing is told of anybody known."""
        return any(first <= index < last and who is None for first, last, who in self.zones)


@lru_cache(maxsize=1)
def _turning() -> frozenset[str]:
    """The words at which a sentence may turn to another subject."""
    return group("conjunctions") | {"who", "whose", "whom", "which", ";", ":", ",", "he", "she", "it"}


class _Reader:
    """Walks over one sentence and notes where its subject changes."""

    def __init__(
        self, state: SectionState, sentence: Sentence, previous: Referent | None, header: Header | None
    ) -> None:
        self.state, self.sentence, self.word = state, sentence, sentence.word
        self.clauses = Clauses()
        self.main: Referent | None = previous
        self.begin = header.copula if header is not None and header.name is not None else 0
        self.main = self._opening() if self.begin <= 0 else state.subject

    def read(self) -> Clauses:
        self.clauses.mark(0, self.main)
        self._mark_models()
        turning, conjunctions, following = _turning(), group("conjunctions"), self.sentence.lower
        relative = False
        for at in range(max(1, self.begin), len(self.sentence)):
            word = following[at]
            if word not in turning:
                continue
            if word.startswith("wh") and word not in conjunctions and self.sentence.words[at].islower():
                self.clauses.mark(at, self._antecedent(at))
                relative = True
            elif relative and word == "," and is_verb(self.sentence, at + 1):  # "the film, in which X plays, reached"
                self.clauses.mark(at + 1, self.main)
                relative = False
            elif word in conjunctions or word in (",", ";", ":"):
                self._border(at, conjunctions)
            elif word in _PERSONAL and is_verb(self.sentence, at + 1):
                self.clauses.mark(at, self._pronoun(word, self.main))
        return self.clauses

    def _mark_models(self) -> None:
        """What "based on" governs tells of the model: who wrote that did not write the section's subject."""
        lower, ends = self.sentence.lower, group("after_basis")
        for at, word in enumerate(lower):
            if word not in _MODELLED or self.word(at + 1) not in ("on", "from", "of", "by", "upon"):
                continue
            end = at + 2
            while end < len(lower) and lower[end] not in (".", ";"):
                if lower[end] in (",", "and") and end not in self.sentence.mention_at and self.word(end + 1) in ends:
                    break
                end += 1
            self.clauses.zones.append((at + 2, end, None))

    def _border(self, at: int, conjunctions: frozenset[str]) -> None:
        """A comma or conjunction: a new subject, or behind ", and" with a verb the return to the main one."""
        following = at + 1
        if self.word(at) == "," and self.word(following) in conjunctions:
            if self.word(following) in ("and", "but") and is_verb(self.sentence, following + 1):
                self.clauses.mark(following, self.main)
        elif (found := self._explicit(following)) is not None:
            self.clauses.mark(following, found[0])

    def _explicit(self, at: int) -> tuple[Referent | None] | None:
        """A subject that is plainly expressed at ``at``: a pronoun, or a name or noun with its verb."""
        word = self.word(at)
        if word in _PERSONAL:
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

    def _opening(self) -> Referent | None:
        """The subject of the sentence: expressed at its start or behind an opening phrase, else the section's."""
        found = self._explicit(0) or self._behind_adverbial()
        return found[0] if found is not None else self.state.subject

    def _behind_adverbial(self) -> tuple[Referent | None] | None:
        """ "In 1935, she married", "In 1935 she married": the subject behind an opening phrase."""
        word, sentence = self.word(0), self.sentence
        opens = word in lexicon().prepositions or word in group("conjunctions") or word.endswith(("ed", "ing", "ly"))
        for index in range(1, min(40, len(sentence))) if opens else ():
            if sentence.lower[index] == ",":
                found = self._explicit(index + 1)
                if found is not None:
                    return found
            elif sentence.lower[index] in _PERSONAL and is_verb(sentence, index + 1):
                return (self._pronoun(sentence.lower[index], None),)
        return None

    def _named(self, mention: NameSpan) -> Referent | None:
        if mention.quoted:
            return self.state.subject if self.state.is_subject(mention) else None
        return self.state.referent(mention, sentence=self.sentence)

    def _pronoun(self, word: str, previous: Referent | None) -> Referent | None:
        """He and she are persons, it is none; another person takes them only if the section's subject cannot."""
        subject, person = self.state.subject, self.state.plan.person
        if word not in ("he", "she"):
            return subject if word == "they" or subject.cube != person else None
        if word == "she" and not group("ships").isdisjoint(subject.nouns):
            return subject
        sex = "male" if word == "he" else "female"
        if previous is not None and not previous.main and previous.sex == sex and subject.sex != sex:
            return previous
        return subject if subject.cube == person and subject.sex in (None, sex) else None

    def _noun_end(self, at: int) -> int:
        """Where the plain words from ``at`` on end."""
        end, words = at, self.sentence.words
        while end < min(len(words), at + 5) and words[end][0].isalpha() and end not in self.sentence.mention_at:
            if is_verb(self.sentence, end) or self.word(end) in group("breaks"):
                break
            end += 1
        return end

    def _possessed(self, at: int) -> tuple[Referent | None] | None:
        """ "Her brother X directed", "His films include": relatives are others, the rest tells about the subject."""
        end = self._noun_end(at + 1)
        if lexicon().kin_words.isdisjoint(self.sentence.lower[at + 1 : end]):
            verb = is_verb(self.sentence, end)
            return (self._pronoun(_OWN[self.word(at)], self.main),) if verb else None
        return self._relative(end)

    def _relative(self, end: int) -> tuple[Referent | None] | None:
        """The person named behind a noun of kinship, where a verb follows."""
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
        if not lexicon().kin_words.isdisjoint(self.sentence.lower[at + 1 : end]):
            return self._relative(end)  # "the couple's only child, X, was born"
        if end == at + 1 or (mention is not None and not mention.quoted):
            named = mention is not None and end > at + 1 and is_verb(self.sentence, mention.last)
            return (self._named(mention),) if mention is not None and named else None
        if head in group("other_parts"):
            return (None,)  # who designed a film's sets did not design the film
        if head in subject.nouns or head in group("parts"):
            return (subject,) if verb or self.word(end) == "of" else None
        cubes, same = self.state.plan.nouns.get(head, ()), lexicon().same_thing
        if not verb or not cubes:
            return None
        another = head in same and any(noun in same for noun in subject.nouns)
        return (subject if subject.cube in cubes and not another else None,)

    def _antecedent(self, at: int) -> Referent | None:
        """What "who" or "which" at ``at`` stands for: the name right before it, or the subject's own noun."""
        before = at - 1
        while before > 0 and self.word(before) in group("before_relative"):
            before -= 1
        if self.word(before) == ")":
            before = max((i for i in range(before) if self.word(i) == "("), default=0) - 1
        before -= self.word(before) in ('"', "”")
        mention = self.sentence.mention_at.get(before)
        if mention is None:
            return self.state.subject if self._head_noun(before) else None
        if self.word(at) == "which":
            return self.state.subject if self.state.is_subject(mention) else None
        begin = mention.first - 1 - (self.word(mention.first - 1) == "the")
        noun = self._head_noun(begin - 1) and self.word(begin) in ("of", "in", "for")
        placed = self.word(mention.first - 1) in _PLACING and self._head_noun(begin - 1)
        # "an officer of the Navy who", "a martyr from Vell, who"
        return self.state.subject if placed or (noun and begin < mention.first - 1) else self._named(mention)

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
    return _Reader(state, sentence, previous, header).read()
