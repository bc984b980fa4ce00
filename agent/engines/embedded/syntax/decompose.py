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
from typing import TYPE_CHECKING

from ..plan import OpenStep, Term
from ..vocabulary.lexicon import listed
from ..vocabulary.wordlists import ARTICLES, QUESTIONING
from ..vocabulary.words import GAP, Word, written
from .tree import NOUNS, Parser, spelled_out, subtree

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

__all__ = ["Decomposer"]

Read = Callable[[OpenStep], Term | OpenStep]

_STEPS = 8  # phrases of one question that are found first, or words put in
_IMPERATIVE = re.compile(
    r"^(?:(?:name|give|find|state|identify|tell me) "
    r"|(?:(?:.*\b(?:but|and) )?(?:what|which|who)(?: (?!is\b|was\b)[\w-]+)* (?:is|was|are|were) )?"
    r"(?:(?:the )?names? of )?)\{0\}\W*$",
    re.IGNORECASE,
)
"""What asks for nothing but the thing itself: "Name {0}", "What country is {0}?", "It sank, but what is {0}?"."""
_BARE = re.compile(
    r"^(?:(?:in|at|on|from|to|of|for|with|by|into|through|under) )?"
    r"(?:(?:who|what|which|when|where)(?: \w+){0,3}|how(?: much| many)?) "
    r"(?:is|was|are|were|did|does|do) \{0\}\W*$",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(r"^(?:when|how|.* (?:did|does|do) \{0\})", re.IGNORECASE)
"""What cannot be asked of a thing without another word: "when was X"."""
_TOPIC = re.compile(
    r"^(?P<said>(?:the|an?|there (?:is|are|was|were)|[^?:,]*\w['’]s)\b[^?]+?)"
    rf"(?:[.:]|,(?= (?:\w+ )?(?:{'|'.join(QUESTIONING)})\b)) (?P<asked>[^.:]+\?)$",
    re.IGNORECASE,
)
"""What is told of a thing before it is asked about: "The filter of NAME: who wrote it?"."""
_TWO = re.compile(r"^(?P<said>[^?]+?[.:]) (?P<asked>(?:[^\s.:?]+ ){2}(?:[^.:?]|\.(?=\w))+\?)$")
"""Something is said, and then it is asked about: "One file says what may pass. Which option ignores it?"."""
_BACK = re.compile(
    r"\b(?:it|its|he|she|his|her|him|they|their|them|there|(?:th(?:at|is|ose|ese)|the same) \w+)\b", re.IGNORECASE
)
_NAMELY = re.compile(r"(?:what|which|who) (?:is|was|are|were) (?:it|its name|he|she|they)(?: called| named)?\?$", re.I)
"""What asks which thing was spoken of: "What is it called?"."""
_SPEAKER = re.compile(r"\b(?:I|my|me|we|our|us)\b", re.IGNORECASE)
_SOMEBODY = frozenset({"someone", "somebody"})
_INTRODUCING = _SOMEBODY | {"a", "an", "one", "another", "some"}
_BE = frozenset({"is", "are", "was", "were", "'s", "be"})
_RELATIVE = QUESTIONING | {"that"}
_CLAUSE = frozenset({"relcl", "acl"})
_PROPER = frozenset({"NNP", "NNPS"})
_CALLED = frozenset({"called", "named", "titled", "entitled"})
_SAID = frozenset({"attr", "nsubj", "dep", "advmod"})
_SUPPORT = {"VBD": "did", "VBZ": "does", "VBP": "do"}
_LINKS = {"from": "is", "in": "is", "with": "has"}


@dataclass(frozen=True, slots=True)
class _Found:
    """A phrase that is found first: its own question, and the question that is left with ``GAP`` in its place."""

    question: Sequence[Word]
    phrase: Sequence[Word]
    left: Sequence[Word]


class Decomposer:
    """Takes questions apart. ``relational`` are nouns of which "the ... of X" names another thing ("birthplace"); that
    is somebody where they are among ``persons`` ("director").

    ``read`` may read a step that is found first in another way.
    """

    def __init__(
        self, parser: Parser, relational: Iterable[str], read: Read = lambda step: step, persons: Iterable[str] = ()
    ) -> None:
        self._parser, self._read = parser, read
        self._relational, self._persons = frozenset(relational), frozenset(persons)

    def plan(self, question: str) -> Term | OpenStep | None:
        """Return a question's steps in its own words, or None where it is one hop already."""
        topic, two = _TOPIC.match(question), _TWO.match(question)
        for match, find in ((topic, self._told_of), (two, self._introduced)):
            if match is not None and (told := find(match["said"], match["asked"])) is not None:
                if _NAMELY.match(match["asked"]):
                    return replace(told, inner=False) if isinstance(told, OpenStep) else told
                return OpenStep(f"{{0}}: {match['asked']}", (told,), (match["said"].rstrip(".:"),))
        words = self._parser.words(question)
        whole = self._reduced(words, [], ()) if words else None
        if whole is None or whole.template == _sentence(words):
            return None
        first = whole.parts[0] if whole.parts and _IMPERATIVE.match(whole.template) else whole
        return replace(first, inner=False) if isinstance(first, OpenStep) else first

    def description(self, question: str) -> tuple[str, str] | None:
        """Return what says which thing a question is about by what is told of it ("the filter of NAME"), and the
        question with ``{0}`` in its place; None where nothing does."""
        if (topic := _TOPIC.match(question) or _TWO.match(question)) is not None:
            return topic["said"], f"{{0}}: {topic['asked']}"
        words = self._parser.words(question)
        tree = self._parser.parse(words) if words else None
        found = _Phrases(tree, words, self._relational, self._persons).description() if tree is not None else None
        if found is None:
            return None
        return written([w.text for w in found[0]]), _sentence([Word("{0}", "gap") if w is GAP else w for w in found[1]])

    def _introduced(self, said: str, asked: str) -> Term | OpenStep | None:
        """The step that finds what a sentence introduces ("has a setting for ...") and the next one refers back to."""
        if _BACK.search(asked) is None or _SPEAKER.search(said):
            return None
        words = self._parser.words(said)
        tree, later = self._parser.parse(words) if words else None, re.findall(r"\w+", asked.lower())
        marks = [t for t in tree or () if t.lower_ in _INTRODUCING and (t.lower_ in _SOMEBODY or t.head.tag_ in NOUNS)]
        mark = next((t for t in marks if t.head.lower_ in later), next(iter(marks), None))
        if mark is None:
            return None
        which = "who" if mark.lower_ in _SOMEBODY else "which"
        question = [Word(which) if n == mark.i else word for n, word in enumerate(words)]
        inner = self._reduced([w for w in question if w.text != "certain"], [], ())
        return self._read(replace(inner, inner=True)) if inner is not None else None

    def _told_of(self, said: str, _: str) -> Term | OpenStep | None:
        """The step that finds the thing of which something is told before it is asked about."""
        words = self._parser.words(said)
        tree = self._parser.parse(words) if words else None
        phrase = _Phrases(tree, words, self._relational, self._persons).found() if tree is not None else None
        if phrase is None or not phrase.question:
            return None
        inner = self._reduced(phrase.question, [], ())
        return self._read(replace(inner, inner=True)) if inner is not None else None

    def _reduced(self, words: Sequence[Word], found: Sequence[Term | OpenStep], said: Sequence[str]) -> OpenStep | None:
        """Take one phrase after the other out of a question; None where there is no parser. ``found`` are the steps of
        the gaps that it has already, ``said`` their words."""
        for _ in range(_STEPS):
            tree = self._parser.parse(words)
            if tree is None:
                return None
            full = spelled_out(tree, words)
            if full is not None:
                words = full
                continue
            phrase = _Phrases(tree, words, self._relational, self._persons).found()
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
    """Finds in a tree what must be found first. ``relational`` nouns name a thing by its relation to another."""

    def __init__(
        self, tree: Doc, words: Sequence[Word], relational: frozenset[str], persons: frozenset[str]
    ) -> None:
        self._tree, self._words, self._relational, self._persons = tree, words, relational, persons
        self._asked = _question_word(tree)

    def found(self) -> _Found | None:
        """The clause around a question word deep inside, else the shortest phrase that stands for something."""
        turned = self._turned(self._asked) if self._asked is not None and self._asked.i > 1 else None
        return turned or next(self._described(), None)

    def description(self) -> tuple[list[Word], list[Word]] | None:
        """The shortest phrase that more than adjectives describe, behind "the" or a name's "'s"."""
        for noun, covered in self._nouns():
            owned = any(c.dep_ == "poss" and self._is_anchor(c) for c in noun.lefts)
            if owned or (_article(noun) == "the" and covered[-1].i > noun.i + 1):
                left = self._left(covered)
                text = written([w.text for w in left]).replace("{}", "{0}")
                return None if _BARE.match(text) and _UNFINISHED.match(text) else (self._take(covered), left)
        return None

    def _take(self, tokens: Iterable[Token]) -> list[Word]:
        return [self._words[token.i] for token in tokens]

    def _nouns(self) -> Iterator[tuple[Token, list[Token]]]:
        """The nouns that may stand for a thing to be found first, with their phrases, the shortest first."""
        nouns = ((noun, self._covered(noun)) for noun in self._tree if self._is_common(noun))
        for noun, covered in sorted(nouns, key=lambda each: len(each[1])):
            if self._asked not in covered and not self._is_asked(noun) and self._named(noun) is None:
                yield noun, covered

    def _described(self) -> Iterator[_Found]:
        for noun, covered in self._nouns():
            kept = self._with_predicate(noun, covered)
            found = (self._of_clause(noun, kept) or self._of_relation(noun, kept)) if kept else None
            if found is not None:
                question, end = found
                kept = kept[: kept.index(end) + 1]
                yield _Found(question, self._take(kept), self._left(kept))

    def _left(self, covered: Sequence[Token]) -> list[Word]:
        return [*self._words[: covered[0].i], GAP, *self._words[covered[-1].i + 1 :]]

    def _covered(self, noun: Token) -> list[Token]:
        """A noun phrase's tokens without the punctuation at its end."""
        end = noun.right_edge.i
        while self._tree[end].tag_ in (",", ".", ":", "''", "``", "CC"):
            end -= 1
        return [*self._tree[noun.left_edge.i : end + 1]]

    def _with_predicate(self, noun: Token, covered: list[Token]) -> list[Token]:
        """Give words at a phrase's end back to a question that has no predicate of its own ("was the school that X
        attended | founded"); nothing, where it still has none."""
        text = written([w.text for w in self._left(covered)]).replace("{}", "{0}")
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
        elif noun.lower_ in listed("persons"):
            front, label = ["who"], []
        own = list["Token"]()
        if not verb:  # a question has its auxiliary before its subject: "in which city | was | X born"
            own = [t for t in rest if t.head == clause and t.dep_ in ("aux", "auxpass")][:1]
            own = own or ([clause] if clause.lower_ in _BE else [])
            rest = [*own, *(t for t in rest if t not in own)]
        asked = self._take(rest)
        support = _SUPPORT.get(clause.tag_) if front != ["who"] and not verb and not own else None
        subject = _subject(clause)
        if support and subject is not None and subject.lower_ not in _RELATIVE and subject.i < clause.i:
            bare = [t for t in (clause, *clause.conjuncts) if t.tag_ == clause.tag_]
            asked = [Word(support), *(Word(t.lemma_) if t in bare else self._words[t.i] for t in rest)]
        return [*map(Word, front), *label, *map(Word, verb), *asked, *self._take(tail)], covered[-1]

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

    def _turned(self, asked: Token) -> _Found | None:
        """ "X was published by a house that is based where?" as "which house", and where that is based."""
        links = [t for t in asked.ancestors if self._splits(t, asked)]
        link = next((t for t in reversed(links) if t.dep_ in _CLAUSE or t == links[0]), None)
        if link is None:
            return None
        inside, noun = subtree(link), link.head
        name = self._named(noun)
        if name is not None:
            return _Found((), (), self._opened(link, inside, self._take(name)))
        kept = [t for t in self._tree if t not in inside]
        if not any(map(self._is_anchor, kept)):
            return None
        below = subtree(noun)
        first = below[0]
        which = [Word("which")] if first.lower_ in ARTICLES else [Word("which"), self._words[first.i]]
        question = [word for t in kept for word in (which if t == first else [self._words[t.i]])]
        return _Found(question, self._take(t for t in below if t in kept), self._opened(link, inside, [GAP]))

    def _splits(self, token: Token, asked: Token) -> bool:
        """Whether a clause, or a phrase such as "in which land", hangs on a noun that can be asked for first."""
        noun = token.head
        named = self._named(noun) is not None
        kind = token.dep_ in _CLAUSE and _article(noun) in ("a", "an")  # "a U.S. Senator who"
        if noun.i >= token.i or not (noun.tag_ in NOUNS or named or kind):
            return False
        if token.dep_ in _CLAUSE:
            return any(t.tag_[:2] in ("VB", "MD") for t in subtree(token) if t.i < asked.i)
        articled = _article(noun) in ("a", "an", "the")
        return token.lower_ in _LINKS and token.dep_ == "prep" and articled and (noun.dep_ == "pobj" or named)

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
        after = [t.lower_ for t in self._tree[noun.i + 1 : noun.i + 3]]
        relative = after[:1] in (["who"], ["which"], ["that"]) or after[1:] in (["whom"], ["which"])
        return noun.tag_ in NOUNS or (noun.tag_ in _PROPER and relative and _article(noun) == "the")

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
        if named or role or self._relational.isdisjoint(words):
            return ""
        return "what" if self._persons.isdisjoint(words) else "who"


def _article(noun: Token) -> str:
    """The article or pronoun before a noun."""
    return next((c.lower_ for c in noun.lefts if c.dep_ == "det"), "")


def _subject(verb: Token) -> Token | None:
    """The last subject of a verb: behind a relative that is one itself the other one."""
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
