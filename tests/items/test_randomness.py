"""Every item has its own random stream, and answers are balanced over a cell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gfactor.items import ItemRandom


def cell(**more: int) -> dict[str, str | int]:
    return {"benchmark": "b", "seed": 1, "size": 3, **more}


def draws(rng: ItemRandom) -> list[int]:
    return [rng.integer(0, 10**9) for _ in range(20)]


def test_the_same_key_gives_the_same_stream_and_the_order_of_keys_does_not_matter() -> None:
    other = dict(reversed(cell().items()))
    assert draws(ItemRandom(cell(), 0)) == draws(ItemRandom(other, 0))


@pytest.mark.thorough
def test_the_stream_is_the_golden_one_in_every_process_and_hash_seed() -> None:
    code = (
        "from gfactor.items import ItemRandom as R;"
        "r=R({'b':1,'a':'x'},4);print([r.integer(1,6) for _ in range(12)],"
        "r.shuffled('abcdef'),r.balanced('pqrs'))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("0", "1")
    }  # fmt: skip
    assert outputs == {GOLDEN}


GOLDEN = "[4, 3, 1, 3, 5, 4, 5, 4, 3, 4, 4, 6] ['e', 'c', 'b', 'd', 'a', 'f'] p\n"


@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 9), st.integers(0, 9))
def test_different_keys_give_different_streams(a: int, b: int, i: int, j: int) -> None:
    if (a, i) != (b, j):
        assert draws(ItemRandom(cell(seed=a), i)) != draws(ItemRandom(cell(seed=b), j))


@given(st.integers(-50, 50), st.integers(0, 100))
def test_integers_stay_in_their_range(low: int, span: int) -> None:
    rng = ItemRandom(cell(low=low, span=span), 0)
    assert all(low <= rng.integer(low, low + span) <= low + span for _ in range(30))


def test_integers_are_uniform() -> None:
    rng = ItemRandom(cell(), 0)
    counts = Counter(rng.integer(0, 5) for _ in range(6000))
    # Chi-square with 5 degrees of freedom; 20.5 is exceeded by chance once in a thousand keys,
    # and this key is fixed.
    assert sum((c - 1000) ** 2 / 1000 for c in counts.values()) < 20.5
    assert set(counts) == set(range(6))


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(ValueError, match="no integer"):
        ItemRandom(cell(), 0).integer(3, 2)


@given(st.integers(1, 30), st.integers(0, 1000))
def test_a_deal_gives_each_value_equally_often_over_a_cell(values: int, seed: int) -> None:
    drawn = Counter(ItemRandom(cell(seed=seed), i).balanced(range(values)) for i in range(10))
    assert max(drawn.values()) == -(-10 // values)
    assert min(drawn[v] for v in range(values)) >= 10 // values


def test_yes_and_no_are_balanced_five_to_five_in_an_order_that_depends_on_the_seed() -> None:
    orders = set()
    for seed in range(20):
        drawn = [ItemRandom(cell(seed=seed), i).balanced("YN") for i in range(10)]
        assert Counter(drawn) == {"Y": 5, "N": 5}
        orders.add("".join(drawn))
    assert len(orders) > 1


def test_two_deals_of_an_item_are_independent() -> None:
    pairs = set()
    for seed in range(10):
        for i in range(10):
            rng = ItemRandom(cell(seed=seed), i)
            pairs.add((rng.balanced(range(3)), rng.balanced(range(3))))
    assert len(pairs) == 9


def test_a_sample_has_no_repeats_and_a_shuffle_loses_nothing() -> None:
    rng = ItemRandom(cell(), 1)
    assert len(set(rng.sample(range(50), 20))) == 20
    assert sorted(rng.shuffled(range(50))) == list(range(50))


def test_chance_has_the_probability_it_names() -> None:
    rng = ItemRandom(cell(), 2)
    hits = sum(rng.chance(1, 4) for _ in range(4000))
    assert 900 < hits < 1100


def test_a_reshuffled_deck_does_not_go_together_with_a_longer_one() -> None:
    def dealt(reshuffled: bool) -> set[tuple[int, int]]:
        pairs = set()
        for index in range(240):
            rng = ItemRandom({"cell": 1}, index, reshuffled=reshuffled)
            pairs.add((rng.balanced(range(12)), rng.balanced(range(4))))
        return pairs

    assert len(dealt(False)) == 12
    assert len(dealt(True)) > 40


def test_an_attempt_draws_anew_and_deals_the_same() -> None:
    drawn = [ItemRandom({"cell": 1}, 5, attempt) for attempt in range(3)]
    assert len({rng.integer(0, 10**9) for rng in drawn}) == 3
    assert len({rng.balanced(range(7)) for rng in drawn}) == 1


@given(
    st.dictionaries(
        st.text(max_size=8),
        st.one_of(st.text(max_size=12), st.integers(-(2**70), 2**70), st.booleans()),
        max_size=5,
    )
)
@example({"b": 'quoted " and \\', "a": "é", "c": 7})
def test_the_key_of_a_generator_is_the_cell_as_json(cell: dict[str, Any]) -> None:
    """Items that were drawn by any version are drawn again: the key has not changed by a byte."""
    written = json.dumps(cell, sort_keys=True, separators=(",", ":"))
    assert ItemRandom(cell, 0)._cell == written
