"""The cell of a table's row that a hop asks for, read from the row itself (Hypercube-RAG: labels match exactly, else by
meaning).

A hop names a row by what it is called or by what its cells say ("the ram pin of the Kittiwake"). What is left of its
words, and what it asks with (who, when, how many), tell the column.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from .....cubes.core.folding import fold, fold_words
from .....cubes.core.records import Fact
from .....cubes.model.fact_columns import ALIAS
from .....cubes.model.table_ids import is_table
from .....cubes.model.tables import HAS, HAS_NOT
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from ..vocabulary.columns import column_alike, columns_named
from ..vocabulary.lexicon import QuestionLexicon
from ..vocabulary.question_forms import read_asked_form
from ..vocabulary.wording import Likeness, listed, terms
from ..vocabulary.wordlists import ARTICLES, PREPOSITIONS, TIMES

__all__ = ["SURE", "RowCellReader"]

_KINDS = (
    (re.compile(r"\b(?:when|(?:what|which) (?:year|date|day|month))\b", re.IGNORECASE), ("date",)),
    (re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE), ("quantity",)),
    (re.compile(r"\bhow (?:long|old|big|large|high|heavy|fast|often)\b", re.IGNORECASE), ("quantity", "date")),
    (re.compile(r"\bwho(?:m|se)?\b", re.IGNORECASE), ("name", "text")),
    (re.compile(r"\b(?:where|which|what)\b", re.IGNORECASE), ("name", "text", "quantity", "date")),
)
"""The kinds of values that a question asks for by its first words."""
_TIMES = frozenset(terms(f"{' '.join(TIMES)} since"))
_SAYING = frozenset(terms("i we us our find get look have go there one someone new still now currently"))
_OF_IT = re.compile(r"\b(?:what|who)(?:['’]s| is| are| was| were)\b", re.IGNORECASE)
_WHICH = re.compile(r"\b(?:which|what) (?!is|are|was|were|do|does|did|can)([\w-]+)", re.IGNORECASE)
"""What asks for a thing by its name: no other column is meant."""
_SINCE = re.compile(r"\bsince\b", re.IGNORECASE)
SURE, _LIKELY, _UNSURE = 0.75, 0.5, 0.35
"""How sure a column is that the words name, and no other; that is the only one of its kind; that is most like them."""
_NEAR = 0.2  # cosine of a column's name and the words
_LEFT = 2  # words that no column's name has, where one is named
_FEW = 3  # words that are told by their meaning
_WORDS = 2  # words of a name that is not cut short
_MANY = 30  # words of a question that may name a row


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the evidence: its facts, the places of a question's words that it has, and those of its own name."""

    facts: Sequence[Fact]
    held: frozenset[int]
    own: frozenset[int]

    @property
    def fit(self) -> tuple[int, int]:
        """How well it is named."""
        return len(self.held), len(self.own)


class RowCellReader:
    """Reads cells with the columns' names in one ontology's words; ``named`` tells what a code is the code of, and
    ``row_of`` what the row says that a text is the name or code of."""

    def __init__(
        self, lexicon: QuestionLexicon, likeness: Likeness, named: Callable[[str], str],
        row_of: Callable[[str], Sequence[Fact]],
    ) -> None:
        self._lexicon, self._likeness, self._named, self._row_of = lexicon, likeness, named, row_of

    def read(self, question: str, evidence: Sequence[Evidence], facts_of: Callable[[str], Sequence[Fact]]) -> SubAnswer:
        """Return what the one row that a question names has in the column asked for, and how sure the column is."""
        asked = question.split()
        kinds = next((kinds for form, kinds in _KINDS if form.search(question)), ())
        if not kinds or len(asked) > _MANY or read_asked_form(question).kind in ("passage", "verdict"):
            return SubAnswer()
        keys = fold_words(question)
        rows = [row for e in evidence for row in _rows(keys, facts_of(e.section_id))]
        most = max((row.fit for row in rows), default=(0, 0))
        best = [row for row in rows if row.fit == most]
        if len(best) != 1:
            return SubAnswer()
        left = " ".join(key for n, key in enumerate(keys) if n not in best[0].held)
        column, sure = self._column(left, kinds, best[0])
        told = [fact for fact in best[0].facts if fact.relation == column]
        further = self._further(left, column, kinds, told) if told else ()
        if not told or (not further and self._means_another(question, left, column)):
            return SubAnswer()
        if further:
            column, sure = f"{column}: {further[0].relation}", SURE
        values = tuple(dict.fromkeys(self._named(fact.value) for fact in further or told))
        section, place, note = told[0].section_id, told[0].sentence, f"The row says so as '{column}'."
        return SubAnswer((", ".join(values),), sure, section, place.start, place.end, note=note, cited=True)

    def _further(self, left: str, column: str, kinds: Sequence[str], told: Sequence[Fact]) -> Sequence[Fact]:
        """What another table's row that a cell names says as the words that the cell's column has not: "the contact at
        the supplier of ..."."""
        words = _content(left, terms(column))
        own = [fact for fact in self._row_of(told[0].value) if fact.kind in kinds and _tells(fact)] if words else []
        named, count = columns_named(self._lexicon, " ".join(words), [fact.relation for fact in own])
        return [fact for fact in own if (fact.relation,) == named] if len(words) - count < _LEFT else []

    def _means_another(self, question: str, left: str, column: str) -> bool:
        """Whether a question asks for something by a noun that a column's name has not: "what is its date of birth",
        "which town did it go to"."""
        noun = _WHICH.search(question)
        named = [noun[1]] if noun is not None and fold(noun[1]) not in TIMES else []
        asked = _content(left) if _OF_IT.search(question) else named
        return len(asked) > columns_named(self._lexicon, " ".join(asked), [column])[1]

    def _column(self, left: str, kinds: Sequence[str], row: _Row) -> tuple[str, float]:
        """The column that the words left of a question name or mean, and how sure that is."""
        may = list(dict.fromkeys(fact.relation for fact in row.facts if fact.kind in kinds and _tells(fact)))
        words = _content(left, _TIMES if kinds == ("date",) else ())
        best, most = columns_named(self._lexicon, " ".join(words), may)
        if len(best) > 1 and kinds[0] == "name":  # "which yard built it" has a builder, and a year
            best = tuple(c for c in best if any(fact.relation == c and fact.kind in kinds[:2] for fact in row.facts))
        if len(best) == 1 and len(words) - most <= _LEFT:
            return best[0], SURE if len(words) - most < _LEFT else _LIKELY
        if most or len(words) > _FEW:
            return "", 0.0
        if may and (len(may) == 1 or _SINCE.search(left)) and kinds[0] in ("date", "quantity"):
            return may[0], _LIKELY  # what began when is told first
        column, cosine = column_alike(self._likeness, left, may)
        return (column, _UNSURE) if cosine >= _NEAR else ("", 0.0)


def _content(left: str, but: Collection[str] = ()) -> list[str]:
    """The stems of what a question says beside a row's name, without words that name no column."""
    return [word for word in terms(left) if word not in listed("idle") | _SAYING and word not in but]


def _tells(fact: Fact) -> bool:
    """Whether a fact is what a column says, and no name of the row."""
    return fact.relation not in (HAS, HAS_NOT, "is", ALIAS) and fold(fact.value) != fold(fact.subject)


def _rows(keys: Sequence[str], facts: Sequence[Fact]) -> Iterator[_Row]:
    """The rows among a section's facts that a question's words name."""
    by_row = defaultdict[tuple[str, str], list[Fact]](list)
    for fact in facts:
        if is_table(fact.cube):
            by_row[fact.cube, fact.subject].append(fact)
    for (_, subject), told in by_row.items():
        names = {subject, *(fact.value for fact in told if fact.relation == ALIAS)}
        own = frozenset(place for name in names for place in _places(fold_words(name), keys))
        values = {fact.value for fact in told if fact.kind in ("name", "text") and _tells(fact)}
        others = frozenset(place for value in values for place in _places(_plain(value), keys))
        if own or len(others) > 1:
            yield _Row(told, own | others, own)


def _plain(value: str) -> list[str]:
    """The words of a value without small ones in front: "in the office"."""
    return [*dropwhile(lambda word: word in PREPOSITIONS | ARTICLES, fold_words(value))]


def _places(said: Sequence[str], keys: Sequence[str]) -> Iterator[int]:
    """Where the words of a name stand in a row among others."""
    for part in (said, said[1:]) if len(said) > _WORDS else (said,):  # "control unit" may be short for one of something
        for at in range(len(keys) - len(part) + 1) if part else ():
            if list(keys[at : at + len(part)]) == part:
                yield from range(at, at + len(part))
