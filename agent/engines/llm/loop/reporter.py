"""Reports on abstraction nodes by a language model, and answers from them (SMART, Table 6)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from .....cubes.smart.abstractions import Community, Finding, Report, Reporter
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence, FindingRecord
from .....prompts import PromptLibrary
from ..client import ModelClient
from ..errors import UNUSABLE
from ..replies import schemas as replies
from ..replies import wording

__all__ = ["STAGE", "LlmReporter", "answer_from_reports"]

STAGE = "reports"
_ROOM = 12_000
"""Characters of a community that are shown: its most connected entities, and what ties them."""
_DESCRIBED = 200
_SECTIONS = 24
_NOT_FOUND = "information not found in the report"


class LlmReporter:
    """Writes reports by Table 6's prompt; where a reply cannot be used, ``fallback`` writes that report."""

    def __init__(self, library: PromptLibrary, client: ModelClient, fallback: Reporter) -> None:
        self._prompt, self._client, self._fallback = library["community_report"], client, fallback

    @property
    def version(self) -> str:
        """Model and prompt."""
        return f"report {self._client.label} {self._prompt.fingerprint}"

    def report(self, community: Community) -> Report:
        """Ask for a report; its findings rest on the sections of the entities and relations it names for them."""
        lines = dict(_lines(community))
        shown, room = [], _ROOM
        for line, _, _ in lines.values():
            room -= len(line)
            if room < 0:
                break
            shown.append(line)
        try:
            reply = self._client.ask(STAGE, self._prompt.fill({"community": "\n".join(shown)}), replies.Report)
        except UNUSABLE:
            return self._fallback.report(community)
        findings: list[Finding] = []
        for found in reply.findings:
            ground = [section for id in found.ids if id.strip() in lines for section in lines[id.strip()][1]]
            if ground:  # what rests on nothing that was shown is no finding
                sections = tuple(dict.fromkeys(ground))[:_SECTIONS]
                about = tuple(entity for id in found.ids for entity in lines.get(id.strip(), ("", (), ()))[2])
                number, about = len(findings) + 1, tuple(dict.fromkeys(about))
                findings.append(Finding(f"f{number}", found.summary, found.explanation, sections, about))
        return Report(reply.title, reply.summary, tuple(findings)) if findings else self._fallback.report(community)


def answer_from_reports(
    subquery: str, evidence: Sequence[Evidence], client: ModelClient, library: PromptLibrary
) -> SubAnswer | None:
    """Answer from the findings that came with the evidence; None where there are none.

    The findings that the reply names are those that are cited.
    """
    known = {found.id: found for each in evidence for found in each.findings}
    if not known:
        return None
    lines = [_json(id=one.id, report=one.title, finding=one.text, examples=one.explanation) for one in known.values()]
    report = "\n".join([*lines, wording.documents(evidence)])
    try:
        prompt = library["report_answer"].fill({"question": subquery, "report": report})
        reply = client.ask("answer", prompt, replies.ReportAnswer)
    except UNUSABLE as error:
        return SubAnswer(note=f"the answer could not be read: {error}")
    answer = " ".join(reply.answer.split())
    if not answer or answer.casefold().strip(". ").startswith(_NOT_FOUND):
        return SubAnswer()
    used = tuple(dict.fromkeys(known[id.strip()] for id in reply.findings if id.strip() in known))
    return SubAnswer((answer,), _trust(used), findings=used)


def _trust(used: Sequence[FindingRecord]) -> float:
    """How far an answer is trusted: one that names no finding rests on nothing that can be shown."""
    return 0.6 if used else 0.3


def _lines(community: Community) -> Iterator[tuple[str, tuple[str, tuple[str, ...], tuple[str, ...]]]]:
    """Yield what is shown of a community, by id: the line, the sections it rests on, and the entities it is about."""
    entities = community.graph.entities
    for number, one in enumerate(community.below, 1):
        yield f"c{number}", (_json(id=f"c{number}", part=one.title, summary=one.summary), one.sections[:_SECTIONS], ())
    ties = Counter(end for relation in community.relations for end in {relation.subject, relation.value})
    leading = sorted(community.members, key=lambda m: (-ties[m], entities[m].id))
    for number, member in enumerate(leading[:100], 1):
        each, id = entities[member], f"e{number}"
        line = _json(id=id, entity=each.name, type=each.type, description=each.description[:_DESCRIBED])
        yield id, (line, each.sections, (each.id,))
    for number, relation in enumerate(sorted(community.relations, key=lambda r: -r.strength), 1):
        source, target = entities[relation.subject], entities[relation.value]
        line = _json(id=f"r{number}", source=source.name, target=target.name, relationship=relation.relation)
        yield f"r{number}", (line, relation.sections, (source.id, target.id))


def _json(**values: str) -> str:
    return json.dumps(values, ensure_ascii=False)
