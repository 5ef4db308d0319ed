"""Powers and sample sizes are R's, to the digit; peers' misprints are shown."""

from __future__ import annotations

import pytest
from support.design_oracles import recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.power import (
    connor_n,
    mcnemar_n,
    mcnemar_power,
    rmsea_power,
    smallest_n,
)

HYPOTHESES = {"close": (0.05, 0.08), "not_close": (0.05, 0.01), "exact": (0.0, 0.05)}


def test_power_of_tests_of_fit_by_rmsea() -> None:
    result = recorded("power_rmsea")["result"]
    for row in result["power"]:
        for name, (null, alternative) in HYPOTHESES.items():
            found = rmsea_power(row["df"], row["N"], null=null, alternative=alternative)
            assert found == pytest.approx(row[name], abs=1e-9)


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


def test_the_largest_sample_size_that_is_searched_is_ten_millions() -> None:
    assert smallest_n(lambda n: n >= 10_000_000, 10_000_000, "x") == 10_000_000
    assert smallest_n(lambda n: n >= 4_321_987, 3, "x") == 4_321_987
    with pytest.raises(ParameterError, match=r"a width is not reached even with n = 10,000,000$"):
        smallest_n(lambda n: False, 2, "a width")
