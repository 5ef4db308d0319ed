"""Everything that a structural equation model's fit says, of the models that lavaan recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from support import lavaan_recorded as lavaan
from support.m3gia_population import SECOND_ORDER, sample
from support.records import Whole, told

from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.comparison import compare_fits
from gfactor.psychometrics.sem.optimize import parameter_scales, start_values

FOLDER = Path(__file__).parent / "sem"
ORDINAL = {p.stem: p for p in sorted((FOLDER / "recorded_ordinal").glob("*.json"))}


@cache
def ordinal_fit(name: str) -> sem.Fit:
    """A recorded call of lavaan with ordinal variables."""
    theirs = json.loads(ORDINAL[name].read_text())
    given = {"estimator": "WLSMV", **theirs["arguments"]}
    group = given.pop("group", None)
    options = sem.Options.from_lavaan(given).replaced(model_type=theirs["model_type"])
    data = lavaan.sample(theirs["sample"])
    return sem.fit(theirs["syntax"], data, options=options, group=group)


WHOLE = (
    "cfa_ml",
    "groups_metric",
    "fiml",
    "ordinal_groups",
    "paths",
    "growth",
    "bounds_active",
)
"""Models whose summaries are recorded whole."""


def of_fit(fit: sem.Fit, name: str = "") -> dict[str, Any]:
    """All that follows from a fit without resampling."""
    groups = range(1, len(fit.sample.groups) + 1)

    def every(kind: Any) -> Any:
        return [fit.residuals(kind, number) for number in groups]

    def scores(method: Any) -> Any:
        found = sem.factor_scores(fit, method=method)
        return [found.scores.head(6), found.to_dict() | {"scores": None}]

    return told({
        "search": lambda: [fit.convergence.iterations, fit.convergence.status,
                           fit.convergence.at_bound, fit.convergence.smallest_curvature],
        "estimates": lambda: fit.estimates,
        "measures": lambda: dict(fit.measures),
        "document": fit.to_dict,
        "text": lambda: [(Whole if name in WHOLE else str)(fit.summary()), repr(fit)],
        "raw residuals": lambda: every("raw"),
        "correlation residuals": lambda: every("cor"),
        "normalized residuals": lambda: every("normalized"),
        "standardized residuals": lambda: every("standardized"),
        "standardized": lambda: [fit.standardized(k) for k in ("std.all", "std.lv", "std.nox")],
        "implied": lambda: [[*fit.implied(g), fit.latent_covariance(g), fit.r2(g)] for g in groups],
        "indices": lambda: sem.modification_indices(fit),
        "score tests": lambda: sem.score_tests(fit),
        "reliability": lambda: sem.reliability(fit),
        "observed reliability": lambda: sem.reliability(fit, observed=True),
        "regression scores": lambda: scores("regression"),
        "Bartlett scores": lambda: scores("bartlett"),
    })  # fmt: skip


def of_start(fit: sem.Fit) -> dict[str, Any]:
    """Where the search begins, and the usual sizes of the parameters."""
    structure, sample_ = fit.problem.structure, fit.problem.sample
    return {
        "start": start_values(fit.table, structure, sample_),
        "scales": parameter_scales(structure, sample_),
    }


def replayed(name: str) -> dict[str, Any]:
    fit = lavaan.replay(name)
    parts = of_fit(fit, name)
    return parts if isinstance(fit, sem.OrdinalFit) else parts | of_start(fit)


def with_gaps() -> sem.Fit:
    """A sample whose resamples and cases left out are fitted one by one: few cases."""
    data = lavaan.sample("with_gaps").iloc[:110, :6]
    return sem.fit("f =~ x1 + x2 + x3\ng =~ x4 + x5 + x6", data, missing="ml")


def bootstrapped(fit: sem.Fit, kind: str, n_bootstrap: int = 40) -> dict[str, Any]:
    found = sem.bootstrap(fit, n_bootstrap, seed=3, kind=kind)  # type: ignore[arg-type]
    tables = {
        f"{method} {scale}": found.interval_table(method, standardized=bool(scale))  # type: ignore[arg-type]
        for method in ("percentile", "basic", "normal", "bca")
        for scale in ("", "standardized")
    }
    fits = found.fits
    return {"document": found, "draws": found.draws, "steps": fits.steps, "kind": fits.kind,
            "reason": fits.reason, "covariance": found.covariance, **tables}  # fmt: skip


def improper() -> dict[str, Any]:
    """A small sample with solutions at infinity, negative disturbances and searches without end."""
    found = sem.bootstrap(sem.fit(SECOND_ORDER, sample(3), std_lv=True), 50, seed=5)
    fits = found.fits
    return {"document": found.to_dict(), "steps": fits.steps, "kind": fits.kind,
            "reason": fits.reason, "chisq": fits.chisq}  # fmt: skip


TWO = "f =~ 0.7*x1 + 0.8*x2 + 0.6*x3\ng =~ 0.7*y1 + 0.8*y2 + 0.6*y3\ng ~ 0.5*f"


def simulated() -> dict[str, Any]:
    """Samples, and studies with them."""
    data = sem.simulate_data(
        TWO, 60, seed=4, skewness={"x1": 1.2, "y1": -0.8}, kurtosis=3.0,
        ordinal={"x2": (-0.5, 0.4), "y3": (0.2,)},
    )  # fmt: skip
    groups = sem.simulate_data(lavaan.replay("groups_scalar"), [30, 40], seed=5)
    study = sem.simulation_study(TWO, 80, replications=12, seed=6, std_lv=True)
    gaps = sem.Missing(0.2, ("x2", "y1"), by="x1")
    other = sem.simulation_study(
        TWO, 90, model="f =~ x1 + x2 + x3 + y1 + y2 + y3", replications=6, seed=7, skewness=0.5,
        kurtosis=1.0, estimator="MLR",
    )  # fmt: skip
    missing = sem.simulation_study(TWO, 70, replications=4, seed=8, missing=gaps)
    return {"data": data, "groups": groups, "study": study, "parameters": study.parameters,
            "other": other, "other parameters": other.parameters, "missing": missing}  # fmt: skip


def invariant(data: str, **options: Any) -> dict[str, Any]:
    model = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"
    found = sem.invariance(model, lavaan.sample(data), "school", **options)
    return {"document": found, "table": found.table, "level": found.level}


def compared() -> dict[str, Any]:
    out = {}
    for kind in ("standard", "satorra.bentler.2001", "satorra.bentler.2010", "satorra.2000"):
        small, large = (lavaan.replay(f"groups_{k}") for k in ("strict", "configural"))
        out[kind] = told({"test": lambda s=small, b=large, k=kind: compare_fits(s, b, method=k)})
    return out


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    **{name: lambda name=name: replayed(name) for name in lavaan.names()},
    **{name: lambda name=name: of_fit(ordinal_fit(name), name) for name in ORDINAL},
    **{
        f"bootstrap {name}": lambda name=name: bootstrapped(lavaan.replay(name), "plain")
        for name in ("cfa_ml", "mediation", "groups_scalar", "bounds_active", "heywood", "labels")
    },
    "bootstrap fiml": lambda: bootstrapped(with_gaps(), "plain", 6),
    "Bollen-Stine cfa_ml": lambda: bootstrapped(lavaan.replay("cfa_ml"), "bollen-stine"),
    "parametric groups_metric": lambda: bootstrapped(lavaan.replay("groups_metric"), "parametric"),
    "bootstrap of a small sample": improper,
    "simulation": simulated,
    "invariance": lambda: invariant("three_factors"),
    "invariance MLR": lambda: invariant("three_factors", estimator="MLR"),
    "partial invariance": lambda: invariant("three_factors", partial=True, estimator="ML"),
    "invariance by fit": lambda: invariant("three_factors", criterion="fit", std_lv=False),
    "invariance of ordinal answers": lambda: invariant(
        "ordinal", ordered=[f"x{k}" for k in range(1, 10)], partial=True
    ),
    "comparison": compared,
}
