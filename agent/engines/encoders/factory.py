"""Encoders for dense matching: the packaged MiniLM through ONNX Runtime, any sentence-transformers model, or an
embedding model behind an endpoint (`endpoint_encoder`).

The packaged model has eight-bit weights: about three times as fast as PyTorch, which is not needed for it.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....cubes.core.errors import UsageError
from ....cubes.core.extras import require
from .cached import CachingEncoder, unit
from .minilm import MODEL, MODEL_SHA256, RECIPE, load_tokenizer, model_folder
from .sessions import open_session, side_by_side

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

    from ....cubes.core.encoding import Encoder, Vectors

__all__ = ["DEFAULT_ENCODER", "OnnxEncoder", "SentenceTransformerEncoder", "encoder_factory"]

DEFAULT_ENCODER = "minilm"
ENDPOINTS = ("openai:", "http://", "https://")
"""How the name of a model behind an endpoint begins."""
MAX_TOKENS = 256
BATCH_TOKENS = 512
"""Small batches of equal length beat large ones: less padding, and they stay in the processor's cache."""


def encoder_factory(encoder: str | Encoder | None) -> Callable[[], Encoder]:
    """Return a function that gives the encoder, made on its first call and shared afterwards.

    ``encoder`` is an encoder already made, "minilm", the name or folder of a sentence-transformers model, an
    embedding model behind an endpoint ("openai:NAME", "http://host:port/v1#NAME"), or None for the one that
    MULTICUBE_ENCODER names, "minilm" by default. Nothing is loaded here.
    """
    if encoder is not None and not isinstance(encoder, str):
        given = encoder
        return lambda: given
    return _LazyEncoder(encoder)


class _LazyEncoder:
    """Makes an encoder when it is first asked for, from whichever thread."""

    def __init__(self, name: str | None) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._made: Encoder | None = None

    def __call__(self) -> Encoder:
        with self._lock:
            if self._made is None:
                self._made = _make(self._chosen())
            return self._made

    def __reduce__(self) -> tuple[type[_LazyEncoder], tuple[str]]:
        """Let another process make the same encoder, whatever its own environment names."""
        return _LazyEncoder, (self._chosen(),)

    def _chosen(self) -> str:
        return self._name or os.environ.get("MULTICUBE_ENCODER") or DEFAULT_ENCODER


def _make(name: str) -> Encoder:
    if name.startswith(ENDPOINTS):
        from .endpoint import EndpointEncoder

        return EndpointEncoder(name)
    return OnnxEncoder() if name == DEFAULT_ENCODER else SentenceTransformerEncoder(name)


class OnnxEncoder(CachingEncoder):
    """all-MiniLM-L6-v2 with eight-bit weights: the mean of its token vectors, of length 1.

    It is loaded at the first text; safe to use from several threads.
    """

    name = DEFAULT_ENCODER

    @property
    def fingerprint(self) -> str:
        """Name the model, its weights and what was done to them."""
        return f"{MODEL}@{MODEL_SHA256[:12]}/{RECIPE}"

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return 384

    def _encode(self, texts: Sequence[str]) -> Vectors:
        with _loading:
            session, tokenizer = _packaged()
        encodings = tokenizer.encode_batch(list(texts))
        batches = list(_batches([len(encoding.ids) for encoding in encodings]))
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)

        def embed(batch: list[int]) -> None:
            vectors[batch] = _embed(session, [encodings[n] for n in batch])

        side_by_side(embed, batches)
        return vectors


_loading = threading.Lock()


@cache
def _packaged() -> tuple[Any, Tokenizer]:
    """The packaged network with its tokenizer; knowledge bases of one process share them."""
    tokenizer = load_tokenizer()
    tokenizer.enable_truncation(MAX_TOKENS)
    return open_session(model_folder() / "encoder.onnx"), tokenizer


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group texts of similar length so that each group, once padded, holds at most `BATCH_TOKENS`."""
    batch: list[int] = []
    for n in sorted(range(len(lengths)), key=lambda n: lengths[n]):
        if batch and (len(batch) + 1) * lengths[n] > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(n)
    if batch:
        yield batch


def _embed(session: Any, encodings: Sequence[Encoding]) -> Vectors:
    """Run the model on one batch and pool: the mean over each text's own tokens, brought to length 1."""
    longest = max(len(encoding.ids) for encoding in encodings)
    ids = np.zeros((len(encodings), longest), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, encoding in enumerate(encodings):
        ids[row, : len(encoding.ids)] = encoding.ids
        mask[row, : len(encoding.ids)] = 1
    (states,) = session.run(None, {"input_ids": ids, "attention_mask": mask})
    return unit(np.einsum("bth,bt->bh", states, mask.astype(np.float32)))


class SentenceTransformerEncoder(CachingEncoder):
    """Any sentence-transformers model, by its name or its folder; loaded at the first text."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self._fingerprint: str | None = None
        self._lock = threading.Lock()
        self._model: Any = None

    @property
    def fingerprint(self) -> str:
        """Name the model; of a folder, its files as well, so that a retrained model is another one."""
        if self._fingerprint is None:
            folder = Path(self.name)
            mark = f"@{_folder_mark(folder)}" if folder.is_dir() else ""
            self._fingerprint = f"sentence-transformers:{folder.name if mark else self.name}{mark}"
        return self._fingerprint

    @property
    def dimensions(self) -> int:
        """Length of a vector; loads the model."""
        return int(self._load().get_embedding_dimension())

    def _encode(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        vectors = self._load().encode(list(texts), batch_size=16, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)

    def _load(self) -> Any:
        with self._lock:
            if self._model is None:
                require("sentence_transformers", "encoders", f"The encoder '{self.name}'")
                from sentence_transformers import SentenceTransformer

                try:
                    self._model = SentenceTransformer(self.name)
                except Exception as error:  # the libraries below raise many kinds for a model that is not there
                    raise UsageError(
                        f"The encoder '{self.name}' cannot be loaded ({_first_line(error)}); "
                        f"name '{DEFAULT_ENCODER}', a sentence-transformers model, its folder, or an endpoint's model "
                        "(openai:NAME or http://host:port/v1#NAME)."
                    ) from error
            return self._model


def _folder_mark(folder: Path) -> str:
    digest = hashlib.blake2b(digest_size=6)
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(folder)}\0{file.stat().st_size}\0".encode())
        if file.suffix == ".json" and file.stat().st_size < 1_000_000:
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
