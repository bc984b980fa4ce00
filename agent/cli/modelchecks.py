"""Whether each model can be used: asked with requests of a few tokens, and what was found out is remembered."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ...cubes.errors import MultiCubeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_core.language_models import BaseChatModel

    from ..llm.engine import ModelOptions
    from ..llm.spec import ModelSpec

__all__ = ["check_models"]

_WAYS = {
    "json_schema": "typed replies by JSON schema",
    "schema_object": "typed replies by JSON schema, in llama.cpp's form",
    "tools": "typed replies by tool calls (no JSON schema)",
    "json_mode": "typed replies in JSON mode (no JSON schema, no tools)",
    "text": "typed replies read out of plain text (no JSON schema, no tools, no JSON mode)",
}
_PATIENCE_S = 15.0
_SLOWEST_S = 120.0
"""A model that needs longer for a word is of no use here; loading one takes a while."""
_MILLION = 1_000_000


def check_models(options: ModelOptions, *, quick: bool) -> Iterator[tuple[str, bool, str]]:
    """Yield for each model what it does, whether it can be used, and what was found; ``quick`` asks none of them."""
    from ..llm.wire import wire_to

    models = options.models()
    work: dict[str, tuple[ModelSpec | BaseChatModel, list[str]]] = {}
    for kind in ("reason", "read", "extract"):
        model = getattr(models, kind)
        work.setdefault(wire_to(model).label, (model, []))[1].append(kind)
    for label, (model, kinds) in work.items():
        try:
            found = "not asked" if quick else _asked(model)
        except MultiCubeError as error:
            yield ", ".join(kinds), False, f"{error}{_others(model, error)}"
        else:
            yield ", ".join(kinds), True, f"{label}: {found}"


def _asked(model: ModelSpec | BaseChatModel) -> str:
    from ..llm import ModelClient, ModeMemory, Prices, Retry, Tokens
    from ..settings import load_settings

    modes = ModeMemory(load_settings().cache_dir / "endpoints.json")
    made = ModelClient(model, modes=modes, prices=Prices.load(), retry=Retry(_PATIENCE_S, failing_s=_PATIENCE_S))
    client = made.for_run(deadline=time.monotonic() + _SLOWEST_S)
    found = client.preflight()
    counted = "tokens as the endpoint reports them" if found.usage_reported else "tokens estimated (none are reported)"
    return (
        f"{_WAYS[found.mode]}; {counted}; {_priced(client.price(Tokens(_MILLION)), client.price(Tokens(0, _MILLION)))}"
    )


def _others(model: ModelSpec | BaseChatModel, error: MultiCubeError) -> str:
    """Which models there are, where the name is of none."""
    from ..llm import ModelSpec, UnknownModelError
    from ..llm.offered import offered, suggestion

    if not isinstance(error, UnknownModelError) or not isinstance(model, ModelSpec):
        return ""
    return suggestion(model.name, offered(model))


def _priced(read: float | None, written: float | None) -> str:
    if read is None or written is None:
        return "price unknown: a table of your own (MULTICUBE_PRICES) gives it, and --max-cost needs it"
    return f"${read:g} for a million tokens read, ${written:g} written"
