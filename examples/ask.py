"""Build a knowledge base from a folder, ask it a multi-hop question, and print how the answer was reached.

Run: ``python examples/ask.py FOLDER "QUESTION"``; without arguments it uses the bundled sample.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import multicube
from multicube import MultiCube

SAMPLE = Path(multicube.__file__).parent / "evals" / "sample" / "corpus.jsonl"
QUESTION = "Who is the maternal grandfather of Oriane Vaucel?"


def main(source: Path = SAMPLE, question: str = QUESTION) -> str:
    """Answer one question and return the answer."""
    with tempfile.TemporaryDirectory() as folder, MultiCube.build([source], Path(folder) / "kb") as kb:
        run = kb.ask(question)
        print(run.question, "->", run.answer or run.note)
        for hop in run.hops:
            print(f"  {hop.number}. {hop.subquery} -> {hop.answer or 'not found'}  [{', '.join(hop.cubes)}]")
        for citation in run.citations:
            print(f"  [{citation.number}] {citation.title}: {citation.sentence}")
        return run.answer


if __name__ == "__main__":
    main(*([Path(sys.argv[1]), sys.argv[2]] if len(sys.argv) > 2 else []))
