"""Diagnostics of a stored parameter set and its use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.replications.m3gia.battery import INDICATORS, TYPES, Counts
from gfactor.replications.m3gia.factor_models import FittedModel, score_weights
from gfactor.replications.m3gia.human import HumanSample
from gfactor.replications.m3gia.published import LANGUAGES, ParameterSet

_GRADIENT = 1e-4
"""Largest derivative of the discrepancy at which a solution still counts as stationary."""

_SRMR = 0.08
"""The authors' own limit (paper, E.2)."""

_PER_PARAMETER = 5
"""Persons per free parameter that are usually asked for (Bentler & Chou 1987, Sociological Methods
& Research 16, 78-117)."""

_SIMPLE = {
    "Gc": ("General_Info", "Oral_Vocab", "Logo"),
    "Gv": ("Visualization", "Pic_Recog", "RW_Spatial"),
    "Grw": ("Readings_text", "Readings_VL", "Comic"),
    "Gq": ("Math_Facts", "Algebra", "Geom", "Applied_Problem"),
    "Gf": ("Number_Series", "Concept", "Raven", "Syllogism", "RW_Reason"),
}
"""The measurement model of the text (paper, E.2)."""


def parameter_findings(
    parameters: ParameterSet, counts: NDArray[np.float64] | None = None
) -> tuple[Diagnostic, ...]:
    """Return findings on a parameter set, and on its use for scoring `counts`.

    Each row of `counts` has the indicators in the order of the parameter set.
    """
    diagnostics: list[Diagnostic] = [
        *_improper(parameters),
        *_gradient(parameters),
        *_size(parameters),
        *_structure(parameters),
        *_weights(parameters),
        *_fit(parameters),
    ]
    if counts is not None and len(counts):
        diagnostics += _units(parameters, counts)
    return by_severity(diagnostics)


def _name(parameters: ParameterSet) -> str:
    return LANGUAGES.get(parameters.language, parameters.language)


def _improper(p: ParameterSet) -> Iterator[Diagnostic]:
    theta = np.diag(p.residuals)
    negative = [p.indicators[i] for i in np.argsort(theta) if theta[i] < 0]
    if not negative:
        return
    runaway = np.abs(p.loadings)
    row, column = np.unravel_index(runaway.argmax(), runaway.shape)
    yield Diagnostic(
        "heywood_case",
        "error",
        f"The {_name(p)} solution is improper: {len(negative)} negative residual variances "
        f"({', '.join(negative)}), the worst {theta.min():,.4g}; the largest loading is "
        f"{p.loadings[row, column]:.4g} ({p.factors[column]} on {p.indicators[row]}) for "
        "standardized indicators.",
        "Use the repaired route; these estimates are where the optimizer stopped, not a maximum.",
        tuple(negative),
        {
            "worst": float(theta.min()),
            "largest_loading": float(p.loadings[row, column]),
            "negative": len(negative),
        },
    )


def _gradient(p: ParameterSet) -> Iterator[Diagnostic]:
    if p.max_abs_gradient is not None and p.max_abs_gradient > _GRADIENT:
        steps = f" after {p.iterations:,} iterations" if p.iterations else ""
        yield Diagnostic(
            "gradient_not_zero",
            "error",
            f"The {_name(p)} fit is not at a stationary point: the largest derivative is "
            f"{p.max_abs_gradient:.1e}{steps}, although it was reported as converged.",
            "Fit again with bounds and with the gradient checked.",
            (),
            {"max_abs_gradient": p.max_abs_gradient},
        )


def _size(p: ParameterSet) -> Iterator[Diagnostic]:
    if p.n is None or p.free_parameters is None or p.n >= _PER_PARAMETER * p.free_parameters:
        return
    fewer = p.n < p.free_parameters
    yield Diagnostic(
        "n_against_parameters",
        "error" if fewer else "warning",
        f"The {_name(p)} fit has {p.free_parameters} free parameters and {p.n} persons"
        + (", fewer than parameters." if fewer else "."),
        f"A model of this size needs {_PER_PARAMETER} persons per parameter or a smaller model.",
        (),
        {"n": p.n, "free_parameters": p.free_parameters},
    )
    if p.n != 60 and p.language in LANGUAGES:
        yield Diagnostic(
            "n_differs_from_paper",
            "note",
            f"The paper says 60 of 80 persons per language built the model; the {_name(p)} fit "
            f"holds {p.n}.",
            "Quote the n of the fit.",
            (),
            {"n": p.n, "paper": 60},
        )


def _structure(p: ParameterSet) -> Iterator[Diagnostic]:
    general = p.general
    identity = np.allclose(p.factor_covariances, np.eye(len(p.factors)))
    if len(p.factors) > 1 and identity and (p.loadings[:, general] != 0).all():
        yield Diagnostic(
            "bifactor_not_second_order",
            "warning",
            f"The {_name(p)} model is an orthogonal bifactor model: {p.factors[general]} loads on "
            f"all {len(p.indicators)} indicators and is uncorrelated with the others; the text "
            "describes broad factors under a general one (second order).",
            "Do not interpret it as the hierarchy of the text; the repaired route fits that.",
            (p.factors[general],),
        )
    used = {
        (f, i)
        for c, f in enumerate(p.factors)
        for r, i in enumerate(p.indicators)
        if c != general and p.loadings[r, c] != 0
    }
    ticked = {(f, code) for code, t in TYPES.items() for f in t.broad}
    text = {(f, i) for f, names in _SIMPLE.items() for i in names}
    absent, extra = ticked - used, used - text
    if absent or extra:
        yield Diagnostic(
            "model_differs_from_paper",
            "warning",
            f"The {_name(p)} model is neither that of Table 3 (ticked but not in the model: "
            f"{_pairs(absent)}) nor that of appendix E.2 (in the model but not in the text: "
            f"{_pairs(extra)}).",
            "Name the model that was fitted, with its syntax.",
            tuple(f"{f} =~ {i}" for f, i in sorted(absent | extra)),
        )


def _weights(p: ParameterSet) -> Iterator[Diagnostic]:
    weights = score_weights(p)[p.general]
    negative = [p.indicators[i] for i in np.argsort(weights) if weights[i] < 0]
    if negative:
        yield Diagnostic(
            "negative_weight",
            "warning",
            f"In the {_name(p)} score, more right answers lower GIA on {', '.join(negative)}.",
            "Use weights that are positive where loadings are, as the repaired route does.",
            tuple(negative),
            {name: float(weights[p.indicators.index(name)]) for name in negative},
        )


def _fit(p: ParameterSet) -> Iterator[Diagnostic]:
    srmr = p.fit.get("srmr")
    if srmr is not None and srmr > _SRMR:
        yield Diagnostic(
            "fit_beyond_own_limit",
            "warning",
            f"SRMR of the {_name(p)} fit is {srmr:.3f}, above the limit of 0.08 that the paper "
            "sets itself.",
            "Do not call the fit acceptable by that rule.",
            (),
            {"srmr": srmr},
        )


def _units(p: ParameterSet, counts: NDArray[np.float64]) -> Iterator[Diagnostic]:
    """Yield an error if parameters of z-scores (mean 0, variance 1) are applied to raw counts."""
    variances = np.diag(p.implied)
    standardized = np.abs(p.means).max() < 0.05 and 0.5 < np.median(variances) < 2
    typical = float(np.median(np.abs(counts - p.means) / np.sqrt(np.abs(variances))))
    if standardized and typical > 3:
        yield Diagnostic(
            "z_scores_against_counts",
            "error",
            f"The {_name(p)} model was fitted to z-scores and is applied to raw counts: the median "
            f"value lies {typical:.0f} standard deviations from the model's mean, so that GIA is a "
            "weighted sum of counts in units of nothing.",
            "Bring the counts on the scale of the fit, as the repaired route does.",
            (),
            {"median_distance_sd": typical},
        )


def _pairs(pairs: Sequence[tuple[str, str]] | set[tuple[str, str]]) -> str:
    return ", ".join(f"{f} on {i}" for f, i in sorted(pairs)) or "none"


FAR = 4.0
"""Human standard deviations from the human mean beyond which a score is extrapolation."""

_FEW_FAILURES = 0.02


def human_findings(
    model: FittedModel,
    human: HumanSample,
    counts: Counts,
    failed: int,
    tried: int,
    language: str,
) -> Iterator[Diagnostic]:
    """Yield findings on the model of the human data and on scoring `counts` with it."""
    name = LANGUAGES.get(language, language)
    broad = [n.split("~~")[0] for n in model.boundary if n.split("~~")[0] not in INDICATORS]
    edge = [n.split("~~")[0] for n in model.boundary if n.split("~~")[0] in INDICATORS]
    if broad:
        yield Diagnostic(
            "disturbance_at_zero",
            "warning",
            f"In the {name} human data {', '.join(broad)} cannot be told from the general factor: "
            "the disturbance is held at zero, the data would have it negative.",
            "Do not interpret it as a factor of its own.",
            tuple(broad),
        )
    if edge:
        yield Diagnostic(
            "heywood_case",
            "warning",
            f"In the {name} human data the residual variance of {', '.join(edge)} is held at zero; "
            "the data would have it negative.",
            "Collect more persons; the indicator is taken to measure its factor without error.",
            tuple(edge),
        )
    if human.n < _PER_PARAMETER * model.free:
        yield Diagnostic(
            "n_against_parameters",
            "warning",
            f"The {name} model has {model.free} free parameters and {human.n} persons; "
            f"{_PER_PARAMETER} per parameter are usually asked for.",
            "Look at the intervals, which hold the persons' sampling; collect more persons.",
            (),
            {"n": human.n, "free_parameters": model.free},
        )
    weights = model.weights()
    negative = [i for i, w in zip(INDICATORS, weights, strict=True) if w < -1e-6]
    if negative:
        yield Diagnostic(
            "negative_weight",
            "warning",
            f"More right answers lower the {name} GIA on {', '.join(negative)}.",
            "The weight is within its sampling error of zero; more persons decide.",
            tuple(negative),
        )
    yield from _far(human, counts, name)
    if failed > _FEW_FAILURES * tried:
        yield Diagnostic(
            "failed_resamples",
            "warning",
            f"{failed} of {tried} resamples of the {name} persons have no proper solution and were "
            "left out; mostly a question type did not vary among the persons drawn.",
            "Intervals are too narrow by what these would have added.",
            (),
            {"failed": failed, "tried": tried},
        )


def _far(human: HumanSample, counts: Counts, name: str) -> Iterator[Diagnostic]:
    x = human.values
    z = (counts.values - x.mean(axis=0)) / x.std(axis=0, ddof=1)
    far = np.abs(z) > FAR
    if far.any():
        row, column = np.unravel_index(np.abs(z).argmax(), z.shape)
        where = [INDICATORS[c] for c in np.flatnonzero(far.any(axis=0))]
        yield Diagnostic(
            "extrapolation",
            "warning",
            f"{int(far.any(axis=1).sum())} of {len(z)} models lie more than {FAR:g} human "
            f"standard deviations from the {name} mean on {', '.join(where)}; the farthest is "
            f"{counts.table.index[row]} with {z[row, column]:.0f} on {INDICATORS[column]}.",
            "No person is there; the linear score is extrapolated.",
            tuple(where),
            {"farthest": float(z[row, column])},
        )
