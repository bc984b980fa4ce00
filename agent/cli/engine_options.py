"""The options of every command that asks an engine, what they come to, and what it cost."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...cubes.core.errors import UsageError
from .console import note
from .options import flag

if TYPE_CHECKING:
    from ...graphs.records import Usage
    from ..app.facade import MultiCube
    from ..engines.llm.engine import ModelOptions

__all__ = [
    "AS_CONFIGURED",
    "EngineArguments",
    "announce",
    "models_at_work",
    "report_costs",
    "reporting_costs",
    "takes_model",
]

Command = Callable[..., None]
_PANEL = "Engine"


def _option(name: str, metavar: str, help: str, **how: Any) -> Any:
    return typer.Option(name, metavar=metavar, help=help, rich_help_panel=_PANEL, **how)


# The environment is read where the options are resolved: a model named there gives way to --engine embedded.
_OPTIONS: dict[str, Any] = {
    "engine": Annotated[
        str | None,
        _option(
            "--engine",
            "embedded|llm|both",
            "Rules over the cubes, a language model, or rules that a model confirms or corrects; llm where a model is "
            "named. (MULTICUBE_ENGINE)",
        ),
    ],
    "model": Annotated[
        str | None,
        _option(
            "--model",
            "NAME|URL#NAME",
            "A chat model: of OpenAI, of a server on this machine (ollama:NAME; llamacpp, vllm, lmstudio, litellm), or "
            "behind a URL. (MULTICUBE_MODEL)",
        ),
    ],
    "read_model": Annotated[
        str | None,
        _option("--read-model", "NAME|URL#NAME", "Another that reads the answers. (MULTICUBE_READ_MODEL)"),
    ],
    "extract_model": Annotated[
        str | None,
        _option("--extract-model", "NAME|URL#NAME", "Another that extracts facts. (MULTICUBE_EXTRACT_MODEL)"),
    ],
    "prompts": Annotated[
        Path | None,
        _option(
            "--prompts",
            "short|papers|DIR",
            "Short prompts for small models, the papers', or a folder of your own in place of some; what "
            "multicube doctor found best if not given. (MULTICUBE_PROMPTS)",
        ),
    ],
    "max_requests": Annotated[int | None, _option("--max-requests", "N", "Stop before more requests.", min=0)],
    "max_tokens": Annotated[int | None, _option("--max-tokens", "N", "Stop before more tokens.", min=0)],
    "max_cost": Annotated[float | None, _option("--max-cost", "USD", "Stop before more money.", min=0)],
    "no_cache": Annotated[bool, flag("--no-cache", help="Ask anew what was asked before.", rich_help_panel=_PANEL)],
}
_KINDS = {"reason": "reasons", "read": "reads", "extract": "extracts"}


@dataclass(frozen=True, slots=True)
class EngineArguments:
    """The options as they were given."""

    engine: str | None = None
    model: str | None = None
    read_model: str | None = None
    extract_model: str | None = None
    prompts: Path | None = None
    max_requests: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    no_cache: bool = False

    def options(self, *, together: bool = False) -> ModelOptions | None:
        """Return what is to think, with what the environment adds; None is the embedded engine.

        The caps hold for the ingest and for each question, or for all questions ``together``. Raises UsageError for
        options that do not fit together.
        """
        from ..app.factory import chosen_model

        chosen = chosen_model(self.model, self.engine)
        if chosen is None:
            self._refuse_without_model()
            return None
        from ..engines.llm.cost.limits import Caps
        from ..engines.llm.engine import checked

        caps = Caps(self.max_requests, self.max_tokens, self.max_cost)
        if self.prompts is not None:
            from ..engines.llm.engine import with_prompts

            chosen = with_prompts(chosen, self.prompts)
        named = replace(
            chosen,
            read=self.read_model or chosen.read,
            extract=self.extract_model or chosen.extract,
            run_caps=Caps() if together else caps,
            total_caps=caps if together else Caps(),
            ingest_caps=caps,
            cache=not self.no_cache,
        )
        return checked(named)

    def _refuse_without_model(self) -> None:
        for name in ("read_model", "extract_model", "max_requests", "max_tokens", "max_cost"):
            if getattr(self, name) is not None:
                option = f"--{name.replace('_', '-')}"
                raise UsageError(f"{option} is for a language model; name one with --model, or set MULTICUBE_MODEL.")


AS_CONFIGURED = EngineArguments()
"""Nothing given: what the environment says."""


def takes_model(*left_out: str) -> Callable[[Command], Command]:
    """Give a command the options that choose the engine; it gets them as one `EngineArguments`, its parameter
    ``thinking``.

    ``left_out`` names options that mean nothing to it.
    """

    def give(command: Command) -> Command:
        signature = inspect.signature(command, eval_str=True)
        added = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_default(name), annotation=annotation)
            for name, annotation in _OPTIONS.items()
            if name not in left_out
        ]
        own = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in signature.parameters.values()]
        at = next(n for n, p in enumerate(own) if p.name == "thinking")
        parameters = [*own[:at], *added, *own[at + 1 :]]

        def run(**given: Any) -> None:
            chosen = {p.name: given.pop(p.name) for p in added}
            command(**given, thinking=EngineArguments(**chosen))

        run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        return run

    return give


def _default(name: str) -> Any:
    return next(field.default for field in fields(EngineArguments) if field.name == name)


def announce(model: ModelOptions | None, *kinds: str) -> None:
    """Say on stderr which models think, and for which kinds of work; nothing where none does."""
    if model is None:
        return
    if model.engine == "both":
        if kinds == ("extract",):
            note("engine: both; the embedded engine reads the documents, and the model confirms or corrects answers")
            return
        note(f"engine: both, the embedded engine proposes, {models_at_work(model, ('read',))} and confirms or corrects")
        return
    note(f"engine: llm, {models_at_work(model, kinds)}")


def models_at_work(model: ModelOptions, kinds: tuple[str, ...]) -> str:
    """Say which model does which of these kinds of work: "gpt-4o reasons, gpt-4o-mini reads"."""
    from ..engines.llm.transport.chat_transport import transport_to

    models = model.models()
    work: dict[str, list[str]] = {}
    for kind in kinds:
        work.setdefault(transport_to(getattr(models, kind)).label, []).append(_KINDS[kind])
    return ", ".join(f"{label} {' and '.join(does)}" for label, does in work.items())


@contextmanager
def reporting_costs(opened: MultiCube) -> Iterator[None]:
    """Say on stderr at the end, also where it is an error, what the models cost; nothing if none was asked."""
    try:
        yield
    finally:
        report_costs(opened.spent)


def report_costs(usage: Usage) -> None:
    """Say on stderr what the models cost, if any was asked."""
    from ..views.terminal import spent

    if usage.requests or usage.cached:
        note(f"spent: {spent(usage)}")
