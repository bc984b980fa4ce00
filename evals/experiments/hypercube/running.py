"""Building the knowledge bases, asking them, and putting the page together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ....agent.app.facade import MultiCube
from ....cubes.core.errors import InputError
from ...datasets.dataset import LABELS, Dataset, resolve_folder
from ...datasets.load import load_dataset
from ...reports.plots import draw_lines
from ...support import write_whole
from .asking import Score, ask, scores
from .explaining import EXAMPLE, explained
from .page import PRINTED_DIMENSIONS, ablation, explanation, points
from .variants import Variant, dimensions, parts, thresholds

__all__ = ["EXPERIMENTS", "Options", "run"]

EXPERIMENTS = ("parts", "dimensions", "tau", "explanation")
_DEPTH = 5

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure on which data; ``work`` keeps knowledge bases and answers, so that a run can go on."""

    dataset: Path
    out: Path
    work: Path
    ontology: str = "scidcc-hurricane"
    experiments: Sequence[str] = EXPERIMENTS
    labels: Sequence[str] = ("own", "authors")
    limit: int | None = None
    taus: Sequence[float] = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    question: str = EXAMPLE


def run(options: Options, say: Say) -> Path:
    """Run the experiments and write ``evaluation-hypercube-tables.md`` with the threshold's picture; return the page.

    Raises InputError for data that cannot be read, UsageError for a data set that is not there.
    """
    dataset = load_dataset(options.dataset).select(options.limit, shuffle=options.limit is not None, seed=0)
    options.out.mkdir(parents=True, exist_ok=True)
    said: list[str] = [f"{dataset.name}: {len(dataset.questions)} of {dataset.total} questions.\n"]
    for labels in options.labels:
        with _opened(options, dataset, labels, say) as kb:
            for title, text in _of_labels(options, dataset, labels, kb, say):
                said.append(f"## {title}, {labels} labels\n\n{text}\n")
                _write(options, said)
    return _write(options, said)


def _of_labels(
    options: Options, dataset: Dataset, labels: str, kb: MultiCube, say: Say
) -> Iterator[tuple[str, str]]:
    """Yield the title and the text of each experiment on one knowledge base."""
    spec = next(cube.spec for cube in kb.kb.retriever.cubes if cube.spec.is_hypercube)
    names = [dimension.id for dimension in spec.attributes]
    if "explanation" in options.experiments:
        yield f"Explanation of “{options.question}”", explanation(explained(kb, options.question, _DEPTH), names)
    groups: list[tuple[str, str, list[Variant]]] = []
    if "parts" in options.experiments:
        groups.append(("parts", "Parts", list(parts())))
    if "dimensions" in options.experiments:
        groups.append(("dimensions", "Dimensions", [*dimensions(names), *list(parts())[:1]]))
    if "tau" in options.experiments:
        groups.append(("tau", "Threshold", list(thresholds(options.taus))))
    if not groups:
        return
    wanted = list({variant.name: variant for _, _, group in groups for variant in group}.values())
    found = _asked(options, dataset, f"answers-{labels}", kb, wanted, say)
    for key, title, group in groups:
        chosen = {variant.name: found[variant.name] for variant in group}
        if key == "tau":
            yield title, _swept(options, labels, chosen)
        else:
            yield title, ablation(chosen, PRINTED_DIMENSIONS if key == "dimensions" else None)


def _swept(options: Options, labels: str, chosen: Mapping[str, Score]) -> str:
    title = f"Answers by the threshold of similarity, {labels} labels"
    path = options.out / "pictures" / f"hypercube-tau-{labels}.svg"
    draw_lines(path, dict(points(chosen)), "threshold (tau)", "%", title=title)
    return f"{ablation(chosen)}\n\n![F1 and semantic score by the threshold](pictures/{path.name})"


def _asked(
    options: Options, dataset: Dataset, log: str, kb: MultiCube, wanted: Sequence[Variant], say: Say
) -> Mapping[str, Score]:
    from ....agent.engines.encoders.factory import encoder_factory

    answered = ask(kb, wanted, dataset.questions, options.work / f"{log}.jsonl", say)
    return scores(answered, encoder_factory(None)().encode)


@contextmanager
def _opened(options: Options, dataset: Dataset, labels: str, say: Say) -> Iterator[MultiCube]:
    """Open a knowledge base of the corpus, built unless it is in ``work``."""
    path = options.work / f"kb-{labels}"
    if path.exists():
        kb = MultiCube.open(path, engine="embedded")
    else:
        say(f"Building {path}.")
        file = resolve_folder(options.dataset) / LABELS if labels == "authors" else None
        kb = MultiCube.build([dataset.corpus], path, ontology=options.ontology, labels=file, engine="embedded")
    with kb:
        if not len(kb.kb.sections()):
            raise InputError(f"{path} holds no sections; remove it and run again.")
        yield kb


def _write(options: Options, said: Sequence[str]) -> Path:
    page = options.out / "evaluation-hypercube-tables.md"
    write_whole(page, "\n".join(said))
    return page
