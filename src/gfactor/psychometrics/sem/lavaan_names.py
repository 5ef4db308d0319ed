"""lavaan's names and values of options, read into ours."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from gfactor.errors import ParameterError

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
        "rotation.args",
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
    "rotation": (None, "none", "default", "geomin"),
    "zero.add": ("default", [0.5, 0], [0.5, 0.0], None),
    "sample.cov.rescale": (True, False, "default", None),
    "optim.bounds": (None, [], {}),
    "gamma.unbiased": (False, None),
}
"""Options that are accepted only with these values: gfactor does what they say."""


def fields_of(given: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """Values by our names, from lavaan's options with dots in their names.

    Parameters
    ----------
    known: the options that there are, by our names.

    Raises ParameterError for an option that gfactor does not have, or does not have with this
    value.
    """
    chosen: dict[str, Any] = {}
    for name, value in given.items():
        field = name.replace(".", "_")
        if field in known:
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
                f"{', '.join(sorted(one.replace('_', '.') for one in known))}."
            )
    return chosen
