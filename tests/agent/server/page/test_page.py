"""The page in a real browser over a real server: asking, watching, forking, browsing, adding, removing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from browsing import Visit
from playwright.sync_api import Route, expect

CHAIN = "Into which lake does the river empty that flows through the birthplace of the composer of The Salt Lantern?"
# What is said waits for what comes with it, so a look at once may be too early.
HEARD = """new Promise(done => {
  const look = () => heard.join(' ').includes('Answer:') ? done(heard.join(' ')) : setTimeout(look, 20);
  look();
})"""
SHORT = "Where was the director of the film The Salt Lantern born?"
HOSTILE = (
    "<script>window.pwned = 1</script> was born in 1950 in [Skarholt](javascript:window.pwned=2) "
    "<img src=x onerror=pwned=3>."
)


def test_asking_shows_every_hop_with_its_cube_cells_and_sentence(visit: Visit) -> None:
    page = visit.ask(CHAIN)
    expect(page.locator(".answer")).to_contain_text("Lake Tolm")
    expect(page.locator(".outcome .sureness")).to_have_text(re.compile(r"^Confidence: \d+ % \(.*(right|sure)\)$"))
    assert page.locator(".hop h3 span[dir]").all_inner_texts() == [
        "Who is the composer of The Salt Lantern?",
        "What is the birthplace of Teodor Lasz?",
        "Which river flows through Dastra?",
        "Into which lake does Ommer empty?",
    ]
    assert page.locator(".hop .sub-answer").all_inner_texts() == ["Teodor Lasz", "Dastra", "Ommer", "Lake Tolm"]
    second = page.locator(".hop").nth(1)
    assert second.locator(".chip").inner_text() == "person"
    assert second.locator(".cell.exact").all_inner_texts() == ["name Teodor Lasz exact", "to location born in exact"]
    assert "born on 7 July 1889 in Dastra" in second.locator("blockquote").inner_text()
    drawn = second.get_by_role("img").locator("title").text_content()
    assert drawn is not None
    assert re.search(r"Cube Person, 12 properties\. Matched: .*Teodor Lasz \(exact\).*born in \(exact\)", drawn)
    heard = page.evaluate(HEARD)
    assert "Step 1: Who is the composer of The Salt Lantern?" in heard
    assert "Step 4: Lake Tolm." in heard
    assert "Answer: Lake Tolm. 3 sources." in heard


def test_the_loop_is_drawn_from_the_graph_and_follows_the_hops(visit: Visit) -> None:
    page = visit.ask(SHORT)
    expect(page.locator(".loop")).to_be_hidden()
    page.get_by_text("Diagram", exact=True).click()
    drawn = set(page.locator(".node").evaluate_all("nodes => nodes.map(n => n.dataset.node)"))
    told = {node["id"] for node in page.evaluate("fetch('/graph').then(r => r.json())")["nodes"]}
    assert drawn == told
    page.locator(".hop").nth(0).hover()
    expect(page.locator(".node.past[data-node=cube_cultural_product]")).to_be_visible()
    expect(page.locator(".node.past[data-node=finalize]")).to_have_count(0)
    page.locator(".hop").nth(1).hover()
    expect(page.locator(".node.past[data-node=cube_person]")).to_be_visible()
    expect(page.locator(".node.past[data-node=finalize]")).to_be_visible()


def test_hops_are_shown_while_the_stream_is_still_open(visit: Visit) -> None:
    def first_half(route: Route) -> None:
        said = {
            "started": {"run": "r1", "question": "Q", "asked": "What Q means"},
            "subquery": {"kind": "subquery", "hop": 1, "subquery": "Who is it?"},
            "route": {"kind": "route", "hop": 1, "subquery": "Who is it?", "cubes": ["person"], "note": "a name"},
        }
        events = [f"event: {name}\r\ndata: {json.dumps(data)}\r\n\r\n" for name, data in said.items()]
        body = ": a comment\r\n\r\n" + "".join(events)
        route.fulfill(body=body, content_type="text/event-stream")

    visit.page.route("**/ask", first_half)
    page = visit.to("ask")
    page.get_by_label("Question", exact=True).fill("Q")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator(".hop.live")).to_contain_text("Who is it?")
    expect(page.locator(".hop.live .chip")).to_have_text("person")
    expect(page.locator(".asked")).to_contain_text("What Q means")
    expect(page.get_by_role("alert").filter(has_text="ended the stream without an answer")).to_be_visible()


def test_a_question_is_stopped_before_the_server_has_begun(visit: Visit) -> None:
    visit.page.route("**/ask", lambda route: None)  # no answer ever comes
    page = visit.to("ask")
    page.get_by_label("Question", exact=True).fill(SHORT)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".result").get_by_role("alert")).to_have_text("Stopped before it began.")
    expect(page.get_by_label("Follow-up question")).to_be_enabled()


def test_a_run_that_did_not_end_is_resumed(visit: Visit) -> None:
    page = visit.ask(SHORT)
    place = page.url.partition("#/")[2]
    run = page.evaluate("fetch('/runs/' + location.hash.split('/')[2]).then(r => r.json())")
    run |= {"status": "paused", "answer": "", "note": "The cap of 5 requests is reached.", "citations": []}
    page.route(f"**/runs/{run['id']}", lambda route: route.fulfill(json=run | {"hops": run["hops"][:1]}))
    visit.to("runs")
    visit.to("ask")
    visit.to(place)
    expect(page.locator(".no-answer")).to_have_text("Not finished. The cap of 5 requests is reached.")
    expect(page.locator(".hop")).to_have_count(1)
    page.get_by_role("button", name="Resume").click()
    expect(page.locator(".answer:not(.writing)")).to_contain_text("Skarholt")
    expect(page.locator(".hop")).to_have_count(2)
    assert page.url.endswith(place)


def test_a_citation_opens_its_section_with_the_sentence_marked(visit: Visit) -> None:
    page = visit.ask(CHAIN)
    link = page.get_by_role("link", name="Source 2: Teodor Lasz")
    link.click()
    mark = page.locator("#panel mark")
    expect(mark).to_have_text(
        "The composer and organist Teodor Lasz was born on 7 July 1889 in Dastra and had his first lessons from a mill "
        "foreman who played the trombone."
    )
    assert "Skarholt in 1929" in page.locator(".section-text").inner_text()
    page.reload()  # the address holds the run and the section
    expect(mark).to_be_visible()
    expect(page.locator(".answer")).to_contain_text("Lake Tolm")
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    assert "section=" not in page.url
    link.click()
    expect(mark).to_be_visible()
    page.keyboard.press("Escape")
    expect(link).to_be_focused()


def test_a_follow_up_is_understood_and_stands_in_the_same_conversation(visit: Visit) -> None:
    page = visit.ask("Who directed The Salt Lantern?")
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request.post_data_json) if request.url.endswith("/ask") else None)
    page.get_by_label("Follow-up question").fill("And where was he born?")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(2)
    second = page.locator(".turn").nth(1)
    expect(second.locator(".answer:not(.writing)")).to_contain_text("Skarholt")
    expect(second.locator(".question")).to_have_text("And where was he born?")
    expect(second.locator(".asked")).to_have_text("Understood as: Where was Anselm Torvik born?")
    (before,) = asked[0]["conversation"]
    assert f"before={before}" in page.url
    expect(page.locator(".turn").nth(0).locator(".hop").first).to_be_hidden()  # folded away; its answer is not
    page.reload()
    expect(page.locator(".turn .answer")).to_have_count(2)
    page.get_by_role("link", name="Ask", exact=True).click()
    expect(page.locator(".turn")).to_have_count(0)


def test_a_hop_is_forked_and_laid_beside_its_origin(visit: Visit) -> None:
    page = visit.ask(SHORT)
    origin = page.url
    page.get_by_role("button", name="Change step 1…").click()
    form = page.get_by_role("form", name="Change step 1")
    expect(form.get_by_role("button", name="Run from here")).to_be_in_viewport()
    form.get_by_role("button", name="Run from here").click()
    expect(form.get_by_role("alert")).to_have_text("Change the question or the answer first.")
    form.get_by_label("or its answer, taken as true").fill("Teodor Lasz")
    form.get_by_role("button", name="Run from here").click()
    expect(page.locator(".answer:not(.writing)")).to_contain_text("Dastra")
    expect(page.locator(".hop").first.locator(".tag")).to_have_text("edited")
    assert page.locator(".hop h3 span[dir]").all_inner_texts()[1:] == ["Where was Teodor Lasz born?"]
    page.get_by_role("link", name="side by side").click()
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Answer (differs)"))
    expect(row.get_by_role("cell").nth(0)).to_have_text("Skarholt")
    expect(row.get_by_role("cell").nth(1)).to_have_text("Dastra")
    expect(page.get_by_role("rowheader", name="Question (differs)")).to_have_count(0)
    page.go_back()
    page.go_back()
    expect(page.locator(".answer")).to_contain_text("Skarholt")
    assert page.url == origin


def test_runs_are_searched_chosen_removed_and_kept_by_undo(visit: Visit) -> None:
    visit.ask(SHORT)
    page = visit.ask("Who composed The Salt Lantern?")
    page = visit.to("runs")
    page.get_by_label("Search questions and answers").fill("director of the film")
    rows = page.get_by_role("list", name="History").get_by_role("listitem")
    expect(rows.filter(has_text="Who composed")).to_have_count(0)
    expect(rows.first).to_contain_text(SHORT)
    page.reload()
    expect(page.get_by_label("Search questions and answers")).to_have_value("director of the film")
    page.get_by_label("Search questions and answers").fill("")
    expect(rows.filter(has_text="Who composed")).not_to_have_count(0)
    beside = page.get_by_role("button", name="Side by side")
    expect(beside).to_be_disabled()
    rows.nth(0).get_by_role("checkbox").check()
    rows.nth(1).get_by_role("checkbox").check()
    beside.click()
    expect(page.get_by_role("columnheader")).to_have_count(2)
    page.go_back()
    first = rows.first
    name = first.locator(".title").inner_text()
    address = first.locator(".title").get_attribute("href")
    first.get_by_role("button", name="Remove the run").click()
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(first).to_contain_text(name)
    first.get_by_role("button", name="Remove the run").click()
    page.get_by_role("button", name="Remove now").click()
    expect(page.locator(f'a.title[href="{address}"]')).to_have_count(0)
    page.reload()
    expect(rows.first).to_be_visible()
    expect(page.locator(f'a.title[href="{address}"]')).to_have_count(0)


def test_cubes_are_rolled_up_and_drilled_into(visit: Visit) -> None:
    page = visit.to("cubes")
    page.get_by_role("link", name="Person", exact=True).click()
    page.get_by_role("navigation", name="Properties").get_by_role("link", name="Person date").click()
    decade = page.locator(".bars > li").filter(has_text="1880s").first
    decade.locator("summary").first.click()
    assert decade.locator(".bars .bars, .bars li").count() > 0
    page.get_by_role("navigation", name="Properties").get_by_role("link", name="Person role and occupation").click()
    page.locator(".bars a", has_text=re.compile("^composer$")).click()
    cell = page.get_by_role("region", name="Passages")
    expect(cell.locator(".rows .title")).to_have_text(["Teodor Lasz", "Halla Brandvik"])
    page.reload()
    expect(cell.locator(".rows .title")).to_have_count(2)
    cell.get_by_role("link", name="Teodor Lasz").first.click()
    expect(page.locator("#panel .section-text")).to_contain_text("composer and organist")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Remove role").click()
    expect(page.locator(".crumbs")).to_contain_text("Choose a value")


def test_uploading_tells_its_progress_and_hostile_text_stays_text(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "hostile.txt").write_text(f"<b>Bo</b> Zwick\n\n{HOSTILE}\n", encoding="utf-8")
    (tmp_path / "broken.pdf").write_bytes(b"not a PDF at all")
    page = visit.to("documents")
    expect(page.get_by_role("list", name="Documents").get_by_role("listitem").first).to_be_visible()
    page.get_by_label("Add documents").set_input_files([tmp_path / "hostile.txt", tmp_path / "broken.pdf"])
    report = page.locator(".report")
    expect(report).to_contain_text("Done. 1 added.")
    expect(report).to_contain_text("1 problem")
    expect(report).to_contain_text("broken.pdf")
    page.get_by_label("Search documents").fill("hostile")
    row = page.get_by_role("list", name="Documents").get_by_role("listitem")
    expect(row).to_have_count(1)
    row.get_by_role("link").click()
    page.locator(".rows a.opens").first.click()
    text = page.locator("#panel .section-text")
    expect(text).to_contain_text(HOSTILE)
    assert text.locator("script, img, a").count() == 0
    assert page.evaluate("window.pwned") is None
    assert page.locator("[href^=javascript]").count() == 0
    page.keyboard.press("Escape")
    visit.to("documents?query=hostile")
    row.get_by_role("button", name="Remove the document").click()
    page.get_by_role("button", name="Undo").click()
    expect(row.get_by_role("link")).to_be_visible()
    row.get_by_role("button", name="Remove the document").click()
    page.get_by_role("button", name="Remove now").click()
    expect(row).to_have_count(0)
    page.reload()
    expect(page.get_by_text("No document fits.")).to_be_visible()


def test_hostile_text_of_a_run_stays_text(visit: Visit) -> None:
    page = visit.ask(SHORT)
    run = page.evaluate("fetch('/runs/' + location.hash.split('/')[2]).then(r => r.json())")
    run |= {"id": "hostile", "question": HOSTILE, "answer": HOSTILE, "note": HOSTILE}
    for hop in run["hops"]:
        hop |= {"subquery": HOSTILE, "answer": HOSTILE, "answers": [HOSTILE]}
        hop |= {"route_reason": HOSTILE, "notes": [HOSTILE]}
        for match in hop["evidence"][0]["matches"]:
            match |= {"label": HOSTILE, "route": "dense", "similarity": 0.81}
        hop["evidence"][0] |= {"sentence": HOSTILE, "title": "javascript:window.pwned=4", "section_id": "javascript:1"}
    run["citations"][0] |= {"sentence": HOSTILE, "title": HOSTILE}
    cells = [[{"value": HOSTILE, "citation": 1}, {"value": "", "citation": None}]]
    run["table"] = {"columns": [HOSTILE, "<i>b</i>"], "rows": cells}
    page.route("**/runs/hostile", lambda route: route.fulfill(json=run))
    visit.to("run/hostile")
    expect(page.locator(".question")).to_have_text(HOSTILE)
    expect(page.locator(".answer")).to_contain_text(HOSTILE)
    expect(page.locator("td, th").first).to_contain_text("<script>")
    expect(page.locator(".cell.dense").first).to_contain_text("similar, 0.81")
    visit.to("compare/hostile/hostile")
    expect(page.get_by_role("rowheader", name="Step 1")).to_be_visible()
    assert page.locator("main script, main img, [href^=javascript], [onerror]").count() == 0
    assert page.evaluate("window.pwned") is None


def test_the_theme_follows_the_system_and_a_switch(visit: Visit) -> None:
    page = visit.to("ask")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(ground)
    assert dark != light
    switch = page.get_by_role("button", name="Theme")
    switch.click()
    expect(switch).to_have_text("Theme: light")
    assert page.evaluate(ground) == light
    page.reload()
    assert page.evaluate(ground) == light
    switch.click()
    page.emulate_media(color_scheme="light")
    assert page.evaluate(ground) == dark


def test_the_keyboard_alone_is_enough(visit: Visit) -> None:
    page = visit.to("runs")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    for keys, title in (("gc", "Cubes"), ("gd", "Documents"), ("gr", "History"), ("n", "Ask")):
        page.keyboard.type(keys)
        expect(page).to_have_title(f"{title} · MultiCube")
    question = page.get_by_label("Question", exact=True)
    expect(question).to_be_focused()
    page.keyboard.type("Who composed The Salt Lantern? /g")  # a field takes the keys as they are
    expect(question).to_have_value("Who composed The Salt Lantern? /g")
    question.fill(SHORT)
    page.keyboard.press("Enter")
    expect(page.locator(".answer:not(.writing)")).to_be_visible()
    page.keyboard.type("jj")
    expect(page.locator(".hop").nth(1)).to_be_focused()
    page.keyboard.type("e")
    expect(page.get_by_label("The question of this step")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("form", name="Change step 2")).to_have_count(0)
    page.keyboard.type("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.get_by_label("Single keys are shortcuts").uncheck()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_hidden()
    page.keyboard.type("gc")
    expect(page.locator(".answer")).to_be_visible()
