"""A run as styled lines for a terminal; without colour the same lines read as plain text.

Everything here is a pure function from records to `rich.text.Text`. Text that comes from documents is cleaned
first and never read as markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from ...graphs.records import (
    AnswerTable,
    Citation,
    Evidence,
    FactRecord,
    Hop,
    LoopSettings,
    MatchRecord,
    ModelUsage,
    PartsRecord,
    Run,
    TableCell,
    Usage,
)
from ..runs.catalogue import RunSummary
from .mermaid import answering
from .styles import (
    LEAD_IN,
    STOPPED,
    cited_line,
    closest,
    columns,
    emphasise,
    field,
    heading,
    outcome,
    percent,
    quotation,
    searched,
    sureness,
    why_not,
)
from .text import clean, clean_block, shorten

__all__ = [
    "answer", "columns", "duration", "emphasise", "field", "heading", "hop_asked", "hop_found", "hop_routed", "how",
    "parts", "runs", "sections", "spent", "summary", "table", "trace",
]  # fmt: skip


def answer(run: Run) -> Iterator[Text]:
    """Render the answer, its quotation, its numbered citations and how sure it is, or plainly why there is none."""
    if run.answer:
        yield from _answer(run)
        yield from (Text(clean(note), style="dim") for note in (run.note,) if note)
    else:
        yield Text(f"No answer: {why_not(run)}", style="yellow")
        yield from closest(run)
    if run.table is not None:
        yield Text()
        yield from table(run.table)
    yield from quotation(run)
    if run.citations:
        yield Text()
    for citation in run.citations:
        yield cited_line(citation, run)
        yield from _figures(citation)
    for hop in run.hops:
        yield from _conflicts(hop, indent=0)
    if run.answer and run.stopped in ("iterations", "deadline"):
        yield Text(f"(cut short: {STOPPED[run.stopped]})", style="yellow")
    if run.answer and run.confidence:
        yield Text()
        yield Text(f"Confidence: {sureness(run.confidence)}", style="dim")


def _answer(run: Run) -> Iterator[Text]:
    if run.form != "passage":
        yield Text(clean(run.answer), style="bold green")
        return
    yield Text(LEAD_IN, style="dim")
    yield Text(clean_block(run.answer), style="green")


def table(answers: AnswerTable) -> Iterator[Text]:
    """Render the table of a question with several intents: each cell with the number of its citation."""
    rows = [[_table_cell(cell) for cell in row] for row in answers.rows]
    heads = [clean(column) for column in answers.columns]
    widths = [max(cell_len(text) for text in column) for column in zip(heads, *rows, strict=True)]
    for number, line in enumerate((heads, *rows)):
        padded = (text + " " * (width - cell_len(text)) for text, width in zip(line, widths, strict=True))
        yield Text("  ".join(padded).rstrip(), style="bold" if number == 0 else "")


def _table_cell(cell: TableCell) -> str:
    if not cell.value:
        return "–"
    return clean(cell.value) + (f" [{cell.citation}]" if cell.citation is not None else "")


def _figures(shown: Citation | Evidence) -> Iterator[Text]:
    """Render the images of a section: what each shows, and its file (HiQA A.3)."""
    for figure in shown.figures:
        said = clean(figure.caption or figure.description)
        yield Text(f"    figure: {said}{': ' if said else ''}", style="dim").append(clean(figure.path), style="cyan")


def trace(run: Run, *, plain: bool = False) -> Iterator[Text]:
    """Render every hop of a run; ``plain`` marks emphasis with asterisks where no style can show it."""
    yield field("Question", clean(run.question), indent=0)
    for hop in run.hops:
        yield Text()
        yield from _hop(hop, plain, clean(run.answer) if run.form == "passage" else "")
    yield Text()
    if run.answer:
        quoted = run.form == "passage"
        yield field("Answer", "" if quoted else clean(run.answer), indent=0, style="bold green")
        yield from _answer(run) if quoted else ()
    else:
        yield field("No answer", why_not(run), indent=0, style="yellow")
        yield from closest(run)
    if run.table is not None:
        yield from table(run.table)
    yield from quotation(run)
    for citation in run.citations:
        yield cited_line(citation, run)
        yield from _figures(citation)
    yield field("Run", summary(run), indent=0, style="dim")
    yield from _usage(run.usage)
    yield from _settings(run)


def _settings(run: Run) -> Iterator[Text]:
    """Render the settings that are not the default ones."""
    usual = LoopSettings().model_dump()
    changed = [f"{name}={value}" for name, value in run.settings.model_dump().items() if value != usual[name]]
    if changed:
        yield field("Settings", clean(", ".join(changed)), indent=0, style="dim")


def summary(run: Run) -> str:
    """Say in one line which run it is, how long it took and why it ended."""
    parts = [
        run.id,
        f"{len(run.hops)} {'hop' if len(run.hops) == 1 else 'hops'}",
        duration(run.ms),
        run.engine,
    ]
    if run.stopped:
        parts.append(f"stopped: {STOPPED.get(run.stopped, run.stopped)}")
    if run.confidence:
        parts.append(f"confidence {percent(run.confidence)}")
    if run.forked_from:
        parts.append(f"forked from {run.forked_from}")
    if run.filters:
        parts.append("only " + ", ".join(f"{k}={v}" for k, v in run.filters.items() if v))
    return clean(" · ".join(part for part in parts if part))


def _usage(usage: Usage) -> Iterator[Text]:
    """Render what the models cost, in all and by stage; nothing where none was asked."""
    if not (usage.requests or usage.cached):
        return
    yield field("Spent", spent(usage), indent=0, style="dim")
    for stage, part in usage.stages.items():
        yield field(stage, spent(part), style="dim")


def spent(usage: ModelUsage) -> str:
    """Say in one line what was spent, what of it failed or is an estimate, and what came out of the cache."""
    requests = f"{usage.requests:,} {'request' if usage.requests == 1 else 'requests'}"
    if usage.failed:
        requests += f" ({usage.failed:,} failed)"
    tokens = f"{usage.input_tokens:,} tokens read, {usage.output_tokens:,} written"
    if usage.estimated:
        tokens += " (estimated)" if usage.estimated >= usage.requests else " (partly estimated)"
    money = "price unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    parts = [requests, tokens, money] if usage.requests else ["nothing"]
    if usage.cached:
        parts.append(f"{usage.cached:,} {'reply' if usage.cached == 1 else 'replies'} from the cache")
    return ", ".join(parts)


def _hop(hop: Hop, plain: bool, quoted: str) -> Iterator[Text]:
    yield hop_asked(hop.number, hop.subquery)
    yield from hop_routed(hop.cubes, hop.route_reason)
    yield from hop_found(hop, plain=plain, quoted=quoted)


def hop_asked(number: int, subquery: str) -> Text:
    """Render what a hop asks."""
    return Text(f"Hop {number}: ", style="bold cyan").append(clean(subquery), style="bold")


def hop_routed(cubes: Sequence[str], reason: str) -> Iterator[Text]:
    """Render the cubes that a hop was sent to, and why; nothing where neither is known."""
    if cubes or reason:
        said = f"  ({clean(reason)})" if reason else ""
        yield field("cube" if len(cubes) == 1 else "cubes", (", ".join(cubes) or "none") + said)


def hop_found(hop: Hop, *, plain: bool = False, quoted: str = "") -> Iterator[Text]:
    """Render what a hop came to: the cells that it lit, its evidence and its sub-answer.

    ``quoted`` is a passage that is shown besides and is not to be said twice.
    """
    if hop.tools:
        yield field("searched", searched(hop.tools))
    yield from _cells(hop)
    for note in hop.notes:
        yield field("note", clean(note), style="yellow")
    if hop.fallback:
        yield field("fallback", clean(hop.fallback), style="yellow")
    yield from _statements(hop)
    yield from _evidence(hop, plain, quoted)
    yield from _conflicts(hop)
    for found in hop.findings:
        yield field("finding", f"{found.id}: {clean(found.text)} ({len(found.sections)} sections)")
    yield _sub_answer(hop, quoted)


def _statements(hop: Hop) -> Iterator[Text]:
    """Render each hypothetical query with its list, and what the fusion took from it (MuISQA eq. 7-12)."""
    if not hop.statements:
        return
    yield field("expanded", f"{clean(hop.expanded)}: {len(hop.statements)} hypothetical queries, no evidence")
    for one in hop.statements:
        intent = f" ({clean(one.intent)})" if one.intent else ""
        found = ", ".join(f"{clean(i)}{'*' if i in one.taken else ''}" for i in one.found) or "nothing"
        yield field("query", f"{one.hypothesis}{intent}: {clean(one.text)}", style="dim")
        yield field("found", f"{found}  ({len(one.taken)} of {len(one.found)} taken*)", style="dim")


def _cells(hop: Hop) -> Iterator[Text]:
    """Render each asked {dimension: entity} with the labels it met (Figure 5 of MultiCube-RAG)."""
    matches: dict[tuple[str, str, str], list[MatchRecord]]
    matches = {(c.cube, c.dimension, c.entity): [] for c in hop.components}
    for evidence in hop.evidence:
        for match in evidence.matches:
            found = matches.setdefault((match.cube, match.dimension, match.entity), [])
            if all(match.label != other.label for other in found):
                found.append(match)
    for (cube, dimension, entity), found in matches.items():
        labels = "; ".join(f"{clean(match.label)} ({how(match)})" for match in found) or "no label matches"
        yield field("cell", f"{cube}/{dimension}: {clean(entity)} → {labels}")
    for cell in hop.cells:
        told = ", ".join(f"{dimension}: {clean(label)}" for dimension, label in cell.labels)
        yield field("cell", f"{cell.cube} ⟨{told}⟩" + (f" → {cell.holds}" if cell.holds is not None else ""))
        if cell.joined:
            yield field("join", clean(cell.joined))


def how(match: MatchRecord) -> str:
    """Say how a label was matched: "exact", or "dense" with the similarity."""
    return "exact" if match.route == "exact" else f"dense {match.similarity:.2f}"


def _evidence(hop: Hop, plain: bool, quoted: str) -> Iterator[Text]:
    first = answering(hop)
    if first is None:
        yield field("evidence", "none found", style="yellow")
        return
    if first.sentence and clean(first.sentence) in quoted:
        yield field("evidence", f"{heading(first)}: quoted below")
    else:
        line = field("evidence", f"{heading(first)}: ")
        said = first.sentence or shorten(first.text, 200)
        yield line.append_text(emphasise(said, hop.answers or (hop.answer,), plain=plain))
    if first.parts is not None:
        yield field("score", f"{first.score:.3g} = {parts(first.parts)}", style="dim")
    for other in hop.evidence:
        if other is not first:
            yield field("also", f"{heading(other)}{_cover(other)}", style="dim")


def _cover(evidence: Evidence) -> str:
    """Say what an evidence section matched, and how often (Table 6 of Hypercube-RAG)."""
    if evidence.parts is not None:
        return f"  ({evidence.retriever} {evidence.score:.3g} = {parts(evidence.parts)})"
    if not evidence.matches:
        return f"  ({evidence.retriever} {evidence.score:.3g})"
    cells = ", ".join(f"{m.dimension}: {clean(m.label)} ×{m.count}" for m in evidence.matches)
    return f"  ({evidence.covered} of {evidence.asked}; {cells})"


def parts(made: PartsRecord) -> str:
    """Say what a multi-route score is made of (HiQA equation 2).

    >>> parts(PartsRecord(vector=0.91, words=0.5, keywords=("TPS-2041B",), alpha=0.6, beta=0.25))
    '0.60·vector 0.91 + 0.40·words 0.50 + 0.25·log(1+1 keyword: TPS-2041B)'
    """
    count = len(made.keywords)
    named = f": {', '.join(clean(keyword) for keyword in made.keywords)}" if made.keywords else ""
    keywords = f"log(1+{count} {'keyword' if count == 1 else 'keywords'}{named})"
    vector, words = f"{made.alpha:.2f}·vector {made.vector:.2f}", f"{1 - made.alpha:.2f}·words {made.words:.2f}"
    return f"{vector} + {words} + {made.beta:.2f}·{keywords}"


def _conflicts(hop: Hop, indent: int = 2) -> Iterator[Text]:
    if not hop.conflicts:
        return
    titles = {e.section_id: heading(e) for e in hop.evidence}
    facts = [hop.fact, *hop.conflicts] if hop.fact else [*hop.conflicts]
    said = "; ".join(f"“{clean(f.value)}” in {titles.get(f.section_id, f.section_id)}" for f in facts)
    yield field("conflict", f"sections disagree: {said}", indent=indent, style="yellow")
    for fact in hop.conflicts:
        yield _quote(fact)


def _quote(fact: FactRecord) -> Text:
    return Text("             ").append_text(emphasise(fact.sentence, (fact.value,)))


def _sub_answer(hop: Hop, quoted: str) -> Text:
    notes = [f"retrieval {duration(hop.retrieval_ms)}", f"hop {duration(hop.ms)}"]
    if hop.confidence:
        notes.insert(0, f"confidence {hop.confidence:.2f}")
    if hop.status == "edited":
        notes.insert(0, "edited by a person")
    if hop.bridge:
        notes.insert(0, f"the next hop goes on from “{clean(hop.bridge)}”")
    said = "quoted below" if quoted and clean(hop.answer) == quoted else clean(hop.answer)
    line = field("answer", said or "not found", style="green" if hop.answer else "yellow")
    return line.append(f"  ({', '.join(notes)})", style="dim")


def sections(run: Run) -> Iterator[Text]:
    """Render in full the sections that the answer cites (all retrieved ones, where nothing is cited)."""
    cited = {citation.section_id for citation in run.citations}
    shown: dict[str, Evidence] = {}
    for hop in run.hops:
        for evidence in hop.evidence:
            if not cited or evidence.section_id in cited:
                shown.setdefault(evidence.section_id, evidence)
    for evidence in shown.values():
        yield Text()
        yield Text(heading(evidence), style="bold").append(f"  {clean(evidence.source)}", style="dim")
        yield Text(clean_block(evidence.text))
        yield from _figures(evidence)


def runs(found: Sequence[RunSummary], width: int | None = None) -> Iterator[Text]:
    """Render a list of runs: id, when, hops, question, answer; a run stands on one line of ``width`` characters."""
    question, answer = _room(found, width)
    rows = [
        (
            run.id,
            run.started_at[:16].replace("T", " "),
            str(run.hops),
            shorten(run.question, question),
            shorten(run.answer or outcome(run.status), answer),
        )
        for run in found
    ]
    return columns(("run", "when", "hops", "question", "answer"), rows)


def _room(found: Sequence[RunSummary], width: int | None) -> tuple[int, int]:
    """Return how long questions and answers may be in a list of runs."""
    if width is None:
        return 90, 60
    left = width - max((len(run.id) for run in found), default=0) - len("2026-11-22 10:00") - len("hops") - 4 * 2
    asked = max(left * 3 // 5, len("question"))
    return asked, max(left - asked, len("answer"))


def duration(ms: float) -> str:
    """Render milliseconds as a person reads them: "0.4 ms", "12 ms", "1.3 s"."""
    if ms >= 1000:
        return f"{ms / 1000:.1f} s"
    return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms"
