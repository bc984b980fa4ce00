"""Headings become paths, long texts are cut at good places, and sentences end where a reader would say so."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.cubes.core.language import detect
from multicube.cubes.core.records import Document, Section
from multicube.cubes.documents.sections import first_heading, sentences, split, top_heading


def document(text: str, media_type: str = "text/markdown", title: str = "Guide") -> Document:
    return Document("d", "/guide.md", "guide", title, text, "hash", media_type)


def outline(text: str, media_type: str = "text/markdown", title: str = "Guide") -> list[tuple[str, str]]:
    sections = split(document(text, media_type, title))
    return [(" > ".join(section.path), section.text) for section in sections]


def check(found: list[Section], text: str) -> None:
    """Whatever the text, sections are exact slices in order, numbered from 0."""
    position = 0
    for ordinal, section in enumerate(found):
        assert section.id == f"d:{ordinal}"
        assert section.ordinal == ordinal
        assert section.text == section.text.strip() != ""
        assert section.start >= position
        assert text[section.start : section.start + len(section.text)] == section.text
        position = section.start + len(section.text)


# Headings.


def test_headings_cascade_below_the_documents_title() -> None:
    text = "Intro.\n\n# One\n\nA.\n\n## Two ##\n\nB.\n\n# Three\nC.\n"
    assert outline(text) == [
        ("Guide", "Intro."),
        ("Guide > One", "A."),
        ("Guide > One > Two", "B."),
        ("Guide > Three", "C."),
    ]


def test_the_documents_own_title_stands_once() -> None:
    assert outline("# Guide\n\nA.\n\n## Part\n\nB.") == [("Guide", "A."), ("Guide > Part", "B.")]


def test_skipped_levels_leave_no_gap() -> None:
    text = "# One\n\nA.\n\n#### Deep\n\nB.\n\n### Less deep\n\nC.\n\n## Two\n\nD."
    assert [path for path, _ in outline(text)] == [
        "Guide > One",
        "Guide > One > Deep",
        "Guide > One > Less deep",
        "Guide > One > Two",
    ]


def test_headings_without_text_lend_only_their_name() -> None:
    assert outline("# One\n## Two\n### Three\nA.") == [("Guide > One > Two > Three", "A.")]


def test_underlined_headings() -> None:
    text = "The\nharbour\n=======\n\nA.\n\nIts ships\n---\nB.\n\n---\n\nC."
    assert outline(text) == [
        ("Guide > The harbour", "A."),
        ("Guide > The harbour > Its ships", "B.\n\n---\n\nC."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```python\n# a comment\n```\n\nText.",
        "~~~\n# a comment\n```\n# another\n~~~\nText.",
        "````\n```\n# a comment\n````\nText.",
        "```\n# never closed",
        "#hashtag and #another",
        "    # indented code",
        "- item\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        "####### seven",
    ],
)
def test_what_is_no_heading(text: str) -> None:
    assert [path for path, _ in outline(text)] == ["Guide"]


def test_headings_are_read_without_their_markup() -> None:
    assert [path for path, _ in outline("# The **big** [ship](http://x) `q`\n\nA.")] == ["Guide > The big ship q"]


def test_a_document_of_headings_alone_is_one_section() -> None:
    assert outline("# One\n\n## Two\n") == [("Guide", "# One\n\n## Two")]


def test_a_document_without_text_has_no_section() -> None:
    assert outline(" \n\n") == []


def test_numbered_headings_of_plain_text() -> None:
    text = "Front.\n\n1. Scope\n\nA.\n\n1.1 Terms\nB.\n\n2 Duties of the parties\n\nC."
    assert outline(text, "text/plain") == [
        ("Guide", "Front."),
        ("Guide > 1. Scope", "A."),
        ("Guide > 1. Scope > 1.1 Terms", "B."),
        ("Guide > 2 Duties of the parties", "C."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "To do:\n\n1. Buy salt\n2. Light the lamp\n3. Sleep\n",
        "To do:\n\n1. Buy salt\n\n2. Light the lamp\n\n3. Sleep\n\nThen rest.",
        "1934 World Fair\n\nIt opened in spring.",
        "3 Ships\n\nThey came in.",
        "1. This line is a whole sentence and it ends with a stop.\n\nMore.",
        "1 apple a day\n\nkeeps the doctor away.",
    ],
)
def test_numbered_lines_that_are_no_headings(text: str) -> None:
    assert [path for path, _ in outline(text, "text/plain")] == ["Guide"]


def test_a_numbered_heading_may_be_wrapped_and_one_may_be_missed() -> None:
    long = "1.2 How are the gates of the uppermost lock moved by hand where\nthe wheel is frozen?"
    text = f"1. The lock\n\nA.\n\n1.1 The wheel\n\nB.\n\n{long}\n\nC.\n\n1.4 The gauge\n\nD."
    assert [path.rpartition(" > ")[2] for path, _ in outline(text, "text/plain")] == [
        "1. The lock", "1.1 The wheel", long.replace("\n", " "), "1.4 The gauge",
    ]  # fmt: skip


def test_the_questions_of_a_list_of_questions_are_headings() -> None:
    asked = [("How is the lens\n   cleaned?", "With a cloth."), ("It smokes.", "Trim it."), ("Who pays?", "The guild.")]
    text = "Lamps\n\n" + "\n\n".join(f"Q: {question}\n\nA: {answer}" for question, answer in asked)
    assert outline(text, "text/plain")[1:] == [
        ("Guide > How is the lens cleaned?", "A: With a cloth."),
        ("Guide > It smokes.", "A: Trim it."),
        ("Guide > Who pays?", "A: The guild."),
    ]
    assert len(outline(text.replace("A: ", "B "), "text/plain")) == 1


def test_lines_in_capitals_divide_a_manual_page() -> None:
    text = "NAME\n    lampctl - lights lamps\n\nSEE ALSO\n    bellctl\n\nFILES\n\n    /etc/lamp\n\nNOTE WELL: SALT.\n"
    assert [path for path, _ in outline(text, "text/plain")] == ["Guide > NAME", "Guide > SEE ALSO", "Guide > FILES"]
    assert len(outline("NAME\n\nLampctl.\n\nUSNR\n\nIt is a rank.", "text/plain")) == 1


def test_what_a_list_of_contents_announces_is_a_heading_and_the_list_is_none() -> None:
    contents = "The lamp goes out.\nThe mill stands still.\nFog: who rings?"
    told = "The lamp goes out.\nTrim the wick.\n\n The mill stands still.\nOil it.\n\nFog: who rings?\nThe boy."
    text = f"For keepers.\n\n{contents}\n\n{told}"
    assert outline(text, "text/plain") == [
        ("Guide", "For keepers."), ("Guide > The lamp goes out.", "Trim the wick."),
        ("Guide > The mill stands still.", "Oil it."), ("Guide > Fog: who rings?", "The boy."),
    ]  # fmt: skip
    twice = f"{contents}\n\nThree lines that stand together again are none:\n\n{contents}"
    assert outline(twice, "text/plain") == [("Guide", twice)]


@pytest.mark.parametrize(
    "releases",
    [
        ("Version 2.1 - 4 May 2020", "Version 2.0.3 - 1 May 2020", "Version 1.9 - 3 June 2018", "Version 1 - 1998"),
        ("[1.4.0]", "[1.3.9]", "[1.3]", "[1.2]"),
        ("* Changes in release 9", "* Changes in release 10", "* Changes in release 11", "* Changes in release 12"),
        ("lampd (2.1-1) new; urgency=low", "lampd (2.0-3) new; urgency=low", "lampd (1.9-1) old", "lampd (0.8-1) old"),
    ],
)
def test_the_releases_of_a_long_list_of_changes_are_headings_and_stay_in_the_text(releases: tuple[str, ...]) -> None:
    told = [f"{release}\n{'  - The lamp burns better.' * 70}" for release in releases]
    text = "\n\n".join(told)
    names = [release.lstrip("* ") for release in releases]
    assert outline(text, "text/plain") == [(f"Guide > {name}", body) for name, body in zip(names, told, strict=True)]
    history = f"1. Use\n\nLight it.\n\n2. History\n\n{text}\n\n3. Thanks\n\nTo the guild."
    paths = [path for path, _ in outline(history, "text/plain")]
    assert paths == ["Guide > 1. Use", *(f"Guide > 2. History > {name}" for name in names), "Guide > 3. Thanks"]
    short = "\n\n".join(f"{release}\n  - The lamp burns better." for release in releases)
    assert [path for path, _ in outline(short, "text/plain")] == ["Guide"]


@pytest.mark.parametrize(
    "lines",
    [
        ("Lamps 3.6    May 2020", "Lamps 3.6    May 2020", "Lamps 3.6    May 2020", "Lamps 3.6    May 2020"),
        ("Version 1.2 burns oil.", "Version 1.3 burns gas.", "Version 1.4 burns nothing."),
        ("Boats 2.1", "Boats 0.4", "Boats 7.9", "Boats 3.3"),
        ("3.14 is pi, we say", "2.72 is e, we say", "1.62 is phi, we say"),
    ],
)
def test_lines_with_numbers_that_are_no_releases(lines: tuple[str, ...]) -> None:
    text = "\n\n".join(f"{line}\n{'So it goes on. ' * 150}" for line in lines)
    assert {path for path, _ in outline(text, "text/plain")} == {"Guide"}


def test_a_record_in_markdown_is_divided_and_plain_text_is_not() -> None:
    assert len(outline("Intro.\n\n# One\n\nA.", "application/json")) == 2
    assert len(outline("Intro.\n\n# One\n\nA.", "text/plain")) == 1


def test_first_heading() -> None:
    assert first_heading("Text.\n\n# One #\n") == "One"
    assert first_heading("## One ##\n\nText.") == "One"
    assert first_heading("Text.\n\n## One ##\n") is None, "the heading of a chapter"
    assert first_heading("One\n===\n") is None
    assert first_heading("One\n===\n", underlined=True) == "One"
    assert first_heading("```\n# no\n```") is None


# Long texts.


def test_a_passage_is_one_section_even_if_it_is_longish() -> None:
    text = "A sentence of some length. " * 200
    (section,) = split(document(text, "application/json"))
    assert section.text == text.strip()


def test_a_long_section_is_cut_at_paragraphs_and_keeps_its_path() -> None:
    paragraphs = [f"Paragraph {n} says something. " * 10 for n in range(12)]
    text = "# One\n\n" + "\n\n".join(paragraphs)
    found = split(document(text), max_chars=1_000)
    check(found, text)
    assert {section.path for section in found} == {("Guide", "One")}
    assert all(len(section.text) <= 1_000 for section in found)
    assert all(section.text.startswith("Paragraph") and section.text.endswith("something.") for section in found)
    assert len(found) < len(paragraphs)


def test_the_name_of_an_option_stays_with_what_it_does() -> None:
    options = [f"option_{n}\n\n{'It says how often the gauge is read. ' * 6}" for n in range(8)]
    text = "# Options\n\n" + "\n\n".join(options)
    found = split(document(text), max_chars=700)
    check(found, text)
    assert len(found) > 2
    assert all(section.text.startswith("option_") and section.text.endswith("read.") for section in found)


def table(rows: int) -> str:
    return "\n".join(["| Name | Value |", "| --- | --- |", *(f"| Row {n}. It is | {n} |" for n in range(rows))])


def test_a_long_table_is_cut_between_its_rows_and_never_behind_its_title_or_header() -> None:
    text = f"# One\n\n{'Some words. ' * 10}\n\nTable 1: Ratings\n\n{table(40)}\n\nEnd."
    found = split(document(text), max_chars=300)
    check(found, text)
    assert {section.path for section in found} == {("Guide", "One")}
    assert all(len(section.text) <= 300 for section in found)
    first = next(section.text for section in found if "Table 1" in section.text)
    assert "Table 1: Ratings\n\n| Name | Value |\n| --- | --- |\n| Row 0. It is | 0 |" in first
    rows = [line for section in found for line in section.text.splitlines() if line.startswith("|")]
    assert rows == table(40).splitlines()


def test_a_row_longer_than_a_section_stays_whole() -> None:
    long = f"| {'word ' * 200}| x |"
    text = f"| A | B |\n| --- | --- |\n{long}\n| c | d |"
    found = split(document(f"# One\n\n{text}"), max_chars=300)
    assert [section.text for section in found][:1] == [f"| A | B |\n| --- | --- |\n{long}"]


@pytest.mark.parametrize("media_type", ["application/pdf", "text/html"])
def test_what_a_layout_became_is_divided_as_markdown_without_underlined_headings(media_type: str) -> None:
    text = "# One\n\nA.\n\nB\n---\n\n## The \\_\\_init\\_\\_ file\n\nC."
    assert outline(text, media_type) == [("Guide > One", "A.\n\nB\n---"), ("Guide > One > The __init__ file", "C.")]


def test_underlined_headings_of_plain_text() -> None:
    text = "The Tool\n========\n\nIt cuts.\n\nUse\n---\n\nOn.\n\nParts\n-----\nMany.\n\nEnd\n===\n\nOff."
    assert outline(text, "text/plain", title="The Tool") == [
        ("The Tool", "It cuts."), ("The Tool > Use", "On."), ("The Tool > Parts", "Many."), ("The Tool > End", "Off."),
    ]  # fmt: skip
    assert top_heading(text) == "The Tool"
    assert top_heading("Words.\n\nUse\n---\n\nOn.") is None
    for prose in ("a\nb\n---\nc", "Long line of words here\n---\nc", "---\n\nText.\n\n---\n", "-----\n-----\n"):
        assert outline(prose, "text/plain") == [("Guide", prose.strip())]


def test_a_long_paragraph_is_cut_at_sentences_and_a_long_sentence_at_spaces() -> None:
    text = "It rained on Dr. Voss. " * 500
    assert all(s.text.endswith("Voss.") for s in split(document(text), max_chars=100))
    words = split(document("word " * 2_000), max_chars=100)
    assert {word for section in words for word in section.text.split()} == {"word"}
    assert [len(s.text) for s in split(document("x" * 1_050), max_chars=100)] == [100] * 10 + [50]


_LINES = st.lists(
    st.sampled_from(
        [
            "# A",
            "## B",
            "#### C",
            "",
            "Text. More text!",
            "1. One",
            "2 Two",
            "1.1 Three",
            "===",
            "---",
            "```",
            "- item",
            "x" * 60,
            " ",
        ]
    ),
    max_size=25,
)


@given(_LINES, st.sampled_from(["text/markdown", "text/plain", "application/json"]), st.integers(10, 200))
def test_sections_are_exact_slices_in_order(lines: list[str], media_type: str, max_chars: int) -> None:
    text = "\n".join(lines)
    found = split(document(text, media_type), max_chars=max_chars)
    check(found, text)
    assert all(section.path[0] == "Guide" for section in found)
    assert bool(found) == bool(text.strip())


# Sentences.


def cut(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "J. R. R. Tolkien met J.R.R. Martin and C. S. Lewis.",
        "Dr. Voss, Mrs. Lee, Prof. Hahn and Sgt. Bly live near St. Olaf and Mt. Erebus.",
        "Martin Luther King Jr. spoke to George W. Bush Sr. yesterday.",
        "Nils Dwellers ( 1941- Nov. 12, 2003) was a Danish rower.",
        "She died on Jan. 5, 1912 and he on Sept. 3 of that year.",
        "The U.S. Army and the U.S. Senate met Washington, D.C. Mayor Bly.",
        "It grew by 3.5 percent to $1.2 million.",
        "See No. 5, Vol. 2, pp. 3-9, Op. 23 and Fig. 4.",
        "Well... maybe he left.",
        "He was born c. 1900 and died ca. 1950 (fl. 1920, b. 1899).",
        "Use fruit, e.g. Apples, or tools, i.e. Hammers.",
        "The case of Brown v. Board came before Apple Inc. Chairman Bly.",
        'He shouted "Stop!" and ran.',
        "Yahoo! is a company, and he asked who? and left.",
        "Ph.D. Ann Bly works at node.js and example.com for 5 p.m. tea.",
        "Jean-L. Martin arrived.",
        "No stop at all",
    ],
)
def test_one_sentence(text: str) -> None:
    assert cut(text) == [text]


@pytest.mark.parametrize(
    "parts",
    [
        ("He lives in the U.S.", "He works there."),
        ("He works at Apple Inc.", "In 1990 he left."),
        ("He lives on Main St.", "The house is old."),
        ("He fought in World War I.", "He was hurt."),
        ("He came at 5 p.m.", "They were gone."),
        ("It was 1990.", "15 people came."),
        ("It opened in 1934.", "The director died."),
        ('He said "Stop."', "Then he left."),
        ('"Stop!"', '"Why?"', "(It was late.)", "[It rained.]", "Then he left."),
        ("“Go.”", "She went."),
        ("He said no.", "Later he left."),
        ("Wait...", "What?", "Yes!"),
        ("It was a film .", "He liked it ."),
        ("It was the film.", '" The Copper Heron" was remade in 1947.'),
        ('He said "yes. "', "Then he went."),
        ("Élan rose.", "Éva fell.", "Über all."),
        ("He wrote it in 1913.The book sold.",),
    ],
)
def test_several_sentences(parts: tuple[str, ...]) -> None:
    text = " ".join(parts)
    expected = list(parts) if len(parts) > 1 else ["He wrote it in 1913.", "The book sold."]
    assert cut(text) == expected


def test_paragraphs_lists_and_key_value_lines_end_sentences() -> None:
    lines = ["- first item", "- second item", "1. Third", "Name: Bly", "Home town: Skarholt"]
    text = "A heading without stop\n\nA wrapped\nsentence.\n" + "\n".join(lines)
    assert cut(text) == ["A heading without stop", "A wrapped\nsentence.", *lines]


def test_a_tables_row_and_an_image_are_sentences_of_their_own() -> None:
    text = "Words here.\n| a. The b | c |\n|d|e. It|\n![Figure 1. The plan](figure:0)\nMore words."
    assert [text[span.start : span.end] for span in sentences(text)][:3] == [
        "Words here.", "| a. The b | c |", "|d|e. It|",
    ]  # fmt: skip


def test_full_width_stops_need_no_space() -> None:
    assert cut("我是学生。他来了！好") == ["我是学生。", "他来了！", "好"]


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_no_text_no_sentences(text: str) -> None:
    assert cut(text) == []


@given(st.text(alphabet="aB. \n\"?!('…)1-", max_size=120) | st.text(max_size=80))
def test_sentences_hold_all_but_space(text: str) -> None:
    spans = sentences(text)
    assert all(text[s.start : s.end].strip() == text[s.start : s.end] != "" for s in spans)
    assert "".join("".join(text[s.start : s.end].split()) for s in spans) == "".join(text.split())
    assert all(a.end <= b.start for a, b in pairwise(spans))


@pytest.mark.parametrize("unit", [".", ". ", '. "', "\n", " ", "\n ", "a\n", "J. ", '"', "x", ".) ", "\n1. "])
def test_effort_grows_with_length_only(unit: str) -> None:
    """A quadratic splitter would not come back from these for minutes; a linear one takes about a second."""
    text = unit * (200_000 // len(unit))
    assert sum(span.end - span.start for span in sentences(text)) <= len(text)


# Language.


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            "The film was directed by Anselm Torvik and stars Lidia Fenn, whom he had married.",
            "en",
        ),
        (
            "Der Film wurde von Hans Müller gedreht, der in Berlin geboren wurde, und erschien 1923.",
            "de",
        ),
        ("Jean Renoir est un réalisateur français né à Paris en 1894 et mort en Californie.", "fr"),
        (
            "Andrzej Wajda był polskim reżyserem filmowym, urodzonym w Suwałkach w 1926 roku.",
            "pl",
        ),
        (
            "Le phare sans la lampe or Une marée après l'orage is a 1978 French comedy.",
            "en",
        ),
        ("Étienne Aurélien Marcel de La Roche", "en"),
        ("", "en"),
        ("12345 67890 " * 30, "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert detect(text) == language


def test_what_only_leads_to_the_rest_is_no_section() -> None:
    links = "# Kiln\n\nIt is warm.\n\n## Table of contents\n\n- [Fuel](#fuel)\n- [Clay](#clay)\n  1. [Red](#red)\n"
    found = split(document(links + "\n## Fuel\n\nIt burns wood.", media_type="text/markdown"))
    assert [section.text for section in found] == ["It is warm.", "It burns wood."]
    leaders = "1 Fuel\n\nIt burns wood.\n\n2 Contents\n\nFuel ........ 3\nClay . . . . . 12\nAsh ....... iv"
    assert [section.text for section in split(document(leaders, "text/plain"))] == ["It burns wood."]
    alone = "Fuel ........ 3\nClay . . . . . 12\nAsh ....... iv"
    assert [section.text for section in split(document(alone, "text/plain"))] == [alone]
