"""Facts of a section by a language model: all dimensions of all cubes in one request (MultiCube-RAG eq. 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from .....cubes.core.errors import SectionError
from .....cubes.core.records import Document, Fact, Section, Span
from .....cubes.core.spending import ModelUsage
from .....cubes.documents.sections import sentences
from .....cubes.model.ontology import CubeSpec, Ontology
from .....prompts import PromptLibrary, Rendered
from ..client import ModelClient
from ..errors import UNUSABLE, ContextLengthError, RejectedError, TruncatedReplyError
from ..loop.reasoner import VERSION
from ..replies import schemas as replies
from ..replies import wording
from ..replies.quotations import find, sentence_around
from .estimates import SectionEstimator

__all__ = ["LlmExtractor"]

STAGE = "extract"
VERBATIM, ELSEWHERE = 0.9, 0.7
"""How far a fact is trusted: its value stands in the quote; only somewhere in the section."""
_SHORTEST = 400
"""Characters of a text that is not divided further: one that short is not what the model cannot hold."""
_FEWEST, _EACH = 400, 20
"""Tokens that a reply may have, and more for each of the text: a weak model rambles on about a short text for long."""


class LlmExtractor:
    """Reads sections with a language model, several at a time.

    A value that the section does not hold is no fact of it and is left out: the model may know it, the section does
    not say it. Replies are kept by the client's cache as they arrive, so that nothing is paid for twice;
    ``on_finished`` is called when they are not needed any more.
    """

    def __init__(
        self,
        ontology: Ontology,
        library: PromptLibrary,
        client: ModelClient,
        *,
        concurrency: int = 8,
        on_finished: Callable[[], None] | None = None,
    ) -> None:
        self._ontology, self._library, self._client = ontology, library, client
        self._schema = wording.schema_of(ontology)
        self._on_finished = on_finished
        self._answered = False
        self.concurrency = concurrency

    @property
    def client(self) -> ModelClient:
        """What asks, within the caps of the ingest."""
        return self._client

    @property
    def version(self) -> str:
        """Engine, model and prompt: another of them reads a corpus anew."""
        return f"{VERSION} {self._client.label} {self._library['section_extraction'].fingerprint}"

    @property
    def spent(self) -> ModelUsage:
        """What extraction has cost; others may ask with the same client, within the same caps."""
        return self._client.usage.stages.get(STAGE, ModelUsage())

    def prepare(self, documents: Sequence[Document]) -> None:
        """Nothing to prepare: each section is read by itself."""

    def extract(self, section: Section, document: Document) -> Sequence[Fact]:
        """Return the section's facts.

        Raises SectionError where its reply cannot be used, also when asked again, and other ModelErrors where that
        has nothing to do with this section.
        """
        try:
            said = self._read(section, document, section.text)
        except UNUSABLE as error:
            raise SectionError(str(error)) from error
        except RejectedError as error:
            if not self._answered:
                raise
            raise SectionError(str(error)) from error  # others were accepted, so it is for what this one says
        return list(dict.fromkeys(self._grounded(said, section)))

    def estimator(self, earlier: ModelUsage) -> SectionEstimator:
        """Return what estimates an ingest, from what extraction cost before where there was any."""
        return SectionEstimator(self._client, self._prompt, earlier, self.concurrency)

    def finished(self) -> None:
        """Everything is stored."""
        if self._on_finished is not None:
            self._on_finished()

    def _prompt(self, section: Section, document: Document, text: str) -> Rendered:
        title = " > ".join(section.path) or document.title
        prompt = self._library["section_extraction"].fill({"schema": self._schema, "title": title, "section": text})
        needed = _FEWEST + _EACH * self._client.tokens_of(text)
        return replace(prompt, max_tokens=min(prompt.max_tokens, needed) if prompt.max_tokens else 0)

    def _read(self, section: Section, document: Document, text: str) -> list[replies.ExtractedFact]:
        """Ask for the facts of a text; one that is too long for the model, or says too much, is read in halves."""
        try:
            reply = self._client.ask(STAGE, self._prompt(section, document, text), replies.Extraction)
        except (ContextLengthError, TruncatedReplyError):
            if len(text) < 2 * _SHORTEST:
                raise
            middle = _middle(text)
            halves = (text[:middle], text[middle:])
            return [fact for half in halves for fact in self._read(section, document, half)]
        self._answered = True
        return list(reply.facts)

    def _grounded(self, facts: Sequence[replies.ExtractedFact], section: Section) -> Iterator[Fact]:
        cubes = {spec.id: spec for spec in self._ontology.cubes}
        for said in facts:
            spec = cubes.get(said.cube.strip())
            if spec is None or not said.subject.strip():
                continue
            yield from _fact(said, spec, section)


def _middle(text: str) -> int:
    """Return where a text is best divided: where a sentence ends near its middle, else between two words."""
    middle = len(text) // 2
    near = [s.end for s in sentences(text) if len(text) // 4 <= s.end <= 3 * len(text) // 4]
    if near:
        return min(near, key=lambda end: abs(end - middle))
    space = text.find(" ", middle, 3 * len(text) // 4)
    return space if space >= 0 else middle


def _fact(said: replies.ExtractedFact, spec: CubeSpec, section: Section) -> Iterator[Fact]:
    """The fact, if its dimension exists and its value stands in the section."""
    try:
        dimension = spec.dimension(said.dimension.strip())
    except KeyError:
        return
    place = _place(said, section.text)
    if place is None:
        return
    span, trust = place
    axis = spec.dimension(dimension.target) if dimension.target else dimension
    yield Fact(
        section_id=section.id,
        cube=spec.id,
        dimension=dimension.id,
        subject=" ".join(said.subject.split()),
        relation=" ".join(said.relation.split()) or dimension.id,
        value=section.text[span.start : span.end],
        kind=axis.kind,
        span=span,
        sentence=sentence_around(span, section.text),
        confidence=trust,
        origin=VERSION,
    )


def _place(said: replies.ExtractedFact, text: str) -> tuple[Span, float] | None:
    """Where the value stands: inside the quote if it can be found, else at its first place in the section."""
    quoted = find(said.quote, text)
    if quoted is not None:
        inside = find(said.value, text[quoted.start : quoted.end])
        if inside is not None:
            return Span(quoted.start + inside.start, quoted.start + inside.end), VERBATIM
    anywhere = find(said.value, text)
    return (anywhere, ELSEWHERE) if anywhere is not None else None
