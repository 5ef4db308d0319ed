"""Fit a PLS path model to a table."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.pls import diagnose
from gfactor.psychometrics.pls.data import Missing, Table, table_of
from gfactor.psychometrics.pls.iteration import MAX_ITERATIONS, TOLERANCE, Scheme
from gfactor.psychometrics.pls.model import PLSModel
from gfactor.psychometrics.pls.moments import standardized
from gfactor.psychometrics.pls.result import PLSFit
from gfactor.psychometrics.pls.solution import Settings, solve
from gfactor.psychometrics.pls.stages import Interaction, Sample, SecondOrder
from gfactor.psychometrics.pls.syntax import parse_pls


def fit_pls(
    data: pd.DataFrame,
    model: PLSModel | str,
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
    """A PLS path model of the columns of `data`, one row per case.

    Parameters
    ----------
    model: a `PLSModel` or its text (see `gfactor.psychometrics.pls.syntax`).
    scheme: inner weights: "path" (default; seminr's), "factorial" or "centroid" (GOLD's eq. 10).
    consistent: PLSc: loadings and paths of mode A constructs corrected for unreliability by rho_A.
    second_order, interaction: see `gfactor.psychometrics.pls.stages.estimate_model`.
    missing: what to do about missing cells; "error" refuses them. See `table_of`.
    sign: orientation of the constructs; see `estimate`.
    tolerance: on the sum of the absolute changes of all weights (seminr's default is 1e-7).

    Raises ParameterError, UnknownNameError and ModelSyntaxError for what cannot be fitted, each
    with one sentence.
    """
    if isinstance(model, str):
        model = parse_pls(model)
    settings = Settings(
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
            f"the weights of construct {name!r} vanish: its indicators correlate with nothing that "
            "it has a path with; check its columns and paths"
        )
    fit = PLSFit(model, settings, table, sample, solution)
    found = [
        *diagnose.of_data(table),
        *diagnose.of_solution(model, table, settings, solution),
        *diagnose.of_validity(fit.measurement, fit.htmt, model.parts),
    ]
    return PLSFit(model, settings, table, sample, solution, by_severity(found))


def sample_of(model: PLSModel, table: Table) -> Sample:
    """The table as a batch of one; with its rows where products need them."""
    if not model.interactions:
        return Sample(table.r[None])
    if np.isnan(table.x).any():
        raise ParameterError(
            "interactions need complete rows, and pairwise deletion leaves gaps; choose listwise, "
            "mean or em for missing cells"
        )
    z = standardized(table.x)[0]
    return Sample((z.T @ z / (len(z) - 1))[None], z[None])


def check_mode_b(model: PLSModel, table: Table) -> None:
    """Refuse a regression on as many indicators as there are rows."""
    for construct in model.constructs:
        size = len(construct.indicators)
        if construct.mode == "B" and not construct.second_order and size >= table.n:
            raise ParameterError(
                f"construct {construct.name!r} has {size} indicators in mode B for {table.n} rows, "
                "so their regression has no solution; use mode A (=~) or fewer indicators"
            )
