"""Retrieval: exact before dense, coverage tiers, filters in every route, and the reasons given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from multicube.cubes.core.errors import UsageError
from multicube.cubes.core.records import Component, Fact, Filters, Match, Section, Span
from multicube.cubes.model.cells import CubeSet
from multicube.cubes.model.ontology import load_ontology
from multicube.cubes.retrieval.fusion import rrf
from multicube.cubes.retrieval.retriever import Retriever

ONTOLOGY = load_ontology("default")
TAU = 0.75


@dataclass
class Dense:
    """A dense index with fixed answers, which remembers what it was asked."""

    near: Mapping[str, Sequence[tuple[str, float]]] = field(default_factory=dict)
    ranking: Sequence[tuple[str, float]] = ()
    asked: list[str] = field(default_factory=list)

    def labels(self, cube: str, dimension: str, text: str, k: int) -> Sequence[tuple[str, float]]:
        self.asked.append(f"{cube}.{dimension}:{text}")
        return list(self.near.get(text, ()))[:k]

    def passages(self, text: str, k: int) -> Sequence[tuple[str, float]]:
        self.asked.append(text)
        return list(self.ranking)[:k]


@dataclass(frozen=True)
class Info:
    source: str
    metadata: Mapping[str, str | int | float | bool] = field(default_factory=dict)


TEXTS = {
    "fay": "Tropical Storm Fay brought rain to Melbourne Beach. Rain, rain and more rain in 2008.",
    "dunes": "Dunes in Florida were levelled during Tropical Storm Fay.",
    "levee": "Levees in Florida are weak.",
    "gale": "A gale passed over Norway. Norway was calm by 3 May 2008.",
}
SECTIONS = [Section(name, f"doc-{name}", f"r-{name}", 0, (name.title(),), text) for name, text in TEXTS.items()]


def weather(section: str, subject: str, dimension: str, relation: str, value: str, kind: str = "place") -> Fact:
    return Fact(section, "weather", dimension, subject, relation, value, kind, Span(0, 1), Span(0, 1))


FACTS = [
    weather("fay", "Tropical Storm Fay", "to_location", "hit", "Melbourne Beach"),
    weather("fay", "Tropical Storm Fay", "date", "occurred on", "2008", "date"),
    weather("dunes", "Tropical Storm Fay", "to_location", "hit", "Florida"),
    weather("levee", "Levees", "to_location", "hit", "Florida"),
    weather("gale", "Gale", "to_location", "formed over", "Norway"),
    weather("gale", "Gale", "date", "occurred on", "3 May 2008", "date"),
]
DOCUMENTS = {
    "doc-fay": Info("/corpus/storms/a.md", {"date": "2008-08-20", "topic": "storm", "year": 2008}),
    "doc-dunes": Info("/corpus/storms/b.md", {"date": "2012"}),
    "doc-levee": Info("/corpus/dams/c.txt", {"topic": "Dam"}),
    "doc-gale": Info("/corpus/storms/d.txt", {"date": "2008-05-03"}),
}


def retriever(dense: Dense | None = None) -> Retriever:
    return Retriever(CubeSet.build(ONTOLOGY, SECTIONS, FACTS), SECTIONS, dense, metadata=DOCUMENTS)


def part(dimension: str, entity: str) -> Component:
    return Component("weather", dimension, entity)


STORM, BEACH, FLORIDA = (
    part("name", "tropical storm fay"),
    part("location_name", "Melbourne Beach"),
    part("location_name", "Florida"),
)


def test_sections_covering_all_components_come_first_and_the_next_tiers_fill_up() -> None:
    found = retriever().cube("weather", [STORM, BEACH, FLORIDA], "rain in Florida", k=5, tau=TAU)
    assert [(hit.section_id, hit.covered, hit.asked) for hit in found.hits] == [
        ("fay", 2, 3),
        ("dunes", 2, 3),
        ("levee", 1, 3),
    ]
    assert [hit.rank for hit in found.hits] == [1, 2, 3]
    assert found.hits[0].score == pytest.approx(2 / 3)
    assert found.fallback is None


def test_a_narrow_reading_stops_after_the_top_tier() -> None:
    found = retriever().cube("weather", [STORM, FLORIDA], "", k=5, tau=TAU, top_tier_only=True)
    assert [hit.section_id for hit in found.hits] == ["dunes"]


def test_every_hit_says_why() -> None:
    hit = retriever().cube("weather", [STORM, BEACH], "Melbourne", k=1, tau=TAU).hits[0]
    assert hit.matches == (
        Match("weather", "name", "tropical storm fay", "Tropical Storm Fay", "exact", 1.0, 1),
        Match("weather", "location_name", "Melbourne Beach", "Melbourne Beach", "exact", 1.0, 1),
    )
    assert hit.lexical > 0
    assert hit.source == "cube"


def test_dense_is_asked_only_where_exact_finds_none() -> None:
    dense = Dense({"Sunshine State": [("Florida", 0.8), ("Norway", 0.79)]})
    found = retriever(dense).cube("weather", [STORM, part("location_name", "Sunshine State")], "", k=5, tau=TAU)
    assert dense.asked == ["weather.location_name:Sunshine State"]
    assert [hit.section_id for hit in found.hits] == ["dunes", "fay", "levee"]
    assert found.hits[0].matches[1] == Match("weather", "location_name", "Sunshine State", "Florida", "dense", 0.8, 1)


def test_below_the_threshold_nothing_matches() -> None:
    dense = Dense({"Sunshine State": [("Florida", 0.7499)]})
    state = part("location_name", "Sunshine State")
    assert retriever(dense).cube("weather", [state], "", k=5, tau=TAU).hits == ()
    assert len(retriever(dense).cube("weather", [state], "", k=5, tau=0.7499).hits) == 2


def test_dates_match_by_value_and_never_by_similarity() -> None:
    dense = Dense({"2009": [("2008", 0.99)]})
    assert [h.section_id for h in retriever(dense).cube("weather", [part("date", "2008")], "", k=5, tau=TAU).hits] == [
        "fay",
        "gale",
    ]
    assert retriever(dense).cube("weather", [part("date", "2009")], "", k=5, tau=TAU).hits == ()
    assert dense.asked == []


def test_components_of_other_cubes_empty_ones_and_unknown_dimensions() -> None:
    odd = [Component("film", "name", "x"), part("name", "  "), part("colour", "red"), STORM]
    found = retriever(Dense()).cube("weather", odd, "", k=1, tau=TAU)
    assert (found.hits[0].covered, found.hits[0].asked) == (1, 2)
    assert found.components == (odd[2], STORM)
    assert retriever().cube("weather", [], "", k=5, tau=TAU).hits == ()
    assert retriever().cube("weather", [STORM], "", k=0, tau=TAU).hits == ()


def test_aliases_lead_to_the_subjects_sections_and_back() -> None:
    alias = Fact(
        "levee",
        "weather",
        "name",
        "Tropical Storm Fay",
        "also known as",
        "The Soaker",
        "name",
        Span(0, 1),
        Span(0, 1),
    )
    found = Retriever(CubeSet.build(ONTOLOGY, SECTIONS, [*FACTS, alias]), SECTIONS).cube(
        "weather", [part("name", "the soaker")], "", k=5, tau=TAU
    )
    assert {hit.section_id for hit in found.hits} == {"fay", "dunes", "levee"}
    assert all(match.route == "exact" for hit in found.hits for match in hit.matches)


@pytest.mark.parametrize(
    ("filters", "allowed"),
    [
        (Filters(), {"fay", "dunes", "gale"}),
        (Filters(sources=("/corpus/storms",)), {"fay", "dunes", "gale"}),
        (Filters(sources=("/corpus/storms/a.md",)), {"fay"}),
        (Filters(sources=("*.md",)), {"fay", "dunes"}),
        (Filters(sources=("/corpus/*/d.*", "/corpus/dams")), {"gale"}),
        (Filters(sources=("/corpus/stor",)), set()),
        (Filters(metadata={"topic": "storm"}), {"fay"}),
        (Filters(metadata={"year": "2008"}), {"fay"}),
        (Filters(metadata={"topic": "storm", "year": 1999}), set()),
        (Filters(since="2008-08"), {"fay", "dunes"}),
        (Filters(until="2008"), {"fay", "gale"}),
        (Filters(since="2008-05-03", until="2008-05-03"), {"gale"}),
    ],
)
def test_filters_hold_in_every_route(filters: Filters, allowed: set[str]) -> None:
    order = [("levee", 0.9), ("gale", 0.8), ("dunes", 0.7), ("fay", 0.6)]
    told = retriever(
        Dense(near={"storm": [("Norway", 0.99), ("Melbourne Beach", 0.98), ("Florida", 0.97)]}, ranking=order)
    )
    exact = told.cube(
        "weather",
        [part("location_name", e) for e in ("Norway", "Melbourne Beach", "Florida")],
        "",
        k=5,
        tau=TAU,
        filters=filters,
    )
    asked = "rain Norway Florida"
    routes = [
        exact,
        *(told.passages(asked, k=4, mode=mode, filters=filters) for mode in ("bm25", "dense", "hybrid")),
        told.linked(asked, k=4, filters=filters),
    ]
    for found in routes:
        assert {hit.section_id for hit in found.hits} - {"levee"} == allowed
    if allowed:
        dense = told.cube("weather", [part("location_name", "storm")], "", k=5, tau=TAU, filters=filters)
        assert {hit.section_id for hit in dense.hits} <= allowed | {"levee"}
        assert dense.hits


def test_a_relative_folder_is_taken_from_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = Retriever(
        CubeSet.build(ONTOLOGY, SECTIONS, FACTS),
        SECTIONS,
        metadata={"doc-fay": Info(str((tmp_path / "in" / "a.md").resolve()))},
    )
    assert [h.section_id for h in told.passages("Florida rain", k=5, filters=Filters(sources=("in",))).hits] == ["fay"]


def test_a_filter_date_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="'soon' is not a date"):
        retriever().passages("rain", k=5, filters=Filters(since="soon"))


def test_passages_by_words_by_meaning_and_fused() -> None:
    dense = Dense(ranking=[("gale", 0.9), ("levee", 0.5), ("gone", 0.4), ("fay", 0.1)])
    told = retriever(dense)
    by_words = told.passages("rain in Florida", k=4, mode="bm25")
    by_meaning = told.passages("rain in Florida", k=3, mode="dense")
    assert {hit.section_id for hit in by_words.hits} == {"fay", "dunes", "levee"}
    assert all(hit.score == hit.lexical and hit.source == "bm25" and not hit.matches for hit in by_words.hits)
    assert [(hit.section_id, hit.score) for hit in by_meaning.hits] == [
        ("gale", 0.9),
        ("levee", 0.5),
        ("fay", 0.1),
    ]
    fused = told.passages("rain in Florida", k=4, rrf_k=7)
    lists = [[hit.section_id for hit in each.hits] for each in (by_words, by_meaning)]
    assert [(hit.section_id, hit.score) for hit in fused.hits] == rrf(lists, 7)[:4]


def test_linked_passages_by_words_by_meaning_and_along_names() -> None:
    dense = Dense(ranking=[("gale", 0.9), ("levee", 0.5), ("fay", 0.1)])
    by_words = retriever().linked("What did the dunes of Florida become?", k=4, follow=False)
    assert {hit.section_id for hit in by_words.hits} == {"dunes", "levee"}
    assert [hit.rank for hit in by_words.hits] == [1, 2]
    assert all(hit.source == "linked" and hit.score > 0 for hit in by_words.hits)
    both = retriever(dense).linked("What did the dunes of Florida become?", k=4, follow=False)
    assert {hit.section_id for hit in both.hits} == {"dunes", "levee", "gale", "fay"}
    along = retriever().linked("What did the dunes of Florida become?", k=4)
    assert {hit.section_id for hit in along.hits} == {"dunes", "levee", "fay"}, "through the storm's name"
    unasked = retriever(dense).linked("What did the dunes of Florida become?", k=4, dense=False)
    assert [hit.section_id for hit in unasked.hits] == [hit.section_id for hit in along.hits]
    assert retriever(dense).linked("dunes", k=0).hits == ()


def test_a_name_is_found_in_any_form_and_by_name_alone_where_few_sections_have_it() -> None:
    assert retriever().naming("Dunes", k=3) == [1]
    assert retriever().naming("Melbourne Beach", k=3) == [0]
    assert retriever().naming("Levees in Norway", k=3) == retriever().naming("Florida", k=1) == []


def test_without_a_dense_index_hybrid_is_bm25_and_says_so() -> None:
    hits = retriever().passages("rain", k=2).hits
    assert [(hit.section_id, hit.source) for hit in hits] == [("fay", "bm25")]
    with pytest.raises(UsageError, match="needs an encoder"):
        retriever().passages("rain", k=2, mode="dense")


def test_the_explanation_is_hypercube_rags_table() -> None:
    dense = Dense({"Sunshine State": [("Florida", 0.8)]})
    told = retriever(dense)
    explained = told.explain(told.cube("weather", [part("location_name", "Sunshine State"), STORM], "", k=3, tau=TAU))
    assert explained.cubes == ("weather",)
    assert [(a.dimension, a.entity, a.labels) for a in explained.activations] == [
        ("location_name", "Sunshine State", ("Florida",)),
        ("name", "tropical storm fay", ("Tropical Storm Fay",)),
    ]
    assert str(explained).splitlines() == [
        "Cube weather: location_name = 'Sunshine State', name = 'tropical storm fay'",
        "Doc.    | Location name        | Weather name",
        "------- | -------------------- | -----------------------",
        "r-dunes | 'Florida': 1 (~0.80) | 'Tropical Storm Fay': 1",
        "r-fay   | –                    | 'Tropical Storm Fay': 1",
        "r-levee | 'Florida': 1 (~0.80) | –",
    ]
    assert str(told.explain(told.passages("rain", k=1, mode="bm25"))) == "1. r-fay Fay (bm25)"
    assert str(told.explain(told.passages("zzz", k=1, mode="bm25"))) == "No section was found."


def test_a_retriever_refuses_other_sections_than_its_cubes() -> None:
    with pytest.raises(ValueError, match="same order"):
        Retriever(CubeSet.build(ONTOLOGY, SECTIONS, FACTS), SECTIONS[::-1])
