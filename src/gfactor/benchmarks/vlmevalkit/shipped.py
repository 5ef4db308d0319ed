"""The scales of real models that come with gfactor.

The folders of `calibrations/` were made by `benchmarks/real_vlm_calibration.py` from the example
data set `vlm_items`, whose source and license stand in each `calibration.json`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from gfactor.errors import UnknownNameError
from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.files import HEAD, read_anchors

FOLDER = Path(__file__).parent / "calibrations"


def shipped_anchor_names() -> list[str]:
    """Return the names of the scales of real models that come with gfactor."""
    return sorted(path.parent.name for path in FOLDER.glob(f"*/{HEAD}"))


def read_anchor_set(name: str | Path) -> Anchors:
    """Read a scale of real models by its name, or from a folder.

    Parameters
    ----------
    name : str or path
        A name of `gfactor list calibrations`, or a folder.

    Returns
    -------
    Anchors
        The scale: its items, models and benchmarks.

    Raises
    ------
    UnknownNameError
        If there is neither such a name nor such a folder.
    ParameterError
        If the folder holds no scale.
    """
    if str(name) in shipped_anchor_names():
        return _shipped(str(name))
    if Path(name).is_dir():
        return read_anchors(name)
    raise UnknownNameError("calibration of real models", str(name), shipped_anchor_names())


@cache
def _shipped(name: str) -> Anchors:
    return read_anchors(FOLDER / name)
