"""Names that no relation has read: labels for the attribute dimensions that only collect names of a kind."""

from __future__ import annotations

from collections import Counter

from ...model.ontology import Cue
from ..plan import CueEntry
from ..section_state import MENTION, SectionState
from ..words.lexicon import country_of, group, lexicon
from ..words.values import ValueSpan, kind_of
from ..words.words import NameSpan, Sentence

__all__ = ["most_named", "read_mentions"]

_PLACED = frozenset({"in", "at", "near", "from", "across", "throughout", "outside"})
_COLLECTED = frozenset({"person", "place", "organization", "work", "event", "date"})


def read_mentions(state: SectionState) -> None:
    """Emit each name and date that nothing else has read on the dimension collecting its kind, at low confidence."""
    spec = state.plan.cubes[state.subject.cube]
    collectors = {d.kind: CueEntry(spec.id, d, Cue(relation="mentions", kind=d.kind)) for d in reversed(spec.attributes) if not d.cues and d.kind in _COLLECTED}
    taken = [(fact.span.start, fact.span.end) for fact in state.facts.values()]
    seen: set[tuple[str, str]] = set()
    for sentence in state.sentences if collectors and state.subject.label else ():
        found = [(start, end, "date") for start, end, _ in dict.fromkeys(sentence.dates.values())]
        for mention in sentence.mentions:
            free = not any(start < mention.end and mention.start < end for start, end in taken)
            kind = _kind(state, sentence, mention) if free else ""
            known = (kind, state.text[mention.start : mention.end])
            if kind in collectors and known not in seen and not state.is_subject(mention):
                seen.add(known)
                found.append((mention.start, mention.end, kind))
        for start, end, kind in found:
            if kind in collectors:
                state.relate(state.subject, collectors[kind], "mentions", (start, end), sentence, MENTION)


def _kind(state: SectionState, sentence: Sentence, mention: NameSpan) -> str:
    """What a name names: by its own words, then by the word before it, else a person if it has two to four words."""
    text, plan = state.text[mention.start : mention.end], state.plan
    if text.lower() in lexicon().people_of or text.lower() in group("languages") or text.lower() in lexicon().titles:
        return ""
    found = kind_of(text, sentence, ValueSpan(mention.start, mention.end, mention.first, mention.last))
    if found:
        return found
    several = mention.last - mention.first > 1
    ends = (plan.nouns.get(sentence.lower[at]) for at in (mention.last - 1, mention.first))
    classes = next((classes for classes in ends if classes), ()) if several else ()
    if classes and plan.person not in classes:
        event = "event" if plan.pattern(classes[0], "event_date") else ""
        return "place" if plan.holds(classes[0], "place") else event
    if sentence.word(mention.first - 1) in _PLACED:
        return "place"
    plain = text.replace(" ", "").replace(".", "").isalpha()
    return "person" if several and mention.last - mention.first <= 4 and plain else ""


def most_named(sentences: list[Sentence]) -> NameSpan | None:
    """The name a section without a title uses most; None where no name occurs twice."""
    named = [m for sentence in sentences for m in sorted(sentence.mentions, key=lambda m: m.first) if not m.quoted]
    texts = [sentences[0].text[m.start : m.end] for m in named]
    counts = Counter(text for text in texts if len(text) > 2 and not country_of(text))
    if not counts:
        return None
    name = max(counts, key=lambda text: (counts[text], len(text.split())))
    return named[texts.index(name)] if counts[name] > 1 else None
