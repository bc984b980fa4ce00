"""The words before or behind a noun of rows: what goes to a column, each with the words beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from .....cubes.core.quantities import measure_of, unit_in
from .....cubes.model.tables import HAS, HAS_NOT
from ..plan import Absent, Guess, Superlative, Things, Tie
from ..vocabulary.lexicon import ranks
from ..vocabulary.wording import compared
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, LYING, PREPOSITIONS, RELATIVE
from ..vocabulary.words import Word, written
from .line import Line
from .row_columns import Anchor, TableColumns, text_of

__all__ = ["IDLE", "LESS", "Clause", "with_anchor"]

IDLE = AUXILIARIES | RELATIVE | PREPOSITIONS | ARTICLES | frozenset({
    "there", "all", "total", "altogether", "any", "some", "those", "other", "each", "every", "and", "or", "but", "than",
    "we", "our", "you", "your", "i", "my", "us", "ha", "wa", "having", "exist", "known", "named", "called", "it",
    "they", "together", "per", "yet", "still", "currently", "now", "today", "book", "record", "file", "list",
    "team", "database", "system", "come", "so", "far", "out", "up", "away", "back", "here", "two", "three",
    "four", "five", "store", "inventory", "register", "table", "sheet", "different", "distinct", "separate",
    "completely", "fully", "entirely", "actually", "right", "among",
})  # fmt: skip
"""Small words, which name no column."""
LESS = frozenset({"least", "fewest"})
_WE = frozenset({"we", "you", "they", "i"})
_NOT = frozenset({"not", "no", "without", "lack", "lacking", "never"})
_MOST = re.compile(r"(?P<stem>\w{3,}est)(?:-(?P<verb>\w+))?|most|least|fewest")
_MORE = re.compile(r"(?P<stem>(?!few)\w{3,}e(?:r|st))(?:-(?P<verb>\w+))?|most|more|least|less|fewest|fewer")
_NAME = 8  # words of a value

Nested = Callable[[Sequence[Word]], Things | None]
"""Reads rows of another table, which words go on with."""


class Clause:
    """What stands before or behind the noun: the anchors, and words that are ``left``; ``apart`` leaves those that name
    no column of the anchor, and ``unread`` says that something is denied, or a name is said, that is no anchor."""

    def __init__(
        self, table: TableColumns, words: Sequence[Word], nested: Nested | None, *, apart: bool = False,
        compares: bool = False,
    ) -> None:
        self._table, self._words, self._line, self._nested = table, words, Line(words), nested
        self._compares = compares
        self.placed, self.left, self.unread, at = list[Anchor](), list[Word](), False, 0
        while at < len(words):
            if (anchor := self._anchor(at)) is not None:
                beside = (word for word in self.left[-1:] if word is words[at - 1])  # "route 1"
                own = [word for word in beside if table.named(word.text, anchor.columns)] if apart else self.left
                self.placed.append(replace(anchor, context=text_of(own)))
                self.left, at = self.left[: len(self.left) - len(own)], anchor.end
                continue
            told = words[at].kind != "mark" and words[at].key not in IDLE | LYING
            ours, name = at > 0 and words[at - 1].key in _WE, words[at].kind == "name"
            other = (ours or name) and not table.named(words[at].text, [*table.kinds])
            self.left += [words[at]] if told and not (ours and other) else []  # "(dogs that) we treat"
            self.unread = self.unread or self._denies(at) or (name and other)
            at += 1

    def close(self, behind: Clause) -> None:
        """Let words that are left behind the noun belong to the last anchor there, else to a superlative before it:
        "the cheapest beer per keg"."""
        best = (n for n, anchor in enumerate(self.placed) if anchor.kind is Superlative)
        clause, at = (behind, len(behind.placed) - 1) if behind.placed else (self, next(best, -1))
        if behind.left and at >= 0:
            context = f"{clause.placed[at].context} {text_of(behind.left)}".strip()
            clause.placed[at], behind.left = replace(clause.placed[at], context=context), []

    def _anchor(self, at: int) -> Anchor | None:
        if self._denies(at) and self._line.amount(at) is None:
            return self._denied(at)
        if at and self._line.keys[at - 1] == "per":  # "(cheapest) per keg" is of a column
            return None
        readers = self._amount, self._time, self._value, self._best, self._rows
        return next(filter(None, (read(at) for read in readers)), None)

    def _denies(self, at: int) -> bool:
        gone = self._line.keys[at : at + 2] == ("out", "of")  # "out of stock"
        return gone or self._line.keys[at] in _NOT or self._line.texts[at].lower().endswith("n't")

    def _denied(self, at: int) -> Anchor | None:
        """ "without radar", "not on display", "no usual driver"."""
        start = self._line.past(at + 1, ARTICLES)
        later = self._line.past(start, IDLE | LYING)
        value = self._value(start) or self._value(later)
        if value is not None and HAS in value.columns:
            return replace(value, columns=(HAS_NOT,))
        if value is not None and isinstance(value.target, tuple):
            said = text_of(self._words[at : value.end])
            return replace(value, target=tuple(Absent(said, str(each)) for each in value.target))
        columns, words = self._table.of_kind("name", "text", "date", "quantity"), self._words
        named = ((self._table.named(key, columns), end) for key, end in self._line.phrases(later))
        return next((Anchor((Absent(text_of(words[at:end])),), told, end) for told, end in named if told), None)

    def _amount(self, at: int) -> Anchor | None:
        found = self._line.amount(at)
        if found is None:
            return None
        columns = self._table.in_unit(self._table.of_kind("quantity"), found[0].unit)
        return Anchor((found[0],), columns, found[1])

    def _time(self, at: int) -> Anchor | None:
        (periods, end), dates = self._line.times(at), self._table.of_kind("date")
        return Anchor(periods, dates, end) if periods and dates else None

    def _best(self, at: int) -> Anchor | None:
        found, word = self._line.best(at, self._table.terms.lexicon), self._line.texts[at].lower()
        dates, amounts = self._table.of_kind("date"), self._table.of_kind("quantity")
        if found is not None and (self._line.times(found[1] - 1)[0] or self._line.amount(found[1] - 1)):
            return None  # "made before 1600", "cost less than 20 EUR"
        if found is not None and (held := tuple(c for c in found[0].relations if c in amounts + dates)):
            return Anchor(found[0], held, found[1], found[0].words, known=True)
        if found is not None and found[0].words.split()[0].lower() in ranks():
            return Anchor(found[0], dates, found[1])
        told = (_MORE if self._compares else _MOST).fullmatch(word)
        if told is None or (self._compares and word not in compared()):
            return None
        order, what = compared().get(told["stem"] or word, ("", ""))
        unit = self._line.texts[at + 1] if measure_of(self._line.texts[at + 1]) else ""
        columns = self._table.in_unit(amounts, unit)
        # What is old or long, without a length, began early.
        began = what == "age" or (what == "length" and all(measure_of(unit_in(each)) != "m" for each in columns))
        least = (order == "least" or word in LESS) != began
        best = Superlative((), 0 if least else -1, written([self._line.texts[at], unit]))
        said = f"{told['verb'] or ''} {'' if began else what}".strip()
        return Anchor(best, dates if began else columns, at + 1 + bool(unit), said)

    def _value(self, at: int) -> Anchor | None:
        """A value that some column holds, or several in a row that one does."""
        words = self._words
        for end in range(min(len(words), at + _NAME), at, -1):
            alone = end == at + 1 and (words[at].key in IDLE | LYING or words[at].kind == "mark")
            values, columns = self._table.holding(words[at:end]) if not alone else ((), ())
            if values:
                goes_on = end < len(words) and words[end].text in (",", "and", "or")
                more = self._value(end + 1) if goes_on else None
                both = tuple(c for c in more.columns if c in columns) if more is not None else ()
                if more is not None and both and isinstance(more.target, tuple):
                    return Anchor((*values, *more.target), both, more.end)
                return Anchor(values, columns, end)
        return None

    def _rows(self, at: int) -> Anchor | None:
        """Rows of another table, to the end of the question: "(boats) of ports in Wessel"."""
        inner = self._nested(self._words[at:]) if self._nested is not None else None
        columns = self._table.of_kind("name", "text")
        return Anchor((inner,), columns, len(self._words)) if inner is not None else None


def with_anchor(things: Things, anchor: Anchor, columns: tuple[str, ...], sure: float) -> Things:
    """Return things of which an anchor was placed in columns, with what was guessed for that."""
    targets, context, inner = anchor.target, anchor.context, tuple[Guess, ...]()
    if isinstance(targets, Superlative):
        said, things = targets.words, replace(things, measure=replace(targets, relations=columns))
    else:
        called = targets[0] == things.plural  # "vans" are vehicles with such a cell
        tie = Tie(columns, "subject", targets, "" if called else f"{context} {{}}".strip())
        inner = targets[0].guesses if isinstance(targets[0], Things) else inner
        said, things = str(targets[0]), replace(things, ties=(*things.ties, tie))
    words = context if anchor.kind is str else f"{context} {said}".strip()
    own = (Guess(words, " or ".join(columns), sure),) if sure < 1.0 else ()
    return replace(things, guesses=(*things.guesses, *inner, *own))
