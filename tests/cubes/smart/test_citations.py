"""Every sentence that is cited for a finding states what the finding says; words in common are not enough."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from multicube import MultiCube
from multicube.cubes.core.folding import fold
from multicube.cubes.knowledge import smart_trees as building
from multicube.cubes.knowledge.fact_graph import graph_of
from multicube.cubes.smart.extracts import OWN_WORDS
from multicube.cubes.smart.perspectives import Perspectives
from multicube.cubes.smart.query import AskedEntities, common_of
from multicube.cubes.smart.trees.training import TrainingSettings
from multicube.evals.generators.facts.writing import write_facts
from multicube.graphs.stated import grounds_of, states

QUICK = TrainingSettings(trees=2, levels=(3, 2), epochs=6, restarts=1, spectral=8, textual=4, hidden=16)
PEOPLE = ("Ada Vell", "Bo Rusk", "Cid Tarn", "Dov Mell", "Eli Sund", "Fia Korr", "Gus Holm", "Hal Brand")
DECOY = (
    "Asked what they have in common with both or all persons, {name} said that persons have a name in common: {name}."
)


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    folder = tmp_path_factory.mktemp("cited")
    lines = []
    for n, name in enumerate(PEOPLE):
        town, work = ("Brask", "Tolm")[n % 2], ("sculptor", "painter", "composer")[n % 3]
        text = f"{DECOY.format(name=name)} {name} was a Danish {work}. {name} was born in {town}."
        lines.append(json.dumps({"title": name, "text": text}))
    (folder / "people.jsonl").write_text("\n".join(lines))
    with MultiCube.build([folder / "people.jsonl"], folder / "kb") as made:
        building.build(made.kb, QUICK)
    with MultiCube.open(folder / "kb") as opened:
        yield opened


@settings(max_examples=15, deadline=None)
@given(people=st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=4, unique=True))
def test_what_is_cited_for_a_finding_states_it(kb: MultiCube, people: list[str]) -> None:
    asked = f"What do {' and '.join(people)} have in common?"
    if len(people) == 1:
        asked = f"What does {people[0]} have in common with others?"
    run = kb.ask(asked, save=False)
    findings = [found for hop in run.hops for found in hop.findings]
    if any(found.id.startswith("asked/") for found in findings):
        assert run.citations, asked
    for cited in run.citations:
        text = kb.kb.section(cited.section_id).text
        assert text[cited.start : cited.end] == cited.sentence
        place = (cited.section_id, cited.start)
        resting = [(f, g) for f in findings for g in f.grounds if (g.section_id, g.start) == place]
        assert any(states(cited.sentence, ground.value) for _, ground in resting), cited
        # The decoy has more words in common with what is counted; it is cited only where it is itself the answer.
        assert "in common" not in cited.sentence or any(f.text == cited.sentence for f, _ in resting)


def test_every_finding_of_every_node_has_sentences_that_state_it(kb: MultiCube) -> None:
    known = kb.kb.perspectives
    assert known is not None
    for node in known.abstractions:
        for finding in node.findings:
            found = grounds_of(finding, known, kb.kb)
            assert found, finding
            for ground in found:
                sentence = kb.kb.section(ground.section_id).text[ground.start : ground.end]
                assert states(sentence, ground.value), finding
                if finding.explanation != OWN_WORDS:
                    assert fold(ground.value) in fold(f"{finding.trait} {finding.text} {finding.explanation}")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    """A part of the planted corpus, in which no passage tells of two people or of two groups."""
    folder = tmp_path_factory.mktemp("planted")
    write_facts(folder, 3)
    lines = (folder / "corpus.jsonl").read_text("utf-8").splitlines()[:250]
    (folder / "part.jsonl").write_text("\n".join(lines), "utf-8")
    with MultiCube.build([folder / "part.jsonl"], folder / "kb") as made:
        yield made


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_whoever_is_asked_about_what_they_share_is_stated_where_it_is_cited(planted: MultiCube, data: Any) -> None:
    known = Perspectives(graph_of(planted.kb).without_lonely(), (), ())
    values = sorted({relation.value for relation in known.graph.relations})
    value = data.draw(st.sampled_from(values))
    members = sorted({r.subject for r in known.graph.relations if r.value == value})[:8]
    for finding in common_of(known, AskedEntities(tuple(members))):
        found = grounds_of(finding, known, planted.kb)
        assert found, finding
        for ground in found:
            sentence = planted.kb.section(ground.section_id).text[ground.start : ground.end]
            assert states(sentence, ground.value)
            assert states(finding.trait, ground.value) or states(finding.text + finding.explanation, ground.value)


def test_a_fact_whose_sentence_does_not_say_its_value_is_not_cited(kb: MultiCube) -> None:
    known = kb.kb.perspectives
    assert known is not None
    counted = next(f for one in known.abstractions for f in one.findings if f.trait)
    assert grounds_of(replace(counted, trait="born in: Nowhere"), known, kb.kb) == ()
    assert not states("She was born in Braskham.", "Brask")
    assert states("Bråsk: her birthplace.", "brask")
