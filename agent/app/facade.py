"""`MultiCube`: build a knowledge base, ask it, and look at how the answer was reached."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ...cubes.core.errors import UsageError
from ...cubes.core.records import Filters
from ...cubes.ingest.ray_tasks import ray_tasks
from ...cubes.knowledge.base import KnowledgeBase
from ...cubes.model.ontology import Ontology
from ...graphs.reasoner import MeteredReasoner, Reasoner
from ...graphs.records import LoopSettings, Run, Usage
from ..engines.embedded.options import EngineOptions
from ..engines.encoders.factory import encoder_factory
from ..runs.compiled_graph import AnswerGraphs
from ..runs.events import Event
from ..runs.observing import observed
from ..runs.runner import drive
from ..runs.state import (
    check_fork,
    first_state,
    forked_question,
    forked_state,
    last_run,
    reopened,
    restored,
    thread_config,
    written,
)
from ..runs.store import new_run_id
from .async_api import AsyncApi
from .factory import (
    MAX_QUESTION_CHARS,
    as_paths,
    authored,
    check_question,
    chosen_model,
    embedded_reasoner,
    loop_defaults,
    reading,
    refinements,
    refuse_empty,
    writable,
)
from .integrations import AgentIntegrations
from .traces import RunHistory

if TYPE_CHECKING:
    from ...cubes.core.encoding import Encoder
    from ...cubes.ingest.authored_labels import AuthoredLabels
    from ...cubes.ingest.pipeline import IngestReport, Progress
    from ...graphs.answer import AnswerGraph
    from ...graphs.context import AnswerContext
    from ..engines.embedded.reasoner import EmbeddedReasoner
    from ..engines.llm.engine import LlmEngine, ModelOptions
    from .factory import Model

__all__ = ["MAX_QUESTION_CHARS", "MultiCube"]

_OF_NOTHING = "Who built the bridge over the river of the city of Nowhere Bay?"
"""A question about nothing known: it is parsed for its name, searched for and read, which warms all that does so."""


class MultiCube(AsyncApi, RunHistory, AgentIntegrations):
    """A knowledge base with the loop that answers questions over it.

    >>> kb = MultiCube.build(["docs"], "kb")        # doctest: +SKIP
    >>> kb.ask("Where was the director of The Salt Lantern born?").answer   # doctest: +SKIP
    """

    def __init__(
        self,
        kb: KnowledgeBase,
        *,
        settings: LoopSettings | None = None,
        reasoner: Reasoner | None = None,
        engine_options: EngineOptions | None = None,
        model: ModelOptions | None = None,
    ) -> None:
        self.kb = kb
        self.model = model
        self.settings = settings or loop_defaults()
        self.engine_options = engine_options or EngineOptions()
        self.ingest_report: IngestReport | None = None
        self._given_reasoner = reasoner
        self._reasoners: dict[int, EmbeddedReasoner] = {}  # of one generation; copies share it
        self._engine: LlmEngine | None = None
        self._lock = threading.Lock()
        self._graphs = AnswerGraphs(kb, default=lambda: self._context(None))
        self._saving = AnswerGraphs(kb, checkpointer=lambda: self._store.checkpointer())

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        settings: LoopSettings | None = None,
        encoder: str | Encoder | None = None,
        reasoner: Reasoner | None = None,
        engine_options: EngineOptions | None = None,
        model: Model | None = None,
        engine: str | None = None,
        columns: bool | None = None,
    ) -> Self:
        """Open an existing knowledge base for reading; a newer state written by another process is noticed.

        ``model`` thinks: its name ("gpt-4o-mini", "http://host:port/v1#name"), any chat model of LangChain, or
        `ModelOptions` with several models, prompts and caps. Without one MULTICUBE_MODEL names it, and without that
        the embedded engine thinks; ``engine`` insists on "embedded" or "llm", or asks for "both": the embedded engine
        proposes, the model confirms or corrects. ``engine_options`` switch parts of the
        embedded engine off, to see what each brings. ``columns`` False looks labels up in Chroma instead of in the
        cache in front of it (see `KnowledgeBase.open`).

        Raises KnowledgeBaseError where there is none, or it cannot be read.
        """
        return cls(
            KnowledgeBase.open(Path(path), encoder=encoder_factory(encoder), columns=columns),
            settings=settings,
            reasoner=reasoner,
            engine_options=engine_options,
            model=chosen_model(model, engine),
        )

    @classmethod
    def build(
        cls,
        paths: str | Path | Sequence[str | Path],
        path: str | Path,
        *,
        ontology: str | Path | Ontology | None = None,
        settings: LoopSettings | None = None,
        encoder: str | Encoder | None = None,
        progress: Callable[[Progress], None] | None = None,
        model: Model | None = None,
        engine: str | None = None,
        labels: str | Path | AuthoredLabels | None = None,
        **options: Any,
    ) -> Self:
        """Make or extend a knowledge base from files and folders, or a single one, then open it.

        Only what is new or changed is read. ``ontology`` defaults to the one the knowledge base has, or
        "default"; "auto" designs one from the documents. ``labels`` is a file of the authors' cube labels, imported
        instead of extracted. ``model`` and ``engine`` are those of `open`. What was set aside is in
        ``ingest_report.problems``. ``options`` go to `KnowledgeBase.ingest`.
        """
        chosen, found = chosen_model(model, engine), as_paths(paths)
        refuse_empty(found, Path(path))
        given = authored(labels)
        built = cls(writable(Path(path), ontology, encoder, found, given), settings=settings, model=chosen)
        try:
            built.ingest(found, progress=progress, labels=given, **options)
        except BaseException:
            built.close()
            raise
        return built

    def ingest(
        self,
        paths: str | Path | Sequence[str | Path],
        *,
        progress: Callable[[Progress], None] | None = None,
        format_with_model: bool | None = None,
        describe_figures: bool | None = None,
        labels: str | Path | AuthoredLabels | None = None,
        ray: str | None = None,
        **options: Any,
    ) -> IngestReport:
        """Read files and folders into this knowledge base and report what was done.

        ``ray`` is the address of a Ray cluster whose workers read and embed (see `ray_tasks`); the result is the same.

        ``labels`` is a file of the authors' cube labels, imported instead of extracted; its records that are no
        document's are among the report's problems.

        With a model, ``format_with_model`` lets it turn the text of PDF, DOCX and HTML files into Markdown (HiQA's
        Markdown Formatter) and ``describe_figures`` lets it say what their images show; both cost requests of their
        own, and None is as the environment says. Raises UsageError where either is asked for without a model.
        """
        asked = refinements(self.model, format_with_model, describe_figures)
        given = authored(labels)
        reads = reading(self._llm if self.model is not None else None, self.kb.given_ontology, *asked, given)
        with ray_tasks(ray) as tasks:
            report = self.kb.ingest(as_paths(paths), progress=progress, tasks=tasks, **reads, **options)
        if given is not None and not report.dry_run:
            unmatched = given.unmatched({document.record_id for document in self.kb.documents()})
            report = report.model_copy(update={"problems": (*report.problems, *unmatched)})
        self.ingest_report = report
        return report

    def beside(self) -> Self:
        """Open the same knowledge base once more, thinking alike: one to write while the other answers."""
        options, model = self.engine_options, self.model
        return type(self)(self.kb.beside(), settings=self.settings, engine_options=options, model=model)

    def over(self, view: KnowledgeBase) -> Self:
        """Think alike over a view of this knowledge base, such as one with fewer cubes.

        The models' clients and what they have spent are shared; closing this closes them.
        """
        other = type(self)(view, settings=self.settings, engine_options=self.engine_options, model=self.model)
        other._engine = self._llm if self.model is not None else None
        return other

    @property
    def _llm(self) -> LlmEngine:
        """The clients of the models, with the replies that this knowledge base has paid for."""
        from ..engines.llm.engine import LlmEngine
        from .settings import load_settings

        with self._lock:
            if self._engine is None:
                assert self.model is not None
                self._engine = LlmEngine(self.model, self.kb.path, load_settings().cache_dir)
            return self._engine

    @property
    def spent(self) -> Usage:
        """What the models have cost since this was opened, failed tries included; nothing with the embedded engine."""
        return self._engine.usage if self._engine is not None else Usage()

    @property
    def graph(self) -> AnswerGraph:
        """The compiled LangGraph loop over this knowledge base, to stream, serve, or use as a subgraph."""
        return self._graphs.current()

    @property
    def reasoner(self) -> Reasoner:
        """The engine that decides; the embedded one follows the knowledge base when it changes."""
        return self._reasoner(self.kb.settled())

    def _reasoner(self, kb: KnowledgeBase) -> Reasoner:
        """Return the engine that decides over one generation."""
        if self._given_reasoner is not None:
            return self._given_reasoner
        if self.model is None:
            return self._embedded(kb)
        structured, overall = kb.retriever.structured, kb.perspectives is not None

        def helper() -> EmbeddedReasoner:
            return self._embedded(kb)

        by_model = self._llm.reasoner(kb.ontology, written, documents=structured, overall=overall, helper=helper)
        return self._llm.both(helper, by_model) if self.model.engine == "both" else by_model

    def _embedded(self, kb: KnowledgeBase) -> EmbeddedReasoner:
        with self._lock:
            if kb.generation not in self._reasoners:
                self._reasoners.clear()
                self._reasoners[kb.generation] = embedded_reasoner(kb, self.engine_options)
            return self._reasoners[kb.generation]

    def warm(self) -> None:
        """Load what the first question needs. No model is asked for it, and nothing is kept."""
        _ = self.graph, self.reasoner, self.kb.retriever
        section = next(iter(self.kb.sections()), None)
        if self.model is None and self._given_reasoner is None and section is not None:
            for question in (f"When was {section.title[:80]} made?", _OF_NOTHING):
                run = self._start(question, None, None)
                last_run(self._drive(run, first_state(run), save=False, counts=False))

    def ask(
        self,
        question: str,
        *,
        settings: LoopSettings | None = None,
        filters: Filters | None = None,
        save: bool = True,
    ) -> Run:
        """Answer a question; the run explains every hop. ``save`` keeps trace and checkpoints.

        Raises UsageError for an empty or over-long question.
        """
        return last_run(self.stream(question, settings=settings, filters=filters, save=save))

    def stream(
        self,
        question: str,
        *,
        settings: LoopSettings | None = None,
        filters: Filters | None = None,
        save: bool = True,
        run_id: str | None = None,
    ) -> Iterator[Event]:
        """Answer a question and yield what happens as it happens; the last event carries the run.

        ``run_id`` is the id it shall have (`runs.new_run_id` makes one). Closing the iterator ends the run, which is
        kept as it stands and can be resumed.
        """
        run = self._start(check_question(question), settings, filters, run_id=run_id)
        yield from self._drive(run, first_state(run), save=save)

    def resume(self, run_id: str | None = None) -> Run:
        """Go on with a run that was interrupted, paused by a cap or ended by an error; a finished one is returned.

        It goes on from its last checkpoint, or, where its process was killed, from its last finished hop.
        """
        return last_run(self.stream_resume(run_id))

    def stream_resume(self, run_id: str | None = None) -> Iterator[Event]:
        """Go on with a run as `resume` does and yield what happens."""
        run = self._store.find(run_id)
        if run.status in ("answered", "abstained"):
            yield Event(kind="final", hop=len(run.hops), run=run)
            return
        yield from self._drive(reopened(run, self.reasoner.name), restored(run, self._compiled), save=True)

    def replay(self, run_id: str | None = None) -> Run:
        """Ask a run's question again, with its settings and filters, against the knowledge base of today."""
        run = self._store.find(run_id)
        return self.ask(run.question, settings=run.settings, filters=Filters.from_json(run.filters))

    def fork(self, run_id: str | None, hop: int, *, subquery: str | None = None, answer: str | None = None) -> Run:
        """Start a new run from hop ``hop`` of another, with its subquery or its sub-answer edited.

        Raises UsageError where the run has no such hop, or not exactly one of the two is given.
        """
        return last_run(self.stream_fork(run_id, hop, subquery=subquery, answer=answer))

    def stream_fork(
        self,
        run_id: str | None,
        hop: int,
        *,
        subquery: str | None = None,
        answer: str | None = None,
        new_id: str | None = None,
    ) -> Iterator[Event]:
        """Start a new run (``new_id``) as `fork` does and yield what happens."""
        origin = self._store.find(run_id)
        check_fork(origin, hop, subquery, answer)
        filters = Filters.from_json(origin.filters)
        origin = origin.model_copy(update={"question": forked_question(origin, hop, subquery)})
        run = self._start(origin.question, origin.settings, filters, forked_from=origin.id, run_id=new_id)
        self._store.save(run)
        values, after = forked_state(origin, hop, subquery, answer)
        self._compiled.update_state(thread_config(run), values, as_node=after)
        yield from self._drive(run, None, save=True)

    def close(self) -> None:
        """Close the files of the knowledge base."""
        if "_store" in self.__dict__:
            self._store.close()
        if self._engine is not None:
            self._engine.close()
        self.kb.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _compiled(self) -> AnswerGraph:
        """The graph with this knowledge base's checkpointer."""
        return self._saving.current()

    def _context(self, deadline_s: float | None) -> AnswerContext:
        """Make the context of one run: it reads one generation to its end, whatever is written meanwhile."""
        from ...graphs.context import AnswerContext

        deadline = None if deadline_s is None else time.monotonic() + deadline_s
        kb = self.kb.settled()
        reasoner = self._reasoner(kb)
        _ = kb.retriever  # where the store is gone, a question that asks nothing of it must say so too
        thinks = reasoner.for_run(deadline) if isinstance(reasoner, MeteredReasoner) else reasoner
        return AnswerContext(thinks, kb, deadline)

    def _start(
        self,
        question: str,
        settings: LoopSettings | None,
        filters: Filters | None,
        forked_from: str | None = None,
        run_id: str | None = None,
    ) -> Run:
        reasoner = self.reasoner
        if filters and not self.kb.retriever.allows(filters):
            raise UsageError(
                "No document fits the filters (source, metadata or dates).", listed_by="multicube docs list"
            )
        return Run(
            id=run_id or new_run_id(),
            question=question,
            settings=settings or self.settings,
            engine=reasoner.name,
            filters=(filters or Filters()).as_json(),
            started_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            generation=self.kb.generation,
            forked_from=forked_from,
        )

    def _drive(
        self, run: Run, state: dict[str, Any] | None, *, save: bool, counts: bool = True
    ) -> Iterator[Event]:
        """Run the graph to its end, yielding events; see `drive`. One that does not count is told to no collector."""
        graph, context = self._compiled if save else self.graph, self._context(run.settings.deadline_s)
        if isinstance(context.knowledge, KnowledgeBase):  # it may have moved on since the start
            run = run.model_copy(update={"generation": context.knowledge.generation})
        events = drive(graph, context, self._store if save else None, run, state)
        yield from observed(run, events) if counts else events
