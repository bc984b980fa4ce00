"""The columns of tables: which of them may hold what a question says, and which one its words are most like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from .....cubes.core.folding import fold, fold_words
from .....cubes.core.quantities import is_currency, parse_quantity, unit_in
from .....cubes.model.cells import CubeSet
from .....cubes.model.labels import Label
from .....cubes.model.table_ids import is_table
from .....cubes.model.tables import HAS, HAS_NOT, header_words
from ..plan import Absent, Period, Superlative, Target, Things
from ..vocabulary.columns import column_alike, columns_named, said_in
from ..vocabulary.wording import Likeness, terms
from ..vocabulary.words import Word, written
from .line import MONEY
from .terms import TermParser

__all__ = ["LEFT", "LIKELY", "NAMED", "UNSURE", "Anchor", "TableColumns", "text_of"]

NAMED, LIKELY, UNSURE = 0.9, 0.75, 0.5
"""How sure a column is that is as good as named, one that is likely, and one that is not."""
LEFT = 1  # words that may be left of those that name a column
_SAME, _NEAR = 0.5, 0.35  # cosines of words and a column's name: as good as named, likely
_ROWS = 50  # rows of which it is looked at whether a number stands in front of their names
_LABELS = 2_000  # values of a column in which parts of names are looked for


@dataclass(frozen=True, slots=True)
class Anchor:
    """What goes to a column: the columns that may hold it, where it ends, words of its own that may name one, and those
    beside it (``context``); ``known`` says that the ontology has its own."""

    target: tuple[Target, ...] | Superlative
    columns: tuple[str, ...]
    end: int
    said: str = ""
    known: bool = False
    context: str = ""

    @property
    def kind(self) -> type:
        """What its first target is: `str` for a value."""
        return type(self.target[0] if isinstance(self.target, tuple) else self.target)


class TableColumns:
    """The tables whose rows a noun names: the columns, what kind of values each has, and how it is called."""

    def __init__(self, terms: TermParser, cubes: CubeSet, likeness: Likeness, noun: str) -> None:
        self.terms, self._held, self._likeness = terms, cubes, likeness
        self._lexicon, cues = terms.lexicon, terms.cues
        self._cubes = frozenset(cube for cube in cues.cubes(noun) if is_table(cube))
        relations = ((name, r) for name in cues.columns(noun) for r in self._lexicon.relations[name])
        self.kinds = {name: r.kind for name, r in relations if r.cube in self._cubes}
        labels = (label.text for name in (HAS, HAS_NOT) for label in self._labels(name))
        self._flags = [(fold_words(text), text) for text in labels]  # what columns of yes and no are called

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """Return the columns with values of these kinds."""
        return tuple(name for name, kind in self.kinds.items() if kind in kinds)

    def holding(self, words: Sequence[Word]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the values that words say, and the columns with a cell that is just this; or of yes and no that are
        called so, if cut short ("climate control": "Climate ctrl"). A plural may say kinds, and a name begin one."""
        text, said = text_of(words), [word.key for word in words]
        valued, names = self.terms.linker.valued, (text, *self._held.other_names(text))
        held = dict.fromkeys(f.relation for name in names for f in valued(name) if f.cube in self._cubes)
        if columns := (HAS,) if HAS in held or HAS_NOT in held else tuple(c for c in held if c in self.kinds):
            return (text,), columns
        for name, flag in self._flags:
            if len(name) == len(said) and all(said_in(a, [b]) for a, b in zip(name, said, strict=True)):
                return (flag,), (HAS,)
        if len(words) > 1:
            return (), ()
        kinds = self.kinds_of(said[0]) if said[0] not in ("", words[0].text.lower()) else ((), ())
        short = words[0].kind == "name" and words[0].text[:1].isupper()
        return self._cut_short(text) if short else kinds

    def joined(self, noun: str, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the columns that have a row of other tables, which a noun names, in a cell."""
        others, linked = self.terms.cues.cubes(noun), self.terms.linker.link_exactly
        labels = ((column, label.text) for column in columns for label in self._labels(column))
        held = (column for column, text in labels if any(s.cube in others for s in linked(text)))
        return tuple(dict.fromkeys(held))[:1]

    @cached_property
    def money(self) -> tuple[str, ...]:
        """The columns of amounts of money."""
        labels = ((name, label.text) for name in self.of_kind("quantity") for label in self._labels(name)[:1])
        return tuple(name for name, text in labels if MONEY & {*name, *text} or is_currency(unit_in(name)))

    @cached_property
    def codes(self) -> frozenset[str]:
        """The column, if any, with a whole number of its own for each row, in front of what the row is called."""
        cubes = map(self._held.__getitem__, sorted(self._cubes))
        rows = ([*cube.about(key)] for cube in cubes for key in islice(cube.subject_keys(), _ROWS))
        first = [row[0] for row in rows if row]
        columns, told = frozenset(fact.relation for fact in first), {f.value for f in first if f.value.isdigit()}
        return columns if len(columns) == 1 < len(first) == len(told) else frozenset()

    def _labels(self, column: str) -> Sequence[Label]:
        phrases = (r for r in self._lexicon.relations.get(column, ()) if r.cube in self._cubes)
        return [label for r in phrases for label in self._held[r.cube].labels(r.dimension)]

    def kinds_of(self, word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the values that are kinds of what a word says ("nurses": "Vet nurse"), and their column."""
        held = self._names if not self.called(word, "name", "text") else ()
        kinds = [(column, value) for column, value, names in held if names[0].endswith(f" {word} ") and " " in value]
        first = tuple(column for column, _ in kinds[:1])
        return tuple(value for column, value in kinds if column in first), first

    def _cut_short(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the one value that a text begins or ends, as people cut names short, and its columns."""
        key, named = f" {fold(text)} ", ((c, v, names) for c, v, names in self._names if self.kinds[c] == "name")
        found = [(c, v) for c, v, names in named if any(n.startswith(key) or n.endswith(key) for n in names)]
        values = tuple({value for _, value in found})
        return (values, tuple(column for column, _ in found)) if len(values) == 1 else ((), ())

    @cached_property
    def _names(self) -> Sequence[tuple[str, str, Sequence[str]]]:
        """What stands in cells, with their columns: as it stands there, and as the row is called that it leads to."""
        linked, labels = self.terms.linker.link_exactly, ((c, self._labels(c)) for c in self.of_kind("name", "text"))
        few = ((column, label.text) for column, held in labels if len(held) <= _LABELS for label in held)
        rows = ((c, text, (text, *(s.label for s in linked(text) if is_table(s.cube)))) for c, text in few)
        return [(column, text, [f" {fold(name)} " for name in names]) for column, text, names in rows]

    def naming(self, told: str, among: Sequence[str]) -> tuple[tuple[str, ...], int]:
        """Return the columns that most of some words name, and how many words are left."""
        named, count = columns_named(self._lexicon, told, among)
        return named, len(terms(told)) - count

    def called(self, noun: str, *kinds: str) -> tuple[str, ...]:
        """Return the columns with values of these kinds that are called just so."""
        return tuple(c for c in self.of_kind(*kinds) if any([*map(fold, name)] == [noun] for name in header_words(c)))

    def in_unit(self, columns: Sequence[str], unit: str) -> tuple[str, ...]:
        """Return the columns whose names give a unit that measures the same; all, where there are none."""
        return tuple(c for c in columns if unit and _base(unit_in(c)) == _base(unit)) or tuple(columns)

    def named(self, context: str, among: Sequence[str]) -> tuple[str, ...]:
        """Return the columns that most of some words name."""
        return columns_named(self._lexicon, context, among)[0]

    def place(self, anchor: Anchor) -> tuple[tuple[str, ...], float] | None:
        """Return the columns that an anchor goes to, and how sure that is; None where no column is likely."""
        context, columns = anchor.context, anchor.columns
        told = f"{context} {anchor.said}".strip()
        if anchor.kind in (Things, Absent) or not columns:
            return (self.named(told, columns) or columns, 1.0) if columns else None
        named, count = columns_named(self._lexicon, told, columns)
        if named:
            return named, 1.0 if len(terms(context)) - count <= LEFT else LIKELY
        if (anchor.known or anchor.kind is str) and not context:
            return columns, 1.0
        if {*columns} <= {HAS, HAS_NOT}:  # whatever verb stands by: "get the newsletter"
            return columns, NAMED
        # What began when is told first.
        first = anchor.kind in (Superlative, Period) and self.kinds[columns[0]] == "date"
        if not told and (first or len(columns) == 1):
            return columns[:1], LIKELY
        column, cosine = column_alike(self._likeness, told, columns)
        if cosine >= _NEAR:
            return (column,), NAMED if cosine >= _SAME else LIKELY
        if anchor.kind is str:  # the one that holds it, though unsure
            return columns, UNSURE
        return (columns, LIKELY) if len(columns) == 1 else None


def _base(unit: str) -> str:
    """The base unit of a unit, as amounts have it."""
    amount = parse_quantity(f"1 {unit}")
    return amount.unit if amount is not None else ""


def text_of(words: Sequence[Word]) -> str:
    """Return words as they are written, without quotation marks around names."""
    return written([word.name for word in words])
