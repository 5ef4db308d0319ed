"""Samples from a population: normal or not, categorized, with missing cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import root_scalar
from scipy.special import expit

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.float_arrays import cholesky
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.simulation.nonnormal import Distortion, distortion
from gfactor.psychometrics.sem.simulation.populations import Population, population

Each = float | Mapping[str, float]
"""One number for all variables, or one by name (others 0)."""


@dataclass(frozen=True)
class Missing:
    """Missing cells of a sample.

    Parameters
    ----------
    share: expected share of missing cells in each of the columns, between 0 and 1.
    columns: names; all (but `by`) if empty.
    by: the column, itself complete, that decides: the log odds of missing rise with its
        standardized value times `slope`. Missing at random given `by`; completely at random if
        there is none.
    slope: with 1, the odds of a missing cell rise by a factor of e per standard deviation.
    """

    share: float
    columns: tuple[str, ...] = ()
    by: str = ""
    slope: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.share < 1:
            raise ParameterError(
                f"a share of missing cells lies from 0 to below 1, not {self.share}."
            )
        if self.by and self.by in self.columns:
            raise ParameterError(
                f"{self.by!r} decides what is missing and must be complete itself."
            )


class Generator:
    """A generator of samples from one population.

    Parameters
    ----------
    counts: cases per group. See `simulate_data` for the others.
    """

    def __init__(
        self,
        source: Population,
        counts: Sequence[int],
        skewness: Each = 0.0,
        kurtosis: Each = 0.0,
        missing: Missing | None = None,
    ) -> None:
        self.population = source
        self.counts = tuple(int(n) for n in counts)
        if len(self.counts) != len(source.covs) or min(self.counts) < 1:
            raise ParameterError(
                f"n needs one positive number of cases for each of the {len(source.covs)} groups."
            )
        self.missing = missing
        names = source.variables
        skew, kurt = _each(skewness, names, "skewness"), _each(kurtosis, names, "kurtosis")
        self.normal = not (skew.any() or kurt.any())
        self._sd = [np.sqrt(cov.diagonal()) for cov in source.covs]
        self._distortions: list[Distortion] = []
        if not self.normal:
            self._distortions = [
                distortion(cov / np.outer(sd, sd), skew, kurt, names)
                for cov, sd in zip(source.covs, self._sd, strict=True)
            ]
        for name in (
            *(missing.columns if missing else ()),
            *filter(None, [missing and missing.by]),
        ):
            if name not in names:
                raise UnknownNameError("variable", str(name), names)

    def draw(self, rng: np.random.Generator, number: int, samples: int) -> np.ndarray:
        """Return samples of one group (from 0), shape (samples, n, p), NaN if cells are missing."""
        source = self.population
        mean, cov = source.means[number], source.covs[number]
        noise = rng.standard_normal((samples, self.counts[number], len(mean)))
        if self.normal:
            rows = noise @ cholesky(cov).T + mean
        else:
            rows = self._distortions[number].apply(noise) * self._sd[number] + mean
        if self.missing and self.missing.share:
            self._punch(rng, rows, number)
        return rows

    def _punch(self, rng: np.random.Generator, rows: np.ndarray, number: int) -> None:
        assert self.missing is not None
        names, by = self.population.variables, self.missing.by
        columns = self.missing.columns or tuple(name for name in names if name != by)
        chance: np.ndarray | float = self.missing.share
        if by:
            column = names.index(by)
            z = (rows[..., column] - self.population.means[number][column]) / self._sd[number][
                column
            ]
            chance = expit(_intercept(self.missing) + self.missing.slope * z)[..., None]
        chosen = np.array([names.index(name) for name in columns])
        holes = rng.random((*rows.shape[:2], len(chosen))) < chance
        part = rows[..., chosen]
        part[holes] = np.nan
        rows[..., chosen] = part


def _intercept(missing: Missing) -> float:
    """The log odds at which the expected share of missing cells is the requested one, by
    quadrature."""
    z, weight = np.polynomial.hermite_e.hermegauss(61)
    weight = weight / weight.sum()

    def away(a: float) -> float:
        return float(weight @ expit(a + missing.slope * z)) - missing.share

    return float(root_scalar(away, bracket=(-60.0, 60.0)).root)


def _each(given: Each, names: Sequence[str], what: str) -> np.ndarray:
    if not isinstance(given, Mapping):
        return np.full(len(names), float(given))
    for name in given:
        if name not in names:
            raise UnknownNameError(f"variable with {what}", name, names)
    return np.array([float(given.get(name, 0.0)) for name in names])


def sizes(n: int | Sequence[int], groups: int) -> tuple[int, ...]:
    """Return cases per group, from one number for all or one each."""
    return (int(n),) * groups if isinstance(n, (int, np.integer)) else tuple(int(one) for one in n)


def simulate_data(
    source: Fit | ParameterTable | str,
    n: int | Sequence[int],
    *,
    seed: int,
    groups: Sequence[str] = (),
    skewness: Each = 0.0,
    kurtosis: Each = 0.0,
    ordinal: Mapping[str, Sequence[float]] | None = None,
    missing: Missing | None = None,
) -> pd.DataFrame:
    """Draw one sample from a fitted model, a table of values or a model text with values.

    Parameters
    ----------
    source : Fit or ParameterTable or str
        See `population`; a text such as "f =~ 0.7*x1 + 0.8*x2 + 0.6*x3".
    n : int or list of int
        Number of cases per group, one for all groups or one each.
    seed : int
        Seed of a PCG64 generator.
    groups : list of str
        Names of the groups of a text with c(...) values; then a column "group" comes last.
    skewness, kurtosis : Each
        Skewness and excess kurtosis (0 for a normal variable) of all variables, or by name;
        covariances stay the population's (Vale & Maurelli 1983).
    ordinal : dict of str to list of float, optional
        Rising thresholds of a variable on its standardized scale, by variable; its values become 1,
        2, ...
    missing : Missing, optional
        Cells to leave out.

    Returns
    -------
    DataFrame
        Cases by variables; a column "group" last if there are several.

    Raises
    ------
    ParameterError
        For a population without values, or distributions that do not exist.

    Examples
    --------
    >>> from gfactor.psychometrics.sem import simulate_data
    >>> simulate_data("f =~ 0.7*x1 + 0.8*x2 + 0.6*x3", 50, seed=1).shape
    (50, 3)
    """
    truth = population(source, tuple(groups))
    maker = Generator(truth, sizes(n, len(truth.covs)), skewness, kurtosis, missing)
    rng = np.random.Generator(np.random.PCG64(seed))
    parts = []
    for number, label in enumerate(truth.labels):
        frame = pd.DataFrame(maker.draw(rng, number, 1)[0], columns=list(truth.variables))
        for name, cuts in (ordinal or {}).items():
            frame[name] = _coarse(truth, number, name, frame, cuts)
        if len(truth.labels) > 1:
            frame["group"] = label
        parts.append(frame)
    return pd.concat(parts, ignore_index=True)


def _coarse(
    source: Population, number: int, name: str, frame: pd.DataFrame, cuts: Sequence[float]
) -> np.ndarray:
    if name not in source.variables:
        raise UnknownNameError("ordinal variable", name, source.variables)
    limits = np.asarray(cuts, dtype=float)
    if not len(limits) or (np.diff(limits) <= 0).any():
        raise ParameterError(f"the thresholds of {name!r} must rise; they are {list(cuts)}.")
    column = source.variables.index(name)
    # All groups have one scale, so that they differ in their answers as they differ in the latent
    # responses.
    center, size = source.means[0][column], np.sqrt(source.covs[0][column, column])
    values = frame[name].to_numpy(dtype=float)
    categories = 1.0 + np.searchsorted(limits, (values - center) / size, side="left")
    return np.where(np.isnan(values), np.nan, categories)
