"""What a chat is about: the turns so far, the run that the commands speak of, and one that was interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ....cubes.core.errors import UsageError

if TYPE_CHECKING:
    from ....cubes.core.records import Filters
    from ....graphs.records import LoopSettings, Run
    from ...app.facade import MultiCube
    from ...engines.turns import Turn
    from ...runs.events import Event

__all__ = ["ChatEntry", "Session"]

RESUMABLE = ("running", "paused", "failed")
_LOOKED_BACK = 50  # runs among which an interrupted one is looked for


@dataclass(frozen=True, slots=True)
class ChatEntry:
    """One thing that was asked, as the person put it, and its run; ``note`` says how the run came about."""

    question: str
    run: Run
    note: str = ""


@dataclass
class Session:
    """A conversation over one knowledge base.

    ``turns`` is what follow-up questions look back on, ``entries`` all that was asked (for a transcript), ``current``
    the run that was shown last, ``interrupted`` the id of one that Ctrl-C ended.
    """

    kb: MultiCube
    settings: LoopSettings | None = None
    filters: Filters | None = None
    turns: list[Turn] = field(default_factory=list)
    entries: list[ChatEntry] = field(default_factory=list)
    current: Run | None = None
    interrupted: str | None = None

    def standalone(self, question: str) -> str:
        """Return a question as one that needs no conversation."""
        from ...app.conversation import standalone
        from ...app.factory import check_question

        return standalone(check_question(question), self.turns, self.kb)

    def ask(self, question: str, run_id: str) -> Iterator[Event]:
        """Ask a question that stands alone, as the run with this id."""
        return self.kb.stream(question, settings=self.settings, filters=self.filters, run_id=run_id)

    def keep(self, question: str, run: Run, note: str = "") -> None:
        """Make a run a turn of the conversation; one that was forked or resumed takes the place of the one before."""
        from ...engines.turns import Turn

        turn = Turn(question, run.answer, run)
        before = next((n for n, t in enumerate(self.turns) if t.run and t.run.id in (run.id, run.forked_from)), None)
        if before is None:
            self.turns.append(turn)
        else:
            self.turns[before:] = [turn]
        self.entries.append(ChatEntry(question, run, note))
        self.current = run

    def shown(self) -> Run:
        """Return the run that was shown last; raises UsageError where there is none."""
        if self.current is None:
            raise UsageError("Nothing was asked yet; ask a question first, or name a run (/runs lists them).")
        return self.current

    def resumable(self, run_id: str | None) -> Run:
        """Return the run to go on with: the one named, the one interrupted here, or the latest that did not end.

        Raises UsageError where there is none, or the one named has ended.
        """
        if run_id or self.interrupted:
            run = self.kb.trace(run_id or self.interrupted)
            if run.status not in RESUMABLE:
                raise UsageError(f"Run {run.id} has ended; /trace {run.id} shows it.")
            return run
        found = next((run for run in self.kb.runs(_LOOKED_BACK) if run.status in RESUMABLE), None)
        if found is None:
            raise UsageError("No run was interrupted; there is nothing to go on with.")
        return found

    def forget(self) -> None:
        """Begin a new conversation; the transcript goes on."""
        self.turns.clear()
        self.current = None
