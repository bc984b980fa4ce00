"""Names that no relation has read: labels for the attribute dimensions that only collect names of a kind."""

from __future__ import annotations

from collections import Counter

from .lexicon import country_of, lexicon
from .reading import MENTION, Reading
from .values import Value, kind_of
from .words import Mention, Sentence

__all__ = ["most_named", "read_mentions"]

_PLACED = frozenset({"in", "at", "near", "from", "across", "throughout", "outside"})
_COLLECTED = frozenset({"person", "place", "organization", "work", "event", "date"})


def read_mentions(reading: Reading) -> None:
    """Emit each name (and date) that nothing else has read on the dimension collecting its kind, at low
    confidence.
    """
    spec = reading.plan.cubes[reading.subject.cube]
    collectors = {d.kind: d for d in reversed(spec.attributes) if not d.cues and d.kind in _COLLECTED}
    if not collectors or not reading.subject.label:
        return
    taken = sorted((f.span.start, f.span.end) for f in reading.facts.values())
    seen: set[tuple[str, str]] = set()
    for sentence in reading.sentences:
        for mention in sentence.mentions:
            if any(start < mention.end and mention.start < end for start, end in taken):
                continue
            kind = _kind(reading, sentence, mention)
            text = reading.text[mention.start : mention.end]
            if kind not in collectors or (kind, text) in seen or reading.is_subject(mention):
                continue
            seen.add((kind, text))
            reading.relate(
                reading.subject,
                reading.subject.cube,
                collectors[kind].id,
                "mentions",
                (mention.start, mention.end),
                kind,
                sentence,
                MENTION,
            )
        if "date" in collectors:
            for start, end, _ in dict.fromkeys(sentence.dates.values()):
                reading.relate(
                    reading.subject,
                    reading.subject.cube,
                    collectors["date"].id,
                    "mentions",
                    (start, end),
                    "date",
                    sentence,
                    MENTION,
                )


def _kind(reading: Reading, sentence: Sentence, mention: Mention) -> str:
    """What a name names, by its own words, then by the word before it, else a person if it has two words
    or more.
    """
    text = reading.text[mention.start : mention.end]
    if text.lower() in lexicon().not_places or text.lower() in lexicon().titles:
        return ""
    found = kind_of(text, sentence, Value(mention.start, mention.end, mention.first, mention.last))
    if found:
        return found
    cube = reading.plan.nouns.get(sentence.lower[mention.last - 1]) or reading.plan.nouns.get(
        sentence.lower[mention.first]
    )
    if cube and mention.last - mention.first > 1 and reading.plan.person not in cube:
        return (
            "place"
            if reading.plan.holds(cube[0], "place")
            else "event"
            if reading.plan.pattern(cube[0], "event_date")
            else ""
        )
    if sentence.word(mention.first - 1) in _PLACED:
        return "place"
    return (
        "person" if 2 <= mention.last - mention.first <= 4 and text.replace(" ", "").replace(".", "").isalpha() else ""
    )


def most_named(sentences: list[Sentence]) -> Mention | None:
    """The name a section without a title uses most; None where no name occurs twice."""
    counts: Counter[str] = Counter()
    first: dict[str, Mention] = {}
    for sentence in sentences:
        for mention in sorted(sentence.mentions, key=lambda m: m.first):
            text = sentence.text[mention.start : mention.end]
            if not mention.quoted and not country_of(text) and len(text) > 2:
                counts[text] += 1
                first.setdefault(text, mention)
    if not counts:
        return None
    name, number = max(counts.items(), key=lambda item: (item[1], len(item[0].split()), -first[item[0]].start))
    return first[name] if number > 1 else None
