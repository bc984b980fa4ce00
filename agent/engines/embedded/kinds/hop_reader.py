"""`HopReader`: a hop's answer from its evidence: the fact in the cell, else the span (eq. 12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .....cubes.core.folding import fold
from .....cubes.extraction.words.lexicon import country_of
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from ..answers.alternatives import alternatives_of
from ..answers.candidates import SpanCandidate as SpanCandidate
from ..answers.descriptions import DescriptionSpan, read_description, read_truth
from ..answers.fact_reader import FactCandidate
from ..answers.quotations import as_passage, formed
from ..answers.scorer import ScoredSpan, packaged_scorer
from ..answers.telling_sentences import SupportingPart
from ..context import EngineContext
from ..execution.evaluate import evaluate
from ..execution.fallbacks import asks_for_span, takes_form, tells
from ..plan import OpenStep, Plan, QuestionEntity, RelationStep, TermValue, WholeQuestion
from ..vocabulary.lexicon import nouns_called

__all__ = ["HopReader"]

_SENTENCE_CONFIDENCE = 0.3


class HopReader:
    """Reads what the evidence of a hop answers."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Read the answer from the evidence: the fact in the cell, else what the reader points at (eq. 12).

        A subquery of several hops (a single-shot question) is walked over the facts of the evidence alone.
        """
        plan = self._context.grammar(subquery)
        if tells(subquery, plan):
            plan = None
        found = self.walked(plan, evidence) if plan is not None and not isinstance(plan, WholeQuestion) else SubAnswer()
        if found.fact is not None or self._context.spans is None:
            return found
        in_form = formed(subquery, evidence, found) if takes_form(plan) else None
        if in_form is not None or not asks_for_span(subquery, plan):
            return in_form or found
        pointed = self.pointed(subquery, evidence, found, alternatives_of(plan))
        if not takes_form(plan):
            return pointed
        return replace(as_passage(subquery, pointed, evidence, self.best_part), held=pointed.held)

    def best_part(self, subquery: str, evidence: Sequence[Evidence]) -> SupportingPart | None:
        """What of the sections tells best what is asked."""
        pointer = self._context.pointer
        return pointer.best_part(subquery, evidence, self._context.likeness) if pointer is not None else None

    def pointed(
        self,
        subquery: str,
        evidence: Sequence[Evidence],
        ruled: SubAnswer | None = None,
        items: Sequence[QuestionEntity] = (),
    ) -> SubAnswer:
        """What the span reader points at, see `Pointer.pointed`."""
        pointer = self._context.pointer
        return pointer.pointed(subquery, evidence, ruled, items) if pointer is not None else SubAnswer()

    def within(self, subquery: str, evidence: Sequence[Evidence], quoted: SubAnswer) -> tuple[str, float]:
        """Return the words of a quotation that answer best, see `ExtractiveReader.within`."""
        pointer = self._context.pointer
        return pointer.within(subquery, evidence, quoted) if pointer is not None else ("", 0.0)

    def candidates(self, subquery: str, evidence: Sequence[Evidence], ruled: str = "") -> list[SpanCandidate]:
        """Return the spans that may answer a hop, with what speaks for each; ``ruled`` is what the rules read."""
        pointer = self._context.pointer
        return pointer.candidates(subquery, evidence, ruled, one_of=False) if pointer is not None else []

    def ranked(self, subquery: str, evidence: Sequence[Evidence]) -> list[ScoredSpan]:
        """Return the texts that may answer a hop, the likeliest first, each with its probability."""
        return packaged_scorer().ranked(self.candidates(subquery, evidence))

    def walked(self, plan: Plan, evidence: Sequence[Evidence]) -> SubAnswer:
        """Walk a plan over the evidence alone."""
        trail: list[SubAnswer] = []

        def ask(step: RelationStep | OpenStep, base: str, _: str | None) -> tuple[str, ...]:
            found = (
                self.pointed(base, evidence)
                if isinstance(step, OpenStep)
                else self._read_step(step, base, evidence)
            )
            trail.append(found)
            return found.answers

        decision = evaluate(plan, ask, self._context.places)
        if not decision.text or not trail:
            return SubAnswer()
        last = trail[-1]
        if isinstance(plan, TermValue):
            return last
        return SubAnswer(
            (decision.text,),
            min(t.confidence for t in trail),
            last.section_id,
            last.start,
            last.end,
            last.fact,
            held=min(t.held for t in trail),
        )

    def stated(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Return what facts and plain sentences of the evidence answer; the span reader is asked by itself."""
        plan = self._context.grammar(subquery)
        return self.walked(plan, evidence) if plan is not None else SubAnswer()

    def _read_step(self, step: RelationStep, base: str, evidence: Sequence[Evidence]) -> SubAnswer:
        if step.want.kind == "truth":
            said = read_truth(base, step.words, evidence)
            return _from_sentence(said) if said is not None else SubAnswer()
        sections = {e.section_id for e in evidence}
        candidates = self._context.facts.read(step, base, sections)
        if step.want.kind == "class":
            return self._described(base, candidates, evidence)
        if candidates:
            return self._from_cell(
                self._as_countries(self._context.facts.at_level(candidates, step.want.noun), step.want.noun)
            )
        return SubAnswer()

    def _described(self, base: str, candidates: Sequence[FactCandidate], evidence: Sequence[Evidence]) -> SubAnswer:
        """What a thing is: in its section's words first, then as its cells have it."""
        told = self._from_cell(candidates) if candidates else SubAnswer()
        said = read_description(base, evidence)
        if said is None:
            return told
        read = _from_sentence(said)
        return replace(read, answers=(*read.answers, *told.answers), confidence=max(read.confidence, told.confidence))

    def _as_countries(self, candidates: Sequence[FactCandidate], noun: str | None) -> Sequence[FactCandidate]:
        """Where a country is asked for, climb from a place in the cell to its country; a nationality says it."""
        best = candidates[0]
        if noun in nouns_called("country_nouns") and best.fact.kind == "nationality":
            return [replace(c, value=self._country_beside(c)) for c in candidates]
        if noun not in nouns_called("country_nouns") or self._context.places.is_country(best.value):
            return candidates
        rolled_up = ((c, self._context.places.country(c.value)) for c in candidates)
        named = [replace(c, value=name) for c, name in rolled_up if name is not None]
        return named or candidates

    def _country_beside(self, candidate: FactCandidate) -> str:
        """The country where its name is the nationality's word and stands in the section too ("Indian", "India")."""
        value, country = candidate.value, country_of(candidate.value)
        if country is None or not (fold(value).startswith(fold(country)) or fold(country).startswith(fold(value))):
            return value
        return (
            country
            if f" {fold(country)} " in f" {fold(self._context.text_of(candidate.fact.section_id))} "
            else value
        )

    def _from_cell(self, candidates: Sequence[FactCandidate]) -> SubAnswer:
        best = candidates[0]
        conflicts = self._context.facts.conflicts(best.fact) if best.value == best.fact.value else []
        return SubAnswer(
            answers=tuple(c.value for c in candidates),
            confidence=min(1.0, best.fact.confidence),
            section_id=best.fact.section_id,
            start=best.fact.sentence.start,
            end=best.fact.sentence.end,
            fact=self._context.record(best.fact),
            conflicts=tuple(self._context.record(f) for f in conflicts),
        )


def _from_sentence(found: DescriptionSpan) -> SubAnswer:
    span = found.sentence
    return SubAnswer((found.value,), _SENTENCE_CONFIDENCE * found.score, found.section_id, span.start, span.end)
