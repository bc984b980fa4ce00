"""The look-alike benchmark: datasheets of one product family, questions about them, and HiQA's ablation on both."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...reports.tables import made_by
from ...support import application, write_whole

__all__ = ["app"]

_Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The benchmark's folder.")]
_PICTURES = "pictures"
_SHOWN = """## Pictures

Five documents (the paper's Figure 14), without the augmentation and with it:

![Segments of five documents](pictures/lookalike-documents.png)

One chapter of all documents (Figure 15):

![Homologous chapters](pictures/lookalike-chapters.png)
"""


def generate(
    folder: _Folder,
    documents: Annotated[int, typer.Option(metavar="N", help="How many datasheets.")] = 40,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed writes the same files.")] = 0,
    format: Annotated[str, typer.Option(metavar="NAME", help="mixed, pdf, docx, html or md.")] = "mixed",
) -> None:
    """Write the datasheets, the tree of their chapters and the questions."""
    from ...generators.lookalike.generating import generate as write

    files = write(folder, documents=documents, seed=seed, format=format)
    print(f"Wrote {len(files)} documents, chapters.json and questions.jsonl into {folder}.")


def check(folder: _Folder) -> None:
    """Compare what an ingest makes of the documents with what was written; exit status 1 where they differ."""
    from .outlines import check as compared
    from .outlines import right

    found = compared(folder)
    for name, said in found.items():
        for sentence in said:
            print(f"{name}: {sentence}")
    print(f"{right(found)} of {len(found)} documents have the chapters, tables and figures that were written.")
    if right(found) < len(found):
        raise typer.Exit(1)


def run(
    folder: _Folder,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where results and predictions go.")],
    page: Annotated[Path | None, typer.Option(metavar="FILE", help="A page to write, with its pictures.")] = None,
    drawn: Annotated[bool, typer.Option("--pictures/--no-pictures", help="Whether the page shows pictures.")] = True,
    encoder: Annotated[str | None, typer.Option(metavar="NAME", help="The encoder, if not the default.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Of samples and intervals.")] = 0,
) -> None:
    """Ingest the documents, measure every variant, and write the results."""
    from ...evaluation.progress import ProgressWatcher
    from .page import markdown
    from .running import LookalikeOptions
    from .running import run as measured

    pictures = page.parent / _PICTURES if page is not None and drawn else None
    with ProgressWatcher() as watch:
        results = measured(LookalikeOptions(folder, out, encoder, pictures, seed), watch)
    report = markdown(results)
    shown = f"\n{_SHOWN}" if drawn else ""
    if page is not None:
        write_whole(page, f"{_head(folder)}\n\n{report}{shown}")
    print(report)


def _head(folder: Path) -> str:
    return (
        f"# Evaluation: look-alike documents, {folder.name}\n\n{made_by('make lookalike')} "
        "[What the figures mean](evaluation.md).\n\n"
        "The generator and its questions came before the retriever, whose weights were then chosen on the questions of "
        "[seed 0](evaluation-lookalike.md); the reader's rules were written with those of seeds 7 and 11 in view. "
        "[Seed 5](evaluation-lookalike-5.md) was not looked at: other products and values, the same wordings."
    )


app = application(generate, check, run, help=__doc__)
