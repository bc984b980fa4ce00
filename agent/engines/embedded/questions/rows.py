"""Reading what is asked of a table's rows, in whatever words (Hypercube-RAG: labels match exactly, else by meaning).

A table says little of itself: what its columns are called, and its cells. So a question's values, amounts, times and
superlatives come first. Each goes to a column that may hold it: to the one that the words beside it name, else to the
only one, else to the one whose name is most like these words. What words were taken for is told with the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, takewhile

from .....cubes.core.folding import fold, fold_words
from .....cubes.model.cells import CubeSet
from .....cubes.model.table_ids import is_table
from ..plan import Guess, Stated, Superlative, Things, Tie
from ..vocabulary.columns import columns_named
from ..vocabulary.lexicon import kinds_of
from ..vocabulary.wording import Likeness
from ..vocabulary.wordlists import AUXILIARIES, PREPOSITIONS
from ..vocabulary.words import Word
from .row_clauses import IDLE, LESS, Clause, text_of, with_anchor
from .row_columns import LIKELY, NAMED, UNSURE, Anchor, TableColumns
from .row_figures import RowFigures
from .terms import TermParser

__all__ = ["RowReader"]

_PAYING = frozenset({"earn", "pay", "paid", "spend", "spent", "cost", "take", "took", "make", "made", "charge", "owe"})
_PART = frozenset({"member", "piece", "place", "item", "thing", "entry", "one", "name", "record"})
_MEAN, _MANY = frozenset({"average", "mean"}), frozenset({"most", "fewest"})
_KEPT = 500  # tables


@dataclass(frozen=True, slots=True)
class _Noun:
    """The noun of rows, in the singular and as the question has it, where what is said before it ends and what is said
    behind it begins, and what it was taken for."""

    word: str
    text: str
    start: int
    end: int
    guesses: tuple[Guess, ...] = ()


class RowReader:
    """Reads requests for rows of tables with one ontology's words and one corpus's cells."""

    def __init__(self, parser: TermParser, cubes: CubeSet, likeness: Likeness) -> None:
        self._terms, self._cubes, self._likeness = parser, cubes, likeness
        self._in_prose = lru_cache(_KEPT)(self._prose)
        self._table = lru_cache(_KEPT)(lambda noun: TableColumns(parser, cubes, likeness, noun))
        self.figures = RowFigures(parser, self._table, self._called)

    def words(self, text: str) -> list[Word]:
        """Return the words of a text without possessive marks, which say nothing of rows; no words without tables."""
        read = self._terms.words.read(text) if self._terms.cues.tables else ()
        return [word for word in read if word.kind != "own"]

    def read(self, words: Sequence[Word], *, counts: bool, alone: bool) -> Things | None:
        """Return the rows that the words behind "how many" or "which" ask for; None where not all of it is read, but of
        a count say so. ``alone`` says that nothing need be said of them ("list the boats")."""
        if not self._terms.cues.tables:
            return None
        found = self.figures.grouped(words) or self._often(words) if not counts and not alone else None
        found = found or self._things(words, nests=False) or self._things(words, nests=True)
        of_amounts = found is not None and self._table(found.noun).called(found.noun, "quantity")  # of hires by month
        if counts and (found is None or of_amounts) and (summed := self.figures.summed(words)) is not None:
            return summed
        found = found or self._tried(words)
        if counts:
            unsure = found is None or found.measure is not None or any(guess.sure <= UNSURE for guess in found.guesses)
            noun = self._noun(words) if unsure else None
            unread = Things(noun.word, noun.text, counts=True, unread=True) if noun is not None else None
            return unread if unsure or found is None else replace(found, counts=True)
        if found is None or not (alone or found.ties or found.adjectives or found.measure):
            return None
        one = found.plural.lower() == found.noun and found.measure is None  # a guess may ask for a cell of one row
        return None if one and found.guesses else found

    def _often(self, words: Sequence[Word]) -> Things | None:
        """Read "(which) port has the most boats": rows, by the column that the words in front name."""
        at = next((n for n, word in enumerate(words) if word.key in _MANY), len(words))
        things = self._things(words[at + 1 :], nests=False) if at else None
        if things is None or things.measure is not None:
            return None
        table = self._table(things.noun)
        front, may = text_of(words[:at]), table.of_kind("name", "text")
        other = next(filter(None, map(self._named, words[:at])), "")
        noun = text_of([*takewhile(lambda word: word.key not in IDLE, words[:at])])
        columns = table.named(noun, may) or table.joined(other, may) or table.named(front, may)
        place = 0 if words[at].key in LESS else -1
        return replace(things, measure=Superlative(columns, place, words[at].key, "often")) if columns else None

    def figure(self, words: Sequence[Word], word: str) -> Things | None:
        """Return the rows that "the total price of all boats at X" is of, with the column whose amounts make it."""
        mean = word.lower().split()[-1] in _MEAN
        asked = Superlative((), 0, "average" if mean else "total", "mean" if mean else "sum")
        rows = self._of_rows(words, asked) if self._terms.cues.tables else None
        return rows or self.figures.summed(words, asked)

    def _of_rows(self, words: Sequence[Word], asked: Superlative) -> Things | None:
        """The rows that are called by a noun, with the column that the words beside it name, or that holds money."""
        things, left = self._told(words, nests=False, loose=True) or (None, "")
        if things is None or things.measure is not None or things.plural.lower() == things.noun:
            return None
        table = self._table(things.noun)
        paid = not left or not _PAYING.isdisjoint(left.lower().split())
        columns = (table.money() if paid else ()) or table.of_kind("quantity")
        placed = table.place(Anchor(asked, columns, 0), left)
        return None if placed is None else with_anchor(things, Anchor(asked, (), 0), *placed, left)

    def _things(self, words: Sequence[Word], *, nests: bool, noun: _Noun | None = None) -> Things | None:
        """Read a noun of rows and all that is said of them; with ``nests`` other tables' rows may be."""
        things, left = self._told(words, nests=nests, noun=noun) or (None, "")
        return things if not left else None

    def _told(
        self, words: Sequence[Word], *, nests: bool, noun: _Noun | None = None, loose: bool = False
    ) -> tuple[Things, str] | None:
        """Read rows, and the words that are left; ``loose`` ones may be in front of the noun, too."""
        noun = noun or self._noun(words, loose=loose)
        if noun is None:
            return None
        things, table = Things(noun.word, noun.text, guesses=noun.guesses), self._table(noun.word)
        nested = self._nested if nests else None
        front = Clause(table, words[: noun.start], nested, front=True)
        behind = Clause(table, words[noun.end :], nested)
        if not loose:
            front.close(behind)
        if front.unread or behind.unread:
            return None
        for anchor, context in (*front.placed, *behind.placed):
            placed = table.place(anchor, context)
            unlike = placed is None or (noun.guesses and placed[1] < NAMED)  # one guess is enough
            if placed is None or unlike or (anchor.kind is Superlative and things.measure is not None):
                return None
            things = with_anchor(things, anchor, *placed, context)
        named = self._terms.cues.named(noun.word)
        behind.left = [word for word in behind.left if fold(word.text) not in named]
        if loose:
            return things, text_of([*front.left, *behind.left])
        beside = any(map(self._named, behind.left))  # rows of another table
        if behind.left and not beside and (stated := table.stated(text_of(behind.left))):  # "out on loan"
            said, behind.left = text_of(behind.left), []
            things = replace(things, ties=(*things.ties, Tie(stated, "subject", (Stated(said),))))
        others = tuple(word.text for word in front.left if fold(word.text) not in named | _PART)
        guesses = (Guess(each, "a word of their cells", LIKELY) for each in others)
        return replace(things, adjectives=others, guesses=(*things.guesses, *guesses)), text_of(behind.left)

    def _nested(self, words: Sequence[Word]) -> Things | None:
        """Return the rows of another table that words ask for, if they say something of these."""
        inner = self._things(words, nests=True) if words and self._named(words[0]) else None
        return inner if inner is not None and (inner.ties or inner.adjectives or inner.measure) else None

    def _noun(self, words: Sequence[Word], *, loose: bool = False) -> _Noun | None:
        """The noun of rows: the last in a row that names a table; else a value that may stand for rows ("drivers")."""
        first, plain = _opening(words)
        at = next((n for n, word in enumerate(words) if self._named(word)), len(words))
        pairs = zip(words[first:at], words[first + 1 : at], strict=False)
        apart = any(b.key in PREPOSITIONS | AUXILIARIES and a.key not in _PART for a, b in pairs)
        apart = apart and all(word.key != "among" for word in words[first:at])
        if at < len(words) and (loose or not apart):
            while at + 1 < len(words) and self._named(words[at + 1]):
                at += 1
            return _Noun(self._named(words[at]), words[at].text, at, at + 1)
        reach = len(words) if loose else first + len(plain)
        for start, end in combinations(range(first, reach + 1), 2):
            if held := self._rows_like(words[start:end]):
                more = end + 2 if words[end : end + 1] and words[end].key in ("and", "or") else end  # "vets and nurses"
                end = more if more > end and self._rows_like(words[end + 1 : more]) else end
                return _Noun(self._called(min(held)), text_of(words[start:end]), end, end)
        return None

    def _tried(self, words: Sequence[Word]) -> Things | None:
        """Read a plural that no table is called by ("works by X") as the rows of the one table where all that is said
        of them has a column."""
        first = next((n for n, word in enumerate(words) if word.kind == "word" and word.key not in IDLE), 0)
        plain = _opening(words[first:])[1]
        plural = (n for n, word in enumerate(plain, first) if word.key != word.text.lower())
        at = next(plural, first + len(plain) - 1)
        one = len(plain) < 2 and plain and plain[-1].key == plain[-1].text.lower()
        if not plain or self._noun(words) is not None or self._in_prose(words[at].key):
            return None
        text, nouns = words[at].text, map(self._called, self._terms.cues.tables)
        rows = (subject.cube for word in words if word.known for subject in self._terms.linker.link_exactly(word.name))
        named = [name for cube in rows for name in self._terms.cues.tables.get(cube, ())]
        if columns_named(self._terms.lexicon, text, named)[0]:
            return None  # "which formats does X come in" asks for a cell
        tried = (_Noun(noun, text, at, at + 1, (Guess(text, noun, LIKELY),)) for noun in nouns)
        found = [things for noun in tried if (things := self._things(words, nests=False, noun=noun))]
        may = [things for things in found if not things.adjectives and (things.measure or not one)]
        said = [things for things in may if things.ties or things.measure]
        alike = self._likeness(text, [each.noun for each in said]) if len(said) > 1 else [1.0] * len(said)
        return max(zip(alike, said, strict=False), key=lambda one: one[0], default=(0.0, None))[1]

    def _named(self, word: Word) -> str:
        """A noun of rows in the singular, as the ontology has it; "" for another word."""
        plain = word.text.lower().removesuffix("s")
        return next((form for form in (word.key, plain) if word.key and self._terms.cues.columns(form)), "")

    def _rows_like(self, words: Sequence[Word]) -> set[str]:
        """The tables with cells that say just this, or a kind of what a plural says."""
        held = {fact.cube for fact in self._terms.linker.valued(text_of(words)) if is_table(fact.cube)}
        if held or len(words) != 1 or words[0].key in ("", words[0].text.lower()):
            return held
        nouns = {cube: self._called(cube) for cube in self._terms.cues.tables}
        return {cube for cube, noun in nouns.items() if self._table(noun).kinds_of(words[0].key)[0]}

    def _called(self, cube: str) -> str:
        return next(noun for noun, cubes in self._terms.lexicon.nouns.items() if cube in cubes)

    def _prose(self, noun: str) -> bool:
        """Whether texts tell of things that are called so."""
        cubes = [self._cubes[cube] for cube in self._terms.cues.cubes(noun) if not is_table(cube)]
        told = (fact for cube in cubes for key in cube.subject_keys() for fact in cube.about(key))
        return any(fact.relation == "type" and not kinds_of(noun).isdisjoint(fold_words(fact.value)) for fact in told)


def _opening(words: Sequence[Word]) -> tuple[int, Sequence[Word]]:
    """Where words begin to say something, and the plain ones in a row from there."""
    first = next((n for n, word in enumerate(words) if word.key not in IDLE), 0)
    return first, [*takewhile(lambda word: word.kind == "word" and word.key not in IDLE, words[first:])]
