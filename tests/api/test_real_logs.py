"""Files that VLMEvalKit, lmms-eval and Inspect wrote themselves go through every room and back."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.benchmarks import shared
from support.corridors.journals import LOGS

import gfactor as gf

VLMEVALKIT = [
    f"vlmevalkit/outputs/{run}"
    for run in (
        "api/acme--vision-1/T20261122-105426",
        "evaljson/GPT4o/T20261122-105309",
        "config/my.model-v1.5_T0/T20261122-105527",
    )
]
FILES = {"inspect": ["inspect"], "lmms-eval": ["lmms_eval"], "vlmevalkit": VLMEVALKIT}
OWN = "own"
"""A run of our own, in the journal before the files."""


def answers(journal: Path) -> Counter[tuple[Any, ...]]:
    """Every answer of a journal, by plain SQL: who, under what, which item, what was said."""
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as connection:
        rows = connection.execute(
            "SELECT r.examinee, i.benchmark, i.id, r.occasion, r.outcome, r.text "
            "FROM responses r JOIN (SELECT DISTINCT content_hash, id, benchmark FROM items) i "
            "ON i.content_hash = r.item_hash"
        ).fetchall()
    return Counter(map(tuple, rows))


def journal_of(folder: Path, harnesses: Sequence[str]) -> tuple[Path, int, int]:
    """A journal of the files, and how many answers and failures the imports say they took."""
    path, taken, failed = folder / "c.db", 0, 0
    for harness in harnesses:
        if harness == OWN:
            bank = gf.build("percept-v", seed=7, domains=["counting_circles", "sort_lines"],
                            sizes=[2, 4], instances=2, path=folder / "own.parquet")  # fmt: skip
            run = gf.run(bank, ["observer:ideal", "baseline:random"], journal=path)
            taken += sum(result.asked for result in run.results)
            run.close()
            continue
        files = [shared(f"data/real_logs/{name}") for name in FILES[harness]]
        done = gf.import_logs(harness, files, journal=path).files
        taken += sum(one.added for one in done)
        failed += sum(one.failed for one in done)
    return path, taken, failed


def walked(folder: Path, path: Path, taken: int, failed: int) -> None:
    """Report, leaderboard, comparison, export and import back; every answer is there each time."""
    before = answers(path)
    assert before.total() == taken
    report = gf.report(path, folder / "report")
    assert report.path.is_file()
    board = gf.leaderboard(path, folder / "site")
    assert board.items >= len({key[1:3] for key in before})
    exported = gf.export(path, "eee", folder / "eee", organization="a lab")
    assert exported.answers == taken + failed
    again = folder / "again.db"
    gf.import_logs("eee", folder / "eee", journal=again)
    assert answers(again) == before
    assert answers(path) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "harnesses",
    [["inspect"], ["lmms-eval"], ["vlmevalkit"], [OWN, *FILES]],
    ids=" and ".join,
)
def test_every_answer_of_real_logs_is_still_there_at_the_end(
    tmp_path: Path, harnesses: list[str]
) -> None:
    walked(tmp_path, *journal_of(tmp_path, harnesses))


def test_made_up_logs_of_three_harnesses_come_back_from_an_export(tmp_path: Path) -> None:
    journal = tmp_path / "c.db"
    for harness in FILES:
        folder = tmp_path / harness
        folder.mkdir()
        gf.import_logs(harness, LOGS[harness](folder), journal=journal)
    gf.export(journal, "eee", tmp_path / "eee", organization="a lab")
    gf.import_logs("eee", tmp_path / "eee", journal=tmp_path / "again.db")
    assert answers(journal).total() == 18
    assert answers(tmp_path / "again.db") == answers(journal)
