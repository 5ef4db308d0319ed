"""Waiting for journals that are locked or out of reach for a while, so that no answer is lost."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, OperationalError

from gfactor.errors import JournalError

OUTAGE_SECONDS = 300.0
"""Longest time to wait for a journal that cannot be reached."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0

_PASSING = re.compile(
    r"database (table )?is (locked|busy)|disk is full|connection|connect to server|server closed"
    r"|shutting down|starting up|recovery mode|terminating|timed? ?out|host name"
)
"""Pattern of SQLite's and PostgreSQL's messages about temporary problems: a lock, a full disk, a
server that restarts, a network.
"""

T = TypeVar("T")


def may_pass(error: JournalError) -> bool:
    """Return True if the journal may recover from this error without intervention."""
    cause = error.__cause__
    if not isinstance(cause, DBAPIError):
        return False
    if cause.connection_invalidated:
        return True
    return isinstance(cause, OperationalError) and bool(_PASSING.search(str(cause.orig).lower()))


class Outage:
    """Waiting for a journal that is locked or out of reach, reported once.

    Replies stay in memory meanwhile. Nothing new is asked, because each worker waits until its last
    reply is stored.

    Parameters
    ----------
    tell: called with a sentence when the waiting begins, and when it ends.
    """

    def __init__(self, tell: Callable[[str], object] | None = None) -> None:
        self.tell = tell or (lambda _: None)
        self._since: float | None = None

    async def outlast(self, act: Callable[[], T]) -> T:
        """Run a function on a journal in a thread, and repeat it while the journal is out of reach.

        Raises the JournalError after `OUTAGE_SECONDS`, and at once if it is of another kind.
        """
        pause = _FIRST_PAUSE
        while True:
            try:
                done = await asyncio.to_thread(act)
            except JournalError as error:
                await self.wait(error, pause)
                pause = min(_LONGEST_PAUSE, 2 * pause)
                continue
            if self._since is not None:
                self._since = None
                self.tell("the journal works again; nothing was lost")
            return done

    async def wait(self, error: JournalError, pause: float = _FIRST_PAUSE) -> None:
        """Wait a moment after a failure; raise it if it will not pass, or lasts too long."""
        if not may_pass(error):
            raise error
        now = time.monotonic()
        if self._since is None:
            self._since = now
            self.tell(
                f"{str(error).rstrip('. ')}; answers wait in memory and nothing new is asked until "
                f"it works again, for {OUTAGE_SECONDS:g} s at most"
            )
        if now - self._since > OUTAGE_SECONDS:
            raise error
        await asyncio.sleep(pause)
