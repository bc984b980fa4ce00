"""What a run leaves behind: hops, evidence, citations, and the run itself (typed, JSON-ready, frozen)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..cubes.core.records import LabelRanking, headed
from ..cubes.core.spending import ModelUsage

__all__ = [
    "AnswerForm",
    "AnswerTable",
    "CellRecord",
    "Citation",
    "ComponentRecord",
    "Evidence",
    "FactRecord",
    "FigureRecord",
    "FindingRecord",
    "Fusion",
    "GroundRecord",
    "Hop",
    "HopStatus",
    "ListedField",
    "ListedRecord",
    "LoopSettings",
    "MatchRecord",
    "ModelUsage",
    "PartsRecord",
    "Quote",
    "RetrievalMode",
    "Run",
    "RunStatus",
    "StatementRecord",
    "Strategy",
    "TableCell",
    "Usage",
]

HopStatus = Literal["answered", "missing", "edited"]
RunStatus = Literal["answered", "abstained", "running", "paused", "failed"]
Strategy = Literal["hqg", "rewrite", "hyde", "core_subq"]
Fusion = Literal["balanced", "plain"]
AnswerForm = Literal["short", "verdict", "list", "table", "passage"]
"""A few words, yes or no, the members of an enumeration, rows, or a quotation where no few words are the answer."""
RetrievalMode = Literal["cubes", "bm25", "dense", "hybrid", "hiqa"]


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


_Text = Annotated[str, Field(max_length=2**20)]  # bounded, as half a character passes for text where nothing is


class LoopSettings(_Frozen):
    """The loop's settings; the defaults are the papers'. All of them are shown in a trace.

    ``sections_per_hop`` is k; ``max_hops`` the iteration limit l (MultiCube-RAG 3.4.4); ``deadline_s`` bounds a
    question's wall-clock time; ``tau`` is the similarity threshold of eq. 9; ``coverage_floor`` is the least share of a
    subquery's components that a cube hit must cover before the hop falls back to passages; ``rrf_k`` the
    constant of reciprocal rank fusion; ``retrieval`` "cubes" is the paper's, the others run the same loop without
    cubes; ``min_confidence`` is the least probability an answer must have, or it is held back; ``single_shot``
    retrieves once for the whole question and reads. ``alpha`` and ``beta`` are the weights of HiQA's equation 2 (None:
    the collection's defaults), ``keywords`` the lines of an expert keyword list (a keyword and its synonyms each);
    ``context_tokens`` bounds the sections, in rank order, that an answer is read from. ``exact`` and ``dense`` are the
    two ways of matching (eq. 8 and 9; without ``dense`` nothing is embedded, passages are BM25's); ``label_ranking`` is
    how hypercubes rank documents (see `cubes.documentwise`); ``without_dimensions`` are not looked at; ``links``
    follows links between sections where passages are searched. Each may be off to see what it brings. ``expand`` says
    when hypothetical queries are added: "auto" where a subquery has several intents or the cubes cover it in part;
    ``strategy`` how they are made ("hqg" is MuISQA's), ``hypotheses`` is M, how many answers are supposed (eq. 7), and
    ``top_k`` how many passages are retrieved for each statement, and kept of all where there are several intents.
    ``fusion`` "balanced" keeps room for each intent and for the hop's own evidence; "plain" is eq. 9 to 12 as printed.
    ``abstractions`` "ranked" says those that fit the question, within a budget; "all" is SMART's eq. 12 as printed.
    """

    sections_per_hop: int = Field(5, ge=1, le=100)
    max_hops: int = Field(6, ge=1, le=50)
    deadline_s: float = Field(120.0, gt=0, allow_inf_nan=False)
    tau: float = Field(0.75, ge=0, le=1)
    coverage_floor: float = Field(0.6, ge=0, le=1)
    rrf_k: int = Field(60, ge=1, le=1_000_000)
    min_confidence: float = Field(0.0, ge=0, le=1)
    retrieval: RetrievalMode = "cubes"
    single_shot: bool = False
    alpha: float | None = Field(None, ge=0, le=1)
    beta: float | None = Field(None, ge=0, le=100)
    keywords: tuple[_Text, ...] = ()
    context_tokens: int = Field(2_000, ge=1, le=1_000_000)
    exact: bool = True
    dense: bool = True
    label_ranking: LabelRanking = "auto"
    without_dimensions: tuple[_Text, ...] = ()
    links: bool = True
    expand: Literal["auto", "always", "never"] = "auto"
    strategy: Strategy = "hqg"
    hypotheses: int = Field(5, ge=1, le=50)
    top_k: int = Field(10, ge=1, le=100)
    fusion: Fusion = "balanced"
    abstractions: Literal["ranked", "all"] = "ranked"


class StatementRecord(_Frozen):
    """One hypothetical query of a hop (MuISQA eq. 7): what was supposed, for which intent, and what it found.

    ``found`` are the record ids of its list (eq. 10), best first; ``taken`` those of them that are evidence of the hop
    after the fusion (eq. 12). A statement is a query and nothing else: it may be wrong.
    """

    text: str
    intent: str = ""
    hypothesis: int = 0
    found: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()


class ComponentRecord(_Frozen):
    """One {dimension: entity} pair of the decomposed subquery (eq. 7)."""

    cube: str
    dimension: str
    entity: str


class MatchRecord(_Frozen):
    """A label that made a section a hit: exact, or dense with its similarity."""

    cube: str
    dimension: str
    entity: str
    label: str
    route: Literal["exact", "dense"]
    similarity: float
    count: int = 1


class FigureRecord(_Frozen):
    """An image of a section: its caption, what is known of it besides, and the file that shows it (HiQA A.3)."""

    id: str
    caption: str = ""
    description: str = ""
    path: str = ""


class PartsRecord(_Frozen):
    """The parts of a multi-route score (HiQA equation 2), routes normalised, with the weights in force."""

    vector: float
    words: float
    keywords: tuple[str, ...] = ()
    alpha: float
    beta: float


class GroundRecord(_Frozen):
    """A sentence (of a section, from ``start`` to ``end``) that a finding rests on; ``value`` is what it states."""

    section_id: str
    start: int
    end: int
    value: str


class FindingRecord(_Frozen):
    """What several sections imply together (SMART): ``text`` says it, ``explanation`` gives examples.

    ``id`` names the node of the abstraction trees and the finding of its report ("1.2.7/f1"), ``title`` is the
    report's, ``sections`` (ids) are what it rests on, and ``grounds`` the sentences there that may be cited for it.
    """

    id: str
    title: str = ""
    text: str
    explanation: str = ""
    sections: tuple[str, ...] = ()
    grounds: tuple[GroundRecord, ...] = ()


class Evidence(_Frozen):
    """A retrieved section with the reasons it was found.

    ``start`` and ``end`` locate ``sentence`` in the section's text; the sentence is the one that answered the hop, or
    the section's most fitting one. ``parts`` are those of a multi-route score. ``figures`` are the section's images, in
    the order of its text; ``findings`` those of the abstractions that the section's entities belong to. ``pages`` are
    the offsets in the section's text at which pages begin, each with the page's number from 1; none without pages.
    """

    section_id: str
    document_id: str
    record_id: str
    title: str
    path: tuple[str, ...] = ()
    source: str = ""
    text: str = ""
    sentence: str = ""
    start: int = 0
    end: int = 0
    rank: int = 0
    score: float = 0.0
    covered: int = 0
    asked: int = 0
    matches: tuple[MatchRecord, ...] = ()
    retriever: str = "cube"
    parts: PartsRecord | None = None
    figures: tuple[FigureRecord, ...] = ()
    findings: tuple[FindingRecord, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()

    @property
    def heading(self) -> str:
        """The title, and the heading of the chapter that the section is of (HiQA's cascading metadata)."""
        return headed(self.title, self.path)

    @property
    def page(self) -> int | None:
        """The page that the sentence begins on."""
        return self.page_at(self.start)

    def page_at(self, offset: int) -> int | None:
        """Return the page on which a place in the section's text stands."""
        return max((page for start, page in self.pages if start <= offset), default=None)


class FactRecord(_Frozen):
    """The fact that answered a hop, read from a cell; ``origin`` is "person" where someone corrected it."""

    section_id: str
    cube: str
    dimension: str
    subject: str
    relation: str
    value: str
    start: int
    end: int
    sentence: str = ""
    origin: str = ""


class CellRecord(_Frozen):
    """A cell that a hop opened: its labels by dimension, and how many things it holds; None where it holds documents.

    ``joined`` says on which shared labels it was joined with cells of another cube (Hypercube-RAG C.3).
    """

    cube: str
    labels: tuple[tuple[str, str], ...] = ()
    holds: int | None = None
    joined: str = ""


class ListedField(_Frozen):
    """What is told of a listed thing besides: the name of its column, its value, and the fact that says so."""

    name: str
    value: str
    fact: FactRecord


class ListedRecord(_Frozen):
    """One of the things that a question over many cells counts or lists, with the fact that it rests on."""

    value: str
    fact: FactRecord
    fields: tuple[ListedField, ...] = ()


class Hop(_Frozen):
    """One turn of the loop: subquery, routed cubes, matched cells, evidence, sub-answer.

    ``tools`` are the retrievers besides cubes that the subquery was sent to where documents have chapters.
    ``notes`` say what went wrong on the way and was done without. ``cited`` is the section that an answer rests on
    whose words are not in it: a verdict, a cell's value with the unit of its column. ``form`` is that of the answer.
    ``expanded`` says why
    ``statements`` were searched for besides the subquery, if any were. ``findings`` are those that the answer says.
    ``cells`` are those that a hop opened by themselves; ``listed`` is all that a hop over many cells counts or lists,
    and ``noun`` what the question calls it. ``held`` is the probability that the evidence holds an answer at all.
    ``bridge`` are the few words of a quotation that a next hop goes on from.
    """

    number: int
    subquery: str
    cubes: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    route_reason: str = ""
    components: tuple[ComponentRecord, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    fallback: str | None = None
    expanded: str = ""
    statements: tuple[StatementRecord, ...] = ()
    notes: tuple[str, ...] = ()
    answer: str = ""
    answers: tuple[str, ...] = ()
    form: AnswerForm = "short"
    status: HopStatus = "missing"
    confidence: float = 0.0
    held: float = 1.0
    bridge: str = ""
    fact: FactRecord | None = None
    conflicts: tuple[FactRecord, ...] = ()
    cited: str | None = None
    findings: tuple[FindingRecord, ...] = ()
    cells: tuple[CellRecord, ...] = ()
    noun: str = ""
    listed: tuple[ListedRecord, ...] = ()
    retrieval_ms: float = 0.0
    ms: float = 0.0


class Citation(_Frozen):
    """A numbered sentence that the answer rests on; ``figures`` are the images of its section.

    ``start`` and ``end`` locate the sentence in the section's text, as in `Evidence`. ``page`` is the one that it
    begins on, from 1, in a document with pages.
    """

    number: int
    hop: int
    section_id: str
    document_id: str
    record_id: str
    title: str
    path: tuple[str, ...] = ()
    source: str = ""
    sentence: str = ""
    start: int = 0
    end: int = 0
    page: int | None = None
    figures: tuple[FigureRecord, ...] = ()


class Quote(_Frozen):
    """What a section says, word for word: the sentence, or the list, steps, rows or code with what introduces them.

    ``start`` and ``end`` locate the text in the section's. Where it begins with a line from further up (a table's
    header, a long list's introduction), they locate what stands below that line, and a line "…" may stand between.
    ``page`` is the one that it begins on, from 1, in a document with pages.
    """

    text: str
    section_id: str
    document_id: str
    record_id: str
    title: str
    path: tuple[str, ...] = ()
    source: str = ""
    start: int = 0
    end: int = 0
    page: int | None = None


class TableCell(_Frozen):
    """One value of an answer table and the number of the citation that says it; empty where none was found."""

    value: str = ""
    citation: int | None = None


class AnswerTable(_Frozen):
    """The answer to a question with several intents (MuISQA): a row for each instance, a column for each intent."""

    columns: tuple[str, ...]
    rows: tuple[tuple[TableCell, ...], ...] = ()


class Usage(ModelUsage):
    """What a run spent on language models, in all and by stage; zero with the embedded engine."""

    stages: dict[str, ModelUsage] = Field(default_factory=dict)

    def plus(self, other: ModelUsage) -> Usage:
        """Return what both came to."""
        stages = dict(self.stages)
        for name, spent in (other.stages if isinstance(other, Usage) else {}).items():
            stages[name] = stages.get(name, ModelUsage()).plus(spent)
        return Usage(**super().plus(other).model_dump(), stages=stages)


class Run(_Frozen):
    """One question answered (or not), with everything needed to explain it.

    ``status`` "paused" is a run that a cap on spending stopped, or a person, "failed" one that an error ended: both can
    be resumed.

    ``retrieved`` are the record ids of the merged, ranked evidence. ``stopped`` says why the loop ended: "sufficient",
    "iterations", "deadline", "repeated", "exhausted" (no further subquery), "cap", "interrupted" or "error". An
    abstained run has an empty ``answer`` and says why in ``note``; an answer over many cells says there what it
    rests on. ``table`` is the answer to a question with several intents, or the list of what a question over many
    cells counts or lists.

    ``form`` says what kind of answer it is; with "passage" the answer is a quotation. ``quote`` is the text around the
    answer. ``closest`` are the passages nearest to the question where there is no answer. ``confidence`` is the
    probability that the answer is right.
    """

    id: str
    question: str
    answer: str = ""
    form: AnswerForm = "short"
    quote: Quote | None = None
    status: RunStatus = "running"
    note: str = ""
    stopped: str = ""
    confidence: float = 0.0
    table: AnswerTable | None = None
    citations: tuple[Citation, ...] = ()
    closest: tuple[Quote, ...] = ()
    hops: tuple[Hop, ...] = ()
    retrieved: tuple[str, ...] = ()
    engine: str = ""
    settings: LoopSettings = LoopSettings()
    filters: dict[str, Any] = Field(default_factory=dict)
    usage: Usage = Usage()
    started_at: str = ""
    ms: float = 0.0
    generation: int = 0
    forked_from: str | None = None
