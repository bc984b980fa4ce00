"""The documents that have chapters, and how a question names them: by title, or by part number.

Collections of look-alike documents differ in little but these names (HiQA, introduction); an answer must come from the
document that is named.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING

from .....cubes.core.folding import fold, words
from .....cubes.documents.folders import READABLE
from ...encoders.minilm import is_word
from ..plan import Things
from ..vocabulary.wording import Likeness, listed, longest_runs, stem_of
from ..vocabulary.wordlists import ARTICLES, CLAUSAL, QUESTIONING

if TYPE_CHECKING:
    from .....cubes.knowledge.base import KnowledgeBase
    from .....cubes.store.database import DocumentInfo

__all__ = ["DocumentIndex", "DocumentMention", "DocumentRef", "build_document_index", "part_numbers"]

_PART = re.compile(r"(?<![\w-])(?=[\w./-]*\d)(?=[\w./-]*[A-Z])[A-Za-z0-9]\w*(?:\s?-\s?\w+|[./]\w+)*(?!\w)")
_MEASURED = re.compile(r"\d+(?:[.,]\d+)?-?[A-Za-zµ]+(?:/[A-Za-z]+)?")
_NAMED = r"[\"“'‘]?(?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+){0,3})"
_ALIAS = re.compile(rf"\b(?:known|called|sold|marketed|referred to)(?: (?:as|under|by|the|name))*\s+{_NAMED}")
_SERIES = re.compile(rf"\bthe {_NAMED}[\"”'’]? (?:series|family|line|range)\b")
_OPENING_SECTIONS, _OPENING_CHARS = 8, 6_000
_OUTLINE = 40  # sections of a document whose headings are looked at
_TOKEN = re.compile(r"[^\W_]+(?:['’](?!s\b)[^\W_]+)*")
_BEGAN, _GOES_ON = re.compile(r"\w-\Z"), re.compile(r"-\w")  # a compound before and behind a part of it
_NO_NAME = CLAUSAL | QUESTIONING | ARTICLES
_JOINING = frozenset({"of", "for", "from", "in", "s", "the", "file"})
_SHORT = 3  # letters of a name that stands alone
# What stands around a document's name: "settings in the Brindle manual"
_BEFORE = re.compile(r"\s*\b(?:in|of|from|for|by|with|at|does|do)\s+(?:(?:the|our|your)\s+)?$", re.IGNORECASE)
_BEHIND = re.compile(r"^(?:['’]s?)?(?:\s+(?:manual|guide|handbook|documentation|reference)\b)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """A document with chapters. ``name`` is what sub-questions call it: its part number, or its title."""

    id: str
    title: str
    name: str
    source: str = ""


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


class DocumentIndex:
    """Knows the documents of a knowledge base by their names.

    ``documents`` are (id, title, source) of the documents that have chapters, ``among`` says of how many documents;
    ``others`` are files without chapters, which only the names of their files name. ``opening`` returns the beginning
    of one's text, which may tell what else its thing is called, and ``headings`` its headings.
    ``is_word`` says whether English has a word.
    """

    def __init__(
        self,
        documents: Iterable[tuple[str, str, str]] = (),
        among: int = 0,
        opening: Callable[[str], str] = lambda _: "",
        likeness: Likeness | None = None,
        others: Iterable[tuple[str, str, str]] = (),
        is_word: Callable[[str], bool] = lambda _: True,
        headings: Callable[[str], Iterable[str]] = lambda _: (),
    ) -> None:
        self.refs = _refs(documents)
        self._others = tuple(DocumentRef(id, title, title, source) for id, title, source in others)
        self._among, self._opening, self._headings = among, opening, headings
        self.likeness, self._is_word = likeness, is_word

    @property
    def prevails(self) -> bool:
        """Whether most documents have chapters, so that a question which names none is about them as well."""
        return 2 * len(self.refs) > self._among

    @cached_property
    def alike(self) -> bool:
        """Whether documents are of one kind, as data sheets are: half of the titles, and two, have part numbers, or
        share a word, and as many documents share three headings. A house's name in its titles makes no data sheets of
        its papers. Only of these a question may ask by "product" or "model", or of several by a part of their titles.
        """
        telling = ({*words(ref.title)} - CLAUSAL - ARTICLES - {"and"} for ref in self.refs)
        shared = self._most(set(map(stem_of, told)) - listed("numbered") for told in telling)
        numbered = self._most([1] if part_numbers(ref.title) else () for ref in self.refs)
        return bool(numbered) or (bool(shared) and len(self._most({*self._headings(ref.id)} for ref in self.refs)) > 2)

    def _most(self, told: Iterable[Iterable[object]]) -> list[object]:
        """What half of the documents have, and two."""
        counts = Counter(each for one in told for each in one)
        return [each for each, count in counts.items() if count > 1 and 2 * count >= len(self.refs)]

    @cached_property
    def things(self) -> frozenset[str]:
        """Stems of nouns by which a question may speak of all the documents' things."""
        heads = Counter(stem_of(run[-1]) for ref in self.refs for run in _runs_of(ref.title))
        shared = frozenset(stem for stem, n in heads.items() if n > 1 and 2 * n >= len(self.refs) and stem.isalpha())
        return listed("things") | shared if self.alike else shared

    @cached_property
    def own(self) -> frozenset[str]:
        """The ids of documents about a thing of their own, not pages of one manual: their titles have a word that
        English lacks and that few others have."""
        told = {ref.id: set(words(ref.title)) for ref in (*self.refs, *self._others)}
        counts = Counter(word for each in told.values() for word in each)
        few = {word for word, n in counts.items() if n <= max(2, len(told) // 4) and word.isalpha()}
        coined = {word for word in few if not self._is_word(word)}
        return frozenset(id for id, each in told.items() if not coined.isdisjoint(each))

    def mentions(self, text: str) -> list[DocumentMention]:
        """Return what a text names of the documents, in order; longer names win over those inside of them.

        Of several documents called the same, those are meant whose titles hold most of the other words: a year.
        """
        tokens, asked = list(_TOKEN.finditer(text)) if self._names else [], set(words(text))

        def meant(start: int, end: int) -> tuple[DocumentRef, ...]:
            name, said = text[start:end], text[start:end].lower().split()
            refs, free = self._names.get(_key(name), ((), False))
            if not refs or not _JOINING.isdisjoint((said[0], said[-1])) or not (free or spelt(name, start)):
                return ()
            if _GOES_ON.match(text, end) or _BEGAN.search(text, 0, start):  # of "AB-20" AB is none
                return ()
            fits = [len(asked & set(words(ref.title))) for ref in refs]
            return tuple(ref for ref, fit in zip(refs, fits, strict=True) if fit == max(fits))

        def spelt(name: str, start: int) -> bool:
            compound = _TOKEN.fullmatch(name) is None
            opens = start == tokens[0].start() and not compound  # the sentence gives its first word a capital
            return not opens and (any(c.isupper() or c.isdigit() for c in name) or (compound and " " not in name))

        return [DocumentMention(start, end, text[start:end], refs) for start, end, refs in longest_runs(tokens, meant)]

    def restricted(self, question: str, read: Callable[[str], Things | None]) -> Things | None:
        """Return what a question asks for without the document that it names, of that document's tables alone; None
        where it does not name just one, or is not read."""
        named = self.mentions(question)
        if len(named) != 1:
            return None
        before, behind = _BEFORE.sub("", question[: named[0].start]), _BEHIND.sub("", question[named[0].end :])
        request, within = read(f"{before} {behind}"), frozenset(ref.id for ref in named[0].refs)
        return replace(request, within=within) if request is not None and not request.unread else None

    @cached_property
    def _names(self) -> Mapping[str, tuple[tuple[DocumentRef, ...], bool]]:
        """The documents of each name, and whether it is one in any spelling, without a capital; later tables count.

        Titles, runs of their words that are in few titles, and what beginnings tell must have a capital; files of which
        one is called so, part numbers and words that English lacks need none. One word of a longer title names a
        document only among those of one kind: of "python-dotenv" Python is none.
        """
        openings = [(ref, self._opening(ref.id)) for ref in self.refs if self.alike]
        told = ((m["name"], ref) for ref, text in openings for says in (_ALIAS, _SERIES) for m in says.finditer(text))
        runs = _table((run, ref) for ref in self.refs for run in _runs_in(ref.title, alone=self.alike))
        few = {name: refs for name, refs in runs.items() if len(refs) <= max(1, len(self.refs) // 2)}
        files = _table((name, ref) for ref in (*self.refs, *self._others) for name in _file_names(ref.source))
        called = [(name, ref) for ref in self.refs for name in (ref.title, PurePath(ref.source).stem) if name.isalpha()]
        coined = ((name, ref) for name, ref in called if len(name) > _SHORT and not self._is_word(name.lower()))
        parts = ((part, ref) for ref in self.refs for part in part_numbers(f"{ref.title} ; {ref.name}"))
        tables = (
            (_table(each for each in told if not part_numbers(each[0])), False),
            (few, False),
            (_table((ref.title, ref) for ref in self.refs), False),
            ({name: refs for name, refs in files.items() if len(refs) == 1}, True),
            (_table((*coined, *parts)), True),
        )
        return {name: (refs, free) for table, free in tables for name, refs in table.items()}


def build_document_index(kb: KnowledgeBase, documents: Sequence[DocumentInfo]) -> DocumentIndex:
    """Return the shelf of a knowledge base: its documents whose sections stand below headings, and its other files.

    ``documents`` are all of it, which take a while to read.
    """
    chaptered = [d for d in documents if len(d.sections) > 1 and len(kb.section(d.sections[-1]).path) > 1]
    held = {d.id: d.sections for d in chaptered}
    records = Counter(d.source for d in documents)
    others = [d for d in documents if d.id not in held and d.sections and records[d.source] == 1]

    def opening(document_id: str) -> str:
        return "\n".join(kb.section(section).text for section in held[document_id][:_OPENING_SECTIONS])[:_OPENING_CHARS]

    def headings(document_id: str) -> Iterator[str]:
        paths = (kb.section(section).path for section in held[document_id][:_OUTLINE])
        return (fold(path[-1]) for path in paths if len(path) > 1)

    refs, files = (((d.id, d.title, d.source) for d in some) for some in (chaptered, others))
    return DocumentIndex(refs, len(records), opening, kb.likeness, files, is_word, headings)


def part_numbers(text: str) -> list[str]:
    """Return what looks like a part number: letters and digits in one word, with a capital, and no amount."""
    found = (match[0] for match in _PART.finditer(text))
    return [part for part in found if len(_key(part)) > _SHORT and not _MEASURED.fullmatch(part)]


def _refs(documents: Iterable[tuple[str, str, str]]) -> tuple[DocumentRef, ...]:
    """The documents, each called by a part number that no other has."""
    found = [(id, title or PurePath(source).stem, source) for id, title, source in documents]
    parts = {id: part_numbers(title) or part_numbers(PurePath(source).stem) for id, title, source in found}
    counts = Counter(key for each in parts.values() for key in {_key(part) for part in each})
    names = {id: next((part for part in each if counts[_key(part)] == 1), "") for id, each in parts.items()}
    return tuple(DocumentRef(id, title, names[id] or title, source) for id, title, source in found)


def _key(text: str) -> str:
    """A name without its spaces, marks and joining words: the same however it is written."""
    return "".join(word for word in words(text) if word not in _JOINING)


def _table(named: Iterable[tuple[str, DocumentRef]]) -> dict[str, tuple[DocumentRef, ...]]:
    found: dict[str, dict[str, DocumentRef]] = defaultdict(dict)
    for name, ref in named:
        found[_key(name)][ref.id] = ref
    return {name: tuple(refs.values()) for name, refs in found.items()}


def _file_names(source: str) -> Iterator[str]:
    """What a file may be called: "notes.txt", and a README by its folder, before or behind it."""
    path = PurePath(source)
    if path.suffix and path.stem:
        yield path.name
    folder = words(path.parent.name) if READABLE.match(path.stem) else []
    for name in {" ".join(folder[:end]) for end in (1, len(folder)) if folder}:
        yield from (f"{name} {path.stem}", f"{path.stem} {name}")


def _runs_in(title: str, *, alone: bool) -> Iterator[str]:
    """The runs of a title's words that may be a name; ``alone`` says that one word of several may be one."""
    for run in _runs_of(title):
        for end in range(len(run), 0, -1):
            long = end > 1 or (alone and len(run[0]) > _SHORT and not run[0].isdigit())
            if long and not _NO_NAME.issuperset(run[:end]):  # "What is", of a page with that title
                yield " ".join(run[:end])


def _runs_of(title: str) -> list[list[str]]:
    """The runs of a title's words between those that say what kind of a document it is, and years."""
    runs = groupby(words(title), lambda word: stem_of(word) in listed("kinds") or (word.isdigit() and len(word) == 4))
    return [list(run) for breaks, run in runs if not breaks]
