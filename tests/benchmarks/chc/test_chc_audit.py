"""The audit of generated families: what it finds where something is wrong on purpose."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from support import chc_families as families

from gfactor.benchmarks.chc import FAMILIES, audit
from gfactor.benchmarks.chc.legibility import differing, option_difference, smallest_object
from gfactor.benchmarks.percept_v.domain import scene_from_plain
from gfactor.items import Item


def found_in(items: tuple[Item, ...]) -> list[audit.ItemFindings]:
    return [audit.inspect(i, tuple(image.decode() for image in i.images)) for i in items]


@pytest.fixture(scope="module")
def findings() -> list[audit.ItemFindings]:
    return found_in(families.items("figural_analogies", per_cell=40))


@pytest.mark.slow
def test_a_sound_bank_breaks_no_limit(findings: list[audit.ItemFindings]) -> None:
    columns = audit.columns("figural_analogies", findings)
    assert [limit.broken(columns) for limit in audit.LIMITS] == [None] * len(audit.LIMITS)
    assert columns["key_positions"] == [30, 30, 30, 30]


@pytest.mark.slow
def test_wrong_keys_pictures_languages_and_repetitions_are_counted(
    findings: list[audit.ItemFindings],
) -> None:
    broken = [
        replace(findings[0], key_holds=False),
        replace(findings[1], pictures_hold=False),
        replace(findings[2], stem="other", scene=findings[3].scene),
        *findings[3:],
        replace(findings[4], scene="another language's"),
    ]
    columns = audit.columns("figural_analogies", broken)
    names = ("wrong_targets", "wrong_pictures", "languages_differ", "repeated_scenes")
    assert [columns[name] for name in names] == [1, 1, 1, 1]


def test_a_picture_that_is_not_the_scenes_is_found() -> None:
    one, other = families.items("matrices")[:2]
    swapped = replace(one, provenance=replace(one.provenance, pixel_hashes=("0",)))
    pictures = tuple(image.decode() for image in other.images)
    assert not audit.inspect(swapped, pictures).pictures_hold


def test_a_scene_of_another_version_is_refused() -> None:
    item = families.items("matrices")[0]
    scene = item.provenance.scene.replace('"side"', '"edge"')
    with pytest.raises(ValueError, match="build the bank again"):
        audit.inspect(replace(item, provenance=replace(item.provenance, scene=scene)), ())


@pytest.mark.thorough
def test_guessers_find_what_is_given_away_and_nothing_else(
    findings: list[audit.ItemFindings],
) -> None:
    learned, judged = findings[::2], findings[1::2]
    assert audit.options_only(learned, judged) < 0.5
    leaky = [
        replace(f, options=tuple('"key"' if k == f.key else '"no"' for k in range(4)))
        for f in findings
    ]
    assert audit.options_only(leaky[::2], leaky[1::2]) == 1
    at_b = [replace(f, target='"B"') for f in findings]
    assert audit.blind(at_b[::2], at_b[1::2]) == 1


@pytest.mark.thorough
def test_guessers_from_labels_and_wording_find_what_these_give_away(
    findings: list[audit.ItemFindings],
) -> None:
    learned, judged = findings[::2], findings[1::2]
    assert audit.from_metadata(learned, judged) < 0.5
    assert audit.from_wording(learned, judged) < 0.5
    told = [replace(f, design=(f"radical.answer={f.target}",)) for f in findings]
    assert audit.from_metadata(told[::2], told[1::2]) == 1
    worded = [
        replace(f, wording=tuple("a long one" if k == f.key else "short" for k in range(4)))
        for f in findings
    ]
    assert audit.from_wording(worded[::2], worded[1::2]) == 1
    assert set(audit.gains(learned, judged)) == set(audit.GAINS)


def near_duplicates_of(name: str, change) -> float:
    """The column for two items of a family, the second made of the first one's record."""
    item = families.items(name)[0]
    record = json.loads(item.provenance.scene)
    change(record)
    other = replace(item, id="other", provenance=replace(item.provenance, scene=json.dumps(record)))
    pair = [audit.inspect(one, ()) for one in (item, other)]
    return audit.columns(name, pair)["near_duplicates"]


def test_items_that_differ_in_one_value_are_near_duplicates() -> None:
    def with_terms(*terms: int):
        def change(record: dict) -> None:
            for place, term in enumerate(terms):
                record["scene"]["terms"][place] += term

        return change

    def another_answer(record: dict) -> None:
        record["answer"] += 1

    assert near_duplicates_of("number_series", with_terms()) == 0.5
    assert near_duplicates_of("number_series", with_terms(1)) == 0.5
    assert near_duplicates_of("number_series", with_terms(1, 1)) == 0
    assert near_duplicates_of("number_series", another_answer) == 0


def test_languages_of_an_item_are_no_near_duplicates() -> None:
    items = families.items("number_series", per_cell=4, language=("en", "fr"))
    assert audit.columns("number_series", found_in(items))["near_duplicates"] == 0


def test_the_smallest_thing_of_a_picture_is_measured() -> None:
    picture = np.full((60, 80, 3), 255, np.uint8)
    assert smallest_object([picture]) == 0
    picture[10:30, 10:30] = 0
    picture[40:43, 50:57] = (200, 0, 0)
    assert smallest_object([picture]) == 7
    picture[50, 70] = 254
    assert smallest_object([picture]) == 1


def test_pixels_count_where_colors_differ_visibly() -> None:
    white = np.full((10, 10, 3), 255, np.uint8)
    other = white.copy()
    other[0, :4] = 0
    other[5] = 252
    assert differing([white], [white]) == 0
    assert differing([white], [other]) == 4
    assert differing([white], [white[:5]]) == 50


@pytest.mark.slow
def test_options_that_look_alike_break_a_limit() -> None:
    item = next(i for i in families.items("maze_costs") if not i.provenance.index)
    family, record = FAMILIES["maze_costs"], json.loads(item.provenance.scene)
    scene = scene_from_plain(family.scene_type, record["scene"])
    options, key = record["options"], record["errors"].index("")
    alike = [options[key]] * len(options)
    assert option_difference(family, scene, options, key) >= 12
    assert option_difference(family, scene, alike, key) == 0
    columns = audit.columns("maze_costs", found_in((item,)))
    assert columns["min_option_px"] == option_difference(family, scene, options, key)
    assert columns["max_side_px"] == max(i for p in item.images for i in p.decode().shape[:2])
    for name, value in (
        ("min_option_px", 11), ("min_object_px", 3), ("max_side_px", 1025),
        ("near_duplicates", 0.06),
    ):  # fmt: skip
        broken = [limit.broken({**columns, name: value}) for limit in audit.LIMITS]
        assert [text.partition(" ")[0] for text in broken if text] == [name]


def test_text_twins_have_nothing_to_be_seen() -> None:
    columns = audit.columns("maze_costs", found_in(families.items("maze_costs", 2, twin="text")))
    assert columns["min_object_px"] == columns["min_option_px"] == math.inf
    assert [limit.broken(columns) for limit in audit.LIMITS] == [None] * len(audit.LIMITS)
