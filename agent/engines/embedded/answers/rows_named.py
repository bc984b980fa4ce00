"""The rows of tables that texts name: "which server failed" asks for a row of the servers (MultiCube-RAG 3.4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from .....cubes.core.folding import fold, fold_words
from .....cubes.model.cells import CubeSet
from .....cubes.model.table_ids import is_inside, is_table
from ..plan import QuestionEntity
from ..vocabulary.cues import CueReader
from ..vocabulary.linker import EntityLinker
from ..vocabulary.wording import Likeness
from ..vocabulary.wordlists import TIMES

__all__ = ["RowsNamed"]

_KEPT = 500  # nouns
_LONGEST = 6  # words of a row's name
_NEAR, _APART = 0.4, 0.05  # cosines of a noun and what a table's rows are called, and to the next table's


class RowsNamed:
    """Finds rows by a noun: one that their table is called by, that stands in their cells, or that means the same."""

    def __init__(self, cubes: CubeSet, linker: EntityLinker, cues: CueReader, likeness: Likeness) -> None:
        self._cubes, self._linker, self._cues, self._likeness = cubes, linker, cues, likeness
        self._outer = [cube for cube in cues.tables if not is_inside(cube)]
        self._meant = lru_cache(_KEPT)(self._alike)
        self._keys = lru_cache(_KEPT)(lambda cube: frozenset(cubes[cube].subject_keys()))

    def noun(self, words: Sequence[str]) -> tuple[str, bool]:
        """Return the word behind "which" by which rows are called, "" where none is, and whether a table or a cell has
        it; else it is the first, and means what a table's rows are called."""
        words = [word for word in words if word not in TIMES]
        celled = (word for word in words if self._own(word) or any(is_table(f.cube) for f in self._linker.valued(word)))
        if own := next(celled, ""):
            return own, True
        return next((word for word in words[:1] if self.calls(word)), ""), False

    def calls(self, noun: str) -> bool:
        """Return whether the rows of a table are called so, or mean so."""
        return bool(self._tables(noun))

    def _own(self, noun: str) -> list[str]:
        return [cube for cube in self._cues.tables if cube in self._cues.cubes(noun)]

    def _tables(self, noun: str) -> list[str]:
        """The tables whose rows are called so; of what is no class of another cube, those that mean so."""
        return self._own(noun) if self._cues.cubes(noun) else self._meant(noun)

    def _alike(self, noun: str) -> list[str]:
        """The tables whose rows are called most like a noun."""
        said = [(cube, word) for cube in self._outer for word in self._cubes[cube].spec.nouns]
        alike = [*zip(self._likeness(noun, [word for _, word in said]), (cube for cube, _ in said), strict=False)]
        most = max((cosine for cosine, _ in alike), default=0.0)
        return [*dict.fromkeys(cube for cosine, cube in alike if cosine >= max(_NEAR, most - _APART))]

    def among(self, noun: str, texts: Iterable[str], but: str) -> list[QuestionEntity]:
        """Return the rows that a noun may call and some text names, but those that another text names."""
        celled, said = self._linker.valued(noun) if not self._own(noun) else (), f" {fold(but)} "
        rows = {(fact.cube, fold(fact.subject)) for fact in celled if fact.cube in self._outer}
        tables = self._tables(noun) if noun and not rows else []
        runs = {key for text in texts for key in _runs(text)} if tables or rows else set[str]()
        found = {row for row in rows if row[1] in runs} | {(t, key) for t in tables for key in runs & self._keys(t)}
        names = {key: self._cubes[cube].about(key)[0].subject for cube, key in found if f" {key} " not in said}
        return [QuestionEntity(names[key]) for key in sorted(names)]


def _runs(text: str) -> Iterator[str]:
    """The words of a text in a row, folded, as names are."""
    words = fold_words(text)
    for size in range(1, _LONGEST + 1):
        for at in range(len(words) - size + 1):
            yield " ".join(words[at : at + size])
