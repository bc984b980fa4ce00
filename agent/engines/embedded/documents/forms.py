"""The form of a question: choices with their options, judgements, blanks, or a plain question (HiQA, table 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

__all__ = ["BLANK", "Kind", "QuestionForm", "read_form"]

Kind = Literal["choice", "choices", "judgement", "blanks", "plain"]

BLANK = "____"
_GAP = re.compile(r"\(\s*\)|（\s*）|_{2,}|\.{4,}|\[\s*\]|…{2,}")
_LETTER = re.compile(r"(?:(?<=\s)|^|(?<=[?.;:)_]))\(?(?P<letter>[A-H])(?:\s?[:：)]|\.(?=\s))\s*(?=\S)")
_LEAD = re.compile(
    r"^\W*(?P<lead>(?:(?:single|multiple)[ -](?:choice|answer)|judge?ment|true or false|statement|question"
    r"|fill(?:ing)?(?: in)?(?: the)? blanks?)(?: question)?)\s*[:：.]\s*",
    re.IGNORECASE,
)
_TRUE = r"(?:true|right|correct|yes)"
_VERDICT = re.compile(
    rf"[\s,.;:(\[]*(?:is (?:this|that|it|the statement) )?{_TRUE}"
    r"(?:(?: or |\s?/\s?)(?:false|wrong|incorrect|not|no))?\W*$"
    rf"|^(?:is|was) (?:it|the (?:following )?statement) {_TRUE}(?: that|[:,])\s*"
    r"|^(?:judge|decide|determine|check) (?:whether|if)\s*",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"^(?:is|are|was|were|does|do|did|can|could|has|have|must|may|should|will) (?!(?:it|there) (?:any|a|an)\b)", re.I
)
_SEVERAL = re.compile(r"multiple|all that apply|which (?:of the following )?(?:\w+ ){0,4}?are\b", re.IGNORECASE)
_EITHER = ({"true", "false"}, {"yes", "no"}, {"correct", "incorrect"}, {"right", "wrong"})


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A question without the dress of its form.

    ``stem`` is what is asked, its gaps written as `BLANK`; ``options`` are letter and text. A judgement's stem is its
    claim as it stands; ``yes_no`` says that it is put as a question, to be answered by yes or no.
    """

    kind: Kind
    stem: str
    options: tuple[tuple[str, str], ...] = ()
    yes_no: bool = False


@lru_cache(maxsize=2_000)
def read_form(question: str) -> QuestionForm:
    """Read the form of a question off its text."""
    text, lead = " ".join(question.split()), ""
    while (found := _LEAD.match(text)) is not None:
        lead, text = f"{lead} {found['lead'].lower()}", text[found.end() :]
    stem, options = _options(text)
    stem = _GAP.sub(BLANK, stem).strip()
    if len(options) > 1 and {option.lower().strip(".") for _, option in options} not in _EITHER:
        several = "multiple" in lead or ("single" not in lead and _SEVERAL.search(stem) is not None)
        return QuestionForm("choices" if several else "choice", stem.strip(" ,;"), options)
    claim = _VERDICT.sub("", stem).strip(' "“”')
    if options or re.search("judg|statement|true", lead) or _VERDICT.search(stem):
        return QuestionForm("judgement", claim if claim.endswith("?") else f"{claim.rstrip('.')}.")
    if BLANK in stem:
        return QuestionForm("blanks", stem)
    yes_no = _YES_NO.match(stem) is not None and " or " not in stem
    return QuestionForm("judgement" if yes_no else "plain", stem, yes_no=yes_no)


def _options(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Part a text into its stem and its options, which are lettered on from A."""
    run: list[re.Match[str]] = []
    for mark in _LETTER.finditer(text):
        if ord(mark["letter"]) == ord("A") + len(run):
            run.append(mark)
    if len(run) < 2:
        return text, ()
    ends = [*(mark.start() for mark in run[1:]), len(text)]
    told = ((mark["letter"], text[mark.end() : end].strip(" ,;，；")) for mark, end in zip(run, ends, strict=True))
    return text[: run[0].start()].strip(), tuple(told)
