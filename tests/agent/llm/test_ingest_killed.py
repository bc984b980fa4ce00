"""An ingest that is killed goes on without paying for any section twice, and ends as if nothing had happened."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import modelingest
import pytest
from modelingest import ingest
from modelserver import ModelRequest, ModelServer

SECTIONS, AT_ONCE = 40, 8
_SAID = re.compile(r"(?P<film>Film \d+) is a film directed by (?P<by>Director [A-Z]\w*)\.")

class Killer:
    """Reads one fact from each section, and kills the process that asks at its n-th request."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.at = 0
        self.server: ModelServer | None = None

    def __call__(self, request: ModelRequest) -> Any:
        if self.process is not None and self.server is not None and len(self.server.chats) >= self.at:
            self.process.send_signal(signal.SIGKILL)
        found = _SAID.search(request.messages[-1][1])
        assert found is not None
        fact = {"cube": "cultural_product", "dimension": "to_person", "subject": found["film"]}
        return {"facts": [fact | {"relation": "directed by", "value": found["by"], "quote": found[0]}]}


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "known"))
    file = tmp_path / "films.jsonl"
    texts = [f"Film {n} is a film directed by Director {'ABCDEFG'[n % 7]}{n}." for n in range(SECTIONS)]
    records = [{"id": f"f{n}", "title": f"Film {n}", "text": text} for n, text in enumerate(texts)]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


@pytest.mark.parametrize(("cache", "kills"), [("cache", (3, 37)), ("no cache", (30,))])
def test_killed_at_any_point_no_section_is_paid_for_twice(
    tmp_path: Path, corpus: Path, cache: str, kills: tuple[int, ...]
) -> None:
    killer = Killer()
    with ModelServer(killer) as server:
        killer.server = server
        model = f"{server.url}#stand-in"
        for at in kills:
            killer.at = at
            arguments = [corpus, tmp_path / "kb", model, cache, AT_ONCE]
            killer.process = subprocess.Popen([sys.executable, modelingest.__file__, *map(str, arguments)])
            assert killer.process.wait(timeout=300) == -signal.SIGKILL
        killer.process = None
        held = ingest(corpus, tmp_path / "kb", model, cache, AT_ONCE)

        asked = Counter(found[1] for r in server.chats if (found := re.search(r"(Film \d+) is a film", r.text)))
        assert len(asked) == SECTIONS
        twice = sum(times - 1 for times in asked.values())
        assert twice <= AT_ONCE * len(kills)  # what was under way when it was killed, and nothing else

        spent = len(server.chats)
        again = ingest(corpus, tmp_path / "kb", model, cache, AT_ONCE)
        assert len(server.chats) == spent
        whole = ingest(corpus, tmp_path / "whole", model, cache, 1)
    assert held == again == whole
    assert len(held["documents"]) == SECTIONS
    assert held["problems"] == 0
