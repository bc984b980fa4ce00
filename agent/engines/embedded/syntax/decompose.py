"""Reading a question by its syntax: which of its phrases are themselves one-hop questions (eq. 10-11).

A phrase such as "the institute that owned X", "the performer of X" or "X's birthplace" stands for something that must
be found first. The innermost one becomes a subquery of its own, a gap takes its place, and the shorter question is
parsed anew, until no such phrase is left. A question word deep inside a phrase ("a house that is based where?") turns
the order round: first which house, then where it is based.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..plan import OpenStep, Term
from ..vocabulary.lexicon import nouns_called
from ..vocabulary.words import GAP, Word, written
from .roles import ASKING, BE, CLAUSE, SyntacticRoles
from .tree import NOUNS, Parser, Token, spelled_out

__all__ = ["Decomposer"]

Read = Callable[[OpenStep], Term | OpenStep]

_STEPS = 8  # phrases of one question that are found first, or words put in
_IMPERATIVE = re.compile(
    r"^(?:(?:name|give|find|state|identify|tell me) |(?:(?:what|who) (?:is|was|are|were) )?(?:(?:the )?names? of )?)"
    r"\{0\}\W*$",
    re.IGNORECASE,
)
"""What asks for nothing but the thing itself."""
_BARE = re.compile(
    r"^(?:(?:in|at|on|from|to|of|for|with|by|into|through|under) )?"
    r"(?:(?:who|what|which|when|where)(?: \w+){0,3}|how(?: much| many)?) "
    r"(?:is|was|are|were|did|does|do) \{0\}\W*$",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(r"^(?:when|how|.* (?:did|does|do) \{0\})", re.IGNORECASE)
"""What cannot be asked of a thing without another word: "when was X"."""
_ARTICLES = frozenset({"a", "an", "the", "one", "his", "her", "its"})
_LINKS = {"from": "is", "in": "is", "with": "has"}


@dataclass(frozen=True, slots=True)
class _Found:
    """A phrase that is found first: its own question, and the question that is left with ``GAP`` in its place."""

    question: Sequence[Word]
    phrase: Sequence[Word]
    left: Sequence[Word]


class Decomposer:
    """Takes questions apart. ``relational`` are nouns of which "the ... of X" names another thing ("director").

    ``read`` may read a step that is found first in another way.
    """

    def __init__(self, parser: Parser, relational: Iterable[str], read: Read = lambda step: step) -> None:
        self._parser, self._relational, self._read = parser, frozenset(relational), read

    def plan(self, question: str) -> Term | OpenStep | None:
        """Return a question's steps in its own words, or None where it is one hop already."""
        words = self._parser.words(question)
        whole = self._reduced(words, [], ()) if words else None
        if whole is None or whole.template == _sentence(words):
            return None
        first = whole.parts[0] if whole.parts and _IMPERATIVE.match(whole.template) else whole
        return replace(first, inner=False) if isinstance(first, OpenStep) else first

    def _reduced(self, words: Sequence[Word], found: Sequence[Term | OpenStep], said: Sequence[str]) -> OpenStep | None:
        """Take one phrase after the other out of a question; None where there is no parser. ``found`` are the steps of
        the gaps that it has already, ``said`` their words."""
        for _ in range(_STEPS):
            tree = self._parser.parse(words)
            if tree is None:
                return None
            full = spelled_out(tree.tokens, words)
            if full is not None:
                words = full
                continue
            phrase = _Phrases(SyntacticRoles(tree, self._relational), words).found()
            inner = self._reduced(phrase.question, found, said) if phrase is not None and phrase.question else None
            if phrase is None or (phrase.question and inner is None):
                break
            if inner is not None:
                found = [*found, self._read(replace(inner, inner=True))]
                said = [*said, written([said[int(w.text[1:-1])] if w.kind == "gap" else w.text for w in phrase.phrase])]
            words = [Word(f"{{{len(found) - 1}}}", "gap") if word is GAP else word for word in phrase.left]
        used = [int(word.text[1:-1]) for word in words if word.kind == "gap"]
        gaps = (Word(f"{{{number}}}", "gap") for number in range(len(used)))
        text = _sentence([next(gaps) if word.kind == "gap" else word for word in words])
        return OpenStep(text, tuple(found[i] for i in used), tuple(said[i] for i in used))


def _sentence(words: Sequence[Word]) -> str:
    """Words as a question: a capital in front, one question mark behind."""
    text = written([word.text for word in words]).rstrip(" ?.!,;:")
    return f"{text[:1].upper()}{text[1:]}?"


class _Phrases:
    """Finds in a tree what must be found first."""

    def __init__(self, roles: SyntacticRoles, words: Sequence[Word]) -> None:
        self._roles, self._tree, self._tokens, self._words = roles, roles.tree, roles.tokens, words
        self._asked = roles.asked

    def found(self) -> _Found | None:
        """The outermost clause around a question word deep inside, else the shortest phrase that stands for something.
        """
        turned = self._turned() if self._asked is not None and self._asked > 1 else None
        return turned or next(self._described(), None)

    def _take(self, indices: Iterable[int]) -> list[Word]:
        return [self._words[i] for i in indices]

    # -- phrases that stand for something ------------------------------------------------------------------------

    def _described(self) -> Iterator[_Found]:
        nouns = [t for t in self._tokens if self._roles.is_common(t)]
        for noun, covered in sorted(((n, self._covered(n)) for n in nouns), key=lambda each: len(each[1])):
            if self._asked in covered or self._is_asked(noun) or self._roles.named(noun):
                continue
            kept = self._with_predicate(noun, covered)
            found = (self._of_clause(noun, kept) or self._of_relation(noun, kept)) if kept else None
            if found is not None:
                question, end = found
                kept = kept[: kept.index(end) + 1]
                yield _Found(question, self._take(kept), self._left(kept))

    def _left(self, covered: Sequence[int]) -> list[Word]:
        return [*self._words[: covered[0]], GAP, *self._words[covered[-1] + 1 :]]

    def _covered(self, noun: Token) -> list[int]:
        """A noun phrase's tokens without what hangs on it loosely: punctuation at its ends, another phrase behind."""
        below = set(self._tree.subtree(noun.index))
        start = end = noun.index
        while start - 1 in below:
            start -= 1
        while end + 1 in below:
            end += 1
        while self._tokens[end].tag in (",", ".", ":", "''", "``", "CC"):
            end -= 1
        while self._tokens[start].tag in (",", ".", ":"):
            start += 1
        return list(range(start, end + 1))

    def _with_predicate(self, noun: Token, covered: list[int]) -> list[int]:
        """Give words at a phrase's end back to a question that has no predicate of its own ("was the school that X
        attended | founded"); nothing, where it still has none."""
        text = written([w.text for w in self._left(covered)]).replace("{}", "{0}")
        if not _BARE.match(text):
            return covered
        support = any(t.lower in ("did", "does", "do") for t in self._tokens)
        for at in reversed(covered[covered.index(noun.index) + 2 :]):
            token, before = self._tokens[at], self._tokens[at - 1]
            last = at == covered[-1]
            if before.tag in ("DT", "TO", "MD", "JJ", "VB", "PRP$", "CC", "RB") or before.lower in BE:
                continue
            bare = support and (token.tag in ("VB", "VBP", "NN") or (last and token.tag == "JJ"))
            stranded = not support and (before.tag != "IN" or last) and token.tag in ("VBN", "JJ")
            if bare or stranded or token.lower == "worth":
                return covered[: covered.index(at)]
        return [] if _UNFINISHED.match(text) else covered

    def _restricts(self, clause: Token, within: set[int]) -> bool:
        """Whether a clause says which thing is meant: it holds a name, or is a full one about no name at all."""
        below = [i for i in self._tree.subtree(clause.index) if i in within]
        if self._roles.anchored(below):
            return True
        definite = self._roles.determiner(self._tokens[clause.head]) == "the"
        return definite and len(below) > 2 and self._tokens[0].text[0].isupper()

    def _of_clause(self, noun: Token, covered: list[int]) -> tuple[list[Word], int] | None:
        """ "the institute that owned X" as "Which institute owned X?", and where that phrase ends."""
        within, article = set(covered), self._roles.determiner(noun)
        near = self._tokens[noun.index + 1 : noun.index + 2] if article == "the" else ()
        clauses = (c for c in self._roles.modifiers(noun) if c.dep in CLAUSE or (c in near and c.lower == "with"))
        clause = next((c for c in clauses if self._restricts(c, within)), None)
        if clause is None or article not in ("the", "that", "this", "a", "an"):
            return None
        inside = [i for i in self._tree.subtree(clause.index) if i in within]
        lead, tail = [i for i in covered if i < inside[0]], [i for i in covered if i > inside[-1]]
        label = self._take(i for i in lead if self._tokens[i].tag not in ("DT", "PDT", ",") or i > noun.index)
        at = next((i for i in inside[:3] if self._tokens[i].lower in ASKING | {"that"}), inside[0])
        relative, rest = self._tokens[at], [i for i in inside if i > at]
        front, verb = ["which"], list[str]()
        if relative.lower not in ASKING | {"that"}:
            rest, have = inside, clause.lower in ("having", "with")
            if have:
                rest, verb = [i for i in inside if i != clause.index], ["have" if noun.tag == "NNS" else "has"]
            elif clause.tag == "VBG" or (clause.tag in ("VBN", "VBD") and not self._roles.subject(clause)):
                verb = [self._roles.be(noun, past=clause.tag != "VBG")]
        elif relative.lower == "whose":
            verb = ["'s"]
        elif at > inside[0]:
            front = [*(self._tokens[i].text for i in inside if i < at), "which"]
        elif relative.lower in ("where", "when"):
            front = ["in", "which"]
        elif noun.lower in nouns_called("persons"):
            front, label = ["who"], []
        before = self._auxiliary(clause, rest) if not verb else []
        rest = [*before, *(i for i in rest if i not in before)]
        return [*map(Word, front), *label, *map(Word, verb), *self._take(rest), *self._take(tail)], covered[-1]

    def _auxiliary(self, clause: Token, rest: list[int]) -> list[int]:
        """The verb that a question has before its subject: "in which city | was | X born"."""
        own = (i for i in rest if self._tokens[i].head == clause.index and self._tokens[i].dep in ("aux", "auxpass"))
        return [*own][:1] or ([clause.index] if clause.lower in BE else [])

    def _of_relation(self, noun: Token, covered: list[int]) -> tuple[list[Word], int] | None:
        """ "the performer of X", "X's birthplace": only for nouns that name a thing by its relation to another."""
        if not self._roles.names_relation(noun) or self._roles.is_role(noun):
            return None
        owner = next((c for c in self._tree.children(noun.index) if self._owns(c)), None)
        article = self._roles.determiner(noun)
        if owner is None or article in ("a", "an", "any", "some", "no"):
            return None
        below = [i for i in self._tree.subtree(owner.index) if i in set(covered)]
        if not self._roles.anchored(below):
            return None
        possessive = owner.dep == "poss"
        label = [i for i in covered if i not in below and self._tokens[i].tag not in ("DT", "PDT", "POS")]
        if possessive:
            base = below[:-1] if self._words[below[-1]].kind == "own" else below
        else:
            label, base = [i for i in label if i <= noun.index], below[1:]
        link = Word("of" if possessive else owner.lower)
        question = [*map(Word, ("what", "is", "the")), *self._take(label), link, *self._take(base)]
        return question, covered[-1] if possessive else below[-1]

    def _owns(self, token: Token) -> bool:
        return token.dep == "poss" or token.lower in ("of", "behind", "for", "to")

    def _is_asked(self, noun: Token) -> bool:
        """Whether a noun phrase is what the question asks for: beside the question word, or what it is said to be."""
        asked = self._asked
        if asked is None or asked in self._tree.subtree(noun.index):
            return asked is not None
        word = self._tokens[asked]
        at = noun
        while self._tokens[at.head].lower == "of":
            above = self._tokens[self._tokens[at.head].head]
            described = any(c.dep == "amod" for c in self._tree.children(above.index))
            if described or above.lower not in nouns_called("naming"):
                break  # "the former name of ..." is another thing
            at = above
        governor = self._tokens[at.head]
        copula = governor.lower in BE and governor.dep in ("ROOT", "csubj", "ccomp", "advcl")
        if copula and word.dep in ("attr", "nsubj", "dep", "advmod"):
            return word.lower in ("who", "what", "which", "whom")
        return governor.index == asked

    # -- a question word deep inside -----------------------------------------------------------------------------

    def _turned(self) -> _Found | None:
        """ "X was published by a house that is based where?" as "which house", and where that is based."""
        asked = self._asked or 0
        links = [t for t in self._tree.ancestors(asked) if self._splits(t, asked)]
        link = next((t for t in reversed(links) if t.dep in CLAUSE or t is links[0]), None)
        if link is None:
            return None
        inside = self._tree.subtree(link.index)
        noun = self._roles.first_of(self._tokens[link.head])
        name = self._roles.named(noun)
        if name:
            return _Found((), (), self._opened(link, inside, self._take(name)))
        kept = [t.index for t in self._tokens if t.index not in inside]
        if not self._roles.anchored(kept):
            return None
        below = self._tree.subtree(noun.index)
        first = self._tokens[below[0]]
        which = [Word("which")] if first.lower in _ARTICLES else [Word("which"), self._words[first.index]]
        question = [word for i in kept for word in (which if i == first.index else [self._words[i]])]
        phrase = self._take(i for i in below if i in kept)
        return _Found(question, phrase, self._opened(link, inside, [GAP]))

    def _splits(self, token: Token, asked: int) -> bool:
        """Whether a clause, or a phrase such as "in which land", hangs on a noun that can be asked for first."""
        noun, roles = self._tokens[token.head], self._roles
        if noun.index >= token.index or not (noun.tag in NOUNS or roles.named(noun)):
            return False
        if token.dep in CLAUSE:
            before = (i for i in self._tree.subtree(token.index) if i < asked)
            return any(self._tokens[i].tag[:2] in ("VB", "MD") for i in before)
        if token.dep != "prep" or roles.determiner(roles.first_of(noun)) not in ("a", "an", "the"):
            return False
        return token.lower in _LINKS and (noun.dep == "pobj" or bool(roles.named(noun)))

    def _opened(self, link: Token, inside: list[int], subject: list[Word]) -> list[Word]:
        """A clause as a sentence about its subject."""
        first, rest = self._tokens[inside[0]], self._take(inside[1:])
        if link.dep == "prep":
            return [*subject, Word(_LINKS[link.lower]), *(rest if link.lower == "with" else self._take(inside))]
        if link.dep == "acl":
            past = link.tag in ("VBN", "VBD")
            return [*subject, Word(self._roles.be(self._tokens[link.head], past)), *self._take(inside)]
        if first.lower == "whose":
            return [*subject, Word("'s", "own"), *rest]
        if self._roles.subject(link, but=first.index) is not None:  # "a war that Vesk entered when"
            return [w for i in inside[1:] for w in (self._words[i], *(subject if i == link.index else ()))]
        return [*subject, *rest]
