"""Pictures of the page for the docs: ``make screenshots`` writes docs/pictures/page-*.png from the bundled sample."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import uvicorn
from browsing import Visit, chromium
from multicube import MultiCube
from multicube.agent.server.app import create_app

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
QUESTION = "Where was the director of the film The Salt Lantern born?"
PHONE = {"width": 390, "height": 844}


def main() -> None:
    """Build the sample, serve it, and take the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        kb = Path(folder) / "kb"
        sample = str(ROOT / "evals" / "sample" / "corpus.jsonl")
        command = [sys.executable, "-c", "from multicube.agent.cli import main; main()", "ingest", sample]
        subprocess.run([*command, "--kb", str(kb)], check=True)
        with MultiCube.open(kb) as opened:
            server = uvicorn.Server(uvicorn.Config(create_app(opened), port=0, log_level="error"))
            thread = threading.Thread(target=server.run, daemon=True)
            thread.start()
            while not server.started:
                thread.join(0.1)
            port = server.servers[0].sockets[0].getsockname()[1]
            _take(f"http://127.0.0.1:{port}")
            server.should_exit = True
            thread.join()


def _take(url: str) -> None:
    with chromium() as browser:
        visit = Visit.begin(browser, url)
        visit.to("ask")
        _keep(visit, "ask")
        visit.ask(QUESTION)
        _keep(visit, "answer")
        visit.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
        _keep(visit, "phone")
        visit.page.set_viewport_size({"width": 1280, "height": 860})
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
