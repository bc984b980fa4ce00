"""`PlannedQuestions`: a question read into a plan of hops over the cubes, and in its own words where they end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from .....cubes.core.folding import fold
from .....cubes.core.records import Component
from .....cubes.model.table_ids import is_table
from .....graphs.reasoner import Decomposition, FinalAnswer, NextStep, Routing, SubAnswer
from .....graphs.records import Evidence, Hop
from ..confidence import AnswerSignals, calibration, read_signals, refusal
from ..context import EngineContext
from ..execution.operators import PlanResult, answer_form
from ..execution.planner import with_whole
from ..plan import AlternativePlans, OpenStep, Operation, Plan, QuestionEntity, RelationStep, Term, over_cubes
from ..question_kind import QuestionKind
from ..syntax.decompose import Decomposer
from ..syntax.tree import Parser
from ..vocabulary.cues import ANSWERING
from ..vocabulary.question_forms import read_asked_form
from .hop_reader import HopReader
from .hypercubes import in_sentences, labels_named
from .kind import NOTHING

__all__ = ["PlannedQuestions"]

_AMOUNT = re.compile(
    r"(?:how \w+ (?:is|are|was|were) \{0\}"
    r"|when (?:does|do|did|will) (?:\{0\}(?: \w+){1,2}|(?:[\w'’]+ ){1,6}have \{0\}))\?",
    re.IGNORECASE,
)
_NOUN_OF = re.compile(r"what (?:is|was) the ([^{]+) of \{0\}", re.IGNORECASE)
_KEPT = 1_000  # subqueries whose labels are kept
_PLANS = 10_000  # questions whose steps by syntax are kept; a server sees questions without end
_UNSAID = "No sentence that was found says so or denies it."
_UNREAD = "The question was not understood. Put it more simply, or ask one step at a time."


class PlannedQuestions(QuestionKind):
    """Any question: read into the same plan every time and walked along the hops given."""

    def __init__(self, context: EngineContext, reader: HopReader) -> None:
        self._context, self._hops = context, reader
        self._labels = lru_cache(_KEPT)(lambda subquery, cube: tuple(labels_named(subquery, context.cubes[cube])))
        # Nouns that name a thing by its relation to another: "director", "birthplace".
        asks, kin, kinds = context.lexicon.asks, context.lexicon.kin, context.lexicon.kinds
        persons = {noun for noun in asks if (kinds.get(noun) or context.lexicon.kind_of(asks[noun])) == "person"}
        parser = Parser(context.questions.terms.words)
        decomposer = Decomposer(parser, {*asks, *kin}, self._over_cubes, {*persons, *kin}, reader.calls_rows)
        self.opens = opens = context.options.open_hops and context.options.chains
        self.description = lru_cache(_KEPT)(decomposer.description)
        self._open_steps = lru_cache(_PLANS)(lambda question: self._told(decomposer.plan(question)) if opens else None)

    def _told(self, step: Term | OpenStep | None) -> Term | OpenStep | None:
        """A step, or its part where that is an amount or a time and nothing else is asked: "how long is its lead time",
        "when does its licence run out"."""
        part = step.parts[0] if isinstance(step, OpenStep) and len(step.parts) == 1 else None
        if part is None or not isinstance(step, OpenStep) or not _AMOUNT.match(step.template):
            return step
        noun = _NOUN_OF.match(part.template) if isinstance(part, OpenStep) else None
        names = self._context.lexicon.asks.get(fold(noun[1]), ()) if noun is not None else ()
        kind = part.want.kind if isinstance(part, RelationStep) else self._context.lexicon.kind_of(names)
        if kind not in ("date", "quantity"):
            return step
        return replace(part, inner=False) if isinstance(part, OpenStep) else part

    def plan(self, question: str) -> Plan | None:
        """Return how a question is read (for explanations and tests).

        A question that asks for a thing may be read in several ways: as a chain over the cubes' relations, as open
        steps by its syntax, and as one hop in its own words.
        """
        if self._context.hypercubes_alone:
            return OpenStep(question)  # no relation ties their labels
        plan = self._context.grammar(question)
        if isinstance(plan, Operation):
            return plan
        if isinstance(plan, RelationStep) and over_cubes(plan):
            if isinstance(plan.base, QuestionEntity):  # the question's own words say more than the relation's
                plan = replace(plan, template=question.replace("{}", ""))
            return AlternativePlans((plan,), lambda: self._other_readings(question))
        # A chain with a step that the ontology does not foresee is a guess: syntax, and the span reader, do better.
        guessed = (plan,) if plan is not None and self._context.spans is None else ()
        plans = (*self._other_readings(question), *guessed)
        return AlternativePlans(plans) if len(plans) > 1 else next(iter(plans), plan)

    def _other_readings(self, question: str) -> tuple[Plan, ...]:
        """What a question may mean besides its reading by the ontology; parsing costs more than all the rest."""
        whole = OpenStep(question) if self._context.spans is not None else None
        return tuple(step for step in (self._open_steps(question), whole) if step is not None)

    def _over_cubes(self, step: OpenStep) -> Term | OpenStep:
        """A part as the cubes have it, read as a whole or from a part of its own onwards; else as it is."""
        plan = self._context.grammar(step.filled(step.words))
        read = plan if isinstance(plan, QuestionEntity | RelationStep) else None
        base = step.parts[0] if len(step.parts) == 1 else None
        if (read is None or not over_cubes(read)) and isinstance(base, RelationStep):
            read = self._context.questions.terms.read(step.template.replace("{0}", "{}"), base)
        return read if read is not None and over_cubes(read) else step

    def compares_rows(self, question: str) -> bool:
        """Whether a question sets rows of a table side by side, which a column tells apart."""
        plan, relations = self._context.grammar(question), self._context.lexicon.relations
        if isinstance(plan, Operation) and plan.operator == "is":
            plan = plan.parts[0]
        steps = plan.parts if isinstance(plan, Operation) and plan.operator in ("least", "greatest") else ()
        told = [relations[name] for step in steps if isinstance(step, RelationStep) for name in step.relations]
        return bool(told) and all(is_table(phrase.cube) for phrases in told for phrase in phrases)

    def is_chain(self, question: str) -> bool:
        """Whether the syntax of a question shows several hops; where it asks for more than few words, one of them must
        be in a cell ("how did the owner of NAME die")."""
        steps = self._open_steps(question)
        parts = steps.parts if isinstance(steps, OpenStep) else ()
        if read_asked_form(question).kind != "short":
            return any(isinstance(part, RelationStep) and over_cubes(part) for part in parts)
        return isinstance(steps, RelationStep) or bool(parts)

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Return the next subquery of the question's plan (eq. 10-11), or that the hops suffice."""
        plan = self._with_whole(question)
        if plan is None or isinstance(plan, QuestionEntity):
            return NextStep(None, sufficient=bool(hops[0].answers)) if hops else NextStep(question)
        following = self._context.planner.next(plan, hops)
        if isinstance(following, str):
            return NextStep(following)
        return NextStep(None, sufficient=bool(following.text), note=_missing(following, hops))

    def route(self, subquery: str) -> Routing:
        """Choose the cubes by subject and relation (3.4.2), and the hypercubes of which the subquery names labels."""
        routing, hypercubes = self._by_relation(subquery), (c for c in self._context.cubes if c.spec.is_hypercube)
        labels = ((cube, one) for cube in hypercubes for one in self._labels(subquery, cube.spec.id))
        across = dict.fromkeys(cube.spec.id for cube, one in labels if cube.lookup(one.dimension, one.entity))
        reason = f"{routing.reason}; its labels are named" if routing.cubes else "labels of it are named"
        return replace(routing, cubes=(*routing.cubes, *across), reason=reason) if across else routing

    def _by_relation(self, subquery: str) -> Routing:
        """The cubes in which the subquery's entity has, or could have, the relation asked for."""
        hop = self._context.one_hop(subquery)
        if hop is None:
            return Routing((), "the subquery names no subject of a cube")
        step, entity = hop
        wanted = {r.cube for n in step.relations for r in self._context.lexicon.relations.get(n, ())}
        subjects = self._context.linker.link(entity)
        known = tuple(dict.fromkeys(s.cube for s in subjects if s.how == subjects[0].how))
        valued = {f.cube for f in self._context.cubes.facts_valued(fold(entity))} & wanted
        both = [cube for cube in known if cube in wanted]
        if both or valued:
            others = sorted(valued - set(both)) if step.converse or not both else []
            return Routing((*both, *others), f"'{entity}' is a {'subject' if both else 'value'} there")
        how = "is a subject there, though not with this relation" if known else "is in no cube"
        return Routing(known, f"'{entity}' {how}")

    def decompose(self, subquery: str, cube: str) -> Decomposition:
        """Turn a subquery into {dimension: entity} pairs of one cube (eq. 7)."""
        spec, hop = self._context.cubes[cube].spec, self._context.one_hop(subquery)
        if spec.is_hypercube or hop is None:
            return Decomposition(self._labels(subquery, cube) if spec.is_hypercube else ())
        step, entity = hop
        is_subject = any(s.cube == cube for s in self._context.linker.link(entity))
        components = [Component(cube, spec.subject.id, entity)] if is_subject else []
        held = [r for n in step.relations for r in self._context.lexicon.relations.get(n, ()) if r.cube == cube]
        answering = (r for r in held if r.kind in ANSWERING.get(step.want.kind or "", ()))
        relation = next(answering, next(iter(held), None))  # of "born on" and "born in" the place, if asked where
        dimension = spec.dimension(relation.dimension) if relation is not None else None
        if relation is not None and dimension is not None and dimension.role == "relation":
            components.append(Component(cube, dimension.id, relation.name))
            if dimension.target and not is_subject:
                components.append(Component(cube, dimension.target, entity))
        return Decomposition(tuple(components))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Read the answer from the evidence (eq. 12)."""
        found = self._hops.answer(subquery, evidence)
        return in_sentences(subquery, found, evidence) if self._context.hypercubes_alone else found

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Compose the final answer (eq. 13), or abstain: say which hop failed and where a person may look."""
        if not hops:
            return FinalAnswer("", note=_UNREAD)
        found, hops = self._compose(question, hops)
        if not found.text:
            return found
        if self._is_unsaid(question, hops):
            return FinalAnswer("", note=_UNSAID)
        signals = self.signals(question, hops)
        if held := refusal(signals, self._context.options.least_answerable):
            return FinalAnswer("", note=f"{NOTHING}{question} {held}")
        return replace(found, confidence=calibration().right.probability(signals.shares()))

    def _is_unsaid(self, question: str, hops: Sequence[Hop]) -> bool:
        """Whether "no" was only not denied: of one thing that is no answer, of several it tells one from the other."""
        last = hops[-1]
        if last.answer != "no" or last.form != "short" or last.status == "edited":
            return False
        plan = self.plan(question)
        return isinstance(plan, Operation) and plan.is_claim

    def signals(self, question: str, hops: Sequence[Hop]) -> AnswerSignals:
        """Return what speaks for the answer that hops lead to."""
        context = self._context
        return read_signals(question, hops, context.linker.knows_exactly, context.likeness, self._hops.best_part)

    def _with_whole(self, question: str) -> Plan | None:
        plan = self.plan(question)
        return plan if plan is None or self._context.spans is None else with_whole(plan, question)

    def _compose(self, question: str, hops: Sequence[Hop]) -> tuple[FinalAnswer, Sequence[Hop]]:
        """The answer, with the hops that it rests on."""
        plan = self._with_whole(question)
        if plan is None or (fold(hops[0].subquery) == fold(question) and self._context.one_hop(question) is None):
            # A single shot: the whole plan was walked within one hop.
            note = "" if hops[0].answers else _UNREAD if plan is None else f"{NOTHING}{question}"
            return FinalAnswer(answer_form(hops[0].answer, OpenStep(question), self._context.places), note=note), hops
        following = self._context.planner.next(plan, hops)
        if isinstance(following, str):  # the run was cut short; what there is counts
            following = self._context.planner.next(plan, hops, doubting=False)
        if isinstance(following, str):
            return FinalAnswer("", note=f"Not answered: {following}"), hops
        return FinalAnswer(following.text, note=_missing(following, hops)), following.hops


def _missing(decision: PlanResult, hops: Sequence[Hop]) -> str:
    """Name the hop that failed, in the words it was asked."""
    failed = next((hop.subquery for hop in reversed(hops) if hop.status == "missing"), decision.missing)
    return "" if decision.text else f"{NOTHING}{failed}"
