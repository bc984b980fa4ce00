"""A small library of documents with chapters: three look-alike routers, two annual reports, a medical guide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from multicube.agent.app.facade import MultiCube
from multicube.agent.engines.embedded.documents.document_index import DocumentIndex
from multicube.agent.engines.embedded.options import EngineOptions
from multicube.agent.engines.embedded.reasoner import EmbeddedReasoner
from multicube.cubes.core.records import Document
from multicube.cubes.documents.sections import split
from multicube.cubes.model.cells import CubeSet
from multicube.cubes.model.ontology import load_ontology
from multicube.cubes.retrieval.wording import asked_words
from multicube.graphs.reasoner import FinalAnswer
from multicube.graphs.records import Evidence, Hop

LIBRARY = Path(__file__).parent / "library"

Asking = Callable[[str], tuple[FinalAnswer, list[Hop]]]


@pytest.fixture(scope="module")
def shelve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Mapping[str, str]], MultiCube]]:
    """Builds a knowledge base of texts by their files' names."""
    with ExitStack() as opened:

        def build(texts: Mapping[str, str]) -> MultiCube:
            folder = tmp_path_factory.mktemp("texts")
            for name, text in texts.items():
                (folder / name).write_text(text, encoding="utf-8")
            return opened.enter_context(MultiCube.build([folder / name for name in texts], folder / "kb"))

        yield build


@pytest.fixture(scope="session")
def sections() -> list[Evidence]:
    """Every chapter of the library."""
    return [section for file in sorted(LIBRARY.glob("*.md")) for section in _chapters(file)]


@pytest.fixture(scope="session")
def document_index(sections: list[Evidence]) -> DocumentIndex:
    refs = dict.fromkeys((s.document_id, s.title, s.source) for s in sections)
    opening = {s.document_id: "" for s in sections}
    for section in sections:
        opening[section.document_id] += f"{section.text}\n"
    return DocumentIndex(refs, len(refs), opening.__getitem__)


@pytest.fixture(scope="session")
def engine(document_index: DocumentIndex) -> EmbeddedReasoner:
    """The engine over the library alone: no cubes, no span reader, no encoder."""
    cubes = CubeSet.build(load_ontology("default"), (), ())
    return EmbeddedReasoner(cubes, str, options=EngineOptions(reader=False), document_index=document_index, built=False)


@pytest.fixture(scope="session")
def ask(sections: list[Evidence], engine: EmbeddedReasoner) -> Asking:
    """Walk the engine's loop over what shares most words with a subquery."""

    def asking(question: str) -> tuple[FinalAnswer, list[Hop]]:
        hops: list[Hop] = []
        while (subquery := engine.next_step(question, hops).subquery) is not None:
            evidence = _ranked(subquery, sections)[:20]
            found = engine.answer(subquery, evidence)
            hops.append(
                Hop(
                    number=len(hops) + 1, subquery=subquery, evidence=tuple(evidence), answers=found.answers,
                    answer=found.answers[0] if found.answers else "", confidence=found.confidence,
                    notes=(found.note,) if found.note else (), cited=found.section_id,
                )
            )  # fmt: skip
        return engine.finalize(question, hops), hops

    return asking


def _chapters(file: Path) -> list[Evidence]:
    text = file.read_text(encoding="utf-8")
    title = text.partition("\n")[0].removeprefix("# ")
    document = Document(file.stem, str(file), file.stem, title, text, "", "text/markdown")
    return [
        Evidence(
            section_id=s.id, document_id=file.stem, record_id=file.stem, title=s.title, path=s.path, text=s.text,
            source=str(file),
        )
        for s in split(document)
    ]  # fmt: skip


def _ranked(subquery: str, sections: list[Evidence]) -> list[Evidence]:
    wanted = set(asked_words(subquery))
    return sorted(sections, key=lambda s: -len(wanted & set(asked_words(f"{' '.join(s.path)} {s.text}"))))
