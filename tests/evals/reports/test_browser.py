"""The page in a real browser: questions are found and opened, and nothing that documents say is more than text."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from evaluated import HOSTILE, Make, evaluated
from multicube.evals.reports.making import make
from playwright.sync_api import Browser, Locator, Page, expect


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of two runs, with plots and a difference."""
    folder = tmp_path_factory.mktemp("report")
    limits = {"limit-1": (None,) * 4, "limit-2": ("",) * 4}
    first = evaluated(folder, answers={**_ANSWERS, **limits})
    other = evaluated(folder, "later", "hotpotqa", answers={"multicube": ("Oren Vass", "no", "x", "1911")})
    make([first, other], (f"{first}:multicube", f"{other}:multicube")).write_html(folder / "page.html")
    return folder / "page.html"


@pytest.fixture
def shown(browser: Browser, path: Path) -> Iterator[Page]:
    """The page, opened from the disk."""
    context = browser.new_context()
    page, complaints, requests = context.new_page(), list[str](), list[str]()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    context.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    yield page
    context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith((path.as_uri(), "data:"))] == []


_ANSWERS = {"multicube": ("Oren Vass", "yes", HOSTILE, None), "hybrid": ("Mirren Tal", "yes", "", "1911")}


def pick(page: Page, label: str) -> Locator:
    return page.get_by_role("combobox", name=label, exact=True)


def asked(page: Page) -> list[str]:
    return page.locator(".asked .q").all_inner_texts()


def test_questions_are_filtered_and_opened_by_the_keyboard(shown: Page) -> None:
    expect(shown.get_by_role("status")).to_have_text("4 of 4 questions")
    pick(shown, "Outcome").select_option("wrong")
    expect(shown.get_by_role("status")).to_have_text("1 of 4 questions")
    pick(shown, "Outcome").select_option("")
    pick(shown, "Type").select_option("comparison")
    assert len(asked(shown)) == 2
    pick(shown, "Outcome unlike that of").select_option("hybrid")
    assert asked(shown) == ["When was Stone Court built?"]
    pick(shown, "Type").select_option("")
    shown.get_by_role("searchbox").fill("KELP oren")
    expect(shown.get_by_role("status")).to_have_text("1 of 4 questions")
    shown.locator(".asked summary").focus()
    shown.keyboard.press("Enter")
    opened = shown.locator(".asked[open]")
    expect(opened).to_contain_text("Hop 1: first, for multicube: Who founded Kelp Records?")
    expect(opened).to_contain_text("d1 (gold), d3")
    expect(opened.locator("tbody tr").nth(1)).to_contain_text("Mirren Tal")


def test_hops_and_outcomes_choose(shown: Page) -> None:
    pick(shown, "Hops").select_option("4")
    assert len(asked(shown)) == 2
    pick(shown, "System").select_option("limit-2")
    assert shown.locator(".asked .outcome").all_inner_texts() == ["○ abstained", "○ abstained"]
    pick(shown, "Data set").select_option("1")
    expect(shown.get_by_role("status")).to_have_text("4 of 4 questions")
    shown.locator(".asked summary").nth(1).click()
    expect(shown.locator(".asked[open]")).to_contain_text("✗ wrong")


def test_what_documents_say_is_only_text(shown: Page) -> None:
    shown.get_by_role("searchbox").fill("gold section never")
    shown.locator(".asked summary").click()
    expect(shown.locator(".asked[open] dl").first).to_contain_text(HOSTILE)
    expect(shown.locator(".asked[open] dl").first).to_contain_text("right-to-left 'quoted\" & <b>bold</b>")
    assert shown.evaluate("window.struck") is None
    assert shown.locator("img:not([src^='data:image/svg']), b").count() == 0
    assert "\u202e" not in shown.content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_kept_out(shown: Page, scheme: str) -> None:
    shown.emulate_media(color_scheme=scheme)
    shown.locator(".asked summary").first.click()
    for summary in shown.locator("figure summary").all():
        summary.click()
    found = Axe().run(shown)
    assert found.violations_count == 0, found.generate_report()


def test_a_narrow_window_scrolls_only_downwards(shown: Page) -> None:
    shown.set_viewport_size({"width": 390, "height": 800})
    shown.locator(".asked summary").first.click()
    assert shown.evaluate("document.documentElement.scrollWidth") == 390


def test_tables_and_plots_need_no_script(browser: Browser, made: Make, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    make([made()]).write_html(path)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.get_by_role("img", name="2wiki: EM by type of question").is_visible()
    assert page.locator("#answers-2wiki").is_visible()
    assert page.get_by_text("needs JavaScript").is_visible()
    context.close()
