"""Reading a question from its name outwards, by the ontology's cues.

The words around a name are taken step by step into the name's place: "where was the director of the film X born" is
"where was {} born" of the director of X. A noun of a relation and at last the question itself are such steps. Clauses,
and what no cue explains, are left to the syntax (`syntax/decompose.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from ..plan import AnswerType, QuestionEntity, RelationStep, Term
from ..vocabulary.cues import CueReader
from ..vocabulary.lexicon import QuestionLexicon, ranks
from ..vocabulary.linker import EntityLinker
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, BEING, CLAUSAL, LYING, NAMING, PREPOSITIONS, QUESTIONING
from ..vocabulary.words import GAP, Word, WordReader, written

__all__ = ["TermParser"]

_OF = frozenset({"of", "for", "behind", "to"})
_MADE_OF = {"who": "person", "whom": "person", "whose": "person", "when": "date", "where": "where"}
_ASKING = frozenset({
    "tell", "me", "name", "give", "find", "say", "state", "please", "do", "doe", "you", "know", "can", "could", "i",
    "want", "to", "identify", "us", "so", "and", "then", "exactly", "list", "show", "full", "of",
}) | ARTICLES  # fmt: skip
"""Words that only ask for attention."""
_SMALL = AUXILIARIES | ARTICLES | PREPOSITIONS
_KEPT = 10_000  # readings; a server sees questions without end
_LONGEST = 5  # words of a cue
_NOUN = 4  # words of a noun that names a relation, of one that classes things, and of a description

Words = tuple[Word, ...]


class TermParser:
    """Reads questions with one name, or with a gap whose term is known already, with one ontology's cues."""

    def __init__(self, lexicon: QuestionLexicon, linker: EntityLinker, *, over_rows: bool = True) -> None:
        self.lexicon, self.linker = lexicon, linker
        self.cues = CueReader(lexicon, linker, over_rows=over_rows)
        self.words = WordReader(
            linker.knows_exactly,
            lambda name: bool(linker.link_exactly(name)),
            lambda word: self.classes(word) or word in lexicon.kin or word in lexicon.verbs,
            linker.is_adjective,
        )
        self.term = lru_cache(_KEPT)(self.read)

    def read(self, text: str, base: Term | None = None) -> Term | None:
        """Return the term that a question or a noun phrase asks for, or None where cues do not explain it.

        With ``base`` the text has a gap in its place.
        """
        words = tuple(GAP if w.kind == "gap" else w for w in self.words.read(text) if w.kind != "mark")
        if base is None:
            named = [i for i, w in enumerate(words) if w.kind == "name"]
            at = max(named, key=lambda i: (words[i].known, len(words[i].text.split())), default=None)
            if at is None:
                return None
            start, base = self.described(words, at)
            words = (*words[:start], GAP, *words[at + 1 :])
        while GAP in words:
            left = {word.key for word in words if word.kind != "gap"}
            if left <= QUESTIONING | BEING | _ASKING and left.isdisjoint(("when", "how", "why")):
                if isinstance(base, RelationStep) or not left:
                    return base
                # "Who is X" asks for what X is.
                return self.cues.what_is(base, where="where" in left) if left & BEING else None
            further = next(self._nouns(words, base), None)
            if further is None:
                return self._question(words, base)
            words, base = further
        return None

    def measure(self, base: Term, names: tuple[str, ...], level: str = "") -> RelationStep:
        """The step that looks up the first of some relations that a thing has; of a ``country`` level its country."""
        kept = self.cues.known(names, base)
        if kept[:1] == ("located in",):  # its nouns are of one level of place each ("country")
            place, noun = ("In which country", "country") if level == "country" else ("Where", None)
            return RelationStep(base, kept, f"{place} is {{}} located?", AnswerType("place", noun), ("located",))
        nouns = (noun for name in kept[:1] for phrase in self.lexicon.relations[name] for noun in phrase.asks)
        asked = next(nouns, kept[0] if kept else "value")
        want = AnswerType(self.lexicon.kind_of(kept))
        return RelationStep(base, kept, f"What is the {asked} of {{}}?", want, kept[:1])

    def described(self, words: Sequence[Word], at: int) -> tuple[int, QuestionEntity]:
        """Where the words before a name begin that say what it is, and the name; they tell homonyms apart."""
        of = at > 1 and words[at - 1].key == "of" and words[at - 2].key in NAMING
        last = at - (of or (at > 0 and words[at - 1].key in ARTICLES))
        start = _plain_before(words, last, ("adjective",))  # "the Orvennan painter X"
        if start and words[start - 1].key in ("which", "what"):
            start = at  # "which country X is from"
        named, name = [w.key or w.text for w in words[start:last] if w.key not in ARTICLES], words[at]
        if named and not of and not self.classes(named[-1]):
            start, named = last, []
        noun = next((word for word in reversed(named) if self.classes(word)), None)
        return start, QuestionEntity(self.linker.by_context(name.name, named), noun, linked=name.known)

    def classes(self, word: str) -> bool:
        """Whether a noun says what class a thing is of, or how it is related."""
        return word in self.lexicon.nouns or word in self.lexicon.kinds or word in self.lexicon.asks

    def _nouns(self, words: Words, base: Term) -> Iterator[tuple[Words, RelationStep]]:
        """ "the director of {}", "{}'s mother": the words with more of them in the gap, and its term. What picks one of
        several values ("her first husband") no cell tells."""
        for low, high, start, end in _beside(words, words.index(GAP)):
            noun, picked = [w.key for w in words[start:end]], any(w.key in ranks() for w in words[low:start])
            step = self.cues.relation(" ".join(noun), base) if all(noun) and not picked else None
            if step is not None:
                yield (*words[:low], GAP, *words[high:]), step

    def _question(self, words: Words, base: Term) -> RelationStep | None:
        """What the question asks of the gap: its noun, where nothing else is said, or what its clause tells: the
        relations of the longest cue that leaves no word unexplained."""
        start, end, want, front = self._opening(words) or (0, len(words), AnswerType(), "")
        told = [*words[:start], *words[end:]]
        if GAP not in told:
            return None
        noun, template = want.noun or "", written([w.text for w in words]) + "?"
        template = template[:1].upper() + template[1:]
        said = [word for word in _left(told) if word not in LYING]
        if (noun or said) and (cell := self.cues.cell(noun, said, base, template)) is not None:
            return cell
        if told[0].key in BEING and isinstance(base, RelationStep) and not _left(told) and not front:
            kind = base.want.kind or want.kind
            if want.kind in (None, kind):
                return replace(base, want=AnswerType(kind, want.noun or base.want.noun))
        had = self.lexicon.asks.get(noun, ()) if not _left(told) else ()  # "how many members does {} have"
        key, names = max(self._verbs(told, front), key=lambda each: len(each[0].split()), default=(noun, had))
        if not names:
            return None
        names = self.cues.fitting(names, base, converse=True)
        if words[0].key == "why":
            names = tuple(n for n in names if n.startswith("cause")) or names
        behind = want.kind == "place" and front != ""
        return RelationStep(base, names, template, want, (key,), self.lexicon.gender(noun), not behind)

    def _verbs(self, told: Sequence[Word], front: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The cues on either side of the gap that leave no word unexplained, and the relations that they name."""
        at = told.index(GAP)
        for low, high in ((0, at), (at + 1, len(told))):
            for start in range(low, high):
                for end in range(min(high, start + _LONGEST), start, -1):
                    key = " ".join(w.key or w.text for w in told[start:end])
                    names = (self.cues.phrase(f"{key} {front}") if front else ()) or self.cues.phrase(key)
                    if names and not _left([*told[:start], *told[end:]]):
                        yield key, names

    def _opening(self, words: Words) -> tuple[int, int, AnswerType, str] | None:
        """Where the words that ask begin and end, what for, and the preposition before them: in front, behind words
        that ask nothing, or at the end."""
        at = next((i for i, w in enumerate(words) if w.key in QUESTIONING), None)
        if at is None:
            return None
        front = words[at - 1].key if at and words[at - 1].key in PREPOSITIONS else ""
        start, (end, want) = at - bool(front), self._asked(words, at)
        opens = all(w.key in _ASKING for w in words[:start])
        return (0 if opens else start, end, want, front) if opens or end == len(words) else None

    def _asked(self, words: Words, at: int) -> tuple[int, AnswerType]:
        """Where the words that ask end, and what for."""
        word, rest = words[at].key, words[at + 1 :]
        if word in _MADE_OF:
            return at + 1, AnswerType(_MADE_OF[word], "where" if word == "where" else None)
        if word == "how":
            many = bool(rest) and rest[0].key in ("many", "much") and len(rest) > 2
            return at + 2 + many, AnswerType("quantity", rest[many].key if rest else "")
        told = [*takewhile(lambda w: w.kind in ("word", "adjective") and w.key not in CLAUSAL | ARTICLES, rest)][:_NOUN]
        for end in range(len(told) if word != "why" else 0, 0, -1):
            whole, last = " ".join(w.key for w in told[:end]), told[end - 1]
            noun = whole if self.classes(whole) else last.key
            if end == 1 or noun in self.lexicon.asks or self.lexicon.is_noun(last.key):
                plural = last.text.endswith("s") and last.key != last.text.lower()
                return at + 1 + end, AnswerType(self.lexicon.kinds.get(noun), noun, plural)
        return at + 1, AnswerType()


def _beside(words: Words, at: int) -> Iterator[tuple[int, int, int, int]]:
    """Where phrases with the gap begin and end that may name a relation, and where their noun does."""
    if at + 1 < len(words) and words[at + 1].kind == "own":
        for end in range(min(len(words), at + 2 + _NOUN), at + 2, -1):
            yield at, end, at + 2, end
    if at > 1 and words[at - 1].key in _OF:
        for start in range(max(0, at - 1 - _NOUN), at - 1):
            yield _plain_before(words, start), at + 1, start, at - 1


def _left(words: Sequence[Word]) -> list[str]:
    """The words that say something."""
    return [w.key or w.text for w in words if w.kind != "gap" and w.key not in _SMALL]


def _plain_before(words: Sequence[Word], at: int, kinds: Collection[str] = ()) -> int:
    """Where the adjectives and the article before a word begin; words of these ``kinds`` count, too."""
    first = at
    while first > 0 and at - first < _NOUN and (words[first - 1].plain or words[first - 1].kind in kinds):
        before = words[first - 1].key
        if before in CLAUSAL | QUESTIONING | {"name"}:
            break
        first -= 1
        if before in ARTICLES:
            break
    return first
