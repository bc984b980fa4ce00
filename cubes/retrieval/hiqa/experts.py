"""The experts' list of critical keywords (HiQA: "human expert-set keywords"), one keyword with its synonyms a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from ...core.errors import InputError
from ...core.folding import fold_words
from ...core.lexical import STOP_WORDS, Integers, Postings

__all__ = ["MAX_KEYWORDS", "asked_keywords", "expert_sections", "read_keywords"]

MAX_KEYWORDS = 10_000


def read_keywords(path: Path) -> tuple[str, ...]:
    """Return the lines of a keyword file: a keyword and its synonyms, separated by commas; ``#`` begins a remark.

    Raises InputError where the file cannot be read as that.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"The keyword file {path} is not UTF-8 text; save it as UTF-8.") from error
    except OSError as error:
        raise InputError(f"The keyword file {path} cannot be read: {error.strerror}.") from error
    lines = (line.split("#", 1)[0].strip() for line in text.splitlines())
    found = tuple(dict.fromkeys(line for line in lines if any(map(str.isalnum, line))))
    if len(found) > MAX_KEYWORDS:
        raise InputError(f"The keyword file {path} has {len(found):,} keywords; at most {MAX_KEYWORDS:,} are read.")
    return found


def asked_keywords(query: str, lines: Iterable[str]) -> list[tuple[str, list[list[str]]]]:
    """Return the lines that a query names by any of their words, each with all its wordings (folded, in words)."""
    asked = f" {' '.join(fold_words(query))} "
    found = []
    for line in lines:
        wordings = [words for part in line.split(",") if (words := fold_words(part))]
        if any(f" {' '.join(words)} " in asked for words in wordings):
            found.append((line.split(",", 1)[0].strip(), wordings))
    return found


def expert_sections(wordings: Sequence[Sequence[str]], words: Postings, text_of: Callable[[int], str]) -> Integers:
    """Return the sections (ordinals, ascending) in whose text one of the wordings stands, word by word."""
    found = {n for wording in wordings for n in _holding(wording, words, text_of)}
    return np.array(sorted(found), dtype=np.int64)


def _holding(wording: Sequence[str], words: Postings, text_of: Callable[[int], str]) -> list[int]:
    """The sections that hold a wording: looked for among those of its rarest word, in either number."""
    held = (_with_word(words, word) for word in wording if word not in STOP_WORDS)
    rarest = min(held, key=len, default=np.empty(0, dtype=np.int64))
    if len(wording) == 1:
        return [int(n) for n in rarest]
    phrase = f" {' '.join(wording)} "
    return [int(n) for n in rarest if phrase in f" {' '.join(fold_words(text_of(int(n))))} "]


def _with_word(words: Postings, word: str) -> Integers:
    forms = (word, f"{word}s", f"{word}es", f"{word[:-1]}ies")
    return np.unique(np.concatenate([words.documents[words.of(form)] for form in forms]))
