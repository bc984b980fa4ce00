"""Reading what is asked of a table's rows, in whatever words (Hypercube-RAG: labels match exactly, else by meaning).

A table says little of itself: what its columns are called, and its cells. So a question's values, amounts, times and
superlatives come first. Each goes to a column that may hold it: to the one that the words beside it name, else to the
only one, else to the one whose name is most like these words. What words were taken for is told with the answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, takewhile

from .....cubes.core.folding import fold, fold_words
from .....cubes.core.quantities import measure_of, parse_quantity, unit_in
from .....cubes.model.cells import CubeSet
from .....cubes.model.labels import Label
from .....cubes.model.table_ids import is_table
from .....cubes.model.tables import HAS, HAS_NOT, header_words
from ..plan import Absent, Guess, Period, Superlative, Target, Things, Tie
from ..vocabulary.columns import columns_named, said_in
from ..vocabulary.lexicon import ranks
from ..vocabulary.wording import Likeness, compared
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, LYING, PREPOSITIONS, RELATIVE
from ..vocabulary.words import Word, written
from .line import Line
from .terms import TermParser

__all__ = ["RowReader"]

_IDLE = AUXILIARIES | RELATIVE | PREPOSITIONS | ARTICLES | frozenset({
    "there", "all", "total", "altogether", "any", "some", "those", "other", "each", "every", "and", "or", "but", "than",
    "we", "our", "you", "your", "i", "my", "us", "ha", "wa", "having", "exist", "known", "named", "called", "it",
    "they", "together", "per", "yet", "still", "currently", "now", "today", "book", "record", "file", "list",
    "team", "database", "system", "come", "so", "far",
})  # fmt: skip
"""Small words, which name no column."""
_OF = frozenset({"of", "for", "across", "in", "by", "on"})
_MONEY = frozenset("$£€")
_PAYING = frozenset({"earn", "pay", "paid", "spend", "spent", "cost", "take", "took", "make", "made", "charge", "owe"})
_PART = frozenset({"member", "piece"})
_WE = frozenset({"we", "you", "they", "i"})
_NOT = frozenset({"not", "no", "without", "lack", "lacking", "never"})
_MOST = re.compile(r"(?P<stem>\w{3,}est)(?:-(?P<verb>\w+))?|most|least|fewest")
_MEAN = frozenset({"average", "mean"})
_MANY, _LESS = frozenset({"most", "fewest"}), frozenset({"least", "fewest"})
_NAME, _FEW = 8, 40  # words of a value; values of a column that are kinds
_SAME, _NEAR, _APART = 0.5, 0.35, 0.05  # cosines of words and a column's name: as good as named, likely; to the next
_NAMED, _LIKELY, _UNSURE = 0.9, 0.75, 0.5


@dataclass(frozen=True, slots=True)
class _Anchor:
    """What goes to a column: the columns that may hold it, where it ends, and words of its own that may name one;
    ``known`` says that the ontology has them."""

    target: tuple[Target, ...] | Superlative
    columns: tuple[str, ...]
    end: int
    said: str = ""
    known: bool = False

    @property
    def kind(self) -> type:
        """What its first target is: `str` for a value."""
        return type(self.target[0] if isinstance(self.target, tuple) else self.target)


@dataclass(frozen=True, slots=True)
class _Noun:
    """The noun of rows, in the singular and as the question has it, where what is said before it begins and ends, and
    what it was taken for."""

    word: str
    text: str
    first: int
    start: int
    end: int
    guesses: tuple[Guess, ...] = ()


class RowReader:
    """Reads requests for rows of tables with one ontology's words and one corpus's cells."""

    def __init__(self, parser: TermParser, cubes: CubeSet, likeness: Likeness) -> None:
        self.terms, self.cubes, self.likeness = parser, cubes, likeness

    def read(self, text: str, *, counts: bool, alone: bool) -> Things | None:
        """Return the rows that the words behind "how many" or "which" ask for; None where not all of it is read, but of
        a count say so. ``alone`` says that nothing need be said of them ("list the boats")."""
        if not self.terms.cues.tables:
            return None
        words = [word for word in self.terms.words.read(text) if word.kind != "own"]
        found = self._often(words) if not counts and not alone else None
        found = found or self._things(words, nests=False) or self._things(words, nests=True) or self._tried(words)
        if counts:
            unsure = found is None or any(guess.sure <= _UNSURE for guess in found.guesses)
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
        table = _Table(self, things.noun)
        front, may = _text(words[:at]), table.of_kind("name", "text")
        other = next(filter(None, map(self._named, words[:at])), "")
        columns = table.named(front, may) or table.joined(other, may)
        place = 0 if words[at].key in _LESS else -1
        return replace(things, measure=Superlative(columns, place, words[at].key, "often")) if columns else None

    def figure(self, text: str, word: str) -> Things | None:
        """Return the rows that "the total price of all boats at X" is of, with the column whose amounts make it."""
        words = [word for word in self.terms.words.read(text) if word.kind != "own"] if self.terms.cues.tables else []
        things, left = self._told(words, nests=False, loose=True) or (None, "")
        if things is None or things.measure is not None or things.plural.lower() == things.noun:
            return None
        mean = word.lower().split()[-1] in _MEAN
        asked = Superlative((), 0, "average" if mean else "total", "mean" if mean else "sum")
        table = _Table(self, things.noun)
        paid = not left or not _PAYING.isdisjoint(left.lower().split())
        columns = (table.money() if paid else ()) or table.of_kind("quantity")
        placed = table.place(_Anchor(asked, columns, 0), left)
        return None if placed is None else _with(things, _Anchor(asked, (), 0), *placed, left)

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
        things, table = Things(noun.word, noun.text, guesses=noun.guesses), _Table(self, noun.word)
        front = _Clause(table, words[: noun.start], nests=nests, front=True)
        behind = _Clause(table, words[noun.end :], nests=nests)
        if not loose:
            behind.close()
        if front.unread or behind.unread:
            return None
        for anchor, context in (*front.placed, *behind.placed):
            placed = table.place(anchor, context)
            unlike = placed is None or (noun.guesses and placed[1] < _NAMED)  # one guess is enough
            if placed is None or unlike or (anchor.kind is Superlative and things.measure is not None):
                return None
            things = _with(things, anchor, *placed, context)
        if loose:
            return things, _text([*front.left, *behind.left])
        named = self.terms.cues.named(noun.word)
        others = tuple(word.text for word in front.left if fold(word.text) not in named | _PART)
        guesses = (Guess(each, "a word of their cells", _LIKELY) for each in others)
        return replace(things, adjectives=others, guesses=(*things.guesses, *guesses)), _text(behind.left)

    def nested(self, words: Sequence[Word]) -> Things | None:
        """Return the rows of another table that words ask for, if they say something of these."""
        inner = self._things(words, nests=True) if words and self._named(words[0]) else None
        return inner if inner is not None and (inner.ties or inner.adjectives or inner.measure) else None

    def leads(self, text: str, cubes: Collection[str]) -> bool:
        """Return whether a text is what a row of some tables is called."""
        return any(s.cube in cubes and is_table(s.cube) for s in self.terms.linker.link_exactly(text))

    def _noun(self, words: Sequence[Word], *, loose: bool = False) -> _Noun | None:
        """The noun of rows: the last in a row that names a table; else a value that may stand for rows ("drivers"), or
        another plural where a value is told of one table alone ("works by X")."""
        first = next((n for n, word in enumerate(words) if word.key not in _IDLE), 0)
        at = next((n for n, word in enumerate(words) if self._named(word)), len(words))
        pairs = zip(words[first:at], words[first + 1 : at], strict=False)
        apart = any(b.key in PREPOSITIONS | AUXILIARIES and a.key not in _PART for a, b in pairs)
        if at < len(words) and (loose or not apart):
            while at + 1 < len(words) and self._named(words[at + 1]):
                at += 1
            return _Noun(self._named(words[at]), words[at].text, first, at, at + 1)
        plain = [*takewhile(lambda word: word.kind == "word" and word.key not in _IDLE, words[first:])]
        reach = len(words) if loose else first + len(plain)
        for start, end in combinations(range(first, reach + 1), 2):
            if held := self._rows_like(words[start:end]):
                more = end + 2 if words[end : end + 1] and words[end].key in ("and", "or") else end  # "vets and nurses"
                end = more if more > end and self._rows_like(words[end + 1 : more]) else end
                return _Noun(self._called(min(held)), _text(words[start:end]), first, end, end)
        return None

    def _tried(self, words: Sequence[Word]) -> Things | None:
        """Read a plural that no table is called by ("works by X") as the rows of the one table where all that is said
        of them has a column."""
        first = next((n for n, word in enumerate(words) if word.key not in _IDLE), 0)
        plain = [*takewhile(lambda word: word.kind == "word" and word.key not in _IDLE, words[first:])]
        plural = (n for n, word in enumerate(plain, first) if word.key != word.text.lower())
        at = next(plural, first + len(plain) - 1)
        one = len(plain) < 2 and plain and plain[-1].key == plain[-1].text.lower()
        if not plain or one or self._noun(words) is not None or self._in_prose(words[at].key):
            return None
        text, nouns = words[at].text, map(self._called, self.terms.cues.tables)
        tried = (_Noun(noun, text, first, at, at + 1, (Guess(text, noun, _LIKELY),)) for noun in nouns)
        found = [things for noun in tried if (things := self._things(words, nests=False, noun=noun))]
        said = [things for things in found if not things.adjectives and (things.ties or things.measure)]
        alike = self.likeness(text, [each.noun for each in said]) if len(said) > 1 else [1.0] * len(said)
        return max(zip(alike, said, strict=False), key=lambda one: one[0], default=(0.0, None))[1]

    def _named(self, word: Word) -> str:
        """A noun of rows in the singular, as the ontology has it; "" for another word."""
        plain = word.text.lower().removesuffix("s")
        return next((form for form in (word.key, plain) if word.key and self.terms.cues.columns(form)), "")

    def _tables_with(self, value: str) -> set[str]:
        return {fact.cube for fact in self.terms.linker.valued(value) if is_table(fact.cube)} if fold(value) else set()

    def _rows_like(self, words: Sequence[Word]) -> set[str]:
        """The tables with cells that say just this, or a kind of what a plural says."""
        if (held := self._tables_with(_text(words))) or len(words) != 1 or words[0].key in ("", words[0].text.lower()):
            return held
        nouns = {cube: self._called(cube) for cube in self.terms.cues.tables}
        return {cube for cube, noun in nouns.items() if _Table(self, noun).kinds_of(words[0].key)[0]}

    def _called(self, cube: str) -> str:
        return next(noun for noun, cubes in self.terms.lexicon.nouns.items() if cube in cubes)

    def _in_prose(self, noun: str) -> bool:
        """Whether texts tell of things that are called so."""
        cubes = (self.cubes[cube] for cube in self.terms.cues.cubes(noun) if not is_table(cube))
        return any(True for cube in cubes for _ in cube.subject_keys())


def _with(things: Things, anchor: _Anchor, columns: tuple[str, ...], sure: float, context: str) -> Things:
    """Things of which an anchor was placed in columns, with what was guessed for that."""
    targets = anchor.target
    if isinstance(targets, Superlative):
        said, things = targets.words, replace(things, measure=replace(targets, relations=columns))
    else:
        called = targets[0] == things.plural  # "vans" are vehicles with such a cell
        tie = Tie(columns, "subject", targets, "" if called else f"{context} {{}}".strip())
        said, things = str(targets[0]), replace(things, ties=(*things.ties, tie))
    inner = targets[0].guesses if isinstance(targets, tuple) and isinstance(targets[0], Things) else ()
    words = context if anchor.kind is str else f"{context} {said}".strip()
    own = (Guess(words, " or ".join(columns), sure),) if sure < 1.0 else ()
    return replace(things, guesses=(*things.guesses, *inner, *own))


class _Table:
    """The tables whose rows a noun names: the columns, what kind of values each has, and how it is called."""

    def __init__(self, reader: RowReader, noun: str) -> None:
        self.reader, self._lexicon, cues = reader, reader.terms.lexicon, reader.terms.cues
        self._cubes = frozenset(cube for cube in cues.cubes(noun) if is_table(cube))
        relations = ((name, r) for name in cues.columns(noun) for r in self._lexicon.relations[name])
        self.kinds = {name: r.kind for name, r in relations if r.cube in self._cubes}
        told = (r for name in (HAS, HAS_NOT) for r in self._lexicon.relations.get(name, ()) if r.cube in self._cubes)
        labels = (label.text for r in told for label in reader.cubes[r.cube].labels(r.dimension))
        self.flags = {tuple(fold_words(text)): text for text in labels}  # what columns of yes and no are called

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """Return the columns with values of these kinds."""
        return tuple(name for name, kind in self.kinds.items() if kind in kinds)

    def holding(self, value: str) -> tuple[str, ...]:
        """Return the columns with a cell that is just this; of yes or no columns that it is the name of."""
        valued, names = self.reader.terms.linker.valued, (value, *self.reader.cubes.other_names(value))
        facts = (fact for name in names if fold(name) for fact in valued(name))
        held = dict.fromkeys(fact.relation for fact in facts if fact.cube in self._cubes)
        return (HAS,) if HAS in held or HAS_NOT in held else tuple(c for c in held if c in self.kinds)

    def joined(self, noun: str, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the columns that have a row of other tables, which a noun names, in a cell."""
        others = self.reader.terms.cues.cubes(noun)
        return tuple(n for n in columns if any(self.reader.leads(label.text, others) for label in self._labels(n)))[:1]

    def money(self) -> tuple[str, ...]:
        """Return the columns of amounts of money."""
        labels = ((name, label.text) for name in self.of_kind("quantity") for label in self._labels(name)[:1])
        return tuple(name for name, text in labels if _MONEY & {*name, *text})

    def _labels(self, column: str) -> Sequence[Label]:
        phrases = (r for r in self._lexicon.relations[column] if r.cube in self._cubes)
        return [label for r in phrases for label in self.reader.cubes[r.cube].labels(r.dimension)]

    def kinds_of(self, word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the values that are kinds of what a word says ("nurses": "Vet nurse"), and their column."""
        for column in self.of_kind("name", "text"):
            labels = self._labels(column)
            told = [label.text for label in labels if fold_words(label.text)[1:][-1:] == [word]]
            if told and len(labels) <= _FEW:
                return tuple(told), (column,)
        return (), ()

    def in_unit(self, columns: Sequence[str], unit: str) -> tuple[str, ...]:
        """Return the columns whose names give a unit that measures the same; all, where there are none."""
        return tuple(c for c in columns if unit and _base(unit_in(c)) == _base(unit)) or tuple(columns)

    def named(self, context: str, among: Sequence[str]) -> tuple[str, ...]:
        """Return the columns that most of some words name."""
        return columns_named(self._lexicon, context, among)[0]

    def place(self, anchor: _Anchor, context: str) -> tuple[tuple[str, ...], float] | None:
        """Return the columns that an anchor goes to, and how sure that is; None where no column is likely."""
        told, columns = f"{context} {anchor.said}".strip(), anchor.columns
        if anchor.kind in (Things, Absent) or not columns:
            return (self.named(told, columns) or columns, 1.0) if columns else None
        if told and (named := self.named(told, columns)):
            return named, 1.0
        if (anchor.known or anchor.kind is str) and not context:
            return columns, 1.0
        if {*columns} <= {HAS, HAS_NOT}:  # whatever verb stands by: "get the newsletter"
            return columns, _NAMED
        # What began when is told first.
        first = anchor.kind in (Superlative, Period) and self.kinds[columns[0]] == "date"
        if not told and (first or len(columns) == 1):
            return columns[:1], _LIKELY
        return self._alike(told, columns, anchor)

    def _alike(self, told: str, columns: tuple[str, ...], anchor: _Anchor) -> tuple[tuple[str, ...], float] | None:
        """The column that is called most like some words mean; of a value the one that holds it, though unsure."""
        names = [" ".join(word for name in header_words(each) for word in name) for each in columns]
        cosines = list(self.reader.likeness(told, names)) if told else []
        ranked = sorted(zip(cosines, columns, strict=False), reverse=True)
        best, column = ranked[0] if ranked else (0.0, columns[0])
        apart = len(ranked) < 2 or best - ranked[1][0] >= _APART
        if best >= _NEAR and apart:
            return (column,), _NAMED if best >= _SAME else _LIKELY
        if len(columns) == 1:
            return columns, _UNSURE if anchor.kind is str else _LIKELY
        return (columns, _UNSURE) if anchor.kind is str else None


def _base(unit: str) -> str:
    """The base unit of a unit, as amounts have it."""
    amount = parse_quantity(f"1 {unit}")
    return amount.unit if amount is not None else ""


class _Clause:
    """What stands before or behind the noun: the anchors with the words beside each, and words that are ``left``;
    ``unread`` says that something is denied that is no anchor."""

    def __init__(self, table: _Table, words: Sequence[Word], *, nests: bool, front: bool = False) -> None:
        self._table, self._words, self._line, self._nests = table, words, Line(words), nests
        self.placed, self.left, self.unread, at = list[tuple[_Anchor, str]](), list[Word](), False, 0
        while at < len(words):
            anchor = self._anchor(at)
            if anchor is not None:
                own = anchor.kind is not str or not front  # "female (rabbits)" is no column's name
                self.placed.append((anchor, _text(self.left) if own else ""))
                self.left, at = [] if own else self.left, anchor.end
                continue
            told = words[at].kind != "mark" and words[at].key not in _IDLE | LYING
            ours = at > 0 and words[at - 1].key in _WE and not table.named(words[at].text, [*table.kinds])
            self.left += [words[at]] if told and not ours else []  # "(dogs that) we treat"
            self.unread = self.unread or words[at].key in _NOT
            at += 1

    def close(self) -> None:
        """Let words that are left belong to the last anchor, if there is one."""
        if self.placed and self.left:
            anchor, context = self.placed[-1]
            self.placed[-1], self.left = (anchor, f"{context} {_text(self.left)}".strip()), []

    def _anchor(self, at: int) -> _Anchor | None:
        denied = self._line.keys[at] in _NOT or self._line.texts[at].lower().endswith("n't")
        if denied and self._line.amount(at) is None:
            return self._denied(at)
        readers = self._amount, self._time, self._best, self._value, self._yes, *([self._rows] if self._nests else ())
        return next(filter(None, (read(at) for read in readers)), None)

    def _denied(self, at: int) -> _Anchor | None:
        """ "without radar", "not on display", "no usual driver"."""
        start = self._line.past(at + 1, ARTICLES)
        value = self._value(start) or self._yes(start) or self._value(self._line.past(start, _IDLE | LYING))
        if value is not None and HAS in value.columns:
            return replace(value, columns=(HAS_NOT,))
        if value is not None and isinstance(value.target, tuple):
            said = _text(self._words[at : value.end])
            return replace(value, target=tuple(Absent(said, str(each)) for each in value.target))
        start = self._line.past(start, _IDLE | LYING)
        for key, end in self._line.phrases(start):
            told = self._table.named(key, self._table.of_kind("name", "text", "date", "quantity"))
            if told and not {*key.split()} & _IDLE:
                return _Anchor((Absent(_text(self._words[at:end])),), told, end)
        return None

    def _amount(self, at: int) -> _Anchor | None:
        found = self._line.amount(at)
        if found is None:
            return None
        columns = self._table.in_unit(self._table.of_kind("quantity"), found[0].unit)
        return _Anchor((found[0],), columns, found[1])

    def _time(self, at: int) -> _Anchor | None:
        periods, end = self._line.times(at)
        return _Anchor(periods, self._table.of_kind("date"), end) if periods else None

    def _best(self, at: int) -> _Anchor | None:
        found, columns = self._line.best(at, self._table.reader.terms.lexicon), self._table.of_kind("quantity", "date")
        if found is not None and (self._line.times(found[1] - 1)[0] or self._line.amount(found[1] - 1)):
            return None  # "made before 1600", "cost less than 20 EUR"
        if found is not None and (held := tuple(c for c in found[0].relations if c in columns)):
            return _Anchor(found[0], held, found[1], found[0].words, known=True)
        word, dates = self._line.texts[at].lower(), self._table.of_kind("date")
        if found is not None and found[0].words.split()[0].lower() in ranks():
            return _Anchor(found[0], dates, found[1])
        told = _MOST.fullmatch(word)
        if told is None:
            return None
        order, what = compared().get(told["stem"] or word, ("", ""))
        unit = self._line.texts[at + 1] if measure_of(self._line.texts[at + 1]) else ""
        columns = self._table.in_unit(columns if told["stem"] else self._table.of_kind("quantity"), unit)
        # What is old or long, without a length, began early.
        began = what == "age" or (what == "length" and all(measure_of(unit_in(each)) != "m" for each in columns))
        least = (order == "least" or word in _LESS) != began
        best = Superlative((), 0 if least else -1, written([self._line.texts[at], unit]))
        said = f"{told['verb'] or ''} {'' if began else what}".strip()
        return _Anchor(best, dates if began else columns, at + 1 + bool(unit), said)

    def _value(self, at: int) -> _Anchor | None:
        """A value that some column holds, or several in a row that one does."""
        words = self._words
        for end in range(min(len(words), at + _NAME), at, -1):
            alone = end == at + 1 and (words[at].key in _IDLE | LYING or words[at].kind == "mark")
            text = written([word.name for word in words[at:end]])
            if not alone and (columns := self._table.holding(text)):
                goes_on = end < len(words) and words[end].text in (",", "and", "or")
                more = self._value(end + 1) if goes_on else None
                both = tuple(c for c in more.columns if c in columns) if more is not None else ()
                if more is not None and both and isinstance(more.target, tuple):
                    return _Anchor((text, *more.target), both, more.end)
                return _Anchor((text,), columns, end)
        plural = at < len(words) and words[at].key not in ("", words[at].text.lower())
        values, columns = self._table.kinds_of(words[at].key) if plural else ((), ())
        return _Anchor(values, columns, at + 1) if values else None

    def _yes(self, at: int) -> _Anchor | None:
        """A column of yes and no whose name is cut short: "climate control" is "Climate ctrl"."""
        for key, end in self._line.phrases(at):
            said = key.split()
            for name, text in self._table.flags.items():
                if len(name) == len(said) and all(said_in(a, [b]) for a, b in zip(name, said, strict=True)):
                    return _Anchor((text,), (HAS,), end)
        return None

    def _rows(self, at: int) -> _Anchor | None:
        """Rows of another table, to the end of the question: "(boats) of ports in Wessel"."""
        inner = self._table.reader.nested(self._words[at:])
        columns = self._table.of_kind("name", "text")
        return _Anchor((inner,), columns, len(self._words)) if inner is not None else None


def _text(words: Sequence[Word]) -> str:
    return written([word.name for word in words])
