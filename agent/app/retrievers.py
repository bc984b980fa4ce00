"""Each way of finding sections as a LangChain retriever, to stand in any chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from ...cubes.core.errors import UsageError
from ...graphs.records import Evidence
from .search import find_sections, retrievers

if TYPE_CHECKING:
    from ...cubes.core.records import Filters
    from .protocol import QuestionAnswering

__all__ = ["SectionRetriever", "document_of", "section_retriever"]


class SectionRetriever(BaseRetriever):
    """Finds the ``k`` sections of a knowledge base that rank highest for a query; `searching` names the ways.

    A document's text is its section's. Its metadata: ``section_id``, ``document_id``, ``record_id``, ``title``,
    ``path`` (the headings above it), ``source``, ``retriever``, ``rank``, ``score`` (of the retriever's own scale),
    ``spans`` (the sentence that fits best, as [start, end) in the text), ``sentence``, and where labels were matched
    ``matches``.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    kb: Any = Field(repr=False, exclude=True)
    retriever: str = "hybrid"
    k: int = Field(5, ge=1, le=100)
    filters: Any = None

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun  # noqa: ARG002
    ) -> list[Document]:
        found = find_sections(self.kb, self.retriever, query, self.k, self.filters)
        return [document_of(each) for each in found]


def section_retriever(kb: QuestionAnswering, name: str, k: int, filters: Filters | None) -> SectionRetriever:
    """Return a retriever by its name; raises UsageError where there is none of it."""
    if name not in retrievers(kb):
        raise UsageError(f"There is no retriever '{name}' here; use one of: {', '.join(retrievers(kb))}.")
    if not 1 <= k <= 100:
        raise UsageError(f"{k} sections cannot be asked for; ask for 1 to 100.")
    return SectionRetriever(kb=kb, retriever=name, k=k, filters=filters, tags=["multicube", name])


def document_of(found: Evidence) -> Document:
    """Return a found section as LangChain's document, with where it stands and why it was found."""
    metadata: dict[str, Any] = {
        "section_id": found.section_id,
        "document_id": found.document_id,
        "record_id": found.record_id,
        "title": found.title,
        "path": list(found.path),
        "source": found.source,
        "retriever": found.retriever,
        "rank": found.rank,
        "score": found.score,
        "spans": [[found.start, found.end]] if found.end > found.start else [],
        "sentence": found.sentence,
    }
    if found.page is not None:
        metadata["page"] = found.page
    if found.matches:
        metadata["matches"] = [match.model_dump() for match in found.matches]
    return Document(id=found.section_id, page_content=found.text, metadata=metadata)
