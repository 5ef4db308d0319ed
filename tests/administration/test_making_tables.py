"""Tables of journals and studies are made by statements that are worded once."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from gfactor.administration.storing.making_tables import make_tables
from gfactor.administration.storing.tables import TABLES
from gfactor.studies.questionnaires.storing.tables import METADATA


def schema(connection: sa.Connection) -> list[tuple[str, str]]:
    rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master ORDER BY name")
    return [(name, sql) for name, sql in rows]


@pytest.mark.parametrize("tables", [TABLES, METADATA], ids=["journal", "study"])
def test_the_tables_are_those_of_sqlalchemy_and_stay_where_they_are_there(
    tables: sa.MetaData,
) -> None:
    ours, theirs = sa.create_engine("sqlite://"), sa.create_engine("sqlite://")
    with ours.begin() as here, theirs.begin() as there:
        tables.create_all(there)
        for _ in range(2):
            make_tables(here, tables)
            assert schema(here) == schema(there)
    ours.dispose()
    theirs.dispose()
