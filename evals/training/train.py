"""The reader's network and its training: MiniLM with two outputs a token, the answer's first and last."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn
from transformers import AutoModel

from ...agent.minilm import model_folder
from .examples import Example

__all__ = ["SpanModel", "encode", "load_model", "train"]

QUESTION_TOKENS = 48
TOTAL_TOKENS = 128
Encoded = tuple[list[int], int, int, int]
"""Token ids, where the section begins, the answer's first and last token (0 and 0: none)."""


class SpanModel(nn.Module):
    """MiniLM and a linear layer: logits of a token being the answer's first and its last; the first token stands
    for 'not here'."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(
            model_folder(), local_files_only=True, attn_implementation="eager", add_pooling_layer=False,
            hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        )  # fmt: skip
        self.heads = nn.Linear(self.encoder.config.hidden_size, 2)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """Return logits of shape (batch, tokens, 2)."""
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        logits: torch.Tensor = self.heads(states.last_hidden_state)
        return logits


def load_model(path: Path | None = None) -> SpanModel:
    """Return the packaged MiniLM with fresh heads, or the weights of an earlier stage."""
    torch.manual_seed(0)
    model = SpanModel()
    if path is not None:
        model.load_state_dict(torch.load(path, weights_only=True))
    return model


def encode(example: Example, tokenizer: Tokenizer, rng: random.Random) -> Encoded:
    """Cut a section to a window that holds the answer, at a random place in it."""
    question = tokenizer.encode(example.question, add_special_tokens=False).ids[:QUESTION_TOKENS]
    lead = "" if example.text.startswith(example.title) else f"{example.title}. "
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
    """Where the window begins: at the section's beginning without an answer, and mostly where that holds the answer."""
    if length <= room:
        return 0
    latest = length - room
    if first < 0:
        rng.randint(0, latest)  # drawn all the same: what is drawn after it is what the shipped reader was trained on
        return 0
    low = rng.randint(max(0, last - room + 1), min(first, latest))
    return 0 if last < room and rng.random() < 0.6 else low


def train(
    model: SpanModel,
    examples: Sequence[Example],
    *,
    epochs: float,
    rate: float,
    batch: int,
    seed: int,
    save: Path,
    report: Callable[[str], None] = print,
) -> None:
    """Train on the examples and save the weights; deterministic up to the arithmetic of the machine."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    for parameter in model.encoder.embeddings.parameters():
        parameter.requires_grad = False
    batches = _batches(examples, _tokenizer(), epochs, batch, rng)
    trained = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, partial(_pace, total=len(batches)))
    model.train()
    began, losses = time.time(), []
    for number, chosen in enumerate(batches, start=1):
        loss = _loss(model, chosen)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        schedule.step()
        losses.append(float(loss.detach()))
        if number % 50 == 0 or number in (10, 20) or number == len(batches):
            speed = number * batch / (time.time() - began)
            report(f"batch {number}/{len(batches)} loss {sum(losses[-50:]) / len(losses[-50:]):.3f} {speed:.1f}/s")
    model.eval()
    torch.save(model.state_dict(), save)


def _pace(number: int, total: int) -> float:
    """The share of the learning rate at a batch: rising over the first twelfth, then falling to a fiftieth."""
    return min(1.0, (number + 1) / max(1, total // 12)) * max(0.02, 1 - number / total)


def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _batches(
    examples: Sequence[Example], tokenizer: Tokenizer, epochs: float, batch: int, rng: random.Random
) -> list[list[Encoded]]:
    """Batches of like length (less padding), in random order."""
    made: list[list[Encoded]] = []
    left = epochs
    while left > 0:
        pool = list(examples)
        rng.shuffle(pool)
        encoded = [encode(e, tokenizer, rng) for e in pool[: int(len(pool) * min(1.0, left))]]
        epoch: list[list[Encoded]] = []
        for at in range(0, len(encoded), batch * 40):
            near = sorted(encoded[at : at + batch * 40], key=lambda e: len(e[0]))
            epoch.extend(near[i : i + batch] for i in range(0, len(near), batch))
        rng.shuffle(epoch)
        made.extend(epoch)
        left -= 1
    return made


def _loss(model: SpanModel, chosen: Sequence[Encoded]) -> torch.Tensor:
    width = max(len(ids) for ids, *_ in chosen)
    ids = torch.zeros(len(chosen), width, dtype=torch.long)
    mask = torch.zeros(len(chosen), width, dtype=torch.long)
    kinds = torch.zeros(len(chosen), width, dtype=torch.long)
    allowed = torch.zeros(len(chosen), width, dtype=torch.bool)
    for row, (tokens, start, _, _) in enumerate(chosen):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        mask[row, : len(tokens)] = 1
        kinds[row, start : len(tokens)] = 1
        allowed[row, start : len(tokens) - 1] = True
        allowed[row, 0] = True
    logits = model(ids, mask, kinds).masked_fill(~allowed.unsqueeze(-1), -1e4)
    first = torch.tensor([f for _, _, f, _ in chosen])
    last = torch.tensor([e for _, _, _, e in chosen])
    return (nn.functional.cross_entropy(logits[..., 0], first) + nn.functional.cross_entropy(logits[..., 1], last)) / 2
