"""How answers look on the page: tables, pages of PDFs, forks, and what else was found."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from browsing import Visit
from multicube import MultiCube
from playwright.sync_api import Page, expect

SHORT = "Where was the director of the film The Salt Lantern born?"
TABLE = "| part | price |\n| --- | --- |\n…\n| <b>seal</b> | 4 \\| 5 |"


def changed(visit: Visit, **parts: Any) -> Page:
    """Ask, and look at the run as if it had other parts; those of "hop" are its first hop's, of "citation" its own."""
    page = visit.ask(SHORT)
    run = page.evaluate("fetch('/runs/' + location.hash.split('/')[2]).then(r => r.json())")
    run["hops"][0] |= parts.pop("hop", {})
    run["citations"] = [run["citations"][0] | parts.pop("citation", {})]
    run |= {"id": "changed", **parts}
    page.route("**/runs/changed", lambda route: route.fulfill(json=run))
    return visit.to("run/changed")


def test_a_quoted_table_is_a_table_and_what_it_holds_stays_text(visit: Visit) -> None:
    quote = {"text": TABLE, "section_id": "s", "document_id": "d", "record_id": "r", "title": "T"}
    page = changed(visit, quote=quote, answer="4", citation={"sentence": "| <b>seal</b> | 4 \\| 5 |", "page": 12})
    table = page.locator(".result blockquote table")
    expect(table.get_by_role("columnheader")).to_have_text(["part", "price"])
    expect(table.get_by_role("cell")).to_have_text(["…", "<b>seal</b>", "4 \\| 5"])
    assert table.locator("b").count() == 0
    source = page.locator(".citations li")
    expect(source).to_contain_text("p. 12")
    expect(source.locator(".said")).to_have_count(0)  # the table says it


def test_quoted_code_is_code_to_the_line_and_no_fence_is_seen(visit: Visit) -> None:
    said = "Start it with:\n```sh\n  pump --go\n\n# <b>wait</b>\n```\nIt hums."
    quote = {"text": said, "section_id": "s", "document_id": "d", "record_id": "r", "title": "T"}
    page = changed(visit, quote=quote, answer="pump --go")
    code = page.locator(".result blockquote pre")
    assert code.inner_text() == "  pump --go\n\n# <b>wait</b>"
    expect(page.locator(".result blockquote p")).to_have_text(["Start it with:", "It hums."])


def test_an_answer_that_is_a_passage_is_told_once_in_its_step(visit: Visit) -> None:
    said = "1. Open the valve.\n2. # Close it."
    page = changed(visit, answer=said, form="passage", citation={"sentence": said},
                   hop={"form": "passage", "answer": said, "answers": [said], "status": "answered"})  # fmt: skip
    expect(page.locator(".result blockquote p")).to_have_text([re.compile(r"Open the valve.*# Close it", re.DOTALL)])
    expect(page.locator(".hop").first.locator(".sub-answer")).to_have_text("the passage above")


def test_passages_of_one_document_are_told_apart(visit: Visit) -> None:
    page = visit.ask(SHORT)
    run = page.evaluate("fetch('/runs/' + location.hash.split('/')[2]).then(r => r.json())")
    first = run["hops"][0]["evidence"][0]
    others = [first | {"section_id": f"s{n}", "path": [first["title"], f"Part {n}"], "sentence": f"It says {n}."}
              for n in (1, 2)]  # fmt: skip
    run["hops"][0]["evidence"] = [first, *others]
    page.route("**/runs/changed", lambda route: route.fulfill(json=run | {"id": "changed"}))
    page = visit.to("run/changed")
    page.get_by_text("2 more passages found").click()
    expect(page.locator(".also li").filter(has_text="Part 1")).to_contain_text("It says 1.")
    expect(page.locator(".also li").filter(has_text="Part 2")).to_contain_text("It says 2.")


def test_a_fork_of_the_whole_question_has_its_own_headline(visit: Visit) -> None:
    page = visit.ask("Who composed The Salt Lantern?")
    page.get_by_role("button", name="Change step 1…").click()
    page.get_by_label("The question of this step").fill("Who directed The Salt Lantern?")
    page.get_by_role("button", name="Run from here").click()
    expect(page.locator(".answer:not(.writing)")).to_contain_text("Anselm Torvik")
    expect(page.locator(".question")).to_have_text("Who directed The Salt Lantern?")
    visit.ask(SHORT)
    page.get_by_role("button", name="Change step 2…").click()
    page.get_by_label("The question of this step").fill("When was Anselm Torvik born?")
    page.get_by_role("button", name="Run from here").click()
    expect(page.locator(".asked")).to_have_text("Step 2 was changed: When was Anselm Torvik born?")


def test_a_conversation_opens_at_its_last_question_and_a_new_one_is_a_click_away(visit: Visit) -> None:
    page = visit.ask(SHORT)
    for question in ("Who composed The Salt Lantern?", "Who directed The Salt Lantern?"):
        page.get_by_label("Follow-up question").fill(question)
        page.keyboard.press("Enter")
        expect(page.locator(".turn").last.locator(".run-foot .facts")).to_be_visible()
    page.reload()
    expect(page.locator(".turn")).to_have_count(3)
    expect(page.locator(".turn").last.locator(".question")).to_be_in_viewport()
    expect(page.locator(".turn").first.locator(".question")).not_to_be_in_viewport()
    page.get_by_role("link", name="New conversation").click()
    expect(page.locator(".turn")).to_have_count(0)
    expect(page.get_by_role("link", name="New conversation")).to_be_hidden()


def test_a_long_passage_is_closed_wherever_it_is_scrolled_to(visit: Visit, served: MultiCube, tmp_path: Path) -> None:
    (tmp_path / "long.md").write_text("# Long\n\n" + "\n\n".join(f"Line {n} of it." for n in range(90)))
    served.ingest([tmp_path])
    long = next(section for section in served.kb.sections() if section.title == "Long")
    page = visit.to(f"documents?section={long.id}")
    page.locator(".section-text p").last.scroll_into_view_if_needed()
    close = page.get_by_role("button", name="Close", exact=True)
    expect(close).to_be_in_viewport()
    close.click()
    expect(page.locator("#panel")).to_be_hidden()


def test_cubes_that_the_documents_hardly_fill_are_folded_away(visit: Visit) -> None:
    told = visit.to("ask").evaluate("fetch('/cubes').then(r => r.json())")
    assert all(0 <= cube["share"] <= 1 for cube in told["cubes"])
    for cube in told["cubes"]:
        cube["share"] = 0.5 if cube["id"] == "person" else 0.01
    visit.page.route("**/cubes", lambda route: route.fulfill(json=told))
    page = visit.to("cubes")
    page.reload()
    expect(page.locator(".card:visible")).to_have_count(1)
    page.get_by_text("cubes that your documents hardly speak of").click()
    expect(page.locator(".card:visible")).to_have_count(len(told["cubes"]))
