"""Several processes over one PostgreSQL database and one Chroma server, each with a folder of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from apiserver import CHAIN
from databases import PASSWORD, chroma, postgres
from modelserver import ModelServer
from modelserver.competent import Competent
from multicube import MultiCube, Run
from multicube.agent.app.tokens import TokenFile
from multicube.agent.cli import app
from multicube.agent.engines.llm import ReplyCache
from multicube.cubes.core.errors import KnowledgeBaseError, LockedError, UsageError
from multicube.cubes.core.records import Document
from multicube.cubes.knowledge.permissions.rules import Permissions, keep_permissions, load_permissions
from multicube.cubes.smart.graph import Entity, EntityGraph
from multicube.cubes.smart.perspectives import Perspectives
from multicube.cubes.store import figures, schema
from multicube.cubes.store.catalog import Catalog
from multicube.cubes.store.correction_requests import replace_value
from multicube.cubes.store.database import shared
from multicube.cubes.store.locks import write_lock
from multicube.cubes.store.postgres import PostgresConnection, namespace
from PIL import Image
from typer.testing import CliRunner, Result

SAMPLE = Path(__file__).resolve().parents[2] / "evals" / "sample"
NAMED = re.compile("Salt Lantern|Torvik|Skarholt|Lasz")
MAIN = "from multicube.agent.cli import main; main()"
OF_THIS_RUN = ("id", "started_at", "ms", "settings_hash")
"""What differs between two runs of the same question over the same documents."""

Folders = tuple[Path, Path]


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The variables that name both servers."""
    with postgres() as database, chroma(tmp_path_factory.mktemp("chroma")) as vectors:
        yield {"MULTICUBE_DATABASE_URL": database, "MULTICUBE_CHROMA_URL": vectors}


@pytest.fixture
def env(stores: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Mapping[str, str]:
    for name, value in stores.items():
        monkeypatch.setenv(name, value)
    return stores


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fifteen documents of the sample: of the film that is asked about, its director, and others who are named here."""
    told = [line for line in (SAMPLE / "corpus.jsonl").read_text("utf-8").splitlines() if NAMED.search(line)]
    assert len(told) == 15
    path = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    path.write_text("\n".join(told), encoding="utf-8")
    return path


def two_servers(corpus: Path, folder: Path) -> Folders:
    """The folders of two servers for one knowledge base; the second is not there yet."""
    MultiCube.build([corpus], folder / "a" / folder.name).close()
    return folder / "a" / folder.name, folder / "b" / folder.name


@pytest.fixture
def folders(env: Mapping[str, str], corpus: Path, tmp_path: Path) -> Folders:
    """Two servers whose documents a test may change."""
    return two_servers(corpus, tmp_path)


@pytest.fixture(scope="module")
def built(stores: Mapping[str, str], corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Folders:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in stores.items():
            patch.setenv(name, value)
        return two_servers(corpus, tmp_path_factory.mktemp("standing"))


@pytest.fixture
def standing(env: Mapping[str, str], built: Folders) -> Folders:
    """Two servers for tests that leave documents as they are; runs pile up."""
    return built


def alike(value: Any) -> Any:
    """A run without what is of its time."""
    if isinstance(value, dict):
        return {key: alike(each) for key, each in value.items() if key not in OF_THIS_RUN and not key.endswith("_ms")}
    return [alike(each) for each in value] if isinstance(value, list) else value


def command(*args: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    line = [sys.executable, "-c", MAIN, *map(str, args)]
    return subprocess.run(line, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, **more})


def here(*args: str | Path, **more: str) -> Result:
    """Run a command in this process, where only its folder has to be another one."""
    return CliRunner().invoke(app, list(map(str, args)), env=more)


@contextmanager
def serving(folder: Path, **more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Serve a knowledge base in a process of its own."""
    line = [sys.executable, "-c", MAIN, "serve", "--kb", str(folder), "--port", "0"]
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True, env={**os.environ, **more}) as running:
        assert running.stderr is not None
        said = running.stderr.readline()
        assert said.startswith("serving on"), said
        try:
            yield running, said.split()[2]
        finally:
            running.kill()


def test_the_same_questions_have_the_same_answers_and_traces(
    sample: MultiCube,
    env: Mapping[str, str],
    tmp_path: Path,
    sample_questions: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("MULTICUBE_CHROMA_URL")  # a Chroma server rounds vectors to seven digits
    with MultiCube.build([SAMPLE / "corpus.jsonl"], tmp_path / "same") as other:
        assert not list(other.kb.path.glob("*.sqlite*"))
        asked = sample_questions[::4]
        assert {each["type"] for each in asked} == {each["type"] for each in sample_questions}
        for each in asked:
            one, two = (kb.ask(each["question"]).model_dump(mode="json") for kb in (sample, other))
            assert alike(one) == alike(two)
        assert alike(list(sample.kb.export())) == alike(list(other.kb.export()))


def test_a_run_paused_at_a_cap_on_one_server_is_resumed_and_forked_on_another(standing: Folders) -> None:
    with ModelServer(Competent()) as model:
        thinks = {"MULTICUBE_MODEL": f"{model.url}#stand-in"}
        paused = here("ask", CHAIN, "--max-requests", "7", "--kb", standing[0], **thinks)
        assert paused.exit_code == 1
        assert "is kept with 1 hop" in paused.stderr
        assert len(model.chats) == 7
        kept = json.loads(here("trace", "latest", "--json", "--kb", standing[1], **thinks).stdout)
        assert (kept["status"], kept["stopped"]) == ("paused", "cap")
        said = command("trace", kept["id"], "--resume", "--json", "--kb", standing[1], **thinks)
        resumed = json.loads(said.stdout)
        assert (resumed["id"], resumed["answer"], resumed["status"]) == (kept["id"], "Skarholt", "answered")
        assert len(model.chats) == resumed["usage"]["requests"] == 10  # nothing was asked twice
        again = here("ask", CHAIN, "--kb", standing[0], **thinks)
        assert "spent: nothing, 10 replies from the cache" in again.stderr  # the other server's replies among them
    with MultiCube.open(standing[1]) as second, MultiCube.open(standing[0]) as first:
        fork = second.fork(kept["id"], 1, answer="Imre Saldane")
        assert (fork.forked_from, fork.hops[0].status) == (kept["id"], "edited")
        assert first.trace(fork.id) == fork
        first.delete_run(fork.id)
        with pytest.raises(UsageError, match="There is no run"):
            second.trace(fork.id)


def test_a_killed_server_loses_no_acknowledged_run(standing: Folders) -> None:
    with serving(standing[0]) as (first, url), MultiCube.open(standing[1]) as other:
        acknowledged = [httpx.post(f"{url}/ask", json={"question": CHAIN}, timeout=60).json()["id"] for _ in range(3)]
        stream = {"Accept": "text/event-stream"}
        with httpx.stream("POST", f"{url}/ask", json={"question": CHAIN}, headers=stream, timeout=60) as reply:
            lines = reply.iter_lines()
            assert next(lines) == "event: started"
            begun = json.loads(next(lines).removeprefix("data: "))["run"]
            first.send_signal(signal.SIGKILL)
        first.wait(60)
        for run in acknowledged:
            assert other.trace(run).answer == "Skarholt"
        resumed = other.resume(begun)
        assert (resumed.id, resumed.answer, resumed.status) == (begun, "Skarholt", "answered")


def test_every_answer_is_of_the_generation_that_it_names(folders: Folders) -> None:
    """One process corrects a fact to and fro, while two threads of another ask for it."""
    question, answers, runs = "Where was Teodor Lasz born?", dict[int, str](), list[Run]()
    with MultiCube.open(folders[0]) as writer, MultiCube.open(folders[1]) as reader:
        done = threading.Event()

        def ask() -> None:
            while not done.is_set():
                runs.append(reader.ask(question))

        before = answers[writer.kb.generation] = writer.ask(question).answer
        of_lasz = (f for f in writer.kb.cubes["person"].facts() if f.subject == "Teodor Lasz")
        born = next(f for f in of_lasz if f.relation == "born in")
        assert reader.ask(question).answer == before
        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            for n in range(3):
                made = writer.kb.correct(replace_value(writer.kb, born, f"Ostrava{n}"))
                answers[writer.kb.generation] = f"Ostrava{n}"
                writer.kb.undo_correction(made.id)
                answers[writer.kb.generation] = before
                asked = len(runs)
                while len(runs) == asked and all(thread.is_alive() for thread in threads):
                    done.wait(0.01)  # somebody asks in between, however slow the machine
        finally:
            done.set()
            for thread in threads:
                thread.join()
        runs.append(reader.ask(question))
        assert runs[-1].generation == writer.kb.generation
    assert {run.id: run.answer for run in runs} == {run.id: answers[run.generation] for run in runs}
    assert len({run.generation for run in runs}) > 2


def test_what_one_server_writes_the_other_answers_with(folders: Folders, tmp_path: Path) -> None:
    page = tmp_path / "kiln.md"
    page.write_text("# The Old Kiln\n\nThe Old Kiln was built by Mara Lind.\n", encoding="utf-8")
    with MultiCube.open(folders[1]) as reader, MultiCube.open(folders[0]) as writer:
        assert reader.ask("Who built the Old Kiln?").answer != "Mara Lind"
        writer.ingest([page])
        assert reader.ask("Who built the Old Kiln?").answer == "Mara Lind"
        assert reader.kb.check_store() == writer.kb.check_store()
        writer.kb.remove(str(page))
        assert reader.ask("Who built the Old Kiln?").answer != "Mara Lind"


def test_images_and_abstractions_reach_the_other_server(folders: Folders, tmp_path: Path) -> None:
    Image.linear_gradient("L").save(tmp_path / "plan.png")
    image = (tmp_path / "plan.png").read_bytes()
    page = tmp_path / "mill.html"
    page.write_text("<h1>The Mill</h1><h2>Plan</h2><p>It hums.</p><img src='plan.png' alt='Figure 1: Plan'>")
    with MultiCube.open(folders[1]) as reader, MultiCube.open(folders[0]) as writer:
        writer.ingest([page])
        reader.kb.refresh()
        (document,) = (each for each in reader.kb.documents() if each.source == str(page))
        (figure,) = reader.kb.figures(document.id)
        assert figure.path.read_bytes() == image
        assert figures.stored(folders[1], figure.id) == (figure.path, "image/png")
        town = Entity("brask", "Brask", "place", "a town", ("Brask",), (document.sections[0],))
        found = Perspectives(EntityGraph((town,), (), writer.kb.generation), (), (), writer.kb.state)
        writer.kb.keep_perspectives(found)
        reader.kb.refresh()
        assert reader.kb.perspectives is not None
        assert reader.kb.perspectives.graph == found.graph
        writer.kb.remove(document.id)
        assert figures.stored(folders[1], figure.id) is None
        reader.kb.refresh()
        assert reader.kb.perspectives is None


HOLD = """
import sys
from pathlib import Path
from multicube.cubes.store.locks import write_lock
with write_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_one_process_writes_and_a_killed_one_blocks_nobody(standing: Folders) -> None:
    process: Any = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(standing[0])], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout.readline() == "held\n"
        with pytest.raises(LockedError, match=rf"process {process.pid} on .*, connected since 2"):
            write_lock(standing[1]).__enter__()
        with MultiCube.open(standing[1]) as other, pytest.raises(LockedError, match=f"process {process.pid}"):
            other.kb.accept_empty()
        process.kill()
    for _ in range(100):  # the server notices within moments
        try:
            with write_lock(standing[1]):
                return
        except LockedError:
            time.sleep(0.1)
    pytest.fail("the lock of a killed process is kept")


def test_a_session_that_was_cut_is_opened_again_but_not_in_the_middle_of_writing(standing: Folders) -> None:
    def cut() -> None:
        with closing(PostgresConnection(os.environ["MULTICUBE_DATABASE_URL"], "other")) as session:
            others = "pg_stat_activity WHERE pid != pg_backend_pid() AND datname = current_database()"
            session.execute(f"SELECT pg_terminate_backend(pid, 5000) FROM {others}").fetchall()

    with MultiCube.open(standing[0]) as kb:
        earlier = len(kb.runs(1000))
        before = kb.ask(CHAIN)
        cut()
        assert kb.ask(CHAIN).answer == before.answer
        assert len(kb.runs(1000)) == earlier + 2
    with closing(Catalog.open(standing[0] / "catalog.sqlite")) as catalog:
        with catalog.write_lock():
            cut()
            with pytest.raises(KnowledgeBaseError, match="cannot be reached"):
                catalog.set_meta(kept="no")
            with pytest.raises(KnowledgeBaseError):  # the lock went with the session: somebody else may have it
                catalog.set_meta(kept="no")
        assert catalog.meta("kept") is None

        def written(error: Exception | None) -> None:
            with catalog.writing():
                catalog.set_meta(kept="no")
                cut()
                if error is not None:
                    raise error

        with pytest.raises(KnowledgeBaseError, match="cannot be reached"):
            written(None)  # what could not be committed is not said to be
        with pytest.raises(ValueError, match="mine"):
            written(ValueError("mine"))
        assert catalog.meta("kept") is None
        catalog.set_meta(kept="yes")
        assert catalog.meta("kept") == "yes"


def test_many_questions_at_once_are_answered_and_kept(standing: Folders) -> None:
    with MultiCube.open(standing[0]) as kb, ThreadPoolExecutor(8) as pool:
        earlier = {run.id for run in kb.runs(1000)}
        runs = list(pool.map(lambda _: kb.ask(CHAIN), range(24)))
        assert {run.answer for run in runs} == {"Skarholt"}
        assert {run.id for run in kb.runs(1000)} - earlier == {run.id for run in runs}


def test_an_older_schema_is_migrated_and_a_newer_one_refused(env: Mapping[str, str], tmp_path: Path) -> None:
    path = tmp_path / "older" / "catalog.sqlite"
    with closing(Catalog.create(path, {"kb_id": "1"})) as made, made.writing() as connection:
        connection.execute("DROP TABLE figures")
        for table in ("entities", "entity_sections", "relations", "relation_sections", "apart"):
            connection.execute(f"DROP TABLE {table}")
        made.set_meta(schema_version=2)
    with closing(Catalog.open(path)) as again:
        assert again.meta("schema_version") == str(schema.SCHEMA_VERSION)
        assert again.rows("SELECT * FROM figures") == again.rows("SELECT name FROM apart") == []
        again.set_meta(schema_version=99)
    with pytest.raises(KnowledgeBaseError, match="newer MultiCube"):
        Catalog.open(path)


def test_text_that_postgresql_cannot_hold_keeps_its_length(env: Mapping[str, str], tmp_path: Path) -> None:
    with closing(Catalog.create(tmp_path / "odd" / "catalog.sqlite", {"kb_id": "1"})) as catalog:
        text = "100% sure? \0 \ud800 and '\\' too"
        catalog.put(Document("d", "s", "r", "T", text, "h"), "en", [], {}, engine="e", ontology="o")
        assert catalog.document("d").text == "100% sure? \ufffd ? and '\\' too"


def test_replies_are_shared_and_forgotten(env: Mapping[str, str], tmp_path: Path) -> None:
    one, two = (ReplyCache(tmp_path / place / "replies" / "cache.sqlite", shared=True) for place in "ab")
    with closing(one), closing(two):
        assert two.get("key") is None
        one.put("key", "a reply")
        one.put("key", "a better one")
        assert (two.get("key"), len(two)) == ("a better one", 1)
        two.discard()
        assert one.get("key") is None
    assert not list(tmp_path.rglob("cache.sqlite*"))


def test_a_folder_says_where_its_catalog_is(
    standing: Folders, monkeypatch: pytest.MonkeyPatch, sample_path: Path, tmp_path: Path
) -> None:
    with pytest.raises(KnowledgeBaseError, match="holds other things"):
        MultiCube.open(sample_path)
    with pytest.raises(KnowledgeBaseError, match="There is no knowledge base 'nowhere' in the database"):
        MultiCube.open(tmp_path / "nowhere")
    monkeypatch.delenv("MULTICUBE_DATABASE_URL")
    with pytest.raises(KnowledgeBaseError, match="is in PostgreSQL; set MULTICUBE_DATABASE_URL"):
        MultiCube.open(standing[0])


def test_removed_documents_and_runs_leave_the_tables(folders: Folders) -> None:
    with MultiCube.open(folders[0]) as kb:
        kb.ask(CHAIN)
        name = kb.trace().citations[0].record_id
    removed = here("docs", "remove", name, "--yes", "--purge-runs", "--kb", folders[1])
    assert "deleted 1 run" in removed.stdout, removed.stderr
    with closing(PostgresConnection(os.environ["MULTICUBE_DATABASE_URL"], namespace(folders[0]))) as session:
        for table in ("runs", "catalogue", "checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            assert session.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
        left = "SELECT count(*) FROM documents WHERE record_id = ?"
        assert session.execute(left, (name,)).fetchone() == (0,)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (f"mysql://u:{PASSWORD}@host/db", "is no PostgreSQL address; write it as postgresql://USER:PASSWORD@HOST"),
        (f"postgresql://u:{PASSWORD}@host/db?sslmode", "is no PostgreSQL address"),
        (f"postgresql://u:{PASSWORD}@127.0.0.1:1/db", "PostgreSQL at 127.0.0.1:1/db cannot be reached"),
        (f"postgresql://u:{PASSWORD}@127.0.0.1:port/db", "PostgreSQL"),
        (PASSWORD, "is no PostgreSQL address"),
        (f"postgresql://u:{PASSWORD[:4]}/{PASSWORD}@127.0.0.1:1/db", "write them as %40"),
        (f"postgresql://u:x@{PASSWORD}@127.0.0.1:1/db", "write them as %40"),
    ],
)
@pytest.mark.parametrize("words_of", ["ask", "doctor"])
def test_a_wrong_address_is_one_sentence_without_its_password(
    url: str, words: str, words_of: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg")
    monkeypatch.setenv("MULTICUBE_DATABASE_URL", url)
    asked = ["ask", CHAIN] if words_of == "ask" else ["doctor", "--quick"]
    result = CliRunner().invoke(app, [*asked, "--kb", str(tmp_path / "kb")])
    assert result.exit_code in (1, 2)
    assert words in " ".join(result.output.split())
    assert PASSWORD not in result.output
    assert "Traceback" not in result.output


def test_a_wrong_password_or_database_is_said_without_the_password(
    env: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = env["MULTICUBE_DATABASE_URL"]
    for wrong, words in ((url.replace(PASSWORD, "other%2Dword"), "password authentication failed"),
                         (f"{url}x", 'database "postgresx" does not exist')):  # fmt: skip
        monkeypatch.setenv("MULTICUBE_DATABASE_URL", wrong)
        with pytest.raises(KnowledgeBaseError, match=words) as caught:
            shared(tmp_path / "kb")
        said = f"{caught.value}{caught.value.__cause__}"
        assert not any(secret in said for secret in (PASSWORD, "other-word", "other%2Dword"))


def test_the_doctor_looks_at_the_database(standing: Folders) -> None:
    said = CliRunner().invoke(app, ["doctor", "--quick", "--kb", str(standing[1])])
    assert said.exit_code == 0, said.output
    shown = " ".join(said.output.split())
    assert "keeps catalogs, runs and replies" in shown
    assert "documents, facts and corrections" in shown
    assert PASSWORD not in shown


def test_a_missing_extra_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTICUBE_DATABASE_URL", f"postgresql://u:{PASSWORD}@127.0.0.1:1/db")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match=r"pip install 'multicube-rag\[scale\]'"):
        MultiCube.open(tmp_path / "kb")


def test_a_long_name_of_a_folder_is_a_name_of_its_own() -> None:
    long = [namespace(Path(f"/x/{'k' * 80}{n}")) for n in range(2)]
    assert len(set(long)) == 2
    assert all(len(name) <= 63 for name in long)
    assert namespace(Path("/one/kb")) == namespace(Path("/other/kb/../kb")) == "multicube_kb"


def test_rights_count_on_every_server_and_outlive_a_cut_session(folders: Folders, env: Mapping[str, str]) -> None:
    of_him = [{"documents": record, "groups": ["editors"]} for record in ("s001", "s002", "s018", "s029", "s051")]
    closed = Permissions.model_validate({"rules": of_him})
    keep_permissions(folders[0], closed)
    token = TokenFile(folders[0]).add("guest", ["read"])
    assert not (folders[0] / "permissions.yaml").exists()
    assert load_permissions(folders[1]) == closed
    with serving(folders[1]) as (_, url):
        assert httpx.get(f"{url}/documents").status_code == 401
        guest = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60)
        assert guest.get("/documents").json()["total"] == 10
        assert "Torvik" not in guest.post("/ask", json={"question": CHAIN}).text
        with closing(PostgresConnection(env["MULTICUBE_DATABASE_URL"], "public")) as operator:
            operator.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                "AND application_name LIKE 'process%'"
            )
        assert guest.get("/documents").json()["total"] == 10
        assert "Torvik" not in guest.post("/ask", json={"question": CHAIN}).text
        keep_permissions(folders[0], Permissions())
        assert guest.post("/ask", json={"question": CHAIN}).json()["answer"] == "Skarholt"
