"""A run as a page of its own: one file that opens anywhere, asks for nothing, and shows text as text."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Iterable, Iterator, Sequence

from ...graphs.records import AnswerTable, CellRecord, Citation, Evidence, FigureRecord, Hop, MatchRecord, Quote, Run
from .mermaid import answering
from .styles import LEAD_IN, heading, quotation, searched, sureness, why_not
from .terminal import duration, how, parts, spent
from .text import clean, clean_block

__all__ = ["trace_page"]

_STYLE = """
:root{color-scheme:light dark;--ink:#1d2430;--soft:#566174;--line:#d5dbe5;--page:#fff;--card:#f6f8fb;--link:#174ea6;
--good:#1b6e3c;--warn:#8a4b00;--mark:#fff0b3;--mark-ink:#1d2430}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ef;--soft:#a4aebe;--line:#38414f;--page:#14171c;--card:#1c2128;
--link:#9cc2ff;--good:#7fd6a0;--warn:#f0b56a;--mark:#5a4a00;--mark-ink:#fff6d6}}
*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);margin:0}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}h1{font-size:1.4rem;line-height:1.3;margin:.2rem 0 1rem}
h2{font-size:1.1rem;margin:0 0 .6rem}a{color:var(--link)}p{margin:.4rem 0}
.soft{color:var(--soft)}.answer{font-size:1.25rem;font-weight:600;color:var(--good)}.none,.warn{color:var(--warn)}
.hop{border:1px solid var(--line);border-radius:.6rem;background:var(--card);padding:1rem;margin:1.2rem 0}
dl{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.35rem 1rem;margin:.4rem 0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}ul,ol{margin:.2rem 0;padding-left:1.3rem}
table{border-collapse:collapse;margin:.4rem 0;display:block;overflow-x:auto}
th,td{border:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top}th{font-weight:600}
mark{background:var(--mark);color:var(--mark-ink);padding:0 .1em;border-radius:.15em}
details{margin:.3rem 0}summary{cursor:pointer}.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0 .8rem;
padding:.6rem .8rem;border-left:3px solid var(--line)}:target{outline:2px solid var(--link);outline-offset:3px}
@media(max-width:34rem){dl{grid-template-columns:1fr;gap:.1rem}dd{margin-bottom:.4rem}}
@media print{details{display:block}.hop{break-inside:avoid}}
"""
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"
_FIGURE = re.compile(r"!\[(?P<caption>[^\]]*)\]\(figure:[0-9a-f]+\)")


def trace_page(run: Run) -> str:
    """Return a run as an HTML document, complete in itself.

    It has no script and loads nothing; whatever documents, models and people wrote is text in it, never markup. It
    follows the light or dark scheme of who reads it.
    """
    body = "\n".join([*_head(run), *(line for hop in run.hops for line in _hop(hop)), *_foot(run)])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{_safe(run.question)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _head(run: Run) -> Iterator[str]:
    facts = [run.started_at[:19].replace("T", " ") + " UTC" if run.started_at else "", run.engine, duration(run.ms)]
    facts += [f"confidence {sureness(run.confidence)}" if run.confidence else ""]
    facts += [f"forked from {run.forked_from}" if run.forked_from else ""]
    yield f'<p class="soft">Run {_safe(run.id)} · {" · ".join(_safe(fact) for fact in facts if fact)}</p>'
    yield f"<h1>{_safe(run.question)}</h1>"
    if run.answer and run.form == "passage":
        yield f'<p class="soft">{LEAD_IN}</p><blockquote class="text">{_block(run.answer)}</blockquote>'
    elif run.answer:
        yield f'<p class="answer">{_safe(run.answer)}</p>'
        yield from (f'<blockquote class="text">{_block(q.plain)}</blockquote>' for q in quotation(run) if q.plain)
    else:
        yield f'<p class="none">No answer: {_safe(why_not(run))}</p>'
        yield from _closest(run.closest)
    if run.table is not None:
        yield from _table(run.table)
    if run.citations:
        yield "<ol>"
        yield from (_citation(each, run) for each in run.citations)
        yield "</ol>"


def _closest(quotes: Sequence[Quote]) -> Iterator[str]:
    """The passages that come closest to a question without an answer."""
    if quotes:
        items = "".join(f"<li><strong>{_heading(quote)}</strong>: {_safe(quote.text)}</li>" for quote in quotes)
        yield f'<p class="soft">Closest passages:</p><ul>{items}</ul>'


def _citation(cited: Citation, run: Run) -> str:
    values = [a for hop in run.hops if hop.number == cited.hop for a in (hop.answers or (hop.answer,))]
    place = _place(cited.hop, cited.section_id)
    shown = "".join(_figure(each) for each in cited.figures)
    return (
        f'<li value="{cited.number}"><a href="#{place}">{_heading(cited)}</a>: {_marked(cited.sentence, values)}'
        f"{shown}</li>"
    )


def _table(answers: AnswerTable) -> Iterator[str]:
    yield "<table><thead><tr>"
    yield "".join(f'<th scope="col">{_safe(column)}</th>' for column in answers.columns)
    yield "</tr></thead><tbody>"
    for row in answers.rows:
        cells = (f"{_safe(c.value)}{f' [{c.citation}]' if c.citation is not None else ''}" for c in row)
        yield "<tr>" + "".join(f"<td>{cell or '–'}</td>" for cell in cells) + "</tr>"
    yield "</tbody></table>"


def _hop(hop: Hop) -> Iterator[str]:
    yield f'<section class="hop" id="hop-{hop.number}">'
    yield f"<h2>Hop {hop.number}: {_safe(hop.subquery)}</h2>"
    yield "<dl>"
    routed = ", ".join(filter(None, (*hop.cubes, searched(hop.tools)))) or "full text"
    yield _entry("searched in", _safe(routed) + (f" ({_safe(hop.route_reason)})" if hop.route_reason else ""))
    yield from (_entry("note", _safe(note), "warn") for note in hop.notes)
    if hop.fallback:
        yield _entry("fallback", _safe(hop.fallback), "warn")
    cells = _cells(hop)
    if cells:
        yield _entry("cells", f"<ul>{''.join(f'<li>{cell}</li>' for cell in cells)}</ul>")
    yield from (_entry("opened", _opened(cell)) for cell in hop.cells)
    if hop.listed:
        yield _entry(hop.noun or "listed", _listed(hop))
    if hop.statements:
        yield _entry("expanded", _statements(hop))
    yield from (_entry("finding", f"{_safe(f.text)} ({len(f.sections)} sections)") for f in hop.findings)
    yield from _conflicts(hop)
    yield _entry("answer", _sub_answer(hop))
    yield "</dl>"
    yield from _evidence(hop)
    yield "</section>"


def _cells(hop: Hop) -> list[str]:
    """Each asked {dimension: entity} with the labels it met."""
    asked: dict[tuple[str, str, str], list[MatchRecord]]
    asked = {(c.cube, c.dimension, c.entity): [] for c in hop.components}
    for match in (m for e in hop.evidence for m in e.matches):
        found = asked.setdefault((match.cube, match.dimension, match.entity), [])
        if all(match.label != other.label for other in found):
            found.append(match)
    return [
        f"{_safe(cube)}/{_safe(dimension)}: {_safe(entity)} → "
        + ("; ".join(f"{_safe(m.label)} ({how(m)})" for m in found) or "no label matches")
        for (cube, dimension, entity), found in asked.items()
    ]


def _opened(cell: CellRecord) -> str:
    """A cell that was opened by itself, with how much it holds."""
    labels = ", ".join(f"{_safe(dimension)}: {_safe(label)}" for dimension, label in cell.labels)
    held = "" if cell.holds is None else f" ({cell.holds:,})"
    joined = f", joined on {_safe(cell.joined)}" if cell.joined else ""
    return f"{_safe(cell.cube)}/{labels}{held}{joined}"


def _listed(hop: Hop) -> str:
    """Everything that a hop over many cells counts or lists, each with the sentence that says it."""
    rows = []
    for each in hop.listed:
        told = "".join(f"; {_safe(field.name)}: {_safe(field.value)}" for field in each.fields)
        quoted = _marked(each.fact.sentence, (each.value,))
        rows.append(f"<li><strong>{_safe(each.value)}</strong>{told}: {quoted}</li>")
    return f"<details><summary>{len(hop.listed):,}</summary><ul>{''.join(rows)}</ul></details>"


def _statements(hop: Hop) -> str:
    rows = "".join(
        f"<li>{_safe(one.text)}{f' ({_safe(one.intent)})' if one.intent else ''}: "
        f"{len(one.taken)} of {len(one.found)} taken</li>"
        for one in hop.statements
    )
    return f"{_safe(hop.expanded)}: {len(hop.statements)} hypothetical queries, no evidence<ul>{rows}</ul>"


def _conflicts(hop: Hop) -> Iterator[str]:
    for fact in hop.conflicts:
        yield _entry("disagrees", f"“{_safe(fact.value)}”: {_marked(fact.sentence, (fact.value,))}", "warn")


def _sub_answer(hop: Hop) -> str:
    notes = ["edited by a person"] if hop.status == "edited" else []
    notes += [f"confidence {hop.confidence:.2f}"] if hop.confidence else []
    notes += [f"retrieval {duration(hop.retrieval_ms)}", f"hop {duration(hop.ms)}"]
    said = _safe("; ".join(hop.answers) or hop.answer) or '<span class="warn">not found</span>'
    return f'<strong>{said}</strong> <span class="soft">({", ".join(notes)})</span>'


def _evidence(hop: Hop) -> Iterator[str]:
    if not hop.evidence:
        yield '<p class="warn">No evidence was found.</p>'
        return
    first = answering(hop)
    for found in hop.evidence:
        shown = " open" if found is first else ""
        yield f'<details id="{_place(hop.number, found.section_id)}"{shown}>'
        yield f'<summary>{found.rank}. {_heading(found)} <span class="soft">({_why(found)})</span></summary>'
        yield f'<div class="text">{_with_sentence(found)}</div>'
        yield from (_figure(each) for each in found.figures)
        yield f'<p class="soft">{_safe(found.source)} · {_safe(found.record_id)} · {_safe(found.section_id)}</p>'
        yield "</details>"


def _why(found: Evidence) -> str:
    """What a section was found by."""
    if found.parts is not None:
        return _safe(f"{found.retriever} {found.score:.3g} = {parts(found.parts)}")
    if found.matches:
        cells = ", ".join(f"{m.dimension}: {m.label} ×{m.count}" for m in found.matches)
        return _safe(f"{found.covered} of {found.asked}; {cells}")
    return _safe(f"{found.retriever} {found.score:.3g}")


def _with_sentence(found: Evidence) -> str:
    """A section's text with the sentence marked that answers the hop."""
    start, end = found.start, found.end
    if not (0 <= start < end <= len(found.text)):
        return _block(found.text)
    before, sentence, after = found.text[:start], found.text[start:end], found.text[end:]
    return f"{_block(before)}<mark>{_block(sentence)}</mark>{_block(after)}"


def _foot(run: Run) -> Iterator[str]:
    settings = "".join(_entry(name, _safe(str(value))) for name, value in run.settings.model_dump().items())
    yield "<details><summary>Settings</summary><dl>" + settings + "</dl></details>"
    used = run.usage
    if used.requests or used.cached:
        stages = "".join(_entry(stage, _safe(spent(each))) for stage, each in used.stages.items())
        yield f"<details><summary>Spent: {_safe(spent(used))}</summary><dl>{stages}</dl></details>"
    if run.filters:
        named = ", ".join(f"{name}={value}" for name, value in run.filters.items() if value)
        yield f'<p class="soft">Only documents with {_safe(named)}</p>'


def _entry(name: str, value: str, kind: str = "") -> str:
    shown = f' class="{kind}"' if kind else ""
    return f"<dt>{_safe(name)}</dt><dd{shown}>{value}</dd>"


def _figure(figure: FigureRecord) -> str:
    said = figure.caption or figure.description
    return f'<p class="soft">figure: {_safe(said)} ({_safe(figure.path)})</p>'


def _heading(section: Evidence | Citation | Quote) -> str:
    return _safe(heading(section))


def _place(hop: int, section_id: str) -> str:
    """The anchor of a section in a hop; made of digits alone, whatever the id holds."""
    return f"e{hop}-{hashlib.blake2b(section_id.encode(errors='replace'), digest_size=6).hexdigest()}"


def _marked(sentence: str, values: Iterable[str]) -> str:
    """A sentence with the values in it marked."""
    line = clean(_FIGURE.sub(r"\g<caption>", sentence))
    wanted = sorted({clean(v) for v in values if clean(v)}, key=len, reverse=True)
    if not wanted:
        return html.escape(line)
    return _pieces(re.split(f"({'|'.join(re.escape(value) for value in wanted)})", line, flags=re.IGNORECASE))


def _pieces(split: Sequence[str]) -> str:
    """Every second piece is a value."""
    return "".join(f"<mark>{html.escape(p)}</mark>" if n % 2 else html.escape(p) for n, p in enumerate(split))


def _block(text: str) -> str:
    return html.escape(clean_block(_FIGURE.sub(r"\g<caption>", text)))


def _safe(text: str) -> str:
    return html.escape(clean(text))
