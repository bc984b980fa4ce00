"""The page of many knowledge bases behind one server."""

from __future__ import annotations

import shutil
from pathlib import Path

from apiserver import serving_app
from browsing import Visit
from multicube import MultiCube
from multicube.agent.app.tokens import TokenFile
from multicube.agent.server.limits import Limits
from multicube.agent.server.namespaces import Namespaces, create_namespaces_app
from playwright.sync_api import Browser, expect


def test_the_page_lists_what_a_token_opens(browser: Browser, sample_path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kbs"
    for name in ("sales", "law"):
        shutil.copytree(sample_path, folder / name)
    token = TokenFile(folder).add("reader", ["sales=read"])
    app = create_namespaces_app(Namespaces(folder, MultiCube.open, Limits()))
    with serving_app(app) as (url, _):
        visit = Visit.begin(browser, url)
        page = visit.page
        page.goto(url)
        page.get_by_label("Token").fill(token)
        page.get_by_role("button", name="Open").click()
        page.get_by_role("link", name="sales").click()
        expect(page.get_by_role("heading", name="Ask", exact=True)).to_be_visible()
        page.goto(url)
        expect(page.get_by_role("link")).to_have_text(["sales"])
        visit.page.close()
