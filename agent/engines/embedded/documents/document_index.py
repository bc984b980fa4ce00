"""The documents that have chapters, and how a question names them: by title, or by part number.

Collections of look-alike documents differ in little but these names (HiQA, introduction); an answer must come from the
document that is named.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING

from .....cubes.core.folding import fold, words
from .....cubes.documents.folders import READABLE
from ...encoders.minilm import is_word
from ..vocabulary.wordlists import ARTICLES, CLAUSAL, QUESTIONING
from .wording import Likeness, lexicon, stem_of

if TYPE_CHECKING:
    from .....cubes.knowledge.base import KnowledgeBase
    from .....cubes.store.database import DocumentInfo

__all__ = ["DocumentIndex", "DocumentMention", "DocumentRef", "build_document_index", "file_names", "part_numbers"]

_PART = re.compile(r"(?<![\w-])(?=[\w./-]*\d)(?=[\w./-]*[A-Z])[A-Za-z0-9]\w*(?:\s?-\s?\w+|[./]\w+)*(?!\w)")
_NAMED = r"[\"“'‘]?(?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+){0,3})"
_ALIAS = re.compile(rf"\b(?:known|called|sold|marketed|referred to)(?: (?:as|under|by|the|name))*\s+{_NAMED}")
_SERIES = re.compile(rf"\bthe {_NAMED}[\"”'’]? (?:series|family|line|range)\b")
_OPENING_SECTIONS, _OPENING_CHARS = 8, 6_000
_MEASURED = re.compile(r"\d+(?:[.,]\d+)?-?[A-Za-zµ]+(?:/[A-Za-z]+)?")
_NO_NAME = CLAUSAL | QUESTIONING | ARTICLES
_JOINING = frozenset({"of", "for", "from", "in", "s", "the", "file"})
_LONGEST = 8  # words of a name
_SHORT = 3  # letters of a name that stands alone


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """A document with chapters. ``name`` is what sub-questions call it: its part number, or its title."""

    id: str
    title: str
    name: str
    source: str = ""

    @property
    def parts(self) -> list[str]:
        """Its part numbers."""
        return part_numbers(f"{self.title} ; {self.name}")


@dataclass(frozen=True, slots=True)
class DocumentMention:
    """Where a question names documents: characters ``start`` to ``end``; several where the name is of several."""

    start: int
    end: int
    text: str
    refs: tuple[DocumentRef, ...]

    @property
    def name(self) -> str:
        """What a sub-question calls it: its part number, its title where that lacks the question's words, or these."""
        ref = self.refs[0]
        own = len(self.refs) > 1 or (ref.name == ref.title and f" {fold(self.text)} " in f" {fold(ref.title)} ")
        return self.text if own else ref.name

    def each(self) -> tuple[DocumentMention, ...]:
        """Return one mention for each of its documents: a series is named, its members are asked about."""
        return tuple(replace(self, refs=(ref,), text=ref.name) for ref in self.refs)


class DocumentIndex:
    """Knows the documents of a knowledge base by their names.

    ``documents`` are (id, title, source) of the documents that have chapters, ``among`` says of how many documents;
    ``others`` are files without chapters, which only the names of their files name.
    ``opening`` returns the beginning of one's text, which may tell what else its thing is called, and of which series;
    ``likeness`` compares a text with others by meaning, ``is_word`` says whether English has a word.
    """

    def __init__(
        self,
        documents: Iterable[tuple[str, str, str]] = (),
        among: int = 0,
        opening: Callable[[str], str] = lambda _: "",
        likeness: Likeness | None = None,
        others: Iterable[tuple[str, str, str]] = (),
        is_word: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self.refs = _refs(documents)
        self._others = tuple(DocumentRef(id, title, title, source) for id, title, source in others)
        self._among, self._opening, self.likeness, self._is_word = among, opening, likeness, is_word

    @property
    def prevails(self) -> bool:
        """Whether most documents have chapters, so that a question which names none is about them as well."""
        return 2 * len(self.refs) > self._among

    @cached_property
    def alike(self) -> bool:
        """Whether documents are of one kind, as data sheets are: half of the titles share a word or have part numbers,
        and two at least.

        Only of these a question may ask by "product" or "model", or of several by a part of their titles.
        """
        shared = Counter(stem for ref in self.refs for stem in {stem_of(word) for word in words(ref.title)})
        most = max((*shared.values(), sum(bool(ref.parts) for ref in self.refs)), default=0)
        return most > 1 and 2 * most >= len(self.refs)

    @cached_property
    def things(self) -> frozenset[str]:
        """Stems of nouns by which a question may speak of all the documents' things."""
        heads = Counter(stem_of(run[-1]) for ref in self.refs for run in _runs_of(ref.title))
        shared = {stem for stem, n in heads.items() if n > 1 and 2 * n >= len(self.refs) and stem.isalpha()}
        return lexicon().things | shared if self.alike else frozenset(shared)

    def mentions(self, text: str) -> list[DocumentMention]:
        """Return what a text names of the documents, in order; longer names win over those inside of them."""
        found: list[DocumentMention] = []
        for mention in sorted(self._named(text), key=lambda m: (m.start - m.end, m.start)):
            if all(mention.end <= other.start or mention.start >= other.end for other in found):
                found.append(mention)
        return sorted(found, key=lambda m: m.start)

    def _named(self, text: str) -> Iterator[DocumentMention]:
        """Every run of words that names documents; the sentence gives its first word a capital."""
        tokens = list(re.finditer(r"[^\W_]+(?:['’](?!s\b)[^\W_]+)*", text))
        for n, first in enumerate(tokens):
            for m, last in enumerate(tokens[n : n + _LONGEST]):
                name = text[first.start() : last.end()]
                spelt = any(c.isupper() or c.isdigit() for c in name) or (m > 0 and " " not in name)
                refs = self._meant(name, text, spelt=spelt and n + m > 0)
                if refs and _JOINING.isdisjoint((first[0].lower(), last[0].lower())):
                    yield DocumentMention(first.start(), last.end(), name, refs)

    def _meant(self, name: str, text: str, *, spelt: bool) -> tuple[DocumentRef, ...]:
        """The documents that a name is of; of several those whose titles hold most of the other words asked: a year."""
        key = _key(name)
        if free := self._free.get(key):
            return free
        fits = [(len(set(words(text)) & set(words(ref.title))), ref) for ref in self._spelt.get(key, ()) if spelt]
        return tuple(ref for fit, ref in fits if fit == max(fits, key=lambda each: each[0])[0])

    @cached_property
    def _free(self) -> dict[str, tuple[DocumentRef, ...]]:
        """Names in any spelling: part numbers, words that English does not have, and files of which one is called so.

        A file without chapters has no other name.
        """
        called = [(name, ref) for ref in self.refs for name in (ref.title, PurePath(ref.source).stem) if name.isalpha()]
        coined = ((name, ref) for name, ref in called if len(name) > _SHORT and not self._is_word(name.lower()))
        files = _table((name, ref) for ref in (*self.refs, *self._others) for name in file_names(ref.source))
        own = _table((_key(name), ref) for name, ref in (*coined, *((p, r) for r in self.refs for p in r.parts)))
        return {name: refs for name, refs in files.items() if len(refs) == 1} | own

    @cached_property
    def _spelt(self) -> dict[str, tuple[DocumentRef, ...]]:
        """Names that must have a capital: titles, runs of them that are in few titles, and what beginnings tell.

        One word of a longer title names a document only among those of one kind: of "python-dotenv" Python is none.
        """
        openings = [(ref, self._opening(ref.id)) for ref in self.refs]
        called = ((m["name"], ref) for ref, text in openings for says in (_ALIAS, _SERIES) for m in says.finditer(text))
        told = _table((_key(name), ref) for name, ref in called if not part_numbers(name))
        runs = _table(("".join(run), ref) for ref in self.refs for run in _names_of(ref.title, alone=self.alike))
        few = {name: refs for name, refs in runs.items() if len(refs) <= max(1, len(self.refs) // 2)}
        whole = _table((_key(ref.title), ref) for ref in self.refs)
        return told | few | {name: refs for name, refs in whole.items() if name in runs}


def build_document_index(kb: KnowledgeBase, documents: Sequence[DocumentInfo]) -> DocumentIndex:
    """Return the shelf of a knowledge base: its documents whose sections stand below headings, and its other files.

    ``documents`` are all of it, which take a while to read.
    """
    chaptered = [d for d in documents if len(d.sections) > 1 and len(kb.section(d.sections[-1]).path) > 1]
    held = {d.id: d.sections[:_OPENING_SECTIONS] for d in chaptered}
    records = Counter(d.source for d in documents)
    others = [d for d in documents if d.id not in held and d.sections and records[d.source] == 1]

    def opening(document_id: str) -> str:
        return "\n".join(kb.section(section).text for section in held[document_id])[:_OPENING_CHARS]

    refs, files = (((d.id, d.title, d.source) for d in some) for some in (chaptered, others))
    return DocumentIndex(refs, len(documents), opening, kb.likeness, files, is_word)


def file_names(source: str) -> Iterator[str]:
    """Yield the keys of what a file may be called: "notes.txt", and a README by its folder, before or behind it."""
    path = PurePath(source)
    if path.suffix and path.stem:
        yield _key(path.name)
    kind, folder = _key(path.stem), words(path.parent.name)
    for name in {"".join(folder[:end]) for end in (1, len(folder)) if folder and READABLE.match(path.stem)}:
        yield from (name + kind, kind + name)


def part_numbers(text: str) -> list[str]:
    """Return what looks like a part number: letters and digits in one word, with a capital, and no amount."""
    found = (match[0] for match in _PART.finditer(text))
    return [part for part in found if len(_key(part)) > _SHORT and not _MEASURED.fullmatch(part)]


def _refs(documents: Iterable[tuple[str, str, str]]) -> tuple[DocumentRef, ...]:
    """The documents, each called by a part number that no other has."""
    found = [(id, title or PurePath(source).stem, source) for id, title, source in documents]
    parts = {id: part_numbers(title) or part_numbers(PurePath(source).stem) for id, title, source in found}
    counts = Counter(key for each in parts.values() for key in {_key(part) for part in each})
    return tuple(
        DocumentRef(id, title, next((part for part in parts[id] if counts[_key(part)] == 1), title), source)
        for id, title, source in found
    )


def _key(text: str) -> str:
    """A name without its spaces, marks and joining words: the same however it is written."""
    return "".join(word for word in words(text) if word not in _JOINING)


def _table(named: Iterable[tuple[str, DocumentRef]]) -> dict[str, tuple[DocumentRef, ...]]:
    found: dict[str, dict[str, DocumentRef]] = defaultdict(dict)
    for key, ref in named:
        found[key][ref.id] = ref
    return {key: tuple(refs.values()) for key, refs in found.items()}


def _names_of(title: str, *, alone: bool) -> Iterator[tuple[str, ...]]:
    """The whole title, and the runs of its words between those that say what kind of a document it is.

    ``alone`` says that one word of several may be a name.
    """
    yield tuple(word for word in words(title) if word not in _JOINING)
    for run in _runs_of(title):
        for end in range(len(run), 0, -1):
            long = end > 1 or (alone and len(run[0]) > _SHORT and not run[0].isdigit())
            if long and not _NO_NAME.issuperset(run[:end]):  # "What is", of a page with that title
                yield tuple(run[:end])


def _runs_of(title: str) -> list[list[str]]:
    """The runs of a title's words between those that say what kind of a document it is, and years."""
    kinds = lexicon().kinds
    breaks = ["", *words(title), ""]
    at = [n for n, word in enumerate(breaks) if not word or word in kinds or (word.isdigit() and len(word) == 4)]
    return [breaks[a + 1 : b] for a, b in pairwise(at) if b > a + 1]
