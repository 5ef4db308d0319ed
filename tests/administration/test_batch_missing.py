"""A batch whose id never came back: what becomes of its questions does not hang on the clock."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gfactor.administration.asking.batch_missing import LostBatches
from gfactor.administration.asking.batch_rows import Batch
from gfactor.examinees.http.batches import Search
from gfactor.examinees.http.limits import RunStoppedError
from gfactor.examinees.http.payload import Dialect


class Empty:
    """A vendor's list without a batch of ours."""

    async def find(self, *_: Any) -> Search:
        return Search()


def looked_for(*, refused: bool, seconds: float = 0.1) -> tuple[LostBatches, Batch]:
    """Return a search whose bound passed after its last look."""
    batch = Batch(
        "token", "", (("default", "one", 0), ("default", "two", 0)), datetime.now(UTC), Dialect()
    )
    missing = LostBatches("openai:m", seconds, lambda _: None)
    missing.add(batch, submitted_here=True, refused=refused)
    api: Any = Empty()
    for _ in range(3):
        assert asyncio.run(missing.look(api, ())) == ([], [])
    time.sleep(seconds)
    return missing, batch


def test_what_the_vendor_has_not_taken_is_asked_again_after_the_next_look() -> None:
    missing, batch = looked_for(refused=True)
    missing.check()
    api: Any = Empty()
    assert asyncio.run(missing.look(api, ())) == ([], [batch])
    assert not missing


def test_what_may_have_been_taken_stays_unsent_in_this_run() -> None:
    missing, _ = looked_for(refused=False)
    with pytest.raises(RunStoppedError, match="2 questions may have been submitted"):
        missing.check()


@pytest.mark.parametrize(
    ("age_h", "said"),
    [(0, "60 minutes from then (batch_search), until "), (2, "(batch_search) is over; ")],
)
def test_the_search_is_told_with_its_duration_and_never_with_an_end_that_has_passed(
    age_h: int, said: str
) -> None:
    sentences: list[str] = []
    noted = datetime.now(UTC) - timedelta(hours=age_h)
    missing = LostBatches("openai:m", 3600, sentences.append)
    missing.add(
        Batch("token", "", (("default", "one", 0),), noted, Dialect()), submitted_here=False
    )
    api: Any = Empty()
    asyncio.run(missing.look(api, ()))
    assert said in sentences[0]
    assert (" until " in sentences[0]) is (age_h == 0)
