"""`multicube cube`: look into the cubes, export them, and correct what they say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ....cubes.core.errors import UsageError
from ..console import note, say_json_items
from ..options import EncoderOption, KbOption, complete_class, flag, knowledge_base
from . import views
from .correct import CorrectionOptions, correct

if TYPE_CHECKING:
    from ....cubes.knowledge.base import KnowledgeBase
    from ....cubes.model.rollup import Bucket

__all__ = ["cube"]

_CORRECT = "Correct (a correction outlives later ingests)"
_BUCKETS = ("label", "year", "decade")


def cube(
    cube_class: Annotated[
        str | None,
        typer.Argument(metavar="CLASS", help="Lists its dimensions.", autocompletion=complete_class),
    ] = None,
    dimension: Annotated[str | None, typer.Argument(metavar="DIMENSION", help="Lists its labels.")] = None,
    label: Annotated[str | None, typer.Argument(metavar="LABEL", help="Shows its sections and facts.")] = None,
    kb: KbOption = None,
    like: Annotated[str | None, typer.Option(metavar="TEXT", help="Only labels that contain this.")] = None,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Show at most so many rows.")] = 50,
    section: Annotated[
        str | None, typer.Option(metavar="ID|RECORD", help="Show all cells and facts of a section.")
    ] = None,
    roll_up: Annotated[
        str | None,
        typer.Option(metavar="ROWS[,COLUMNS]", help="Count subjects per label of one or two dimensions."),
    ] = None,
    by: Annotated[str, typer.Option(metavar="label|year|decade", help="How a roll-up groups dates.")] = "label",
    relation: Annotated[
        str | None, typer.Option(metavar="PHRASE", help="Roll up only things that stand in this relation.")
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the facts (of CLASS) to a .csv or .parquet file."),
    ] = None,
    json: Annotated[bool, flag("--json", help="Print JSON; alone: everything, in a stable order.")] = False,
    retract: Annotated[
        list[str] | None,
        typer.Option(metavar="FACT", help="Strike out a fact (repeatable).", rich_help_panel=_CORRECT),
    ] = None,
    set_value: Annotated[
        tuple[str, str] | None,
        typer.Option("--set", metavar="FACT VALUE", help="Give a fact another value.", rich_help_panel=_CORRECT),
    ] = None,
    add: Annotated[
        tuple[str, str, str] | None,
        typer.Option(
            metavar="SUBJECT RELATION VALUE",
            help="Add a fact to CLASS DIMENSION (in --section).",
            rich_help_panel=_CORRECT,
        ),
    ] = None,
    rename: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Rename LABEL wherever it stands.", rich_help_panel=_CORRECT),
    ] = None,
    merge: Annotated[
        str | None,
        typer.Option(metavar="OTHER", help="LABEL and OTHER are one: use LABEL.", rich_help_panel=_CORRECT),
    ] = None,
    undo: Annotated[
        str | None, typer.Option(metavar="ID", help="Take a correction back.", rich_help_panel=_CORRECT)
    ] = None,
    encoder: EncoderOption = None,
    corrections: Annotated[bool, flag("--corrections", help="List the corrections.", rich_help_panel=_CORRECT)] = False,
) -> None:
    """Look into the cubes: classes, their dimensions, the labels on one, the sections and facts of a label.

    Example: multicube cube cultural_product --roll-up genre,date --by decade.

    Every fact that is shown has an id, which --retract and --set take.
    """
    wishes = CorrectionOptions(tuple(retract or ()), set_value, add, rename, merge, undo, corrections)
    place = (cube_class, dimension, label)
    _check(place, section, roll_up, export, by, wishes)
    with knowledge_base(kb, encoder, embeds=wishes.change) as opened:
        if wishes:
            correct(opened, wishes, place, section, as_json=json)
        elif export is not None:
            _export(opened, cube_class, export)
        elif section is not None:
            views.show(views.cells_of(opened, views.find_section(opened, section)), as_json=json)
        elif roll_up is not None:
            _roll_up(opened, cube_class, roll_up, by, relation, limit, json)
        elif json and cube_class is None:
            say_json_items(opened.export())
        else:
            views.show(_looked_at(opened, place, like, limit), as_json=json)


def _check(
    place: tuple[str | None, ...],
    section: str | None,
    roll_up: str | None,
    export: Path | None,
    by: str,
    wishes: CorrectionOptions,
) -> None:
    """Refuse what cannot be meant together, before anything is opened."""
    # With --add, --section says where the added fact stands.
    given = {"--section": None if wishes.add else section, "--roll-up": roll_up, "--export": export}
    chosen = [name for name, value in given.items() if value is not None]
    if len(chosen) + bool(wishes) > 1:
        raise UsageError(f"Use {chosen[0]} alone, without another of --section, --roll-up, --export and corrections.")
    if by not in _BUCKETS:
        raise UsageError(f"--by '{by}' is not one of {', '.join(_BUCKETS)}.")
    if roll_up is not None and place[0] is None:
        raise UsageError("Say which class to roll up: multicube cube CLASS --roll-up ROWS[,COLUMNS].")
    wishes.check(place)


def _looked_at(
    kb: KnowledgeBase, place: tuple[str | None, str | None, str | None], like: str | None, limit: int
) -> list[views.CubeTable]:
    cube_class, dimension, label = place
    if cube_class is None:
        return [views.classes(kb)]
    found = views.find_cube(kb, cube_class)
    if dimension is None:
        return [views.dimensions(found)]
    if label is None:
        return [views.labels(found, dimension, like=like, limit=limit)]
    return views.label_cell(kb, found, dimension, label, limit)


def _roll_up(
    kb: KnowledgeBase, cube_class: str | None, spec: str, by: str, relation: str | None, limit: int, as_json: bool
) -> None:
    parts = [part.strip() for part in spec.split(",")]
    if len(parts) > 2 or not all(parts):
        raise UsageError(f"--roll-up '{spec}' is not one dimension, or two with a comma between them.")
    columns = parts[1] if len(parts) == 2 else None
    found = views.find_cube(kb, cast(str, cube_class))
    table = views.rolled_up(found, parts[0], columns, cast("Bucket", by), relation, limit, as_json=as_json)
    views.show([table], as_json=as_json)


def _export(kb: KnowledgeBase, cube_class: str | None, path: Path) -> None:
    from .export import export_facts

    count = export_facts(views.facts_to_export(kb, cube_class), path)
    note(f"{count:,} facts written to {path}")
