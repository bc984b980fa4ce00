"""Persons are linked to the section about them, however other sections write their names."""

from __future__ import annotations

import pytest
from multicube.agent.engines.embedded.vocabulary.linker import EntityLinker
from multicube.cubes.core.records import Document, Fact, Section
from multicube.cubes.extraction.embedded import EmbeddedExtractor
from multicube.cubes.model.cells import CubeSet
from multicube.cubes.model.ontology import load_ontology

_TEXTS = {
    "Jovan Hesk": "Ravi Jovan Hesk Lund (1913 – 1971) was a Vellish politician.",
    "Bo Orrin": "Bo Eli Orrin Jr. (1914 – 1999) was an American politician.",
    "Otmar Longshanks": "Otmar Longshanks (1073 – 1103) was King of Vell.",
    "Karl II of Carse": "Karl II of Carse (1500 – 1560) was King of Carse.",
    "Ada Marr": "Ada Marr (1915 – 2009) was the wife of President Jovan Hesk Lund.",
    "Ilse Marr": "Ilse Marr (1915 – 2009) was the wife of Bo E. Orrin, Jr.",
    "Ulf Marr": "Ulf Marr (1099 – 1115) was the son of King Otmar Longshanks.",
    "Olin Marr": "Olin Marr (1520 – 1590) was the son of King Karl II of Carse.",
    "Decade (Bel Orrin album)": "Decade is an album of 1977.",
}


@pytest.fixture(scope="module")
def linker() -> EntityLinker:
    ontology = load_ontology("default")
    extractor = EmbeddedExtractor(ontology)
    sections: list[Section] = []
    facts: list[Fact] = []
    for number, (title, text) in enumerate(_TEXTS.items()):
        section = Section(f"d{number}:0", f"d{number}", f"d{number}", 0, (title,), text)
        sections.append(section)
        facts += extractor.extract(section, Document(f"d{number}", "s", f"d{number}", title, text, "h"))
    return EntityLinker(CubeSet.build(ontology, sections, facts))


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Jovan Hesk Lund", "Jovan Hesk"),
        ("Bo E. Orrin, Jr.", "Bo Orrin"),
        ("King Otmar Longshanks", "Otmar Longshanks"),
        ("King Karl II of Carse", "Karl II of Carse"),
        ("Ulf Orrin", "Ulf Orrin"),
        ("Karl II of Vell", "Karl II of Vell"),
    ],
)
def test_names_lead_to_the_section_about_the_person(linker: EntityLinker, name: str, title: str) -> None:
    assert linker.article(name) == title


def test_a_name_in_the_brackets_of_a_title_does_not_lead_to_what_is_called_so(linker: EntityLinker) -> None:
    assert [subject.label for subject in linker.link("Decade")] == ["Decade (Bel Orrin album)"]
    assert all(subject.label != "Decade (Bel Orrin album)" for subject in linker.link("Bel Orrin"))
