"""The form of a final answer and the quotation around it; without an answer, what was found and what comes closest."""

from __future__ import annotations

from collections.abc import Sequence

from ..cubes.core.folding import fold
from ..cubes.core.records import Span
from ..cubes.retrieval.passages import GAP, Passage, passage_at, sentence_at
from .evidence import grounds
from .reasoner import FinalAnswer
from .records import AnswerForm, AnswerTable, Evidence, Hop, Quote

__all__ = ["closest", "quoted", "so_far", "unanswered"]

_UNSAID = "The documents do not seem to say it."
_VERDICTS = frozenset({"yes", "no", "true", "false"})
_CLOSEST = 3
_HALF = 0.5


def quoted(final: FinalAnswer, table: AnswerTable | None, hops: Sequence[Hop]) -> tuple[AnswerForm, Quote | None]:
    """Return the form of an answer, and the text of the documents around it if one place says it."""
    if not final.text:
        return "short", None
    hop = _told_by(final.text, hops)
    form = final.form or _form(final.text, table, hop)
    if hop is None or table is not None or hop.listed or hop.findings:
        return form, None
    ground = next(iter(grounds(hop)), None)
    if ground is None or (hop.status == "edited" and fold(hop.answer) not in fold(ground.sentence)):
        return form, None
    return form, _quote(ground, _passage(form, final.text, ground))


def closest(hops: Sequence[Hop]) -> list[Quote]:
    """Return the most fitting sentences of the best sections, where no answer was found in them."""
    evidence = next((hop.evidence for hop in reversed(hops) if hop.evidence), ())
    told = [_quote(e, _led(e)) for e in evidence if e.sentence.strip()]
    return list({quote.text: quote for quote in told}.values())[:_CLOSEST]


def _led(found: Evidence) -> Passage:
    """The sentence, with the list, rows or code that it leads to."""
    told = sentence_at(found.text, found.start, found.end)
    return passage_at(found.text, found.start, found.end) if told.text.rstrip().endswith(":") else told


def unanswered(question: str, final: FinalAnswer, hops: Sequence[Hop]) -> list[str]:
    """Return the note of a final answer in parts; without an answer it says what was found on the way, and what not."""
    if final.text or final.failed or not hops or final.confidence:  # one that is held back says so itself
        return [final.note]
    # What was found last, or for the whole question, is what is held back here.
    found = [hop for hop in hops[:-1] if _is_found(hop) and fold(hop.subquery) != fold(question)]
    if not found:
        return [_UNSAID, final.note]
    told = "; ".join(dict.fromkeys(f"{hop.subquery} {', '.join(hop.answers) or hop.answer}" for hop in found))
    failed = next((hop for hop in reversed(hops) if hop.status == "missing"), hops[-1])
    return [_UNSAID, final.note, f"Found so far: {told}; not found: {failed.subquery}"]


def so_far(hops: Sequence[Hop]) -> list[str]:
    """Return the best answer of a run that was cut short, with the step that it answers."""
    answered = [hop for hop in hops if hop.status != "missing"]
    if not answered:
        return []
    last = answered[-1]
    return [f"Best answer so far: {', '.join(last.answers) or last.answer} (to: {last.subquery})"]


def _is_found(hop: Hop) -> bool:
    """Whether a hop's answer can be told by itself: a cell or a person says it, or it is more likely right than not."""
    return hop.status == "edited" or (hop.status == "answered" and (hop.fact is not None or hop.confidence > _HALF))


def _told_by(text: str, hops: Sequence[Hop]) -> Hop | None:
    """The last hop that says what the answer says, else the last that was answered: a verdict rests on it."""
    answered = [hop for hop in hops if hop.status != "missing"]
    wanted = fold(text)
    saying = (hop for hop in reversed(answered) if wanted in map(fold, (*hop.answers, hop.answer)))
    return next(saying, answered[-1] if answered else None)


def _form(text: str, table: AnswerTable | None, hop: Hop | None) -> AnswerForm:
    if fold(text) in _VERDICTS:
        return "verdict"
    if hop is not None and hop.listed:
        return "short" if text.isdigit() else "list"
    if table is not None:
        return "table"
    if hop is None:
        return "short"
    said = [fold(answer) for answer in hop.answers]
    if len(said) > 1 and fold(text) not in said and all(one in fold(text) for one in said[:2]):
        return "list"
    return hop.form if fold(text) == fold(hop.answer) or hop.form == "list" else "short"


def _passage(form: AnswerForm, text: str, ground: Evidence) -> Passage:
    if form == "passage" and all(part in ground.text for part in text.split(GAP)):
        return Passage(text, Span(ground.start, ground.end))
    if form in ("passage", "list"):
        return passage_at(ground.text, ground.start, ground.end)
    # What is read as one sentence may run on from a line into the list or code behind it.
    at = ground.text.find(text, ground.start, ground.end) if form == "short" else -1
    start, end = (ground.start, ground.end) if at < 0 else (at, at + len(text))
    return sentence_at(ground.text, start, end)


def _quote(found: Evidence, passage: Passage) -> Quote:
    return Quote(
        text=passage.text,
        section_id=found.section_id,
        document_id=found.document_id,
        record_id=found.record_id,
        title=found.title,
        path=found.path,
        source=found.source,
        start=passage.span.start,
        end=passage.span.end,
        page=found.page_at(passage.span.start),
    )
