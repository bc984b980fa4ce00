"""Spans are cut to the shortest full form that answers the subquery."""

from __future__ import annotations

import pytest
from multicube.agent.engines.embedded.answers.span_form import completed, trimmed


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


@pytest.mark.parametrize(
    ("subquery", "span", "expected"),
    [
        ("When was Orvenna taken by the Tarsenni?", "1842 to 1897", "1842"),
        ("When did the council begin?", "1793 -- 94", "1793"),
        ("When did the council end?", "1793 to 1794", "1794"),
        ("When did Ida Lorn rule Orvenna?", "1793 to 1794", "1793 to 1794"),
        ("How many mills are in Dastra?", "40 mills", "40"),
        ("What is the population of Dastra?", "about 2 million people", "about 2 million"),
        ("What is the population of Dastra?", "35th Total 2,913,123", "2,913,123"),
        ("What amount of TEUs did Dastra handle?", "273,282 TEUs", "273,282"),
        ("How many feet of snow fall there?", "135 inches", "135 inches"),
        ("How many mills burnt?", "12 of 40 mills", "12 of 40 mills"),
        ("Who leads Orvenna?", "Ida Maria Lorn of the Harbour party", "Ida Maria Lorn"),
        ("Who ruled Orvenna?", "King Wu of the Carse", "King Wu of the Carse"),
        ("Who ruled Orvenna?", "Otto II of the Tarsenne line", "Otto II of the Tarsenne line"),
        ("What hills are those?", "Vell Bridge of northern Dastra, Orvenna and Carse", "Vell Bridge"),
        ("Why did it fall?", "Vell Bridge was weak and the flood high", "Vell Bridge was weak and the flood high"),
        ("During which century was it built?", "late 18th", "late 18th century"),
        ("Which street is it in?", "18th", "18th"),
        ("Who founded it?", 'Ottoline "Otto" Brask', 'Ottoline "Otto" Brask'),
        ("Who founded it?", '"Ottoline Brask', "Ottoline Brask"),
        ("Which file sets the wick?", "in wick.conf in the harbour folder", "wick.conf"),
        ("Where does the wick file lie?", "in /etc/wick", "/etc/wick"),
        ("Where is the file set?", "wick.conf in the harbour folder", "wick.conf in the harbour folder"),
    ],
)
def test_a_span_is_cut_to_its_shortest_full_form(subquery: str, span: str, expected: str) -> None:
    assert trimmed(subquery, span, lambda name: name == "Vell Bridge") == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Hale", "It began with G. Stanley Hale's book. Hale, who was the first president, left.", "G. Stanley Hale"),
        ("Rossi", "She is married to the Tarsenni film director Roman Rossi.", "Roman Rossi"),
        ("Hale", "In Hale's time nobody knew. The Hale family came later.", "Hale"),
        ("Hale", "Ada Hale met Otto Hale in the town.", "Hale"),
        ("Ada Hale", "The poet Ada Hale Lorn.", "Ada Hale"),
        ("UNESCO", "The World UNESCO.", "UNESCO"),
    ],
)
def test_a_family_name_is_given_as_its_text_has_it_in_full(name: str, text: str, expected: str) -> None:
    assert completed(name, text) == expected
