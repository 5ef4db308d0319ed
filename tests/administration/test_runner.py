"""The runner asks what is missing, no more at once than allowed, and keeps what comes back."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from support.banks import make_item, make_items

from gfactor.administration import Condition, Journal, RunResult, administer, run
from gfactor.administration.asking.interrupting import completed
from gfactor.errors import GfactorError, JournalError, ParameterError
from gfactor.examinees import RenderedItem, Reply
from gfactor.items import ItemBank, write_bank


class Asked:
    """An examinee that notes what it is asked."""

    name = "test:asked"

    def __init__(
        self, answer: Callable[[str], Reply] = lambda item: Reply("COUNT:1"), in_flight: int = 3
    ) -> None:
        self.in_flight = in_flight
        self.items: list[str] = []
        self.most = self.now = 0
        self.closed = False
        self._answer = answer

    async def __call__(self, item: RenderedItem) -> Reply:
        self.items.append(item.item_id)
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.001)
        self.now -= 1
        return self._answer(item.item_id)

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    return ItemBank.open(write_bank(make_items(), tmp_path / "bank.parquet"))


def go(
    bank: ItemBank, examinee: Asked, path: Path, occasions: int = 1, **more: object
) -> RunResult:
    with Journal.open(path) as journal:
        return run(bank, examinee, journal, occasions=occasions, **more)  # type: ignore[arg-type]


def test_every_item_is_asked_once_on_every_occasion(bank: ItemBank, path: Path) -> None:
    examinee = Asked()
    result = go(bank, examinee, path, occasions=3)
    assert Counter(examinee.items) == dict.fromkeys(bank.ids, 3)
    assert (result.asked, result.failed, result.known) == (36, 0, 0)
    with Journal.open(path) as journal:
        rows = journal.responses()
    assert Counter(rows["occasion"]) == {0: 12, 1: 12, 2: 12}
    assert examinee.closed


@pytest.mark.thorough
def test_what_the_journal_holds_is_not_asked_again(bank: ItemBank, path: Path) -> None:
    go(bank.sample(per=("domain",), n=2), Asked(), path)
    again = Asked()
    result = go(bank, again, path)
    assert (result.asked, result.known) == (8, 4)
    assert len(set(again.items)) == 8
    nothing_left = Asked()
    assert go(bank, nothing_left, path).known == 12
    assert nothing_left.items == []


def test_another_condition_is_another_measurement(bank: ItemBank, path: Path) -> None:
    go(bank, Asked(), path)
    other = Condition(images="removed")  # type: ignore[arg-type]
    examinee = Asked()
    go(bank, examinee, path, condition=other)
    assert len(examinee.items) == 12


@pytest.mark.thorough
@pytest.mark.parametrize("in_flight", [1, 5])
def test_no_more_items_are_in_flight_than_the_examinee_allows(
    bank: ItemBank, path: Path, in_flight: int
) -> None:
    examinee = Asked(in_flight=in_flight)
    go(bank, examinee, path)
    assert examinee.most == in_flight


@pytest.mark.thorough
def test_failed_attempts_are_counted_and_asked_again(bank: ItemBank, path: Path) -> None:
    def flaky(item: str) -> Reply:
        if item.startswith("a"):
            return Reply("", "timeout", detail="no answer in 5 s")
        return Reply("COUNT:1")

    result = go(bank, Asked(flaky), path)
    assert (result.asked, result.failed, result.detail) == (12, 6, "no answer in 5 s")
    again = Asked()
    assert go(bank, again, path).failed == 0
    assert {item[0] for item in again.items} == {"a"}
    with Journal.open(path) as journal:
        assert (len(journal.responses()), len(journal.failures())) == (12, 6)


def test_an_exception_of_an_examinee_costs_one_item_and_is_told(bank: ItemBank, path: Path) -> None:
    def broken(item: str) -> Reply:
        if item == bank.ids[0]:
            raise KeyError("choices")
        return Reply("COUNT:1")

    result = go(bank, Asked(broken), path)
    assert (result.asked, result.failed, result.detail) == (12, 1, "KeyError: 'choices'")


def test_a_gfactor_error_of_an_examinee_ends_the_run_and_keeps_what_was_answered(
    bank: ItemBank, path: Path
) -> None:
    def spent(item: str) -> Reply:
        if item == bank.ids[6]:
            raise ParameterError("the budget is spent")
        return Reply("COUNT:1")

    examinee = Asked(spent, in_flight=1)
    with pytest.raises(ParameterError, match="the budget is spent"):
        go(bank, examinee, path)
    assert examinee.closed
    with Journal.open(path) as journal:
        assert len(journal.responses()) == 6


def test_a_cancelled_run_keeps_what_was_answered(bank: ItemBank, path: Path) -> None:
    async def stopped(journal: Journal) -> int:
        answered = 0

        def count(new: int) -> None:
            nonlocal answered
            answered += new
            if answered == 5:
                task.cancel()

        task = asyncio.create_task(administer(bank, Asked(in_flight=1), journal, progress=count))
        with pytest.raises(asyncio.CancelledError):
            await task
        return answered

    with Journal.open(path) as journal:
        answered = asyncio.run(stopped(journal))
        assert len(journal.responses()) == answered < 12


def test_a_journal_that_fails_stops_the_run(
    bank: ItemBank, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(Asked):
        async def __call__(self, item: RenderedItem) -> Reply:
            await asyncio.sleep(0.1)
            return await super().__call__(item)

    examinee = Slow(in_flight=1)
    with Journal.open(path) as journal:

        def full(*_: object, **__: object) -> None:
            raise JournalError("journal 'c.db' cannot be used: database or disk is full")

        monkeypatch.setattr(journal, "add", full)
        with pytest.raises(JournalError, match="disk is full"):
            run(bank, examinee, journal)
    assert len(examinee.items) < 12


def test_items_that_ask_the_same_are_asked_once(tmp_path: Path, path: Path) -> None:
    items = make_items()
    twin = make_item("a-09-9", provenance=items[0].provenance)
    bank = ItemBank.open(write_bank([*items, twin], tmp_path / "twins.parquet"))
    examinee = Asked()
    result = go(bank, examinee, path)
    assert "a-09-9" not in examinee.items
    assert (result.asked, result.known) == (12, 1)


def test_progress_adds_up_to_what_was_asked(bank: ItemBank, path: Path) -> None:
    steps: list[int] = []
    go(bank, Asked(), path, progress=steps.append)
    assert sum(steps) == 12


@pytest.mark.thorough
def test_a_reply_is_stored_before_its_asker_goes_on(bank: ItemBank, path: Path) -> None:
    with Journal.open(path) as journal:

        class Looking(Asked):
            lost = 0

            async def __call__(self, item: RenderedItem) -> Reply:
                unstored = len(self.items) - len(journal.responses())
                self.lost = max(self.lost, unstored)
                return await super().__call__(item)

        examinee = Looking(in_flight=3)
        run(bank, examinee, journal)
    assert examinee.lost < 3


def test_a_key_that_another_process_answers_meanwhile_is_not_asked(
    bank: ItemBank, path: Path
) -> None:
    other = Asked()

    class Slow(Asked):
        async def __call__(self, item: RenderedItem) -> Reply:
            if not other.items:
                with Journal.open(path) as its_own:
                    await administer(bank.select(bank.ids[1:10]), other, its_own)
            return await super().__call__(item)

    examinee = Slow(in_flight=1)
    result = go(bank, examinee, path)
    assert len(other.items) == 9
    assert sorted(examinee.items) == sorted([bank.ids[0], *bank.ids[10:]])
    assert (result.asked, result.elsewhere, result.known) == (3, 9, 0)


def test_no_occasion_is_refused(bank: ItemBank, path: Path) -> None:
    with pytest.raises(GfactorError, match="occasions must be 1 or more, got 0"):
        go(bank, Asked(), path, occasions=0)


def test_a_second_interrupt_that_hits_a_task_leaves_no_traceback_of_asyncio(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def interrupted() -> None:
        raise KeyboardInterrupt

    async def work() -> None:
        task = asyncio.create_task(interrupted())
        await asyncio.sleep(10)
        await task

    with pytest.raises(KeyboardInterrupt):
        completed(work())
    gc.collect()
    assert not [record for record in caplog.records if record.name == "asyncio"]
