"""`plot` of a result draws the figures of its page on axes of Matplotlib."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.text import Text
from support.every_result import RESULTS
from support.tiers import few

import gfactor as gf
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics import Diagnostic, all_pairs, rank_sets, sem
from gfactor.psychometrics.irt import fit_irt
from gfactor.reports.drawing.canvas import GUIDE, drawing_style, rendered
from gfactor.reports.drawing.factor_figures import (
    loading_heat_map,
    loading_intervals,
    residual_heat_map,
)
from gfactor.reports.drawing.validity_figures import htmt_heat_map
from gfactor.reports.drawing.wright_drawing import wright_map
from gfactor.reports.pages.result_figures import figures_of

FIGURES = {
    "efa": ["loadings", "residuals", "scree"],
    "efa, parallel": ["loadings", "residuals", "scree"],
    "gap analysis": ["losses"],
    "gia, published": ["en_published"],
    "gold of several": ["radar", "alignment"],
    "inflation": ["forms"],
    "irt": ["wright_map", "item_curves", "information", "test_curve"],
    "irt, design": ["difficulty_by_design"],
    "irt, functioning": ["dif"],
    "parallel": ["scree"],
    "pls": ["paths", "loadings_against_vif", "htmt"],
    "profile": ["profile", "thresholds"],
    "pruning": ["loadings", "htmt"],
    "pruning stability": ["stability"],
    "pruning validation": ["ranks"],
    "sem": ["paths", "loadings", "residuals"],
    "sem, ordinal": ["paths", "loadings", "residuals"],
    "sem, two levels": [
        "paths_within", "loadings_within", "residuals_within", "paths_between",
        "loadings_between", "residuals_between",
    ],
    "comparison": ["ranks", "differences"],
    "consistency": ["items"],
    "differences": ["differences"],
    "generalizability": ["components"],
    "latent classes": ["profiles"],
    "rank sets": ["ranks"],
    "sem invariance": ["fit", "latent_means"],
}  # fmt: skip
LIKE_OTHERS = ("efa, parallel", "sem, ordinal", "sem, two levels")
EVERY = [(n, kind) for n, kinds in FIGURES.items() if n not in LIKE_OTHERS for kind in kinds]


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return {name: RESULTS[name]() for name in FIGURES}


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    pyplot.close("all")


def panels(axes: Any) -> list[Any]:
    return list(np.ravel(np.array(axes, dtype=object)))


def words(figure: Any) -> list[str]:
    """Every text of a figure."""
    figure.draw_without_rendering()
    return sorted(text.get_text() for text in figure.findobj(Text) if text.get_text())


def labels(axes: Any) -> str:
    names = [axes.get_xlabel(), axes.get_ylabel(), axes.get_title(), axes.get_title("left")]
    ticks = [label.get_text() for label in [*axes.get_xticklabels(), *axes.get_yticklabels()]]
    return "".join([*names, *ticks, *(text.get_text() for text in axes.texts)])


def test_these_results_have_these_figures(results: dict[str, Any]) -> None:
    assert {name: list(figures_of(one)) for name, one in results.items()} == FIGURES


@pytest.mark.parametrize(("name", "kind"), EVERY)
def test_a_figure_is_free_or_on_given_axes_and_changes_no_setting(
    name: str, kind: str, results: dict[str, Any]
) -> None:
    before = dict(mpl.rcParams)
    free = results[name].plot(kind)
    assert all(isinstance(axes, Axes) and labels(axes) for axes in panels(free))
    # A figure of pyplot, which notebooks show.
    assert panels(free)[0].figure is pyplot.gcf()

    count, form = len(panels(free)), panels(free)[0].name
    figure, given = pyplot.subplots(1, count, squeeze=False, subplot_kw={"projection": form})
    ax = given[0, 0] if count == 1 else given[0]
    assert results[name].plot(kind, ax=ax) is ax
    assert all(labels(axes) for axes in given[0])
    assert pyplot.get_fignums() == [panels(free)[0].figure.number, figure.number]
    assert dict(mpl.rcParams) == before


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "kind"), few(EVERY, 12))
def test_the_figure_is_that_of_the_page(name: str, kind: str, results: dict[str, Any]) -> None:
    with drawing_style():
        page = figures_of(results[name])[kind]().drawing
    figure = panels(results[name].plot(kind))[0].figure
    assert words(figure) == words(page)
    assert list(figure.get_size_inches()) == list(page.get_size_inches())


@pytest.mark.thorough
@pytest.mark.usefixtures("drawn_figures")
@pytest.mark.parametrize("name", few(["irt, functioning", "efa", "pls"], 1))
def test_the_page_has_every_figure_byte_for_byte(
    name: str, results: dict[str, Any], tmp_path: Path
) -> None:
    written = results[name].report(tmp_path)
    assert list(written.figures) == FIGURES[name]
    for kind in FIGURES[name]:
        with drawing_style():
            figure = figures_of(results[name])[kind]()
            svg = rendered(figure.drawing)["svg"]
        assert (tmp_path / "figures" / f"{kind}.svg").read_bytes() == svg
    for link in re.findall(r'href="(tables/\w+\.csv)"', written.path.read_text("utf-8")):
        assert (tmp_path / link).exists()


@pytest.mark.thorough
def test_files_hold_texts_as_text(results: dict[str, Any], tmp_path: Path) -> None:
    axes = results["irt"].plot("test_curve", figsize=(4, 3))
    assert list(axes.figure.get_size_inches()) == [4, 3]
    axes.figure.savefig(tmp_path / "curve.svg")
    svg = (tmp_path / "curve.svg").read_text("utf-8")
    assert {"ability, logits", "expected score, points"} <= set(
        re.findall(r">([^<>\n]+)</text>", svg)
    )
    with mpl.rc_context({"pdf.compression": 0}):
        axes.figure.savefig(tmp_path / "curve.pdf")
    pdf = (tmp_path / "curve.pdf").read_bytes().decode("latin-1")
    blocks = re.findall(r"BT\b(.*?)\bET\b", pdf, re.DOTALL)
    lines = ["".join(re.findall(r"\(([^()]*)\)", one)).replace("\0", "") for one in blocks]
    assert {"ability, logits", "expected score, points"} <= set(lines)
    assert "/Type3" not in pdf
    axes.figure.savefig(tmp_path / "curve.png", dpi=200)
    assert pyplot.imread(tmp_path / "curve.png").shape[:2] == (600, 800)


def test_curves_of_chosen_items_go_where_they_are_wanted(results: dict[str, Any]) -> None:
    _, (left, right) = pyplot.subplots(1, 2)
    assert results["irt"].plot("item_curves", items=["i3"], ax=right) is right
    assert right.get_title() == "i3"
    assert right.get_xlabel() == "ability, logits"
    assert not left.lines
    both = results["irt"].plot("item_curves", items=["i3", "i0"])
    assert [axes.get_title() for axes in both] == ["i3", "i0"]
    with pytest.raises(UnknownNameError, match=r"unknown item 'i9'; did you mean 'i"):
        results["irt"].plot("item_curves", items=["i9"])


def test_panels_on_one_scale_are_on_one_scale_on_given_axes(results: dict[str, Any]) -> None:
    _, (persons, items) = pyplot.subplots(1, 2)
    results["irt"].plot("wright_map", ax=[persons, items])
    assert persons.get_ylim() == items.get_ylim()


def test_broken_items_and_bootstraps_are_options(results: dict[str, Any]) -> None:
    broken = SimpleNamespace(diagnostics=[Diagnostic("x", "error", "It is.", "Leave it.", ("i3",))])
    drawn = results["irt"].plot("item_curves", items=["i0", "i3"], broken=broken)
    assert [axes.title.get_fontweight() for axes in drawn] == ["normal", "bold"]

    unsure = pd.DataFrame({"left": ["A"], "right": ["B"], "low": [-0.1], "high": [0.9]})
    bootstrap = SimpleNamespace(of=lambda _: unsure, level=0.95)
    gray = [
        to_hex(patch.get_edgecolor()) == GUIDE
        for axes in (results["pls"].plot(), results["pls"].plot("paths", bootstrap=bootstrap))
        for patch in axes.patches
    ]
    assert gray.count(True) == 1


def test_what_cannot_be_drawn_is_said_with_what_can(results: dict[str, Any]) -> None:
    fit = results["sem"]
    with pytest.raises(ParameterError, match=r"no figure 'map' .*; it has paths, loadings, resid"):
        fit.plot("map")
    with pytest.raises(ParameterError, match="'paths' has no option 'items'; it has none"):
        fit.plot("paths", items=["a"])
    with pytest.raises(ParameterError, match="'item_curves' has no option 'x'; it takes items, br"):
        results["irt"].plot("item_curves", x=1)
    with pytest.raises(ParameterError, match="no figure is drawn of this result"):
        RESULTS["adequacy"]().plot()
    _, axes = pyplot.subplots()
    with pytest.raises(ParameterError, match="has 3 panels, and ax is 1 axes"):
        results["irt"].plot("information", ax=axes)
    with pytest.raises(ParameterError, match="figsize is for a figure of its own"):
        fit.plot(ax=axes, figsize=(3, 3))
    with pytest.raises(ParameterError, match="needs polar axes: make ax with projection='polar'"):
        results["gold of several"].plot("radar", ax=axes)
    with pytest.raises(ParameterError, match="ax is one axes of Matplotlib"):
        fit.plot(ax=pyplot.gcf())


@pytest.mark.thorough
def test_names_are_no_formulas_and_the_callers_formulas_stay(results: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    data = pd.DataFrame(rng.normal(size=(90, 1)) + rng.normal(size=(90, 4)), columns=list("abcd"))
    fit = sem.fit("f =~ a + b + c + d", data)
    _, axes = pyplot.subplots()
    axes.set_title(r"$\lambda$")
    fit.plot("loadings", ax=axes)
    assert axes.get_title() == r"$\lambda$"
    efa = RESULTS["efa"]()
    named = efa.loadings.rename(index={"a1": "$a$"})
    drawn = replace(efa, loadings=named).plot("loadings")
    drawn.figure.canvas.draw()
    assert drawn.get_yticklabels()[0].get_text() == r"\$a\$"


@pytest.mark.thorough
def test_later_settings_do_not_change_the_letters(results: dict[str, Any]) -> None:
    axes = results["irt"].plot("test_curve")
    with mpl.rc_context({"font.family": ["serif"], "font.size": 20}):
        axes.figure.canvas.draw()
        for label in [*axes.get_xticklabels(), axes.xaxis.label]:
            assert (label.get_fontfamily(), label.get_fontsize()) == (["DejaVu Sans"], 8)


@pytest.mark.thorough
def test_letters_of_a_diagram_grow_with_its_boxes(results: dict[str, Any]) -> None:
    large = results["sem"].plot("paths")
    width, height = large.figure.get_size_inches()
    small = results["sem"].plot("paths", figsize=(width / 2, height / 2))
    sizes = [axes.texts[0].get_fontsize() for axes in (large, small)]
    assert sizes[0] == pytest.approx(2 * sizes[1])


@pytest.mark.thorough
def test_the_new_figures_show_the_numbers_of_the_result(results: dict[str, Any]) -> None:
    fit, efa, irt = results["sem"], results["efa, parallel"], results["irt"]
    (image,) = fit.plot("residuals").images
    cells = image.get_array().filled(np.nan)
    expected = fit.residuals("cor").to_numpy()
    away = ~np.eye(len(expected), dtype=bool)
    assert cells[away] == pytest.approx(expected[away])

    loadings = fit.plot("loadings")
    drawn = np.concatenate(
        [line.get_xdata() for line in loadings.lines if line.get_marker() == "o"]
    )
    table = fit.standardized()
    assert drawn[drawn != 0] == pytest.approx(table.loc[table["op"] == "=~", "est.std"])

    lines = efa.plot("scree").lines
    for line, name in zip(lines, ("observed", "percentile", "mean"), strict=False):
        assert line.get_ydata() == pytest.approx(efa.parallel.eigenvalues[name])
    plain = results["efa"].plot("scree").lines[0].get_ydata()
    assert sum(plain) == pytest.approx(6)
    assert list(plain) == sorted(plain, reverse=True)

    curve = irt.plot("test_curve").lines[0]
    parts = irt.plot("item_curves")
    total = sum(axes.lines[0].get_ydata() for axes in parts)
    assert curve.get_ydata() == pytest.approx(total)


def ends_of(axes: Any) -> np.ndarray:
    """The intervals that stand as lines in a panel."""
    return np.array([
        (part[:, 0].min(), part[:, 0].max())
        for lines in axes.collections
        for part in lines.get_segments()
    ])  # fmt: skip


def test_figures_of_intervals_show_the_numbers_of_the_tables(results: dict[str, Any]) -> None:
    ranks = results["rank sets"]
    assert ends_of(ranks.plot()) == pytest.approx(ranks.table[["best", "worst"]].to_numpy(float))
    assert results["comparison"].plot().get_xlim() == (0.5, 3.5)
    components = results["generalizability"].plot()
    table = results["generalizability"].components
    assert components.lines[-1].get_xdata() == pytest.approx(table["variance"])
    assert ends_of(components) == pytest.approx(table[["ci_lower", "ci_upper"]].to_numpy())
    assert components.get_yticklabels()[0].get_text() == "person (53%)"
    left, right = results["consistency"].plot()
    items = results["consistency"].indicators
    assert left.lines[0].get_xdata() == pytest.approx(items["rest_correlation"])
    assert ends_of(right) == pytest.approx(
        items[["alpha_without_lower", "alpha_without_upper"]].to_numpy()
    )
    classes = results["latent classes"]
    lines = classes.plot("profiles").lines
    chosen = classes.probabilities.query("category == 1")
    for number, line in enumerate(lines, start=1):
        of_class = chosen.loc[chosen["class"] == f"class {number}", "probability"]
        assert line.get_ydata() == pytest.approx(of_class)
    fit = results["sem invariance"]
    cfi, rmsea = fit.plot("fit")
    assert cfi.lines[0].get_xdata() == pytest.approx(fit.table["cfi"])
    assert ends_of(rmsea) == pytest.approx(fit.table[["rmsea_low", "rmsea_high"]].to_numpy())
    means = fit.plot("latent_means")
    assert means.lines[-1].get_xdata() == pytest.approx(fit.latent_means["mean"])


def test_figures_of_groups_have_the_groups_names_or_numbers_where_these_would_not_do() -> None:
    rng = np.random.default_rng(2)
    data = pd.DataFrame(rng.normal(size=(120, 1)) + rng.normal(size=(120, 3)), columns=list("abc"))
    for groups, ends in (
        (["north", "south east"], ["north", "south_east"]),
        (["a b", "a_b"], ["1", "2"]),
        (["사람", "모델"], ["1", "2"]),
    ):
        fit = sem.fit("f =~ a + b + c", data.assign(g=groups * 60), group="g")
        assert [name for name in figures_of(fit) if name.startswith("paths")] == [
            f"paths_{end}" for end in ends
        ]


@pytest.mark.thorough
def test_a_test_curve_adds_points_and_has_a_line_for_groups_that_differ() -> None:
    rng = np.random.default_rng(4)
    theta = rng.normal(size=(300, 1))
    graded = pd.DataFrame(np.digitize(theta + rng.normal(size=(300, 4)), [-0.8, 0.0, 0.8]) + 1,
                          columns=[f"q{k}" for k in range(4)])  # fmt: skip
    ends = fit_irt("graded", graded).plot("test_curve").lines[0].get_ydata()[[0, -1]]
    assert 4 < ends[0] < 6
    assert 14 < ends[1] < 16
    fit = fit_irt("rasch", (graded > 2).astype(int), groups=["u", "v"] * 150)
    assert len(fit.plot("test_curve").lines) == 1


@pytest.mark.usefixtures("drawn_figures")
def test_scores_of_a_journal_draw_the_figures_of_its_report(tmp_path: Path) -> None:
    answers = pd.DataFrame(
        np.random.default_rng(1).random((4, 40)) < 0.6, [f"m{k}" for k in range(4)],
        [f"i{k}" for k in range(40)],
    ).astype(int)  # fmt: skip
    with pytest.raises(
        ParameterError, match="do not give the figure 'population': its table is empty"
    ):
        gf.score(answers).plot()
    bank = gf.build("percept-v", domains=["change_colour", "sort_lines"], sizes=[1, 4, 7],
                    instances=2, path=tmp_path / "pv.parquet", show_progress=False)  # fmt: skip
    journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal=tmp_path / "c.db")
    scores = gf.score(journal)
    names = gf.report(journal, tmp_path / "report").figures
    assert names == (
        "accuracy_by_domain", "accuracy_heat_map", "accuracy_against_size", "accuracy_by_size",
    )  # fmt: skip
    for name in names:
        assert (tmp_path / f"report/figures/{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<path" in (tmp_path / f"report/figures/{name}.svg").read_text("utf-8")
    with pytest.raises(ParameterError, match=f"it has {', '.join(names)}"):
        scores.plot("domains")
    _, both = pyplot.subplots(1, 2)
    assert scores.plot("accuracy_against_size", ax=both) is both
    assert [axes.get_title() for axes in both] == ["change colour", "sort lines"]
    assert both[0].get_xlabel() == "size"
    svg = tmp_path / "heat.svg"
    scores.plot("accuracy_heat_map").figure.savefig(svg)
    assert {"change_colour", "sort_lines", "50 %"} <= set(
        re.findall(r">([^<>\n]+)</text>", svg.read_text("utf-8"))
    )
    journal.close()


KOREAN = "시각회전능력"
LONG = "the ability to turn figures in mind"


def test_long_names_leave_the_panel_of_loadings_its_room() -> None:
    rows = pd.DataFrame(
        {"lhs": KOREAN, "rhs": [KOREAN, LONG], "est": 0.7, "ci.lower": 0.6, "ci.upper": 0.8}
    )
    with drawing_style():
        drawing = loading_intervals(rows, "Loadings", 0.95).drawing
        drawing.draw_without_rendering()
    assert drawing.axes[0].get_window_extent().width >= 1.5 * drawing.dpi


@pytest.mark.thorough
@pytest.mark.parametrize("name", few([LONG, KOREAN], 1))
@pytest.mark.parametrize(
    "draw", [partial(residual_heat_map, title="Residuals"), loading_heat_map, htmt_heat_map]
)
def test_no_name_of_a_heat_map_is_cut_off(draw: Any, name: str) -> None:
    names = [name, f"{name[:-1]}B", "c"]
    with drawing_style():
        drawing = draw(pd.DataFrame(0.3, names, names), tables=()).drawing
        rendered(drawing)
        drawing.draw_without_rendering()
    axes = drawing.axes[0]
    for label in [*axes.get_xticklabels(), *axes.get_yticklabels()]:
        extent = label.get_window_extent()
        assert min(extent.x0, extent.y0) >= 0
    assert axes.get_window_extent().height >= 0.4 * drawing.dpi


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("people", "models"),
    few([("people who were paid", "models"), ("사람들", "모델들"), ("a", "b")], 1),
)
def test_headings_of_groups_stand_beside_each_other(people: str, models: str) -> None:
    theta = np.linspace(-2, 2, 400)
    persons = pd.DataFrame(
        {"group": np.repeat([people, models], 200), "examinee": "x", "theta": theta,
         "theta_low": theta, "theta_high": theta}
    )  # fmt: skip
    items = pd.DataFrame({"item": ["i"], "label": ["i"], "b": [0.0]})
    with drawing_style():
        drawing = wright_map(persons, items, (), ()).drawing
        rendered(drawing)
    headings = [text for text in drawing.findobj(Text) if "examinees" in text.get_text()]
    extents = [text.get_window_extent() for text in headings]
    assert len(extents) == 2
    for before, after in pairwise(extents):
        assert before.x1 < after.x0


def test_scores_of_few_models_are_points_with_intervals(tmp_path: Path) -> None:
    bank = gf.build("percept-v", domains=["change_colour", "sort_lines"], sizes=[1, 4],
                    instances=2, path=tmp_path / "pv.parquet", show_progress=False)  # fmt: skip
    journal = gf.run(bank, ["observer:limited?capacity=2"], journal=tmp_path / "c.db")
    scores = gf.score(journal)
    axes = scores.plot()
    rows = scores.groups("domain").set_index("domain")
    order = [label.get_text() for label in axes.get_yticklabels()]
    assert list(rows["accuracy"][order]) == sorted(rows["accuracy"])
    (points,) = axes.lines
    assert dict(zip(order, points.get_xdata(), strict=True)) == pytest.approx(
        dict(rows["accuracy"][order])
    )
    (lines,) = axes.collections
    ends = [[line[0][0], line[1][0]] for line in lines.get_segments()]
    assert np.array(ends) == pytest.approx(rows.loc[order, ["ci_lower", "ci_upper"]].to_numpy())
    many = ["observer:ideal", *(f"observer:limited?capacity={k}" for k in range(3, 6))]
    gf.run(bank, many, journal=journal)
    with pytest.raises(ParameterError, match="it has accuracy_heat_map"):
        gf.score(journal).plot("accuracy_by_domain")


def test_differences_are_drawn_with_their_intervals_the_higher_first() -> None:
    comparison = RESULTS["comparison"]()
    axes = comparison.plot("differences")
    pairs = [label.get_text() for label in axes.get_yticklabels()]
    best, middle, worst = comparison.ranks.index
    assert pairs == [f"{best} - {middle}", f"{best} - {worst}", f"{middle} - {worst}"]
    assert (axes.lines[-1].get_xdata() >= 0).all()
    table = comparison.differences
    size = sorted(100 * abs(table["estimate"]))
    assert sorted(axes.lines[-1].get_xdata()) == pytest.approx(size)
    widths = [line[1][0] - line[0][0] for line in axes.collections[0].get_segments()]
    assert sorted(widths) == pytest.approx(sorted(100 * (table["ci_upper"] - table["ci_lower"])))


def test_two_examinees_are_drawn_as_their_difference() -> None:
    two = all_pairs(RESULTS["comparison"]().wholes["toy"].differences.runs.scores.iloc[:, :2])
    ranks = rank_sets(two, n_bootstrap=50)
    whole = replace(RESULTS["comparison"]().wholes["toy"], differences=two, ranks=ranks)
    comparison = replace(RESULTS["comparison"](), wholes={"toy": whole})
    assert list(figures_of(comparison)) == ["differences", "ranks"]
    assert two.plot().get_xlabel() == "difference in points of 100, 95 % interval of each"


def test_a_profile_names_the_band_and_draws_intervals_of_others() -> None:
    profile = RESULTS["profile"]()
    twins = [f"observer:limited?capacity={k}" for k in (3, 4)]
    more = pd.DataFrame({"examinee": [*twins, "hf:m"], "kind": ["population"] * 2 + ["model"],
                         "ability": "Gf", "theta": 0.0, "se": 0.2, "n": 9})  # fmt: skip
    axes = replace(profile, others=pd.concat([profile.others, more])).plot("profile")
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert names == ["people, the middle 80 %", "openai:m", "limited observer 1",
                     "limited observer 2", "hf:m"]  # fmt: skip
    segments = [c.get_segments()[0] for c in axes.collections if hasattr(c, "get_segments")]
    widths = sorted(float(line[1][0] - line[0][0]) for line in segments)
    assert widths == pytest.approx([2 * 1.96 * 0.2] * 3 + [2 * 1.96 * 0.3, 1.18], abs=0.01)
    heights = [float(line[0][1]) for line in segments]
    assert len({round(height, 3) for height in heights}) == 5
    alone = replace(profile, others=profile.others.iloc[:3]).plot("profile").get_legend()
    assert [text.get_text() for text in alone.get_texts()] == ["people, the middle 80 %"]
