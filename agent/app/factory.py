"""Settles what is needed before a knowledge base is opened, made or asked: the engine, the reader, the question."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...cubes.core.errors import UsageError
from ...cubes.knowledge.base import KnowledgeBase
from ...cubes.model.ontology import Ontology, load_ontology, parse_ontology
from ...cubes.store.database import is_there
from ...graphs.records import LoopSettings
from ..engines.encoders.factory import encoder_factory

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from ...cubes.core.encoding import Encoder
    from ...cubes.ingest.authored_labels import AuthoredLabels
    from ..engines.embedded.options import EngineOptions
    from ..engines.embedded.reasoner import EmbeddedReasoner
    from ..engines.llm.engine import LlmEngine, ModelOptions
    from ..engines.llm.transport.spec import ModelSpec

    Model = str | ModelSpec | BaseChatModel | ModelOptions

__all__ = [
    "AUTO",
    "MAX_QUESTION_CHARS",
    "as_paths",
    "authored",
    "check_question",
    "chosen_model",
    "embedded_reasoner",
    "loop_defaults",
    "reading",
    "refinements",
    "refuse_empty",
    "writable",
]

AUTO = "auto"
"""The name of an ontology that is designed from the documents."""
DESIGN_SAMPLE = 200
"""Documents that a design looks at."""
MAX_QUESTION_CHARS = 4_000


def check_question(question: str | None) -> str:
    """Return the question trimmed; raises UsageError where it is no text, empty or too long to be one."""
    if not isinstance(question, str):
        raise UsageError(f"The question is no text but {type(question).__name__}; ask in words.")
    trimmed = " ".join(question.split())
    if not any(c.isalnum() for c in trimmed):
        raise UsageError('The question is empty; write one, such as "Who directed ...?"')
    if len(trimmed) > MAX_QUESTION_CHARS:
        raise UsageError(
            f"The question has {len(trimmed):,} characters; at most {MAX_QUESTION_CHARS:,} are read. "
            "Put long material into a document and ingest it."
        )
    return trimmed


def as_paths(paths: str | Path | Sequence[str | Path]) -> list[Path]:
    """Return files and folders as paths; a single one may be given alone."""
    return [Path(each) for each in ([paths] if isinstance(paths, str | Path) else paths)]


def chosen_model(model: Model | None, engine: str | None) -> ModelOptions | None:
    """Return what is to think; None is the embedded engine, for which nothing of the other is loaded."""
    named = [os.environ.get(f"MULTICUBE_{name}") for name in ("MODEL", "ENGINE")]
    if model is None and engine in (None, "embedded") and not any(named):
        return None
    from ..engines.llm.engine import model_options

    return model_options(model, engine)


def loop_defaults() -> LoopSettings:
    """Return the loop's settings where a program names none: the papers', with the keywords the environment names."""
    named = os.environ.get("MULTICUBE_KEYWORDS")
    if not named:
        return LoopSettings()
    from ...cubes.retrieval.hiqa.experts import read_keywords

    return LoopSettings(keywords=read_keywords(Path(named).expanduser()))


def refinements(model: ModelOptions | None, markdown: bool | None, figures: bool | None) -> tuple[bool, bool]:
    """Return whether a model is to format documents, and whether to describe figures; None is as the environment says.

    The environment's wish is for the ingests that have a model. Raises UsageError where a wish said outright has none.
    """
    if model is None:
        for asked, option in ((markdown, "--format-with-model"), (figures, "--describe-figures")):
            if asked:
                raise UsageError(f"{option} needs a language model; name one with --model, or set MULTICUBE_MODEL.")
        return False, False
    from .settings import load_settings

    settings = load_settings()
    return (
        settings.format_with_model if markdown is None else markdown,
        settings.describe_figures if figures is None else figures,
    )


def reading(
    engine: LlmEngine | None, ontology: Ontology, markdown: bool, figures: bool, labels: AuthoredLabels | None = None
) -> dict[str, Any]:
    """Return what reads the documents of an ingest: the extractor, and what refines them first on the same account.

    With ``labels`` these are imported, and nothing is extracted.
    """
    if labels is not None:
        from ...cubes.ingest.authored_labels import AuthoredExtractor

        return {"extractor": AuthoredExtractor(ontology, labels), "refiner": None}
    if engine is None or engine.options.engine == "both":
        from ...cubes.extraction.embedded import EmbeddedExtractor

        client = engine.extract.for_run(engine.options.ingest_caps) if engine is not None else None
        refiner = engine.refiner(client, markdown=markdown, figures=figures) if engine and client else None
        return {"extractor": EmbeddedExtractor(ontology), "refiner": refiner}
    extractor = engine.extractor(ontology)
    return {"extractor": extractor, "refiner": engine.refiner(extractor.client, markdown=markdown, figures=figures)}


def authored(labels: str | Path | AuthoredLabels | None) -> AuthoredLabels | None:
    """Read a file of authors' labels, if one is named."""
    if labels is None or not isinstance(labels, str | Path):
        return labels
    from ...cubes.ingest.authored_labels import read_labels

    return read_labels(Path(labels).expanduser())


def refuse_empty(paths: Sequence[Path], path: Path) -> None:
    """Make no knowledge base where there is nothing to put into it."""
    if is_there(path / "catalog.sqlite") or not all(p.exists() for p in paths):
        return
    from ...cubes.documents.loaders import scan
    from ...cubes.ingest.plan import nothing_to_read

    if not scan(paths):
        raise nothing_to_read(paths)


def writable(
    path: Path,
    ontology: str | Path | Ontology | None,
    encoder: str | Encoder | None,
    paths: Sequence[Path] = (),
    labels: AuthoredLabels | None = None,
) -> KnowledgeBase:
    """Open the knowledge base to extend, or create it.

    The ontology "auto" is designed from the documents at ``paths``, once: a knowledge base that has one of its own
    design keeps it. Without any, a new knowledge base of ``labels`` takes the one that these fit.
    """
    make = encoder_factory(encoder)
    if ontology == AUTO:
        chosen = None if _is_designed(path) else _designed(paths, make())
    elif ontology is None and labels is not None and not is_there(path / "catalog.sqlite"):
        from ...cubes.ingest.authored_labels import ontology_for

        chosen = ontology_for(labels)
    else:
        chosen = ontology if isinstance(ontology, Ontology) or ontology is None else load_ontology(ontology)
    return KnowledgeBase.create(path, ontology=chosen, encoder=make)


def _is_designed(path: Path) -> bool:
    """Whether a knowledge base has an ontology that was designed for it."""
    if not is_there(path / "catalog.sqlite"):
        return False
    with KnowledgeBase.open(path) as kb:
        return kb.ontology.name == AUTO


def _designed(paths: Sequence[Path], encoder: Encoder) -> Ontology:
    """Design an ontology by statistics over a sample of the documents (MultiCube-RAG A.1, Hypercube-RAG 3.2)."""
    from ...cubes import design
    from ...cubes.design.writing import ontology_text

    drawn = design.sample_documents(list(paths), DESIGN_SAMPLE, 0)
    proposal = design.design(drawn, design.StatisticalDesigner(encoder), encoder, design.DesignOptions(name=AUTO))
    return parse_ontology(ontology_text(proposal), "the design")


def embedded_reasoner(kb: KnowledgeBase, options: EngineOptions) -> EmbeddedReasoner:
    """Return the embedded engine for the present state of a knowledge base."""
    from ..engines.embedded.documents.document_index import build_document_index
    from ..engines.embedded.reasoner import EmbeddedReasoner
    from ..runs.state import retracted_facts

    built, documents = kb.perspectives is not None, kb.documents()
    return EmbeddedReasoner(
        kb.cubes, lambda i: kb.section(i).text, retracted_facts(kb), options, build_document_index(kb, documents),
        built=built,
        languages={document.language for document in documents},
    )
