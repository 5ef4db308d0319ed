"""The calibrations that come with gfactor: a design prior from simulated people.

The documents of `calibrations/` were made by `benchmarks/chc_calibration.py` from limited observers
that answer from pixels. With them adaptive testing can begin before any calibration, but they do
not describe real people or models; `gfactor calibrate --by design --each ability` on a journal of
real examinees makes a folder that replaces them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gfactor.errors import UnknownNameError
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import read_calibration

FOLDER = Path(__file__).parent / "calibrations"

_NAMED = "(acuity 0.6 exp(0.2 z), capacity 4 exp(0.5 z), hypotheses 6 exp(0.9 z))"
_ALL = (
    "(acuity 0.6 exp(0.2 z), contrast sensitivity a fifth of it, capacity 4 exp(0.5 z) things, "
    "retention twice as many turns, hypotheses 6 exp(0.9 z))"
)


def shipped_calibrations(abilities: Sequence[str] = ()) -> dict[str, Calibration]:
    """Return the calibrations by design that come with gfactor, one for each broad CHC ability.

    They are computed from simulated people, whom `about["population"]` describes, and serve as a
    prior until real people or models are calibrated. Each entry is a design cell; its
    `facts["labels"]` hold the family and one level of each radical.

    Parameters
    ----------
    abilities : list of str
        Abilities to load, such as "Gf"; all if empty.

    Returns
    -------
    dict of str to Calibration
        The calibration of each ability, sorted by ability.

    Raises
    ------
    UnknownNameError
        If there is no calibration for an ability.

    Examples
    --------
    >>> import gfactor as gf
    >>> calibrations = gf.shipped_calibrations()
    >>> sorted(calibrations)
    ['EF', 'Gf', 'Gl', 'Gs', 'Gv', 'Gwm']
    >>> calibrations["Gwm"].about["population"][:17]
    'limited observers'
    >>> calibrations["Gl"].entries[0].facts["labels"]["family"]
    'delayed_recognition'
    """
    files = {path.stem: path for path in sorted(FOLDER.glob("*.json"))}
    for name in abilities:
        if name not in files:
            raise UnknownNameError("ability with a calibration", name, files)
    return {name: read_calibration(path) for name, path in files.items()
            if name in (abilities or files)}  # fmt: skip


def with_all_limits(population: str) -> str:
    """Return the sentence about a calibrated population with every limit of its observers.

    The shipped calibrations do not name those of contrast and retention. Their own sentence stays
    as it is: it is part of the digest by which a profile knows its calibration.
    """
    return population.replace(_NAMED, _ALL)
