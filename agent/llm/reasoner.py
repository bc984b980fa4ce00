"""The loop's decisions by a language model (MultiCube-RAG 3.4, prompts A.2 to A.4, eq. 7 and 10 to 13)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...cubes.ontology import CubeSpec, Ontology
from ...cubes.records import Component, Span
from ...graphs.expansion.intents import Intents
from ...graphs.expansion.statements import Cell, Hypotheses, Wish
from ...graphs.reasoner import HIQA, SMART, Decomposition, FinalAnswer, Routing, Step, SubAnswer
from ...graphs.records import Evidence, Hop, Usage
from ...prompts import Shelf
from . import replies, thinking, wording
from .client import ModelClient, total_usage
from .errors import UNUSABLE
from .hypotheses import suppose, tabulate
from .limits import Caps
from .quoting import find, sentence_around
from .reporter import answer_from_reports

if TYPE_CHECKING:
    from ..conversation import Turn

__all__ = ["VERSION", "LlmReasoner"]

VERSION = "llm/1"
VERBATIM, STATED, UNFOUND = 0.9, 0.6, 0.3
"""How far an answer is trusted: its quote stands in the section; only the answer does; neither was found there."""
_NONE = "no answer"


class LlmReasoner:
    """Thinks with language models: one for the reasoning and routing, one for the reading (as in the paper's 4.4).

    A reply that cannot be used costs its hop something, never the run: an unusable route leads to passages, an unusable
    decomposition matches the whole subquery, an unusable answer counts as missing; the trace says so.
    ``caps`` bound what each of the two may spend in a run; ``on_token`` is shown the final answer as it is written;
    ``documents`` says that there are documents with chapters, which the router may choose, ``overall`` that there are
    abstractions.
    """

    def __init__(
        self,
        ontology: Ontology,
        shelf: Shelf,
        *,
        reason: ModelClient,
        read: ModelClient | None = None,
        caps: Caps | None = None,
        on_token: Callable[[str], None] | None = None,
        documents: bool = False,
        overall: bool = False,
    ) -> None:
        self._documents, self._overall = documents, overall
        self._ontology, self._shelf, self._caps, self._on_token = ontology, shelf, caps, on_token
        self._reason, self._read = reason, read or reason
        self._cubes = {wording.cube_name(spec): spec.id for spec in ontology.cubes}

    @property
    def name(self) -> str:
        """Engine, version and models."""
        models = dict.fromkeys((self._reason.label, self._read.label))
        return f"{VERSION} {' + '.join(models)}"

    @property
    def usage(self) -> Usage:
        """What this run has spent so far."""
        return total_usage((self._reason, self._read))

    def for_run(self) -> LlmReasoner:
        """Return the same engine with an account and caps of its own, for one question."""
        reason = self._reason.for_run(self._caps)
        read = reason if self._read is self._reason else self._read.for_run(self._caps)
        return LlmReasoner(
            self._ontology, self._shelf, reason=reason, read=read, caps=self._caps, on_token=self._on_token,
            documents=self._documents, overall=self._overall,
        )  # fmt: skip

    def next_step(self, question: str, hops: Sequence[Hop]) -> Step:
        """Ask for the next one-hop subquery; FINAL ANSWER says that the hops suffice (A.2)."""
        try:
            return self._next(question, hops) if hops else self._first(question)
        except UNUSABLE as error:
            note = f"The next subquery could not be had: {error}"
            return Step(None, note=note) if hops else Step(question, note=note)

    def _first(self, question: str) -> Step:
        prompt = self._shelf["first_subquery"].fill({"original_query": question})
        return Step(self._reason.ask("reason", prompt, replies.Subquery).question.strip())

    def _next(self, question: str, hops: Sequence[Hop]) -> Step:
        values = {"original_query": question, "intermediate_answers": wording.steps(hops)}
        reply = self._reason.ask("reason", self._shelf["next_subquery"].fill(values), replies.NextSubquery)
        if reply.final or not reply.question.strip():
            return Step(None, sufficient=True)
        return Step(reply.question.strip())

    def route(self, subquery: str) -> Routing:
        """Ask which cubes fit (A.3), or the chapters of documents; a name that nothing has is left out."""
        values = {
            "cubes": wording.cubes_to_choose(self._ontology, documents=self._documents, overall=self._overall),
            "names": wording.names_of(self._ontology, documents=self._documents, overall=self._overall),
            "query": subquery,
        }
        try:
            reply = self._reason.ask("route", self._shelf["cube_router"].fill(values), replies.RouteReply)
        except UNUSABLE as error:
            return Routing((), f"passages, since the router's reply could not be used: {error}")
        known = dict.fromkeys(self._cubes[name] for name in map(_bare, reply.cubes) if name in self._cubes)
        tools = {wording.DOCUMENTS: HIQA if self._documents else "", wording.OVERVIEW: SMART if self._overall else ""}
        chosen = tuple(tool for name, tool in tools.items() if tool and name in map(_bare, reply.cubes))
        named = ", ".join((*known, *chosen)) or "no cube"
        sent = chosen if known or chosen else None
        return Routing(tuple(known), f"{self._reason.label} chose {named}", sent)

    def decompose(self, subquery: str, cube: str) -> Decomposition:
        """Ask for {dimension: entity} pairs (eq. 7); where that fails the whole subquery is matched with subjects."""
        spec = self._ontology.cube(cube)
        values = {"dimensions": wording.dimensions_of(spec), "question": subquery}
        prompt = self._shelf["query_decomposition"].fill(values)
        try:
            pairs = self._reason.ask("decompose", prompt, replies.Decomposition).pairs
        except UNUSABLE as error:
            whole = Component(cube, spec.subject.id, subquery)
            return Decomposition((whole,), f"the whole subquery is matched, since it could not be decomposed: {error}")
        return Decomposition(tuple(dict.fromkeys(_components(pairs, spec))))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Ask for the subquery's answer from the sections (eq. 12); what is quoted is looked for in them."""
        if not evidence:
            return SubAnswer()
        told = answer_from_reports(subquery, evidence, self._read, self._shelf)
        if told is not None:
            return told
        values = {"question": subquery, "documents": wording.documents(evidence)}
        try:
            reply = self._read.ask("answer", self._shelf["sub_answer"].fill(values), replies.SubAnswerReply)
        except UNUSABLE as error:
            return SubAnswer(note=f"the answer could not be read: {error}")
        answers = tuple(dict.fromkeys(a.strip() for a in reply.answers if _says_something(a)))
        if not answers:
            return SubAnswer()
        found, trust = _support(answers[0], reply, evidence)
        if found is None:
            return SubAnswer(answers, trust, note="no section holds the answer or the sentence quoted for it")
        section, span = found
        return SubAnswer(answers, trust, section.section_id, span.start, span.end)

    def standalone(self, question: str, turns: Sequence[Turn]) -> str:
        """Ask for a follow-up question as one that stands alone; "" where the reply cannot be used."""
        values = {"conversation": wording.conversation(turns), "question": question}
        prompt = self._shelf["standalone_question"].fill(values)
        try:
            return " ".join(self._reason.ask("follow up", prompt, replies.Standalone).question.split())
        except UNUSABLE:
            return ""

    def hypotheses(self, subquery: str, evidence: Sequence[Evidence], wish: Wish) -> Hypotheses:  # noqa: ARG002
        """Ask for supposed answers, split into statements to search with (MuISQA eq. 7-8)."""
        return suppose(subquery, wish, self._reason, self._shelf)

    def recall(self, question: str) -> SubAnswer:
        """Ask for what the model knows by itself, nothing having been retrieved."""
        return thinking.recall(question, self._read, self._shelf)

    def thought(self, question: str, thoughts: Sequence[str], evidence: Sequence[Evidence]) -> str:
        """Ask for the next sentence of a chain of thought, to retrieve with it (IRCoT)."""
        return thinking.thought(question, thoughts, evidence, self._reason, self._shelf)

    def tabulate(self, question: str, intents: Intents, evidence: Sequence[Evidence]) -> Sequence[Sequence[Cell]]:
        """Ask for the answer table of a question with several intents; what is quoted is looked for in the sections."""
        return tabulate(question, intents, evidence, self._read, self._shelf)

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Ask for the final answer (A.4, eq. 13); without one answered hop there is nothing to compose."""
        answered = [hop for hop in hops if hop.answers or hop.answer]
        if not answered:
            return FinalAnswer("", note="No step of the question was answered from the documents.")
        values = {"original_query": question, "intermediate_answers": wording.steps(hops)}
        try:
            text = self._read.text("final", self._shelf["final_answer"].fill(values), self._on_token)
        except UNUSABLE as error:
            return FinalAnswer("", note=f"The final answer could not be had: {error}", failed=True)
        answer = " ".join(text.split())
        if not _says_something(answer):
            return FinalAnswer("", note="The steps taken do not answer the question.")
        return FinalAnswer(answer, min(hop.confidence for hop in answered))


def _bare(name: str) -> str:
    return name.strip().strip("\"'`.").upper().replace(" ", "_").replace("-", "_")


def _says_something(answer: str) -> bool:
    said = answer.strip().strip(".\"'").casefold()
    return any(c.isalnum() for c in said) and said != _NONE


def _components(pairs: Sequence[replies.Pair], spec: CubeSpec) -> list[Component]:
    axes = {dimension.id for dimension in spec.dimensions}
    return [
        Component(spec.id, pair.dimension.strip(), pair.entity.strip())
        for pair in pairs
        if pair.dimension.strip() in axes and _says_something(pair.entity)
    ]


def _support(
    answer: str, reply: replies.SubAnswerReply, evidence: Sequence[Evidence]
) -> tuple[tuple[Evidence, Span] | None, float]:
    """Return the section and sentence that hold the answer, and how far that can be trusted.

    The document that the reply names is looked into first; another one that holds the quote serves as well, since a
    weak model gets ids wrong more often than words.
    """
    named = [e for n, e in enumerate(evidence) if wording.document_id(n) == reply.document.strip()]
    ordered = [*named, *(e for e in evidence if e not in named)]
    for wanted, trust in ((reply.quote, VERBATIM), (answer, STATED)):
        for section in ordered:
            span = find(wanted, section.text)
            if span is not None:
                return (section, sentence_around(span, section.text)), trust
    return None, UNFOUND
