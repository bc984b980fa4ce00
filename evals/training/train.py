"""Training the span reader: one scale across sections, checkpoints to go on from."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from torch import nn

from ...agent.engines.encoders.minilm import load_tokenizer
from .mixture import Pair
from .network import SpanModel
from .windows import Batch, batches, ordered

__all__ = ["Schedule", "train"]

_KEPT_EVERY = 300.0
"""Seconds between checkpoints."""
_WORKERS = 12
"""Processes that cut windows, where a GPU waits for them."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a run trains.

    Passes over the questions, the highest learning rate, how many of the lowest layers stay as they are, the weight of
    the shared scale, the share of dropout, the most tokens of a batch, a seed; whether a processor, too, reckons in
    sixteen bits.
    """

    epochs: float = 1.0
    rate: float = 1e-4
    frozen: int = 0
    shared: float = 0.5
    dropout: float = 0.0
    budget: int = 2_600
    seed: int = 20
    half: bool = False


_Kept = nn.Module | torch.optim.Optimizer | torch.optim.lr_scheduler.LambdaLR
"""What a checkpoint holds the state of."""


def train(
    model: SpanModel,
    pairs: Sequence[Pair],
    schedule: Schedule,
    save: Path,
    *,
    teacher: SpanModel | None = None,
    report: Callable[[str], None] = print,
) -> None:
    """Train a reader and save its weights; goes on from ``save``'s checkpoint where an earlier run left one.

    It learns what a ``teacher`` says of each token, too (distillation, Hinton et al. 2015). Deterministic up to the
    arithmetic of the machine. Uses a GPU where PyTorch finds one.
    """
    where = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(schedule.seed)
    model.freeze(schedule.frozen)
    trained = [p for p in model.parameters() if p.requires_grad]
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = schedule.dropout
    if where.type == "cuda":
        model.encoder.set_attn_implementation("sdpa")  # faster there; what is exported is loaded anew
    model.to(where).train()
    if teacher is not None:
        teacher.to(where).eval().requires_grad_(False)
    tokenizer = load_tokenizer()
    optimiser = torch.optim.AdamW(trained, lr=schedule.rate, weight_decay=0.01, fused=where.type == "cuda")
    order = ordered(pairs, tokenizer, passes=schedule.epochs, budget=schedule.budget, seed=schedule.seed)
    total = len(order)
    pace = torch.optim.lr_scheduler.LambdaLR(optimiser, partial(_pace, total=total))
    kept = save.with_suffix(".checkpoint")
    done = _resumed(kept, model, optimiser, pace)
    if done:
        report(f"going on behind batch {done}")
    workers = _WORKERS if where.type == "cuda" else 0
    read = batches(pairs, tokenizer, order[done:], seed=schedule.seed, workers=workers)
    began, saved, seen = time.time(), time.time(), 0
    losses: list[torch.Tensor] = []
    for number, batch in enumerate(read, start=done + 1):
        with _precision(where, schedule.half):
            loss = _loss(model, teacher, batch, schedule.shared, where)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        pace.step()
        losses.append(loss.detach())
        seen += batch.questions
        if number % 50 == 0 or number == total:
            mean = float(torch.stack(losses[-50:]).mean())
            report(f"batch {number}/{total} loss {mean:.3f} {seen / (time.time() - began):.1f}/s")
        if time.time() - saved > _KEPT_EVERY:
            saved = time.time()
            _keep(kept, number, model, optimiser, pace)
    model.cpu().eval()
    torch.save(model.state_dict(), save)
    kept.unlink(missing_ok=True)


def _precision(where: torch.device, half: bool) -> AbstractContextManager[object]:
    """Sixteen bits on a GPU, which halves the time, and where it was asked for."""
    return torch.autocast(where.type, torch.bfloat16) if half or where.type == "cuda" else nullcontext()


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


def _loss(
    model: SpanModel, teacher: SpanModel | None, batch: Batch, shared: float, where: torch.device
) -> torch.Tensor:
    """Each window by itself, "not here" included; and the windows of a question together, without it.

    The second is the shared normalisation of Clark and Gardner (2018): a span has to beat those of the near miss.
    What a teacher says of a window weighs as much as the answer that is known.
    """
    read = (batch.ids.to(where), batch.mask.to(where), batch.kinds.to(where))
    closed = ~batch.allowed.unsqueeze(-1).to(where)
    logits = model(*read).float().masked_fill(closed, -1e4)
    ends = batch.ends.to(where)
    total = nn.functional.cross_entropy(logits.transpose(1, 2).reshape(-1, logits.shape[1]), ends.reshape(-1))
    if teacher is not None:
        told = teacher(*read).float().masked_fill(closed, -1e4).softmax(1)
        total = total - (told * logits.log_softmax(1)).sum() / (2 * len(logits))
    if not len(batch.groups):
        return total
    # Without "not here", over all windows of a question; a row that only fills a group up weighs nothing.
    rows, held = batch.groups.clamp_min(0).to(where), (batch.groups >= 0).to(where).unsqueeze(-1)
    whole = logits[:, 1:].logsumexp(1)[rows].masked_fill(~held, -1e4).logsumexp(1)
    right = logits.gather(1, ends.unsqueeze(1)).squeeze(1)[rows[:, 0]]
    loss: torch.Tensor = total + shared * (whole - right).sum() / (2 * len(logits))
    return loss
