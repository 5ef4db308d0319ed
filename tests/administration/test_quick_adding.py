"""Answers go to an SQLite file by a connection of their own, as safely as by SQLAlchemy."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from gfactor.administration import Journal, Response
from gfactor.administration.storing.outages import may_pass
from gfactor.errors import JournalError
from gfactor.examinees import Reply


def response(item: str, text: str = "COUNT:1", outcome: str = "ok") -> Response:
    reply = Reply(text, outcome, latency_s=len(text))  # type: ignore[arg-type]
    return Response.now("a:b", item, "default", 0, reply)


def test_answers_are_stored_without_a_statement_of_sqlalchemy(path: Path) -> None:
    with Journal.open(path) as journal:
        statements: list[str] = []
        event.listen(
            journal._engine, "before_cursor_execute", lambda *given: statements.append(given[2])
        )
        assert journal.add([response("h1"), response("h2", outcome="timeout")]) == 2
        assert not statements
        assert (len(journal.responses()), len(journal.failures())) == (1, 1)


def test_what_was_stored_survives_a_copy_of_the_files_at_any_moment(
    path: Path, tmp_path: Path
) -> None:
    """A killed process leaves these files: each answer is in them when `add` returns."""
    with Journal.open(path) as journal:
        for number in range(3):
            journal.add([response(f"h{number}")])
            copy = tmp_path / f"copy{number}"
            copy.mkdir()
            for file in path.parent.glob("c.db*"):
                (copy / file.name).write_bytes(file.read_bytes())
            with closing(sqlite3.connect(copy / path.name)) as killed:
                assert killed.execute("SELECT count(*) FROM responses").fetchone() == (number + 1,)


def test_a_reply_that_comes_too_late_is_kept_apart_and_the_others_with_it_are_stored(
    path: Path,
) -> None:
    with Journal.open(path) as journal:
        journal.add([response("h1", "first")], claimed=True)
        assert journal.add([response("h2"), response("h1", "the second")], claimed=True) == 1
        assert journal.responses()["text"].tolist() == ["first", "COUNT:1"]
        assert journal.late()["text"].tolist() == ["the second"]


def test_answers_and_attempts_are_stored_together_or_not_at_all(path: Path) -> None:
    with Journal.open(path) as journal:
        with closing(sqlite3.connect(path)) as other:
            other.execute("DROP TABLE failures")
        with pytest.raises(JournalError, match=r"'.*c.db' cannot be used: no such table"):
            journal.add([response("h1"), response("h2", outcome="timeout")])
        assert journal.responses().empty
        assert journal.add([response("h1")]) == 1


def test_a_locked_file_is_trouble_that_passes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gfactor.administration.storing.opening.BUSY_SECONDS", 0.01)
    with Journal.open(path) as journal:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(JournalError) as raised:
                journal.add([response("h1")])
        assert isinstance(raised.value.__cause__, OperationalError)
        assert may_pass(raised.value)
        assert journal.add([response("h1")]) == 1


def test_a_closed_journal_holds_no_file_open(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.add([response("h1")])
        assert path.with_name("c.db-wal").exists()
    assert not path.with_name("c.db-wal").exists()
    assert journal.add([response("h2")]) == 1, "a journal may be used again"
    journal.close()
    assert not path.with_name("c.db-wal").exists()


def test_the_log_is_merged_into_the_file_by_claims_and_not_while_answers_are_stored(
    path: Path,
) -> None:
    """Merging waits for the disk, and answers are stored in the event loop."""
    with Journal.open(path) as journal:
        before = path.stat().st_size
        for number in range(10):
            journal.add([response(f"h{number}", "x" * 1_000_000)])
        assert path.stat().st_size == before
        journal.claim("host|boot|1|x", 60, "a:b", "default", [("h99", 0)])
        assert path.stat().st_size > 10_000_000
