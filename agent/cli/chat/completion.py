"""What Tab completes: commands and what follows them, and names that the cubes know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document

from ....cubes.core.folding import fold
from ...views.text import clean, shorten
from .commands import COMMANDS

if TYPE_CHECKING:
    from ...app.facade import MultiCube
    from .background_opening import BackgroundLoader

__all__ = ["ChatCompleter"]

_MOST = 20
_LEAST = 2  # letters of a name before its ends are offered
_WORDS = 5  # words of a name that may stand already
_RUNS = 30


class ChatCompleter(Completer):
    """Completes a line by what the knowledge base holds, once it is open; before that only commands."""

    def __init__(self, opening: BackgroundLoader) -> None:
        self._opening = opening
        self._paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Return what may stand at the cursor; a completion that fails offers nothing."""
        text = document.text_before_cursor
        try:
            if text.startswith("/save "):
                path = text.removeprefix("/save ")
                yield from self._paths.get_completions(Document(path, len(path)), complete_event)
            elif text.startswith("/"):
                yield from self._command(text)
            elif (opened := self._opening.opened) is not None:
                yield from islice(_names(text, opened), _MOST)
        except Exception:
            return  # whatever goes wrong here must not disturb the person's line

    def _command(self, text: str) -> Iterator[Completion]:
        name, space, rest = text[1:].partition(" ")
        if not space:
            for command in COMMANDS:
                if command.name.startswith(name):
                    yield Completion(f"/{command.name}", -len(text), display_meta=command.does)
            return
        last = rest.rpartition(" ")[2]
        for choice, meta in self._choices(name, rest):
            if choice.startswith(last):
                yield Completion(choice, -len(last), display_meta=shorten(meta, 60))

    def _choices(self, name: str, rest: str) -> Iterator[tuple[str, str]]:
        opened, before = self._opening.opened, rest.split(" ")[:-1]
        if name == "edit" and len(before) == 1:
            yield from (("subquery", "ask something else"), ("answer", "go on from another answer"))
        elif opened is None:
            return
        elif name in ("trace", "resume") and not before:
            yield from ((run.id, run.question) for run in opened.runs(_RUNS))
        elif name == "cubes" and not before:
            yield from ((cube.spec.id, cube.spec.name) for cube in opened.kb.cubes)
        elif name == "cubes" and len(before) == 1 and before[0] in opened.kb.cubes:
            yield from ((spec.id, spec.name) for spec in opened.kb.cubes[before[0]].spec.dimensions)


def _names(text: str, opened: MultiCube) -> Iterator[Completion]:
    """Names that go on as the last words do, those of most words first."""
    words, names = text.split(" "), opened.kb.cubes.names
    for count in range(min(_WORDS, len(words)), 0, -1):
        begun = " ".join(words[-count:])
        key = fold(begun)
        if not begun[:1].isupper() or len(key) < _LEAST:
            continue
        found = [names.text(number) for number in islice(names.starting(key), _MOST)]
        for name in found:
            if name != begun:
                yield Completion(clean(name), -len(begun))
        if found:
            return
