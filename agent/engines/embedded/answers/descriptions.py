"""Reading what a thing's own section says it is, and whether it says something of it at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .....cubes.core.folding import base_key, fold, fold_words
from .....cubes.core.records import Span
from .....cubes.documents.sections import sentences
from .....graphs.records import Evidence

__all__ = ["DescriptionSpan", "read_description", "read_truth"]

_DEFINED = re.compile(r"\b(?:is|was|are|were)\s+(?:(?:also|originally|formerly)\s+)?(?:an?|the|one of the)\s+(?=\w)")
_ENDS = re.compile(
    r"[;:(]|,(?= (?:which|who|whose|where|and (?:is|was|the)|best|known|born|located|situated|published|released))"
    r"|\s(?:that|which|who|whom|whose|where|when|located|situated|lying|directed|written|released|produced|published"
    r"|founded|formed|established|based|known|born|featuring|starring|created|developed|composed|recorded|designed"
    r"|native|endemic|owned|manufactured|operated|found|from|by|in|on|at|near|between|during|since|with)\b"
)
_OPENING = 2  # sentences in which a section says what its thing is
_STEM = 4


@dataclass(frozen=True, slots=True)
class DescriptionSpan:
    """A span read from a sentence; ``score`` says how surely, from 0 to 1."""

    value: str
    section_id: str
    sentence: Span
    score: float


def read_description(base: str, evidence: Iterable[Evidence]) -> DescriptionSpan | None:
    """Return the words after "X is a", up to where a clause or a place begins."""
    for found in evidence:
        if base_key(found.title) != base_key(base):
            continue
        for span in sentences(found.text)[:_OPENING]:
            text = found.text[span.start : span.end]
            opening = _DEFINED.search(text)
            if opening is None:
                continue
            rest = text[opening.end() :].rstrip(" .!")
            end = _ENDS.search(rest)
            value = rest[: end.start()] if end is not None else rest
            if value.strip(" ,"):
                return DescriptionSpan(value.strip(" ,"), found.section_id, span, 1.0)
    return None


def read_truth(base: str, words: Sequence[str], evidence: Iterable[Evidence]) -> DescriptionSpan | None:
    """Say "yes" where the thing's own section holds all the words in some form, "no" where it does not."""
    denied: DescriptionSpan | None = None
    for found in evidence:
        if base_key(found.title) != base_key(base) and fold(found.title) != fold(base):
            continue
        held = set(fold_words(found.text))
        spans = sentences(found.text)
        if all(any(same_stem(word, h) for h in held) for word in words):
            best = max(spans, key=lambda s: sum(w in fold(found.text[s.start : s.end]) for w in words))
            return DescriptionSpan("yes", found.section_id, best, 1.0)
        denied = denied or DescriptionSpan("no", found.section_id, spans[0], 0.5)
    return denied


def same_stem(one: str, other: str) -> bool:
    """Whether two words are forms of one: "flavour" and "flavoured"."""
    shared = max(_STEM, min(len(one), len(other)) - 2)
    return one == other or one[:shared] == other[:shared]
