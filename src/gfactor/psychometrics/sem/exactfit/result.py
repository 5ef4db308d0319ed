"""The outcome of a test of exact fit, and the table of tests by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scipy.special import chdtrc

from gfactor.psychometrics.sem.inference.estimated import Estimated

_TESTS: dict[str, Callable[[Estimated], ExactFit]] = {}


@dataclass(frozen=True)
class ExactFit:
    """A chi-square test of the model against the unrestricted one.

    Parameters
    ----------
    name: lavaan's name of the test.
    chisq, df: the plain statistic and its degrees of freedom.
    pvalue: of the plain statistic; None where it has no chi-square distribution (ULS;
        that of DWLS has none either, but lavaan prints a p and so do we).
    scaled, df_scaled, pvalue_scaled: of the corrected statistic, None for the standard test.
    factor: chisq / factor (+ shift) is the corrected statistic.
    shift: what the scaled-shifted statistic adds.
    mean_factor: the correction of the mean alone, which robust CFI and RMSEA use.
    h1_factor, h0_factor: scaling factors of the two log-likelihoods (Yuan-Bentler as in Mplus).
    """

    name: str
    chisq: float
    df: int
    pvalue: float | None
    scaled: float | None = None
    df_scaled: float | None = None
    pvalue_scaled: float | None = None
    factor: float | None = None
    shift: float | None = None
    mean_factor: float | None = None
    h1_factor: float | None = None
    h0_factor: float | None = None


def tail(statistic: float, df: float) -> float:
    """The probability of a larger chi-square; NaN without degrees of freedom."""
    return float(chdtrc(df, max(statistic, 0.0))) if df > 0 else float("nan")


def plain(estimated: Estimated) -> tuple[float, int, float | None]:
    """The uncorrected statistic, its degrees of freedom and its p."""
    problem = estimated.problem
    chisq = 2 * problem.cases * estimated.value
    if problem.df == 0:
        chisq = max(chisq, 0.0)
    known = problem.options.minimised != "ULS"
    return chisq, problem.df, tail(chisq, problem.df) if known else None


def corrected(
    name: str,
    uncorrected: tuple[float, int, float | None],
    factor: float,
    scaled: float,
    *,
    h1_factor: float | None = None,
    h0_factor: float | None = None,
) -> ExactFit:
    """A test whose mean alone is corrected, by a factor; `uncorrected` is what `plain` gives."""
    chisq, df, pvalue = uncorrected
    return ExactFit(
        name,
        chisq,
        df,
        pvalue,
        scaled,
        df,
        tail(scaled, df),
        factor,
        mean_factor=factor,
        h1_factor=h1_factor,
        h0_factor=h0_factor,
    )


def registered(*names: str) -> Callable[[Callable[[Estimated], ExactFit]], Callable[..., ExactFit]]:
    """Registers a test under lavaan's names."""

    def register(function: Callable[[Estimated], ExactFit]) -> Callable[..., ExactFit]:
        for name in names:
            _TESTS[name] = function
        return function

    return register


def exact_fit(estimated: Estimated, name: str | None = None) -> ExactFit:
    """The test that the options name, or another by its name."""
    return _TESTS[name or str(estimated.problem.options.test)](estimated)
