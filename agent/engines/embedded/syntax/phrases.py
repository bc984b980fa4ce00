"""What the tree of a question shows: phrases that stand for something else, each with the question that finds it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..vocabulary.wordlists import ARTICLES, BEING, QUESTIONING
from ..vocabulary.words import GAP, Word, written
from .tree import NOUNS, subtree

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

__all__ = ["FoundFirst", "Phrases"]

_BARE = re.compile(
    r"^(?:(?:in|at|on|from|to|of|for|with|by|into|through|under) )?"
    r"(?:(?:who|what|which|when|where)(?: \w+){0,3}|how(?: much| many)?) "
    r"(?:is|was|are|were|did|does|do) \{0\}\W*$",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(r"^(?:when|how|.* (?:did|does|do) \{0\})", re.IGNORECASE)
"""What cannot be asked of a thing without another word: "when was X"."""
_BE = BEING | {"'s", "be"}
_RELATIVE = QUESTIONING | {"that"}
_CLAUSE = frozenset({"relcl", "acl"})
_PROPER = frozenset({"NNP", "NNPS"})
_CALLED = frozenset({"called", "named", "titled", "entitled"})
_SAID = frozenset({"attr", "nsubj", "dep", "advmod"})
_SUPPORT = {"VBD": "did", "VBZ": "does", "VBP": "do"}
_LINKS = {"from": "is", "in": "is", "with": "has"}


@dataclass(frozen=True, slots=True)
class FoundFirst:
    """A phrase that is found first: its own question, and the question that is left with ``GAP`` in its place."""

    question: Sequence[Word]
    phrase: Sequence[Word]
    left: Sequence[Word]


class Phrases:
    """Finds in a tree what must be found first. ``relational`` nouns name a thing by its relation to another."""

    def __init__(
        self, tree: Doc, words: Sequence[Word], relational: frozenset[str], persons: frozenset[str]
    ) -> None:
        self._tree, self._words, self._relational, self._persons = tree, words, relational, persons
        self._asked = _question_word(tree)

    def found(self) -> FoundFirst | None:
        """Return the clause around a question word deep inside, else the shortest phrase that stands for something."""
        turned = self._turned(self._asked) if self._asked is not None and self._asked.i > 1 else None
        return turned or next(self._described(), None)

    def description(self) -> tuple[list[Word], list[Word]] | None:
        """Return the shortest phrase that more than adjectives describe, behind "the" or a name's "'s", or that owns
        what is asked for ("the warden's wife"), and the question with ``GAP`` in its place."""
        for noun, covered in self._nouns():
            owned = any(c.dep_ == "poss" and self._is_anchor(c) for c in noun.lefts)
            if not owned and _article(noun) != "the":
                continue
            owns = noun.dep_ == "poss" and covered[-1].tag_ == "POS"
            covered = covered[: len(covered) - owns]
            unfinished = _UNFINISHED.match(self._left_text(covered))
            kept = self._with_predicate(noun, covered) if unfinished else covered
            apart = any(t.lower_ in ("or", ".", "?", "!") for t in kept)
            if kept and not apart and (owned or owns or kept[-1].i > noun.i + 1):
                return self._take(kept), self._left(kept)
        return None

    def _take(self, tokens: Iterable[Token]) -> list[Word]:
        return [self._words[token.i] for token in tokens]

    def _nouns(self) -> Iterator[tuple[Token, list[Token]]]:
        """The nouns that may stand for a thing to be found first, with their phrases, the shortest first."""
        nouns = ((noun, self._covered(noun)) for noun in self._tree if self._is_common(noun))
        for noun, covered in sorted(nouns, key=lambda each: len(each[1])):
            if not self._is_asked(noun) and self._named(noun) is None:
                yield noun, covered

    def _described(self) -> Iterator[FoundFirst]:
        for noun, covered in self._nouns():
            kept = self._with_predicate(noun, covered)
            found = (self._of_clause(noun, kept) or self._of_relation(noun, kept)) if kept else None
            if found is not None:
                question, end = found
                kept = kept[: kept.index(end) + 1]
                yield FoundFirst(question, self._take(kept), self._left(kept))

    def _left(self, covered: Sequence[Token]) -> list[Word]:
        return [*self._words[: covered[0].i], GAP, *self._words[covered[-1].i + 1 :]]

    def _left_text(self, covered: Sequence[Token]) -> str:
        return written([w.text for w in self._left(covered)]).replace("{}", "{0}")

    def _covered(self, noun: Token) -> list[Token]:
        """A noun phrase's tokens without the punctuation at its end."""
        end = noun.right_edge.i
        while self._tree[end].tag_ in (",", ".", ":", "''", "``", "CC"):
            end -= 1
        return [*self._tree[noun.left_edge.i : end + 1]]

    def _with_predicate(self, noun: Token, covered: list[Token]) -> list[Token]:
        """Give words at a phrase's end back to a question that has no predicate of its own ("was the school that X
        attended | founded"); nothing, where it still has none."""
        text = self._left_text(covered)
        support = any(t.lower_ in ("did", "does", "do") for t in self._tree)
        verbs = (t for t in self._tree if t.tag_[:2] == "VB" and t.lower_ not in ("did", "does", "do"))
        whole = not _BARE.match(text)
        if whole and not (support and all(t in covered for t in verbs)):
            return covered
        for token in reversed(covered[covered.index(noun) + 2 :]):
            before, last = token.nbor(-1), token == covered[-1]
            if before.tag_ in ("DT", "TO", "MD", "JJ", "VB", "PRP$", "CC", "RB") or before.lower_ in _BE:
                continue
            noun_like = (token.tag_ == "NN" and (last or not whole)) or (token.tag_ == "JJ" and last)
            bare = support and (token.tag_ in ("VB", "VBP") or noun_like)
            stranded = not support and (before.tag_ != "IN" or last) and token.tag_ in ("VBN", "JJ")
            if bare or stranded:
                return covered[: covered.index(token)]
        return [] if not whole and _UNFINISHED.match(text) else covered

    def _of_clause(self, noun: Token, covered: list[Token]) -> tuple[list[Word], Token] | None:
        """ "the institute that owned X" as "Which institute owned X?", and where that phrase ends."""
        article = _article(noun)
        near = noun.i + 1 if article == "the" else 0
        clauses = (c for c in noun.rights if c.dep_ in _CLAUSE or (c.i == near and c.lower_ == "with"))
        clause = next((c for c in clauses if self._restricts(c, covered)), None)
        if clause is None or article not in ("the", "that", "this", "a", "an"):
            return None
        inside = [t for t in subtree(clause) if t in covered]
        if clause not in covered and inside[0].i == noun.i + 1 and self._words[inside[0].i].tells:
            return None  # "the actress X | born": a name that the noun describes
        lead, tail = [t for t in covered if t.i < inside[0].i], [t for t in covered if t.i > inside[-1].i]
        label = self._take(t for t in lead if t.tag_ not in ("DT", "PDT", ",") or t.i > noun.i)
        relative = next((t for t in inside[:3] if t.lower_ in _RELATIVE), inside[0])
        before, rest = [t for t in inside if t.i < relative.i], [t for t in inside if t.i > relative.i]
        front, verb = ["which"], list[str]()
        if relative.lower_ not in _RELATIVE:
            has = clause.lower_ in ("having", "with")
            rest = inside[has:]
            participle = clause.tag_ == "VBG" or (clause.tag_ in ("VBN", "VBD") and _subject(clause) is None)
            verb = [_be(noun, clause, has)] if has or participle else []
        elif relative.lower_ == "whose":
            verb = ["'s"]
        elif before:
            front = [*(t.text for t in before), "which"]
        elif relative.lower_ in ("where", "when"):
            front = ["in", "which"]
        asked = self._take(rest) if verb else self._inverted(clause, rest)
        return [*map(Word, front), *label, *map(Word, verb), *asked, *self._take(tail)], covered[-1]

    def _inverted(self, clause: Token, rest: list[Token]) -> list[Word]:
        """A clause as a question has it, its auxiliary before its subject ("in which city | was | X born"), or one put
        there ("which queen | did | X serve")."""
        own = [t for t in rest if t.head == clause and t.dep_ in ("aux", "auxpass")][:1]
        own = own or ([clause] if clause.lower_ in _BE else [])
        support, subject = _SUPPORT.get(clause.tag_), _subject(clause)
        if own or support is None or subject not in rest:
            return self._take([*own, *(t for t in rest if t not in own)])
        bare = (clause, *clause.conjuncts)
        return [Word(support), *(Word(t.lemma_) if t in bare else self._words[t.i] for t in rest)]

    def _restricts(self, clause: Token, within: Sequence[Token]) -> bool:
        """Whether a clause says which thing is meant: it holds a name, or is a full one about no name at all."""
        below = [t for t in subtree(clause) if t in within]
        definite = _article(clause.head) == "the" and len(below) > 2 and self._words[0].text[0].isupper()
        return definite or any(map(self._is_anchor, below))

    def _of_relation(self, noun: Token, covered: list[Token]) -> tuple[list[Word], Token] | None:
        """ "the performer of X", "X's birthplace": only for nouns that name a thing by its relation to another."""
        owner = next((c for c in noun.children if c.dep_ == "poss" or c.lower_ in ("of", "behind", "for", "to")), None)
        asking = self._asks_relation(noun)
        if owner is None or not asking or _article(noun) in ("a", "an", "any", "some", "no"):
            return None
        below = [t for t in subtree(owner) if t in covered]
        if not any(map(self._is_anchor, below)):
            return None
        label = [t for t in covered if t not in below and t.tag_ not in ("DT", "PDT", "POS")]
        base, link, end = below[1:], self._words[owner.i], below[-1]
        if owner.dep_ == "poss":
            base, link, end = [t for t in below if t.tag_ != "POS"], Word("of"), covered[-1]
        else:
            label = [t for t in label if t.i <= noun.i]
        return [*map(Word, (asking, "is", "the")), *self._take(label), link, *self._take(base)], end

    def _turned(self, asked: Token) -> FoundFirst | None:
        """ "X was published by a house that is based where?" as "which house", and where that is based."""
        links = [t for t in asked.ancestors if self._splits(t, asked)]
        link = next((t for t in reversed(links) if t.dep_ in _CLAUSE or t == links[0]), None)
        if link is None:
            return None
        inside, noun = subtree(link), link.head
        name = self._named(noun)
        if name is not None:
            return FoundFirst((), (), self._opened(link, inside, self._take(name)))
        kept = [t for t in self._tree if t not in inside]
        if not any(map(self._is_anchor, kept)):
            return None
        below = subtree(noun)
        first = below[0]
        which = [Word("which")] if first.lower_ in ARTICLES else [Word("which"), self._words[first.i]]
        question = [word for t in kept for word in (which if t == first else [self._words[t.i]])]
        return FoundFirst(question, self._take(t for t in below if t in kept), self._opened(link, inside, [GAP]))

    def _splits(self, token: Token, asked: Token) -> bool:
        """Whether a clause, or a phrase such as "in which land", hangs on a noun that can be asked for first."""
        if token.dep_ in _CLAUSE:
            return any(t.tag_[:2] in ("VB", "MD") for t in subtree(token) if t.i < asked.i)
        articled, apart = _article(token.head) in ("a", "an", "the"), token.head.dep_ == "pobj"
        return token.lower_ in _LINKS and articled and (apart or self._named(token.head) is not None)

    def _opened(self, link: Token, inside: list[Token], subject: list[Word]) -> list[Word]:
        """A clause as a sentence about its subject."""
        first, rest = inside[0], self._take(inside[1:])
        if link.dep_ == "prep":
            return [*subject, Word(_LINKS[link.lower_]), *(rest if link.lower_ == "with" else self._take(inside))]
        if link.dep_ == "acl":
            return [*subject, Word(_be(link.head, link)), *self._take(inside)]
        if first.lower_ == "whose":
            return [*subject, Word("'s", "own"), *rest]
        return [*subject, *rest]

    def _is_anchor(self, token: Token) -> bool:
        """Whether a search can start from a token: a name, a number or a quotation."""
        word = self._words[token.i]
        capital = word.text[0].isupper() and (token.i > 0 or token.tag_ in (*NOUNS, *_PROPER))
        return word.text[0].isdigit() or word.tells or capital

    def _named(self, noun: Token) -> list[Token] | None:
        """The name that a noun only describes: "X is a mason who", "X, a mason who", "the paper X that", "X, which"."""
        if noun.tag_ in _PROPER:
            behind = [t.tag_ for t in self._tree[noun.i + 1 : noun.i + 2]]
            return [noun] if behind == [","] or (noun.i > 1 and noun.nbor(-1).tag_ in NOUNS) else None
        subject = _subject(noun.head) if noun.dep_ == "attr" else None
        if subject is not None and subject.i < noun.head.i and self._is_anchor(subject):
            return [t for t in subtree(subject) if t.i < noun.head.i]
        if noun.dep_ == "appos" and noun.head.tag_ in _PROPER:
            return [noun.head]
        called = next((c.nbor() for c in noun.rights if c.lower_ in _CALLED and c.i + 1 < len(self._tree)), None)
        beside = [c for c in noun.rights if c.dep_ == "appos"] if called is None else [called]
        return next(([c] for c in beside if c.tag_ in _PROPER), None)

    def _is_common(self, noun: Token) -> bool:
        """Whether a token stands for a kind of thing; so does a title: "the Head Keeper under whom ..."."""
        after = {t.lower_ for t in self._tree[noun.i + 1 : noun.i + 3]}
        titled = noun.tag_ in _PROPER and _article(noun) == "the"
        return noun.tag_ in NOUNS or (titled and not after.isdisjoint(("who", "whom", "which", "that")))

    def _is_asked(self, noun: Token) -> bool:
        """Whether a noun phrase is what the question asks for: beside the question word, or what it is said to be."""
        asked, verb = self._asked, noun.head
        if asked is None or noun in (asked, *asked.ancestors):
            return asked is not None
        if verb.lower_ in _BE and verb.dep_ in ("ROOT", "csubj", "ccomp", "advcl") and asked.dep_ in _SAID:
            return asked.lower_ in ("who", "what", "which", "whom")
        return verb == asked

    def _asks_relation(self, noun: Token) -> str:
        """What asks for a noun that, alone or with the word before it, names a thing by its relation to another one.

        "The Vass family of Dorvale" has its name already; "who was president of X" is what somebody was, not who.
        """
        before = [t for t in noun.lefts if t.dep_ in ("compound", "amod")]
        named = any(t.dep_ == "compound" and t.tag_ in _PROPER for t in before)
        role = noun.dep_ == "attr" and noun.head.dep_ in (*_CLAUSE, "advcl")
        words = {noun.lower_, *(f"{t.lower_} {noun.lower_}" for t in before)}
        head = noun.head.head.lower_ if noun.head.lower_ == "of" else ""
        part = f"{head} of {noun.lower_}" in self._relational  # "date of death" is one noun
        if named or role or part or self._relational.isdisjoint(words):
            return ""
        return "what" if self._persons.isdisjoint(words) else "who"


def _article(noun: Token) -> str:
    """The article or pronoun before a noun."""
    return next((c.lower_ for c in noun.lefts if c.dep_ == "det"), "")


def _subject(verb: Token) -> Token | None:
    """The first subject of a verb."""
    return next((c for c in verb.children if c.dep_ in ("nsubj", "nsubjpass")), None)


def _be(noun: Token, participle: Token, having: bool = False) -> str:
    """The form of "be" that agrees with a noun, before a participle, or that of "have" in place of "having"."""
    past = participle.tag_ in ("VBN", "VBD")
    return (("has", "have") if having else ("was", "were") if past else ("is", "are"))[noun.tag_ == "NNS"]


def _question_word(tree: Doc) -> Token | None:
    """The interrogative: the first word, one behind a preposition in front, else the last that is no relative."""
    found = [t for t in tree if t.lower_ in QUESTIONING]
    front = (t for t in found if t.i == 0 or (t.i == 1 and tree[0].tag_ in ("IN", "TO")))
    ends = {len(tree), *(t.i for t in tree if t.tag_ in (".", "''", ","))}
    asking = (t for t in reversed(found) if t.lower_ in ("what", "how", "which") or t.i + 1 in ends)
    return next(front, None) or next(asking, None)
