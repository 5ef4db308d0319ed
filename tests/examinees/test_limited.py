"""A limited perception blurs, is noisy and forgets, by the formulas of its documentation."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gfactor.examinees.observer import IdealPerception, Limited
from gfactor.imaging import Pixels

GRAY: Pixels = np.full((240, 320, 3), 128, np.uint8)


def edge() -> Pixels:
    pixels = np.zeros((64, 200, 3), np.uint8)
    pixels[:, 100:] = 255
    return pixels


def spread(seen: Pixels) -> float:
    """Standard deviation of the edge's blur, in pixels: the width of its derivative."""
    profile = seen[..., 0].astype(float).mean(axis=0)
    slope = np.diff(profile) / (profile[-1] - profile[0])
    places = np.arange(slope.size)
    mean = (slope * places).sum()
    return float(np.sqrt((slope * (places - mean) ** 2).sum()))


@pytest.mark.parametrize("acuity", [0.5, 0.2, 0.1])
def test_blur_is_half_a_pixel_over_acuity(acuity: float) -> None:
    person = Limited(acuity=acuity, contrast=10)
    seen = person("any", (edge(),)).see(edge())
    assert person.blur_px == pytest.approx(0.5 / acuity)
    assert spread(seen) == pytest.approx(person.blur_px, rel=0.1)


@pytest.mark.parametrize("contrast", [1.0, 0.2, 0.05])
def test_noise_is_gray_and_grows_as_contrast_sensitivity_falls(contrast: float) -> None:
    seen = Limited(contrast=contrast)("any", (GRAY,)).see(GRAY)
    assert np.ptp(seen, axis=2).max() == 0
    assert seen[..., 0].astype(float).std() == pytest.approx(1.275 / contrast, rel=0.05)


def test_noise_covers_pictures_larger_than_its_field() -> None:
    large = np.full((30, 2500, 3), 128, np.uint8)
    seen = Limited(contrast=0.1)("any", (large,)).see(large)
    assert seen.shape == large.shape
    assert (seen[:, -500:, 0].astype(float)).std() > 10


@given(st.integers(1, 40), st.floats(0.5, 20))
def test_nothing_is_lost_within_capacity_and_survival_never_rises_with_load(
    load: int, capacity: float
) -> None:
    person = Limited(capacity=capacity)
    every = [person.survival(n) ** n for n in range(1, load + 1)]
    assert all(p == 1 for n, p in enumerate(every, 1) if n <= capacity)
    assert all(a >= b - 1e-12 for a, b in pairwise(every))


@pytest.mark.thorough
def test_half_of_the_time_all_of_twice_the_capacity_is_held() -> None:
    person = Limited(capacity=4)
    assert person.survival(8) ** 8 == pytest.approx(0.5)
    assert person.survival(12) ** 12 == pytest.approx(1 / 16)
    complete = [
        len(Limited(capacity=4, seed=seed)("d", (GRAY[:8, :8],)).hold(range(8))) == 8
        for seed in range(1000)
    ]
    # Five standard errors: fails by chance less than once in a million.
    assert abs(np.mean(complete) - 0.5) < 5 * 0.5 / np.sqrt(1000)


def test_however_many_there_are_about_the_capacity_survives() -> None:
    held = [len(Limited(capacity=3, seed=s)("d", (GRAY,)).hold(range(500))) for s in range(50)]
    # Binomial with mean 3: five standard errors of the mean of 50.
    assert abs(np.mean(held) - 3) < 5 * (3 / 50) ** 0.5


def test_lost_things_are_missing_or_guessed() -> None:
    person = Limited(capacity=1, seed=2)
    things = list(range(30))
    left = person("d", (GRAY,)).hold(things)
    assert len(left) < 30
    assert left == sorted(left)
    guessed = person("d", (GRAY,)).hold(things, guesses=[-1])
    assert len(guessed) == 30
    assert [t for t in guessed if t >= 0] == left


def test_a_person_answers_the_same_again_and_another_person_does_not() -> None:
    def held(seed: int, domain: str = "d", picture: Pixels = GRAY) -> list[int]:
        return Limited(capacity=2, seed=seed)(domain, (picture,)).hold(range(60))

    assert held(1) == held(1)
    assert len({tuple(held(seed)) for seed in range(5)}) == 5
    assert held(1) != held(1, domain="e")
    assert held(1) != held(1, picture=GRAY + 1)


@pytest.mark.slow
def test_chance_does_not_depend_on_the_process() -> None:
    program = (
        "import numpy as np; from gfactor.examinees.observer import Limited;"
        "g = np.full((40, 60, 3), 128, np.uint8); m = Limited(seed=3, capacity=2)('d', (g,));"
        "print(int(m.see(g).sum()), m.hold(range(40)))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hashing},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashing in ("1", "2")
    }
    assert len(runs) == 1
    assert "[" in runs.pop()


def test_half_of_what_is_held_is_forgotten_after_the_turns_of_retention() -> None:
    person = Limited(capacity=1000, retention=4)
    for turns, share in ((0, 1.0), (4, 0.5), (8, 0.25)):
        held = person("any", (GRAY,)).hold(list(range(900)), turns=turns)
        assert len(held) / 900 == pytest.approx(share, abs=0.06)
    recent = person("any", (GRAY,)).hold(list(range(900)), turns=[0] * 450 + [400] * 450)
    assert recent == list(range(450))


def test_acuity_fluctuates_from_item_to_item_by_its_standard_deviation_in_logmar() -> None:
    person = Limited(acuity=0.2, contrast=10, fluctuation=0.09)
    widths = []
    for k in range(300):
        # A pixel that differs makes another item.
        item = edge()
        item[-1, 0] = k % 256, k // 256, 0
        widths.append(spread(person("any", (item,)).see(item)[:50]))
    logs = np.log10(widths)
    # Five standard errors of the mean and of the standard deviation of 300.
    assert abs(logs.mean() - np.log10(person.blur_px)) < 5 * 0.09 / np.sqrt(300) + 0.01
    assert logs.std() == pytest.approx(0.09, rel=5 / np.sqrt(600))


def test_without_fluctuation_every_item_is_as_blurred_and_the_name_is_as_it_was() -> None:
    assert "fluctuation" not in Limited().parameters()
    assert Limited(fluctuation=0.09).parameters()["fluctuation"] == "0.09"
    assert Limited.from_parameters({"fluctuation": "0.09"}) == Limited(fluctuation=0.09)


def test_persons_search_in_orders_of_their_own_that_stay() -> None:
    orders = [
        tuple(Limited(seed=seed)("d", (GRAY[:8, :8],)).search(range(9))) for seed in range(400)
    ]
    assert all(sorted(order) == list(range(9)) for order in orders)
    assert orders[7] == tuple(Limited(seed=7)("d", (GRAY[:8, :8],)).search(range(9)))
    # A place comes at number 4 on the mean, where 400 persons search by lot (five standard errors).
    means = np.argsort(np.array(orders), axis=1).mean(axis=0)
    assert np.abs(means - 4).max() < 5 * np.sqrt((81 - 1) / 12 / 400)
    assert list(IdealPerception().search(range(9))) == list(range(9))


def test_retention_is_in_the_name_only_where_it_binds() -> None:
    assert "retention" not in Limited().parameters()
    assert Limited(retention=2.5).parameters()["retention"] == "2.5"
    assert Limited.from_parameters({"retention": "2.5"}) == Limited(retention=2.5)
