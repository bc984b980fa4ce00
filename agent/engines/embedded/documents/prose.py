"""Reading the running text of a chapter: its sentences, lists and figures, and the few sentences that tell the most."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .....cubes.core.records import Span
from .....cubes.documents.sections import sentences
from .....cubes.retrieval.hiqa.tables import tables_in
from .....graphs.records import Evidence
from .asked import LabelQuery
from .lookup import rows_of
from .wording import terms

__all__ = [
    "BulletList", "FigureLine", "ProseUnit", "bullets_in", "enumerated", "pictures_in", "prose_of", "summary",
    "units_of",
]

_FIGURE = re.compile(r"!\[(?P<caption>[^\]]*)\]\(figure:(?P<id>[0-9a-f]+)\)")
_CAPTION = re.compile(
    r"^[ \t]*[*_]{0,2}(?P<caption>Fig(?:ure|\.)[ \t]*\d[\w.-]*[:.][ \t]*[^\n]*?)[*_]{0,2}[ \t]*$", re.MULTILINE
)
_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,2}[.)]|\([a-z\d]\))[ \t]+(?P<item>\S.*)$", re.MULTILINE)
_LISTING = re.compile(r"(?::|\b(?:are|were|include|includes|including|such as|comprise|comprises|namely|of))\s+", re.I)
_PARTS = re.compile(r",?\s+(?:and|or|as well as)\s+|,\s+|;\s+")
_SUMMARY = 600  # characters
_SENTENCES = 3
_HEADED, _TOLD = 1.0, 0.8  # what a word counts that the chapter's heading or its text holds
_NEXT = 0.5  # of the best sentence's score that another must have to be told as well


@dataclass(frozen=True, slots=True)
class ProseUnit:
    """Something that a section says: a sentence, an item of a list, or a table's row, with the terms it holds."""

    text: str
    section: int
    span: Span
    terms: frozenset[str]
    context: frozenset[str]
    """The terms of the headings above it, of its list's introduction, and of its table's labels."""
    tabular: bool = False


@dataclass(frozen=True, slots=True)
class BulletList:
    """A list of a section, with the line that introduces it."""

    intro: str
    items: tuple[str, ...]
    section: int
    span: Span


@dataclass(frozen=True, slots=True)
class FigureLine:
    """A figure of a section; ``span`` is its line."""

    caption: str
    section: int
    span: Span


@lru_cache(maxsize=2_000)
def prose_of(text: str) -> str:
    """Return a text of the same length with its tables and figures blanked out."""
    kept = list(text)
    for span in (*(table.span for table in tables_in(text)), *(Span(*m.span()) for m in _FIGURE.finditer(text))):
        for at in range(span.start, span.end):
            kept[at] = "\n" if kept[at] == "\n" else " "
    return "".join(kept)


def units_of(evidence: Sequence[Evidence]) -> Iterator[ProseUnit]:
    """Yield what the sections say: sentences and list items first, then the rows of tables."""
    for number, section in enumerate(evidence):
        headed = frozenset(t for part in section.path for t in terms(part))
        lists = bullets_in(section, number)
        for span in sentences(prose_of(section.text)):
            text = section.text[span.start : span.end]
            intro = next((b.intro for b in lists if b.span.start <= span.start < b.span.end), "")
            yield ProseUnit(text, number, span, frozenset(terms(text)), headed | frozenset(terms(intro)))
        for table in tables_in(section.text):
            labels = frozenset(t for part in (*table.columns, table.title) for t in terms(part))
            for row in rows_of(table, section.text):
                said = frozenset(t for cell in (row.label, *row.cells) for t in terms(cell))
                yield ProseUnit(
                    " ".join(filter(None, row.cells)), number, row.span, said, headed | labels, tabular=True
                )


def bullets_in(section: Evidence, number: int) -> list[BulletList]:
    """Return the lists of a section; where no line introduces one, its heading does."""
    text, found = prose_of(section.text), list[BulletList]()
    run: list[re.Match[str]] = []
    for item in (*_ITEM.finditer(text), None):
        if run and (item is None or text[run[-1].end() : item.start()].strip()):
            before = text[: run[0].start()].rstrip().rpartition("\n")[2].strip()
            intro = before if before.endswith(":") else section.path[-1] if section.path else ""
            items = tuple(each["item"].strip().rstrip(".;") for each in run)
            found.append(BulletList(intro, items, number, Span(run[0].start(), run[-1].end())))
            run = []
        if item is not None:
            run.append(item)
    return found


def pictures_in(evidence: Sequence[Evidence]) -> list[FigureLine]:
    """Return the figures of sections, in order."""
    return [
        FigureLine(match["caption"], number, Span(*match.span()))
        for number, section in enumerate(evidence)
        for match in (*_FIGURE.finditer(section.text), *_CAPTION.finditer(section.text))
    ]


def enumerated(sentence: str) -> tuple[str, ...]:
    """Return what a sentence lists: "The risks are A, B and C."; empty where it lists nothing."""
    rests = [sentence[opening.end() :].rstrip(" .") for opening in _LISTING.finditer(sentence)]
    rest = next((rest for rest in rests if "," in rest or " and " in rest), "")
    parts = tuple(re.sub(r"^(?:the|an?) ", "", part.strip()) for part in _PARTS.split(rest) if part.strip())
    return parts if len(parts) > 1 else ()


def term_coverage(asked: Sequence[str], unit: ProseUnit) -> float:
    """Return which share of the asked terms a unit holds; those of its headings count a little less."""
    if not asked:
        return 0.0
    return sum(1.0 if t in unit.terms else 0.75 if t in unit.context else 0.0 for t in asked) / len(asked)


def summary(asked: LabelQuery, evidence: Sequence[Evidence]) -> tuple[str, int, Span, float] | None:
    """Return up to three sentences of the chapter that tells the most of what is asked, in their order.

    With the text come the section's number, the span from the first sentence to the last, and the share of terms that
    it holds.
    """
    scored = [(_relevance(asked.terms, section), -number) for number, section in enumerate(evidence)]
    best, at = max(scored, default=(0.0, 0))
    spans = _told_most(asked, evidence[-at]) if best > 0 else []
    if not spans:
        return None
    text = " ".join(_sentence(evidence[-at].text[s.start : s.end]) for s in spans)
    return text, -at, Span(spans[0].start, spans[-1].end), best


def _relevance(asked: Sequence[str], section: Evidence) -> float:
    headed, last = _headings(section)
    said = set(terms(section.text))
    share = sum(_HEADED if t in headed else _TOLD if t in said else 0.0 for t in asked) / max(1, len(asked))
    return share + (0.3 * len(last & set(asked)) / len(last) if last else 0.0)


def _headings(section: Evidence) -> tuple[set[str], set[str]]:
    """The terms of all headings below the title, and of the last."""
    below = section.path[1:]
    return {t for part in below for t in terms(part)}, set(terms(below[-1])) if below else set()


def _sentence(text: str) -> str:
    """A sentence in one line; an item of a list becomes one."""
    item = _ITEM.match(text)
    line = " ".join((item["item"] if item is not None else text).split())
    return line if item is None or line.endswith((".", "!", "?")) else f"{line}."


def _told_most(asked: LabelQuery, section: Evidence) -> list[Span]:
    """The sentences to tell: the chapter's first where its heading is what is asked, else those that tell most."""
    titles = {t.named.start for t in tables_in(section.text) if t.named}
    plain = [u for u in units_of([section]) if not u.tabular and u.text.strip() and u.span.start not in titles]
    (headed, last), wanted = _headings(section), set(asked.terms)
    chosen = plain[:_SENTENCES]
    if not wanted or not (wanted <= headed or (last and last <= wanted)):
        scores = {u.span: len(wanted & u.terms) for u in plain}
        least = max(1.0, _NEXT * max(scores.values(), default=0.0))
        ranked = sorted(plain, key=lambda u: (-scores[u.span], u.span.start))
        chosen = [u for u in ranked if scores[u.span] >= least][:_SENTENCES] or ranked[:1]
    kept, length = list[Span](), 0
    for unit in sorted(chosen, key=lambda u: u.span.start):
        length += len(unit.text)
        if not kept or length <= _SUMMARY:
            kept.append(unit.span)
    return kept
