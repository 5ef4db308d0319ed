"""What bytes, ink and luminance give away: found where planted, little left in our items."""

from __future__ import annotations

import numpy as np
import pytest

from gfactor.benchmarks.chc.cues import Cues, cue_gain
from gfactor.benchmarks.percept_v.domain import SIZES


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


@pytest.mark.thorough
def test_noise_gains_little() -> None:
    # Guesses of one in ten: the best of three classifiers is right in 20 of 200 items, give or
    # take 4; a gain over 8 points, of 16 items, is four standard deviations away.
    gains = [cue_gain(made_up(2 * s, 0), made_up(2 * s + 1, 0))[1] for s in range(5)]
    assert max(gains) < 0.08
