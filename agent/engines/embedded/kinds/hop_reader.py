"""`HopReader`: a hop's answer from its evidence: the fact in the cell, else the span in the form asked for (eq. 12)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from .....cubes.core.folding import base_key, fold, fold_words
from .....cubes.core.records import Fact
from .....cubes.model.table_ids import is_inside, is_table
from .....cubes.model.tables import HAS, HAS_NOT, NAMING
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from ..answers.candidates import ScoredSpan, SpanCandidate, asked_noun, best_supported, candidates, packaged_scorer
from ..answers.quotations import SupportingPart, formed, quoted_in_form, read_description, read_truth, supporting_part
from ..answers.releases import release_told
from ..answers.row_cells import SURE, RowCellReader
from ..answers.rows_named import RowsNamed
from ..answers.span import PredictedSpan, RecentReadings
from ..confidence import fact_probability
from ..context import EngineContext
from ..documents.statements import negates
from ..execution.operators import evaluate
from ..execution.planner import asks_for_span, tells
from ..plan import UNREAD, OpenStep, Operation, Plan, QuestionEntity, RelationStep, alternatives_of, over_cubes
from ..vocabulary.columns import said_in
from ..vocabulary.question_forms import read_asked_form
from ..vocabulary.wordlists import TIMES

__all__ = ["HopReader", "overlap"]

_SURE = 0.5
_READ = 0.2  # how sure a short answer is that stands against rows which a noun only means
_LEADING = 0.3  # how likely words are that a next hop goes on from, where a passage is the answer
_OF_KIND = 0.6  # how sure the only row is that a text names and that is of the kind asked for
_WHICH = re.compile(
    r"(?:^(?:(?:in|on|at|from|to|with|for|by|of) )?(?:which|what)|\bwhich)"
    r" ((?!is|are|was|were|do|does|did|can)(?:[\w-]+(?:['’]s)? ){1,3})",
    re.IGNORECASE,
)
_SHORT = 2  # letters of a word of a name that tells nothing
_MANY = re.compile(
    r"\bhow many\b|^(?:(?! of ).)*\b(?:total|altogether|average|most|least|fewest|(?!request|interest)\w{3,}est)\b"
    r"|^(?:which|list|give me|show me|name)\s(?:\w+\s)?\w{3,}(?<![su])s\b",
    re.IGNORECASE,
)
_BEFORE_PATH = re.compile(r"^(?:in|at|to|from|under|by)\s(?=[~/.])")


class HopReader:
    """Reads what the evidence of a hop answers; without a span reader, it points at nothing."""

    def __init__(self, context: EngineContext) -> None:
        self._context, self._has_tables = context, bool(context.questions.terms.cues.tables)
        self._without = context.options.without
        self._readings = RecentReadings(context.spans) if context.spans is not None else None
        self._cells = RowCellReader(context.lexicon, context.likeness, context.row_named, context.row_facts)
        cues = context.questions.terms.cues
        self._rows = RowsNamed(context.cubes, context.linker, cues, context.likeness)
        self.calls_rows = self._rows.calls

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Read the answer from the evidence: the fact in the cell, else what the reader points at (eq. 12).

        A subquery of several hops (a single-shot question) is walked over the facts of the evidence alone.
        """
        return self.with_cell(subquery, evidence, self._read)

    def with_cell(
        self, subquery: str, evidence: Sequence[Evidence], read: Callable[[str, Sequence[Evidence]], SubAnswer]
    ) -> SubAnswer:
        """Return what a line or a row surely tells, else what is ``read``, unless a row's cell is the surer."""
        releases = evidence if "releases" not in self._without else ()
        if (sure := self._in_row(subquery, evidence) or release_told(subquery, releases)) is not None:
            return sure
        cell = self._cell_asked(subquery, evidence)
        found = read(subquery, evidence) if cell.confidence < SURE else cell
        if found.confidence < SURE and (row := self._row_asked(subquery, evidence, found)).answers:
            found = row if row.confidence > found.confidence or found.form == "passage" else found
        return cell if cell.confidence > found.confidence else found

    def _row_asked(self, subquery: str, evidence: Sequence[Evidence], found: SubAnswer) -> SubAnswer:
        """The row that a text names, where "which" is asked of the rows of a table; by a noun that only means these,
        where no short answer was ``found``."""
        asked = _WHICH.search(subquery) if self._has_tables else None
        if asked is None:
            return SubAnswer()
        texts = [e for e in evidence if not self._row_of(e.section_id)]
        noun, own = self._rows.noun(fold_words(asked[1]))
        items = self._rows.among(noun, (f"{e.heading} {e.text}" for e in texts), subquery)
        if not items or (not own and found.form == "short" and found.confidence >= _READ):
            return SubAnswer()
        told = self.pointed(subquery, texts, items)
        share = 1.0 if len(items) == 1 else told.confidence / (told.held or 1.0)
        return replace(told, confidence=_OF_KIND * share)

    def _cell_asked(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """The cell of the row that is named, as the question is read over the cubes, or by the words that it has."""
        if not self._has_tables:
            return SubAnswer()
        plan = self._context.grammar(subquery)
        if isinstance(plan, RelationStep) and over_cubes(plan) and (walked := self._walked(plan, evidence)).answers:
            return walked if walked.fact is not None and is_table(walked.fact.cube) else SubAnswer()
        return self._cells.read(subquery, evidence, self._context.cubes.facts_of_section)

    def _read(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        parsed = self._context.grammar(subquery)
        plan = None if tells(subquery, parsed) else parsed
        found = self._walked(plan, evidence)
        described = isinstance(plan, RelationStep) and plan.want.kind == "class" and found.answers
        if found.fact is not None or described or self._context.spans is None:
            return found
        if self._is_empty(plan, evidence) and "facts" not in self._without:
            return SubAnswer(note=f"The row of that holds no answer to: {subquery}")
        if self._is_over_rows(subquery, evidence):
            return SubAnswer(note=UNREAD.format("rows"))
        # Sentences may say it in their own way, where nothing is compared. So may those of others than a claim's thing.
        claimed = isinstance(plan, Operation) and plan.is_claim and found.form != "verdict"
        worded = (claimed or not isinstance(plan, Operation)) and "forms" not in self._without
        untold = worded and (claimed or not found.answers)
        in_form = formed(subquery, evidence, self.best_part) if untold else None
        if in_form is not None or not asks_for_span(subquery, plan):
            return in_form or found
        pointed = self.pointed(subquery, evidence, alternatives_of(plan))
        return quoted_in_form(subquery, evidence, self.best_part, pointed) if worded else pointed

    def doubted(self, subquery: str, told: SubAnswer, evidence: Sequence[Evidence]) -> SubAnswer:
        """Return what the reader surely points at in place of a fact that was ``told``, or the fact.

        It cannot point at what the subquery itself names. A fact is the less likely the surer it points elsewhere.
        """
        plan, spans = self._context.grammar(subquery), self._context.spans
        one = isinstance(plan, RelationStep) and isinstance(plan.base, QuestionEntity)
        if spans is None or not one or f" {fold(told.answers[0])} " in f" {fold(subquery)} ":
            return told
        read = self.pointed(subquery, evidence)
        if {*map(fold, read.answers)} <= {*map(fold, told.answers)}:
            return told
        return read if read.confidence >= _SURE else replace(told, confidence=min(told.confidence, 1 - read.confidence))

    def spans(self, question: str, evidence: Sequence[Evidence]) -> Sequence[PredictedSpan]:
        """Return the best spans of the sections, the surest first."""
        if self._readings is None:
            return ()
        kept = self._speaking(question, evidence)
        found = self._readings.spans(question, [(evidence[n].heading, evidence[n].text) for n in kept])
        return [replace(span, section=kept[span.section]) for span in found]

    def _speaking(self, question: str, evidence: Sequence[Evidence]) -> Sequence[int]:
        """The numbers of the sections that are read: where a question is one hop from a thing by the ontology, those
        with a word of its name, if there are any."""
        plan = self._context.grammar(question)
        name = plan.base.name if isinstance(plan, RelationStep) and isinstance(plan.base, QuestionEntity) else ""
        words = {word for word in fold_words(name) if len(word) > _SHORT}
        said = (fold_words(f"{section.heading} {section.text}") for section in evidence if words)
        return [n for n, each in enumerate(said) if not words.isdisjoint(each)] or range(len(evidence))

    def pointed(self, subquery: str, evidence: Sequence[Evidence], items: Sequence[QuestionEntity] = ()) -> SubAnswer:
        """Return what most speaks for; it is unsure where it is not likely and only the sections of cells were read.

        Where a question names its alternatives, it is one of these ``items``.
        """
        ranked = packaged_scorer().ranked(self.candidates(subquery, evidence, one_of=bool(items)))
        found = [one for one in ranked if not self._is_retracted(subquery, one.text)]
        own = (one for one in found if not self._is_code(subquery, one.text) and self._cell(one, evidence) != ())
        text, best = best_supported(items, found, evidence) or ("", None) if items else ("", next(own, None))
        if best is None:
            return SubAnswer()
        unsure = best.probability < _SURE and all(e.retriever.startswith("cube:") for e in evidence)
        section, place = evidence[best.section].section_id, best.sentence(evidence)
        told = text or self._said(subquery, best, evidence)
        return SubAnswer((told,), best.probability, section, place.start, place.end, held=best.held, unsure=unsure)

    def within(self, subquery: str, evidence: Sequence[Evidence], quoted: SubAnswer) -> tuple[str, float]:
        """Return the words of a quotation that answer best, and how likely it is they, if any words of it are."""
        able = (one for one in self.candidates(subquery, evidence) if one.span.margin > 0)
        ranked = packaged_scorer().ranked([one for one in able if _is_quoted(one, evidence, quoted)])
        if not ranked:
            return "", 0.0
        best = ranked[0]
        alike = (one.probability for one in ranked if overlap(one.text, best.text))
        return self._said(subquery, best, evidence), sum(alike) / best.held

    def leading(self, subquery: str, evidence: Sequence[Evidence], quoted: SubAnswer) -> str:
        """Return the likeliest words of all sections, where a next hop may go on from them; sooner if quoted."""
        best = next(iter(self.ranked(subquery, evidence)), None)
        if best is None:
            return ""
        least = _READ if _is_quoted(best.candidate, evidence, quoted) else _LEADING
        return self._worded(subquery, best.text) if best.probability >= least else ""

    def candidates(self, subquery: str, evidence: Sequence[Evidence], *, one_of: bool = False) -> list[SpanCandidate]:
        """Return the spans that may answer a hop, with what speaks for each."""
        if self._readings is None:
            return []
        noun = asked_noun(subquery, self._context.lexicon.is_noun)
        fit = partial(self._context.facts.noun_fit, noun=noun) if noun else None
        again = partial(self._readings.again, subquery)
        return candidates(subquery, self.spans(subquery, evidence), evidence, again, fit, one_of=one_of)

    def ranked(self, subquery: str, evidence: Sequence[Evidence]) -> list[ScoredSpan]:
        """Return the texts that may answer a hop, the likeliest first, each with its probability."""
        return packaged_scorer().ranked(self.candidates(subquery, evidence))

    def best_part(self, subquery: str, evidence: Sequence[Evidence]) -> SupportingPart | None:
        """Return what of the sections tells best what is asked."""
        if self._readings is None:
            return None
        return supporting_part(subquery, evidence, self.spans(subquery, evidence), self._context.likeness)

    def _said(self, subquery: str, one: ScoredSpan, evidence: Sequence[Evidence]) -> str:
        """What a span says: the whole cell of a row that it stands in, else its words."""
        return ", ".join(self._cell(one, evidence) or ()) or self._worded(subquery, one.text)

    def _worded(self, subquery: str, text: str) -> str:
        """A span as the place of the level asked for, or without "in" before a path."""
        told = _BEFORE_PATH.sub("", text)
        noun = asked_noun(subquery, self._context.lexicon.is_noun)
        return self._context.places.rolled_up(told, noun) if noun else told

    def _is_retracted(self, subquery: str, text: str) -> bool:
        """Whether a person struck out that what the subquery names has to do with what the text names."""
        asked, said = f" {fold(subquery)} ", f" {fold(text)} "
        pairs = (pair for each in self._context.retracted for pair in (each, each[::-1]))
        return any(f" {one} " in asked and f" {other} " in said for one, other in pairs)

    def _in_row(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
        """Yes or no, as the row of the thing that is asked about has it in the column that is asked for."""
        claimed = self._has_tables and read_asked_form(subquery).kind == "verdict"
        asked, rows = f" {fold(subquery)} ", evidence if claimed else ()
        told = (fact for row in rows for fact in self._context.cubes.facts_of_section(row.section_id))
        for fact in (fact for fact in told if fact.relation in (HAS, HAS_NOT)):
            named = f" {fold(fact.subject)} " in asked and not negates(subquery.replace(fact.subject, ""))
            if named and all(said_in(word, asked.split()) for word in fold(fact.value).split()):
                said, at, record = "yes" if fact.relation == HAS else "no", fact.sentence, self._context.record(fact)
                return SubAnswer((said,), 1.0, fact.section_id, at.start, at.end, record, cited=True, form="verdict")
        return None

    def _is_over_rows(self, subquery: str, evidence: Sequence[Evidence]) -> bool:
        """Whether a count, a list, a total or the most of rows is asked for, which no cell of one row tells."""
        if not _MANY.search(subquery) or not evidence or not all(self._row_of(e.section_id) for e in evidence):
            return False
        asked = f" {fold(subquery)} "
        return not any(f" {fold(e.title)} " in asked for e in evidence)

    def _cell(self, one: ScoredSpan, evidence: Sequence[Evidence]) -> tuple[str, ...] | None:
        """What the cell of a row says that a span stands in; nothing for one in its column's name; None for a text."""
        span, row = one.candidate.span, self._row_of(evidence[one.section].section_id)
        cell = [f for f in row if f.sentence.start <= span.start < f.sentence.end and f.relation not in (HAS, HAS_NOT)]
        if not cell:
            return None
        values = tuple(dict.fromkeys(fact.value for fact in cell))
        return values if span.end > min(fact.span.start for fact in cell) else ()

    def _row_of(self, section_id: str) -> list[Fact]:
        """What the section of a CSV file's row says; nothing of a text."""
        told = self._context.cubes.facts_of_section(section_id) if self._has_tables else ()
        return [fact for fact in told if is_table(fact.cube) and not is_inside(fact.cube)]

    def _is_code(self, subquery: str, text: str) -> bool:
        """Whether a text is the code of a row, which no question but one for codes asks for."""
        named = self._has_tables and NAMING.isdisjoint(fold_words(subquery))
        return named and self._context.row_named(text) != text

    def _is_empty(self, plan: Plan | None, evidence: Sequence[Evidence]) -> bool:
        """Whether a row is asked for a cell that it has not, and no text beside the tables is there to tell it."""
        relations = self._context.lexicon.relations
        asked = plan.relations if isinstance(plan, RelationStep) else ()
        cells = bool(asked) and all(is_table(r.cube) for name in asked for r in relations[name])
        return cells and all(self._row_of(e.section_id) for e in evidence)

    def _walked(self, plan: Plan | None, evidence: Sequence[Evidence]) -> SubAnswer:
        """Walk a plan over the evidence alone."""
        trail: list[SubAnswer] = []

        def ask(step: RelationStep | OpenStep, base: str, _: str | None) -> tuple[str, ...]:
            read = self.pointed(base, evidence) if isinstance(step, OpenStep) else self._read_step(step, base, evidence)
            trail.append(read)
            return read.answers

        if plan is None or (isinstance(plan, Operation) and plan.operator == "one of"):
            return SubAnswer()
        text = evaluate(plan, ask, self._context.places).text
        if not text or not trail or not isinstance(plan, Operation):
            return trail[-1] if text and trail else SubAnswer()
        sure, held = min(t.confidence for t in trail), min(t.held for t in trail)
        return replace(trail[-1], answers=(text,), confidence=sure, held=held)

    def _read_step(self, step: RelationStep, base: str, evidence: Sequence[Evidence]) -> SubAnswer:
        if step.want.kind == "truth":
            return read_truth(base, step.words, evidence)
        usable = evidence if "facts" not in self._without else ()
        found = self._context.facts.read(step, base, {e.section_id for e in usable})
        titles = {e.section_id: e.title for e in evidence}
        if step.want.kind != "class":
            coded = not NAMING.isdisjoint(word for said in step.words for word in fold_words(said))
            which = _WHICH.match(step.template)
            if which is not None and TIMES.isdisjoint(fold_words(which[1])):  # "which yard built it" asks for no year
                found = [each for each in found if each[1].kind not in ("date", "quantity")] or found
            return self._from_cell(found, step.want.noun or "", titles, coded=coded)
        # What a thing is: in its section's words first, then as its cells have it.
        said, told = read_description(base, evidence), self._from_cell(found, "", titles)
        both, sure = (*said.answers, *told.answers), max(said.confidence, told.confidence)
        return replace(said, answers=both, confidence=sure) if said.answers else told

    def _from_cell(
        self, told: Sequence[tuple[str, Fact]], noun: str, titles: Mapping[str, str], *, coded: bool = False
    ) -> SubAnswer:
        """The values of the cell, as the places of the level that is asked for; a nationality says its country."""
        if not told:
            return SubAnswer()
        places, record = self._context.places, self._context.record
        if is_table(told[0][1].cube) and not coded:
            told = [(self._context.row_named(value), fact) for value, fact in told]
        if noun and told[0][1].kind != "nationality":
            told = [(places.rolled_up(value, noun), fact) for value, fact in told]
            told.sort(key=lambda each: (places.fit(each[0], noun) or 0.0) <= 0)  # those of the level first
        values, fact = tuple(dict.fromkeys(value for value, _ in told)), told[0][1]
        conflicts = map(record, self._context.facts.conflicts(fact) if values[0] == fact.value else ())
        sure, place = fact_probability(fact, titles[fact.section_id], values), fact.sentence
        return SubAnswer(values, sure, fact.section_id, place.start, place.end, record(fact), tuple(conflicts))


def _is_quoted(one: SpanCandidate, evidence: Sequence[Evidence], quoted: SubAnswer) -> bool:
    """Whether a span begins within a quotation."""
    span = one.span
    return evidence[span.section].section_id == quoted.section_id and quoted.start <= span.start < quoted.end


def overlap(value: str, other: str) -> bool:
    """Whether one text holds the other as whole words.

    >>> overlap("Dornal palsy", "the Dornal"), overlap("palsy", "Dorn")
    (True, False)
    """
    one, two = f" {base_key(value)} ", f" {base_key(other)} "
    return bool(one.strip() and two.strip()) and (one in two or two in one)
