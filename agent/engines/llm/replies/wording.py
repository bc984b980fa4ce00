"""What the prompts are filled with: cubes, documents and hops, in the words and forms that the papers' prompts use."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .....cubes.model.ontology import CubeSpec, Dimension, Ontology
from .....graphs.records import Evidence, Hop

if TYPE_CHECKING:
    from ...turns import Turn

__all__ = [
    "DOCUMENTS",
    "OVERVIEW",
    "conversation",
    "cube_name",
    "cubes_to_choose",
    "dimensions_of",
    "documents",
    "names_of",
    "schema_of",
    "steps",
]


def cube_name(spec: CubeSpec) -> str:
    """Return the name a router replies with ("CULTURAL_PRODUCT", Appendix A.3)."""
    return spec.id.upper()


DOCUMENTS = "DOCUMENTS"
"""The name a router replies with for retrieval over the chapters of documents (HiQA)."""

_DOCUMENTS = (
    "If the query is centered on what a document says, such as a manual, a datasheet, a report or a textbook, on a "
    "product that such documents describe, or on a section, a table or a figure of one, e.g., What is the absolute "
    "maximum supply voltage of the TPS2041B? Which pins does Table 4 list? You need to return "
    f'"{DOCUMENTS}" since the key information stands in the chapters of documents.'
)


OVERVIEW = "OVERVIEW"
"""The name a router replies with for what many sections imply together (SMART)."""

_OVERVIEW = (
    "If the query is centered on what several things have in common, on key factors, on an overview, or on a "
    "comparison of groups, which no single passage states, e.g., What do the painters of the colony have in common? "
    f'You need to return "{OVERVIEW}" since the key information is implied by many passages together.'
)


def cubes_to_choose(
    ontology: Ontology, *, documents: bool = False, overall: bool = False, short: bool = False
) -> str:
    """Return a paragraph for each cube in the manner of Appendix A.3, whatever the ontology; ``short`` makes it a line.

    ``documents`` adds one for retrieval over chapters, where there are documents that have them, ``overall`` one for
    abstractions, where these are built.
    """
    if short:
        about = {cube_name(spec): spec.description for spec in ontology.cubes}
        about |= {DOCUMENTS: "what a manual, a datasheet or a report says"} if documents else {}
        about |= {OVERVIEW: "what several things have in common"} if overall else {}
        return "\n".join(f"{name}: {words}" for name, words in about.items())
    added = [*([_DOCUMENTS] if documents else []), *([_OVERVIEW] if overall else [])]
    return "\n\n".join([*map(_choice, ontology.cubes), *added])


def _choice(spec: CubeSpec) -> str:
    examples = f", e.g., {' '.join(spec.examples)}" if spec.examples else "."
    need = f'You need to return "{cube_name(spec)}" since the key information is related to it.'
    return f"If the query is centered on {spec.description}{examples} {need}"


def names_of(ontology: Ontology, *, documents: bool = False, overall: bool = False) -> str:
    """Return the names that a router may reply with."""
    added = [*([DOCUMENTS] if documents else []), *([OVERVIEW] if overall else [])]
    names = [*map(cube_name, ontology.cubes), *added]
    return " or ".join(f'"{name}"' for name in names)


def dimensions_of(spec: CubeSpec) -> str:
    """Return a cube's dimensions, one a line, for the decomposition of a subquery (eq. 7)."""
    return "\n".join(f"- {_described(dimension)}" for dimension in spec.dimensions)


def schema_of(ontology: Ontology) -> str:
    """Return all cubes with all dimensions, for extraction in one pass (eq. 6)."""
    return "\n\n".join(f"Cube {spec.id} ({spec.description}):\n{dimensions_of(spec)}" for spec in ontology.cubes)


def _described(dimension: Dimension) -> str:
    kind = f", a {dimension.kind}" if dimension.role == "attribute" else ""
    phrases = list(dict.fromkeys(cue.relation for cue in dimension.cues))
    relations = f"; relations such as {', '.join(phrases)}" if dimension.role == "relation" and phrases else ""
    return f"{dimension.id} ({dimension.role}{kind}): {dimension.description}{relations}"


def documents(evidence: Sequence[Evidence]) -> str:
    """Return sections as one JSON object a line, so that no text can pass for another document."""
    return "\n".join(
        json.dumps({"id": document_id(n), "title": " > ".join(e.path) or e.title, "text": e.text}, ensure_ascii=False)
        for n, e in enumerate(evidence)
    )


def document_id(position: int) -> str:
    """Return the id by which a reply names the section at a position of the evidence."""
    return f"d{position + 1}"


def steps(hops: Iterable[Hop]) -> str:
    """Return the subqueries so far with their answers (eq. 11 and 13)."""
    return "\n".join(f"{hop.number}. {_line(hop.subquery)} Answer: {_line(_answer(hop))}" for hop in hops)


_TURNS = 8
"""Turns of a conversation that a follow-up question is read with, the newest."""


def conversation(turns: Sequence[Turn]) -> str:
    """Return the newest turns, oldest first: each question as it was asked, its steps and its answer."""
    return "\n\n".join(map(_turn, turns[-_TURNS:]))


def _turn(turn: Turn) -> str:
    lines = [f"Question: {_line(turn.run.question if turn.run is not None else turn.question)}"]
    if turn.run is not None and len(turn.run.hops) > 1:
        lines.append(steps(turn.run.hops))
    return "\n".join([*lines, f"Answer: {_line(turn.answer) or 'not found in the documents'}"])


def _answer(hop: Hop) -> str:
    return "; ".join(hop.answers) or hop.answer or "not found in the documents"


def _line(text: str) -> str:
    return " ".join(text.split())
