"""The page for everyone: axe finds nothing serious, phones have no sideways scroll, and each state says what it is."""

from __future__ import annotations

import pytest
from browsing import Visit, serious
from playwright.sync_api import Browser, Page, expect

SHORT = "Where was the director of the film The Salt Lantern born?"
TOKEN = "token-of-this-test"


def _views(visit: Visit) -> list[str]:
    """The places to look at; a run with its section, and two runs, have to be made first."""
    page = visit.ask(SHORT)
    run = page.url.partition("#/")[2]
    section = page.get_by_role("link", name="Source 1").first.get_attribute("href")
    assert section is not None
    one = run.removeprefix("run/")
    cell = "cubes/person?by=date&in.role=composer"
    return ["ask", section.removeprefix("#/"), "runs", f"compare/{one}/{one}", "cubes", cell, "documents"]


def _settled(page: Page) -> None:
    """Wait until nothing is being loaded."""
    expect(page.locator("main")).not_to_be_empty()
    expect(page.locator(".busy")).to_have_count(0)


def test_axe_finds_nothing_serious_in_any_view_light_or_dark(visit: Visit) -> None:
    found: list[str] = []
    for place in _views(visit):
        page = visit.to(place)
        _settled(page)
        if place.startswith("run/"):
            page.locator(".fork-open").first.click()
        found += serious(page, place)
    visit.page.get_by_role("button", name="Shortcuts").click()
    found += serious(visit.page, "shortcuts")
    assert found == []


def test_a_phone_needs_no_sideways_scroll(visit: Visit) -> None:
    places = _views(visit)
    for width in (320, 390):
        visit.page.set_viewport_size({"width": width, "height": 700})
        for place in places:
            page = visit.to(place)
            _settled(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, place


def test_on_a_phone_a_section_covers_the_page_and_esc_closes_it(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 844})
    page = visit.ask(SHORT)
    page.get_by_role("link", name="Source 1").first.click()
    expect(page.locator("#panel mark")).to_be_visible()
    assert page.evaluate("document.querySelector('#panel').matches(':modal')")
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    assert "section=" not in page.url


def test_a_token_is_asked_for_and_kept_while_the_tab_is_open(browser: Browser, guarded: str) -> None:
    visit = Visit.begin(browser, guarded)
    page = visit.to("documents")
    dialog = page.get_by_role("dialog", name="A token is needed")
    dialog.get_by_label("Token").fill("wrong")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_have_text("The server does not take that token.")
    dialog.get_by_label("Token").fill(TOKEN)
    page.keyboard.press("Enter")
    rows = page.get_by_role("list", name="Documents").get_by_role("listitem")
    expect(rows.first).to_be_visible()
    page.reload()
    expect(rows.first).to_be_visible()
    expect(dialog).to_be_hidden()
    assert TOKEN not in page.url
    assert all("401" in complaint for complaint in visit.complaints)  # how a browser reports what was refused
    visit.complaints.clear()
    visit.end()


def test_a_lost_connection_is_said_and_its_return_noticed(visit: Visit) -> None:
    page = visit.ask(SHORT)
    visit.context.set_offline(True)
    page.get_by_label("Follow-up question").fill("Who composed The Salt Lantern?")
    page.keyboard.press("Enter")
    lost = page.get_by_role("alert").filter(has_text="The connection to the server is lost")
    expect(lost).to_be_visible()
    expect(page.locator(".turn").nth(1).get_by_role("alert")).to_have_text("The server cannot be reached.")
    expect(page.locator(".turn").nth(0).locator(".answer")).to_be_visible()
    expect(page.get_by_label("Follow-up question")).to_have_value("Who composed The Salt Lantern?")  # nothing is lost
    visit.context.set_offline(False)
    expect(lost).to_be_hidden()
    page.get_by_label("Follow-up question").press("Enter")
    expect(page.locator(".turn").nth(1).locator(".answer:not(.writing)")).to_contain_text("Teodor Lasz")
    expect(page.locator(".turn")).to_have_count(2)
    assert all("ERR_INTERNET_DISCONNECTED" in complaint for complaint in visit.complaints)
    visit.complaints.clear()


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("run/0123456789ab", "run"),
        ("cubes/no-such-cube", "There is no such cube."),
        ("documents/no-such-document", "document"),
        ("runs?section=no-such-section", "section"),
        ("compare/one", "Two runs are needed."),
    ],
)
def test_what_is_not_there_is_said_in_one_sentence(visit: Visit, place: str, sentence: str) -> None:
    page = visit.to(place)
    alert = page.get_by_role("alert").filter(has_text=sentence).first
    expect(alert).to_be_visible()
    assert all("404" in complaint for complaint in visit.complaints)  # how a browser reports what is not there
    visit.complaints.clear()
