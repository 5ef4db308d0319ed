"""The probe finds what coarse features give away where it is planted, and little in our items."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.tiers import few

from gfactor.benchmarks import audit_bank, build
from gfactor.benchmarks.percept_v.audit import AUDITED, CUE_COLUMNS
from gfactor.benchmarks.percept_v.build import make_items
from gfactor.benchmarks.percept_v.domain import DOMAINS, SIZES, scene_from_plain
from gfactor.benchmarks.percept_v.forest import ForestSettings, shared_leaves
from gfactor.benchmarks.percept_v.probe import ProbedItem, probe_gain, seen_of, seen_with_seed
from gfactor.items import ItemBank, ItemRandom, pixel_hash

OLDER = [
    json.loads(line)
    for line in (Path(__file__).parent / "older_versions.jsonl").read_text().splitlines()
]
"""An item of every domain as a version before the present one made it: scene, answer, pixels."""

Answers = Callable[[int], Any]


def number(k: int) -> int:
    return k


def yes_or_no(k: int) -> str:
    return "yes" if k % 2 else "no"


def two_words(k: int) -> list[str]:
    return [("red", "blue", "green")[k % 3], ("red", "blue")[k % 2]]


def made_up(seed: int, weight: float, answer: Answers, sizes: int = 10) -> list[ProbedItem]:
    """Ten items of each size; three features are noise, the first one plus the answer's rank."""
    rng = np.random.default_rng(seed)
    items = []
    for size in range(1, sizes + 1):
        for k in rng.permutation(10):
            right = json.dumps(answer(int(k)))
            rank = {"number": k, "yes_or_no": k % 2, "two_words": k % 6}[answer.__name__]
            features = rng.standard_normal(3)
            features[0] += weight * rank
            items.append(ProbedItem(size, tuple(features), (right,)))
    return items


@pytest.mark.parametrize("answer", [number, yes_or_no, two_words])
def test_a_feature_that_goes_with_the_answer_is_found(answer: Answers) -> None:
    found = probe_gain(made_up(1, 8, answer), made_up(2, 8, answer))
    assert found.gain > 0.3
    assert found.lower > 0.2
    assert found.lower < found.gain < found.upper


@pytest.mark.thorough
@pytest.mark.parametrize("answer", few([number, yes_or_no], 1))
def test_noise_gains_nothing_that_its_interval_supports(answer: Answers) -> None:
    found = [probe_gain(made_up(k, 0, answer), made_up(k + 9, 0, answer)) for k in (1, 2, 3)]
    assert sum(one.lower > 0 for one in found) <= 1
    assert abs(np.mean([one.gain for one in found])) < 0.1


def test_trees_weigh_items_on_the_same_side_of_a_step() -> None:
    features = np.linspace(0, 1, 40)[:, None]
    outputs = (features > 0.5).astype(float)
    other, own = shared_leaves(
        features, outputs, np.array([[0.1], [0.9]]), ForestSettings(trees=20)
    )
    assert other.sum(axis=1) == pytest.approx([1, 1])
    assert (other @ outputs).ravel() == pytest.approx([0, 1], abs=0.1)
    # Trees that have learned from an item do not count for it.
    assert np.diag(own) == pytest.approx(np.zeros(40))


@pytest.mark.thorough
def test_the_probe_sees_halves_and_what_differs_between_two_pictures() -> None:
    (item,) = make_items("change_colour", edition="paper", seed=1, sizes=[3], instances=1)
    first, second = (image.decode() for image in item.images)
    seen = seen_of(item, (first, second))
    assert seen.right == ("3",)
    same = seen_of(item, (first, first))
    assert seen.features != same.features
    swapped = seen_of(item, (first, np.ascontiguousarray(second[:, ::-1])))
    assert swapped.features != seen.features


def test_the_probe_finds_the_ink_of_both_sides_in_published_circle_boxes_and_not_in_ours() -> None:
    """The published circles have one size, so that the ink of a side is their number."""
    sizes, instances = (6, 10), 40
    gains = {
        edition: probe_gain(
            *(seen_with_seed("circle_boxes", edition, s, sizes, instances) for s in (72, 71))
        )
        for edition in ("paper", "audited")
    }
    assert gains["paper"].lower > 0.3
    assert gains["audited"].lower < 0.05


@pytest.mark.parametrize("name", ["circle_boxes", "counting_locations"])
def test_the_area_of_a_side_does_not_go_with_its_number(name: str) -> None:
    numbers, areas = [], []
    for index in range(80):
        scene = DOMAINS[name].make(ItemRandom({"claim": "area"}, index), 12, "audited")
        side = [
            c.r
            for c in scene.circles
            if (c.x < scene.line if name == "circle_boxes" else c.y < scene.plank[1])
        ]
        numbers.append(len(side))
        areas.append(sum(r * r for r in side))
    # Circles of like sizes would correlate near 1; .35 is three standard errors of no correlation.
    assert abs(np.corrcoef(numbers, areas)[0, 1]) < 0.35


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["mirror_image", "water_image"])
def test_reflected_objects_have_no_outline_that_goes_with_their_number(name: str) -> None:
    """Outlines of version 2 were a second measure beside the area, and both together the number."""
    for index in range(8):
        scene = DOMAINS[name].make(ItemRandom({"test": name}, index), 12, "audited")
        for pixels in DOMAINS[name].draw(scene):
            assert not np.all(pixels < 16, axis=2).any()


@pytest.mark.parametrize("old", OLDER, ids=lambda old: f"{old['domain']}-{old['version']}")
def test_items_of_the_version_before_are_drawn_and_answered_as_before(old: Any) -> None:
    domain = DOMAINS[old["domain"]]
    assert int(domain.version) > int(old["version"])
    scene = scene_from_plain(domain.scene_type, old["scene"])
    assert [pixel_hash(pixels) for pixels in domain.draw(scene)] == old["pixels"]
    answer = domain.answer(scene)
    assert json.loads(json.dumps(answer)) == old["target"]


def test_a_domain_whose_colors_are_the_answer_is_named_with_the_reason() -> None:
    (limit,) = [one for one in AUDITED if one.column == "cue_gain_lower"]
    assert limit.broken({"cue_gain_lower": 0.06, "forced_cue": ""})
    assert not limit.broken({"cue_gain_lower": 0.04, "forced_cue": ""})
    reasons = {name for name, domain in DOMAINS.items() if domain.forced_cue}
    assert reasons == {"colours_present", "list_colours"}
    assert not limit.broken({"cue_gain_lower": 0.3, "forced_cue": "colors are the answer"})


@pytest.mark.slow
def test_the_audit_measures_whole_audited_banks_alone(tmp_path: Path) -> None:
    domains = ["sort_lines"]
    few = build("percept-v", tmp_path / "few.parquet", seed=7, domains=domains, sizes=[1, 2])
    found = audit_bank(ItemBank.open(few.path)).domains["sort_lines"]
    assert [found[name] for name in CUE_COLUMNS] == [None] * 3
    whole = build("percept-v", tmp_path / "all.parquet", seed=7, domains=domains)
    found = audit_bank(ItemBank.open(whole.path)).domains["sort_lines"]
    assert found["cue_gain_lower"] < found["cue_gain"] < found["cue_gain_upper"]
    assert -0.05 < found["cue_gain"] < 0.08


@pytest.mark.slow
@pytest.mark.parametrize("name", ["change_colour", "circle_location", "mirror_image"])
def test_no_half_quadrant_or_difference_tells_the_number(name: str) -> None:
    # Before area, color and place were drawn for each part the gains were 34, 24 and 42 points.
    parts = (seen_with_seed(name, "audited", seed, SIZES, 10) for seed in (8, 7))
    assert probe_gain(*parts).lower < 0.05
