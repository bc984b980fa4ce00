"""Who each stretch of a sentence speaks about, so that no clause is credited to the wrong subject."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from .header import Header
from .lexicon import lexicon
from .reading import Reading, Referent
from .values import is_verb, skip_brackets, without_courtesy
from .words import Mention, Sentence

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

    def __init__(self, reading: Reading, sentence: Sentence, previous: Referent | None, header: Header | None) -> None:
        self.reading, self.sentence = reading, sentence
        self.clauses = Clauses()
        self.main: Referent | None = previous
        self.begin = header.copula if header is not None and header.name is not None else 0
        self.main = self._subject_at(0, previous, opening=True) if self.begin <= 0 else reading.subject

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
                self.clauses.mark(at, self.reading.subject)
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
            if word not in _MODELLED or self.sentence.word(at + 1) not in ("on", "from", "of", "by", "upon"):
                continue
            end = at + 2
            while end < len(lower) and lower[end] not in (".", ";"):
                joins = lower[end] in (",", "and") and end not in self.sentence.mention_at
                if joins and self.sentence.word(end + 1) in ends:
                    break
                end += 1
            self.clauses.zones.append((at + 2, end, None))

    def _border(self, at: int, relative: bool) -> bool:
        """A comma or conjunction: a new subject, or the return to the main one."""
        following = at + 1
        if self.sentence.word(at) == "," and self.sentence.word(following) in lexicon().group("conjunctions"):
            if (
                self.sentence.word(following) in ("and", "but")
                and is_verb(self.sentence, following + 1)
                and following + 1 not in self.sentence.mention_at
            ):
                self.clauses.mark(following, self.main)
                return False
            return relative
        found = self._explicit(following)
        if found is not None:
            self.clauses.mark(following, found[0])
            return self.sentence.word(at) in lexicon().group("subordinators")
        if (
            relative
            and self.sentence.word(at) == ","
            and (is_verb(self.sentence, following) or self.sentence.word(following).endswith(("ed", "ing")))
        ):
            self.clauses.mark(following, self.main)
            return False
        if (
            relative
            and self.sentence.word(at) == "and"
            and self.sentence.word(at - 1) == ","
            and is_verb(self.sentence, following)
        ):
            self.clauses.mark(at, self.main)
            return False
        return relative

    def _explicit(self, at: int) -> tuple[Referent | None] | None:
        """A subject that is plainly expressed at ``at``: a pronoun, or a name or noun with its verb."""
        sentence = self.sentence
        word = sentence.word(at)
        if word in ("he", "she", "it", "they"):
            return (self._pronoun(word, self.main),)
        if word in _OWN:
            return self._possessed(at)
        if word in ("the", "this") and at + 1 < len(sentence):
            return self._noun_subject(at)
        if word in ('"', "“"):
            at += 1
        mention = sentence.mention_at.get(at)
        if mention is None or mention.first != at or mention.possessive:
            return None
        after = skip_brackets(sentence, mention.last + (sentence.word(mention.last) in ('"', "”")))
        return (self._named(mention),) if is_verb(sentence, after) else None

    def _subject_at(self, at: int, previous: Referent | None, *, opening: bool = False) -> Referent | None:
        """The subject of the clause that starts at ``at``."""
        sentence = self.sentence
        found = self._explicit(at)
        if found is not None:
            return found[0]
        head = self._leading_name(at)
        if head is not None:
            return self._named(head)
        if opening:
            late = self._behind_adverbial(at)
            if late is not None:
                return late[0]
        return self.reading.subject if previous is None or opening or sentence.word(at) else previous

    def _leading_name(self, at: int) -> Mention | None:
        """ "The director X said", "X, a friend of Y, said": a name in front of the sentence's first verb."""
        sentence = self.sentence
        mention = sentence.mention_at.get(at)
        if mention is None and sentence.word(at) in ("the", "american", "british") and sentence.word(at + 1).isalpha():
            mention = sentence.mention_at.get(at + 2)
        if mention is None or mention.possessive:
            return None
        after = skip_brackets(sentence, mention.last)
        if is_verb(sentence, after) or sentence.word(after).endswith("ly"):
            return mention
        return None

    def _behind_adverbial(self, at: int) -> tuple[Referent | None] | None:
        """ "In 1935, she married": the subject behind the first comma or behind the opening phrase."""
        sentence = self.sentence
        if (
            sentence.word(at) not in lexicon().prepositions
            and not sentence.word(at).endswith(("ed", "ing", "ly"))
            and sentence.word(at) not in ("born", "while", "when", "although", "on", "based", "made")
        ):
            return None
        for index in range(at + 1, min(at + 40, len(sentence))):
            if sentence.lower[index] == "," or (index - 1 in sentence.dates or index - 1 in sentence.mention_at):
                start = index + 1 if sentence.lower[index] == "," else index
                if (
                    sentence.lower[index] != ","
                    and sentence.word(index) not in ("he", "she", "it", "they")
                    and not (index in sentence.mention_at and index - 1 in sentence.dates)
                ):
                    continue
                found = self._explicit(start)
                if found is not None:
                    return found
            elif sentence.lower[index] in ("he", "she", "it") and is_verb(sentence, index + 1):
                return (self._pronoun(sentence.lower[index], None),)
        return None

    def _named(self, mention: Mention) -> Referent | None:
        if mention.quoted:
            return self.reading.subject if self.reading.is_subject(mention) else None
        return self.reading.referent(
            mention,
            first=without_courtesy(self.sentence, mention.first, mention.last),
            sentence=self.sentence,
        )

    def _pronoun(self, word: str, previous: Referent | None) -> Referent | None:
        """He and she are persons, it is none; another person in the section takes them only if the
        subject cannot.
        """
        subject, person = self.reading.subject, self.reading.plan.person
        if word in ("he", "she"):
            sex = "male" if word == "he" else "female"
            if (
                previous is not None
                and not previous.main
                and previous.cube == person
                and previous.sex == sex
                and subject.sex != sex
            ):
                return previous
            if subject.cube != person:
                return subject if word == "she" and lexicon().group("ships").intersection(subject.nouns) else None
            return subject if subject.sex in (None, sex) else None
        if word == "it":
            return subject if subject.cube != person else None
        return subject

    def _possessed(self, at: int) -> tuple[Referent | None] | None:
        """ "Her brother X directed", "His films include": relatives are others, the rest tells about the
        subject.
        """
        sentence = self.sentence
        end = at + 1
        while (
            end < len(sentence)
            and end < at + 6
            and sentence.words[end][0].isalpha()
            and end not in sentence.mention_at
            and not is_verb(sentence, end)
            and sentence.lower[end] not in lexicon().breaks
        ):
            end += 1
        nouns = sentence.lower[at + 1 : end]
        owner = self._pronoun({"his": "he", "her": "she", "its": "it"}.get(sentence.lower[at], "they"), self.main)
        if not nouns or lexicon().kin_words.isdisjoint(nouns):
            return (owner,) if is_verb(sentence, end) else None
        name_at = end + 1 if sentence.word(end) == "," else end
        mention = sentence.mention_at.get(name_at)
        after = mention.last if mention is not None else end
        if sentence.word(after) == ",":
            after += 1
        if not is_verb(sentence, after):
            return None
        if mention is not None:
            return (self._named(mention),)
        if sentence.word(after) in ("is", "was", "were", "are", "include", "included"):
            return (None,)
        return (None,)

    def _noun_subject(self, at: int) -> tuple[Referent | None] | None:
        """ "The film" is the subject where the subject is a film; another class's noun is somebody else."""
        sentence = self.sentence
        end = at + 1
        while (
            end < len(sentence)
            and end < at + 5
            and sentence.words[end][0].isalpha()
            and end not in sentence.mention_at
            and not is_verb(sentence, end)
            and sentence.lower[end] not in lexicon().breaks
        ):
            end += 1
        if end == at + 1:
            return None
        head = sentence.word(end - 1).removesuffix("'s").removesuffix("’s")
        if end in sentence.mention_at and not sentence.mention_at[end].quoted:
            mention = sentence.mention_at[end]
            return (self._named(mention),) if is_verb(sentence, mention.last) else None
        subject = self.reading.subject
        if head in subject.nouns or head in lexicon().parts or head in ("couple", "pair", "two"):
            return (
                (subject,)
                if is_verb(sentence, end) or sentence.word(end) == "of" or head != sentence.word(end - 1)
                else None
            )
        cubes = self.reading.plan.nouns.get(head, ())
        if not is_verb(sentence, end) or not cubes:
            return None
        same = lexicon().same_thing
        if subject.cube in cubes and not (head in same and any(noun in same for noun in subject.nouns)):
            return (subject,)
        return (None,)

    def _antecedent(self, at: int) -> Referent | None:
        """What "who" or "which" at ``at`` stands for: the name right before it, or the subject's own noun."""
        sentence = self.sentence
        before = at - 1
        while before > 0 and sentence.lower[before] in lexicon().group("before_relative"):
            before -= 1
        if sentence.word(before) == ")":
            while before > 0 and sentence.lower[before] != "(":
                before -= 1
            before -= 1
        while sentence.word(before) in ('"', "”"):
            before -= 1
        mention = sentence.mention_at.get(before)
        if mention is not None:
            return self._named(mention) if sentence.word(at) != "which" or self.reading.is_subject(mention) else None
        return self.reading.subject if self._head_noun(before) else None

    def _head_noun(self, index: int) -> bool:
        """Whether the word belongs to the phrase that says what the subject is."""
        first, last = self.reading.head_words
        start = self.sentence.starts[index] if 0 <= index < len(self.sentence) else -1
        return first <= start < last or (
            self.sentence.word(index) in self.reading.subject.nouns and self.sentence.word(index - 1) != "the"
        )


def read_clauses(
    reading: Reading, sentence: Sentence, previous: Referent | None, header: Header | None = None
) -> Clauses:
    """Divide a sentence by whom it speaks about; ``previous`` is the subject of the sentence before.

    In the introducing sentence (``header``) everything up to the copula is about the section's subject.
    """
    return _Reader(reading, sentence, previous, header).read()
