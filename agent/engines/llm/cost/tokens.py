"""How many tokens a text has, where the endpoint does not say: counted offline, or estimated from its letters."""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

__all__ = ["estimate_tokens"]

_LETTERS_PER_TOKEN = 4
_VOCABULARIES = "https://openaipublic.blob.core.windows.net/encodings"


def estimate_tokens(text: str, model: str) -> int:
    """Return about how many tokens a model makes of a text.

    OpenAI's models are counted with `tiktoken` where it has their vocabulary on this machine (it would fetch it
    otherwise, and nothing may be fetched for an estimate); everything else by its letters.
    """
    encoding = _encoding(model)
    if encoding is not None:
        return len(encoding.encode(text, disallowed_special=()))
    plain = len(text.encode("ascii", "ignore"))
    return -(-plain // _LETTERS_PER_TOKEN) + (len(text) - plain)


@lru_cache(maxsize=32)
def _encoding(model: str) -> tiktoken.Encoding | None:
    try:
        import tiktoken

        name = tiktoken.encoding_name_for_model(model)
        return tiktoken.get_encoding(name) if _is_here(name) else None
    except (ImportError, KeyError, ValueError, OSError):
        return None


def _is_here(encoding: str) -> bool:
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if folder is None:
        folder = str(Path(tempfile.gettempdir()) / "data-gym-cache")
    file = hashlib.sha1(f"{_VOCABULARIES}/{encoding}.tiktoken".encode(), usedforsecurity=False).hexdigest()
    return bool(folder) and (Path(folder) / file).is_file()
