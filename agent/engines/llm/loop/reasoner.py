"""The loop's decisions by a language model (MultiCube-RAG 3.4, prompts A.2 to A.4, eq. 7 and 10 to 13)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from .....cubes.core.records import Component, Span
from .....cubes.model.ontology import CubeSpec, Ontology
from .....graphs.expansion.intents import Intents
from .....graphs.expansion.statements import AnswerCell, ExpansionRequest, Hypotheses
from .....graphs.reasoner import CELLS, HIQA, SMART, Decomposition, FinalAnswer, NextStep, Reasoner, Routing, SubAnswer
from .....graphs.records import Evidence, Hop, Usage
from .....prompts import PromptLibrary, Rendered
from ..client import ModelClient, total_usage
from ..cost.limits import Caps
from ..errors import UNUSABLE
from ..replies import schemas as replies
from ..replies import wording
from ..replies.quotations import find, sentence_around
from . import thoughts as thinking
from .hypotheses import generate_hypotheses, named_intents, tabulate
from .packing import packed
from .reporter import answer_from_reports

if TYPE_CHECKING:
    from ...turns import Turn

__all__ = ["VERSION", "LlmReasoner"]

R = TypeVar("R", bound=BaseModel)

VERSION = "llm/1"
VERBATIM, STATED, UNFOUND = 0.9, 0.6, 0.3
"""How far an answer is trusted: its quote stands in the section; only the answer does; neither was found there."""
INSTEAD = "The embedded engine decided instead."
"""What the trace says where a reply could not be used."""
_NONE = "no answer"


class LlmReasoner:
    """Thinks with language models: one for the reasoning and routing, one for the reading (as in the paper's 4.4).

    A reply that cannot be used, or comes too late, costs its hop something, never the run: the engine that ``helper``
    makes decides instead, and the trace says so. Without one an unusable route leads to passages, an unusable
    decomposition matches the whole subquery, an unusable answer counts as missing.
    ``caps`` bound what each of the two may spend in a run; ``on_token`` is shown the final answer as it is written;
    ``documents`` says that there are documents with chapters, which the router may choose, ``overall`` that there are
    abstractions.
    """

    def __init__(
        self,
        ontology: Ontology,
        library: PromptLibrary,
        *,
        reason: ModelClient,
        read: ModelClient | None = None,
        caps: Caps | None = None,
        on_token: Callable[[str], None] | None = None,
        documents: bool = False,
        overall: bool = False,
        helper: Callable[[], Reasoner] | None = None,
    ) -> None:
        self._documents, self._overall = documents, overall
        self._helper = helper
        self._closing, self._intents = "", dict[str, Intents | None]()
        self._ontology, self._library, self._caps, self._on_token = ontology, library, caps, on_token
        self._reason, self._read = reason, read or reason
        self._cubes = {wording.cube_name(spec): spec.id for spec in ontology.cubes}

    @property
    def name(self) -> str:
        """Engine, version and models."""
        models = dict.fromkeys((self._reason.label, self._read.label))
        return f"{VERSION} {' + '.join(models)}"

    @property
    def label(self) -> str:
        """The model that reads."""
        return self._read.label

    @property
    def usage(self) -> Usage:
        """What this run has spent so far."""
        return total_usage((self._reason, self._read))

    def for_run(self, deadline: float | None = None) -> LlmReasoner:
        """Return the same engine with an account and caps of its own, for one question that has until ``deadline``."""
        reason = self._reason.for_run(self._caps, deadline)
        read = reason if self._read is self._reason else self._read.for_run(self._caps, deadline)
        return LlmReasoner(
            self._ontology, self._library, reason=reason, read=read, caps=self._caps, on_token=self._on_token,
            documents=self._documents, overall=self._overall, helper=self._helper,
        )  # fmt: skip

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Ask for the next one-hop subquery; FINAL ANSWER says that the hops suffice (A.2)."""
        try:
            return self._next(question, hops) if hops else self._first(question)
        except UNUSABLE as error:
            return self._step_instead(question, hops, f"The next subquery could not be had: {error}")

    def _step_instead(self, question: str, hops: Sequence[Hop], why: str) -> NextStep:
        step = NextStep(None) if self._helper is None else self._helper().next_step(question, hops)
        if self._helper is not None:
            why = f"{why} {INSTEAD}"
        if step.subquery is None and not hops:
            return NextStep(question, note=why)
        self._closing = why if step.subquery is None else ""  # no hop follows whose notes could say it
        return NextStep(step.subquery, step.sufficient, why)

    def _first(self, question: str) -> NextStep:
        prompt = self._library["first_subquery"].fill({"original_query": question})
        return NextStep(self._reason.ask("reason", prompt, replies.Subquery).question.strip())

    def _next(self, question: str, hops: Sequence[Hop]) -> NextStep:
        values = {"original_query": question, "intermediate_answers": wording.steps(hops)}
        reply = self._reason.ask("reason", self._library["next_subquery"].fill(values), replies.NextSubquery)
        if reply.final or not reply.question.strip():
            return NextStep(None, sufficient=True)
        return NextStep(reply.question.strip())

    def route(self, subquery: str) -> Routing:
        """Ask which cubes fit (A.3), or the chapters of documents; a name that nothing has is left out."""
        values = {
            "cubes": wording.cubes_to_choose(
                self._ontology, documents=self._documents, overall=self._overall, short=self._library.size == "short"
            ),
            "names": wording.names_of(self._ontology, documents=self._documents, overall=self._overall),
            "query": subquery,
        }
        try:
            reply = self._reason.ask("route", self._library["cube_router"].fill(values), replies.RouteReply)
        except UNUSABLE as error:
            return self._route_instead(subquery, f"the router's reply could not be used: {error}")
        known = dict.fromkeys(self._cubes[name] for name in map(_bare, reply.cubes) if name in self._cubes)
        tools = {wording.DOCUMENTS: HIQA if self._documents else "", wording.OVERVIEW: SMART if self._overall else ""}
        chosen = tuple(tool for name, tool in tools.items() if tool and name in map(_bare, reply.cubes))
        named = ", ".join((*known, *chosen)) or "no cube"
        sent = chosen if known or chosen else None
        return Routing(tuple(known), f"{self._reason.label} chose {named}", sent)

    def _route_instead(self, subquery: str, why: str) -> Routing:
        if self._helper is None:
            return Routing((), f"passages, since {why}")
        found = self._helper().route(subquery)
        tools = None if CELLS in (found.tools or ()) else found.tools  # whole cells are read by no prompt
        return Routing(found.cubes, f"{found.reason} ({why} {INSTEAD})", tools)

    def decompose(self, subquery: str, cube: str) -> Decomposition:
        """Ask for {dimension: entity} pairs (eq. 7); where there are none to be had, the whole subquery is matched."""
        spec = self._ontology.cube(cube)
        values = {"dimensions": wording.dimensions_of(spec), "question": subquery}
        prompt = self._library["query_decomposition"].fill(values)
        try:
            pairs = self._reason.ask("decompose", prompt, replies.Decomposition).pairs
        except UNUSABLE as error:
            found = self._helper().decompose(subquery, cube).components if self._helper is not None else ()
            if found:
                return Decomposition(found, f"the subquery could not be decomposed: {error} {INSTEAD}")
            whole = Component(cube, spec.subject.id, subquery)
            return Decomposition((whole,), f"the whole subquery is matched, since it could not be decomposed: {error}")
        return Decomposition(tuple(dict.fromkeys(_components(pairs, spec))))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Ask for the subquery's answer from the sections (eq. 12); what is quoted is looked for in them."""
        if not evidence:
            return SubAnswer()
        told = answer_from_reports(subquery, evidence, self._read, self._library)
        if told is not None:
            return told
        try:
            reply = self._answered("sub_answer", {"question": subquery}, evidence, "answer", replies.SubAnswerReply)
        except UNUSABLE as error:
            note = f"the answer could not be read: {error}"
            if self._helper is None:
                return SubAnswer(note=note)
            return replace(self._helper().answer(subquery, evidence), note=f"{note} {INSTEAD}")
        answers = tuple(dict.fromkeys(a.strip() for a in reply.answers if _says_something(a)))
        if not answers:
            return SubAnswer()
        found, trust = _support(answers[0], reply, evidence)
        if found is None:
            return SubAnswer(answers, trust, note="no section holds the answer or the sentence quoted for it")
        section, span = found
        return SubAnswer(answers, trust, section.section_id, span.start, span.end)

    def confirm(self, values: dict[str, str], evidence: Sequence[Evidence]) -> replies.Confirmation:
        """Ask whether a proposed answer is right; raises ModelError."""
        return self._answered("confirm_answer", values, evidence, "confirm", replies.Confirmation)

    def _answered(
        self, prompt: str, values: dict[str, str], evidence: Sequence[Evidence], stage: str, reply: type[R]
    ) -> R:
        """Ask about sections, as many as the model has room for."""

        def fill(sections: Sequence[Evidence]) -> Rendered:
            return self._library[prompt].fill({**values, "documents": wording.documents(sections)})

        return packed(evidence, fill, self._read, lambda asked: self._read.ask(stage, asked, reply))

    def standalone(self, question: str, turns: Sequence[Turn]) -> str:
        """Ask for a follow-up question as one that stands alone; "" where the reply cannot be used."""
        values = {"conversation": wording.conversation(turns), "question": question}
        prompt = self._library["standalone_question"].fill(values)
        try:
            return " ".join(self._reason.ask("follow up", prompt, replies.Standalone).question.split())
        except UNUSABLE:
            return ""

    def hypotheses(self, subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Hypotheses:  # noqa: ARG002
        """Ask for supposed answers, split into statements to search with (MuISQA eq. 7-8)."""
        return generate_hypotheses(subquery, expansion, self._reason, self._library)

    def intents(self, question: str) -> Intents | None:
        """Ask once for the intents of a question (MuISQA 4.1)."""
        if question not in self._intents:
            self._intents[question] = named_intents(question, self._reason, self._library)
        return self._intents[question]

    def recall(self, question: str) -> SubAnswer:
        """Ask for what the model knows by itself, nothing having been retrieved."""
        return thinking.recall(question, self._read, self._library)

    def thought(self, question: str, thoughts: Sequence[str], evidence: Sequence[Evidence]) -> str:
        """Ask for the next sentence of a chain of thought, to retrieve with it (IRCoT)."""
        return thinking.thought(question, thoughts, evidence, self._reason, self._library)

    def tabulate(self, question: str, intents: Intents, evidence: Sequence[Evidence]) -> Sequence[Sequence[AnswerCell]]:
        """Ask for the answer table of a question with several intents; what is quoted is looked for in the sections."""
        return tabulate(question, intents, evidence, self._read, self._library)

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Ask for the final answer (A.4, eq. 13); without one answered hop there is nothing to compose."""
        answered = [hop for hop in hops if hop.answers or hop.answer]
        if not answered:
            why = "No step of the question was answered from the documents."
            return FinalAnswer("", note=" ".join(filter(None, (why, self._closing))))
        values = {"original_query": question, "intermediate_answers": wording.steps(hops)}
        try:
            text = self._read.text("final", self._library["final_answer"].fill(values), self._on_token)
        except UNUSABLE as error:
            return self._final_instead(question, hops, f"The final answer could not be had: {error}")
        answer = " ".join(text.split())
        if not _says_something(answer):
            return FinalAnswer("", note="The steps taken do not answer the question.")
        return FinalAnswer(answer, min(hop.confidence for hop in answered), self._closing)

    def _final_instead(self, question: str, hops: Sequence[Hop], why: str) -> FinalAnswer:
        found = self._helper().finalize(question, hops) if self._helper is not None else FinalAnswer("")
        if not found.text:
            return FinalAnswer("", note=why, failed=True)
        return replace(found, note=f"{why} {INSTEAD}")


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
