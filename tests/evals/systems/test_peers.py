"""Peers that are not there are absent; a small stand-in with a peer's public face is asked as the peer would be."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from multicube import MultiCube
from multicube.cubes.errors import UsageError
from multicube.evals.systems import PEERS, System, make_systems, parse_names

ONE_HOP = "Who directed The Salt Lantern?"
WORDS = """
def shared(question, text):
    words = set(question.lower().rstrip("?").split())
    return sum(word.strip(".,()") in words for word in text.lower().split())
"""
HIPPORAG = """
from dataclasses import dataclass
from ._words import shared

@dataclass
class QuerySolution:
    question: str
    docs: list
    doc_scores: list = None

class HippoRAG:
    made = []

    def __init__(self, global_config=None, save_dir=None, llm_model_name=None, llm_base_url=None,
                 embedding_model_name=None, embedding_base_url=None):
        self.given = (save_dir, llm_model_name, llm_base_url, embedding_model_name)
        HippoRAG.made.append(self)

    def index(self, docs):
        self.docs = docs

    def retrieve(self, queries, num_to_retrieve=None, gold_docs=None):
        ranked = [sorted(self.docs, key=lambda doc: -shared(query, doc)) for query in queries]
        return [QuerySolution(q, docs[:num_to_retrieve]) for q, docs in zip(queries, ranked)]
"""
LIGHTRAG = """
from dataclasses import dataclass
from ._words import shared

@dataclass
class QueryParam:
    mode: str = "mix"
    top_k: int = 60
    chunk_top_k: int = 20
    enable_rerank: bool = True

class LightRAG:
    made = []

    def __init__(self, working_dir, llm_model_func, llm_model_name, embedding_func):
        self.dir, self.embed, self.ready = working_dir, embedding_func, False
        LightRAG.made.append(self)

    async def initialize_storages(self):
        self.ready = True

    async def ainsert(self, input, split_by_character=None, ids=None, file_paths=None):
        assert self.ready
        self.vectors = await self.embed.func(input[:2])
        self.docs = dict(zip(file_paths, input))

    async def aquery_data(self, query, param=QueryParam()):
        ranked = sorted(self.docs, key=lambda path: -shared(query, self.docs[path]))[:param.chunk_top_k]
        chunks = [{"content": self.docs[path], "file_path": path, "chunk_id": path} for path in ranked]
        chunks.append({"content": "", "file_path": "unknown_source", "chunk_id": "x"})
        data = {"entities": [], "relationships": [], "chunks": chunks, "references": []}
        return {"status": "success", "data": data, "metadata": {}}
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages that come first, and are forgotten afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        if name.split(".")[0] in PEERS or ".peers." in name:
            del sys.modules[name]


def _package(folder: Path, name: str, text: str, **modules: str) -> None:
    (folder / name).mkdir(parents=True)
    for module, code in {"__init__": text, "_words": WORDS, **modules}.items():
        path = folder / name / f"{module.replace('__of__', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(code), encoding="utf-8")
    importlib.invalidate_caches()


def _right(system: System) -> None:
    run = system.answer(ONE_HOP)
    (hop,) = run.hops
    assert run.answer == "Anselm Torvik"
    assert {e.retriever for e in hop.evidence} == {system.name}
    assert len(hop.evidence) == 5
    assert len(system.ranking(run)) == 10


def test_what_is_not_installed_is_in_no_group_and_says_how_to_install_it(kb: MultiCube) -> None:
    assert not set(PEERS) & set(parse_names("matrix"))
    for name, peer in PEERS.items():
        assert not peer.is_installed
        assert parse_names(name) == (name,)
        with pytest.raises(UsageError, match=f"is not installed; it comes with: {peer.install}|needs a language model"):
            make_systems([name], kb)


def test_hipporag_is_asked_where_it_is_installed(
    kb: MultiCube, install: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _package(install, "hipporag", HIPPORAG)
    assert parse_names("peers") == ("hipporag",)
    assert parse_names("matrix")[-1] == "hipporag"
    with pytest.raises(UsageError, match=r"needs a language model.*MULTICUBE_PEER_MODEL"):
        make_systems(["hipporag"], kb)
    monkeypatch.setenv("MULTICUBE_PEER_MODEL", "http://127.0.0.1:9/v1#stand-in")
    monkeypatch.setenv("MULTICUBE_PEER_EMBEDDING", "some/encoder")
    (system,) = make_systems(["hipporag"], kb)
    _right(system)
    (peer,) = importlib.import_module("hipporag").HippoRAG.made
    assert peer.given == (f"{kb.kb.path}-hipporag", "stand-in", "http://127.0.0.1:9/v1", "some/encoder")
    assert len(peer.docs) == len(kb.kb.sections())


def test_lightrag_embeds_with_the_knowledge_bases_encoder(
    kb: MultiCube, install: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _package(
        install, "lightrag", LIGHTRAG,
        kg__of____init__="", kg__of__shared_storage="async def initialize_pipeline_status(): pass",
        llm__of____init__="", llm__of__openai="async def openai_complete_if_cache(model, prompt, **others): return ''",
        utils="class EmbeddingFunc:\n    def __init__(self, embedding_dim, max_token_size, func):\n"
        "        self.embedding_dim, self.func = embedding_dim, func\n",
    )  # fmt: skip
    monkeypatch.setenv("MULTICUBE_PEER_MODEL", "http://127.0.0.1:9/v1#stand-in")
    (system,) = make_systems(["lightrag"], kb)
    _right(system)
    (peer,) = importlib.import_module("lightrag").LightRAG.made
    assert kb.kb.encoder is not None
    assert peer.vectors.shape == (2, kb.kb.encoder.dimensions) == (2, peer.embed.embedding_dim)


def test_graphrags_sources_are_the_sections_of_its_answer(
    kb: MultiCube, install: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _package(
        install, "graphrag", "",
        api="""
        from types import SimpleNamespace
        from pathlib import Path
        from pandas import FILES
        from ._words import shared

        async def build_index(config, input_documents=None, **others):
            (config.root / "output").mkdir()
            for name in ("entities", "communities", "community_reports", "text_units", "relationships"):
                (config.root / "output" / f"{name}.parquet").write_text("")
                FILES[f"{name}.parquet"] = input_documents
            return [SimpleNamespace(workflow="all", error=None)]

        async def local_search(config, entities, communities, community_reports, text_units, relationships,
                               covariates, community_level, response_type, query, **others):
            rows = sorted(text_units.rows, key=lambda row: -shared(query, row["text"]))[:12]
            return "an answer", {"reports": [], "sources": [{"id": "1", "text": row["text"][:80]} for row in rows]}
        """,
        config__of____init__="",
        config__of__load_config="from types import SimpleNamespace\n"
        "def load_config(root_dir): return SimpleNamespace(root=root_dir)\n",
    )  # fmt: skip
    _package(install, "pandas", """
        FILES = {}
        class DataFrame:
            def __init__(self, rows): self.rows = rows
            def to_dict(self, orient): return self.rows
        def read_parquet(path): return FILES[path.name]
    """)  # fmt: skip
    monkeypatch.setenv("MULTICUBE_PEER_MODEL", "http://127.0.0.1:9/v1#stand-in")
    for name in [name for name in sys.modules if name.split(".")[0] == "pandas"]:
        monkeypatch.delitem(sys.modules, name)
    folder = Path(f"{kb.kb.path}-graphrag")
    with pytest.raises(UsageError, match="graphrag init --root"):
        make_systems(["graphrag"], kb)
    folder.mkdir()
    (folder / "settings.yaml").write_text("{}")
    (system,) = make_systems(["graphrag"], kb)
    _right(system)
    monkeypatch.delitem(sys.modules, "pandas")
