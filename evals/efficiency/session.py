"""What every part of a measuring needs: what is wanted, what is known already, and somewhere to say how it goes."""

from __future__ import annotations

from dataclasses import dataclass

from .kept import Kept
from .options import Conditions, Options, Say

__all__ = ["Session"]


@dataclass(frozen=True, slots=True)
class Session:
    """One call of the measuring."""

    options: Options
    kept: Kept
    conditions: Conditions
    say: Say
