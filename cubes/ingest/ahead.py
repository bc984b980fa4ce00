"""Reading by workers: files and documents are sent to them before the ingest asks for them, which it does in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ..core.errors import MultiCubeError
from ..core.records import Document, Fact, Problem, Section
from ..extraction.protocol import Extractor
from .loaded_files import FileLoader
from .parallel import DocumentWork
from .plan import PlannedFile
from .tasks import Pending, Tasks, looking_ahead

__all__ = ["TASK_CHARS", "AheadExtractor", "ReadAhead", "sections_of"]

TASK_CHARS = 30_000
"""Characters of documents that a worker reads at a time (about 50 ms): a task costs a millisecond of its own."""

_IMAGE_BYTES = 1_000
"""Bytes of images that take as much room, while a document waits, as a character."""

SectionFacts = dict[str, Sequence[Fact] | Exception]
"""The facts of a document by section, or why there are none."""
_Job = tuple[Document, Sequence[Section]]


class AheadExtractor:
    """An extractor (`extraction.protocol.Extractor`) that is told beforehand which documents it will be asked for.

    What it was not told of is read here. The sections of a document must be asked for one after the other.
    """

    def __init__(self, extractor: Extractor, tasks: Tasks) -> None:
        self._extractor, self._tasks = extractor, tasks
        self._shared: Callable[[], Extractor] | None = None
        self._waiting: list[_Job] = []
        self._size = 0
        self._begun: dict[str, tuple[Pending[list[SectionFacts]], int, str]] = {}
        self._open: tuple[str, SectionFacts] = ("", {})

    @property
    def version(self) -> str:
        """The extractor's own."""
        return self._extractor.version

    @property
    def room(self) -> int:
        """How many characters to offer ahead."""
        return self._tasks.many * TASK_CHARS

    def prepare(self, documents: Sequence[Document]) -> None:
        """Prepare the extractor, then send it to the workers."""
        self._extractor.prepare(documents)
        self._shared = self._tasks.share(self._extractor)

    def offer(self, document: Document, sections: Sequence[Section]) -> None:
        """Begin on a document as soon as there is enough for a task; returns at once."""
        self._waiting.append((document, sections))
        self._size += len(document.text)
        if self._size >= TASK_CHARS:
            self._begin()

    def extract(self, section: Section, document: Document) -> Sequence[Fact]:
        """Return the facts of one section, or raise what its extraction raised."""
        if self._open[0] != document.id:
            self._open = document.id, self._of(document)
        found = self._open[1].get(section.id)
        if found is None:
            return self._extractor.extract(section, document)
        if isinstance(found, Exception):
            raise found
        return found

    def _of(self, document: Document) -> SectionFacts:
        if document.id not in self._begun:
            self._begin()
        pending, place, text = self._begun.pop(document.id, (None, 0, ""))
        return pending.result()[place] if pending is not None and text == document.text else {}

    def _begin(self) -> None:
        jobs, self._waiting, self._size = self._waiting, [], 0
        if jobs and self._shared is not None:
            pending = self._tasks.submit(_extracted, self._shared, self.version, jobs)
            self._begun.update((d.id, (pending, place, d.text)) for place, (d, _) in enumerate(jobs))


class ReadAhead:
    """Keeps workers busy with what an ingest will ask for next; without workers nothing is drawn before its turn."""

    def __init__(self, extractor: Extractor, tasks: Tasks | None, *, reads: bool) -> None:
        """``reads`` says that workers are to extract as well, not only to convert files."""
        self.loading = FileLoader(tasks)
        self._files = tasks.many if tasks is not None else 0
        self._reader = AheadExtractor(extractor, tasks) if tasks is not None and reads else None
        self._room = self._reader.room if self._reader is not None else 0
        self.extractor: Extractor = self._reader or extractor

    def files(self, files: Iterable[PlannedFile]) -> Iterator[PlannedFile]:
        """Yield files that are about to be loaded."""
        return looking_ahead(map(self._begun, files), self._files)

    def contents(
        self, files: Iterable[PlannedFile], is_new: Callable[[PlannedFile], Callable[[Document], bool]]
    ) -> Iterator[Document | Problem | None]:
        """Yield what files hold, and None at the end of each; documents that are new will be extracted."""
        return looking_ahead(self._contents(files, is_new), self._room, _size)

    def offered(self, works: Iterable[DocumentWork]) -> Iterator[DocumentWork]:
        """Yield documents that will be extracted."""
        return looking_ahead(map(self._offered, works), self._room, lambda work: _size(work.document))

    def _begun(self, file: PlannedFile) -> PlannedFile:
        self.loading.begin(file.path)
        return file

    def _offered(self, work: DocumentWork) -> DocumentWork:
        if self._reader is not None:
            self._reader.offer(work.document, work.sections)
        return work

    def _contents(
        self, files: Iterable[PlannedFile], is_new: Callable[[PlannedFile], Callable[[Document], bool]]
    ) -> Iterator[Document | Problem | None]:
        for file in self.files(files):
            items = self.loading.second(file.path)
            yield from items if self._reader is None else self._offering(self._reader, items, is_new(file))
            yield None

    @staticmethod
    def _offering(
        reader: AheadExtractor, items: Iterable[Document | Problem], is_new: Callable[[Document], bool]
    ) -> Iterator[Document | Problem]:
        for item in items:
            if isinstance(item, Document) and is_new(item):
                reader.offer(_without_images(item), sections_of(item))
            yield item



def sections_of(document: Document) -> Sequence[Section]:
    """Divide a document; one that cannot be divided has none here, and the fault is told when it is to be kept."""
    from ..documents.sections import split

    try:
        return split(document)
    except Exception:
        return ()


def _without_images(document: Document) -> Document:
    return replace(document, figures=tuple(replace(figure, data=b"") for figure in document.figures))


def _size(item: Document | Problem | None) -> int:
    """Return how much room an item takes while it waits, in characters."""
    if not isinstance(item, Document):
        return 1
    return len(item.text) + sum(len(figure.data) for figure in item.figures) // _IMAGE_BYTES


def _extracted(shared: Callable[[], Extractor], version: str, jobs: Sequence[_Job]) -> list[SectionFacts]:
    """Read documents; runs on a worker."""
    extractor = shared()
    if extractor.version != version:
        raise MultiCubeError(
            f"A worker reads by the rules {extractor.version}, not {version}; "
            "install the same version of multicube-rag on every machine."
        )
    return [{section.id: _attempt(extractor, section, document) for section in parts} for document, parts in jobs]


def _attempt(extractor: Extractor, section: Section, document: Document) -> Sequence[Fact] | Exception:
    try:
        return extractor.extract(section, document)
    except Exception as error:  # it is raised where the section is asked for
        return error
