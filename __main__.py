"""``python -m multicube`` is the command ``multicube``, also where no script is installed."""

from __future__ import annotations

from .agent.cli import main

if __name__ == "__main__":
    main()
