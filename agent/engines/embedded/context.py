"""What all kinds of questions are read with: cubes, names, the ontology's grammar, the planner and the span reader."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache

from ....cubes.core.records import Fact
from ....cubes.model.cells import CubeSet
from ....cubes.model.table_ids import is_table
from ....graphs.records import FactRecord
from .answers.fact_reader import FactReader
from .answers.span import open_reader
from .execution.planner import Planner
from .options import EngineOptions
from .plan import Operation, Plan, QuestionEntity, RelationStep
from .questions.reading import QuestionParser
from .questions.requests import RequestReader
from .questions.rows import RowReader
from .questions.terms import TermParser
from .vocabulary.lexicon import QuestionLexicon
from .vocabulary.linker import EntityLinker
from .vocabulary.places import PlaceHierarchy
from .vocabulary.wording import Likeness

__all__ = ["EngineContext"]

_KEPT = 2_000  # questions; a server sees them without end
_COMPARED = 256  # comparisons by meaning; an answer, and how sure it is, rest on the same ones
_lexicon_of = lru_cache(maxsize=8)(QuestionLexicon)  # new documents seldom come with another ontology


class EngineContext:
    """One generation of a knowledge base, opened for reading questions; nothing in it changes between questions.

    ``text_of`` returns a section's text, ``retracted`` are the (subject, value) keys of facts that a person struck out,
    which no sentence may bring back, ``likeness`` says how alike texts are by meaning.
    """

    def __init__(
        self,
        cubes: CubeSet,
        text_of: Callable[[str], str],
        retracted: Collection[tuple[str, str]] = frozenset(),
        options: EngineOptions | None = None,
        likeness: Likeness | None = None,
    ) -> None:
        self.cubes, self.text_of, self.retracted = cubes, text_of, retracted
        self.hypercubes_alone = len(cubes) > 0 and all(cube.spec.is_hypercube for cube in cubes)
        self.options = options or EngineOptions()
        self.likeness = _remembered(likeness or (lambda _, __: ()))  # without an encoder nothing is alike by meaning
        self.lexicon = _lexicon_of(cubes.ontology)
        self.linker = EntityLinker(cubes, backoff=self.options.backoff)
        self.places = PlaceHierarchy(cubes, self.linker)
        terms = TermParser(self.lexicon, self.linker, over_rows="rows" not in self.options.without)
        rows = RowReader(terms, cubes, self.likeness)
        self.requests = lru_cache(_KEPT)(RequestReader(terms, rows).read)
        self.questions = QuestionParser(terms, rows)
        self.planner = Planner(self.linker, self.places)
        self.facts = FactReader(cubes, self.linker, self.lexicon, self.places, text_of)
        self.spans = open_reader(self.options.reader_file) if self.options.reader else None

    def grammar(self, question: str) -> Plan | None:
        """Read a question, or a single hop, by the ontology's relations."""
        plan = self.questions.parse(question)
        if isinstance(plan, Operation) and "operators" in self.options.without:
            return None
        base = plan.base if isinstance(plan, RelationStep) else plan
        return plan if self.options.chains or isinstance(base, QuestionEntity) else None

    def one_hop(self, subquery: str) -> tuple[RelationStep, str] | None:
        """Return the single step of a subquery and the name it starts from; None for a question of several hops."""
        plan = self.grammar(subquery)
        step = plan.parts[0] if isinstance(plan, Operation) and len(plan.parts) == 1 else plan
        if isinstance(step, RelationStep) and isinstance(step.base, QuestionEntity):
            return step, step.base.name
        return None

    def row_named(self, value: str) -> str:
        """Return what the row of a table is called that a value is the code of; the value, where it is none."""
        labels = {subject.label for subject in self.linker.link_exactly(value) if is_table(subject.cube)}
        return labels.pop() if len(labels) == 1 else value

    def row_facts(self, value: str) -> list[Fact]:
        """Return what the row says that a value is the name or the code of; nothing, where several are called so."""
        rows = [subject for subject in self.linker.link_exactly(value) if is_table(subject.cube)]
        return [*self.cubes[rows[0].cube].about(rows[0].key)] if len(rows) == 1 else []

    def record(self, fact: Fact) -> FactRecord:
        """Return a fact as runs keep it, with its sentence."""
        told = {name: getattr(fact, name) for name in FactRecord.model_fields if hasattr(fact, name)}
        sentence = self.text_of(fact.section_id)[fact.sentence.start : fact.sentence.end]
        return FactRecord(**{**told, "start": fact.span.start, "end": fact.span.end, "sentence": sentence})


def _remembered(likeness: Likeness) -> Likeness:
    """The same, with what was compared last kept."""
    kept = lru_cache(_COMPARED)(lambda text, others: tuple(likeness(text, others)))
    return lambda text, others: kept(text, tuple(others)) if others else ()
