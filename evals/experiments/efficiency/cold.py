"""Cold start: what passes before the first answer in a process of its own. The disk's cache is as it happens to be."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

from ....cubes.core.errors import InputError
from ...datasets.dataset import Dataset
from .asking import sample
from .building import built
from .options import Session

__all__ = ["cold_rows", "measure"]

_KIND = "cold"
_COMMANDS = {
    "Python alone": ["-c", ""],
    "import multicube": ["-c", "import multicube"],
    "multicube --help": ["-c", "from multicube.agent.cli import main; main()", "--help"],
}
_ANSWER = "a process that answers one question"
_STEPS = ("import", "opening the knowledge base", "first answer", "next answer")
_ASKING = """
import json, sys, time
times = [time.perf_counter()]
def step(): times.append(time.perf_counter())
from multicube import MultiCube
step()
path, encoder, *questions = json.loads(sys.argv[1])
with MultiCube.open(path, encoder=encoder, engine="embedded") as kb:
    step()
    for question in questions:
        kb.ask(question, save=False)
        step()
print(json.dumps([after - before for before, after in zip(times, times[1:])]))
"""


def measure(session: Session, dataset: Dataset) -> None:
    """Start processes that import, say --help, open a knowledge base and answer; the median of so many starts each."""
    asked, starts = sample(dataset, 1, session.options.seed), range(session.options.starts)
    under = session.conditions.asking(dataset, session.options.seed, session.options.starts)
    if session.kept.get(_KIND, dataset.name, under) is not None:
        return
    path, cost = built(session, dataset, dataset.name)
    session.say(f"{dataset.name}: cold start.")
    found = [
        {"what": what, "seconds": _median([_run(command)[0] for _ in starts])}
        for what, command in _COMMANDS.items()
    ]
    encoder = session.options.encoder if isinstance(session.options.encoder, str) else None
    told = json.dumps([str(path), encoder, asked.questions[0], asked.first])
    whole = [_run(["-c", _ASKING, told]) for _ in starts]
    over = f"{dataset.name}, {cost['sections']:,} sections"
    found.append({"what": f"{_ANSWER} ({over})", "seconds": _median([seconds for seconds, _ in whole])})
    steps = zip(_STEPS, zip(*(json.loads(said) for _, said in whole), strict=True), strict=True)
    found += [{"what": f"of that: {what} ({over})", "seconds": _median(times)} for what, times in steps]
    session.kept.put(_KIND, dataset.name, under, {"found": found})


def cold_rows(session: Session) -> Iterator[dict[str, Any]]:
    """Yield seconds by what was started; what needs no knowledge base once."""
    seen: set[str] = set()
    for row in session.kept.all(_KIND):
        for one in row["found"]:
            if one["what"] not in seen:
                seen.add(one["what"])
                yield dict(one)


def _run(command: Sequence[str]) -> tuple[float, str]:
    """Run Python and return the seconds and what it printed."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise InputError(f"A process that was started to be timed failed: {last}")
    return seconds, done.stdout


def _median(times: Sequence[float]) -> float:
    return round(median(times), 3)
