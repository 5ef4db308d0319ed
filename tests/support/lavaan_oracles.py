"""Fits recorded from lavaan, replayed, and the worst relative difference per quantity.

The recordings lie in tests/oracles; a few (growth curves) only in ../shared/oracles.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics import sem
from support.oracles import oracle
from support.oracles import recorded as all_recorded

_STABLE_M3GIA = ("En", "Sp", "Pt")
_FLOOR = 1e-3
"""Differences are relative to the value, or to this where the value is smaller."""

LIKELIHOOD = {"logl", "unrestricted.logl", "aic", "bic", "bic2"}


@dataclass(frozen=True)
class Case:
    """One recorded fit."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def recorded(self) -> dict[str, Any]:
        return _read(self.path)


@cache
def _read(path: Path) -> dict[str, Any]:
    with path.open(encoding="utf-8") as file:
        return json.load(file)


@cache
def _frame(path: Path) -> pd.DataFrame:
    return pd.read_csv(path)


def _is_safe(path: Path) -> bool:
    """What the READMEs of the two folders call safe, for continuous data."""
    if path.parent.name == "lavaan":
        return not path.stem.startswith(("growth_covariates", "hs_bifactor"))
    _, language, model, *_ = path.stem.split("_")
    return (
        model == "onefactor"
        or (model == "bifactor" and language == "Fr" and "bounded" not in path.stem)
        or (model == "secondorder" and ("marker" in path.stem or language in _STABLE_M3GIA))
        or (model == "correlated5" and language in _STABLE_M3GIA)
    )


@cache
def cases() -> tuple[Case, ...]:
    """Every safe fit of continuous data, by name."""
    found = []
    for path in [*all_recorded("lavaan/*.json"), *all_recorded("m3gia/refit_*.json")]:
        recorded = _read(path)
        if isinstance(recorded, dict) and "partable" in recorded and _is_safe(path):
            estimator = recorded["options"]["estimator"]
            if estimator != "DWLS" and "error" not in recorded["fit_measures"]:
                found.append(Case(path))
    return tuple(found)


def m3gia_case(name: str) -> Case:
    return Case(oracle(f"m3gia/{name}.json"))


def replay(case: Case, **changes: Any) -> sem.Fit:
    """The recorded call with the recorded options, by gfactor."""
    recorded = case.recorded
    options = sem.Options.from_lavaan(recorded["options"])
    kind = str(recorded["call"]).split("(")[0]
    options = options.replaced(model_type=kind, **changes)
    if "thurstone" in case.name:
        with oracle("lavaan/Thurstone_cor.json").open(encoding="utf-8") as file:
            given = json.load(file)["cor"]
        cov = pd.DataFrame(given["values"], given["rownames"], given["colnames"])
        return sem.fit(recorded["syntax"], sample_cov=cov, n=recorded["ntotal"], options=options)
    if recorded.get("data_file"):
        data = _frame(oracle(f"lavaan/{recorded['data_file']}"))
    else:
        data = _frame(oracle(f"m3gia/human_z_{recorded['language']}.csv"))
    group = "school" if "cov" not in recorded["sample_stat"] else None
    return sem.fit(recorded["syntax"], data, group=group, options=options)


def worst(ours: Any, theirs: Any) -> float:
    """The largest relative difference of two arrays; infinite where only one has a value."""
    a = np.asarray(ours, dtype=float).ravel()
    b = np.asarray(theirs, dtype=float).ravel()
    known = np.isfinite(b)
    if not known.any():
        return 0.0
    gap = np.abs(a - b)[known] / np.maximum(np.abs(b[known]), _FLOOR)
    return float(np.nan_to_num(gap, nan=np.inf).max())


def _groups(recorded: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    given = recorded[key]
    return [given] if "cov" in given or "values" in given else list(given.values())


def _square(given: Mapping[str, Any], names: list[str]) -> np.ndarray:
    frame = pd.DataFrame(given["values"], given["rownames"], given["colnames"])
    return frame.loc[names, names].to_numpy(dtype=float)


def differences(fit: sem.Fit, recorded: Mapping[str, Any]) -> dict[str, float]:
    """The worst relative difference of each kind of quantity."""
    theirs = pd.DataFrame(recorded["parameter_estimates"])
    if "group" not in theirs:
        theirs["group"] = np.where(theirs["op"] == ":=", 0, 1)
    keys = ["lhs", "op", "rhs", "group"]
    both = theirs.merge(fit.estimates, on=keys, suffixes=("", ".ours"), how="left")
    found = {
        name: worst(both[f"{column}.ours"], both[column])
        for name, column in (
            ("estimates", "est"),
            ("standard errors", "se"),
            ("std.all", "std.all"),
        )
    }
    measures = fit.measures
    families: dict[str, list[tuple[float, float]]] = {}
    for name, value in recorded["fit_measures"].items():
        if value is None:
            continue
        ours = measures.get(name)
        pair = (np.nan if ours is None else ours, float(value))
        kind = "fit indices"
        if "chisq" in name or name.endswith("fmin"):
            kind = "chi-squares"
        if "scaling.factor" in name:
            kind = "scaling factors"
        if name in LIKELIHOOD:
            kind = "log-likelihoods"
        families.setdefault(kind, []).append(pair)
    for kind, pairs in families.items():
        found[kind] = worst([a for a, _ in pairs], [b for _, b in pairs])
    names = list(fit.sample.variables)
    moments = []
    for number, given in enumerate(_groups(recorded, "implied"), start=1):
        mean, cov = fit.implied(number)
        moments.append(worst(cov, _square(given["cov"], names)))
        if given["mean"]:
            moments.append(worst(mean, [given["mean"][name] for name in names]))
    found["implied moments"] = max(moments)
    if (
        "residual_cor" in recorded
        and isinstance(recorded["residual_cor"], dict)
        and ("values" in recorded["residual_cor"])
    ):
        found["residuals"] = worst(
            fit.residuals("cor.bentler"), _square(recorded["residual_cor"], names)
        )
    squares = recorded["rsquare"]
    for number, given in enumerate(
        [squares] if not isinstance(next(iter(squares.values())), dict) else squares.values(), 1
    ):
        ours = fit.r2(number)
        gap = worst([ours[name] for name in given], list(given.values()))
        found["R2"] = max(found.get("R2", 0.0), gap)
    return found


def digits(difference: float) -> float:
    """Agreeing significant digits, 15 at most."""
    return min(15.0, -np.log10(max(difference, 1e-15)))


def report() -> pd.DataFrame:
    """Agreeing digits, one line per case and one column per kind of quantity."""
    rows = {}
    for case in cases():
        found = differences(replay(case), case.recorded)
        rows[case.name] = {name: round(digits(gap), 1) for name, gap in found.items()}
    return pd.DataFrame.from_dict(rows, orient="index")
