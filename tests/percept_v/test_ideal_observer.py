"""The ideal observer answers items of the audited edition, from the decoded pixels alone."""

from __future__ import annotations

import pytest
from support.benchmark_scripts import benchmark_script

from gfactor.benchmarks.percept_v.domain import DOMAINS, INSTANCES, SIZES
from gfactor.reports.tables.published import percept_v_level

OBSERVER = benchmark_script("percept_v_observer")


@pytest.mark.parametrize("name", DOMAINS)
def test_the_ideal_observer_is_right_on_an_item_of_every_fourth_size(name: str) -> None:
    """Which instance of a size it is differs between domains, and so does the first size."""
    place = list(DOMAINS).index(name)
    assert OBSERVER.wrong_answers(name, OBSERVER.SEEDS[0], [place], SIZES[place % 4 :: 4]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", DOMAINS)
def test_the_ideal_observer_is_right_on_every_item_of_three_seeds(name: str) -> None:
    """Of every size a third of each seed's items, others of each: the rest is a benchmark."""
    shares = [range(k, INSTANCES, len(OBSERVER.SEEDS)) for k in range(len(OBSERVER.SEEDS))]
    assert sorted(index for share in shares for index in share) == list(range(INSTANCES))
    wrong = [
        line
        for seed, share in zip(OBSERVER.SEEDS, shares, strict=True)
        for line in OBSERVER.wrong_answers(name, seed, share)
    ]
    assert not wrong, wrong[:5]


def test_all_thirty_domains_of_the_paper_are_there_and_six_have_two_pictures() -> None:
    published = set(percept_v_level("domain")["name"])
    assert len(published) == 30
    assert published <= set(DOMAINS)
    assert sorted(name for name in published if DOMAINS[name].images == 2) == [
        "change_colour",
        "match_outline",
        "match_shadow",
        "mirror_image",
        "vanishing_objects",
        "water_image",
    ]
