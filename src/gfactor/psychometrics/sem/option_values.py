"""The values that options of a fit can have, and other names of some."""

from __future__ import annotations

from collections.abc import Mapping

PRESETS: Mapping[str, tuple[str, str, str]] = {
    "ML": ("ML", "standard", "standard"),
    "MLR": ("ML", "robust.huber.white", "yuan.bentler.mplus"),
    "MLM": ("ML", "robust.sem", "satorra.bentler"),
    "MLMV": ("ML", "robust.sem", "scaled.shifted"),
    "MLMVS": ("ML", "robust.sem", "mean.var.adjusted"),
    "MLF": ("ML", "standard", "standard"),
    "GLS": ("GLS", "standard", "standard"),
    "ULS": ("ULS", "standard", "standard"),
    "ULSM": ("ULS", "robust.sem", "satorra.bentler"),
    "ULSMV": ("ULS", "robust.sem", "scaled.shifted"),
    "ULSMVS": ("ULS", "robust.sem", "mean.var.adjusted"),
    "WLS": ("WLS", "standard", "standard"),
    "DWLS": ("DWLS", "standard", "standard"),
    "WLSM": ("DWLS", "robust.sem", "satorra.bentler"),
    "WLSMV": ("DWLS", "robust.sem", "scaled.shifted"),
    "WLSMVS": ("DWLS", "robust.sem", "mean.var.adjusted"),
}
"""Estimator's name: what is minimised, the standard errors, the test."""

ALLOWED: Mapping[str, frozenset[str]] = {
    "estimator": frozenset(PRESETS),
    "se": frozenset(
        {
            "standard",
            "robust",
            "robust.sem",
            "robust.huber.white",
            "robust.cluster",
            "first.order",
            "bootstrap",
            "two.stage",
            "robust.two.stage",
            "none",
            "default",
        }
    ),
    "test": frozenset(
        {
            "standard",
            "satorra.bentler",
            "mean.var.adjusted",
            "scaled.shifted",
            "yuan.bentler",
            "yuan.bentler.mplus",
            "bollen.stine",
            "browne.residual.adf",
            "browne.residual.nt",
            "browne.residual.adf.model",
            "browne.residual.nt.model",
            "none",
            "default",
        }
    ),
    "missing": frozenset(
        {"listwise", "ml", "ml.x", "pairwise", "two.stage", "robust.two.stage", "default"}
    ),
    "information": frozenset({"expected", "observed", "first.order", "default"}),
    "observed_information": frozenset({"hessian", "h1", "default"}),
    "h1_information": frozenset({"structured", "unstructured", "default"}),
    "mimic": frozenset({"lavaan", "Mplus", "EQS", "default"}),
    "likelihood": frozenset({"normal", "wishart", "default"}),
    "bounds": frozenset(
        {"none", "pos.var", "pos.ov.var", "pos.lv.var", "standard", "wide", "default"}
    ),
    "model_type": frozenset({"cfa", "sem", "growth", "lavaan"}),
    "parameterization": frozenset({"delta", "theta", "default"}),
}

SYNONYMS: Mapping[str, Mapping[str, str]] = {
    "missing": {
        "fiml": "ml",
        "direct": "ml",
        "fiml.x": "ml.x",
        "direct.x": "ml.x",
        "available.cases": "pairwise",
    },
    "se": {
        "robust.mlr": "robust.huber.white",
        "robust.mlm": "robust.sem",
        "external": "none",
        "boot": "bootstrap",
    },
    "test": {
        "chisq": "standard",
        "satorra": "satorra.bentler",
        "satorra-bentler": "satorra.bentler",
        "sb": "satorra.bentler",
        "yuan": "yuan.bentler",
        "yuan-bentler": "yuan.bentler",
        "yb": "yuan.bentler",
        "yuan-bentler-mplus": "yuan.bentler.mplus",
        "mean-var-adjusted": "mean.var.adjusted",
        "mvadjusted": "mean.var.adjusted",
        "satterthwaite": "mean.var.adjusted",
        "scaled-shifted": "scaled.shifted",
        "browne": "browne.residual.adf",
        "bollen-stine": "bollen.stine",
        "bootstrap": "bollen.stine",
        "boot": "bollen.stine",
    },
    "bounds": {"true": "standard", "false": "none", "default": "none"},
    "mimic": {"mplus": "Mplus", "eqs": "EQS", "lisrel": "EQS"},
}
