"""`simulation_study`: performance of an estimator in samples from a known population."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from gfactor.computing import each
from gfactor.errors import GfactorError, ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.sem.batches import (
    FAILED,
    IMPROPER,
    INFINITE,
    PROPER,
    Moments,
    batchable,
    fit_many,
    joined,
    sampled_moments,
    standard_errors,
)
from gfactor.psychometrics.sem.batches.outcome import concatenated, improprieties
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.fitting import fit as fit_model
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.simulation.generate import Each, Generator, Missing, sizes
from gfactor.psychometrics.sem.simulation.populations import Population, population
from gfactor.psychometrics.sem.simulation.result import Replications, SimulationStudy

_MISFIT = 1e-8
_MANY = 0.05


def findings(reference: Fit, runs: Replications, alone: bool) -> tuple[Diagnostic, ...]:
    """Return diagnostics of a model that is wrong in the population, of samples left out of
    averages, and of few replications."""
    diagnostics = []
    if reference.outcome.value > _MISFIT:
        diagnostics.append(
            Diagnostic(
                "pseudo_true_values",
                "note",
                "The model does not hold in the population (its discrepancy there is "
                f"{2 * reference.outcome.value:.3g}).",
                "Bias and coverage are about the values that the model tends to in large samples.",
            )
        )
    total = len(runs)
    for kind, code in ((FAILED, "samples_failed"), (INFINITE, "samples_at_infinity")):
        count = int((runs.kind == kind).sum())
        if count:
            reasons = "; ".join(f"{k}: {v}" for k, v in list(runs.reasons(kind).items())[:3])
            diagnostics.append(
                Diagnostic(
                    code,
                    "warning" if count > _MANY * total else "note",
                    f"{count} of {total} samples are not in the averages ({reasons}).",
                    "Read bias and coverage as those of the other samples; a larger n or another "
                    "identification (markers instead of std_lv) loses fewer.",
                    values={"samples": total, "lost": count},
                )
            )
    if total < 200:
        diagnostics.append(
            Diagnostic(
                "few_replications",
                "note",
                f"{total} replications tell a coverage of 95 % to "
                f"{196 * (0.95 * 0.05 / total) ** 0.5:.1f} points only.",
                "Take 1000"
                + (" (this study is fitted sample by sample; be patient)." if alone else "."),
            )
        )
    return by_severity(diagnostics)


_BLOCK = 2_000_000
"""Number of values drawn at once (16 MB)."""


def simulation_study(
    source: Fit | ParameterTable | str,
    n: int | Sequence[int],
    *,
    model: str | ParameterTable | None = None,
    replications: int = 1000,
    seed: int,
    groups: Sequence[str] = (),
    skewness: Each = 0.0,
    kurtosis: Each = 0.0,
    missing: Missing | None = None,
    level: float = 0.95,
    watch: Callable[[int], object] | None = None,
    **options: Any,
) -> SimulationStudy:
    """Fit a model to many samples of a population: bias, coverage, power, convergence.

    True values are the model's parameters at the population's own moments; if the model is wrong in
    the population, they are the limits of its estimates (pseudo-true), and a diagnostic says so.
    Maximum likelihood fits of complete samples are made in batches, other fits one after the other.

    Parameters
    ----------
    source : Fit or ParameterTable or str
        See `simulate_data`.
    n : int or list of int
        See `simulate_data`.
    model : str or ParameterTable, optional
        Model to fit; the population's own model if none is given.
    replications : int
        Number of samples; 1000 give the interval coverage (95 %) to within 1.4 points.
    seed : int
        Seed of a PCG64 generator.
    groups : list of str
        See `simulate_data`.
    skewness : Each
        See `simulate_data`.
    kurtosis : Each
        See `simulate_data`.
    missing : Missing, optional
        See `simulate_data`.
    level : float
        Confidence level of the intervals. Power is the share of samples in which |z| exceeds the
        normal quantile of this level.
    watch : callable, optional
        Called with the number of samples done.
    **options : Any
        Options of the fit, as for `fit`.

    Returns
    -------
    SimulationStudy
        Bias, coverage, power and convergence, each with its Monte Carlo error.

    Raises
    ------
    ParameterError
        If the population, the model or the options are wrong, or the model has no solution in the
        population.

    Examples
    --------
    >>> from gfactor.psychometrics.sem import simulation_study
    >>> text = "f =~ 0.7*x1 + 0.8*x2 + 0.6*x3 + 0.7*x4"
    >>> len(simulation_study(text, 200, replications=20, seed=1).to_dict()) > 0
    True
    """
    if replications < 2:
        raise ParameterError(f"a study needs two or more replications, not {replications}.")
    truth = population(source, tuple(groups))
    counts = sizes(n, len(truth.covs))
    maker = Generator(truth, counts, skewness, kurtosis, missing)
    if missing and "missing" not in options:
        options = {**options, "missing": "ml"}
    reference = _reference(truth, model, counts, options)
    rng = np.random.Generator(np.random.PCG64(seed))
    alone = missing is not None or reference.options.se != "standard"
    if batchable(reference) and not alone:
        runs = _batches(reference, maker, replications, rng, watch)
    else:
        runs = _one_by_one(reference, truth, maker, replications, rng, options, watch)
    z = float(ndtri((1 + level) / 2))
    return SimulationStudy(
        reference, counts, seed, level, runs, z, findings(reference, runs, alone)
    )


def _reference(
    truth: Population,
    model: str | ParameterTable | None,
    counts: tuple[int, ...],
    options: dict[str, Any],
) -> Fit:
    """The model at the population's moments."""
    names = list(truth.variables)
    covs = [
        pd.DataFrame(cov * n / (n - 1), names, names)
        for cov, n in zip(truth.covs, counts, strict=True)
    ]
    means = [pd.Series(mean, names) for mean in truth.means]
    several = len(covs) > 1
    given = {k: v for k, v in options.items() if k != "missing"}
    if given.get("estimator") == "MLR":
        given["estimator"] = "ML"
    if options.get("missing") == "ml":
        given["meanstructure"] = True
    chosen = truth.table if model is None else model
    if isinstance(chosen, ParameterTable):
        chosen = ParameterTable(
            tuple(row.changed(value=None) if row.free else row for row in chosen.rows),
            truth.labels if several else (),
        )
    labels = truth.labels
    fit = fit_model(
        chosen,
        sample_cov=dict(zip(labels, covs, strict=True)) if several else covs[0],
        sample_mean=dict(zip(labels, means, strict=True)) if several else means[0],
        n=list(counts) if several else counts[0],
        **given,
    )
    if not fit.converged:
        raise ParameterError(
            "the model has no proven minimum at the population's own moments "
            f"({fit.convergence.sentence}); check its identification."
        )
    estimator = options.get("estimator", "ML")
    return fit if estimator == "ML" else _renamed(fit, estimator)


def _renamed(fit: Fit, estimator: str) -> Fit:
    """The same fit under the options that samples will have."""
    options = fit.options.replaced(estimator=estimator, se="robust.huber.white")
    return dataclasses.replace(fit, options=options)


def _blocks(maker: Generator, replications: int) -> Iterator[int]:
    step = max(1, _BLOCK // (max(maker.counts) * len(maker.population.variables)))
    for first in range(0, replications, step):
        yield min(step, replications - first)


def _batches(
    reference: Fit,
    maker: Generator,
    replications: int,
    rng: np.random.Generator,
    watch: Callable[[int], object] | None,
) -> Replications:
    order = [maker.population.variables.index(name) for name in reference.sample.variables]

    def drawn() -> Iterator[tuple[Fit, Moments]]:
        for count in _blocks(maker, replications):
            moments_of = [
                sampled_moments(maker.draw(rng, number, count)[..., order])
                for number in range(len(maker.counts))
            ]
            moments = joined(moments_of, wishart=reference.options.likelihood == "wishart")
            yield from ((reference, some) for some in moments.parts())

    return concatenated(each(_fitted_batch, drawn()), watch)


def _fitted_batch(reference: Fit, moments: Moments) -> Replications:
    fits = fit_many(reference, moments)
    errors = standard_errors(reference, moments, fits.theta)
    return Replications(fits.theta, errors, fits.chisq, fits.kind, fits.reason)


def _one_by_one(
    reference: Fit,
    truth: Population,
    maker: Generator,
    replications: int,
    rng: np.random.Generator,
    options: dict[str, Any],
    watch: Callable[[int], object] | None,
) -> Replications:
    several = len(truth.labels) > 1

    def drawn() -> Iterator[tuple[ParameterTable, pd.DataFrame, dict[str, Any]]]:
        for _ in range(replications):
            parts = []
            for number, label in enumerate(truth.labels):
                frame = pd.DataFrame(maker.draw(rng, number, 1)[0], columns=list(truth.variables))
                parts.append(frame.assign(group=label) if several else frame)
            given = {**options, "group": "group" if several else None}
            yield reference.table, pd.concat(parts, ignore_index=True), given

    return concatenated(each(_fitted_alone, drawn()), watch)


def _fitted_alone(
    table: ParameterTable, data: pd.DataFrame, options: dict[str, Any]
) -> Replications:
    """The replication of one sample."""
    theta, errors = np.full((2, 1, table.n_free), np.nan)
    chisq, kind, reason = np.nan, FAILED, ""
    try:
        fit = fit_model(table, data, **options)
        if fit.converged:
            exact = fit.exact
            theta[0] = fit.theta
            chisq = exact.chisq if exact.scaled is None else exact.scaled
            variance = fit.vcov_matrix.diagonal()
            errors[0] = np.sqrt(np.where(variance > 0, variance, np.nan))
            reason = improprieties(fit.problem.structure, fit.theta[None])[0]
            kind = IMPROPER if reason else PROPER
        else:
            reason = fit.convergence.sentence
    except (GfactorError, np.linalg.LinAlgError) as error:
        reason = str(error)
    words = (np.array([one], dtype=object) for one in (kind, reason))
    return Replications(theta, errors, np.array([chisq], dtype=float), *words)
