"""Explanatory item response models: difficulties as sums of effects of what items are made of.

The linear logistic test model has b = X eta exactly. With error, b_j = x_j' eta + e_j with
e_j ~ N(0, tau^2); its estimates here are those of the second of two stages: the difficulties of the
Rasch model with their joint covariance S are normal around X eta with covariance tau^2 I + S, and
eta and tau^2 maximize the (restricted) likelihood of that (Hedges and Olkin 1985; for items Mislevy
1988). It is the marginal model as far as the Rasch model's likelihood is normal in b.

References
----------
Fischer, G. H. (1973). The linear logistic test model as an instrument in educational research. Acta
    Psychologica 37, 359-374.
Mislevy, R. J. (1988). Exploiting auxiliary information about items in the estimation of Rasch item
    difficulty parameters. Applied Psychological Measurement 12, 281-296.
Janssen, R., Schepers, J., Peres, D. (2004). Models with item and item group predictors. In De Boeck
    and Wilson, Explanatory Item Response Models.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, special

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import inv, solve
from gfactor.psychometrics.irt.fit import fit_irt
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.rounding import cleared
from gfactor.results import Result


@dataclass(frozen=True, repr=False)
class DesignFit(Result):
    """Difficulties explained by a design.

    Parameters
    ----------
    effects : DataFrame
        `effect`, `estimate`, `se` (with error), `lltm`, `lltm_se` (without).
    tau : float
        Standard deviation of difficulties around the design, in logits.
    tau_empty : float
        Standard deviation of difficulties around their mean.
    explained : float
        1 - tau^2 / tau_empty^2, not below 0.
    held_out : float
        Root mean squared error of the difficulties of design cells that were left out, predicted
        from the other cells, less the difficulties' own error variance; NaN with fewer than three
        cells.
    held_out_empty : float
        The same error if the mean of the other cells' difficulties is the prediction.
    lr, df, p : float
        Test of the linear logistic test model (no error) against the Rasch model.
    rasch, lltm : IRTFit
        The two fits.
    diagnostics : tuple of Diagnostic
    """

    effects: pd.DataFrame
    tau: float
    tau_empty: float
    explained: float
    held_out: float
    held_out_empty: float
    lr: float
    df: int
    p: float
    rasch: IRTFit
    lltm: IRTFit
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def title(self) -> str:
        return (
            f"Design on difficulty: {100 * self.explained:.0f} % of the variance of "
            f"{len(self.rasch.table.items)} difficulties is explained, tau {self.tau:.2f} logits"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("tau", "tau_empty", "explained", "held_out", "held_out_empty", "lr", "df", "p")
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"effects": self.effects}


@dataclass(frozen=True, repr=False)
class SlopeDesign(Result):
    """Discriminations explained by a design: log a = z' alpha + e.

    Parameters
    ----------
    effects : DataFrame
        `effect`, `estimate`, `se` (on the log of the slope), `factor` = exp(estimate).
    tau, tau_empty : float
        Standard deviation of logs of slopes around the design, and around their mean.
    explained : float
        1 - tau^2 / tau_empty^2, not below 0; NaN if slopes do not differ.
    fit : IRTFit
        The two-parameter model.
    diagnostics : tuple of Diagnostic
    """

    effects: pd.DataFrame
    tau: float
    tau_empty: float
    explained: float
    fit: IRTFit
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def title(self) -> str:
        return (
            f"Design on discrimination: {100 * self.explained:.0f} % of the variance of the logs "
            f"of {len(self.fit.table.items)} slopes is explained, tau {self.tau:.2f}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {name: getattr(self, name) for name in ("tau", "tau_empty", "explained")}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"slope_effects": self.effects}


def fit_slope_design(data: pd.DataFrame, design: pd.DataFrame, **options: Any) -> SlopeDesign:
    """Estimate the share of the variance of items' discriminations that a design explains.

    Parameters
    ----------
    data : DataFrame (P, J)
        Scores 0 and 1.
    design : DataFrame (J, K)
        Columns of the design with an intercept, index: items.
    **options
        Options of `fit_irt`, for the two-parameter model.

    Returns
    -------
    SlopeDesign
        By two stages: the logs of the slopes, with their joint covariance S, are normal around
        Z alpha with covariance tau^2 I + S. A prior of slopes is taken out of both first.

    Raises
    ------
    ParameterError
        If there are not more items than effects, a slope is not positive, or respondents are too
        few.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> steep = np.repeat([0.0, 1.0], 10)
    >>> z = np.exp(0.8 * steep - 0.3) * rng.normal(size=(600, 1))
    >>> data = pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(int))
    >>> design = pd.DataFrame({"one": 1.0, "steep": steep}, index=map(str, data.columns))
    >>> fit = fit_slope_design(data, design)
    >>> bool(abs(fit.effects["estimate"][1] - 0.8) < 0.25)
    True
    """
    fit = fit_irt("2pl", data, **options)
    chosen = design.set_axis([str(i) for i in design.index], axis=0).loc[list(fit.table.items)]
    x = chosen.to_numpy(float)
    if len(x) <= x.shape[1]:
        raise ParameterError(f"{len(x)} items cannot tell {x.shape[1]} effects and their error")
    labels = fit.likelihood.model.free_labels
    indices = [labels.index(f"{item}.a1") for item in fit.table.items]
    a = fit.optimum.x[indices]
    if not np.all(a > 0):
        item = fit.table.items[int(np.argmin(a))]
        raise ParameterError(
            f"item {item!r} has slope {a.min():.2f}, which has no logarithm; check its key, or "
            "leave it out"
        )
    if fit.vcov is None:
        raise ParameterError("the slopes have no standard errors; see the diagnostics of the fit")
    logs = np.log(a)
    s = fit.vcov.core[np.ix_(indices, indices)] / np.outer(a, a)
    prior = fit.request.priors.get("slope")
    if prior is not None and prior[0] == "lognormal":
        # The mode of a lognormal density lies sd^2 below the mean of its log.
        precision, prior_precision = inv(s), 1 / prior[2] ** 2
        values, vectors = np.linalg.eigh(precision - prior_precision * np.eye(len(a)))
        s = (vectors / np.maximum(values, 1e-3 * prior_precision)) @ vectors.T
        logs = s @ (precision @ logs - prior_precision * (prior[1] - prior[2] ** 2))
    alpha, vcov, tau2 = _two_stage(logs, s, x)
    _, _, empty2 = _two_stage(logs, s, np.ones((len(x), 1)))
    # At the boundary, the variance is only the rounding error of the errors' variance.
    tau2, empty2 = (float(cleared(value, s.diagonal().mean())) for value in (tau2, empty2))
    effects = pd.DataFrame({
        "effect": list(design.columns), "estimate": alpha, "se": np.sqrt(vcov.diagonal()),
        "factor": np.exp(alpha),
    })  # fmt: skip
    diagnostics = tuple(entry for entry in fit.diagnostics if entry.severity != "note")
    explained = max(0.0, 1 - tau2 / empty2) if empty2 > 0 else float("nan")
    return SlopeDesign(
        effects, float(np.sqrt(tau2)), float(np.sqrt(empty2)), explained, fit, diagnostics
    )


def design_matrix(formula: str, covariates: pd.DataFrame) -> pd.DataFrame:
    """Return the columns of a design, from a formula over properties of the items.

    Parameters
    ----------
    formula : str
        Right-hand side in Wilkinson's notation, such as "~ size + C(domain)".
    covariates : DataFrame (J, ...)
        One row per item.

    Returns
    -------
    DataFrame (J, K)
        A row per item, a column per effect.

    Raises
    ------
    ParameterError
        If the formula is wrong, names no column, or its columns are linearly dependent.

    Examples
    --------
    >>> items = pd.DataFrame({"size": [1.0, 2, 3], "domain": ["a", "b", "a"]}, index=list("xyz"))
    >>> list(design_matrix("~ size + C(domain)", items))
    ['Intercept', 'size', 'C(domain)[T.b]']
    """
    try:
        from formulaic import model_matrix  # noqa: PLC0415  (an extra)
    except ImportError as error:
        raise ParameterError(
            "a formula needs the package formulaic: pip install 'gfactor[formula]'"
        ) from error
    try:
        matrix = model_matrix(formula.rsplit("~", maxsplit=1)[-1], covariates, na_action="raise")
    except Exception as error:
        # formulaic raises its own errors and those of whatever it evaluates.
        # The first line of its message says what is wrong; the lines below mark the place in
        # terminal colors.
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise ParameterError(
            f"the formula {formula!r} cannot be read: {reason}; write it as '~ size + C(domain)'"
        ) from error
    design = pd.DataFrame(
        np.asarray(matrix, float), index=covariates.index, columns=list(matrix.columns)
    )
    rank = int(np.linalg.matrix_rank(design.to_numpy()))
    if rank < design.shape[1]:
        raise ParameterError(
            f"the design {formula!r} has {design.shape[1]} columns of rank {rank}; leave out "
            "columns that follow from the others"
        )
    return design


def fit_design(
    data: pd.DataFrame, design: pd.DataFrame, *, restricted: bool = True, **options: Any
) -> DesignFit:
    """Estimate the share of the variance of items' difficulties that a design explains, with and
    without residual error.

    Parameters
    ----------
    data : DataFrame (P, J)
        Scores 0 and 1.
    design : DataFrame (J, K)
        Columns of the design with an intercept, index: items.
    restricted : bool
        Restricted maximum likelihood of tau, unbiased with few items; else maximum likelihood, as
        lme4 gives it for a generalized model.
    **options
        Options of `fit_irt` (`covariates`, `clusters`, `quadrature` ...).

    Returns
    -------
    DesignFit
        Effects with standard errors, and the share of difficulty that they explain.

    Raises
    ------
    ParameterError
        If there are not more items than effects, or the model does not take the data.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> size = np.repeat([1.0, 2, 3, 4], 5)
    >>> z = rng.normal(size=(500, 1)) - (size - 2.5) - rng.normal(0, 0.3, 20)
    >>> data = pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(int))
    >>> design = pd.DataFrame({"one": 1.0, "size": size}, index=map(str, data.columns))
    >>> fit = fit_design(data, design)
    >>> bool(fit.explained > 0.8), bool(abs(fit.effects["estimate"][1] - 1) < 0.25)
    (True, True)
    """
    rasch = fit_irt("rasch", data, **options)
    lltm = fit_irt("rasch", data, design=design, **options)
    chosen = design.set_axis([str(i) for i in design.index], axis=0).loc[list(rasch.table.items)]
    x = chosen.to_numpy(float)
    if len(x) <= x.shape[1]:
        raise ParameterError(f"{len(x)} items cannot tell {x.shape[1]} effects and their error")
    b = rasch.items["b"].to_numpy()
    if rasch.vcov is None:
        raise ParameterError(
            "the Rasch difficulties have no standard errors; see the diagnostics of the Rasch model"
        )
    block = rasch.likelihood.model.groups[0].blocks[0]
    s = rasch.vcov.between(rasch.likelihood.model.design[block.index[:, -1]])
    order = np.argsort(block.columns)
    s = s[np.ix_(order, order)]
    eta, vcov, tau2 = _two_stage(b, s, x, restricted)
    _, _, empty2 = _two_stage(b, s, np.ones((len(b), 1)), restricted)
    lr, df = 2 * (rasch.loglik - lltm.loglik), rasch.n_free - lltm.n_free
    rmse, rmse_empty = _held_out(b, s, x)
    plain = lltm.effects
    effects = pd.DataFrame({
        "effect": list(design.columns), "estimate": eta, "se": np.sqrt(vcov.diagonal()),
        "lltm": plain["estimate"].to_numpy(), "lltm_se": plain["se"].to_numpy(),
    })  # fmt: skip
    return DesignFit(
        effects, float(np.sqrt(tau2)), float(np.sqrt(empty2)),
        max(0.0, 1 - tau2 / empty2) if empty2 > 0 else float("nan"), rmse, rmse_empty,
        float(lr), int(df), float(special.chdtrc(df, max(lr, 0.0))), rasch, lltm,
        _diagnostics(float(lr), int(df), tau2, rasch),
    )  # fmt: skip


def _diagnostics(lr: float, df: int, tau2: float, rasch: IRTFit) -> tuple[Diagnostic, ...]:
    diagnostics = [entry for entry in rasch.diagnostics if entry.severity != "note"]
    if special.chdtrc(df, max(lr, 0.0)) < 0.05:
        diagnostics.append(Diagnostic(
            "design_incomplete", "warning",
            f"The design does not explain all of difficulty: chi-square {lr:.1f} with {df} degrees "
            f"of freedom; items scatter around it by {np.sqrt(tau2):.2f} logits.",
            "Take the standard errors with error (`se`), not those of the model without.",
        ))  # fmt: skip
    return tuple(diagnostics)


def _two_stage(
    b: Floats, s: Floats, x: Floats, restricted: bool = True
) -> tuple[Floats, Floats, float]:
    """Effects, their covariance and tau^2 of b ~ N(x eta, tau^2 I + s)."""

    def at(tau2: float) -> tuple[float, Floats, Floats]:
        v = s + tau2 * np.eye(len(b))
        solved = solve(v, np.column_stack([x, b]))
        inner = x.T @ solved[:, :-1]
        eta = solve(inner, x.T @ solved[:, -1])
        residual = b - x @ eta
        value = (
            np.linalg.slogdet(v)[1]
            + restricted * np.linalg.slogdet(inner)[1]
            + residual @ solve(v, residual)
        )
        return float(value), eta.astype(np.float64), inv(inner).astype(np.float64)

    top = 4 * float(np.var(b)) + 1e-6
    optimum: Any = optimize.minimize_scalar(
        lambda root: at(root**2)[0], bounds=(0, np.sqrt(top)), method="bounded",
        options={"xatol": 1e-8},
    )  # fmt: skip
    tau2 = float(optimum.x) ** 2
    if at(0.0)[0] <= optimum.fun:
        tau2 = 0.0
    _, eta, vcov = at(tau2)
    return eta, vcov, tau2


def _held_out(b: Floats, s: Floats, x: Floats) -> tuple[float, float]:
    """Errors of design cells predicted from the others, by the design and by the mean."""
    cells, which = np.unique(np.round(x, 10), axis=0, return_inverse=True)
    which = np.ravel(which)
    if len(cells) < 3:
        return float("nan"), float("nan")
    errors, empty, noise = [], [], []
    for cell in range(len(cells)):
        out = which == cell
        training = np.flatnonzero(~out)
        inside = x[training]
        # A cell whose effect no other cell shares cannot be predicted.
        if np.linalg.matrix_rank(inside) < np.linalg.matrix_rank(x):
            continue
        sub = s[np.ix_(training, training)]
        eta, _, _ = _two_stage(b[training], sub, inside)
        mean, _, _ = _two_stage(b[training], sub, np.ones((len(training), 1)))
        errors += list(b[out] - x[out] @ eta)
        empty += list(b[out] - mean[0])
        noise += list(np.diag(s)[out])
    if not errors:
        return float("nan"), float("nan")
    error, base, sampling = (float(np.mean(np.square(v))) for v in (errors, empty, np.sqrt(noise)))
    return float(np.sqrt(max(error - sampling, 0))), float(np.sqrt(max(base - sampling, 0)))
