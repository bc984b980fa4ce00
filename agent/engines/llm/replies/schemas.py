"""What a model may reply to each prompt.

Every field is required and nothing else is allowed, so that the schemas hold in the strict mode of endpoints that
check replies against them: an empty text or list says "nothing".
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "REPLIES",
    "ClosedBook",
    "ClusterName",
    "ClusterNames",
    "Confirmation",
    "Decomposition",
    "EntityGraph",
    "EntityReply",
    "ExtractedFact",
    "Extraction",
    "FigureReply",
    "FinalReply",
    "Finding",
    "Hypotheses",
    "HypotheticalDocument",
    "Judgement",
    "MarkdownReply",
    "NextSubquery",
    "OntologyProposal",
    "Pair",
    "PerspectiveQuestion",
    "PerspectiveReply",
    "ProposedAttribute",
    "ProposedClass",
    "ProposedRelation",
    "QuestionIntents",
    "QuotedValue",
    "RelationshipReply",
    "Report",
    "ReportAnswer",
    "Rewritings",
    "RouteReply",
    "Standalone",
    "Statements",
    "SubAnswerReply",
    "SubQuestions",
    "Subquery",
    "TableReply",
    "TableRow",
    "Thought",
]


class _Reply(BaseModel):
    """Frozen and strict; what a model adds of its own is an error, and so sent back to it once."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Standalone(_Reply):
    """A follow-up question that stands alone (`standalone_question`)."""

    question: str = Field(min_length=1, description="The question, rewritten or as it is, and nothing else.")


class Subquery(_Reply):
    """The first subquery (`first_subquery`)."""

    question: str = Field(min_length=1, description="The one-hop question, and nothing else.")


class NextSubquery(_Reply):
    """The next subquery, or FINAL ANSWER (`next_subquery`)."""

    final: bool = Field(description="True says FINAL ANSWER: the original query can be answered now.")
    question: str = Field(description="The next one-hop question; empty where final is true.")


class RouteReply(_Reply):
    """The cubes that fit a subquery (`cube_router`)."""

    cubes: list[str] = Field(description="Names of cubes, the most important first; empty for NONE.")


class Pair(_Reply):
    """One entity of a subquery with the dimension it is a value of."""

    dimension: str = Field(description="The dimension's id.")
    entity: str = Field(description="An entity or a short phrase.")


class Decomposition(_Reply):
    """A subquery in the dimensions of one cube (`query_decomposition`)."""

    pairs: list[Pair]


class SubAnswerReply(_Reply):
    """A subquery's answer with the sentence that it was read from (`sub_answer`)."""

    answers: list[str] = Field(description="The answers, each as short as possible; empty where there is none.")
    document: str = Field(description="The id of the document that the answer stands in, or empty.")
    quote: str = Field(description="The sentence of that document, word for word, or empty.")


class Confirmation(_Reply):
    """Whether what is proposed for a step is right, else what is (`confirm_answer`)."""

    right: bool = Field(description="True where the documents support the proposed answer.")
    answer: str = Field(description="The right answer, as short as possible; empty where right is true or none is.")
    quote: str = Field(description="The sentence that states it, word for word, or empty.")
    question: str = Field(description="The question to ask instead, or empty.")


class FinalReply(_Reply):
    """The answer to the whole question (`final_answer`)."""

    answer: str = Field(description="The answer without explanation, or NO ANSWER.")


class ExtractedFact(_Reply):
    """One fact of a section, on one dimension of one cube."""

    cube: str = Field(description="The cube's id.")
    dimension: str = Field(description="The dimension's id.")
    subject: str = Field(description="The name of what the fact is about.")
    relation: str = Field(description="The section's phrase for a relation, else the dimension's id.")
    value: str = Field(description="The value, exactly as the section writes it.")
    quote: str = Field(description="The words of the section, copied exactly, in which the value stands.")


class Extraction(_Reply):
    """The facts of one section, for all dimensions at once (`section_extraction`)."""

    facts: list[ExtractedFact]


class Judgement(_Reply):
    """An answer judged against the gold answer (`judge`)."""

    correctness: Literal[0, 1]
    completeness: Literal[0, 1]
    explanation: str


class Hypotheses(_Reply):
    """Hypothetical answers, to search with (`hypothetical_answers`)."""

    answers: list[str]


class Statements(_Reply):
    """A hypothetical answer as one statement for each intent of the question (`hypothetical_statements`)."""

    intents: list[str]
    statements: list[str]


class QuestionIntents(_Reply):
    """What a question asks for (`question_intents`)."""

    subject: str
    instance: str
    head: str
    intents: list[str]


class PerspectiveReply(_Reply):
    """A point of view that an answer takes: a phrase of it, and the documents (ids) that it rests on."""

    kind: str
    phrase: str
    documents: list[str]


class PerspectiveQuestion(_Reply):
    """A question made from documents (`perspective_question`)."""

    question: str
    answer: str
    perspectives: list[PerspectiveReply]


class Rewritings(_Reply):
    """The same question in other words (`query_rewriting`)."""

    questions: list[str]


class ClosedBook(_Reply):
    """An answer without documents (`closed_book`)."""

    answer: str = Field(description="The answer, as short as it can be; empty where it is not known.")


class Thought(_Reply):
    """The next sentence of a chain of thought (`chain_of_thought`)."""

    done: bool = Field(description="True where the sentences so far state the answer.")
    sentence: str = Field(description="The next sentence; empty where done is true.")


class HypotheticalDocument(_Reply):
    """A passage that would answer a question (`hypothetical_document`)."""

    passage: str


class SubQuestions(_Reply):
    """A question's core, background and follow-up sub-questions (`core_subquestions`)."""

    core: list[str]
    background: list[str]
    follow_up: list[str]


class QuotedValue(_Reply):
    """One cell of an answer table with what it was read from."""

    value: str = Field(description="The value, as short as it can be, or empty.")
    document: str = Field(description="The id of the document that says it, or empty.")
    quote: str = Field(description="The sentence of that document, word for word, or empty.")


class TableRow(_Reply):
    """One answer instance: a cell for each column, in their order."""

    cells: list[QuotedValue]


class TableReply(_Reply):
    """The answer to a question with several intents (`answer_table`)."""

    rows: list[TableRow]


class ProposedAttribute(_Reply):
    """An attribute of a proposed class, with a piece of the documents that shows it."""

    name: str
    kind: Literal["name", "date", "quantity", "text"]
    quote: str = Field(description="A short piece of the documents, word for word.")


class ProposedRelation(_Reply):
    """A relation of a proposed class to another, with a piece of the documents that shows it."""

    name: str
    target: str = Field(description="The subject that the relation leads to.")
    phrases: list[str] = Field(description="The phrases that express it, such as 'directed by'.")
    quote: str = Field(description="A short piece of the documents, word for word.")


class ProposedClass(_Reply):
    """A class of subjects that the documents are about."""

    name: str
    description: str
    quote: str = Field(description="A short piece of the documents, word for word.")
    attributes: list[ProposedAttribute]
    relations: list[ProposedRelation]


class OntologyProposal(_Reply):
    """The classes of a corpus (`ontology_extraction`)."""

    classes: list[ProposedClass]


class ClusterName(_Reply):
    """What one cluster of entities is called."""

    number: int
    dimension: str = Field(description="A short lower-case noun; empty for noise.")
    noise: bool


class ClusterNames(_Reply):
    """A dimension for each cluster of entities (`cluster_naming`)."""

    clusters: list[ClusterName]


class EntityReply(_Reply):
    """An entity of a text."""

    name: str
    type: str
    description: str


class RelationshipReply(_Reply):
    """How two entities of a text are related."""

    source: str
    target: str
    relationship: str
    relationship_strength: int = Field(ge=1, le=10)


class EntityGraph(_Reply):
    """The entities of a text and their relations (`entity_relation_extraction`)."""

    entities: list[EntityReply]
    relationships: list[RelationshipReply]


class Finding(_Reply):
    """One insight of a report, with the ids of the entities and relationships it rests on."""

    summary: str
    explanation: str
    ids: list[str]


class Report(_Reply):
    """The report of a community of entities (`community_report`)."""

    title: str
    summary: str
    findings: list[Finding]


class ReportAnswer(_Reply):
    """An answer from reports, with the ids of the findings used (`report_answer`)."""

    answer: str = Field(description='The answer, or "Information not found in the report."')
    findings: list[str]


class MarkdownReply(_Reply):
    """A window of a document as Markdown (`markdown_formatting`)."""

    markdown: str


class FigureReply(_Reply):
    """What a figure shows (`figure_description`)."""

    description: str = Field(min_length=1, max_length=2_000, description="Two to five plain sentences.")


REPLIES: dict[str, type[BaseModel]] = {
    "answer_table": TableReply,
    "chain_of_thought": Thought,
    "closed_book": ClosedBook,
    "cluster_naming": ClusterNames,
    "community_report": Report,
    "confirm_answer": Confirmation,
    "core_subquestions": SubQuestions,
    "cube_router": RouteReply,
    "entity_relation_extraction": EntityGraph,
    "figure_description": FigureReply,
    "final_answer": FinalReply,
    "first_subquery": Subquery,
    "hypothetical_answers": Hypotheses,
    "hypothetical_document": HypotheticalDocument,
    "hypothetical_statements": Statements,
    "judge": Judgement,
    "markdown_formatting": MarkdownReply,
    "next_subquery": NextSubquery,
    "ontology_extraction": OntologyProposal,
    "perspective_question": PerspectiveQuestion,
    "query_decomposition": Decomposition,
    "query_rewriting": Rewritings,
    "question_intents": QuestionIntents,
    "report_answer": ReportAnswer,
    "section_extraction": Extraction,
    "standalone_question": Standalone,
    "sub_answer": SubAnswerReply,
}
"""The reply that each prompt asks for, by the prompt's name."""
