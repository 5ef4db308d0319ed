"""The project's own recordings of lavaan (tests/psychometrics/sem/recorded), replayed by gfactor.

Made by tests/psychometrics/sem/record.py from the samples of `support.sem_samples`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics import sem
from support.sem_samples import SAMPLES, resamples

FOLDER = Path(__file__).parents[1] / "psychometrics" / "sem" / "recorded"

DIFFERENT: Mapping[str, tuple[str, ...]] = {
    # lavaan's search for the limit fails and gives 0, below its own limit of the plain test.
    "paths_random": ("rmsea.ci.upper.scaled",),
    # The scaling factor of the independence model is 1 under DWLS; where rounding makes it 1 to
    # the last bit, lavaan leaves out the correction of the model's own chi-square, too.
    "replay_continuous_wlsmv": ("cfi.robust", "tli.robust", "nnfi.robust", "rni.robust"),
}
"""Measures in which lavaan 0.6-14 itself is wrong."""

WITHOUT_H1 = (
    *("npar", "df", "baseline.df", "logl", "aic", "bic", "bic2", "ntotal", "scaling.factor.h0"),
)
"""Measures of two-level models that do not rest on lavaan's EM for the unrestricted model, which
ends early; `exact_chisq` is from lavaan's fit of the unrestricted model."""

_FLOOR = 1e-2
"""Differences are relative to the value, or to this where the value is smaller."""


def names() -> list[str]:
    """Every recorded fit."""
    return sorted(path.stem for path in FOLDER.glob("*.json") if "partable" in read(path.stem))


@cache
def read(name: str) -> dict[str, Any]:
    return {"name": name, **json.loads((FOLDER / f"{name}.json").read_text("utf-8"))}


__all__ = [
    "differences",
    "digits",
    "names",
    "read",
    "replay",
    "replay_options",
    "resamples",
    "sample",
]


@cache
def sample(name: str) -> pd.DataFrame:
    return SAMPLES[name]()


@cache
def replay(name: str) -> sem.Fit:
    """The recorded call, by gfactor."""
    recorded = read(name)
    arguments = dict(recorded["arguments"] or {})
    group = arguments.pop("group", None)
    options = sem.Options.from_lavaan(arguments).replaced(model_type=recorded["model_type"])
    return sem.fit(recorded["syntax"], sample(recorded["sample"]), group=group, options=options)


@cache
def replay_options(name: str) -> sem.Fit:
    """The same from lavaan's resolved options, as `--lavaan-options` takes them."""
    recorded = read(name)
    arguments = dict(recorded["arguments"] or {})
    given = dict(recorded["options"]) | {"model.type": recorded["model_type"]}
    given |= {k: arguments[k] for k in ("sampling.weights", "cluster") if k in arguments}
    if not arguments.get("ordered"):
        given.pop("parameterization")
    else:
        given["ordered"] = arguments["ordered"]
    return sem.fit(
        recorded["syntax"],
        sample(recorded["sample"]),
        group=arguments.get("group"),
        options=sem.Options.from_lavaan(given),
    )


def gap(ours: Any, theirs: Any) -> float:
    """The largest relative difference; infinite where only lavaan has a value."""
    a, b = (np.asarray(one, dtype=float).ravel() for one in (ours, theirs))
    known = np.isfinite(b)
    if not known.any():
        return 0.0
    worst = np.abs(a - b)[known] / np.maximum(np.abs(b[known]), _FLOOR)
    return float(np.nan_to_num(worst, nan=np.inf).max())


def differences(name: str) -> dict[str, float]:
    """The largest relative difference of each kind of quantity that was recorded."""
    return dict(_differences(replay(name), read(name)))


def _differences(fit: sem.Fit, recorded: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    keys = ["lhs", "op", "rhs", "group"]
    theirs = pd.DataFrame(recorded["estimates"])
    theirs = theirs[~theirs["op"].isin(["==", "<", ">"])]
    both = theirs.merge(fit.estimates, on=keys, suffixes=("", ".ours"), how="left")
    for kind, column in (("estimates", "est"), ("standard errors", "se")):
        yield kind, gap(both[f"{column}.ours"], both[column])
    if "ci.lower" in theirs:
        yield (
            "intervals",
            gap(both[["ci.lower.ours", "ci.upper.ours"]], both[["ci.lower", "ci.upper"]]),
        )
    std = pd.DataFrame(recorded["standardized"])
    both = std.merge(fit.standardized(), on=keys, suffixes=("", ".ours"), how="left")
    column = "est.std" if "est.std" in both else "est.ours"
    yield "standardized", gap(both[column], both["est"])
    yield "standardized errors", gap(both["se.ours"], both["se"])
    measures = {
        k: v
        for k, v in recorded["fit"].items()
        if v is not None and k not in DIFFERENT.get(str(recorded["name"]), ())
    }
    if "exact_chisq" in recorded:
        yield "chi-square", gap(fit.measures["chisq"], recorded["exact_chisq"])
        measures = {name: measures[name] for name in WITHOUT_H1 if name in measures}
    for kind, chosen in (
        ("chi-squares", [k for k in measures if "chisq" in k or "scaling" in k]),
        ("fit indices", [k for k in measures if "chisq" not in k and "scaling" not in k]),
    ):
        ours = [np.nan if fit.measures.get(k) is None else fit.measures[k] for k in chosen]
        yield kind, gap(ours, [measures[k] for k in chosen])
    if recorded.get("implied"):
        mean, cov = fit.implied()
        order = recorded["implied"]["names"]
        yield "implied moments", gap(cov.loc[order, order], recorded["implied"]["cov"])
        if recorded["implied"]["mean"]:
            yield "implied means", gap(mean[order], recorded["implied"]["mean"])


def digits(difference: float) -> float:
    """Agreeing significant digits, 15 at most."""
    return round(min(15.0, -float(np.log10(max(difference, 1e-15)))), 1)
