"""What the reader learns from, and how much of each source."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .examples import Example, Passage, hard_negatives, is_held_out, read_corpus, reading_examples, squad_examples

__all__ = ["HOPS", "MANUALS", "SOURCES", "WRITTEN", "Pair", "Source", "folders", "mixed", "of_source"]

Pair = tuple[Example, ...]
"""A question with its section, and maybe with a near miss: read side by side, scored on one scale."""

MANUALS, HOPS, WRITTEN = "manuals", "hops", "written"
"""The sources that the project makes itself, and the reading data do not have: see the modules of these names."""
_BACKGROUND = ("squad-dev", "2wiki-6119", "hotpotqa", "musique")
"""Corpora whose sections are near misses too."""
_ORDERED = frozenset({
    "most", "least", "highest", "lowest", "first", "last", "next", "previous", "many", "total", "longest", "shortest",
    "only", "same",
})  # fmt: skip
"""Words of a table question that its cells do not answer by themselves."""


@dataclass(frozen=True, slots=True)
class Source:
    """How a source is used: the most examples of it, the share read beside near misses (up to ``misses`` each), how
    often a pass reads them, the fewest examples where a training reads only a share.

    Templated relations count less than what people asked; questions that mean nothing without their passage
    ("what did she do?") get no near miss, as another passage may well answer them.
    """

    most: int
    paired: float = 0.0
    times: int = 1
    misses: int = 1
    least: int = 0


SOURCES = {
    "squad": Source(10_500, paired=0.5, misses=3),
    "squad-unanswerable": Source(5_900),
    "squadshifts-wiki": Source(9_300, paired=0.5, misses=3),
    "squadshifts-reddit": Source(3_000),
    "squadshifts-amazon": Source(3_000),
    "nq-oracle": Source(2_600, paired=0.9, times=2, misses=3),
    "qed": Source(1_300, paired=0.9, times=2, misses=3),
    "retrieved-nq": Source(1_300, paired=0.9, times=2, misses=3),
    "redocred": Source(5_000, paired=0.4, misses=2),
    "fewrel": Source(2_500, paired=0.4),
    "fewrel-80": Source(1_500, paired=0.4),
    "hotpot-train-halueval": Source(0),  # kept to measure runs of several hops with
    "qadiscourse": Source(3_000),
    "qamr": Source(5_000),
    "qasc": Source(500),
    "wikitables": Source(1_500),
    "aitqa": Source(500),
    "tatqa": Source(1_200),
    "hybridqa": Source(2_900, paired=0.5, misses=2),
    "fairytaleqa": Source(3_000),
    "friendsqa": Source(800),
    "quoref": Source(1_100),
    "covidqa": Source(1_300, paired=0.3),
    MANUALS: Source(3_000, paired=0.9, times=2, misses=3, least=3_000),
    HOPS: Source(3_000, paired=0.9, misses=2, least=3_000),
    WRITTEN: Source(20_000, paired=0.9, misses=2, least=20_000),
}


def mixed(reading: Path, data: Path, *, seed: int, share: float = 1.0, own: Path | None = None) -> list[Pair]:
    """Return one pass over all sources in random order, near misses beside their questions.

    ``own`` is the folder of the sources that the project makes itself; those that are not in it are left out.
    """
    rng = random.Random(seed)
    by_source = {name: of_source(name, folder, data) for name, folder in folders(reading, own).items()}
    pool = _pool(by_source.values(), data)
    pairs: list[Pair] = []
    for name, examples in by_source.items():
        source = SOURCES[name]
        kept = [e for e in examples if not is_held_out(e.question) and _is_read(e)]
        rng.shuffle(kept)
        kept = kept[: max(source.least, int(source.most * share))]
        split = int(len(kept) * source.paired)
        near = [e for e in kept[:split] if e.answerable]
        beside = hard_negatives(near, pool, seed=seed, most=source.misses) if near else ()
        found = {pair[0]: pair for pair in beside}
        pairs += [found.get(e, (e,)) for e in kept] * source.times
    rng.shuffle(pairs)
    return pairs


def folders(reading: Path, own: Path | None = None) -> dict[str, Path]:
    """Return the folder of each source; those that the project makes only where ``own`` has them."""
    ours = (MANUALS, HOPS, WRITTEN)
    made = {name: own for name in ours if own is not None and (own / f"{name}.jsonl.gz").is_file()}
    return {name: made.get(name, reading) for name in SOURCES if name in made or name not in ours}


def of_source(name: str, reading: Path, data: Path) -> list[Example]:
    """Return all examples of one of `SOURCES`; raises InputError where its file is missing."""
    if name.startswith("squad") and not name.startswith("squadshifts"):
        return [e for e in squad_examples(data / "squad-dev") if e.origin == name]
    return reading_examples(reading, name)


def _pool(sources: Iterable[Sequence[Example]], data: Path) -> list[Passage]:
    """The sections that near misses are drawn from: encyclopedic ones, which resemble what is asked."""
    found = {p.text: p for name in _BACKGROUND for p in read_corpus(data / name).values()}
    for examples in sources:
        for e in examples:
            if e.title and e.text not in found:
                found[e.text] = Passage("", e.title, e.text)
    return list(found.values())


def _is_read(example: Example) -> bool:
    """Whether a span answers the question: tables are asked to be ordered and counted too."""
    return example.origin != "wikitables" or not _ORDERED & set(example.question.lower().rstrip("?").split())
