"""Fences around documents in a prompt: what stands between them is data, and it cannot close its fence."""

from __future__ import annotations

import hashlib

__all__ = ["fenced"]


def fenced(name: str, text: str) -> str:
    """Return the text between two marks that do not occur in it.

    The mark is drawn from the text itself, so that the same request is the same bytes (and is found in a cache);
    whoever writes a document cannot know a mark that closes it, because one that occurs in the text is not taken.
    """
    mark = _mark(text)
    while mark in text:
        mark = _mark(mark + text)
    return f"<<<{name} {mark}\n{text}\n{mark} {name}>>>"


def _mark(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
