"""The encoders: the packaged model, how near it is to the original, and models that users name."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from multicube.agent.engines.encoders import cached as remembering
from multicube.agent.engines.encoders.factory import OnnxEncoder, SentenceTransformerEncoder, encoder_factory
from multicube.cubes.core.encoding import Encoder
from multicube.cubes.core.errors import UsageError
from multicube.evals.training.encoder import base_folder, write_encoder

TEXTS = [
    "Who directed the film?",
    "The director of the movie was Maria Novak.",
    "Photosynthesis turns light into sugar.",
    "A river of the cold north, known for its salmon and its long winters, flows past the old capital.",
]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return encoder_factory("minilm")()


def test_vectors_have_length_one_and_mean_something(encoder: Encoder) -> None:
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (4, encoder.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    likeness = vectors @ vectors.T
    assert likeness[0, 1] > 0.4 > likeness[0, 2]


def test_eight_bits_say_what_the_model_says(encoder: Encoder) -> None:
    exact = SentenceTransformerEncoder(str(base_folder())).encode(TEXTS)
    assert (encoder.encode(TEXTS) * exact).sum(axis=1).min() > 0.98


def test_order_and_company_do_not_matter(encoder: Encoder) -> None:
    """A text's vector is nearly the same alone and among long and short ones, and comes in its own place."""
    many = [f"{text} {n}" for n in range(30) for text in TEXTS] + ["x " * 2000, ""]
    together = encoder.encode(many)
    for n in (0, 57, 119):
        assert float(together[n] @ encoder.encode([many[n]])[0]) > 0.97
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(len(many)), abs=1e-4)
    assert encoder.encode([]).shape == (0, encoder.dimensions)


def test_a_repeated_question_is_remembered(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    first = encoder.encode(["an entity asked for twice"])
    monkeypatch.setattr(OnnxEncoder, "_encode", lambda *_: pytest.fail("it was embedded again"))
    assert encoder.encode(["an entity asked for twice"]) is first


def test_only_the_latest_are_remembered(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "REMEMBERED", 2)
    for text in ("a", "b", "c"):
        encoder.encode([text])
    asked: list[str] = []
    monkeypatch.setattr(OnnxEncoder, "_encode", lambda _, texts: asked.extend(texts) or np.zeros((1, 384)))
    for text in ("b", "c", "a"):
        encoder.encode([text])
    assert asked == ["a"]
    encoder.encode(["b"])
    assert asked == ["a", "b"]


def test_nothing_heavy_is_imported(encoder: Encoder) -> None:
    code = (
        "import sys\nfrom multicube.agent.engines.encoders.factory import encoder_factory\n"
        "make = encoder_factory(None)\nassert 'onnxruntime' not in sys.modules\n"
        "make().encode(['a text'])\n"
        "print([m for m in ('torch', 'transformers', 'sentence_transformers', 'chromadb') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"


def test_the_fingerprint_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("multicube.agent.engines.encoders.factory._packaged", lambda: pytest.fail("it was loaded"))
    assert encoder_factory("minilm")().fingerprint == "all-MiniLM-L6-v2@53aa51172d14/int8.3"


def test_a_factory_makes_one_encoder_and_passes_a_given_one_on() -> None:
    factory = encoder_factory("minilm")
    assert factory() is factory()
    assert encoder_factory(factory())() is factory()


def test_the_environment_names_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTICUBE_ENCODER", "some/model")
    assert encoder_factory(None)().fingerprint == "sentence-transformers:some/model"
    assert encoder_factory("minilm")().fingerprint.startswith("all-MiniLM")


def test_a_model_of_ones_own_is_named_by_its_folder(tmp_path: Path) -> None:
    folder = base_folder()
    named = encoder_factory(str(folder))()
    assert named.fingerprint.startswith("sentence-transformers:model@")
    assert named.dimensions == 384
    copy = tmp_path / "model"
    copy.mkdir()
    (copy / "config.json").write_text("{}")
    before = SentenceTransformerEncoder(str(copy)).fingerprint
    (copy / "config.json").write_text('{"changed": true}')
    assert SentenceTransformerEncoder(str(copy)).fingerprint != before


def test_a_model_whose_library_is_missing_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(UsageError, match=r"encoder 'some/model' needs .* pip install 'multicube-rag\[encoders\]'"):
        encoder_factory("some/model")().encode(["text"])


def test_a_model_that_is_not_there_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"encoder '.*empty' cannot be loaded"):
        encoder_factory(str(tmp_path / "empty"))().encode(["text"])


def test_the_encoder_is_what_its_command_writes(tmp_path: Path) -> None:
    write_encoder(tmp_path / "encoder.onnx")
    shipped = find_spec("multicube.agent.engines.encoders").submodule_search_locations  # type: ignore[union-attr]
    assert (tmp_path / "encoder.onnx").stat().st_size == (Path(shipped[0]) / "encoder/encoder.onnx").stat().st_size
