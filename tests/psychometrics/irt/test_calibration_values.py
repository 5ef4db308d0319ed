"""Calibrations and their links against integrals, differences and hand calculation."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from gfactor.errors import GfactorError, ParameterError
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.scales.calibration import (
    VARIANCE,
    Calibration,
    Entry,
    calibrate_items,
)
from gfactor.psychometrics.irt.scales.calibration_files import from_document, to_document
from gfactor.psychometrics.irt.scales.calibration_linking import (
    _about,
    _linked,
    _steps,
    common_parameters,
    link_calibration,
)
from gfactor.psychometrics.irt.scales.linking import METHODS, link
from gfactor.psychometrics.irt.scores.calibrated_scores import score_responses

A, D = (0.8, 1.1, 1.5, 2.0), (0.9, 0.2, -0.4, -1.0)


def known(
    a: Any = A, d: Any = D, *, mean: float = 0.3, variance: float = 1.5, guess: float = 0.0,
    uncertain: bool = True,
) -> Calibration:  # fmt: skip
    """Four items of known curves, with a covariance of their parameters."""
    kind: Any = "4pl" if guess else "2pl"
    tail = (float(special.logit(guess)), np.inf) if guess else ()
    entries = tuple(
        Entry(f"i{k}", kind, (0.0, 1.0), (float(x), float(y), *tail))
        for k, (x, y) in enumerate(zip(a, d, strict=True))
    )
    labels = [f"{e.name}.{p}" for e in entries for p in ("a1", "d")] + [VARIANCE]
    root = np.random.default_rng(3).normal(0, 0.1, (len(labels), len(labels)))
    if not uncertain:
        return Calibration("item", "2pl", entries, (), np.zeros((0, 0)), mean, variance)
    return Calibration("item", "2pl", entries, tuple(labels), root @ root.T, mean, variance)


def posterior(calibration: Calibration, answers: list[float]) -> tuple[float, float]:
    """Mean and standard deviation by sums over a fine grid."""
    line = np.linspace(-12, 12, 6001)
    p = calibration.probabilities(line)
    right = np.array(answers)[:, None] == 1
    density = stats.norm.pdf(line, calibration.mean, np.sqrt(calibration.variance))
    density *= np.where(right, p, 1 - p).prod(axis=0)
    density /= density.sum()
    mean = float(density @ line)
    return mean, float(np.sqrt(density @ (line - mean) ** 2))


@pytest.mark.thorough
@pytest.mark.parametrize("guess", [0.0, 0.2])
def test_abilities_are_the_moments_of_the_posterior(guess: float) -> None:
    calibration = known(guess=guess, uncertain=False)
    answers = [[1.0, 1, 0, 0], [0.0, 0, 0, 0], [1.0, 1, 1, 1]]
    table = pd.DataFrame(answers, columns=["i0", "i1", "i2", "i3"], index=["x", "y", "z"])
    found = score_responses(calibration, table, {c: c for c in table}, level=0.9)
    rows: Any = found.table.itertuples()
    for row, own in zip(rows, answers, strict=True):
        mean, sd = posterior(calibration, own)
        assert (row.theta, row.se) == pytest.approx((mean, sd), abs=1e-6)
        assert row.se_calibration == 0
        assert (row.low, row.high) == pytest.approx(
            (mean - 1.6449 * sd, mean + 1.6449 * sd), rel=1e-3
        )
    said = {d.code: d.where for d in found.diagnostics}
    assert said["all_or_nothing"] == ("y", "z")
    assert found.title.startswith("abilities of 3 respondents, 2pl calibration of 4 items by an un")


def test_whoever_answers_nothing_has_the_populations_distribution() -> None:
    calibration = known(uncertain=False)
    table = pd.DataFrame({"i0": [np.nan, 1.0], "new": [1.0, np.nan]}, index=["x", "y"])
    found = score_responses(calibration, table, {"i0": "i0"})
    first: Any = found.table.loc["x"]
    assert (first["theta"], first["se"]) == pytest.approx((0.3, np.sqrt(1.5)), abs=1e-5)
    assert (first["n"], first["left_out"]) == (0, 1)
    said = {d.code: d for d in found.diagnostics}
    assert said["nothing_answered"].where == ("x",)
    assert said["all_or_nothing"].where == ("y",)
    assert said["unknown_items"].values == {"items": 1, "responses": 1}


@pytest.mark.thorough
def test_the_answers_to_many_items_do_not_underflow() -> None:
    calibration = known([1.0] * 1200, np.linspace(-2, 2, 1200), uncertain=False)
    right = np.arange(1200) % 2
    table = pd.DataFrame([right], columns=[f"i{k}" for k in range(1200)])
    found = score_responses(calibration, table, {c: c for c in table}).table
    assert found["theta"].iloc[0] == pytest.approx(0, abs=0.05)
    assert found["se"].iloc[0] == pytest.approx(0.07, abs=0.01)


def test_the_error_that_scores_take_from_the_calibration_is_its_delta_method() -> None:
    calibration = known()
    table = pd.DataFrame([[1.0, 0, 1, 0], [1, 1, np.nan, 0]], columns=["i0", "i1", "i2", "i3"])
    entries = {c: c for c in table}
    found = score_responses(calibration, table, entries)
    slopes = np.zeros((2, len(calibration.labels)))
    step = 1e-5
    for column, label in enumerate(calibration.labels):
        ends = [
            score_responses(_moved(calibration, label, sign * step), table, entries).table["theta"]
            for sign in (1, -1)
        ]
        slopes[:, column] = (ends[0] - ends[1]).to_numpy() / (2 * step)
    shared = slopes @ calibration.covariance @ slopes.T
    assert found.table["se_calibration"].to_numpy() ** 2 == pytest.approx(np.diag(shared), rel=1e-4)
    assert found.covariance[0, 1] == pytest.approx(shared[0, 1], rel=1e-4)
    assert np.diag(found.covariance) == pytest.approx(found.table["se"].to_numpy() ** 2)


def _moved(calibration: Calibration, label: str, by: float) -> Calibration:
    if label == VARIANCE:
        return replace(calibration, variance=calibration.variance + by)
    name, parameter = label.split(".")
    place = ("a1", "d").index(parameter)
    entries = tuple(
        replace(e, values=tuple(v + by * (k == place) for k, v in enumerate(e.values)))
        if e.name == name else e
        for e in calibration.entries
    )  # fmt: skip
    return replace(calibration, entries=entries)


def test_the_table_of_a_calibration_has_difficulties_with_their_errors() -> None:
    calibration = known(guess=0.2)
    table: Any = calibration.table.set_index("entry")
    for k, (a, d) in enumerate(zip(A, D, strict=True)):
        row = table.loc[f"i{k}"]
        assert (row["a"], row["b"], row["c"], row["d"]) == pytest.approx((a, -d / a, 0.2, 1.0))
        slopes = np.array([d / a**2, -1 / a])
        own = calibration.covariance[2 * k : 2 * k + 2, 2 * k : 2 * k + 2]
        assert row["se_b"] == pytest.approx(np.sqrt(slopes @ own @ slopes))
    three = replace(
        calibration,
        entries=(Entry("g", "graded", (0.0, 1.0, 2.0), (1.2, 1.0, -0.5), facts={"n": 7}),),
    ).table.iloc[0]
    assert np.isnan(three[["b", "se_b", "c", "d"]].to_numpy(float)).all()
    assert (three["a"], three["n"]) == (1.2, 7)


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["mean-mean", "mean-sigma", "mean-geometric"])
def test_the_errors_of_a_link_are_the_delta_method_of_both_calibrations(method: Any) -> None:
    old = known()
    new = known(np.array(A) * 1.2 + 0.02, np.array(D) + 0.8 * np.array(A), mean=0.0, variance=1.0)
    new = replace(new, covariance=2 * new.covariance)
    linked = link_calibration(new, old, method)

    def at(a: Calibration, b: Calibration) -> np.ndarray:
        found = link_calibration(a, b, method)
        line = [found.about["linking"][k] for k in ("slope", "intercept")]
        values = [v for e in found.entries for v in e.values]
        return np.array([*line, *values, found.variance, found.mean])

    parts = []
    for which, calibration in enumerate((new, old)):
        slopes = []
        for label in calibration.labels:
            ends = []
            for step in (1e-4, -1e-4):
                moved = _moved(calibration, label, step)
                ends.append(at(moved, old) if which == 0 else at(new, moved))
            slopes.append((ends[0] - ends[1]) / 2e-4)
        slopes = np.array(slopes).T
        parts.append(slopes @ calibration.covariance @ slopes.T)
    expected = parts[0] + parts[1]
    linking = linked.about["linking"]
    assert linking["slope_se"] == pytest.approx(np.sqrt(expected[0, 0]), rel=1e-3)
    assert linking["intercept_se"] == pytest.approx(np.sqrt(expected[1, 1]), rel=1e-3)
    assert linked.covariance == pytest.approx(expected[2:, 2:], rel=2e-3, abs=1e-5)
    assert linking["items"] == 4
    assert linked.mean == pytest.approx(linking["intercept"])
    assert linked.variance == pytest.approx(linking["slope"] ** 2)
    assert {d.code for d in linked.diagnostics} >= {"few_links"}


def test_links_of_items_moved_along_a_line_find_the_line() -> None:
    # theta_old = 1.25 theta_new - 0.5: a_new = 1.25 a_old and b_new = (b_old + .5) / 1.25.
    old = pd.DataFrame({"a": A, "b": [-1.0, 0.1, 0.6, 1.4], "c": [0.2, 0.0, 0.1, 0.25]})
    new = old.assign(a=old["a"] * 1.25, b=(old["b"] + 0.5) / 1.25)
    for method in METHODS:
        found = link(old, new, method)
        assert (found.slope, found.intercept) == pytest.approx((1.25, -0.5), abs=1e-6)
        assert found.items == 4
        assert np.isnan(found.slope_se)


def test_errors_of_a_mean_mean_link_by_hand() -> None:
    old = pd.DataFrame({"a": [1.0, 2.0], "b": [0.0, 1.0]})
    new = pd.DataFrame({"a": [2.0, 4.0], "b": [0.0, 1.0]})
    zero, own = np.zeros((4, 4)), np.diag([0.01, 0.04, 0.02, 0.03])
    slope, intercept, slope_se, intercept_se, _ = link(
        old, new, "mean-mean", old_vcov=own, new_vcov=zero
    )
    assert (slope, intercept) == pytest.approx((2.0, -0.5))
    # slope = mean a_new / mean a_old: -2 / 1.5 per unit of the latter, whose variance is .0125.
    assert slope_se == pytest.approx(2 / 1.5 * np.sqrt(0.05) / 2, rel=1e-6)
    of_b = 0.05 / 4
    assert intercept_se == pytest.approx(np.sqrt(of_b + (0.5 * slope_se) ** 2), rel=1e-6)
    swapped = link(old, new, "mean-mean", old_vcov=zero, new_vcov=own)
    assert swapped.slope_se == pytest.approx(np.sqrt(0.05) / 2 / 1.5, rel=1e-6)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda o: link(o, o.iloc[:1]), "at least two common items, got 1"),
        (lambda o: link(o, o.assign(b=np.nan)), "a and b of every common item"),
        (lambda o: link(o, o, cast(Any, "equal")), "linking method"),
    ],
)
def test_what_cannot_be_linked_is_said(call: Any, words: str) -> None:
    with pytest.raises(GfactorError, match=words):
        call(pd.DataFrame({"a": [1.0, 2.0], "b": [0.0, 1.0]}))


@pytest.mark.thorough
def test_a_calibration_is_called_by_its_model_and_by_what_was_calibrated() -> None:
    rng = np.random.default_rng(2)
    theta = rng.normal(size=(120, 1))
    right = rng.uniform(size=(120, 4)) < special.expit(theta - np.linspace(-1, 1, 4))
    data = pd.DataFrame(right.astype(int), columns=list("abcd"))
    about = {"population": "pupils", "respondents": {"n": 120, "families": 3},
             "bank": {"digest": "x"}}  # fmt: skip
    plain = calibrate_items(fit_irt("rasch", data), {"a": {"content_hash": "h"}}, about)
    assert plain.model == "rasch"
    assert plain.title == "rasch calibration of 4 items by 120 respondents: pupils"
    assert plain.facts["families"] == 3
    assert plain.facts["bank"] == "x"
    assert plain.entries[0].facts == {"content_hash": "h", "n": 120}
    assert plain.about["fit"]["n_free"] == 5
    mixed = calibrate_items(fit_irt(dict.fromkeys("abcd", "rasch"), data), {}, {})
    assert mixed.model == "mixed"
    assert mixed.title.endswith("by an unknown number of respondents: an unnamed population")
    groups = fit_irt("rasch", data, groups=["x", "y"] * 60)
    with pytest.raises(GfactorError, match="one factor and one group"):
        calibrate_items(groups, {}, {})


def test_linking_sees_slopes_difficulties_and_guessing_of_the_entries() -> None:
    table = common_parameters([*known(guess=0.2).entries, *known().entries[:1]])
    assert table["a"].tolist() == pytest.approx([*A, A[0]])
    assert table["b"].tolist() == pytest.approx(
        [-d / a for a, d in zip(A, D, strict=True)] + [-D[0] / A[0]]
    )
    assert table["c"].tolist() == pytest.approx([0.2] * 4 + [0.0])


def document(by: str = "item") -> dict[str, Any]:
    entries = known(guess=0.2).entries
    if by == "design":
        entries = tuple(replace(e, clone_sd=0.3, facts={"labels": {"k": 1}}) for e in entries)
    made = Calibration(by, "3pl", entries, ("i0.d", "i1.d"), 0.01 * np.eye(2))  # type: ignore[arg-type]
    return to_document(made)


def changed(given: Any, value: Any, *path: Any) -> Any:
    """The document with the value at a path; without the key where the value is ..."""
    made = copy.deepcopy(given)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return made


@pytest.mark.parametrize(
    ("value", "path", "said"),
    [
        ("x", ("format",), "is not a calibration"),
        (99, ("version",), "is of version 99"),
        (..., ("latent",), "latent"),
        (0, ("latent", "variance"), "variance must be positive, got 0"),
        ("1", ("latent", "mean"), "mean"),
        (True, ("latent", "mean"), "mean"),
        (float("nan"), ("latent", "mean"), "mean"),
        ([3], ("entries",), "entry 1 is not an object"),
        ([0], ("entries", 0, "scores"), "two or more numbers that ascend"),
        ([0, 0], ("entries", 0, "scores"), "two or more numbers that ascend"),
        ([0, "1"], ("entries", 0, "scores"), "scores"),
        (..., ("entries", 1, "parameters", "a1"), r"entry 2 \('i1'\), parameters"),
        (1.01, ("entries", 0, "parameters", "g"), r"g must lie in \[0, 1\], not 1.01"),
        (-0.01, ("entries", 0, "parameters", "g"), r"g must lie in \[0, 1\]"),
        (0.3, ("entries", 0, "clone_sd"), "clone_sd must be positive"),
        (-0.1, ("entries", 0, "clone_sd"), "clone_sd must be positive"),
        (3, ("entries", 0, "content_hash"), "content_hash must be text"),
        (["i0.d", "i0.d"], ("covariance", "parameters"), "a parameter is named twice"),
        ([[1.0]], ("covariance", "lower"), "lower triangle of a 2 x 2 matrix"),
        ([[1.0], [1.0]], ("covariance", "lower"), "lower triangle of a 2 x 2 matrix"),
    ],
)  # fmt: skip
def test_a_calibrations_document_says_where_it_is_wrong(value: Any, path: Any, said: str) -> None:
    with pytest.raises(ParameterError, match=said) as error:
        from_document(changed(document(), value, *path), "calibration 'f'")
    assert str(error.value).startswith("calibration 'f'")


def test_limits_of_a_calibrations_document_are_allowed() -> None:
    for value in (0, 1):
        again = from_document(changed(document(), value, "entries", 0, "parameters", "g"))
        assert special.expit(again.entries[0].values[2]) == value
    zero = changed(document(), [[0.0], [0.5, 0.0]], "covariance", "lower")
    assert from_document(zero).covariance.tolist() == [[0, 0.5], [0.5, 0]]
    cells = from_document(document("design"))
    assert [e.clone_sd for e in cells.entries] == [0.3] * 4
    with pytest.raises(ParameterError, match="a cell needs its labels"):
        from_document(changed(document("design"), "x", "entries", 1, "labels"))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["mean-sigma", "haebara", "stocking-lord"])
def test_errors_of_a_link_are_how_much_drawn_calibrations_move_it(method: Any) -> None:
    """Parameters of both forms drawn 250 times from their covariance, each pair linked anew."""
    rng = np.random.default_rng(6)
    count = 12
    old = np.stack([rng.lognormal(0, 0.2, count), np.linspace(-1.5, 1.5, count)])
    new = np.stack([old[0] * 1.2, (old[1] - 0.4) / 1.2])
    names = [f"i{k}" for k in range(count)]
    roots = [0.05 * rng.normal(size=(2 * count, 2 * count)) / np.sqrt(2 * count) for _ in "on"]
    vcovs = [0.04**2 * np.eye(2 * count) + root @ root.T for root in roots]

    def frame(values: np.ndarray) -> pd.DataFrame:
        return pd.DataFrame(values.reshape(2, count).T, index=names, columns=["a", "b"])

    line = link(frame(old), frame(new), method, old_vcov=vcovs[0], new_vcov=vcovs[1])
    assert (line.slope, line.intercept) == pytest.approx((1.2, 0.4), abs=1e-6)
    drawn = [rng.multivariate_normal(v.ravel(), c, 250)
             for v, c in zip((old, new), vcovs, strict=True)]  # fmt: skip
    lines = np.array([link(frame(a), frame(b), method)[:2] for a, b in zip(*drawn, strict=True)])
    spread = lines.std(axis=0, ddof=1)
    assert spread == pytest.approx([line.slope_se, line.intercept_se], rel=0.15)


def calibration(**more: Any) -> Calibration:
    entries = (
        Entry("x", "2pl", (0.0, 1.0), (1.2, -0.6)), Entry("y", "2pl", (0.0, 1.0), (0.8, 0.4)),
    )  # fmt: skip
    names = ("x.a1", "x.d", "y.a1", "y.d")
    covariance = np.diag([0.01, 0.02, 0.03, 0.04]) + 0.001
    return replace(Calibration("item", "2pl", entries, names, covariance, 0.1, 1.5), **more)


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
    assert sentence(6).endswith("after linking: q0, q1, q2, q3, q4 and 1 more.")
    assert sentence(6).startswith("6 common entries differ by more than 3 standard errors")
