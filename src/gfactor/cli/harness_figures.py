"""VLMEvalKit's figures beside ours, for `gfactor score --policy vlmevalkit`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pandas as pd

from gfactor.cli.common import say

_SHOWN = {
    **{name: name for name in ("examinee", "condition", "dataset", "row", "figure")},
    **{"vlmevalkit": "VLMEvalKit", "n": "n", "own": "our reading", "n_own": "n of ours"},
}
_DIGITS = 4


def say_side_by_side(compared: Mapping[str, Any]) -> None:
    """Print the figures that stand for their data sets, and how many replies differ and why."""
    figures = [row for row in compared["figures"] if row["headline"]]
    if not figures:
        say("VLMEvalKit has no rule for these data sets")
        return
    shown = pd.DataFrame([{name: row[key] for key, name in _SHOWN.items()} for row in figures])
    say("VLMEvalKit's figures, in its own units (--json has all)\n")
    say(shown.to_string(index=False, na_rep="-", float_format=lambda v: f"{v:.{_DIGITS}g}"))
    counts = Counter((row["dataset"], row["why"]) for row in compared["differences"])
    if not counts:
        say("\nno reply counts differently\n")
        return
    say("\nreplies that count differently (--json has each)\n")
    rows = [{"dataset": d, "replies": n, "why": why} for (d, why), n in sorted(counts.items())]
    say(pd.DataFrame(rows).to_string(index=False))
    say("")
