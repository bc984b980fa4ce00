"""Reading what a thing's own section says it is, and whether it says something of it at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from .....cubes.core.folding import base_key, fold, fold_words
from .....cubes.documents.sections import sentences
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence

__all__ = ["read_description", "read_truth"]

_DEFINED = re.compile(r"\b(?:is|was|are|were)\s+(?:(?:also|originally|formerly)\s+)?(?:an?|the|one of the)\s+(?=\w)")
_ENDS = re.compile(
    r"[;:(]|,(?= (?:which|who|whose|where|and (?:is|was|the)|best|known|born|located|situated|published|released))"
    r"|\s(?:that|which|who|whom|whose|where|when|located|situated|lying|directed|written|released|produced|published"
    r"|founded|formed|established|based|known|born|featuring|starring|created|developed|composed|recorded|designed"
    r"|native|endemic|owned|manufactured|operated|found|from|by|in|on|at|near|between|during|since|with)\b"
)
_OPENING = 2  # sentences in which a section says what its thing is
_STEM = 4
_CONFIDENCE = 0.3


def read_description(base: str, evidence: Iterable[Evidence]) -> SubAnswer:
    """Return the words after "X is a", up to where a clause or a place begins."""
    for found in _own(base, evidence):
        for span in sentences(found.text)[:_OPENING]:
            text = found.text[span.start : span.end]
            opening = _DEFINED.search(text)
            value = _ENDS.split(text[opening.end() :].rstrip(" .!"), maxsplit=1)[0].strip(" ,") if opening else ""
            if value:
                return SubAnswer((value,), _CONFIDENCE, found.section_id, span.start, span.end)
    return SubAnswer()


def read_truth(base: str, words: Sequence[str], evidence: Iterable[Evidence]) -> SubAnswer:
    """Say "yes" where the thing's own section holds all the words in some form, "no" where it does not."""
    denied = SubAnswer()
    for found in _own(base, evidence):
        held, spans = fold_words(found.text), sentences(found.text)
        if all(any(_same_stem(word, other) for other in held) for word in words):
            best = max(spans, key=lambda s: sum(w in fold(found.text[s.start : s.end]) for w in words))
            return SubAnswer(("yes",), _CONFIDENCE, found.section_id, best.start, best.end)
        if not denied.answers:
            denied = SubAnswer(("no",), _CONFIDENCE / 2, found.section_id, spans[0].start, spans[0].end)
    return denied


def _own(base: str, evidence: Iterable[Evidence]) -> Iterator[Evidence]:
    """The sections of a thing's name."""
    return (found for found in evidence if base_key(found.title) == base_key(base))


def _same_stem(one: str, other: str) -> bool:
    """Whether two words are forms of one: "flavour" and "flavoured"."""
    shared = max(_STEM, min(len(one), len(other)) - 2)
    return one == other or one[:shared] == other[:shared]
