"""Batches whose state cannot be read or that do not end: the run ends with a sentence about
them."""

from __future__ import annotations

from datetime import UTC, datetime

from gfactor.administration.asking.batch_rows import Batch
from gfactor.examinees.http.batches import BatchProgress
from gfactor.examinees.http.calls import CallFailedError
from gfactor.examinees.http.limits import RunStoppedError


def cannot_look(examinee: str, batch: Batch, error: CallFailedError) -> RunStoppedError:
    """Return the error of a run that ends because the state of a batch cannot be read."""
    return RunStoppedError(
        f"{examinee}: {_named(batch)} cannot be looked at: {error.what}; {_what_to_do(batch)}"
    )


def check_overdue(examinee: str, batch: Batch, state: BatchProgress, wait_s: float) -> None:
    """Raise RunStoppedError if a batch has not ended within the allowed time."""
    if (datetime.now(UTC) - batch.noted).total_seconds() < wait_s:
        return
    raise RunStoppedError(
        f"{examinee}: {_named(batch)} has not ended within {_duration(wait_s)} (batch_wait): "
        f"{state.detail}; {_what_to_do(batch)}"
    )


def _named(batch: Batch) -> str:
    return (
        f"batch {batch.remote} of {len(batch.keys):,} questions, submitted "
        f"{batch.noted.astimezone(UTC):%Y-%m-%d %H:%M} UTC,"
    )


def _what_to_do(batch: Batch) -> str:
    return (
        "it stays noted, so that nothing is paid for twice; run the same command again to collect "
        f'it, or, if the vendor has lost it, write batch_give_up = ["{batch.remote}"] into the '
        "server's table of the campaign file, and its questions are asked again"
    )


def _duration(seconds: float) -> str:
    """Return a duration in words.

    Examples
    --------
    >>> _duration(180_000), _duration(90)
    ('50 hours', '90 seconds')
    """
    return f"{seconds / 3600:g} hours" if seconds >= 7200 else f"{seconds:g} seconds"
