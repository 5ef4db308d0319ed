"""Conditional models: parameters per item and step, and designs of their difficulties."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.estimation.conditional import fit_conditional


def test_rating_scales_need_equal_categories_and_partial_credit_does_not() -> None:
    rng = np.random.default_rng(2)
    z = rng.normal(size=(150, 1)) + rng.normal(size=(150, 3))
    equal = pd.DataFrame(np.digitize(z, [-0.6, 0.6])).add_prefix("r")
    unequal = equal.assign(r0=(equal["r0"] > 0).astype(int))
    with pytest.raises(ParameterError, match="rsm needs the same number of categories"):
        fit_conditional("rsm", unequal)
    # A parameter per step of an item, less one for the origin; item and step effects, less one.
    assert len(fit_conditional("pcm", unequal).estimates) == (1 + 2 + 2) - 1
    assert len(fit_conditional("pcm", equal).estimates) == 3 * 2 - 1
    assert len(fit_conditional("rsm", equal).estimates) == (3 - 1) + (2 - 1)


def answers(shifts: tuple[float, ...] = (0, 0, 0, 0, 0, 1.4), n: int = 400) -> pd.DataFrame:
    """Rasch items; the second half of the people finds some of them harder."""
    rng = np.random.default_rng(7)
    theta = rng.normal(size=(n, 1)) + np.repeat([0, 0.3], n // 2)[:, None]
    b = np.linspace(-1, 1, len(shifts)) + np.repeat([0, 1], n // 2)[:, None] * np.array(shifts)
    right = rng.random((n, len(shifts))) < special.expit(theta - b)
    return pd.DataFrame(right.astype(float), columns=[f"i{k}" for k in range(len(shifts))])


def test_an_effect_on_easiness_needs_a_row_for_every_item() -> None:
    data = answers((0, 0, 0, 0))
    design = pd.DataFrame({"all": [0.0, 1, 1, 2]}, index=["i0", "i1", "i2", "i3"])
    found = fit_conditional("lltm", data, design=design)
    assert found.names == ("all",)
    # Rows are taken by name: their order is of no consequence.
    again = fit_conditional("lltm", data, design=design.iloc[::-1])
    assert again.estimates == pytest.approx(found.estimates)
    with pytest.raises(ParameterError, match="lltm needs a design"):
        fit_conditional("lltm", data)
    with pytest.raises(ParameterError, match="no row for the item 'i3'"):
        fit_conditional("lltm", data, design=design.head(3))
