"""Asking an examinee every item of a bank on each occasion, without losing a reply."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from gfactor.administration.asking.concurrent import Asking, Progress
from gfactor.administration.asking.interrupting import completed
from gfactor.administration.asking.questions import Questions
from gfactor.administration.presenting.condition import Condition
from gfactor.administration.presenting.materials import Materials
from gfactor.administration.sharing.claims import Claims, DrawnItem, Put, Tell
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.rows import Key
from gfactor.examinees import Examinee, RenderedItem
from gfactor.items import ItemBank

T = TypeVar("T")


@dataclass(frozen=True)
class RunResult:
    """Result of a call of the runner.

    Parameters
    ----------
    examinee : str
        Canonical name.
    asked : int
        Items times occasions asked in this call; `failed` of them failed.
    failed : int
        Number of these questions whose attempt failed.
    known : int
        Number of questions that were not asked, because the journal had the answer at the start or
        because another item of the bank asks exactly the same.
    seconds : float
        Wall time.
    detail : str
        Reason why the last failed attempt failed, "" if none did.
    notes : list of str
        Further remarks of the examinee on this run, a sentence each: parameters of the condition
        that its model refuses.
    elsewhere : int
        Number of questions that other processes of the shared run answered meanwhile.
    failed_elsewhere : int
        Number of attempts of other processes that failed.
    condition : str
        Key of the condition under which the items were asked.

    Examples
    --------
    >>> from gfactor.administration import RunResult
    >>> RunResult("observer:ideal", asked=10, failed=0, known=2, seconds=0.5).known
    2
    """

    examinee: str
    asked: int
    failed: int
    known: int
    seconds: float
    detail: str = ""
    notes: tuple[str, ...] = ()
    elsewhere: int = 0
    failed_elsewhere: int = 0
    condition: str = "default"


def run(
    bank: ItemBank,
    examinee: Examinee,
    journal: Journal,
    condition: Condition | None = None,
    occasions: int = 1,
    progress: Progress | None = None,
    materials: Materials | None = None,
    tell: Tell | None = None,
) -> RunResult:
    """Run `administer` for callers without an event loop of their own; close the examinee.

    Parameters
    ----------
    bank : ItemBank
        Items to be answered.
    examinee : Examinee
        Examinee that is asked; closed at the end.
    journal : Journal
        Journal that stores the replies.
    condition : Condition, optional
        Condition under which items are presented; the default condition if None.
    occasions : int
        Number of times that each item is asked, earlier answers in the journal included (default
        1).
    progress : Progress, optional
        Called while answers come in.
    materials : Materials, optional
        Materials that the condition needs beside the items.
    tell : Tell, optional
        Called with a sentence while other processes are waited for.

    Returns
    -------
    RunResult
        Numbers of questions that were asked, known and failed.

    Raises
    ------
    ParameterError
        As `administer` does.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> from gfactor.administration import Journal, run
    >>> from gfactor.examinees import make_examinee
    >>> with Journal.open("c.db") as journal:
    ...     run(bank, make_examinee("observer:ideal", bank=bank, jobs=1), journal).asked
    10
    """

    async def work() -> RunResult:
        try:
            return await administer(
                bank, examinee, journal, condition, occasions, progress, materials, tell
            )
        finally:
            await examinee.close()

    return completed(work())


async def administer(
    bank: ItemBank,
    examinee: Examinee,
    journal: Journal,
    condition: Condition | None = None,
    occasions: int = 1,
    progress: Progress | None = None,
    materials: Materials | None = None,
    tell: Tell | None = None,
) -> RunResult:
    """Have an examinee answer the items that it has not answered yet.

    Keys (examinee, item hash, condition, occasion) with an answer in the journal are never asked
    again; failed attempts are. Items are read when they are needed. At most `examinee.in_flight`
    are asked at the same time, and every reply is stored before another item takes its place.

    Any number of processes may do this at once with one journal: each claims keys before it asks
    them, and none is asked twice. A process that has nothing left to claim waits for the others. It
    takes over the claims of a killed process (at the latest `claims.LEASE_SECONDS` after its last
    sign of life), and returns when all keys are answered or their attempts have failed.

    Parameters
    ----------
    bank : ItemBank
        Items to be answered.
    examinee : Examinee
        Examinee that is asked.
    journal : Journal
        Journal that stores the replies.
    condition : Condition, optional
        Condition under which items are presented; the default condition if None.
    occasions : int
        Number of times that each item is asked, earlier answers in the journal included (default
        1).
    progress : Progress, optional
        Called while answers come in.
    materials : Materials, optional
        Materials that the condition needs beside the items; their fingerprints become part of it.
    tell : Tell, optional
        Called with a sentence while waiting for other processes.

    Returns
    -------
    RunResult
        Numbers of questions that were asked, known and failed.

    Raises
    ------
    ParameterError
        For no occasion, for materials that do not fit the condition and for images larger
        than an examinee's `image_limit`, JournalError if the journal fails, and any GfactorError
        that the examinee raises; another error of the examinee is a failed attempt.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> import asyncio
    >>> from gfactor.administration import Journal, administer
    >>> from gfactor.examinees import make_examinee
    >>> examinee = make_examinee("observer:ideal", bank=bank, jobs=1)
    >>> with Journal.open("c.db") as journal:
    ...     asyncio.run(administer(bank, examinee, journal)).asked
    10
    """
    started = time.perf_counter()
    questions = Questions.prepare(
        bank, examinee, journal, condition or Condition(), occasions, materials or Materials()
    )
    key = questions.condition.key
    todo = list(questions.missing)
    result = await share(todo, questions.put, examinee, journal, key, progress, tell)
    others = result.elsewhere + result.failed_elsewhere
    return replace(
        result,
        known=len(bank) * occasions - result.asked - others,
        seconds=time.perf_counter() - started,
    )


def ask(
    questions: Mapping[str, Callable[[], RenderedItem]],
    examinee: Examinee,
    journal: Journal,
    condition: str,
    progress: Progress | None = None,
    tell: Tell | None = None,
    *,
    until_failure: bool = False,
) -> RunResult:
    """Ask questions that do not belong to a bank, store the replies, and close the examinee.

    As `administer`, processes that ask the same share the work.

    Parameters
    ----------
    questions: questions by the name under which the reply is stored (in place of an item's hash);
        each is made when it is needed.
    condition: the key under which replies are kept.
    until_failure: True to ask nothing more after a failed attempt.
    """

    def put(keys: Sequence[Key]) -> Iterator[DrawnItem]:
        return ((questions[name](), name, occasion) for name, occasion in keys)

    async def work() -> RunResult:
        todo = [(name, 0) for name in questions]
        try:
            return await share(
                todo, put, examinee, journal, condition, progress, tell, until_failure
            )
        finally:
            await examinee.close()

    return completed(work())


async def share(
    todo: Sequence[Key],
    put: Put,
    examinee: Examinee,
    journal: Journal,
    condition: str,
    progress: Progress | None,
    tell: Tell | None,
    until_failure: bool = False,
) -> RunResult:
    """Ask all keys, together with other processes that ask the same."""
    started = time.perf_counter()
    asking = Asking(examinee, journal, progress, until_failure=until_failure)
    async with Claims(
        journal, examinee.name, condition, todo, put, examinee.in_flight, tell, progress
    ) as claims:
        await asking.ask(claims)
    return RunResult(
        examinee.name,
        asking.asked,
        asking.failed,
        0,
        time.perf_counter() - started,
        asking.detail,
        getattr(examinee, "notes", ()),
        claims.elsewhere,
        claims.failed_elsewhere,
    )
