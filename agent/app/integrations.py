"""A knowledge base as LangChain and LangGraph take it: tools, retrievers, the context of its graph."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool

    from ...cubes.core.records import Filters
    from ...graphs.context import AnswerContext
    from .protocol import QuestionAnswering
    from .retrievers import SectionRetriever

__all__ = ["AgentIntegrations"]


class AgentIntegrations(ABC):
    """What can be asked, can be handed to an agent as tools."""

    @abstractmethod
    def _context(self, deadline_s: float | None) -> AnswerContext:
        """Make the context of one run."""

    def as_tool(
        self, name: str = "ask_documents", description: str | None = None, *, filters: Filters | None = None
    ) -> StructuredTool:
        """Return the whole agent as one LangChain tool, sync and async: a question in, a cited answer out.

        The content is the answer with its numbered citations, for a model to read; the artifact is the `Run`.
        ``description`` tells a model when to use it; ``filters`` restrict it to some documents.
        """
        from .langchain_tools import ask_tool

        return ask_tool(cast("QuestionAnswering", self), name, description, filters)

    def tools(self, *, prefix: str = "", filters: Filters | None = None) -> list[StructuredTool]:
        """Return the agent and each of its parts as LangChain tools, for an agent that would rather plan itself.

        These are ``ask``, a ``search_...`` for each retriever and cube (the artifact: a list of `Evidence`),
        ``cube_lookup`` (a `lookup.LookupResult`) and ``trace`` (a `Run`). ``prefix`` goes before each name; ``filters``
        restrict asking and searching to some documents.
        """
        from .langchain_tools import all_tools

        return all_tools(cast("QuestionAnswering", self), prefix, filters)

    def retriever(self, name: str = "hybrid", *, k: int = 5, filters: Filters | None = None) -> SectionRetriever:
        """Return one way of finding sections as a LangChain retriever, sync and async.

        ``name`` is "passages", "hybrid", "bm25", "dense", "hiqa", "smart", "cubes" or "cube:ID" (`searching`); ``k``
        how many sections are returned. Raises UsageError for another name, and for "smart" where it is not built.
        """
        from .retrievers import section_retriever

        return section_retriever(cast("QuestionAnswering", self), name, k, filters)

    def context(self, deadline_s: float | None = None) -> AnswerContext:
        """Return what the nodes of `graph` need, for one run of at most ``deadline_s`` seconds (None: no limit).

        A parent graph may leave it out: then the graph makes its own.
        """
        return self._context(deadline_s)
