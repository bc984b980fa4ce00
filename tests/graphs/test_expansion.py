"""Hypothetical queries over a corpus of invented drugs: what they find, what they must never become, what they cost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from multicube import MultiCube
from multicube.agent.cli import app
from multicube.agent.engines.embedded.reasoner import EmbeddedReasoner
from multicube.agent.views import terminal as rendering
from multicube.cubes.core.folding import fold
from multicube.cubes.core.records import Filters
from multicube.cubes.retrieval.fusion import rrf
from multicube.graphs.expansion import StatementRanking, fuse, intents_of
from multicube.graphs.expansion.expanding import why_expand
from multicube.graphs.expansion.statements import ExpansionRequest, Hypotheses, Statement
from multicube.graphs.records import Evidence, LoopSettings, Run
from typer.testing import CliRunner

DRUGS = ("Lumavex", "Dorzanil", "Perithol", "Sarvacin", "Quellamine", "Ibrondal", "Fenoxitrel", "Brenuval", "Coprellin")
ILLS = ("Velmoria", "Tarsen fever", "Okral palsy")
EFFECTS = ("nausea", "dizziness", "insomnia", "headache", "fatigue", "tremor", "fever", "cough", "cramps")
QUESTION = "Which drugs are used for Velmoria, and what are their active molecules and side effects?"


def molecule(drug: str) -> str:
    return f"{drug[:4].lower()}idine hydrochloride"


def treating(ill: str) -> list[str]:
    return [drug for n, drug in enumerate(DRUGS) if ILLS[n % len(ILLS)] == ill]


def records() -> Iterator[dict[str, str]]:
    for n, drug in enumerate(DRUGS):
        ill, effect = ILLS[n % len(ILLS)], EFFECTS[n]
        use = f"{drug} is a drug used for {ill}. It was approved in {1980 + n} and is taken with water."
        made = f"The active molecule of {drug} is {molecule(drug)}. It is made in two steps."
        seen = f"In two trials the side effects of {drug} included {effect}. They went away."
        for part, title, text in (
            ("use", drug, use),
            ("made", f"{drug} chemistry", made),
            ("seen", f"Reports on {drug}", seen),
        ):
            yield {"id": f"{drug}-{part}", "title": title, "text": text}
    for ill in ILLS:
        yield {"id": ill, "title": ill, "text": f"{ill} is a disease of the nerves. Doctors treat {ill} with rest."}
        vain = f"The history of {ill} began with a plague. Many drugs were used for {ill} in vain, with side effects."
        yield {"id": f"{ill}-past", "title": f"History of {ill}", "text": vain}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("drugs")
    file = place / "drugs.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records()), encoding="utf-8")
    MultiCube.build([file], place / "kb", engine="embedded").close()
    return place / "kb"


@pytest.fixture
def drugs(folder: Path) -> Iterator[MultiCube]:
    with MultiCube.open(folder, engine="embedded") as opened:
        yield opened


def ask(opened: MultiCube, question: str = QUESTION, **settings: Any) -> Run:
    return opened.ask(question, settings=LoopSettings(**settings), save=False)


def cells(run: Run) -> dict[str, list[str]]:
    assert run.table is not None
    return {row[0].value: [cell.value for cell in row[1:]] for row in run.table.rows}


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        (QUESTION, ("drugs", "active molecules", "side effects")),
        ("What are ALB gene mutations and their related diseases?", ("ALB gene mutations", "related diseases")),
        ("What are the decay modes and half-lives of C-14?", ("C-14", "decay modes", "half-lives")),
        ("What are the mutations of the ALB gene and their related diseases?", ("mutations", "related diseases")),
        ("Which rivers cross Orm, which country does each flow through, and how long is it?",
         ("rivers", "country", "length")),
        ("List the rivers that cross Orm, with the length and the source of each.", ("rivers", "length", "source")),
        ("What are the lengths and sources of the rivers that cross Orm?", ("rivers", "lengths", "sources")),
        ("Which mutations were found in ALB, and which disease is related to each of them?", ("mutations", "disease")),
        ("Which country did the king rule, and which city did he found?", ()),
        ("Which team won the cup in 1990, and which player scored?", ()),
        ("What are catalysts, active species and side products for the Orm reaction?",
         ("Orm reaction", "catalysts", "active species", "side products")),
        ("What are Lumavex's active molecule and side effects?", ("Lumavex", "active molecule", "side effects")),
        ("Which rivers cross Orm, and what are the length and the source of each?", ("rivers", "length", "source")),
        ("Who directed The Tin Kettle and The Salt Lantern?", ()),
        ("What is the place of birth of the director of film Peter and Paul?", ()),
        ("Which play has the actress born first, The Tin Kettle or The Salt Lantern?", ()),
        ("What strategy did the army use against Orm and its supporters?", ()),
    ],
)
def test_the_intents_of_a_question_are_read_off_its_words(question: str, columns: tuple[str, ...]) -> None:
    found = intents_of(question)
    assert (found.columns if found is not None else ()) == columns


def test_every_instance_and_intent_is_found_read_and_cited(drugs: MultiCube) -> None:
    run = ask(drugs)
    expected = {d: [molecule(d), EFFECTS[DRUGS.index(d)]] for d in treating("Velmoria")}
    assert cells(run) == expected
    assert run.table is not None
    assert run.status == "answered"
    cited = {citation.number: citation for citation in run.citations}
    assert len(cited) == len(run.citations)
    for cell in (cell for row in run.table.rows for cell in row):
        assert cell.citation is not None
        assert fold(cell.value) in fold(cited[cell.citation].sentence)
        section = drugs.kb.section(cited[cell.citation].section_id)
        assert section.text[cited[cell.citation].start : cited[cell.citation].end] == cited[cell.citation].sentence
    for drug in treating("Velmoria"):
        assert f"{drug} (active molecules: {molecule(drug)}" in run.answer


def test_a_single_query_finds_less(drugs: MultiCube) -> None:
    tables = {e: cells(ask(drugs, expand=e)) for e in ("auto", "never")}
    filled = {e: sum(bool(value) for row in found.values() for value in row) for e, found in tables.items()}
    assert filled["never"] < filled["auto"] == 2 * len(treating("Velmoria"))
    assert ask(drugs, expand="never").hops[0].statements == ()


def test_a_trace_shows_each_statement_its_list_and_what_was_taken(drugs: MultiCube) -> None:
    run = ask(drugs)
    (hop,) = run.hops
    assert hop.expanded == "several intents"
    held = [e.record_id for e in hop.evidence]
    assert len(held) == LoopSettings().top_k
    for statement in hop.statements:
        assert statement.taken == tuple(found for found in statement.found if found in held)
        assert statement.found[0] in held  # no statement is drowned by the others
        assert len(statement.found) <= LoopSettings().top_k
    lines = [line.plain for line in rendering.trace(run)]
    assert sum(line.strip().startswith("query:") for line in lines) == len(hop.statements)
    assert any("Lumavex-made*" in line for line in lines)
    table = [line.plain for line in rendering.answer(run)]
    assert any(line.startswith("Lumavex [") and f"{molecule('Lumavex')} [" in line for line in table)
    back = Run.model_validate_json(run.model_dump_json())
    assert back == run


class Liar(EmbeddedReasoner):
    """Supposes what no document says."""

    def hypotheses(self, subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Hypotheses:
        lies = [
            f"{drug} is used for Velmoria; its active molecule is unobtainium and its side effect is immortality."
            for drug in ("Lumavex", "Mendacol")
        ]
        return Hypotheses(tuple(Statement(lie, "side effects", n) for n, lie in enumerate(lies, 1)))


@pytest.mark.parametrize("expand", ["auto", "always"])
def test_a_false_hypothesis_is_a_query_and_nothing_else(folder: Path, expand: str) -> None:
    with MultiCube.open(folder, engine="embedded") as opened:
        liar = Liar(opened.kb.cubes, lambda section_id: opened.kb.section(section_id).text)
        with MultiCube.open(folder, reasoner=liar, engine="embedded") as lied_to:
            for question in (QUESTION, "What are the side effects of Mendacol?", "Who made Lumavex?"):
                run = ask(lied_to, question, expand=expand)
                told = run.model_dump(mode="json")
                for hop in told["hops"]:
                    hop.pop("statements")
                for lie in ("unobtainium", "immortality", "Mendacol is used"):
                    assert lie not in json.dumps(told)
            run = ask(lied_to, expand=expand)
            assert any("immortality" in statement.text for statement in run.hops[0].statements)
            assert "Lumavex-seen" in {e.record_id for e in run.hops[0].evidence}  # false ones can still help


def test_a_question_with_one_intent_has_two_statements_at_least(sample: MultiCube) -> None:
    for question in ("Who directed The Salt Lantern?", "What do people say of the harbour?"):
        run = ask(sample, question, expand="always")
        for hop in run.hops:
            assert len(hop.statements) >= 2
            assert hop.expanded == "asked for"
            assert len(hop.evidence) <= LoopSettings().sections_per_hop
    plain, more = (ask(sample, "Who directed The Salt Lantern?", expand=e) for e in ("never", "always"))
    assert plain.answer == more.answer != ""


@pytest.mark.parametrize("strategy", ["rewrite", "hyde", "core_subq"])
def test_other_strategies_are_compared_in_the_same_node(drugs: MultiCube, strategy: str) -> None:
    run = ask(drugs, strategy=strategy)
    said = {statement.text for hop in run.hops for statement in hop.statements}
    assert said
    assert said.isdisjoint(s.text for hop in ask(drugs).hops for s in hop.statements)
    assert set(cells(run)) <= {*treating("Velmoria")}


def test_an_intent_with_few_statements_is_not_drowned_by_many() -> None:
    crowd = [StatementRanking("effects", ("a", "b", "c", "d")) for _ in range(12)]
    lists = [*crowd, StatementRanking("origin", ("z", "y"))]
    assert [section for section, _ in fuse(lists, 3)] == ["a", "b", "z"]
    assert fuse([*crowd], 2) == fuse([*reversed(crowd)], 2)
    scores = dict(fuse(lists, 4))
    assert scores["z"] == pytest.approx(1 / 61)
    assert scores["a"] == pytest.approx(12 / 61)


def test_what_is_on_the_topic_comes_before_what_a_statement_finds_elsewhere() -> None:
    effects = [StatementRanking("effects", ("x", "b")), StatementRanking("effects", ("y", "b"))]
    lists = [StatementRanking("", ("t", "u")), *effects, StatementRanking("use", ("c",))]

    def kept(limit: int, *topic: str) -> set[str]:
        return {section for section, _ in fuse(lists, limit, on_topic=topic.__contains__)}

    assert kept(2) == {"b", "c"}  # the best of each intent, whatever is on the topic
    assert kept(3, "t", "y") == {"b", "c", "y"}
    assert kept(5, "t", "u") == {"b", "c", "x", "y", "t"}  # what no statement found makes room for their first


def test_every_section_that_names_the_topic_is_looked_at(drugs: MultiCube) -> None:
    """The hop finds two sections; the drugs in the others are supposed all the same."""
    for strategy, supposed in (("hqg", 3), ("rewrite", 0)):
        (hop,) = ask(drugs, sections_per_hop=2, expand="always", strategy=strategy).hops
        abouts = {drug for drug in treating("Velmoria") for one in hop.statements if drug in one.text}
        assert len(abouts) == supposed


def test_what_a_section_is_called_is_no_supposed_answer(drugs: MultiCube) -> None:
    (hop,) = ask(drugs).hops
    said = " ".join(statement.text for statement in hop.statements)
    assert all(drug in said for drug in treating("Velmoria"))
    assert "History" not in said
    assert "Reports" not in said


class Counting:
    """Words hashed into a vector; counts how often it is called."""

    fingerprint, dimensions = "counting/1", 64

    def __init__(self) -> None:
        self.calls: list[int] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        self.calls.append(len(texts))
        vectors = np.full((len(texts), self.dimensions), 0.01, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in fold(text).split():
                vectors[row, sum(map(ord, word)) % self.dimensions] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_all_statements_are_embedded_in_one_call_and_found_as_if_alone(tmp_path: Path) -> None:
    file, encoder = tmp_path / "drugs.jsonl", Counting()
    file.write_text("".join(json.dumps(record) + "\n" for record in records()), encoding="utf-8")
    with MultiCube.build([file], tmp_path / "kb", engine="embedded", encoder=encoder) as opened:
        retriever = opened.kb.retriever
        statements = [f"The side effects of {drug} are {effect}." for drug in DRUGS for effect in EFFECTS[:3]][:20]
        encoder.calls.clear()
        found = retriever.many(statements, k=10, mode="dense")
        assert encoder.calls == [20]
        alone = [retriever.passages(statement, k=10, mode="dense") for statement in statements]
        assert [[h.section_id for h in r.hits] for r in found] == [[h.section_id for h in r.hits] for r in alone]
        encoder.calls.clear()
        run = opened.ask(QUESTION, save=False)
        assert len(run.hops[0].statements) > 8
        assert [size for size in encoder.calls if size > 1] == []  # each names a thing that few sections name
        encoder.calls.clear()
        opened.ask(QUESTION, settings=LoopSettings(strategy="rewrite"), save=False)
        assert len([size for size in encoder.calls if size > 1]) == 1


def test_a_name_that_few_sections_hold_is_looked_up_before_anything_is_embedded(tmp_path: Path) -> None:
    file, encoder = tmp_path / "drugs.jsonl", Counting()
    file.write_text("".join(json.dumps(record) + "\n" for record in records()), encoding="utf-8")
    with MultiCube.build([file], tmp_path / "kb", engine="embedded", encoder=encoder) as opened:
        retriever, encoder.calls = opened.kb.retriever, []
        asked = ["The side effects of Lumavex.", "The side effects of a drug.", "The side effects of Mendacol."]
        named, open_, unknown = retriever.many(asked, k=4, about=["Lumavex", "", "Mendacol"])
        assert encoder.calls == [2]
        found = [opened.kb.section(hit.section_id).record_id for hit in named.hits]
        assert found[0] == "Lumavex-seen"
        assert sorted(found) == ["Lumavex-made", "Lumavex-seen", "Lumavex-use"]
        assert len(open_.hits) == len(unknown.hits) == 4
        none = retriever.many(asked[:1], k=4, about=["Lumavex"], filters=Filters(sources=("elsewhere.md",)))
        assert none[0].hits == ()
        (crowd,) = retriever.many(["Drugs for Velmoria."], k=2, about=["Velmoria"])  # more than two sections name it
        assert len(crowd.hits) == 2
        assert encoder.calls[-1] == 1


def test_the_router_expands_for_several_intents_for_partial_coverage_and_not_otherwise(drugs: MultiCube) -> None:
    whole, part = ({"asked": 2, "covered": n} for n in (2, 1))

    def found(**figures: int) -> list[Evidence]:
        (one,) = ask(drugs, "Who made Lumavex?", expand="never").hops[0].evidence[:1]
        return [one.model_copy(update=figures)]

    auto = LoopSettings()
    assert why_expand(QUESTION, [], auto) == "several intents"
    assert why_expand("Who made Lumavex?", found(**part), auto) == "partial coverage"
    assert why_expand("Who made Lumavex?", found(**whole), auto) == ""
    assert why_expand("Who made Lumavex?", found(asked=2, covered=0), auto) == ""  # the cubes know nothing of it
    assert why_expand("Who made Lumavex?", [], auto) == ""
    assert why_expand(QUESTION, found(**part), LoopSettings(expand="never")) == ""
    assert why_expand("Who made Lumavex?", found(**whole), LoopSettings(expand="always")) == "asked for"
    assert why_expand(QUESTION, [], LoopSettings(single_shot=True, retrieval="bm25")) == ""  # one look-up, no more


def test_the_table_reaches_text_and_json(folder: Path) -> None:
    runner = CliRunner()
    asked = ["ask", QUESTION, "--kb", str(folder), "--engine", "embedded"]
    told = runner.invoke(app, asked)
    assert told.exit_code == 0
    row = next(line for line in told.stdout.splitlines() if line.startswith("Lumavex ["))
    assert molecule("Lumavex") in row
    assert EFFECTS[0] in row
    table = json.loads(runner.invoke(app, [*asked, "--json"]).stdout)["table"]
    assert table["columns"] == ["drugs", "active molecules", "side effects"]
    assert {line[0]["value"] for line in table["rows"]} == set(treating("Velmoria"))
    assert all(cell["citation"] for line in table["rows"] for cell in line)


def test_what_only_a_hypothesis_found_must_name_what_a_single_hop_asks_about(folder: Path) -> None:
    with MultiCube.open(folder, engine="embedded") as opened:
        liar = Misleading(opened.kb.cubes, lambda section_id: opened.kb.section(section_id).text)
        with MultiCube.open(folder, reasoner=liar, engine="embedded") as lied_to:
            plain, more = (ask(lied_to, "Who made Lumavex?", expand=e) for e in ("never", "always"))
            held = {e.record_id for e in plain.hops[0].evidence}
            added = [e for e in more.hops[0].evidence if e.record_id not in held]
            assert more.hops[0].statements
            assert all("Lumavex" in f"{e.title} {e.text}" for e in added)


class Misleading(EmbeddedReasoner):
    """Supposes values that other sections say of other things."""

    def hypotheses(self, subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Hypotheses:
        texts = [f"Lumavex was made like {drug}, against {ill}." for drug, ill in zip(DRUGS[1:4], ILLS, strict=True)]
        return Hypotheses(tuple(Statement(text, hypothesis=n) for n, text in enumerate(texts, 1)))


def test_the_plain_fusion_is_equations_9_to_12_and_nothing_else(tmp_path: Path) -> None:
    file, encoder = tmp_path / "drugs.jsonl", Counting()
    file.write_text("".join(json.dumps(record) + "\n" for record in records()), encoding="utf-8")
    orders = []
    with MultiCube.build([file], tmp_path / "kb", engine="embedded", encoder=encoder) as opened:
        for k in (1, 60):
            encoder.calls.clear()
            (hop,) = ask(opened, fusion="plain", rrf_k=k, top_k=6).hops
            texts = [statement.text for statement in hop.statements]
            assert len(texts) in encoder.calls  # equation 9: every statement is embedded
            alone = [opened.kb.retriever.passages(text, k=6, mode="dense").hits for text in texts]
            expected = [section for section, _ in rrf([[hit.section_id for hit in hits] for hits in alone], k)[:6]]
            assert [e.section_id for e in hop.evidence] == expected
            orders.append(expected)
        assert orders[0] != orders[1]  # K has its effect
        assert [e.section_id for e in ask(opened, top_k=6).hops[0].evidence] not in orders
