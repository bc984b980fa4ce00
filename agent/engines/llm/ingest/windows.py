"""The sliding window over a long text, and the windows' outputs put together again (HiQA, Algorithm 1)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import accumulate

__all__ = ["joined", "windows"]

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_PIECE = re.compile(r"(?s).{1,200}(?:\s+|\Z)|\S+\s*")
_WORD = re.compile(r"[^\W_]+")
_LONGEST_LINE = 400
"""Characters of a line that is not cut: a paragraph written on one line may be longer than a window."""
_ANCHOR = 8
"""Words by which the place is found where an output goes on from the one before."""


def windows(text: str, size: int, padding: int, count: Callable[[str], int]) -> list[str]:
    """Cut a text of N tokens into T = ceil(N / size) windows of ``size`` tokens and ``padding`` more on either side.

    ``count`` says how many tokens a text has. Windows begin and end between lines, or between words of long ones.
    """
    pieces = _pieces(text)
    ends = list(accumulate(count(piece) for piece in pieces))
    total = ends[-1] if ends else 0
    starts = [0, *ends[:-1]]
    cut = []
    for step in range(math.ceil(total / size)):
        low, high = step * size - padding, (step + 1) * size + padding
        cut.append("".join(piece for piece, start in zip(pieces, starts, strict=True) if low <= start < high))
    return cut


def _pieces(text: str) -> list[str]:
    return [
        piece
        for line in _LINE.findall(text)
        for piece in ([line] if len(line) <= _LONGEST_LINE else _PIECE.findall(line))
    ]


def joined(outputs: Sequence[str]) -> str:
    """Put the outputs of overlapping windows together, without what one repeats of those before it."""
    whole = ""
    for output in outputs:
        more = output[_repeated(whole, output) :]
        glue = "" if not whole or whole.endswith("\n") or more.startswith("\n") else "\n"
        whole += glue + more
    return whole


def _repeated(before: str, output: str) -> int:
    """Return how many characters at the beginning of an output stand at the end of what was put out before it.

    The last words before are looked for in the output, as far as all that comes before them there repeats as well;
    markup between the words does not count.
    """
    tail = [found[0].casefold() for found in _WORD.finditer(before[-2 * len(output) :])]
    head = [(found[0].casefold(), found.end()) for found in _WORD.finditer(output)]
    for length in range(min(len(tail), len(head)), _ANCHOR - 1, -1):
        if all(word == head[n][0] for n, word in enumerate(tail[-length:])):
            return _line_end(output, head[length - 1][1])
    first, last = (next(filter(None, map(str.strip, lines)), "") for lines in (
        output.splitlines(), reversed(before.splitlines())
    ))  # fmt: skip
    return _line_end(output, output.find(first) + len(first)) if first and first == last else 0


def _line_end(text: str, at: int) -> int:
    """Return the end of the line where only marks are left of it, else the place itself."""
    end = text.find("\n", at)
    end = len(text) if end < 0 else end + 1
    return end if not any(c.isalnum() for c in text[at:end]) else at
