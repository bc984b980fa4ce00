"""The words of a question with its names as one part each, so that no name is taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .....cubes.core.folding import fold
from .....cubes.extraction.words.lexicon import country_of
from ..vocabulary.linker import EntityLinker
from ..vocabulary.mentions import starts_name

__all__ = ["QuestionToken", "parts_of"]

_TOKEN = re.compile(r"""[“"][^”"]+[”"]|,|[^\s,]+""")
_POSSESSIVE = re.compile(r"^(?P<word>.+?)(?P<mark>['’]s|(?<=s)['’])$")
_LONGEST = 9
_JOINING = frozenset({"of", "the", "de", "von", "van", "da", "la", "le", "&"})


@dataclass(frozen=True, slots=True)
class QuestionToken:
    """A word, a possessive mark, a comma, a name, or an adjective made of a country's name, and where it stands."""

    text: str
    kind: str
    start: int = 0
    end: int = 0

    @property
    def key(self) -> str:
        """The folded word; "" for a name, which is no word of the question's own."""
        return fold(self.text) if self.kind == "word" else ""


def parts_of(text: str, linker: EntityLinker) -> list[QuestionToken]:
    """Divide a text; the longest name that the corpus knows comes first, else words with capitals are one."""
    tokens = list(_tokens(text))
    parts: list[QuestionToken] = []
    at = 0
    while at < len(tokens):
        end = _name_end(text, tokens, at, linker)
        if end == at:
            word = tokens[at]
            parts.append(QuestionToken(word.text, "mark" if word.text in ("'s", ",") else "word", word.start, word.end))
            at += 1
            continue
        start, stop = tokens[at].start, tokens[end - 1].end
        name = text[start:stop].strip('"“”')
        parts.append(
            QuestionToken(name, "adjective" if _is_adjective(name, tokens, end, linker) else "name", start, stop)
        )
        at = end
    return parts


def _tokens(text: str) -> Iterator[QuestionToken]:
    for found in _TOKEN.finditer(text):
        bare = found[0].rstrip("?!;:") or found[0]
        if bare.endswith(".") and found.end() == len(text.rstrip(" ?!")):
            bare = bare[:-1]
        owned = _POSSESSIVE.match(bare) if bare[0] not in '"“' else None
        middle = found.start() + (len(owned["word"]) if owned is not None else len(bare))
        yield QuestionToken(text[found.start() : middle], "word", found.start(), middle)
        if owned is not None:
            yield QuestionToken("'s", "mark", middle, found.start() + len(bare))


def _name_end(text: str, tokens: Sequence[QuestionToken], at: int, linker: EntityLinker) -> int:
    """Where the name that begins at a token ends; the same place where none does."""
    first = tokens[at]
    if not _may_begin(first):
        return at
    if first.text[0] in '"“':
        return at + 1
    for end in range(min(len(tokens), at + _LONGEST), at, -1):
        if tokens[end - 1].text not in (",", "'s") and linker.knows_exactly(text[first.start : tokens[end - 1].end]):
            return end
    end = at + 1
    while end < len(tokens) and (
        _may_begin(tokens[end])
        or (tokens[end].text.lower() in _JOINING and end + 1 < len(tokens) and tokens[end + 1].text[:1].isupper())
    ):
        end += 1
    return end


def _may_begin(token: QuestionToken) -> bool:
    return starts_name(token.text) and token.text not in (",", "'s", "&")


def _is_adjective(name: str, tokens: Sequence[QuestionToken], end: int, linker: EntityLinker) -> bool:
    """Whether a name says where something is from: "Orvennan", "French"."""
    if " " in name:
        return False
    country = country_of(name)
    if country is not None and fold(country) != fold(name):
        return True
    kinds = linker.kinds_valued(name)
    before_noun = end == len(tokens) or (tokens[end].text[:1].islower() and tokens[end].text != "'s")
    known = any(s.how == "exact" for s in linker.link_exactly(name))
    return before_noun and not known and "nationality" in kinds and kinds <= {"nationality", "place", "name"}
