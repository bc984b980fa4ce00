"""Figures described by a vision model: what it is shown, what is kept, and a model that cannot see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from modelserver import Fault, ModelRequest, ModelServer
from multicube.agent.engines.llm import ModelClient, ReplyCache
from multicube.agent.engines.llm.ingest.describer import FigureDescriber
from multicube.agent.engines.llm.ingest.estimates import IMAGE_TOKENS, RequestEstimator
from multicube.cubes.core.records import Document, Figure
from multicube.cubes.documents.formats.records import figure_id, figure_line
from multicube.prompts import PromptLibrary

RED, BLUE, DRAWN = b"\x89PNG red", b"\x89PNG blue", b"<svg/>"


def brain(request: ModelRequest) -> Any:
    ((kind, data),) = request.images
    return {"description": f"A {data.removeprefix(b'x89PNG').decode(errors='ignore').split()[-1]} square ({kind})."}


def document() -> Document:
    figures = tuple(
        Figure(figure_id(data), caption, kind, data, known)
        for data, caption, kind, known in (
            (RED, "Same caption", "image/png", "Alternative text."),
            (BLUE, "Same caption", "image/png", ""),
            (DRAWN, "A drawing", "image/svg+xml", ""),
        )
    )
    text = "Before it all.\n\n" + "\n\n".join(figure_line(f.caption, f.id) for f in figures) + "\n\nAfter it all."
    return Document("d", "/docs/a.pdf", "a", "Squares", text, "h", "application/pdf", {}, figures)


@pytest.fixture
def describer(client: Callable[..., ModelClient], tmp_path: Path) -> Callable[..., FigureDescriber]:
    def make(server: ModelServer) -> FigureDescriber:
        asked = client(server, cache=ReplyCache(tmp_path / "cache.sqlite"))
        return FigureDescriber(PromptLibrary.load()["figure_description"], asked)

    return make


def test_each_image_is_shown_with_its_caption_and_surroundings(
    serve: Callable[..., ModelServer], describer: Callable[..., FigureDescriber]
) -> None:
    server = serve(brain)
    made = describer(server).refine(document(), lambda: None)
    assert [figure.description for figure in made.document.figures] == [
        "Alternative text. A red square (image/png).",
        "A blue square (image/png).",
        "",
    ]
    assert made.warnings == ()
    assert [request.images for request in server.chats] == [[("image/png", RED)], [("image/png", BLUE)]]
    for part in ("Squares", "Same caption", "Before it all.", "After it all."):
        assert part in server.chats[0].said("user")
    again = describer(server).refine(document(), lambda: None)
    assert again == made
    assert len(server.chats) == 2


def test_a_model_that_cannot_see_is_asked_once(
    serve: Callable[..., ModelServer], describer: Callable[..., FigureDescriber]
) -> None:
    server = serve(brain, faults=lambda request: Fault.of_status(400))
    blind = describer(server)
    first = blind.refine(document(), lambda: None)
    assert first.document == document()
    assert len(first.warnings) == 1
    assert first.warnings[0].startswith("Figures are not described: ")
    asked = len(server.chats)
    assert blind.refine(document(), lambda: None).warnings == ()
    assert len(server.chats) == asked


def test_a_figure_that_is_refused_keeps_its_caption_and_the_others_go_on(
    serve: Callable[..., ModelServer], describer: Callable[..., FigureDescriber]
) -> None:
    server = serve(brain, faults=lambda request: Fault.refusal() if request.images[0][1] == RED else None)
    made = describer(server).refine(document(), lambda: None)
    assert [bool(figure.description) for figure in made.document.figures] == [True, True, False]
    assert made.document.figures[0].description == "Alternative text."
    assert "'Same caption' is not described" in made.warnings[0]


def test_what_it_would_cost_counts_the_images(
    serve: Callable[..., ModelServer], describer: Callable[..., FigureDescriber], client: Callable[..., ModelClient]
) -> None:
    server = serve(brain)
    foreseen = RequestEstimator(client(server))
    describer(server).add_estimate(document(), foreseen)
    estimate = foreseen.total([])
    assert estimate.requests == 2
    assert 2 * IMAGE_TOKENS < estimate.input_tokens < 2 * IMAGE_TOKENS + 2_000
    assert server.chats == []
