"""What is asked of a column where no noun says of which rows: sums of amounts, and which of two rows comes before.

A noun is not needed where all other words have their columns: "how many sailings were cancelled in July".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile

from .....cubes.core.folding import fold
from .....cubes.model.table_ids import is_table
from ..plan import Guess, Superlative, Things
from ..vocabulary.words import Word
from .row_clauses import IDLE, Clause, text_of, with_anchor
from .row_columns import LIKELY, NAMED, UNSURE, TableColumns
from .terms import TermParser

__all__ = ["RowFigures"]

_SUM = Superlative((), 0, "total", "sum")
_MOST = frozenset({"most", "fewest", "least"})
_LEFT = 1  # words that may be left of those that name a column
_PEOPLE = frozenset({"people", "person"})


class RowFigures:
    """Reads such questions. ``columns_of`` gives the columns of the tables that a noun names, ``called`` a noun of a
    table."""

    def __init__(
        self, terms: TermParser, columns_of: Callable[[str], TableColumns], called: Callable[[str], str]
    ) -> None:
        self._terms, self._columns, self._called = terms, columns_of, called

    def summed(self, words: Sequence[Word], asked: Superlative | None = None) -> Things | None:
        """Return the rows that have all values said, and the column that the other words name, for its sum or what is
        ``asked`` for; None where none or several tables have them."""
        return _only(self._rows(noun, words, asked) for noun in self._nouns())

    def _rows(self, noun: str, words: Sequence[Word], asked: Superlative | None) -> Things | None:
        """The rows of one table, with the column. Where only the table is named, it is the first of amounts."""
        table = self._columns(noun)
        own = {word for word in self._terms.cues.named(noun) | _PEOPLE if not table.called(word, "quantity")}
        things, told = self._with_values(table, noun, words) or (None, [])
        amounts, left = table.of_kind("quantity"), [word for word in told if fold(word) not in own]
        text = " ".join(w for w in left if not table.called(fold(w), "name", "text", "date"))  # "all farms"
        if things is None or things.measure is not None or text != text.lower():  # a name is left over
            return None
        columns, more = table.naming(text, amounts)
        sure = 1.0 if not more else LIKELY if asked is not None else UNSURE
        if asked is not None and not columns and len(left) < len(told):
            columns, sure = amounts[:1], UNSURE
        guesses = (Guess(text or noun, "".join(columns), sure),) if sure < 1.0 else ()
        found = replace(things, measure=replace(asked or _SUM, relations=columns), guesses=guesses)
        return found if len(columns) == 1 and more <= _LEFT else None

    def _with_values(self, table: TableColumns, noun: str, words: Sequence[Word]) -> tuple[Things, list[str]] | None:
        """The rows with all values that words say, and the words that are left."""
        things, clause, left = Things(noun, noun), Clause(table, words, None), list[str]()
        for anchor, context in clause.placed:
            said = context.split()
            named = said[-1] if said and table.named(said[-1], anchor.columns) else ""  # "route 1"
            placed = table.place(anchor, named)
            if placed is None or (placed[1] < NAMED and len(anchor.columns) > 1):
                return None
            things = with_anchor(things, anchor, placed[0], 1.0, named)
            left = [*left, *said[: len(said) - bool(named)]]
        columns = [column for tie in things.ties for column in tie.relations]
        left = [word for word in (*left, *text_of(clause.left).split()) if not table.named(word, columns)]
        return (things, left) if not clause.unread else None

    def extreme(self, words: Sequence[Word]) -> Things | None:
        """Return the rows of the one table that has a column for "(who) joined last", by which one is picked."""
        found = ((noun, self._measure(self._columns(noun), words, alone=True)) for noun in self._nouns())
        return _only(Things(noun, noun, measure=measure) for noun, measure in found if measure is not None)

    def grouped(self, words: Sequence[Word]) -> Things | None:
        """Read "(which) month had the most hires": rows by the column that is called by the first word, where several
        rows say the same in it, and the column that the others name."""
        told = [*dropwhile(lambda word: not word.key or word.key in IDLE, words)]
        return _only(self._groups(noun, told[0].key, told[1:]) for noun in self._nouns()) if told else None

    def _groups(self, noun: str, by: str, words: Sequence[Word]) -> Things | None:
        """The rows of one table, by a column and with the amounts that are put together."""
        table = self._columns(noun)
        groups = table.repeated(by)
        measure = self._measure(table, words, alone=True) if groups else None
        if measure is None or measure.words.split()[0].lower() not in _MOST:  # "the highest price" is of one
            return None
        often = Superlative(groups, measure.place, measure.words, "often", measure.relations[0])
        return Things(noun, noun, measure=often) if table.kinds[often.of] == "quantity" else None

    def _nouns(self) -> Iterator[str]:
        """A noun of each table."""
        return map(self._called, self._terms.cues.tables)

    def compared(self, words: Sequence[Word], names: Sequence[str]) -> Superlative | None:
        """Return what two rows of one table are compared by, in the words around their names: "which of the two sold
        more tickets"; no columns, where the rows are of a table that has none for it, and None where they are none."""
        rows = [{s.cube for s in self._terms.linker.link_exactly(name) if is_table(s.cube)} for name in names]
        both = sorted(set.intersection(*rows))
        found = (self._measure(self._columns(self._called(cube)), words) for cube in both)
        return next(filter(None, found), Superlative((), 0, "") if both else None)

    def _measure(self, table: TableColumns, words: Sequence[Word], *, alone: bool = False) -> Superlative | None:
        """The one comparing word, with the column that the others name, or where it says when, the first of dates;
        ``alone`` says that nothing else may be said."""
        clause = Clause(table, [word for word in words if word.key or alone], None, compares=not alone)
        best = [(one, said, one.target) for one, said in clause.placed if isinstance(one.target, Superlative)]
        if len(best) != 1 or (alone and len(clause.placed) > 1):
            return None
        anchor, context, measure = best[0]
        told = f"{context} {text_of(clause.left)}".strip()
        placed = table.place(anchor, told)
        unsure = placed is None or placed[1] < 1.0 or table.naming(told, placed[0])[1] > _LEFT
        if alone and (unsure or told != told.lower()):
            return None
        if placed is None or placed[1] < NAMED:
            dated = all(table.kinds[column] == "date" for column in anchor.columns)
            placed = table.place(anchor, "") if dated else None
        return replace(measure, relations=placed[0]) if placed is not None else None


def _only(found: Iterable[Things | None]) -> Things | None:
    """What one table alone has."""
    held = [things for things in found if things is not None]
    return held[0] if len(held) == 1 else None
