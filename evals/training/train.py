"""Training the span reader: windows that hold the answer, one scale across sections, checkpoints to go on from."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn

from ...agent.engines.encoders.minilm import model_folder
from .examples import Example
from .mixture import Pair
from .network import SpanModel

__all__ = ["Schedule", "encode", "train"]

QUESTION_TOKENS = 48
TOTAL_TOKENS = 200
_BUDGET = 2_600
"""Tokens of a batch, its filling counted."""
_NEAR = 40 * 16
"""Examples among which those of like length go into one batch."""
_BEGIN = 0.5
"""How often a window starts at the section's beginning, where that holds the answer."""
_KEPT_EVERY = 300.0
"""Seconds between checkpoints."""

Encoded = tuple[list[int], int, int, int]
"""Token ids, where the section begins, the answer's first and last token (0 and 0: none)."""
Group = list[Encoded]
"""The windows of one question: the first holds its answer, if any does."""
_Kept = SpanModel | torch.optim.Optimizer | torch.optim.lr_scheduler.LambdaLR
"""What a checkpoint holds the state of."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a run trains: passes over the pairs, the highest learning rate, how many of the lowest layers stay as they
    are, the weight of the shared scale, a seed."""

    epochs: float = 1.0
    rate: float = 1e-4
    frozen: int = 0
    shared: float = 0.5
    seed: int = 20


def encode(example: Example, tokenizer: Tokenizer, rng: random.Random) -> Encoded:
    """Cut a section to a window that holds the answer, at a random place in it."""
    question = tokenizer.encode(example.question, add_special_tokens=False).ids[:QUESTION_TOKENS]
    lead = "" if not example.title or example.text.startswith(example.title) else f"{example.title}. "
    section = tokenizer.encode(lead + example.text, add_special_tokens=False)
    room = TOTAL_TOKENS - len(question) - 3
    first, last = _answer_tokens(section.offsets, example, len(lead))
    low = _beginning(len(section.ids), room, first, last, rng)
    window = section.ids[low : low + room]
    cls, sep = tokenizer.encode("").ids  # the two special tokens around any text
    start = len(question) + 2
    ids = [cls, *question, sep, *window, sep]
    found = first >= 0 and last - low < len(window)
    return ids, start, (first - low + start) if found else 0, (last - low + start) if found else 0


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


def train(
    model: SpanModel,
    pairs: Sequence[Pair],
    schedule: Schedule,
    save: Path,
    *,
    report: Callable[[str], None] = print,
) -> None:
    """Train on the pairs and save the weights; goes on from ``save``'s checkpoint where an earlier run left one.

    Deterministic up to the arithmetic of the machine. Uses a GPU where PyTorch finds one.
    """
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(schedule.seed)
    for part in (model.encoder.embeddings, *model.encoder.encoder.layer[: schedule.frozen]):
        part.requires_grad_(False)
    batches = _batches(pairs, _tokenizer(), schedule)
    trained = [p for p in model.parameters() if p.requires_grad]
    model.to(device).train()
    optimiser = torch.optim.AdamW(trained, lr=schedule.rate, weight_decay=0.01)
    pace = torch.optim.lr_scheduler.LambdaLR(optimiser, partial(_pace, total=len(batches)))
    kept = save.with_suffix(".checkpoint")
    done = _resumed(kept, model, optimiser, pace)
    if done:
        report(f"going on behind batch {done}")
    began, saved, losses, read = time.time(), time.time(), [0.0], 0
    for number, chosen in enumerate(batches[done:], start=done + 1):
        loss = _loss(model, chosen, schedule.shared, device)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        pace.step()
        losses.append(float(loss.detach()))
        read += sum(map(len, chosen))
        if number % 50 == 0 or number == len(batches):
            speed = read / (time.time() - began)
            report(f"batch {number}/{len(batches)} loss {sum(losses[-50:]) / len(losses[-50:]):.3f} {speed:.1f}/s")
        if time.time() - saved > _KEPT_EVERY:
            saved = time.time()
            _keep(kept, number, model, optimiser, pace)
    model.cpu().eval()
    torch.save(model.state_dict(), save)
    kept.unlink(missing_ok=True)


def _keep(path: Path, number: int, *parts: _Kept) -> None:
    """Write a checkpoint whole or not at all."""
    part = path.with_suffix(".part")
    torch.save((number, [one.state_dict() for one in parts]), part)
    part.replace(path)


def _resumed(path: Path, *parts: _Kept) -> int:
    if not path.is_file():
        return 0
    number, states = torch.load(path, weights_only=True, map_location="cpu")  # written with a GPU, maybe
    for part, state in zip(parts, states, strict=True):
        part.load_state_dict(state)
    return int(number)


def _pace(number: int, total: int) -> float:
    """The share of the learning rate at a batch: rising over the first twentieth, then falling to a fiftieth."""
    return min(1.0, (number + 1) / max(1, total // 20)) * max(0.02, 1 - number / total)


def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _batches(pairs: Sequence[Pair], tokenizer: Tokenizer, schedule: Schedule) -> list[list[Group]]:
    """Batches of like length (less filling), in random order."""
    rng = random.Random(schedule.seed)
    made: list[list[Group]] = []
    left = schedule.epochs
    while left > 0:
        pool = list(pairs)
        rng.shuffle(pool)
        groups = [[encode(e, tokenizer, rng) for e in pair] for pair in pool[: int(len(pool) * min(1.0, left))]]
        epoch: list[list[Group]] = []
        for at in range(0, len(groups), _NEAR):
            epoch.extend(_packed(sorted(groups[at : at + _NEAR], key=_width)))
        rng.shuffle(epoch)
        made.extend(epoch)
        left -= 1
    return made


def _width(group: Group) -> int:
    return max(len(ids) for ids, *_ in group)


def _packed(groups: Sequence[Group]) -> list[list[Group]]:
    """Groups, in order of their length, in batches of at most `_BUDGET` tokens."""
    batches: list[list[Group]] = []
    windows = 0
    for group in groups:
        if not batches or (windows + len(group)) * _width(group) > _BUDGET:
            batches.append([])
            windows = 0
        batches[-1].append(group)
        windows += len(group)
    return batches


def _loss(model: SpanModel, groups: Sequence[Group], shared: float, device: torch.device) -> torch.Tensor:
    """Each window by itself, "not here" included; and the windows of a question together, without it.

    The second is the shared normalisation of Clark and Gardner (2018): a span has to beat those of the near miss.
    """
    chosen = [window for group in groups for window in group]
    width = max(len(ids) for ids, *_ in chosen)
    ids, mask, kinds = (torch.zeros(len(chosen), width, dtype=torch.long) for _ in range(3))
    allowed = torch.zeros(len(chosen), width, dtype=torch.bool)
    for row, (tokens, start, _, _) in enumerate(chosen):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        mask[row, : len(tokens)] = 1
        kinds[row, start : len(tokens)] = 1
        allowed[row, start : len(tokens) - 1] = True
        allowed[row, 0] = True
    logits = model(ids.to(device), mask.to(device), kinds.to(device))
    logits = logits.masked_fill(~allowed.unsqueeze(-1).to(device), -1e4)
    ends = torch.tensor([[first, last] for _, _, first, last in chosen], device=device)
    total = nn.functional.cross_entropy(logits.transpose(1, 2).reshape(-1, width), ends.reshape(-1))
    together: list[torch.Tensor] = []
    row = 0
    for group in groups:
        if len(group) > 1 and group[0][2] > 0:
            behind = logits[row : row + len(group), 1:]  # without "not here"
            flat = behind.permute(2, 0, 1).reshape(2, -1)
            together.append(nn.functional.cross_entropy(flat, ends[row] - 1))
        row += len(group)
    return total + shared * torch.stack(together).sum() / len(chosen) if together else total
