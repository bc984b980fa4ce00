"""Who each stretch of a sentence speaks about, so that no clause is credited to the wrong subject."""

from __future__ import annotations

from ..section_state import SectionState
from ..subject import NOBODY, Referent
from ..words.lexicon import group, lexicon
from ..words.values import QUOTES, is_verb, skip_brackets
from ..words.words import NameSpan, Sentence

__all__ = ["OWN", "Clauses"]

OWN = frozenset({"his", "her", "its", "their", "whose"})
_PERSONAL = frozenset({"he", "she", "it", "they"})
_BORDERS = frozenset({",", ";", ":", ""})
_RELATIVE = frozenset({"who", "whose", "whom", "which"})


class Clauses:
    """Whom a sentence speaks about at each of its words.

    In the introducing sentence everything up to the copula, word ``begin``, is about the section's subject.
    """

    def __init__(self, state: SectionState, sentence: Sentence, begin: int = 0) -> None:
        self.state, self.sentence, self.word = state, sentence, sentence.word
        self._who = [state.subject] * (len(sentence) + 1)
        resumed: Referent | None = None
        for at in range(max(0, begin), len(sentence)):
            word, before = self.word(at), self.word(at - 1)
            if word in _RELATIVE and at:
                resumed = resumed or self.at(at)
                self._mark(at, self._antecedent(at))
            elif resumed is not None and before == "," and is_verb(sentence, at):  # "X, in which Y plays, reached"
                self._mark(at, resumed)
            elif word in _PERSONAL or before in _BORDERS or before in group("conjunctions"):
                found = self.phrase(at)
                if found is not None and is_verb(sentence, found[1]):
                    self._mark(at, found[0])

    def at(self, index: int) -> Referent:
        """Whom the word at ``index`` is about."""
        return self._who[min(index, len(self.sentence))] if index >= 0 else self.state.subject

    def hide(self, first: int, last: int) -> None:
        """From ``first`` to ``last`` nothing is told of anybody known."""
        self._who[first:last] = [NOBODY] * (last - first)

    def phrase(self, at: int) -> tuple[Referent, int] | None:
        """Whom the phrase at ``at`` means, and where it ends: "she", a name, "the film", "his sister X"."""
        word = self.word(at)
        if word in _PERSONAL:
            return self.pronoun(at), at + 1
        if word in OWN or word in ("the", "this"):
            return self._noun(at)
        quoted = word in QUOTES
        mention = self.sentence.mention_at.get(at + quoted)
        if mention is None or mention.first != at + quoted or mention.possessive:
            return None
        return self.named(mention), skip_brackets(self.sentence, mention.last + quoted)

    def named(self, mention: NameSpan) -> Referent:
        """Whom a name means; a name in quotation marks is no person's, so only the subject's is known."""
        who = self.state.referent(mention, self.sentence)
        return who if who.main or not mention.quoted else NOBODY

    def pronoun(self, at: int) -> Referent:
        """Whom a pronoun means: whom the words before it are about or else the section's subject, if it fits them."""
        if self.word(at) == "whose":
            return self.at(at)
        sex = lexicon().sex_of_word.get(self.word(at))
        known = [who for who in (self.at(at - 1), self.state.subject) if self._is(who, self.word(at), sex)]
        return next((who for who in known if who.sex == sex), known[0] if known else NOBODY)

    def _is(self, who: Referent, word: str, sex: str | None) -> bool:
        person = who.cube == self.state.plan.person
        return word in ("they", "their") or (person == (sex is not None) and who.sex in (None, sex))

    def _mark(self, index: int, who: Referent) -> None:
        """From ``index`` on the sentence speaks about ``who``."""
        self._who[index:] = [who] * (len(self._who) - index)

    def _noun(self, at: int) -> tuple[Referent, int] | None:
        """ "The film", "his films" tell of the subject, a noun of kin or of another class of somebody else."""
        end, sentence, subject, plan = at + 1, self.sentence, self.state.subject, self.state.plan
        while self.word(end)[:1].isalpha() and end not in sentence.mention_at and not is_verb(sentence, end):
            if self.word(end) in group("prepositions"):
                break
            end += 1
        if end == at + 1:
            return None
        if not plan.relatives.isdisjoint(sentence.lower[at + 1 : end]):  # "her brother X"
            mention = sentence.mention_at.get(end + (self.word(end) == ","))
            last = mention.last if mention is not None else end
            return self.named(mention) if mention is not None else NOBODY, last + (self.word(last) == ",")
        noun = self.word(end - 1)
        if self.word(at) in OWN:
            return self.pronoun(at), end
        if noun in subject.nouns or noun in group("parts"):
            return subject, end
        if noun in group("other_parts"):
            return NOBODY, end
        classes = plan.nouns.get(noun, ())
        return (subject if subject.cube in classes else NOBODY, end) if classes else None

    def _antecedent(self, at: int) -> Referent:
        """What "who" or "which" at ``at`` stands for: the name right before it, or the subject's own noun."""
        before = at - 1
        while before > 0 and (self.word(before) in group("before_relative") or self.word(before) in QUOTES):
            before -= 1
        mention = self.sentence.mention_at.get(before)
        if mention is not None:
            return self.named(mention) if self.word(at) != "which" or self.state.is_subject(mention) else NOBODY
        own = self.word(before) in self.state.subject.nouns and self.word(before - 1) != "the"
        return self.state.subject if own else NOBODY
