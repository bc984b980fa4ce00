"""Finding in a text what a model says that it quotes: nothing counts as evidence that does not stand there."""

from __future__ import annotations

import re
from functools import lru_cache

from .....cubes.core.records import Span
from .....cubes.core.sentences import sentence_around as sentence_of

__all__ = ["find", "sentence_around"]

_PART = re.compile(r"\w+|[^\w\s]")
_LONGEST = 2_000  # characters of a quote that are looked for


def find(quote: str, text: str) -> Span | None:
    """Return where a quote stands in a text, or None.

    White space, case and the kind of quotation marks and dashes may differ; words may not.
    """
    parts = _PART.findall(quote[:_LONGEST].strip())
    if not any(part[0].isalnum() for part in parts):
        return None
    found = _pattern(tuple(parts)).search(text)
    return Span(found.start(), found.end()) if found else None


@lru_cache(maxsize=512)
def _pattern(parts: tuple[str, ...]) -> re.Pattern[str]:
    body = r"\s*".join(map(_alike, parts))
    first, last = (r"\b" if part[0].isalnum() else "" for part in (parts[0], parts[-1]))
    return re.compile(f"{first}{body}{last}", re.IGNORECASE)


def _alike(part: str) -> str:
    for marks in ("'’‘`´", '"“”„«»', "-–—‑−"):
        if part in marks:
            return f"[{re.escape(marks)}]"
    return re.escape(part)


def sentence_around(span: Span, text: str) -> Span:
    """Return the sentence in which a span begins, stretched to its end where it goes on."""
    found = sentence_of(text, span)
    return Span(found.start, max(found.end, span.end))
