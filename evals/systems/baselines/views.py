"""Views of a knowledge base: the same sections and vectors by other cubes, for a system that shall have no others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from ....cubes.core.errors import UsageError
from ....cubes.core.records import Fact
from ....cubes.model.cells import CubeSet
from ....cubes.model.ontology import Ontology
from ....cubes.retrieval.retriever import Retriever

if TYPE_CHECKING:
    from ....cubes.knowledge.base import KnowledgeBase

__all__ = ["keeping", "view", "without"]


class _View:
    """A knowledge base with an ontology of its own; all that does not depend on cubes is the one below's."""

    def __init__(self, below: KnowledgeBase, ontology: Ontology, facts: Sequence[Fact]) -> None:
        self._below, self._facts = below, facts
        self.ontology = ontology

    @cached_property
    def cubes(self) -> CubeSet:
        """The cubes of the facts that there are here."""
        return CubeSet.build(self.ontology, self._below.cubes.texts.sections, self._facts)

    @cached_property
    def retriever(self) -> Retriever:
        """Retrieval by these cubes alone."""
        return self._below.retriever.over(self.cubes)

    def settled(self) -> _View:
        """Return this view, whose facts do not move on."""
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._below, name)


def view(kb: KnowledgeBase, ontology: Ontology, facts: Sequence[Fact]) -> KnowledgeBase:
    """Return the knowledge base as it would be with this ontology and these facts; nothing is written."""
    return cast("KnowledgeBase", _View(kb, ontology, facts))


def keeping(kb: KnowledgeBase, cubes: Collection[str]) -> KnowledgeBase:
    """Return the knowledge base as it would be with these cubes alone; UsageError where one is not there."""
    held = [spec.id for spec in kb.ontology.cubes]
    for cube in cubes:
        if cube not in held:
            raise UsageError(
                f'There is no cube "{cube}" in this knowledge base, whose ontology is "{kb.ontology.name}"; '
                f"its cubes are: {', '.join(held)}."
            )
    specs = tuple(spec for spec in kb.ontology.cubes if spec.id in cubes)
    if not specs:
        raise UsageError("Without any cube there is nothing to compare; the ablation no-cubes searches passages alone.")
    ontology = kb.ontology.model_copy(update={"cubes": specs})
    return view(kb, ontology, [fact for cube in kb.cubes if cube.spec.id in cubes for fact in cube.facts()])


def without(kb: KnowledgeBase, cube: str, preset: Collection[str] | None = None) -> KnowledgeBase:
    """Return the knowledge base without one cube, of all that it has or of those of a preset."""
    kept = [spec.id for spec in kb.ontology.cubes] if preset is None else list(preset)
    if cube not in kept:
        raise UsageError(f'There is no cube "{cube}" to leave out; choose from {", ".join(kept)}.')
    return keeping(kb, [each for each in kept if each != cube])
