"""Reading a question from its name outwards, by the ontology's cues.

The words around a name are taken step by step into the name's place: "where was the director of the film X born" is
"where was {} born" of the director of X. A noun of a relation and at last the question itself are such steps. Clauses,
and what no cue explains, are left to the syntax (`open_plans`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .....cubes.core.folding import fold
from ..plan import AnswerType, QuestionEntity, RelationStep, Term
from ..vocabulary.cues import CueReader
from ..vocabulary.lexicon import QuestionLexicon, ranks
from ..vocabulary.linker import EntityLinker
from ..vocabulary.mentions import MARKS, MentionFinder, plain
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, CLAUSAL, PREPOSITIONS, QUESTIONING, RELATIVE

__all__ = ["GAP", "TermParser", "looked_up"]

GAP = "{}"
_BE = frozenset({"is", "are", "was", "were"})
_OF = frozenset({"of", "for", "behind", "to"})
_MADE_OF = {"who": "person", "whom": "person", "whose": "person", "when": "date", "where": "where"}
_ASKING = frozenset({
    "tell", "me", "name", "give", "find", "say", "state", "please", "do", "doe", "you", "know", "can", "could", "i",
    "want", "to", "identify", "us", "so", "and", "then", "exactly", "list", "show", "full", "of",
}) | ARTICLES  # fmt: skip
"""Words that only ask for attention."""
_KINDS = frozenset({"kind", "type", "sort", "instance", "example", "form"})
_LONGEST = 5  # words of a cue
_NOUN = 4  # words of a noun that names a relation, and of one that classes things
_LEFTOVER = 2  # words that a reading may leave unexplained
_QUESTIONS = {
    "died on": "When did {} die?",
    "died in": "Where did {} die?",
    "took place on": "When did {} take place?",
    "happened on": "When did {} happen?",
    "reigned from": "When did {} reign?",
    "nationality": "What nationality is {}?",
    "based in": "Where is {} based?",
    "located in": "Where is {} located?",
    "employees": "How many employees does {} have?",
    "members": "How many members does {} have?",
}
_WORDS_OF = {"on": "When was {} ", "in": "Where was {} ", "by": "Who was {} "}
_POSSESSIVE = re.compile(r"(?<=\w)\s?['’]\s?s\b(?=\s+\S)|(?<=s)['’](?=\s+\w)", re.IGNORECASE)


def words_of(text: str) -> list[str]:
    """Split a question at white space; a possessive mark is a word by itself, other marks stay on their words."""
    return _POSSESSIVE.sub(lambda found: f" {found[0].strip()}", " ".join(text.split())).rstrip(" ?.!").split()


def looked_up(names: Sequence[str]) -> str:
    """The subquery that looks a relation up: "born on" by "When was {} born?"."""
    name = names[0] if names else "value"
    verb, _, last = name.rpartition(" ")
    if name in _QUESTIONS:
        return _QUESTIONS[name]
    if verb and last in _WORDS_OF:
        return f"{_WORDS_OF[last]}{name if last == 'by' else verb}?"
    return f"What is {{}} a {name}?" if last == "of" else f"What is the {name} of {{}}?"


@dataclass(frozen=True, slots=True)
class _Text:
    """A question's words with a gap in the place of what has been read."""

    words: tuple[str, ...]
    base: Term

    @property
    def at(self) -> int:
        return self.words.index(GAP)

    def taken(self, start: int, end: int, base: Term) -> _Text:
        """The text with more of its words in the gap."""
        return _Text((*self.words[:start], GAP, *self.words[end:]), base)


@dataclass(frozen=True, slots=True)
class _Opening:
    """The words that ask, and what they ask for; ``front`` is the preposition before them."""

    start: int
    end: int
    want: AnswerType
    word: str
    front: str = ""


class TermParser:
    """Reads questions with one name, or with a gap whose term is known already, with one ontology's cues."""

    def __init__(self, lexicon: QuestionLexicon, linker: EntityLinker) -> None:
        self.lexicon, self.linker = lexicon, linker
        self._terms: dict[str, Term | None] = {}
        self.cues = CueReader(lexicon, linker)
        self.mentions = MentionFinder(lexicon, linker)

    def term(self, text: str) -> Term | None:
        """Read a question with one name, or a noun phrase; None where cues do not explain it. Readings are kept."""
        if text not in self._terms:
            self._terms[text] = self.read(text)
        return self._terms[text]

    def forget(self) -> None:
        """Drop the kept readings."""
        self._terms.clear()

    def read(self, text: str, base: Term | None = None) -> Term | None:
        """Return the term that a question or a noun phrase asks for, or None where cues do not explain it.

        With ``base`` the text has `GAP` in its place.
        """
        words = words_of(text)
        if base is None:
            found = self.mentions.longest(words)
            if found is None:
                return None
            words[found.start : found.end] = [GAP]
            base = found.entity
        if GAP not in words:
            return None
        now: _Text | None = _Text(tuple(w if w == GAP else w.strip(",;:") or w for w in words), base)
        while now is not None:
            if self._asks_nothing_more(now.words):
                return now.base if isinstance(now.base, RelationStep) or len(now.words) == 1 else self._what_is(now)
            further = self._noun(now)
            if further is None:
                return self._question(now)
            now = further
        return None

    # What is taken into the gap -------------------------------------------------------------------------------

    def _noun(self, text: _Text) -> _Text | None:
        """ "the director of {}", "{}'s mother"."""
        at, words = text.at, text.words
        if at + 1 < len(words) and words[at + 1] in MARKS:
            for start in range(at + 2, min(at + 4, len(words))):
                for end in range(min(len(words), start + _NOUN), start, -1):
                    step = self._related(words[start:end], text.base)
                    if step is not None and all(map(plain, words[at + 2 : start])):
                        rank = next((w for w in words[at + 2 : start] if fold(w) in ranks()), "")
                        return text.taken(at, end, _ranked(step, rank))
        if at > 1 and fold(words[at - 1]) in _OF:
            for start in range(max(0, at - 1 - _NOUN), at - 1):
                step = self._related(words[start : at - 1], text.base)
                if step is not None:
                    return self._with_lead(text, start, at + 1, step)
        return None

    def _related(self, noun: Sequence[str], base: Term) -> RelationStep | None:
        if not all(map(plain, noun)):
            return None
        return self.cues.relation(" ".join(map(fold, noun)), base)

    def _with_lead(self, text: _Text, start: int, end: int, step: RelationStep) -> _Text:
        """Take in the adjectives and the article before a noun; one of rank picks a value."""
        first, words = start, text.words
        while first > 0 and start - first < _NOUN and plain(words[first - 1]):
            if fold(words[first - 1]) in CLAUSAL - ranks().keys() | QUESTIONING:
                break
            first -= 1
            if fold(words[first]) in ARTICLES:
                break
        rank = next((w for w in words[first:start] if w.lower() in ranks()), "")
        return text.taken(first, end, _ranked(step, rank))

    def _is_noun(self, words: Sequence[str]) -> bool:
        key = " ".join(map(fold, words))
        return key in self.lexicon.nouns or key in self.lexicon.kinds

    # The question itself --------------------------------------------------------------------------------------

    def _asks_nothing_more(self, words: Sequence[str]) -> bool:
        """Whether nothing but "who is {}" is left."""
        left = [fold(w) for w in words if w != GAP]
        return all(w in QUESTIONING | _BE | _ASKING for w in left) and not {"when", "how", "why"} & set(left)

    def _what_is(self, text: _Text) -> Term | None:
        """ "Who is {}" of a name asks for what it is, "where is {}" for its place."""
        asked = {fold(w) for w in text.words}
        if not isinstance(text.base, QuestionEntity) or not asked & _BE:
            return None
        return self.cues.placed(text.base) if "where" in asked else self.cues.what_is(text.base)

    def _question(self, text: _Text) -> RelationStep | None:
        opening = self._opening(text.words)
        if opening is None:
            return None
        rest = [*text.words[: opening.start], *text.words[opening.end :]]
        if GAP not in rest:
            return None
        told = [w for w in rest if w != GAP and fold(w) not in AUXILIARIES | ARTICLES | PREPOSITIONS]
        kinds = _KINDS.issuperset(map(fold, told)) and (told or opening.want.noun in _KINDS)
        if kinds and isinstance(text.base, QuestionEntity) and fold(rest[0]) in _BE:
            return self.cues.what_is(text.base, "What kind of thing is {}?")
        if not told and isinstance(text.base, RelationStep) and not opening.front and fold(rest[0]) in _BE:
            kind, noun = text.base.want.kind or opening.want.kind, opening.want.noun or text.base.want.noun
            if kind in (opening.want.kind, None) or opening.want.kind is None:
                return replace(text.base, want=AnswerType(kind, noun))
        return self.clause(text.words, opening.end, text.base, opening.want, opening.front, opening.start)

    def _opening(self, words: Sequence[str]) -> _Opening | None:
        """The question words: in front, behind words that ask nothing, or at the end."""
        folded = [fold(w) for w in words]
        for at, word in enumerate(folded):
            if word in QUESTIONING:
                front = folded[at - 1] if at and folded[at - 1] in PREPOSITIONS else ""
                before = words[: at - bool(front)]
                if all(fold(w) in _ASKING for w in before):
                    return self._asked(words, at, front)
                break
        at = next((i for i in range(len(words) - 1, 0, -1) if folded[i] in QUESTIONING), 0)
        if not at or len(words) - at > _LONGEST or GAP in words[at:]:
            return None
        front = folded[at - 1] if folded[at - 1] in PREPOSITIONS else ""
        noun = " ".join(folded[at + 1 :])
        want = self.cues.wanted(noun) if noun else AnswerType(_MADE_OF.get(folded[at]))
        return _Opening(at - bool(front), len(words), want, folded[at], front)

    def _asked(self, words: Sequence[str], at: int, front: str) -> _Opening:
        word, rest = fold(words[at]), words[at + 1 :]
        if word in _MADE_OF:
            return _Opening(0, at + 1, AnswerType(_MADE_OF[word], "where" if word == "where" else None), word, front)
        if word == "why":
            return _Opening(0, at + 1, AnswerType(), word, front)
        if word == "how":
            many = fold(rest[0]) in ("many", "much") and len(rest) > 2 if rest else False
            noun = fold(rest[1] if many else rest[0]) if rest else ""
            return _Opening(0, at + 2 + many, AnswerType("quantity", noun), word, front)
        length = self._noun_length(rest)
        if not length:
            return _Opening(0, at + 1, AnswerType(), word, front)
        noun = self._known_noun([fold(w) for w in rest[:length]])
        raw = rest[length - 1].lower()
        plural = raw.endswith("s") and fold(raw) != raw and noun not in ("sery", "species")
        return _Opening(0, at + 1 + length, replace(self.cues.wanted(noun), plural=plural), word, front)

    def _noun_length(self, rest: Sequence[str]) -> int:
        """How many words after "which" belong to its noun."""
        stop = next((i for i, w in enumerate(rest) if fold(w) in CLAUSAL | ARTICLES or not plain(w)), len(rest))
        lexicon = self.lexicon
        for length in range(min(stop, _NOUN), 0, -1):
            words = [fold(w) for w in rest[:length]]
            if any(w in lexicon.verbs and w not in lexicon.nouns for w in words[1:]):
                continue
            if self._known_noun(words) in lexicon.asks or self._is_noun(words[-1:]) or length == 1:
                return length
        return 0

    def _known_noun(self, words: Sequence[str]) -> str:
        whole = " ".join(words)
        known = (self.lexicon.asks, self.lexicon.nouns, self.lexicon.kinds)
        return whole if any(whole in table for table in known) else words[-1] if words else ""

    # A clause with a gap --------------------------------------------------------------------------------------

    def clause(
        self, words: Sequence[str], begin: int, base: Term, want: AnswerType, front: str = "", start: int = 0
    ) -> RelationStep | None:
        """Read a clause: its verb, or its question's noun, names the relation of what stands in the gap.

        The words from ``start`` to ``begin`` ask for something; the others tell of it.
        """
        told = [*(words[:start] if start else ()), *words[begin:]]
        template = " ".join(words).rstrip(" ?.!") + "?"
        template = template[:1].upper() + template[1:]
        found = max(self._verbs(told, want, front), key=lambda v: (-len(v.left), v.length), default=None)
        if found is not None and len(found.left) <= _LEFTOVER:
            names = self.cues.fitting(found.names, base, converse=True)
            if fold(words[start]) == "why":
                names = tuple(n for n in names if n.startswith("cause")) or names
            behind = want.kind == "place" and front != ""
            gender = self.lexicon.gender(want.noun or "")
            return RelationStep(base, names, template, want, (*found.words, *found.left), gender, not behind)
        left = self._left(told)
        had = [fold(w) for w in told if fold(w) in ("have", "has", "had")]
        noun = " ".join(left) if had and left else want.noun if not left else None
        names = self.lexicon.asks.get(noun or "", ())
        if not names or not any(fold(w) in AUXILIARIES for w in told):
            return None
        return RelationStep(base, self.cues.fitting(names, base), template, want, (noun or "",))

    def _verbs(self, told: Sequence[str], want: AnswerType, front: str) -> Iterator[_Verb]:
        """The cues on either side of the gap, with the words that each leaves unexplained."""
        at = told.index(GAP)
        for low, high in ((0, at), (at + 1, len(told))):
            for start in range(low, high):
                for end in range(min(high, start + _LONGEST), start, -1):
                    own, other = (told[:start], told[end:]) if at < start else (told[end:], told[:start])
                    if self._left(own):
                        continue  # what stands beside the name says more of it than its verb
                    key = " ".join(fold(w) for w in told[start:end])
                    names = self.cues.answering(self.cues.phrase(f"{key} {front}") if front else (), want)
                    names = names or self.cues.answering(self.cues.phrase(key), want)
                    if names:
                        yield _Verb(names, end - start, (key,), tuple(self._left(other)))

    def _left(self, words: Sequence[str]) -> list[str]:
        """The words that say something; more than a reading may leave out where they have a structure of their own."""
        lexicon = self.lexicon
        left = [fold(w) for w in words if w != GAP and fold(w) not in AUXILIARIES | ARTICLES | PREPOSITIONS]
        named = any(not plain(w) for w in words if w not in (GAP, *MARKS))
        structured = any(
            w in RELATIVE or w in lexicon.asks or w in lexicon.kin or (w in lexicon.verbs and w not in lexicon.nouns)
            for w in left
        )
        return [*left, *[""] * _LEFTOVER] if left and (named or structured) else left


@dataclass(frozen=True, slots=True)
class _Verb:
    names: tuple[str, ...]
    length: int
    words: tuple[str, ...]
    left: tuple[str, ...]


def _ranked(step: RelationStep, rank: str) -> RelationStep:
    """Let a step pick one of its values ("first", "youngest"); its subquery says so in the same place."""
    if not rank:
        return step
    said = re.sub(r"\b([Ww]hich|[Tt]he)\b", rf"\1 {rank}", step.template, count=1)
    return replace(step, rank=rank, template=said, words=(rank, *step.words), want=replace(step.want, plural=False))
