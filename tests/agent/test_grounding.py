"""A question whose names are not in the evidence was asked of the wrong documents."""

import pytest
from multicube.agent.embedded.grounding import grounding

FOUND = ("The Salt Lantern", "It was directed by Anselm Torvik in 1934.")


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("Who directed The Salt Lantern?", 1.0),
        ("Where was Anselm Torvik's wife born?", 1.0),
        ("Who directed the Zinc Parade?", 0.0),
        ("Did Anselm Brack direct it in 1934?", 2 / 3),
        ("who is that?", 1.0),
        ("Where?", 1.0),
    ],
)
def test_the_share_of_name_words_in_the_evidence(question: str, share: float) -> None:
    assert grounding(question, FOUND) == pytest.approx(share)
