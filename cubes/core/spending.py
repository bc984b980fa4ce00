"""What asking language models came to, or would come to."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

__all__ = ["CACHE_FILE", "JOURNAL_FILE", "CostEstimate", "ModelUsage", "forget_replies"]

CACHE_FILE, JOURNAL_FILE = "cache.sqlite", "journal.sqlite"
"""What, in a knowledge base's folder, keeps the replies that were paid for; the second for one ingest alone."""


def forget_replies(folder: Path) -> None:
    """Delete the replies that a knowledge base's folder keeps."""
    for name in (CACHE_FILE, JOURNAL_FILE):
        for file in folder.glob(f"{name}*"):
            file.unlink(missing_ok=True)


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelUsage(_Frozen):
    """What requests to language models came to.

    ``failed`` are among the ``requests``; ``cached`` replies were paid for earlier and are not. ``estimated`` counts
    the requests whose tokens the endpoint did not report. ``cost_usd`` is None where a price is not known.
    """

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    failed: int = 0
    cached: int = 0
    estimated: int = 0

    def plus(self, other: ModelUsage) -> ModelUsage:
        """Return what both came to."""
        counts = [name for name in ModelUsage.model_fields if name != "cost_usd"]
        counted = {name: getattr(self, name) + getattr(other, name) for name in counts}
        costs = (self.cost_usd, other.cost_usd)
        return ModelUsage(**counted, cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs))


class CostEstimate(_Frozen):
    """What reading with a model would come to, worked out before anything is sent.

    ``requests`` are to be paid for; ``cached`` sections were paid for already and cost nothing. ``most_output_tokens``
    is what the replies cannot exceed. ``cost_usd`` is None where the model's price is not known. ``assumptions`` says
    what the figures rest on, a sentence each.
    """

    model: str
    requests: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    most_output_tokens: int = 0
    cost_usd: float | None = None
    minutes: float = 0.0
    assumptions: tuple[str, ...] = ()

    def plus(self, other: CostEstimate) -> CostEstimate:
        """Return what both come to, one after the other, by the same model."""
        counts = ("requests", "cached", "input_tokens", "output_tokens", "most_output_tokens", "minutes")
        counted = {name: round(getattr(self, name) + getattr(other, name), 1) for name in counts}
        costs = (self.cost_usd, other.cost_usd)
        return CostEstimate(
            model=self.model,
            cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
            assumptions=(*self.assumptions, *other.assumptions),
            **counted,
        )
