"""Baselines with units of their own: summaries of clusters, long units, a graph of sentences."""

from dataclasses import replace

import numpy as np
import pytest
from multicube import MultiCube
from multicube.cubes.core.records import Section
from multicube.evals.systems import System
from multicube.evals.systems.baselines.chainrag import SentenceGraph
from multicube.evals.systems.baselines.longrag import units_of
from multicube.evals.systems.baselines.raptor import MEMBERS, WORDS, tree_of
from multicube.evals.systems.baselines.sentence_vectors import Sentence, sentences_of

from .conftest import Made

TWO_HOPS = "Where was the director of The Salt Lantern born?"


def _sections(kb: MultiCube, *texts: tuple[str, str]) -> list[Section]:
    """Sections of documents of our own, in the form of the sample's."""
    like = kb.kb.sections()[0]
    return [
        replace(like, id=f"d{n}#0", document_id=f"d{n}", record_id=f"d{n}", path=(title,), text=text)
        for n, (title, text) in enumerate(texts)
    ]


def _of_sections(system: System, kb: MultiCube) -> set[str]:
    ids = {section.id for section in kb.kb.sections()}
    return {e.section_id for hop in system.answer(TWO_HOPS).hops for e in hop.evidence} & ids


def test_raptors_levels_get_smaller_and_their_summaries_short(kb: MultiCube) -> None:
    held = sentences_of(kb.kb.sections())
    assert kb.kb.encoder is not None
    leaves = kb.kb.encoder.encode([section.text for section in kb.kb.sections()])
    nodes = tree_of(held, leaves, kb.kb.encoder.encode([one.text for one in held]))
    assert [node.level for node in nodes] == sorted(node.level for node in nodes)
    assert sum(node.level == 0 for node in nodes) == len(leaves)
    top = [node for node in nodes if node.level == max(node.level for node in nodes)]
    assert 1 <= len(top) <= MEMBERS < len(leaves)
    for node in nodes[len(leaves) :]:
        words = sum(len(held[n].text.split()) for n in node.sentences)
        assert words <= WORDS or len(node.sentences) == 1
    again = tree_of(held, leaves, kb.kb.encoder.encode([one.text for one in held]))
    assert [node.sentences for node in again] == [node.sentences for node in nodes]


def test_raptor_parts_what_means_different_things() -> None:
    held = [Sentence(n, "", f"sentence {n}") for n in range(12)]
    vectors = np.array([[1.0, n / 100] if n % 2 else [n / 100, 1.0] for n in range(12)], dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    summaries = [node.sentences for node in tree_of(held, vectors, vectors) if node.level == 1]
    assert {frozenset(n % 2 for n in one) for one in summaries} == {frozenset({0}), frozenset({1})}


def test_a_summary_of_raptor_is_the_sentences_of_its_cluster_nearest_to_the_centre_in_their_order() -> None:
    # Two clusters of six sections; each section has a sentence that goes far afield and one about its cluster.
    held = [Sentence(n // 2, "", " ".join([f"sentence {n}"] * 15)) for n in range(24)]
    towards = np.eye(3, dtype=np.float32)[:2]
    leaves = np.stack([towards[n // 6] for n in range(12)])
    near = np.stack([towards[n // 12] * (1 - n / 100) for n in range(24)])
    sentences = np.where((np.arange(24) % 2 == 0)[:, None], np.eye(3, dtype=np.float32)[2:], near)
    one, other = (node for node in tree_of(held, leaves, sentences) if node.level == 1)
    assert one.sentences == (1, 3, 5), "the three nearest of 30 words each, within a hundred"
    assert other.sentences == (13, 15, 17)
    assert one.vector @ towards[0] == pytest.approx(1.0)


def test_raptor_reads_sections_and_summaries(made: Made, kb: MultiCube) -> None:
    system = made("raptor")
    run = system.answer("Who directed The Salt Lantern?")
    (hop,) = run.hops
    kinds = {e.section_id.startswith("raptor#") for e in hop.evidence}
    assert kinds == {True, False}
    texts = [section.text for section in kb.kb.sections()]
    summary = next(e for e in hop.evidence if e.section_id.startswith("raptor#"))
    assert any(summary.sentence in text for text in texts)
    assert "the-salt-lantern" in {r.lower() for r in system.ranking(run)} or run.answer
    assert set(system.ranking(run)) <= {section.record_id for section in kb.kb.sections()}


def test_documents_that_name_each_other_make_one_unit_as_long_as_there_is_room(kb: MultiCube) -> None:
    sections = _sections(
        kb, ("Orm Tower", "Orm Tower stands in Velk."), ("Velk", "Velk is a town."), ("Ada Bly", "Ada Bly is a poet."),
    )  # fmt: skip
    assert units_of(sections) == [(0, 1), (2,)]
    assert units_of(sections, tokens=8) == [(0,), (1,), (2,)]


def test_longrag_reads_whole_units(made: Made, kb: MultiCube) -> None:
    read = _of_sections(made("longrag"), kb)
    places = {section.id: n for n, section in enumerate(kb.kb.sections())}
    whole = [set(unit) for unit in units_of(kb.kb.sections())]
    numbers = {places[id] for id in read}
    assert sum(not (unit <= numbers) for unit in whole if unit & numbers) <= 1  # the last may be cut


def test_sentences_are_tied_by_a_rare_name_and_by_standing_side_by_side() -> None:
    held = [
        Sentence(0, "Orm Tower", "Orm Tower was built by Ada Bly."), Sentence(0, "Orm Tower", "It is tall."),
        Sentence(1, "Velk", "The poet Ada Bly was born there."), Sentence(2, "Rusk", "Rusk is a river."),
    ]  # fmt: skip
    graph = SentenceGraph(held)
    assert set(graph.around(0)) - {0} == {1, 2}
    assert set(graph.around(3)) <= {3}


def test_chainrag_answers_hop_by_hop_from_sentences(made: Made, kb: MultiCube) -> None:
    run = made("chainrag").answer(TWO_HOPS)
    assert len(run.hops) == 2
    first, second = run.hops
    assert first.answer in second.subquery
    assert run.answer == second.answer != ""
    texts = {section.id: section.text for section in kb.kb.sections()}
    assert any(len(e.text) < len(texts[e.section_id]) for e in first.evidence)
