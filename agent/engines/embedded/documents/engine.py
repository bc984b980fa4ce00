"""`DocumentEngine`: the loop's decisions for questions over documents with chapters (HiQA), by rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from .....cubes.core.folding import fold, words
from .....graphs.reasoner import HIQA, FinalAnswer, NextStep, Routing, SubAnswer
from .....graphs.records import Evidence, Hop
from .claims import judge
from .decisions import decide
from .document_index import DocumentIndex, part_numbers
from .forms import BLANK
from .requests import DocumentQuery, DocumentQueryParser
from .section_reader import DocumentAnswer, SectionReader

__all__ = ["DocumentEngine"]

_SHARED = 2  # documents that say a name which is none of a document
_NO_SECTION = "No section that was found is of {}."
_UNKNOWN = "No section that was found speaks of {}."


class DocumentEngine:
    """Answers the questions that name a document of the shelf, or ask of all of them.

    It is stateless between calls: a question comes to the same subqueries every time, and the nth of them is answered
    by the nth hop, so runs can be resumed, replayed and edited.
    """

    def __init__(self, document_index: DocumentIndex) -> None:
        self._document_index = document_index
        self._reader = SectionReader(document_index.likeness)
        self._read = lru_cache(maxsize=2_000)(DocumentQueryParser(document_index).read)

    def claims(self, question: str) -> bool:
        """Whether a question is about documents of the shelf."""
        return bool(len(self._document_index)) and bool(self._read(question).mentions)

    def is_plain(self, question: str) -> bool:
        """Whether a question asks for one thing, of one document at most."""
        request = self._read(question)
        return request.operator in ("value", "describe") and len(request.subqueries) == 1

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Return the next document's subquery, or that all were asked."""
        asked = self._read(question).subqueries
        if len(hops) < len(asked):
            return NextStep(asked[len(hops)])
        return NextStep(None, sufficient=any(hop.answers for hop in hops))

    def route(self, subquery: str) -> Routing:
        """Send a subquery to retrieval over chapters."""
        request = self._read(subquery)
        named = ", ".join(mention.name for mention in request.mentions)
        return Routing((), f"about {named}" if named else "about the documents with chapters", (HIQA,))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Read a subquery's answer from the sections of the documents that it names (eq. 12)."""
        request, own, lacking = self.meant(subquery, evidence)
        return SubAnswer(note=lacking) if lacking else _sub_answer(self._one(request, own), own)

    def cell(self, subquery: str, own: Sequence[Evidence]) -> SubAnswer:
        """Return what a cell of a table surely says to a question for a value."""
        request = self.meant(subquery, own)[0]
        names = [mention.text for mention in request.mentions]
        sure = self._reader.cell(request.subqueries[0], own, names) if request.operator == "value" else None
        return _sub_answer(sure, own)

    def meant(self, subquery: str, evidence: Sequence[Evidence]) -> tuple[DocumentQuery, Sequence[Evidence], str]:
        """Return how a subquery is read, the sections that it is read in, and which thing named none of them is of.

        Names count that are a document's own: words of a title may be words of the topic, and "SQLite database" names
        no document where sections of others say it too, and none of its own was found.
        """
        request = self._read(subquery)
        held, texts = {e.document_id for e in evidence}, [(e.document_id, fold(e.text)) for e in evidence]
        own = [m for m in request.mentions if m.alias or held & {ref.id for ref in m.refs} or part_numbers(m.text)]
        rare = [m for m in request.mentions if len({id for id, text in texts if fold(m.text) in text}) < _SHARED]
        request = replace(request, mentions=tuple(m for m in request.mentions if m in own or m in rare))
        lacking = self._lacking(request, evidence)
        sections = [e for e in evidence if not lacking and (not request.refs or e.document_id in request.refs)]
        return request, sections, lacking

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Make the answer in the form that the question asks for, or say what was not found."""
        return decide(self._read(question), hops)

    def _one(self, request: DocumentQuery, evidence: Sequence[Evidence]) -> DocumentAnswer | None:
        names = [mention.text for mention in request.mentions]
        stem, reader = request.subqueries[0], self._reader
        match request.operator:
            case "figure":
                return reader.figure(stem, evidence, names) or reader.describe(stem, evidence, names)
            case "judge":
                open_ended = request.form.yes_no and not self._document_index.alike
                found = judge(_claim(stem), evidence, names, self._document_index.likeness, asked=open_ended)
                return replace(found, sure=0.3 + 0.65 * found.sure) if found is not None else None
            case "describe":
                return reader.describe(stem, evidence, names)
        return reader.value(stem, evidence, names, max(1, stem.count(BLANK)))

    def _lacking(self, request: DocumentQuery, evidence: Sequence[Evidence]) -> str:
        """Say which of the things named no section speaks of: nothing may be told of one from another's chapter."""
        for mention in request.mentions:
            if not {ref.id for ref in mention.refs} & {e.document_id for e in evidence}:
                return _NO_SECTION.format(f"'{mention.name}'")
        taken = " ".join(mention.text for mention in request.mentions)
        for part in part_numbers(request.form.stem):
            squashed = "".join(words(part))
            known = any(squashed in "".join(words(f"{' '.join(e.path)} {e.text}")) for e in evidence)
            if part not in taken and not known:
                return _UNKNOWN.format(f"'{part}'")
        return ""


def _claim(stem: str) -> str:
    """The claim in "Is it true that ...?"."""
    return re.sub(r"^Is it true (?:of .{1,200}? )?that ", "", stem).rstrip("?")


def _sub_answer(found: DocumentAnswer | None, evidence: Sequence[Evidence]) -> SubAnswer:
    if found is None or not found.texts:
        return SubAnswer()
    section = evidence[found.section].section_id
    return SubAnswer(found.texts, found.sure, section, found.span.start, found.span.end, cited=True)
