"""The words of a question with its names as one part each, so that no name is taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ....cubes.extraction.lexicon import country_of
from ....cubes.folding import fold
from ..linking import Linker
from ..phrases import starts_name

__all__ = ["Part", "parts_of", "written"]

_TOKEN = re.compile(r'"[^"]+"|[^\s,]+|,')
_POSSESSIVE = re.compile(r"^(?P<word>.+?)(?P<mark>'s|(?<=s)')$")
_LONGEST = 9
_JOINING = frozenset({"of", "the", "de", "von", "van", "da", "la", "le", "&"})


@dataclass(frozen=True, slots=True)
class Part:
    """A word, a possessive mark, a comma, a name, or an adjective made of a country's name."""

    text: str
    kind: str

    @property
    def key(self) -> str:
        """The folded word; "" for a name, which is no word of the question's own."""
        return fold(self.text) if self.kind == "word" else ""


def parts_of(text: str, linker: Linker) -> list[Part]:
    """Divide a text; the longest name that the corpus knows comes first, else words with capitals are one."""
    tokens = [piece for found in _TOKEN.findall(text) for piece in _pieces(found)]
    parts: list[Part] = []
    at = 0
    while at < len(tokens):
        end = _name_end(tokens, at, linker)
        if end == at:
            parts.append(Part(tokens[at], "mark" if tokens[at] in ("'s", "'", ",") else "word"))
            at += 1
            continue
        name = written(tokens[at:end]).strip('"')
        parts.append(Part(name, "adjective" if _is_adjective(name, tokens, end, linker) else "name"))
        at = end
    return parts


def written(tokens: Sequence[str]) -> str:
    """Join tokens as they were written."""
    return re.sub(r" (?=,|'s?(?: |$))", "", " ".join(tokens))


def _pieces(token: str) -> Iterator[str]:
    found = _POSSESSIVE.match(token) if not token.startswith('"') else None
    if found is None:
        yield token
    else:
        yield found["word"]
        yield "'s"


def _name_end(tokens: Sequence[str], at: int, linker: Linker) -> int:
    """Where the name that begins at a token ends; the same place where none does."""
    if not starts_name(tokens[at]) or tokens[at] in (",", "'s", "&"):
        return at
    if tokens[at].startswith('"'):
        return at + 1
    for end in range(min(len(tokens), at + _LONGEST), at, -1):
        if tokens[end - 1] not in (",", "'s") and linker.knows_exactly(written(tokens[at:end])):
            return end
    end = at + 1
    while end < len(tokens) and (
        (starts_name(tokens[end]) and tokens[end] not in (",", "'s", "&"))
        or (tokens[end].lower() in _JOINING and end + 1 < len(tokens) and tokens[end + 1][:1].isupper())
    ):
        end += 1
    return end


def _is_adjective(name: str, tokens: Sequence[str], end: int, linker: Linker) -> bool:
    """Whether a name says where something is from: "Orvennan", "French"."""
    if " " in name:
        return False
    country = country_of(name)
    if country is not None and fold(country) != fold(name):
        return True
    kinds = linker.kinds_valued(name)
    before_noun = end < len(tokens) and tokens[end][:1].islower() and tokens[end] != "'s"
    return "nationality" in kinds and (kinds <= {"nationality", "place", "name"}) and (
        before_noun or end == len(tokens)) and not any(s.how == "exact" for s in linker.link_exactly(name))
