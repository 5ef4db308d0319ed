"""The result of a latent class model: its tables, intervals and diagnostics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit, logit

from gfactor.listing import first_few
from gfactor.numbers_in_text import p_value, printed
from gfactor.psychometrics.class_estimation import replicated
from gfactor.psychometrics.class_information import EDGE
from gfactor.psychometrics.class_patterns import ClassSolution
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import Result, decimal, rounded

Array = NDArray[np.float64]

SMALL = 10
"""Cases below which a class is too small to describe."""


@dataclass(frozen=True, repr=False)
class LatentClasses(Result):
    """A latent class model: answers are independent within classes.

    Parameters
    ----------
    n, n_items, n_classes, n_parameters: cases, items, classes, free parameters.
    missing: cells without an answer.
    log_likelihood, aic, bic, sabic: of the best solution.
    entropy: relative entropy, 1 if the class of every case is certain, 0 if all classes are
        equally probable for every case; NaN for one class.
    df: degrees of freedom, the number of possible answer patterns minus 1 minus the number of
        parameters; with covariates the number of cases minus the number of parameters.
    g2, p: likelihood ratio test against the unrestricted table of patterns; None if cells are
        missing, df is below 1, or classes depend on covariates. It needs a few cases per pattern.
    starts, replicated: number of random starts, and how many of the five best ones, which were
        continued until they converged, reached the best log-likelihood.
    shares: per class its `share` of the cases, with standard error and interval.
    probabilities: per item, category and class the `probability` of the answer, with standard
        error and interval (on the logit scale; at 0 or 1 the exact binomial limit for the cases in
        the class).
    posterior: cases x classes, the probabilities of the classes given a case's answers.
    diagnostics: limits to the use of the model, errors first.
    effects: effects of covariates on the logit of each class against the first one, with standard
        error, z, p and interval; None without covariates.
    covariate_tests: Wald test of each covariate over all classes; None without covariates.
    comparison: a row per number of classes with the fit of its model; None if none was compared.
    """

    n: int
    n_items: int
    n_classes: int
    n_parameters: int
    missing: int
    log_likelihood: float
    aic: float
    bic: float
    sabic: float
    entropy: float
    df: int
    g2: float | None
    p: float | None
    starts: int
    replicated: int
    level: float
    shares: pd.DataFrame
    probabilities: pd.DataFrame
    posterior: pd.DataFrame
    diagnostics: tuple[Diagnostic, ...]
    effects: pd.DataFrame | None = None
    covariate_tests: pd.DataFrame | None = None
    comparison: pd.DataFrame | None = None

    @property
    def title(self) -> str:
        """Return the size of the model and its main indices."""
        kinds = "class" if self.n_classes == 1 else "classes"
        entropy = "-" if np.isnan(self.entropy) else f"{self.entropy:.3f}"
        return (
            f"{self.n_classes} latent {kinds}, {self.n} cases x {self.n_items} items: "
            f"log-likelihood {self.log_likelihood:.3f}, {self.n_parameters} parameters, "
            f"BIC {self.bic:.2f}, entropy {entropy}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = (
            *("n", "n_items", "n_classes", "n_parameters", "missing", "log_likelihood"),
            *("aic", "bic", "sabic", "entropy", "df", "g2", "p", "starts", "replicated", "level"),
        )
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        more = {
            "effects": self.effects, "covariate_tests": self.covariate_tests,
            "comparison": self.comparison,
        }  # fmt: skip
        return {
            "shares": self.shares, "probabilities": self.probabilities,
            **{name: table for name, table in more.items() if table is not None},
        }  # fmt: skip

    def _lines(self) -> list[str]:
        lines = [self.title]
        if self.g2 is not None:
            lines.append(f"G2 {self.g2:.2f}, df {self.df}, p {p_value(self.p, '= ')}")
        lines.append(f"AIC {self.aic:.2f}, sample-size adjusted BIC {self.sabic:.2f}")
        lines += ["", rounded(self.shares, 3).to_string(index=False, na_rep="-")]
        lines += ["", *self._answer_lines()]
        if self.effects is not None and len(self.effects):
            lines += ["", "effects on the logit of a class against class 1"]
            lines.append(printed(self.effects, index=False))
        if self.comparison is not None:
            lines += ["", "other numbers of classes", printed(self.comparison, index=False)]
        return lines

    def _answer_lines(self) -> list[str]:
        """Return the answers in the classes with intervals; of two answers the higher one."""
        table = self.probabilities
        numbers = table.groupby("item")["category"].transform("nunique").to_numpy(int)
        pairs = numbers == 2
        lower = table.duplicated(["item", "class"], keep="last").to_numpy(bool)
        rows = table.loc[~(pairs & lower)]
        texts = [
            f"{decimal(row['probability'], '.3f')} [{decimal(row['ci_lower'], '.3f')}, "
            f"{decimal(row['ci_upper'], '.3f')}]"
            for row in rows.to_dict("records")
        ]
        wide = rows.assign(text=texts).pivot_table(
            index=["item", "category"], columns="class", values="text", sort=False, aggfunc="first"
        )
        kind = "each answer (of two answers, the higher)" if bool(pairs.any()) else "each answer"
        return [
            f"probability of {kind} in each class, {self.level:.0%} interval",
            wide.to_string(),
        ]


def compared(fits: Sequence[LatentClasses]) -> pd.DataFrame:
    """Return a row per model, the one with the fewest classes first."""
    return pd.DataFrame(
        [
            {
                "classes": one.n_classes,
                "log_likelihood": one.log_likelihood,
                "parameters": one.n_parameters,
                "aic": one.aic,
                "bic": one.bic,
                "sabic": one.sabic,
                "entropy": one.entropy,
                "smallest_class": one.shares["share"].min(),
                "found_again": one.n_classes == 1 or one.replicated > 1,
            }
            for one in sorted(fits, key=lambda one: one.n_classes)
        ]
    )


def interval_columns(p: Array, errors: Array, cases: Array, level: float) -> dict[str, Array]:
    """Return standard errors and intervals; an estimate of 0 or 1 gets the exact binomial limit."""
    z = stats.norm.ppf((1 + level) / 2)
    inside = np.clip(p, 1e-12, 1 - 1e-12)
    width = z * errors / (inside * (1 - inside))
    low, high = expit(logit(inside) - width), expit(logit(inside) + width)
    limit = 1 - ((1 - level) / 2) ** (1 / np.maximum(cases, 1e-9))
    low = np.where(p <= EDGE, 0.0, np.where(p >= 1 - EDGE, 1 - limit, low))
    high = np.where(p >= 1 - EDGE, 1.0, np.where(p <= EDGE, limit, high))
    return {"se": errors, "ci_lower": low, "ci_upper": high}


def answer_table(
    solution: ClassSolution,
    errors: Array,
    cases: Array,
    labels: list[tuple[Any, Any]],
    names: list[str],
    level: float,
) -> pd.DataFrame:
    """Return one row per item, category and class."""
    frames = [
        pd.DataFrame(
            {
                "item": [str(item) for item, _ in labels],
                "category": [value for _, value in labels],
                "class": name,
                "probability": solution.answers[k],
                **interval_columns(solution.answers[k], errors[k], cases[k], level),
            }
        )
        for k, name in enumerate(names)
    ]
    return pd.concat(frames, ignore_index=True)


def about_search(
    values: Array, starts: int, n_classes: int, df: int, identified: bool
) -> Iterator[Diagnostic]:
    """Check identification, and whether the best maximum was found again."""
    if df < 0 or not identified:
        yield Diagnostic(
            "not_identified",
            "error",
            "The answers do not determine all parameters of the model"
            + (f": it has {-df} more than there are patterns of answers." if df < 0 else "."),
            "Take fewer classes, or more items.",
            (),
            {"df": df},
        )
    elif n_classes > 1 and replicated(values) < 2:
        yield Diagnostic(
            "best_start_alone",
            "warning",
            f"One of {starts} starts reached the best log-likelihood; another maximum may be "
            "higher.",
            "Use more starts.",
            (),
            {"starts": starts},
        )


def about_classes(
    solution: ClassSolution, shares: Array, n: int, labels: list[tuple[Any, Any]], names: list[str]
) -> Iterator[Diagnostic]:
    """Check for small classes, and for probabilities of 0 and 1."""
    small = tuple(name for name, share in zip(names, shares, strict=True) if share * n < SMALL)
    if small:
        yield Diagnostic(
            "small_class",
            "warning",
            f"{', '.join(small)} {'stands' if len(small) == 1 else 'stand'} for fewer than {SMALL} "
            "cases.",
            "Take fewer classes, or ask more respondents.",
            small,
        )
    edge = tuple(
        f"{item} = {value} in {name}"
        for k, name in enumerate(names)
        for (item, value), p in zip(labels, solution.answers[k], strict=True)
        if p <= EDGE
    )
    if edge:
        yield Diagnostic(
            "probability_at_border",
            "note",
            f"{len(edge)} probabilities are estimated as 0 (and their opposites perhaps as 1): "
            f"{first_few(edge, 4)}.",
            "They have no standard errors; their intervals are exact limits for the cases in the "
            "class, and other standard errors take them as given.",
            edge,
        )
