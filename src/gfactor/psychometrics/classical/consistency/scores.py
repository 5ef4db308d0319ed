"""Reliability of a sum of several indicators: alpha, split halves, measurement error.

Every function takes an examinees x indicators table (a DataFrame with names on both axes; cells are
points, proportions or 0/1) and reports what it leaves out: `diagnostics` names and counts the
dropped examinees (with a missing cell) and indicators (without variance).

References
----------
Cronbach, L. J. (1951). Coefficient alpha and the internal structure of tests. Psychometrika 16,
    297-334.
Kuder, G. F., Richardson, M. W. (1937). The theory of the estimation of test reliability.
    Psychometrika 2, 151-160.
Feldt, L. S. (1965). The approximate sampling distribution of Kuder-Richardson reliability
    coefficient twenty. Psychometrika 30, 357-370.
Spearman, C. (1910) and Brown, W. (1910). British Journal of Psychology 3, 271-295 and 296-322.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.given import TableLike, as_numbers
from gfactor.psychometrics.item_columns import item_column_findings
from gfactor.psychometrics.person_tables import person_items
from gfactor.results import Result, number_of

FEW_EXAMINEES = 10
"""With fewer examinees, alpha is little more than a guess, even if its interval is narrow."""


@dataclass(frozen=True, repr=False)
class Reliability(Result):
    """The reliability of the mean over the indicators.

    Parameters
    ----------
    alpha, low, high : float
        Cronbach's alpha (raw covariances) and Feldt's interval at `level`.
    split_half : float
        Mean Spearman-Brown corrected correlation of random halves; `split_low` and
        `split_high` are the middle 95 % of the `splits` splits: their spread, not an
        interval.
    sem : float
        Standard error of measurement of the mean over indicators, in its unit.
    sd : float
        Standard deviation of that mean over examinees.
    n, k : int
        Numbers of examinees and indicators that entered.
    indicators : DataFrame
        Per indicator `mean`, `sd`, `rest_correlation` (with the sum of the others) and
        `alpha_without` (alpha if it is deleted).
    dropped : list of str
        Indicators left out because they do not vary.
    diagnostics : list of Diagnostic
        Limits of the numbers that a reader must know before quoting them.
    """

    alpha: float
    low: float
    high: float
    split_half: float
    split_low: float
    split_high: float
    sem: float
    sd: float
    n: int
    k: int
    level: float
    splits: int
    indicators: pd.DataFrame
    dropped: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def ci_lower(self) -> float:
        """The lower end of the interval (`low`)."""
        return self.low

    @property
    def ci_upper(self) -> float:
        """The upper end of the interval (`high`)."""
        return self.high

    @property
    def warnings(self) -> tuple[str, ...]:
        """The diagnostics as short texts."""
        messages = (entry.sentence.rstrip(".") for entry in self.diagnostics)
        return tuple(text[:1].lower() + text[1:] for text in messages)

    @property
    def title(self) -> str:
        return (
            f"alpha {self.alpha:.3f} [{self.low:z.3f}, {self.high:z.3f}], split-half "
            f"{self.split_half:.3f}, SEM {self.sem:.3f}; {self.n} examinees x {self.k} indicators"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        left = ("indicators", "diagnostics")
        return {k: v for k, v in vars(self).items() if k not in left}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"indicators": self.indicators}

    def _lines(self) -> list[str]:
        return [self.title]


def cronbach_alpha(scores: pd.DataFrame | NDArray[Any]) -> float:
    """Return coefficient alpha of a complete examinees x indicators table (Cronbach 1951, eq. 2).

    For 0/1 indicators this is Kuder and Richardson's formula 20. It may be negative. NaN if the
    sums do not vary or there are fewer than two examinees or indicators.

    Parameters
    ----------
    scores : DataFrame or array
        Examinees x indicators, complete.

    Returns
    -------
    float
        Alpha, at most 1; NaN if it cannot be computed.

    References
    ----------
    Cronbach, L. J. (1951). Coefficient alpha and the internal structure of tests. Psychometrika
    16, 297-334.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics import cronbach_alpha
    >>> cronbach_alpha(np.array([[1, 1], [0, 0], [1, 1]]))
    1.0
    """
    x = np.asarray(scores, float)
    n, k = x.shape
    if n < 2 or k < 2:
        return float("nan")
    total = x.sum(axis=1).var(ddof=1)
    if total <= 0:
        return float("nan")
    return float(k / (k - 1) * (1 - x.var(axis=0, ddof=1).sum() / total))


def feldt_interval(alpha: float, n: int, k: int, level: float = 0.95) -> tuple[float, float]:
    """Return Feldt's (1965) interval for alpha of `n` examinees and `k` indicators.

    (1 - alpha) / (1 - estimate) follows F with n - 1 and (n - 1)(k - 1) degrees of freedom. Exact
    for normal scores and essentially parallel indicators, approximate otherwise.

    Parameters
    ----------
    alpha : float
        The estimate.
    n : int
        Number of examinees.
    k : int
        Number of indicators.
    level : float
        Confidence level of the interval, 0 to 1.

    Returns
    -------
    tuple[float, float]
        Lower and upper end; NaN if n or k is below 2.

    References
    ----------
    Feldt, L. S. (1965). The approximate sampling distribution of Kuder-Richardson reliability
    coefficient twenty. Psychometrika 30, 357-370.

    Examples
    --------
    >>> from gfactor.psychometrics import feldt_interval
    >>> low, high = feldt_interval(0.8, 100, 10)
    >>> round(low, 2), round(high, 2)
    (0.74, 0.85)
    """
    if n < 2 or k < 2 or np.isnan(alpha):
        return float("nan"), float("nan")
    tail = (1 - level) / 2
    upper, lower = special.fdtri(n - 1, (n - 1) * (k - 1), [1 - tail, tail])
    return float(1 - (1 - alpha) * upper), float(1 - (1 - alpha) * lower)


def split_half(
    scores: pd.DataFrame | NDArray[Any], splits: int = 500, seed: int = 0
) -> NDArray[np.float64]:
    """Return Spearman-Brown corrected correlations of `splits` random halves of the indicators.

    An odd indicator goes to one half. Splits in which a half does not vary give NaN. The default
    number of splits makes the mean stable in the second decimal.

    Parameters
    ----------
    scores : DataFrame or array
        Examinees x indicators, complete.
    splits : int
        Number of random halves.
    seed : int
        Seed of the random halves.

    Returns
    -------
    array
        One coefficient per split; NaN if a half does not vary.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics import split_half
    >>> random = np.random.default_rng(1)
    >>> scores = random.normal(size=(200, 1)) + random.normal(size=(200, 10))
    >>> 0.8 < float(split_half(scores, 50).mean()) < 1
    True
    """
    x = np.asarray(scores, float)
    n, k = x.shape
    if n < 3 or k < 2:
        return np.full(splits, np.nan)
    order = np.random.default_rng(seed).random((splits, k)).argsort(axis=1)
    chosen = (order < k // 2).astype(float)
    left, right = x @ chosen.T, x @ (1 - chosen).T
    left, right = left - left.mean(axis=0), right - right.mean(axis=0)
    scale = np.sqrt((left**2).sum(axis=0) * (right**2).sum(axis=0))
    r = np.divide((left * right).sum(axis=0), scale, where=scale > 0, out=np.full(splits, np.nan))
    # At r = -1 the correction is undefined, and values near it are not reliabilities.
    return np.where(r > -1 + 1e-9, 2 * r / np.maximum(1 + r, 1e-9), np.nan)


def reliability(
    scores: TableLike,
    *,
    level: float = 0.95,
    splits: int = 500,
    seed: int = 0,
    benchmark: str | None = None,
) -> Reliability:
    """Estimate the reliability of the mean over indicators: alpha, its interval, split halves, SEM.

    Parameters
    ----------
    scores : DataFrame
        Examinees x indicators: points, proportions or 0/1.
    level : float
        Confidence level of Feldt's interval.
    splits : int
        Number of random halves.
    seed : int
        Seed of the random halves.
    benchmark : str, optional
        Benchmark whose items are analyzed. Needed if the columns are items of several benchmarks
        (from `gfactor.matrix` with by="item", or named `BENCHMARK:INDEX`); "all" analyzes the
        items of all benchmarks together.

    Returns
    -------
    Reliability
        `alpha` with `ci_lower` and `ci_upper`, `split_half`, `sem`, `n`, `k`, `diagnostics`.

    Raises
    ------
    ParameterError
        If fewer than three examinees with all scores, or fewer than two indicators that vary, are
        left; or if the items are of several benchmarks and `benchmark` names none.

    References
    ----------
    Feldt, L. S. (1965). The approximate sampling distribution of Kuder-Richardson reliability
    coefficient twenty. Psychometrika 30, 357-370.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import reliability
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 7)})
    >>> alpha = reliability(data)
    >>> alpha.ci_lower < alpha.alpha < alpha.ci_upper
    True
    """
    scores = as_numbers(person_items(scores, benchmark))
    complete = scores.dropna()
    varies = complete.nunique() > 1 if len(complete) else pd.Series(False, index=scores.columns)
    dropped = tuple(str(name) for name in scores.columns[~varies.to_numpy()])
    x = complete.loc[:, varies.to_numpy()].astype(float)
    n, k = x.shape
    if n < 3 or k < 2:
        raise ParameterError(
            f"reliability needs at least 3 complete examinees and 2 indicators that vary, got {n} "
            f"and {k}; have more examinees answer all items, or add items on which they differ"
        )
    alpha = cronbach_alpha(x)
    low, high = feldt_interval(alpha, n, k, level)
    halves = split_half(x, splits, seed)
    defined = halves[~np.isnan(halves)]
    spread = np.quantile(defined, [0.025, 0.975]) if defined.size else np.full(2, np.nan)
    sd = float(x.mean(axis=1).std(ddof=1))
    return Reliability(
        alpha=alpha,
        low=low,
        high=high,
        split_half=float(defined.mean()) if defined.size else float("nan"),
        split_low=float(spread[0]),
        split_high=float(spread[1]),
        sem=sd * float(np.sqrt(max(0.0, 1 - max(alpha, 0.0)))),
        sd=sd,
        n=n,
        k=k,
        level=level,
        splits=splits,
        indicators=_indicators(x),
        dropped=dropped,
        diagnostics=tuple(
            [
                *item_column_findings(scores),
                *_limits(len(scores) - n, dropped, n, alpha),
            ]
        ),
    )


def _indicators(x: pd.DataFrame) -> pd.DataFrame:
    values = x.to_numpy(float)
    k = values.shape[1]
    rest = values.sum(axis=1)[:, None] - values
    spread, rest_spread = values.var(axis=0, ddof=1), rest.var(axis=0, ddof=1)
    centered, others = values - values.mean(axis=0), rest - rest.mean(axis=0)
    scale = np.sqrt((centered**2).sum(axis=0) * (others**2).sum(axis=0))
    related = (rest != rest[0]).any(axis=0) & (scale > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = np.clip((centered * others).sum(axis=0) / scale, -1, 1)
        left = (spread.sum() - spread) / rest_spread
        without = (k - 1) / (k - 2) * (1 - left) if k > 2 else np.full(k, np.nan)
    return pd.DataFrame(
        {
            "mean": values.mean(axis=0),
            "sd": np.sqrt(spread),
            "rest_correlation": np.where(related, correlation, np.nan),
            "alpha_without": np.where(rest_spread > 0, without, np.nan),
        },
        index=x.columns.set_names("indicator"),
    )


def _limits(
    incomplete: int, dropped: tuple[str, ...], n: int, alpha: float
) -> Iterator[Diagnostic]:
    if n < FEW_EXAMINEES:
        yield Diagnostic(
            "few_examinees",
            "warning",
            f"Only {n} examinees: fewer than {FEW_EXAMINEES} tell little about alpha.",
            "Read the interval, not the estimate, or test more examinees.",
            values={"n": n},
        )
    if incomplete:
        yield Diagnostic(
            "incomplete_examinees",
            "warning",
            f"{number_of(incomplete, 'examinee')} with a missing cell "
            f"{'was' if incomplete == 1 else 'were'} left out.",
            "Ask again what they did not answer, or report how many were left out.",
            values={"left_out": incomplete},
        )
    if dropped:
        yield Diagnostic(
            "constant_indicators",
            "warning",
            f"No variance, left out: {', '.join(dropped)}.",
            "Say that alpha is that of the other indicators.",
            dropped,
        )
    if alpha < 0:
        yield Diagnostic(
            "negative_alpha",
            "warning",
            "Alpha is negative: indicators run against each other; check their keying.",
            "Reverse the indicators whose correlation with the rest is negative.",
            values={"alpha": alpha},
        )
