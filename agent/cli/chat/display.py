"""What a chat prints: hops as they happen, then the answer; plain text where nothing shows styles."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from ...views.text import clean, shorten
from ..console import is_plain, note, say, say_json, stderr_console, stdout_console
from ..waits import reporting_waits

if TYPE_CHECKING:
    from ....graphs.records import Hop, Run
    from ...engines.llm.engine import ModelOptions
    from ...runs.events import Event

__all__ = ["Screen"]


class Screen:
    """Prints runs: hops as they happen where ``hops`` says so, answers, or with ``as_json`` a run on each line.

    With JSON on stdout, all else goes to stderr.
    """

    def __init__(self, *, hops: bool, as_json: bool = False) -> None:
        self._hops, self._as_json = hops and not as_json, as_json

    @property
    def plain(self) -> bool:
        """Whether no style can be shown, so that emphasis needs characters."""
        console = stdout_console()
        return is_plain(console) or console.is_dumb_terminal

    def say(self, lines: Iterable[Text | str]) -> None:
        """Print lines."""
        if not self._as_json:
            say(lines)
            return
        console = stderr_console()
        for line in lines:
            console.print(line)

    def asked_as(self, question: str) -> None:
        """Say how a follow-up question was understood."""
        line = Text(f"asked as: {clean(question)}", style="dim")
        if self._hops:
            say([line])
        else:
            note(line.plain)

    def follow(self, events: Iterable[Event], model: ModelOptions | None = None) -> Run | None:
        """Print what happens, with how long the model is waited for, and return the run that comes of it."""
        run, written = None, ""
        shown: set[int] = set()
        console = stdout_console()
        with console.status("thinking") as status, reporting_waits(model, lambda line: status.update(line)):
            for event in events:
                run = event.run or run
                written = written + event.note if event.kind == "token" else ""
                status.update(_progress(event, written))
                for line in self._of(event, shown) if self._hops else ():
                    console.print(line)
        return run

    def kept(self, hops: Iterable[Hop]) -> None:
        """Print the hops that another run begins with."""
        from ...views import terminal as rendering

        for hop in hops if self._hops else ():
            note = "edited" if hop.status == "edited" else "kept"
            say([
                rendering.hop_asked(hop.number, hop.subquery),
                rendering.field("answer", f"{clean(hop.answer) or 'not found'}  ({note})", style="dim"),
            ])  # fmt: skip

    def answer(self, run: Run) -> None:
        """Print the answer with its citations, and in one line how it was reached."""
        from ...views import terminal as rendering

        if self._as_json:
            say_json(run.model_dump_json())
            return
        if self._hops:
            say([Text()])
        say(rendering.answer(run))
        if self._hops:
            say([Text(rendering.summary(run), style="dim"), *self._spent(run)])
        say([Text()])

    def failed(self, line: str, message: str) -> None:
        """Keep the lines of JSON in step with those of the questions where one came to nothing."""
        if self._as_json:
            say_json(json.dumps({"question": line, "error": message}, ensure_ascii=False))

    def _spent(self, run: Run) -> Iterator[Text]:
        from ...views import terminal as rendering

        if run.usage.requests or run.usage.cached:
            yield Text(f"spent: {rendering.spent(run.usage)}", style="dim")

    def _of(self, event: Event, shown: set[int]) -> Iterator[Text]:
        from ...views import terminal as rendering

        if event.kind == "subquery":
            shown.add(event.hop)
            yield rendering.hop_asked(event.hop, event.subquery)
        elif event.kind == "route":
            yield from rendering.hop_routed(event.cubes, event.note)
        elif event.kind == "answered" and event.record is not None:
            if event.hop not in shown:
                yield rendering.hop_asked(event.hop, event.subquery)
                yield from rendering.hop_routed(event.record.cubes, event.record.route_reason)
            yield from rendering.hop_found(event.record, plain=self.plain)


def _progress(event: Event, written: str) -> Text:
    if written:
        return Text(f"answering: {shorten(written, 70)}")
    doing = {"subquery": "routing", "route": "retrieving", "retrieved": "reading", "answered": "thinking"}
    return Text(f"hop {event.hop}: {doing.get(event.kind, 'thinking')}")
