"""What happens during a run, as small typed events for the command line, the page and the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ...graphs.records import Hop, Run

__all__ = ["Event", "EventKind", "translate"]

EventKind = Literal["started", "subquery", "route", "retrieved", "answered", "token", "final"]


class Event(BaseModel):
    """One step of a run.

    ``hop`` is its number from 1; ``answered`` carries the hop, ``final`` the run; ``token`` is a piece of the final
    answer while a model writes it (``note``). ``started`` names the run (``note``): from then on it is kept.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: EventKind
    hop: int
    subquery: str = ""
    cubes: tuple[str, ...] = ()
    note: str = ""
    sections: tuple[str, ...] = ()
    record: Hop | None = None
    run: Run | None = None


def translate(node: str, change: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[Event]:
    """Turn one node's update of the graph into the events a person follows."""
    number = len(values.get("hops") or ()) + 1
    subquery = values.get("subquery", "")
    if node == "reason" and change.get("subquery"):
        yield Event(kind="subquery", hop=number, subquery=change["subquery"])
    elif node == "route":
        yield Event(
            kind="route",
            hop=number,
            subquery=subquery,
            cubes=tuple(change["cubes"]),
            note=change["route_reason"],
        )
    elif node == "expand":
        titles = tuple(e.title or e.record_id for e in change["evidence"])
        yield Event(kind="retrieved", hop=number, subquery=subquery, sections=titles, note=change["fallback"] or "")
    elif node == "answer":
        hop = change["hops"][-1]
        yield Event(kind="answered", hop=hop.number, subquery=hop.subquery, cubes=hop.cubes, record=hop)
