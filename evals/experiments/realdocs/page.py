"""The benchmark's page: what is asked about, and how it went."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...reports.tables import table
from .recipe import KINDS, Corpus
from .running import JudgedQuestion

__all__ = ["markdown"]

_HEADER = ("", "questions", "right", "of them by the quotation", "partly", "wrong", "wrongly refused")
_SURE = 0.7


def markdown(found: Sequence[Corpus], rows: Sequence[JudgedQuestion]) -> str:
    """Return the page; before anybody has asked it says only what will be asked about."""
    parts = [_ABOUT, _documents(found), *(_results(rows) if rows else [_UNASKED])]
    return "\n\n".join(parts) + "\n"


_ABOUT = """\
# Real documents

A hundred questions about documents that nobody of this project wrote: an HTML manual, PDF manuals, READMEs and
changelogs, prose. They were written from the documents, with the expected answers, before anybody asked one, by someone
who did not know what the engine answers; the history of `evals/experiments/realdocs/questions` shows it. Five of each
25 questions cannot be answered from their corpus. `make realdocs` fetches the packages (Debian only), reads each corpus
into a knowledge base of its own, asks, judges, and writes this page; what was said stands in
`out/realdocs/answers.jsonl`.

Right is an answer that equals or names an expected one. For a command, a definition, a comparison, and for how, why and
what happens if, a quotation that holds an expected key phrase is right as well. A list is right where the answer or the
quotation names every member. Partly right is a passage quoted from the right document without the phrase, a wrong short
answer in a quotation that holds the phrase, or half of a list. Yes and no have to come first. Upper case, white space,
punctuation and marks of layout do not count."""

_UNASKED = "Nobody has asked the questions yet."


def _documents(found: Sequence[Corpus]) -> str:
    rows = [[corpus.name, corpus.holds, ", ".join(p.package for p in corpus.packages)] for corpus in found]
    lines = ["| corpus | holds | Debian packages |", "| --- | --- | --- |"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, "", "Versions, hashes, files and licences: `evals/experiments/realdocs/corpora.yaml`."])


def _results(rows: Sequence[JudgedQuestion]) -> list[str]:
    corpora = list(dict.fromkeys(row.corpus for row in rows))
    answerable = [row for row in rows if row.answerable]
    by_corpus = _broken_down(answerable, [(name, _of_corpus(name)) for name in corpora])
    by_kind = _broken_down(answerable, [(kind, _of_kind(kind)) for kind in KINDS])
    return [
        _summary(rows),
        f"## By corpus\n\nQuestions that the documents answer:\n\n{by_corpus}",
        f"Questions that they do not answer:\n\n{_refusals(rows, corpora)}",
        f"## By kind of question\n\n{by_kind}",
    ]


def _summary(rows: Sequence[JudgedQuestion]) -> str:
    without = [row for row in rows if not row.answerable]
    right = sum(row.verdict == "right" for row in rows)
    refused = sum(row.verdict == "right" for row in without)
    wrong = [row for row in rows if row.verdict == "wrong"]
    sure = sum(row.confidence >= _SURE for row in wrong)
    return (
        f"**{right} of {len(rows)} right**, counting the {refused} of {len(without)} unanswerable questions that were "
        f"refused; {right - refused} of the {len(rows) - len(without)} others. {len(wrong)} wrong, {sure} of them said "
        f"with a confidence of {_SURE} or more. {sum(bool(row.error) for row in rows)} failed."
    )


def _of_corpus(name: str) -> Callable[[JudgedQuestion], bool]:
    return lambda row: row.corpus == name


def _of_kind(kind: str) -> Callable[[JudgedQuestion], bool]:
    return lambda row: row.kind == kind


def _broken_down(rows: Sequence[JudgedQuestion], groups: Iterable[tuple[str, Callable[[JudgedQuestion], bool]]]) -> str:
    lines = [(name, [row for row in rows if belongs(row)]) for name, belongs in groups]
    return table(_HEADER, [_line(name, found) for name, found in (*lines, ("all", list(rows))) if found])


def _line(name: str, rows: Sequence[JudgedQuestion]) -> list[str]:
    quoted = sum(row.verdict == "right" and row.by == "quotation" for row in rows)
    counts = [sum(row.verdict == verdict for row in rows) for verdict in ("right", "partly", "wrong", "refused")]
    return [name, *(str(count) for count in (len(rows), counts[0], quoted, *counts[1:]))]


def _refusals(rows: Sequence[JudgedQuestion], corpora: Sequence[str]) -> str:
    without = [row for row in rows if not row.answerable]
    groups = [(name, [row for row in without if row.corpus == name]) for name in corpora]
    lines = [
        [name, str(len(found)), *(str(sum(row.verdict == verdict for row in found)) for verdict in ("right", "wrong"))]
        for name, found in (*groups, ("all", without))
        if found
    ]
    return table(("", "questions", "refused", "answered"), lines)
