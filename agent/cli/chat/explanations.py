"""`/why N`: how a citation or a hop came about, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from ....cubes.core.errors import UsageError
from ....graphs.records import Citation, Evidence, Hop, Run
from ...views import terminal as rendering
from ...views.mermaid import answering
from ...views.text import clean

__all__ = ["why"]


def why(run: Run, asked: str, *, plain: bool = False) -> Iterator[Text]:
    """Explain citation N of a run, or hop N where it has no such citation; "hop N" insists on the hop.

    Raises UsageError where there is neither.
    """
    words = asked.lower().split()
    insists = bool(words) and words[0] == "hop"
    number = words[-1].strip("[]") if words else ""
    if not (number.isdecimal() and len(number) < 7) or len(words) > 1 + insists:
        raise UsageError(f"Say which: {_choices(run)}")
    citation = next((c for c in run.citations if c.number == int(number) and not insists), None)
    hop = next((h for h in run.hops if h.number == (citation.hop if citation else int(number))), None)
    if citation is None and hop is None:
        raise UsageError(f"There is no {'hop ' if insists else ''}{number} to explain; {_choices(run)}")
    return _explained(citation, hop, plain)


def _choices(run: Run) -> str:
    said = [
        f"{name} {'1' if count == 1 else f'1 to {count}'}"
        for name, count in (("citation", len(run.citations)), ("hop", len(run.hops)))
        if count
    ]
    return f"the run has {' and '.join(said)}." if said else "the run has no hops."


def _explained(citation: Citation | None, hop: Hop | None, plain: bool) -> Iterator[Text]:
    if citation is not None:
        head = Text(f"Citation [{citation.number}]: ", style="bold cyan")
        yield head.append(rendering.heading(citation), style="bold")
    if hop is None:
        return
    yield rendering.hop_asked(hop.number, hop.subquery)
    yield from rendering.hop_routed(hop.cubes, hop.route_reason)
    wanted = citation.section_id if citation is not None else None
    first = answering(hop)
    evidence = next((e for e in hop.evidence if e.section_id == wanted), first)
    if evidence is None:
        yield rendering.field("evidence", "none found", style="yellow")
        return
    yield from _cells(hop, evidence)
    yield from _section(hop, evidence, citation, plain)
    if hop.fact is not None and hop.fact.section_id == evidence.section_id:
        fact = hop.fact
        said = f"{fact.subject} — {fact.relation} — {fact.value}"
        by = " (corrected by a person)" if fact.origin == "person" else ""
        yield rendering.field("fact", clean(f"{said}{by}"))
    yield rendering.field("answer", clean(hop.answer) or "not found", style="green" if hop.answer else "yellow")
    if hop.status == "edited":
        yield rendering.field("note", "edited by a person", style="yellow")


def _cells(hop: Hop, evidence: Evidence) -> Iterator[Text]:
    """Each {dimension: entity} that was asked, with the label of this section that met it (eq. 8 and 9)."""
    met = {(m.cube, m.dimension, m.entity): [] for m in evidence.matches}  # type: ignore[var-annotated]
    for match in evidence.matches:
        met[match.cube, match.dimension, match.entity].append(match)
    asked = dict.fromkeys([(c.cube, c.dimension, c.entity) for c in hop.components] + list(met))
    for cube, dimension, entity in asked:
        labels = [f"{clean(m.label)} ({rendering.how(m)}, ×{m.count})" for m in met.get((cube, dimension, entity), ())]
        value = f"{cube}/{dimension}: {clean(entity)} → {'; '.join(labels) or 'no label of this section'}"
        yield rendering.field("cell", value)
    if not asked:
        yield rendering.field("cells", clean(hop.fallback or "none; passages were searched"), style="yellow")


def _section(hop: Hop, evidence: Evidence, citation: Citation | None, plain: bool) -> Iterator[Text]:
    found = f"rank {evidence.rank or 1}, {evidence.retriever}, score {evidence.score:.3g}"
    if evidence.asked:
        found += f", covers {evidence.covered} of {evidence.asked}"
    yield rendering.field("section", f"{rendering.heading(evidence)}  ({found})")
    if evidence.parts is not None:
        yield rendering.field("score", rendering.parts(evidence.parts), style="dim")
    source = f"{evidence.source} · " if evidence.source else ""
    yield rendering.field("source", clean(f"{source}record {evidence.record_id} · section {evidence.section_id}"))
    shown = citation if citation is not None else evidence
    if shown.sentence:
        line = rendering.field("sentence", "")
        yield line.append_text(rendering.emphasise(shown.sentence, hop.answers or (hop.answer,), plain=plain))
        yield rendering.field("place", f"characters {shown.start} to {shown.end} of the section", style="dim")
