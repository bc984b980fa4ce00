"""The loop's own nodes: reason, route, expand, answer, check, finalize (MultiCube-RAG 3.4)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, cast

from langchain_core.messages import ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Send

from ..cubes.core.folding import fold
from .context import AnswerContext, MakeContext, context_of
from .evidence import cite, follow_evidence, fuse_evidence, merge_evidence, merged_records, with_sentence, within
from .expansion.expanding import ExpandedEvidence, expand, several, why_expand
from .expansion.tables import in_words, tabulated
from .gathering import CELLS, joined, listed_table, whole_cells
from .quoting import closest, quoted, so_far, unanswered
from .reasoner import SMART, DoubtingReasoner, FinalAnswer, Routing, SubAnswer
from .records import AnswerTable, Citation, ComponentRecord, Evidence, Hop, LoopSettings
from .state import AnswerState, left_over
from .tools import HIQA, PASSAGES, cube_node, hiqa_tool, looked_up, passage_tool, search_whole, tool_call

__all__ = ["Nodes"]

Update = dict[str, Any]
# What a thread keeps of the question before, where it is asked another.
_ANEW: Update = {"hops": None, "pending": None, "started": None, "stopped": "", "note": ""}
LATE = "The time allowed for the question ran out."


class Nodes:
    """The node functions of one compiled graph; ``default`` serves where the caller's context is not ours."""

    def __init__(self, cube_ids: Sequence[str], default: MakeContext | None = None) -> None:
        self._cube_ids = frozenset(cube_ids)
        self._default = default
        self._passages, self._chapters = passage_tool(default), hiqa_tool(default)

    def reason(self, state: AnswerState, runtime: Runtime[AnswerContext]) -> Update:
        """Ask for the first subquery (eq. 10), or take the next one that the check obtained (eq. 11)."""
        settings = _settings(state)
        update: Update = {"settings": settings, "messages": None, "pending": None, "notes": []}
        update["begun"] = state.get("question", "")
        if left_over(state):
            update |= _ANEW
            state = cast(AnswerState, {**state, **_ANEW})
        update["hop_started"] = time.time()
        update["started"] = state.get("started") or time.time()
        if not any(c.isalnum() for c in state.get("question") or ""):
            return {**update, "question": "", "subquery": "", "stopped": "exhausted", "note": "The question is empty."}
        if state.get("pending"):
            told = state.get("note")
            return {**update, "subquery": state["pending"], "notes": [told] if told else [], "note": ""}
        if settings.single_shot or _is_table(state["question"], settings, context_of(runtime, self._default)):
            return {**update, "subquery": state["question"]}
        step = context_of(runtime, self._default).reasoner.next_step(state["question"], state.get("hops") or [])
        if step.subquery is None:
            return {**update, "subquery": "", "stopped": "exhausted", "note": step.note}
        return {**update, "subquery": step.subquery, "notes": [step.note] if step.note else []}

    def after_reason(self, state: AnswerState) -> str:
        """Without a subquery there is nothing to route."""
        return "route" if state.get("subquery") else "finalize"

    def route(self, state: AnswerState, runtime: Runtime[AnswerContext]) -> Update:
        """Choose the cubes that fit the subquery (3.4.2), and retrieval over chapters where it is about documents."""
        if state["settings"].retrieval != "cubes":
            return {
                "cubes": [],
                "tools": [],
                "route_reason": f"cubes are switched off: {state['settings'].retrieval} passages",
            }
        context = context_of(runtime, self._default)
        routing = context.reasoner.route(state["subquery"])
        overall = SMART in (routing.tools or ())
        if overall and context.knowledge.perspectives is not None:
            return {"cubes": [], "tools": [SMART], "route_reason": routing.reason}
        known = [cube for cube in routing.cubes if cube in self._cube_ids]
        if known and CELLS in (routing.tools or ()):
            return {"cubes": known, "tools": [CELLS], "route_reason": routing.reason}
        tools = _tools(routing, known, state, context)
        if overall:  # beside what answers without abstractions, the node says how to build them
            tools = [*(tools or ([] if known else [PASSAGES])), SMART]
        return {"cubes": known, "tools": tools, "route_reason": routing.reason}

    def dispatch(self, state: AnswerState) -> list[Send]:
        """Send the subquery to the tool node of each chosen cube and tool, or to passages where none fits."""
        tools = [tool for tool in state.get("tools") or () if tool != CELLS]
        targets = [*map(cube_node, state["cubes"]), *tools] or [PASSAGES]
        shared = {"settings": state["settings"], "filters": state.get("filters") or {}, "whole": _is_whole(state)}
        return [
            Send(target, tool_call(target, position, state["subquery"], shared))
            for position, target in enumerate(targets)
        ]

    def expand(self, state: AnswerState, runtime: Runtime[AnswerContext]) -> Update:
        """Gather what the tool nodes found; below the coverage floor fall back to passages and say so.

        This is where hypothetical queries (MuISQA eq. 7-12) join the hop's evidence.
        """
        settings, context = state["settings"], context_of(runtime, self._default)
        replies = [m for m in state.get("messages") or [] if isinstance(m, ToolMessage) and m.artifact]
        artifacts = [m.artifact for m in replies]
        evidence = whole_cells([a["evidence"] for a in artifacts]) if _is_whole(state) else _gathered(replies, settings)
        components = [c for a in artifacts for c in a["components"]]
        notes = [*(state.get("notes") or ()), *(a["note"] for a in artifacts if a["note"])]
        fallback = self._fallback_reason(state, evidence, components)
        whole = state.get("tools") in ([SMART], [CELLS])  # what many sections say is no one's hypothesis
        why = "" if whole else why_expand(state["subquery"], evidence, settings, context.reasoner)
        if fallback is not None:
            evidence = self._with_passages(state, evidence, context)
        done = ExpandedEvidence(evidence, [])
        if why:
            done = expand(state["subquery"], evidence, settings, state.get("filters"), context)
            notes += [done.note] if done.note else []
        return {
            "components": components,
            "evidence": done.evidence,
            "fallback": fallback,
            "expanded": why if done.statements else "",
            "statements": done.statements,
            "cells": joined([cell for a in artifacts for cell in a.get("cells", ())]),
            "notes": notes,
            "retrieval_ms": max(0.0, time.time() - state["hop_started"]) * 1000,
        }

    def _fallback_reason(
        self, state: AnswerState, evidence: Sequence[Evidence], components: Sequence[ComponentRecord]
    ) -> str | None:
        """Say why the cubes are not enough for this hop, or None."""
        if not state["cubes"] or _is_whole(state):
            return None
        if not components:
            return "the cubes list nothing that the question names"
        best = max((e.covered / e.asked for e in evidence if e.asked), default=0.0)
        if best < state["settings"].coverage_floor:
            floor = state["settings"].coverage_floor
            return f"the cubes cover {best:.0%} of the question, and {floor:.0%} is wanted"
        return None

    def _with_passages(
        self, state: AnswerState, evidence: Sequence[Evidence], context: AnswerContext, *, dense: bool = True
    ) -> list[Evidence]:
        """Fuse what the cells gave with what passage retrieval finds for the same subquery, by words alone or not.

        Where documents have chapters, retrieval over these has its say as well, unless the router had asked it already.
        """
        settings, subquery = state["settings"], state["subquery"]
        asked = state if dense else {**state, "settings": settings.model_copy(update={"dense": False})}
        found = [evidence, looked_up(self._passages, subquery, asked)]
        if HIQA not in (state.get("tools") or ()) and context.knowledge.retriever.structured:
            found.append(looked_up(self._chapters, subquery, asked))
        if evidence and evidence[0].retriever.startswith("hypercube:"):  # its labels say which documents are meant
            return follow_evidence(found, 2 * settings.sections_per_hop)
        limit = max(settings.sections_per_hop, len(evidence))  # statements may have found more
        return fuse_evidence(found, limit, settings.rrf_k)

    def answer(self, state: AnswerState, runtime: Runtime[AnswerContext]) -> Update:
        """Read the hop's answer from its evidence (eq. 12) and add the hop to the record.

        Where the cells do not answer, or not surely, passages are read as well before that counts; so they are where a
        fact answers the whole question, whose words may say more than its relation does. What a person or a table says
        is sure.
        """
        context, evidence, fallback = context_of(runtime, self._default), state["evidence"], state["fallback"]
        room, retrieval_ms = state["settings"].context_tokens, state["retrieval_ms"]
        if _is_whole(state):  # all that the cells hold is counted, and nothing else is read
            found = context.reasoner.answer(state["subquery"], evidence)
            return {"hops": [_make_hop(state, found, evidence, None).model_copy(update={"retrieval_ms": retrieval_ms})]}
        found = context.reasoner.answer(state["subquery"], within(evidence, room))
        only_chapters = not state["cubes"] and [t for t in state.get("tools") or () if t != SMART] == [HIQA]
        unsure = (not found.answers or found.unsure) and (state["cubes"] or only_chapters) and fallback is None
        doubting = context.reasoner if isinstance(context.reasoner, DoubtingReasoner) else None
        doubtful = doubting is not None and found.fact is not None and found.confidence < 1 and _is_all(state)
        fuller = evidence
        if unsure or (doubtful and fallback is None):
            started = time.time()
            fuller = self._with_passages(state, evidence, context, dense=unsure)
            retrieval_ms += max(0.0, time.time() - started) * 1000
        if unsure:
            evidence, found = fuller, context.reasoner.answer(state["subquery"], within(fuller, room))
            where = "chapters" if only_chapters else "cells"
            fallback = f"the {where} did not answer it; passages were read as well"
        elif doubtful and doubting is not None:
            told, found = found, doubting.doubted(state["subquery"], found, within(fuller, room))
            if found.fact is None:
                evidence, fallback = fuller, f"the cells say {told.answers[0]}; passages were read as well"
        hop = _make_hop(state, found, evidence, fallback)
        return {"hops": [hop.model_copy(update={"retrieval_ms": retrieval_ms})]}

    def check(self, state: AnswerState, runtime: Runtime[AnswerContext]) -> Update:
        """Decide whether the hops suffice (3.4.4); the same call brings the next subquery (prompt A.2)."""
        context, hops, settings = context_of(runtime, self._default), state["hops"], state["settings"]
        if settings.single_shot or _is_table(state["question"], settings, context):
            return _stop("sufficient")
        if context.overdue() or (context.deadline is None and _spent(state) > settings.deadline_s):
            return _stop("deadline", LATE)
        step = context.reasoner.next_step(state["question"], hops)
        if context.overdue() and not step.sufficient:  # there is no time for another hop
            return _stop("deadline", LATE)
        if step.sufficient or step.subquery is None:
            return _stop("sufficient" if step.sufficient else "exhausted", step.note)
        if _asked_before(step.subquery, hops):
            return _stop("repeated", "The next subquery had been asked already.")
        if len(hops) >= settings.max_hops:
            return _stop("iterations", f"The limit of hops ({settings.max_hops}) was reached.")
        return {"pending": step.subquery, "stopped": "", "note": step.note}

    def after_check(self, state: AnswerState) -> str:
        """Go round again while there is a next subquery."""
        return "reason" if state.get("pending") else "finalize"

    def finalize(self, state: AnswerState, runtime: Runtime[AnswerContext]) -> Update:
        """Compose the final answer (eq. 13), its citations and the merged ranking of the evidence."""
        context, hops = context_of(runtime, self._default), state.get("hops") or []
        settings, question = state.get("settings") or LoopSettings(), state["question"]
        final, table, citations = _final(question, hops, settings, context)
        whole = search_whole(question, hops, settings, state.get("filters"), context)
        cut = state.get("stopped") in ("deadline", "iterations", "repeated")
        notes = [state.get("note", "") if cut and not final.text else "", *unanswered(question, final, hops)]
        if state.get("stopped") == "deadline" and not final.text:
            notes = [LATE, *so_far(hops)]
        form, quote = quoted(final, table, hops)
        return {
            "answer": final.text,
            "form": form,
            "quote": quote,
            "confidence": final.confidence,
            "note": " ".join(dict.fromkeys(filter(None, notes))),
            "table": table if final.text else None,
            "citations": citations if final.text else [],
            "closest": [] if final.text else closest(hops),
            "retrieved": merged_records(hops, whole),
        }


def _is_whole(state: AnswerState) -> bool:
    """Whether the hop is answered by whole cells."""
    return state.get("tools") == [CELLS]


def _is_all(state: AnswerState) -> bool:
    """Whether the hop asks the whole question in the user's own words."""
    return fold(state["subquery"]) == fold(state["question"])


def _is_table(question: str, settings: LoopSettings, context: AnswerContext) -> bool:
    """Whether a question asks for rows of its own, which one look-up for all its statements finds."""
    intents = several(question, settings, context.reasoner)
    return intents is not None and not intents.subject


def _final(
    question: str, hops: Sequence[Hop], settings: LoopSettings, context: AnswerContext
) -> tuple[FinalAnswer, AnswerTable | None, list[Citation]]:
    """The final answer with its citations; where the question has several intents, with a table."""
    table, citations, sure = None, cite(hops), 0.0
    intents = None if any(hop.findings for hop in hops) else several(question, settings, context.reasoner)
    if intents is not None:
        table, citations, sure = tabulated(context.reasoner, question, intents, hops, citations)
    told = in_words(table, sure) if table is not None else context.reasoner.finalize(question, hops)
    table = table or listed_table(hops, citations)
    return _sure_enough(told, settings.min_confidence), table, citations


def _sure_enough(final: FinalAnswer, least: float) -> FinalAnswer:
    """Hold an answer back that is less likely to be right than asked for, and say what it would have been."""
    if not final.text or final.confidence >= least:
        return final
    note = f"Held back: '{final.text}' is right with a probability of {final.confidence:.0%}, less than {least:.0%}."
    return FinalAnswer("", final.confidence, note)


def _tools(routing: Routing, cubes: Sequence[str], state: AnswerState, context: AnswerContext) -> list[str]:
    """The tools besides cubes that a subquery is sent to.

    Where the engine leaves that open, the knowledge base knows whether the subquery is about documents with chapters;
    without a cube for it these are searched beside passages.
    """
    retriever = context.knowledge.retriever
    if PASSAGES in (routing.tools or ()):  # what the cubes hold of it is known to be a part
        return [PASSAGES, HIQA] if retriever.structured else [PASSAGES]
    if not retriever.structured:
        return []
    if routing.tools not in (None, (SMART,)):
        return [HIQA] if HIQA in (routing.tools or ()) else []
    if retriever.about_documents(state["subquery"]):
        return [HIQA]
    return [] if cubes else [PASSAGES, HIQA]


def _gathered(replies: Sequence[ToolMessage], settings: LoopSettings) -> list[Evidence]:
    """Merge what the cubes found, and fuse it with what the other tools found."""
    overall = [each for m in replies if m.name == SMART for each in m.artifact["evidence"]]
    if overall:
        return overall  # kept within its own budget
    limit = settings.sections_per_hop
    tools = [m.artifact["evidence"] for m in replies if m.name in (PASSAGES, HIQA)]
    by_cube = [m.artifact["evidence"] for m in replies if m.name not in (PASSAGES, HIQA, SMART)]
    cells = merge_evidence(by_cube, limit)
    if not cells and len(tools) == 1:
        return merge_evidence(tools, max(limit, len(tools[0])))  # of short chapters there may be more
    return fuse_evidence([cells, *tools], limit, settings.rrf_k) if tools else cells


def _settings(state: AnswerState) -> LoopSettings:
    """The settings as records: a server hands them over as the JSON that it was sent."""
    given: Any = state.get("settings") or {}
    return given if isinstance(given, LoopSettings) else LoopSettings.model_validate(given)


def _stop(reason: str, note: str = "") -> Update:
    """What the check says when the loop is to end."""
    return {"stopped": reason, "pending": None, "note": note}


def _make_hop(state: AnswerState, found: SubAnswer, evidence: Sequence[Evidence], fallback: str | None) -> Hop:
    if found.section_id is not None:
        evidence = with_sentence(evidence, found.section_id, found.start, found.end)
    return Hop(
        number=len(state.get("hops") or []) + 1,
        subquery=state["subquery"],
        cubes=tuple(state["cubes"]),
        tools=tuple(state.get("tools") or ()),
        route_reason=state["route_reason"],
        components=tuple(state["components"]),
        evidence=tuple(evidence),
        fallback=fallback,
        expanded=state.get("expanded", ""),
        statements=tuple(state["statements"]),
        notes=(*(state.get("notes") or ()), *((found.note,) if found.note else ())),
        answer=found.answers[0] if found.answers else "",
        answers=found.answers,
        form=found.form,
        bridge=found.bridge,
        status="answered" if found.answers else "missing",
        confidence=found.confidence,
        held=found.held,
        fact=found.fact,
        conflicts=found.conflicts,
        cited=found.section_id if found.cited else None,
        findings=found.findings,
        cells=tuple(state.get("cells") or ()),
        noun=found.noun,
        listed=found.listed,
        retrieval_ms=state["retrieval_ms"],
        ms=max(0.0, time.time() - state["hop_started"]) * 1000,
    )


def _spent(state: AnswerState) -> float:
    """Seconds since the question was asked; counts where the caller set no deadline of its own."""
    return max(0.0, time.time() - state.get("started", time.time()))


def _asked_before(subquery: str, hops: Sequence[Hop]) -> bool:
    return fold(subquery) in {fold(hop.subquery) for hop in hops}
