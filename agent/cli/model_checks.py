"""Whether each model can be used: asked with requests of a few tokens, and what was found out is remembered."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ...cubes.core.errors import MultiCubeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_core.language_models import BaseChatModel

    from ..engines.llm import ModelClient
    from ..engines.llm.engine import ModelOptions
    from ..engines.llm.transport.spec import ModelSpec

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
_TRIAL_S = 300.0
_MILLION = 1_000_000


def check_models(options: ModelOptions, *, quick: bool) -> Iterator[tuple[str, bool, str]]:
    """Yield for each model what it does, whether it can be used, and what was found; ``quick`` asks none of them."""
    from ..engines.llm.transport.chat_transport import transport_to

    models = options.models()
    work: dict[str, tuple[ModelSpec | BaseChatModel, list[str]]] = {}
    for kind in ("reason", "read", "extract"):
        model = getattr(models, kind)
        work.setdefault(transport_to(model).label, (model, []))[1].append(kind)
    for label, (model, kinds) in work.items():
        try:
            found = "not asked" if quick else _asked(model)
        except MultiCubeError as error:
            yield ", ".join(kinds), False, f"{error}{_others(model, error)}"
        else:
            yield ", ".join(kinds), True, f"{label}: {found}"


def _asked(model: ModelSpec | BaseChatModel) -> str:
    from ..app.settings import load_settings
    from ..engines.llm import ModelClient, ModeMemory, Prices, Retry, Tokens

    modes = ModeMemory(load_settings().cache_dir / "endpoints.json")
    made = ModelClient(model, modes=modes, prices=Prices.load(), retry=Retry(_PATIENCE_S, failing_s=_PATIENCE_S))
    found = made.for_run(deadline=time.monotonic() + _SLOWEST_S).preflight()
    counted = "tokens as the endpoint reports them" if found.usage_reported else "tokens estimated (none are reported)"
    return (
        f"{_WAYS[found.mode]}; {counted}; {_priced(made.price(Tokens(_MILLION)), made.price(Tokens(0, _MILLION)))}; "
        f"{_tried(made, model)}"
    )


def _tried(made: ModelClient, model: ModelSpec | BaseChatModel) -> str:
    """Try both sizes of prompts on five questions, and say and remember what came of it."""
    from ..app.settings import load_settings
    from ..engines.llm.engine import aptitudes, identity_of
    from ..engines.llm.trial import REQUESTS, try_out
    from .console import note

    note(f"trying the model on five questions ({REQUESTS} short requests)")
    end = time.monotonic() + _TRIAL_S
    found = try_out(made.for_run(deadline=end))
    aptitudes(load_settings().cache_dir).remember(identity_of(model), found)
    chosen = "short prompts are used" if found.size == "short" else "the papers' prompts are used"
    late = f" (what took longer than {_TRIAL_S:.0f} s counts as wrong)" if time.monotonic() > end else ""
    may = "may overrule the embedded engine" if found.is_apt else "is asked only where the embedded engine is unsure"
    return (
        f"{found.papers} of 10 replies right with the papers' prompts, {found.short} of 10 with short ones: {chosen}; "
        f"{found.judged} of 5 proposals judged rightly: with --engine both it {may}{late}"
    )


def _others(model: ModelSpec | BaseChatModel, error: MultiCubeError) -> str:
    """Which models there are, where the name is of none."""
    from ..engines.llm import ModelSpec, UnknownModelError
    from ..engines.llm.transport.offered_models import offered, suggestion

    if not isinstance(error, UnknownModelError) or not isinstance(model, ModelSpec):
        return ""
    return suggestion(model.name, offered(model))


def _priced(read: float | None, written: float | None) -> str:
    if read is None or written is None:
        return "price unknown: a table of your own (MULTICUBE_PRICES) gives it, and --max-cost needs it"
    return f"${read:g} for a million tokens read, ${written:g} written"
