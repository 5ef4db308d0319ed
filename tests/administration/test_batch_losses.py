"""What a vendor has lost, garbled or not told in a batch: said, counted, and in nobody's way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from support.batch_campaigns import declared
from support.batch_server import BatchServer, batch_server

import gfactor as gf
from gfactor.administration import Journal
from gfactor.administration.asking.batch_queue import QueueRoom
from gfactor.administration.asking.batch_waiting import Waiting
from gfactor.errors import JournalError

PRICE = 0.5
"""Money for a written token in a batch, half of what is declared."""


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with batch_server() as running:
        yield running


def failures(path: Path) -> Counter[str]:
    with gf.open_journal(path.parent / "c.db") as journal:
        return Counter(journal.failures()["detail"])


def unanswered(path: Path) -> float:
    return float(gf.campaign.status(path).facts["unanswered"])


@pytest.mark.parametrize(
    ("kind", "name"), [("openai", "batch_0"), ("anthropic", "msgbatch_0"), ("google", "batches/0")]
)
def test_a_batch_that_the_vendor_has_forgotten_holds_up_no_other(
    tmp_path: Path, server: BatchServer, kind: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = declared(tmp_path, server, kind)
    server.forgotten = {name}
    done = gf.campaign.run(path)
    assert (done.code, done.facts["done"], done.facts["failed"], server.submitted) == (1, 8, 4, 3)
    (detail,) = failures(path)
    assert f"the vendor does not know batch {name} any more: HTTP 404: No such object" in detail
    # Four questions at 10 tokens each were set aside, and the vendor may have charged them.
    assert unanswered(path) == 4 * 10 * PRICE
    assert "4 of 4 questions" in capsys.readouterr().err
    again = gf.campaign.run(path)
    assert (again.code, again.facts["done"], server.submitted) == (0, 12, 4)


def test_a_result_file_that_is_missing_costs_its_questions_alone(
    tmp_path: Path, server: BatchServer
) -> None:
    path = declared(tmp_path, server)
    server.forgotten = {"output_file_id-batch_0"}
    done = gf.campaign.run(path)
    assert (done.code, done.facts["done"], done.facts["failed"], server.submitted) == (1, 8, 4, 3)
    assert failures(path) == {
        "the result file is missing: HTTP 404: No such object: output_file_id-batch_0": 4
    }
    assert unanswered(path) > 0


def test_an_address_that_is_no_batch_api_loses_no_batch(
    tmp_path: Path, server: BatchServer
) -> None:
    path = declared(tmp_path, server, items=4)
    server.forgotten = {"batch_0"}
    # The list shows the batch: what looks like a loss is none.
    server.in_sight = lambda first_page: list(server.batches.values())  # type: ignore[method-assign]
    stopped = gf.campaign.run(path)
    assert (stopped.code, stopped.facts["failed"]) == (4, 0)
    server.forgotten = set()
    assert (gf.campaign.run(path).code, server.submitted) == (0, 1)


def test_lines_that_cannot_be_read_are_told_and_counted(
    tmp_path: Path, server: BatchServer, capsys: pytest.CaptureFixture[str]
) -> None:
    path = declared(tmp_path, server, size=12)

    def garbled(rows: list[Any]) -> list[Any]:
        named = f'{{"custom_id": "{rows[2]["custom_id"]}", "resp'
        return [*rows[:2], named, "<html>", *rows[5:]]

    server.rows = garbled
    done = gf.campaign.run(path)
    assert (done.code, done.facts["done"], done.facts["failed"]) == (1, 9, 3)
    reasons = failures(path)
    (named,) = [reason for reason in reasons if reason.startswith("line 3 of the result file")]
    assert reasons[named] == 1
    assert reasons[
        "the result file has no line for this question (line 4 of the result file cannot be read: "
        '"<html>")'
    ] == 2  # fmt: skip
    assert unanswered(path) > 0
    assert "the next run asks them again" in capsys.readouterr().err


def test_an_answer_without_usage_costs_its_estimate(tmp_path: Path, server: BatchServer) -> None:
    path = declared(tmp_path, server, campaign=f"budget = {5 * 10 / 2}")

    def without_usage(rows: list[Any]) -> list[Any]:
        for row in rows:
            del row["response"]["body"]["usage"]
        return rows

    server.rows = without_usage
    done = gf.campaign.run(path)
    assert (done.code, done.facts["done"], done.facts["spent"]) == (3, 5, 25.0)


@pytest.mark.thorough
def test_a_completion_without_choices_is_booked_by_its_usage(
    tmp_path: Path, server: BatchServer
) -> None:
    path = declared(tmp_path, server, size=12)

    def without_choices(rows: list[Any]) -> list[Any]:
        rows[0]["response"]["body"]["choices"] = []
        return rows

    server.rows = without_choices
    done = gf.campaign.run(path)
    assert (done.code, done.facts["failed"], done.facts["spent"]) == (1, 1, 12 * 7 / 2)


@pytest.mark.parametrize("kind", ["openai", "anthropic", "google"])
def test_results_that_were_cut_off_on_the_way_are_fetched_again(
    tmp_path: Path, server: BatchServer, kind: str
) -> None:
    path = declared(tmp_path, server, kind, size=12, lab="attempts = 2")
    server.cut = 1
    done = gf.campaign.run(path)
    assert (done.code, done.facts["done"], done.facts["unanswered"]) == (0, 12, 0)
    assert set(server.paid().values()) == {1}


def test_results_that_the_vendor_no_longer_has_may_have_been_paid_for(
    tmp_path: Path, server: BatchServer
) -> None:
    path = declared(tmp_path, server, "anthropic", items=4)
    server.archived = True
    done = gf.campaign.run(path)
    assert (done.code, done.facts["failed"], done.facts["unanswered"]) == (1, 4, 4 * 10 * PRICE)
    (detail,) = failures(path)
    assert "the batch is ended, and the vendor has no results of it (any more)" in detail


def test_a_response_of_google_without_candidates_is_booked_by_its_usage(
    tmp_path: Path, server: BatchServer
) -> None:
    path = declared(tmp_path, server, "google", size=12)

    def without_candidates(rows: list[Any]) -> list[Any]:
        rows[0]["response"]["candidates"] = []
        return rows

    server.rows = without_candidates
    done = gf.campaign.run(path)
    assert (done.code, done.facts["failed"], done.facts["spent"]) == (1, 1, 12 * 7 / 2)
    assert done.facts["unanswered"] == 0


def test_after_a_full_queue_batches_get_their_size_again() -> None:
    room = QueueRoom()
    for _ in range(20):
        room.refuse("too many requests in the queue", tokens=min(1600, room.most), waiting=0)
    # Four halvings, then one after every fourth refusal.
    assert room.most == 1600 / 2**8
    for _ in range(8):
        room.accept(tokens=room.most, waiting=0)
    assert room.most == 1600


def test_without_a_limit_of_answers_a_small_batch_tells_how_long_they_are(
    tmp_path: Path, server: BatchServer
) -> None:
    # Ten answers of 3,000 tokens cost 15,000; a budget of 36,000 pays for 14 more, at twice the
    # length of the longest for 3 or fewer at once.
    path = declared(tmp_path, server, size=50, items=60, campaign="budget = 36000", conditions="")

    def long(rows: list[Any]) -> list[Any]:
        for row in rows:
            row["response"]["body"]["usage"]["completion_tokens"] = 3000
        return rows

    server.rows = long
    done = gf.campaign.run(path)
    assert done.code == 3
    assert len(server.requests["batch_0"]) == 10
    assert 30000 < done.facts["spent"] <= 36000


def test_the_first_answer_to_a_question_stays(
    tmp_path: Path, server: BatchServer, capsys: pytest.CaptureFixture[str]
) -> None:
    path = declared(tmp_path, server, size=12)

    def doubled(rows: list[Any]) -> list[Any]:
        error = {"error": {"message": "dup err"}}
        failed = {**rows[0], "response": {"status_code": 500, "body": error}}
        body = rows[1]["response"]["body"]
        message = {"role": "assistant", "content": "COUNT:9999"}
        other = {**body, "choices": [{"message": message, "finish_reason": "stop"}]}
        second = {**rows[1], "response": {"status_code": 200, "body": other}}
        return [*rows, failed, second, {**rows[2], "custom_id": "zzz-0"}]

    server.rows = doubled
    done = gf.campaign.run(path)
    assert (done.code, done.facts["failed"]) == (0, 0)
    with gf.open_journal(tmp_path / "c.db") as journal:
        rows = journal.responses()
    assert set(rows["text"]) == {"COUNT:3"}
    assert Counter(rows["detail"]) == {
        "": 11, 'the results have a second, different answer: "COUNT:9999"': 1
    }  # fmt: skip
    assert "1 results of batch batch_0 belong to none of its questions" in capsys.readouterr().err


@pytest.mark.thorough
def test_a_reply_of_a_batch_is_kept_up_to_max_reply(tmp_path: Path, server: BatchServer) -> None:
    path = declared(tmp_path, server, size=12, lab="max_reply = 100")
    server.reply = lambda text: "A" * 500
    assert gf.campaign.run(path).code == 0
    with gf.open_journal(tmp_path / "c.db") as journal:
        rows = journal.responses()
    assert set(rows["text"]) == {"A" * 100}
    assert set(rows["outcome"]) == {"truncated"}


@pytest.mark.parametrize("kept", [12, 11])
def test_responses_without_keys_are_assigned_by_order_if_their_number_agrees(
    tmp_path: Path, server: BatchServer, kept: int
) -> None:
    path = declared(tmp_path, server, "google", size=12)
    server.reply = lambda text: f"COUNT:{text.split()[1]}"

    def keyless(rows: list[Any]) -> list[Any]:
        return [{k: v for k, v in row.items() if k != "metadata"} for row in rows[::-1]][:kept]

    server.rows = keyless
    done = gf.campaign.run(path)
    assert (done.facts["done"], done.facts["failed"]) == ((12, 0) if kept == 12 else (0, 12))
    if kept == 12:
        target = {i.provenance.content_hash: str(i.content[0]).split()[1]
                  for i in gf.open_bank(tmp_path / "b.parquet")}  # fmt: skip
        with gf.open_journal(tmp_path / "c.db") as journal:
            rows = journal.responses()
        said = zip(rows["item_hash"], rows["text"], strict=True)
        assert all(text == f"COUNT:{target[item]}" for item, text in said)
    else:
        (detail,) = failures(path)
        assert "11 responses without keys to 12 questions" in detail


def test_results_are_fetched_once_however_long_a_batch_is_searched_for(
    tmp_path: Path, server: BatchServer, capsys: pytest.CaptureFixture[str]
) -> None:
    path = declared(tmp_path, server, "anthropic", lab="batch_search = 0.5")
    server.failing_before = 1
    assert gf.campaign.run(path).code == 0
    # The search looks into a batch of the same size once, and its answers are read once.
    assert len(server.fetched) == 3
    assert max(server.fetched.values()) <= 2
    assert "without an answer (HTTP 503: try later)" in capsys.readouterr().err


def test_a_vendor_that_asks_to_wait_for_hours_is_not_waited_for(
    tmp_path: Path, server: BatchServer
) -> None:
    path = declared(tmp_path, server, "anthropic")
    server.queue, server.retry_after = 0, "5000"
    stopped = gf.campaign.run(path)
    assert stopped.code == 4
    assert "asks to wait 5,000 s" in stopped.stopped["openai:m"]


@pytest.mark.thorough
def test_a_full_disk_is_waited_for_with_the_answers_of_a_batch(
    tmp_path: Path,
    server: BatchServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, add, faults = declared(tmp_path, server, size=12), Journal.add, [1, 2]

    def full(self: Journal, responses: Any, **how: Any) -> int:
        if how.get("batch") and faults:
            faults.pop()
            cause = OperationalError("", None, Exception("database or disk is full"))
            raise JournalError("journal c.db cannot be used: database or disk is full") from cause
        return add(self, responses, **how)

    monkeypatch.setattr(Journal, "add", full)
    done = gf.campaign.run(path)
    assert (done.code, done.facts["done"], server.submitted) == (0, 12, 1)
    assert "the journal works again; nothing was lost" in capsys.readouterr().err


def test_a_disk_that_stays_full_ends_in_a_sentence_and_the_next_run_collects_the_batch(
    tmp_path: Path, server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite itself is out of room: its file may not grow any more."""
    path, add = declared(tmp_path, server, size=12), Journal.add
    monkeypatch.setattr("gfactor.administration.storing.outages.OUTAGE_SECONDS", 0.1)

    def full(self: Journal, responses: Any, **how: Any) -> int:
        with self.transaction() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
            connection.exec_driver_sql("CREATE TABLE filling (zeros BLOB)")
            connection.exec_driver_sql("INSERT INTO filling VALUES (zeroblob(1000000))")
        return add(self, responses, **how)

    with monkeypatch.context() as filled:
        filled.setattr(Journal, "add", full)
        with pytest.raises(JournalError) as stopped:
            gf.campaign.run(path)
    said = str(stopped.value)
    assert "database or disk is full; the 12 results of batch batch_0 of openai:m" in said
    assert "the vendor keeps them, and nothing is asked or paid for twice" in said
    assert "free space" in said
    assert "run the same command again" in said
    again = gf.campaign.run(path)
    assert (again.code, again.facts["done"], again.facts["failed"]) == (0, 12, 0)
    assert server.submitted == 1


def test_a_vendor_that_takes_nothing_is_asked_ever_more_rarely() -> None:
    told: list[str] = []
    waiting = Waiting("openai:m", 10, told.append)
    for wait in (None, None, None, 90):
        waiting.refuse("queue full", wait)
    assert [one.rpartition("again in ")[2] for one in told] == ["10 s", "20 s", "40 s", "90 s"]
    waiting.accept()
    waiting.refuse("queue full")
    assert told[-1].endswith("again in 10 s")
