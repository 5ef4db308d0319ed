"""Runs that were imported from the log of another program, recorded in the journal."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePath

import sqlalchemy as sa

from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.rows import insert
from gfactor.administration.storing.tables import IMPORTED, META


def note_imports(journal: Journal, runs: Iterable[tuple[str, str]], log_format: str) -> None:
    """Note the runs (examinee, condition) that came from a log, and the format of the log."""
    rows = [{"key": _key(*run), "value": log_format} for run in sorted(set(runs))]
    with journal.transaction(alone=True) as connection:
        insert(connection, META, rows)


def was_imported(journal: Journal, examinee: str, condition: str) -> bool:
    """Return True if the answers of an examinee under a condition came from a log.

    A campaign that used prompt packs of gfactor is a run. Journals from before imports were noted
    tell it by the name of the file that stands in the place of a bank.
    """
    with journal.transaction() as connection:
        wanted = sa.select(META.c.key).where(META.c.key == _key(examinee, condition))
        noted = connection.execute(wanted).first() is not None
    return noted or any(
        not json.loads(campaign["packs"])
        and PurePath(campaign["bank"]).suffix not in ("", ".parquet")
        for campaign in journal.meta()["campaigns"]
        if (campaign["examinee"], campaign["condition"]) == (examinee, condition)
    )


def _key(examinee: str, condition: str) -> str:
    return IMPORTED + json.dumps([examinee, condition], ensure_ascii=False)
