"""What the stand-in writes to the prompts outside the loop: judgements, hypotheses, ontologies, reports, Markdown."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from multicube.agent.engines.llm.replies import schemas as replies
from multicube.cubes.core.folding import fold
from multicube.cubes.core.records import Fact
from multicube.cubes.model.ontology import CubeSpec, Dimension
from multicube.graphs.expansion.intents import intents_of
from pydantic import BaseModel

from .recognising import Task, records_of
from .thinking import Source, everyday_ontology, facts_of, names_in, read

__all__ = ["ANSWERS"]

_NOT_FOUND = "Information not found in the report."
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_TYPE_SIGNS = {
    "person": ("person", "people"),
    "place": ("place", "location", "geo"),
    "organization": ("organization", "organisation", "company"),
    "work": ("work", "product", "film"),
    "event": ("event",),
    "date": ("date", "time"),
}


def _judge(task: Task) -> replies.Judgement:
    gold, said = set(fold(task["gold_answer"]).split()), set(fold(task["predicted_answer"]).split())
    correct, complete = bool(gold & said) or gold == said, gold <= said
    told = "It holds all of the reference." if complete else "It holds a part of it." if correct else "It says another."
    return replies.Judgement(correctness=int(correct), completeness=int(complete), explanation=told)


def _hypotheses(task: Task) -> replies.Hypotheses:
    question, number = task["question"], int(re.sub(r"\D", "", task["number"]) or 1)
    about = ", ".join(names_in(question)) or question.rstrip("?")
    asking = {"what", "which", "who", "when", "where", "is", "are", "was", "were"}
    words = " ".join(word for word in fold(question).split() if word not in asking)
    ways = ("It is told that {a}: {w}.", "A history of {a} says of {w}.", "Sources on {a} describe {w}.")
    return replies.Hypotheses(
        answers=[f"Instance {n}. {ways[n % len(ways)].format(a=about, w=words)}" for n in range(1, number + 1)]
    )


def _statements(task: Task) -> replies.Statements:
    parts = re.split(r",? and (?=what|who|when|where|which|its|their)", task["question"])
    intents = [part.strip(" ?,") for part in parts]
    said = [s.strip() for s in _SENTENCE.findall(task["hypothetical_answer"]) if s.strip()]
    statements = (said or [task["hypothetical_answer"].strip()])[: max(2, len(intents))]
    while len(statements) < max(2, len(intents)):
        statements.append(f"It is said: {statements[-1]}")
    return replies.Statements(intents=intents, statements=statements)


def _question_intents(task: Task) -> replies.QuestionIntents:
    """The intents that everyday wordings show."""
    found = intents_of(task["question"])
    if found is None:
        return replies.QuestionIntents(subject="", instance="", head="", intents=[])
    instance, head = ("", "") if found.subject else (found.columns[0], found.head)
    return replies.QuestionIntents(subject=found.subject, instance=instance, head=head, intents=list(found.asked))


def _rewritings(task: Task) -> replies.Rewritings:
    telling = " ".join(fold(task["question"]).split()[1:])
    return replies.Rewritings(questions=[telling, f"Sources that say {telling}"][: int(task["number"])])


def _passage(task: Task) -> replies.HypotheticalDocument:
    return replies.HypotheticalDocument(passage=f"It is told: {task['question'].rstrip('?')}. Many sources say so.")


def _closed_book(task: Task) -> replies.ClosedBook:
    """It knows no corpus."""
    del task
    return replies.ClosedBook(answer="")


def _thought(task: Task) -> replies.Thought:
    """The first sentence of a paragraph that is not among the thoughts; two of them are enough."""
    said = [line for line in task["thoughts"].splitlines() if line.strip()]
    firsts = [re.split(r"(?<=[.!?]) ", source.text)[0] for source in _sources(task["documents"])]
    new = next((text for text in firsts if text not in said), "")
    done = len(said) > 1 or not new
    return replies.Thought(done=done, sentence="" if done else new)


def _sub_questions(task: Task) -> replies.SubQuestions:
    names = names_in(task["question"])
    return replies.SubQuestions(core=[task["question"]], background=[f"What is {n}?" for n in names], follow_up=[])


def _perspective_question(task: Task) -> replies.PerspectiveQuestion:
    """Who are told of: each by the first line of a document, as many as are asked for."""
    told = [json.loads(line) for line in task["documents"].splitlines() if line.startswith("{")]
    of = [told[n::number] for number in [int(task["number"])] for n in range(min(number, len(told)))]
    said = [
        replies.PerspectiveReply(kind="name", phrase=each[0]["text"].split("\n")[0], documents=[d["id"] for d in each])
        for each in of
    ]
    answer = " ".join(f"One is {one.phrase}." for one in said)
    return replies.PerspectiveQuestion(question="Of whom is something told?", answer=answer, perspectives=said)


def _table(task: Task) -> replies.TableReply:
    """A row for each title that documents begin with, and in each column what a sentence says of the two."""
    columns = [line.removeprefix("- ") for line in task["columns"].splitlines() if line.strip()]
    sources, rows = _sources(task["documents"]), []
    for name in dict.fromkeys(source.title for source in sources if source.title):
        cells = [_quoted(name, column, sources) for column in columns[1:]]
        first = _quoted(name, "", sources)
        rows.append(replies.TableRow(cells=[first, *cells]))
    return replies.TableReply(rows=[row for row in rows if any(cell.value for cell in row.cells[1:])])


def _quoted(name: str, column: str, sources: Sequence[Source]) -> replies.QuotedValue:
    """The name itself, or what follows "is", "are" or "included" in the sentence that names it and the column."""
    for source in sources:
        for sentence in map(str.strip, _SENTENCE.findall(source.text)):
            if name in sentence and column.rstrip("s") in sentence:
                said = re.search(rf"{re.escape(column.rstrip('s'))}.*? (?:is|are|included) (.+?)\.?$", sentence)
                value = name if not column else said[1] if said else ""
                return replies.QuotedValue(value=value, document=source.id, quote=sentence)
    return replies.QuotedValue(value="", document="", quote="")


def _ontology(task: Task) -> replies.OntologyProposal:
    """The everyday classes that the documents have facts of, each with the sentence that shows it."""
    sources = _sources(task["documents"])
    facts = [(fact, source) for source in sources for fact in facts_of(source)]
    classes = []
    for cube in everyday_ontology().cubes:
        shown: dict[str, list[tuple[Fact, Source]]] = defaultdict(list)
        for fact, source in facts:
            if fact.cube == cube.id:
                shown[fact.dimension].append((fact, source))
        if shown:
            classes.append(_proposed(cube, shown))
    return replies.OntologyProposal(classes=classes)


def _proposed(cube: CubeSpec, shown: dict[str, list[tuple[Fact, Source]]]) -> replies.ProposedClass:
    own = [d for d in cube.dimensions if d.id in shown]
    attributes = [
        replies.ProposedAttribute(name=d.name.lower(), kind=_kind(d), quote=_quote(*shown[d.id][0]))
        for d in own
        if d.role == "attribute"
    ]
    relations = [
        replies.ProposedRelation(
            name=d.name.lower(),
            target=_target(cube, d),
            phrases=list(dict.fromkeys(fact.relation for fact, _ in shown[d.id])),
            quote=_quote(*shown[d.id][0]),
        )
        for d in own
        if d.role == "relation"
    ]
    first = next(iter(shown.values()))[0]
    return replies.ProposedClass(
        name=cube.name.lower(),
        description=cube.description,
        quote=_quote(*first),
        attributes=attributes,
        relations=relations,
    )


def _kind(dimension: Dimension) -> str:
    if dimension.kind in ("date", "quantity", "text"):
        return dimension.kind
    return "name"


def _target(cube: CubeSpec, dimension: Dimension) -> str:
    return cube.dimension(dimension.target).name.lower() if dimension.target else cube.subject.name.lower()


def _quote(fact: Fact, source: Source) -> str:
    return source.text[fact.sentence.start : fact.sentence.end].strip()


def _clusters(task: Task) -> replies.ClusterNames:
    named = []
    for record in records_of(task["clusters"]):
        members = " ".join(value for key, value in record.items() if key != "id")
        digits = re.sub(r"\D", "", record.get("id", record.get("number", ""))) or "0"
        dimension = _cluster(members)
        named.append(replies.ClusterName(number=int(digits), dimension=dimension, noise=not dimension))
    return replies.ClusterNames(clusters=named)


def _cluster(members: str) -> str:
    names = [name.strip() for name in re.split(r"[,;]", members) if name.strip()]
    signs = (
        ("date", r"\b(?:1\d|20)\d\d\b|\b(?:January|May|June|July|October)\b"),
        ("quantity", r"^\W*\d"),
        ("location", r"\b(?:River|Lake|City|Island|Mount|Valley|Street|Bay|County|Province)\b"),
        ("organization", r"\b(?:University|Company|Corporation|Institute|Society|Bank|Party|Pictures|&)\b|&"),
        ("person", r"^[A-Z]\w+ [A-Z]\w+$"),
        ("theme", r"^[a-z]"),
    )
    for dimension, sign in signs:
        if names and sum(bool(re.search(sign, name)) for name in names) > len(names) / 2:
            return dimension
    return ""


def _graph(task: Task) -> replies.EntityGraph:
    types = [t.strip(" .\"'") for t in re.split(r",| and ", task["entity_types"]) if t.strip(" .")]
    entities: dict[str, replies.EntityReply] = {}
    relationships = []
    for fact in facts_of(Source("text", "", task["text"])):
        kind = _type(fact.kind, types)
        sentence = task["text"][fact.sentence.start : fact.sentence.end].strip()
        if kind:
            entities.setdefault(
                fact.value, replies.EntityReply(name=fact.value, type=kind, description=sentence)
            )
        if kind and fact.subject in entities and fact.subject != fact.value:
            told = f"{fact.subject} {fact.relation} {fact.value}: {sentence}"
            strength = 3 if fact.relation == "mentions" else 8
            relationships.append(
                replies.RelationshipReply(
                    source=fact.subject, target=fact.value, relationship=told, relationship_strength=strength
                )
            )
    return replies.EntityGraph(entities=list(entities.values()), relationships=relationships)


def _type(kind: str, types: Sequence[str]) -> str:
    """The type asked for that a kind of value is of; any named thing is of the first, where no other fits."""
    for sign in _TYPE_SIGNS.get(kind, ()):
        for one in types:
            if sign in one.lower():
                return one
    return types[0] if kind in ("name", "person", "place", "organization", "work") and types else ""


def _report(task: Task) -> replies.Report:
    records = records_of(task["community"])
    texts = [" ".join(value for key, value in r.items() if key != "id") for r in records]
    names = list(dict.fromkeys(name for text in texts for name in names_in(text)))[:3]
    findings = [
        replies.Finding(summary=" ".join(text.split()[:12]), explanation=text, ids=[r.get("id", "")])
        for r, text in zip(records[:10], texts, strict=False)
    ]
    summary = " ".join(texts)[:400]
    return replies.Report(title=" and ".join(names) or "Community", summary=summary, findings=findings)


def _report_answer(task: Task) -> replies.ReportAnswer:
    records = records_of(task["report"])
    sources = [Source(r.get("id", str(n)), r.get("title", ""), r.get("text", "")) for n, r in enumerate(records)]
    found, source = read(task["question"], sources)
    if not found.answers or source is None:
        return replies.ReportAnswer(answer=_NOT_FOUND, findings=[])
    return replies.ReportAnswer(answer=found.answers[0], findings=[source.id])


def _markdown(task: Task) -> replies.MarkdownReply:
    """Numbered chapters as headings; page numbers are left out; what was put out before is not repeated."""
    before = {line.strip("# ").strip() for line in task["previous_output"].splitlines() if line.strip()}
    return replies.MarkdownReply(markdown="\n".join(_lines(task["window"], before)).strip())


def _figure(task: Task) -> replies.FigureReply:
    return replies.FigureReply(description=f"A figure of {task['caption'] or task['title']}.")


def _lines(window: str, before: set[str]) -> Iterator[str]:
    for line in window.splitlines():
        text = line.strip()
        if re.fullmatch(r"(?:page )?[-–\d ]+(?:of \d+)?", text, re.IGNORECASE) or text in before:
            continue
        chapter = re.match(r"(\d+(?:\.\d+)*)\.? [A-Z]\w*", text)
        heading = chapter is not None and len(text) < 80 and text[-1:] not in ".,;"
        yield f"{'#' * (chapter[1].count('.') + 1)} {text}" if heading and chapter else line


def _sources(text: str) -> list[Source]:
    records = records_of(text)
    if not records:
        return [Source("d1", "", text)]
    return [Source(r.get("id", f"d{n}"), r.get("title", ""), r.get("text", "")) for n, r in enumerate(records, 1)]


def _standalone(task: Task) -> replies.Standalone:
    """The last answer in place of a pronoun."""
    told = re.findall(r"^Answer: (.+)$", task["conversation"], re.MULTILINE)
    pronoun = re.compile(r"\b(?:(his|her(?= [a-z])|its|their)|he|she|it|they|him|her|them)\b")
    question = task["question"]
    if told:
        question = pronoun.sub(lambda found: f"{told[-1]}'s" if found[1] else told[-1], question)
    return replies.Standalone(question=question)


ANSWERS: dict[str, Callable[[Task], BaseModel]] = {
    "judge": _judge,
    "hypothetical_answers": _hypotheses,
    "hypothetical_statements": _statements,
    "ontology_extraction": _ontology,
    "cluster_naming": _clusters,
    "entity_relation_extraction": _graph,
    "community_report": _report,
    "report_answer": _report_answer,
    "query_rewriting": _rewritings,
    "question_intents": _question_intents,
    "hypothetical_document": _passage,
    "closed_book": _closed_book,
    "chain_of_thought": _thought,
    "core_subquestions": _sub_questions,
    "perspective_question": _perspective_question,
    "answer_table": _table,
    "figure_description": _figure,
    "markdown_formatting": _markdown,
    "standalone_question": _standalone,
}
