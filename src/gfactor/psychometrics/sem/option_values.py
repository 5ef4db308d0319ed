"""The values that options of a fit can have, and other names of some."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.rotation_values import from_lavaans

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
    "mimic": frozenset({"lavaan", "Mplus", "default"}),
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
    "mimic": {"mplus": "Mplus"},
}


_IGNORED = frozenset(
    {
        "optim.method",
        "optim.gradient",
        "optim.force.converged",
        "check.gradient",
        "check.post",
        "check.vcov",
        "check.start",
        "control",
        "verbose",
        "warn",
        "debug",
        "start",
        "em.h1.iter.max",
        "em.fx.tol",
        "em.dx.tol",
        "em.iter.max",
        "loglik",
        "implied",
        "baseline",
        "h1",
        "store.vcov",
        "do.fit",
        "parser",
        "em.h1.warn",
        "em.zerovar.offset",
        "optim.attempts",
        "optim.dx.tol",
        "optim.gn.iter.max",
        "optim.gn.stephalf.max",
        "optim.gn.tol.x",
        "optim.init_nelder_mead",
        "optim.parscale",
        "optim.partrace",
        "optim.var.transform",
        "integration.ngh",
        "parallel",
        "ncpus",
        "cl",
        "rotation.se",
        "auto.efa",
        "sample.icov",
        "level.label",
        "baseline.conditional.x.free.slopes",
        "categorical",
        ".categorical",
        ".clustered",
        ".multilevel",
        "zero.keep.margins",
        "zero.cell.warn",
        "omega.information",
    }
)
"""Options that cannot change a converged solution."""

_NEUTRAL: Mapping[str, tuple[Any, ...]] = {
    "sampling.weights.normalization": ("total", "default", None),
    "ceq.simple": (False, True, None),
    "correlation": (False, None),
    "ridge": (False, 0, None),
    "ridge.constant": ("default", None),
    "representation": ("LISREL", None),
    "link": ("default", "probit", None),
    "information.meat": ("first.order", "default", None),
    "h1.information.meat": ("structured", "unstructured", "default", None),
    "omega.h1.information": ("unstructured", "default", None),
    "omega.information.meat": ("first.order", "default", None),
    "omega.h1.information.meat": ("unstructured", "default", None),
    "scaled.test": ("standard", "default", None),
    "ug2.old.approach": (False, None),
    "gamma.n.minus.one": (False, None),
    "group.w.free": (False, None),
    "zero.add": ("default", [0.5, 0], [0.5, 0.0], None),
    "sample.cov.rescale": (True, False, "default", None),
    "optim.bounds": (None, [], {}),
    "gamma.unbiased": (False, None),
}
"""Options that are accepted only with these values, which are what gfactor does."""


def fields_of(given: Mapping[str, Any], supported: Collection[str]) -> dict[str, Any]:
    """Return option values under gfactor's names, from lavaan's options with dots in their names.

    Parameters
    ----------
    supported: the options of gfactor, by its own names.

    Raises ParameterError for an option that gfactor does not have, or does not have with this
    value.
    """
    chosen: dict[str, Any] = {}
    if "rotation" in given or "rotation.args" in given:
        chosen |= from_lavaans(given.get("rotation"), given.get("rotation.args") or {})
    for name, value in given.items():
        field = name.replace(".", "_")
        if name in {"rotation", "rotation.args"}:
            continue
        if field in supported:
            if value is not None:
                chosen[field] = tuple(value) if isinstance(value, (list, tuple)) else value
        elif name in _NEUTRAL:
            if value not in _NEUTRAL[name]:
                raise ParameterError(
                    f"lavaan's option {name} = {value!r} is not supported; leave it out or set it "
                    f"to {_NEUTRAL[name][0]!r}."
                )
        elif name not in _IGNORED:
            raise ParameterError(
                f"lavaan's option {name!r} is not supported; supported are "
                f"{', '.join(sorted(one.replace('_', '.') for one in supported))}."
            )
    return chosen
