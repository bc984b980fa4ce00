"""Spans are cut to the shortest full form that answers the subquery."""

from __future__ import annotations

import pytest
from multicube.agent.embedded.trimming import trimmed


@pytest.mark.parametrize(
    ("subquery", "span", "expected"),
    [
        ("Where was the treaty signed?", "exactly halfway across Vell Bridge", "Vell Bridge"),
        ("Where was the treaty signed?", "in a tent near Orm", "in a tent near Orm"),
        ("What stands there?", "exactly halfway across Vell Bridge", "exactly halfway across Vell Bridge"),
        ("When was Ada Marr born?", "May 5, 1900 – June 6, 1970", "May 5, 1900"),
        ("When did Ada Marr die?", "5 May 1900 – 6 June 1970", "6 June 1970"),
        ("When did the war take place?", "1900 – 1910", "1900 – 1910"),
    ],
)
def test_a_span_is_cut_to_what_is_asked(subquery: str, span: str, expected: str) -> None:
    assert trimmed(subquery, span, lambda name: name == "Vell Bridge") == expected
