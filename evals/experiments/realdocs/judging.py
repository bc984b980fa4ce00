"""Judging what a run said against what was written down before it was asked.

White space, case, quotation marks, punctuation and marks of layout do not count, nor does where a PDF broke a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from ....graphs.records import Run
from .recipe import PASSAGES, RealQuestion

__all__ = ["By", "Judgement", "RunOutput", "Verdict", "holds", "judge", "said"]

Verdict = Literal["right", "partly", "wrong", "refused"]
By = Literal["answer", "quotation", ""]

_LONG = 12
"""So many letters and digits are a phrase's own, however its words are parted."""
_SHORT_ANSWER = 30
"""An answer of more words than this names an expected one by chance, unless it holds the key phrase too."""
_HALF = 0.5
_NOT_IN_WORDS = re.compile(r"[^\w\-./+@:#%=&~]|_(?!\w)|(?<!\w)_")


@dataclass(frozen=True, slots=True)
class RunOutput:
    """What a run said: its answer, the quotation around it, and the names of the documents that it cites."""

    answer: str = ""
    quotation: str = ""
    documents: tuple[str, ...] = ()
    form: str = ""
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, and whether the answer or the quotation earned it."""

    verdict: Verdict
    by: By = ""


def said(run: Run) -> RunOutput:
    """Read a run: what it answers, and the text of the documents that it quotes."""
    quotation = run.quote.text if run.quote is not None else ""
    sources = [run.quote.source if run.quote is not None else "", *(citation.source for citation in run.citations)]
    return RunOutput(
        answer=run.answer,
        quotation=quotation,
        documents=tuple(dict.fromkeys(PurePath(source).name for source in sources if source)),
        form=run.form,
        refused=run.status != "answered",
    )


def judge(question: RealQuestion, said: RunOutput) -> Judgement:
    """Say whether a run is right, partly right, wrong, or refused a question that the documents answer.

    A question that they do not answer is right where it is refused, and wrong otherwise.
    """
    if not question.answerable:
        return Judgement("right" if said.refused else "wrong")
    if said.refused:
        return Judgement("refused")
    if question.members:
        return _listed(question.members, said)
    if _answers(question, said.answer):
        return Judgement("right", "answer")
    quoted = _any(said.quotation, question.quote)
    if question.kind not in PASSAGES:
        return Judgement("partly", "quotation") if quoted else Judgement("wrong")
    if quoted or _any(said.answer, question.quote):
        return Judgement("right", "quotation" if quoted else "answer")
    near = bool(said.quotation) and question.document in said.documents
    return Judgement("partly", "quotation") if near else Judgement("wrong")


def holds(text: str, phrase: str) -> bool:
    """Whether a text says a phrase: its words in a row, or, of a long one, its letters and digits in a row."""
    if f" {' '.join(_words(phrase))} " in f" {' '.join(_words(text))} ":
        return bool(phrase.strip())
    letters = _letters(phrase)
    return len(letters) >= _LONG and letters in _letters(text)


def _listed(members: Iterable[str], said: RunOutput) -> Judgement:
    """Judge a list: every member has to be named, and half of them are partly right."""
    wanted = list(members)
    in_answer, in_quotation = (
        sum(holds(text, member) for member in wanted) / len(wanted) for text in (said.answer, said.quotation)
    )
    by: By = "answer" if in_answer >= in_quotation else "quotation"
    share = max(in_answer, in_quotation)
    if share == 1:
        return Judgement("right", by)
    return Judgement("partly", by) if share >= _HALF else Judgement("wrong")


def _answers(question: RealQuestion, answer: str) -> bool:
    """Whether an answer equals an expected one or names it; yes and no have to come first."""
    words = _words(answer)
    if question.kind == "yes-no":
        return bool(words) and words[0] in {expected.casefold() for expected in question.answers}
    named = _any(answer, question.answers)
    return named and (len(words) <= _SHORT_ANSWER or _any(answer, question.quote))


def _any(text: str, phrases: Iterable[str]) -> bool:
    return any(holds(text, phrase) for phrase in phrases)


def _plain(text: str) -> str:
    """Return a text without soft hyphens and apostrophes, with one kind of dash, in lower case."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\u2010-\u2015\u2212]", "-", re.sub(r"['\u2018\u2019\u00ad\ufffe\uffff]", "", plain))


def _words(text: str) -> list[str]:
    """Return the words of a text; options, paths, versions and addresses keep their marks."""
    found = (word.rstrip(".,:;-") for word in _NOT_IN_WORDS.sub(" ", _plain(text)).split())
    return [word for word in found if word]


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", _plain(text))
