"""A journal on a real PostgreSQL server does what one in a file does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
import sqlalchemy as sa
from support.banks import make_items
from support.cli import run_cli
from support.postgres import fresh_database, postgres_server

from gfactor.administration import Journal, Response
from gfactor.administration.storing import leases, opening
from gfactor.errors import JournalError, MissingExtraError
from gfactor.examinees import Reply
from gfactor.items import ItemBank, write_bank


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    pytest.importorskip("psycopg")
    with postgres_server() as url:
        yield url


@pytest.fixture
def url(server: str) -> str:
    """A database of the test's own."""
    return fresh_database(server, "campaign")


def response(item: str, text: str = "COUNT:1", **more: object) -> Response:
    reply = Reply(text, **more)  # type: ignore[arg-type]
    return Response.now("a:b", item, "default", 0, reply)


@pytest.mark.slow
def test_a_campaign_gives_the_same_scores_on_a_server_and_in_a_file(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = write_bank(make_items(), tmp_path / "b.parquet")
    file = tmp_path / "c.db"
    said = []
    for journal in (url, str(file)):
        run = ("run", str(bank), "--journal", journal, "--examinee", "baseline:random?seed=1")
        assert run_cli(monkeypatch, capsys, *run, "--occasions", "2").code == 0
        assert "24 known already" in run_cli(monkeypatch, capsys, *run, "--occasions", "2").out
        said.append(run_cli(monkeypatch, capsys, "score", journal, "--json").out)
    assert said[0] == said[1]
    with Journal.open(url) as there, Journal.open(file) as here:
        for frames in zip(
            (there.items(), there.responses().drop(columns=["created", "latency_s"])),
            (here.items(), here.responses().drop(columns=["created", "latency_s"])),
            strict=True,
        ):
            first, second = (f.sort_values(list(f)[:4], ignore_index=True) for f in frames)
            pd.testing.assert_frame_equal(first, second, check_dtype=False)
        assert there.samples() == here.samples()
        there.export(tmp_path / "out.parquet")
    assert len(pd.read_parquet(tmp_path / "out.parquet")) == 24


@pytest.mark.thorough
def test_a_key_is_stored_once_and_failures_are_kept_apart(url: str) -> None:
    with Journal.open(url) as journal:
        failed = response("h1", "", outcome="timeout", detail="late")
        assert journal.add([failed, failed, response("h1", "first")]) == 3
        assert journal.add([response("h1", "second"), response("h2")]) == 1
        assert journal.responses()["text"].tolist() == ["first", "COUNT:1"]
        assert journal.failures()["detail"].tolist() == ["late", "late"]
        assert set(journal.answered("a:b", "default")) == {("h1", 0), ("h2", 0)}


def test_hostile_text_is_stored(url: str) -> None:
    text = "a\x00b\x1b[31m\ud800<script>" + "x" * 10**6
    with Journal.open(url) as journal:
        journal.add([response("h1", text)])
        (stored,) = journal.responses()["text"]
    assert stored.endswith("x" * 10**6)
    assert stored.startswith("a\\x00b\x1b[31m\\ud800<script>")


@pytest.mark.thorough
def test_writers_that_start_at_once_make_one_journal_and_lose_nothing(url: str) -> None:
    errors: list[BaseException] = []

    def write(writer: int) -> None:
        try:
            with Journal.open(url) as journal:
                for n in range(20):
                    journal.add([response(f"{writer}-{n}"), response(f"shared-{n}")])
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with Journal.open(url) as journal:
        assert len(journal.responses()) == 4 * 20 + 20


def test_a_database_of_something_else_is_refused(server: str, url: str) -> None:
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(sa.text("create table people (name text)"))
    engine.dispose()
    with pytest.raises(JournalError, match="is a database of something else"):
        Journal.open(url)
    with pytest.raises(JournalError, match=r"cannot be used: .*does not exist") as told:
        Journal.open(server.replace("tester@/postgres", "tester:secret@/nothing"))
    assert "secret" not in str(told.value)


def test_a_missing_driver_is_told_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"gfactor\[postgres\]"):
        Journal.open("postgresql://me@localhost/db")


def test_a_process_that_stops_in_a_transaction_keeps_nobody_waiting(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_IDLE_SECONDS", 1)
    whose = {"examinee": "a:b", "condition": "default", "owner": "stopped"}

    def stop(journal: Journal, other: Journal) -> None:
        with journal._connected() as connection:
            leases.claim(connection, whose, 60, [("h1", 0)], (), 0)
            # Without a limit this would wait for a transaction that never ends.
            assert other.claim("other", 60, "a:b", "default", [("h1", 0)])[0] == {("h1", 0)}
            connection.execute(sa.text("select 1"))

    with Journal.open(url) as stopped, Journal.open(url) as other:
        with pytest.raises(JournalError):
            stop(stopped, other)
        # The process goes on with a new connection.
        assert stopped.claims("a:b", "default").keys() == {("h1", 0)}


def test_a_connection_that_the_server_ended_costs_no_reply(url: str) -> None:
    with Journal.open(url) as journal, Journal.open(url) as other:
        assert journal.add([response("h1")], claimed=True) == 1
        with other._connected() as connection:
            ended = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> "
            connection.execute(sa.text(f"{ended} pg_backend_pid() and datname = 'campaign'"))
        assert journal.add([response("h2")], claimed=True) == 1
        assert len(other.responses()) == 2


@pytest.mark.slow
def test_the_bank_is_not_needed_to_read_a_journal(url: str, tmp_path: Path) -> None:
    bank = ItemBank.open(write_bank(make_items(), tmp_path / "b.parquet"))
    with Journal.open(url) as journal:
        journal.register((), bank)
    bank.path.unlink()
    with Journal.open(url, create=False) as journal:
        assert sorted(journal.items()["id"]) == sorted(bank.ids)
