"""The work of the expand node: suppose answers, search for each statement, fuse what they find (MuISQA eq. 7-12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...cubes.core.folding import fold
from ...cubes.core.records import Filters, Hit, Retrieval
from ...cubes.retrieval.fusion import rrf
from ...cubes.retrieval.wording import names_asked, names_in
from ..context import AnswerContext
from ..evidence import evidence_of, fuse_evidence
from ..records import Evidence, LoopSettings, StatementRecord
from .fusion import StatementRanking, fuse
from .intents import Intents, intents_of
from .statements import ExpansionRequest, Hypotheses, HypothesisReasoner, IntentReasoner, Statement

__all__ = ["ExpandedEvidence", "expand", "several", "why_expand"]

RETRIEVER = "statements"
"""What evidence says that it was found by, where only statements found it."""
_LOOKED_AT = 20  # sections that name what a question names, for instances to be supposed from; no more do
_LEAST = 2  # statements of a question with one intent (MuISQA 5.3)


@dataclass(frozen=True, slots=True)
class ExpandedEvidence:
    """The hop's evidence with what the statements found, each statement's record, and what went wrong."""

    evidence: list[Evidence]
    statements: list[StatementRecord]
    note: str = ""


def several(question: str, settings: LoopSettings, engine: object) -> Intents | None:
    """Return the intents of a question whose answer is a table, with a row for each answer instance."""
    return None if settings.single_shot else _intents(question, engine)


def _intents(question: str, engine: object) -> Intents | None:
    """The intents as the engine names them, else as the words show them."""
    return engine.intents(question) if isinstance(engine, IntentReasoner) else intents_of(question)


def why_expand(
    subquery: str, evidence: Sequence[Evidence], settings: LoopSettings, engine: object = None
) -> str:
    """Say why a hop is expanded; "" where it is not.

    "auto" expands what has several intents, and what the cubes cover in part: the subject is there, and what is asked
    of it is not. A single shot is one look-up for the whole question, unless more is asked for.
    """
    if settings.expand == "never" or (settings.single_shot and settings.expand == "auto"):
        return ""
    if settings.expand == "always":
        return "asked for"
    if _intents(subquery, engine) is not None:
        return "several intents"
    best = max((e.covered / e.asked for e in evidence if e.asked), default=0.0)
    return "partial coverage" if 0 < best < settings.coverage_floor else ""


def expand(
    subquery: str,
    evidence: Sequence[Evidence],
    settings: LoopSettings,
    filters: dict[str, Any] | None,
    context: AnswerContext,
) -> ExpandedEvidence:
    """Fuse a hop's evidence with what hypothetical statements find.

    With several intents everything is one fusion (eq. 12), in which each intent keeps its best section. With one, the
    statements have one voice beside the evidence, however many they are. The "plain" fusion is the paper's own: what
    the statements' lists alone add up to, nothing kept and nothing left out.
    """
    engine = context.reasoner
    if not isinstance(engine, HypothesisReasoner):
        return ExpandedEvidence(list(evidence), [], f"{engine.name} makes no hypothetical answers.")
    intents = _intents(subquery, engine)
    expansion = ExpansionRequest(settings.strategy, intents, settings.hypotheses)
    named = _naming(intents.head, context) if intents is not None else None
    seen = list(evidence)
    if intents is not None and named is not None and expansion.strategy == "hqg":
        seen += _beside(intents.head, evidence, named, filters, context)
    pool = _pool(engine.hypotheses(subquery, seen, expansion), subquery)
    if not pool.statements:
        return ExpandedEvidence(list(evidence), [], pool.note)
    found = _lists(pool.statements, settings, filters, context)
    lists = [
        StatementRanking(s.intent, tuple(h.section_id for h in r.hits)) for s,
        r in zip(pool.statements, found, strict=True)
    ]
    limit = max(settings.sections_per_hop, settings.top_k) if intents is not None else settings.sections_per_hop
    plain = settings.fusion == "plain"
    if plain:
        fused = rrf([one.section_ids for one in lists], settings.rrf_k)[:limit]
    else:
        own = StatementRanking("", tuple(e.section_id for e in evidence))
        fused = fuse([own, *lists] if intents is not None else lists, limit, settings.rrf_k, named)
    taken = _described(fused, evidence, subquery, context)
    if intents is None and not plain:
        taken = fuse_evidence([evidence, _about(subquery, taken, evidence)], limit, settings.rrf_k)
    kept = frozenset(e.section_id for e in taken)
    records = [_record(s, one, kept, context) for s, one in zip(pool.statements, lists, strict=True)]
    return ExpandedEvidence(taken, records, pool.note)


def _beside(
    head: str,
    evidence: Sequence[Evidence],
    named: Callable[[str], bool],
    filters: dict[str, Any] | None,
    context: AnswerContext,
) -> list[Evidence]:
    """What else names all that a question names: looked at to suppose answers, and no evidence yet."""
    retriever, held = context.knowledge.retriever, {e.section_id for e in evidence}
    allowed = Filters.from_json(filters)
    ordinals = {n for name in names_asked(head) for n in retriever.naming(name, k=_LOOKED_AT, filters=allowed)}
    found = [i for i in map(retriever.cubes.texts.ids.__getitem__, sorted(ordinals)) if i not in held and named(i)]
    hits = tuple(Hit(i, n, 0.0, 0, 0, source=RETRIEVER) for n, i in enumerate(found, 1))
    return evidence_of(Retrieval(hits), head, context.knowledge, RETRIEVER)


def _naming(head: str, context: AnswerContext) -> Callable[[str], bool] | None:
    """Tell of a section whether it names all that a question names; None where it names nothing."""
    names = [f" {fold(name)} " for name in names_asked(head)]

    def names_all(section_id: str) -> bool:
        section = context.knowledge.section(section_id)
        said = f" {fold(f'{section.title} {section.text}')} "
        return all(name in said for name in names)

    return names_all if names else None


def _about(subquery: str, taken: Sequence[Evidence], evidence: Sequence[Evidence]) -> list[Evidence]:
    """Leave out what only a statement found and does not name what is asked about.

    A supposed value leads to sections that say it of other things, and these would seem to confirm it.
    """
    names, own = [fold(name) for name in names_in(subquery)], {e.section_id for e in evidence}
    said = {e.section_id: f" {fold(f'{e.title} {e.text}')} " for e in taken}
    return [e for e in taken if e.section_id in own or not names or any(f" {n} " in said[e.section_id] for n in names)]


def _pool(given: Hypotheses, subquery: str) -> Hypotheses:
    """Each statement once, without those that only repeat the subquery; at least two, or none is worth the search."""
    once = {one.text.casefold(): one for one in reversed(given.statements) if one.text.strip()}
    kept = tuple(one for one in given.statements if once.get(one.text.casefold()) is one)
    if 0 < len(kept) < _LEAST:
        return Hypotheses((*kept, Statement(subquery)), given.note)
    return Hypotheses(kept, given.note)


def _lists(
    statements: Sequence[Statement], settings: LoopSettings, filters: dict[str, Any] | None, context: AnswerContext
) -> list[Retrieval]:
    """Look all statements up at once, in the mode in which passages are searched.

    The "plain" fusion embeds every statement (eq. 9) and looks none up by a name.
    """
    plain = settings.fusion == "plain"
    mode = settings.retrieval if settings.retrieval in ("bm25", "dense") else "hybrid"
    return context.knowledge.retriever.many(
        [one.text for one in statements],
        k=settings.top_k,
        mode="bm25" if not settings.dense else "dense" if plain else mode,
        rrf_k=settings.rrf_k,
        filters=Filters.from_json(filters),
        about=[] if plain else [one.about for one in statements],
    )


def _described(
    fused: Sequence[tuple[str, float]], evidence: Sequence[Evidence], subquery: str, context: AnswerContext
) -> list[Evidence]:
    """The fused sections as evidence: as the hop had them, else found by statements."""
    known = {e.section_id: e for e in evidence}
    hits = tuple(Hit(i, n, score, 0, 0, source=RETRIEVER) for n, (i, score) in enumerate(fused, 1) if i not in known)
    known |= {e.section_id: e for e in evidence_of(Retrieval(hits), subquery, context.knowledge, RETRIEVER)}
    return [known[i].model_copy(update={"rank": n}) for n, (i, _) in enumerate(fused, 1)]


def _record(one: Statement, found: StatementRanking, kept: frozenset[str], context: AnswerContext) -> StatementRecord:
    return StatementRecord(
        text=one.text,
        intent=one.intent,
        hypothesis=one.hypothesis,
        found=tuple(context.knowledge.section(i).record_id for i in found.section_ids),
        taken=tuple(context.knowledge.section(i).record_id for i in found.section_ids if i in kept),
    )
