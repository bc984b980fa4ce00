"""Serve the small real model until interrupted: `PYTHONPATH=tests python -m realmodel` prints how to name it."""

from __future__ import annotations

import argparse
import threading
from contextlib import suppress

from .server import NOT_INSTALLED, RealServer, is_installed


def main() -> None:
    parser = argparse.ArgumentParser(prog="realmodel", description=__doc__)
    parser.add_argument("--port", type=int, default=8080, help="where it listens (8080)")
    parser.add_argument("--window", type=int, default=4096, metavar="TOKENS", help="how much it reads (4096)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="cores that it takes (1)")
    options = parser.parse_args()
    if not is_installed():
        raise SystemExit(NOT_INSTALLED)
    server = RealServer(options.window, threads=options.threads, port=options.port)
    with suppress(KeyboardInterrupt), server:
        print(server.model, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
