"""Items that differ between groups: tests, effects, classes, and anchors that hold the scale."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

import gfactor as gf
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks import differential
from gfactor.psychometrics.irt.checks.differential import DIF, dif, ets_class
from gfactor.psychometrics.irt.checks.differential_findings import crossing_curves
from gfactor.psychometrics.irt.checks.observed_differential import _logistic, logistic_dif
from gfactor.psychometrics.irt.documents import document


def test_items_differ_below_an_adjusted_p_of_a_twentieth_and_not_at_it() -> None:
    table = pd.DataFrame({"p_adjusted": [0.05, 0.05 - 1e-9, 0.9]})
    assert "1 of 3 items differ" in DIF("Wald", ("a", "b"), table, ()).title


def test_walds_test_of_an_item_that_is_fixed_in_one_group_is_against_its_value() -> None:
    rng = np.random.default_rng(7)
    theta = rng.normal(size=(300, 1))
    right = rng.random((300, 5)) < special.expit(theta - np.linspace(-1, 1, 5))
    data = pd.DataFrame(right.astype(float)).add_prefix("i")
    groups = ["r"] * 150 + ["f"] * 150
    given: Any = {"reference": "r", "fixed": {"f:i4.d": 0.6}}
    found = dif(
        "rasch", data, groups=groups, method="wald", anchors=["i0", "i1", "i2", "i3"], **given
    )
    fit: Any = fit_irt("rasch", data, groups=groups, free_items=["i4"], **given)
    row = fit.parameters.query("item == 'i4' and group == 'r' and parameter == 'd'").iloc[0]
    assert found.table.loc["i4", "df"] == 1
    assert found.table.loc["i4", "statistic"] == pytest.approx(
        ((row["estimate"] - 0.6) / row["se"]) ** 2
    )


@pytest.mark.parametrize(
    ("delta", "error", "significant", "kind"),
    [
        (0.99, 0.1, True, "A"), (1.0, 0.1, True, "B"), (-1.2, 0.1, True, "B"),
        (2.0, 0.1, False, "A"),
        (1.5, 0.30, True, "C"), (1.5, 0.31, True, "B"), (-1.8, 0.1, True, "C"),
        (1.49, 0.1, True, "B"),
    ],
)  # fmt: skip
def test_classes_of_differences_are_those_of_ets(
    delta: float, error: float, significant: bool, kind: str
) -> None:
    assert ets_class(delta, error, significant) == kind


@pytest.mark.thorough
def test_a_logistic_regression_reaches_its_maximum_from_far_away() -> None:
    rng = np.random.default_rng(4)
    x = np.column_stack([np.ones(60), 8 * rng.normal(size=60)])
    y = (rng.random(60) < special.expit(x @ [1, 0.4])).astype(float)
    best = max(
        float(y @ z - np.logaddexp(0, z).sum())
        for a in np.linspace(-1, 4, 101) for b in np.linspace(0, 1.5, 151)
        for z in [x @ [a, b]]
    )  # fmt: skip
    assert best <= _logistic(x, y) <= best + 0.01


def answers(shifts: tuple[float, ...] = (0, 0, 0, 0, 0, 1.4), n: int = 400) -> pd.DataFrame:
    """Rasch items; the second half of the people finds some of them harder."""
    rng = np.random.default_rng(7)
    theta = rng.normal(size=(n, 1)) + np.repeat([0, 0.3], n // 2)[:, None]
    b = np.linspace(-1, 1, len(shifts)) + np.repeat([0, 1], n // 2)[:, None] * np.array(shifts)
    right = rng.random((n, len(shifts))) < special.expit(theta - b)
    return pd.DataFrame(right.astype(float), columns=[f"i{k}" for k in range(len(shifts))])


GROUPS = ["r"] * 200 + ["f"] * 200


@pytest.mark.slow
def test_an_item_that_differs_leaves_the_anchors_and_is_tested_against_the_rest() -> None:
    seen: list[tuple[int, int]] = []
    data = answers((0, 0, 0, 1.8), 160)
    groups = ["r"] * 80 + ["f"] * 80
    found: Any = dif("rasch", data, groups=groups, reference="r",
                     progress=lambda k, n: seen.append((k, n)))  # fmt: skip
    assert seen == [(k, 4) for k in range(1, 5)] * 2  # All are anchors, then all but i3.
    assert found.anchors == ("i0", "i1", "i2")
    assert found.table["anchor"].tolist() == [True] * 3 + [False]
    assert found.groups == ("r", "f")
    # The likelihood ratio of i3 with the others as anchors.
    common = {"groups": groups, "reference": "r"}
    free = fit_irt("rasch", data, free_items=["i3"], **common)
    equal = fit_irt("rasch", data, free_items=[], **common)
    ratio = 2 * (free.optimum.at.objective - equal.optimum.at.objective)
    row = found.table.loc["i3"]
    assert (row["statistic"], row["df"]) == (pytest.approx(ratio, abs=1e-4), 1)
    assert row["p"] == pytest.approx(stats.chi2.sf(ratio, 1), rel=1e-3)
    # i0 is tested with i3 free on both sides.
    wide = fit_irt("rasch", data, free_items=["i3", "i0"], **common)
    ratio = 2 * (wide.optimum.at.objective - free.optimum.at.objective)
    assert found.table.loc["i0", "statistic"] == pytest.approx(ratio, abs=1e-4)
    p = found.table["p"].to_numpy()
    assert found.table["p_adjusted"].iloc[3] == pytest.approx(p[3] * 4)
    said, power = found.diagnostics
    assert power.code == "little_power"
    assert (said.code, said.severity, said.where) == ("no_common_scale", "error", ("i3",))
    assert said.sentence.startswith("1 of 4 items differ between r and f; too few")


def test_effects_of_a_rasch_item_are_those_of_its_difficulties() -> None:
    data = answers()
    found: Any = dif("rasch", data, groups=GROUPS, reference="r", method="wald",
                     anchors=["i0", "i1", "i2", "i3", "i4"])  # fmt: skip
    assert list(found.table.index) == ["i5"]
    row = found.table.loc["i5"]
    free: Any = fit_irt("rasch", data, free_items=["i5"], groups=GROUPS, reference="r")
    items = free.items.query("item == 'i5'")
    easier = items["intercept"].to_numpy() if "intercept" in items else -items["b"].to_numpy()
    gap = float(easier[1] - easier[0])
    assert abs(gap + 1.4) < 0.5
    assert row["delta"] == pytest.approx(2.35 * gap, rel=1e-6)
    assert row["delta_se"] == pytest.approx(2.35 * abs(gap) / np.sqrt(row["statistic"]), rel=1e-6)
    assert (row["df"], row["p"]) == (1, pytest.approx(stats.chi2.sf(row["statistic"], 1)))
    assert -0.5 < row["signed"] < 0
    assert row["unsigned"] == pytest.approx(-row["signed"], rel=1e-6)
    # P (1 - P) times a shift of the difficulty, to first order.
    assert 0.1 < row["signed"] / gap < 0.25
    assert row["signed_se"] / -row["signed"] == pytest.approx(row["delta_se"] / -row["delta"],
                                                              rel=0.1)  # fmt: skip
    assert row["ets_class"] == "C"
    every: Any = dif("rasch", data, groups=GROUPS, reference="f", method="wald", anchors=["i0"])
    assert list(every.table.index) == ["i1", "i2", "i3", "i4", "i5"]
    assert every.table.loc["i5", "delta"] > 0
    with pytest.raises(ParameterError, match="anchor 'x' is not an item of the data"):
        dif("rasch", data, groups=GROUPS, anchors=["x"])
    # Without items that are equal nothing fixes the second group's scale.
    for given in ({"anchors": []}, {"method": "wald"}, {"method": "wald", "anchors": [*data]}):
        with pytest.raises(ParameterError, match="anchors define the common scale of both groups"):
            dif("rasch", data, groups=GROUPS, **given)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="compares two groups, got 1: r"):
        dif("rasch", data, groups=["r"] * 400)


def _one_item_harder(persons: int, gap: float, seed: int = 3) -> pd.DataFrame:
    """Six items of equal slopes; i2 is harder for the second half of the persons, called m."""
    random = np.random.default_rng(seed)
    focal = (np.arange(persons) >= persons // 2)[:, None]
    hard = np.linspace(-1, 1, 6) + gap * focal * (np.arange(6) == 2)
    right = random.random((persons, 6)) < special.expit(
        1.3 * random.normal(size=(persons, 1)) - hard
    )
    names = ["f" if k < persons // 2 else "m" for k in range(persons)]
    return pd.DataFrame(right.astype(int)).add_prefix("i").assign(sex=names)


def test_a_uniform_difference_is_tested_with_one_degree_of_freedom() -> None:
    data = _one_item_harder(240, 1.2).drop(columns="i5")
    items, groups = data.drop(columns="sex"), data["sex"].tolist()
    given: Any = {"group": "sex", "anchors": ["i0", "i1", "i3", "i4"]}
    both: Any = gf.dif("2pl", data, **given).table
    alone: Any = gf.dif("2pl", data, uniform=True, **given).table
    assert (both["df"] == 2).all()
    assert (alone["df"] == 1).all()
    assert alone.loc["i2", "p"] < both.loc["i2", "p"]
    narrow = fit_irt("2pl", items, groups=groups)
    wide = fit_irt(
        "2pl", items, groups=groups, free_items=["i2"], constraints=[["f:i2.a1", "m:i2.a1"]]
    )
    expected = 2 * (wide.loglik - narrow.loglik)
    assert alone.loc["i2", "statistic"] == pytest.approx(expected, abs=1e-5)
    rasch: Any = gf.dif("rasch", data, uniform=True, **given).table
    assert rasch["df"].eq(1).all()
    with pytest.raises(ParameterError, match="uniform differences are tested by method 'lr'"):
        gf.dif("2pl", data, uniform=True, method="wald", **given)


def test_few_persons_have_a_note_on_power_and_many_have_none() -> None:
    given: Any = {"group": "sex", "anchors": ["i0", "i1", "i2", "i3"]}
    few = gf.dif("rasch", _one_item_harder(120, 0.0), **given)
    assert [one.code for one in few.diagnostics] == ["little_power"]
    assert "60 persons in the smaller group" in few.diagnostics[0].sentence
    assert few.diagnostics[0].values["power"] < 0.8
    many = gf.dif("rasch", _one_item_harder(1200, 0.0), **given)
    assert not many.diagnostics


def test_groups_may_be_the_name_of_a_column_which_is_then_no_item() -> None:
    data = _one_item_harder(200, 0.0)
    by_column = gf.irt("rasch", data, group="sex")
    by_list = gf.irt("rasch", data.drop(columns="sex"), group=data["sex"].tolist())
    assert by_column.loglik == by_list.loglik
    with pytest.raises(UnknownNameError, match="gender"):
        gf.irt("rasch", data, group="gender")
    gaps = data.assign(sex=data["sex"].where(data.index > 3))
    with pytest.raises(ParameterError, match="column 'sex' has missing cells"):
        gf.irt("rasch", gaps, group="sex")


def test_names_of_groups_are_no_truth_values() -> None:
    data = _one_item_harder(40, 0.0)
    with pytest.raises(ParameterError, match="focal must be True or False"):
        logistic_dif(data.drop(columns="sex"), data["sex"].tolist())


def test_sem_takes_model_and_data_in_either_order() -> None:
    data = _one_item_harder(200, 0.0).drop(columns="sex")
    model: Any = "g =~ i0 + i1 + i2 + i3"
    swapped: Any = gf.sem
    assert swapped(data, model).outcome.value == gf.sem(model, data).outcome.value


@pytest.mark.thorough
def test_what_all_groups_share_has_one_row_and_what_differs_one_for_each() -> None:
    data = answers().iloc[:-40].reset_index(drop=True)
    data.loc[:9, "i0"] = np.nan
    groups = GROUPS[: len(data)]
    sizes = {name: groups.count(name) for name in ("r", "f")}
    equal = fit_irt("2pl", data, groups=groups)
    assert "group" not in equal.items
    assert equal.items["item"].tolist() == list(data.columns)
    assert equal.items["n"].tolist() == [len(data) - 10, *[len(data)] * 5]
    assert equal.facts["groups"] == sizes
    free = fit_irt("2pl", data, groups=groups, free_items=["i5"])
    rows = free.items.set_index(["item", "group"])
    assert rows.loc["i0"].index.tolist() == ["all"]
    assert rows.loc["i5", "n"].to_dict() == sizes
    assert rows.loc[("i5", "r"), "b"] != rows.loc[("i5", "f"), "b"]
    for fit in (equal, free):
        found = pd.DataFrame(document(fit)["items"])
        assert found["b"].tolist() == pytest.approx(fit.items["b"].tolist())
        assert ("group" in found) == ("group" in fit.items)


@pytest.mark.thorough
def test_graded_items_are_printed_with_each_threshold() -> None:
    rng = np.random.default_rng(5)
    latent = rng.normal(size=(200, 1)) + rng.logistic(size=(200, 4))
    data = pd.DataFrame(np.digitize(latent, [-1, 0, 1])).add_prefix("q")
    data["q3"] = np.minimum(data["q3"], 2)
    fit = fit_irt("grm", data)
    steps = fit.tables["thresholds"].set_index("item")
    assert list(steps) == ["b1", "se_b1", "b2", "se_b2", "b3", "se_b3"]
    found = fit.thresholds.query("item == 'q3'")
    assert steps.loc["q3", ["b1", "b2"]].tolist() == found["b"].tolist()
    assert steps.loc["q3", ["b3", "se_b3"]].isna().all()
    printed = fit.tables["items"]
    assert list(printed) == ["item", "a", "se_a", "b_mean", "se_b_mean", "n"]
    assert printed["b_mean"].iloc[3] == pytest.approx(found["b"].mean())
    assert {"c", "d", "b"} <= set(fit.to_dict()["items"][0])
    two = fit_irt("grm", data.assign(q4=(data["q0"] > 1) * 1), groups=["u", "v"] * 100,
                  free_items=["q4"])  # fmt: skip
    entries = {(row["item"], row["group"]): row["b"] for row in document(two)["items"]}
    assert entries["q0", "all"] == pytest.approx(two.thresholds["b"].iloc[:3].tolist())
    assert entries["q4", "u"] != entries["q4", "v"]


def test_a_category_that_a_group_does_not_show_is_joined_before_its_item_is_tested() -> None:
    rng = np.random.default_rng(3)
    sex = np.repeat(["f", "m"], 120)
    latent = rng.normal(size=(240, 1)) + rng.logistic(size=(240, 4))
    latent[:, 1] -= 1.5 * (sex == "m")
    data = pd.DataFrame(np.digitize(latent[:, :3], [-1, 0, 1])).add_prefix("q")
    data["q1"] = data["q1"].where((data["q1"] != 1) | (sex == "m"), 2)  # No 1 among women.
    found: Any = gf.dif("grm", data.assign(sex=sex), group="sex", uniform=True, purify=False)
    assert "delta" not in found.summary()
    assert "ETS" not in found.summary()
    assert found.table["p"].notna().all()
    assert found.table["df"].tolist() == [3, 2, 3]
    assert found.table.loc["q1", "p_adjusted"] < 1e-4
    note = next(entry for entry in found.diagnostics if entry.code == "categories_joined")
    assert note.where == ("q1",)
    recoded = data.assign(q1=data["q1"].replace({1: 0}), sex=sex)
    again = gf.dif("grm", recoded, group="sex", uniform=True, anchors=["q0", "q2"])
    assert again.table.loc["q1", "statistic"] == pytest.approx(found.table.loc["q1", "statistic"])
    assert "categories_joined" not in {entry.code for entry in again.diagnostics}


def test_an_item_whose_model_does_not_converge_has_no_test(monkeypatch: Any) -> None:
    free = fit_irt

    def stopped(model: Any, data: Any, *, free_items: Any = (), **given: Any) -> Any:
        fit = free(model, data, free_items=free_items, **given)
        late = replace(fit.optimum, converged="i2" not in free_items)
        return replace(fit, optimum=late)

    monkeypatch.setattr(differential, "fit_irt", stopped)
    found = dif("rasch", answers((0, 0, 0, 0), 160), groups=["r"] * 80 + ["f"] * 80, reference="r")
    assert found.table["p"].isna().tolist() == [item == "i2" for item in found.table.index]
    assert "i2" in found.anchors
    lost = next(entry for entry in found.diagnostics if entry.code == "item_not_tested")
    assert (lost.severity, lost.where) == ("warning", ("i2",))


def test_groups_stand_in_the_order_of_the_data_unless_a_reference_is_named() -> None:
    rng = np.random.default_rng(5)
    groups = ["m", "f"] * 150
    theta = rng.normal(size=(300, 1)) + np.array([[1.0], [0.0]] * 150)
    chance = special.expit(theta - np.linspace(-1, 1, 5))
    data = pd.DataFrame((rng.random(chance.shape) < chance) * 1).add_prefix("i")
    measures = pd.DataFrame(theta + rng.normal(size=(300, 4)), columns=list("abcd"))
    for reference, order, sign in ((None, ["m", "f"], -1), ("f", ["f", "m"], 1)):
        anchors = ["i0", "i1", "i2", "i3"]
        found = dif("rasch", data, groups=groups, reference=reference, anchors=anchors)
        assert list(found.groups) == order
        fit = fit_irt(
            "rasch", data, groups=groups, reference=reference, equal=["slopes", "intercepts"]
        )
        assert list(fit.facts["groups"]) == order
        steps = gf.invariance(
            "g =~ a + b + c + d", measures.assign(sex=groups), group="sex", reference=reference
        )
        assert [name for name, _ in steps.groups] == order
        mean = fit.latent.query("parameter == 'MEAN_1'")["estimate"].iloc[1]
        assert np.sign(mean) == np.sign(steps.latent_means["mean"].iloc[0]) == sign
    with pytest.raises(UnknownNameError, match="group"):
        dif("rasch", data, groups=groups, reference="x")


def test_an_item_of_which_scores_and_log_odds_disagree_has_a_note_that_curves_cross() -> None:
    table = pd.DataFrame({"signed": [0.04, -0.1], "delta": [-0.35, -1.2]}, index=["q1", "q2"])
    (note,) = crossing_curves(table)
    assert note.where == ("q1",)
    assert "opposite signs" in note.sentence
    assert crossing_curves(table.loc[["q2"]]) == []


def _one_stratum() -> pd.DataFrame:
    """Two items and a group; of the persons with one right answer 30 : 10 of the reference group
    have `x` right, and 15 : 25 of the focal group."""
    cells = [("r", 1, 0, 30), ("r", 0, 1, 10), ("f", 1, 0, 15), ("f", 0, 1, 25),
             ("r", 0, 0, 8), ("r", 1, 1, 9), ("f", 0, 0, 7), ("f", 1, 1, 6)]  # fmt: skip
    rows = [(group, x, a) for group, x, a, count in cells for _ in range(count)]
    return pd.DataFrame(rows, columns=["sex", "x", "a"])


def test_mantel_haenszel_is_the_hand_computation() -> None:
    found = gf.dif(None, _one_stratum(), group="sex", method="mantel-haenszel", purify=False)
    row = found.table.loc["x"]
    assert row["odds_ratio"] == pytest.approx(30 * 25 / (10 * 15))
    assert row["delta"] == pytest.approx(-2.35 * np.log(5))
    variance = 40 * 40 * 45 * 35 / (80**2 * 79)
    assert row["statistic"] == pytest.approx((30 - 40 * 45 / 80 - 0.5) ** 2 / variance)
    assert row["delta_se"] == pytest.approx(2.35 * np.sqrt(1 / 30 + 1 / 10 + 1 / 15 + 1 / 25))
    assert row["ets_class"] == "C"  # 3.78 - 1.645 * 1.15 is above 1
    assert found.groups == ("r", "f")
    turned = gf.dif(
        None, _one_stratum(), group="sex", method="mantel-haenszel", reference="f", purify=False
    )
    assert turned.table.loc["x", "delta"] == pytest.approx(2.35 * np.log(5))


def test_logistic_dif_is_the_hand_computation() -> None:
    given: dict[str, Any] = {"group": "sex", "method": "logistic", "purify": False}
    row = gf.dif(None, _one_stratum(), uniform=True, **given).table.loc["x"]
    # With one informative sum the group's coefficient is the log odds ratio of its table.
    assert row["delta"] == pytest.approx(-2.35 * np.log(5), rel=1e-4)
    assert row["delta_se"] == pytest.approx(
        2.35 * np.sqrt(1 / 30 + 1 / 10 + 1 / 15 + 1 / 25), rel=1e-3
    )
    observed, expected = np.array([30, 10, 15, 25]), np.array([22.5, 17.5, 22.5, 17.5])
    assert row["statistic"] == pytest.approx(2 * (observed * np.log(observed / expected)).sum())
    assert (row["df"], row["ets_class"]) == (1, "C")
    both = gf.dif(None, _one_stratum(), **given).table.loc["x"]
    assert both["df"] == 2
    assert both["statistic"] == pytest.approx(both["uniform"] + both["nonuniform"])


@pytest.mark.parametrize("method", ["mantel-haenszel", "logistic"])
def test_an_item_that_differs_leaves_the_matching_score(method: Any) -> None:
    found = gf.dif(None, _one_item_harder(1500, 1.2), group="sex", method=method, reference="f")
    assert "i2" not in found.anchors
    table: Any = found.table
    assert table.index[table["p_adjusted"] < 0.05].tolist() == ["i2"]
    assert table.loc["i2", "delta"] < -1.5
    assert table.loc["i2", "ets_class"] == "C"
    assert "at equal sums of the anchors" in found.summary()
    assert found.plot("dif") is not None


def test_persons_without_a_sum_score_are_not_among_those_that_were_compared() -> None:
    data = _one_item_harder(300, 0.0)
    gaps = data.assign(i0=data["i0"].where(np.arange(len(data)) >= 100))
    found = gf.dif(None, gaps, group="sex", method="mantel-haenszel", reference="f")
    assert found.sizes == tuple((data["sex"][100:] == sex).sum() for sex in "fm")
    assert sum(found.sizes) == len(data) - 100
    whole = gf.dif(None, data, group="sex", method="mantel-haenszel", reference="f")
    assert sum(whole.sizes) == len(data)


def test_tests_on_observed_scores_refuse_what_they_have_no_use_for() -> None:
    data = _one_item_harder(200, 0.0)
    given: dict[str, Any] = {"group": "sex", "method": "logistic"}
    with pytest.raises(ParameterError, match="needs no item response model"):
        gf.dif("rasch", data, **given)
    with pytest.raises(ParameterError, match="needs an item response model"):
        gf.dif(None, data, group="sex")
    with pytest.raises(ParameterError, match="item 'i1' has 3 categories"):
        gf.dif(None, data.assign(i1=np.arange(200) % 3), **given)
    with pytest.raises(ParameterError, match="anchor 'j' is not an item"):
        gf.dif(None, data, anchors=["j"], **given)
    gaps = data.assign(i0=data["i0"].where(data.index > 9))
    (lost,) = gf.dif(None, gaps, **given).diagnostics
    assert lost.sentence.startswith("10 of 200 persons lack a response")
