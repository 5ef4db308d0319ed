"""A calibration: parameters of items, or of design cells, with their error.

By item it holds the parameters of a fit. By design an entry is a cell: the mean difficulty of its
items, and the standard deviation of clones around it. The curve of a new clone is the integral of
P over that normal distribution; the information of such an item is that of this curve, not that of
the curve at the mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.likelihood.curves import (
    Floats,
    Kind,
    ability_derivatives,
    derivatives,
    parameter_names,
)
from gfactor.psychometrics.irt.models.itemfamilies import FamilyFit
from gfactor.psychometrics.irt.models.testlets import FittedTestlets
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.results import Result

By = Literal["item", "design"]

SPREAD = "log_clone_sd"
"""The parameter of a cell beside those of its curve."""
VARIANCE = "POPULATION.variance"
"""The parameter of the population: the variance of ability."""
MEAN = "POPULATION.mean"
"""The parameter of the population's mean, which is uncertain after a link to another scale."""
TESTLETS = "POPULATION.testlet_variance"
"""The parameter of the variance of persons' effects on one testlet, beyond ability."""
_HERMITE = np.polynomial.hermite_e.hermegauss(21)


@dataclass(frozen=True)
class Entry:
    """An item, or a cell of a design.

    Parameters
    ----------
    name : str
        The item's id, or the cell's labels: "domain=maze,size=4".
    kind : str
        Family of its curve (`gfactor.psychometrics.irt.likelihood.curves`).
    scores : tuple of float
        The score that each category stands for, ascending.
    values : tuple of float
        Parameters in slope-intercept form, in the order of `curves.parameter_names`.
    clone_sd : float
        Standard deviation of the difficulty of clones, in logits; 0 for an item.
    facts : mapping
        `content_hash` of an item; `labels`; `n` responses; of a cell `items`, and the 95 %
        interval `clone_sd_low`, `clone_sd_high`, and `items_digest`, a digest of their contents.
    """

    name: str
    kind: Kind
    scores: tuple[float, ...]
    values: tuple[float, ...]
    clone_sd: float = 0.0
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of `values`, and of the spread of clones if there is one."""
        names = parameter_names(self.kind, len(self.scores), 1)
        return (*names, SPREAD) if self.clone_sd else names


class Curves(NamedTuple):
    """Curves of one entry at Q abilities: log probabilities (K, Q), and their derivatives in its
    parameters (K, Q, M)."""

    value: Floats
    first: Floats


@dataclass(frozen=True, repr=False)
class Calibration(Result):
    """Items or design cells on one scale, with the covariance of their estimates.

    Parameters
    ----------
    by : {"item", "design"}
        Kind of the entries: items or cells of a design.
    model : str
        The model's name.
    entries : tuple of Entry
    labels : tuple of str
        Names of the estimated parameters, in the order of `covariance`: "ENTRY.PARAMETER",
        `VARIANCE`, `MEAN` and `TESTLETS`.
    covariance : array (U, U)
        Covariance of these parameters.
    mean, variance : float
        Mean and variance of ability in the calibrated population, which serves as the prior of
        abilities.
    about : mapping
        `population` (who was calibrated, in words, or None), `date` (or None), `respondents`,
        `bank`, `scoring`, `fit`, `linking` (or None), and if there are any, `left_out`: items or
        cells that have no difficulty (`irt.constant_cells`); see docs/irt.md.
    diagnostics : tuple of Diagnostic
        Diagnostics of the fit and of the calibration.
    testlet_variance : float
        Variance of the effects that a person's answers to one testlet share (`irt.testlets`), in
        squared logits; 0 if none was estimated.
    testlet : str or None
        The label of entries whose values are the testlets.
    """

    by: By
    model: str
    entries: tuple[Entry, ...]
    labels: tuple[str, ...]
    covariance: Floats
    mean: float = 0.0
    variance: float = 1.0
    about: Mapping[str, Any] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    testlet_variance: float = 0.0
    testlet: str | None = None

    def testlet_of(self, entry: Entry) -> str:
        """Return the testlet of an entry; the entry's own name if it belongs to none."""
        labels = entry.facts.get("labels") or {}
        return str(labels.get(self.testlet, entry.name))

    @property
    def left_out(self) -> tuple[Mapping[str, Any], ...]:
        """Items or cells without a difficulty: all answers to them were right, or all wrong."""
        return tuple(self.about.get("left_out") or ())

    @property
    def least_se(self) -> float:
        """Smallest standard error of ability that can be reached, with infinitely many answers to
        each testlet."""
        if not self.testlet_variance:
            return 0.0
        testlets = len({self.testlet_of(entry) for entry in self.entries})
        return float((1 / self.variance + testlets / self.testlet_variance) ** -0.5)

    @property
    def title(self) -> str:
        what = "items" if self.by == "item" else "design cells"
        who = self.about.get("population") or "an unnamed population"
        n = (self.about.get("respondents") or {}).get("n")
        count = "an unknown number of" if n is None else n
        return (
            f"{self.model} calibration of {len(self.entries)} {what} by {count} respondents: {who}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        respondents = self.about.get("respondents") or {}
        return {
            "by": self.by, "model": self.model, "entries": len(self.entries),
            "respondents": respondents.get("n"), "families": respondents.get("families"),
            **({"mean": self.mean} if self._line else {}),
            "variance": self.variance, "testlet_variance": self.testlet_variance,
            "bank": (self.about.get("bank") or {}).get("digest"), **self._line,
        }  # fmt: skip

    @property
    def _line(self) -> dict[str, Any]:
        """The line to the scale of an earlier calibration, with standard errors; empty without."""
        linking = self.about.get("linking") or {}
        names = ("method", "items", "slope", "slope_se", "intercept", "intercept_se")
        return {f"link_{name}": linking[name] for name in names if name in linking}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"entries": self.table}

    @cached_property
    def position(self) -> Mapping[str, int]:
        """Position of an entry by its name."""
        return {entry.name: k for k, entry in enumerate(self.entries)}

    @cached_property
    def uncertain(self) -> Mapping[str, int]:
        """Row of `covariance` by name."""
        return {label: k for k, label in enumerate(self.labels)}

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row per entry: `a`, `b` and `se_b` of two categories, `c`, `d`, `clone_sd`, `n`."""
        rows = []
        for entry in self.entries:
            two = entry.kind in ("2pl", "4pl")
            a, step = entry.values[0], entry.values[1]
            low, high = special.expit(entry.values[2:4]) if entry.kind == "4pl" else (0.0, 1.0)
            rows.append({
                "entry": entry.name, "kind": entry.kind, "a": a,
                "b": -step / a if two else np.nan, "se_b": self._se_b(entry) if two else np.nan,
                "c": low if two else np.nan, "d": high if two else np.nan,
                "clone_sd": entry.clone_sd, "n": entry.facts.get("n"),
            })  # fmt: skip
        return pd.DataFrame(rows)

    def _se_b(self, entry: Entry) -> float:
        a, step = entry.values[0], entry.values[1]
        slopes = {f"{entry.name}.a1": step / a**2, f"{entry.name}.d": -1 / a}
        uncertain = [(self.uncertain[n], s) for n, s in slopes.items() if n in self.uncertain]
        rows, weights = [k for k, _ in uncertain], np.array([s for _, s in uncertain])
        return float(np.sqrt(weights @ self.covariance[np.ix_(rows, rows)] @ weights))

    def curves(self, name: str, theta: Sequence[float] | Floats) -> Curves:
        """Return the curves of an entry; those of a cell are integrated over clones.

        Parameters
        ----------
        name : str
            Name of the entry.
        theta : array (Q,)
            Abilities.

        Returns
        -------
        Curves
            Derivatives in the order of `Entry.parameters`.
        """
        entry = self.entries[self.position[name]]
        nodes = np.asarray(theta, float)[:, None]
        values = np.array([entry.values])
        if not entry.clone_sd:
            curves = derivatives(entry.kind, values, nodes, len(entry.scores))
            return Curves(curves.value[0], np.nan_to_num(curves.first[0]))
        return _integrated(entry, values, nodes)

    def probabilities(self, theta: Sequence[float] | Floats) -> Floats:
        """Return the expected score of every entry at each ability, as a share of its highest
        score, (E, Q)."""
        expected = np.zeros((len(self.entries), len(theta)))
        for k, entry in enumerate(self.entries):
            share = np.asarray(entry.scores) / (entry.scores[-1] or 1.0)
            expected[k] = share @ np.exp(self.curves(entry.name, theta).value)
        return expected

    def information(self, theta: Sequence[float] | Floats) -> Floats:
        """Return the Fisher information of every entry at each ability, (E, Q); for a cell that of
        a new item."""
        at = np.asarray(theta, float)
        information = np.zeros((len(self.entries), len(at)))
        for k, entry in enumerate(self.entries):
            values, size = np.array([entry.values]), len(entry.scores)
            if not entry.clone_sd:
                information[k] = ability_derivatives(entry.kind, values, at, size).information[0]
                continue
            p, slope = np.zeros((size, len(at))), np.zeros((size, len(at)))
            for weight, moved, _ in _clones(entry, values):
                here = ability_derivatives(entry.kind, moved, at, size)
                p += weight * np.exp(here.value[0])
                slope += weight * np.exp(here.value[0]) * here.first[0]
            information[k] = (slope**2 / p).sum(axis=0)
        return information


def _clones(entry: Entry, values: Floats) -> list[tuple[float, Floats, float]]:
    """Weight, parameters and position (in standard deviations of difficulty) of every node."""
    nodes, weights = _HERMITE
    clones = []
    for z, weight in zip(nodes, weights / weights.sum(), strict=True):
        moved = values.copy()
        moved[0, 1] -= values[0, 0] * entry.clone_sd * z
        clones.append((float(weight), moved, float(z)))
    return clones


def _integrated(entry: Entry, values: Floats, nodes: Floats) -> Curves:
    """The curve of two categories averaged over clones; the last derivative is in log sd."""
    p, slope = 0.0, 0.0
    for weight, moved, z in _clones(entry, values):
        here = derivatives(entry.kind, moved, nodes, 2)
        weighted = weight * np.exp(here.value[0])
        first = np.nan_to_num(here.first[0])
        spread = -values[0, 0] * entry.clone_sd * z * first[:, :, 1:2]
        # The difference of a clone depends on the slope, too.
        first[:, :, 0] -= entry.clone_sd * z * first[:, :, 1]
        p = p + weighted
        slope = slope + weighted[..., None] * np.concatenate([first, spread], axis=2)
    p = np.asarray(p)
    return Curves(np.log(p), np.asarray(slope) / p[..., None])


def calibrate_items(
    fit: IRTFit, facts: Mapping[str, Mapping[str, Any]], about: Mapping[str, Any]
) -> Calibration:
    """Return the calibration by item that follows from a fit.

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group.
    facts : mapping of item to mapping
        Properties of every item that the file stores beside its parameters.
    about : mapping
        Facts about the calibration, as in `Calibration`.

    Returns
    -------
    Calibration
        Entries of items or cells, with their covariance and population.

    Raises
    ------
    ParameterError
        If the model has several factors or groups, or no covariance.
    """
    model = fit.likelihood.model
    if model.factors > 1 or len(model.groups) > 1:
        raise ParameterError(
            "a calibration needs a model of one factor and one group; leave out --group"
        )
    if fit.vcov is None:
        raise ParameterError(
            "the fit has no covariance of its parameters (see its diagnostics), and without it a "
            "calibration has no standard errors; fit fewer items, or a smaller model"
        )
    values, group = fit.optimum.at.values, next(iter(model.groups))
    answered = (fit.table.codes >= 0).sum(axis=0)
    entries: dict[int, Entry] = {}
    labels: list[tuple[int, str]] = []
    rows: list[int] = []
    free = model.design.getnnz(axis=1) > 0
    for block in group.blocks:
        names = parameter_names(block.kind, block.categories, 1)
        for column, indices in zip(block.columns, block.index, strict=True):
            item = fit.table.items[column]
            entries[int(column)] = Entry(
                item, block.kind, fit.table.scores[column],
                tuple(float(v) for v in values[indices]),
                facts={**facts.get(item, {}), "n": int(answered[column])},
            )  # fmt: skip
            for name, index in zip(names, indices, strict=True):
                if free[index]:
                    labels.append((int(column), f"{item}.{name}"))
                    rows.append(index)
    order = sorted(range(len(labels)), key=lambda k: labels[k][0])
    named: list[str] = [labels[k][1] for k in order]
    chosen = [rows[k] for k in order]
    spread = int(group.covariance[0, 0])
    if free[spread]:
        named, chosen = [*named, VARIANCE], [*chosen, spread]
    covariance = fit.vcov.between(model.design[chosen])
    name = fit.request.model if isinstance(fit.request.model, str) else "mixed"
    return Calibration(
        "item", name, tuple(entries[k] for k in sorted(entries)), tuple(named),
        0.5 * (covariance + covariance.T), float(values[group.mean[0]]), float(values[spread]),
        {**about, "fit": _fit_facts(fit)}, fit.diagnostics,
    )  # fmt: skip


def calibrate_cells(
    families: FamilyFit, labels: Mapping[str, Mapping[str, Any]], guess: Mapping[str, float],
    about: Mapping[str, Any], testlets: FittedTestlets | None = None, testlet: str | None = None,
    digests: Mapping[str, str] = MappingProxyType({}),
) -> Calibration:  # fmt: skip
    """Return the calibration by design that follows from item families.

    Parameters
    ----------
    families : FamilyFit
        The fit.
    labels : mapping of cell to mapping
        The cell's labels and their values.
    guess : mapping of cell to float
        Lower asymptote of every cell; 0 for those that are not named.
    about : mapping
        Facts about the calibration, as in `Calibration`.
    testlets : FittedTestlets or None
        Variance of persons' effects of a testlet, beyond ability.
    testlet : str or None
        The label whose values are the testlets.
    digests : mapping of cell to str
        Digest of the contents of the items of every cell: calibrations of the same items share the
        sampling error of these items.

    Returns
    -------
    Calibration
        Calibration of the Rasch model; the covariance holds mean difficulties (as intercepts), log
        clone_sd and the variances of ability and of testlet effects.
    """
    cells = families.cells
    stretch = 1.0 if testlets is None else testlets.stretch
    entries, steps, spreads = [], [], []
    for name, row in zip(cells.index, cells.to_dict("records"), strict=True):
        cell, low = str(name), float(guess.get(str(name), 0.0))
        curve: tuple[float, ...] = (1.0, -stretch * float(row["b"]))
        if low:
            curve = (*curve, float(special.logit(low)), np.inf)
        entries.append(Entry(
            cell, "4pl" if low else "2pl", (0.0, 1.0), curve, stretch * float(row["clone_sd"]),
            {
                "labels": dict(labels[cell]), "items": int(row["items"]), "n": int(row["n"]),
                "clone_sd_low": stretch * float(row["clone_sd_low"]),
                "clone_sd_high": stretch * float(row["clone_sd_high"]),
                **({"items_digest": digests[cell]} if cell in digests else {}),
            },
        ))  # fmt: skip
        steps.append(f"{cell}.d")
        spreads.append(f"{cell}.{SPREAD}")
    between = None if np.isnan(families.cell_sd) else stretch * families.cell_sd
    fitted = _fit_facts(families.fit) | {"cell_sd": between}
    calibration = Calibration(
        "design", "rasch", tuple(entries), (*steps, *spreads, VARIANCE),
        _cell_covariance(families), 0.0, families.variance, {**about, "fit": fitted},
        families.diagnostics, testlet=testlet if testlets is not None else None,
    )  # fmt: skip
    if testlets is None or not testlets.variance:
        return calibration
    figures = {
        "n": testlets.testlets,
        "variance_se": testlets.se,
        "stretch": stretch,
        "p": testlets.p,
    }
    return replace(
        calibration, labels=(*calibration.labels, TESTLETS), variance=testlets.ability_variance,
        covariance=_stretched(calibration, testlets, families.fit.n_persons),
        testlet_variance=testlets.variance,
        about={**calibration.about, "fit": {**fitted, "testlets": figures}},
    )  # fmt: skip


def _cell_covariance(families: FamilyFit) -> Floats:
    """Return the covariance of mean difficulties, logs of clone_sd and the variance of ability. The
    errors of these three are taken to be independent of each other.
    """
    count = len(families.cells)
    covariance = np.zeros((2 * count + 1, 2 * count + 1))
    covariance[:count, :count] = families.covariance
    spreads = np.arange(count, 2 * count)
    covariance[spreads, spreads] = families.cells["log_sd_se"] ** 2
    covariance[-1, -1] = families.variance_se**2
    return covariance


def _stretched(calibration: Calibration, testlets: FittedTestlets, persons: int) -> Floats:
    """The covariance of a calibration after all logits were multiplied by a common factor. Persons
    are a sample, so their mean effect on a testlet is not 0; the cells of a testlet share this
    error.
    """
    count, size = len(calibration.entries), len(calibration.labels)
    d = np.array([entry.values[1] for entry in calibration.entries])
    names = np.array([calibration.testlet_of(entry) for entry in calibration.entries])
    slopes = np.zeros((size + 1, size + 2))
    slopes[:count, :count] = testlets.stretch * np.eye(count)
    slopes[:count, -3] = d / testlets.stretch
    slopes[count : 2 * count, count : 2 * count] = np.eye(count)
    slopes[count : 2 * count, -3] = 1 / testlets.stretch
    slopes[[-2, -1], [-2, -1]] = 1.0
    before = np.zeros((size + 2, size + 2))
    before[: size - 1, : size - 1] = calibration.covariance[:-1, :-1]
    before[-3:, -3:] = testlets.covariance
    covariance = slopes @ before @ slopes.T
    covariance[:count, :count] += (names[:, None] == names) * testlets.variance / persons
    return covariance


def _fit_facts(fit: IRTFit) -> dict[str, Any]:
    return {
        "loglik": fit.loglik, "n_free": fit.n_free, "converged": fit.converged,
        "standard_errors": fit.errors,
    }  # fmt: skip


def rows_of(calibration: Calibration, entry: Entry) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the uncertain parameters of an entry, and their rows of the covariance."""
    uncertain = [
        (m, calibration.uncertain[f"{entry.name}.{name}"])
        for m, name in enumerate(entry.parameters)
        if f"{entry.name}.{name}" in calibration.uncertain
    ]
    pairs = np.array(uncertain, dtype=np.intp).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]
