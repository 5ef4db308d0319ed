"""Covariates of latent classes: their columns, and effects on the membership in classes.

References
----------
Dayton, C. M., Macready, G. B. (1988). Concomitant-variable latent-class models. Journal of the
    American Statistical Association 83, 173-178.
Bandeen-Roche, K., Miglioretti, D. L., Zeger, S. L., Rathouz, P. J. (1997). Latent variable
    regression for multiple discrete outcomes. Journal of the American Statistical Association 92,
    1375-1386.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.class_information import ClassErrors
from gfactor.psychometrics.class_patterns import ClassSolution
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import solve
from gfactor.psychometrics.given import check_columns

Array = NDArray[np.float64]

INTERCEPT = "(intercept)"

_APART = 12.0
"""Effect of a covariate, in logits per standard deviation, at which it separates classes
completely."""


@dataclass(frozen=True)
class Covariates:
    """Covariates as numbers with mean 0 and standard deviation 1.

    Parameters
    ----------
    names: names of the columns: covariates, or "covariate = value" for those that are not numeric.
    of: the covariate that each column belongs to.
    values: cases x columns. mean, sd: what was subtracted and divided by.
    """

    names: tuple[str, ...]
    of: tuple[str, ...]
    values: Array
    mean: Array
    sd: Array

    @property
    def back(self) -> Array:
        """Return the matrix from weights of standardized columns to weights of the columns."""
        out = np.diag(np.concatenate([[1.0], 1 / self.sd]))
        out[0, 1:] = -self.mean / self.sd
        return out


def covariates_of(
    table: pd.DataFrame,
    rows: pd.Index,
    given: pd.DataFrame | pd.Series | Array | Sequence[str] | str,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the items, and the covariates of the same cases.

    Parameters
    ----------
    table: cases x items, and covariates if these are given by name.
    rows: names of the cases in the table that the user gave.
    given: the covariates, or their names in the table.

    Raises
    ------
    ParameterError
        For a name that the table does not have or that two covariates have, and other cases.
    """
    if isinstance(given, pd.Series):
        given = given.to_frame("covariate" if given.name is None else given.name)
    if isinstance(given, np.ndarray) and len(given) == len(table):
        columns = given.reshape(len(given), -1).T
        names = ["covariate"] if len(columns) == 1 else range(1, len(columns) + 1)
        given = pd.DataFrame(dict(zip(names, columns, strict=True)), rows).infer_objects()
    if isinstance(given, pd.DataFrame):
        check_columns(given)
        return table, _in_order(given, rows, table.index)
    names = [given] if isinstance(given, str) else list(given)
    lacking = [name for name in names if name not in list(table.columns)]
    if lacking:
        raise ParameterError(
            f"there is no column {str(lacking[0])!r} for a covariate; the columns are "
            f"{', '.join(map(str, table.columns[:10]))}"
        )
    chosen = table.reindex(columns=names)
    check_columns(chosen)
    return table.drop(columns=names), chosen


def _in_order(given: pd.DataFrame, rows: pd.Index, names: pd.Index) -> pd.DataFrame:
    """Return covariates in the order of the cases, which are named as in either index."""
    if len(given) != len(rows):
        raise ParameterError(
            f"covariates have {len(given)} rows and the scores {len(rows)}; give a table with the "
            "same index as the scores"
        )
    for index in (rows, names):
        if given.index.equals(index):
            return given.set_axis(names)
        if index.is_unique and not len(index.difference(given.index)):
            return given.reindex(index).set_axis(names)
    lacking = rows.difference(given.index).tolist()
    if lacking:
        raise ParameterError(
            f"covariates have as many rows as the scores, but none is called {lacking[0]!r}; give "
            "a table with the same index as the scores"
        )
    raise ParameterError(
        "covariates and scores have repeated row names in different orders, so that rows cannot be "
        "matched; give every row its own name"
    )


def coded_covariates(given: pd.DataFrame) -> Covariates:
    """Return covariates as numeric columns. A covariate that is not numeric is dummy-coded: each
    value but the first in alphabetical order has a column of 0 and 1.

    Raises ParameterError if a covariate does not vary, or some determine each other.
    """
    names: list[str] = []
    owners: list[str] = []
    columns: list[Array] = []
    for covariate, column in given.items():
        if pd.api.types.is_numeric_dtype(column):
            parts = {str(covariate): column.to_numpy(float)}
        else:
            text = column.astype(str)
            values = sorted(set(text))[1:]
            parts = {f"{covariate} = {one}": (text == one).to_numpy(float) for one in values}
        if not parts or any(np.ptp(one) == 0 for one in parts.values()):
            raise ParameterError(f"the covariate {str(covariate)!r} does not vary; leave it out")
        names += list(parts)
        owners += [str(covariate)] * len(parts)
        columns += list(parts.values())
    values = np.column_stack(columns)
    mean, sd = values.mean(axis=0), values.std(axis=0)
    values = (values - mean) / sd
    if np.linalg.matrix_rank(values) < values.shape[1]:
        raise ParameterError(
            f"the covariates {', '.join(dict.fromkeys(owners))} determine each other; leave one out"
        )
    return Covariates(tuple(names), tuple(owners), values, mean, sd)


def effect_tables(
    solution: ClassSolution, errors: ClassErrors, covariates: Covariates, names: Sequence[str],
    level: float,
) -> tuple[pd.DataFrame, pd.DataFrame]:  # fmt: skip
    """Return the effects on the logit of each class against the first one, a row each, and a Wald
    test of each covariate over all classes."""
    classes, width = solution.weights.shape
    back = np.kron(np.eye(classes), covariates.back)
    weights = back @ solution.weights.ravel()
    covariance = back @ errors.weights @ back.T
    se = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    reach = stats.norm.ppf((1 + level) / 2) * se
    with np.errstate(divide="ignore", invalid="ignore"):
        z = weights / se
    effects = pd.DataFrame({
        "class": [name for name in names[1:] for _ in range(width)],
        "covariate": [INTERCEPT, *covariates.names] * classes,
        "estimate": weights, "se": se, "z": z, "p": 2 * stats.norm.sf(np.abs(z)),
        "ci_lower": weights - reach, "ci_upper": weights + reach,
    })  # fmt: skip
    rows = []
    for covariate in dict.fromkeys(covariates.of):
        chosen = [k * width + 1 + j for k in range(classes)
                  for j, name in enumerate(covariates.of) if name == covariate]  # fmt: skip
        part = covariance[np.ix_(chosen, chosen)]
        chisq = np.nan
        if chosen and np.isfinite(part).all():
            chisq = float(weights[chosen] @ solve(part, weights[chosen]))
        p = float(stats.chi2.sf(chisq, len(chosen)))
        rows.append({"covariate": covariate, "chisq": chisq, "df": len(chosen), "p": p})
    return effects, pd.DataFrame(rows)


def about_covariates(
    solution: ClassSolution, covariates: Covariates, left_out: int
) -> Iterator[Diagnostic]:
    """Check for covariates that separate classes completely, and cases without covariates."""
    apart = tuple(
        name
        for j, name in enumerate(covariates.names, start=1)
        if (np.abs(solution.weights[:, j]) > _APART).any()
    )
    if apart:
        yield Diagnostic(
            "classes_separated",
            "warning",
            f"The classes are separated completely by {', '.join(apart)}: the effect has no finite "
            "maximum, and its standard error means nothing.",
            "Leave the covariate out, or take fewer classes.",
            apart,
        )
    if left_out:
        yield Diagnostic(
            "cases_without_covariates",
            "warning",
            f"{left_out} {'case has' if left_out == 1 else 'cases have'} no value of a covariate "
            f"and {'was' if left_out == 1 else 'were'} left out.",
            "Fill the covariates in, or leave out those that are often missing.",
            (),
            {"cases": left_out},
        )
