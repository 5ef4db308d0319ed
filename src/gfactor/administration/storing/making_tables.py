"""Tables of an empty database, from statements that are compiled once in a process."""

from __future__ import annotations

from functools import cache

import sqlalchemy as sa
from sqlalchemy.dialects import registry
from sqlalchemy.schema import CreateIndex, CreateTable


def make_tables(connection: sa.Connection, tables: sa.MetaData) -> None:
    """Make all tables and their indices; a table that another process has made meanwhile stays.

    SQLAlchemy's `create_all` checks for each table whether it exists and compiles its statement
    again, which takes longer than making it.

    Parameters
    ----------
    connection : sqlalchemy.Connection
        Connection to the database.
    tables : sqlalchemy.MetaData
        Tables that are made; none may be added afterwards.
    """
    for statement in _statements(tables, connection.dialect.name):
        connection.exec_driver_sql(statement)


@cache
def _statements(tables: sa.MetaData, dialect_name: str) -> tuple[str, ...]:
    dialect = registry.load(dialect_name)()
    definitions = [
        part
        for table in tables.sorted_tables
        for part in (CreateTable(table, if_not_exists=True), *_indices(table))
    ]
    return tuple(str(part.compile(dialect=dialect)) for part in definitions)


def _indices(table: sa.Table) -> list[CreateIndex]:
    by_name = sorted(table.indexes, key=lambda index: str(index.name))
    return [CreateIndex(index, if_not_exists=True) for index in by_name]
