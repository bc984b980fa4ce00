"""SMART as a baseline: its trees are learnt once, beside the knowledge base, and no other system sees them."""

import shutil
from pathlib import Path

import pytest
from multicube import MultiCube
from multicube.cubes.core.encoding import Encoder
from multicube.cubes.core.errors import UsageError
from multicube.cubes.smart.trees.training import TrainingSettings
from multicube.evals.systems import make_systems
from multicube.evals.systems.baselines import smart as module

TWO_HOPS = "Where was the director of The Salt Lantern born?"
QUICK = TrainingSettings(trees=2, levels=(3, 2), epochs=6, restarts=1, spectral=8, textual=4, hidden=16)


def test_trees_are_learnt_in_a_copy_and_kept(
    kb: MultiCube, words_encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SETTINGS", QUICK)
    shutil.copytree(kb.kb.path, tmp_path / "kb", ignore=shutil.ignore_patterns("*.lock"))
    with MultiCube.open(tmp_path / "kb", encoder=words_encoder) as opened:
        (system,) = make_systems(["smart"], opened)
        run = system.answer(TWO_HOPS)
        (hop,) = run.hops
        assert opened.kb.perspectives is None
        assert any(e.findings for e in hop.evidence)
        assert {"hybrid", "smart"} >= {e.retriever for e in hop.evidence}
        assert len(system.ranking(run)) >= 10
        learnt = (tmp_path / "kb-smart" / "catalog.sqlite").stat().st_mtime_ns
        make_systems(["smart"], opened)
        assert (tmp_path / "kb-smart" / "catalog.sqlite").stat().st_mtime_ns == learnt
        assert len(opened.ask(TWO_HOPS, save=False).hops) == 2


def test_where_there_can_be_no_trees_each_question_says_so(words_encoder: Encoder, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nNothing is said of anything here.\n", encoding="utf-8")
    with MultiCube.build([tmp_path / "note.md"], tmp_path / "kb", encoder=words_encoder) as opened:
        (system,) = make_systems(["smart"], opened)
        with pytest.raises(UsageError, match=r"no abstraction trees.*make no graph"):
            system.answer(TWO_HOPS)
