"""Corpora of any size: copies of a corpus in which every name is another, so that no copy repeats another.

Growth is measured on these. The copies keep the sentences, so extraction and retrieval have the same work per
section.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["grown_corpus", "renamer", "write_corpus"]

_NAME = re.compile(r"\b[A-Z][a-zà-ÿ]{2,}\b")
_SYLLABLES = (
    "ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu", "bre", "dro", "sta",
)  # fmt: skip
_ENDINGS = ("n", "r", "s", "l", "k", "th", "nd", "m")
_WORDS = """The And For But His Her Its Their This That With From After Before January February March April May June
    July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday"""
_KEPT = frozenset(_WORDS.split())


def grown_corpus(records: Sequence[Mapping[str, Any]], size: int, *, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yield ``size`` records: the corpus itself, then renamed copies; a seed gives the same records."""
    for copy in range(-(-size // len(records))):
        rename = renamer(records, seed=seed + copy) if copy else _as_it_is
        for record in records[: size - copy * len(records)]:
            yield _renamed(record, copy, rename)


def renamer(records: Sequence[Mapping[str, Any]], *, seed: int) -> Callable[[str], str]:
    """Return a function that gives every name in the titles another one, the same each time."""
    words = sorted({word for record in records for word in _NAME.findall(str(record.get("title", "")))} - _KEPT)
    rng = random.Random(seed)
    names = {word: _name(rng, len(word)) for word in words}
    return lambda text: _NAME.sub(lambda found: names.get(found[0], found[0]), text)


def write_corpus(path: Path, records: Iterator[dict[str, Any]]) -> Path:
    """Write records as JSON lines."""
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return path


def _renamed(record: Mapping[str, Any], copy: int, rename: Callable[[str], str]) -> dict[str, Any]:
    return {
        **record,
        "id": f"{record['id']}-{copy}" if copy else record["id"],
        "title": rename(str(record.get("title", ""))),
        "text": rename(str(record["text"])),
    }


def _as_it_is(text: str) -> str:
    return text


def _name(rng: random.Random, length: int) -> str:
    """A name of the same length, so that what is known of places in a text stays right."""
    syllables = "".join(rng.choices(_SYLLABLES, k=length))
    return (syllables[: length - 1] + rng.choice(_ENDINGS)[:1]).capitalize()
