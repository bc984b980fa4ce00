"""Runs kept in a knowledge base: catalogued, searched, exported and removed."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from multicube import MultiCube, MultiCubeError
from multicube.agent.app.traces import exported
from multicube.agent.runs.store import RunStore
from multicube.agent.views.trace_page import trace_page
from multicube.graphs.records import (
    AnswerTable,
    CellRecord,
    Citation,
    Evidence,
    FactRecord,
    Hop,
    ListedField,
    ListedRecord,
    Run,
    TableCell,
)

CHAIN = "Where was the director of the film The Salt Lantern born?"
NASTY = '<script>alert(1)</script>"onload="x\' <img src=x onerror=y> [a](javascript:alert(1)) \u202e\x1b[31m & </title>'


@pytest.fixture
def own(sample_path: Path, tmp_path: Path) -> Iterator[MultiCube]:
    """A copy of the sample's knowledge base without runs."""
    shutil.copytree(sample_path, tmp_path / "kb", ignore=shutil.ignore_patterns("runs.sqlite*"))
    with MultiCube.open(tmp_path / "kb") as kb:
        yield kb


def run(id: str, started_at: str, question: str = "Who?", **fields: object) -> Run:
    return Run.model_validate({"id": id, "started_at": started_at, "question": question, **fields})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    kept = RunStore(tmp_path / "runs.sqlite")
    kept.save(run("a1", "2025-12-31T23:59:59.000+00:00", "Who wrote Café Ölmütz?", status="answered", answer="Ida"))
    kept.save(run("b2", "2026-11-02T08:00:00.000+00:00", "What is 100% wool_blend?", status="abstained"))
    kept.save(run("c3", "2026-11-21T10:00:00.000+00:00", "Who directed it?", status="failed", forked_from="a1"))
    yield kept
    kept.close()


def found(store: RunStore, *args: str | None) -> list[str]:
    from multicube.agent.runs.catalogue import RunFilter

    return [each.id for each in store.search(RunFilter.of(*args), 50).runs]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("args", "ids"),
    [
        ((), ["c3", "b2", "a1"]),
        (("who",), ["c3", "a1"]),
        (("OLMUTZ cafe",), ["a1"]),
        (("wro",), ["a1"]),
        (("rote",), []),
        (("100%",), ["b2"]),
        (("wool_",), ["b2"]),
        (("r%te",), []),
        (("", "failed"), ["c3"]),
        (("", None, "2026"), ["c3", "b2"]),
        (("", None, "2026-11-03"), ["c3"]),
        (("", None, None, "2025"), ["a1"]),
        (("", None, "2026-11", "2026-11-02"), ["b2"]),
        (("who", "answered", "2025-12-31", "2025-12-31"), ["a1"]),
    ],
)
def test_runs_are_found_by_words_status_and_date(
    store: RunStore, args: tuple[str | None, ...], ids: list[str]
) -> None:
    assert found(store, *args) == ids


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("?!",), "no word"),
        (("", "done"), "no status 'done'"),
        (("", None, "yesterday"), "'yesterday' is not a date"),
        (("", None, None, "2026-02-30"), "2026-02-30"),
        (("", None, "20261121"), "20261121"),
    ],
)
def test_a_search_that_cannot_be_meant_is_said(store: RunStore, args: tuple[str | None, ...], word: str) -> None:
    with pytest.raises(MultiCubeError, match=word):
        found(store, *args)


def test_a_page_says_how_many_there_are_in_all(store: RunStore) -> None:
    from multicube.agent.runs.catalogue import RunFilter

    page = store.search(RunFilter(), 1, 1)
    assert ([r.id for r in page.runs], page.total) == (["b2"], 3)
    assert store.search(RunFilter(), 1).runs[0].forked_from == "a1"


def test_runs_of_a_version_without_a_catalogue_are_found(store: RunStore, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "runs.sqlite") as old:
        old.execute("DROP TABLE catalogue")
        unreadable = ("z9", "2024-01-01T00:00:00.000+00:00", "Of another age?", "answered", '{"id": "z9", "era": 1}')
        old.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?)", unreadable)
    old.close()
    again = RunStore(tmp_path / "runs.sqlite")
    assert found(again) == ["c3", "b2", "a1", "z9"]
    assert found(again, "another age") == ["z9"]
    again.close()


def test_what_a_hop_asked_and_found_is_searched_too(own: MultiCube) -> None:
    asked = own.ask(CHAIN)
    own.ask("Who directed the film The Tin Cathedral?")
    for words in ("torvik skarholt", "harbour pilot", asked.id[:5]):
        assert [r.id for r in own.search_runs(words).runs] == [asked.id]
    summary = own.search_runs("torvik").runs[0]
    assert (summary.hops, summary.answer, summary.status) == (2, "Skarholt", "answered")
    assert own.search_runs(status="abstained").total == 1


def test_a_run_that_another_version_kept_hides_no_other(store: RunStore, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "runs.sqlite") as file:
        file.execute("UPDATE runs SET body = '{\"shape\": \"of old\"}' WHERE id = 'c3'")
    assert [each.id for each in store.recent(5)] == ["b2", "a1"]
    assert store.find(None).id == "b2"
    with pytest.raises(MultiCubeError, match="kept by a version whose traces this one cannot read"):
        store.find("c3")


def test_a_deleted_run_is_gone_with_its_checkpoints(own: MultiCube) -> None:
    kept, gone = own.ask(CHAIN), own.ask(CHAIN)
    assert own.delete_run(gone.id[:8]).id == gone.id
    assert [r.id for r in own.search_runs().runs] == [r.id for r in own.runs()] == [kept.id]
    with sqlite3.connect(own.kb.path / "runs.sqlite") as stored:
        threads = stored.execute("SELECT DISTINCT thread_id FROM checkpoints").fetchall()
    stored.close()
    assert threads == [(kept.id,)]
    for name in (gone.id, "", " "):
        with pytest.raises(MultiCubeError):
            own.delete_run(name)


class Page(HTMLParser):
    """What a page holds: elements with their attributes, and its text."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_page_shows_every_hop_with_its_evidence_and_the_sentence_marked(sample: MultiCube) -> None:
    asked = sample.ask(CHAIN, save=False)
    source = trace_page(asked)
    page = Page(source)
    for word in (asked.question, "Skarholt", "Hop 2: Where was Anselm Torvik born?", "person/name: Anselm Torvik"):
        assert word in page.text
    for cited in asked.citations:
        assert f"<mark>{cited.sentence.replace(chr(39), '&#x27;')}</mark>" in source
    ids = {attributes.get("id") for _, attributes in page.tags}
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    assert len(links) == len(asked.citations)
    assert {str(link)[1:] for link in links} <= ids


def test_whatever_is_in_a_run_is_text_on_its_page() -> None:
    found = Evidence(
        section_id=NASTY, document_id="d", record_id=NASTY, title=NASTY, path=(NASTY,), source=NASTY, text=NASTY * 2,
        sentence=NASTY, end=len(NASTY), rank=1,
    )  # fmt: skip
    cited = Citation(number=1, hop=1, section_id=NASTY, document_id="d", record_id="r", title=NASTY, sentence=NASTY)
    hop = Hop(number=1, subquery=NASTY, notes=(NASTY,), evidence=(found,), answer="alert", answers=("alert",))
    table = AnswerTable(columns=(NASTY,), rows=((TableCell(value=NASTY, citation=1),),))
    page = Page(
        trace_page(run("x", NASTY, NASTY, answer=NASTY, hops=(hop,), citations=(cited,), table=table, engine=NASTY))
    )
    tags = {tag for tag, _ in page.tags}
    assert not tags & {"script", "img", "iframe", "link", "object", "form"}
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    assert all(str(a.get("href", "#")).startswith("#e1-") or "href" not in a for _, a in page.tags)
    assert "<script>" in page.text
    assert not {"\u202e", "\x1b"} & set(page.text)


def test_a_page_asks_for_nothing_from_outside(sample: MultiCube) -> None:
    page = Page(trace_page(sample.ask(CHAIN, save=False)))
    assert not [attributes for _, attributes in page.tags if {"src", "action", "style"} & attributes.keys()]
    policy = next(a["content"] for tag, a in page.tags if tag == "meta" and "http-equiv" in a)
    assert str(policy).startswith("default-src 'none'; style-src 'sha256-")


def test_a_page_shows_the_cells_that_were_opened_and_all_that_is_listed() -> None:
    fact = FactRecord(
        section_id="s", cube="film", dimension="name", subject="Dune Song", relation="is", value="Dune Song", start=0,
        end=9, sentence="Dune Song is a film of 1931.",
    )  # fmt: skip
    listed = ListedRecord(value="Dune Song", fact=fact, fields=(ListedField(name="year", value="1931", fact=fact),))
    cell = CellRecord(cube="film", labels=(("genre", "drama"), ("date", "1931")), holds=1204)
    hop = Hop(number=1, subquery="How many?", answer="1", cells=(cell,), listed=(listed,), noun="films")
    page = Page(trace_page(run("x", "2026", hops=(hop,), answer="1")))
    assert "film/genre: drama, date: 1931 (1,204)" in page.text
    assert "Dune Song; year: 1931: Dune Song is a film of 1931." in page.text


def test_a_run_is_exported_in_three_formats(own: MultiCube) -> None:
    asked = own.ask(CHAIN)
    assert Run.model_validate_json(own.export_run(asked.id)) == asked
    assert own.export_run(asked.id, "mermaid").startswith("flowchart TD\n")
    assert own.export_run(format="html").startswith("<!doctype html>")
    with pytest.raises(MultiCubeError, match="'pdf'"):
        exported(asked, "pdf")
