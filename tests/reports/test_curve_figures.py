"""The figure of accuracy against size in every domain shows everybody whom its legend names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex
from support.made_up_results import DOMAINS, made_up_answers, made_up_results

from gfactor.reports import make_tables
from gfactor.reports.drawing.canvas import drawing_style
from gfactor.reports.figures.curves import curves
from gfactor.reports.tables.curves import guess_at

MODELS = ("openai:gpt-4o", "openai:other")


def figure_of(*without: str) -> Any:
    answers = made_up_answers(DOMAINS[:3], models=MODELS, people=0, sizes=4)
    results = made_up_results(answers.loc[~answers["examinee"].isin(without)])
    with drawing_style():
        return curves(make_tables(results))


@pytest.fixture(scope="module")
def drawn() -> Any:
    return figure_of()


def legend_of(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.drawing.legends[0].get_texts()]


@pytest.mark.thorough
def test_every_examinee_has_points_also_one_without_a_fit(drawn: Any) -> None:
    named = set(legend_of(drawn)) - {"ideal observer", "guess rate"}
    assert {"gpt-4o", "other"} <= named
    for axes in drawn.drawing.axes:
        if axes.get_visible():
            assert len([line for line in axes.lines if line.get_marker() == "o"]) == len(named)


def test_every_point_has_a_bar_around_it_in_its_color(drawn: Any) -> None:
    for axes in (one for one in drawn.drawing.axes if one.get_visible()):
        lines = [line for line in axes.lines if line.get_marker() == "o"]
        points = [(*at, to_hex(line.get_color())) for line in lines for at in line.get_xydata()]
        (bars,) = axes.collections
        assert len(points) == len(bars.get_segments())
        for (x, y, color), ends, drawn_in in zip(
            points, bars.get_segments(), bars.get_colors(), strict=True
        ):
            assert np.allclose(ends[:, 0], x)
            assert ends[0, 1] - 1e-12 <= y <= ends[1, 1] + 1e-12
            assert ends[0, 1] < ends[1, 1]
            assert to_hex(drawn_in) == color


def test_no_point_of_any_panel_lies_beside_the_sizes_shown(drawn: Any) -> None:
    for axes in (one for one in drawn.drawing.axes if one.get_visible()):
        least, most = axes.get_xlim()
        for line in (one for one in axes.lines if one.get_marker() == "o"):
            assert least < line.get_xdata().min()
            assert line.get_xdata().max() < most


def test_the_legend_names_the_ideal_observer_only_if_it_answered(drawn: Any) -> None:
    assert "ideal observer" in legend_of(drawn)
    assert "Dashed: ideal observer." in drawn.notes[0]
    without = figure_of("observer:ideal")
    assert "ideal observer" not in legend_of(without)
    assert "ideal observer" not in without.notes[0]


def test_the_dotted_line_is_the_guess_rate_that_was_fitted(drawn: Any) -> None:
    axes = drawn.drawing.axes[0]
    (dotted,) = [line for line in axes.lines if line.get_linestyle() == ":"]
    sizes = np.array([1.0, 4.0])
    at_ends = np.asarray(dotted.get_ydata())[[0, -1]]
    assert at_ends == pytest.approx(guess_at(DOMAINS[0], sizes, np.nan))
    assert at_ends[0] != at_ends[1]
    assert "guess rate" in legend_of(drawn)
