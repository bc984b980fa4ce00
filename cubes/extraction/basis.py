"""What "based on" governs: the model and its author, kept apart from the section's subject."""

from __future__ import annotations

from ..folding import fold
from .clauses import Clauses
from .lexicon import lexicon
from .reading import CUE, Reading, Referent
from .values import Value, names_after, skip_brackets
from .words import Sentence

__all__ = ["read_basis"]


_TELLING = frozenset({"based", "adapted", "adaptation", "inspired", "drawn", "remake", "adapts", "version"})


def read_basis(reading: Reading, sentence: Sentence, clauses: Clauses) -> None:
    """Close off what "based on" governs: the author there wrote the model, not the section's subject."""
    lower = sentence.lower
    for at, word in enumerate(lower):
        if not (
            word in _TELLING
            or (
                word == "from"
                and sentence.word(at + 1) in ("a", "the", "an")
                and sentence.word(at + 2) in ("novel", "play", "story", "book", "short")
            )
        ):
            continue
        start = next(
            (i for i in range(at, min(at + 4, len(lower))) if lower[i] in ("on", "from", "of", "by", "upon")),
            None,
        )
        if start is None:
            continue
        end = _basis_end(sentence, start + 1)
        values: list[Value] = []
        who = clauses.at(at)
        work = next((v for v in names_after(sentence, start + 1, "work", many=False)), None)
        if work is not None and work.last <= end and sentence.word(work.first - 1) != "by":
            values = [work]
        model = (
            Referent(reading.text[work.start : work.end], reading.subject.cube, (work.start, work.end))
            if work is not None and values
            else None
        )
        if model is not None and who is not None and fold(model.label) == fold(who.label):
            model = None
        clauses.zones.append((start + 1, end, model))
        if work is None and who is not None:
            _named_behind_author(reading, sentence, who, start + 1, end)
        if model is not None and who is not None:
            _author_of_model(reading, sentence, model, values[0].last, end)


def _basis_end(sentence: Sentence, at: int) -> int:
    """The scope ends at a full stop, a semicolon, or a comma or "and" before a credit of the subject
    itself.
    """
    for index in range(at, len(sentence)):
        word = sentence.lower[index]
        if word in (".", ";"):
            return index
        if word in (",", "and") and index not in sentence.mention_at:
            following = sentence.word(index + 1)
            if following in lexicon().group("after_basis"):
                return index
    return len(sentence)


def _named_behind_author(reading: Reading, sentence: Sentence, who: Referent, at: int, end: int) -> None:
    """ "adapted from a novel by Y, X, it follows": the model's name stands behind its author's."""
    by = next((i for i in range(at, min(at + 6, end)) if sentence.lower[i] == "by"), None)
    authors = names_after(sentence, by + 1, "person", many=False) if by is not None else []
    mention = (
        sentence.mention_at.get(authors[0].last + 1) if authors and sentence.word(authors[0].last) == "," else None
    )
    if mention is None or sentence.word(mention.last) not in (",", ".", ";"):
        return
    for entry in reading.plan.pattern(who.cube, "basis"):
        reading.emit(who, entry, mention.start, mention.end, sentence, CUE)
    model = Referent(reading.text[mention.start : mention.end], who.cube, (mention.start, mention.end))
    for entry in reading.plan.pattern(who.cube, "author"):
        reading.emit(model, entry, authors[0].start, authors[0].end, sentence, CUE)


def _author_of_model(reading: Reading, sentence: Sentence, model: Referent, at: int, end: int) -> None:
    """ "based on the novel X by Y": Y wrote X."""
    at = skip_brackets(sentence, at)
    while sentence.word(at) in ('"', "”", ",") and at < end:
        at += 1
    if sentence.word(at) in ("written", "penned", "authored"):
        at += 1
    if sentence.word(at) != "by":
        return
    for entry in reading.plan.pattern(model.cube, "author"):
        for value in names_after(sentence, at + 1, entry.kind, many=True):
            if value.last <= end:
                reading.emit(model, entry, value.start, value.end, sentence, CUE)
