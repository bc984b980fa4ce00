"""The evaluation itself: one knowledge base, the same questions, every system, one run that can be continued.

Systems get the question's text only. What goes wrong with a question is kept with its sentence, counted and
scored wrong; it never stops the run.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...cubes.core.errors import UsageError
from ..ablations import WHOLE
from ..datasets.dataset import LABELS, Dataset, required_file, resolve_folder
from ..datasets.load import load_dataset
from ..datasets.merge import merge_corpora
from ..reports.results import markdown
from ..systems import describe, parse_names
from .asking import AskingContext, CollectedAnswers, ask_all
from .building import build
from .census import census, fault_lines, faults_of, read_library
from .options import EvalOptions, command_line, labels_digest, ontology_digest, run_record
from .preparing import ScoringChoices, in_own_layout, prepared
from .progress import Silent, Watcher
from .refusals import foreign_questions, refusal_scores
from .scoring import Scoring, score_run
from .workers import answer_all, shares
from .workspace import Workspace, fingerprint_parts

__all__ = ["EvalOptions", "Silent", "Watcher", "ask_all", "evaluate"]

_MERGED = "merged-corpus.jsonl"


@dataclass(frozen=True)
class _Asked:
    """What is asked of whom; ``command`` is what was given to have it asked."""

    command: str
    options: EvalOptions
    names: tuple[str, ...]
    dataset: Dataset
    foreign: tuple[Dataset, ...]

    def setting(self, kb: Path) -> AskingContext:
        """Return what a process needs to ask."""
        options = self.options
        return AskingContext(kb, options.encoder, options.model, options.retrieval_only, options.concurrency)


def evaluate(options: EvalOptions, watcher: Watcher | None = None) -> dict[str, Any]:
    """Run an evaluation, write results, predictions and report into ``out``, and return the results.

    Raises UsageError for options that cannot be met, InputError for a data set that cannot be read.
    """
    watch = watcher or Silent()
    names, command = _checked(options), command_line(options)
    options = in_own_layout(options, watch.say)
    if options.labels == "authors":
        required_file(resolve_folder(options.dataset), LABELS)
    workspace = Workspace(options.out, options.kb)
    dataset, lines = _searched(options)
    chosen = dataset.select(options.limit, shuffle=options.shuffle, seed=options.seed)
    foreign = tuple(
        foreign_questions(dataset, other, limit=options.limit, shuffle=options.shuffle, seed=options.seed)
        for other in options.refusals
    )
    names_of_foreign = [other.name for other in foreign]
    if twice := next((name for name in names_of_foreign if names_of_foreign.count(name) > 1), None):
        raise UsageError(f"Two data sets of --refusals are called {twice}; name each once, or rename one's folder.")
    asked = _Asked(command, options, names, chosen, foreign)
    with workspace.locked():
        _announce(watch, asked)
        if note := workspace.begin(_parts(asked)):
            watch.say(note)
        if lines:
            workspace.write(_MERGED, "\n".join(lines) + "\n")
        build(chosen, workspace, options, watch)
        return _finish(asked, _ask(asked, workspace, watch), workspace, watch)


def _parts(asked: _Asked) -> dict[str, Any]:
    """Return what the predictions depend on."""
    options = asked.options
    encoder = options.encoder if isinstance(options.encoder, str | None) else options.encoder.fingerprint
    labels = labels_digest(options.labels, options.dataset)
    parts = fingerprint_parts(asked.dataset, engine=options.engine, labels=labels, encoder=encoder)
    if options.ontology is not None:
        parts["ontology"] = ontology_digest(options.ontology)
    if options.retrieval_only:
        parts["reader"] = False
    return parts


def _ask(asked: _Asked, workspace: Workspace, watch: Watcher) -> CollectedAnswers:
    """Ask what an earlier, interrupted run has not answered; each answer is on the disk before it counts."""
    answers = CollectedAnswers(asked.names, asked.dataset, asked.foreign, workspace.kept(), workspace.refusals.load())
    units = [answers.left(name) for name in asked.names]
    for unit in units:
        watch.begin(unit.system, answers.total, answers.total - len(unit))
    jobs = min(asked.options.jobs, max(1, *map(len, units)))
    for answered in answer_all(asked.setting(workspace.kb), shares(units, jobs)):
        (workspace.refusals if answered.foreign else workspace.log).append(answered.row)
        answers.add(answered)
        watch.step(answered.row)
    own, foreign = answers.lines()
    workspace.log.replace(own)
    if foreign:
        workspace.refusals.replace(foreign)
    return answers


def _finish(asked: _Asked, answers: CollectedAnswers, workspace: Workspace, watch: Watcher) -> dict[str, Any]:
    results = _results(asked, answers, workspace, watch)
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


def _checked(options: EvalOptions) -> tuple[str, ...]:
    """Return the systems' names; UsageError for what cannot be asked, before any data are fetched or read."""
    if options.labels not in ("own", "embedded", "authors"):
        raise UsageError(f'There are no labels "{options.labels}"; use --labels own, embedded or authors.')
    if options.retrieval_only and (options.refusals or options.model is not None):
        raise UsageError("--retrieval-only scores no answers; leave --refusals and --model away.")
    if options.retrieval_only and (options.semantic or options.judge is not None):
        raise UsageError("--retrieval-only scores no answers; leave --semantic and --judge away.")
    if options.jobs < 1 or (options.jobs > 1 and not isinstance(options.encoder, str | None)):
        raise UsageError(f"--jobs {options.jobs} needs a number of 1 or more, and above 1 an encoder given by name.")
    if options.jobs > 1 and (options.model is not None or options.concurrency > 1):
        raise UsageError("--jobs shares the embedded engine's work; with a model, ask side by side by --concurrency.")
    if options.shuffle and options.limit is None:
        raise UsageError("--shuffle draws the questions that --limit keeps; give --limit N too, or leave it away.")
    if options.concurrency < 1:
        raise UsageError(f"--concurrency {options.concurrency} asks nothing; give a number of 1 or more.")
    if not options.ablate:
        names = parse_names(options.systems, ontology=options.ontology)
        if options.model is not None and any(describe(name).embedded for name in names):
            raise UsageError("Systems with a part off are of the embedded engine; leave --model away.")
        return names
    if options.model is not None:
        raise UsageError("--ablate switches parts of the embedded engine off; leave --model away.")
    return tuple(dict.fromkeys((*parse_names(options.systems or WHOLE), WHOLE, *parse_names("ablations"))))


def _announce(watch: Watcher, asked: _Asked) -> None:
    options, dataset = asked.options, asked.dataset
    watch.say(f"Engine: {options.engine}.")
    count = len(dataset.questions)
    if count < dataset.total:
        how = f"a random sample (seed {options.seed}) of" if options.shuffle else "the first"
        watch.say(f"Asking {how} {count} of {dataset.total} questions.")
    outside = dataset.gold_outside_corpus()
    if outside:
        question, passage = outside[0]
        watch.say(
            f"{len(outside)} gold passages are not in the corpus and can never be found "
            f"(the first: {passage}, of question {question})."
        )


def _results(asked: _Asked, answers: CollectedAnswers, workspace: Workspace, watch: Watcher) -> dict[str, Any]:
    assert workspace.ingest is not None
    dataset, options, answered = asked.dataset, asked.options, answers.own()
    library = read_library(dataset.corpus, (row for rows in answered.values() for row in rows))
    questions = {question.id: question for question in dataset.questions}
    read = not options.retrieval_only
    wanted = ScoringChoices(options.semantic, options.encoder, options.judge, options.concurrency)
    scoring = prepared(Scoring(options.seed, read), answered, dataset, workspace.out, wanted, watch.say)
    scored = score_run(answered, scoring)
    wrong = {name: faults_of(rows, questions, library) for name, rows in answered.items()}
    workspace.write("errors.jsonl", "".join(fault_lines(rows) for rows in wrong.values()))
    for name, scores in scored["systems"].items():
        if read:
            scores["metrics"]["census"] = census(wrong[name])
        if refused := answers.refused(name):
            scores["metrics"]["refusals"] = {
                other: refusal_scores(rows, answered[name], seed=options.seed) for other, rows in refused.items()
            }
    return {
        "dataset": dataset.name,
        "questions": len(dataset.questions),
        "sections": workspace.sections,
        "engine": options.engine,
        **scored,
        "ingest": workspace.ingest.model_dump(),
        "run": run_record(workspace, options, asked.names, asked.command),
    }
