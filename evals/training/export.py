"""Writing the trained reader as ONNX with eight-bit weights, word vectors included."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch

from .network import SpanModel

__all__ = ["export"]

_OPSET = 17


def export(model: SpanModel, target: Path) -> None:
    """Write the reader; seven-bit weights for the matrix products, so that every processor computes the same."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    model.eval()
    axes = {0: "batch", 1: "tokens"}
    example = torch.ones(2, 8, dtype=torch.long)
    with tempfile.TemporaryDirectory() as scratch:
        exact = Path(scratch) / "reader.onnx"
        torch.onnx.export(
            model, (example, example, example), str(exact), dynamo=False, opset_version=_OPSET,
            input_names=["input_ids", "attention_mask", "token_type_ids"], output_names=["logits"],
            dynamic_axes=dict.fromkeys(("input_ids", "attention_mask", "token_type_ids", "logits"), axes),
        )  # fmt: skip
        quantize_dynamic(
            str(exact), str(target), weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul", "Gather"],
            per_channel=True, reduce_range=True,
        )  # fmt: skip
