"""The extreme difficulty: items that an ideal observer answers, beyond those of the other three."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from support import chc_families as families
from support import wider_grammars
from support.tiers import few

from gfactor.benchmarks.chc import FAMILIES, audit, build
from gfactor.benchmarks.chc.cells import DesignCell
from gfactor.benchmarks.chc.check import check_family
from gfactor.benchmarks.chc.family import DIFFICULTIES, EXTREME
from gfactor.benchmarks.chc.main_radicals import main_cells
from gfactor.benchmarks.chc.redrawing import content_of
from gfactor.benchmarks.percept_v.domain import scene_from_plain
from gfactor.benchmarks.texts import LANGUAGES
from gfactor.errors import ParameterError
from gfactor.examinees.observer import IdealPerception, observe
from gfactor.items import Item

WITH_EXTREME = [name for name in families.names() if FAMILIES[name].extreme]
family = pytest.mark.parametrize("name", few(WITH_EXTREME, 6))


def made(name: str, per_cell: int = 3, **options: Any) -> tuple[Item, ...]:
    return families.items(name, per_cell=per_cell, difficulty=(EXTREME,), **options)


def test_every_family_has_an_extreme_difficulty() -> None:
    assert list(families.names()) == WITH_EXTREME


@pytest.mark.parametrize("name", WITH_EXTREME)
def test_extreme_goes_beyond_hard(name: str) -> None:
    one = FAMILIES[name]
    beyond = {
        radical: [
            level
            for level in levels
            if level not in one.presets["hard"].get(radical, one.radicals[radical])
        ]
        for radical, levels in one.extreme.items()
    }
    assert any(beyond.values())


@pytest.mark.thorough
@family
def test_checker_and_ideal_observer_answer_every_extreme_item(name: str) -> None:
    check = families.checker(name)
    for item in made(name):
        one = families.record(item)
        found = check.answer(one["scene"], one["options"])
        assert (one["options"][found] if one["options"] else found) == one["answer"]
        wanted = (
            item.target if item.output_format is None else item.output_format.render(item.target)
        )
        pictures = tuple(image.decode() for image in item.images)
        if not FAMILIES[name].unobserved:
            assert observe(name, pictures, IdealPerception()) == wanted, item.id
        assert max(max(picture.shape) for picture in pictures) <= 1024
        inspected = audit.inspect(item, pictures)
        assert inspected.key_holds
        assert inspected.pictures_hold
        assert inspected.cell == len(DIFFICULTIES) + 1


@family
def test_no_wrong_option_of_an_extreme_item_follows_a_wider_rule(name: str) -> None:
    for item in made(name):
        one = families.record(item)
        if one["options"]:
            key = one["errors"].index("")
            assert wider_grammars.rivals(name, one["scene"], one["options"], key) == []


@pytest.mark.thorough
@family
def test_extreme_items_are_read_again_from_their_words_in_six_languages(name: str) -> None:
    assert {item.language for item in made(name, per_cell=1, language=LANGUAGES)} == set(LANGUAGES)
    one = FAMILIES[name]
    for item in made(name, per_cell=2):
        record = families.record(item)
        scene = scene_from_plain(one.scene_type, record["scene"])
        options = [content_of(one, plain) for plain in record["options"]]
        # Where the options are all that is shown, they are what the twin has to say.
        says = one.twin(scene) or tuple(one.option(option) for option in options if one.option)
        known = sorted({line.template for line in says})
        for language in LANGUAGES:
            lines = [one.texts.write(line, language) for line in says]
            read = [one.texts.read(line, language, known) for line in lines]
            assert one.from_twin(read) == scene, language


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spatial_span", "number_series"])
def test_the_generic_check_makes_extreme_items_too(name: str) -> None:
    assert check_family(FAMILIES[name]) == []


def test_a_figure_of_twelve_squares_stays_clear_of_the_frame_however_it_is_turned() -> None:
    for item in made("rotation_2d", per_cell=6):
        for squares, _ in families.record(item)["options"]:
            for spread in ([r + c for r, c in squares], [r - c for r, c in squares]):
                # Halves of a square's diagonal, whose side is 22 of the panel's 160 pixels.
                assert (max(spread) - min(spread) + 2) * 22 / 2**0.5 < 150


def test_two_views_of_a_cube_decide_together_what_neither_decides() -> None:
    grammar = wider_grammars.FITTING["cube_comparison"]
    for item in made("cube_comparison", per_cell=6):
        one = families.record(item)
        first, second, key = (
            {mark for mark, _ in seen}
            for seen in (one["scene"]["seen"], one["scene"]["second"], one["answer"])
        )
        assert len(first & second) == len(first & key) == len(second & key) == 1
        assert not first & second & key
        left = [
            {one["errors"][k] for k in grammar({"seen": one["scene"][alone]}, one["options"])}
            for alone in ("seen", "second")
        ]
        assert left[0] & left[1] == {"", "mirror image"}
        assert len(grammar(one["scene"], one["options"])) == 1


def test_every_face_of_an_extreme_net_decides_between_options() -> None:
    for item in made("cube_nets", per_cell=6):
        one = families.record(item)
        marks = {mark for _, _, mark, _ in one["scene"]["net"]}
        assert all({mark for mark, _ in option} == marks for option in one["options"])
        # Whoever judges one corner alone is left with two options.
        for start in (0, 3):
            half = {str(option[start : start + 3]) for option in one["options"]}
            key = one["answer"][start : start + 3]
            assert sum(option[start : start + 3] == key for option in one["options"]) == 2
            assert len(half) == 2


def test_every_option_of_an_extreme_analogy_is_as_often_the_right_one() -> None:
    """Whoever exchanges the values before and after a change has an item that is drawn as often,
    with the same options, of which another one is right."""
    family = FAMILIES["figural_analogies"]
    for item in made("figural_analogies", per_cell=12):
        record = families.record(item)
        scene = scene_from_plain(family.scene_type, record["scene"])
        options = [content_of(family, plain) for plain in record["options"]]
        answer = content_of(family, record["answer"])
        for option in options:
            before, after = vars(scene.first), vars(scene.second)
            wrong = {name for name, value in vars(answer).items() if vars(option)[name] != value}
            # The third figure has the first one's values, so that only the change tells the key.
            assert all(vars(scene.third)[name] == before[name] != after[name] for name in wrong)
            exchanged = type(scene)(
                replace(scene.first, **{name: after[name] for name in wrong}),
                replace(scene.second, **{name: before[name] for name in wrong}),
                replace(scene.third, **{name: after[name] for name in wrong}),
            )
            assert family.solve(exchanged, options).answers == (option,)


def test_extreme_concepts_need_all_three_properties() -> None:
    checker = families.checker("set_membership")
    for item in made("set_membership", per_cell=6):
        scene = families.record(item)["scene"]
        for pair in combinations(checker.PROPERTIES.values(), 2):
            on_the_left = all(has(figure) for figure in scene["left"] for has in pair)
            on_the_right = any(all(has(figure) for has in pair) for figure in scene["right"])
            assert not on_the_left or on_the_right


def test_a_scene_whose_sides_a_simpler_concept_separates_by_chance_is_drawn_anew() -> None:
    """Two properties may separate the sides of which a wrong option has both: seed 11 drew such a
    scene and stopped, as if the family had a defect."""
    (part,) = build.plan(
        seed=11, families=["set_membership"], per_cell=1, difficulty=(EXTREME,)
    ).parts
    make: Callable[[], Any] = part.make
    (item,) = make()
    assert families.record(item)["draws"] > 2


def test_an_extreme_level_that_is_no_radical_is_a_flaw() -> None:
    broken = replace(FAMILIES["running_span"], extreme={"length": (12,), "last": ("twelve",)})
    flaws = check_family(broken)
    assert (
        "running_span: extreme: there is no radical 'length'; there are last, before, " in flaws[0]
    )
    assert any("'last' of another type than its radicals" in flaw for flaw in flaws)


RECORDED = {
    "tower_planning": "e5af21e56598fbe8",
    "spatial_span": "70046e581c2344a4",
    "number_series": "1e42e09aef0c390c",
    "card_sorting": "ac918dae9ba86428",
    "bills_and_plans": "04c060357bdb54ba",
    "cube_comparison": "f783dfc29d3ec6a7",
    "cube_nets": "6d3d8b11099a124a",
}
"""Of an item of medium difficulty: extreme ones change none. All but number_series have new
versions since, with wider frames, plainer sentences and pieces apart, and more than one move asked
for where items are hard."""


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_items_of_the_other_difficulties_stay_as_they_were(name: str) -> None:
    (part,) = build.plan(seed=17, families=[name], per_cell=2, difficulty=["medium"]).parts
    make: Any = part.make
    assert list(make())[-1].provenance.content_hash.startswith(RECORDED[name])


def test_nothing_is_extreme_unless_it_is_asked_for() -> None:
    usual = build.plan(seed=1, per_cell=1)
    assert usual.metadata["difficulty"] == list(DIFFICULTIES)
    assert {i.labels["difficulty"] for i in families.items("running_span")} == set(DIFFICULTIES)
    for name in WITH_EXTREME:
        for levels in main_cells(FAMILIES[name]):
            assert all(level in FAMILIES[name].radicals[r] for r, level in levels.items())


@contextmanager
def no_extreme_closure() -> Iterator[None]:
    """The family closure as one of another package that declares no extreme difficulty."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(FAMILIES._things, "closure", replace(FAMILIES["closure"], extreme={}))
        yield


def test_a_family_without_an_extreme_difficulty_refuses_in_one_sentence() -> None:
    with no_extreme_closure(), pytest.raises(ParameterError) as refused:
        build.plan(families=["closure", "matrices"], difficulty=[EXTREME])
    assert str(refused.value) == (
        "family 'closure' has no extreme difficulty; leave it or --difficulty extreme out"
    )
    with no_extreme_closure(), pytest.raises(ParameterError, match="has no extreme difficulty"):
        build.plan(families=["closure"], difficulty=["hard", EXTREME])


def test_without_names_the_families_that_have_one_are_made() -> None:
    assert build.plan(difficulty=[EXTREME]).metadata["families"] == sorted(FAMILIES)
    with no_extreme_closure():
        one = build.plan(difficulty=[EXTREME])
        assert one.metadata["families"] == sorted(set(FAMILIES) - {"closure"})
        both = build.plan(difficulty=["hard", EXTREME], per_cell=1)
        assert both.metadata["families"] == sorted(FAMILIES)


def test_a_cell_of_a_calibration_can_be_extreme() -> None:
    labels = {"family": "tower_planning", "radical.moves": 12, "radical.pieces": 5}
    assert DesignCell.of_labels(labels, "here").allowed == {"moves": (12,), "pieces": (5,)}
    named = DesignCell.of_labels({"family": "running_span", "difficulty": EXTREME}, "here")
    assert named.allowed == FAMILIES["running_span"].extreme


@pytest.mark.slow
def test_guessers_learn_from_extreme_items_where_such_are_judged() -> None:
    items = families.items("bills_and_plans", per_cell=100, difficulty=(EXTREME,), answers="choice")
    found = [audit.inspect(item, ()) for item in items]
    columns = audit.control("bills_and_plans", found)
    assert {
        one.cell for one in audit._learned("bills_and_plans", 6, "en", "choice", (EXTREME,))
    } == {4}
    assert all(abs(columns[name]) < 0.15 for name in audit.GAINS)  # pyright: ignore
