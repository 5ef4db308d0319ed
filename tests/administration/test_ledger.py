"""Money that processes share: set aside before asking, never over the cap, nothing forgotten."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from support.postgres import fresh_database, postgres_server

from gfactor.administration import Journal, Response
from gfactor.administration.sharing import ledger
from gfactor.administration.sharing.accounts import Unanswered
from gfactor.administration.sharing.ledger import Ledger
from gfactor.administration.sharing.shared_budget import SharedBudget
from gfactor.administration.storing.tables import RESERVED
from gfactor.examinees import Reply
from gfactor.examinees.http import TokenPrice
from gfactor.examinees.http.limits import CapReachedError

PRICE = TokenPrice(0, 1e6)
"""A written token costs 1."""

GONE = "another host|x|1|y"


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    pytest.importorskip("psycopg")
    with postgres_server() as url:
        yield url


@pytest.fixture(params=["file", "server"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    where = str(tmp_path / "c.db")
    if request.param == "server":
        where = fresh_database(request.getfixturevalue("database"), "money")
    with Journal.open(where) as opened:
        yield opened


def reply(journal: Journal, examinee: str, number: int, cost: float) -> None:
    said = Reply("x", cost=cost, usage={"completion_tokens": int(cost)})
    journal.add([Response.now(examinee, f"h{number}", "default", 0, said)])


async def ask_until_stopped(
    journal: Journal, shared: Ledger, examinee: str, seed: int, at_once: int = 4
) -> int:
    """Answers of random length within 20 tokens, stored one by one, until the cap stops them."""
    budget, draw, answered = SharedBudget(PRICE, shared, examinee), random.Random(seed), 0

    async def work() -> None:
        nonlocal answered
        while True:
            reservation = await budget.reserve(5, 20)
            await asyncio.sleep(0.001)
            length = draw.randint(1, 20)
            usage = {"completion_tokens": length}
            assert budget.settle(reservation, usage, answered=True) == length
            answered += 1
            reply(journal, examinee, answered * 10 + seed, length)
            budget.stored([length])

    done = await asyncio.gather(*(work() for _ in range(at_once)), return_exceptions=True)
    assert {type(one) for one in done} == {CapReachedError}, done
    await budget.close()
    return answered


@pytest.mark.slow
def test_processes_together_use_a_cap_nearly_up_and_never_exceed_it(journal: Journal) -> None:
    names = ["openai:a", "openai:b"]
    processes = [Ledger(journal, names, {"openai:a": 300.0}, 700.0) for _ in range(2)]
    for one in processes:
        one.beat()

    async def all_at_once() -> None:
        await asyncio.gather(*(
            ask_until_stopped(journal, one, name, 2 * k + n)
            for k, one in enumerate(processes) for n, name in enumerate(names)
        ))  # fmt: skip

    asyncio.run(all_at_once())
    accounts = processes[0].accounts()
    spent = [accounts[name].spent for name in names]
    assert sum(spent) == journal.responses()["cost"].sum()
    # How the two share the whole depends on who is quicker.
    assert 0 < spent[0] <= 300
    assert 660 < sum(spent) <= 700
    for one in processes:
        one.leave()
    assert [a.counted for a in Ledger(journal, names).accounts().values()] == spent
    with journal.transaction() as connection:
        assert connection.execute(sa.select(RESERVED)).all() == []


@pytest.mark.thorough
def test_what_a_killed_process_had_set_aside_counts_as_its_requests_likely_cost(
    journal: Journal,
) -> None:
    one = Ledger(journal, ["a"], {"a": 1000.0})
    one.beat()
    assert one.reserve("a", 200.0, 0.0, 4, Unanswered())[0] >= 200
    other = Ledger(journal, ["a"], {"a": 1000.0})
    assert other.accounts()["a"].reserved >= 200
    with journal.transaction() as connection:
        connection.execute(RESERVED.update().values(owner=GONE, expires=0.0, money=200.0))
    # Nothing is known of what answers cost: the most that it can have been.
    assert other.accounts()["a"].unanswered == 200
    for n in range(100):
        reply(journal, "a", n, 10.0 if n % 2 else 20.0)
    # Four requests of 15 on average with a standard deviation of 5.
    assert other.accounts()["a"].unanswered == pytest.approx(4 * 15 + 3 * 5 * 2)
    assert other.accounts()["a"].spent == 1500


@pytest.mark.thorough
def test_requests_that_were_never_answered_stay_in_the_account(journal: Journal) -> None:
    shared = Ledger(journal, ["a"], {"a": 100.0})
    shared.beat()
    budget = SharedBudget(PRICE, shared, "a")

    async def ask() -> None:
        reservation = await budget.reserve(5, 40)
        assert budget.settle(reservation, {}, answered=False, unanswered=2) == 0
        budget.stored([0.0])
        with pytest.raises(CapReachedError, match=r"of 100 for a would be exceeded"):
            await budget.reserve(5, 40)
        await budget.close()

    asyncio.run(ask())
    shared.leave()
    account = Ledger(journal, ["a"]).accounts()["a"]
    assert (account.spent, account.reserved, account.unanswered) == (0, 0, 80)


def test_what_a_retry_answered_counts_as_unanswered_without_a_cap_too(journal: Journal) -> None:
    shared = Ledger(journal, ["a"])
    shared.beat()
    budget = SharedBudget(PRICE, shared, "a")

    async def ask() -> None:
        reservation = await budget.reserve(5, 40)
        budget.settle(reservation, {"completion_tokens": 7}, answered=True, unanswered=2)
        await budget.close()

    asyncio.run(ask())
    shared.leave()
    assert Ledger(journal, ["a"]).accounts()["a"].unanswered == 80


def test_a_process_that_was_stopped_asks_again_before_it_uses_what_it_had(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = Ledger(journal, ["a"], {"a": 100.0})
    shared.beat()
    budget = SharedBudget(PRICE, shared, "a")

    async def ask() -> None:
        first = await budget.reserve(5, 10)
        budget.settle(first, {"completion_tokens": 1}, answered=True)
        reply(journal, "a", 1, 1.0)
        budget.stored([1.0])
        # Others have used up nearly everything while this process slept.
        reply(journal, "a", 2, 95.0)
        monkeypatch.setattr(ledger, "_HALF_A_LEASE", -1.0)
        with pytest.raises(CapReachedError):
            await budget.reserve(5, 5)

    asyncio.run(ask())


def test_a_share_of_the_budget_holds_like_a_cap_and_says_so(journal: Journal) -> None:
    shared = Ledger(journal, ["a", "b"], {}, 1000.0)
    shared.beat()
    shared.shares = {"a": 50.0}
    budget = SharedBudget(PRICE, shared, "a")
    with pytest.raises(CapReachedError, match=r"of 1000 in all \(a share of 50\)"):
        asyncio.run(budget.reserve(5, 51))
    assert asyncio.run(SharedBudget(PRICE, shared, "b").reserve(5, 51)).money == 51


@pytest.mark.thorough
def test_a_refusal_names_the_budget_that_does_not_suffice_and_no_other(journal: Journal) -> None:
    own = Ledger(journal, ["a", "b"], {"a": 50.0}, 1000.0)
    own.beat()
    with pytest.raises(CapReachedError, match=r"^the budget of 50 for a would be exceeded"):
        asyncio.run(SharedBudget(PRICE, own, "a").reserve(5, 51))
    common = Ledger(journal, ["a", "b"], {"a": 5000.0}, 40.0)
    common.beat()
    with pytest.raises(CapReachedError, match=r"^the budget of 40 in all would be exceeded"):
        asyncio.run(SharedBudget(PRICE, common, "a").reserve(5, 51))


def test_a_process_that_waits_gives_back_what_it_has_set_aside_ahead(journal: Journal) -> None:
    """It may wait for answers of another, which waits for the money."""
    waiting, asking = (Ledger(journal, ["a"], {"a": 100.0}) for _ in range(2))
    for one in (waiting, asking):
        one.beat()
    first, second = SharedBudget(PRICE, waiting, "a"), SharedBudget(PRICE, asking, "a")

    async def ask() -> None:
        reservation = await first.reserve(5, 10)
        first.settle(reservation, {"completion_tokens": 10}, answered=True)
        reply(journal, "a", 1, 10.0)
        first.stored([10.0])
        assert asking.accounts()["a"].reserved > 0
        assert (await asyncio.wait_for(second.reserve(5, 90), 30)).money == 90
        assert asking.accounts()["a"].reserved == 90
        # The one that waited asks the journal before it asks on.
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(first.reserve(5, 1), 1)
        await first.close()
        await second.close()

    asyncio.run(ask())


@pytest.mark.slow
def test_processes_at_work_are_counted(journal: Journal) -> None:
    one, two = Ledger(journal, ["a"]), Ledger(journal, ["a"])
    assert [one.beat(), two.beat(), one.beat()] == [1, 2, 2]
    two.leave()
    assert one.beat() == 1
    assert one.at_work() == 1
