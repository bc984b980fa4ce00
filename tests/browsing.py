"""A real browser, a tab of it on the page, what that complained about, and what axe finds."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

PATIENCE_MS = 30_000
"""How long a page may take on a busy machine."""
_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
]  # fmt: skip

_HEARD = """
addEventListener("DOMContentLoaded", () => {
  const announcer = document.querySelector("#announcer");
  window.heard = [];
  new MutationObserver(() => heard.push(announcer.textContent))
    .observe(announcer, {childList: true, characterData: true, subtree: true});
});
"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window, as long as the context; it occupies the thread's event loop."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium is installed to drive the page with")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=found, args=_FLAGS)


@dataclass
class Visit:
    """A fresh tab on the server at ``url``. What a screen reader is told is kept in the page's ``heard``."""

    context: BrowserContext
    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @classmethod
    def begin(cls, browser: Browser, url: str) -> Visit:
        """Open a tab that remembers its complaints and requests."""
        context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(_HEARD)
        visit = cls(context, context.new_page(), url)
        visit.page.on("console", lambda m: visit.complaints.append(m.text) if m.type in ("error", "warning") else None)
        visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        context.on("request", lambda request: visit.requests.append(request.url))
        return visit

    def to(self, place: str) -> Page:
        """Go to a place of the page."""
        self.page.goto(f"{self.url}/#/{place}")
        return self.page

    def ask(self, question: str) -> Page:
        """Ask, and wait for the answer."""
        self.to("ask").get_by_label("Question", exact=True).fill(question)
        self.page.keyboard.press("Enter")
        expect(self.page.locator(".answer:not(.writing)")).to_be_visible()
        return self.page

    def end(self) -> None:
        """Close the tab; nothing may stand on its console, and no request may have gone elsewhere."""
        self.context.close()
        assert self.complaints == []
        assert [url for url in self.requests if not url.startswith((f"{self.url}/", "data:", "blob:"))] == []


def serious(page: Page, place: str) -> list[str]:
    """What axe finds in the light, and in the dark, where nothing differs but colours."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    violations = []
    for scheme, rules in (("light", None), ("dark", ["color-contrast"])):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
        violations += page.evaluate("options => axe.run(document, options)", options)["violations"]
    return [
        f"{place}: {one['id']} {one['nodes'][0]['html'][:160]} {one['nodes'][0].get('failureSummary')}"
        for one in violations
        if one["impact"] in ("serious", "critical")
    ]
