"""Two-level models of incomplete cases and of groups: each cluster's seen values as one normal
vector, derivatives by differences, scores by regression, and what groups share.

lavaan's digits are replayed in test_recorded_fits.py.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from support import lavaan_recorded as recorded

from gfactor.errors import GfactorError, ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.syntax import parse_model
from gfactor.psychometrics.sem.twolevel import TwoLevelFit
from gfactor.psychometrics.sem.twolevel.group_levels import CompleteLevels
from gfactor.psychometrics.sem.twolevel.incomplete import IncompleteLevels

GAPS: Any = recorded.sample("two_levels_gaps")
REGIONS: Any = recorded.sample("two_levels_groups")
BOTH = """
level: 1
  fw =~ y1 + y2 + y3
  fw ~ x1 + x2
level: 2
  fb =~ y1 + y2 + y3
  fb ~ x2
  grade ~ fb + funds
"""
FACTOR = "level: 1\nfw =~ y1 + y2 + y3\nlevel: 2\nfb =~ y1 + y2 + y3"


@cache
def fitted(**changes: Any) -> TwoLevelFit:
    """Fit BOTH to a third of the schools, with values missing at both levels."""
    some = GAPS[GAPS["school"] % 3 == 1]
    return cast(TwoLevelFit, sem.fit(BOTH, some, cluster="school", missing="ml", **changes))


@cache
def regions(text: str = FACTOR, **changes: Any) -> TwoLevelFit:
    return cast(TwoLevelFit, sem.fit(text, REGIONS, cluster="school", group="region", **changes))


def moved(fit: TwoLevelFit) -> np.ndarray:
    """Parameters away from the minimum, where no derivative is zero."""
    return fit.theta * 1.1 + 0.02


def whole_vector(
    fit: TwoLevelFit, theta: np.ndarray, code: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """All values seen in a cluster, their means and covariances, and the covariances of the latent
    variables of both levels (the cases' one after the other, then the cluster's) with them."""
    within, between = fit.levels.likelihood.at(theta).groups
    clusters = fit.levels.clusters[0]
    rows = clusters.rows[clusters.codes == code]
    p, names, n = len(clusters.within), clusters.variables, len(rows)
    sizes = [p] * n + [len(names) - p]
    total = sum(sizes)
    lift = np.zeros((total, len(names)))
    for case in range(n):
        lift[case * p : (case + 1) * p, :p] = np.eye(p)
    lift[n * p :, p:] = np.eye(len(names) - p)
    positions = clusters.positions[1]
    inside, outside = np.zeros((total, total)), np.zeros((len(names), len(names)))
    for case in range(n):
        inside[case * p : (case + 1) * p, case * p : (case + 1) * p] = within.sigma
    outside[np.ix_(positions, positions)] = between.sigma
    mean = np.zeros(len(names))
    mean[:p] += within.mu
    mean[positions] += between.mu
    latent = [np.zeros((total,)) for _ in range(n)]
    for case, one in enumerate(latent):
        one[case * p : (case + 1) * p] = (within.latent_cov @ within.loading.T)[0]
    level = np.zeros(len(names))
    level[positions] = (between.latent_cov @ between.loading.T)[0]
    values = np.concatenate([rows[:, :p].ravel(), clusters.means[code, p:]])
    seen = ~np.isnan(values)
    sigma = (inside + lift @ outside @ lift.T)[np.ix_(seen, seen)]
    cross = np.array([*latent, lift @ level])[:, seen]
    return values[seen], (lift @ mean)[seen], sigma, cross


def by_cluster(fit: TwoLevelFit, theta: np.ndarray) -> np.ndarray:
    codes = range(fit.n_clusters)
    parts = [whole_vector(fit, theta, code) for code in codes]
    return np.array(
        [multivariate_normal.logpdf(y, mean, cast(Any, cov)) for y, mean, cov, _ in parts]
    )


@pytest.mark.thorough
def test_the_likelihood_is_that_of_each_clusters_seen_values() -> None:
    fit = fitted(fixed_x=False)
    clusters = fit.levels.clusters[0]
    assert np.isnan(clusters.rows[:, :3]).any()
    assert np.isnan(clusters.means[:, clusters.variables.index("grade")]).any()
    like = fit.levels.likelihood
    assert like.log_likelihood(like.at(moved(fit))) == pytest.approx(
        by_cluster(fit, moved(fit)).sum(), rel=1e-12
    )
    assert fit.measures["logl"] == pytest.approx(by_cluster(fit, fit.theta).sum(), rel=1e-10)


@pytest.mark.thorough
def test_gradient_hessian_and_scores_are_those_of_differences() -> None:
    fit = fitted(fixed_x=False)
    like, theta = fit.levels.likelihood, moved(fit)
    here = like.at(theta)
    steps = 1e-5 * np.eye(len(theta))
    values = [like.value(like.at(theta + s)) - like.value(like.at(theta - s)) for s in steps]
    np.testing.assert_allclose(like.gradient(here), np.array(values) / 2e-5, atol=1e-8)
    slopes = [like.gradient(like.at(theta + s)) - like.gradient(like.at(theta - s)) for s in steps]
    np.testing.assert_allclose(like.hessian(here), np.array(slopes) / 2e-5, atol=1e-7)
    scores = like.scores(here)
    np.testing.assert_allclose(scores.sum(axis=0) / fit.n, -like.gradient(here), atol=1e-12)
    for k in range(0, len(theta), 5):
        slope = (by_cluster(fit, theta + steps[k]) - by_cluster(fit, theta - steps[k])) / 2e-5
        np.testing.assert_allclose(scores[:, k], slope, rtol=1e-5, atol=1e-6)


@pytest.mark.thorough
def test_the_expected_information_is_that_of_the_seen_values_normal_vectors() -> None:
    fit = fitted(fixed_x=False)
    like, theta = fit.levels.likelihood, fit.theta
    clusters = fit.levels.clusters[0]
    step, total = 1e-5, np.zeros((len(theta),) * 2)
    for code in range(clusters.count):
        _, _, sigma, _ = whole_vector(fit, theta, code)
        ends = [
            [whole_vector(fit, theta + sign * step * way, code) for sign in (1, -1)]
            for way in np.eye(len(theta))
        ]
        moves = np.array([(a[2] - b[2]) / (2 * step) for a, b in ends])
        shifts = np.array([(a[1] - b[1]) / (2 * step) for a, b in ends])
        turned = np.linalg.solve(sigma, moves)
        total += np.einsum("aij,bji->ab", turned, turned) / 2
        total += shifts @ np.linalg.solve(sigma, shifts.T)
    np.testing.assert_allclose(like.expected(like.at(theta)), total / fit.n, rtol=1e-5, atol=1e-7)


def test_complete_cases_have_the_same_likelihood_by_either_way() -> None:
    fit = regions()
    point = fit.levels.likelihood.at(moved(fit))
    for number, levels in enumerate(point.levels):
        assert isinstance(levels, CompleteLevels)
        other = IncompleteLevels(point, number, levels.clusters)
        assert other.value == pytest.approx(levels.value, rel=1e-12)
        np.testing.assert_allclose(other.bend(True), levels.bend(True), atol=1e-11)
        np.testing.assert_allclose(other.bend(False), levels.bend(False), atol=1e-11)
        np.testing.assert_allclose(other.scores(), levels.scores(), atol=1e-9)
        for one, two in zip(other.slopes, levels.slopes, strict=True):
            np.testing.assert_allclose(one[0], two[0], atol=1e-12)
            np.testing.assert_allclose(one[1], two[1], atol=1e-12)


def test_factor_scores_are_expectations_given_the_seen_values() -> None:
    fit = fitted(fixed_x=False)
    clusters = fit.levels.clusters[0]
    cases, schools = fit.scores(level=1), fit.scores(level=2)
    within, between = fit.point.groups
    assert cases.scores.notna().all(axis=None)
    for code in range(0, clusters.count, 6):
        values, mean, sigma, cross = whole_vector(fit, fit.theta, code)
        expected = cross @ np.linalg.solve(sigma, values - mean)
        left = (cross * np.linalg.solve(sigma, cross.T).T).sum(axis=1)
        at = np.flatnonzero(clusters.codes == code)
        np.testing.assert_allclose(
            cases.scores["fw"].to_numpy()[at], within.latent_mean[0] + expected[:-1], atol=1e-9
        )
        np.testing.assert_allclose(
            schools.scores["fb"].to_numpy()[code], between.latent_mean[0] + expected[-1], atol=1e-9
        )
        np.testing.assert_allclose(
            schools.error["fb"].to_numpy()[code] ** 2,
            between.latent_cov[0, 0] - left[-1],
            atol=1e-9,
        )
        np.testing.assert_allclose(
            cases.error["fw"].to_numpy()[at] ** 2, within.latent_cov[0, 0] - left[:-1], atol=1e-9
        )
    again = fit.scores(GAPS[GAPS["school"] % 3 == 1], level=1)
    np.testing.assert_allclose(again.scores, cases.scores, atol=1e-12)


@pytest.mark.thorough
def test_gaps_are_filled_by_the_model_and_not_by_leaving_cases_out() -> None:
    listwise = sem.fit(FACTOR, GAPS, cluster="school")
    whole = sem.fit(FACTOR, recorded.sample("two_levels"), cluster="school")
    full = sem.fit(FACTOR, GAPS, cluster="school", missing="ml")
    assert listwise.n < full.n <= whole.n
    loadings = "op == '=~' and se > 0 and group == 1"
    errors: Any = [one.estimates.query(loadings)["se"].mean() for one in (full, listwise)]
    assert errors[0] < 0.97 * errors[1]


@pytest.mark.thorough
def test_groups_without_anything_equal_are_the_fits_of_each() -> None:
    both = regions()
    each = [sem.fit(FACTOR, part, cluster="school") for _, part in REGIONS.groupby("region")]
    for measure in ("logl", "chisq", "df", "npar"):
        total = sum(float(one.measures[measure] or 0) for one in each)
        assert both.measures[measure] == pytest.approx(total, rel=1e-8), measure
    np.testing.assert_allclose(
        both.estimates.query("group > 2")["est"], each[1].estimates["est"], atol=1e-6
    )
    assert both.sample.labels == (
        "north: within",
        "north: between",
        "south: within",
        "south: between",
    )
    assert list(both.icc.index) == [
        f"y{k} ({one})" for one in ("north", "south") for k in (1, 2, 3)
    ]
    text = both.summary()
    assert "Level 1: within clusters (south)" in both.apa()
    sizes = [len(part) for _, part in REGIONS.groupby("region")]
    assert f"n = {sizes[0]} + {sizes[1]} in 30 + 60 clusters in 2 groups" in text
    paragraph = both.paragraph()
    assert f"{sum(sizes)} persons in 90 clusters and 2 groups (north: {sizes[0]}, " in paragraph


@pytest.mark.thorough
def test_robust_errors_of_groups_are_those_of_each_groups_fit() -> None:
    """With nothing equal across groups; lavaan's are for each group (test_recorded_fits.py)."""
    both = regions(estimator="MLR")
    for number, (_, part) in enumerate(REGIONS.groupby("region")):
        alone = sem.fit(FACTOR, part, cluster="school", estimator="MLR")
        here = both.estimates["group"].isin([2 * number + 1, 2 * number + 2])
        np.testing.assert_allclose(both.estimates["se"][here], alone.estimates["se"], rtol=1e-6)


@pytest.mark.thorough
def test_equal_loadings_are_equal_over_groups_within_their_level() -> None:
    plain, equal = regions(), regions(group_equal=("loadings",))
    loadings = equal.estimates.query("op == '=~'").pivot(
        index=["lhs", "rhs"], columns="group", values="est"
    )
    for level, lhs in ((1, "fw"), (2, "fb")):
        np.testing.assert_allclose(loadings.loc[lhs][level], loadings.loc[lhs][level + 2])
    assert abs(loadings.loc[("fw", "y2"), 1] - loadings.loc[("fb", "y2"), 2]) > 1e-3
    assert equal.problem.df - plain.problem.df == 4
    assert float(equal.measures["chisq"] or 0) > float(plain.measures["chisq"] or 0)
    means = regions(group_equal=("loadings", "intercepts")).estimates
    freed = means.query("op == '~1' and lhs == 'fb' and group == 4")
    assert freed["se"].item() > 0


@pytest.mark.thorough
def test_each_group_may_have_levels_of_its_own_and_labels_tie_groups() -> None:
    own = "group: south\n" + FACTOR.replace("y1 + y2", "y1 + a*y2") + "\ngroup: north\n" + (
        FACTOR.replace("fw =~ y1 + y2", "fw =~ y1 + a*y2")
    )  # fmt: skip
    fit = regions(own)
    loadings: Any = fit.estimates.query("op == '=~' and rhs == 'y2'").set_index("group")["est"]
    assert loadings[3] == pytest.approx(loadings[4], rel=1e-9)  # south has the label at both levels
    assert loadings[1] == pytest.approx(loadings[3], rel=1e-9)
    assert abs(loadings[2] - loadings[4]) > 1e-3
    assert str(parse_model(own)) == str(parse_model(str(parse_model(own))))


def test_new_cases_are_scored_with_the_moments_of_their_group() -> None:
    fit = regions()
    own = fit.scores(level=1)
    new = fit.scores(REGIONS, level=1, group="region")
    np.testing.assert_allclose(new.scores["fw"], own.scores["fw"], atol=1e-12)
    assert own.groups == tuple(REGIONS["region"])
    north = fit.scores(REGIONS[REGIONS["region"] == "north"], level=2, group="north")
    assert len(north.scores) == 30
    np.testing.assert_allclose(
        north.scores["fb"], fit.scores(level=2).scores["fb"].iloc[:30], atol=1e-12
    )
    with pytest.raises(ParameterError, match=r"has the groups north, south; name the column"):
        fit.scores(REGIONS, level=1)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("level: 1\nfw =~ y1 + y2 + y3\ngroup: a\nlevel: 2\ny1 ~~ y2", "write 'group:' first"),
        ("group: north\n" + FACTOR, "1 blocks? 'group:', the data 2 groups"),
        (f"group: north\n{FACTOR}\ngroup: south\nlevel: 1\ny1 ~~ y2", "1 block 'level:'"),
    ],
)
def test_groups_of_levels_that_are_incomplete_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(GfactorError, match=sentence):
        regions(text)
