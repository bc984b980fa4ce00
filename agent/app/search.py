"""Each way of finding sections, by its name, for programs and agents that search without asking the whole loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

from ...cubes.core.errors import UsageError
from ...graphs.reasoner import HIQA, SMART
from ...graphs.records import Evidence, LoopSettings

if TYPE_CHECKING:
    from ...cubes.core.records import Filters
    from ...cubes.model.ontology import CubeSpec
    from ...graphs.context import AnswerContext
    from .protocol import QuestionAnswering

__all__ = ["MAX_QUERY_CHARS", "RETRIEVERS", "RetrieverName", "find_sections", "retrievers"]

RetrieverName = Literal["passages", "hybrid", "bm25", "dense", "hiqa", "smart", "cubes"]
RETRIEVERS: tuple[str, ...] = get_args(RetrieverName)
"""The retrievers by name.

"passages" is by words, meaning and the names in what is found; "bm25" by words, "dense" by meaning, "hybrid" by both
fused; "hiqa" weighs the chapters of documents (HiQA equation 2); "smart" adds what many sections imply together;
"cubes" routes the query to the cubes that fit and looks up the cells, "cube:ID" looks into one.
"""
MAX_QUERY_CHARS = 4_000
_CUBE = "cube:"


def retrievers(kb: QuestionAnswering) -> tuple[str, ...]:
    """Return the names that `find_sections` takes with this knowledge base; "smart" where its trees are built."""
    built = [name for name in RETRIEVERS if name != SMART or kb.kb.perspectives is not None]
    return (*built, *(f"{_CUBE}{spec.id}" for spec in kb.kb.ontology.cubes))


def find_sections(
    kb: QuestionAnswering, retriever: str, query: str, k: int = 5, filters: Filters | None = None
) -> list[Evidence]:
    """Return the ``k`` sections that a retriever ranks highest for a query, each with why it was found.

    "smart" may bring more: the sections that its findings rest on. Raises UsageError for an empty or over-long query,
    a name that is no retriever's, and filters that no document fits.
    """
    text, context = _checked(query), kb.context()
    settings = _settings(kb, k)
    if filters and not kb.kb.retriever.allows(filters):
        raise UsageError("No document fits the filters (source, metadata or dates).")
    allowed = filters.as_json() if filters else None
    if retriever in ("hybrid", "bm25", "dense", "passages"):
        from ...graphs.tools import search_passages

        mode = "cubes" if retriever == "passages" else retriever
        return search_passages(text, settings.model_copy(update={"retrieval": mode}), allowed, context)
    if retriever == HIQA:
        from ...graphs.tools import search_hiqa

        return search_hiqa(text, settings, allowed, context)
    if retriever == SMART:
        return _smart(kb, text, settings, allowed, context)
    return _cells(_cubes(kb, retriever, text, context), text, settings, allowed, context)


def _checked(query: str) -> str:
    text = " ".join(query.split())
    if not any(c.isalnum() for c in text):
        raise UsageError("The query is empty; say in words what is looked for.")
    if len(text) > MAX_QUERY_CHARS:
        raise UsageError(f"The query has {len(text):,} characters; at most {MAX_QUERY_CHARS:,} are read.")
    return text


def _settings(kb: QuestionAnswering, k: int) -> LoopSettings:
    if not 1 <= k <= 100:
        raise UsageError(f"{k} sections cannot be asked for; ask for 1 to 100.")
    return kb.settings.model_copy(update={"sections_per_hop": k})


def _smart(
    kb: QuestionAnswering, text: str, settings: LoopSettings, allowed: dict[str, object] | None, context: AnswerContext
) -> list[Evidence]:
    if kb.kb.perspectives is None:
        raise UsageError("The trees of 'smart' are not built here; use another retriever, such as 'passages'.")
    from ...graphs.comprehensive import search_smart

    return search_smart(text, settings, allowed, context)


def _cubes(kb: QuestionAnswering, retriever: str, text: str, context: AnswerContext) -> list[CubeSpec]:
    """The cubes to look into: the one that is named, or those that the engine routes the query to."""
    specs = {spec.id: spec for spec in kb.kb.ontology.cubes}
    if retriever == "cubes":
        return [specs[cube] for cube in context.reasoner.route(text).cubes if cube in specs]
    cube = retriever.removeprefix(_CUBE)
    if cube == retriever or cube not in specs:
        raise UsageError(f"There is no retriever '{retriever}'; use one of: {', '.join(retrievers(kb))}.")
    return [specs[cube]]


def _cells(
    specs: Sequence[CubeSpec],
    text: str,
    settings: LoopSettings,
    allowed: dict[str, object] | None,
    context: AnswerContext,
) -> list[Evidence]:
    from ...graphs.evidence import merge_evidence
    from ...graphs.tools import search_cube

    found = [search_cube(spec, text, settings, allowed, context)[0] for spec in specs]
    return merge_evidence(found, settings.sections_per_hop)
