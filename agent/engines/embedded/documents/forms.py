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
    r"^\W*(?P<lead>(?:single|multiple)[ -](?:choice|answer|select)(?: question)?|judge?ment(?: question)?"
    r"|true or false|true/false|fill(?:ing)?[ -]?(?:in)?(?: the)? ?blanks?|descriptive|comparison|summary|calculation"
    r"|crossing documents?|table(?: related)?|statement|question)\s*[:：.]\s*",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    r"[\s,.;:(\[]*(?:is (?:this|that|it|the statement) )?(?:\(?(?:true|right|correct)(?: or |\s?/\s?)"
    r"(?:false|wrong|incorrect|not)\)?|yes or no|\(?t/f\)?"
    r"|(?:is (?:this|that|the statement) )(?:true|correct|right))\W*$",
    re.IGNORECASE,
)
_CLAIMED = re.compile(
    r"^(?:is|was) (?:it|the (?:following )?statement) (?:true|correct|right)(?: that|[:,])\s*"
    r"|^(?:judge|decide|determine|check) (?:whether|if)(?: it is true that"
    r"| the (?:following )?statement is (?:true|correct)(?: or (?:false|not))?[:,]?)?\s*|^true or false[:,]?\s*"
    r"|^(?:judge|decide on) the (?:following )?statement[:,]\s*",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"^(?:is|are|was|were|does|do|did|can|could|has|have|must|may|should|will) (?!(?:it|there) (?:any|a|an)\b)", re.I
)
_SEVERAL = re.compile(
    r"multiple|select all|all that apply|which (?:of the following )?(?:\w+ ){0,4}?are\b|which (?:two|three|several)",
    re.IGNORECASE,
)


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

    @property
    def blanks(self) -> int:
        """How many gaps the stem has."""
        return self.stem.count(BLANK)


@lru_cache(maxsize=2_000)
def read_form(question: str) -> QuestionForm:
    """Read the form of a question off its text."""
    text, lead = _without_leads(" ".join(question.split()))
    stem, options = _options(text)
    stem = _GAP.sub(BLANK, stem).strip()
    if len(options) > 1 and not _is_true_false(options):
        several = "multiple" in lead or ("single" not in lead and _SEVERAL.search(stem) is not None)
        return QuestionForm("choices" if several else "choice", stem.strip(" ,;"), options)
    claim = _VERDICT.sub("", _CLAIMED.sub("", stem))
    if "judg" in lead or "statement" in lead or "true" in lead or claim != stem or options:
        bare = claim.strip(' "“”')
        return QuestionForm("judgement", bare if bare.endswith("?") else bare.rstrip(".") + ".")
    if BLANK in stem:
        return QuestionForm("blanks", stem)
    if _YES_NO.match(stem) and " or " not in stem:
        return QuestionForm("judgement", stem, yes_no=True)
    return QuestionForm("plain", stem)


def _without_leads(text: str) -> tuple[str, str]:
    """Drop "Single choice:" and the like from the front; what was dropped tells the form."""
    leads = ""
    while (found := _LEAD.match(text)) is not None:
        leads += f" {found['lead'].lower()}"
        text = text[found.end() :]
    return text, leads


def _options(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Part a text into its stem and its options, which are lettered on from A."""
    marks = list(_LETTER.finditer(text))
    for first, mark in enumerate(marks):
        if mark["letter"] != "A":
            continue
        run = [mark]
        for following in marks[first + 1 :]:
            if ord(following["letter"]) == ord(run[-1]["letter"]) + 1:
                run.append(following)
        if len(run) < 2:
            continue
        ends = [*(following.start() for following in run[1:]), len(text)]
        options = tuple(
            (each["letter"], text[each.end() : end].strip(" ,;，；")) for each, end in zip(run, ends, strict=True)
        )
        return text[: mark.start()].strip(), options
    return text, ()


def _is_true_false(options: tuple[tuple[str, str], ...]) -> bool:
    return len(options) == 2 and {text.lower().strip(".") for _, text in options} in (
        {"true", "false"}, {"yes", "no"}, {"correct", "incorrect"}, {"right", "wrong"},
    )  # fmt: skip
