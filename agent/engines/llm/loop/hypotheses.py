"""Statements to search with, and answer tables, by a language model (MuISQA 4.1; what it compares with, table 1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from .....cubes.core.records import Span
from .....graphs.expansion.intents import Intents, intents_of
from .....graphs.expansion.statements import AnswerCell, ExpansionRequest, Hypotheses, Statement
from .....graphs.records import Evidence
from .....prompts import PromptLibrary
from ..client import ModelClient
from ..errors import UNUSABLE
from ..replies import schemas as replies
from ..replies import wording
from ..replies.quotations import find, sentence_around

__all__ = ["generate_hypotheses", "named_intents", "tabulate"]

STAGE = "expand"
_JOINS = re.compile(r"\band\b|&|;|\beach\b|\brespective", re.IGNORECASE)
VERBATIM, STATED = 0.9, 0.6
"""How far a cell is trusted: its quote stands in the section; only its value does."""


def generate_hypotheses(
    subquery: str, expansion: ExpansionRequest, client: ModelClient, library: PromptLibrary
) -> Hypotheses:
    """Return the statements that a strategy makes of a subquery; what cannot be used is said in the note.

    Raises ModelErrors that have nothing to do with this subquery.
    """
    try:
        return Hypotheses(tuple(_STRATEGIES[expansion.strategy](subquery, expansion, client, library)))
    except UNUSABLE as error:
        return Hypotheses(note=f"No hypothetical answers were made: {error}")


def named_intents(question: str, client: ModelClient, library: PromptLibrary) -> Intents | None:
    """Return the intents that a model names of a question; None for a single one.

    The rules for English wordings decide where the reply cannot be used, and where nothing in the question joins two
    things: it is not worth a request then.
    """
    if not _JOINS.search(question):
        return intents_of(question)
    try:
        reply = client.ask(STAGE, library["question_intents"].fill({"question": question}), replies.QuestionIntents)
    except UNUSABLE:
        return intents_of(question)
    subject, instance, head = reply.subject.strip(), reply.instance.strip(), reply.head.strip()
    asked = tuple(dict.fromkeys(filter(None, map(str.strip, reply.intents))))
    if subject and len(asked) > 1:
        return Intents(f"What is {subject}?", (subject, *asked), subject)
    if not subject and asked and instance and head:
        return Intents(head, (instance, *asked))
    return None


def _hqg(
    subquery: str, expansion: ExpansionRequest, client: ModelClient, library: PromptLibrary
) -> Iterator[Statement]:
    """Suppose M answers, and split each into a statement for each intent (eq. 7); their union is the pool (eq. 8)."""
    prompt = library["hypothetical_answers"].fill({"question": subquery, "number": str(expansion.number)})
    answers = client.ask(STAGE, prompt, replies.Hypotheses).answers[: expansion.number]
    for number, answer in enumerate(filter(str.strip, answers), start=1):
        split = library["hypothetical_statements"].fill({"question": subquery, "hypothetical_answer": answer})
        reply = client.ask(STAGE, split, replies.Statements)
        for n, text in enumerate(reply.statements):
            yield Statement(text.strip(), reply.intents[n] if n < len(reply.intents) else "", number)


def _rewritten(
    subquery: str, expansion: ExpansionRequest, client: ModelClient, library: PromptLibrary
) -> Iterator[Statement]:
    prompt = library["query_rewriting"].fill({"question": subquery, "number": str(expansion.number)})
    said = client.ask(STAGE, prompt, replies.Rewritings).questions[: expansion.number]
    yield from (Statement(text.strip(), hypothesis=n) for n, text in enumerate(said, start=1))


def _document(
    subquery: str, expansion: ExpansionRequest, client: ModelClient, library: PromptLibrary  # noqa: ARG001
) -> Iterator[Statement]:
    prompt = library["hypothetical_document"].fill({"question": subquery})
    yield Statement(client.ask(STAGE, prompt, replies.HypotheticalDocument).passage.strip(), hypothesis=1)


def _parts(
    subquery: str, expansion: ExpansionRequest, client: ModelClient, library: PromptLibrary  # noqa: ARG001
) -> Iterator[Statement]:
    reply = client.ask(STAGE, library["core_subquestions"].fill({"question": subquery}), replies.SubQuestions)
    for kind, said in (("core", reply.core), ("background", reply.background), ("follow-up", reply.follow_up)):
        yield from (Statement(text.strip(), kind, n) for n, text in enumerate(said[:3], start=1))


_STRATEGIES: dict[str, Callable[[str, ExpansionRequest, ModelClient, PromptLibrary], Iterator[Statement]]] = {
    "hqg": _hqg,
    "rewrite": _rewritten,
    "hyde": _document,
    "core_subq": _parts,
}


def tabulate(
    question: str, intents: Intents, evidence: Sequence[Evidence], client: ModelClient, library: PromptLibrary
) -> list[list[AnswerCell]]:
    """Return the table that a model reads off the sections; a cell that no section holds is empty.

    No row where the reply cannot be used. Raises ModelErrors that have nothing to do with this question.
    """
    values = {
        "question": question,
        "columns": "\n".join(f"- {column}" for column in intents.columns),
        "documents": wording.documents(evidence),
    }
    try:
        reply = client.ask("table", library["answer_table"].fill(values), replies.TableReply)
    except UNUSABLE:
        return []
    width = len(intents.columns)
    rows = [[_cell(said, evidence) for said in row.cells[:width]] for row in reply.rows]
    return [[*row, *(AnswerCell() for _ in range(width - len(row)))] for row in rows if any(cell.value for cell in row)]


def _cell(said: replies.QuotedValue, evidence: Sequence[Evidence]) -> AnswerCell:
    """The cell with the sentence it rests on: where its quote stands and holds the value, else where the value does."""
    named = [e for n, e in enumerate(evidence) if wording.document_id(n) == said.document.strip()]
    ordered = [*named, *(e for e in evidence if e not in named)]
    value = " ".join(said.value.split())
    for section in ordered if value else ():
        quoted = find(said.quote, section.text)
        if quoted is not None and find(value, section.text[quoted.start : quoted.end]) is not None:
            return _at(value, section, quoted, VERBATIM)
    for section in named or ordered if value else ():
        stated = find(value, section.text)
        if stated is not None:
            return _at(value, section, stated, STATED)
    return AnswerCell()


def _at(value: str, section: Evidence, place: Span, trust: float) -> AnswerCell:
    span = sentence_around(place, section.text)
    return AnswerCell(value, section.section_id, span.start, span.end, trust)
