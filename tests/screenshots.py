"""Pictures of the page for the docs: ``make screenshots`` writes docs/pictures/page-*.png from the bundled sample."""

from __future__ import annotations

import tempfile
from pathlib import Path

from apiserver import Halting, serving
from browsing import Visit, chromium
from multicube import MultiCube
from multicube.agent.app.factory import writable
from playwright.sync_api import expect

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
QUESTION = "Where was the director of the film The Salt Lantern born?"


def main() -> None:
    """Serve an empty knowledge base, then the sample, and take the pictures."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        with writable(Path(folder) / "new", None, None) as made:
            made.accept_empty()
        with MultiCube.open(Path(folder) / "new") as kb, serving(kb) as running:
            _empty(Visit.begin(browser, running.url))
        MultiCube.build([ROOT / "evals" / "sample" / "corpus.jsonl"], Path(folder) / "kb").close()
        with Halting.open(Path(folder) / "kb") as halting, serving(halting) as running:
            _answer(Visit.begin(browser, running.url), halting)


def _empty(visit: Visit) -> None:
    visit.to("ask")
    expect(visit.page.get_by_label("Add documents")).to_be_visible()
    _keep(visit, "empty")
    visit.end()


def _answer(visit: Visit, kb: Halting) -> None:
    page = visit.to("ask")
    page.get_by_label("Question", exact=True).fill(QUESTION)
    page.keyboard.press("Enter")
    kb.halted.wait()
    expect(page.locator(".hop").first).to_contain_text("Reading")
    page.get_by_text("Diagram", exact=True).click()
    page.screenshot(path=PICTURES / "page-answering.png")
    page.get_by_text("Diagram", exact=True).click()
    kb.go_on.set()
    expect(page.locator(".answer:not(.writing)")).to_be_visible()
    _keep(visit, "answer")
    page.set_viewport_size({"width": 390, "height": 844})
    _keep(visit, "phone")
    page.set_viewport_size({"width": 1280, "height": 860})
    visit.to("cubes")
    _keep(visit, "cubes")
    visit.end()


def _keep(visit: Visit, name: str) -> None:
    visit.page.wait_for_load_state("networkidle")
    path = PICTURES / f"page-{name}.png"
    visit.page.screenshot(path=path)
    print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
