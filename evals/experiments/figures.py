"""Every published figure by one command: ``python -m multicube.evals figures`` (``make figures``).

Each page of figures has its commands here, with what they need. What is not there (data sets, packages, programs) is
said first, and its pages are left out. ``--quick`` runs a sample of each: the commands work, the figures mean little.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from ...cubes.core.errors import InputError, UsageError
from ..support import application, names

__all__ = ["PAGES", "Page", "app", "missing"]


@dataclass(frozen=True, slots=True)
class Page:
    """A page of figures: its commands, those of a quick sample, and what they need.

    ``{docs}`` in a command is where pages go, ``{work}`` where everything else does. A command begins with the name of
    an experiment, or with "eval" for `multicube eval`. ``data`` are data sets of MULTICUBE_DATA, needed unless it is
    quick; ``modules`` are packages to import, ``programs`` are on the path, ``variables``
    in the environment.
    """

    name: str
    commands: tuple[str, ...]
    quick: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()


_CROWD = (
    "--crowd scidcc-hurricane --ontology scidcc-hurricane --among 2wiki-6119 --among hotpotqa --among musique "
    "--among squad-dev --size 11539"
)
_BESIDE = "multicube,bm25,dense,hybrid"
_UNSEEN = {"2wiki": "multicube", "hotpotqa": "multicube", "musique": "multicube", "nq": _BESIDE, "triviaqa": _BESIDE}
_TRAINED = ("torch", "torch_geometric", "leidenalg")
PAGES = (
    Page(
        "evaluation-matrix",
        ("matrix 2wiki hotpotqa musique --work {work}/matrix --docs {docs}",),
        ("matrix sample --limit 2 --systems multicube,bm25 --work {work}/matrix --docs {docs}",),
        data=("2wiki", "hotpotqa", "musique"),
    ),
    Page(
        "evaluation",
        (
            'pages "2wiki --systems multicube --refusals hotpotqa" "hotpotqa --systems multicube --refusals musique" '
            '"musique --systems multicube --refusals hotpotqa" '
            '"2wiki --systems multicube --corpus 2wiki-6119 --refusals musique" --work {work}/pages --docs {docs}',
        ),
        ('pages "sample --limit 2 --systems multicube" --work {work}/pages --docs {docs}',),
        data=("2wiki", "2wiki-6119", "hotpotqa", "musique"),
    ),
    Page(
        "benchmark",
        ("bench --data {data}/2wiki --page {docs}/benchmark.md",),
        ("bench --sizes 20 --queries 3 --page {docs}/benchmark.md",),
        data=("2wiki",),
        modules=("bm25s",),
    ),
    Page(
        "evaluation-efficiency",
        (
            "efficiency 2wiki hotpotqa musique --out {work}/efficiency --parts retrieval,question,index,cold "
            "--systems multicube,rank_bm25,bm25,dense,hybrid",
            f"efficiency --out {{work}}/efficiency --parts noise {_CROWD}",
            "efficiency 2wiki --out {work}/efficiency --parts growth --queries 40 --sizes 20000,100000 "
            "--page {docs}/evaluation-efficiency.md",
        ),
        (
            "efficiency sample --queries 2 --concurrency 1 --parts retrieval,index --out {work}/efficiency "
            "--page {docs}/evaluation-efficiency.md",
        ),
        data=("2wiki", "2wiki-6119", "hotpotqa", "musique", "scidcc-hurricane", "squad-dev"),
    ),
    Page(
        "evaluation-hypercube",
        (
            "eval legalbench-contractnli --ontology legalbench --systems multicube,bm25,dense,hybrid --retrieval-only "
            "--out {work}/legalbench-own",
            "eval legalbench-contractnli --labels authors --systems multicube,bm25,dense,hybrid --retrieval-only "
            "--out {work}/legalbench-authors",
            "hypercube scidcc-hurricane --work {work}/hypercube --out {docs}",
        ),
        data=("legalbench-contractnli", "scidcc-hurricane"),
        modules=("matplotlib",),
    ),
    Page(
        "evaluation-lookalike",
        tuple(
            command
            for seed, page, shown in (("0", "lookalike", ""), ("5", "lookalike-5", " --no-pictures"))
            for command in (
                f"lookalike generate {{work}}/lookalike-seed-{seed} --seed {seed}",
                f"lookalike run {{work}}/lookalike-seed-{seed} --out {{work}}/lookalike-{seed} "
                f"--page {{docs}}/evaluation-{page}.md{shown}",
            )
        ),
        (
            "lookalike generate {work}/lookalike-seed-0 --documents 6",
            "lookalike run {work}/lookalike-seed-0 --out {work}/lookalike-0 --page {docs}/evaluation-lookalike.md",
        ),
        modules=("reportlab", "PIL", "sklearn", "matplotlib"),
    ),
    Page(
        "evaluation-intents",
        (
            "intents run --seed 0 --out {work}/intents-0 --page {docs}/evaluation-intents.md",
            "intents run --seed 5 --no-sweeps --out {work}/intents-5 --page {docs}/evaluation-intents-5.md",
            "intents run --seed 9 --far 0.5 --no-sweeps --out {work}/intents-far "
            "--page {docs}/evaluation-intents-far.md",
        ),
        ("intents run --limit 2 --no-sweeps --out {work}/intents-0 --page {docs}/evaluation-intents.md",),
        modules=("matplotlib",),
    ),
    Page(
        "realdocs",
        (
            "realdocs fetch --out {work}/realdocs",
            "realdocs run --out {work}/realdocs",
            "realdocs page {docs}/realdocs.md --out {work}/realdocs",
        ),
        ("realdocs page {docs}/realdocs.md --out {work}/realdocs",),
        programs=("apt-get", "dpkg-deb"),
    ),
    Page(
        "evaluation-smart",
        (
            "smart planted --first 500 --out {docs}",
            "smart hierarchy --first 500 --out {docs}",
            "eval 2wiki --systems multicube --corpus 2wiki-6119 --limit 1 --out {work}/graph",
            "smart real {work}/graph/kb --out {docs}",
            "smart heads {work}/graph/kb --restarts 1 --epochs 60 --out {docs}",
            "smart facts-corpus {work}/facts",
            "eval {work}/facts --systems bm25 --limit 1 --out {work}/facts-asked",
            "smart heads {work}/facts-asked/kb --questions {work}/facts --out {docs}",
            "smart scaling --out {docs}",
        ),
        ("smart planted --seeds 1 --out {docs}",),
        data=("2wiki", "2wiki-6119"),
        modules=_TRAINED,
    ),
    Page(
        "evaluation-smart-facts",
        ("smart facts --seed 0 --out {docs}", "smart facts --seed 5 --out {docs}"),
        ("smart facts-corpus {work}/facts",),
        modules=_TRAINED,
    ),
    Page(
        "validation",
        tuple(
            f"eval {{data}}/../validation/{name} --systems {systems} --out {{work}}/validation-{name}"
            for name, systems in _UNSEEN.items()
        ),
        data=tuple(f"../validation/{name}" for name in _UNSEEN),
    ),
    Page(
        "scale",
        (
            "scale {data}/2wiki-6119/corpus.jsonl --sections 100000 --workers 2,1",
            "serving {data}/2wiki --sections 3000 --added 300 --questions 200 --concurrency 20",
        ),
        ("scale evals/sample/corpus.jsonl --sections 60 --workers 1",),
        data=("2wiki", "2wiki-6119"),
        modules=("ray", "psycopg"),
        variables=("MULTICUBE_DATABASE_URL", "MULTICUBE_CHROMA_URL"),
    ),
)
"""The pages in the order in which they are made. The figures of the last two are printed: their pages are written by
hand. ``make figures`` keeps what is printed in the working folder."""


def missing(page: Page, data: Path, *, quick: bool = False) -> list[str]:
    """Return what a page needs that is not there."""
    wanted = () if quick else page.data
    return [
        *(f"the data set {name}" for name in wanted if not (data / name).is_dir()),
        *(f"the package {name}" for name in page.modules if find_spec(name) is None),
        *(f"the program {name}" for name in page.programs if not quick and shutil.which(name) is None),
        *(f"the variable {name}" for name in page.variables if not quick and name not in os.environ),
    ]


def _command(
    pages: Annotated[str, typer.Option(metavar="A,B,...", help="Some of the pages; all by default.")] = "",
    quick: Annotated[bool, typer.Option("--quick", help="Run a sample of each; its pages stay beside it.")] = False,
    show: Annotated[bool, typer.Option("--list", help="Say what each page needs and runs, and run nothing.")] = False,
    docs: Annotated[Path, typer.Option(metavar="DIR", help="Where the pages go.")] = Path("docs"),
    work: Annotated[Path, typer.Option(metavar="DIR", help="Where all else goes.")] = Path("out/figures"),
) -> None:
    """Repeat every published figure, page by page; a run that was stopped goes on where its experiments can."""
    data = Path(os.environ.get("MULTICUBE_DATA", "../shared/data"))
    if quick:
        work = work.with_name(f"{work.name}-quick")
        docs = work / "docs"
    failed = []
    for page in _chosen(names(pages)):
        if quick and not page.quick:
            _say(f"{page.name}: has no sample.")
            continue
        lacking = missing(page, data, quick=quick)
        _say(f"{page.name}: {'needs ' + ', '.join(lacking) if lacking else 'everything it needs is there'}.")
        for number, command in enumerate(_filled(page.quick if quick else page.commands, docs, work, data), start=1):
            if show:
                print(f"  {shlex.join(command)}")
            elif not lacking and not _ran(command, work / f"{page.name}-{number}.txt"):
                failed.append(page.name)
                break
    if failed:
        raise InputError(f"These pages could not be made: {', '.join(failed)}; what went wrong is said above.")


def _chosen(wanted: Sequence[str]) -> list[Page]:
    known = {page.name: page for page in PAGES}
    if unknown := [name for name in wanted if name not in known]:
        raise UsageError(f'There is no page of figures "{unknown[0]}"; choose from {", ".join(known)}.')
    return [known[name] for name in wanted or known]


def _filled(commands: Sequence[str], docs: Path, work: Path, data: Path) -> Iterator[list[str]]:
    for command in commands:
        yield [word.format(docs=docs, work=work, data=data) for word in shlex.split(command)]


def _ran(command: Sequence[str], printed: Path) -> bool:
    """Run a command in a process of its own, so that memory and times are its own; what it prints goes into a file."""
    _say(f"  {shlex.join(command)}")
    printed.parent.mkdir(parents=True, exist_ok=True)
    product = ["-c", "from multicube.agent.cli import main; main()"]
    start = product if command[0] == "eval" else ["-m", "multicube.evals"]
    with printed.open("wb") as stream:
        return subprocess.run([sys.executable, *start, *command], stdout=stream, check=False).returncode == 0


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


app = application(_command)
