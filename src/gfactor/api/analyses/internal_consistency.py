"""Internal consistency of a score's indicators, as `gfactor analyze reliability` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from gfactor.errors import GfactorError, ParameterError
from gfactor.listing import first_few
from gfactor.parameters import Level, Seed
from gfactor.psychometrics import sem
from gfactor.psychometrics.classical.consistency import scores as classical_scores
from gfactor.psychometrics.classical.consistency.lower_bound import greatest_lower_bound
from gfactor.psychometrics.classical.consistency.one_factor import one_factor_misfit
from gfactor.psychometrics.classical.consistency.scores import Reliability, feldt_interval
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.given import ALL_BENCHMARKS, TableLike, as_numbers
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.person_tables import person_items
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.model_reliability import ModelReliability
from gfactor.results import Result

MOST_FOR_OMEGA, MOST_FOR_BOUND = 100, 50
"""Indicators up to which omega and the greatest lower bound are computed."""
_INSIDE = 1e-10


@dataclass(frozen=True, repr=False)
class Consistency(Result):
    """The reliability of a sum of indicators by several coefficients, and the contribution of each
    item.

    Parameters
    ----------
    coefficients : DataFrame
        Rows `alpha`, `omega`, `glb` and `split_half` with `estimate`, `ci_lower`, `ci_upper` and
        `interval` (its kind); the greatest lower bound (`glb`) has no interval.
    indicators : DataFrame
        Per indicator `mean`, `sd`, `rest_correlation` (with the sum of the others) and
        `alpha_without` (alpha if it is dropped), each of the two with `_lower` and `_upper`.
    sem, sd : float
        Standard error of measurement and standard deviation of the sum of the indicators, in its
        units.
    n, k : int
        Number of examinees and of indicators.
    level : float
        Confidence level of the intervals.
    diagnostics : tuple of Diagnostic
        Limits of the coefficients, errors first.
    """

    coefficients: pd.DataFrame
    indicators: pd.DataFrame
    sem: float
    sd: float
    n: int
    k: int
    level: float
    diagnostics: tuple[Diagnostic, ...]

    @property
    def alpha(self) -> float:
        """Return Cronbach's alpha."""
        return float(self.coefficients.loc["alpha", "estimate"])

    @property
    def title(self) -> str:
        parts = [
            f"{name} {row.estimate:.3f} [{row.ci_lower:z.3f}, {row.ci_upper:z.3f}]"
            if np.isfinite(row.estimate)
            else f"{name} not computed"
            for name, row in self.coefficients.loc[["alpha", "omega"]].iterrows()
        ]
        return f"{', '.join(parts)}; {self.n} examinees x {self.k} indicators"

    @property
    def facts(self) -> Mapping[str, Any]:
        numbers = {name: getattr(self, name) for name in ("n", "k", "level")}
        return {**numbers, "sem_of_sum": self.sem, "sd_of_sum": self.sd}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"coefficients": self.coefficients, "indicators": self.indicators}

    def drawers(self) -> Mapping[str, Any]:
        """Return the functions that draw the figures of `plot`: the contribution of each item."""
        # Loads Matplotlib, which coefficients do not need.
        from gfactor.reports.drawing.interval_figures import item_analysis  # noqa: PLC0415

        return {"items": partial(item_analysis, self.indicators, self.alpha, self.level)}

    def sentences(self) -> Iterator[str]:
        """Return the sentences of `paragraph`."""
        # Loads what writes all paragraphs, which coefficients do not need.
        from gfactor.reports.paragraphs.reliability import (  # noqa: PLC0415
            sentences_on_consistency,
        )

        yield from sentences_on_consistency(self)


@overload
def reliability(
    scores: Fit, *, level: float = 0.95, seed: int = 0, benchmark: None = None
) -> ModelReliability: ...


@overload
def reliability(
    scores: TableLike,
    *,
    level: float = 0.95,
    seed: int = 0,
    benchmark: str | None = None,
) -> Consistency: ...


def reliability(
    scores: TableLike | Fit,
    *,
    level: float = 0.95,
    seed: int = 0,
    benchmark: str | None = None,
) -> Consistency | ModelReliability:
    """Estimate the reliability of a sum of indicators, or of the factors in a fitted model.

    Parameters
    ----------
    scores : DataFrame or Fit
        Table with a row per examinee and a column per indicator, as in `consistency`. Or a result
        of `gfactor.sem`: each factor then gets omega, average variance extracted (AVE) and H, and
        a general factor also hierarchical omega, explained common variance (ECV) and percentage of
        uncontaminated correlations (PUC).
    level : float
        Confidence level of the intervals.
    seed : int
        Seed of the random split halves, for a table.
    benchmark : str, optional
        Benchmark whose items are analyzed. Needed if the columns are items of several benchmarks
        (from `gfactor.matrix` with by="item", or named `BENCHMARK:INDEX`); "all" analyzes the
        items of all benchmarks together.

    Returns
    -------
    Consistency or ModelReliability
        For a table the result of `consistency`, with `coefficients` and `indicators`; for a fitted
        model `indices` with intervals.

    Raises
    ------
    ParameterError
        If fewer than three examinees with all scores, or fewer than two indicators that vary, are
        left; if the items are of several benchmarks and `benchmark` names none; or if a model has
        no latent variable.

    References
    ----------
    Feldt, L. S. (1965). The approximate sampling distribution of Kuder-Richardson reliability
    coefficient twenty. Psychometrika 30, 357-370.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 7)})
    >>> gf.reliability(data).coefficients.loc[["alpha", "omega"], "estimate"].round(1).tolist()
    [0.8, 0.8]
    >>> fit = gf.sem("g =~ x1 + x2 + x3 + x4", data)
    >>> gf.reliability(fit).indices["index"].tolist()[0]
    'omega'
    """
    if isinstance(scores, Fit):
        return sem.reliability(scores, level=level)
    if isinstance(scores, IRTFit):
        raise ParameterError(
            "the reliability of an item response model is fit.reliability (empirical and marginal)"
        )
    return consistency(scores, level=level, seed=seed, benchmark=benchmark)


def consistency(
    scores: TableLike,
    *,
    level: Level = 0.95,
    seed: Seed = 0,
    benchmark: str | None = None,
) -> Consistency:
    """Estimate the reliability of a sum: alpha, omega, greatest lower bound, split halves.

    Parameters
    ----------
    scores : DataFrame
        Table with a row per examinee and a column per indicator, which holds points, proportions
        or 0 and 1. Examinees with a missing cell and indicators that do not vary are left out; the
        result says how many.
    level : float
        Confidence level of the intervals (default 0.95).
    seed : int
        Seed of the random split halves (default 0).
    benchmark : str, optional
        Benchmark whose items are analyzed. Needed if the columns are items of several benchmarks
        (from `gfactor.matrix` with by="item", or named `BENCHMARK:INDEX`); "all" analyzes the
        items of all benchmarks together.

    Returns
    -------
    Consistency
        `coefficients` (of the sum) and `indicators` (a row for each), with intervals.

    Raises
    ------
    ParameterError
        If fewer than three examinees with all scores, or fewer than two indicators that vary, are
        left; or if the items are of several benchmarks and `benchmark` names none.

    References
    ----------
    Feldt, L. S. (1965). Psychometrika 30, 357-370 (alpha).
    McDonald, R. P. (1999). Test theory: a unified treatment (omega).
    Jackson, P. H., Agunwamba, C. C. (1977). Psychometrika 42, 567-578 (greatest lower bound).
    MacCallum, R. C., Browne, M. W., Sugawara, H. M. (1996). Psychological Methods 1, 130-149 (test
    of fit by RMSEA). Herzog, W., Boomsma, A. (2009). Structural Equation Modeling 16, 1-27 (Swain's
    correction).

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> import gfactor as gf
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 6)})
    >>> result = gf.consistency(data)
    >>> list(result.coefficients.index)
    ['alpha', 'omega', 'glb', 'split_half']
    >>> bool((result.coefficients["estimate"] > 0.7).all())
    True
    """
    table = as_numbers(person_items(scores, benchmark))
    classical = classical_scores.reliability(
        table, level=level, seed=seed, benchmark=ALL_BENCHMARKS
    )
    x = table.dropna().drop(columns=list(classical.dropped)).astype(float)
    findings = list(classical.diagnostics)
    omega, finding = _omega(x, level)
    findings += finding
    rows = {
        "alpha": (classical.alpha, classical.low, classical.high, "Feldt"),
        "omega": (*omega, "delta method, robust"),
        "glb": (_bound(x.to_numpy()), float("nan"), float("nan"), "none"),
        "split_half": (
            classical.split_half, classical.split_low, classical.split_high,
            "middle 95 % of random halves",
        ),
    }  # fmt: skip
    if not np.isnan(rows["glb"][0]):
        findings.append(_OVERESTIMATED)
    findings += _limits(classical)
    return Consistency(
        coefficients=pd.DataFrame.from_dict(
            rows, orient="index", columns=["estimate", "ci_lower", "ci_upper", "interval"]
        ),
        indicators=_indicators(classical, level),
        sem=classical.k * classical.sem, sd=classical.k * classical.sd,
        n=classical.n, k=classical.k, level=level,
        diagnostics=tuple(by_severity(findings)),
    )  # fmt: skip


_OVERESTIMATED = Diagnostic(
    "glb_overestimates", "note",
    "The greatest lower bound of a sample is too large: in simulations by .02 with 6 indicators "
    "and 300 examinees, and by .04 with 12 indicators and 150. It has no interval, because "
    "bootstrap intervals held the true value in only 61 % and 2 % of these samples.",
    "Report omega or alpha; read the greatest lower bound as a rough upper value.",
)  # fmt: skip


def _omega(x: pd.DataFrame, level: float) -> tuple[tuple[float, ...], list[Diagnostic]]:
    """Omega of a model of one factor with its interval; NaN, and why, if it cannot be fitted."""
    nothing = (float("nan"),) * 3
    if x.shape[1] < 3:
        return nothing, [_without_omega("a factor of two indicators is not identified")]
    if x.shape[1] > MOST_FOR_OMEGA:
        return nothing, [_without_omega(f"there are more than {MOST_FOR_OMEGA} indicators")]
    names = [f"x{k}" for k in range(x.shape[1])]
    renamed = x.set_axis(names, axis=1) / x.to_numpy().std()
    try:
        fit = sem.fit(f"g =~ {' + '.join(names)}", renamed, estimator="MLR", std_lv=True)
        if not fit.converged:
            return nothing, [_without_omega("the model of one factor did not converge")]
        rows = sem.reliability(fit, level=level).indices.set_index("index")
    except GfactorError as error:
        return nothing, [_without_omega(str(error).rstrip("."))]
    row = rows.loc["omega"]
    return (float(row["est"]), float(row["low"]), float(row["high"])), one_factor_misfit(fit, x)


def _without_omega(reason: str) -> Diagnostic:
    return Diagnostic(
        "no_omega", "note", f"Omega was not computed: {reason}.", "Report alpha.",
    )  # fmt: skip


def _bound(x: NDArray[np.float64]) -> float:
    if x.shape[1] > MOST_FOR_BOUND:
        return float("nan")
    return float(greatest_lower_bound(np.cov(x, rowvar=False))[0])


def _indicators(classical: Reliability, level: float) -> pd.DataFrame:
    """The table of indicators with intervals: Fisher's z of correlations, Feldt's of alpha."""
    frame = classical.indicators.copy()
    r = frame["rest_correlation"].to_numpy(float)
    margin = special.ndtri((1 + level) / 2) / np.sqrt(max(classical.n - 3, 1))
    z = np.arctanh(np.clip(r, -1 + _INSIDE, 1 - _INSIDE))
    frame.insert(3, "rest_lower", np.tanh(z - margin))
    frame.insert(4, "rest_upper", np.tanh(z + margin))
    ends = [
        feldt_interval(float(alpha), classical.n, classical.k - 1, level)
        for alpha in frame["alpha_without"]
    ]
    frame["alpha_without_lower"] = [low for low, _ in ends]
    frame["alpha_without_upper"] = [high for _, high in ends]
    return frame


def _limits(classical: Reliability) -> Iterator[Diagnostic]:
    related = classical.indicators["rest_correlation"].to_dict()
    names = tuple(str(name) for name, r in related.items() if r < 0)
    if names:
        yield Diagnostic(
            "reversed_indicators", "warning",
            f"Indicators run against the sum of the others: {first_few(names)}.",
            "Check the key; reverse the scores of a statement that asks for the opposite.",
            names,
        )  # fmt: skip
    if classical.k > MOST_FOR_BOUND:
        yield Diagnostic(
            "no_lower_bound", "note",
            f"The greatest lower bound was not computed for more than {MOST_FOR_BOUND} indicators.",
            "Report alpha." if classical.k > MOST_FOR_OMEGA else "Report alpha and omega.",
        )  # fmt: skip
