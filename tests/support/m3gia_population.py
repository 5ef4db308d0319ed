"""A population with M3GIA's structure, and samples from it by seed."""

from __future__ import annotations

import numpy as np
import pandas as pd

from gfactor.replications.m3gia import INDICATORS

BROAD = {
    "Gc": ("General_Info", "Oral_Vocab", "Logo"),
    "Gv": ("Visualization", "Pic_Recog", "RW_Spatial"),
    "Grw": ("Readings_text", "Readings_VL", "Comic"),
    "Gq": ("Math_Facts", "Algebra", "Geom", "Applied_Problem"),
    "Gf": ("Number_Series", "Concept", "Raven", "Syllogism", "RW_Reason"),
}
GENERAL = {"Gc": 0.85, "Gv": 0.80, "Grw": 0.75, "Gq": 0.90, "Gf": 0.90}
"""Standardized loadings of the broad factors on the general one."""
LOADINGS = (0.80, 0.70, 0.60, 0.75, 0.65)
"""Standardized loadings of a broad factor's indicators, in their order."""

SECOND_ORDER = (
    "".join(f"{f} =~ {' + '.join(names)}\n" for f, names in BROAD.items())
    + "GIA =~ "
    + " + ".join(BROAD)
    + "\n"
)
"""The model of the text (paper, E.2); fitted with std_lv."""

BIFACTOR = (
    SECOND_ORDER.split("GIA =~")[0]
    + "GIA =~ "
    + " + ".join(INDICATORS)
    + "\nGc =~ Applied_Problem + RW_Reason\nGv =~ Logo\nGf =~ Algebra + Geom + Applied_Problem\n"
)
"""The model that was published; fitted with std_lv and orthogonal. The population above is a
special case of it with all cross-loadings at zero."""


def true_loadings() -> dict[str, float]:
    """Values of the free parameters: "Gc=~Logo" as std_lv scales them (a broad factor's residual
    has variance one), "GIA=~Gc", "Logo~~Logo"."""
    values = {}
    for factor, names in BROAD.items():
        rest = np.sqrt(1 - GENERAL[factor] ** 2)
        values[f"GIA=~{factor}"] = GENERAL[factor] / rest
        for loading, name in zip(LOADINGS, names, strict=False):
            values[f"{factor}=~{name}"] = loading * rest
            values[f"{name}~~{name}"] = 1 - loading**2
    return values


def true_with_markers() -> dict[str, float]:
    """The same as the repaired route has it: a marker per broad factor, the general one with
    variance one."""
    values = {}
    for factor, names in BROAD.items():
        marker = LOADINGS[0]
        values[f"GIA=~{factor}"] = marker * GENERAL[factor]
        values[f"{factor}~~{factor}"] = marker**2 * (1 - GENERAL[factor] ** 2)
        for loading, name in zip(LOADINGS, names, strict=False):
            values[f"{factor}=~{name}"] = loading / marker
            values[f"{name}~~{name}"] = 1 - loading**2
    return values


def true_bifactor() -> dict[str, float]:
    """The same population as the bifactor model has it (Schmid & Leiman 1957)."""
    values = {}
    for factor, names in BROAD.items():
        rest = np.sqrt(1 - GENERAL[factor] ** 2)
        for loading, name in zip(LOADINGS, names, strict=False):
            values[f"GIA=~{name}"] = loading * GENERAL[factor]
            values[f"{factor}=~{name}"] = loading * rest
            values[f"{name}~~{name}"] = 1 - loading**2
    for pair in ("Gc=~Applied_Problem", "Gc=~RW_Reason", "Gv=~Logo", "Gf=~Algebra", "Gf=~Geom",
                 "Gf=~Applied_Problem"):  # fmt: skip
        values[pair] = 0.0
    return values


def sample(seed: int, n: int = 60) -> pd.DataFrame:
    """n persons, multivariate normal."""
    rng = np.random.default_rng(seed)
    g = rng.standard_normal(n)
    columns = {}
    for factor, names in BROAD.items():
        own = GENERAL[factor] * g + np.sqrt(1 - GENERAL[factor] ** 2) * rng.standard_normal(n)
        for loading, name in zip(LOADINGS, names, strict=False):
            columns[name] = loading * own + np.sqrt(1 - loading**2) * rng.standard_normal(n)
    return pd.DataFrame({name: columns[name] for name in INDICATORS})
