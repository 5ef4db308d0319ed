"""Designs of generalizability studies: which effects a score has, and whether data are balanced."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError

Effect = frozenset[str]
Codes = Mapping[str, NDArray[np.intp]]
"""By facet, the number of its level at every score."""


@dataclass(frozen=True)
class FacetDesign:
    """Effects of a score.

    Parameters
    ----------
    object : str
        Column of the object of measurement.
    facets : tuple of str
        Columns of the facets.
    nested : mapping of facet to facet
        Facets whose levels differ between levels of another: {"item": "template"}.
    """

    object: str
    facets: tuple[str, ...]
    nested: Mapping[str, str]
    omit: tuple[str, ...] = ()
    """Labels of effects that are assumed to be 0, such as "model x template"."""

    def parents(self, name: str) -> Effect:
        """Return the facets in which a facet is nested, at any depth."""
        parents: set[str] = set()
        while name in self.nested:
            name = self.nested[name]
            if name in parents:
                raise ParameterError(f"facet {name!r} is nested in itself")
            parents.add(name)
        return frozenset(parents)

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """All effects, smaller ones first; the last is confounded with the residual."""
        names = (self.object, *self.facets)
        effects = []
        for size in range(1, len(names) + 1):
            for chosen in combinations(names, size):
                effect = frozenset(chosen)
                if all(self.parents(name) <= effect for name in chosen):
                    effects.append(effect)
        labels = {self.label(effect): effect for effect in effects}
        for label in self.omit:
            if label not in labels or labels[label] == effects[-1]:
                raise ParameterError(
                    f"effect {label!r} cannot be left out; these can: {', '.join([*labels][:-1])}"
                )
        return tuple(effect for label, effect in labels.items() if label not in self.omit)

    def primary(self, effect: Effect) -> Effect:
        """Return the primary facets of an effect, the names before the colon, in which no other
        facet of the effect is nested."""
        return effect - frozenset().union(*(self.parents(name) for name in effect))

    def label(self, effect: Effect, cross: str = " x ") -> str:
        """Return the label of an effect: "p", "p x t", "r:t", "p x r:t"."""
        order = (self.object, *self.facets)
        head = [name for name in order if name in self.primary(effect)]
        tail = [name for name in order if name in effect - self.primary(effect)]
        return cross.join(head) + (":" + ",".join(tail) if tail else "")


def error_variances(
    effects: Sequence[Effect],
    variances: NDArray[np.float64],
    sizes: Mapping[str, float],
    object: str,
    fixed: Collection[str] = (),
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return universe score variance, and relative and absolute error variance, of means over the
    given numbers of conditions.

    `variances` are draws x effects; each result has one entry per draw. `fixed` facets do not
    contribute to the error.
    """
    universe, relative, absolute = np.zeros((3, len(variances)))
    for column, effect in enumerate(effects):
        others = effect - {object}
        share = variances[:, column] / math.prod(sizes[name] for name in others)
        is_fixed = others <= frozenset(fixed)
        if object in effect:
            if is_fixed:
                universe += share
            else:
                relative += share
                absolute += share
        elif not is_fixed:
            absolute += share
    return universe, relative, absolute


def joint_levels(codes: Codes, effect: Effect) -> NDArray[np.intp]:
    """Return the level of an effect at every score."""
    frame = pd.DataFrame({name: codes[name] for name in sorted(effect)})
    return np.asarray(frame.groupby(list(frame.columns), sort=False).ngroup(), dtype=np.intp)


def conditions(design: FacetDesign, codes: Codes, name: str) -> float:
    """Return the number of conditions of a facet per level of its parent facet: the harmonic
    mean."""
    parents = design.parents(name)
    if not parents:
        return float(codes[name].max() + 1)
    pairs = pd.DataFrame(
        {"of": joint_levels(codes, parents), "level": codes[name]}
    ).drop_duplicates()
    counts = pairs.groupby("of").size().to_numpy(float)
    return float(counts.size / (1 / counts).sum())


def is_balanced(design: FacetDesign, codes: Codes) -> bool:
    sizes = [codes[design.object].max() + 1]
    for name in design.facets:
        parents = design.parents(name)
        of = joint_levels(codes, parents) if parents else np.zeros(len(codes[name]), np.intp)
        pairs = pd.DataFrame({"of": of, "level": codes[name]}).drop_duplicates()
        counts = np.bincount(pairs["of"].to_numpy(int))
        if np.unique(counts).size != 1:
            return False
        sizes.append(counts[0])
    n = len(codes[design.object])
    return bool(
        math.prod(int(size) for size in sizes) == n
        and np.unique(joint_levels(codes, design.effects[-1])).size == n
    )
