"""What a line of a chat does: a question is asked, a command that begins with "/" is carried out."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from ....cubes.core.errors import MultiCubeError, UsageError
from ...views.text import clean
from ..console import fail, note, reading_width
from .display import Screen
from .followed_runs import RunFollower

if TYPE_CHECKING:
    from ....graphs.records import LoopSettings, Run
    from ...runs.events import Event
    from .background_opening import BackgroundLoader
    from .session import Session

__all__ = ["COMMANDS", "Chat", "Command"]

_EDIT = re.compile(r"(?P<hop>\d{1,6})\s+(?P<what>subquery|answer)\s+(?P<text>\S.*)", re.DOTALL | re.IGNORECASE)
_LISTED = 20  # runs that /runs shows
_LABELS = 30  # labels that /cubes shows of a dimension


@dataclass(frozen=True, slots=True)
class Command:
    """A command: what may follow it, and what it does."""

    name: str
    takes: str
    does: str


COMMANDS = (
    Command("trace", "[RUN]", "show a run hop by hop (the last one), for /why and /edit to be about"),
    Command("why", "[N | hop N]", "how the answer was found, hop by hop; or how citation N, or hop N, came about"),
    Command("edit", "HOP subquery|answer TEXT", "go on from a hop with another subquery or sub-answer, as a new run"),
    Command("resume", "[RUN]", "go on with a run that was interrupted, paused or failed"),
    Command("runs", "", "list the latest runs"),
    Command("cubes", "[CLASS [DIMENSION [LABEL]]]", "look into the cubes"),
    Command("engine", "", "the engine, the knowledge base and the cost so far"),
    Command("save", "FILE", "write the conversation to a .md or .json file"),
    Command("new", "", "begin a new conversation: follow-ups look back no further"),
    Command("help", "", "this list"),
    Command("quit", "", "leave (so does Ctrl-D)"),
)
_LEAVING = ("exit", "quit", "bye")  # as in a shell; no question is one of these words
_OTHER_NAMES = {"exit": "quit", "q": "quit", "?": "help", "h": "help", "cube": "cubes"}


class Chat:
    """Carries lines out; ``settings`` are asked for when the first one needs them."""

    def __init__(
        self,
        opening: BackgroundLoader,
        screen: Screen,
        settings: Callable[[], LoopSettings | None] = lambda: None,
    ) -> None:
        self._opening, self._screen, self._settings = opening, screen, settings
        self._session: Session | None = None
        self._running: list[RunFollower] = []  # the last run, and those that were interrupted and have not ended yet
        self._saved: set[Path] = set()
        self.failed = False

    @property
    def session(self) -> Session:
        """The conversation; waits for the knowledge base, and raises what opening it raised."""
        if self._session is None:
            from .session import Session

            self._session = Session(self._opening.get(), self._settings())
        return self._session

    def handle(self, line: str) -> bool:
        """Carry a line out; returns whether the chat goes on. What goes wrong is said, and loses nothing.

        Raises what made the knowledge base unusable.
        """
        text = line.strip()
        if not text:
            return True
        if text.lower() in _LEAVING:
            return False
        if not text.startswith("/"):
            _ = self.session
        try:
            if not text.startswith("/"):
                self._ask(text)
                return True
            return self._command(text)
        except (MultiCubeError, OSError) as error:
            self.failed = True
            message = str(error) if isinstance(error, MultiCubeError) else f"{error.strerror or error}."
            fail(message)
            self._screen.failed(text, message)
        return True

    def interrupt(self) -> None:
        """End the run under way at once; it is kept as far as it came."""
        for following in self._running:
            following.stop()
        run_id = self._session.interrupted if self._session is not None else None
        if self._session is None or run_id is None:
            note("interrupted", style="yellow")
            return
        try:
            self._session.current = self._session.kb.trace(run_id)
        except UsageError:  # it had not begun
            self._session.interrupted = None
            note("interrupted", style="yellow")
            return
        hops = _hops(self._session.current)
        note(f"interrupted: run {run_id} is kept with {hops}; /resume goes on with it", style="yellow")

    def leave(self, seconds: float | None = 1.0) -> bool:
        """Give runs that were interrupted a moment to end; returns whether nothing runs any more."""
        return all(following.wait(seconds) for following in self._running)

    # -- questions ---------------------------------------------------------------------------------------------------

    def _ask(self, question: str) -> None:
        from ...runs.store import new_run_id

        session = self.session
        session.interrupted = None  # what is interrupted from here on is this question
        alone = session.standalone(question)
        if alone.rstrip("?").casefold() != " ".join(question.split()).rstrip("?").casefold():
            self._screen.asked_as(alone)
        run_id = new_run_id()
        self._follow(question, run_id, lambda: session.ask(alone, run_id))

    def _follow(self, question: str, run_id: str, make: Callable[[], Iterator[Event]], note: str = "") -> None:
        """Follow a run to its end, and make it a turn; where it is interrupted it can be resumed."""
        session = self.session
        session.interrupted = run_id
        self._running = [one for one in self._running if not one.wait(0)]
        following = RunFollower(make)
        self._running.append(following)
        try:
            run = self._screen.follow(following, session.kb.model)
        except MultiCubeError as error:
            raise self._kept(run_id, error) from error
        session.interrupted = None
        if run is not None:
            session.keep(question, run, note)
            self._screen.answer(run)

    def _kept(self, run_id: str, error: MultiCubeError) -> MultiCubeError:
        """The error, with how to go on where its run was kept."""
        try:
            run = self.session.kb.trace(run_id)
        except UsageError:
            self.session.interrupted = None
            return error
        kept = f"{str(error).rstrip('.')}. Run {run.id} is kept with {_hops(run)}; /resume goes on with it."
        return UsageError(kept) if isinstance(error, UsageError) else MultiCubeError(kept)

    # -- commands ----------------------------------------------------------------------------------------------------

    def _command(self, text: str) -> bool:
        name, _, rest = text[1:].partition(" ")
        name, rest = _OTHER_NAMES.get(name.lower(), name.lower()), " ".join(rest.split())
        command = next((c for c in COMMANDS if c.name == name), None)
        if command is None:
            near = difflib.get_close_matches(name, [c.name for c in COMMANDS], n=1)
            hint = f"did you mean /{near[0]}?" if near else "/help lists them."
            raise UsageError(f"There is no command /{name}; {hint}")
        if rest and not command.takes:
            raise UsageError(f"/{name} takes nothing more.")
        if name == "quit":
            return False
        getattr(self, f"_do_{name}")(rest)
        return True

    def _do_help(self, _: str) -> None:
        from ...views import terminal as rendering

        rows = [(f"/{c.name} {c.takes}".rstrip(), c.does) for c in COMMANDS]
        self._screen.say(rendering.columns(("command", "what it does"), rows))
        more = "Anything else is a question. Ctrl-C ends a run, Tab completes, Ctrl-D leaves."
        self._screen.say([Text(more, style="dim")])

    def _do_trace(self, run_id: str) -> None:
        from ...views import terminal as rendering

        session = self.session
        if run_id or session.current is None:
            session.current = session.kb.trace(run_id or None)
        elif session.current.status == "running":  # it was interrupted, and has ended meanwhile
            session.current = session.kb.trace(session.current.id)
        self._screen.say(rendering.trace(session.shown(), plain=self._screen.plain))

    def _do_why(self, asked: str) -> None:
        from .explanations import why

        if not asked:
            self._do_trace("")
            return
        self._screen.say(list(why(self.session.shown(), asked, plain=self._screen.plain)))

    def _do_edit(self, asked: str) -> None:
        from ...runs.state import check_fork
        from ...runs.store import new_run_id

        edit = _EDIT.fullmatch(asked)
        if edit is None:
            raise UsageError('Say what to edit: "/edit 2 answer Jane Doe", or "/edit 1 subquery Who wrote X?"')
        session, hop, what, text = self.session, int(edit["hop"]), edit["what"].lower(), edit["text"].strip()
        origin = session.shown()
        subquery, answer = (text, None) if what == "subquery" else (None, text)
        check_fork(origin, hop, subquery, answer)
        run_id = new_run_id()
        note(f"run {run_id}, from hop {hop} of run {origin.id}")
        self._screen.kept(origin.hops[: hop - 1])
        if answer is not None:
            edited = origin.hops[hop - 1].model_copy(update={"answer": answer, "status": "edited"})
            self._screen.kept([edited])
        question = next((e.question for e in session.entries if e.run.id == origin.id), origin.question)
        how = f"hop {hop}'s {what} edited: {text}"
        self._follow(
            question,
            run_id,
            lambda: session.kb.stream_fork(origin.id, hop, subquery=subquery, answer=answer, new_id=run_id),
            how,
        )

    def _do_resume(self, run_id: str) -> None:
        session = self.session
        run = session.resumable(run_id or None)
        if not self.leave(0):
            note("waiting for the step under way to end")
            self.leave(None)
            run = session.kb.trace(run.id)
        note(f"run {run.id}: {clean(run.question)}")
        self._screen.kept(run.hops)
        self._follow(run.question, run.id, lambda: session.kb.stream_resume(run.id), "resumed")

    def _do_runs(self, _: str) -> None:
        from ...views import terminal as rendering

        found = self.session.kb.search_runs(limit=_LISTED).runs
        if not found:
            raise UsageError("There are no runs yet; ask a question first.")
        self._screen.say(rendering.runs(found, reading_width()))

    def _do_cubes(self, asked: str) -> None:
        from ..cubes import views

        kb = self.session.kb.kb
        names = asked.split(maxsplit=2)
        if not names:
            self._screen.say(views.lines([views.classes(kb)]))
            return
        cube = views.find_cube(kb, names[0])
        if len(names) == 1:
            tables = [views.dimensions(cube)]
        elif len(names) == 2:
            tables = [views.labels(cube, names[1], like=None, limit=_LABELS)]
        else:
            tables = views.label_cell(kb, cube, names[1], names[2], _LABELS)
        self._screen.say(views.lines(tables))

    def _do_engine(self, _: str) -> None:
        from ...views import terminal as rendering
        from .facts import facts

        self._screen.say([rendering.field(name, value, indent=0) for name, value in facts(self.session)])

    def _do_save(self, name: str) -> None:
        from .transcript import save

        if not name:
            raise UsageError("Name the file: /save talk.md, or talk.json.")
        path = _place(name.strip("\"'"))
        if path.exists() and path not in self._saved:
            raise UsageError(f"{path} is there already; name another file.")
        questions = save(self.session.entries, path, self.session.kb.reasoner.name)
        self._saved.add(path)
        note(f"{questions} {'question' if questions == 1 else 'questions'} saved to {path}")

    def _do_new(self, _: str) -> None:
        self.session.forget()
        note("a new conversation")


def _place(name: str) -> Path:
    try:
        if "\0" in name:
            raise ValueError
        return Path(name).expanduser().absolute()
    except (RuntimeError, ValueError):  # of nobody's home, or no name at all
        raise UsageError(f"'{clean(name)}' is no place for a file.") from None


def _hops(run: Run) -> str:
    return f"{len(run.hops)} {'hop' if len(run.hops) == 1 else 'hops'}"
