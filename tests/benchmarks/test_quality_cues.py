"""The audit finds keys that the rank of an option or the size of a picture tells, in any bank of 30
single-choice items; it finds nothing where keys are drawn by lot, and says what it did not test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.quality import asked, checked, image, scene

from gfactor.benchmarks.quality import SurveyedItem
from gfactor.benchmarks.quality.bank_survey import Survey, SurveyedOption
from gfactor.benchmarks.quality.checks.option_ranks import check as option_ranks
from gfactor.benchmarks.quality.checks.picture_size import check as picture_size
from gfactor.benchmarks.quality.look import Look


def surveyed(
    number: int, key: int, options: list[str], stored: int = 0, pixels: int = 100
) -> SurveyedItem:
    """An item of a bank of one's own, with a picture of a size."""
    look = Look(str(number), pixels, 100, 0, (0, 0, 1, 1), b"", False, stored)
    choices = tuple(SurveyedOption("ABCD"[k], text) for k, text in enumerate(options))
    return SurveyedItem(
        f"q{number}", "en", f"Question {number}?", choices, "choice", "ABCD"[key], (), {},
        (look,) if stored else (), generated=False,
    )  # fmt: skip


def numbers(rng: np.random.Generator, unit: str = "") -> list[str]:
    return [f"{n:,}{unit}" for n in rng.choice(5_000, 4, replace=False)]


@pytest.mark.parametrize("unit", ["", " cm"])
@pytest.mark.parametrize(
    ("rank", "name"), [(3, "largest"), (0, "smallest"), (2, "second-largest of 4")]
)
def test_a_key_that_is_always_the_number_of_one_rank_is_found(
    rank: int, name: str, unit: str
) -> None:
    rng, items = np.random.default_rng(1), []
    for k in range(40):
        options = numbers(rng, unit)
        value = [int(one.split()[0].replace(",", "")) for one in options]
        items.append(surveyed(k, int(np.argsort(value)[rank]), options))
    (finding,) = option_ranks.run(Survey(tuple(items))).findings
    assert finding.code == "number_rank_cue"
    assert name in finding.sentence
    assert "40 of 40 (100.0%, 95 % interval 91.2% to 100.0%; chance 25.0%" in finding.sentence


def test_a_key_that_is_always_the_second_longest_option_is_found() -> None:
    rng, items = np.random.default_rng(2), []
    for k in range(40):
        lengths = rng.choice(np.arange(3, 40), 4, replace=False)
        key = int(np.argsort(lengths)[2])
        items.append(surveyed(k, key, ["x" * int(length) for length in lengths]))
    (finding,) = option_ranks.run(Survey(tuple(items))).findings
    assert finding.code == "length_rank_cue"


@pytest.mark.parametrize(("quantity", "code"), [
    ("stored", "picture_bytes_cue"), ("pixels", "picture_pixels_cue"),
])  # fmt: skip
def test_a_key_that_the_size_of_the_picture_tells_is_found(quantity: str, code: str) -> None:
    rng, items = np.random.default_rng(3), []
    for k in range(40):
        key, size = int(rng.integers(4)), {"stored": 1_000}
        size[quantity] = int((1_600, 3_000, 6_700, 14_500)[key] + rng.integers(900))
        items.append(surveyed(k, key, ["a", "b", "c", "d"], **size))
    outcome = picture_size.run(Survey(tuple(items)))
    (finding,) = outcome.findings
    assert finding.code == code
    assert finding.values["share"] > 0.8
    assert finding.values["chance"] < 0.4
    assert outcome.untested == ""


@pytest.mark.slow
def test_keys_by_lot_give_findings_no_more_often_than_the_level() -> None:
    # The level of each check is 1 %: of 60 banks, 5 or more of either have a chance below .001.
    found = {"ranks": 0, "sizes": 0}
    for seed in range(60):
        rng = np.random.default_rng((4, seed))
        bank = Survey(tuple(
            surveyed(k, int(rng.integers(4)), numbers(rng), int(rng.integers(1_000, 9_000)))
            for k in range(40)
        ))  # fmt: skip
        found["ranks"] += bool(option_ranks.run(bank).findings)
        found["sizes"] += bool(picture_size.run(bank).findings)
    assert max(found.values()) < 5


def test_pictures_that_are_equal_in_size_tell_nothing_whatever_the_order_of_the_bank() -> None:
    items = [surveyed(k, k // 10, ["a", "b", "c", "d"], stored=1_000) for k in range(40)]
    assert picture_size.run(Survey(tuple(items))).findings == ()


def test_what_was_not_tested_is_said_with_the_reason(tmp_path: Path) -> None:
    items = [asked(f"q{k}", "How many?", image(scene(k)), options=("1", "2", "3", "4"),
                   target="ABCD"[k % 4]) for k in range(12)]  # fmt: skip
    said = checked(items, tmp_path, "option_ranks", "picture_size").verdict
    assert "option_ranks did not test its items (12 with options by number; 30 are needed)" in said
    assert "picture_size did not test its items (12 with 4 options; 30 are needed)" in said


@pytest.mark.thorough
def test_the_bytes_of_the_files_in_the_bank_count(tmp_path: Path) -> None:
    rng, items = np.random.default_rng(5), []
    for k in range(40):
        key = int(rng.integers(4))
        pixels = np.full((120, 120, 3), 255, np.uint8)
        side = 20 + 30 * key
        pixels[:side, :side] = rng.integers(0, 255, (side, side, 3))
        items.append(asked(f"q{k}", "Which?", image(pixels), target="ABCD"[key]))
    codes = {one.code for one in checked(items, tmp_path, "picture_size").findings}
    assert codes == {"picture_bytes_cue"}
