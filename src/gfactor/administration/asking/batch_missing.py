"""Batches whose id was never received: searched for, and asked again only if they cannot exist."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from gfactor.administration.asking.batch_rows import Batch
from gfactor.examinees.http.batches import BatchFormat
from gfactor.examinees.http.limits import RunStoppedError

_LEAST_LOOKS = 3
"""Least number of searches of a vendor's list, however long ago a batch was noted."""

_BUSY_S = 600.0
"""Longest time to search for a batch that the vendor says it has not accepted."""

Report = Callable[[str], object]
"""Called with a sentence about the waiting."""


@dataclass
class _BatchSearch:
    """A search for a batch.

    Parameters
    ----------
    since: time of its begin, by the steady clock.
    submitted_here: True if this process submitted the batch, False if an earlier one noted it.
    refused: True if the vendor said that it had not accepted the batch. reason: the response in
    place of the batch's id, "" if it is not known. looks: number of searches of the vendor's list.
    undecided: ids of batches that may be the one.
    """

    since: float
    submitted_here: bool
    refused: bool = False
    reason: str = ""
    looks: int = 0
    undecided: tuple[str, ...] = ()


class LostBatches:
    """The batches of an examinee for which no id was received.

    A vendor's list may show a batch only minutes after it was accepted. A batch is therefore
    searched for until `search_s` seconds after it was noted. If it is not found by then, its
    questions are asked again, if an earlier process noted the batch or the vendor reported that it
    was not accepted. If this run submitted it and got no reply, they are not sent again, so that
    nothing is paid for twice.

    Parameters
    ----------
    examinee: owner of the batches.
    search_s: seconds after which a batch must be in the vendor's list.
    report: called with sentences about the waiting.
    """

    def __init__(self, examinee: str, search_s: float, report: Report) -> None:
        self._examinee, self._search_s, self._report = examinee, search_s, report
        self._searches: dict[Batch, _BatchSearch] = {}

    def __bool__(self) -> bool:
        return bool(self._searches)

    def add(
        self, batch: Batch, *, submitted_here: bool, refused: bool = False, reason: str = ""
    ) -> None:
        """Look for a batch from now on; see `_BatchSearch` for the parameters."""
        self._searches[batch] = _BatchSearch(time.monotonic(), submitted_here, refused, reason)

    async def look(
        self, api: BatchFormat, taken: Collection[str]
    ) -> tuple[list[tuple[Batch, str]], list[Batch]]:
        """Search the vendor's list once for every batch.

        Returns the batches that were found, each with the vendor's id, and those that were never
        submitted: the search for both ends.
        """
        located: list[tuple[Batch, str]] = []
        never: list[Batch] = []
        for batch, search in list(self._searches.items()):
            seen = await api.find(batch.ticket, [*taken, *(remote for _, remote in located)])
            search.looks += 1
            search.undecided = seen.undecided
            if seen.batch:
                located.append((batch, seen.batch))
            elif self._is_over(batch, search) and not seen.undecided and _may_ask_again(search):
                never.append(batch)
            else:
                self._tell(batch, search)
                continue
            del self._searches[batch]
        return located, never

    def check(self) -> None:
        """Raise RunStoppedError if all batches were searched for long enough; called when nothing
        else is left to do."""
        # The search for a batch that may be asked again ends only with a look, which finds or
        # returns it.
        over = [
            (batch, search)
            for batch, search in self._searches.items()
            if self._is_over(batch, search) and (search.undecided or not _may_ask_again(search))
        ]
        if not over or len(over) < len(self._searches):
            return
        unsent = sum(len(batch.keys) for batch, _ in over)
        undecided = [_who_may_hold(batch, s) for batch, s in over if s.undecided]
        if undecided:
            raise RunStoppedError(
                f"{self._examinee}: {undecided[0]}; run the same command again when that batch has "
                "ended"
            )
        raise RunStoppedError(
            f"{self._examinee}: {unsent:,} questions may have been submitted: no batch's id came "
            f"back{_why(over[0][1])}, and the vendor's list does not show them; they are left "
            "unsent in this run, so that nothing is paid for twice; run the same command again to "
            "look for them once more, and to ask them if they are still not there"
        )

    def _bound(self, search: _BatchSearch) -> float:
        return min(self._search_s, _BUSY_S) if search.refused else self._search_s

    def _is_over(self, batch: Batch, search: _BatchSearch) -> bool:
        """Return True if a batch can no longer show up."""
        waited = time.monotonic() - search.since
        if not search.submitted_here:
            # This uses the machine's clock, because the process that noted the batch has ended.
            waited = max(waited, (datetime.now(UTC) - batch.noted).total_seconds())
        return waited >= self._bound(search) and search.looks >= _LEAST_LOOKS

    def _tell(self, batch: Batch, search: _BatchSearch) -> None:
        if search.undecided:
            self._report(
                f"{self._examinee}: {_who_may_hold(batch, search)}; everything else goes on, and "
                "nothing is submitted twice"
            )
            return
        self._report(
            f"{self._examinee}: {len(batch.keys):,} questions may have been submitted at "
            f"{batch.noted:%H:%M} UTC without an answer{_why(search)}, and the vendor's list does "
            f"not show them; {_how_long(batch.noted, self._bound(search))}, and they are not sent "
            "again before"
        )


def _how_long(noted: datetime, bound_s: float, now: datetime | None = None) -> str:
    """Return a phrase with the duration of the search for a batch, and its end by the clock.

    Examples
    --------
    >>> noted = datetime(2026, 11, 29, 4, 26, tzinfo=UTC)
    >>> _how_long(noted, 3600, noted)
    'they are looked for 60 minutes from then (batch_search), until 05:26 UTC'
    >>> _how_long(noted, 3600, noted + timedelta(hours=2))
    'the time to look for them (batch_search) is over; they are looked for a last few times'
    """
    until = noted + timedelta(seconds=bound_s)
    if until < (now or datetime.now(UTC)):
        return (
            "the time to look for them (batch_search) is over; they are looked for a last few times"
        )
    duration = f"{bound_s / 60:.0f} minutes" if bound_s >= 120 else f"{bound_s:g} seconds"
    return f"they are looked for {duration} from then (batch_search), until {until:%H:%M} UTC"


def _may_ask_again(search: _BatchSearch) -> bool:
    return search.refused or not search.submitted_here


def _why(search: _BatchSearch) -> str:
    return f" ({search.reason.rstrip('. ')})" if search.reason else ""


def _who_may_hold(batch: Batch, search: _BatchSearch) -> str:
    return (
        f"{len(batch.keys):,} questions may have been submitted at {batch.noted:%H:%M} UTC without "
        f"an answer; of {', '.join(search.undecided)} the vendor does not show yet whether it "
        "holds them"
    )
