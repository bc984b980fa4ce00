"""A sentence as words: the parallel lists every rule walks over, with names and dates marked.

Names are spotted without a model: quotation marks, known titles, and runs of capitalised words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ...core.folding import SIGNS, split_qualifier
from ...core.records import Span
from .lexicon import group

__all__ = ["KnownNames", "NameSpan", "Sentence", "is_verb", "participle", "skip_brackets", "split_words",
           "spot_names", "verbal"]  # fmt: skip

# Abbreviations keep their full stop; initials ("A.B.", "J. R. R.") are one word each. A hyphen that was torn off
# ("Neuilly- sur- Seine") is mended. Plain words, which most are, come first: nothing behind could take them otherwise.
_WORD = re.compile(
    r"[a-z]{2,}+(?![\w’'ʻ‘`&.-]|\s-[a-z])|(?:[^\W\d_]\.){2,}|[A-Z]\.(?=[\s-]|$|[A-Z][a-z])|\b(?:St|Ste|Dr|Mr|Mrs|Ms|Jr|Sr|Lt|Col|Gen|Prof|Rev|Capt|Gov|Sgt|Mt|Ft|Bros|Inc|Ltd|"
    r"Co|Corp|Hon|Sen|Rep)\.|\d+(?:[.,]\d+)*(?!\w|-[a-z])|[^\W_]+(?:[’'ʻ‘`&][^\W_]+)*"
    + SIGNS
    + r"(?:(?:-|-\s(?=[^\W\d_])(?!\w+\s\d)|\s-(?=[a-z]))[^\W_]+(?:[’'][^\W_]+)*)*|\S"
)
_QUOTED = re.compile(r"[“\"«„]\s*([^“”\"«»„]{1,120}?)\s*[,.;:]?\s*[”\"»]")
_OWNING = ("'s", "’s")
# A sentence as one letter a word: C is a capital, B a capital that ends the names of bodies, A a prize, S an owner
# ("Hesk's"), T a capital that ends the names of bodies with a subject ("Academy of Arts"), I a capital that begins no
# name, x one that describes ("New York-based"), p a particle, j what a comma may stand before.
_LETTERS = dict.fromkeys(("jr", "sr", "inc", "ltd", "llc", "d.c"), "j")
_LETTERS |= {"of": "o", "the": "t", "an": "n", "for": "f", "&": "&", ",": ",", "and": "a"}
_PRIZES = frozenset({"award", "prize", "medal"})
_WITH_SUBJECT = frozenset({"academy", "association", "board", "college", "commission", "committee", "council",
                           "department", "faculty", "federation", "institute", "ministry", "school", "society"})
# "Ludwig van Beethoven", "Torn an der Hesk", "Hesk Award for Best Film", "School of Law, Arts and Music", but not "X of
# the Civic Union".
_NAME = re.compile(
    r"(?>[CBAT](?:(?<=T)ot?[CBI]+(?:,[CBI]+)*,?a[CBI](?![CBAIT])|"
    r"(?:(?!ot[CBAIT]+[BT](?![CBAIT]))n?[pot]{1,3}|&|(?<=A)f)?[CBAIT]|,?j)*(?:n?[pot]{0,3}S)?|S)(?!x)"
)


@dataclass(slots=True)
class NameSpan:
    """A name in a sentence: words ``first`` to ``last`` (exclusive), characters ``start`` to ``end`` of the section."""

    first: int
    last: int
    start: int
    end: int
    quoted: bool = False
    known: bool = False  # as some document's title
    possessive: bool = False  # followed by 's


@dataclass(slots=True)
class Sentence:
    """Words of one sentence; positions are those of the section's text."""

    text: str
    span: Span
    starts: list[int]
    ends: list[int]
    words: list[str]
    lower: list[str]
    mention_at: dict[int, NameSpan] = field(default_factory=dict)
    dates: dict[int, tuple[int, int, int]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.words)

    def word(self, index: int) -> str:
        """The lower-case word at ``index``; "" outside the sentence."""
        return self.lower[index] if 0 <= index < len(self.lower) else ""

    def index(self, position: int) -> int:
        """The first word that starts at or behind ``position``."""
        return bisect_left(self.starts, position)

    def slice(self, first: int, last: int) -> str:
        """The section's text from word ``first`` to word ``last`` (exclusive)."""
        return self.text[self.starts[first] : self.ends[last - 1]]

    def named(self) -> list[NameSpan]:
        """The names in the order of the text."""
        return [mention for at, mention in sorted(self.mention_at.items()) if mention.first == at]

    def date(self, spans: Iterable[tuple[int, int]]) -> None:
        """Record dates: characters of the section's text."""
        for start, end in spans:
            first = self.index(start)
            last = max(self.index(end), first + 1)
            self.dates.update((index, (start, end, last)) for index in range(first, min(last, len(self))))

    def add(self, mention: NameSpan) -> None:
        """Record a name; the words it covers belong to it alone."""
        self.mention_at.update(dict.fromkeys(range(mention.first, mention.last), mention))


def split_words(text: str, span: Span | None = None) -> Sentence:
    """Split one sentence of a section into words, or a whole text."""
    span = span or Span(0, len(text))
    found = list(_WORD.finditer(text, span.start, span.end))
    words = [match.group() for match in found]
    lower = [w.lower() if "-" not in w else w.lower().replace("- ", "-").replace(" -", "-") for w in words]
    return Sentence(text, span, [match.start() for match in found], [match.end() for match in found], words, lower)


class KnownNames:
    """Titles of documents, found in text even where they hold lower-case words ("The Prince and the Pauper")."""

    def __init__(self) -> None:
        self._by_beginning: dict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)

    def add(self, titles: Iterable[str]) -> None:
        """Add titles; a bracketed qualifier is left off, a title of one word needs no entry."""
        for base, _ in map(split_qualifier, titles):
            for name in {base, base.rpartition(" of ")[2]}:  # "Earl of Vell and Hesk": the lands are one name
                words = tuple(split_words(name).words)
                if any(word[0].isupper() for word in words[1:]) and (name == base or words[1:2] == ("and",)):
                    self._by_beginning[words[:2]].add(words)

    def longest(self, words: list[str], first: int) -> int:
        """Return the number of words of the longest known title at ``first``; 0 for none."""
        titles = self._by_beginning.get(tuple(words[first : first + 2]), ())
        return max((len(title) for title in titles if tuple(words[first : first + len(title)]) == title), default=0)


def spot_names(sentence: Sentence, known: KnownNames) -> None:
    """Mark the names of a sentence on it; those in quotation marks start like a name, as most of their words do."""
    for match in _QUOTED.finditer(sentence.text, sentence.span.start, sentence.span.end):
        (start, end), words = match.span(1), match[1].lstrip("¿¡'‘( ").split()
        capitals = [word for word in words if not word[0].islower()]
        first, last = sentence.index(start), sentence.index(end)
        whole = first < last and sentence.starts[first] == start and sentence.ends[last - 1] == end
        if whole and capitals[:1] == words[:1] != [] and 3 * len(capitals) >= len(words):
            sentence.add(NameSpan(first, last, start, end, quoted=True))
    letters = [_letter(sentence, at) for at in range(len(sentence))]
    titles = {at: known.longest(sentence.words, at) for at in range(len(sentence)) if at not in sentence.mention_at}
    for at, size in titles.items():
        letters[at : at + size] = "C" * size
    for found in _NAME.finditer("".join(letters)):
        first, last = found.span()
        torn = sentence.words[last - 1][-2:] in _OWNING and not titles[first]
        possessive = torn or sentence.word(last) in ("'", "’", *_OWNING)  # also torn off: "Jon' s"
        span = sentence.starts[first], sentence.ends[last - 1] - 2 * torn
        sentence.add(NameSpan(first, last, *span, known=bool(titles[first]), possessive=possessive))


def _letter(sentence: Sentence, at: int) -> str:
    """The letter that stands for a word where names are looked for."""
    word, lower = sentence.words[at], sentence.lower[at]
    if at in sentence.dates or at in sentence.mention_at:
        return " "
    elided = len(word) > 2 and word[0] in "dl" and word[1] in "'’"  # "Jeanne d'Arc"
    plain = "j" if elided else _LETTERS.get(lower.rstrip("."), "p" if lower in group("particles") else " ")
    if not word[0].isupper():
        bound, _, rest = lower.partition("-")
        article = bool(rest) and bound in group("particles") and word[-len(rest.strip()) :][:1].isupper()
        return "C" if article else plain  # "al-Mansur"
    if plain == "j":
        return plain
    if word[-2:] in _OWNING:
        return "C" if _names_by_owner(sentence, at) else "S"
    last = word.rpartition("-")[2]
    if last.islower() and (last.endswith("ed") or last in ("born", "built", "held", "led", "run")):
        return "x"
    if not _can_start(sentence, at):
        return "I"
    if lower in _WITH_SUBJECT:
        return "T"
    return "B" if lower in group("organisation_words") else "A" if lower in _PRIZES else "C"


def _names_by_owner(sentence: Sentence, at: int) -> bool:
    """Whether a word with 's is a part of a name: "St. Odo's College", "the Knight's Cross"; not "the BBC's Tales"."""
    before, stem, behind = sentence.word(at - 1), sentence.lower[at][:-2], [*sentence.words[at + 1 : at + 3], "", ""]
    body = behind[0].lower() in _WITH_SUBJECT | group("organisation_words")
    alone = not behind[1][:1].isupper() and behind[1] not in ("of", "for")  # not "Hesk's College of Arts"
    named = before in ("st.", "st", "saint") or (before == "the" and at > 1)
    owned = behind[0][:1].isupper() and sentence.words[at][1].islower()
    return owned and (named or (body and (alone or stem in group("titles"))))


def _can_start(sentence: Sentence, index: int) -> bool:
    """Whether a capitalised word begins a name rather than a sentence."""
    capital = index + 1 < len(sentence) and sentence.words[index + 1][0].isupper()
    before = sentence.words[index - 1] if index else "."
    return sentence.lower[index] not in group("initial") or (capital and before not in '."“•:;–—(')


def is_verb(sentence: Sentence, index: int) -> bool:
    """Whether the word at ``index`` is a finite verb as far as its form tells."""
    word = sentence.word(index)
    regular = word.endswith("ed") and len(word) > 4 and sentence.word(index + 1) != "by"
    return word.isalpha() and sentence.words[index].islower() and (regular or word in group("finite"))


def verbal(word: str) -> bool:
    """Whether a word is a form of a verb."""
    return participle(word) or word in group("finite")


def participle(word: str) -> bool:
    """Whether a word looks like a participle, and is no "king"."""
    formed = word.endswith("ed") or (word.endswith("ing") and len(word) > 4)
    return formed or word.removeprefix("co-") in group("irregular_participles")


def skip_brackets(sentence: Sentence, index: int) -> int:
    """Step over a bracketed remark at ``index``."""
    depth = 0
    for at in range(index, min(index + 60, len(sentence))):
        depth += (sentence.words[at] in "([") - (sentence.words[at] in ")]")
        if depth <= 0:
            return at + (at > index)
    return index
