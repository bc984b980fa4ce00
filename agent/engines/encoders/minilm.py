"""Where the encoder that comes with the package lies, and where things are kept that can be made again."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["MODEL", "MODEL_SHA256", "RECIPE", "cache_folder", "is_word", "load_tokenizer", "model_folder"]

MODEL = "all-MiniLM-L6-v2"
MODEL_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the original's weights."""
RECIPE = "int8.3"
"""Names what `evals/training/encoder.py` makes of them; its number goes up when that changes."""


def model_folder() -> Path:
    """Return the folder of the encoder: encoder.onnx, and tokenizer.json, by which the span reader reads too."""
    return Path(__file__).parent / "encoder"


def load_tokenizer() -> Tokenizer:
    """Return a tokenizer of its own for who asks: it neither cuts a text nor fills it up."""
    from tokenizers import Tokenizer

    found = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found


def is_word(text: str) -> bool:
    """Whether the encoder's vocabulary has a text as one word, as it has the common ones of English."""
    return text.lower() in _vocabulary()


@cache
def _vocabulary() -> frozenset[str]:
    read = json.loads((model_folder() / "tokenizer.json").read_text(encoding="utf-8"))
    return frozenset(read["model"]["vocab"])


def cache_folder() -> Path:
    """Return where things are kept that can be made again: MULTICUBE_CACHE_DIR, or the user's cache folder."""
    named = os.environ.get("MULTICUBE_CACHE_DIR")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("multicube")
