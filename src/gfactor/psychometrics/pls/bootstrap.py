"""Bootstrap of all results of a PLS model, in batches of linear algebra.

References
----------
Efron, B., Tibshirani, R. J. (1993). An introduction to the bootstrap.
Streukens, S., Leroi-Werelds, S. (2016). Bootstrapping and PLS-SEM. European Management Journal 34,
    618-632.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.computing import each
from gfactor.errors import ParameterError
from gfactor.numbers_in_text import printed
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.inference.resampling import Bootstrap, interval, left_out
from gfactor.psychometrics.pls.design import Floats
from gfactor.psychometrics.pls.moments import counts_of
from gfactor.psychometrics.pls.reported import labels, statistics
from gfactor.psychometrics.pls.result import PLSFit
from gfactor.psychometrics.pls.solution import PathSolution, solve
from gfactor.psychometrics.pls.stages import CorrelationSamples

CHUNK = 250
"""Number of resamples at once; it limits memory and allows frequent reports of progress."""
_WHY = "an indicator did not vary in them or the weights did not converge"
ROWS_CHUNK = 8_000_000
"""Number of values of resampled rows at once, for products."""


@dataclass(frozen=True, repr=False, kw_only=True)
class PLSBootstrap(Bootstrap):
    """Intervals of every statistic of a fitted model.

    Parameters
    ----------
    table : DataFrame
        One row per statistic: `quantity` ("path", "indirect", "total", "loading", "weight",
        "r2", "htmt", "htmt2", "alpha", "rho_a", "rho_c", "ave"), `left`, `right` (source
        and target, indicator and construct, two constructs, or a construct and ""),
        `estimate`, `mean`, `se` (standard deviation of the draws), `low`, `high`
        (percentile), `bca_low`, `bca_high` (NaN without BCa).
    draws : array of float
        (kept resamples, statistics), columns as the rows of `table`.
    level : float
        Confidence level of the intervals.
    n : int
        Number of rows of the data.
    diagnostics : list of Diagnostic
        Diagnostics of the resampling; those of the model are in its fit.
    """

    @cached_property
    def table(self) -> pd.DataFrame:
        """Percentile and BCa intervals side by side."""
        bca = np.full((2, len(self.labels)), np.nan)
        if self.jackknife is not None:
            tilt = self._acceleration
            bca = interval(self.draws, self.estimate, self.level, "bca", tilt, self.rule)
        low, high = interval(self.draws, self.estimate, self.level, rule=self.rule)
        return self.labels.assign(
            estimate=self.estimate,
            mean=self.draws.mean(axis=0),
            se=self.draws.std(axis=0, ddof=1),
            low=low,
            high=high,
            bca_low=bca[0],
            bca_high=bca[1],
        )

    def of(self, quantity: str) -> pd.DataFrame:
        """Return the rows of one quantity."""
        rows = self.table.loc[(self.table["quantity"] == quantity).to_numpy()]
        return rows.drop(columns="quantity").reset_index(drop=True)

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("kept", "level", "n")
        return {"resamples": self.n_bootstrap} | {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"statistics": self.table}

    def _document(self) -> Mapping[str, Any]:
        return {**self.facts, "diagnostics": self.diagnostics, **self.tables}

    def _lines(self) -> list[str]:
        return [self.title, printed(self.table, index=False)]


def bootstrap_pls(
    fit: PLSFit,
    n_bootstrap: int = 1000,
    *,
    seed: int = 0,
    indices: NDArray[np.integer] | None = None,
    level: float = 0.95,
    bca: bool = True,
    signs: Literal["construct", "none"] = "construct",
    watch: Callable[[int], object] = lambda _: None,
) -> PLSBootstrap:
    """Resample the rows, fit the model to each resample, and take intervals.

    Resamples in which an indicator does not vary or the weights do not converge are left out and
    counted; a diagnostic reports them.

    Parameters
    ----------
    fit : PLSFit
        Result of `fit_pls`; every resample is fitted with its settings, with missing cells treated
        anew.
    n_bootstrap, seed : int
        Number of resamples and seed of the generator; 1,000 for a first look, 10,000 to report
        (Streukens and Leroi-Werelds 2016).
    indices : NDArray[integer], optional
        Row numbers of each resample, from 0, shape (B, n); they are drawn if left out.
    level : float
        Confidence level of the intervals.
    bca : bool
        True to compute BCa intervals, for which the model is also fitted to the n jackknife
        samples.
    signs : {'construct', 'none'}
        "construct" turns a construct in a resample so that its loadings agree with those of
        the data; "none" leaves the orientation that `fit.settings.sign` gives. Signs of
        single paths or loadings are never changed: that makes intervals too narrow.
    watch : callable
        Function that is called with the number of newly finished resamples.

    Returns
    -------
    PLSBootstrap
        Every quantity of the fit with intervals, and how many resamples failed.

    Raises
    ------
    ParameterError
        If fewer than two resamples are left.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import bootstrap_pls, fit_pls, parse_pls
    >>> random = np.random.default_rng(1)
    >>> a = random.normal(size=100)
    >>> data = pd.DataFrame({f"x{k}": a + random.normal(size=100) for k in range(4)})
    >>> fit = fit_pls(parse_pls("A =~ x0 + x1; B =~ x2 + x3; B ~ A"), data)
    >>> len(bootstrap_pls(fit, 20, seed=1).to_dict()) > 0
    True
    """
    if not 0 < level < 1:
        raise ParameterError(f"level is {level}; give a number between 0 and 1, such as 0.95")
    n, drawn_with = fit.n, seed if indices is None else None
    if indices is None:
        indices = np.random.default_rng(seed).integers(0, n, (max(n_bootstrap, 0), n))
    rows = np.asarray(indices)
    if rows.ndim != 2 or not np.issubdtype(rows.dtype, np.integer):
        raise ParameterError("indices must be one row of integers per resample")
    if len(rows) < 2:
        raise ParameterError(f"{len(rows)} resamples are too few; give at least 2, better 1000")
    if rows.min() < 0 or rows.max() >= n:
        raise ParameterError(
            f"indices must run from 0 to {n - 1}, got {rows.min()} to {rows.max()}"
        )
    if signs not in {"construct", "none"}:
        raise ParameterError(f"signs {signs!r} must be 'construct' or 'none'")
    names = labels(fit.solution)
    estimate = statistics(fit.solution)[0]
    values = replicate(fit, rows, turn=signs == "construct", watch=watch)
    good = ~np.isnan(values).all(axis=1)
    draws = values[good]
    if len(draws) < 2:
        raise ParameterError(
            f"only {len(draws)} of {len(rows)} resamples could be fitted; some indicator hardly "
            "varies: leave it out"
        )
    less = np.zeros((0, len(names)))
    if bca:
        less = _jackknife(fit, turn=signs == "construct")
        less = less[~np.isnan(less).all(axis=1)]
    return PLSBootstrap(
        labels=pd.DataFrame(names, columns=["quantity", "left", "right"]),
        estimate=estimate,
        draws=draws,
        n_bootstrap=len(rows),
        n=n,
        level=level,
        seed=drawn_with,
        failures={_WHY: len(rows) - len(draws)} if len(draws) < len(rows) else {},
        rule="type7",
        jackknife=(lambda: [less]) if len(less) > 1 else None,
        diagnostics=(*left_out(len(rows), len(draws), _WHY), *_undefined(names, draws)),
    )


def replicate(
    fit: PLSFit,
    rows: NDArray[np.integer],
    *,
    turn: bool = True,
    watch: Callable[[int], object] = lambda _: None,
) -> Floats:
    """Return the statistics of the samples made of the given rows, shape (B, statistics); NaN rows
    if a sample cannot be fitted."""
    parts = []
    step = CHUNK
    if fit.model.interactions:
        step = max(1, min(CHUNK, ROWS_CHUNK // (rows.shape[1] * len(fit.model.columns))))
    chunks = ((fit, rows[start : start + step], turn) for start in range(0, len(rows), step))
    for values in each(_replicated, chunks):
        parts.append(values)
        watch(len(values))
    return np.concatenate(parts)


def _replicated(fit: PLSFit, rows: NDArray[np.integer], turn: bool) -> Floats:
    solution = solve(fit.model, _resampled(fit, rows), fit.settings)
    turned = _turns(fit.solution, solution) if turn else None
    values = statistics(solution, turned)
    values[~solution.estimates.converged] = np.nan
    return values


def _jackknife(fit: PLSFit, *, turn: bool) -> Floats:
    """Statistics without each row in turn, (n, statistics); computed in parts, since all indices
    are n x n."""
    others = np.arange(fit.n - 1)
    parts = []
    for start in range(0, fit.n, CHUNK):
        out = np.arange(start, min(fit.n, start + CHUNK))
        parts.append(replicate(fit, others + (others >= out[:, None]), turn=turn))
    return np.concatenate(parts)


def _resampled(fit: PLSFit, rows: NDArray[np.integer]) -> CorrelationSamples:
    if not fit.model.interactions:
        return CorrelationSamples(fit.table.correlations(counts_of(rows, fit.n)))
    x = fit.table.x[rows]
    x = x - x.mean(axis=1, keepdims=True)
    size = x.shape[1] - 1
    sd = np.sqrt((x**2).sum(axis=1) / size)
    spread = fit.table.sd
    z = x / np.where(sd > 1e-7 * spread, sd, np.nan)[:, None, :]
    return CorrelationSamples(np.swapaxes(z, 1, 2) @ z / size, z)


def _turns(data: PathSolution, resampled: PathSolution) -> Floats:
    """Return -1 for constructs whose loadings are nearer to the data's with reversed sign, else 1,
    (B, J)."""
    same = (resampled.plain.loadings * data.plain.loadings) @ data.design.member
    return np.where(same < 0, -1.0, 1.0)


def _undefined(names: list[tuple[str, str, str]], draws: Floats) -> list[Diagnostic]:
    gaps = np.isnan(draws).sum(axis=0)
    some = np.flatnonzero((gaps > 0) & (gaps < len(draws)))
    if not some.size:
        return []
    worst = int(some[np.argmax(gaps[some])])
    label = " ".join(part for part in names[worst] if part)
    return [
        Diagnostic(
            "undefined_in_resamples",
            "warning",
            f"{some.size} statistics have no value in some resamples, {label} in {gaps[worst]} of "
            f"{len(draws)}; they have no interval.",
            "An interval from the other resamples would be too narrow; in consistent PLS use more "
            "indicators or rows, so that rho_A stays positive.",
            tuple(" ".join(part for part in names[i] if part) for i in some),
        )
    ]
