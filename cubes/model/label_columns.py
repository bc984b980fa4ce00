"""Labels as columns: which spellings are one label, what it is called, and how often it stands in each section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.columns import Array, PackedGroups, changes
from ..core.dates import parse_date
from ..core.folding import base_key, fold, fold_words
from ..core.records import Section
from .labels import VALUE_KINDS, label_kind
from .names import name_columns
from .ontology import Ontology

__all__ = ["AxisTable", "SpellingTable", "label_columns"]


class AxisTable:
    """The dimensions of all cubes, numbered in the ontology's order."""

    def __init__(self, ontology: Ontology) -> None:
        dimensions = [(spec, dimension) for spec in ontology.cubes for dimension in spec.dimensions]
        self.specs = {spec.id: spec for spec in ontology.cubes}
        self.cubes = {spec.id: n for n, spec in enumerate(ontology.cubes)}
        self.numbers = {(spec.id, dimension.id): n for n, (spec, dimension) in enumerate(dimensions)}
        self.kinds = [label_kind(dimension) for _, dimension in dimensions]

    def leading(self) -> list[int]:
        """Return the dimensions that hold subjects."""
        return [self.numbers[spec.id, spec.subject.id] for spec in self.specs.values()]


@dataclass(frozen=True, slots=True)
class SpellingTable:
    """Every way that labels are written: on which axis, the text, its key, its base key, and how many times."""

    axes: Array
    texts: Array
    keys: Array
    bases: Array
    times: Array


def label_columns(
    axes: AxisTable,
    spellings: SpellingTable,
    filings: tuple[Array, Array],
    words: Sequence[str],
    sections: Sequence[Section],
    aliases: Array,
) -> dict[str, Array]:
    """Make labels of spellings; ``filings`` are a spelling and a section each, ``aliases`` keys that lead to subjects.

    A value without a letter or digit is no label.
    """
    order = np.lexsort((spellings.texts, -spellings.times, spellings.keys, spellings.axes))
    order = order[[bool(words[key]) for key in spellings.keys[order].tolist()]]
    first = changes(spellings.axes[order], spellings.keys[order])
    chosen = order[first]  # the most frequent spelling, of equals the first by alphabet
    label_of = np.full(len(spellings.axes), -1)
    label_of[order] = np.cumsum(first) - 1
    on, keys, spelt = spellings.axes[chosen], spellings.keys[chosen], spellings.texts[chosen]
    subjects = [on == axis for axis in axes.leading()]
    texts = [words[text] for text in spelt.tolist()]
    return {
        "label.key": keys.astype(np.int32),
        "label.text": spelt.astype(np.int32),
        "label.stretches": np.searchsorted(on, np.arange(len(axes.kinds) + 1)).astype(np.int64),
        **_tagged(label_of[filings[0]], filings[1], _needles(axes, on, texts), sections),
        **_bases(axes, spellings, label_of, words),
        **_years(axes, on, [words[key] for key in keys.tolist()]),
        **name_columns([(keys[these], spelt[these]) for these in subjects], words),
        "leading": _leading(axes, on, keys, spellings.bases[chosen], aliases),
    }


def _needles(axes: AxisTable, on: Array, texts: Sequence[str]) -> list[str]:
    """What to count in a section: a name without its qualifier, which running text leaves out.

    Two spaces between words, so that neighbouring occurrences do not share one.
    """
    whole = [axes.kinds[axis] in VALUE_KINDS for axis in on.tolist()]
    keys = (fold(text) if entire else base_key(text) for text, entire in zip(texts, whole, strict=True))
    return [f" {key.replace(' ', '  ')} " for key in keys]


def _tagged(labels: Array, places: Array, needles: Sequence[str], sections: Sequence[Section]) -> dict[str, Array]:
    """The sections of each label, ascending, and how often its words stand there, at least once: a fact may word it
    otherwise.
    """
    size = max(len(sections), 1)
    pairs = np.unique((labels * size + places)[labels >= 0])
    labels, places = pairs // size, pairs % size
    counts = np.ones(len(pairs), dtype=np.int32)
    order = np.argsort(places, kind="stable")
    section, text = -1, ""
    for row, label, place in zip(order.tolist(), labels[order].tolist(), places[order].tolist(), strict=True):
        if place != section:
            section, text = place, f" {'  '.join(fold_words(sections[place].text))} "
        counts[row] = text.count(needles[label]) or 1
    ends = np.searchsorted(labels, np.arange(len(needles) + 1)).astype(np.int64)
    return {"label.ends": ends, "label.sections": places.astype(np.int32), "label.counts": counts}


def _bases(axes: AxisTable, spellings: SpellingTable, label_of: Array, words: Sequence[str]) -> dict[str, Array]:
    """By base key, the labels that are that name with a qualifier."""
    qualified = np.array([words[text].endswith(")") for text in spellings.texts.tolist()], dtype=np.bool_)
    named = np.flatnonzero(qualified & (spellings.bases != spellings.keys) & (label_of >= 0))
    found = np.unique(np.stack((spellings.axes[named], spellings.bases[named], label_of[named])), axis=1)
    return PackedGroups.packed("base", found[1], found[2], found[0], count=len(axes.kinds))


def _years(axes: AxisTable, on: Array, keys: Sequence[str]) -> dict[str, Array]:
    """By year, the labels that are dates in it."""
    dated = np.flatnonzero(np.isin(on, [axis for axis, kind in enumerate(axes.kinds) if kind == "date"]))
    dates = [(n, date.year) for n in dated.tolist() if (date := parse_date(keys[n])) is not None]
    labels, years = np.array(dates, dtype=np.int64).reshape(-1, 2).T
    return PackedGroups.packed("year", years, labels, on[labels], count=len(axes.kinds))


def _leading(axes: AxisTable, on: Array, keys: Array, bases: Array, aliases: Array) -> Array:
    """Every key that leads to a subject."""
    subjects = np.isin(on, axes.leading())
    return np.unique(np.concatenate((keys[subjects], bases[subjects], aliases))).astype(np.int32)
