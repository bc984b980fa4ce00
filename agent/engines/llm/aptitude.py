"""What a model was found to be good at (`multicube doctor`), remembered for each endpoint and model."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from ....prompts import Size
from .json_memory import recalled, remember

__all__ = ["Aptitude", "AptitudeMemory"]

APT = 4
"""Of the five proposals of the trial, how many must be judged rightly before a model may overrule what is sure."""


class _Kept(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    papers: int
    short: int
    judged: int


@dataclass(frozen=True, slots=True)
class Aptitude:
    """What the five questions of the trial came to.

    ``papers`` and ``short`` are the right replies of ten with prompts of that size (five routes, five answers);
    ``judged`` are the proposals of five that were judged rightly.
    """

    papers: int
    short: int
    judged: int

    @property
    def size(self) -> Size:
        """The prompts that do better; the papers' own where it is all the same."""
        return "short" if self.short > self.papers else "papers"

    @property
    def is_apt(self) -> bool:
        """Whether the model tells right proposals from wrong ones."""
        return self.judged >= APT


class AptitudeMemory:
    """A file of what models are good at; what cannot be read or written is done without."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()

    def get(self, identity: str) -> Aptitude | None:
        """Return what is known of a model."""
        try:
            kept = _Kept.model_validate(self._read().get(identity))
        except ValidationError:
            return None
        return Aptitude(kept.papers, kept.short, kept.judged)

    def remember(self, identity: str, found: Aptitude) -> None:
        """Keep what was found."""
        with self._lock:
            remember(self._file, self._read() | {identity: asdict(found)})

    def _read(self) -> dict[str, object]:
        found = recalled(self._file)
        return found if isinstance(found, dict) else {}
