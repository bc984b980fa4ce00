"""The measures of answers with many parts, by cases worked out by hand."""

from __future__ import annotations

import math

import pytest
from multicube.evals.metrics.rows import (
    answer_accuracy,
    answer_coverage,
    information_recall,
    mixed_entropy,
    named_alike,
    relative_entropy,
)

GOLD = [
    {"drug": "Lumavex", "molecule": "lumaidine", "effects": ["nausea", "sickness"]},
    {"drug": ["Quellamine", "QLM"], "molecule": "quelidine", "effects": None},
]


def test_information_recall_counts_units_without_nulls_and_accepts_aliases() -> None:
    passages = ["Lumavex may cause sickness.", "QLM is a drug.", "Lumavex: the lumaidines are others."]
    # Five units: Lumavex, lumaidine, nausea/sickness, Quellamine/QLM, quelidine; two of them are not there.
    assert information_recall(GOLD, passages) == pytest.approx(3 / 5)
    assert information_recall(GOLD, []) == 0.0
    assert information_recall([{"drug": None}], passages) is None


def test_information_recall_counts_what_rows_share_once() -> None:
    rows = [{"drug": "Lumavex", "effects": "nausea"}, {"drug": "Quellamine", "effects": "Nausea"}]
    assert information_recall(rows, ["Nausea is common."]) == pytest.approx(1 / 3)
    assert information_recall([*rows, {"drug": "Nausea", "effects": ""}], ["Nausea."]) == pytest.approx(2 / 4)


def test_accuracy_and_coverage_compare_units_of_the_same_row() -> None:
    said = [
        {"drug": "lumavex", "molecule": "quelidine", "effects": "Sickness"},  # another row's molecule is wrong here
        {"drug": "QLM", "molecule": "", "effects": ""},
    ]
    # Said: drug, molecule, effects; drug. Right: drug, effects; drug. Gold: 3 + 2 units.
    assert answer_accuracy(said, GOLD) == pytest.approx(3 / 4)
    assert answer_coverage(said, GOLD) == pytest.approx(3 / 5)
    assert answer_accuracy([*said, said[0]], GOLD) == pytest.approx(3 / 4)  # what is said twice counts once
    assert (answer_accuracy([], GOLD), answer_coverage([], GOLD)) == (0.0, 0.0)
    assert answer_accuracy(said, []) is None


def test_columns_are_matched_by_name_and_else_by_order() -> None:
    said = [{"Effects": "fever", "medicine": "QLM", "made of": "quelidine", "price": "3"}]
    gold = {"drug": "QLM", "molecule": "quelidine", "effects": "fever", "price": "3"}
    assert named_alike(said, GOLD) == [gold]
    assert answer_accuracy(named_alike(said, GOLD), GOLD) == pytest.approx(2 / 4)  # nobody asked for the price
    assert named_alike([], GOLD) == []


def test_entropy_is_of_the_mean_of_the_sentences_in_nats() -> None:
    assert mixed_entropy([[2.0, 0.0], [0.0, -1.0]]) == pytest.approx(math.log(2))
    assert mixed_entropy([[1.0, 0.0]]) == 0.0
    # p = (3/4, 1/4) and (1/4, 3/4): the mean is even although neither is.
    assert relative_entropy([[3, -1], [1, 3]]) == pytest.approx(1.0)
    one = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    assert mixed_entropy([[3, -1], [0, 0]]) == pytest.approx(one)
    assert mixed_entropy([[0.0, 0.0]]) is None
    assert relative_entropy([[1.0]]) is None
