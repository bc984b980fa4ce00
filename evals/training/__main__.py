"""``python -m multicube.evals.training prepare|pretrain|tune``: see README.md beside this file."""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
from pathlib import Path

from .examples import Example, Passage, dev_examples, hard_negatives, read_corpus, squad_examples

SEED = 20


def main() -> None:
    """Read the command line and run one stage."""
    parser = argparse.ArgumentParser(prog="python -m multicube.evals.training")
    parser.add_argument("stage", choices=["prepare", "pretrain", "squad", "tune"])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--work", type=Path, default=Path("out/reader"))
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--epochs", type=float, default=1.0)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    {"prepare": _prepare, "pretrain": _pretrain, "squad": _squad, "tune": _tune}[arguments.stage](arguments)


def _prepare(arguments: argparse.Namespace) -> None:
    """Write the examples of every stage as JSONL."""
    from .cloze import make_clozes, read_passages

    data, work = arguments.data, arguments.work
    squad = list(squad_examples(data / "squad-dev"))
    sections = list(read_corpus(data / "squad-dev").values())
    squad += hard_negatives(squad, sections, 3000, SEED)
    _write(work / "squad.jsonl", squad)
    passages: list[Passage] = []
    for name in ("hotpotqa", "musique", "2wiki-6119", "2wiki"):
        passages += read_corpus(data / name).values()
    unique = list({p.text: p for p in passages}.values())
    clozes = list(make_clozes(unique, read_passages(unique), 9000, SEED))
    facts = _facts(unique)
    pretrain = [*clozes, *facts]
    pretrain += hard_negatives(pretrain, unique, 2500, SEED)
    _write(work / "pretrain.jsonl", pretrain)
    for name in ("hotpotqa", "musique"):
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
    counts: dict[str, int] = {}
    for example in examples:
        counts[example.origin] = counts.get(example.origin, 0) + 1
    print(path, counts, flush=True)


def _read(path: Path) -> list[Example]:
    with path.open(encoding="utf-8") as lines:
        return [Example(**json.loads(line)) for line in lines]


def _pretrain(arguments: argparse.Namespace) -> None:
    from .train import load_model, train

    work = arguments.work
    train(load_model(), _read(work / "pretrain.jsonl"), epochs=arguments.epochs, rate=1e-4, batch=16, seed=SEED,
          save=work / "pretrained.pt")  # fmt: skip


def _squad(arguments: argparse.Namespace) -> None:
    from .train import load_model, train

    work = arguments.work
    start = work / "pretrained.pt"
    train(load_model(start if start.exists() else None), _read(work / "squad.jsonl"), epochs=arguments.epochs,
          rate=1e-4, batch=16, seed=SEED, save=work / "base.pt")  # fmt: skip


def _tune(arguments: argparse.Namespace) -> None:
    """Tune on the development questions: once without each fold, once on all."""
    from .train import load_model, train

    work = arguments.work
    tuning = [e for name in ("hotpotqa", "musique") for e in _read(work / f"tune-{name}.jsonl")]
    replay = _read(work / "squad.jsonl")
    random.Random(SEED).shuffle(replay)
    groups = sorted({e.group for e in tuning})
    random.Random(SEED).shuffle(groups)
    fold_of = {group: number % arguments.folds for number, group in enumerate(groups)}
    (work / "folds.json").write_text(json.dumps(fold_of))
    for fold in [None, *range(arguments.folds)]:
        kept = [e for e in tuning if fold is None or fold_of[e.group] != fold]
        name = "reader.pt" if fold is None else f"fold{fold}.pt"
        train(load_model(work / "base.pt"), kept * 2 + replay[: len(kept) // 3], epochs=arguments.epochs, rate=4e-5,
              batch=16, seed=SEED, save=work / name)  # fmt: skip


if __name__ == "__main__":
    main()
