"""The rows of tables that texts name: "which server failed" asks for a row of the servers (MultiCube-RAG 3.4.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from .....cubes.core.folding import fold, fold_words
from .....cubes.core.records import Fact
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
        self.names = lru_cache(_KEPT)(self._names)

    def noun(self, words: Sequence[str]) -> tuple[str, bool]:
        """Return the word behind "which" by which rows are called, "" where none is, and whether a table or a cell has
        it; else it is the first, and means what a table's rows are called."""
        words = [word for word in words if word not in TIMES]
        own, first = next((word for word in words if self._called(word)), ""), next(iter(words), "")
        return (own, True) if own else (first if first and self.names(first) else "", False)

    def calls(self, noun: str) -> bool:
        """Return whether the rows of a table are called so, or mean so."""
        cubes = self._cues.cubes(noun)
        return any(map(is_table, cubes)) if cubes else bool(self._meant(noun, self._outer()))

    def _outer(self) -> list[str]:
        return [cube for cube in self._cues.tables if not is_inside(cube)]

    def _called(self, noun: str) -> bool:
        tables = any(is_table(cube) for cube in self._cues.cubes(noun))
        return tables or any(is_table(fact.cube) for fact in self._linker.valued(noun))

    def _names(self, noun: str) -> dict[str, str]:
        """Return the names of the rows that a noun may call, by their keys; nothing where it calls none."""
        called = [cube for cube in self._cues.tables if cube in self._cues.cubes(noun)]
        tables = self._outer()
        if not called and (held := {f.subject for f in self._linker.valued(noun) if f.cube in tables}):
            return {fold(name): name for name in held}
        if not called and not self._cues.cubes(noun):  # no class of another cube
            called = self._meant(noun, tables)
        return {fold(fact.subject): fact.subject for cube in called for fact in self._facts(cube)}

    def _facts(self, cube: str) -> Iterator[Fact]:
        held = self._cubes[cube]
        return (fact for key in held.subject_keys() for fact in held.about(key)[:1])

    def _meant(self, noun: str, tables: Collection[str]) -> list[str]:
        """The tables whose rows are called most like a noun."""
        said = [(cube, word) for cube in tables for word in self._cubes[cube].spec.nouns]
        alike = [*zip(self._likeness(noun, [word for _, word in said]), (cube for cube, _ in said), strict=False)]
        most = max((cosine for cosine, _ in alike), default=0.0)
        return [*dict.fromkeys(cube for cosine, cube in alike if cosine >= max(_NEAR, most - _APART))]

    def among(self, noun: str, texts: Iterable[str], but: str) -> list[QuestionEntity]:
        """Return the rows that a noun may call and some text names, but those that another text names."""
        names, said = self.names(noun), f" {fold(but)} "
        found = {key for text in texts for key in _runs(text)} & names.keys() if names else set[str]()
        return [QuestionEntity(names[key]) for key in sorted(found) if f" {key} " not in said]


def _runs(text: str) -> Iterator[str]:
    """The words of a text in a row, folded, as names are."""
    words = fold_words(text)
    for size in range(1, _LONGEST + 1):
        for at in range(len(words) - size + 1):
            yield " ".join(words[at : at + size])
