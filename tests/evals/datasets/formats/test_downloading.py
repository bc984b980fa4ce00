"""Fetching, from a server of this process: whole, broken off, gone on with, refused; and unpacking what was fetched."""

import hashlib
import io
import json
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from multicube.cubes.core.errors import InputError, UsageError
from multicube.evals.datasets.formats import converting, prepared
from multicube.evals.datasets.formats.archives import unpack
from multicube.evals.datasets.formats.downloading import download, verified
from multicube.evals.datasets.formats.registry import Format, Release
from multicube.evals.datasets.load import load_dataset
from published_samples import hotpot_row, lveval_row, write

CONTENT = bytes(range(256)) * 4096


class _Handler(BaseHTTPRequestHandler):
    files: dict[str, bytes]
    asked: list[tuple[str, str | None]]
    cut: int  # how many answers break off half-way
    etag: str

    def do_GET(self) -> None:
        cls, given = type(self), self.headers.get("Range")
        cls.asked.append((self.path, given))
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/file.bin")
            self.end_headers()
            return
        content = cls.files.get(self.path)
        if content is None:
            self.send_error(404)
            return
        start = int(given.split("=")[1].rstrip("-")) if given and self.headers.get("If-Range") == cls.etag else 0
        part = content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(part)))
        self.send_header("ETag", cls.etag)
        self.end_headers()
        if cls.cut > 0:
            cls.cut -= 1
            part = part[: len(part) // 2]
        self.wfile.write(part)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[tuple[str, type[_Handler]]]:
    handler = type("Handler", (_Handler,), {"files": {"/file.bin": CONTENT}, "asked": [], "cut": 0, "etag": '"1"'})
    running = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}", handler
    running.shutdown()
    thread.join()
    running.server_close()


def test_a_file_comes_whole_through_a_redirect_and_only_once(
    tmp_path: Path, server: tuple[str, type[_Handler]]
) -> None:
    url, handler = server
    target = download(f"{url}/moved", tmp_path / "deep" / "file.bin")
    assert target.read_bytes() == CONTENT
    assert (tmp_path / "deep" / "file.bin.sha256").read_text().split()[0] == hashlib.sha256(CONTENT).hexdigest()
    asked = len(handler.asked)
    assert download(f"{url}/moved", target) == target
    assert len(handler.asked) == asked
    target.write_bytes(b"spoilt")
    assert not verified(target)
    assert download(f"{url}/moved", target).read_bytes() == CONTENT


def test_a_connection_that_is_cut_is_gone_on_with(tmp_path: Path, server: tuple[str, type[_Handler]]) -> None:
    url, handler = server
    handler.cut = 2
    said: list[str] = []
    target = download(f"{url}/file.bin", tmp_path / "file.bin", said.append, pause=0)
    assert target.read_bytes() == CONTENT
    half = len(CONTENT) // 2
    assert [given for _, given in handler.asked] == [None, f"bytes={half}-", f"bytes={half + half // 2}-"]
    assert f"from byte {half} on" in said[1]
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".lock") == ["file.bin", "file.bin.sha256"]


def test_what_keeps_breaking_off_leaves_no_file_and_goes_on_later(
    tmp_path: Path, server: tuple[str, type[_Handler]]
) -> None:
    url, handler = server
    handler.cut = 99
    with pytest.raises(InputError, match=r"broke off after \d+ bytes .*; the same command goes on from there"):
        download(f"{url}/file.bin", tmp_path / "file.bin", pause=0)
    assert not (tmp_path / "file.bin").exists()
    handler.cut = 0
    assert download(f"{url}/file.bin", tmp_path / "file.bin").read_bytes() == CONTENT
    assert handler.asked[-1][1] is not None


def test_a_file_that_has_changed_meanwhile_is_fetched_anew(tmp_path: Path, server: tuple[str, type[_Handler]]) -> None:
    url, handler = server
    handler.cut = 99
    with pytest.raises(InputError):
        download(f"{url}/file.bin", tmp_path / "file.bin", pause=0)
    handler.cut, handler.etag, handler.files = 0, '"2"', {"/file.bin": CONTENT[::-1]}
    assert download(f"{url}/file.bin", tmp_path / "file.bin").read_bytes() == CONTENT[::-1]


def test_what_cannot_be_fetched_is_one_sentence(tmp_path: Path, server: tuple[str, type[_Handler]]) -> None:
    url, _ = server
    with pytest.raises(UsageError, match=r"cannot be fetched \(status 404\)") as caught:
        download(f"{url}/nowhere", tmp_path / "x", pause=0)
    assert "\n" not in str(caught.value)
    with pytest.raises(UsageError, match="cannot be reached"):
        download("http://127.0.0.1:9/x", tmp_path / "x", pause=0)
    with pytest.raises(UsageError, match="is no web address"):
        download("file:///etc/passwd", tmp_path / "x")
    (tmp_path / "taken").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        download(f"{url}/file.bin", tmp_path / "taken" / "x")


def zipped(*members: tuple[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in members:
            packed.writestr(name, text)
    return made.getvalue()


def test_a_published_set_is_fetched_unpacked_and_read_by_its_name(
    tmp_path: Path, server: tuple[str, type[_Handler]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, handler = server
    levels = [(f"mixup/mixup_{size}.jsonl", json.dumps(lveval_row(input=f"{size}?"))) for size in ("16k", "32k")]
    handler.files = {"/mixup.zip": zipped(*levels)}
    release = Release("lveval-32k", "mixup.zip", r".*_32k\.jsonl", ((f"{url}/mixup.zip", "mixup.zip"),))
    known = Format("lveval", "LV-Eval", "https://example.org", "MIT", (release,), "wikipedia.lveval")
    monkeypatch.setattr("multicube.evals.datasets.formats.registry.FORMATS", (known,))
    monkeypatch.setenv("MULTICUBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"mixup.zip is not in lveval-32k; it is published at https://example.org; or"):
        prepared("lveval-32k", tmp_path / "out")
    assert handler.asked == []
    dataset = load_dataset(prepared("lveval-32k", tmp_path / "out", download=True))
    assert (dataset.name, dataset.questions[0].question) == ("lveval-32k", "32k?")
    asked = len(handler.asked)
    prepared("lveval-32k", tmp_path / "out", download=True)
    assert len(handler.asked) == asked
    assert converting.fetched(known, release, lambda _: None).is_relative_to(tmp_path / "cache")


def test_an_archive_is_a_data_set_too(tmp_path: Path) -> None:
    write(tmp_path / "set.zip", zipped(("a/b/dev.json", json.dumps([hotpot_row()])), ("a/b/run.py", "x")))
    assert len(load_dataset(prepared(tmp_path / "set.zip", tmp_path / "zip")).questions) == 1
    with tarfile.open(tmp_path / "set.tar.gz", "w:gz") as tape:
        content = json.dumps([hotpot_row()]).encode()
        member = tarfile.TarInfo("data/dev.json")
        member.size = len(content)
        tape.addfile(member, io.BytesIO(content))
    folder = prepared(tmp_path / "set.tar.gz", tmp_path / "tar")
    assert load_dataset(folder).name == "set"
    said: list[str] = []
    prepared(tmp_path / "set.tar.gz", tmp_path / "tar", say=said.append)
    assert said == []
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.endswith(("unpacked", "part"))) == []


@pytest.mark.parametrize("name", ["../out.json", "/tmp/out.json", "a/../../out.json", "..\\out.json", "C:\\out.json"])
def test_members_never_leave_the_folder(tmp_path: Path, name: str) -> None:
    write(tmp_path / "bad.zip", zipped((name, "[]")))
    with pytest.raises(InputError, match="leads out of its folder"):
        unpack(tmp_path / "bad.zip", tmp_path / "in" / "here")
    assert [path.name for path in tmp_path.rglob("out.json")] == []


def test_links_bombs_and_broken_archives_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tarfile.open(tmp_path / "link.tar", "w") as tape:
        member = tarfile.TarInfo("x.json")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tape.addfile(member)
    with pytest.raises(InputError, match="no plain file"):
        unpack(tmp_path / "link.tar", tmp_path / "a")
    monkeypatch.setattr("multicube.evals.datasets.formats.archives._ROOM", 10_000)
    write(tmp_path / "bomb.zip", zipped(("x.json", " " * 3_000_000)))
    with pytest.raises(InputError, match="far more than a data set holds"):
        unpack(tmp_path / "bomb.zip", tmp_path / "b")
    write(tmp_path / "torn.zip", zipped(("x.json", "[]"))[:-30])
    with pytest.raises(InputError, match="the archive is broken"):
        unpack(tmp_path / "torn.zip", tmp_path / "c")
