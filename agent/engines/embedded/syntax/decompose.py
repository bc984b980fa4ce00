"""Reading a question by its syntax: which of its phrases are themselves one-hop questions (eq. 10-11).

A phrase such as "the institute that owned X", "the performer of X" or "X's birthplace" stands for something that must
be found first. The innermost one becomes a subquery of its own, a gap takes its place, and the shorter question is
parsed anew, until no such phrase is left. A question word deep inside a phrase ("a house that is based where?") turns
the order round: first which house, then where it is based.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from .....cubes.core.sentences import sentences
from ..plan import OpenStep, Term
from ..vocabulary.question_forms import in_full
from ..vocabulary.wordlists import AUXILIARIES, QUESTIONING
from ..vocabulary.words import GAP, Word, written
from .phrases import Phrases
from .tree import Parser, spelled_out

__all__ = ["Decomposer", "Description"]

Read = Callable[[OpenStep], Term | OpenStep]

_STEPS = 8  # phrases of one question that are found first, or words put in
_IMPERATIVE = re.compile(
    r"^(?:(?:name|give|find|state|identify|tell me) (?:(?:the )?(?:full )?names? of )?"
    r"|(?:(?:.*\b(?:but|and) )?(?:what|which|who)(?: (?!is\b|was\b)[\w-]+)* (?:is|was|are|were) )?"
    r"(?:(?:the )?names? of )?)\{0\}\W*$",
    re.IGNORECASE,
)
"""What asks for nothing but the thing itself: "Name {0}", "What country is {0}?", "It sank, but what is {0}?"."""
_TOPIC = re.compile(
    r"^(?P<said>(?:the|an?|that|there (?:is|are|was|were)|[^?:,]{0,200}?\w['’]s)\b[^?]{1,600}?)"
    rf"(?:[.:]|,(?= (?:\w+ )?(?:{'|'.join(QUESTIONING)})\b)) (?P<asked>[^.:]+\?)$",
    re.IGNORECASE,
)
"""What is told of a thing before it is asked about: "The filter of NAME: who wrote it?"."""
_BACK = re.compile(
    r"\b(?:he|she|his|her|him|it|its|they|their|them"
    rf"|(?:that|this|those|these|the same) (?!(?:{'|'.join(AUXILIARIES)}|does)\b)\w+)\b",
    re.IGNORECASE,
)
_PERSONAL = frozenset({"he", "she", "his", "her", "him"})
_SPEAKER = re.compile(r"\b(?:I|my|me|we|our|us)\b", re.IGNORECASE)
_FEWEST = 3  # words of a question that asks something of what was told
_SOME = re.compile(r"\b(?:an?|some|one(?: (?:particular|certain))?) (?P<noun>(?:[\w-]+ ){0,2}[\w-]+)", re.IGNORECASE)
"""What is told of without its name: "one node at Velm woke up"."""
_TOLD = re.compile(r"\{0\}(?:[:,;]| [-–]) (?P<asked>[^{}]+\?)$")  # what is asked of a thing behind its name
_WHOEVER, _PERSON = re.compile(r"(?:^W|\bw)hoever\b(?= [a-z])"), "the person who"
_STAND_IN = "Thing0"  # a name in a gap's place, while a text is taken apart
_OWN = re.compile(r"\b(?:its|his|her|their)\b(?= \w)")


@dataclass(frozen=True, slots=True)
class Description:
    """What is ``said`` of a thing in place of its name, the question that finds it (``asked``), and the question that
    is ``left``, with ``{0}`` for it."""

    said: str
    asked: str
    left: str

    def named(self, name: str) -> str:
        """Return the question with a name in place of the description."""
        return self.left.replace("{0}", name, 1)


class Decomposer:
    """Takes questions apart. ``relational`` are nouns of which "the ... of X" names another thing ("birthplace"); that
    is somebody where they are among ``persons`` ("director").

    ``read`` may read a step that is found first in another way; ``calls_rows`` says whether a noun calls rows of a
    table.
    """

    def __init__(
        self, parser: Parser, relational: Iterable[str], read: Read = lambda step: step, persons: Iterable[str] = (),
        calls_rows: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._parser, self._read, self._calls_rows = parser, read, calls_rows
        self._relational, self._persons = frozenset(relational), frozenset(persons)

    def plan(self, question: str) -> Term | OpenStep | None:
        """Return a question's steps in its own words, or None where it is one hop already."""
        question = _asking(question)
        question = question[:1].upper() + question[1:]
        if (whole := self._told_first(question)) is None:
            words = self._parser.words(question)
            whole = self._reduced(words, [], ()) if words else None
            if whole is None or whole.template == _sentence(words):
                return None
        first = whole.parts[0] if whole.parts and _IMPERATIVE.match(whole.template) else whole
        if not isinstance(first, OpenStep):
            return first
        topic = _TOLD.match(first.template)
        return replace(first, inner=False, template=_pointing(topic["asked"]) if topic else first.template)

    def _told_first(self, question: str) -> OpenStep | None:
        """Read "One node at Velm woke up. Who owns that node?": which row is told of is found first."""
        told = _two(question)
        rows = _SOME.finditer(told.said) if told is not None else ()
        row = next((m for m in rows if any(map(self._calls_rows, m["noun"].lower().split()))), None)
        if told is None or row is None:
            return None
        which = f"{told.said[: row.start()]}which {told.said[row.start('noun') :]}".rstrip(" .:;!-–—")
        step = OpenStep(f"{which[:1].upper()}{which[1:]}?", inner=True)
        left = self._parser.words(told.named(_STAND_IN))
        return self._reduced([Word("{0}", "gap") if w.text == _STAND_IN else w for w in left], [step], [row[0]])

    def description(self, question: str) -> Description | None:
        """Return what says which thing a question is about by what is told of it ("the filter of NAME"); None where
        nothing does."""
        question = _asking(question)
        if (told := _two(question) or _topic(question)) is not None:
            return told
        words = self._parser.words(question)
        tree = self._parser.parse(words) if words else None
        found = Phrases(tree, words, self._relational, self._persons).description() if tree is not None else None
        if found is None:
            return None
        said = written([w.text for w in found[0]])
        left = _sentence([Word("{0}", "gap") if w is GAP else w for w in found[1]])
        return Description(said, _finding(said), left)

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
            phrase = Phrases(tree, words, self._relational, self._persons).found()
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


def _asking(question: str) -> str:
    """A question in full, with its mark; a title in it may end with one, too."""
    asked = in_full(_WHOEVER.sub(_PERSON, question)).rstrip()
    return asked if asked.endswith("?") else f"{asked.rstrip(' .')}?"


def _two(question: str) -> Description | None:
    """What is said before a question that refers back to it: "One file says it. Who wrote it?"."""
    parts = sentences(question)
    said, asked = (question[: parts[-1].start].strip(), question[parts[-1].start :]) if parts else ("", "")
    back = _BACK.search(asked)
    word = back[0].lower() if back is not None else ""
    few = len(asked.split()) < _FEWEST or not asked.endswith("?")
    if not said or few or back is None or "?" in said or (" " not in word and _SPEAKER.search(said)):
        return None
    which = f"Which {word.split()[-1]}" if " " in word else "Who" if word in _PERSONAL else "What"
    return Description(said, f"{said} {which} is that?", _pointing(asked))


def _topic(question: str) -> Description | None:
    """What is told of a thing before it is asked about: "The filter of NAME: who wrote it?"."""
    topic = _TOPIC.match(question)
    if topic is None:
        return None
    said = f"{topic['said'][:1].lower()}{topic['said'][1:]}"
    return Description(said, _finding(said), _pointing(topic["asked"]))


def _finding(said: str) -> str:
    """The question for what is described: "the person who wrote it"."""
    return f"Who{said[len(_PERSON) :]}?" if said.startswith(f"{_PERSON} ") else f"What is the name of {said}?"


def _pointing(asked: str) -> str:
    """A question with ``{0}`` for the word that points back, or in front of it: "who wrote {0}?"."""
    back = _BACK.search(asked)
    if back is None:
        return f"{{0}}: {asked}"
    gap = "{0}'s" if _OWN.match(asked, back.start()) else "{0}"
    return f"{asked[:1].upper()}{asked[1 : back.start()]}{gap}{asked[back.end() :]}"


def _sentence(words: Sequence[Word]) -> str:
    """Words as a question: a capital in front, one question mark behind."""
    text = written([word.text for word in words]).rstrip(" ?.!,;:")
    return f"{text[:1].upper()}{text[1:]}?"
