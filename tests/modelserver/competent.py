"""A stand-in for a competent language model: it answers every prompt of the library by rules.

It sees only what a request carries: the prompt's words with what stands in its fences, and the schema of the reply. It
knows ordinary English (what "directed by" or "mother-in-law" mean), no corpus, no gold answer, no earlier request. What
stands in a fence is data to it: nothing there is followed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from multicube.agent.engines.llm.replies import schemas as replies
from multicube.prompts import PromptLibrary
from pydantic import BaseModel

from . import writing
from .recognising import Recogniser, Task, records_of, steps_of
from .request import ModelRequest
from .thinking import Source, compose, facts_of, names_in, next_question, read

__all__ = ["Competent"]

_NO_ANSWER = "NO ANSWER"
_WORD = re.compile(r"[a-z]+")
_DIMENSION = re.compile(r"^- (?P<id>\w+) \((?P<role>\w+)[^)]*\):(?P<meaning>.*)$", re.MULTILINE)
_CUBE = re.compile(r"^Cube (?P<id>\w+) \(", re.MULTILINE)
_RELATIONS = "relations such as"
_SENSES: tuple[tuple[str, str], ...] = (
    ("born die died buried married marry spouse mother father brother sister son daughter parent sibling child husband "
     "wife nationality occupation study studied attend attended taught teach birthplace grandfather aunt", "persons"),
    ("film films director directed author wrote novel play song singer performer composer composed album book starring "
     "released release published opera studio", "film"),
    ("river capital population country province city town island lake sea bridge located length flow flows runs empty "
     "university mountain", "river"),
    ("company firm founded started established head office headquarters founder operated employs", "companies"),
    ("election treaty signed war battle president winner beat won defeated", "treaties"),
    ("ship steamer railway train sank named aircraft sailed operated", "ships"),
    ("machine device invented inventor instrument engine", "machines"),
    ("storm hurricane flood rainfall landfall", "storms"),
    ("food drink dish cake bakes baked brewed made flavour ingredient", "foods"),
    ("plant tree flower species botanist", "plants"),
)  # fmt: skip
"""Words of questions, and the word by which a class that they belong to describes itself."""


class Competent:
    """The brain of a `ModelServer`. ``library`` holds the prompts that it is sent, if they are not the package's."""

    def __init__(self, library: PromptLibrary | None = None) -> None:
        self._recogniser = Recogniser(library)

    def __call__(self, request: ModelRequest) -> Any:
        task = self._recogniser.task(request)
        reply = _ANSWERS[task.prompt](task) if task.prompt in _ANSWERS else None
        if request.schema is None and request.mode == "text":
            return _in_words(reply)
        return _in_form(reply, request.schema or {})


def _in_form(reply: BaseModel | None, schema: Mapping[str, Any]) -> Any:
    """The reply with the fields that the schema asks for; something of the right kind where nothing was understood."""
    fields = reply.model_dump() if reply is not None else {}
    wanted = schema.get("properties", {})
    if not wanted:
        return fields
    return {name: fields.get(name, _filler(form)) for name, form in wanted.items()}


def _filler(form: Mapping[str, Any]) -> Any:
    if "enum" in form:
        return form["enum"][0]
    kind = form.get("type", "string")
    return {"string": "OK", "boolean": True, "integer": 1, "number": 1, "array": [], "object": {}}.get(kind)


def _in_words(reply: BaseModel | None) -> str:
    """The reply as plain words, as the papers' prompts ask for it."""
    match reply:
        case replies.Subquery(question=text) | replies.FinalReply(answer=text) | replies.MarkdownReply(markdown=text):
            return text
        case replies.NextSubquery(final=final, question=question):
            return "FINAL ANSWER" if final else question
        case replies.RouteReply(cubes=cubes):
            return ", ".join(cubes) or "NONE"
        case replies.SubAnswerReply(answers=answers):
            return "; ".join(answers)
        case None:
            return "OK"
    return reply.model_dump_json()


# -- reasoning -------------------------------------------------------------------------------------------------------


def _first_subquery(task: Task) -> replies.Subquery:
    question = task["original_query"]
    return replies.Subquery(question=next_question(question, ()) or question)


def _next_subquery(task: Task) -> replies.NextSubquery:
    question, steps = task["original_query"], steps_of(task["intermediate_answers"])
    following = next_question(question, steps)
    if following is None:
        return replies.NextSubquery(final=True, question="")
    return replies.NextSubquery(final=False, question=following)


def _final_answer(task: Task) -> replies.FinalReply:
    steps = steps_of(task["intermediate_answers"])
    return replies.FinalReply(answer=compose(task["original_query"], steps) or _NO_ANSWER)


# -- routing and decomposition ---------------------------------------------------------------------------------------


def _route(task: Task) -> replies.RouteReply:
    """The cubes whose paragraphs speak of what the query's words belong to."""
    names = re.findall(r"\w+", re.sub(r"\bor\b", " ", task["names"]))
    paragraphs = {name: p.lower() for name in names for p in task["cubes"].split("\n\n") if f'"{name}"' in p}
    asked = set(_WORD.findall(_without_names(task["query"]).lower()))
    scores: dict[str, int] = {}
    for words, sign in _SENSES:
        shared = len(asked & set(words.split()))
        for name, paragraph in paragraphs.items() if shared else ():
            described = paragraph.split(", e.g.,")[0]
            if sign in _WORD.findall(described):
                scores[name] = scores.get(name, 0) + shared
    ranked = sorted(scores, key=lambda name: -scores[name])
    return replies.RouteReply(cubes=ranked[:2])


def _decompose(task: Task) -> replies.Decomposition:
    """Names lie on the subject; words that the cube has a relation for lie on that relation."""
    question, dimensions = task["question"], list(_DIMENSION.finditer(task["dimensions"]))
    subject = next((d["id"] for d in dimensions if d["role"] == "subject"), "name")
    pairs = [replies.Pair(dimension=subject, entity=name) for name in names_in(question)]
    asked = {_stem(word) for word in _WORD.findall(_without_names(question).lower())}
    for dimension in dimensions:
        phrases = dimension["meaning"].partition(_RELATIONS)[2].split(",")
        meant = [p.strip() for p in phrases if p.strip() and {_stem(w) for w in _telling(p)} & asked]
        if meant and pairs:
            pairs.append(replies.Pair(dimension=dimension["id"], entity=meant[0]))
    return replies.Decomposition(pairs=pairs)


def _without_names(question: str) -> str:
    for name in names_in(question):
        question = question.replace(name, " ")
    return question


def _telling(phrase: str) -> list[str]:
    return [word for word in _WORD.findall(phrase.lower()) if len(word) > 3]


def _stem(word: str) -> str:
    """Enough of a word that "director" meets "directed", and a kin word the one that it is a kind of."""
    kin = {"brother": "sibling", "sister": "sibling", "son": "child", "daughter": "child", "husband": "spouse"}
    return (kin | {"wife": "spouse", "married": "spouse", "author": "writ", "wrote": "writ", "written": "writ"}).get(
        word, word[:5]
    )


# -- reading ---------------------------------------------------------------------------------------------------------


def _sub_answer(task: Task) -> replies.SubAnswerReply:
    sources = [Source(r.get("id", ""), r.get("title", ""), r.get("text", "")) for r in records_of(task["documents"])]
    found, source = read(task["question"], sources)
    if not found.answers or source is None:
        return replies.SubAnswerReply(answers=[], document="", quote="")
    quote = source.text[found.start : found.end].strip()
    return replies.SubAnswerReply(answers=list(found.answers), document=source.id, quote=quote)


def _confirm(task: Task) -> replies.Confirmation:
    """A proposal is right where the documents read to the same; another answer of theirs corrects it."""
    read_to = _sub_answer(Task("sub_answer", {"question": task["subquery"], "documents": task["documents"]}))
    proposed = task["answer"].split("; ")[0]
    if not read_to.answers or proposed in read_to.answers:
        return replies.Confirmation(right=not proposed.startswith("("), answer="", quote="", question="")
    return replies.Confirmation(right=False, answer=read_to.answers[0], quote=read_to.quote, question="")


def _extract(task: Task) -> replies.Extraction:
    """Facts on the dimensions that the schema lists."""
    section = task["section"]
    wanted = _dimensions(task["schema"])
    return replies.Extraction(
        facts=[
            replies.ExtractedFact(
                cube=fact.cube,
                dimension=fact.dimension,
                subject=fact.subject,
                relation=fact.relation,
                value=fact.value,
                quote=section[fact.sentence.start : fact.sentence.end].strip(),
            )
            for fact in facts_of(Source("section", task["title"], section))
            if (fact.cube, fact.dimension) in wanted
        ]
    )


def _dimensions(schema: str) -> set[tuple[str, str]]:
    cubes = list(_CUBE.finditer(schema))
    ends: Sequence[int] = [*(cube.start() for cube in cubes[1:]), len(schema)]
    return {
        (cube["id"], dimension["id"])
        for cube, end in zip(cubes, ends, strict=True)
        for dimension in _DIMENSION.finditer(schema[cube.start() : end])
    }


_ANSWERS: dict[str, Callable[[Task], BaseModel]] = {
    "first_subquery": _first_subquery,
    "next_subquery": _next_subquery,
    "final_answer": _final_answer,
    "cube_router": _route,
    "query_decomposition": _decompose,
    "sub_answer": _sub_answer,
    "confirm_answer": _confirm,
    "section_extraction": _extract,
    **writing.ANSWERS,
}
