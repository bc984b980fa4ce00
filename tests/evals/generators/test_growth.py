"""Renamed copies: the same sentences about other names, the same for a seed."""

from multicube.evals.generators.growth import grown_corpus

RECORDS = [
    {
        "id": "a",
        "title": "The Salt Lantern",
        "text": "The Salt Lantern was directed by Anselm Torvik in May 1934.",
    },
    {"id": "b", "title": "Anselm Torvik (director)", "text": "Anselm Torvik was born in Skarholt."},
]


def test_the_first_copy_is_the_corpus_and_the_others_carry_other_names() -> None:
    grown = list(grown_corpus(RECORDS, 5, seed=1))
    assert grown[:2] == RECORDS
    assert [record["id"] for record in grown] == ["a", "b", "a-1", "b-1", "a-2"]
    copied = grown[2]["text"].split()
    assert copied[0] == "The"
    assert copied[-2:] == ["May", "1934."]
    assert "Torvik" not in grown[2]["text"]
    assert grown[2]["title"] != grown[4]["title"]


def test_a_name_is_renamed_the_same_way_within_a_copy() -> None:
    _, _, film, director = grown_corpus(RECORDS, 4, seed=1)
    name = director["title"].removesuffix(" (director)")
    assert name in film["text"]
    assert director["text"] == f"{name} was born in Skarholt."


def test_the_same_seed_gives_the_same_corpus() -> None:
    assert list(grown_corpus(RECORDS, 9, seed=4)) == list(grown_corpus(RECORDS, 9, seed=4))
    assert list(grown_corpus(RECORDS, 9, seed=4)) != list(grown_corpus(RECORDS, 9, seed=5))
