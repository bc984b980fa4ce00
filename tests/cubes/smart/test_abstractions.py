"""Reports of nodes: what members share is counted; only touched nodes are written again; nothing stale is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from multicube import MultiCube
from multicube.cubes.core.errors import CorruptStoreError, UsageError
from multicube.cubes.knowledge import smart_trees as building
from multicube.cubes.knowledge.base import KnowledgeBase
from multicube.cubes.smart import perspectives
from multicube.cubes.smart.abstractions import Abstraction, Community, Report, report_on, text_of
from multicube.cubes.smart.extracts import ExtractiveReporter
from multicube.cubes.smart.growth import carried_over, share_known
from multicube.cubes.smart.perspectives import Perspectives, is_kept, keep, kept
from multicube.cubes.smart.retrieval import recall
from multicube.cubes.smart.trees.training import TrainingSettings
from multicube.cubes.store.catalog import Catalog

from .conftest import PEOPLE, graph, trees

QUICK = TrainingSettings(trees=2, levels=(6, 2), epochs=6, restarts=1, spectral=8, textual=4, hidden=16)


class Counting:
    """Writes the extractive reports, and counts them."""

    version = "counting/1"

    def __init__(self, inner: ExtractiveReporter) -> None:
        self.inner, self.asked = inner, list[Community]()

    def report(self, community: Community) -> Report:
        self.asked.append(community)
        return self.inner.report(community)


def made() -> Perspectives:
    found = graph()
    grown = trees(found)
    return Perspectives(found, grown, tuple(report_on(found, grown, ExtractiveReporter(found))), "state-1")


def of(known: Perspectives, tree: int, name: str) -> Abstraction:
    (place,) = known.entities(name)
    return known.by_node[tree, known.trees[tree].path(place)[0]]


def test_a_report_says_what_the_members_share_and_what_is_not_stated() -> None:
    known = made()
    trade, town = of(known, 0, "Bea"), of(known, 1, "Ann")
    assert trade.findings[0].text == "All 4 persons have in common: occupation: smith (Bea, Dora, Fay and Hanna)."
    assert set(trade.findings[0].sections) == {"Bea-1", "Dora-1", "Fay-1", "Hanna-1"}
    assert town.findings[0].text.startswith("All 4 persons have in common: born in: Brask")
    whole = known.by_node[0, known.trees[0].path(0)[1]]
    told = {f.text: f.explanation for f in whole.findings}
    half = next(text for text in told if "occupation: painter" in text)
    assert half.startswith("4 of 8 persons")
    assert told[half].endswith("Not stated of Bea, Dora, Fay and Hanna.")
    assert whole.summary.startswith("12 entities: 8 persons")


def test_nodes_are_found_by_their_ids_and_names() -> None:
    known = made()
    trade = of(known, 0, "Bea")
    assert known.find(trade.id) is trade
    assert {entity.name for entity in known.members(trade)} == {"Bea", "Dora", "Fay", "Hanna", "smith"}
    with pytest.raises(UsageError, match=r"1\.1\.0 to 1\.1\.1"):
        known.find("9.9.9")
    assert [one.id.split(".")[0] for one in known.above(known.entities("Bea")[0])] == ["1", "1", "2", "2"]


def test_only_touched_nodes_are_written_again() -> None:
    known = made()
    grown = graph(*PEOPLE, "Ivo")
    carried = carried_over(grown, known.leaves, known.trees)
    assert share_known(grown, known.leaves) == pytest.approx(12 / 13)
    reporter = Counting(ExtractiveReporter(grown))
    first = {a.digest: a for a in report_on(known.graph, known.trees, reporter)}
    before = len(reporter.asked)
    assert before == 5  # two groups by trade, two by town, and all of them, which both trees say
    second = list(report_on(grown, carried, reporter, known=first))
    again = [{grown.entities[m].name for m in community.members} for community in reporter.asked[before:]]
    assert again
    assert all("Ivo" in names or names & {"painter", "Brask"} for names in again)
    assert {"Bea", "Dora", "Fay", "Hanna"} not in again
    assert len(second) == 6


def test_a_new_entity_joins_its_neighbours() -> None:
    known = made()
    grown = graph(*PEOPLE, "Ivo")
    (_, by_town) = carried_over(grown, known.leaves, known.trees)
    places = {entity.name: n for n, entity in enumerate(grown.entities)}
    old = {entity.name: n for n, entity in enumerate(known.graph.entities)}
    same = [by_town.levels[0][places[name]] == by_town.levels[0][places["Ann"]] for name in PEOPLE]
    assert same == [known.trees[1].levels[0][old[name]] == known.trees[1].levels[0][old["Ann"]] for name in PEOPLE]
    assert by_town.levels[0][places["Ivo"]] == by_town.levels[0][places["Brask"]]


def test_what_is_kept_is_read_back_for_its_state_alone(tmp_path: Path) -> None:
    known = made()
    Catalog.create(tmp_path / "catalog.sqlite", {}).close()
    keep(known, tmp_path)
    found = kept(tmp_path, "state-1")
    assert found is not None
    assert found.abstractions == known.abstractions
    assert found.graph == known.graph
    assert all(np.array_equal(a, b) for x, y in zip(found.trees, known.trees, strict=True)
               for a, b in zip(x.levels, y.levels, strict=True))  # fmt: skip
    assert is_kept(tmp_path, "state-1")
    assert not is_kept(tmp_path, "state-2")
    assert kept(tmp_path, "state-2") is None
    (tmp_path / perspectives.FOLDER / "abstractions.json").write_text('{"state": "state-1", "trees": 3}')
    with pytest.raises(CorruptStoreError, match="smart build"):
        kept(tmp_path)


def test_recall_lets_the_trees_take_turns_within_the_budget() -> None:
    known = made()
    found = recall(known, "What do Bea and Dora have in common?", ["Bea-1", "Dora-2"])
    assert {one.abstraction.tree for one in found[:2]} == {0, 1}
    assert found[0].abstraction == of(known, 0, "Bea")
    assert found[1].abstraction == of(known, 1, "Bea")
    assert found[0].hits == ("Bea-1", "Dora-2")
    ids = [one.abstraction.digest for one in found]
    assert len(ids) == len(set(ids))
    small = recall(known, "What do Bea and Dora have in common?", ["Bea-1"], tokens=120)
    assert sum(len(text_of(one.abstraction)) for one in small) <= 480
    assert recall(known, "Nothing of this", []) == []


@pytest.fixture
def kb(tmp_path: Path) -> KnowledgeBase:
    people = "\n".join(
        f'{{"title": "{name}", "text": "{name} Vell is a {"painter" if n % 2 else "sculptor"} who was born in '
        f'{"Brask" if n < 3 else "Tolm"}. {name} Vell married Mara Orm."}}'
        for n, name in enumerate(["Ada", "Bo", "Cid", "Dov", "Eli", "Fia"])
    )
    (tmp_path / "people.jsonl").write_text(people)
    MultiCube.build([tmp_path / "people.jsonl"], tmp_path / "kb").close()
    from multicube.agent.engines.encoders.factory import encoder_factory

    return KnowledgeBase.open(tmp_path / "kb", encoder=encoder_factory(None))


def test_a_build_is_kept_embedded_followed_and_removed_with_the_documents(kb: KnowledgeBase, tmp_path: Path) -> None:
    with kb:
        vectors, generation = kb.status().vectors, kb.generation
        assert kb.perspectives is None
        first = building.build(kb, QUICK)
        assert first.trained
        assert kb.generation == generation + 1
        assert kb.status().vectors == vectors + first.vectors
        assert kb.status().indexed
        near = kb.retriever.near_abstractions("Who is a painter?", 3)
        assert set(near) <= set(first.perspectives.by_digest)
        assert near
        second = building.build(kb, QUICK)
        assert (second.trained, second.written, second.vectors) == (False, 0, 0)
        kb.remove(kb.documents()[0].record_id)
        assert kb.perspectives is None
        assert not (tmp_path / "kb" / "smart").exists()
        assert kb.retriever.near_abstractions("Who is a painter?", 3) == {}
