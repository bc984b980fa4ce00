"""Documents over HTTP: shown, uploaded with progress, removed; what is broken costs itself and nothing else."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import httpx
from apiserver import Running, sentence, serving
from multicube.agent.server.limits import Limits
from multicube.agent.server.uploads import safe_name

LAMP = b"# The Grey Lamp\n\nThe Grey Lamp is a 1950 film directed by Ada Moss. Ada Moss was born in Kessel.\n"
EVIL = b"# <script>alert(1)</script>\n\n<img src=x onerror=alert(2)> [Zed](javascript:alert(3)) was born in Oster.\n"


def upload(running: Running, *files: tuple[str, bytes]) -> list[tuple[str, dict[str, Any]]]:
    """Upload files and follow the job to its end."""
    reply = running.client.post("/documents", files=[("files", file) for file in files])
    assert reply.status_code == 202, reply.text
    return running.events(f"/jobs/{reply.json()['job']}")


def test_documents_are_listed_and_shown(shared: Running) -> None:
    listed = shared.client.get("/documents", params={"query": "salt lantern"}).json()
    [document] = listed["documents"]
    assert (listed["total"], document["title"], document["sections"]) == (1, "The Salt Lantern", 1)
    shown = shared.client.get(f"/documents/{document['id']}").json()
    assert (shown["metadata"]["kind"], [s["path"] for s in shown["sections"]]) == ("film", [["The Salt Lantern"]])
    sentence(shared.client.get("/documents/nothing"), 404, "no document 'nothing'")
    sentence(shared.client.get("/sections/nothing"), 404, "no section 'nothing'")
    for name in ("nothing", "00ff", "..%2fcatalog.sqlite", "%2e%2e"):
        sentence(shared.client.get(f"/figures/{name}"), 404)


def test_an_upload_is_read_with_progress_and_a_broken_file_costs_only_itself(own: Running) -> None:
    events = upload(own, ("lamp.md", LAMP), ("bad.json", b"{bad"), ("tool.exe", b"MZ"), ("scan.pdf", b"%PDF-1.4 no"))
    assert {name for name, _ in events[:-1]} == {"progress"}
    name, job = events[-1]
    assert (name, job["state"], job["report"]["added"]) == ("done", "done", 1)
    said = {problem["source"]: problem["message"] for problem in job["problems"]}
    assert set(said) == {"bad.json", "tool.exe", "scan.pdf"}
    assert "not valid JSON" in said["bad.json"]
    assert ".exe are not supported" in said["tool.exe"]
    assert own.ask("Who directed The Grey Lamp?")["answer"] == "Ada Moss"
    assert own.client.get("/jobs").json()["jobs"][0] == own.client.get(f"/jobs/{job['id']}").json() == job
    sentence(own.client.get("/jobs/nothing"), 404, "no job")


def test_a_name_is_never_a_path(own: Running) -> None:
    for number, name in enumerate(("../../lamp.md", "..\\..\\lamp.md", "/etc/lamp.md", "a\nlamp.md")):
        text = b"# Lamp %d\n\nLamp %d is a film." % (number, number)
        assert upload(own, (name, text))[-1][0] == "done"
    folder = own.kb.kb.path
    assert sorted(path.name for path in (folder / "uploads").iterdir()) == ["a_0Alamp.md", "lamp.md"]
    assert not list(folder.parent.glob("*.md"))
    assert own.client.get("/documents", params={"query": "lamp.md"}).json()["total"] == 2
    for name in ("..", ".", "", "con.txt", "a" * 500 + ".md", "x/.md", "ß" * 100 + ".md", "\u202egnp.md"):
        safe = safe_name(name)
        assert safe == Path(safe).name
        assert safe not in ("", ".", "..")
        assert len(safe.encode()) <= 100
        assert safe.isprintable()


def test_two_files_of_one_name_are_both_read_and_a_later_one_takes_the_place(own: Running) -> None:
    [*_, (_, job)] = upload(own, ("lamp.md", LAMP), ("lamp.md", LAMP.replace(b"Grey", b"Blue")))
    assert (job["files"], job["report"]["added"]) == (["lamp.md", "lamp-2.md"], 2)
    [*_, (_, job)] = upload(own, ("lamp.md", LAMP.replace(b"Ada", b"Ida")))
    assert (job["report"]["added"], job["report"]["updated"]) == (0, 1)
    assert own.ask("Who directed The Grey Lamp?")["answer"] == "Ida Moss"


def test_text_of_documents_stays_text(own: Running) -> None:
    assert upload(own, ("evil.md", EVIL))[-1][0] == "done"
    [document] = own.client.get("/documents", params={"query": "evil"}).json()["documents"]
    assert document["title"] == "<script>alert(1)</script>"
    section = own.client.get(f"/documents/{document['id']}").json()["sections"][0]["id"]
    reply = own.client.get(f"/sections/{section}")
    assert reply.headers["content-type"] == "application/json"
    assert "javascript:alert(3)" in reply.json()["text"]
    run = own.ask("Where was Zed born?")
    page = own.client.get(f"/runs/{run['id']}/export", params={"format": "html"}).text
    assert "<script" not in page.lower()
    assert "<img" not in page.lower()


def test_a_removed_document_is_gone_with_its_file(own: Running) -> None:
    upload(own, ("lamp.md", LAMP))
    [document] = own.client.get("/documents", params={"query": "grey lamp"}).json()["documents"]
    assert own.client.delete(f"/documents/{document['id']}").status_code == 204
    sentence(own.client.get(f"/documents/{document['id']}"), 404)
    sentence(own.client.delete(f"/documents/{document['id']}"), 404)
    assert list((own.kb.kb.path / "uploads").iterdir()) == []
    assert own.ask("Who directed The Grey Lamp?")["answer"] != "Ada Moss"
    assert own.client.get("/health").json()["documents"] == 64


def test_uploads_are_bounded(own: Running) -> None:
    with serving(own.kb, limits=Limits(file=100, files=3, upload=10_000), warm=False) as small:
        large, many = ("big.txt", b"x" * 101), [("files", (f"{n}.txt", b"text")) for n in range(4)]
        sentence(small.client.post("/documents", files=[("files", large)]), 415, "too large")
        sentence(small.client.post("/documents", files=many), 413, "at most 3")
        sentence(small.client.post("/documents", files={"files": ("a.txt", b"x" * 10_001)}), 413, "10,000 bytes")
        [*_, (_, job)] = upload(small, large, ("small.txt", b"Small is a text."))
        assert ([problem["source"] for problem in job["problems"]], job["report"]["added"]) == (["big.txt"], 1)
    assert [path.name for path in (own.kb.kb.path / "uploads").iterdir()] == ["small.txt"]


def test_uploads_that_wait_are_bounded_and_deleted_where_the_server_ends(own: Running) -> None:
    with serving(own.kb, limits=Limits(uploads=1), warm=False) as small:
        jobs = small.server.config.app.state.service.jobs
        with jobs._writing:  # as while another ingest goes on
            for _ in range(2):
                small.client.post("/documents", files={"files": ("lamp.md", LAMP)}).raise_for_status()
            sentence(small.client.post("/documents", files={"files": ("lamp.md", LAMP)}), 429, "uploads")
            jobs.stop()
        jobs.close()
        assert [job.state for job in jobs.all()] == ["failed", "failed"]
    assert not [path for path in (own.kb.kb.path / "uploads").iterdir() if path.is_dir()]


def test_what_is_no_upload_is_refused(shared: Running) -> None:
    client = shared.client
    sentence(client.post("/documents", json={}), 415, "multipart/form-data")
    sentence(client.post("/documents", files={"files": ("a.exe", b"MZ")}), 415, ".exe")
    form = {"Content-Type": "multipart/form-data; boundary=x"}
    sentence(client.post("/documents", content=b"--x--\r\n", headers=form), 422, "no file")
    sentence(client.post("/documents", content=b"nonsense", headers=form), 400)
    sentence(client.post("/documents", headers={"Content-Type": "multipart/form-data"}), 400)


def test_questions_are_answered_while_documents_are_read_and_one_writes_at_a_time(own: Running) -> None:
    many = "\n\n".join(f"Lamp {n} is a {1900 + n} film directed by Ada Moss." for n in range(40)).encode()
    replies = []
    for number in range(3):
        files = [("files", (f"{number}-{n}.md", b"# Lamp %d\n\n%s" % (n, many))) for n in range(5)]
        replies.append(own.client.post("/documents", files=files))
    jobs = [reply.json()["job"] for reply in replies]
    answers: list[str] = []

    def ask() -> None:
        with httpx.Client(base_url=own.url, timeout=60) as client:
            reply = client.post("/ask", json={"question": "Who directed The Salt Lantern?"})
            answers.append(reply.json()["answer"])

    asking = [threading.Thread(target=ask) for _ in range(6)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert answers == ["Anselm Torvik"] * 6
    ends = [own.events(f"/jobs/{job}")[-1][1] for job in jobs]
    assert [(job["state"], job["report"]["added"]) for job in ends] == [("done", 5)] * 3
    assert own.client.get("/health").json()["documents"] == 64 + 15
