"""Conditional maximum likelihood of the Rasch family: no assumption on the abilities.

Given a person's sum score, responses do not depend on the ability. The conditional likelihood is
computed from elementary symmetric functions, built by adding one item at a time from the left and
from the right, so that every item can be left out without a subtraction.

References
----------
Andersen, E. B. (1972). The numerical solution of a set of conditional estimation equations. JRSS B
    34, 42-54.
Fischer, G. H. (1973). The linear logistic test model as an instrument in educational research. Acta
    Psychologica 37, 359-374.
Fischer, G. H., Ponocny, I. (1994). An extension of the partial credit model with an application to
    the measurement of change. Psychometrika 59, 177-192.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import linalg

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.given import model_and_data_in_either_order
from gfactor.psychometrics.irt.data import ResponseTable, read_responses
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.rounding import magnitude
from gfactor.results import Result

ConditionalModel = Literal["rasch", "pcm", "rsm", "lltm"]


@dataclass(frozen=True, repr=False)
class ConditionalFit(Result):
    """A Rasch-family model estimated by conditional maximum likelihood.

    Parameters
    ----------
    model : str
        "rasch", "pcm", "rsm" or "lltm".
    names : tuple of str
        Names of the free parameters.
    estimates : array (X,)
        The free parameters: easiness (of categories, cumulative), or effects on it.
    vcov : array (X, X)
        Inverse observed information.
    loglik : float
        Conditional log-likelihood.
    easiness : DataFrame
        `item`, `category`, `easiness` (cumulative, sum zero unless a design is given), `se`.
    n_persons, n_used : int
        Numbers of persons, and those whose sum score is neither the lowest nor the highest
        possible.
    max_gradient : float
        Largest absolute entry of the gradient at the end.
    diagnostics : tuple of Diagnostic
        Findings about the data, and an error if the search has not converged.
    """

    model: str
    names: tuple[str, ...]
    estimates: Floats
    vcov: Floats
    loglik: float
    easiness: pd.DataFrame
    n_persons: int
    n_used: int
    max_gradient: float
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def title(self) -> str:
        return (
            f"{self.model}, conditional maximum likelihood: {self.n_used} of {self.n_persons} "
            f"persons, {self.easiness['item'].nunique()} items, log-likelihood {self.loglik:.3f}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "model": self.model, "n_persons": self.n_persons, "n_used": self.n_used,
            "n_free": len(self.estimates), "conditional_loglik": self.loglik,
            "max_gradient": magnitude(self.max_gradient, 1e-6),
        }  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"parameters": self.parameters, "easiness": self.easiness}

    @property
    def parameters(self) -> pd.DataFrame:
        """Free parameters: `parameter`, `estimate`, `se`."""
        se = np.sqrt(self.vcov.diagonal())
        return pd.DataFrame({"parameter": self.names, "estimate": self.estimates, "se": se})


@model_and_data_in_either_order
def fit_conditional(
    model: ConditionalModel, data: pd.DataFrame, *, design: pd.DataFrame | None = None,
    tolerance: float = 1e-9,
) -> ConditionalFit:  # fmt: skip
    """Estimate a model of the Rasch family from the conditional likelihood.

    Parameters
    ----------
    model : {"rasch", "pcm", "rsm", "lltm"}
        "rasch" and "lltm" need two categories per item. `model` and `data` may be given in either
        order.
    data : DataFrame (P, J)
        Scores 0, 1, ...; empty if an item was not asked. Persons with the lowest or the highest
        possible sum carry no information and are left out.
    design : DataFrame (J, K) or None
        Effects on easiness, with the items as index, for "lltm" only.
    tolerance : float
        Largest absolute entry of the gradient at the end.

    Returns
    -------
    ConditionalFit
        Easiness of items and categories with standard errors.

    Raises
    ------
    ParameterError
        If the model does not fit the kind of data, or an estimate is infinite.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> theta = rng.normal(size=(300, 1))
    >>> right = rng.uniform(size=(300, 4)) < special.expit(theta + np.array([1, 0, 0, -1]))
    >>> fit = fit_conditional("rasch", pd.DataFrame(right.astype(int)))
    >>> abs(float(fit.easiness["easiness"].sum())) < 1e-9
    True
    """
    table, diagnostics = read_responses(data)
    if model not in ("rasch", "pcm", "rsm", "lltm"):
        raise UnknownNameError("conditional model", model, ("rasch", "pcm", "rsm", "lltm"))
    if design is not None and model != "lltm":
        raise ParameterError(
            f"{model} takes no design; use the model lltm, or leave the design out"
        )
    categories = table.categories
    if model in ("rasch", "lltm") and categories.max() > 2:
        raise ParameterError(f"{model} takes items with two categories; use pcm or rsm")
    if model == "rsm" and categories.min() != categories.max():
        raise ParameterError("rsm needs the same number of categories in all items; use pcm")
    weights, names, contrast = _design(table, model, design)
    likelihood = _Likelihood(table)
    x = np.zeros(weights.shape[1])
    value, gradient, information = likelihood.at(weights @ x)
    largest = np.inf
    for _ in range(100):
        slope = weights.T @ gradient
        largest = float(np.abs(slope).max())
        if largest < tolerance:
            break
        bend = weights.T @ information @ weights
        try:
            step = linalg.cho_solve(linalg.cho_factor(bend), slope)
        except linalg.LinAlgError as error:
            raise ParameterError(
                f"{model}: the data do not determine all parameters; some items or categories are "
                "connected by no person's responses, or effects of the design are redundant"
            ) from error
        length = 1.0
        there = likelihood.at(weights @ (x + step))
        while there[0] < value - 1e-12 * abs(value) and length > 1e-8:
            length /= 2
            there = likelihood.at(weights @ (x + length * step))
        x[:] += length * step
        value, gradient, information = there
        if np.abs(x).max() > 30:
            raise ParameterError(
                f"{model}: the estimate of {names[int(np.abs(x).argmax())]!r} is infinite; leave "
                "out items that all persons solve, or none, or all who make errors elsewhere"
            )
    if largest >= tolerance:
        diagnostics.append(Diagnostic(
            "not_converged", "error",
            f"The search ended at a gradient of {largest:.1g}, not below {tolerance:.1g}.",
            "Give a larger tolerance if this gradient is small enough, else a simpler model.",
            values={"max_gradient": largest, "tolerance": tolerance},
        ))  # fmt: skip
    vcov = inv(weights.T @ information @ weights)
    centered = contrast @ weights
    easiness = centered @ x
    variances = (centered @ vcov @ centered.T).diagonal()
    se = np.sqrt(np.maximum(variances, 0))
    rows = [(table.items[j], k) for j in range(len(categories)) for k in range(1, categories[j])]
    frame = pd.DataFrame(rows, columns=["item", "category"]).assign(easiness=easiness, se=se)
    return ConditionalFit(
        model, names, x, vcov, value, frame, len(table.codes), likelihood.used, largest,
        tuple(diagnostics),
    )  # fmt: skip


def _design(
    table: ResponseTable, model: str, given: pd.DataFrame | None
) -> tuple[Floats, tuple[str, ...], Floats]:
    """Cumulative easiness = weights @ x; names of x; the contrast under which it is shown."""
    categories = table.categories
    steps = [(j, k) for j in range(len(categories)) for k in range(1, categories[j])]
    size = len(steps)
    if model == "lltm":
        if given is None:
            raise ParameterError("lltm needs a design: effects on easiness, one row per item")
        given = given.set_axis([str(i) for i in given.index], axis=0)
        repeated = given.index[given.index.duplicated()]
        if len(repeated):
            raise ParameterError(f"the design has two rows for the item {repeated[0]!r}; keep one")
        lacking = [item for item in table.items if item not in given.index]
        if lacking:
            raise ParameterError(
                f"the table of the design has no row for the item {lacking[0]!r}; add it"
            )
        return _effects(given.loc[list(table.items)]), tuple(map(str, given.columns)), np.eye(size)
    if model == "rsm":
        count, k_max = len(categories), int(categories[0])
        weights = np.zeros((size, count - 1 + k_max - 2))
        for row, (j, k) in enumerate(steps):
            if j:
                weights[row, j - 1] = k
            else:
                weights[row, : count - 1] = -k
            if k > 1:
                weights[row, count - 3 + k] = 1
        names = (*table.items[1:], *(f"category {k}" for k in range(2, k_max)))
        return weights, names, np.eye(size)
    # Scores are counted in steps, so easiness is determined up to k times a constant: the sum of
    # all cumulative values is zero, the first one follows from the others.
    weights = np.vstack([-np.ones((1, size - 1)), np.eye(size - 1)])
    names = tuple(f"{table.items[j]}.{k}" if categories.max() > 2 else table.items[j]
                  for j, k in steps[1:])  # fmt: skip
    return weights, names, np.eye(size)


def _effects(design: pd.DataFrame) -> Floats:
    numbers = design.apply(pd.to_numeric, errors="coerce").to_numpy(float)
    for row, column in np.argwhere(~np.isfinite(numbers)):
        raise ParameterError(
            f"the design has no number in column {str(design.columns[column])!r} for the item "
            f"{design.index[row]!r}; give one"
        )
    return numbers


class _Likelihood:
    """Conditional log-likelihood, gradient and information in the cumulative easiness."""

    def __init__(self, table: ResponseTable) -> None:
        categories = table.categories
        self.steps = categories - 1
        self.offset = np.concatenate([[0], np.cumsum(self.steps)])
        seen = table.codes >= 0
        patterns, which = np.unique(seen, axis=0, return_inverse=True)
        self.parts: list[tuple[np.ndarray, Floats, Floats]] = []
        self.used = 0
        for number, pattern in enumerate(patterns):
            items = np.flatnonzero(pattern)
            rows = table.codes[np.ravel(which) == number][:, items]
            top = int(self.steps[items].sum())
            sums = rows.sum(axis=1)
            rows, sums = rows[(sums > 0) & (sums < top)], sums[(sums > 0) & (sums < top)]
            if not len(rows):
                continue
            self.used += len(rows)
            counts = np.zeros(self.offset[-1])
            for column, j in enumerate(items):
                hits = np.bincount(rows[:, column], minlength=categories[j])[1:]
                counts[self.offset[j] : self.offset[j + 1]] = hits
            self.parts.append((items, counts, np.bincount(sums, minlength=top + 1).astype(float)))
        if not self.parts:
            raise ParameterError(
                "every person has the lowest or the highest possible sum; add persons with other "
                "sums"
            )

    def at(self, easiness: Floats) -> tuple[float, Floats, Floats]:
        size = len(easiness)
        value, gradient, information = 0.0, np.zeros(size), np.zeros((size, size))
        for items, counts, sums in self.parts:
            part = self._part(items, sums, easiness)
            value += float(counts @ easiness) - part[0]
            gradient += counts - part[1]
            information += part[2]
        return value, gradient, information

    def _part(
        self, items: np.ndarray, sums: Floats, easiness: Floats
    ) -> tuple[float, Floats, Floats]:
        """log of the symmetric functions summed over persons, and its two derivatives."""
        size = len(easiness)
        polynomials = [
            np.concatenate([[1.0], np.exp(easiness[self.offset[j] : self.offset[j + 1]])])
            for j in items
        ]
        # Scaled so that the largest entry is one; the logarithm of the scale is kept.
        left = [(np.ones(1), 0.0)]
        for p in polynomials:
            left.append(_scaled(np.convolve(left[-1][0], p), left[-1][1]))
        right = [(np.ones(1), 0.0)]
        for p in reversed(polynomials):
            right.append(_scaled(np.convolve(right[-1][0], p), right[-1][1]))
        right.reverse()
        gamma, scale = left[-1]
        persons = np.flatnonzero(sums)
        total = float(sums[persons] @ (np.log(gamma[persons]) + scale))
        ratio = np.zeros_like(gamma)
        ratio[persons] = sums[persons] / gamma[persons]
        shares = np.zeros((len(gamma), size))
        information = np.zeros((size, size))
        for a, j in enumerate(items):
            without = _product(left[a], right[a + 1], scale)
            columns = np.arange(int(self.offset[j]), int(self.offset[j + 1]))
            for k, column in enumerate(columns, start=1):
                shares[k : k + len(without), column] = polynomials[a][k] * without
            middle = (np.ones(1), 0.0)
            for b in range(a + 1, len(items)):
                outer = _product(left[a], right[b + 1], 0.0, keep=True)
                both = _product(outer, middle, scale)
                other_item = items[b]
                others = np.arange(int(self.offset[other_item]), int(self.offset[other_item + 1]))
                for k, column in enumerate(columns, start=1):
                    for m, other in enumerate(others, start=1):
                        joint = (
                            polynomials[a][k]
                            * polynomials[b][m]
                            * (ratio[k + m : k + m + len(both)] @ both)
                        )
                        information[column, other] = information[other, column] = joint
                middle = _scaled(np.convolve(middle[0], polynomials[b]), middle[1])
        expected = ratio @ shares
        information[np.diag_indices(size)] = expected
        chances = np.zeros_like(shares)
        chances[persons] = shares[persons] / gamma[persons, None]
        information -= (chances * sums[:, None]).T @ chances
        return total, expected, information


def _scaled(values: Floats, log_scale: float) -> tuple[Floats, float]:
    top = float(values.max())
    return values / top, log_scale + float(np.log(top))


def _product(
    first: tuple[Floats, float], second: tuple[Floats, float], scale: float, keep: bool = False
) -> Any:
    """Convolution of two scaled sequences on the scale given; if `keep` is true, a scaled
    sequence."""
    values = np.convolve(first[0], second[0])
    if keep:
        return _scaled(values, first[1] + second[1])
    return values * np.exp(first[1] + second[1] - scale)
