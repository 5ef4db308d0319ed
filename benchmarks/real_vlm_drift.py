"""Table of the evidence on real models: false alarms and power of the test whether items drifted.

`real_vlm_study.py` calls `sections`. Each world is drawn from the estimated scale of MMMU: models
in families of the real sizes are calibrated, and new models in families of three are added to that
calibration, for whom no item drifted, or one item in twenty became easier. In every second world
the models of a family also have single items in common beyond ability, as real families do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from real_vlm_known_truth import World, simulate
from real_vlm_predictions import markdown
from scipy import stats

from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.calibrating import AnchorCalibration, calibrate_anchors
from gfactor.psychometrics.irt.anchors.updating import update_anchors
from gfactor.psychometrics.irt.likelihood.curves import Floats

SEED = 36
WORLDS = 18
BENCHMARK = "mmmu_dev_val"
COUNTS = (24, 48)
SHIFTS = (0.0, 0.0, 1.0, 2.0)
"""Logits by which items became easier in the updates of each world; 0 is no drift."""
DRIFTED = 0.05
FAMILY_SD = 0.7
"""Standard deviation in logits of what a family has in common on a single item."""
_FAMILY_SIZE = 3


def sections(calibration: AnchorCalibration) -> list[str]:
    """Return the section of the page about drift."""
    anchors = calibration.anchors
    real = anchors.restricted([anchors.names.index(BENCHMARK)])
    labels = calibration.families.tolist()
    rows = [row for world in range(WORLDS) for row in outcomes(real, labels, world)]
    return [section(pd.DataFrame(rows), len(real.benchmarks[0].items), len(labels))]


def outcomes(real: Anchors, labels: list[str], world: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each update of one world's calibration."""
    rng = np.random.default_rng([SEED, world])
    family_sd = FAMILY_SD * (world % 2)
    calibrated = _draw(real, labels, family_sd, 0.0, rng)
    scale = calibrate_anchors(calibrated.answers, calibrated.families)
    items = len(real.benchmarks[0].items)
    for count in COUNTS:
        new = [f"new{k // _FAMILY_SIZE}" for k in range(count)]
        for shift in SHIFTS:
            drifted = (rng.random(items) < DRIFTED) & (shift > 0)
            added = _draw(real, new, family_sd, np.multiply(shift, drifted, dtype=float), rng)
            table = update_anchors(scale, added.answers, added.families).drift
            truth = drifted[[real.benchmarks[0].items.index(item) for item in table["item"]]]
            named = (table["drift"] == "easier").to_numpy()
            harder = (table["drift"] == "harder").to_numpy()
            yield {
                "world": world, "family_sd": family_sd, "count": count, "shift": shift,
                "false": int(((named | harder) & ~truth).sum()), "drifted": int(truth.sum()),
                "named": int((named & truth).sum()), "below_05": float(np.mean(table["p"] < 0.05)),
            }  # fmt: skip


def _draw(
    real: Anchors, labels: list[str], family_sd: float, shift: Floats | float,
    rng: np.random.Generator,
) -> World:  # fmt: skip
    names, member = np.unique(labels, return_inverse=True)
    items = len(real.benchmarks[0].items)
    none = np.zeros(items, dtype=bool)
    own = family_sd * rng.normal(size=(len(names), items))[member]
    return simulate(real, labels, none, none, np.zeros(len(labels)), rng, own + shift)


def section(results: pd.DataFrame, items: int, models: int) -> str:
    """Return the text of the section from the rows of all worlds."""
    still: Any = results[results["shift"] == 0]
    groups: Any = [*still.groupby(["count", "family_sd"]), (("all", ""), still)]
    alarms = [[*key, *_alarms(part)] for key, part in groups]
    power = []
    moved = results[results["shift"] > 0]
    group: Any
    part: Any
    for group, part in moved.groupby(["count", "shift"]):
        count, shift = group
        sums = part[["named", "drifted", "false"]].sum()
        power.append([
            count, shift, int(sums["drifted"]),
            f"{100 * sums['named'] / sums['drifted']:.1f}",
            f"{100 * sums['false'] / max(sums['false'] + sums['named'], 1):.1f}",
        ])  # fmt: skip
    head = (
        "new models",
        "family SD",
        "updates",
        "accuse an item",
        "percent",
        "p < .05, percent of items",
    )
    columns = (
        "new models", "easier by (logits)", "drifted items", "named, percent",
        "false among the named, percent",
    )  # fmt: skip
    return f"""## False alarms and power of the test of drift

{results["world"].nunique()} worlds were drawn from the estimated scale of MMMU (seed {SEED}):
{models} models in families of the real sizes answered its {items:,} items and were calibrated, and
new models in families of three were added to each of these calibrations. *Family SD*: what the
models of a family have in common on a single item beyond ability, in logits. First, updates without
any drift; at most 5 % of them may accuse an item. In brackets the 95 % interval.

{markdown(alarms, head)}

Then {100 * DRIFTED:.0f} % of the items became easier for all new models:

{markdown(power, columns)}"""


def _alarms(part: pd.DataFrame) -> list[object]:
    """Updates, how many of them accuse an item, their share, and small p-values of items."""
    accused = int(np.sum(part["false"] > 0))
    interval = stats.binomtest(accused, len(part)).proportion_ci(method="wilson")
    ends = f"[{100 * interval.low:.1f}, {100 * interval.high:.1f}]"
    return [
        len(part), accused, f"{100 * accused / len(part):.1f} {ends}",
        f"{100 * part['below_05'].mean():.1f}",
    ]  # fmt: skip
