"""Sentences of several sections, put side by side and read once more."""

import math

from hypothesis import given
from hypothesis import strategies as st
from multicube.agent.engines.embedded.answers.span import Margin, PredictedSpan
from multicube.agent.engines.embedded.answers.together import compared, put_together

MILL = ("Orrel Mill", "Orrel Mill grinds rye. It was built in 1790 by Tam Perrin. Its wheel broke twice.")
LOCK = ("Orrel Lock", "Boats pass it by day. The lock was dug in 1811.")
PUMP = ("Orrel Pump", "Orrel Pump was set up in 1834. It is painted green. It has run dry once.")
SECTIONS = [MILL, LOCK, PUMP]


def span(section: int, words: str, margin: float) -> PredictedSpan:
    start = SECTIONS[section][1].index(words)
    return PredictedSpan(section, start, start + len(words), words, margin)


def test_the_surest_sentences_stand_in_the_order_of_their_sections() -> None:
    spans = [span(2, "1834", 3.0), span(0, "1790", 2.0), span(1, "1811", 1.0), span(0, "twice", 0.0)]
    assert put_together(SECTIONS, spans).text == (
        "Orrel Mill. It was built in 1790 by Tam Perrin. Orrel Lock. The lock was dug in 1811. "
        "Orrel Pump was set up in 1834."
    )


def test_a_sentence_is_read_once_and_what_is_not_among_the_surest_has_no_place() -> None:
    spans = [span(0, "1790", 4.0), span(0, "Tam Perrin", 3.0), span(1, "1811", 2.0), span(2, "1834", 1.0)]
    together = put_together(SECTIONS, [*spans, span(2, "green", 0.0)])
    assert together.text.count("1790") == 1
    assert [together.text[slice(*(together.place(one) or (0, 0)))] for one in spans] == [one.text for one in spans]
    assert together.place(span(2, "green", 0.0)) is None


def test_a_span_is_compared_with_the_others_there() -> None:
    def again(text: str) -> Margin:
        return lambda start, end: 5.0 if text[start:end] == "1790" else -1.0

    spans = [span(0, "1790", 1.0), span(1, "1811", 2.0), span(2, "1834", 3.0), span(2, "green", -3.0)]
    mill, lock, pump, green = compared(SECTIONS, spans, again)
    assert mill > lock == pump == green  # what was not read is as sure as the least that was
    assert mill == 5.0 - math.log(math.exp(5.0) + 2 * math.exp(-1.0) + 1.0)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 60), st.integers(1, 9), st.floats(-30, 30)), max_size=9))
def test_every_place_holds_the_words_of_its_span(drawn: list[tuple[int, int, int, float]]) -> None:
    spans = []
    for section, start, length, margin in drawn:
        text = SECTIONS[section][1]
        start = min(start, len(text) - 1)
        spans.append(PredictedSpan(section, start, start + length, text[start : start + length], margin))
    together = put_together(SECTIONS, spans)
    for one in spans:
        place = together.place(one)
        assert place is None or one.text.startswith(together.text[slice(*place)])
    assert len(compared(SECTIONS, spans, lambda text: lambda start, end: 0.0)) == len(spans)
