"""How the stand-in for a model thinks: the package's own rules, over nothing but the words of one request.

A question is read by a grammar that knows its names only by their capitals; documents are read by the extractor, each
time anew. Nothing of an earlier request, of a knowledge base or of a data set is known here.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from multicube.agent.engines.embedded.execution.planner import Planner
from multicube.agent.engines.embedded.options import EngineOptions
from multicube.agent.engines.embedded.reasoner import EmbeddedReasoner
from multicube.agent.engines.embedded.vocabulary.linker import EntityLinker
from multicube.agent.engines.embedded.vocabulary.places import PlaceHierarchy
from multicube.cubes.core.folding import fold
from multicube.cubes.core.records import Document, Fact, Section, Span
from multicube.cubes.extraction.embedded import EmbeddedExtractor
from multicube.cubes.model.cells import CubeSet
from multicube.cubes.model.ontology import CubeSpec, Ontology, load_ontology
from multicube.graphs.reasoner import SubAnswer
from multicube.graphs.records import Evidence, Hop

__all__ = ["Source", "compose", "everyday_ontology", "facts_of", "names_in", "next_question", "read"]

_RULES = EngineOptions(reader=False)
_SURE = 0.7  # of what is read where no fact was: a good model says that it does not know
_TOKEN = re.compile(r"\"[^\"]+\"|“[^”]+”|\w+(?:[-.&'’]\w+)*['’]?|[^\w\s]")
_SMALL = frozenset({"of", "the", "in", "for", "at", "on", "a", "an", "to", "and", "or", "&", "from", "with", "without"})
_OPENING = frozenset(
    {"who", "whom", "whose", "what", "which", "when", "where", "why", "how", "is", "are", "was", "were", "do", "does",
     "did", "has", "have", "can", "between", "of", "in", "at", "on", "from", "into", "to", "by", "for", "with", "under",
     "after", "before", "name", "give", "tell", "list", "both"}
)  # fmt: skip
"""Words that begin a question with a capital and no name."""
_SEVERAL = re.compile(
    r"^(?:do|does|did|are|were|is|was|have|has|between)\b|\b(?:both|same|in common|older|younger|longer|shorter|larger|"
    r"earlier|later|first|more|less)\b",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"\b[A-Z]\w+(?: [A-Z]\w+)*['’]s \d{4} (?:[a-z]+ ){0,2}"
    r"(?:elections?|championships?|festival|cup|war|referendum|season)\b"
)
"""An event named by whose it was and when."""
_THING = re.compile(r"\b(?:the|a|an) ((?:[a-z-]+ ?){1,3})\?$")
_DESCRIBED = r"\bthe ((?:(?:\d{4}|[a-z][a-z-]+) ){1,3})"
_CLAUSE_WORDS = frozenset({*_OPENING, "that", "and", "or", "of", "was", "the", "after"})
_PERSONAL = re.compile(
    r"\b(?:born|die|died|married|marry|nationality|older|younger|lived|grandfather|grandmother|aunt|uncle|mother|father|"
    r"brother|sister|husband|wife|spouse|son|daughter|who)\b",
    re.IGNORECASE,
)
_WORKS = re.compile(
    r"\b(?:films?|movies?|songs?|novels?|books?|plays?|albums?|directors?|authors?|composers?|singers?)\b"
)
_KIN = {
    "brother": "sibling",
    "sister": "sibling",
    "son": "child",
    "daughter": "child",
    "husband": "spouse",
    "wife": "spouse",
}
_KIN_WORD = re.compile(rf"\b(?:{'|'.join(_KIN)})\b")
_MALE = re.compile(r"\b(?:he|his|him|king|prince|son|father|actor|duke)\b", re.IGNORECASE)
_FEMALE = re.compile(r"\b(?:she|her|hers|queen|princess|daughter|mother|actress|duchess)\b", re.IGNORECASE)
_lock = threading.Lock()


@dataclass(frozen=True)
class Source:
    """A document as the request has it."""

    id: str
    title: str
    text: str


Asked = tuple[str, tuple[str, ...]]
"""A question of one hop with its answers."""


@lru_cache(maxsize=1)
def everyday_ontology() -> Ontology:
    """What there is to be said of things: persons are born, films are directed, rivers flow."""
    return load_ontology("default")


def names_in(question: str) -> list[str]:
    """The names in a question: what is quoted, and runs of capitalised words with small words between them.

    Where there is none, what its last noun phrase calls a thing is the name ("the steam plough").
    """
    events = [found[0] for found in _EVENT.finditer(question)]
    tokens = _TOKEN.findall(_EVENT.sub(" . ", question))
    found = [*events, *(name for run in _runs(tokens) for name in _apart(run, question))]
    return list(dict.fromkeys(found)) or _THING.findall(question)


def _runs(tokens: Sequence[str]) -> Iterator[list[str]]:
    run: list[str] = []
    for at, token in enumerate(tokens):
        if token[0] in "\"“":
            yield [token.strip('"“”')]
            continue
        if not run and not _starts(tokens, at):
            continue
        if token[0].isupper() or (run and (token == "&" or token[0].isdigit())) or _continues(tokens, at):
            run.append(token)
            if not re.search(r"['’]s?$", token) or _starts(tokens, at + 1):
                continue
            run[-1] = re.sub(r"['’]s?$", "", token)
        if run:
            yield run
        run = [token] if token[0].isupper() and run[-1:] != [re.sub(r"['’]s?$", "", token)] else []
    if run:
        yield run


def _starts(tokens: Sequence[str], at: int) -> bool:
    """Whether a name may begin here: a capital that is not the sentence's."""
    if at >= len(tokens) or not tokens[at][0].isupper():
        return False
    if at == 0 and tokens[at].lower() in _OPENING:
        return False
    return not (tokens[at].lower() in _SMALL and not (at + 1 < len(tokens) and tokens[at + 1][0].isupper()))


def _continues(tokens: Sequence[str], at: int) -> bool:
    """Whether small words here lead on to another capital."""
    while at < len(tokens) and tokens[at].lower() in _SMALL:
        at += 1
        if at < len(tokens) and tokens[at][0].isupper():
            return True
    return False


def _apart(run: list[str], question: str) -> list[str]:
    """Two names with "or" between them, or with "and" where the question is about several things."""
    several = _SEVERAL.search(question) is not None
    for at in range(1, len(run) - 1):
        upper = run[at + 1][0].isupper()
        if several and (run[at] == "or" or (run[at] == "and" and upper)):
            rest = run[at + 1 :] if upper else run[at + 2 :]
            return [" ".join(run[:at]), *([" ".join(rest)] if rest else [])]
    return [" ".join(run)]


@lru_cache(maxsize=4096)
def _asker(question: str) -> tuple[EmbeddedReasoner, Planner]:
    """A grammar for which the question's own names are names of things of any class."""
    sections, facts = [], []
    for number, name in enumerate(names_in(question)):
        section = Section(f"n{number}", f"n{number}", "", 0, (name,), name)
        sections.append(section)
        span = Span(0, len(name))
        facts += [
            Fact(section.id, cube.id, cube.subject.id, name, "is", name, "name", span, span)
            for cube in _classes(name, question)
        ]
    cubes = CubeSet.build(everyday_ontology(), sections, facts)
    linker = EntityLinker(cubes)
    planner = Planner(linker, PlaceHierarchy(cubes, linker))
    return EmbeddedReasoner(cubes, lambda _: "", options=_RULES), planner


def _classes(name: str, question: str) -> list[CubeSpec]:
    """What a name may be the name of: what the question calls it, a person where it looks like one, else anything."""
    cubes = everyday_ontology().cubes
    called = [cube for cube in cubes if set(_described(name, question).split()) & set(cube.nouns)]
    if called:
        return called
    words = name.split()
    like_a_person = len(words) in (2, 3) and all(word[0].isupper() and word != "The" for word in words)
    if like_a_person and _PERSONAL.search(question) and not _WORKS.search(question):
        return [cube for cube in cubes if "person" in cube.nouns]
    return list(cubes)


def _described(name: str, question: str) -> str:
    """The words by which a question says which thing of a name is meant: "1962 film", "novelist"."""
    found = re.search(_DESCRIBED + rf"(?=[\"“]?{re.escape(name)}\b)", question)
    words = found[1].split() if found else []
    nouns = words[:-1] if words[-1:] == ["of"] and words[-2] in ("version", "city", "town", "island") else words
    if not nouns or set(nouns) & _CLAUSE_WORDS:
        return ""
    if nouns is words and words[-1].endswith("s"):
        words[-1] = words[-1].removesuffix("s")
    return " ".join(words)


def next_question(question: str, steps: Sequence[Asked]) -> str | None:
    """The next one-hop question, or None where the steps suffice or lead nowhere."""
    with _lock:
        following = _asker(question)[0].next_step(question, _hops(steps)).subquery
    return None if following is None else _told_apart(following, question)


def _told_apart(subquery: str, question: str) -> str:
    """A subquery with its names described as the question does: there may be several things of a name."""
    for name in names_in(question):
        words = _described(name, question)
        if words and name in subquery and words not in subquery:
            return re.sub(rf"(?:\bthe )?[\"“]?{re.escape(name)}\b[\"”]?", f"the {words} {name}", subquery, count=1)
    return subquery


def compose(question: str, steps: Sequence[Asked]) -> str:
    """The answer that the steps lead to, or nothing."""
    if steps and fold(steps[0][0]) == fold(question):
        return next(iter(steps[0][1]), "")
    with _lock:
        reasoner, planner = _asker(question)
        plan = reasoner.plan(question)
        following = planner.next(plan, _hops(steps)) if plan is not None else ""
    return "" if isinstance(following, str) else following.text


def _hops(steps: Sequence[Asked]) -> list[Hop]:
    return [
        Hop(
            number=number,
            subquery=asked,
            answer=answers[0] if answers else "",
            answers=answers,
            status="answered" if answers else "missing",
            confidence=1.0,
        )
        for number, (asked, answers) in enumerate(steps, 1)
    ]


def read(question: str, sources: Sequence[Source]) -> tuple[SubAnswer, Source | None]:
    """The answer that the documents give to a question, with the one that gives it."""
    with _lock:
        reader, evidence = _reader(tuple(sources))
        for wording in _wordings(question, sources):
            found = reader.answer(wording, evidence)
            sure = found.fact is not None or found.confidence >= _SURE
            if found.answers and sure and _of_the_kin(question, wording, found.answers[0], sources):
                if re.search(r"\b(?:country|nation)\b", question):
                    found = replace(found, answers=tuple(_country(answer, sources) for answer in found.answers))
                return found, next((s for s in sources if s.id == found.section_id), None)
    return SubAnswer(), None


def _country(answer: str, sources: Sequence[Source]) -> str:
    """The country that a nationality's word comes from, where the documents name it: "Norvian", "Norvia"."""
    stem = answer[: max(4, len(answer) - 3)]
    named = re.findall(rf"\b{re.escape(stem)}\w*", " ".join(f"{s.title} {s.text}" for s in sources))
    shorter = [word for word in named if len(word) < len(answer)]
    return min(shorter, key=len) if shorter and " " not in answer else answer


def _wordings(question: str, sources: Sequence[Source]) -> list[str]:
    """The question, and with its names as the documents' titles have them in full."""
    wordings = [question]
    for name in names_in(question):
        for source in sources:
            if fold(source.title).startswith(f"{fold(name)} ") and fold(source.title) not in fold(question):
                wordings.append(question.replace(name, source.title, 1))
    plainer = [_KIN_WORD.sub(lambda word: _KIN[word[0]], wording) for wording in wordings]
    return list(dict.fromkeys([*wordings, *plainer]))


def _of_the_kin(question: str, wording: str, answer: str, sources: Sequence[Source]) -> bool:
    """Whether a sibling is a brother, where a brother is asked for: what is said of the person tells."""
    asked = _KIN_WORD.search(question)
    if asked is None or _KIN_WORD.search(wording):
        return True
    told = " ".join(s.text for s in sources if fold(answer) in fold(s.title) or fold(s.title) in fold(answer))
    male = len(_MALE.findall(told)) - len(_FEMALE.findall(told))
    return male > 0 if asked[0] in ("brother", "son", "husband") else male < 0


@lru_cache(maxsize=1024)
def _reader(sources: tuple[Source, ...]) -> tuple[EmbeddedReasoner, list[Evidence]]:
    extractor = EmbeddedExtractor(everyday_ontology())
    extractor.prepare([_document(source) for source in sources])
    sections = [_section(source) for source in sources]
    facts = [f for source, s in zip(sources, sections, strict=True) for f in extractor.extract(s, _document(source))]
    texts = {source.id: source.text for source in sources}
    evidence = [
        Evidence(
            section_id=s.id, document_id=s.id, record_id=s.id, title=s.title, path=s.path, text=s.text, rank=rank
        )
        for rank, s in enumerate(sections, 1)
    ]
    cubes = CubeSet.build(everyday_ontology(), sections, facts)
    return EmbeddedReasoner(cubes, texts.__getitem__), evidence


def facts_of(source: Source) -> Sequence[Fact]:
    """The facts that a text states, on the dimensions of everyday classes."""
    extractor = EmbeddedExtractor(everyday_ontology())
    extractor.prepare([_document(source)])
    return extractor.extract(_section(source), _document(source))


def _document(source: Source) -> Document:
    return Document(source.id, source.id, source.id, source.title, source.text, "")


def _section(source: Source) -> Section:
    return Section(source.id, source.id, source.id, 0, tuple(source.title.split(" > ")), source.text)
