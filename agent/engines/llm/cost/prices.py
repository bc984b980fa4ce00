"""What a request costs: from the person's own table, else from the published prices that come with `genai-prices`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from .....cubes.core.errors import UsageError
from .usage import Tokens

__all__ = ["Price", "Prices"]

_MILLION = 1_000_000


class Price(BaseModel):
    """US dollars for a million tokens read and written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)

    def of(self, tokens: Tokens) -> float:
        """Return what so many tokens cost."""
        return (tokens.input * self.input + tokens.output * self.output) / _MILLION


class Prices:
    """Prices by model name; the given ones win over the published ones."""

    def __init__(self, own: Mapping[str, Price] | None = None) -> None:
        self._own = dict(own or {})

    @classmethod
    def load(cls, file: Path | None = None) -> Self:
        """Read a table (YAML: a model's name, and ``input`` and ``output`` in US dollars for a million tokens).

        Without a file, the one that MULTICUBE_PRICES names is read, if it names one. Raises UsageError naming the
        file and what is wrong in it.
        """
        if file is None:
            named = os.environ.get("MULTICUBE_PRICES", "").strip()
            if not named:
                return cls()
            file = Path(named)
        try:
            fields = yaml.safe_load(file.read_text("utf-8"))
            return cls(TypeAdapter(dict[str, Price]).validate_python(fields))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            said = f"{where}: {first['msg']}" if where else first["msg"]
            raise UsageError(f"The prices in {file} cannot be used: {said}.") from error
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            said = " ".join(str(error).split())[:200]
            raise UsageError(f"The prices in {file} cannot be read: {said}.") from error

    def cost(self, model: str, endpoint: str, tokens: Tokens) -> float | None:
        """Return what the tokens cost in US dollars, or None where the price is not known.

        Published prices hold for the endpoint they were published for: a model served elsewhere has none.
        """
        if (own := self._own.get(model)) is not None:
            return own.of(tokens)
        from genai_prices import Usage, calc_price

        usage = Usage(
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cache_read_tokens=min(tokens.cache_read, tokens.input),
        )
        try:
            if "://" in endpoint:
                return float(calc_price(usage, model, provider_api_url=endpoint).total_price)
            return float(calc_price(usage, model, provider_id=endpoint.removeprefix("langchain:")).total_price)
        except (LookupError, ValueError):
            return None
