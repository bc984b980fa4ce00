"""Reading what is asked of a table's rows, in whatever words (Hypercube-RAG: labels match exactly, else by meaning).

A table says little of itself: what its columns are called, and its cells. So a question's values, amounts, times and
superlatives come first. Each goes to a column that may hold it: to the one that the words beside it name, else to the
only one, else to the one whose name is most like these words. What words were taken for is told with the answer.
A noun for the rows is not needed where all words have their columns in one table: "how many sailings in July".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import combinations, takewhile

from .....cubes.core.folding import fold, fold_words
from .....cubes.core.quantities import is_currency
from .....cubes.model.cells import CubeSet
from .....cubes.model.table_ids import is_table
from ..plan import Guess, Stated, Superlative, Things, Tie
from ..vocabulary.lexicon import kinds_of
from ..vocabulary.wording import Likeness
from ..vocabulary.wordlists import AUXILIARIES, BEING, PREPOSITIONS
from ..vocabulary.words import Word
from .row_clauses import IDLE, LESS, Clause, with_anchor
from .row_columns import LEFT, LIKELY, NAMED, UNSURE, Anchor, TableColumns, text_of
from .terms import TermParser

__all__ = ["RowReader"]

_PEOPLE = frozenset({"people", "person"})
_PART = _PEOPLE | {"member", "piece", "place", "item", "thing", "entry", "one", "name", "record"}
_MEAN, _MANY = frozenset({"average", "mean"}), LESS | {"most"}
_KEPT = 500  # tables


@dataclass(frozen=True, slots=True)
class _Noun:
    """The noun of rows, in the singular and as the question has it, where what is said before it ends and what is said
    behind it begins, and what it was taken for."""

    word: str
    text: str
    start: int = 0
    end: int = 0
    guesses: tuple[Guess, ...] = ()


class RowReader:
    """Reads requests for rows of tables with one ontology's words and one corpus's cells."""

    def __init__(self, parser: TermParser, cubes: CubeSet, likeness: Likeness) -> None:
        self._terms, self._cubes, self._likeness = parser, cubes, likeness
        self._in_prose = lru_cache(_KEPT)(self._prose)
        self._table = lru_cache(_KEPT)(lambda noun: TableColumns(parser, cubes, likeness, noun))
        self._nouns = [*map(self._called, parser.cues.tables)]

    def words(self, text: str) -> list[Word]:
        """Return the words of a text without possessive marks, which say nothing of rows; no words without tables."""
        read = self._terms.words.read(text) if self._nouns else ()
        return [word for word in read if word.kind != "own"]

    def read(self, words: Sequence[Word], *, counts: bool, alone: bool) -> Things | None:
        """Return the rows that the words behind "how many" or "which" ask for; None where not all of it is read, but of
        a count say so. ``alone`` says that nothing need be said of them ("list the boats")."""
        found = self._grouped(words) or self._often(words) or self._things(words)
        of_amounts = found is not None and self._table(found.noun).called(found.noun, "quantity")  # of hires by month
        if counts and (found is None or of_amounts) and (summed := self.figure(words)) is not None:
            return summed
        found = found or self._tried(words)
        if counts:
            if found is not None and found.measure is None and all(guess.sure > UNSURE for guess in found.guesses):
                return replace(found, counts=True)
            noun = self._noun(words)
            return Things(noun.word, noun.text, counts=True, unread=True) if noun is not None else None
        if found is None or not (alone or found.ties or found.adjectives or found.measure):
            return None
        one = found.plural.lower() == found.noun and found.measure is None  # a guess may ask for a cell of one row
        # "What is the fee for X" asks for a cell too, where "which fee" asks for a row.
        return None if one and (found.guesses or words[0].text.lower() in BEING) else found

    # Rows, and all that is said of them ----------------------------------------------------------------------

    def _things(self, words: Sequence[Word], noun: _Noun | None = None) -> Things | None:
        """Read a noun of rows and all that is said of them."""
        noun = noun or self._noun(words)
        read = self._placed(words, noun) if noun is not None else None
        if noun is None or read is None:
            return None
        things, front, behind = read
        called = self._terms.cues.named(noun.word)
        if left := [word for word in behind if called.isdisjoint((word.key, fold(word.text)))]:  # "out on loan"
            table, text = self._table(noun.word), text_of(left)
            stated, more = table.naming(text, table.of_kind("name", "text", "date"))
            if not stated or more or noun.guesses or any(map(self._named, left)):
                return None
            things = replace(things, ties=(*things.ties, Tie(stated, "subject", (Stated(text),))))
        others = tuple(w.text for w in front if (called | _PART).isdisjoint((w.key, fold(w.text))))
        guesses = (Guess(each, "a word of their cells", LIKELY) for each in others)
        return replace(things, adjectives=others, guesses=(*things.guesses, *guesses))

    def _placed(
        self, words: Sequence[Word], noun: _Noun, *, apart: bool = False, compares: bool = False
    ) -> tuple[Things, list[Word], list[Word]] | None:
        """Rows with all that goes to a column, and the words that are left in front of their noun and behind it;
        ``apart`` keeps those that do not name the column of what they stand before."""
        things, table = Things(noun.word, noun.text, guesses=noun.guesses), self._table(noun.word)
        nested = partial(self._nested, noun.word) if not (apart or noun.guesses) else None
        front = Clause(table, words[: noun.start], nested, apart=True)
        behind = Clause(table, words[noun.end :], nested, apart=apart, compares=compares)
        if not apart:
            front.close(behind)
        if front.unread or behind.unread:
            return None
        for anchor in (*front.placed, *behind.placed):
            placed = table.place(anchor)
            if placed is None or (noun.guesses and placed[1] < NAMED):  # one guess is enough
                return None
            if anchor.kind is Superlative and things.measure is not None:
                return None
            things = with_anchor(things, anchor, *placed)
        return things, front.left, behind.left

    def _nested(self, of: str, words: Sequence[Word]) -> Things | None:
        """Return the rows of another table that words ask for, if they say something of these."""
        other, cubes = self._named(words[0]), self._terms.cues.cubes
        inner = self._things(words) if other and cubes(other).isdisjoint(cubes(of)) else None
        return inner if inner is not None and (inner.ties or inner.adjectives or inner.measure) else None

    def _noun(self, words: Sequence[Word]) -> _Noun | None:
        """The noun of rows: the last in a row that names a table; else a value that may stand for rows ("drivers")."""
        first, plain = _opening(words)
        at = next((n for n, word in enumerate(words) if self._named(word)), len(words))
        pairs = zip(words[first:at], words[first + 1 : at], strict=False)
        apart = any(b.key in PREPOSITIONS | AUXILIARIES and a.key not in _PART for a, b in pairs)
        if at < len(words) and not apart:
            while at + 1 < len(words) and self._named(words[at + 1]):
                at += 1
            return _Noun(self._named(words[at]), words[at].text, at, at + 1)
        for start, end in combinations(range(first, first + len(plain) + 1), 2):
            if held := self._rows_like(words[start:end]):
                other = words[end + 1 : end + 2]  # "vets and nurses"
                if other and words[end].key in ("and", "or") and self._rows_like(other):
                    end += 2
                return _Noun(self._called(min(held)), text_of(words[start:end]), end, end)
        return None

    def _tried(self, words: Sequence[Word]) -> Things | None:
        """Read a plural that no table is called by ("works by X") as the rows of the one table where all that is said
        of them has a column."""
        first, plain = _opening(words)
        plural = (n for n, word in enumerate(plain, first) if word.key != word.text.lower())
        at = next(plural, first + len(plain) - 1)
        one = len(plain) == 1 and plain[0].key == plain[0].text.lower()
        if not plain or self._noun(words) is not None or self._in_prose(words[at].key):
            return None
        text = words[at].text
        rows = (subject.cube for word in words if word.known for subject in self._terms.linker.link_exactly(word.name))
        asked = [self._called(cube) for cube in rows if cube in self._terms.cues.tables]
        if any(self._table(noun).named(text, [*self._table(noun).kinds]) for noun in asked):
            return None  # "which formats does X come in" asks for a cell
        nouns = (_Noun(noun, text, at, at + 1, (Guess(text, noun, LIKELY),)) for noun in self._nouns)
        found = (things for noun in nouns if (things := self._things(words, noun)) and not things.adjectives)
        return _only(things for things in found if things.measure or (things.ties and not one))

    # What is made of a column's amounts -----------------------------------------------------------------------

    def figure(self, words: Sequence[Word], word: str = "") -> Things | None:
        """Return the rows that have all values said, with the column that the other words name, for the total or the
        average that ``word`` asks for; None where none or several tables have them."""
        mean = not _MEAN.isdisjoint(word.lower().split())
        asked = Superlative((), 0, "average" if mean else "total", "mean" if mean else "sum")
        found = [each for noun in self._nouns if (each := self._summed(noun, words, asked, told=bool(word)))]
        surest = max((sure for _, sure in found), default=0.0)
        return _only(things for things, sure in found if sure == surest)

    def _summed(
        self, noun: str, words: Sequence[Word], asked: Superlative, *, told: bool
    ) -> tuple[Things, float] | None:
        """The rows of one table, with the column, and how sure that is. Of rows that are named it is the likeliest, or
        the one of money, where a figure is ``told``."""
        read, table = self._placed(words, _Noun(noun, noun), apart=True), self._table(noun)
        if read is None or read[0].measure is not None:
            return None
        things, _, left = read
        amounts, others = table.of_kind("quantity"), ("name", "text", "date")
        if not told and not any(is_currency(word.text) for word in words):  # "how many" asks for no money, and no codes
            amounts = tuple(column for column in amounts if column not in table.codes.union(table.money))
        own = {word for word in self._terms.cues.named(noun) | _PEOPLE if not table.called(word, "quantity")}
        said = [word for word in left if word.key not in own]
        named = len(said) < len(left) or any(isinstance(target, str) for tie in things.ties for target in tie.targets)
        text = text_of([w for w in said if table.named(w.text, amounts) or not table.called(w.key, *others)])
        columns, more = table.naming(text, amounts)
        sure = 1.0 if not more else LIKELY if told else UNSURE
        if len(columns) != 1 or more > LEFT:
            if not told or not named:
                return None
            alike = table.place(Anchor(asked, amounts, 0, context=text)) if text else None
            columns, sure = alike or (() if text else (table.money or amounts)[:1], UNSURE)
        guesses = (Guess(text or noun, " or ".join(columns), sure),) if sure < 1.0 else ()
        measured = replace(things, measure=replace(asked, relations=columns), guesses=(*things.guesses, *guesses))
        return (measured, sure) if columns else None

    # Which one is the most ------------------------------------------------------------------------------------

    def _often(self, words: Sequence[Word]) -> Things | None:
        """Read "(which) port has the most boats": rows, by the column that the words in front name."""
        at = next((n for n, word in enumerate(words) if word.key in _MANY), len(words))
        things = self._things(words[at + 1 :]) if at else None
        if things is None or things.measure is not None:
            return None
        table = self._table(things.noun)
        may, other = table.of_kind("name", "text"), next(filter(None, map(self._named, words[:at])), "")
        columns = table.joined(other, may) or table.named(text_of(words[:at]), may)
        place = 0 if words[at].key in LESS else -1
        return replace(things, measure=Superlative(columns, place, words[at].key, "often")) if columns else None

    def _grouped(self, words: Sequence[Word]) -> Things | None:
        """Read "(which) month had the most hires": rows by the column that is called by the first word, and the
        column that the others name."""
        first, plain = _opening(words)
        by = plain[0].key if plain else ""
        return _only(self._put_together(things, by) for things in self._picked(words[first + 1 :])) if by else None

    def _put_together(self, things: Things, by: str) -> Things | None:
        """Rows with the most of an amount, by a column and with the amounts that are put together."""
        table, measure = self._table(things.noun), things.measure
        groups = table.called(by, "name", "text", "date")
        if measure is None or not groups or table.kinds[measure.relations[0]] != "quantity":
            return None
        if measure.words.split()[0].lower() not in _MANY:  # "the highest price" is of one
            return None
        often = Superlative(groups, measure.place, measure.words, "often", measure.relations[0])
        return replace(things, measure=often)

    def extreme(self, words: Sequence[Word]) -> Things | None:
        """Return the rows of the one table that has a column for "(who) joined last", by which one is picked."""
        return _only(self._picked(words))

    def _picked(self, words: Sequence[Word]) -> Iterator[Things]:
        """The rows of each table by which one is picked, where its column is sure and nothing else is said."""
        found = (self._things(words, _Noun(noun, noun)) for noun in self._nouns)
        return (things for things in found if things and things.measure and not (things.ties or things.guesses))

    def compared(self, words: Sequence[Word], names: Sequence[str]) -> Superlative | None:
        """Return what two rows of one table are compared by, in the words around their names: "which of the two sold
        more tickets"; no columns, where the rows are of a table that has none for it, and None where they are none."""
        rows = [{s.cube for s in self._terms.linker.link_exactly(name) if is_table(s.cube)} for name in names]
        both = sorted(set.intersection(*rows))
        found = (self._measure([word for word in words if word.key], self._called(cube)) for cube in both)
        return next(filter(None, found), Superlative((), 0, "") if both else None)

    def _measure(self, words: Sequence[Word], noun: str) -> Superlative | None:
        """The column of one table that a comparing word goes by: it is as good as named, or says when."""
        read = self._placed(words, _Noun(noun, noun), compares=True)
        measure = read[0].measure if read is not None else None
        if read is None or measure is None:
            return None
        sure = all(guess.sure >= NAMED for guess in read[0].guesses)
        return measure if sure or self._table(noun).kinds[measure.relations[0]] == "date" else None

    # What words name ------------------------------------------------------------------------------------------

    def _named(self, word: Word) -> str:
        """A noun of rows in the singular, as the ontology has it; "" for another word."""
        plain = word.text.lower().removesuffix("s")
        return next((form for form in (word.key, plain) if word.key and self._terms.cues.columns(form)), "")

    def _rows_like(self, words: Sequence[Word]) -> set[str]:
        """The tables with cells that say just this, or a kind of what a plural says."""
        held = {fact.cube for fact in self._terms.linker.valued(text_of(words)) if is_table(fact.cube)}
        if held or len(words) != 1 or words[0].key in ("", words[0].text.lower()):
            return held
        tables = self._terms.cues.tables
        return {cube for cube in tables if self._table(self._called(cube)).kinds_of(words[0].key)[0]}

    def _called(self, cube: str) -> str:
        return next(noun for noun, cubes in self._terms.lexicon.nouns.items() if cube in cubes)

    def _prose(self, noun: str) -> bool:
        """Whether texts tell of things that are called so."""
        cubes = [self._cubes[cube] for cube in self._terms.cues.cubes(noun) if not is_table(cube)]
        told = (fact for cube in cubes for key in cube.subject_keys() for fact in cube.about(key))
        return any(fact.relation == "type" and not kinds_of(noun).isdisjoint(fold_words(fact.value)) for fact in told)


def _opening(words: Sequence[Word]) -> tuple[int, Sequence[Word]]:
    """Where words begin to say something, and the plain ones in a row from there."""
    first = next((n for n, word in enumerate(words) if word.key and word.key not in IDLE), 0)
    return first, [*takewhile(lambda word: word.kind == "word" and word.key not in IDLE, words[first:])]


def _only(found: Iterable[Things | None]) -> Things | None:
    """What one table alone has."""
    held = [things for things in found if things is not None]
    return held[0] if len(held) == 1 else None
