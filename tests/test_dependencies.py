"""A plain install has what the package imports, except in the files that name an extra."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
_SMART = ("abstractor", "features", "matrices", "objective", "sampling", "training")
_TRAINING = ("__main__", "base", "encoder", "export", "network", "train", "windows")
SMART = {"torch", "torch_geometric"}
OTHERWISE = {
    "agent/cli/commands/smart.py": SMART,
    "agent/engines/encoders/factory.py": {"sentence_transformers"},
    "agent/runs/checkpoints.py": {"psycopg", "psycopg_pool"},
    "cubes/store/postgres.py": {"psycopg"},
    "cubes/documents/formats/pptx.py": {"pptx"},
    "cubes/ingest/ray_tasks.py": {"ray"},
    "cubes/design/clusters.py": {"sklearn", "threadpoolctl"},
    **{f"cubes/smart/trees/{name}.py": SMART for name in _SMART},
    "evals/experiments/bench.py": {"bm25s"},
    "evals/experiments/scaling.py": {"ray"},
    "evals/experiments/calibration/fitting.py": {"scipy"},
    "evals/experiments/lookalike/cohesion.py": {"sklearn"},
    "evals/generators/lookalike/files/images.py": {"PIL"},
    "evals/experiments/lookalike/pictures.py": {"matplotlib", "sklearn", "threadpoolctl"},
    "evals/generators/lookalike/files/pdf.py": {"reportlab"},
    "evals/reports/plots.py": {"matplotlib"},
    "evals/experiments/smart/leiden.py": {"igraph", "leidenalg"},
    "evals/experiments/smart/command.py": SMART,
    **{f"evals/training/{name}.py": {"torch", "transformers", "onnx"} for name in _TRAINING},
    "evals/training/scoring.py": {"scipy"},
}
"""What extras bring, and what drawings and comparisons need besides, by the file."""


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def installed_plainly() -> set[str]:
    """The distributions that the project requires, with all that these require."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    waiting, known = [Requirement(each) for each in project["dependencies"]], set[tuple[str, frozenset[str]]]()
    while waiting:
        wanted = waiting.pop()
        key = canonical(wanted.name), frozenset(wanted.extras)
        if key in known:
            continue
        known.add(key)
        extras = wanted.extras or {""}
        try:
            further = [Requirement(each) for each in requires(wanted.name) or ()]
        except PackageNotFoundError:
            continue  # of another platform
        waiting += [r for r in further if not r.marker or any(r.marker.evaluate({"extra": e}) for e in extras)]
    return {name for name, _ in known}


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def test_whatever_the_package_imports_comes_with_a_plain_install() -> None:
    plain, providers = installed_plainly(), packages_distributions()
    missing = {}
    for folder in ("prompts", "cubes", "graphs", "agent", "evals"):
        for file in (ROOT / folder).rglob("*.py"):
            name = file.relative_to(ROOT).as_posix()
            others = set(imported(file)) - sys.stdlib_module_names - {"multicube"} - OTHERWISE.get(name, set())
            lacking = {m for m in others if plain.isdisjoint(map(canonical, providers.get(m, ())))}
            missing |= {name: lacking} if lacking else {}
    assert missing == {}
