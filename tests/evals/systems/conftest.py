"""The bundled sample, open for the systems; nothing of it is written."""

from collections.abc import Callable, Iterator

import pytest
from multicube import MultiCube
from multicube.cubes.core.encoding import Encoder
from multicube.evals.datasets.dataset import resolve_folder
from multicube.evals.datasets.load import load_dataset
from multicube.evals.systems import System, engine_options, make_systems

Made = Callable[[str], System]


@pytest.fixture(scope="session")
def kb(tmp_path_factory: pytest.TempPathFactory, words_encoder: Encoder) -> Iterator[MultiCube]:
    """The sample as a knowledge base, asked by the embedded engine."""
    path = tmp_path_factory.mktemp("systems") / "kb"
    with MultiCube.build([resolve_folder("sample") / "corpus.jsonl"], path, encoder=words_encoder) as built:
        yield built


@pytest.fixture(scope="session")
def made(kb: MultiCube) -> Made:
    """Makes a system by its name, each once."""
    held: dict[str, System] = {}

    def make(name: str) -> System:
        assert engine_options(name) == kb.engine_options
        if name not in held:
            (held[name],) = make_systems([name], kb)
        return held[name]

    return make


@pytest.fixture(scope="session")
def questions() -> list[str]:
    """The sample's questions."""
    return [question.question for question in load_dataset("sample").questions]
