"""The span reader: a small network that points at the words of a section that answer a one-hop subquery.

It reads each section alone and also says how sure it is that the answer is there at all. How it was trained, and on
what, is said in reader/README.md; the file is optional, without it the rules of `sentences` stand alone.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .....cubes.documents.sections import sentences
from ...encoders.minilm import load_tokenizer
from ...encoders.sessions import open_session, side_by_side

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = [
    "QUESTION_TOKENS", "WINDOW_TOKENS", "Keep", "Margin", "PredictedSpan", "RecentReadings", "SpanReader", "lead_of",
    "open_reader", "whole_words",
]  # fmt: skip

_FILE = Path(__file__).parent / "reader" / "reader.onnx"
QUESTION_TOKENS = 48  # read of a question
WINDOW_TOKENS = 200  # of a window, the question's and three special ones counted
_STRIDE = 120
_WINDOWS = 2  # read of one section
_LONGEST = 24  # tokens of an answer
_CANDIDATES = 3  # spans kept of a window
_KEPT = 512  # readings of a section that are kept
_NEXT_CELL = re.compile(r" \| |\n(?=[^:\n]{1,40}: )")
_LED = re.compile(r"(?<![^\s\"'`“‘(\[<=,;:|])(?:~?/|\.{1,2}/|--?)\.?\Z")
_LED_WORD = re.compile(r"(?:[\w./=+-]*\w)?")
_REST = re.compile(r"(?:(?:[._/]|(?<=\d{4}-\d\d)-)\w+)*(?:\+(?!\w))*")
_HEAD = re.compile(r"(?<!\w)[\w./]*\w[._/]\Z")
"""What belongs to a word behind a mark, and before one: of a file, a version, a date."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PredictedSpan:
    """A span of one section's text; ``margin`` is its logit above that of "the answer is not here"."""

    section: int
    start: int
    end: int
    text: str
    margin: float


@dataclass(frozen=True, slots=True)
class _Window:
    section: int
    ids: list[int]
    offset: int  # where the section's tokens begin in ``ids``
    places: list[tuple[int, int]]  # of those tokens in the section's text; negative ones belong to the title before it


Keep = Callable[[str, Sequence[tuple[str, str]], Callable[[], list[PredictedSpan]]], list[PredictedSpan]]
"""Returns what was read before, or reads it now: for who asks the same over and over, as an evaluation does."""

Margin = Callable[[int, int], float | None]
"""Tells the margin of a place in a text that was read, from its start to its end; None for one beyond the windows."""


class SpanReader:
    """Reads spans by the network in ``path``; loaded with the first question that needs it. ``keep`` may keep them."""

    keep: Keep | None = None

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._session: Any = None
        self._tokenizer: Tokenizer | None = None

    def read(self, question: str, sections: Sequence[tuple[str, str]]) -> list[PredictedSpan]:
        """Return the best spans of each (title, text), the surest first."""
        if self.keep is None:
            return self._read(question, sections)
        return self.keep(question, sections, lambda: self._read(question, sections))

    def _read(self, question: str, sections: Sequence[tuple[str, str]]) -> list[PredictedSpan]:
        windows = [w for n, (title, text) in enumerate(sections) for w in self._windows(question, n, title, text)]
        logits = side_by_side(self._logits, windows) if windows else []
        found = [s for w, row in zip(windows, logits, strict=True) for s in _spans(w, row, sections[w.section][1])]
        return _sorted(found)

    def again(self, question: str, text: str) -> Margin:
        """Read a text without a title; what is returned tells the margin of any place in it."""
        read = [(window, self._logits(window)) for window in self._windows(question, 0, "", text)]

        def margin(start: int, end: int) -> float | None:
            for window, logits in read:
                at = [n for n, (low, high) in enumerate(window.places, window.offset) if low < end and high > start]
                if at:
                    return float(logits[at[0], 0] + logits[at[-1], 1] - logits[0].sum())
            return None

        return margin

    def _windows(self, question: str, section: int, title: str, text: str) -> Iterator[_Window]:
        tokenizer, lead = self._load(), lead_of(title, text)
        asked = tokenizer.encode(question, add_special_tokens=False).ids[:QUESTION_TOKENS]
        encoded = tokenizer.encode(lead + text, add_special_tokens=False)
        cls, sep = tokenizer.encode("").ids
        room = WINDOW_TOKENS - len(asked) - 3
        places = [(start - len(lead), end - len(lead)) for start, end in encoded.offsets]
        for low in _beginnings(asked, encoded.ids, room):
            ids = [cls, *asked, sep, *encoded.ids[low : low + room], sep]
            yield _Window(section, ids, len(asked) + 2, places[low : low + room])

    def _logits(self, window: _Window) -> Floats:
        """Read a window by itself: filling would cost time, and a window's margins depend on no other."""
        ids = np.array([window.ids], dtype=np.int64)
        kinds = (np.arange(ids.size)[None, :] >= window.offset).astype(np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        logits: Floats = self._session.run(None, feeds)[0][0]
        return logits

    def _load(self) -> Tokenizer:
        with self._lock:
            if self._tokenizer is None:
                self._session, self._tokenizer = open_session(self._path), load_tokenizer()
            return self._tokenizer


class RecentReadings:
    """What a reader found in the sections that it read last: a short answer, a quotation and the confidence come of one
    reading, though their sections are not all the same."""

    def __init__(self, reader: SpanReader) -> None:
        self._reader, self._guard = reader, threading.Lock()
        self._known: dict[tuple[str, tuple[str, str]], list[PredictedSpan]] = {}
        self.again = lru_cache(_KEPT // 4)(reader.again)

    def spans(self, question: str, sections: Sequence[tuple[str, str]]) -> list[PredictedSpan]:
        """Return what `SpanReader.read` does; only sections that it has not read lately are read."""
        with self._guard:
            known = {one: self._known[question, one] for one in sections if (question, one) in self._known}
        missing = [one for one in dict.fromkeys(sections) if one not in known]
        read = self._reader.read(question, missing) if missing else []
        known |= {one: [span for span in read if span.section == n] for n, one in enumerate(missing)}
        with self._guard:
            self._known |= {(question, one): known[one] for one in missing}
            while len(self._known) > _KEPT:
                del self._known[next(iter(self._known))]  # the oldest
        return _sorted(replace(span, section=n) for n, one in enumerate(sections) for span in known[one])


@cache
def open_reader(file: str | None = None) -> SpanReader | None:
    """Return the reader in a file, by default the one that comes with the package; None where that was left out.

    Each is opened once, so that what is kept of its readings is shared (`SpanReader.keep`).
    """
    return SpanReader(Path(file)) if file is not None else SpanReader(_FILE) if _FILE.is_file() else None


def lead_of(title: str, text: str) -> str:
    """Return what a section is read with before its text: its title, unless the text begins with it."""
    return "" if text.startswith(title) else f"{title}. "


def _beginnings(asked: Sequence[int], ids: Sequence[int], room: int) -> list[int]:
    """Where a section's windows begin: of a long one only those that share most tokens with the question."""
    last = max(0, len(ids) - room)
    lows = [*range(0, last, _STRIDE), last]
    return sorted(lows, key=lambda low: -len({*asked} & {*ids[low : low + room]}))[:_WINDOWS]


def _sorted(spans: Iterable[PredictedSpan]) -> list[PredictedSpan]:
    return sorted(spans, key=lambda s: (-s.margin, s.section, s.start))


def _spans(window: _Window, logits: Floats, text: str) -> Iterator[PredictedSpan]:
    """The best spans of a window that do not overlap, with their logits above the first token's."""
    count = len(window.places)
    first, last = logits[window.offset : window.offset + count].T
    nothing = float(logits[0].sum())
    starts, at = np.array([start for start, _ in window.places]), np.arange(count)
    # Within one sentence of the text, no longer than an answer is; the title has negative places.
    sentence = np.searchsorted([span.end for span in sentences(text)], starts, side="right")
    sentence[starts < 0] = -1
    length = at[None, :] - at[:, None]
    fits = (length >= 0) & (length < _LONGEST) & (sentence[:, None] == sentence) & (sentence >= 0)
    scores = np.where(fits, first[:, None] + last[None, :], -np.inf)
    for _ in range(_CANDIDATES):
        if not np.isfinite(scores).any():
            return
        begin, end = divmod(int(np.argmax(scores)), count)
        start, stop = whole_words(text, window.places[begin][0], window.places[end][1])
        yield PredictedSpan(window.section, start, stop, text[start:stop], float(scores[begin, end]) - nothing)
        scores[max(0, begin - _LONGEST) : end + 1, begin:] = -np.inf


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span to whole words (word pieces may cut one), with both brackets of a pair or none, and drop white space
    and closing punctuation.

    What leads a path, an option or a negative number belongs to its word: "/etc", "~/.profile", "--force", "-5"; so do
    the letters that say whose dollars they are.
    """
    while start > 0 and text[start - 1].isalnum() and (text[start].isalnum() or text[start] == "$"):
        start -= 1
    while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    cell = _NEXT_CELL.split(text[start:end])[0]  # of a table's row one cell, not two
    end = start + len(cell) if cell.strip() else end
    end = start + len(text[start:end].rstrip(" ,;:"))
    lead = _LED.search(text, max(0, start - 4), start) or _HEAD.search(text, max(0, start - 60), start)
    start = lead.start() if lead is not None and text[start:end][:1].isalnum() else start
    word = text.rfind(" ", start, end) + 1 or start
    rest = (_LED_WORD if text[word] in "/~" else _REST).match(text, end)
    return _paired(text, start, rest.end() if rest is not None else end)


def _paired(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without half a pair of quotation marks or brackets at its ends, or with the bracket right behind it."""
    if text.count('"', start, end) == 1 < end - start:
        start, end = start + (text[start] == '"'), end - (text[end - 1] == '"')
    for left, right in ("()", "[]"):
        more = text.count(left, start, end) - text.count(right, start, end)
        if more > 0 and text[start] == left and end - start > 1:
            start += 1
        elif more > 0 and text[end : end + 1] == right:
            end += 1
        elif more < 0 and text[end - 1] == right and end - start > 1:
            end -= 1
    return start, end
