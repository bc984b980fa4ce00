"""A question whose names are not in the evidence was asked of the wrong documents."""

import pytest
from multicube.agent.engines.embedded.answers.grounding import coverage, ground
from multicube.cubes.retrieval.wording import stems

FOUND = ("The Salt Lantern\nIt was directed by Anselm Torvik in Skarholt in 1934.", "Northern Mail Line\nA company.")


def nothing(name: str) -> bool:
    return False


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("Who directed The Salt Lantern?", ()),
        ("Where was Anselm Torvik's wife born?", ()),
        ("Who directed the Zinc Parade?", ("Zinc Parade",)),
        ("Did Anselm Brack and Anselm Torvik direct it in 1934?", ("Anselm Brack",)),
        ("Who is the painter of “the Zinc Parade”?", ("the Zinc Parade",)),
        ("In 1934 Skarholt was what?", ()),
        ("Besides Skarholt, where is the Northern Mail Line at home?", ()),
        ("Where was Anselm Torvick of Skarholdt born?", ()),  # misspelt
        ("It is old. What is it in Orvenna called?", ("Orvenna",)),
        ("who is that?", ()),
        ("Where?", ()),
    ],
)
def test_the_names_that_the_evidence_lacks(question: str, unknown: tuple[str, ...]) -> None:
    found = ground(question, FOUND, nothing)
    assert found.unknown == unknown
    assert (found.names == 1.0) is not bool(unknown)


def test_a_label_of_the_corpus_is_known_wherever_it_stands() -> None:
    asked = "Who directed the Zinc Parade?"
    assert ground(asked, FOUND, {"Zinc Parade"}.__contains__).unknown == ()
    assert ground(asked, FOUND, nothing).words == 0.0
    assert ground("Who directed the Salt Parade?", FOUND, nothing).words == 0.5


def test_what_is_asked_may_stand_together_or_apart() -> None:
    found = ground("Which company did the director of the Lantern lead?", FOUND, nothing)
    assert 0 < found.together < found.told < 1
    assert coverage("Who directed it?", set(stems("It was directed by him."))) == 1.0
    assert coverage("", set()) == 1.0
