"""What the reader is shown of a question and a section: a window that holds the answer, and batches of windows."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch.utils.data import DataLoader, Dataset

from ...agent.engines.embedded.answers.span import QUESTION_TOKENS, WINDOW_TOKENS, lead_of
from .examples import Example
from .mixture import Pair

__all__ = ["Batch", "Window", "batches", "cut", "ordered"]

_NEAR = 40 * 16
"""Questions among which those of like length go into one batch."""
_BEGIN = 0.5
"""How often a window starts at the section's beginning, where that holds the answer."""
_SPECIAL = 3
"""Tokens of a window that are no text."""
_AT_ONCE = 2_000
"""Questions whose tokens are counted at a time."""

Key = tuple[int, int]
"""A pass, and a question's place among all."""


@dataclass(frozen=True, slots=True)
class Window:
    """One window: its tokens, where the section begins, the answer's first and last token (0 and 0: not here)."""

    ids: list[int]
    section: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Windows side by side, shape (windows, tokens); ``ends`` has each one's first and last token, shape (windows, 2).

    ``groups`` has the rows of each question that has several, of which the first holds its answer: shape (questions,
    most rows), filled up with -1.
    """

    ids: torch.Tensor
    mask: torch.Tensor
    kinds: torch.Tensor
    allowed: torch.Tensor
    ends: torch.Tensor
    groups: torch.Tensor
    questions: int


def cut(example: Example, tokenizer: Tokenizer, rng: random.Random) -> Window:
    """Cut a section to a window that holds the answer, at a random place in it."""
    question = tokenizer.encode(example.question, add_special_tokens=False).ids[:QUESTION_TOKENS]
    lead = lead_of(example.title, example.text)
    section = tokenizer.encode(lead + example.text, add_special_tokens=False)
    room = WINDOW_TOKENS - len(question) - _SPECIAL
    first, last = _answer_tokens(section.offsets, example, len(lead))
    low = _beginning(len(section.ids), room, first, last, rng)
    window = section.ids[low : low + room]
    cls, sep = tokenizer.encode("").ids  # the special tokens around any text
    start = len(question) + 2
    found = first >= 0 and last - low < len(window)
    ids = [cls, *question, sep, *window, sep]
    return Window(ids, start, (first - low + start) if found else 0, (last - low + start) if found else 0)


def _answer_tokens(offsets: Sequence[tuple[int, int]], example: Example, lead: int) -> tuple[int, int]:
    """The answer's first and last token in the section behind its title; -1 and -1 where it has none."""
    if not example.answerable:
        return -1, -1
    begin, end = example.start + lead, example.end + lead
    inside = [i for i, (start, stop) in enumerate(offsets) if start < end and stop > begin]
    return (inside[0], inside[-1]) if inside else (-1, -1)


def _beginning(length: int, room: int, first: int, last: int, rng: random.Random) -> int:
    """Where the window begins: anywhere without an answer, and often at the beginning where that holds the answer."""
    if length <= room:
        return 0
    latest = length - room
    if first < 0:
        return 0 if rng.random() < _BEGIN else rng.randint(0, latest)
    low = rng.randint(max(0, last - room + 1), max(0, min(first, latest), last - room + 1))
    return 0 if last < room and rng.random() < _BEGIN else low


class _Questions(Dataset[tuple[list[Window], int]]):
    """The windows of each question; a window's place is drawn anew in each pass."""

    def __init__(self, pairs: Sequence[Pair], tokenizer: Tokenizer, seed: int) -> None:
        self._pairs, self._tokenizer, self._seed = pairs, tokenizer, seed

    def __getitem__(self, key: Key) -> list[Window]:  # type: ignore[override]
        rng = random.Random(f"{self._seed} {key}")
        return [cut(example, self._tokenizer, rng) for example in self._pairs[key[1]]]


def batches(
    pairs: Sequence[Pair], tokenizer: Tokenizer, chosen: Sequence[list[Key]], *, seed: int, workers: int
) -> Iterator[Batch]:
    """Yield batches as `ordered` has laid them down, cut by so many processes beside (0: by this one)."""
    loaded: DataLoader[Batch] = DataLoader(
        _Questions(pairs, tokenizer, seed),  # type: ignore[arg-type]
        batch_sampler=chosen, collate_fn=_collated, num_workers=workers, prefetch_factor=8 if workers else None,
    )  # fmt: skip
    return iter(loaded)


def ordered(pairs: Sequence[Pair], tokenizer: Tokenizer, *, passes: float, budget: int, seed: int) -> list[list[Key]]:
    """Lay down which questions each batch has: of like length (less filling), in random order."""
    rng = random.Random(seed)
    widths = _widths(pairs, tokenizer)
    made: list[list[Key]] = []
    number = 0
    while passes - number > 0:
        order = list(range(len(pairs)))
        rng.shuffle(order)
        order = order[: max(1, int(len(order) * min(1.0, passes - number)))]
        one: list[list[Key]] = []
        for at in range(0, len(order), _NEAR):
            near = sorted(order[at : at + _NEAR], key=lambda n: widths[n])
            one.extend(_packed(near, pairs, widths, budget, number))
        rng.shuffle(one)
        made.extend(one)
        number += 1
    return made


def _widths(pairs: Sequence[Pair], tokenizer: Tokenizer) -> list[int]:
    """How many tokens the widest window of each question has."""
    widths: list[int] = []
    for at in range(0, len(pairs), _AT_ONCE):
        group = pairs[at : at + _AT_ONCE]
        sections = [lead_of(e.title, e.text) + e.text for pair in group for e in pair]
        asked = tokenizer.encode_batch_fast([pair[0].question for pair in group], add_special_tokens=False)
        read = iter(tokenizer.encode_batch_fast(sections, add_special_tokens=False))
        for pair, question in zip(group, asked, strict=True):
            longest = max(len(next(read).ids) for _ in pair)
            widths.append(min(WINDOW_TOKENS, _SPECIAL + min(QUESTION_TOKENS, len(question.ids)) + longest))
    return widths


def _packed(
    near: Sequence[int], pairs: Sequence[Pair], widths: Sequence[int], budget: int, number: int
) -> Iterator[list[Key]]:
    """Questions, in order of their length, in batches of at most ``budget`` tokens."""
    batch, windows = list[Key](), 0
    for n in near:
        windows += len(pairs[n])
        if batch and windows * widths[n] > budget:
            yield batch
            batch, windows = [], len(pairs[n])
        batch.append((number, n))
    if batch:
        yield batch


def _collated(questions: Sequence[list[Window]]) -> Batch:
    chosen = [window for question in questions for window in question]
    width = max(len(window.ids) for window in chosen)
    ids, mask, kinds = (torch.zeros(len(chosen), width, dtype=torch.long) for _ in range(3))
    allowed = torch.zeros(len(chosen), width, dtype=torch.bool)
    ends = torch.tensor([[window.first, window.last] for window in chosen])
    for row, window in enumerate(chosen):
        length = len(window.ids)
        ids[row, :length] = torch.tensor(window.ids)
        mask[row, :length] = 1
        kinds[row, window.section : length] = 1
        allowed[row, window.section : length - 1] = True
        allowed[row, 0] = True
    groups = torch.full((len(questions), max(map(len, questions))), -1)
    row = 0
    for number, question in enumerate(questions):
        if len(question) > 1 and question[0].first:
            groups[number, : len(question)] = torch.arange(row, row + len(question))
        row += len(question)
    groups = groups[groups[:, 0] >= 0]
    return Batch(ids, mask, kinds, allowed, ends, groups, len(questions))
