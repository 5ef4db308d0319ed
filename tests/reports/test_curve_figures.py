"""The figure of accuracy against size in every domain shows everybody whom its legend names."""

from __future__ import annotations

from typing import Any

import pytest
from support.made_up_results import DOMAINS, made_up_answers, made_up_results

from gfactor.reports import make_tables
from gfactor.reports.drawing import drawing_style
from gfactor.reports.figures.curves import curves

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


def test_every_examinee_has_points_also_one_without_a_fit(drawn: Any) -> None:
    named = set(legend_of(drawn)) - {"ideal observer", "chance"}
    assert {"gpt-4o", "other"} <= named
    for axes in drawn.drawing.axes:
        if axes.get_visible():
            assert len(axes.containers) == len(named)


def test_the_legend_names_the_ideal_observer_only_if_it_answered(drawn: Any) -> None:
    assert "ideal observer" in legend_of(drawn)
    assert "Dashed: ideal observer." in drawn.notes[0]
    without = figure_of("observer:ideal")
    assert "ideal observer" not in legend_of(without)
    assert "ideal observer" not in without.notes[0]
