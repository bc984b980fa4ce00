"""A stand-in for a model to try the command line with: `PYTHONPATH=tests python -m modelserver` prints its address."""

from __future__ import annotations

import argparse
import threading

from .scripted import Scripted
from .server import Brain, ModelServer


def main() -> None:
    parser = argparse.ArgumentParser(prog="modelserver", description=__doc__)
    parser.add_argument("--latency", type=float, default=0.0, metavar="SECONDS", help="how long each reply takes")
    parser.add_argument("--scripted", type=int, metavar="HOPS", help="lead any question through so many hops")
    options = parser.parse_args()
    with ModelServer(_brain(options.scripted), latency=options.latency) as server:
        print(server.url, flush=True)
        threading.Event().wait()


def _brain(hops: int | None) -> Brain:
    if hops is not None:
        return Scripted(hops)
    from .competent import Competent

    return Competent()


if __name__ == "__main__":
    main()
