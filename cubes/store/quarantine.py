"""Sections that could not be read: kept with the reason until they are read again.

A section that is set aside counts as read, so that an ordinary ingest does not ask for it again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..core.records import Problem, Section
from .catalog import Catalog
from .database import clean

__all__ = ["problem", "sections_aside", "set_aside"]


def problem(source: str, section: Section, reason: str) -> Problem:
    """Return what is said of a section that cannot be read."""
    name = " > ".join(section.path)
    return Problem(source, None, f"Section {section.ordinal + 1} ('{name}') could not be read: {reason}")


def set_aside(catalog: Catalog, problems: Mapping[str, Problem]) -> None:
    """Set sections aside by their ids; writing their facts takes them back."""
    with catalog.writing() as connection:
        connection.executemany(
            "INSERT INTO aside SELECT number, ? FROM sections WHERE id = ? "
            "ON CONFLICT (section) DO UPDATE SET message = excluded.message",
            [(clean(problem.message), section) for section, problem in problems.items()],
        )


def sections_aside(catalog: Catalog, sources: Collection[str]) -> dict[str, list[str]]:
    """Return the ids of the sections of these files that are set aside, by document, in order."""
    found: dict[str, list[str]] = {}
    rows = catalog.rows(
        "SELECT d.id, d.source, s.id FROM aside a JOIN sections s ON s.number = a.section "
        "JOIN documents d ON d.number = s.document ORDER BY d.number, s.ordinal"
    )
    for document, source, section in rows:
        if source in sources:
            found.setdefault(document, []).append(section)
    return found
