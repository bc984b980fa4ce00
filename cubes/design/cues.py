"""How a phrase is read in documents and asked for in questions: "directed by", "who directed", "the director of"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..extraction.words.lexicon import group
from ..model.ontology import Cue, ValueKind

__all__ = ["cue_of"]


def cue_of(phrase: str, kind: ValueKind, nouns: Iterable[str] = ()) -> Cue:
    """Return the cue of a phrase that stands in front of its values; ``nouns`` are those that persons are called."""
    words = phrase.split()
    first, last = words[0], words[-1]
    prepositions = group("prepositions")
    if last == "of" and len(words) == 2 and not first.endswith("ed"):
        return Cue(relation=phrase, kind=kind, after=(phrase,), asks=(phrase, first))
    verb = first if last in prepositions or len(words) == 1 else ""
    agents = tuple(_agents(verb, set(nouns))) if last == "by" else ()
    return Cue(
        relation=phrase,
        kind=kind,
        after=(phrase,),
        before=(verb,) if last == "by" and verb else (),
        asks=(phrase, *agents),
        verbs=(verb,) if verb else (),
    )


def _agents(verb: str, nouns: set[str]) -> Iterator[str]:
    """What one who does it is called ("directed": director), of the words that persons are known by."""
    known = nouns.union(group("occupations"))
    stem = verb.removesuffix("ed")
    if stem == verb:
        return
    for agent in (f"{stem}or", f"{stem}er"):
        if agent in known:
            yield agent
