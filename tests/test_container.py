"""The container's files keep what docs/container.md promises: slim, not root, nothing written but the volume."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from multicube.agent.app.settings import Settings

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def steps() -> list[tuple[str, str]]:
    """The Dockerfile's instructions with what follows each."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = re.sub(r"\\\n", " ", text).splitlines()
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines if line.strip()]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8")))


def of(steps: list[tuple[str, str]], name: str) -> list[str]:
    return [rest for step, rest in steps if step == name]


def test_the_image_is_slim_and_built_apart(steps: list[tuple[str, str]]) -> None:
    bases = of(steps, "FROM")
    assert len(bases) == 2
    assert all(re.match(r"python:3\.\d+-slim-\w+", base) for base in bases)
    last = max(n for n, (step, _) in enumerate(steps) if step == "FROM")
    assert not any("pip" in rest or "apt-get" in rest for step, rest in steps[last:] if step == "RUN")
    assert [rest for step, rest in steps[last:] if step == "COPY"] == ["--from=build /opt/multicube /opt/multicube"]
    assert not of(steps, "ADD")


def test_it_installs_the_versions_that_were_tested_and_no_torch(steps: list[tuple[str, str]]) -> None:
    (installs,) = [rest for rest in of(steps, "RUN") if "pip install" in rest]
    assert "-c constraints.txt" in installs
    (extras,) = re.findall(r"\.\[([\w,-]+)\]", installs)
    assert set(extras.split(",")) <= {"slides", "design", "scale"}


def test_it_does_not_run_as_root_and_its_last_user_stays(steps: list[tuple[str, str]]) -> None:
    (user,) = of(steps, "USER")
    assert int(user) >= 10_000
    at = next(n for n, (step, _) in enumerate(steps) if step == "USER")
    assert not any(step == "RUN" for step, _ in steps[at:])


def test_all_that_is_written_lies_in_the_volume(steps: list[tuple[str, str]]) -> None:
    assert of(steps, "VOLUME") == ["/data"]
    variables = dict(re.findall(r"(\w+)=(\S+)", " ".join(of(steps, "ENV"))))
    written = ("MULTICUBE_KB", "MULTICUBE_CACHE_DIR", "XDG_STATE_HOME")
    places = [value for name, value in variables.items() if name in written]
    assert len(places) == 3
    assert all(place.startswith("/data/") for place in places)
    known = {f"MULTICUBE_{name.upper()}" for name in Settings.model_fields}
    assert {name for name in variables if name.startswith("MULTICUBE_")} <= known
    assert not any(word in name for name in variables for word in ("TOKEN", "KEY", "SECRET"))


def test_it_says_whether_it_is_well_and_takes_signals(steps: list[tuple[str, str]]) -> None:
    (health,) = of(steps, "HEALTHCHECK")
    assert "/health" in health
    assert "MULTICUBE_TOKEN" in health
    for name in ("ENTRYPOINT", "CMD"):
        assert all(rest.startswith("[") for rest in of(steps, name)), "a shell would keep the signals to itself"


def test_every_package_of_the_install_goes_into_the_image() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    assert {name.split(".")[1] for name in packages if "." in name} <= allowed
    assert not allowed & {".git", ".venv", "tests", "kb"}


def test_the_page_is_closed_up_and_reached_from_this_machine_alone(compose: dict[str, Any]) -> None:
    page = compose["services"]["page"]
    assert page["read_only"] is True
    assert page["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in page["security_opt"]
    assert all(port.startswith("127.0.0.1:") for port in page["ports"])
    assert page["environment"]["MULTICUBE_TOKEN"].startswith("${MULTICUBE_TOKEN:?")
    assert [volume.endswith(":ro") for volume in page["volumes"]] == [False, True]


def test_chroma_is_there_where_it_is_asked_for_at_the_tested_version(compose: dict[str, Any]) -> None:
    chroma = compose["services"]["chroma"]
    assert chroma["profiles"] == ["chroma"]
    pinned = re.search(r"^chromadb==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert pinned is not None
    assert chroma["image"] == f"chromadb/chroma:{pinned[1]}"
    assert "ports" not in chroma
    named = {volume.split(":")[0] for each in compose["services"].values() for volume in each["volumes"]}
    assert set(compose["volumes"]) <= named
