"""Variance components as a plan uses them: errors of designs, and the part that more items
leave."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.generalizability.designs import Effect, error_variances
from gfactor.psychometrics.planning.aims import EXAMINEE, Counts, Floats


def effect_of(label: str) -> Effect:
    """Return the names in an effect's label: "examinee x item:template"."""
    return frozenset(
        name.strip() for part in label.split(" x ") for name in part.replace(":", ",").split(",")
    )


def of_examinees(label: str, object: str) -> str:
    """Return an effect's label in which the object of measurement is called examinee, as plans call
    it.

    Examples
    --------
    >>> of_examinees("model x item:template", "model")
    'examinee x item:template'
    """
    parts = re.split(r"( x |[:,])", label)
    return "".join(EXAMINEE if part.strip() == object else part for part in parts)


@dataclass(frozen=True)
class Components:
    """Variance components, and the facet whose number of conditions a design varies.

    Parameters
    ----------
    variances : mapping of label to float
        Variances by label, as `gtheory` names them: {"examinee": 0.02, "item": 0.05, "examinee x
        item": 0.12}. Negative ones count as 0.
    object : str
        Object of measurement.
    sampled : str
        The facet that is solved for.
    fixed : tuple of str
        Facets whose conditions are all that exist.

    Examples
    --------
    >>> c = Components({"examinee": 0.02, "item": 0.05, "examinee x item": 0.1})
    >>> c.facets
    ('item',)
    """

    variances: Mapping[str, float]
    object: str = EXAMINEE
    sampled: str = "item"
    fixed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not any(self.sampled in effect for effect in self.effects):
            raise ParameterError(
                f"no variance component contains {self.sampled!r}; there are "
                f"{', '.join(self.variances) or 'none'}. Name the facet to be planned with --solve "
                "(in Python solve=)"
            )
        for label, value in self.variances.items():
            if not math.isfinite(value):
                raise ParameterError(f"the variance of {label!r} is {value}; give a number")

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        return tuple(effect_of(label) for label in self.variances)

    @cached_property
    def values(self) -> Floats:
        return np.clip(np.array(list(self.variances.values()), float), 0, None)

    @cached_property
    def facets(self) -> tuple[str, ...]:
        names = dict.fromkeys(name for effect in self.effects for name in sorted(effect))
        first = [self.sampled] if self.sampled in names else []
        return tuple(first + [n for n in names if n not in (self.object, self.sampled)])

    def errors(self, counts: Counts) -> tuple[float, float, float]:
        """Return universe score variance, relative and absolute error."""
        errors = error_variances(
            self.effects, self.values[None, :], counts, self.object, self.fixed
        )
        universe, relative, absolute = (float(one[0]) for one in errors)
        return universe, relative, absolute

    def split(self, counts: Counts, *, relative: bool) -> tuple[float, float]:
        """Return the variance for one sampled condition, and the variance that all conditions
        share.

        With `relative`, only interactions with the object of measurement count, as for comparisons.
        """
        unit = shared = 0.0
        for effect, value in zip(self.effects, self.values, strict=True):
            others = effect - {self.object}
            if not others or others <= set(self.fixed) or (relative and self.object not in effect):
                continue
            share = value / math.prod(counts[n] for n in others if n != self.sampled)
            if self.sampled in effect:
                unit += share
            else:
                shared += share
        return float(unit), float(shared)


def nesting(c: Components) -> dict[str, str]:
    """Return nested facets, which occur only together with another one, such as "item:template"."""
    nested = {}
    for inner in c.facets:
        holding = [effect for effect in c.effects if inner in effect]
        for outer in c.facets:
            if outer != inner and all(outer in effect for effect in holding):
                alone = any(outer in e and inner not in e for e in c.effects)
                if alone:
                    nested[inner] = outer
    return nested


def shared_remarks(c: Components, *, relative: bool) -> tuple[tuple[str, str, str], ...]:
    ones = dict.fromkeys(c.facets, 1)
    shared = c.split(ones, relative=relative)[1] * (2 if relative else 1)
    if not shared:
        return ()
    names = [
        label
        for label, effect, value in zip(c.variances, c.effects, c.values, strict=True)
        if value > 0 and c.sampled not in effect and effect - {c.object}
        and not effect - {c.object} <= set(c.fixed) and (c.object in effect or not relative)
    ]  # fmt: skip
    what = "the difference" if relative else "a score"
    return (
        (
            "error_beyond_items",
            f"{', '.join(names)}: this part of the error of {what} (standard deviation "
            f"{math.sqrt(shared):.3g} with one condition of each) does not shrink with more "
            f"{c.sampled}s, and the interval over {c.sampled}s does not hold it.",
            "Plan more conditions of that facet, or call it fixed and speak of these alone.",
        ),
    )
