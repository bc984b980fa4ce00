"""What the span reader points at in a hop's sections, in the form that its question asks for (MultiCube-RAG eq. 12)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache, partial

from .....cubes.core.folding import fold
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from ..plan import QuestionEntity
from ..vocabulary.lexicon import QuestionLexicon, nouns_called
from ..vocabulary.linker import EntityLinker
from ..vocabulary.places import PlaceHierarchy
from .alternatives import best_supported
from .candidates import HopQuestion, SpanCandidate, asked_noun, candidates
from .choice import ChosenSpan, choose
from .fact_reader import FactReader
from .span import PredictedSpan, SpanReader
from .span_form import completed, trimmed
from .telling_sentences import Likeness, SupportingPart, supporting_part

__all__ = ["ExtractiveReader"]

_SURE = 0.5
_READ_AT_ONCE = 32  # hops whose readings are kept: a short answer and a quotation come of one reading


class ExtractiveReader:
    """Points at what answers a hop. ``retracted`` are the (subject, value) keys of facts that a person struck out."""

    def __init__(
        self,
        spans: SpanReader,
        facts: FactReader,
        lexicon: QuestionLexicon,
        linker: EntityLinker,
        places: PlaceHierarchy,
        retracted: Collection[tuple[str, str]],
    ) -> None:
        self._read_once = lru_cache(_READ_AT_ONCE)(spans.read)
        self._facts = facts
        self._lexicon = lexicon
        self._linker = linker
        self._places = places
        self._retracted = retracted

    def pointed(
        self, subquery: str, evidence: Sequence[Evidence], ruled: SubAnswer | None, items: Sequence[QuestionEntity]
    ) -> SubAnswer:
        """Return what most speaks for; nothing where it is unsure and only the sections of cells were read.

        ``ruled`` is what the rules read from the same evidence. Where a question names its alternatives, it is one of
        these ``items``.
        """
        told = ruled.answers[0] if ruled is not None and ruled.answers else ""
        found = choose(self.candidates(subquery, evidence, told, one_of=bool(items)), evidence)
        chosen = [c for c in found if not self._is_retracted(subquery, c.text)]
        best = best_supported(items, chosen, evidence) if items else next(iter(chosen), None)
        in_cells = all(e.retriever.startswith("cube:") for e in evidence)
        if best is None or (in_cells and best.probability < _SURE):
            return SubAnswer()  # passages are read as well before anything unsure is taken
        text = best.text if items else self._worded(subquery, best, evidence)
        return SubAnswer((text,), best.probability, best.section_id, best.start, best.end, held=best.held)

    def within(self, subquery: str, evidence: Sequence[Evidence], quoted: SubAnswer) -> tuple[str, float]:
        """Return the words of a quotation that answer best, and how likely it is they, if any words of it are."""
        inside = [
            one for one in self.candidates(subquery, evidence, "", one_of=False)
            if one.span.margin > 0 and evidence[one.span.section].section_id == quoted.section_id
            and quoted.start <= one.span.start < quoted.end
        ]  # fmt: skip
        chosen = choose(inside, evidence)
        if not chosen:
            return "", 0.0
        best = chosen[0]
        alike = (one.probability for one in chosen if _overlap(fold(one.text), fold(best.text)))
        return self._worded(subquery, best, evidence), sum(alike) / best.held

    def candidates(
        self, subquery: str, evidence: Sequence[Evidence], ruled: str, *, one_of: bool
    ) -> list[SpanCandidate]:
        """Return the spans that may answer a hop, with what speaks for each; ``ruled`` is what the rules read."""
        noun = self._noun(subquery)
        fit = partial(self._facts.noun_fit, noun=noun) if noun else None
        asked = HopQuestion.of(subquery, ruled, one_of=one_of)
        return candidates(asked, self._spans(subquery, evidence), evidence, fit, self._facts.kinds_of)

    def best_part(self, subquery: str, evidence: Sequence[Evidence], like: Likeness) -> SupportingPart | None:
        """Return what of the sections tells best what is asked."""
        return supporting_part(subquery, evidence, self._spans(subquery, evidence), like)

    def _spans(self, subquery: str, evidence: Sequence[Evidence]) -> Sequence[PredictedSpan]:
        return self._read_once(subquery, tuple((e.heading, e.text) for e in evidence))

    def _noun(self, subquery: str) -> str:
        return asked_noun(subquery, self._lexicon.is_noun)

    def _worded(self, subquery: str, best: ChosenSpan, evidence: Sequence[Evidence]) -> str:
        """A span without what is not asked for, as the place of the level asked for, a person by the full name."""
        noun = self._noun(subquery)
        told = trimmed(subquery, best.text, self._linker.knows_exactly)
        country = self._places.country(told) if noun in nouns_called("country_nouns") else None
        text = country or (self._facts.rolled_up(told, noun) if noun else told)
        if subquery[:4].lower() != "who ":
            return text
        return completed(text, next(e.text for e in evidence if e.section_id == best.section_id))

    def _is_retracted(self, subquery: str, text: str) -> bool:
        """Whether a person struck out that what the subquery names has to do with what the text names."""
        asked, said = f" {fold(subquery)} ", f" {fold(text)} "
        return any(
            (f" {one} " in asked and f" {other} " in said) or (f" {other} " in asked and f" {one} " in said)
            for one, other in self._retracted
        )


def _overlap(one: str, other: str) -> bool:
    """Whether one text holds the other: then they are the same answer, with more words or fewer."""
    return f" {one} " in f" {other} " or f" {other} " in f" {one} "
