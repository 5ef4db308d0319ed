"""Asynchronous work that runs until it ends or a signal stops it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, TypeVar

T = TypeVar("T")


def completed(work: Coroutine[Any, Any, T]) -> T:
    """Run the work and return its outcome.

    If an event loop runs already, as in a notebook, the work gets a loop of its own in another
    thread.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        ended = Event()
        try:
            return asyncio.run(_interruptible(work, ended))
        except asyncio.CancelledError:
            if ended.is_set():
                raise TerminatedError from None
            raise
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, _interruptible(work)).result()


class TerminatedError(KeyboardInterrupt):
    """The process was asked to end (SIGTERM); like Ctrl-C, with another exit code."""

    code = 143


async def _interruptible(work: Coroutine[Any, Any, T], ended: Event | None = None) -> T:
    """Do the work until it ends or SIGTERM cancels it, as Ctrl-C does.

    SIGTERM sets `ended`; a second one ends the run at once. asyncio's traceback for a task that a
    second Ctrl-C interrupts is suppressed.
    """

    def report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not isinstance(context.get("exception"), KeyboardInterrupt):
            loop.default_exception_handler(context)

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(report)
    if ended is None:
        return await work
    task = asyncio.current_task()
    assert task is not None

    def end() -> None:
        ended.set()
        loop.remove_signal_handler(signal.SIGTERM)
        task.cancel()

    # Only the main thread gets signals, and event loops do not handle them on every system.
    with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):
        loop.add_signal_handler(signal.SIGTERM, end)
    try:
        return await work
    finally:
        with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):
            loop.remove_signal_handler(signal.SIGTERM)


def first_error(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first of the errors of several tasks."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
