"""The page of an item response model: its figures show the numbers of the tables beside them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

import gfactor as gf
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks.brokenitems import broken_items
from gfactor.psychometrics.irt.checks.differential import dif
from gfactor.psychometrics.irt.checks.itemfit import observed_points
from gfactor.psychometrics.irt.models.explanatory import fit_design
from gfactor.reports import write_analysis
from gfactor.reports.drawing.irt_figures import PANELS, curve_items
from gfactor.reports.pages.irt import irt_report

B = np.linspace(-1.5, 1.5, 8)


def responses(persons: int, b: Any = B, mean: float = 0.0, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    z = rng.normal(mean, 1, (persons, 1)) - np.asarray(b)
    names = [f"item{j}" for j in range(len(b))]
    return pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(int), columns=names)


@pytest.fixture(scope="module")
def broken_fit() -> Any:
    frame = responses(300, [*B, 0.2])
    return fit_irt("rasch", frame.assign(wrong=1 - frame.pop("item8")))


def words(figure: Any) -> list[str]:
    """Every text of a drawing."""
    from matplotlib.text import Text  # noqa: PLC0415  (an extra)

    return [found.get_text() for found in figure.drawing.findobj(Text)]


@pytest.mark.slow
def test_broken_items_come_before_every_number_and_are_named_in_the_figures(
    broken_fit: Any, tmp_path: Path
) -> None:
    report: Any = irt_report(broken_fit, broken_items(broken_fit, simulations=0), data="d.csv")
    page = write_analysis(report, tmp_path).path.read_text("utf-8")
    at = [page.index(text) for text in ("failed more often by the able: wrong", "data:image/svg")]
    assert at == sorted(at)
    for name in ("wright_map", "item_curves", "information"):
        assert (tmp_path / "figures" / f"{name}.svg").stat().st_size > 1000
        assert (tmp_path / "figures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        for table in report.figures[name].tables:
            for ending in ("csv", "md", "tex"):
                assert (tmp_path / "tables" / f"{table}.{ending}").exists()
    reds = [
        text.get_text()
        for figure in ("wright_map", "item_curves")
        for axes in report.figures[figure].drawing.axes
        for text in [*axes.texts, axes.title]
        if text.get_color() == "#b3261e"
    ]
    said = report.tables["broken_items"].frame
    assert "wrong" in reds
    assert set(reds) == set(said.loc[~said["reason"].str.startswith("too"), "item"])
    assert len(set(reds)) < 9


@pytest.mark.slow
def test_the_wright_map_has_persons_and_items_at_their_heights(broken_fit: Any) -> None:
    few = fit_irt("rasch", responses(40))
    report: Any = irt_report(few)
    persons, items = report.figures["wright_map"].drawing.axes
    dots = np.sort(next(line for line in persons.lines if line.get_marker() == "o").get_ydata())
    assert dots == pytest.approx(np.sort(few.scores()["theta"]))
    squares = sorted(float(line.get_ydata()[0]) for line in items.lines if line.get_marker() == "s")
    assert squares == pytest.approx(np.sort(few.items["b"]))
    # Labels do not lie upon each other.
    heights = np.sort([text.get_position()[1] for text in persons.texts])
    inch = (persons.get_ylim()[1] - persons.get_ylim()[0]) / report.figures[
        "wright_map"
    ].drawing.get_figheight()
    assert np.diff(heights).min() > 0.13 * inch
    assert len(heights) == 40
    many: Any = irt_report(broken_fit).figures["wright_map"].drawing.axes[0]
    assert sum(bar.get_width() for bar in many.patches) == 300


@pytest.mark.thorough
def test_every_group_stands_in_a_panel_of_its_own_and_has_points_of_its_own() -> None:
    frame = pd.concat([responses(80), responses(70, mean=1, seed=2)], ignore_index=True)
    kinds = ["people"] * 80 + ["models"] * 70
    report: Any = irt_report(fit_irt("rasch", frame, groups=kinds))
    said = " ".join(words(report.figures["wright_map"]))
    assert "70 examinees: models" in said
    assert "80 examinees: people" in said
    assert len(report.figures["wright_map"].drawing.axes) == 3
    points = report.tables["observed_points"].frame
    assert set(points["group"]) == {"models", "people"}
    of = points.groupby(["item", "group"])["n"].sum().unstack()
    assert (of["people"] == 80).all()
    assert (of["models"] == 70).all()
    # Equal parameters are told once.
    assert len(report.tables["items"].frame) == 8
    assert "group" not in report.tables["items"].frame


def test_observed_points_leave_the_item_itself_out_of_the_ability() -> None:
    """Else a short test confirms every item: in these data item 0 is unrelated to the others."""
    frame = responses(2000)
    frame["item0"] = np.random.default_rng(5).integers(0, 2, 2000)
    found: Any = observed_points(fit_irt("rasch", frame), ["item0"], points=6)
    assert found["share"].max() - found["share"].min() < 0.12
    assert found["n"].sum() == 2000
    assert (found["share_low"] < found["share"]).all()
    # The model expects a slope of 1 there, and the page shows that it is not seen.
    assert found["expected"].max() - found["expected"].min() > 0.25


@pytest.mark.thorough
def test_observed_points_are_expected_where_the_model_holds() -> None:
    found: Any = observed_points(fit_irt("rasch", responses(3000, seed=4)))
    error = np.sqrt(found["expected"] * (1 - found["expected"]) / found["n"])
    z = (found["share"] - found["expected"]) / error
    assert abs(z).max() < 4
    assert np.mean(z**2) == pytest.approx(1, abs=0.35)


def test_categories_have_curves_and_points_each() -> None:
    rng = np.random.default_rng(3)
    z = rng.normal(size=(400, 1)) + rng.logistic(size=(400, 4))
    frame = pd.DataFrame((z[:, :, None] > np.array([-1, 0, 1])).sum(axis=2)).add_prefix("q")
    report: Any = irt_report(fit_irt("grm", frame))
    curves, points = (report.tables[n].frame for n in ("item_curves", "observed_points"))
    assert set(curves["category"]) == {1.0, 2.0, 3.0}
    total = curves.groupby(["item", "theta"])["probability"].sum()
    assert ((total > 0) & (total < 1)).all()
    shares = points.groupby(["item", "point"])["share"].sum()
    assert (shares <= 1 + 1e-12).all()
    assert len(report.tables["thresholds"].frame) == 12
    assert "q0 · 1" in words(report.figures["wright_map"])


@pytest.mark.thorough
def test_information_stands_above_where_the_examinees_are() -> None:
    fit: Any = fit_irt("rasch", responses(200))
    report: Any = irt_report(fit)
    curve = report.tables["information"].frame
    theta = curve["theta"].to_numpy()
    p = special.expit(theta[:, None] - fit.items["b"].to_numpy())
    assert curve["information"].to_numpy() == pytest.approx((p * (1 - p)).sum(axis=1))
    assert curve["se"].to_numpy() == pytest.approx(1 / np.sqrt(curve["information"]))
    assert theta.min() < fit.scores()["theta"].min()
    assert theta.max() > fit.scores()["theta"].max()
    below: Any = report.figures["information"].drawing.axes[2]
    assert sum(bar.get_height() for bar in below.patches) == 200


@pytest.mark.thorough
def test_a_prior_that_was_left_out_is_no_prior_on_the_page_and_in_the_paragraph() -> None:
    shrunk, free = (
        fit_irt("2pl", responses(120, B[:5]), priors=priors)
        for priors in ({"slope": ("lognormal", 0.0, 0.5)}, {"slope": None})
    )
    assert "Priors: slope lognormal(0, 0.5)." in irt_report(shrunk).methods
    assert "Priors: none for slope." in irt_report(free).methods
    assert "(quadrature; priors: slope, lognormal(0, 0.5))" in shrunk.paragraph()
    assert "priors" not in free.paragraph()


@pytest.mark.slow
def test_dif_has_sizes_with_intervals_and_ets_classes(tmp_path: Path) -> None:
    b = B.copy()
    b[2] += 1.2
    frame = pd.concat([responses(500), responses(500, b, seed=2)], ignore_index=True)
    between = dif("rasch", frame, groups=["a"] * 500 + ["b"] * 500)
    report: Any = irt_report(fit_irt("rasch", frame), more={"dif": between})
    table: Any = report.tables["dif"].frame.set_index("item")
    assert list(table.index[table["ets_class"] == "C"]) == ["item2"]
    assert table.loc["item2", "delta"] == pytest.approx(-2.35 * 1.2, abs=0.6)
    assert (table["delta_low"] < table["delta"]).all()
    others = table.drop(index="item2")
    covered = (others["delta_low"] < 0) & (others["delta_high"] > 0)
    assert covered.mean() > 0.7
    figure = report.figures["dif"]
    assert "item2" in figure.alt
    assert "harder for b" in " ".join(words(figure))
    assert "dif.csv" in write_analysis(report, tmp_path).path.read_text("utf-8")


def test_a_design_is_shown_against_difficulties() -> None:
    size = np.repeat([1.0, 2, 3, 4], 3)
    frame = responses(300, 0.8 * (size - 2.5))
    design = pd.DataFrame({"one": 1.0, "size": size}, index=frame.columns)
    explained = fit_design(frame, design)
    report: Any = irt_report(explained.rasch, more={"design": explained})
    rows = report.tables["difficulty_by_design"].frame
    assert np.corrcoef(rows["b"], rows["predicted"])[0, 1] > 0.95
    assert rows["predicted"].nunique() == 4
    assert "difficulty_by_design" in report.figures
    assert any("explained" in text for text in report.findings)


@pytest.mark.slow
def test_broken_items_are_shown_with_pictures_and_replies(broken_fit: Any, tmp_path: Path) -> None:
    bank = gf.build(
        "percept-v", path=tmp_path / "b.parquet", seed=7, domains=["counting_circles"], sizes=[2],
        instances=1, show_progress=False,
    )  # fmt: skip
    item = next(iter(bank))
    replies = pd.DataFrame({
        "item": "wrong", "item_id": item.id, "reasons": "negative_discrimination",
        "key": "4", "examinee": ["model:a", "model:b"], "correct": [False, True],
        "reply": ["<script>7</script>", "4"],
    })  # fmt: skip
    broken = replace(broken_items(broken_fit, simulations=0), replies=replies)
    written = write_analysis(irt_report(broken_fit, broken, bank=bank), tmp_path / "with")
    page = written.path.read_text("utf-8")
    section = page[page.index("Items to look at") :]
    for text in ("data:image/png;base64", "negative discrimination", "2 replies", "model:a",
                 "&lt;script&gt;7", ">wrong</span>", ">right</span>"):  # fmt: skip
        assert text in section
    assert "<script" not in page
    bare = write_analysis(irt_report(broken_fit), tmp_path / "none").path.read_text("utf-8")
    assert "Items to look at" not in bare


def test_several_abilities_have_tables_and_say_why_there_is_no_map(tmp_path: Path) -> None:
    fit: Any = fit_irt("2pl", responses(120), factors={
        "F1": [f"item{j}" for j in range(4)], "F2": [f"item{j}" for j in range(4, 8)],
    })  # fmt: skip
    report: Any = irt_report(fit)
    assert not report.figures
    assert {"items", "parameters", "persons", "latent"} <= set(report.tables)
    assert "one ability" in write_analysis(report, tmp_path).path.read_text("utf-8")


@pytest.mark.slow
def test_a_result_writes_its_page_the_same_every_time(tmp_path: Path) -> None:
    fit = gf.irt("rasch", responses(60))
    written = [fit.report(tmp_path / name) for name in ("one", "two")]
    assert "wright_map" in written[0].figures
    for path in sorted((tmp_path / "one").rglob("*.*")):
        twin = tmp_path / "two" / path.relative_to(tmp_path / "one")
        assert path.read_bytes() == twin.read_bytes(), path.name
    page = written[0].path.read_text("utf-8")
    assert not re.search(r'(src|href)="(https?:)?//', page)


def test_of_many_items_the_broken_ones_and_a_spread_of_others_are_drawn() -> None:
    items = pd.DataFrame({"item": [f"i{j}" for j in range(500)], "b": np.linspace(-3, 3, 500)})
    broken = {f"i{j}": j % 2 for j in range(0, 200, 2)} | {"i499": 0}
    chosen, said = curve_items(items, broken)
    assert len(chosen) == PANELS
    assert "i499" in chosen
    assert sum(name in broken for name in chosen) >= PANELS // 2
    assert chosen == sorted(chosen, key=lambda name: int(name[1:]))
    assert f"{PANELS} of 500 items" in said
    few, said = curve_items(items.head(5), {})
    assert len(few) == 5
    assert said.startswith("All 5")


@pytest.mark.slow
def test_a_difficulty_off_the_map_stands_at_its_edge_with_its_value() -> None:
    frame = responses(400)
    frame["flat"] = np.random.default_rng(9).permutation(np.repeat([0, 1], [40, 360]))
    fit: Any = fit_irt("2pl", frame)
    b = float(fit.items.set_index("item").loc["flat", "b"])
    assert abs(b) > 6
    figure = irt_report(fit).figures["wright_map"]
    assert any("flat (" in text and f"{b:.1f})" in text for text in words(figure))
    assert figure.drawing.axes[0].get_ylim()[0] > -8
