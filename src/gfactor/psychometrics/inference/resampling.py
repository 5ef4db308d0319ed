"""The bootstrap: resamples, their intervals, and the result that every bootstrap returns.

References
----------
Davison, A. C., Hinkley, D. V. (1997). Bootstrap methods and their application. Cambridge.
Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical
    Association 82, 171-185.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from gfactor.computing import each
from gfactor.errors import GfactorError, ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import Result

Floats = NDArray[np.float64]
Method = Literal["percentile", "basic", "normal", "bca"]
METHODS: tuple[Method, ...] = ("percentile", "basic", "normal", "bca")
Rule = Literal["order", "type7"]
"""Kind of quantile of draws: "order" is the order statistic number (B + 1) p (Davison & Hinkley
1997, 2.27; draws may be infinite, and missing ones are left out); "type7" is R's type 7 (missing if
a draw is).
"""

_CELLS = 1_000_000
"""Largest number of weights in memory (8 MB), since all draws of large data would not fit."""


_AT_ONCE = 25
"""Number of resamples that a process computes before it takes more."""


def bootstrap_weights(units: int, n_bootstrap: int, seed: int) -> Iterator[Floats]:
    """Yield blocks (draws in the block x units) of counts that sum to `units` in every draw.

    Units are resampled as a whole: items, or clusters of items. The draws do not depend on the
    block size.
    """
    rng = np.random.default_rng(seed)
    step = max(1, _CELLS // units)
    for start in range(0, n_bootstrap, step):
        block = rng.multinomial(units, np.full(units, 1 / units), min(step, n_bootstrap - start))
        yield block.astype(float)


@dataclass(frozen=True, repr=False, kw_only=True)
class Bootstrap(Result):
    """Statistics with their errors, estimated by resampling the data.

    Parameters
    ----------
    labels : DataFrame
        A row per statistic, with the columns that name it.
    estimate : ndarray
        Estimates from the data themselves, shape (statistics,).
    draws : ndarray
        Estimates from the resamples that count, shape (resamples, statistics).
    n_bootstrap : int
        Number of resamples drawn.
    n : int
        Number of cases.
    level : float
        Confidence level of the intervals.
    seed : int or None
        Seed of the draws; None if indices were given.
    failures : mapping
        Resamples that do not count, by reason.
    rule : str
        Kind of quantile that intervals use.
    jackknife : callable or None
        Function that returns the statistics without each case, shape (cases, statistics), a part
        per group; BCa intervals need it.
    diagnostics : tuple of Diagnostic
        Limits to the use of the intervals, errors first.
    """

    labels: pd.DataFrame
    estimate: Floats
    draws: Floats
    n_bootstrap: int
    n: int
    level: float = 0.95
    seed: int | None = None
    failures: Mapping[str, int]
    rule: Rule = "order"
    jackknife: Callable[[], Sequence[Floats]] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def kept(self) -> int:
        """Resamples that are used."""
        return len(self.draws)

    @cached_property
    def _acceleration(self) -> Floats:
        if self.jackknife is None:
            raise ParameterError("BCa intervals need the statistics without each case.")
        return acceleration(self.jackknife())

    def interval_table(self, method: Method = "percentile") -> pd.DataFrame:
        """Return a row per statistic: its labels, est, bias, se, low, high.

        Parameters
        ----------
        method : str
            "percentile" (equivariant, no assumption of a pivot), "basic", "normal" (bias
            corrected), "bca" (second-order accurate; refits without each case).

        Returns
        -------
        DataFrame
            `se` is the standard deviation over draws, NaN if some are infinite. A constant
            statistic has se 0, and no interval under the rule "order".

        Raises
        ------
        ParameterError
            For another method.
        """
        if method not in METHODS:
            raise ParameterError(
                f"there is no interval {method!r}; choose one of {', '.join(METHODS)}."
            )
        tilt = self._acceleration if method == "bca" else None
        low, high = interval(self.draws, self.estimate, self.level, method, tilt, self.rule)
        error = spread(self.draws)
        with np.errstate(invalid="ignore"):
            finite = np.isfinite(self.draws).all(axis=0) & (self.kept > 1)
            middle = np.where(finite, np.where(finite, self.draws, 0.0).mean(axis=0), np.nan)
            bias = np.where(error == 0, 0.0, middle - self.estimate)
        bias = np.where(error >= 0, bias, np.nan)
        return self.labels.assign(est=self.estimate, bias=bias, se=error, low=low, high=high)

    @cached_property
    def intervals(self) -> pd.DataFrame:
        """Percentile intervals."""
        return self.interval_table()

    @property
    def title(self) -> str:
        return (
            f"{self.kept} of {self.n_bootstrap} bootstrap resamples of {self.n} rows, "
            f"{100 * self.level:g} % intervals"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("n_bootstrap", "kept", "n", "level", "seed", "failures")
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"intervals": self.intervals}


def bootstrap(
    statistic: Callable[[pd.DataFrame], Mapping[str, float] | float],
    data: pd.DataFrame,
    *,
    n_bootstrap: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    clusters: Sequence[Any] | None = None,
) -> Bootstrap:
    """Bootstrap any statistic of the rows of a table.

    Parameters
    ----------
    statistic : callable
        Function of a table like `data` that returns a number, or numbers by name.
    data : DataFrame
        A row per case.
    n_bootstrap : int
        Number of resamples; 1,000 and more for intervals.
    seed : int
        Seed of the bootstrap samples.
    level : float
        Confidence level of the intervals.
    clusters : sequence, optional
        One label per row; clusters of rows are then resampled as a whole.

    Returns
    -------
    Bootstrap
        `intervals`, `interval_table(method)`, `draws`, `failures`.

    Raises
    ------
    ParameterError
        For fewer than two rows (or clusters) or resamples, and if fewer than two resamples have
        a value.

    Examples
    --------
    >>> import pandas as pd
    >>> from gfactor.psychometrics import cronbach_alpha
    >>> data = pd.DataFrame({"a": [1, 2, 3, 4, 5, 6], "b": [1, 3, 2, 5, 4, 6]})
    >>> draws = bootstrap(cronbach_alpha, data, n_bootstrap=200)
    >>> bool(draws.intervals["low"][0] < draws.estimate[0] < draws.intervals["high"][0])
    True
    """
    codes = np.arange(len(data)) if clusters is None else pd.factorize(np.asarray(clusters))[0]
    if len(codes) != len(data):
        raise ParameterError(f"{len(codes)} labels of clusters do not fit {len(data)} rows.")
    units = [np.flatnonzero(codes == code) for code in range(codes.max(initial=-1) + 1)]
    if len(units) < 2 or n_bootstrap < 2:
        raise ParameterError(
            f"a bootstrap needs two or more rows (or clusters) and resamples, not {len(units)} and "
            f"{n_bootstrap}."
        )
    whole = _numbers(statistic(data))
    names, estimate, failures = list(whole), np.array(list(whole.values())), Counter[str]()

    def values(samples: Iterable[NDArray[np.intp]]) -> Floats:
        some = iter(samples)
        parts = iter(lambda: list(islice(some, _AT_ONCE)), [])
        repeated = [
            one
            for part in each(_values, ((statistic, data, part, names) for part in parts))
            for one in part
        ]
        failures.update(why for _, why in repeated if why)
        return np.array([row for row, _ in repeated])

    def without_each() -> list[Floats]:
        rows = np.arange(len(data))
        return [values(rows[codes != code] for code in range(len(units)))]

    rng = np.random.default_rng(seed)
    drawn = (rng.integers(0, len(units), len(units)) for _ in range(n_bootstrap))
    draws = values(np.concatenate([units[k] for k in chosen]) for chosen in drawn)
    draws = draws[np.isfinite(draws).all(axis=1)]
    if len(draws) < 2:
        raise ParameterError(f"{len(draws)} of {n_bootstrap} resamples have a value ({failures}).")
    return Bootstrap(
        labels=pd.DataFrame({"statistic": names}),
        estimate=estimate,
        draws=draws,
        n_bootstrap=n_bootstrap,
        n=len(data),
        level=level,
        seed=seed,
        failures=dict(failures),
        jackknife=without_each,
        diagnostics=left_out(n_bootstrap, len(draws), "; ".join(failures)),
    )


def _values(
    statistic: Callable[[pd.DataFrame], Mapping[str, float] | float],
    data: pd.DataFrame,
    samples: Sequence[NDArray[np.intp]],
    names: Sequence[str],
) -> list[tuple[Floats, str]]:
    """The statistics of samples of rows, or the reason why they have no value."""
    rows_and_reasons = []
    for rows in samples:
        values, why = np.full(len(names), np.nan), ""
        try:
            named = _numbers(statistic(data.iloc[rows]))
            if np.isfinite(list(named.values())).all():
                values = np.array([named[name] for name in names])
            else:
                why = "a statistic has no value"
        except (GfactorError, np.linalg.LinAlgError, ZeroDivisionError) as error:
            why = str(error) or type(error).__name__
        rows_and_reasons.append((values, why))
    return rows_and_reasons


def left_out(drawn: int, used: int, why: str) -> tuple[Diagnostic, ...]:
    """Return a warning about resamples that are not used, if there are any."""
    if used == drawn:
        return ()
    return (
        Diagnostic(
            "resamples_left_out",
            "warning" if used >= 0.95 * drawn else "error",
            f"{drawn - used} of {drawn} resamples were left out: {why}.",
            "Intervals hold for the others only; look for indicators that hardly vary.",
            values={"resamples": drawn, "kept": used},
        ),
    )


def interval(
    draws: Floats,
    est: Floats,
    level: float,
    method: Method = "percentile",
    tilt: Floats | None = None,
    rule: Rule = "order",
) -> tuple[Floats, Floats]:
    """Return lower and upper limits, one per column of the draws.

    Parameters
    ----------
    draws : ndarray
        Shape (B, statistics).
    est : ndarray
        The estimates of the data themselves, shape (statistics,).
    level : float
        Confidence level of the interval.
    method : str
        Method of the interval, as in `Bootstrap.interval_table`.
    tilt : ndarray, optional
        The `acceleration` that "bca" needs.
    rule : str
        Kind of quantile; with "order" draws without spread have no interval.

    Returns
    -------
    tuple of ndarray
        NaN if there is no interval: by "bca" if all draws lie on one side of the estimate.
    """
    tail = np.full(len(est), (1 - level) / 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        if method == "normal":
            error = spread(draws)
            middle = 2 * est - _mean(draws)
            reach = ndtri((1 + level) / 2) * error
            low, high = middle - reach, middle + reach
        elif method == "bca":
            assert tilt is not None
            low, high = (quantiles(draws, one, rule) for one in _adjusted(draws, est, tail, tilt))
        else:
            low, high = quantiles(draws, tail, rule), quantiles(draws, 1 - tail, rule)
            if method == "basic":
                low, high = 2 * est - high, 2 * est - low
    if rule == "type7":
        return low, high
    moves = spread(draws) != 0
    return np.where(moves, low, np.nan), np.where(moves, high, np.nan)


def quantiles(draws: Floats, share: Floats, rule: Rule = "order") -> Floats:
    """Return a quantile of each column, NaN if there is none; `share` has one entry per column."""
    out = np.full(draws.shape[1], np.nan)
    for k, column in enumerate(draws.T):
        ordered = np.sort(column[~np.isnan(column)])
        if len(ordered) < 2 or not np.isfinite(share[k]):
            continue
        if rule == "type7":
            out[k] = np.quantile(column, share[k])
            continue
        where = np.clip((len(ordered) + 1) * share[k] - 1, 0, len(ordered) - 1)
        low, high = ordered[int(np.floor(where))], ordered[int(np.ceil(where))]
        part = where - np.floor(where)
        out[k] = low if low == high or part == 0 else low + (high - low) * part
    return out


def acceleration(groups: Sequence[Floats]) -> Floats:
    """Return the acceleration of BCa intervals, a sixth of the skewness of the cases' influence
    (Efron 1987), per statistic.

    The influence of a case is the decrease of the estimate without it (jackknife), by group as in
    stratified sampling (Davison & Hinkley 1997, 5.3.2). The result is NaN if the estimate is not
    finite without a case, and zero if no case changes the statistic.
    """
    square = cube = np.zeros(groups[0].shape[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        for values in groups:
            n = len(values)
            influence = (n - 1) * (values.mean(axis=0) - values) / n
            square = square + (influence**2).sum(axis=0)
            cube = cube + (influence**3).sum(axis=0)
        skewed = cube / (6 * square**1.5)
    return np.where(square > 1e-24, skewed, np.where(square <= 1e-24, 0.0, np.nan))


def spread(draws: Floats) -> Floats:
    """Return the standard deviation (divisor B - 1) of each column; NaN if there are fewer than two
    valid draws or one is infinite."""
    with np.errstate(invalid="ignore"):
        observed = ~np.isnan(draws)
        count = observed.sum(axis=0)
        away = np.where(observed, draws - _mean(draws), 0.0)
        error = np.sqrt((away**2).sum(axis=0) / np.maximum(count - 1, 1))
    error = np.where(_constant(draws), 0.0, error)
    return np.where((count > 1) & np.isfinite(error), error, np.nan)


def _numbers(values: Mapping[str, float] | float) -> dict[str, float]:
    named = values if isinstance(values, Mapping) else {"statistic": values}
    return {str(name): float(value) for name, value in named.items()}


def _adjusted(draws: Floats, est: Floats, tail: Floats, tilt: Floats) -> list[Floats]:
    # Draws equal to the estimate up to rounding are ties, which count half.
    slack = 1e-12 * np.maximum(1.0, np.abs(est))
    count = (~np.isnan(draws)).sum(axis=0)
    below = (draws < est - slack).sum(axis=0) + 0.5 * (np.abs(draws - est) <= slack).sum(axis=0)
    share = below / np.maximum(count, 1)
    shift = ndtri(np.where((share > 0) & (share < 1), share, np.nan))
    moved = [shift + z for z in (ndtri(tail), ndtri(1 - tail))]
    return [ndtr(shift + one / (1 - tilt * one)) for one in moved]


def _mean(draws: Floats) -> Floats:
    observed = ~np.isnan(draws)
    count = observed.sum(axis=0)
    total = np.where(observed, draws, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _constant(draws: Floats) -> NDArray[np.bool_]:
    """Return True for columns that vary by rounding errors only."""
    observed = ~np.isnan(draws)
    high = np.where(observed, draws, -np.inf).max(axis=0, initial=-np.inf)
    low = np.where(observed, draws, np.inf).min(axis=0, initial=np.inf)
    size = np.maximum(np.abs(high), np.abs(low))
    with np.errstate(invalid="ignore"):
        return (np.isfinite(size) & (high - low <= 1e-12 * size)) | (high < low)
