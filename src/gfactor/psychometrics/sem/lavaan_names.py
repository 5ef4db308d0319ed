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
        "check.lv.names",
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
        "group.label",
        "parser",
    }
)
"""Options that cannot change a converged solution."""

_NEUTRAL: Mapping[str, tuple[Any, ...]] = {
    "conditional.x": (False, None),
    "effect.coding": ("", None, False, []),
    "ceq.simple": (False, True, None),
    "sampling.weights": (None,),
    "cluster": (None, []),
    "bootstrap": (1000, None),
    "group.w.free": (False, None),
    "rotation": (None, "none", "default", "geomin"),
    "zero.add": ("default", None),
    "zero.keep.margins": ("default", None),
    "zero.cell.warn": (False, True, None),
    "sample.cov.rescale": (True, "default", None),
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
