"""Each baseline is what its name says, over the bundled sample."""

from itertools import pairwise

import numpy as np
import pytest
from multicube import MultiCube
from multicube.cubes.core.lexical import tokens
from multicube.cubes.documents.sections import sentences
from multicube.evals.systems import System
from multicube.evals.systems.baselines.plain import chunks_of
from multicube.evals.systems.baselines.side_folders import encoder_of, section_vectors
from multicube.graphs.records import Run
from rank_bm25 import BM25Okapi

from .conftest import Made

TWO_HOPS = "Where was the director of The Salt Lantern born?"
ONE_HOP = "Who directed The Salt Lantern?"


def _asked(system: System, question: str = TWO_HOPS) -> Run:
    run = system.answer(question)
    assert run.status in ("answered", "abstained")
    return run


def test_without_retrieval_the_embedded_engine_abstains_and_says_why(made: Made) -> None:
    run = _asked(made("none"))
    assert (run.status, run.answer, run.retrieved) == ("abstained", "", ())
    assert "knows nothing by itself" in run.note
    assert made("none").ranking(run) == ()


def test_rank_bm25_ranks_as_the_library_does(made: Made, kb: MultiCube) -> None:
    sections = kb.kb.sections()
    library = BM25Okapi([tokens(f"{' '.join(s.path)}\n{s.text}") for s in sections])
    scores = library.get_scores(tokens(TWO_HOPS))
    best = [sections[n].record_id for n in np.argsort(-scores, kind="stable") if scores[n] > 0]
    run = _asked(made("rank_bm25"))
    assert [e.record_id for e in run.hops[0].evidence] == best[:5]
    assert sorted(made("rank_bm25").ranking(run)[:10]) == sorted(dict.fromkeys(best[:10]))
    assert len(run.hops) == 1


def test_dense_ranks_by_cosine_alone(made: Made, kb: MultiCube) -> None:
    encoder = encoder_of(kb.kb, "a test")
    cosines = section_vectors(kb.kb, encoder) @ encoder.encode([TWO_HOPS])[0]
    best = [kb.kb.sections()[n].record_id for n in np.argsort(-cosines, kind="stable")]
    run = _asked(made("dense"))
    assert [e.record_id for e in run.hops[0].evidence] == best[:5]
    assert [e.record_id for e in _asked(made("bm25")).hops[0].evidence] != best[:5]
    assert len(run.hops) == 1


def test_what_is_retrieved_is_read_by_the_same_engine(made: Made) -> None:
    run = _asked(made("rank_bm25"), ONE_HOP)
    same = _asked(made("bm25"), ONE_HOP)
    assert run.answer == same.answer != ""
    assert run.citations[0].record_id == same.citations[0].record_id
    assert run.engine == same.engine


def test_chunks_are_of_equal_size_and_overlap(kb: MultiCube) -> None:
    sections = kb.kb.sections()
    words = " ".join(s.text for s in sections if s.document_id == sections[0].document_id).split()
    cut = [c for c in chunks_of(sections, words=20, overlap=5) if c.document_id == sections[0].document_id]
    pieces = [chunk.text.split() for chunk in cut]
    assert all(len(piece) == 20 for piece in pieces[:-1])
    assert all(before[-5:] == after[:5] for before, after in pairwise(pieces))
    assert [w for n, piece in enumerate(pieces) for w in piece[5 * (n > 0) :]][-len(words) :] == words
    assert pieces[0][: len(sections[0].title.split())] == sections[0].title.split()


def test_naive_reads_chunks_and_nothing_of_cubes(made: Made) -> None:
    run = _asked(made("naive"), ONE_HOP)
    (hop,) = run.hops
    assert {e.retriever for e in hop.evidence} == {"naive"}
    assert hop.cubes == hop.components == ()
    assert hop.fact is None
    assert all("#chunk" in e.section_id and e.path == () and e.title == "" for e in hop.evidence)
    assert [e.score for e in hop.evidence] == sorted((e.score for e in hop.evidence), reverse=True)
    assert len(made("naive").ranking(run)) == 10


def test_ircots_next_query_is_a_sentence_that_was_retrieved(made: Made) -> None:
    run = _asked(made("ircot"))
    first, second, *_, last = run.hops
    said = {
        " ".join(e.text[span.start : span.end].split()) for e in first.evidence for span in sentences(e.text)
    }
    assert (first.subquery, last.subquery) == (TWO_HOPS, TWO_HOPS)
    assert second.subquery in said
    assert all(not hop.answers for hop in run.hops[:-1])
    gathered = {e.section_id for hop in run.hops[:-1] for e in hop.evidence}
    assert {e.section_id for e in last.evidence} <= gathered
    assert len(last.evidence) == min(15, len(gathered))
    assert len(run.hops) <= 7


def test_hypercube_opens_one_cube_once_and_ranks_by_coverage(made: Made, kb: MultiCube) -> None:
    run = _asked(made("hypercube"))
    (hop,) = run.hops
    assert {e.retriever for e in hop.evidence} == {"hypercube"}
    assert {m.cube for e in hop.evidence for m in e.matches} == {"hypercube"}
    covered = [e.covered for e in hop.evidence]
    assert covered == sorted(covered, reverse=True)
    assert hop.evidence[0].title == "The Salt Lantern"
    assert _asked(made("hypercube"), "Why?").retrieved == ()
    assert "hypercube" not in {spec.id for spec in kb.kb.ontology.cubes}


@pytest.mark.parametrize("name", ["rewrite", "hyde", "core-subq"])
def test_expansions_are_one_look_up_with_statements(made: Made, name: str) -> None:
    run = _asked(made(name))
    (hop,) = run.hops
    assert hop.subquery == TWO_HOPS
    assert hop.expanded == "asked for"
    assert hop.cubes == ()
    assert run.settings.strategy == {"core-subq": "core_subq"}.get(name, name)
