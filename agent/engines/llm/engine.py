"""The language-model engine put together: clients for the three kinds of work, their prompts, cache and limits."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ....cubes.core.errors import UsageError
from ....cubes.core.spending import CACHE_FILE, JOURNAL_FILE
from ....cubes.model.ontology import Ontology
from ....graphs.records import Usage
from ....prompts import SIZES, PromptError, PromptLibrary, Size
from .aptitude import Aptitude, AptitudeMemory
from .client import ModelClient, total_usage
from .cost.cache import ReplyCache
from .cost.limits import Caps
from .cost.prices import Prices
from .ingest.describer import FigureDescriber
from .ingest.extractor import LlmExtractor
from .ingest.formatter import MarkdownFormatter
from .ingest.refiner import LlmRefiner
from .loop.both import BothReasoner, ProposingReasoner
from .loop.reasoner import LlmReasoner
from .transport.chat_transport import transport_to
from .transport.retries import Retry
from .transport.spec import ModelRoles, ModelSpec
from .transport.structured import ModeMemory

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from ....graphs.reasoner import Reasoner

__all__ = [
    "LlmEngine",
    "ModelOptions",
    "aptitude_of",
    "aptitudes",
    "checked",
    "identity_of",
    "load_prompts",
    "model_options",
    "size_named",
    "with_prompts",
]

INGEST_PATIENCE_S = 900.0
"""How long an ingest goes on with an endpoint that fails: nobody waits for it, and it may run overnight."""
_COMPANIONS = ("READ_MODEL", "EXTRACT_MODEL", "PROMPTS")


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which models think, with which prompts, and what they may spend.

    ``model`` reasons and routes, and reads and extracts too where ``read`` and ``extract`` name no others (the paper
    uses two models, 4.4). ``run_caps`` bound one question, ``ingest_caps`` one ingest, ``total_caps`` all questions
    together. ``prompts`` is a folder whose files replace the package's prompts. ``cache`` False asks anew what was
    asked before; only an ingest that was interrupted still goes on without paying twice. ``concurrency`` is how many
    sections are read at a time. ``engine`` "both" lets the embedded engine read documents and propose each step, and
    the model confirm or correct it. ``size`` are the prompts that models of that size do best with; None is what
    `multicube doctor` has found out, or the papers' own.
    """

    model: str | ModelSpec | BaseChatModel
    read: str | ModelSpec | BaseChatModel | None = None
    extract: str | ModelSpec | BaseChatModel | None = None
    prompts: Path | None = None
    run_caps: Caps = field(default_factory=Caps)
    ingest_caps: Caps = field(default_factory=Caps)
    total_caps: Caps = field(default_factory=Caps)
    cache: bool = True
    concurrency: int = 8
    engine: Literal["llm", "both"] = "llm"
    size: Size | None = None

    @property
    def identity(self) -> str:
        """The models and the prompts of one's own: what replies depend on."""
        models = self.models()
        labels = dict.fromkeys(transport_to(model).label for model in (models.reason, models.read, models.extract))
        library = load_prompts(self.prompts)
        own = [library[name].fingerprint for name in sorted(library.replaced)]
        return " + ".join((*labels, *own, *([f"{self.size} prompts"] if self.size else [])))

    @property
    def thinking(self) -> str:
        """The engine with what its replies depend on, as results name it."""
        return f"{self.engine} {self.identity}"

    def models(self) -> ModelRoles:
        """Return the model of each kind of work; raises UsageError for words that name none."""
        return ModelRoles.of(self.model, read=self.read, extract=self.extract)


def model_options(
    model: str | ModelSpec | BaseChatModel | ModelOptions | None = None,
    engine: str | None = None,
    env: Mapping[str, str] | None = None,
) -> ModelOptions | None:
    """Return what to think with: as given, else as MULTICUBE_MODEL and its companions say; None is the embedded engine.

    ``engine`` "embedded", "llm" or "both" insists on one of these. Raises UsageError where "llm" or "both" finds no
    model, or the name is of no engine.
    """
    env = os.environ if env is None else env
    if isinstance(model, ModelOptions) and engine is None:
        return model
    engine = engine or env.get("MULTICUBE_ENGINE") or None
    if engine not in (None, "embedded", "llm", "both"):
        raise UsageError(f"There is no engine '{engine}'; use embedded, llm or both.")
    chosen: Literal["llm", "both"] = "both" if engine == "both" else "llm"
    if isinstance(model, ModelOptions):
        return replace(model, engine=chosen) if engine in ("llm", "both") else model
    if engine == "embedded":
        if model is not None:
            raise UsageError("The embedded engine uses no model; leave --model away, or use --engine llm.")
        return None
    named = model if model is not None else env.get("MULTICUBE_MODEL", "").strip() or None
    if named is None:
        if engine in ("llm", "both"):
            raise UsageError(f"--engine {engine} needs a model: name one with --model NAME, or set MULTICUBE_MODEL.")
        return None
    read, extract, prompts = (env.get(f"MULTICUBE_{name}", "").strip() or None for name in _COMPANIONS)
    made = ModelOptions(named, read, extract, engine=chosen)
    return with_prompts(made, Path(prompts)) if prompts else made


def with_prompts(options: ModelOptions, prompts: Path) -> ModelOptions:
    """Return the options with the prompts that a person names: a size ("papers", "short"), or a folder of their own."""
    size = size_named(prompts)
    return replace(options, size=size) if size is not None else replace(options, prompts=prompts)


def size_named(prompts: Path | None) -> Size | None:
    """Return the size of prompts that a person names in place of a folder; None for a folder."""
    return next((size for size in SIZES if str(prompts) == size), None)


def checked(options: ModelOptions) -> ModelOptions:
    """Return the options, if they can be used; raises UsageError before anything is opened for them."""
    options.models()
    load_prompts(options.prompts)
    return options


def load_prompts(folder: Path | None, size: Size = "papers") -> PromptLibrary:
    """Load the prompts; raises UsageError naming the file and what is wrong in it."""
    try:
        return PromptLibrary.load(folder, size)
    except PromptError as error:
        raise UsageError(str(error)) from error


def aptitudes(cache_dir: Path) -> AptitudeMemory:
    """Return the memory of what models were found to be good at."""
    return AptitudeMemory(cache_dir / "models.json")


def aptitude_of(model: ModelSpec | BaseChatModel, cache_dir: Path) -> Aptitude | None:
    """Return what a model was found to be good at; None where nobody has tried."""
    return aptitudes(cache_dir).get(identity_of(model))


def identity_of(model: ModelSpec | BaseChatModel) -> str:
    """Return the endpoint and the model, as what is known of them is kept."""
    wire = transport_to(model)
    return f"{wire.endpoint} {wire.model}"


class LlmEngine:
    """Makes reasoners and extractors that share clients, a reply cache and what is known of the endpoint.

    ``folder`` is the knowledge base's, where replies are kept; ``cache_dir`` is where what an endpoint can do is.
    ``reason`` decides the steps and routes, ``read`` reads answers off sections, ``extract`` extracts facts, within the
    caps of an ingest.
    """

    def __init__(self, options: ModelOptions, folder: Path, cache_dir: Path) -> None:
        self.options = options
        self._modes = ModeMemory(cache_dir / "endpoints.json")
        self._prices = Prices.load()
        self._cache = ReplyCache(folder / CACHE_FILE, shared=True) if options.cache else None
        self._journal = ReplyCache(folder / JOURNAL_FILE) if self._cache is None else None
        models = options.models()
        found = aptitude_of(models.reason, cache_dir)
        self._apt = found is not None and found.is_apt
        self.library = load_prompts(options.prompts, options.size or (found.size if found is not None else "papers"))
        caps = options.total_caps
        self.reason = self._client(models.reason, self._cache, caps)
        self.read = self.reason if models.read is models.reason else self._client(models.read, self._cache, caps)
        self.extract = self._client(
            models.extract, self._journal if self._cache is None else self._cache, retry=Retry(INGEST_PATIENCE_S)
        )

    def reasoner(
        self,
        ontology: Ontology,
        on_token: Callable[[str], None] | None = None,
        *,
        documents: bool = False,
        overall: bool = False,
        helper: Callable[[], Reasoner] | None = None,
    ) -> LlmReasoner:
        """Return what decides in the loop; ``on_token`` is shown the final answer as it is written.

        ``documents`` says that the knowledge base holds documents with chapters, ``overall`` that its abstractions
        are built; ``helper`` makes the engine that decides where a reply cannot be used.
        """
        caps = self.options.run_caps
        return LlmReasoner(
            ontology, self.library, reason=self.reason, read=self.read, caps=caps, on_token=on_token,
            documents=documents, overall=overall, helper=helper,
        )  # fmt: skip

    def both(self, engine: Callable[[], ProposingReasoner], model: LlmReasoner) -> BothReasoner:
        """Return what lets the embedded engine propose and a model confirm or correct."""
        return BothReasoner(engine, model, apt=self._apt)

    def extractor(self, ontology: Ontology) -> LlmExtractor:
        """Return what builds the cubes in one ingest, within its caps."""
        return LlmExtractor(
            ontology,
            self.library,
            self.extract.for_run(self.options.ingest_caps),
            concurrency=self.options.concurrency,
            on_finished=self._journal.discard if self._journal is not None else None,
        )

    def refiner(self, client: ModelClient, *, markdown: bool, figures: bool) -> LlmRefiner | None:
        """Return what formats documents, describes their figures, or both; None where neither is asked for.

        ``client`` is the extractor's, so that one ingest has one account.
        """
        if not (markdown or figures):
            return None
        return LlmRefiner(
            client,
            MarkdownFormatter(self.library["markdown_formatting"], client) if markdown else None,
            FigureDescriber(self.library["figure_description"], client) if figures else None,
        )

    def clients(self) -> dict[str, ModelClient]:
        """Return the client of each kind of work."""
        return {"reason": self.reason, "read": self.read, "extract": self.extract}

    @property
    def usage(self) -> Usage:
        """What has been spent by all clients together."""
        return total_usage(self.clients().values())

    def close(self) -> None:
        """Close the reply cache."""
        for cache in (self._cache, self._journal):
            if cache is not None:
                cache.close()

    def _client(
        self,
        model: ModelSpec | BaseChatModel,
        cache: ReplyCache | None,
        caps: Caps | None = None,
        retry: Retry | None = None,
    ) -> ModelClient:
        return ModelClient(
            model, cache=cache, modes=self._modes, caps=caps, prices=self._prices, retry=retry,
            repair=self.library["repair"],
        )  # fmt: skip
