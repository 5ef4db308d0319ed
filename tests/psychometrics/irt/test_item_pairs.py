"""Local dependence of pairs by brute force, and answers that a fit simulates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from psychometrics.irt.test_many_factors import answers, clusters
from scipy import special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt import Quadrature, fit_irt
from gfactor.psychometrics.irt.checks.itemfit import q3


def dependent(persons: int = 600) -> pd.DataFrame:
    """Five items, two of which share more than ability; a graded one; some gaps."""
    rng = np.random.default_rng(8)
    theta, shared = rng.normal(size=(2, persons, 1))
    predictor = 1.3 * theta + rng.normal(0, 0.5, 5)
    predictor[:, 3:] += 1.2 * shared
    data = pd.DataFrame((rng.uniform(size=predictor.shape) < special.expit(predictor)) * 1.0)
    data.columns = list("abcde")
    data["b"] += rng.uniform(size=persons) < special.expit(theta[:, 0])
    data.iloc[::9, 2] = np.nan
    return data


def test_ld_x2_is_pearsons_statistic_of_each_table_of_two_items() -> None:
    data = dependent()
    fit: Any = fit_irt("grm", data)
    table = fit.local_dependence
    assert len(table) == 10
    assert list(table.iloc[0][["first", "second"]]) == ["d", "e"]
    assert table["p_fdr"].iloc[0] < 0.05
    assert list(table["ld_x2"]) == sorted(table["ld_x2"], reverse=True)
    theta = np.linspace(-8, 8, 801)
    density = stats.norm.pdf(theta) * (theta[1] - theta[0])
    slopes = fit.items.set_index("item")["a"].to_dict()
    cuts = {item: [b] for item, b in fit.items[["item", "b"]].itertuples(index=False)}
    cuts |= fit.thresholds.groupby("item")["b"].apply(list).to_dict()

    def chances(item: str) -> np.ndarray:
        above = special.expit(slopes[item] * (theta - np.array(cuts[item])[:, None]))
        return -np.diff(above, axis=0, prepend=np.ones((1, len(theta))), append=0.0)

    for row in table.itertuples():
        seen = data[[row.first, row.second]].dropna()
        observed = pd.crosstab(seen[row.first], seen[row.second]).to_numpy()
        expected = len(seen) * (chances(row.first) * density) @ chances(row.second).T
        x2 = ((observed - expected) ** 2 / expected).sum()
        assert row.ld_x2 == pytest.approx(x2, rel=1e-3)
        assert (row.n, row.df) == (len(seen), (len(observed) - 1) * (observed.shape[1] - 1))
        assert row.p == pytest.approx(stats.chi2.sf(row.ld_x2, row.df))
        assert row.q3 == pytest.approx(q3(fit).loc[row.first, row.second])


def test_local_dependence_is_of_one_factor() -> None:
    data = answers(150, 2, 3, 0.3, 4)
    fit: Any = fit_irt("1pl", data, factors=clusters(data, 2))
    with pytest.raises(ParameterError, match="one factor"):
        _ = fit.local_dependence


def test_simulated_answers_have_the_models_means_gaps_and_correlations() -> None:
    data = dependent(400)
    fit: Any = fit_irt("grm", data)
    first, again = fit.simulate(3), fit.simulate(3)
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(fit.simulate(4))
    assert (first.isna() == data.isna().to_numpy()).to_numpy().all()
    assert set(first["b"].dropna()) == {0.0, 1.0, 2.0}
    draws = np.mean([fit.simulate(seed).mean() for seed in range(40)], axis=0)
    assert draws == pytest.approx(data.mean().to_numpy(), abs=0.02)


@pytest.mark.thorough
def test_simulated_answers_follow_groups_and_correlated_factors() -> None:
    data: Any = answers(400, 2, 4, 0.7, 4)
    groups = ["u", "v"] * 200
    data.iloc[1::2] = np.maximum(data.iloc[1::2], answers(200, 2, 4, 0.7, 9).to_numpy())
    fit: Any = fit_irt(
        "1pl", data, factors=clusters(data, 2), groups=groups, quadrature=Quadrature(11, 4.5),
        tolerance=0.01,
    )  # fmt: skip
    drawn = [fit.simulate(seed) for seed in range(40)]
    halves = [data.iloc[:, :4].sum(axis=1), data.iloc[:, 4:].sum(axis=1)]
    means = np.mean([one.groupby(groups).mean().mean(axis=1) for one in drawn], axis=0)
    assert means == pytest.approx(data.groupby(groups).mean().mean(axis=1), abs=0.03)
    both = [one.iloc[:, :4].sum(axis=1).corr(one.iloc[:, 4:].sum(axis=1)) for one in drawn]
    assert np.mean(both) == pytest.approx(halves[0].corr(halves[1]), abs=0.05)
