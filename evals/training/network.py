"""The reader's network: MiniLM with two outputs a token, of being the answer's first and its last."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import numpy as np
import torch
from torch import nn
from transformers import AutoModel

from ...cubes.core.errors import InputError
from .encoder import base_folder

__all__ = ["SpanModel", "averaged", "load_model", "products"]

_LAYERS = "encoder.encoder.layer."


class SpanModel(nn.Module):
    """A network of MiniLM's shape and a linear layer; the first token stands for "not here".

    ``layers`` of MiniLM's six or more: where there are more, those above begin with random weights.
    """

    def __init__(self, layers: int = 6) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(
            base_folder(), local_files_only=True, attn_implementation="eager", add_pooling_layer=False,
            num_hidden_layers=layers, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        )  # fmt: skip
        self.heads = nn.Linear(self.encoder.config.hidden_size, 2)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """Return logits of shape (windows, tokens, 2)."""
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        logits: torch.Tensor = self.heads(states.last_hidden_state)
        return logits

    def freeze(self, layers: int) -> None:
        """Leave the word vectors and the lowest layers as they are."""
        for part in (self.encoder.embeddings, *self.encoder.encoder.layer[:layers]):
            part.requires_grad_(False)


def load_model(start: Path | None = None) -> SpanModel:
    """Return the packaged MiniLM with fresh heads, or the weights of a file: ``.pt``, or a shipped ``.onnx``."""
    torch.manual_seed(0)
    if start is None:
        return SpanModel()
    if not start.is_file():
        raise InputError(f"{start} is missing; name weights that a training has saved, or an exported reader.")
    try:
        weights = _weights_of(start) if start.suffix == ".onnx" else torch.load(start, weights_only=True)
        model = SpanModel(len({name.split(".")[3] for name in weights if name.startswith(_LAYERS)}))
        # An exported reader has neither the places of tokens, which are no weights, nor the kinds that are not used.
        lacking = model.load_state_dict(weights, strict=start.suffix != ".onnx").missing_keys
    except (RuntimeError, EOFError, TypeError, AttributeError, UnpicklingError) as error:
        raise InputError(f"{start} holds no weights of a span reader.") from error
    if lacking := [name for name in lacking if not name.endswith(("position_ids", "token_type_ids"))]:
        raise InputError(f"{start} is no exported reader: it lacks {lacking[0]}.")
    return model


def _weights_of(path: Path) -> dict[str, torch.Tensor]:
    """The weights of an exported reader, its eight-bit ones scaled back."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    held: dict[str, Any] = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    weights: dict[str, Any] = {}
    for name, value in held.items():
        if name.endswith((".bias", "LayerNorm.weight")):
            weights[name] = value
        elif name.endswith("_embeddings.weight_quantized"):
            weights[name.removesuffix("_quantized")] = _whole(name, held)
    for name, product in products(graph, weights):
        weights[name] = _whole(product.input[1], held).T
    return {name: torch.from_numpy(np.array(value, dtype=np.float32, order="C")) for name, value in weights.items()}


def products(graph: Any, biases: Collection[str]) -> list[tuple[str, Any]]:
    """Return the weights of a graph's matrix products, which have no names of their own: that of the bias behind them,
    with the product's node."""
    made = {output: node for node in graph.node for output in node.output}
    found = []
    for node in graph.node:
        bias = next((name for name in node.input if name in biases and name.endswith(".bias")), None)
        if node.op_type != "Add" or bias is None or "LayerNorm" in bias:
            continue
        product = made[next(name for name in node.input if name != bias)]
        while not product.op_type.startswith("MatMul"):
            product = made[product.input[0]]
        found.append((bias.removesuffix("bias") + "weight", product))
    return found


def _whole(name: str, held: dict[str, Any]) -> Any:
    stem = name.removesuffix("_quantized")
    scale, zero = held[f"{stem}_scale"], held[f"{stem}_zero_point"]
    return (held[name].astype(np.float32) - zero.astype(np.float32)) * scale


def averaged(weights: Sequence[Path], target: Path) -> None:
    """Save the mean of readers' weights (a model soup, Wortsman et al. 2022); InputError for what is none."""
    models = [load_model(each) for each in weights]
    first, *others = (model.state_dict() for model in models)
    for name, values in first.items():
        if values.is_floating_point():
            first[name] = sum((other[name] for other in others), values) / len(models)
    models[0].load_state_dict(first)
    torch.save(models[0].state_dict(), target)
