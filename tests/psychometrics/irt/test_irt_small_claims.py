"""Item response models: differences of groups, files, links and questions, worked out by hand."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt import adaptive, fit_irt
from gfactor.psychometrics.irt.adaptive import StopRule, SympsonHetter
from gfactor.psychometrics.irt.adaptive.questplus import QuestPlus
from gfactor.psychometrics.irt.adaptive.selection import _divergence_gain, _fisher_gain
from gfactor.psychometrics.irt.calibrated_scores import score_responses
from gfactor.psychometrics.irt.calibration import Calibration, Entry
from gfactor.psychometrics.irt.calibration_files import (
    calibration_digest,
    from_document,
    read_calibration,
    read_calibrations,
    to_document,
    write_calibration,
    write_calibrations,
)
from gfactor.psychometrics.irt.calibration_linking import _about, _linked, _steps
from gfactor.psychometrics.irt.conditional import fit_conditional
from gfactor.psychometrics.irt.differential import dif
from gfactor.psychometrics.irt.fit import _about_fit
from gfactor.psychometrics.irt.predictive import FAR, PredictiveCheck


def answers(shifts: tuple[float, ...] = (0, 0, 0, 0, 0, 1.4), n: int = 400) -> pd.DataFrame:
    """Rasch items; the second half of the people finds some of them harder."""
    rng = np.random.default_rng(7)
    theta = rng.normal(size=(n, 1)) + np.repeat([0, 0.3], n // 2)[:, None]
    b = np.linspace(-1, 1, len(shifts)) + np.repeat([0, 1], n // 2)[:, None] * np.array(shifts)
    right = rng.random((n, len(shifts))) < special.expit(theta - b)
    return pd.DataFrame(right.astype(float), columns=[f"i{k}" for k in range(len(shifts))])


GROUPS = ["r"] * 200 + ["f"] * 200


def test_an_item_that_differs_leaves_the_anchors_and_is_tested_against_the_rest() -> None:
    seen: list[tuple[int, int]] = []
    data = answers((0, 0, 0, 1.8), 160)
    groups = ["r"] * 80 + ["f"] * 80
    found: Any = dif(data, groups, "rasch", reference="r",
                     progress=lambda k, n: seen.append((k, n)))  # fmt: skip
    assert seen == [(k, 4) for k in range(1, 5)] * 2  # All are anchors, then all but i3.
    assert found.anchors == ("i0", "i1", "i2")
    assert found.table["anchor"].tolist() == [True] * 3 + [False]
    assert found.groups == ("r", "f")
    # The likelihood ratio of i3 with the others as anchors.
    common = {"groups": groups, "reference": "r"}
    free = fit_irt(data, "rasch", free_items=["i3"], **common)
    equal = fit_irt(data, "rasch", free_items=[], **common)
    ratio = 2 * (free.optimum.at.objective - equal.optimum.at.objective)
    row = found.table.loc["i3"]
    assert (row["statistic"], row["df"]) == (pytest.approx(ratio, abs=1e-4), 1)
    assert row["p"] == pytest.approx(stats.chi2.sf(ratio, 1), rel=1e-3)
    # i0 is tested with i3 free on both sides.
    wide = fit_irt(data, "rasch", free_items=["i3", "i0"], **common)
    ratio = 2 * (wide.optimum.at.objective - free.optimum.at.objective)
    assert found.table.loc["i0", "statistic"] == pytest.approx(ratio, abs=1e-4)
    p = found.table["p"].to_numpy()
    assert found.table["p_adjusted"].iloc[3] == pytest.approx(p[3] * 4)
    (said,) = found.diagnostics
    assert (said.code, said.severity, said.where) == ("no_common_scale", "error", ("i3",))
    assert said.sentence.startswith("1 of 4 items differ between r and f; too few")


def test_effects_of_a_rasch_item_are_those_of_its_difficulties() -> None:
    data = answers()
    found: Any = dif(data, GROUPS, "rasch", reference="r", method="wald",
                     anchors=["i0", "i1", "i2", "i3", "i4"])  # fmt: skip
    assert list(found.table.index) == ["i5"]
    row = found.table.loc["i5"]
    free: Any = fit_irt(data, "rasch", free_items=["i5"], groups=GROUPS, reference="r")
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
    every: Any = dif(data, GROUPS, "rasch", reference="f", method="wald", anchors=["i0"])
    assert list(every.table.index) == ["i1", "i2", "i3", "i4", "i5"]
    assert every.table.loc["i5", "delta"] > 0
    with pytest.raises(ParameterError, match="anchor 'x' is not an item of the data"):
        dif(data, GROUPS, "rasch", anchors=["x"])
    # Without items that are equal nothing fixes the second group's scale.
    for given in ({"anchors": []}, {"method": "wald"}, {"method": "wald", "anchors": [*data]}):
        with pytest.raises(ParameterError, match="anchors hold the common scale of both groups"):
            dif(data, GROUPS, "rasch", **given)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="compares two groups, got 1: r"):
        dif(data, ["r"] * 400, "rasch")


def calibration(**more: Any) -> Calibration:
    entries = (
        Entry("x", "2pl", (0.0, 1.0), (1.2, -0.6)), Entry("y", "2pl", (0.0, 1.0), (0.8, 0.4)),
    )  # fmt: skip
    names = ("x.a1", "x.d", "y.a1", "y.d")
    covariance = np.diag([0.01, 0.02, 0.03, 0.04]) + 0.001
    return replace(Calibration("item", "2pl", entries, names, covariance, 0.1, 1.5), **more)


def test_calibrations_of_abilities_are_files_of_a_folder(tmp_path: Path) -> None:
    folder = write_calibrations(
        {"Gv": calibration(), "Gf": calibration(mean=0.5)}, tmp_path / "a/b"
    )
    assert sorted(p.name for p in folder.iterdir()) == ["Gf.json", "Gv.json"]
    write_calibrations({"Gv": calibration()}, folder)  # The folder may be there.
    found = read_calibrations(folder)
    assert list(found) == ["Gf", "Gv"]
    assert found["Gf"].mean == 0.5
    assert found["Gv"].about["ability"] == "Gv"
    assert list(read_calibrations(folder / "Gf.json")) == ["Gf"]
    for name in ("", "a/b", "a\\b", ".a", "a\0"):
        with pytest.raises(ParameterError, match="cannot be the name of a file; rename the label"):
            write_calibrations({name: calibration()}, folder)
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match=r"the folder .* cannot be made"):
        write_calibrations({"Gv": calibration()}, tmp_path / "file")
    with pytest.raises(ParameterError, match="has no calibration"):
        read_calibrations(tmp_path)
    (folder / "Other.json").write_text((folder / "Gf.json").read_text("utf-8"), "utf-8")
    with pytest.raises(ParameterError, match=r"Other.json': 'Gf' has another file, too"):
        read_calibrations(folder)
    for ability in (None, "", 3):
        alone = write_calibration(calibration(), tmp_path / "alone.json")
        document = {**json.loads(alone.read_text("utf-8")), "ability": ability}
        alone.write_text(json.dumps(document), "utf-8")
        with pytest.raises(ParameterError, match='does not name its "ability"'):
            read_calibrations(alone)


def test_a_calibrations_file_is_readable_and_its_digest_that_of_its_document(
    tmp_path: Path,
) -> None:
    known = calibration(about={"population": "grüne", "ability": "Gf"})
    path = write_calibration(known, tmp_path / "a.json")
    text = path.read_text("utf-8")
    assert text.startswith('{\n "format"')
    assert text.endswith("}\n")
    assert "grüne" in text
    assert list(json.loads(text))[4:6] == ["ability", "population"]
    again = read_calibration(path)
    assert to_document(again) == to_document(known)
    plain = json.dumps(to_document(known), sort_keys=True, separators=(",", ":"))
    assert calibration_digest(again) == hashlib.sha256(plain.encode()).hexdigest()
    lower = to_document(known)["covariance"]["lower"]
    assert [len(row) for row in lower] == [1, 2, 3, 4]
    assert lower[3] == [0.001, 0.001, 0.001, 0.041]
    third = 1 / 3
    rounded = to_document(calibration(covariance=np.full((4, 4), third) + np.eye(4)))
    assert rounded["covariance"]["lower"][1][0] == float(f"{third:.12g}") != third


def test_scores_that_are_no_category_are_left_out_and_shown() -> None:
    data = pd.DataFrame({"x": [1.0, 0.0, 0.5, 2.0], "y": [0, 1.0, 1.0, np.nan],
                         **{f"z{k}": [1.0, 1, 1, np.nan] for k in range(6)}})  # fmt: skip
    found = score_responses(calibration(), data, {"x": "x", "y": "y"})
    said = {d.code: d for d in found.diagnostics}
    assert said["unknown_score"].sentence.startswith(
        "2 scores of item 'x' (such as 0.5) are no category"
    )
    assert said["unknown_score"].where == ("x",)
    assert said["unknown_items"].sentence == (
        "The calibration does not know 6 of 8 items (z0, z1, z2, z3, z4 ...); 18 responses were "
        "left out."
    )
    five = score_responses(calibration(), data.drop(columns="z5"), {"x": "x", "y": "y"})
    (other,) = [d for d in five.diagnostics if d.code == "unknown_items"]
    assert "5 of 7 items (z0, z1, z2, z3, z4); 15 responses" in other.sentence


def test_steps_move_with_ability_as_often_as_their_model_says() -> None:
    graded = Entry("g", "graded", (0.0, 1.0, 2.0), (1.5, 0.5, -0.5))
    credit = Entry("p", "gpcm", (0.0, 1.0, 2.0), (1.5, 0.5, -0.5))
    assert _steps(graded) == {"d1": 1.0, "d2": 1.0}
    assert _steps(credit) == {"d1": 1.0, "d2": 2.0}
    assert _steps(calibration().entries[0]) == {"d": 1.0}
    # theta = (theta' - B) / A: a' = a / A, d_k' = d_k - k a B / A.
    moved = _linked(credit, 2.0, 0.4)
    assert moved.values == pytest.approx((0.75, 0.5 - 1.5 * 0.2, -0.5 - 2 * 1.5 * 0.2))
    assert _linked(graded, 2.0, 0.4).values == pytest.approx((0.75, 0.5 - 0.3, -0.5 - 0.3))


def test_psychometric_functions_of_questions_are_those_of_their_definitions() -> None:
    x = [-3.0, 0.0, 2.5]
    grid = {"threshold": [1.0], "slope": [0.7], "lower_asymptote": [0.2], "lapse_rate": [0.05]}
    quest = QuestPlus(x, grid, "weibull")
    weibull = 0.2 + 0.75 * (1 - np.exp(-(10 ** (0.7 * (np.array(x) - 1) / 20))))
    assert quest._likelihood[0].ravel() == pytest.approx(weibull)
    assert quest._likelihood[1].ravel() == pytest.approx(1 - weibull)
    normal = QuestPlus(x, {"mean": [1.0], "sd": [2.0], "lower_asymptote": [0.2],
                           "lapse_rate": [0.05]}, "normal")  # fmt: skip
    expected = 0.2 + 0.75 * stats.norm.cdf((np.array(x) - 1) / 2)
    assert normal._likelihood[0].ravel() == pytest.approx(expected)
    bare = QuestPlus(x, {"mean": [1.0], "sd": [2.0]}, "normal")
    assert bare._likelihood[0].ravel() == pytest.approx(stats.norm.cdf((np.array(x) - 1) / 2))


def test_a_threshold_is_done_when_its_first_free_parameter_is_known() -> None:
    grid = {"slope": [1.5], "lapse_rate": [0.0, 0.02], "threshold": np.linspace(1, 12, 45)}
    quest = QuestPlus(range(1, 13), grid, "size", nuisance=["lapse_rate"], stop=StopRule(se=0.5))
    rng = np.random.default_rng(2)
    while (size := quest.next()) is not None and len(quest.administered) < 60:
        quest.answer(size, int(rng.uniform() < special.expit(-1.5 * (size - 6))))
    assert quest.se["threshold"] <= 0.5
    assert len(quest.administered) > 4
    weights = np.array([[[1.0, 2.0]]]).reshape(1, 2, 1) * np.ones((1, 2, 45))
    given = QuestPlus(range(1, 13), grid, "size", prior=weights)
    assert given.marginal("lapse_rate").tolist() == pytest.approx([1 / 3, 2 / 3])
    with pytest.raises(ParameterError, match=r"must have the shape \(1, 2, 45\), got \(2,\)"):
        QuestPlus(range(1, 13), grid, "size", prior=[1.0, 2.0])
    with pytest.raises(ParameterError, match="not be negative, and not all 0"):
        QuestPlus(range(1, 13), grid, "size", prior={"lapse_rate": [-1, 2]})
    with pytest.raises(ParameterError, match="not be negative, and not all 0"):
        QuestPlus(range(1, 13), grid, "size", prior={"lapse_rate": [0, 0]})
    with pytest.raises(ParameterError, match="the prior of 'lapse_rate' needs 2 weights"):
        QuestPlus(range(1, 13), grid, "size", prior={"lapse_rate": [1]})


def test_where_every_item_is_refused_the_best_one_is_asked() -> None:
    never = SympsonHetter(pd.Series([0.0, 0.0, 0.0], ["a", "b", "c"]))
    rng = np.random.default_rng(0)
    gain = np.array([0.2, 0.9, 0.5])
    assert never.pick(gain, 0, ["a", "b", "c"], rng) == (1, [])
    some = SympsonHetter(pd.Series([1.0, 0.0], ["a", "b"]))
    assert some.pick(gain, 0, ["a", "b", "c"], rng) == (2, [1])
    assert some.pick(np.array([0.2, 0.9, -np.inf]), 0, ["a", "b", "c"], rng) == (0, [1])


def test_the_next_question_is_drawn_among_the_best() -> None:
    nodes = np.linspace(-4, 4, 41)
    posterior = adaptive.AbilityPosterior(nodes)
    b = np.array([0.0, 0.1, 3.0, -3.0])
    p = special.expit(nodes - b[:, None])
    candidates = adaptive.Candidates(list("abcd"), ["g"] * 4, p)
    rng = np.random.default_rng(1)
    picked = {adaptive.choose(candidates, {"g": posterior}, rng=rng, among=2) for _ in range(30)}
    assert picked == {0, 1}
    allowed = np.array([False, False, True, False])
    assert adaptive.choose(candidates, {"g": posterior}, rng=rng, among=3, allowed=allowed) == 2


def test_an_effect_on_easiness_needs_a_row_for_every_item() -> None:
    data = answers((0, 0, 0, 0))
    design = pd.DataFrame({"all": [0.0, 1, 1, 2]}, index=["i0", "i1", "i2", "i3"])
    found = fit_conditional(data, "lltm", design=design)
    assert found.names == ("all",)
    # Rows are taken by name: their order is of no consequence.
    again = fit_conditional(data, "lltm", design=design.iloc[::-1])
    assert again.estimates == pytest.approx(found.estimates)
    with pytest.raises(ParameterError, match="lltm needs a design"):
        fit_conditional(data, "lltm")
    with pytest.raises(ParameterError, match="design: item 'i3' has no row"):
        fit_conditional(data, "lltm", design=design.head(3))


def test_the_error_of_an_asymptote_is_that_of_its_logit_times_its_slope() -> None:
    rng = np.random.default_rng(11)
    theta = rng.normal(size=(400, 1))
    p = 0.25 + 0.75 * special.expit(1.5 * (theta - np.linspace(-1, 1, 4)))
    data = pd.DataFrame((rng.random(p.shape) < p).astype(float), columns=list("wxyz"))
    fit: Any = fit_irt(data, "3pl", priors={"g": ("normal", -1.1, 0.5)})
    rows = fit.parameters.query("parameter == 'g' and free")
    labels = list(fit.likelihood.model.free_labels)
    errors = np.sqrt(np.diag(fit.vcov.core))
    for row in rows.to_dict("records"):
        (place,) = (k for k, name in enumerate(labels) if name == f"{row['item']}.logit_g")
        g = row["estimate"]
        assert g == pytest.approx(special.expit(fit.optimum.x[place]))
        assert row["se"] == pytest.approx(errors[place] * g * (1 - g), rel=1e-6)
    assert len(rows) == 4


def test_an_order_needs_positive_errors_and_finite_estimates() -> None:
    for theta, se in (
        ([0.0, 1.0], [0.1, 0.0]), ([0.0, 1.0], [0.1, -0.1]), ([0.0, np.inf], [0.1, 0.1]),
    ):  # fmt: skip
        with pytest.raises(ParameterError, match="finite estimates and positive standard errors"):
            adaptive.undecided_pairs(theta, se)
    # Holm: the smallest p counts three times, the largest once.
    z = [special.ndtri(1 - 0.05 / 2 / k) for k in (3, 2, 1)]
    se = np.full(3, 0.5**0.5)
    assert adaptive.undecided_pairs([0, z[0] + 0.01, 30.0], se) == []
    assert adaptive.undecided_pairs([0, z[2] - 0.01, 30.0], se) == [(0, 1)]


def test_a_calibration_of_unnamed_respondents_is_shown_and_read_again() -> None:
    known = calibration()
    read = from_document(to_document(known))
    for one in (known, read):
        assert one.facts["respondents"] is None
        assert one.facts["bank"] is None
        assert "by an unknown number of respondents: an unnamed population" in one.summary()
    with pytest.raises(ParameterError, match="calibration: 'respondents' must be an object"):
        from_document({**to_document(known), "respondents": 12})


def test_information_and_divergence_are_those_at_the_means_of_the_futures() -> None:
    """Between nodes the curves and their information are straight lines."""
    nodes = np.linspace(-3, 3, 13)
    posterior = adaptive.AbilityPosterior(nodes)
    p = special.expit(np.array([[1.0], [1.7]]) * (nodes - np.array([[0.0], [0.8]])))
    joint = np.random.default_rng(2).dirichlet(np.ones(13), 2) * [[0.4], [0.6]]
    information = np.gradient(p, nodes, axis=1, edge_order=2) ** 2 / (p * (1 - p))
    fisher, divergence = np.zeros(2), np.zeros(2)
    for mass in joint:
        center = mass @ nodes / mass.sum()
        for k in range(2):
            at = np.interp(center, nodes, p[k])
            fisher[k] += mass.sum() * np.interp(center, nodes, information[k])
            lost = at * np.log(at / p[k]) + (1 - at) * np.log((1 - at) / (1 - p[k]))
            divergence[k] += mass @ lost
    assert _fisher_gain(p, joint, posterior) == pytest.approx(fisher)
    assert _divergence_gain(p, joint, posterior) == pytest.approx(divergence)
    # All mass at the ends of the nodes.
    for k in (0, 12):
        ends = np.eye(13)[[k]]
        assert _fisher_gain(p, ends, posterior) == pytest.approx(information[:, k])
        assert _divergence_gain(p, ends, posterior) == pytest.approx([0, 0], abs=1e-12)


def test_missing_standard_errors_are_an_error_where_the_data_do_not_determine_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fit = fit_irt(answers((0, 0, 0, 0)), "rasch")
    codes = {d.code for d in _about_fit(fit)}
    assert not codes & {"not_converged", "not_identified", "no_standard_errors"}
    for information, code in ((np.eye(2), "not_identified"), (None, "no_standard_errors")):
        optimum = replace(fit.optimum, information=information)
        said = [d.code for d in _about_fit(replace(fit, vcov=None, optimum=optimum))]
        assert said[0] == code
    never = replace(fit, vcov=None, optimum=replace(fit.optimum, converged=False))
    assert _about_fit(never)[0].code == "not_converged"


def test_entries_that_drifted_are_named_up_to_five() -> None:
    known = calibration()
    entries = tuple(Entry(f"q{k}", "2pl", (0.0, 1.0), (1.0, 0.1 * k), 0.0, {}) for k in range(7))
    labels = tuple(f"q{k}.{name}" for k in range(7) for name in ("a1", "d"))
    old = replace(known, entries=entries, labels=labels, covariance=1e-4 * np.eye(14))

    def sentence(count: int) -> str:
        moved = tuple(
            replace(e, values=(1.0, e.values[1] + (1.0 if k < count else 0.0)))
            for k, e in enumerate(entries)
        )
        new = replace(old, entries=moved)
        said = {d.code: d for d in _about(new, old, list(zip(moved, entries, strict=True)))}
        return said["drifted_items"].sentence if count else ",".join(said)

    assert sentence(0) == ""
    assert sentence(5).endswith("after linking: q0, q1, q2, q3, q4.")
    assert sentence(6).endswith("after linking: q0, q1, q2, q3, q4 ....")
    assert sentence(6).startswith("6 common entries differ by more than 3 standard errors")


def test_predictive_checks_are_far_out_beyond_the_limits_not_at_them() -> None:
    table = pd.DataFrame({"p": [FAR, 1 - FAR, FAR / 2, 1 - FAR / 2, 0.5, 0.0]})
    assert PredictiveCheck(table, 100).title == "3 of 6 predictive checks are far out, 100 draws"
