"""The evaluation itself: one knowledge base, the same questions, every system, one run that can be continued.

Systems get the question's text only. What goes wrong with a question is kept with its sentence, counted and
scored wrong; it never stops the run.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..agent.llm.errors import ModelError
from ..agent.rendering import spent
from ..cubes.errors import InputError, UsageError
from .ablations import ABLATIONS, WHOLE
from .census import census, fault_lines, faults_of, read_library
from .datasets import LABELS, Dataset, Question, load_dataset, required_file, resolve_folder
from .folds import FoldedAsker, Readers, read_readers
from .making import labels_digest, ontology_digest
from .merging import merge_corpora
from .predictions import Prediction, PredictionLog, failure, from_run
from .refusals import foreign_questions, refusal_scores
from .report import markdown
from .scoring import Scoring, record_texts, score_run
from .systems import System, describe, engine_options, make_systems, parse_names
from .workspace import IngestFigures, Workspace, fingerprint_parts

if TYPE_CHECKING:
    from ..agent.embedded.options import EngineOptions
    from ..agent.facade import MultiCube
    from ..agent.llm.engine import ModelOptions
    from ..cubes.encoding import Encoder

__all__ = ["EvalOptions", "Silent", "Watcher", "ask_all", "evaluate"]

_MERGED = "merged-corpus.jsonl"


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """What `multicube eval` was asked to do. ``kb`` None builds the knowledge base inside ``out``.

    ``readers`` is the folder of a training whose data set this is: each question is asked with a reader that was tuned
    without it. ``corpus`` are data sets whose corpora are merged into the searched one; ``refusals`` data sets whose
    questions are asked of it although it does not hold their answers; ``ablate`` adds every ablation to the systems.
    ``model`` thinks in place of the embedded engine. ``labels`` are "own", or "authors" for those of ``labels.jsonl``;
    ``ontology`` is what an ingest takes (see `MultiCube.build`). ``retrieval_only`` leaves the span reader out, which
    takes most of the time, and scores what is found.
    """

    dataset: str | Path
    out: Path
    systems: str | Sequence[str] | None = None
    limit: int | None = None
    shuffle: bool = False
    seed: int = 0
    labels: str = "own"
    kb: Path | None = None
    concurrency: int = 1
    encoder: str | Encoder | None = None
    corpus: Sequence[str | Path] = ()
    refusals: Sequence[str | Path] = ()
    ablate: bool = False
    readers: Path | None = None
    model: ModelOptions | None = None
    ontology: str | None = None
    retrieval_only: bool = False

    @property
    def engine(self) -> str:
        """What thinks, as results and fingerprints name it."""
        return "embedded" if self.model is None else f"llm {self.model.identity}"


class Watcher(Protocol):
    """Is told how an evaluation goes on."""

    def say(self, sentence: str) -> None:
        """Take note of something a person should know."""
        ...

    def ingest(self, progress: Any) -> None:
        """See a step of the ingest (the knowledge base's own progress record)."""
        ...

    def begin(self, system: str, total: int, done: int) -> None:
        """See a system begin; ``done`` questions were answered by an earlier, interrupted run."""
        ...

    def step(self, prediction: Prediction) -> None:
        """See one question done."""
        ...


class Silent:
    """Watches without a word."""

    def say(self, sentence: str) -> None:
        """Ignore it."""

    def ingest(self, progress: Any) -> None:
        """Ignore it."""

    def begin(self, system: str, total: int, done: int) -> None:
        """Ignore it."""

    def step(self, prediction: Prediction) -> None:
        """Ignore it."""


def evaluate(options: EvalOptions, watcher: Watcher | None = None) -> dict[str, Any]:
    """Run an evaluation, write results, predictions and report into ``out``, and return the results.

    Raises UsageError for options that cannot be met, InputError for a data set that cannot be read.
    """
    watch = watcher or Silent()
    names = _checked(options)
    readers = read_readers(options.readers) if options.readers is not None else None
    workspace = Workspace(options.out, options.kb)
    dataset, lines = _searched(options)
    chosen = dataset.select(options.limit, shuffle=options.shuffle, seed=options.seed)
    foreign = [
        foreign_questions(dataset, other, limit=options.limit, shuffle=options.shuffle, seed=options.seed)
        for other in options.refusals
    ]
    with workspace.locked():
        _announce(watch, chosen, options)
        encoder = options.encoder if isinstance(options.encoder, str | None) else options.encoder.fingerprint
        labels = labels_digest(options.labels, options.dataset)
        parts = fingerprint_parts(chosen, engine=options.engine, labels=labels, encoder=encoder)
        if readers is not None:
            parts["readers"] = readers.digest
        if options.ontology is not None:
            parts["ontology"] = ontology_digest(options.ontology)
        if options.retrieval_only:
            parts["reader"] = False
        if note := workspace.begin(parts):
            watch.say(note)
        if lines:
            workspace.write(_MERGED, "\n".join(lines) + "\n")
        return _run(options, names, chosen, foreign, workspace, readers, watch)


def ask_all(
    systems: Iterable[System],
    questions: Sequence[Question],
    log: PredictionLog,
    *,
    kept: Iterable[Prediction] = (),
    concurrency: int = 1,
    watcher: Watcher | None = None,
) -> dict[str, list[Prediction]]:
    """Ask every system what ``kept`` does not answer yet; predictions come in the order of the questions."""
    watch = watcher or Silent()
    known = {(row.system, row.id): row for row in kept}
    answered: dict[str, list[Prediction]] = {}
    for system in systems:
        open_questions = [q for q in questions if (system.name, q.id) not in known]
        watch.begin(system.name, len(questions), len(questions) - len(open_questions))
        for prediction in _answers(system, open_questions, concurrency):
            log.append(prediction)
            known[system.name, prediction.id] = prediction
            watch.step(prediction)
        answered[system.name] = [known[system.name, q.id] for q in questions]
    return answered


def _run(
    options: EvalOptions,
    names: Sequence[str],
    dataset: Dataset,
    foreign: Sequence[Dataset],
    workspace: Workspace,
    readers: Readers | None,
    watch: Watcher,
) -> dict[str, Any]:
    _build(dataset, workspace, options, watch)
    kept, kept_foreign, sections = workspace.kept(), workspace.refusals.load(), 0
    answered: dict[str, list[Prediction]] = {}
    refused: dict[str, dict[str, list[Prediction]]] = {}
    for name in names:
        with _opened(workspace, options, name, readers, dataset.questions) as kb:
            sections = len(kb.kb.sections())
            ask = partial(ask_all, make_systems([name], kb), concurrency=options.concurrency, watcher=watch)
            answered |= ask(dataset.questions, workspace.log, kept=kept)
            refused[name] = {
                other.name: ask(other.questions, workspace.refusals, kept=_still(kept_foreign, other))[name]
                for other in foreign
            }
    results = _results(dataset, sections, options, answered, refused, workspace)
    workspace.write("results.json", json.dumps(results, indent=2, ensure_ascii=False) + "\n")
    workspace.write("report.md", markdown(results))
    return results


def _searched(options: EvalOptions) -> tuple[Dataset, tuple[str, ...]]:
    """Read the data set and, where others are merged into its corpus, the lines of the merged one."""
    dataset = load_dataset(options.dataset)
    if not options.corpus:
        return dataset, ()
    merged = merge_corpora(dataset, options.corpus, options.out / _MERGED)
    return merged.dataset, merged.lines


def _still(kept: Iterable[Prediction], asked: Dataset) -> list[Prediction]:
    """Of the answers kept, those to questions as they are now; other data sets are not in the fingerprint."""
    now = {question.id: question.question for question in asked.questions}
    return [row for row in kept if now.get(row.id) == row.question]


@contextmanager
def _opened(
    workspace: Workspace,
    options: EvalOptions,
    system: str,
    readers: Readers | None,
    questions: Sequence[Question],
) -> Iterator[MultiCube | FoldedAsker]:
    """Open the knowledge base afresh: what one system has warmed must not make the next one look faster."""
    from ..agent.facade import MultiCube

    def opened(engine: EngineOptions) -> MultiCube:
        return MultiCube.open(
            workspace.kb, encoder=options.encoder, engine_options=engine, **_thinking(options.model)
        )

    if readers is None:
        engine = engine_options(system)
        with opened(engine.model_copy(update={"reader": False}) if options.retrieval_only else engine) as kb:
            yield kb
    else:
        with FoldedAsker.opened(opened, engine_options(system), readers, questions) as folded:
            yield folded


def _checked(options: EvalOptions) -> tuple[str, ...]:
    """Return the systems' names; UsageError for what is not there (yet)."""
    if options.labels not in ("own", "authors"):
        raise UsageError(f'There are no labels "{options.labels}"; use --labels own or --labels authors.')
    if options.labels == "authors":
        required_file(resolve_folder(options.dataset), LABELS)
    if options.retrieval_only and (options.readers or options.refusals or options.model is not None):
        raise UsageError("--retrieval-only scores no answers; leave --readers, --refusals and --model away.")
    if options.concurrency < 1:
        raise UsageError(f"--concurrency {options.concurrency} asks nothing; give a number of 1 or more.")
    if not options.ablate:
        names = parse_names(options.systems, ontology=options.ontology)
        if options.model is not None and (options.readers or any(describe(name).embedded for name in names)):
            raise UsageError("--readers and systems with a part off are of the embedded engine; leave --model away.")
        return names
    if options.model is not None:
        raise UsageError("--ablate switches parts of the embedded engine off; leave --model away.")
    return tuple(dict.fromkeys((*parse_names(options.systems or WHOLE), WHOLE, *ABLATIONS)))


def _announce(watch: Watcher, dataset: Dataset, options: EvalOptions) -> None:
    watch.say(f"Engine: {options.engine}.")
    asked = len(dataset.questions)
    if asked < dataset.total:
        how = f"a random sample (seed {options.seed}) of" if options.shuffle else "the first"
        watch.say(f"Asking {how} {asked} of {dataset.total} questions.")
    outside = dataset.gold_outside_corpus()
    if outside:
        question, passage = outside[0]
        watch.say(
            f"{len(outside)} gold passages are not in the corpus and can never be found "
            f"(the first: {passage}, of question {question})."
        )


def _thinking(model: ModelOptions | None) -> dict[str, Any]:
    """The arguments that say what thinks, whatever the environment says."""
    return {"engine": "embedded"} if model is None else {"model": model}


def _build(dataset: Dataset, workspace: Workspace, options: EvalOptions, watch: Watcher) -> None:
    """Build the knowledge base, unless this run has done so before, and measure that."""
    from ..agent.facade import MultiCube

    if workspace.ingest is not None and workspace.kb.exists():
        return
    workspace.clear_kb()  # one that a killed run left half built would make the ingest figures meaningless
    there_before, started = workspace.kb.exists(), time.perf_counter()
    with MultiCube.build(
        [dataset.corpus], workspace.kb, encoder=options.encoder, progress=watch.ingest, ontology=options.ontology,
        labels=dataset.folder / LABELS if options.labels == "authors" else None, **_thinking(options.model),
    ) as kb:
        seconds = None if there_before else time.perf_counter() - started
        if kb.spent.requests or kb.spent.cached:
            watch.say(f"The ingest spent {spent(kb.spent)}.")
        _warn_of_ingest(kb, dataset, watch)
        sections = len(kb.kb.sections())
    if not sections:
        raise InputError(f"{dataset.corpus}: no record could be read, so there is nothing to search; mend it.")
    workspace.built(_figures(workspace.kb, sections, seconds))


def _figures(path: Path, sections: int, seconds: float | None) -> IngestFigures:
    return IngestFigures(
        seconds=None if seconds is None else round(seconds, 3),
        sections_per_s=None if seconds is None else round(sections / seconds, 1),
        kb_bytes=sum(file.stat().st_size for file in path.rglob("*") if file.is_file()),
        peak_rss_mb=_peak_rss_mb(),
    )


def _warn_of_ingest(kb: MultiCube, dataset: Dataset, watch: Watcher) -> None:
    problems = kb.ingest_report.problems if kb.ingest_report is not None else ()
    if problems:
        watch.say(f"{len(problems)} records of the corpus were set aside (the first: {problems[0]}).")
    source = str(dataset.corpus.resolve())
    others = sum(document.source != source for document in kb.kb.documents())
    if others:
        watch.say(
            f"The knowledge base also holds {others} documents that are not of this data set; they are searched too."
        )


def _peak_rss_mb() -> float | None:
    """Return this process's largest resident memory so far, in MiB; None where the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)


def _answers(system: System, questions: Sequence[Question], concurrency: int) -> Iterator[Prediction]:
    if concurrency == 1:
        yield from (_answer(system, question) for question in questions)
        return
    pool = ThreadPoolExecutor(max_workers=concurrency)
    try:
        yield from pool.map(lambda question: _answer(system, question), questions)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _answer(system: System, question: Question) -> Prediction:
    try:
        started = time.perf_counter()
        run = system.answer(question.question)
        ms = (time.perf_counter() - started) * 1000
        return from_run(system.name, question, run, system.ranking(run), ms)
    except ModelError:
        raise  # the next question would meet it as well; what was answered is kept, and the same command goes on
    except Exception as error:  # whatever a system raises is this question's failure, not the evaluation's
        return failure(system.name, question, _sentence(error))


def _sentence(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else f"{type(error).__name__}."


def _results(
    dataset: Dataset,
    sections: int,
    options: EvalOptions,
    answered: dict[str, list[Prediction]],
    refused: dict[str, dict[str, list[Prediction]]],
    workspace: Workspace,
) -> dict[str, Any]:
    assert workspace.ingest is not None
    library = read_library(dataset.corpus, (row for rows in answered.values() for row in rows))
    questions = {question.id: question for question in dataset.questions}
    read = not options.retrieval_only
    texts = record_texts(dataset.corpus, (row for rows in answered.values() for row in rows))
    scored = score_run(answered, Scoring(options.seed, read, len(dataset.corpus_ids), texts))
    wrong = {name: faults_of(rows, questions, library) for name, rows in answered.items()}
    workspace.write("errors.jsonl", "".join(fault_lines(rows) for rows in wrong.values()))
    for name, scores in scored["systems"].items():
        if read:
            scores["metrics"]["census"] = census(wrong[name])
        if refused[name]:
            scores["metrics"]["refusals"] = {
                other: refusal_scores(rows, answered[name], seed=options.seed) for other, rows in refused[name].items()
            }
    return {
        "dataset": dataset.name,
        "questions": len(dataset.questions),
        "sections": sections,
        "engine": options.engine,
        **scored,
        "ingest": workspace.ingest.model_dump(),
    }
