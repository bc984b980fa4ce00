"""The tokens of a question, and the tree that they hang in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

__all__ = ["Token", "Tree"]

@dataclass(frozen=True, slots=True)
class Token:
    """A word of a question, or a whole name. ``head`` is the index of its governor (its own for the root)."""

    index: int
    text: str
    tag: str
    dep: str
    head: int
    name: bool = False

    @property
    def lower(self) -> str:
        """The word in lower case."""
        return self.text.lower()


@dataclass(frozen=True)
class Tree:
    """The tokens of a question in order, with who governs whom."""

    tokens: tuple[Token, ...]

    def children(self, index: int) -> tuple[Token, ...]:
        """The tokens that a token governs, in order."""
        return self._children[index]

    def subtree(self, index: int) -> list[int]:
        """The indices of a token and all below it, in order."""
        found, todo = [], [index]
        while todo:
            at = todo.pop()
            found.append(at)
            todo.extend(child.index for child in self.children(at))
        return sorted(found)

    def governs(self, above: int, below: int) -> bool:
        """Whether a token stands below another one."""
        return any(token.index == above for token in self.ancestors(below))

    def ancestors(self, index: int) -> Iterator[Token]:
        """The governors of a token, nearest first."""
        while self.tokens[index].head != index:
            index = self.tokens[index].head
            yield self.tokens[index]

    @cached_property
    def _children(self) -> tuple[tuple[Token, ...], ...]:
        found: list[list[Token]] = [[] for _ in self.tokens]
        for token in self.tokens:
            if token.head != token.index:
                found[token.head].append(token)
        return tuple(tuple(f) for f in found)
