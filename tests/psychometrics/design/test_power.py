"""Powers and sample sizes are R's, to the digit; peers' misprints are shown."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.design_oracles import recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics.classical.consistency import feldt_interval
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.inference.power import (
    connor_n,
    mcnemar_n,
    mcnemar_power,
    minimal_detectable_difference,
    paired_n,
    resampled_sd,
    rmsea_n,
    rmsea_power,
    smallest_n,
)
from gfactor.psychometrics.inference.precision import alpha_n, proportion_n

HYPOTHESES = {"close": (0.05, 0.08), "not_close": (0.05, 0.01), "exact": (0.0, 0.05)}


def test_power_of_tests_of_fit_by_rmsea() -> None:
    result = recorded("power_rmsea")["result"]
    for row in result["power"]:
        for name, (null, alternative) in HYPOTHESES.items():
            found = rmsea_power(row["df"], row["N"], null=null, alternative=alternative)
            assert found == pytest.approx(row[name], abs=1e-9)
    for row in result["min_N_power_80"]:
        for name, (null, alternative) in HYPOTHESES.items():
            assert rmsea_n(row["df"], null=null, alternative=alternative) == row[name]["n"]


@pytest.mark.slow
def test_power_of_mcnemars_test_sums_over_discordant_pairs() -> None:
    result = recorded("power_mcnemar")["result"]
    for row in result["power"]:
        for test in ("exact", "mid_p", "asymptotic"):
            found = mcnemar_power(row["n"], row["p10"], row["p01"], alpha=row["alpha"], test=test)
            assert found == pytest.approx(row[test], abs=1e-9)
    for row in result["sample_size"]:
        shares, power = (row["p10"], row["p01"]), row["power"]
        assert connor_n(*shares, power=power) == pytest.approx(row["normal_connor_unrounded"])
        assert mcnemar_n(*shares, power=power) == row["exact"]["stays_from_n"]
        assert mcnemar_n(*shares, power=power, test="mid_p") == row["mid_p"]["stays_from_n"]


def test_paired_and_clustered_sample_sizes() -> None:
    result = recorded("power_paired_cluster")["result"]
    for row in result["n_for_delta"]:
        named = {k: row[k] for k in ("power", "alpha", "sides", "cluster_size", "icc")}
        assert paired_n(row["delta"], row["sd_diff"], **named) == pytest.approx(
            row["n_clustered"], rel=1e-10
        )
    for row in result["mde"]:
        named = {k: row[k] for k in ("power", "alpha", "sides", "cluster_size", "icc")}
        assert minimal_detectable_difference(row["n"], row["sd_diff"], **named) == pytest.approx(
            row["mde"], rel=1e-10
        )
    for row in result["miller_resampling"]:
        sd = resampled_sd(row["omega2"], row["sigma2_A"], row["sigma2_B"], row["K_A"], row["K_B"])
        assert paired_n(row["delta"], sd) == pytest.approx(row["n"], rel=1e-10)


def test_evalsigs_documented_figures_are_not_those_of_its_formula() -> None:
    """It documents a detectable difference of .0226 and 6,173 items (sd .3, 1,000 items; .01)."""
    assert round(minimal_detectable_difference(1000, 0.3, sides=1), 4) == 0.0236
    assert math.ceil(paired_n(0.01, 0.3, sides=1)) == 5565
    assert math.ceil(paired_n(0.01, 0.3)) == 7064


def test_precision_of_alpha_and_of_proportions() -> None:
    result = recorded("power_reliability_precision")["result"]
    for row in result["feldt_n"]:
        assert alpha_n(row["alpha"], row["k"], width=row["width"]) == row["n"]
    for row in result["wilson_n"]:
        assert proportion_n(row["p"], half_width=row["half_width"]) == row["n"]


def test_sample_sizes_are_the_first_that_are_enough() -> None:
    n = alpha_n(0.7, 8, width=0.2, level=0.9)
    widths = [np.diff(feldt_interval(0.7, m, 8, 0.9))[0] for m in (n - 1, n)]
    assert widths[1] <= 0.2 < widths[0]
    n = proportion_n(0.6, half_width=0.08, level=0.9)
    reach = [(np.subtract(*wilson(0.6 * m, m, 0.9)[::-1])) / 2 for m in (n - 1, n)]
    assert reach[1] <= 0.08 < reach[0]


def test_the_largest_sample_size_that_is_searched_is_ten_millions() -> None:
    assert smallest_n(lambda n: n >= 10_000_000, 10_000_000, "x") == 10_000_000
    assert smallest_n(lambda n: n >= 4_321_987, 3, "x") == 4_321_987
    with pytest.raises(ParameterError, match=r"a width is not reached with 10,000,000$"):
        smallest_n(lambda n: False, 2, "a width")
