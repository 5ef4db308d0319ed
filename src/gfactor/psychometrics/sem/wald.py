"""Wald tests of constraints that a fitted model does not have.

References
----------
Wald, A. (1943). Tests of statistical hypotheses concerning several parameters when the number of
    observations is large. Transactions of the American Mathematical Society 54, 426-482.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import eigvalsh, solve
from gfactor.psychometrics.sem.constraints import Quantities
from gfactor.psychometrics.sem.syntax import parse_relations
from gfactor.psychometrics.sem.syntax.expressions import Binary
from gfactor.results import Result

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.fitted import Fit


@dataclass(frozen=True, repr=False)
class WaldTest(Result):
    """A test of constraints at the estimates of a model without them.

    Parameters
    ----------
    constraints: the equations, as they were written.
    values: left side less right side at the estimates.
    chisq, df, pvalue: the test of all together, by the standard errors of the fit.
    diagnostics: limits to the use of the test.
    """

    constraints: tuple[str, ...]
    values: tuple[float, ...]
    chisq: float
    df: int
    pvalue: float
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        return (
            f"Wald test of {', '.join(self.constraints)}: chi-square {self.chisq:.3f}, df "
            f"{self.df}, p {p_value(self.pvalue, '= ')}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "diagnostics"}

    def _lines(self) -> list[str]:
        return [self.title]


def wald_test(fit: Fit, constraints: str) -> WaldTest:
    """Test equations of labelled parameters that are free in the model, by a Wald test.

    Parameters
    ----------
    fit : Fit
        Fit whose parameters have the labels.
    constraints : str
        Equations in lavaan's language, such as "a == b" and "a*b == 0.3", one per line or separated
        by semicolons. Names are labels and defined quantities.

    Returns
    -------
    WaldTest
        `chisq`, `df`, `pvalue`. A robust covariance matrix of the estimates gives a robust test.

    Raises
    ------
    ParameterError
        If a text is not an equation, a name is unknown, equations follow from each other or already
        hold in the model, or estimates have no standard errors.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import sem
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> fit = sem.fit("g =~ x1 + a*x2 + b*x3 + x4", data)
    >>> sem.wald_test(fit, "a == b; a == 1").df
    2
    """
    equations = _equations(constraints)
    quantities = Quantities(fit.table)
    for text, difference in equations:
        absent = next((name for name in difference.names if name not in quantities.names), None)
        if absent is not None:
            raise ParameterError(
                f"{text!r} uses {absent!r}, which is neither a label of a parameter nor a defined "
                "quantity; label the parameter in the model (a*x1)."
            )
    values = np.array([quantities.value(one, fit.theta) for _, one in equations])
    slopes = np.vstack([quantities.gradient(one, fit.theta) for _, one in equations])
    named = np.any(slopes != 0, axis=0)
    covariance = fit.vcov_matrix[np.ix_(named, named)]
    if not np.isfinite(covariance).all():
        raise ParameterError(
            "a Wald test needs standard errors of all parameters that it names; look at the "
            "diagnostics of the fit, or leave se = 'none' out."
        )
    spread = slopes[:, named] @ covariance @ slopes[:, named].T
    scale = np.sqrt(np.maximum(spread.diagonal(), 0.0))
    if not (scale > 0).all() or eigvalsh(spread / np.outer(scale, scale))[0] < 1e-10:
        raise ParameterError(
            "some of the equations follow from others, or hold in the model anyway; leave them out."
        )
    chisq = float(values @ solve(spread, values))
    return WaldTest(
        tuple(text for text, _ in equations), tuple(values.tolist()), chisq, len(values),
        float(special.chdtrc(len(values), chisq)),
    )  # fmt: skip


def _equations(text: str) -> list[tuple[str, Binary]]:
    """The equations of a text, each with its left side less its right side."""
    relations = parse_relations(text)
    bad = next((one for one in relations if one.op != "=="), None)
    if bad is not None or not relations:
        given = f", got '{bad}'" if bad is not None else ""
        raise ParameterError(f"a Wald test takes equations such as 'a == b'{given}.")
    return [(str(one), Binary("-", one.lhs, one.rhs)) for one in relations]
