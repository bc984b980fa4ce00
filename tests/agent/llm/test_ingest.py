"""Building a knowledge base with a model: several sections at a time, nothing lost, and nothing paid for twice."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from modelserver import Fault, ModelRequest, ModelServer
from multicube import MultiCube
from multicube.agent.engines.llm import BudgetExceededError, Caps
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.agent.engines.llm.errors import AuthError, QuotaError
from multicube.cubes.core.errors import MultiCubeError
from multicube.cubes.ingest.pipeline import Progress
from multicube.prompts import PromptLibrary

FILMS = 24
_SAID = re.compile(r"(?P<film>Film \d+) is a film directed by (?P<by>Director [A-Z]\w*)\.")


def brain(request: ModelRequest) -> Any:
    """One fact for each sentence that says who directed a film."""
    if request.schema_name == "Ready":
        return {"ready": True}
    return {
        "facts": [
            {
                "cube": "cultural_product", "dimension": "to_person", "subject": found["film"],
                "relation": "directed by", "value": found["by"], "quote": found[0],
            }
            for found in _SAID.finditer(request.messages[-1][1])
        ]
    }  # fmt: skip


Everything = tuple[list[Any], list[Any]]


class Plain:
    """Embeds by length alone; what is tested here needs no meaning."""

    fingerprint, dimensions = "plain/1", 4

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[1.0, len(text) % 7, len(text) % 11, len(text) % 13] for text in texts], dtype=np.float32)


def film(number: int) -> dict[str, str]:
    name = "ABCDEFG"[number % 7]
    text = f"Film {number} is a film directed by Director {name}{number}."
    return {"id": f"f{number}", "title": f"Film {number}", "text": text}


def write(file: Path, count: int) -> Path:
    file.write_text("".join(json.dumps(film(number)) + "\n" for number in range(count)), encoding="utf-8")
    return file


def about(*numbers: int) -> Callable[[ModelRequest], bool]:
    """Choose the requests about some films."""
    return lambda request: any(f"Film {number} is" in request.text for number in numbers)


def asked(server: ModelServer) -> list[int]:
    """The films that the server was asked about, in order."""
    return [int(found[1]) for r in server.chats if (found := re.search(r"Film (\d+) is a film", r.text))]


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "known"))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Films that no test changes: ids are of where a file is."""
    return write(tmp_path_factory.mktemp("films") / "films.jsonl", FILMS)


@pytest.fixture(scope="module")
def whole(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Everything:
    """What comes of all films where nothing goes wrong."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch, ModelServer(brain) as server:
        patch.setenv("MULTICUBE_CACHE_DIR", str(folder / "known"))
        model = ModelOptions(f"{server.url}#stand-in")
        with MultiCube.build([corpus], folder / "kb", model=model, encoder=Plain()) as kb:
            return everything(kb)


@pytest.fixture
def films() -> Iterator[ModelServer]:
    with ModelServer(brain) as server:
        yield server


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Callable[..., MultiCube]]:
    """Build (or extend) a knowledge base with a server's model; closed at the end."""
    opened: list[MultiCube] = []

    def make(server: ModelServer, paths: Sequence[Path], name: str = "kb", **options: Any) -> MultiCube:
        how = {key: options.pop(key) for key in ("ingest_caps", "cache", "concurrency") if key in options}
        model = ModelOptions(f"{server.url}#stand-in", **how)
        opened.append(MultiCube.build(paths, tmp_path / name, model=model, encoder=Plain(), **options))
        return opened[-1]

    yield make
    for kb in opened:
        kb.close()


def everything(kb: MultiCube) -> Everything:
    """All that a knowledge base holds, and its documents in their order."""
    return list(kb.kb.export()), [(d.id, d.title, d.content_hash) for d in kb.kb.documents()]


def test_sections_are_read_side_by_side_and_stored_in_order(corpus: Path, build: Any, films: ModelServer) -> None:
    arrived, together, known = threading.Barrier(6, timeout=20), threading.Event(), threading.Event()

    def six_at_once(request: ModelRequest) -> Any:
        if not known.is_set():
            known.set()  # the first request finds out alone what the endpoint can do
        elif not together.is_set():
            with suppress(threading.BrokenBarrierError):  # then the count below says that they did not meet
                arrived.wait()
            together.set()
        return brain(request)

    with ModelServer(six_at_once) as server:
        kb = build(server, [corpus], concurrency=6)
        assert server.most_at_once == 6
        assert sorted(asked(server)) == list(range(FILMS))
    assert [d.title for d in kb.kb.documents()] == [f"Film {n}" for n in range(FILMS)]
    assert (kb.ingest_report.added, kb.ingest_report.facts) == (FILMS, FILMS)
    assert everything(kb) == everything(build(films, [corpus], "alone", concurrency=1))
    assert films.most_at_once == 1


@pytest.mark.parametrize(
    "fault", [Fault.not_json(), Fault.refusal(), Fault.filtered(), Fault.truncated(), Fault.context_length()],
    ids=lambda fault: fault.name,
)
def test_a_section_that_cannot_be_read_is_set_aside_and_retried(
    corpus: Path, build: Any, whole: Everything, fault: Fault
) -> None:
    with ModelServer(brain, faults=lambda request: fault if about(7, 11)(request) else None) as server:
        kb = build(server, [corpus])
        report = kb.ingest_report
        assert (report.added, report.facts) == (FILMS, FILMS - 2)
        assert [Path(p.source).name for p in report.problems] == ["films.jsonl"] * 2
        assert "Section 1 ('Film 7') could not be read: " in report.problems[0].message
        assert kb.kb.status().problems == report.problems
        assert report.usage.failed >= 2

        before = len(server.chats)
        assert kb.ingest([corpus]).problems == ()
        assert len(server.chats) == before
        assert len(kb.kb.status().problems) == 2

        again = kb.ingest([corpus], retry=True)
        assert (again.retried, again.facts, len(again.problems)) == (0, 0, 2)
        assert set(asked(server)[before:]) <= {7, 11}

        server._rule = None
        before = len(server.chats)
        mended = kb.ingest([corpus], retry=True)
        assert (mended.retried, mended.facts, mended.problems) == (2, 2, ())
        assert sorted(asked(server)[before:]) == [7, 11]
        assert kb.kb.status().problems == ()
    assert everything(kb) == whole


@pytest.mark.parametrize("fault", [Fault.context_length(), Fault.truncated()], ids=lambda fault: fault.name)
def test_a_section_too_long_for_the_model_is_read_in_halves(tmp_path: Path, build: Any, fault: Fault) -> None:
    text = " ".join(f"{film(n)['text']} {'It rained all day. ' * 6}" for n in range(20))
    file = tmp_path / "long.jsonl"
    file.write_text(json.dumps({"id": "long", "title": "Films", "text": text}) + "\n", encoding="utf-8")

    def too_long(request: ModelRequest) -> Fault | None:
        return fault if request.text.count("It rained") > 40 else None

    with ModelServer(brain, faults=too_long) as server:
        kb = build(server, [file])
        assert kb.ingest_report.problems == ()
        assert {fact.value for fact in kb.kb.cubes["cultural_product"].facts()} == {
            film(n)["text"].split("by ")[1].rstrip(".") for n in range(20)
        }
        assert any(exchange.fault for exchange in server.exchanges)


def test_a_short_section_needs_no_long_reply(tmp_path: Path, build: Any, films: ModelServer) -> None:
    """A weak model goes on until its bound, and a sentence has few facts."""
    texts = [film(0)["text"], film(1)["text"] + " It rained all day." * 60]
    file = tmp_path / "two.jsonl"
    lines = [json.dumps({"title": f"Film {n}", "text": text}) for n, text in enumerate(texts)]
    file.write_text("\n".join(lines), encoding="utf-8")
    build(films, [file])
    short, long = (r.body["max_tokens"] for n in range(2) for r in films.chats if f"Film {n} is" in r.text)
    assert short < long == PromptLibrary.load()["section_extraction"].max_tokens


@pytest.mark.parametrize("cache", [True, False])
def test_a_cap_loses_nothing_and_a_higher_one_pays_only_the_rest(
    tmp_path: Path, corpus: Path, build: Any, films: ModelServer, whole: Everything, cache: bool
) -> None:
    with pytest.raises(BudgetExceededError, match="run the same command again"):
        build(films, [corpus], ingest_caps=Caps(requests=10), cache=cache)
    assert len(films.chats) == 10
    with MultiCube.open(tmp_path / "kb") as stopped:
        titles = [d.title for d in stopped.kb.documents()]
        assert titles == [f"Film {n}" for n in range(len(titles))]
        assert not stopped.kb.complete
    kb = build(films, [corpus], ingest_caps=Caps(requests=FILMS - 10), cache=cache)
    assert sorted(asked(films)) == list(range(FILMS))
    assert kb.ingest_report.usage.requests == FILMS - 10
    assert everything(kb) == whole


@pytest.mark.parametrize(
    ("fault", "error"), [(Fault.of_status(401), AuthError), (Fault.quota(), QuotaError)], ids=lambda v: str(v)
)
def test_an_endpoint_that_fails_ends_the_ingest_and_loses_nothing(
    corpus: Path, build: Any, whole: Everything, fault: Fault, error: type[Exception]
) -> None:
    sound = [True]

    def rule(request: ModelRequest) -> Fault | None:
        return None if sound[0] or not about(*range(FILMS // 2, FILMS))(request) else fault

    with ModelServer(brain, faults=rule) as server:
        sound[0] = False
        with pytest.raises(error):
            build(server, [corpus])
        answered = server.count(status=200)
        assert answered <= FILMS // 2
        sound[0] = True
        kb = build(server, [corpus])
        assert server.count(status=200) == FILMS
        assert kb.kb.status().problems == ()
    assert everything(kb) == whole


def test_a_model_that_can_read_nothing_is_given_up(corpus: Path, build: Any) -> None:
    with ModelServer(brain, faults=lambda request: Fault.refusal()) as server:
        with pytest.raises(MultiCubeError, match="None of the first 20 sections"):
            build(server, [corpus], concurrency=2)
        assert len(set(asked(server))) < FILMS


def test_a_dry_run_estimates_and_sends_nothing(
    tmp_path: Path, build: Any, films: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = write(tmp_path / "films.jsonl", FILMS)
    prices = tmp_path / "prices.yaml"
    prices.write_text("stand-in: {input: 1.0, output: 10.0}\n", encoding="utf-8")
    monkeypatch.setenv("MULTICUBE_PRICES", str(prices))
    foreseen = build(films, [corpus], dry_run=True, concurrency=4).ingest_report.estimate
    assert films.requests == []
    assert (foreseen.requests, foreseen.cached) == (FILMS, 0)
    assert foreseen.cost_usd == pytest.approx((foreseen.input_tokens + 10 * foreseen.output_tokens) / 1e6)
    assert foreseen.minutes > 0
    assert any("seconds" in said for said in foreseen.assumptions)

    with pytest.raises(BudgetExceededError):
        build(films, [corpus], ingest_caps=Caps(requests=10))
    left = build(films, [corpus], dry_run=True).ingest_report
    assert (left.estimate.requests, left.added) == (FILMS - 10, FILMS - 10 + left.estimate.cached)
    build(films, [corpus])
    write(corpus, FILMS + 10)
    learned = build(films, [corpus], dry_run=True).ingest_report.estimate
    assert (learned.requests, learned.output_tokens) == (10, round(10 * films.usage[1] / FILMS))
    assert any("earlier ingests" in said for said in learned.assumptions)


def test_what_is_paid_for_costs_nothing_in_an_estimate(corpus: Path, build: Any, films: ModelServer) -> None:
    def stop(step: Progress) -> None:
        if step.done == 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(films, [corpus], progress=stop)
    paid = len(set(asked(films)))
    estimate = build(films, [corpus], dry_run=True).ingest_report.estimate
    assert estimate.cached == paid - 11  # eleven are filed; what was read ahead of them is kept
    assert estimate.requests == FILMS - paid


def test_what_is_removed_is_paid_for_again(tmp_path: Path, build: Any, films: ModelServer) -> None:
    file = write(tmp_path / "a.jsonl", 10)
    build(films, [file]).kb.remove("f3")
    estimate = build(films, [file], dry_run=True).ingest_report.estimate
    assert (estimate.requests, estimate.cached) == (1, 0)


def test_progress_counts_sections(corpus: Path, build: Any, films: ModelServer) -> None:
    steps: list[Progress] = []
    build(films, [corpus], progress=steps.append)
    read = [(step.done, step.total) for step in steps if step.stage == "extract"]
    assert read == [(done, FILMS) for done in range(FILMS + 1)]


def test_a_person_may_stop_at_any_time(
    tmp_path: Path, corpus: Path, build: Any, films: ModelServer, whole: Everything
) -> None:
    def stop(step: Progress) -> None:
        if step.done == 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(films, [corpus], progress=stop)
    with MultiCube.open(tmp_path / "kb") as stopped:
        assert [d.title for d in stopped.kb.documents()] == [f"Film {n}" for n in range(11)]
    kb = build(films, [corpus])
    assert sorted(asked(films)) == list(range(FILMS))
    assert everything(kb) == whole
