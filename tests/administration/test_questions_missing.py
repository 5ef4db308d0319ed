"""What an examinee has still to be asked, however much it has answered."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gfactor.administration import Journal, Response
from gfactor.administration.asking.questions import missing_keys
from gfactor.errors import ParameterError
from gfactor.examinees import Reply

HASHES = st.sampled_from("abcd")


@pytest.mark.thorough
@given(
    items=st.lists(HASHES, min_size=1, max_size=6),
    answered=st.lists(st.tuples(st.sampled_from("abcdxy"), st.integers(0, 4))),
    occasions=st.integers(1, 3),
)
def test_each_content_is_asked_on_each_occasion_that_has_no_answer(
    items: list[str], answered: list[tuple[str, int]], occasions: int
) -> None:
    ids = [f"item-{n}" for n in range(len(items))]
    frame = pd.DataFrame({"content_hash": items, "id": ids})
    missing = missing_keys(frame, iter(answered), occasions)
    contents = dict.fromkeys(items)
    assert list(missing) == [
        (one, occasion)
        for one in contents
        for occasion in range(occasions)
        if (one, occasion) not in answered
    ]
    assert all(ids[items.index(one)] == item_id for (one, _), item_id in missing.items())


@pytest.mark.slow
def test_what_is_answered_costs_a_byte_and_no_key(tmp_path: Path) -> None:
    items, occasions = 2_000, 20
    hashes = [f"{n:064d}" for n in range(items)]
    frame = pd.DataFrame({"content_hash": hashes, "id": hashes})
    with Journal.open(tmp_path / "c.db") as journal:
        for occasion in range(occasions - 1):
            journal.add(Response.now("a:b", one, "default", occasion, Reply("1")) for one in hashes)
        tracemalloc.start()
        try:
            missing = missing_keys(frame, journal.answered("a:b", "default"), occasions)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert set(missing) == {(one, occasions - 1) for one in hashes}
    # 38,000 keys take 8 MB and more as a set.
    assert most < 4e6


def test_more_questions_than_a_run_can_hold_are_refused() -> None:
    frame = pd.DataFrame({"content_hash": ["a", "b"], "id": ["a", "b"]})
    with pytest.raises(ParameterError, match="2 items on 100,000,000,000 occasions are more than"):
        missing_keys(frame, (), 10**11)
