"""Fit a PLS path model to a table."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.given import model_and_data_in_either_order
from gfactor.psychometrics.pls import diagnose
from gfactor.psychometrics.pls.data import Missing, ModelColumns, table_of
from gfactor.psychometrics.pls.iteration import MAX_ITERATIONS, TOLERANCE, Scheme
from gfactor.psychometrics.pls.model import PLSModel
from gfactor.psychometrics.pls.moments import standardized
from gfactor.psychometrics.pls.result import PLSFit
from gfactor.psychometrics.pls.solution import PathSettings, solve
from gfactor.psychometrics.pls.stages import CorrelationSamples, Interaction, SecondOrder
from gfactor.psychometrics.pls.syntax import parse_pls


@model_and_data_in_either_order
def fit_pls(
    model: PLSModel | str,
    data: pd.DataFrame,
    *,
    scheme: Scheme = "path",
    consistent: bool = False,
    second_order: SecondOrder = "two-stage",
    interaction: Interaction = "two-stage",
    missing: Missing = "error",
    sign: Literal["sum", "first", "none"] = "sum",
    tolerance: float = TOLERANCE,
    max_iterations: int = MAX_ITERATIONS,
) -> PLSFit:
    """Fit a PLS path model to the columns of `data`, one row per case.

    Parameters
    ----------
    model : PLSModel or str
        A `PLSModel` or its text (see `gfactor.psychometrics.pls.syntax`).
    data : DataFrame
        One row per case.
    scheme : Scheme
        Scheme of the inner weights: "path" (default, as in seminr), "factorial" or "centroid"
        (GOLD's eq. 10).
    consistent : bool
        True for PLSc: loadings and paths of mode A constructs are corrected for unreliability by
        rho_A.
    second_order : SecondOrder
        See `gfactor.psychometrics.pls.stages.estimate_model`.
    interaction : Interaction
        See `gfactor.psychometrics.pls.stages.estimate_model`.
    missing : Missing
        Treatment of missing values: "error" refuses data that have any, "listwise" leaves out
        their rows, "pairwise" uses all rows that have both columns, "mean" fills in the mean of
        the column, "em" fills in expected values by the EM algorithm. See `table_of`.
    sign : {'sum', 'first', 'none'}
        Orientation of the constructs; see `estimate`.
    tolerance : float
        Limit of the sum of the absolute changes of all weights (seminr's default is 1e-7).
    max_iterations : int
        Largest number of iterations of Wold's algorithm.

    Returns
    -------
    PLSFit
        Paths, loadings, weights, reliability, diagnostics.

    Raises
    ------
    ParameterError, UnknownNameError, ModelSyntaxError
        If the data, the model or an option does not allow a fit; the message gives the reason.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import fit_pls, parse_pls
    >>> random = np.random.default_rng(1)
    >>> a = random.normal(size=100)
    >>> data = pd.DataFrame({f"x{k}": a + random.normal(size=100) for k in range(4)})
    >>> fit_pls(parse_pls("A =~ x0 + x1; B =~ x2 + x3; B ~ A"), data).converged
    True
    """
    if isinstance(model, str):
        model = parse_pls(model)
    settings = PathSettings(
        scheme, second_order, interaction, consistent, sign, tolerance, max_iterations
    )
    table = table_of(data, model.columns, missing)
    check_mode_b(model, table)
    sample = sample_of(model, table)
    solution = solve(model, sample, settings)
    lost = np.flatnonzero(~np.isfinite(solution.plain.weights[0]))
    if lost.size:
        name = solution.constructs[solution.design.owner[lost[0]]]
        raise ParameterError(
            f"the weights of construct {name!r} are zero: its indicators do not correlate with any "
            "construct to which it has a path; check its columns and paths"
        )
    fit = PLSFit(model, settings, table, sample, solution)
    diagnostics = [
        *diagnose.of_data(table),
        *diagnose.of_solution(model, table, settings, solution),
        *diagnose.of_validity(fit.measurement, fit.htmt, model.parts, fit.formative),
    ]
    return PLSFit(model, settings, table, sample, solution, by_severity(diagnostics))


def sample_of(model: PLSModel, table: ModelColumns) -> CorrelationSamples:
    """Return the table as a batch of one sample; it includes the rows if the model has
    interactions."""
    if not model.interactions:
        return CorrelationSamples(table.r[None])
    if np.isnan(table.x).any():
        raise ParameterError(
            "interactions need complete rows, and pairwise deletion leaves gaps; choose listwise, "
            "mean or em for missing cells"
        )
    z = standardized(table.x)[0]
    return CorrelationSamples((z.T @ z / (len(z) - 1))[None], z[None])


def check_mode_b(model: PLSModel, table: ModelColumns) -> None:
    """Raise an error for mode B with at least as many indicators as rows."""
    for construct in model.constructs:
        size = len(construct.indicators)
        if construct.mode == "B" and not construct.second_order and size >= table.n:
            raise ParameterError(
                f"construct {construct.name!r} has {size} indicators in mode B for {table.n} rows, "
                "so their regression has no solution; use mode A (=~) or fewer indicators"
            )
