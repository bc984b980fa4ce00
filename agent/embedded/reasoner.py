"""`EmbeddedReasoner`: the loop's decisions by rules and statistics over the cubes, without a language model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from ...cubes.cells import CubeSet
from ...cubes.extraction.lexicon import country_of
from ...cubes.folding import base_key, fold
from ...cubes.records import Component, Fact
from ...graphs.reasoner import Decomposition, FinalAnswer, Routing, SubAnswer
from ...graphs.reasoner import Step as NextStep
from ...graphs.records import Evidence, FactRecord, Hop
from .alternatives import alternatives_of
from .candidates import Candidate as SpanCandidate
from .confidence import calibration
from .descriptions import read_description, read_truth
from .evaluate import Decision, evaluate
from .fallbacks import asks_for_span, is_kin, own_sections, takes_form, tells, with_whole
from .forms import answer_form
from .lexicon import Relation, build_lexicon, nouns_called
from .linking import Linker
from .openplans import OpenPlanner, over_cubes
from .options import EngineOptions
from .places import Places
from .plan import Attempts, Direct, Entity, Every, OneOf, Open, Plan, Readings, Step, Want, is_one_hop
from .planner import Planner, first_base_only
from .pointing import Pointer
from .questions import QuestionParser
from .quoting import as_passage, formed
from .reading import Candidate, FactReader
from .refusing import refusal
from .sentences import Reading, read_cued, read_sentence
from .signals import Signals, read_signals
from .span import open_reader
from .telling import Likeness, Told
from .terms import TermParser

__all__ = ["VERSION", "EmbeddedReasoner"]

VERSION = "embedded/1"
_SENTENCE_CONFIDENCE = 0.3
_NOTHING = "Nothing was found in the documents for: "
_UNREAD = "The question could not be read as steps over the cubes; put it more simply, or one step at a time."


class EmbeddedReasoner:
    """Implements the `Reasoner` protocol over one generation of a knowledge base.

    It is stateless between calls: a question is read into the same plan every time, and the plan is walked along
    the hops given, so runs can be resumed, replayed and edited. ``text_of`` returns a section's text; ``struck`` are
    the (subject, value) keys of facts that a person struck out, which no sentence may bring back; ``options`` the
    parts of the engine that are at work.
    """

    def __init__(
        self,
        cubes: CubeSet,
        text_of: Callable[[str], str],
        struck: Collection[tuple[str, str]] = frozenset(),
        options: EngineOptions | None = None,
    ) -> None:
        self._options = options or EngineOptions()
        self._struck = struck
        self._likeness: Likeness = _unlike
        self._cubes = cubes
        self._text_of = text_of
        self._lexicon = build_lexicon(cubes.ontology)
        self._linker = Linker(cubes, backoff=self._options.backoff)
        self._places = Places(cubes, self._linker)
        self._questions = QuestionParser(TermParser(self._lexicon, self._linker))
        self._planner = Planner(cubes, self._linker, self._places, self._options)
        self._open = OpenPlanner(self._grammar, self._linker.knows_exactly, self._relational())
        self._spans = open_reader(self._options.reader_file) if self._options.reader else None
        self._reader = FactReader(cubes, self._linker, self._lexicon, self._places, text_of)
        self._pointer = (
            Pointer(self._spans, self._reader, self._lexicon, self._linker, self._places, struck)
            if self._spans is not None
            else None
        )

    @property
    def name(self) -> str:
        """Engine and version, as shown in traces."""
        return VERSION

    def plan(self, question: str) -> Plan | None:
        """Return how a question is read (for explanations and tests).

        A question that asks for a thing may be read in several ways: as a chain over the cubes' relations, as open
        steps by its syntax, and as one hop in its own words.
        """
        plan = self._grammar(question)
        if plan is not None and not isinstance(plan, Direct):
            return plan
        if plan is not None and over_cubes(plan.term) and not isinstance(plan.term, Entity):
            return Attempts(Readings((plan,), lambda: self._other_readings(question)))
        # Steps that the ontology foresees are surer than the syntax, which is surer than steps it does not foresee.
        others = self._other_readings(question, plan if plan is not None and isinstance(plan.term, Step) else None)
        return Attempts(others) if len(others) > 1 else others[0] if others else plan

    def _other_readings(self, question: str, loose: Plan | None = None) -> tuple[Plan, ...]:
        """What a question may mean besides its reading by the ontology; parsing costs more than all the rest."""
        plans: list[Plan] = []
        if self._options.open_hops and self._options.chains:
            steps = self._open.plan(question)
            plans += [Direct(steps)] if steps is not None else []
        plans += [loose] if loose is not None else []
        if self._spans is not None:
            plans.append(Direct(Open(question)))
        return tuple(plans)

    def _grammar(self, question: str) -> Plan | None:
        """Read a question, or a single hop, by the ontology's relations."""
        plan = self._questions.parse(question)
        return plan if self._options.chains or plan is None or is_one_hop(plan) else None

    def _relational(self) -> frozenset[str]:
        """Nouns that name a thing by its relation to another: "director", "birthplace"."""
        return frozenset(self._lexicon.asks) | frozenset(self._lexicon.kin)

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Return the next subquery of the question's plan (eq. 10-11), or that the hops suffice."""
        plan = self._with_whole(question)
        if plan is None or (isinstance(plan, Direct) and isinstance(plan.term, Entity)):
            return NextStep(None, sufficient=bool(hops and hops[0].answers)) if hops else NextStep(question)
        following = self._planner.next(plan, hops)
        if isinstance(following, str):
            return NextStep(following)
        return NextStep(None, sufficient=bool(following.text), note=_missing(following, hops))

    def route(self, subquery: str) -> Routing:
        """Choose the cubes in which the subquery's entity has, or could have, the relation asked for (3.4.2)."""
        hop = self._one_hop(subquery)
        if hop is None:
            return Routing((), "the subquery names no subject of a cube")
        step, entity = hop
        wanted = {r.cube for n in step.relations for r in self._lexicon.relations.get(n, ())}
        subjects = self._linker.link(entity)
        known = list(dict.fromkeys(s.cube for s in subjects if s.how == subjects[0].how))
        valued = {f.cube for f in self._cubes.facts_valued(fold(entity))}
        both = [cube for cube in known if cube in wanted]
        if both:
            converse = [c for c in valued & wanted if step.converse and c not in both]
            return Routing((*both, *sorted(converse)), f"'{entity}' is a subject there")
        if valued & wanted:
            return Routing(tuple(sorted(valued & wanted)), f"'{entity}' is a value there")
        if known:
            return Routing(tuple(known), f"'{entity}' is a subject there, though not with this relation")
        return Routing((), f"'{entity}' is in no cube")

    def decompose(self, subquery: str, cube: str) -> Decomposition:
        """Turn a subquery into {dimension: entity} pairs of one cube (eq. 7)."""
        hop = self._one_hop(subquery)
        if hop is None:
            return Decomposition()
        step, entity = hop
        spec = self._cubes[cube].spec
        relation = self._relation_in(step, entity, cube)
        is_subject = any(s.cube == cube for s in self._linker.link(entity))
        components = [Component(cube, spec.subject.id, entity)] if is_subject else []
        dimension = spec.dimension(relation.dimension) if relation is not None else None
        if relation is not None and dimension is not None and dimension.role == "relation":
            components.append(Component(cube, dimension.id, relation.name))
            if dimension.target and not is_subject:
                components.append(Component(cube, dimension.target, entity))
        return Decomposition(tuple(components))

    def _relation_in(self, step: Step, entity: str, cube: str) -> Relation | None:
        """The step's relation in one cube: the one that the base has facts of there, else the first."""
        relations = [r for n in step.relations for r in self._lexicon.relations.get(n, ()) if r.cube == cube]
        keys = [s.key for s in self._linker.link(entity) if s.cube == cube]
        known = {f.relation for key in keys for f in self._cubes[cube].about(key)}
        return next((r for r in relations if r.name in known), relations[0] if relations else None)

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Read the answer from the evidence: the fact in the cell, else the sentence (eq. 12).

        A subquery of several hops (a single-shot question) is walked over the facts of the evidence alone.
        """
        plan = self._grammar(subquery)
        if tells(subquery, plan):
            plan = None
        found = self._walked(plan, evidence) if plan is not None and not isinstance(plan, OneOf) else SubAnswer()
        if found.fact is not None or self._spans is None:
            return found
        in_form = formed(subquery, evidence, found) if takes_form(plan) else None
        if in_form is not None or not asks_for_span(subquery, plan):
            return in_form or found
        own = own_sections(plan, evidence, self._linker, self._lexicon)
        pointed = self._pointed(subquery, own, found, alternatives_of(plan))
        if not takes_form(plan):
            return pointed
        return replace(as_passage(subquery, pointed, evidence, self._told), held=pointed.held)

    def _told(self, subquery: str, evidence: Sequence[Evidence]) -> Told | None:
        """What of the sections tells best what is asked."""
        return self._pointer.told(subquery, evidence, self._likeness) if self._pointer is not None else None

    def _pointed(
        self,
        subquery: str,
        evidence: Sequence[Evidence],
        ruled: SubAnswer | None = None,
        items: Sequence[Entity] = (),
    ) -> SubAnswer:
        """What the span reader points at, see `Pointer.pointed`."""
        return self._pointer.pointed(subquery, evidence, ruled, items) if self._pointer is not None else SubAnswer()

    def candidates(self, subquery: str, evidence: Sequence[Evidence], ruled: str = "") -> list[SpanCandidate]:
        """Return the spans that may answer a hop, with what speaks for each; ``ruled`` is what the rules read."""
        return self._pointer.candidates(subquery, evidence, ruled, one_of=False) if self._pointer is not None else []

    def _walked(self, plan: Plan, evidence: Sequence[Evidence]) -> SubAnswer:
        """Walk a plan over the evidence alone."""
        trail: list[SubAnswer] = []

        def ask(step: Step | Open, base: str, _: str | None) -> tuple[str, ...]:
            found = self._pointed(base, evidence) if isinstance(step, Open) else self._read_step(step, base, evidence)
            trail.append(found)
            return found.answers

        decision = evaluate(plan, ask if self._options.backtracking else first_base_only(ask), self._places)
        if not decision.text or not trail:
            return SubAnswer()
        last = trail[-1]
        if isinstance(plan, Direct):
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

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Compose the final answer (eq. 13), or abstain: say which hop failed and where a person may look."""
        if not hops:
            return FinalAnswer("", note=_UNREAD)
        final = self._judged(question, hops, self._compose(question, hops))
        asked = f" {fold(question)} {fold(hops[-1].subquery)} "
        nearest = next((e.title for e in hops[-1].evidence if f" {base_key(e.title)} " in asked), "")
        if final.text or not nearest:
            return final
        return FinalAnswer("", note=f"{final.note} The nearest section is '{nearest}'.")

    def signals(self, question: str, hops: Sequence[Hop]) -> Signals:
        """Return what speaks for the answer that hops lead to."""
        one_of = bool(alternatives_of(self._grammar(question)))
        return read_signals(question, hops, self._linker.knows_exactly, self._foreseen, self._held, one_of=one_of)

    def _judged(self, question: str, hops: Sequence[Hop], found: FinalAnswer) -> FinalAnswer:
        """Give an answer the probability that it is right, or hold it back and say why."""
        if not found.text:
            return found
        signals = self.signals(question, hops)
        held = refusal(signals, self._options.least_answerable)
        if held:
            return FinalAnswer("", note=f"{_NOTHING}{question} {held}")
        return replace(found, confidence=calibration().right.probability(signals.shares()))

    def _foreseen(self, subquery: str) -> str:
        """The name that a hop starts from whose answer a cell should hold; "" where none should."""
        hop = self._one_hop(subquery)
        return hop[1] if hop is not None and hop[0].relations and hop[0].want.kind not in ("class", "truth") else ""

    def _held(self, subquery: str) -> bool:
        """Whether a cell, of whatever section, holds what a hop asks."""
        step, entity = self._one_hop(subquery) or (None, "")
        if step is None:
            return False
        wanted = {(r.cube, r.name) for name in step.relations for r in self._lexicon.relations.get(name, ())}
        facts = (fact for s in self._linker.link_exactly(entity) for fact in self._cubes[s.cube].about(s.key))
        return any((fact.cube, fact.relation) in wanted for fact in facts)

    def _with_whole(self, question: str) -> Plan | None:
        plan = self.plan(question)
        return plan if plan is None or self._spans is None else with_whole(plan, question)

    def _compose(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        plan = self._with_whole(question)
        if plan is None or (fold(hops[0].subquery) == fold(question) and self._one_hop(question) is None):
            # A single shot: the whole plan was walked within one hop.
            note = _UNREAD if plan is None else f"{_NOTHING}{question}"
            told = answer_form(hops[0].answer, Open(question), self._places)
            return FinalAnswer(told, note="" if hops[0].answers else note)
        following = self._planner.next(plan, hops)
        if isinstance(following, str):
            return FinalAnswer("", note=f"Not answered: {following}")
        return FinalAnswer(following.text, note="" if following.text else _missing(following, hops))

    def _one_hop(self, subquery: str) -> tuple[Step, str] | None:
        """The single step of a subquery and the name it starts from; None for a question of several hops."""
        plan = self._grammar(subquery)
        step = plan.term if isinstance(plan, Direct) else None
        if isinstance(plan, Every) and len(plan.claims) == 1 and plan.claims[0].level == "truth":
            step = plan.claims[0].term
        return (step, step.base.name) if isinstance(step, Step) and isinstance(step.base, Entity) else None

    def _read_step(self, step: Step, base: str, evidence: Sequence[Evidence]) -> SubAnswer:
        if step.want.kind == "truth":
            said = read_truth(base, step.words, evidence)
            return _from_sentence(said) if said is not None else SubAnswer()
        sections = {e.section_id for e in evidence}
        candidates = self._reader.read(step, base, sections)
        if step.want.kind == "class":
            return self._described(base, candidates, evidence)
        if candidates:
            return self._from_cell(
                self._as_countries(self._reader.at_level(candidates, step.want.noun), step.want.noun)
            )
        if not self._options.sentences:
            return SubAnswer()
        kin = is_kin(step, self._lexicon)
        cues = step.words if kin else [c for name in step.relations for c in self._lexicon.cues.get(name, ())]

        def fit(value: str, want: Want, sentence: str) -> float | None:
            return None if (base_key(base), fold(value)) in self._struck else self._fit(value, want, sentence)

        found = read_cued(base, cues, step.want, evidence, fit, own=kin) if cues and step.relations else None
        if found is None and not kin:
            found = read_sentence(base, step.words, step.want, evidence, fit, self._linker.names_in)
        return _from_sentence(found) if found is not None else SubAnswer()

    def _described(self, base: str, candidates: Sequence[Candidate], evidence: Sequence[Evidence]) -> SubAnswer:
        """What a thing is: in its section's words first, then as its cells have it."""
        told = self._from_cell(candidates) if candidates else SubAnswer()
        said = read_description(base, evidence)
        if said is None:
            return told
        read = _from_sentence(said)
        return replace(read, answers=(*read.answers, *told.answers), confidence=max(read.confidence, told.confidence))

    def _fit(self, value: str, want: Want, sentence: str) -> float | None:
        """How well a span of a sentence can be what is wanted; None where it cannot."""
        if not self._reader.fits(value, want):
            return None
        known = self._reader.known_as(value, want)
        if want.noun is None or want.kind in ("date", "quantity", "where"):
            return known
        fit = self._reader.noun_fit(value, want.noun, sentence)
        return None if fit is None else fit + known

    def _as_countries(self, candidates: Sequence[Candidate], noun: str | None) -> Sequence[Candidate]:
        """Where a country is asked for, climb from a place in the cell to its country; a nationality says it."""
        best = candidates[0]
        if noun in nouns_called("country_nouns") and best.fact.kind == "nationality":
            return [replace(c, value=self._country_beside(c)) for c in candidates]
        if noun not in nouns_called("country_nouns") or self._places.is_country(best.value):
            return candidates
        climbed = ((c, self._places.country(c.value)) for c in candidates)
        named = [replace(c, value=name) for c, name in climbed if name is not None]
        return named or candidates

    def _country_beside(self, candidate: Candidate) -> str:
        """The country where its name is the nationality's word and stands in the section too ("Indian", "India")."""
        value, country = candidate.value, country_of(candidate.value)
        if country is None or not (fold(value).startswith(fold(country)) or fold(country).startswith(fold(value))):
            return value
        return country if f" {fold(country)} " in f" {fold(self._text_of(candidate.fact.section_id))} " else value

    def _from_cell(self, candidates: Sequence[Candidate]) -> SubAnswer:
        best = candidates[0]
        conflicts = self._reader.conflicts(best.fact) if best.value == best.fact.value else []
        return SubAnswer(
            answers=tuple(c.value for c in candidates),
            confidence=min(1.0, best.fact.confidence),
            section_id=best.fact.section_id,
            start=best.fact.sentence.start,
            end=best.fact.sentence.end,
            fact=self._record(best.fact),
            conflicts=tuple(self._record(f) for f in conflicts),
        )

    def _record(self, fact: Fact) -> FactRecord:
        text = self._text_of(fact.section_id)
        return FactRecord(
            section_id=fact.section_id,
            cube=fact.cube,
            dimension=fact.dimension,
            subject=fact.subject,
            relation=fact.relation,
            value=fact.value,
            start=fact.span.start,
            end=fact.span.end,
            sentence=text[fact.sentence.start : fact.sentence.end],
            origin=fact.origin,
        )


def _unlike(_: str, __: Sequence[str]) -> Sequence[float]:
    """Without an encoder nothing is said of what is alike by meaning."""
    return ()


def _from_sentence(found: Reading) -> SubAnswer:
    span = found.sentence
    return SubAnswer((found.value,), _SENTENCE_CONFIDENCE * found.score, found.section_id, span.start, span.end)


def _missing(decision: Decision, hops: Sequence[Hop]) -> str:
    """Name the hop that failed, in the words it was asked."""
    failed = next((hop.subquery for hop in reversed(hops) if hop.status == "missing"), decision.missing)
    return "" if decision.text else f"{_NOTHING}{failed}"
