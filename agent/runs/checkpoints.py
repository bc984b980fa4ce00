"""LangGraph's checkpointer beside the runs: in their file, or in PostgreSQL, where any server finds what one wrote."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

from ...cubes.store.postgres import PostgresConnection

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.checkpoint.serde.base import SerializerProtocol
    from psycopg import Connection
    from psycopg.rows import DictRow
    from psycopg_pool import ConnectionPool

__all__ = ["close", "in_file", "in_postgres"]

_SESSIONS = 4
"""How many checkpoints are written at once: one a run, at its end."""


def in_file(connection: sqlite3.Connection) -> BaseCheckpointSaver[Any]:
    """Return the checkpointer of a SQLite file."""
    from langgraph.checkpoint.sqlite import SqliteSaver

    saver = SqliteSaver(connection, serde=_serde())
    saver.setup()
    return saver


def in_postgres(connection: PostgresConnection) -> BaseCheckpointSaver[Any]:
    """Return the checkpointer of the same schema, with sessions of its own; its tables are made where there are none.

    A session that was cut meanwhile is replaced by a new one.
    """
    from langgraph.checkpoint.postgres import PostgresSaver

    saver = PostgresSaver(_pool(connection), serde=_serde())
    with connection.laying_out():
        saver.setup()
    return saver


def close(saver: BaseCheckpointSaver[Any]) -> None:
    """Close what a checkpointer keeps open."""
    saver.conn.close()  # type: ignore[attr-defined]  # a connection or a pool of them


def _pool(connection: PostgresConnection) -> ConnectionPool[Connection[DictRow]]:
    from psycopg import Connection
    from psycopg.rows import DictRow, dict_row
    from psycopg_pool import ConnectionPool

    return ConnectionPool[Connection[DictRow]](
        connection.url, min_size=1, max_size=_SESSIONS, open=True, check=ConnectionPool.check_connection,
        kwargs={**connection.options, "autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
    )  # fmt: skip


def _serde() -> SerializerProtocol:
    """Only our own record types are read back."""
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    from ...graphs.state import CHECKPOINT_TYPES

    return JsonPlusSerializer(allowed_msgpack_modules=[(t.__module__, t.__qualname__) for t in CHECKPOINT_TYPES])
