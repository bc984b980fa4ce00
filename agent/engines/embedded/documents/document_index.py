"""The documents that have chapters, and how a question names them: by title, or by part number.

Collections of look-alike documents differ in little but these names (HiQA, introduction); an answer must come from the
document that is named.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeVar

from .....cubes.core.folding import words
from .....cubes.documents.folders import READABLE
from ...encoders.minilm import is_word
from ..vocabulary.wordlists import ARTICLES, CLAUSAL, QUESTIONING
from .amounts import measure_of
from .lookup import Likeness
from .wording import lexicon, stem_of

if TYPE_CHECKING:
    from .....cubes.knowledge.base import KnowledgeBase
    from .....cubes.store.database import DocumentInfo

__all__ = ["DocumentIndex", "DocumentMention", "DocumentRef", "build_document_index", "file_names", "part_numbers"]

_PART = re.compile(r"(?<![\w-])(?=[\w./-]*\d)(?=[\w./-]*[A-Za-z])[A-Za-z0-9][\w]*(?:\s?-\s?[\w]+|[./][\w]+)*(?![\w])")
_NAMED = r"[\"“'‘]?(?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+){0,3})"
_ALIAS = re.compile(
    rf"\b(?:(?:also|otherwise|commonly|formerly|better|hereinafter) (?:known|called|sold|marketed|referred to)"
    rf"|known|sold|marketed|referred to|nicknamed)"
    rf"(?: (?:as|under|by|the|trade|brand|name|names|simply|to))*\s+(?:the )?{_NAMED}"
)
_SERIES = re.compile(rf"\bthe {_NAMED}[\"”'’]? (?:series|family|line|range)\b")
_OPENING_SECTIONS, _OPENING_CHARS = 8, 6_000
_MEASURED = re.compile(r"\d+(?:[.,]\d+)?-?(?P<unit>[A-Za-zµ]+(?:/[A-Za-z]+)?)")
_COUNTED = frozenset({"st", "nd", "rd", "th", "x", "X", "D", "G"})
_NO_NAME = CLAUSAL | QUESTIONING | ARTICLES
_JOINING = frozenset({"of", "for", "from", "in", "s", "the", "file"})
_LONGEST = 8  # words of a name
_SHORT = 3  # letters of a name that stands alone
_ALIKE, _MANY = 0.86, 5_000  # how near a misspelt name must be; names among which none is looked for
_BY_CHANCE = 2  # documents of many whose titles may end in one noun by chance


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """A document with chapters. ``name`` is what sub-questions call it: its part number, or its title."""

    id: str
    title: str
    name: str


@dataclass(frozen=True, slots=True)
class DocumentMention:
    """Where a question names documents: characters ``start`` to ``end``; several where the name is of several.

    ``alias`` says that the document's title does not have the name.
    """

    start: int
    end: int
    text: str
    refs: tuple[DocumentRef, ...]
    alias: bool = False

    @property
    def name(self) -> str:
        """What a sub-question calls it: its part number, or the question's own words."""
        alone = len(self.refs) == 1 and (self.alias or self.refs[0].name != self.refs[0].title)
        return self.refs[0].name if alone else self.text

    def each(self) -> tuple[DocumentMention, ...]:
        """Return one mention for each of its documents: a series is named, its members are asked about."""
        return tuple(replace(self, refs=(ref,), alias=True) for ref in self.refs)


Run = tuple[str, ...]
Key = TypeVar("Key")
Table = Mapping[Key, tuple[DocumentRef, ...]]


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
        self.likeness = likeness
        self._is_word = is_word
        self._others = tuple(others)
        self._documents = tuple(documents)
        self._among = among
        self._opening = opening

    @property
    def prevails(self) -> bool:
        """Whether most documents have chapters, so that a question which names none is about them as well."""
        return 2 * len(self._documents) > self._among

    @cached_property
    def alike(self) -> bool:
        """Whether documents are of one kind, as data sheets are: half of the titles share a word or have part numbers,
        and two at least.

        Only of these a question may ask by "product" or "model", or of several by a part of their titles.
        """
        shared = Counter(stem for ref in self.refs for stem in {stem_of(word) for word in words(ref.title)})
        numbered = sum(bool(part_numbers(f"{ref.title} ; {ref.name}")) for ref in self.refs)
        most = max((*shared.values(), numbered))
        return most > 1 and 2 * most >= len(self.refs)

    @cached_property
    def refs(self) -> tuple[DocumentRef, ...]:
        """Every document with chapters, in order."""
        found = [
            (id, title or PurePath(source).stem, part_numbers(title) or part_numbers(PurePath(source).stem))
            for id, title, source in self._documents
        ]
        counts = Counter(part for _, _, parts in found for part in {_squashed(p) for p in parts})
        return tuple(DocumentRef(id, title, _own(title, parts, counts)) for id, title, parts in found)

    def __len__(self) -> int:
        return len(self._documents) + len(self._others)

    def mentions(self, text: str) -> list[DocumentMention]:
        """Return what a text names of the documents, in order; longer names win over those inside of them."""
        found: list[DocumentMention] = []
        named = (*self._by_part(text), *self._by_words(text), *self._by_alias(text))
        for mention in sorted(named, key=_rank):
            if all(mention.end <= other.start or mention.start >= other.end for other in found):
                found.append(mention)
        return sorted(found, key=lambda m: m.start)

    @cached_property
    def things(self) -> frozenset[str]:
        """Stems of nouns by which a question may speak of all the documents' things."""
        heads = Counter(stem for ref in self.refs for stem in {stem_of(run[-1]) for run in _runs_of(ref.title)})
        least = min(max(2, (len(self.refs) + 1) // 2), _BY_CHANCE + 1)
        shared = {stem for stem, count in heads.items() if count >= least and stem.isalpha()}
        return lexicon().things | shared if self.alike else frozenset(shared)

    # How documents are named.

    @cached_property
    def _aliases(self) -> Table[str]:
        """Other names, and names of series -> the documents whose beginnings tell of them."""
        return _table(
            (match["name"], ref)
            for ref in self.refs
            for told in (self._opening(ref.id),)
            for match in (*_ALIAS.finditer(told), *_SERIES.finditer(told))
            if not part_numbers(match["name"])
        )

    @cached_property
    def _files(self) -> Table[Run]:
        """Names of files as runs of words -> the one document that is read from it."""
        documents = (*self._documents, *self._others)
        found = _table(
            (run, DocumentRef(id, title, title)) for id, title, source in documents for run in file_names(source)
        )
        return {run: refs for run, refs in found.items() if len(refs) == 1}

    @cached_property
    def _parts(self) -> Table[str]:
        named = ((part, ref) for ref in self.refs for part in part_numbers(f"{ref.title} ; {ref.name}"))
        return _table((_squashed(part), ref) for part, ref in named)

    @cached_property
    def _words(self) -> Table[Run]:
        """Names as runs of words -> the documents that have them: whole titles, and runs that are in few titles.

        One word of a longer title names a document only among those of one kind: of "python-dotenv" Python is none.
        """
        whole = _table((tuple(words(ref.title)), ref) for ref in self.refs)
        found = _table((run, ref) for ref in self.refs for run in _names_of(ref.title))
        most = max(1, len(self.refs) // 2)
        few = {run: refs for run, refs in found.items() if len(refs) <= most or len(run) > 2}
        runs = {run: refs for run, refs in few.items() if run in whole or len(run) > 1 or self.alike}
        return runs | {run: refs for run, refs in whole.items() if run in runs}

    @cached_property
    def _coined(self) -> Table[str]:
        """Titles and names of files of one word that English does not have: they name a document in any spelling."""
        sources = {id: source for id, _, source in self._documents}
        named = ((words(name), ref) for ref in self.refs for name in (ref.title, PurePath(sources[ref.id]).stem))
        return _table(
            (run[0], ref) for run, ref in named
            if len(run) == 1 and len(run[0]) > _SHORT and run[0].isalpha() and not self._is_word(run[0])
        )  # fmt: skip

    def _by_alias(self, text: str) -> Iterator[DocumentMention]:
        for name, refs in self._aliases.items():
            whole = rf"(?<![\w-]){re.escape(name)}(?![\w-])(?: (?:series|family|range|line)\b)?"
            for match in re.finditer(whole, text) if name in text else ():
                yield DocumentMention(match.start(), match.end(), match[0], refs, alias=True)

    def _by_part(self, text: str) -> Iterator[DocumentMention]:
        for match in _PART.finditer(text):
            squashed = _squashed(match[0])
            refs = self._parts.get(squashed) or self._variant(squashed)
            if refs:
                yield DocumentMention(match.start(), match.end(), match[0], refs)

    def _variant(self, squashed: str) -> tuple[DocumentRef, ...]:
        """The documents of the longest part number that a longer one begins with: "TPX100AQ1" is of "TPX100"."""
        for end in range(len(squashed) - 1, _SHORT, -1):
            refs = self._parts.get(squashed[:end])
            if refs and not (squashed[end - 1].isdigit() and squashed[end].isdigit()):
                return refs
        return ()

    def _by_words(self, text: str) -> Iterator[DocumentMention]:
        """A title, or a run of it that tells it apart; a file by its name ("notes.txt"), or by its kind and folder."""
        tokens = list(re.finditer(r"[^\W_]+(?:['’](?!s\b)[^\W_]+)*", text))
        spelled = ["".join(words(token[0])) for token in tokens]
        for start in range(len(tokens)):
            for end in range(min(len(tokens), start + _LONGEST), start, -1):
                run = spelled[start:end]
                at, to = tokens[start].start(), tokens[end - 1].end()
                named = self._files.get(tuple(word for word in run if word not in _JOINING))
                if named and len(run) > 1 and not {run[0], run[-1]} & _JOINING:
                    yield DocumentMention(at, to, text[at:to], named, alias=True)
                    break
                coined = self._coined.get(run[0]) or self._misspelt(run[0]) if len(run) == 1 else None
                if coined:
                    yield DocumentMention(at, to, text[at:to], coined)
                    break
                refs, name = self._words.get(tuple(run)), text[at:to]
                spelt = any(c.isupper() or c.isdigit() for c in name) or (len(run) > 1 and " " not in name)
                if refs and spelt and (start or end > 1):  # a first word has its capital from the sentence
                    yield DocumentMention(at, to, text[at:to], self._narrowed(refs, text))
                    break

    def _misspelt(self, word: str) -> tuple[DocumentRef, ...]:
        """The documents whose coined name a word that is no English nearly spells: "watchfles" for "watchfiles"."""
        if len(word) <= _SHORT or self._is_word(word) or len(self._coined) > _MANY:
            return ()
        near = get_close_matches(word, self._coined, n=2, cutoff=_ALIKE)
        return self._coined[near[0]] if len(near) == 1 else ()

    def _narrowed(self, refs: tuple[DocumentRef, ...], text: str) -> tuple[DocumentRef, ...]:
        """Of several documents of one name, those whose titles hold most of the other words asked: the year."""
        asked = set(words(text))
        fits = [len(asked & set(words(ref.title))) for ref in refs]
        return tuple(ref for ref, fit in zip(refs, fits, strict=True) if fit == max(fits))


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

    refs = ((d.id, d.title, d.source) for d in chaptered)
    files = ((d.id, d.title, d.source) for d in others)
    return DocumentIndex(refs, len(documents), opening, kb.likeness, files, is_word)


def file_names(source: str) -> Iterator[tuple[str, ...]]:
    """Yield what a file may be called, as runs of words: "notes.txt", and a README by its folder, before or behind it.

    Words that join the two ("the README of foo") are left out.
    """
    path = PurePath(source)
    whole = tuple(words(path.name.replace(".", " ").replace("_", " ")))
    stem = whole[:-1] if path.suffix and READABLE.fullmatch(path.stem) else whole
    if path.suffix and len(whole) > 1:
        yield whole
    folder = tuple(words(path.parent.name.replace("_", " ")))
    if not READABLE.match(path.name.removesuffix(".txt").removesuffix(".md")) or not folder:
        return
    for kind in {stem, stem[:1]}:
        for name in {folder, folder[:1]}:
            yield (*name, *kind)
            yield (*kind, *name)


def part_numbers(text: str) -> list[str]:
    """Return what looks like a part number: letters and digits in one word, with a capital, and no amount."""
    return [
        match[0]
        for match in _PART.finditer(text)
        if any(map(str.isupper, match[0])) and not _is_amount(match[0]) and len(_squashed(match[0])) > _SHORT
    ]


def _is_amount(word: str) -> bool:
    found = _MEASURED.fullmatch(word)
    return found is not None and (found["unit"] in _COUNTED or bool(measure_of(found["unit"])))


def _table(named: Iterable[tuple[Key, DocumentRef]]) -> dict[Key, tuple[DocumentRef, ...]]:
    found: dict[Key, dict[str, DocumentRef]] = defaultdict(dict)
    for key, ref in named:
        found[key][ref.id] = ref
    return {key: tuple(refs.values()) for key, refs in found.items()}


def _squashed(part: str) -> str:
    return re.sub(r"[^a-z0-9]", "", part.lower())


def _own(title: str, parts: Sequence[str], counts: Mapping[str, int]) -> str:
    """The part number that no other document has, else the title."""
    return next((part for part in parts if counts[_squashed(part)] == 1), title)


def _names_of(title: str) -> Iterator[tuple[str, ...]]:
    """The whole title, and the runs of its words between those that say what kind of a document it is."""
    spelled = words(title)
    if len(spelled) > 1:
        yield tuple(spelled)
    for run in _runs_of(title):
        for end in range(len(run), 0, -1):
            if _NO_NAME.issuperset(run[:end]):
                continue  # "What is", of a page with that title
            if end > 1 or (len(run[0]) > _SHORT and not run[0].isdigit()):
                yield tuple(run[:end])
    yield from (tuple(words(part)) for part in part_numbers(title))


def _runs_of(title: str) -> list[list[str]]:
    """The runs of a title's words between those that say what kind of a document it is, and years."""
    kinds, runs = lexicon().kinds, list[list[str]]([[]])
    for word in words(title):
        if word in kinds or (word.isdigit() and len(word) == 4):
            runs.append([])
        else:
            runs[-1].append(word)
    return [run for run in runs if run]


def _rank(mention: DocumentMention) -> tuple[int, int]:
    return (mention.start - mention.end, mention.start)
