"""Making very many objects that stay: the garbage collector is told to wait.

It looks through all objects again and again while their number grows, and finds nothing, for none of them is garbage:
that is half the time it takes to load a knowledge base.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["collecting_later", "keeping_all"]


@contextmanager
def collecting_later() -> Iterator[None]:
    """Put garbage collection off until the block is done; may be nested."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def keeping_all() -> Iterator[None]:
    """Put garbage collection off in the last block of a process; what was made in it is never looked through.

    Otherwise that is done twice on the way out, for objects that end with the process anyway.
    """
    with collecting_later():
        try:
            yield
        finally:
            gc.freeze()
