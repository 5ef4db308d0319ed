"""Figure series are not answered by counting how often values were shown, without any rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import pytest

from gfactor.benchmarks.chc.common import (
    ATTRIBUTES,
    crossed,
    random_cell,
    with_value,
    wrong_values,
)
from gfactor.benchmarks.chc.families import figure_series
from gfactor.benchmarks.chc.family import FAMILIES, Draft, Levels, MisdrawnError
from gfactor.imaging.figures import CellFigures
from gfactor.items import ItemRandom

Draw = Callable[[ItemRandom, Levels, int], Draft[Any]]
NAMES = tuple(ATTRIBUTES)


def before(rng: ItemRandom, levels: Levels, options: int) -> Draft[figure_series.Scene]:
    """Version 1 of series of kind "cycle": three values in turn, or two; wrong values are those of
    the first figure."""
    turned = levels["figure"] == "turned"
    pool = rng.shuffled(["turn" if turned else "form", "size", "shade", "count"])
    base, ruled = random_cell(rng, turned), pool[: int(levels["rules"])]
    periods = {name: 3 if k == 0 else rng.choice((2, 3)) for k, name in enumerate(ruled)}
    rows = {name: rng.sample(ATTRIBUTES[name], period) for name, period in periods.items()}
    cells = []
    for k in range(int(levels["shown"]) + 1):
        cell = base
        for name, row in rows.items():
            cell = with_value(cell, name, row[k % len(row)])
        cells.append(cell)
    *terms, answer = cells
    need = options.bit_length() - 1
    others = wrong_values(rng, answer, (terms[:1], terms), rng.shuffled(ruled), need)
    wrong = crossed(answer, others, with_value, lambda *_: "")
    return Draft(figure_series.Scene(tuple(terms)), answer, wrong)


def before_apart(rng: ItemRandom, levels: Levels, options: int) -> Draft[figure_series.Scene]:
    """Version 2 of series that step or alternate: wrong values are those of the first figure."""
    draft = figure_series.draw(rng, levels, options)
    if levels["kind"] == "cycle":
        return draft
    terms, ruled = draft.scene.cells, [name for name, _ in draft.design]
    wrong = [name for name in NAMES if len({getattr(o, name) for o in offered(draft)}) > 1]
    others = wrong_values(rng, draft.answer, (terms[:1], terms), wrong, len(wrong))
    distractors = crossed(draft.answer, others, with_value, lambda *_: "")
    return Draft(draft.scene, draft.answer, distractors, tuple(ruled))


def offered(draft: Draft[Any]) -> list[CellFigures]:
    """The options of an item, the right one first."""
    return [draft.answer, *(wrong.content for wrong in draft.distractors)]


def keeping(draft: Draft[Any]) -> list[CellFigures]:
    """The options that keep the values of which the row shows only one, the right one first."""
    terms = draft.scene.cells
    stays = [name for name in NAMES if len({getattr(cell, name) for cell in terms}) == 1]
    return [
        option for option in offered(draft)
        if all(getattr(option, name) == getattr(terms[0], name) for name in stays)
    ]  # fmt: skip


@cache
def made(draw: Draw, difficulty: str, options: int) -> Sequence[Draft[Any]]:
    """Draw items of a difficulty, each of a seed of its own."""
    family, items = FAMILIES["figure_series"], []
    cells, seed = family.cells(family.preset(difficulty)), 0
    while len(items) < 600:
        levels, seed = cells[seed % len(cells)], seed + 1
        rng = ItemRandom({"test": "counting", "seed": seed}, 0, reshuffled=True)
        try:
            items.append(draw(rng, levels, options))
        except MisdrawnError:
            continue
    return items


def times_shown(terms: Sequence[CellFigures], option: CellFigures) -> int:
    """How often the values of an option were shown, over all its attributes."""
    return sum(getattr(cell, name) == getattr(option, name) for cell in terms for name in NAMES)


def like_the_first(terms: Sequence[CellFigures], option: CellFigures) -> int:
    """Number of values that an option shares with the first figure."""
    return times_shown(terms[:1], option)


def like_the_last(terms: Sequence[CellFigures], option: CellFigures) -> int:
    """Number of values that an option shares with the last figure."""
    return times_shown(terms[-1:], option)


def was_shown(terms: Sequence[CellFigures], option: CellFigures) -> int:
    """1 if the option is one of the figures shown."""
    return int(option in terms)


Measure = Callable[[Sequence[CellFigures], CellFigures], int]
GUESSES: Mapping[str, tuple[Measure, Callable[[Sequence[int]], int]]] = {
    "shown least": (times_shown, min),
    "shown most": (times_shown, max),
    "shown in the middle": (times_shown, lambda counts: sorted(counts)[len(counts) // 2]),
    "unlike the first": (like_the_first, min),
    "like the first": (like_the_first, max),
    "unlike the last": (like_the_last, min),
    "among the figures": (was_shown, max),
    "not among the figures": (was_shown, min),
}


def right(
    draw: Draw,
    difficulty: str,
    options: int,
    guess: str,
    among: Callable[[Draft[Any]], list[CellFigures]] = offered,
) -> float:
    """Share of items that the guess answers; it takes one of equal options at random.

    `among` names the options that it considers.
    """
    measure, best = GUESSES[guess]
    shares = []
    for draft in made(draw, difficulty, options):
        values = [measure(draft.scene.cells, option) for option in among(draft)]
        taken = [k for k, value in enumerate(values) if value == best(values)]
        shares.append((0 in taken) / len(taken))
    return sum(shares) / len(shares)


COUNTING = ["shown least", "shown most", "shown in the middle"]


@pytest.mark.thorough
@pytest.mark.parametrize("options", [4, pytest.param(8, marks=pytest.mark.slow)])
@pytest.mark.parametrize("difficulty", ["hard", "extreme"])
def test_counting_finds_no_more_than_ten_points_above_a_guess(
    difficulty: str, options: int
) -> None:
    assert right(before, difficulty, options, "shown least") > 0.99
    for guess in (*COUNTING, "among the figures", "not among the figures"):
        assert right(figure_series.draw, difficulty, options, guess) < 1 / options + 0.1, guess


@pytest.mark.parametrize("difficulty", ["hard", "extreme"])
def test_the_option_unlike_the_first_figure_is_right_in_half_of_the_items_and_not_in_all(
    difficulty: str,
) -> None:
    assert right(before, difficulty, 4, "unlike the first") > 0.99
    assert right(figure_series.draw, difficulty, 4, "unlike the first") < 0.55


@pytest.mark.thorough
def test_counting_finds_no_medium_item_more_often_than_a_guess_does_by_ten_points() -> None:
    assert right(before_apart, "medium", 4, "shown least") > 0.55
    assert right(before_apart, "medium", 4, "unlike the last") > 0.6
    for guess in COUNTING:
        assert right(figure_series.draw, "medium", 4, guess) < 0.35, guess
    for guess in GUESSES:
        assert right(figure_series.draw, "medium", 4, guess) < 0.55, guess


@pytest.mark.thorough
def test_who_keeps_what_stays_and_counts_the_rest_finds_half_of_the_easy_items() -> None:
    """Two of the four options keep what stays, so that a guess among them finds half."""
    assert right(before_apart, "easy", 4, "shown least", keeping) > 0.8
    assert right(before_apart, "easy", 4, "unlike the first", keeping) > 0.7
    for guess in ("shown least", "shown most", "like the first", "unlike the first"):
        assert right(figure_series.draw, "easy", 4, guess, keeping) < 0.6, guess
    for guess in GUESSES:
        assert right(figure_series.draw, "easy", 4, guess, keeping) < 0.7, guess


@pytest.mark.parametrize("difficulty", ["hard", "extreme"])
def test_a_value_that_is_offered_beside_the_right_one_was_shown_two_or_three_times_as_it_was(
    difficulty: str,
) -> None:
    """Or both are turns of a row that turns step by step, shown as often as each other."""
    for draft in made(figure_series.draw, difficulty, 4):
        for name in NAMES:
            values = {getattr(wrong.content, name) for wrong in draft.distractors}
            if len(values) == 1:
                continue
            row = [getattr(cell, name) for cell in draft.scene.cells]
            counts = sorted(row.count(value) for value in values)
            assert counts == [2, 3] or (name == "turn" and counts[0] == counts[1])


def test_an_attribute_at_least_repeats_after_three_figures_and_counts_do_not_go_on() -> None:
    kinds = set()
    for draft in made(figure_series.draw, "extreme", 4):
        rules = dict(draft.design)
        kinds |= {(name, kind) for name, kind in rules.items()}
        assert "cycle" in rules.values()
    assert {name for name, kind in kinds if kind == "step"} == {"turn"}
    assert {name for name, kind in kinds if kind == "cycle"} == set(NAMES)


def test_figure_series_says_so_by_its_version() -> None:
    assert FAMILIES["figure_series"].version == "3"
