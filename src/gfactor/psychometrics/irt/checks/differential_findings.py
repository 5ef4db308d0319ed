"""Limits to the use of tests of differential item functioning."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import special

from gfactor.psychometrics.diagnostic import Diagnostic

EFFECTS = """\
signed, unsigned: difference of expected scores, focal less reference (signed below 0: harder for \
the focal group), and its absolute value"""
LOG_ODDS = "; delta: 2.35 times the difference of the log odds"
DELTA = """\
delta: 2.35 times the difference of the log odds at equal sums of the anchors and the item (below \
0: harder for the focal group)"""
"""Effects of models, and of tests on observed scores, in words."""

ENOUGH_POWER = 0.8
"""Power for a difference of one logit; a note reports the power if it is smaller than this."""


def items_not_tested(frame: pd.DataFrame) -> list[Diagnostic]:
    """Return a warning about items whose models did not converge."""
    lost = [str(item) for item in frame.index[frame["p"].isna().to_numpy()]]
    if not lost:
        return []
    return [Diagnostic(
        "item_not_tested", "warning",
        f"Not tested, as the model with the item free did not converge: {', '.join(lost)}.",
        "Join rare categories of these items, or take more persons.",
        tuple(lost),
    )]  # fmt: skip


def crossing_curves(frame: pd.DataFrame) -> list[Diagnostic]:
    """Return a note about items whose scores and log odds differ in opposite directions."""
    opposite = (frame["signed"] * frame["delta"]).to_numpy(float) < 0
    names = tuple(str(item) for item in frame.index[opposite])
    if not names:
        return []
    return [Diagnostic(
        "curves_cross", "note",
        f"The signed effect and delta of {', '.join(names)} have opposite signs: the curves of the "
        "two groups cross, so that each group has it easier somewhere.",
        "Read the unsigned effect, and look at the curves.",
        names,
    )]  # fmt: skip


def little_power(frame: pd.DataFrame, groups: list[str]) -> list[Diagnostic]:
    """Return a note if an item that is one logit harder for a group would often be missed."""
    logit = frame["delta_se"].to_numpy(float) / 2.35
    df = frame["df"].to_numpy(float)
    usable = (logit > 0) & (df > 0)
    if not usable.any():
        return []
    limit = special.chdtri(df[usable], 0.05)
    power = float(np.median(1 - special.chndtr(limit, df[usable], logit[usable] ** -2.0)))
    if power >= ENOUGH_POWER:
        return []
    smallest = min(groups.count(name) for name in set(groups))
    return [Diagnostic(
        "little_power", "note",
        f"With {smallest} persons in the smaller group, an item that is 1 logit harder for a group "
        f"is found in about {power:.0%} of cases (median over items, before adjustment).",
        "Do not read 'no item differs' as 'no difference'. Name anchors that are known to be "
        "equal, test uniform differences alone (1 df), or take more persons.",
        (),
        {"power": power, "n": smallest},
    )]  # fmt: skip
