"""Turning hits into evidence a person can check, and the evidence of all hops into one ranking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from ..cubes.core.folding import fold
from ..cubes.core.records import Component, Hit, Match, Retrieval, RouteScores, Span
from ..cubes.documents.formats.page_starts import pages_of
from ..cubes.documents.sections import sentences
from ..cubes.retrieval.fusion import rrf
from ..cubes.retrieval.wording import CHARS_PER_TOKEN
from ..cubes.store.figures import FigureInfo
from .context import Knowledge
from .records import Citation, ComponentRecord, Evidence, FactRecord, FigureRecord, Hop, MatchRecord, PartsRecord

__all__ = [
    "cite",
    "component_records",
    "evidence_of",
    "follow_evidence",
    "fuse_evidence",
    "grounds",
    "locate",
    "merge_evidence",
    "merged_records",
    "with_sentence",
    "within",
]

_LEAST = 200  # characters of a section that are worth giving where others came before it
_PER_FINDING = 2  # sentences that are cited for a finding, of all that it rests on
_OF_WHOLE = 3  # of the whole question's sections before the rest of the hops': 1 to 3 give the same recall


def component_records(components: Iterable[Component]) -> list[ComponentRecord]:
    """Return the JSON-ready form of decomposed components."""
    return [ComponentRecord(cube=c.cube, dimension=c.dimension, entity=c.entity) for c in components]


def evidence_of(retrieval: Retrieval, subquery: str, knowledge: Knowledge, retriever: str) -> list[Evidence]:
    """Describe each hit: its section, document, matches, and the sentence that fits the subquery best."""
    return [_one(hit, subquery, knowledge, retriever) for hit in retrieval.hits]


def _one(hit: Hit, subquery: str, knowledge: Knowledge, retriever: str) -> Evidence:
    section = knowledge.section(hit.section_id)
    document = knowledge.document(section.document_id)
    span = locate(section.text, subquery)
    return Evidence(
        section_id=section.id,
        document_id=section.document_id,
        record_id=section.record_id,
        title=section.title,
        path=section.path,
        source=document.source,
        text=section.text,
        sentence=section.text[span.start : span.end],
        start=span.start,
        end=span.end,
        rank=hit.rank,
        score=hit.score,
        covered=hit.covered,
        asked=hit.asked,
        matches=tuple(_match(m) for m in hit.matches),
        retriever=retriever,
        parts=_parts(hit.parts) if hit.parts is not None else None,
        figures=tuple(_figure(each) for each in knowledge.section_figures(section)),
        pages=pages_of(section, document.metadata),
    )


def _parts(parts: RouteScores) -> PartsRecord:
    return PartsRecord(
        vector=parts.vector, words=parts.words, keywords=parts.keywords, alpha=parts.alpha, beta=parts.beta
    )


def _figure(figure: FigureInfo) -> FigureRecord:
    return FigureRecord(
        id=figure.id, caption=figure.caption, description=figure.description, path=str(figure.path)
    )


def _match(match: Match) -> MatchRecord:
    return MatchRecord(
        cube=match.cube,
        dimension=match.dimension,
        entity=match.entity,
        label=match.label,
        route=match.route,
        similarity=match.similarity,
        count=match.count,
    )


def locate(text: str, subquery: str) -> Span:
    """Return the sentence sharing most words with the subquery (the first of equals)."""
    wanted = set(fold(subquery).split())
    best, best_score = Span(0, 0), -1
    for span in sentences(text):
        score = len(wanted & set(fold(text[span.start : span.end]).split()))
        if score > best_score:
            best, best_score = span, score
    return best


def with_sentence(evidence: Sequence[Evidence], section_id: str, start: int, end: int) -> list[Evidence]:
    """Mark the sentence that answered the hop in its section's evidence."""
    return [
        e.model_copy(update={"sentence": e.text[start:end], "start": start, "end": end})
        if e.section_id == section_id
        else e
        for e in evidence
    ]


def within(evidence: Sequence[Evidence], tokens: int) -> list[Evidence]:
    """Return the evidence, best first, that a context of so many tokens has room for (HiQA: 2,000).

    A token is reckoned as four characters. The section that does not fit whole is cut, at a line's or sentence's end
    if there is one in its second half; what ranks below it is left out.
    """
    room, kept = tokens * CHARS_PER_TOKEN, list[Evidence]()
    for item in evidence:
        if len(item.text) > room:
            text = _cut(item.text, room)
            return [*kept, item.model_copy(update={"text": text})] if text and (not kept or room >= _LEAST) else kept
        kept.append(item)
        room -= len(item.text)
    return kept


def _cut(text: str, room: int) -> str:
    """The beginning of a text, at most so long."""
    head = text[:room]
    at = max(head.rfind("\n"), head.rfind(". ") + 1)
    return head[:at] if at > room // 2 else head


def merge_evidence(lists: Sequence[Sequence[Evidence]], limit: int) -> list[Evidence]:
    """Merge what several cubes found for one subquery: widest coverage first, and each list in its own order."""
    best: dict[str, tuple[float, int, Evidence]] = {}
    for found in lists:
        least = 1.0
        for position, item in enumerate(found):
            least = min(least, item.covered / item.asked if item.asked else 0.0)
            entry = (-least, position, item)
            if item.section_id not in best or entry[:2] < best[item.section_id][:2]:
                best[item.section_id] = entry
    ordered = sorted(best.values(), key=lambda entry: (entry[0], entry[1], entry[2].section_id))
    return [entry[2].model_copy(update={"rank": rank}) for rank, entry in enumerate(ordered[:limit], start=1)]


def fuse_evidence(lists: Sequence[Sequence[Evidence]], limit: int, rrf_k: int) -> list[Evidence]:
    """Fuse cells that cover too little with passages by reciprocal rank, so that both have a say."""
    first = {e.section_id: e for found in reversed(lists) for e in reversed(found)}
    ranked = rrf([[e.section_id for e in found] for found in lists], rrf_k)[:limit]
    return [first[section_id].model_copy(update={"rank": n}) for n, (section_id, _) in enumerate(ranked, start=1)]


def follow_evidence(lists: Sequence[Sequence[Evidence]], limit: int) -> list[Evidence]:
    """Put lists one behind the other, each section once."""
    first = {e.section_id: e for found in reversed(lists) for e in reversed(found)}
    ordered = list(dict.fromkeys(e.section_id for found in lists for e in found))[:limit]
    return [first[section_id].model_copy(update={"rank": n}) for n, section_id in enumerate(ordered, start=1)]


def merged_records(hops: Sequence[Hop], whole: Sequence[str] = ()) -> list[str]:
    """Rank the record ids of all hops, and ``whole``, those found for the question as a whole.

    First the sections that answered hops, then the rest by rank across hops. With ``whole``, only those whose facts
    answered come first, for nothing is surer; then each hop's first section, and all that labels led to in a
    hypercube, then the first of ``whole``, for a hop may have asked for the wrong thing, then the rest.
    """
    by_section = {e.section_id: e.record_id for hop in hops for e in hop.evidence}
    answered = [hop for hop in hops if hop.status != "missing"]
    facts = [hop.fact.section_id for hop in answered if hop.fact is not None]
    facts += [fact.section_id for hop in answered for fact in listed_facts(hop)]
    used = [hop.fact.section_id if hop.fact is not None else _cited(hop) for hop in answered]
    across = [e.record_id for row in zip_longest(*(hop.evidence for hop in hops)) for e in row if e is not None]
    first = [by_section[s] for s in (facts if whole else used) if s is not None and s in by_section]
    heads = [e.record_id for hop in hops for n, e in enumerate(hop.evidence) if whole and (n == 0 or _labelled(e))]
    return list(dict.fromkeys([*first, *heads, *whole[:_OF_WHOLE], *across, *whole]))


def _labelled(evidence: Evidence) -> bool:
    return evidence.retriever.startswith("hypercube:")


def cite(hops: Sequence[Hop]) -> list[Citation]:
    """Number the sentences that answered the hops, each once."""
    citations: list[Citation] = []
    seen: set[tuple[str, int]] = set()
    for hop in hops:
        for found in grounds(hop):
            if hop.status == "missing" or (found.section_id, found.start) in seen:
                continue
            seen.add((found.section_id, found.start))
            citations.append(_citation(len(citations) + 1, hop, found))
    return citations


def grounds(hop: Hop) -> list[Evidence]:
    """What an answer rests on: a section, the facts of all it lists, or the first sentences of each finding at hand."""
    if hop.listed and hop.status != "edited":
        return [told for fact in listed_facts(hop) for told in _saying(hop, fact)]
    if not hop.findings:
        section_id = hop.fact.section_id if hop.fact else _cited(hop)
        return [e for e in hop.evidence if e.section_id == section_id][:1]
    held = {e.section_id: e for e in hop.evidence}
    grounds = []
    for finding in hop.findings:
        for ground in [each for each in finding.grounds if each.section_id in held][:_PER_FINDING]:
            grounds += with_sentence([held[ground.section_id]], ground.section_id, ground.start, ground.end)
    return grounds


def listed_facts(hop: Hop) -> list[FactRecord]:
    """The facts of everything that a hop lists, each thing's own first."""
    return [fact for listed in hop.listed for fact in (listed.fact, *(field.fact for field in listed.fields))]


def _saying(hop: Hop, fact: FactRecord) -> list[Evidence]:
    """The evidence that a fact stands in, with the fact's sentence."""
    found = [e for e in hop.evidence if e.section_id == fact.section_id][:1]
    at = found[0].text.find(fact.sentence) if found else -1
    return with_sentence(found, fact.section_id, at, at + len(fact.sentence)) if at >= 0 else found


def _citation(number: int, hop: Hop, found: Evidence) -> Citation:
    return Citation(
        number=number,
        hop=hop.number,
        section_id=found.section_id,
        document_id=found.document_id,
        record_id=found.record_id,
        title=found.title,
        path=found.path,
        source=found.source,
        sentence=found.sentence,
        start=found.start,
        end=found.end,
        page=found.page,
        figures=found.figures,
    )


def _cited(hop: Hop) -> str | None:
    """A hop answered without a cell's fact rests on the evidence that names the answer first, unless it says which."""
    if hop.cited is not None and hop.status != "edited":
        return hop.cited
    wanted = fold(hop.answer)
    named = (e.section_id for e in hop.evidence if wanted and wanted in fold(e.sentence))
    return next(named, hop.evidence[0].section_id if hop.evidence else None)
