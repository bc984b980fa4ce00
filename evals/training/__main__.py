"""``python -m multicube.evals.training STAGE``: see README.md beside this file."""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from ...cubes.errors import InputError, MultiCubeError
from .examples import Example, Passage, dev_examples, hard_negatives, read_corpus, squad_examples

SEED = 20
CORPORA = ("hotpotqa", "musique", "2wiki-6119", "2wiki")
"""Whose passages clozes and facts are made from."""
TUNED = ("hotpotqa", "musique")
"""Whose questions the last stage learns from."""
LARGEST = 25_000_000
"""Bytes of the exported reader."""


def main() -> int:
    """Read the command line and run one stage."""
    arguments = _parser().parse_args()
    try:
        arguments.work.mkdir(parents=True, exist_ok=True)
        _STAGES[arguments.stage](arguments)
    except (MultiCubeError, OSError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m multicube.evals.training", description="Train the span reader, stage by stage, and score it."
    )
    parser.add_argument("stage", choices=list(_STAGES))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder of the data sets")
    parser.add_argument("--work", type=Path, default=Path("out/reader"), help="where examples and weights are kept")
    parser.add_argument("--folds", type=int, default=5, help="tune: how many parts the questions are split into")
    parser.add_argument("--epochs", type=float, default=1.0, help="pretrain, squad, tune: passes over the examples")
    parser.add_argument("--start", type=Path, help="squad: weights to go on from, such as those of an earlier squad")
    parser.add_argument("--datasets", nargs="+", default=list(TUNED), help="evaluate: whose questions are asked")
    return parser


def _prepare(arguments: argparse.Namespace) -> None:
    """Write the examples of every stage as JSONL."""
    from .cloze import make_clozes, read_passages

    data, work = arguments.data, arguments.work
    squad = list(squad_examples(data / "squad-dev"))
    sections = list(read_corpus(data / "squad-dev").values())
    squad += hard_negatives(squad, sections, 3000, SEED)
    _write(work / "squad.jsonl", squad)
    passages: list[Passage] = []
    for name in CORPORA:
        passages += read_corpus(data / name).values()
    unique = list({p.text: p for p in passages}.values())
    clozes = list(make_clozes(unique, read_passages(unique), 9000, SEED))
    facts = _facts(unique)
    pretrain = [*clozes, *facts]
    pretrain += hard_negatives(pretrain, unique, 2500, SEED)
    _write(work / "pretrain.jsonl", pretrain)
    for name in TUNED:
        tuning = list(dev_examples(data / name))
        tuning += hard_negatives(tuning, list(read_corpus(data / name).values()), 200, SEED)
        _write(work / f"tune-{name}.jsonl", tuning)


def _facts(passages: list[Passage]) -> list[Example]:
    """Read facts by the embedded extractor and ask for them."""
    from ...cubes.extraction.embedded import EmbeddedExtractor
    from ...cubes.ontology import load_ontology
    from ...cubes.records import Document, Section
    from .cloze import fact_examples

    extractor = EmbeddedExtractor(load_ontology("default"))
    documents = [Document(p.id, "", p.id, p.title, p.text, "") for p in passages]
    extractor.prepare(documents)
    facts = []
    for passage, document in zip(passages, documents, strict=True):
        section = Section(passage.id, passage.id, passage.id, 0, (passage.title,), passage.text)
        facts += [(fact, passage) for fact in extractor.extract(section, document)]
    return list(fact_examples(facts, 4000, SEED))


def _write(path: Path, examples: list[Example]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for example in examples:
            out.write(json.dumps(dataclasses.asdict(example), ensure_ascii=False) + "\n")
    counts = dict(sorted(Counter(example.origin for example in examples).items()))
    print(f"{path.name}  sha256 {_digest(path)}  {len(examples)} examples {counts}", flush=True)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _read(path: Path) -> list[Example]:
    if not path.is_file():
        raise InputError(f"{path} is missing; make it with: python -m multicube.evals.training prepare.")
    with path.open(encoding="utf-8") as lines:
        return [Example(**json.loads(line)) for line in lines]


def _pretrain(arguments: argparse.Namespace) -> None:
    """Train on questions made from text, from the packaged weights."""
    from .train import load_model, train

    work = arguments.work
    examples = _read(work / "pretrain.jsonl")
    train(load_model(), examples, epochs=arguments.epochs, rate=1e-4, batch=16, seed=SEED,
          save=work / "pretrained.pt")  # fmt: skip


def _squad(arguments: argparse.Namespace) -> None:
    """Train on people's questions, from what the first stage learnt where it was run."""
    from .train import load_model, train

    work = arguments.work
    start = arguments.start or work / "pretrained.pt"
    if arguments.start is not None and not start.is_file():
        raise InputError(f"{start} is missing; --start names weights that an earlier stage has written.")
    examples = _read(work / "squad.jsonl")
    train(load_model(start if start.exists() else None), examples, epochs=arguments.epochs, rate=1e-4, batch=16,
          seed=SEED, save=work / "base.pt")  # fmt: skip


def _tune(arguments: argparse.Namespace) -> None:
    """Tune on the development questions: once on all, once without each fold."""
    from ..datasets import load_dataset
    from .differences import FOLDS, text_key

    work = arguments.work
    tuning = [e for name in TUNED for e in _read(work / f"tune-{name}.jsonl")]
    replay = _read(work / "squad.jsonl")
    random.Random(SEED).shuffle(replay)
    folds = fold_of(tuning, arguments.folds)
    there = [arguments.data / name for name in TUNED if (arguments.data / name).is_dir()]
    asked = {question.id: question.question for folder in there for question in load_dataset(folder).questions}
    texts = {text_key(asked[id]): fold for id, fold in folds.items() if id in asked}
    (work / FOLDS).write_text(json.dumps(folds | texts))
    for fold in [None, *range(arguments.folds)]:
        kept = [e for e in tuning if fold is None or folds[e.group] != fold]
        _tune_once(work, "reader.pt" if fold is None else f"fold{fold}.pt", kept, replay, arguments.epochs)


def fold_of(examples: Sequence[Example], folds: int) -> dict[str, int]:
    """Return each question's fold; all examples of one question are in the same."""
    groups = sorted({e.group for e in examples})
    random.Random(SEED).shuffle(groups)
    return {group: number % folds for number, group in enumerate(groups)}


def _tune_once(work: Path, name: str, kept: list[Example], replay: list[Example], epochs: float) -> None:
    """The questions count twice; some of SQuAD is kept in, so that little of it is forgotten."""
    from .train import load_model, train

    train(load_model(work / "base.pt"), kept * 2 + replay[: len(kept) // 3], epochs=epochs, rate=4e-5, batch=16,
          seed=SEED, save=work / name)  # fmt: skip


def _export(arguments: argparse.Namespace) -> None:
    """Write every tuned reader as ONNX, with its size and fingerprint, and what those of the folds differ in."""
    from .differences import write_differences
    from .export import export
    from .train import load_model

    weights = [arguments.work / "reader.pt", *sorted(arguments.work.glob("fold*.pt"))]
    if not weights[0].is_file():
        raise InputError(f"{weights[0]} is missing; make it with: python -m multicube.evals.training tune.")
    for path in weights:
        target = path.with_suffix(".onnx")
        export(load_model(path), target)
        size = target.stat().st_size
        print(f"{target.name}  sha256 {_digest(target)}  {size:,} bytes", flush=True)
        if size > LARGEST:
            raise InputError(f"{target} has {size:,} bytes; at most {LARGEST:,} are shipped.")
    for path in write_differences(arguments.work, arguments.work / "folds", arguments.work / "reader.onnx"):
        print(f"{path.name}  {path.stat().st_size:,} bytes", flush=True)


def _evaluate(arguments: argparse.Namespace) -> None:
    """Print figures out of fold: on gold sections, and of whole questions over the whole corpus."""
    from ..folds import read_readers
    from .evaluate import ask_all, read_all, table

    folds = read_readers(arguments.work).folds
    read = {name: read_all(arguments.data / name, arguments.work, folds) for name in arguments.datasets}
    for name, scores in list(read.items()):
        for fold in sorted({s.fold for s in scores if s.fold is not None}):
            read[f"{name}, fold {fold}"] = [s for s in scores if s.fold == fold]
    print("One-hop questions, read from their gold sections:\n", table(read), sep="\n", flush=True)
    whole = {
        name: ask_all(arguments.data / name, arguments.work, folds, arguments.work / f"predictions-{name}.jsonl")
        for name in arguments.datasets
    }
    print("\nWhole questions, over the whole corpus:\n", table(whole), sep="\n", flush=True)


_STAGES: dict[str, Callable[[argparse.Namespace], None]] = {
    "prepare": _prepare, "pretrain": _pretrain, "squad": _squad, "tune": _tune, "export": _export,
    "evaluate": _evaluate,
}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
