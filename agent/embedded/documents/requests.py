"""Reading a question over documents as the one-hop questions it takes, and what is to be made of their answers.

A question about several documents becomes one subquery for each (the loop of MultiCube-RAG, 3.4); one about all of
them a single wide one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .amounts import amounts, is_numeric
from .forms import BLANK, Form, read_form
from .judging import claimed_amounts, unbounded
from .operands import Operation, formula_of, measure_of_text, operands, operation_of
from .shelf import Book, Mention, Shelf
from .wording import Adjective, Order, lexicon, stem_of, terms

__all__ = ["Request", "RequestReader", "Task"]

Task = Literal[
    "value", "describe", "figure", "judge", "compare", "same", "calculate", "each", "extreme", "filter", "count"
]

_MOST = 6  # subqueries of a plan: the loop's own limit
_COMPARED = re.compile(r"\b(?P<word>[a-z]+(?:er|est)|more|most|less|least|fewer|fewest)\b(?: (?P<next>[a-z]+))?", re.I)
_CLAIMS = re.compile(
    r"\b(?:statements?|descriptions?|claims?|sentences?)\b.*\b(?:right|true|correct|accurate|false|wrong|apply|hold)",
    re.IGNORECASE,
)
_SAME = re.compile(r"\b(?:same|equal|identical|equally)\b", re.IGNORECASE)
_RANGE = re.compile(r"\brange\b", re.IGNORECASE)
_DESCRIBING = re.compile(
    r"^(?:please |briefly |can you )*(?:describe|summari[sz]e|explain|outline|discuss|introduce|compare)\b|^why\b"
    r"|\b(?:what|which) (?:is|are) the (?:role|purpose|procedure)s? of\b|\bwhat role\b"
    r"|^how (?:is|are|do|does|can|should|must|to|was|were)\b|\bsummary of\b|\boverview of\b|^what happens\b"
    r"|^what (?:is|are) [^,]{2,60}? (?:used for|for)\W*$|^what (?:does|do) .{2,80}\b(?:do|mean|say|describe|cover)\b",
    re.IGNORECASE,
)
_ASKS_WHICH = re.compile(r"\bwhich\b|\bwhat (?:\w+ ){0,2}(?:has|have|is the)\b|\bname the\b|\blist\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow many (?:of (?:the|these|those|all) )?(?P<nouns>[a-z]+ [a-z]+)", re.IGNORECASE)
_WHICH_THING = re.compile(
    r"\b(?:which|what)(?: one)?(?: of (?:the|these|those|all)(?: following)?(?: [a-z]+)?)? (?P<noun>[a-z-]+)\b", re.I
)


_COUNTED = re.compile(r"\b(?:by )?how many \S+|\bin [a-zµ]?[A-ZΩ]\S*\b", re.IGNORECASE)
_PREDICATE = re.compile(
    r"\b(?:is|are|has|have|can|supports?|offers?|provides?|uses?|comes?|allows?|includes?|contains?|operates?|works?)\b.*"
)
_PLURAL = re.compile(r"[a-z]+[^s\W]s")


@dataclass(frozen=True, slots=True)
class Request:
    """What a question comes to: ``subqueries`` in order, and the task that makes an answer of theirs.

    ``items`` are what the subqueries are about, as the answer is to call it. ``operations`` work the first two values
    out, then the result and the next. ``wide`` asks for sections of many documents at once; ``measure`` is then what is
    compared, or what is claimed, of each.
    """

    form: Form
    task: Task
    subqueries: tuple[str, ...]
    items: tuple[str, ...] = ()
    order: Order | None = None
    operations: tuple[Operation, ...] = ()
    mentions: tuple[Mention, ...] = ()
    wide: bool = False
    measure: str = ""

    @property
    def books(self) -> frozenset[str]:
        """The ids of the documents that are named."""
        return frozenset(book.id for mention in self.mentions for book in mention.books)


class RequestReader:
    """Reads questions by the names that a shelf knows; the same question always comes to the same request."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def read(self, question: str) -> Request:
        """Return what a question comes to."""
        form = self._renamed(read_form(question))
        named = tuple(_distinct(self._shelf.mentions(form.stem)))
        optional = self._options(form) if not named else ()
        if optional:
            return self._over_options(form, optional)
        if form.options and not optional and _CLAIMS.search(form.stem) and len(form.options) <= _MOST:
            return self._each_option(form, named)
        if len(named) == 1 and len(named[0].books) > 1:
            return self._over_series(form, named[0])
        several = named[:_MOST] if len(named) > 1 else ()
        stem = form.stem
        task, order = self._task(stem, form, named)
        plain = Request(form, task, (self._plainly(form),), (), order, (), named)
        if task == "figure":
            return plain
        operation = None if task in ("compare", "extreme", "count") else operation_of(stem)
        if task not in ("compare", "extreme", "count") and (found := self._calculated(plain, operation)) is not None:
            return found
        members = self._members(stem) if task in ("extreme", "filter", "count") else ()
        if 1 < len(members) <= _MOST:
            return self._over_series(form, Mention(0, 0, "", members))
        if task in ("extreme", "filter", "count"):
            things = self._shelf.things
            measure = _measure(stem, things) if task == "extreme" else _claim_of(stem, things)
            return replace(plain, wide=True, measure=measure)
        if several:
            return self._for_each(plain, several)
        return plain

    def _renamed(self, form: Form) -> Form:
        """Call documents by the names that their titles have: chapters are found by these."""
        stem = _with_unit(form)
        for mention in sorted(self._shelf.mentions(stem), key=lambda m: -m.start):
            if mention.alias and len(mention.books) == 1:
                stem = f"{stem[: mention.start]}{mention.name}{stem[mention.end :]}"
        return replace(form, stem=stem)

    def _each_option(self, form: Form, named: Sequence[Mention]) -> Request:
        """Options that are claims of their own: each is judged by itself."""
        of = f" of {named[0].name}" if named else ""
        claims = tuple(f"Is it true{of} that {_begun(text)}?" for _, text in form.options)
        return Request(form, "filter", claims, tuple(text for _, text in form.options), None, (), tuple(named))

    def _over_series(self, form: Form, series: Mention) -> Request:
        """A series: every one of its documents is asked for, or all at once where they are too many."""
        stem, things = form.stem, self._shelf.things
        order = _order(stem)
        task = self._across(stem, None if claimed_amounts(stem) else order) or "each"
        bare = _without(stem, (series,))
        measure = _claim_of(bare, things) if task in ("filter", "count") else _measure(bare, things)
        whole = Request(form, task, (self._plainly(form),), (), order, (), (series,), True, measure)
        if len(series.books) > _MOST:
            return whole
        members = series.each()
        bounded = task in ("filter", "count") and bool(claimed_amounts(stem))
        if bounded or task not in ("filter", "count"):
            subqueries = tuple(_asked_of(_measure(unbounded(bare), things), m.name) for m in members)
        else:
            subqueries = tuple(f"Is it true that {m.name} {measure}?" for m in members)
        items = tuple(m.name for m in members)
        done: Task = "compare" if task == "extreme" else task
        return replace(whole, task=done, subqueries=subqueries, items=items, mentions=members, wide=False)

    def _task(self, stem: str, form: Form, named: Sequence[Mention]) -> tuple[Task, Order | None]:
        """What is to be done, and for comparisons which end of the scale is asked for."""
        order = _order(stem)
        if _asks_for_figure(stem):
            return "figure", None
        if form.kind == "judgement":
            if len(named) > 1:
                return ("compare", order) if order else ("same", None) if _SAME.search(stem) else ("each", None)
            return "judge", None
        if len(named) > 1:
            compared = order is not None and _ASKS_WHICH.search(stem) is not None
            return ("compare", order) if compared else ("each", None)
        if not named and (task := self._across(stem, order)) is not None:
            return task, order
        return ("describe", None) if _DESCRIBING.search(stem) else ("value", None)

    def _across(self, stem: str, order: Order | None) -> Task | None:
        """Whether a question that names no document asks of all of them: "which of the products", "how many ..."."""
        if not self._shelf.books:
            return None
        many = _HOW_MANY.search(stem)
        if many is not None and any(self._is_thing(word) for word in many["nouns"].split()):
            return "count"
        which = _WHICH_THING.search(stem)
        if which is None or not any(self._is_thing(word) for word in which[0].split()):
            return None
        return "extreme" if order is not None else "filter"

    def _members(self, stem: str) -> tuple[Book, ...]:
        """The documents whose titles have the noun that a question asks by ("which router"), else all."""
        asked = {stem_of(word) for word in re.findall(r"[a-z]+", stem)}
        titled = tuple(b for b in self._shelf.books if asked & self._shelf.things & set(terms(b.title)))
        return titled or self._shelf.books

    def _is_thing(self, noun: str) -> bool:
        return stem_of(noun) in self._shelf.things

    def _options(self, form: Form) -> tuple[tuple[str, Mention], ...]:
        """The options with the documents they name, where every one of them names one."""
        found = [(text, self._shelf.mentions(text)) for _, text in form.options]
        named = tuple((text, mentions[0]) for text, mentions in found if len(mentions) == 1)
        return named if named and len(named) == len(form.options) else ()

    def _over_options(self, form: Form, options: Sequence[tuple[str, Mention]]) -> Request:
        """Options that are documents themselves: each is asked for what the stem says of it."""
        mentions = tuple(mention for _, mention in options)[:_MOST]
        order = _order(form.stem)
        if order is not None:
            measure = _measure(form.stem, self._shelf.things)
            subqueries = tuple(_asked_of(measure, m.name) for m in mentions)
            return Request(form, "compare", subqueries, tuple(m.name for m in mentions), order, (), mentions)
        claim = _claim_of(form.stem, self._shelf.things)
        subqueries = tuple(f"Is it true that {m.name} {claim}?" for m in mentions)
        return Request(form, "filter", subqueries, tuple(m.name for m in mentions), None, (), mentions)

    def _for_each(self, plain: Request, mentions: Sequence[Mention]) -> Request:
        """One subquery for each document that is named."""
        stem, names = plain.form.stem, tuple(m.name for m in mentions)
        if plain.task in ("compare", "same"):
            measure = _measure(_without(stem, mentions), self._shelf.things)
            subqueries = tuple(_asked_of(measure, name) for name in names)
        elif plain.form.kind == "judgement":
            claim = _claim_of(_without(stem, mentions), frozenset())
            subqueries = tuple(f"Is it true that {name} {claim}?" for name in names)
        elif _DESCRIBING.search(stem) or plain.form.kind == "plain":
            opening = "Describe the" if _DESCRIBING.search(stem) else "What is the"
            measure = measure_of_text(_without(stem, mentions))
            subqueries = tuple(f"{opening} {measure} of {name}{'.' if opening[0] == 'D' else '?'}" for name in names)
        else:
            parts = zip(_segments(stem, mentions), names, strict=True)
            subqueries = tuple(_asked_of(part, name) for part, name in parts)
        return replace(plain, subqueries=tuple(dict.fromkeys(subqueries)), items=names)

    def _calculated(self, plain: Request, operation: Operation | None) -> Request | None:
        """The operands of a calculation as subqueries; None where there is none, or two cannot be told apart."""
        stem, mentions = plain.form.stem, plain.mentions
        formula = formula_of(_without(stem, mentions)) if len(mentions) < 2 else None
        if formula is None and operation is None:
            return None
        if len(mentions) > 1:
            measures = _segments(stem, mentions)
            subqueries = tuple(_asked_of(part, m.name) for part, m in zip(measures, mentions, strict=True))
            items = tuple(m.name for m in mentions)
        else:
            of = mentions[0].name if mentions else ""
            items = formula[1] if formula is not None else operands(_COUNTED.sub(";", _without(stem, mentions)))
            subqueries = tuple(_asked_of(part, of) for part in items)
        subqueries = tuple(dict.fromkeys(subqueries))[:_MOST]
        if len(subqueries) < 2:
            return None
        steps = formula[0] if formula is not None else (operation,) if operation is not None else ()
        return replace(plain, task="calculate", subqueries=subqueries, items=items, operations=steps) if steps else None

    def _plainly(self, form: Form) -> str:
        """The whole question as one subquery, without its options."""
        if form.kind == "judgement" and not form.yes_no:
            claim = form.stem.rstrip(".?")
            return f"Is it true that {claim[:1].lower() + claim[1:] if claim.startswith('The ') else claim}?"
        return form.stem


def _with_unit(form: Form) -> str:
    """The stem, with the unit behind its gap that all options are written in."""
    units = {a[0].unit for _, text in form.options if (a := amounts(text)) and is_numeric(text)}
    if form.blanks != 1 or len(units) != 1 or not all(amounts(text) for _, text in form.options):
        return form.stem
    return form.stem.replace(BLANK, f"{BLANK} {next(iter(units))}".strip())


def _begun(claim: str) -> str:
    """A claim in the middle of a sentence."""
    claim = claim.rstrip(".")
    return claim[:1].lower() + claim[1:] if re.match(r"(?:The|An?|Its?|All|Each|No) ", claim) else claim


def _asks_for_figure(stem: str) -> bool:
    """Whether a figure itself is asked for, not what one shows in passing."""
    words = re.findall(r"[a-z]+", stem.lower())
    known = lexicon().figures
    at = next((n for n, word in enumerate(words) if stem_of(word) in known), None)
    if set(words[:2]) & {"show", "display", "draw"}:
        return True
    if at is None:
        return False
    opening = {"which", "what", "show", "find", "give", "display", "where", "see"} & set(words[: at + 1])
    return bool(opening) and not re.search(r"\bhow many (?:figures|diagrams)", stem, re.IGNORECASE)


def _adjective(word: str) -> Adjective | None:
    return lexicon().adjectives.get(word)


def _order(stem: str) -> Order | None:
    """Which end of a scale a comparing word names, if there is one."""
    known = lexicon()
    for found in _COMPARED.finditer(stem.lower()):
        word = found["word"]
        if word in known.orders:
            adjective = _adjective(f"{found['next']}") if word in ("more", "most", "less", "least") else None
            order = known.orders[word]
            if adjective is not None and adjective.order == "least":
                return "greatest" if order == "least" else "least"
            return order
        if (adjective := _adjective(word)) is not None and word.endswith(("er", "est")):
            return adjective.order
    return None


def _measure(stem: str, things: frozenset[str]) -> str:
    """What is compared, in the question's words without the comparing ones: "maximum supply voltage"."""
    known, nouns = lexicon(), list[str]()
    bare = stem
    for found in _COMPARED.finditer(stem.lower()):
        word = found["word"]
        adjective = _adjective(word)
        if word in known.orders or adjective is not None:
            bare = re.sub(rf"\b{word}\b", ";", bare, flags=re.IGNORECASE)
        if adjective is not None and word not in known.orders:
            nouns += adjective.nouns[:1]
    measure = measure_of_text(bare, drop=things)
    if nouns and not _RANGE.search(measure):
        return " ".join((measure, *nouns[:1])).strip() if measure else nouns[0]
    long = {"longer": "duration", "longest": "duration", "shorter": "duration", "shortest": "duration"}
    return measure or next((long[w] for w in long if w in stem.lower()), "")


def _claim_of(stem: str, things: frozenset[str]) -> str:
    """What the stem of "Which of the following products is ..." says of each: "is ..."."""
    bare = stem.replace(BLANK, " ").strip(" .?:,")
    found = _PREDICATE.search(bare)
    if found is None:
        return f"has {measure_of_text(bare, drop=things)}"
    return re.sub(r"^are\b", "is", re.sub(r"^have\b", "has", " ".join(found[0].split())))


def _asked_of(measure: str, name: str) -> str:
    of = f" of {name}" if name else ""
    if _PLURAL.fullmatch(measure):
        return f"How many {measure}{of.replace(' of ', ' has ', 1)}?"
    return f"What is the {measure}{of}?"


def _without(stem: str, mentions: Sequence[Mention]) -> str:
    """The stem with a mark in place of each name, so that the words around it do not run together."""
    for mention in sorted({m.start: m for m in mentions}.values(), key=lambda m: -m.start):
        stem = f"{stem[: mention.start]} ; {stem[mention.end :]}"
    return stem


def _segments(stem: str, mentions: Sequence[Mention]) -> list[str]:
    """What is asked of each document that is named: the words before its name, or those of the whole."""
    whole = measure_of_text(_without(stem, mentions)) or _measure(_without(stem, mentions), frozenset())
    found, start = list[str](), 0
    for number, mention in enumerate(mentions):
        own = measure_of_text(stem[start : mention.start])
        start = mention.end
        found.append(own if own and number else "")
    own_words = [part for part in found if len(part.split()) > 1]
    if not own_words:
        return [whole] * len(mentions)
    first = measure_of_text(stem[: mentions[0].start]) or whole
    return [part or first for part in found]


def _distinct(mentions: Sequence[Mention]) -> list[Mention]:
    seen: dict[str, Mention] = {}
    for mention in mentions:
        seen.setdefault(mention.name, mention)
    return list(seen.values())
