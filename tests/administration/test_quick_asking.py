"""Shortcuts of asking: what is at hand is not waited for, and no reply is left unstored for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gfactor.administration import Journal, Response
from gfactor.administration.asking.concurrent import Asking
from gfactor.administration.sharing.claims import Claims, DrawnItem
from gfactor.administration.storing.rows import Key
from gfactor.errors import JournalError
from gfactor.examinees import RenderedItem, Reply
from gfactor.examinees.http.answer import json_of
from gfactor.examinees.http.limits import Breaker, RunStoppedError

KEYS: list[Key] = [(f"h{number}", 0) for number in range(8)]


def put(keys: Sequence[Key]) -> Iterator[DrawnItem]:
    return ((RenderedItem(key[0], "b", "t", (key[0],)), *key) for key in keys)


def claims(journal: Journal, in_flight: int = 4) -> Claims:
    return Claims(journal, "a:b", "default", KEYS, put, in_flight)


class Examinee:
    """Answers after a moment; fails the test if an earlier answer of an asker is not stored."""

    name, in_flight = "a:b", 4

    def __init__(self, journal: Journal) -> None:
        self.journal, self.answered = journal, 0

    async def __call__(self, item: RenderedItem) -> Reply:
        stored = len(self.journal.responses())
        assert self.answered - stored < self.in_flight
        await asyncio.sleep(0.005)
        self.answered += 1
        return Reply(item.item_id)

    async def close(self) -> None:
        pass


def test_what_is_at_hand_is_what_a_draw_would_give(path: Path) -> None:
    async def work(journal: Journal) -> tuple[list[Any], list[Any]]:
        async with claims(journal) as one:
            before, drawn = one.at_hand(), await one.draw()
            others = [one.at_hand() for _ in range(4)]
            return [before], [drawn, *others]

    with Journal.open(path) as journal:
        before, drawn = asyncio.run(work(journal))
    # Nothing is at hand before questions were claimed, nor when those are used up.
    assert before == [None]
    assert [question and question[1:] for question in drawn] == [*KEYS[:4], None]


def test_nothing_is_at_hand_while_the_claim_may_have_run_out(path: Path) -> None:
    async def work(journal: Journal) -> DrawnItem | None:
        async with claims(journal) as one:
            await one.draw()
            one._renewed = 0.0, 0.0
            return one.at_hand()

    with Journal.open(path) as journal:
        assert asyncio.run(work(journal)) is None


def test_askers_wait_together_for_one_claiming(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claimed: list[int] = []
    claim = Journal.claim

    def counted(self: Journal, *given: Any, **how: Any) -> Any:
        claimed.append(1)
        return claim(self, *given, **how)

    async def work(journal: Journal) -> list[DrawnItem | None]:
        async with claims(journal, in_flight=8) as one:
            return await asyncio.gather(*(one.draw() for _ in range(8)))

    monkeypatch.setattr(Journal, "claim", counted)
    with Journal.open(path) as journal:
        drawn = asyncio.run(work(journal))
    assert sorted(question[1:] for question in drawn if question) == KEYS
    assert len(claimed) == 1


MANY: list[Key] = [(f"h{number:02d}", 0) for number in range(25)]


def test_the_next_questions_are_claimed_before_the_last_ones_are_used_up(path: Path) -> None:
    async def work(journal: Journal) -> list[DrawnItem | None]:
        async with Claims(journal, "a:b", "default", MANY, put, 10) as one:
            drawn = [await one.draw(), *(one.at_hand() for _ in range(8))]
            assert one._ahead is not None
            await one._ahead
            return [*drawn, *(one.at_hand() for _ in range(16))]

    with Journal.open(path) as journal:
        drawn = asyncio.run(work(journal))
        assert journal.claims("a:b", "default") == {}
    assert [question and question[1:] for question in drawn] == MANY


def test_questions_that_could_not_be_claimed_ahead_are_claimed_when_they_are_needed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    claim = Journal.claim

    def failing(self: Journal, *given: Any, **how: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise JournalError("the journal is out of reach")
        return claim(self, *given, **how)

    async def work(journal: Journal) -> list[DrawnItem | None]:
        async with Claims(journal, "a:b", "default", MANY, put, 10) as one:
            return [await one.draw() for _ in range(len(MANY) + 1)]

    monkeypatch.setattr(Journal, "claim", failing)
    with Journal.open(path) as journal:
        drawn = asyncio.run(work(journal))
    assert [question and question[1:] for question in drawn] == [*MANY, None]


def test_an_asker_goes_on_when_its_reply_is_stored(path: Path) -> None:
    async def work(journal: Journal) -> Asking:
        asking = Asking(Examinee(journal), journal)
        async with claims(journal) as one:
            await asking.ask(one)
        return asking

    with Journal.open(path) as journal:
        asking = asyncio.run(work(journal))
        assert (asking.asked, asking.failed, asking.detail) == (8, 0, "")
        assert sorted(journal.responses()["text"]) == [key for key, _ in KEYS]


def test_a_defect_while_storing_ends_the_asking(path: Path) -> None:
    def broken(responses: Sequence[Response]) -> None:
        raise ZeroDivisionError("a defect")

    async def work(journal: Journal) -> None:
        asking = Asking(Examinee(journal), journal, on_stored=broken)
        async with claims(journal) as one:
            await asking.ask(one)

    with Journal.open(path) as journal:
        with pytest.raises(ZeroDivisionError, match="a defect"):
            asyncio.run(work(journal))
        assert len(journal.responses()) > 0


def test_the_time_of_a_response_is_in_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    for moment in (1_796_000_000_000, 1_796_000_000_007, 1_796_000_001_999, 951_782_399_500):
        monkeypatch.setattr("time.time_ns", lambda moment=moment: moment * 1_000_000 + 999_999)
        created = Response.now("a:b", "h", "default", 0, Reply("A")).created
        expected = datetime.fromtimestamp(moment // 1000, UTC).replace(
            microsecond=moment % 1000 * 1000
        )
        assert created == expected.isoformat(timespec="milliseconds")


@pytest.mark.parametrize(
    "raw",
    [b'{"a": 1}', b'{"a": "\xc3\xa9"}', b'{"a": "\xed\xa0\x80"}', b' {"a": 1}\n', b'{"a": 1} ',
     b'{"a": 1} {"b": 2}', b'{"a": 1', b'{"a": "\xff"}', b"[1]", b"", b"null",
     '{"a": 1}'.encode("utf-16"), '{"a": 1}'.encode("utf-8-sig")],
)  # fmt: skip
def test_bodies_are_read_as_the_standard_library_reads_them(raw: bytes) -> None:
    try:
        expected = json.loads(raw)
    except ValueError:
        expected = None
    assert json_of(raw) == expected


def test_the_failed_attempt_that_ends_a_run_is_stored_with_the_others(path: Path) -> None:
    class Failing(Examinee):
        breaker = Breaker(after=3)

        async def __call__(self, item: RenderedItem) -> Reply:
            reply = Reply("", "transport_error", detail="no route")
            self.breaker.failed(self.name, reply)
            return reply

    async def work(journal: Journal) -> None:
        async with claims(journal, in_flight=1) as one:
            await Asking(Failing(journal), journal).ask(one)

    Failing.in_flight = 1
    with Journal.open(path) as journal:
        with pytest.raises(RunStoppedError, match="failed 3 items in a row"):
            asyncio.run(work(journal))
        assert len(journal.failures()) == 3
