"""What bytes, ink and luminance give away: found where planted, little left in our items."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gfactor.benchmarks import audit_bank, build
from gfactor.benchmarks.percept_v.audit import MAX_CUE_GAIN
from gfactor.benchmarks.percept_v.build import make_items
from gfactor.benchmarks.percept_v.cues import Cues, cue_gain, cues_of, other_seed
from gfactor.benchmarks.percept_v.domain import SIZES
from gfactor.items import ItemBank


def made_up(seed: int, told: float, answers: tuple[str, ...] = ()) -> list[Cues]:
    """Ten items of each size; the bytes are noise plus `told` for each step of the answer."""
    rng = np.random.default_rng(seed)
    items = []
    for size in SIZES:
        for answer in rng.permutation(10):
            cue = 5000 + 100 * size + 100 * rng.standard_normal() + told * answer
            right = answers[answer % len(answers)] if answers else str(answer)
            items.append(Cues(size, (cue, 1000.0, 240.0), (right,)))
    return items


@pytest.mark.parametrize("answers", [(), ('"yes"', '"no"')])
def test_a_cue_that_goes_with_the_answer_is_found(answers: tuple[str, ...]) -> None:
    told = 300 if not answers else 0
    learned, judged = made_up(1, told, answers), made_up(2, told, answers)
    if answers:
        learned, judged = (
            [
                Cues(c.size, (c.values[0] + 400 * (c.right[0] == answers[0]), 1, 1), c.right)
                for c in x
            ]
            for x in (learned, judged)
        )
    base, gain = cue_gain(learned, judged)
    assert gain > 0.3
    assert base < 0.6


def test_noise_gains_little() -> None:
    # Guesses of one in ten: the best of three classifiers is right in 20 of 200 items, give or
    # take 4; a gain over 8 points, of 16 items, is four standard deviations away.
    gains = [cue_gain(made_up(2 * s, 0), made_up(2 * s + 1, 0))[1] for s in range(5)]
    assert max(gains) < MAX_CUE_GAIN


def test_cues_are_bytes_ink_and_luminance_of_each_picture() -> None:
    (item,) = make_items("vanishing_objects", edition="paper", seed=1, sizes=[3], instances=1)
    pictures = [image.decode() for image in item.images]
    found = cues_of(item, pictures)
    assert found.size == 3
    assert found.right == ("3",)
    assert found.values[0] == len(item.images[0].data)
    assert found.values[1] == np.count_nonzero((pictures[0] != 255).any(axis=2))
    assert found.values[5] == pytest.approx(pictures[1].mean())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["counting_circles", "vanishing_objects"])
def test_ink_and_bytes_no_longer_tell_how_many(name: str) -> None:
    # Before total area, shade and specks were drawn without regard to the number the gains were
    # 53 and 55 points.
    sizes = range(1, 21)
    judged = other_seed(name, "audited", 6, sizes, 10)
    assert cue_gain(other_seed(name, "audited", 7, sizes, 10), judged)[1] <= MAX_CUE_GAIN


@pytest.mark.slow
def test_the_audit_measures_whole_audited_banks_alone(tmp_path: Path) -> None:
    domains = ["sort_lines"]
    few = build("percept-v", tmp_path / "few.parquet", seed=7, domains=domains, sizes=[1, 2])
    found = audit_bank(ItemBank.open(few.path)).domains["sort_lines"]
    assert found["cue_gain"] is None
    whole = build("percept-v", tmp_path / "all.parquet", seed=7, domains=domains)
    found = audit_bank(ItemBank.open(whole.path)).domains["sort_lines"]
    assert -0.05 < found["cue_gain"] <= MAX_CUE_GAIN
