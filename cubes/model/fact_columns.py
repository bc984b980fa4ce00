"""Filing facts: from facts in any order to the columns that cubes read (see `columns`).

Every word is kept once, in order, and is a number from then on, so that whatever is sorted by these numbers is sorted
as the words are. What can be known of a fact or a label beforehand is worked out here, once, so that a knowledge base
opens without doing so.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import attrgetter
from typing import Literal

import numpy as np

from ..core.columns import Array, PackedGroups, packed
from ..core.folding import base_key, fold
from ..core.records import Fact, Section
from .label_columns import AxisTable, SpellingTable, label_columns
from .labels import label_key
from .ontology import CubeSpec, Ontology

__all__ = ["ALIAS", "coordinates", "filed"]

ALIAS = "also known as"
"""The relation of facts on a subject dimension that give a subject another name."""

_SAID = ("dimension", "subject", "relation", "value", "kind", "origin")
_PLACED = ("cube", "section", "start", "end", "sentence_start", "sentence_end")
_ORDER = ("value", "subject", "relation", "dimension", "end", "start", "section", "cube")
"""Facts lie by cube, section and place in it; what counts most comes last."""
_AT_ONCE = 10_000

_Field = Literal["subject", "relation", "value"]
_Held = dict[str, Array]


class _Words(dict[str, int]):
    """Word -> its number; a dictionary that fills itself."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number

    def all(self, texts: Iterable[str]) -> Array:
        """Return the numbers of many words."""
        return np.array([self[text] for text in texts], dtype=np.int64)

    def in_order(self) -> tuple[list[str], Array]:
        """Return the words in order, and where each number has gone."""
        texts = list(self)
        order = sorted(range(len(texts)), key=texts.__getitem__)
        places = np.empty(len(order), dtype=np.int64)
        places[order] = np.arange(len(order))
        return [texts[n] for n in order], places


def coordinates(fact: Fact, spec: CubeSpec) -> tuple[tuple[str, str], ...]:
    """Return the (dimension, label text) pairs under which a fact's section is filed.

    Always the subject; besides it an alias on the subject dimension, an attribute's value, or a relation's
    phrase and, on the dimension it targets, its value. Raises KeyError for a dimension the cube does not
    have.
    """
    alias = fact.relation == ALIAS and bool(fact.value)
    fields = _fields(spec, fact.dimension, alias=alias)
    return tuple((dimension, str(getattr(fact, field))) for dimension, field in fields)


def _fields(spec: CubeSpec, dimension_id: str, *, alias: bool) -> list[tuple[str, _Field]]:
    """Which field of a fact on a dimension goes on which dimension."""
    dimension = spec.dimension(dimension_id)
    found: list[tuple[str, _Field]] = [(spec.subject.id, "subject")]
    if dimension.role == "relation":
        found.append((dimension.id, "relation"))
        if dimension.target is not None:
            found.append((dimension.target, "value"))
    elif dimension.role == "attribute" or alias:
        found.append((dimension.id, "value"))
    return found


def filed(ontology: Ontology, sections: Sequence[Section], facts: Iterable[Fact]) -> dict[str, Array]:
    """File facts in the cubes of an ontology; those of unknown sections, cubes or dimensions are left out."""
    axes, words = AxisTable(ontology), _Words()
    held = _read(axes, sections, facts, words)
    texts = list(words)
    about = words.all(map(fold, texts))[held["subject"]]
    valued = _value_keys(held, texts, words)
    aliases = _aliases(axes, held, texts, words)
    axis, text, fact = _filings(axes, held, words)
    spelt, of_filing, times = np.unique(axis * len(texts) + text, return_inverse=True, return_counts=True)
    on, text = np.divmod(spelt, max(len(texts), 1))
    keys = words.all(label_key(texts[word], axes.kinds[n]) for n, word in zip(on.tolist(), text.tolist(), strict=True))
    bases = words.all(base_key(texts[word]) for word in text.tolist())
    ordered, places = words.in_order()
    spellings = SpellingTable(on, places[text], places[keys], places[bases], times)
    labels = label_columns(axes, spellings, (of_filing, held["section"][fact]), ordered, sections, places[aliases[0]])
    held |= {name: places[held[name]] for name in _SAID}
    order = np.lexsort([held[name] for name in _ORDER])
    cubes, numbers, count = held["cube"][order], np.arange(len(order)), len(axes.cubes)
    return {
        **packed("words", ordered),
        **{f"fact.{name}": held[name][order].astype(np.int32) for name in (*_SAID, *_PLACED)},
        "fact.confidence": held["confidence"][order],
        "fact.stretches": np.searchsorted(cubes, np.arange(count + 1)).astype(np.int64),
        **PackedGroups.packed("about", places[about][order], numbers, cubes, count=count),
        **PackedGroups.packed("valued", places[valued][order], numbers),
        **PackedGroups.packed("alias", *places[aliases]),
        **labels,
    }


def _read(axes: AxisTable, sections: Sequence[Section], facts: Iterable[Fact], words: _Words) -> _Held:
    """Take the facts apart, some at a time: there may be millions, and none is kept."""
    ordinals = {section.id: n for n, section in enumerate(sections)}
    said, placed, confidence = [array("i") for _ in _SAID], [array("i") for _ in _PLACED], array("d")
    facts = iter(facts)
    while some := list(islice(facts, _AT_ONCE)):
        known = [f for f in some if f.section_id in ordinals and (f.cube, f.dimension) in axes.numbers]
        for column, name in zip(said, _SAID, strict=True):
            column.extend([words[text] for text in map(attrgetter(name), known)])
        placed[0].extend([axes.cubes[f.cube] for f in known])
        placed[1].extend([ordinals[f.section_id] for f in known])
        for column, name in zip(placed[2:], ("span.start", "span.end", "sentence.start", "sentence.end"), strict=True):
            column.extend(list(map(attrgetter(name), known)))
        confidence.extend([f.confidence for f in known])
    columns = zip((*_SAID, *_PLACED), (*said, *placed), strict=True)
    held = {name: np.array(column, dtype=np.int64) for name, column in columns}
    return {**held, "confidence": np.array(confidence, dtype=np.float64)}


def _filings(axes: AxisTable, held: _Held, words: _Words) -> tuple[Array, Array, Array]:
    """Return the dimension, the text and the fact of everything that is filed."""
    alias = (held["relation"] == words.get(ALIAS, -1)) & (held["value"] != words.get("", -1))
    found: list[tuple[Array, Array, Array]] = []
    for (cube, dimension), _ in axes.numbers.items():
        on = (held["cube"] == axes.cubes[cube]) & (held["dimension"] == words.get(dimension, -1))
        for also, chosen in ((False, on & ~alias), (True, on & alias)):
            facts = np.flatnonzero(chosen)
            for target, field in _fields(axes.specs[cube], dimension, alias=also) if len(facts) else ():
                found.append((np.full(len(facts), axes.numbers[cube, target]), held[field][facts], facts))
    none = np.empty(0, dtype=np.int64)
    axis, text, fact = (np.concatenate(parts) for parts in zip(*found, strict=True)) if found else (none,) * 3
    return axis, text, fact


def _value_keys(held: _Held, texts: Sequence[str], words: _Words) -> Array:
    """Return the key of every fact's value, worked out once for each value and kind."""
    pairs, of_fact = np.unique(held["value"] * len(texts) + held["kind"], return_inverse=True)
    each = (divmod(pair, len(texts)) for pair in pairs.tolist())
    return words.all(label_key(texts[value], texts[kind]) for value, kind in each)[of_fact]


def _aliases(axes: AxisTable, held: _Held, texts: Sequence[str], words: _Words) -> Array:
    """Keys of names, with and without their qualifiers, and the other names of the same things, both ways."""
    found: set[tuple[int, int]] = set()
    phrases = [n for n, text in enumerate(texts) if fold(text) == fold(ALIAS)]
    for cube, spec in axes.specs.items():
        on = (held["cube"] == axes.cubes[cube]) & (held["dimension"] == words.get(spec.subject.id, -1))
        for fact in np.flatnonzero(on & np.isin(held["relation"], phrases)).tolist():
            subject, value = int(held["subject"][fact]), int(held["value"][fact])
            for name, other in ((subject, value), (value, subject)):
                keys = {fold(texts[name]), base_key(texts[name])} - {""}
                found.update((words[key], other) for key in keys)
    return np.array(sorted(found), dtype=np.int64).reshape(-1, 2).T
