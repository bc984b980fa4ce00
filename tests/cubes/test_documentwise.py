"""How a question's names and terms meet documents: labels, the text, meaning, abbreviations, and the ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from multicube.cubes.core.records import Component, Document, LabelRanking, Retrieval, Section
from multicube.cubes.documents.sections import split
from multicube.cubes.extraction.embedded import EmbeddedExtractor
from multicube.cubes.model.cells import CubeSet
from multicube.cubes.model.ontology import load_ontology
from multicube.cubes.retrieval.initials import is_abbreviation, named_by
from multicube.cubes.retrieval.retriever import Retriever

TEXTS = {
    "fay": "Tropical Storm Fay crossed Florida. Melbourne Beach measured 25 inches of rain.",
    "dunes": "Dunes in Florida were levelled by Tropical Storm Fay.",
    "panhandle": "Channels in the Florida Panhandle erode. The report of the Miami Water Board says so.",
    "gage": "Rainfall is measured with a gage near the Department of Inland Water.",
    "wind": "The wind is measured with a vane.",
}


class Near:
    """A dense index in which a few words are near each other, and nothing else is."""

    def __init__(self, near: Mapping[str, Sequence[tuple[str, float]]]) -> None:
        self.near = near
        self.asked: list[str] = []

    def labels(self, cube: str, dimension: str, text: str, k: int) -> Sequence[tuple[str, float]]:
        self.asked.append(text)
        return self.near.get(text.lower(), ())

    def passages(self, text: str, k: int) -> Sequence[tuple[str, float]]:
        return ()

    def passages_of_many(self, texts: Sequence[str], k: int) -> Sequence[Sequence[tuple[str, float]]]:
        return [() for _ in texts]

    def augmented(self, text: str, k: int, also: Sequence[str]) -> Mapping[str, float]:
        return {}

    def abstractions(self, text: str, k: int) -> Sequence[tuple[str, float]]:
        return ()


def _retriever(texts: Mapping[str, str], dense: Near | None = None) -> Retriever:
    ontology = load_ontology("scidcc-hurricane")
    extractor = EmbeddedExtractor(ontology)
    documents = [Document(id, "corpus.jsonl", id, "corpus", text, id) for id, text in texts.items()]
    extractor.prepare(documents)
    sections: list[Section] = []
    facts = []
    for document in documents:
        for section in split(document):
            sections.append(section)
            facts += extractor.extract(section, document)
    return Retriever(CubeSet.build(ontology, sections, facts), sections, dense)


def _found(
    retriever: Retriever,
    *pairs: tuple[str, str],
    exact: bool = True,
    ranking: LabelRanking = "rarity",
    tau: float = 0.75,
) -> tuple[list[str], Retrieval]:
    asked = [Component("document", dimension, entity) for dimension, entity in pairs]
    told = retriever.cube("document", asked, "q", k=5, tau=tau, exact=exact, ranking=ranking)
    names = {section.id: section.document_id for section in retriever.cubes.texts.sections}
    return [names[hit.section_id] for hit in told.hits], told


RAIN = {"rainfall": [("rain", 0.81), ("wind", 0.5)]}


def test_rainfall_meets_rain_by_meaning_and_the_explanation_says_which_label_it_was() -> None:
    asked = (("location", "Melbourne Beach"), ("event", "Tropical Storm Fay"), ("theme", "rainfall"))
    order, told = _found(_retriever(TEXTS, Near(RAIN)), *asked)
    assert order[:2] == ["fay", "dunes"]
    matched = {m.dimension: (m.label, m.route, m.similarity) for m in told.hits[0].matches}
    assert len(told.hits[0].matches) == 3, "each label is explained once, by what it was"
    assert matched == {
        "location": ("Melbourne Beach", "exact", 1.0),
        "event": ("Tropical Storm Fay", "exact", 1.0),
        "theme": ("rain", "dense", 0.81),
    }
    assert told.hits[0].covered == told.hits[0].asked == 3
    without = _found(_retriever(TEXTS), *asked)[1].hits
    assert without[0].covered == 2, "without meaning rain is not what was asked for"
    above = _found(_retriever(TEXTS, Near(RAIN)), *asked, tau=0.9)[1].hits
    assert above[0].covered == 2, "and neither is it above the threshold"


def test_a_term_that_most_documents_hold_is_not_looked_up_by_meaning() -> None:
    dense = Near({})
    texts = {str(n): "A storm came." for n in range(3)} | {"x": "A drought came."}
    retriever = _retriever(texts, dense)
    _found(retriever, ("theme", "storm"))
    assert dense.asked == []
    _found(retriever, ("theme", "drought"))
    assert dense.asked == ["drought"]


def test_what_is_in_a_longer_name_counts_where_it_stands() -> None:
    texts = {
        "board": "The Miami Water Board met.",
        "town": "They went to Miami for the weekend.",
        "other": "They met in Tampa.",
    }
    order, told = _found(_retriever(texts), ("location", "Miami"))
    assert sorted(order) == ["board", "town"]
    assert [hit.matches[0].label for hit in told.hits] == ["Miami", "Miami"]


def test_without_the_exact_route_neither_labels_nor_the_text_are_matched() -> None:
    retriever = _retriever(TEXTS, Near(RAIN))
    assert _found(retriever, ("event", "Tropical Storm Fay"), exact=False)[0] == []
    assert _found(retriever, ("theme", "rainfall"), exact=False)[0] == ["fay"]


@pytest.mark.parametrize(
    ("short", "names", "meant"),
    [
        ("DIW", ["Department of Inland Water", "Dutch Water"], ["Department of Inland Water"]),
        ("DoIW", ["Department of Inland Water"], ["Department of Inland Water"]),
        ("MWB", ["Miami Water Board of Florida", "Miami Water Board"], ["Miami Water Board"]),
        ("MWB", ["Miami Water Board of Florida"], ["Miami Water Board of Florida"]),
        ("XYZ", ["Miami Water Board"], []),
    ],
)
def test_an_abbreviation_is_spelt_out(short: str, names: list[str], meant: list[str]) -> None:
    assert is_abbreviation(short)
    assert list(named_by(short, names)) == meant
    assert not is_abbreviation("Miami")


def test_an_abbreviation_that_stands_nowhere_finds_the_name_and_the_trace_says_so() -> None:
    order, told = _found(_retriever(TEXTS), ("location", "MWB"))
    assert order == ["panhandle"]
    assert told.notes == ("'MWB' is no label; read as 'Miami Water Board'",)


def test_rare_labels_count_for_more_unless_plain_coverage_or_frequency_is_asked_for() -> None:
    texts = {f"n{n}": "A storm and a flood came." for n in range(6)}
    texts |= {"rare": "A typhoon came.", "often": "A storm, a storm, a storm, a storm came."}
    retriever = _retriever(texts)
    asked = (("theme", "storm"), ("theme", "flood"), ("theme", "typhoon"))
    assert _found(retriever, *asked)[0][0] == "rare"
    assert _found(retriever, *asked, ranking="coverage")[0][0].startswith("n")
    assert _found(retriever, *asked, ranking="frequency")[0][0] == "often"


def test_rarity_decides_where_many_tags_are_by_labels_of_most_documents_and_the_count_elsewhere() -> None:
    asked = (("theme", "storm"), ("theme", "flood"), ("theme", "typhoon"))
    texts = {f"n{n}": "A storm and a flood came." for n in range(6)} | {"rare": "A typhoon came."}
    assert _found(_retriever(texts), *asked, ranking="auto") == _found(_retriever(texts), *asked, ranking="rarity")
    towns = ("Orrin", "Velmora", "Ostrava", "Kestrel", "Dunmore", "Halvard", "Pellam", "Quillon")
    things = ("drought", "blizzard", "wildfire")
    for n in range(30):
        texts[f"o{n}"] = f"A {things[n % 3]} came to {towns[n % 8]} Bay and {towns[(n + 1) % 8]} Town in {1900 + n}."
    assert _found(_retriever(texts), *asked, ranking="auto") == _found(_retriever(texts), *asked, ranking="coverage")
    assert _found(_retriever(texts), *asked, ranking="auto") != _found(_retriever(texts), *asked, ranking="rarity")
