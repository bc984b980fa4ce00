"""`HopReader`: a hop's answer from its evidence: the fact in the cell, else the span (eq. 12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from ..answers.alternatives import alternatives_of
from ..answers.descriptions import read_description, read_truth
from ..answers.fact_reader import FactCandidate
from ..answers.quotations import as_passage, formed
from ..execution.evaluate import evaluate
from ..execution.fallbacks import asks_for_span, takes_form, tells
from ..plan import OpenStep, Operation, Plan, RelationStep, TermValue
from .extractive import ExtractiveReader

__all__ = ["HopReader"]


class HopReader(ExtractiveReader):
    """Reads what the evidence of a hop answers."""

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Read the answer from the evidence: the fact in the cell, else what the reader points at (eq. 12).

        A subquery of several hops (a single-shot question) is walked over the facts of the evidence alone.
        """
        plan = self._context.grammar(subquery)
        if tells(subquery, plan):
            plan = None
        found = SubAnswer()
        if plan is not None and not (isinstance(plan, Operation) and plan.operator == "one of"):
            found = self._walked(plan, evidence)
        if found.fact is not None or self._context.spans is None:
            return found
        in_form = formed(subquery, evidence, found, self.best_part) if takes_form(plan) else None
        if in_form is not None or not asks_for_span(subquery, plan):
            return in_form or found
        pointed = self.pointed(subquery, evidence, next(iter(found.answers), ""), alternatives_of(plan))
        if not takes_form(plan):
            return pointed
        return replace(as_passage(subquery, pointed, evidence, self.best_part), held=pointed.held)

    def _walked(self, plan: Plan, evidence: Sequence[Evidence]) -> SubAnswer:
        """Walk a plan over the evidence alone."""
        trail: list[SubAnswer] = []

        def ask(step: RelationStep | OpenStep, base: str, _: str | None) -> tuple[str, ...]:
            if isinstance(step, OpenStep):
                trail.append(self.pointed(base, evidence))
            else:
                trail.append(self._read_step(step, base, evidence))
            return trail[-1].answers

        decision = evaluate(plan, ask, self._context.places)
        if not decision.text or not trail:
            return SubAnswer()
        last = trail[-1]
        if isinstance(plan, TermValue):
            return last
        sure, held = min(t.confidence for t in trail), min(t.held for t in trail)
        return replace(last, answers=(decision.text,), confidence=sure, held=held)

    def _read_step(self, step: RelationStep, base: str, evidence: Sequence[Evidence]) -> SubAnswer:
        if step.want.kind == "truth":
            return read_truth(base, step.words, evidence)
        found = self._context.facts.read(step, base, {e.section_id for e in evidence})
        if step.want.kind != "class":
            return self._from_cell(found, step.want.noun or "")
        # What a thing is: in its section's words first, then as its cells have it.
        said, told = read_description(base, evidence), self._from_cell(found, "")
        if not said.answers:
            return told
        return replace(said, answers=(*said.answers, *told.answers), confidence=max(said.confidence, told.confidence))

    def _from_cell(self, found: Sequence[FactCandidate], noun: str) -> SubAnswer:
        """The values of the cell, as the places of the level that is asked for; a nationality says its country."""
        if not found:
            return SubAnswer()
        facts, fact = self._context.facts, found[0].fact
        climbs = noun and fact.kind != "nationality"
        values = [facts.rolled_up(one.value, noun) if climbs else one.value for one in found]
        conflicts = facts.conflicts(fact) if values[0] == fact.value else []
        return SubAnswer(
            answers=tuple(values),
            confidence=min(1.0, fact.confidence),
            section_id=fact.section_id,
            start=fact.sentence.start,
            end=fact.sentence.end,
            fact=self._context.record(fact),
            conflicts=tuple(self._context.record(f) for f in conflicts),
        )
