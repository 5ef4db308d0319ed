"""Rotations by name: their criteria, and the parameters that these take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Literal

import numpy as np

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.factor.exploratory.criteria import (
    Array,
    Criterion,
    bentler,
    bifactor,
    crawford_ferguson,
    entropy,
    equamax,
    geomin,
    infomax,
    mccammon,
    oblimax,
    oblimin,
    parsimax,
    quartimax,
    simplimax,
    tandem_one,
    tandem_two,
    target,
    varimax,
)


@dataclass(frozen=True)
class Rotation:
    """A named rotation.

    Parameters
    ----------
    criterion: criterion that is minimized (for promax, that of the rotation it starts from).
    oblique: True if factors may correlate.
    kaiser: True to scale rows to length one before rotation; the defaults are those of R's stats
    and psych.
    takes: names of the `RotationSettings` that the criterion has.
    in_place: factors that the criterion distinguishes from the others, so that they keep their
    position: the "first", "all", or "none" (factors are then ordered by their variance).
    """

    criterion: Criterion
    oblique: bool
    kaiser: bool = False
    takes: tuple[str, ...] = ()
    in_place: Literal["none", "first", "all"] = "none"


ROTATIONS: Mapping[str, Rotation] = {
    "varimax": Rotation(varimax, oblique=False, kaiser=True),
    "quartimax": Rotation(quartimax, oblique=False),
    "equamax": Rotation(equamax, oblique=False),
    "parsimax": Rotation(parsimax, oblique=False),
    "entropy": Rotation(entropy, oblique=False),
    "mccammon": Rotation(mccammon, oblique=False),
    "tandemI": Rotation(tandem_one, oblique=False),
    "tandemII": Rotation(tandem_two, oblique=False),
    "bentlerT": Rotation(bentler, oblique=False),
    "infomaxT": Rotation(infomax, oblique=False),
    "geominT": Rotation(geomin, oblique=False, takes=("delta",)),
    "cfT": Rotation(crawford_ferguson, oblique=False, takes=("kappa",)),
    "bifactorT": Rotation(bifactor, oblique=False, in_place="first"),
    "targetT": Rotation(target, oblique=False, takes=("target",), in_place="all"),
    "promax": Rotation(varimax, oblique=True, kaiser=True, takes=("power",)),
    "oblimin": Rotation(oblimin, oblique=True, takes=("gamma",)),
    "quartimin": Rotation(oblimin, oblique=True),
    "geomin": Rotation(geomin, oblique=True, takes=("delta",)),
    "simplimax": Rotation(simplimax, oblique=True, takes=("zeros",)),
    "oblimax": Rotation(oblimax, oblique=True),
    "bentlerQ": Rotation(bentler, oblique=True),
    "infomaxQ": Rotation(infomax, oblique=True),
    "cfQ": Rotation(crawford_ferguson, oblique=True, takes=("kappa",)),
    "bifactorQ": Rotation(bifactor, oblique=True, in_place="first"),
    "targetQ": Rotation(target, oblique=True, takes=("target",), in_place="all"),
}

OTHER_NAMES: Mapping[str, str] = {
    "geominQ": "geomin", "pstT": "targetT", "pstQ": "targetQ", "biquartimin": "bifactorQ",
    "tandem1": "tandemI", "tandem2": "tandemII",
}  # fmt: skip
"""Names of GPArotation and lavaan for the same rotations."""


def rotation_name(rotation: str) -> str:
    """Return the name in `ROTATIONS`, or "none", of a rotation in any spelling.

    Parameters
    ----------
    rotation : str
        A name of `ROTATIONS` or `OTHER_NAMES`, in capitals or not.

    Raises
    ------
    UnknownNameError
        For another name; the message suggests one, or lists all.

    Examples
    --------
    >>> rotation_name("GeominQ"), rotation_name("tandem2")
    ('geomin', 'tandemII')
    """
    names = {name.lower(): name for name in ("none", *ROTATIONS)}
    names |= {other.lower(): name for other, name in OTHER_NAMES.items()}
    if rotation.lower() not in names:
        raise UnknownNameError("rotation", rotation, ["none", *ROTATIONS])
    return names[rotation.lower()]


@dataclass(frozen=True)
class RotationSettings:
    """Parameters of rotations; each rotation takes its own (`Rotation.takes`).

    Parameters
    ----------
    kaiser: True to scale rows to length one; None for the rotation's usual choice. gamma: parameter
    of oblimin. delta: parameter of geomin. kappa: parameter of Crawford and Ferguson's criterion.
    power: power of promax.
    zeros: number of loadings that simplimax makes small; None for the number of indicators.
    target: target of targetT and targetQ, indicators x factors; NaN for unspecified loadings.
    """

    kaiser: bool | None = None
    gamma: float = 0.0
    delta: float = 0.01
    kappa: float = 0.0
    power: float = 4.0
    zeros: int | None = None
    target: Array | None = None

    def changed(self, rotation: str) -> dict[str, float]:
        """Return the parameters of a rotation that differ from their defaults."""
        takes = ROTATIONS[rotation].takes if rotation in ROTATIONS else ()
        return {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if one.name in takes and one.name != "target" and getattr(self, one.name) != one.default
        }

    def for_loadings(self, rotation: str, p: int, m: int) -> None:
        """Raise ParameterError if the settings do not fit loadings of p indicators on m factors."""
        takes = ROTATIONS[rotation].takes
        if "zeros" in takes and self.zeros is not None and not 0 < self.zeros < p * m:
            raise ParameterError(
                f"zeros must be from 1 to {p * m - 1} for {p} x {m} loadings, not {self.zeros}"
            )
        if "kappa" in takes and not 0 <= self.kappa <= 1:
            raise ParameterError(f"kappa must be a weight from 0 to 1, not {self.kappa:g}")
        if "delta" in takes and self.delta < 0:
            raise ParameterError(f"delta must be 0 or more, not {self.delta:g}")
        if "target" in takes:
            self._fits_target(rotation, p, m)

    def _fits_target(self, rotation: str, p: int, m: int) -> None:
        if self.target is None:
            raise ParameterError(
                f"rotation {rotation!r} needs a target: a table of {p} indicators x {m} factors, "
                "with empty cells for unspecified loadings"
            )
        if self.target.shape != (p, m):
            raise ParameterError(
                f"the target has {' x '.join(map(str, self.target.shape))} cells, and the loadings "
                f"{p} indicators x {m} factors"
            )
        least = m * (m - 1) if ROTATIONS[rotation].oblique else m * (m - 1) // 2
        specified = int((~np.isnan(self.target)).sum())
        if specified < least:
            raise ParameterError(
                f"the target specifies {specified} loadings, which leaves the rotation of {m} "
                f"factors open; specify at least {least}"
            )


def named_criterion(rotation: str, settings: RotationSettings | None = None) -> Criterion:
    """Return the criterion of a rotation, with its parameter if it has one."""
    kind, values = ROTATIONS[rotation], settings or RotationSettings()
    takes = [name for name in kind.takes if name != "power"]
    return partial(kind.criterion, **{name: getattr(values, name) for name in takes})
