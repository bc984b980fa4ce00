"""Cubes over HTTP: dimensions, labels, cells, rolling up and drilling down; and the loop as a graph."""

from __future__ import annotations

from typing import Any

from apiserver import Running, sentence


def rows(running: Running, cube: str, **params: Any) -> list[dict[str, Any]]:
    reply = running.client.get(f"/cubes/{cube}/rollup", params=params)
    assert reply.status_code == 200, reply.text
    found: list[dict[str, Any]] = reply.json()["rows"]
    return found


def test_cubes_say_what_they_hold(shared: Running) -> None:
    listed = shared.client.get("/cubes").json()
    person = next(cube for cube in listed["cubes"] if cube["id"] == "person")
    assert person["facts"] == len(shared.kb.kb.cubes["person"].facts())
    name = next(dimension for dimension in person["dimensions"] if dimension["id"] == "name")
    assert (name["role"], name["labels"]) == ("subject", len(shared.kb.kb.cubes["person"].labels("name")))


def test_labels_come_by_how_many_sections_they_tag(shared: Running) -> None:
    reply = shared.client.get("/cubes/person/dimensions/name", params={"limit": 500}).json()
    counts = [label["sections"] for label in reply["labels"]]
    assert counts == sorted(counts, reverse=True)
    assert len(counts) == reply["total"]
    only = shared.client.get("/cubes/person/dimensions/name", params={"query": "teodor"}).json()
    assert only == {"labels": [{"label": "Teodor Lasz", "sections": 2}], "total": 1}


def test_a_cell_holds_what_shares_its_labels_and_the_sentence_that_says_so(shared: Running) -> None:
    cell = shared.client.get("/cubes/person/cells", params={"name": "Teodor Lasz", "to_location": "born in"}).json()
    assert (cell["total"], cell["cell"]) == (1, {"name": "Teodor Lasz", "to_location": "born in"})
    [section], [fact] = cell["sections"], cell["facts"]
    assert (fact["value"], fact["section"]) == ("Dastra", section["id"])
    text = shared.client.get(f"/sections/{section['id']}").json()["text"]
    assert text[section["start"] : section["end"]] == section["sentence"]
    assert text[fact["start"] : fact["end"]] == "Dastra"


def test_dates_roll_up_into_decades_and_years_in_their_order(shared: Running) -> None:
    found = rows(shared, "person", by="date", limit=500)
    decades = [row["label"] for row in found]
    assert decades == sorted(decades)
    assert all(label.endswith("0s") for label in decades)
    eighties = next(row for row in found if row["label"] == "1880s")
    assert "1889" in [year["label"] for year in eighties["children"]]
    assert eighties["sections"] == shared.client.get("/cubes/person/cells", params=eighties["cell"]).json()["total"]
    drilled = rows(shared, "person", by="date", within=["1880s", "1889"])
    assert [row["label"] for row in drilled] == ["7 July 1889"]
    years = rows(shared, "person", by="date", level=1, limit=500)
    assert "1889" in [row["label"] for row in years]


def test_places_roll_up_into_what_holds_them(shared: Running) -> None:
    [dastra] = rows(shared, "location", by="name", within="Carse")
    assert (dastra["label"], dastra["cell"]) == ("Dastra", {"name": "Dastra"})
    carse = next(row for row in rows(shared, "location", by="name") if row["label"] == "Carse")
    assert (carse["cell"], carse["below"], carse["sections"]) == (None, 1, dastra["sections"])


def test_a_roll_up_may_stay_within_a_cell(shared: Running) -> None:
    every = rows(shared, "person", by="location_name", level=1, limit=500)
    some = rows(shared, "person", by="location_name", level=1, date="1880s", limit=500)
    assert some
    assert {row["label"] for row in some} < {row["label"] for row in every}


def test_what_a_limit_leaves_out_is_counted(shared: Running) -> None:
    reply = shared.client.get("/cubes/person/rollup", params={"by": "date", "limit": 1}).json()
    assert (len(reply["rows"]), reply["total"] > 1) == (1, True)
    second = shared.client.get("/cubes/person/rollup", params={"by": "date", "limit": 1, "offset": 1}).json()
    assert second["rows"][0]["label"] > reply["rows"][0]["label"]


def test_what_is_not_there_is_named(shared: Running) -> None:
    client = shared.client
    sentence(client.get("/cubes/planet/cells?name=x"), 404, "no cube 'planet'")
    sentence(client.get("/cubes/person/dimensions/colour"), 404, "no dimension 'colour'")
    sentence(client.get("/cubes/person/cells"), 422, "labels on dimensions")
    sentence(client.get("/cubes/person/cells?name=Nobody At All"), 404, "no label 'Nobody At All'")
    sentence(client.get("/cubes/person/rollup?by=colour"), 404, "no dimension 'colour'")
    sentence(client.get("/cubes/person/rollup?by=date&within=never"), 404, "nothing called 'never'")
    sentence(client.get("/cubes/person/rollup"), 422, "by")


def test_the_graph_is_the_compiled_loop(shared: Running) -> None:
    graph = shared.client.get("/graph").json()
    ids = {node["id"] for node in graph["nodes"]}
    assert {"reason", "route", "answer", "check", "cube_person"} <= ids
    assert {"source": "answer", "target": "check", "conditional": False} in graph["edges"]
    assert {"source": "check", "target": "reason", "conditional": True} in graph["edges"]
    assert all(edge["source"] in ids and edge["target"] in ids for edge in graph["edges"])


def test_health_says_what_is_served(shared: Running) -> None:
    health = shared.client.get("/health").json()
    assert (health["status"], health["documents"], health["sections"], health["engine"]) == ("ok", 64, 64, "embedded")
