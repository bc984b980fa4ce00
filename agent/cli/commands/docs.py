"""`multicube docs`: list, show and remove the documents of a knowledge base."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from ....cubes.core.errors import UsageError
from ....cubes.documents.formats.page_starts import told
from ...views.text import clean, clean_block
from ..console import confirm_removal, note, say, say_json
from ..options import JsonOption, KbOption, flag, knowledge_base

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ....cubes.knowledge.base import DocumentInfo, KnowledgeBase

__all__ = ["app"]

app = typer.Typer()

DocumentArgument = Annotated[
    str, typer.Argument(metavar="DOCUMENT", help="A document's id, its record id, or its file.")
]


@app.callback(invoke_without_command=True)
def docs(context: typer.Context, kb: KbOption = None) -> None:
    """List, show and remove documents, and say who may read them; with --kb alone, list them."""
    if context.invoked_subcommand is not None:
        context.default_map = {context.invoked_subcommand: {"kb": kb}}
    elif kb is not None:
        list_documents(kb)
    else:
        typer.echo(context.get_help())


@app.command("list")
def list_documents(
    kb: KbOption = None,
    like: Annotated[str | None, typer.Option(metavar="TEXT", help="Only titles and files that contain this.")] = None,
    json: JsonOption = False,
) -> None:
    """List the documents: id, record, title, sections, language, file."""
    from ...views import terminal as rendering

    with knowledge_base(kb) as opened:
        found = [d for d in opened.documents() if like is None or like.casefold() in f"{d.title} {d.source}".casefold()]
    if json:
        say_json([_facts(document) for document in found])
        return
    rows = [(d.id, d.record_id, d.title, len(d.sections), d.language, d.source) for d in found]
    say(rendering.columns(("id", "record", "title", "sections", "language", "file"), rows))


@app.command("show")
def show(
    document: DocumentArgument,
    kb: KbOption = None,
    outline: Annotated[bool, flag("--outline", help="Only the tree of chapters, and the figures.")] = False,
    json: JsonOption = False,
) -> None:
    """Show a document: where it is from, its metadata, its figures, and its sections with their heading paths."""
    from ...views.outline import chapters, chapters_json, figure_facts, figure_lines

    with knowledge_base(kb) as opened:
        found = _find(opened, document)
        sections = [opened.section(section_id) for section_id in found.sections]
        figures = opened.figures(found.id)
    if json:
        text = [{"id": s.id, "path": list(s.path), "text": s.text} for s in sections]
        part = {"outline": chapters_json(sections)} if outline else {"text": text}
        say_json({**_facts(found), "figures": [figure_facts(each) for each in figures], **part})
        return
    say(_described(found))
    say(figure_lines(figures))
    if outline:
        say([Text(), *chapters(sections)])
        return
    for section in sections:
        say(
            [
                Text(),
                Text(" › ".join(map(clean, section.path)), style="bold"),
                Text(clean_block(section.text)),
            ]
        )


@app.command("remove")
def remove(
    documents: Annotated[
        list[str] | None, typer.Argument(metavar="DOCUMENT...", help="Ids, record ids, or files.")
    ] = None,
    kb: KbOption = None,
    purge: Annotated[
        bool, flag("--purge-runs", help="Also delete the runs that quote them; alone, those that quote what is gone.")
    ] = False,
    yes: Annotated[bool, flag("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove documents completely: sections, figures, facts, labels and vectors. Needs no model.

    Runs that were asked before quote what they found, and stay unless --purge-runs is given.
    """
    from ....cubes.store.postgres import database_url

    if not documents and not purge:
        raise UsageError("Name the documents to remove (`multicube docs list`).")
    with knowledge_base(kb) as opened:
        found = [each for name in documents or () for each in _matching(opened, name)]
        if found:
            _confirm(found, yes)
        else:
            _confirm_purge(yes)
        removed = sum(opened.remove(name) for name in dict.fromkeys(_full(n, found) for n in documents or ()))
        kept = {document.id for document in opened.documents()}
        meant = {document.id for document in found}
        runs = _runs_quoting(opened, lambda id: id in meant if meant else id not in kept, purge=purge)
    if found:
        say([f"removed {removed} {'document' if removed == 1 else 'documents'}"])
    if purge:
        say([f"deleted {_runs(runs)} that quoted {'them' if found else 'what is gone'}"])
    elif runs:
        place = "runs.sqlite" if database_url() is None else "the database"
        note(f"text of theirs stays in {_runs(runs)} of {place}; delete: multicube docs remove --purge-runs")


@app.command("permit")
def permit(
    documents: Annotated[
        str, typer.Argument(metavar="PATTERN", help="A file, a folder, a record's id, or a pattern with * and ?.")
    ],
    groups: Annotated[list[str] | None, typer.Argument(metavar="GROUP...", help="Who may read them.")] = None,
    kb: KbOption = None,
    everyone: Annotated[bool, flag("--everyone", help="Take the rule for this pattern back.")] = False,
) -> None:
    """Let only some groups read the documents of a pattern, also those that come later.

    Every rule that fits a document must name one of a reader's groups. The rules are in permissions.yaml of the
    knowledge base, and count for tokens (`multicube tokens`) and for `ask --as`.
    """
    from ....cubes.knowledge.permissions.rules import Rule, keep_permissions, load_permissions

    if bool(groups) is everyone:
        raise UsageError("Name the groups that may read these documents, or --everyone to take a rule back.")
    with knowledge_base(kb) as opened:
        known = load_permissions(opened.path)
        rules = known.without(documents) if everyone else known.permitting(documents, groups or ())
        keep_permissions(opened.path, rules)
        fitting = [each for each in opened.documents() if Rule(documents=documents).fits(each.source, each.record_id)]
    count = f"{len(fitting)} {'document' if len(fitting) == 1 else 'documents'}"
    said = "no rule for this pattern any more" if everyone else f"read by {', '.join(groups or ())} only"
    say([f"{count}: {said}"])
    if not fitting:
        note("no document fits the pattern now; `multicube docs list` shows files and records")


@app.command("permissions")
def permissions(kb: KbOption = None, json: JsonOption = False) -> None:
    """List who may read which documents."""
    from ....cubes.knowledge.permissions.rules import load_permissions
    from ...views import terminal as rendering

    with knowledge_base(kb) as opened:
        known = load_permissions(opened.path)
    if json:
        say_json(known.model_dump(mode="json"))
        return
    rows = [(rule.documents, ", ".join(rule.groups)) for rule in known.rules]
    say(rendering.columns(("documents", "groups"), [*rows, ("(all others)", known.others)]))


def _full(name: str, found: Sequence[DocumentInfo]) -> str:
    """Return the whole path of a file that is named without its folder, and any other name as it is."""
    from pathlib import Path

    if any(name in (each.id, each.record_id) for each in found):
        return name
    return next((each.source for each in found if Path(each.source).name == name), name)


def _runs_quoting(opened: KnowledgeBase, is_meant: Callable[[str], bool], *, purge: bool) -> int:
    """Return how many kept runs quote documents (ids) that are meant; with ``purge`` they are deleted."""
    from ....cubes.store.postgres import database_url
    from ...runs.store import RunStore

    file = opened.path / "runs.sqlite"
    if database_url() is None and not file.exists():
        return 0
    with closing(RunStore(file)) as store:
        quoting = store.quoting(is_meant)
        if purge:
            store.purge(quoting)
    return len(quoting)


def _runs(count: int) -> str:
    return f"{count:,} {'run' if count == 1 else 'runs'}"


def _confirm_purge(yes: bool) -> None:
    if not yes:
        confirm_removal("the runs that quote documents which are gone")


def _matching(opened: KnowledgeBase, name: str) -> list[DocumentInfo]:
    """Return the documents that a name stands for; several where it is a file of many records."""
    from pathlib import Path

    resolved = str(Path(name).expanduser().resolve())
    documents = list(opened.documents())
    found = [d for d in documents if name in (d.id, d.record_id, d.source) or d.source == resolved]
    if not found and len({d.source for d in documents if Path(d.source).name == name}) == 1:
        found = [d for d in documents if Path(d.source).name == name]
    if not found:
        raise UsageError(f"There is no document '{name}'.", listed_by="multicube docs list")
    return found


def _find(opened: KnowledgeBase, name: str) -> DocumentInfo:
    found = _matching(opened, name)
    if len(found) > 1:
        raise UsageError(f"'{name}' holds {len(found)} documents; name one by its id (`multicube docs list`).")
    return found[0]


def _confirm(found: list[DocumentInfo], yes: bool) -> None:
    """Ask before removing, on stderr; anything but yes ends the command."""
    if yes:
        return
    for document in found[:20]:
        note(f"{document.id}  {document.title}  {document.source}")
    if len(found) > 20:
        note(f"... and {len(found) - 20} more")
    many = f"these {len(found)} documents" if len(found) > 1 else "this document"
    confirm_removal(many)


def _facts(document: DocumentInfo) -> dict[str, object]:
    return {
        "id": document.id,
        "record_id": document.record_id,
        "title": document.title,
        "source": document.source,
        "media_type": document.media_type,
        "language": document.language,
        "added_at": document.added_at,
        "metadata": told(document.metadata),
        "sections": list(document.sections),
    }


def _described(document: DocumentInfo) -> Iterator[Text]:
    yield Text(clean(document.title), style="bold")
    for name in ("id", "record_id", "source", "media_type", "language", "added_at"):
        yield Text(f"  {name}: {clean(str(getattr(document, name)))}")
    for key, value in told(document.metadata).items():
        yield Text(f"  {clean(key)}: {clean(str(value))}")
