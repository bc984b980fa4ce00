"""The page's first minutes: an empty knowledge base, a question that is stopped, cubes, and the address."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from apiserver import Halting, serving, wait_until
from browsing import Visit, serious
from multicube import MultiCube
from multicube.agent.app.factory import writable
from multicube.agent.server.routers import documents
from playwright.sync_api import Browser, expect

LAMP = {"id": "1", "title": "The Grey Lamp", "text": "The Grey Lamp is a 1950 film directed by Ada Moss."}
ASKED = "Who directed The Grey Lamp?"
SHORT = "Where was the director of the film The Salt Lantern born?"


def test_an_empty_page_takes_the_sample_and_offers_what_to_ask(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("corpus.jsonl", "questions.jsonl"):
        assert (documents.SAMPLE / name).is_file()
    (tmp_path / "corpus.jsonl").write_text(json.dumps(LAMP), "utf-8")
    (tmp_path / "questions.jsonl").write_text(json.dumps({"question": ASKED}), "utf-8")
    monkeypatch.setattr(documents, "SAMPLE", tmp_path)
    with writable(tmp_path / "kb", None, None) as made:
        made.accept_empty()
    with MultiCube.open(tmp_path / "kb") as kb, serving(kb, warm=False) as running:
        visit = Visit.begin(browser, running.url)
        page = visit.to("ask")
        expect(page.get_by_label("Add documents")).to_be_visible()
        expect(page.get_by_label("Question", exact=True)).to_be_hidden()
        assert serious(page, "empty") == []
        page.get_by_role("button", name="Try it with the sample").click()
        expect(page.get_by_text("Done. 1 added.")).to_be_visible()
        page.get_by_role("button", name=ASKED).click()
        expect(page.locator(".answer:not(.writing)")).to_contain_text("Ada Moss")
        visit.end()


def test_files_can_be_added_where_one_asks(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "lamp.md").write_text(f"# {LAMP['title']}\n\n{LAMP['text']}\n", encoding="utf-8")
    (tmp_path / "broken.pdf").write_bytes(b"not a PDF at all")
    with writable(tmp_path / "kb", None, None) as made:
        made.accept_empty()
    with MultiCube.open(tmp_path / "kb") as kb, serving(kb, warm=False) as running:
        visit = Visit.begin(browser, running.url)
        page = visit.to("ask")
        page.get_by_label("Add documents").set_input_files([tmp_path / "lamp.md", tmp_path / "broken.pdf"])
        question = page.get_by_label("Question", exact=True)
        expect(question).to_have_attribute("placeholder", "Ask about The Grey Lamp …")
        expect(page.locator(".report")).to_contain_text("broken.pdf")  # what was set aside stays in sight
        visit.end()


def test_a_question_that_is_stopped_ends_on_the_server_and_can_be_resumed(
    browser: Browser, sample_path: Path, tmp_path: Path
) -> None:
    shutil.copytree(sample_path, tmp_path / "kb")
    with Halting.open(tmp_path / "kb") as kb, serving(kb, warm=False) as running:
        visit = Visit.begin(browser, running.url)
        page = visit.to("ask")
        page.get_by_label("Question", exact=True).fill(SHORT)
        page.keyboard.press("Enter")
        assert kb.halted.wait(60)
        expect(page.locator(".busy").first).to_have_text("Step 1: reading")
        page.get_by_text("Diagram", exact=True).click()
        expect(page.locator(".node.now[data-node=answer]")).to_be_visible()
        assert serious(page, "answering") == []
        page.get_by_role("button", name="Stop").click()
        wait_until(lambda: running.client.get("/health").json()["asks"] == 0)
        kb.go_on.set()
        expect(page.locator(".no-answer")).to_contain_text("Not finished.")
        wait_until(lambda: kb.trace().status == "paused")
        assert len(kb.trace().hops) == 1
        page.get_by_role("button", name="Resume").click()
        expect(page.locator(".answer:not(.writing)")).to_contain_text("Skarholt")
        visit.end()


def test_cubes_are_explained_and_empty_ones_left_out(visit: Visit) -> None:
    told = visit.to("ask").evaluate("fetch('/cubes').then(r => r.json())")
    told["cubes"][0]["facts"] = 0
    visit.page.route("**/cubes", lambda route: route.fulfill(json=told))
    page = visit.to("cubes")
    page.reload()
    expect(page.locator(".card")).to_have_count(len(told["cubes"]) - 1)
    expect(page.locator(".about")).to_contain_text("Each bar is a property")
    expect(page.locator(".about")).to_contain_text("1 empty cube left out.")


def test_the_address_keeps_a_cube_and_what_is_searched_in_it(visit: Visit) -> None:
    page = visit.to("cubes/person?by=name")
    search = page.get_by_label("Search Person name")
    search.fill("lasz")
    rows = page.locator(".bars > li")
    expect(rows).to_have_count(1)
    page.reload()
    expect(search).to_have_value("lasz")
    expect(rows).to_have_count(1)
    rows.get_by_role("link").click()
    expect(page.get_by_role("region", name="Passages").locator(".title")).not_to_have_count(0)
    page.go_back()
    expect(search).to_have_value("lasz")


def test_only_whole_words_are_marked(visit: Visit) -> None:
    page = visit.ask(SHORT)
    run = page.evaluate("fetch('/runs/' + location.hash.split('/')[2]).then(r => r.json())")
    sentence = "Annabel met Ann (the first), and Ann left Mariann."
    run |= {"id": "words", "answer": "Ann"}
    run["hops"] = [run["hops"][0] | {"answer": "Ann", "answers": ["Ann"]}]
    run["citations"] = [run["citations"][0] | {"sentence": sentence}]
    page.route("**/runs/words", lambda route: route.fulfill(json=run))
    visit.to("run/words")
    marked = page.locator(".citations .said")
    expect(marked).to_have_text(sentence)
    assert marked.locator("strong").all_inner_texts() == ["Ann", "Ann"]
