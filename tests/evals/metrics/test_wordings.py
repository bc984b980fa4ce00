"""What answers are measured by (appendix A.5)."""

from __future__ import annotations

import pytest
from multicube.evals.metrics.similarity import is_accurate, perspective_coverage, word_coverage


def test_coverage_counts_the_gold_words_that_are_said() -> None:
    assert word_coverage("Cows and bats produce milk.", "Bats produce milk") == 1.0
    assert word_coverage("Cows produce.", "Bats produce milk") == pytest.approx(1 / 3)
    assert word_coverage("anything", "") is None


def test_accuracy_counts_the_words_that_are_gold() -> None:
    assert is_accurate("bats fly at night", "bats", 0.25)
    assert not is_accurate("bats fly at night", "bats", 0.5)
    assert not is_accurate("", "bats", 0.25)


def test_a_perspective_is_met_by_any_of_its_phrases_as_whole_words() -> None:
    perspectives = [["produce milk", "give milk"], ["have wings"]]
    assert perspective_coverage("Some GIVE milk.", perspectives) == 0.5
    assert perspective_coverage("They give milky things; they have wings!", perspectives) == 0.5
    assert perspective_coverage("nothing", []) is None
