"""What lies around a place: "to the north", "on the east by": neighbours told by a point of the compass."""

from __future__ import annotations

from .lexicon import lexicon
from .reading import CUE, Reading
from .values import Value, names_after
from .words import Sentence

__all__ = ["read_borders"]


def read_borders(reading: Reading, sentence: Sentence) -> None:
    """ "bordered by A and B to the north, C to the east", "D is to the west", "to the south by E"."""
    entries = reading.plan.pattern(reading.subject.cube, "borders")
    points = lexicon().group("directions")
    if not entries or not points.intersection(sentence.lower):
        return
    marks = [at for at in range(2, len(sentence)) if sentence.lower[at] in points and _marks(sentence, at)]
    told = lexicon().group("bordering").intersection(sentence.lower)
    if not told and len(marks) < 2 and not _stands_alone(sentence, marks):
        return
    for at in marks:
        for value in _behind(reading, sentence, at) or _before(reading, sentence, at):
            for entry in entries:
                reading.emit(reading.subject, entry, value.start, value.end, sentence, CUE - 0.1)
                relation = f"borders on the {sentence.lower[at]}"
                reading.emit(reading.subject, entry, value.start, value.end, sentence, CUE - 0.1, relation)


def _marks(sentence: Sentence, at: int) -> bool:
    return sentence.lower[at - 1] in ("the", "its") and sentence.lower[at - 2] in ("to", "on", "in")


def _stands_alone(sentence: Sentence, marks: list[int]) -> bool:
    """ "Fallow County is to the south.": the sentence says nothing else."""
    said = {"is", "lies", "are", "lie"}.intersection(sentence.lower[: marks[0]]) if marks else set()
    return bool(said) and len(sentence) < 16


def _behind(reading: Reading, sentence: Sentence, at: int) -> list[Value]:
    """ "to the north by A", "to the north is A", "on the east, A"."""
    step = at + 1
    if sentence.word(step) not in ("by", "is", "lies", "lie", "are", "with"):
        return []
    found = names_after(sentence, step + 1, "place", many=True, stop=reading.is_subject)
    return [value for value in found if not reading.is_subject(sentence.mention_at[value.first])]


def _before(reading: Reading, sentence: Sentence, at: int) -> list[Value]:
    """The names of the list that ends right before "to the north", back to the last point of the compass."""
    step = at - 3
    while sentence.word(step) in ("is", "are", "lies", "lie", ",", "located", "situated"):
        step -= 1
    found: list[Value] = []
    while step >= 0:
        mention = sentence.mention_at.get(step)
        if mention is None or mention.quoted or reading.is_subject(mention):
            break
        found.append(Value(mention.start, mention.end, mention.first, mention.last))
        step = mention.first - 1
        while sentence.word(step) in ("the", "provinces", "province", "of", "canadian", "state", "states", "and", ","):
            if sentence.word(step) == "," and sentence.word(step - 1) in lexicon().group("directions"):
                return found
            step -= 1
    return found
