"""What 24 multimodal models can calibrate: MMMU and MathVista from the responses of M3IRT.

    python benchmarks/irt_m3irt.py FOLDER [--simulations 200] [--seed 1] \
        [--write docs/evidence/irt-evidence.md]

FOLDER has normal_mmmu.csv and normal_mathvista.csv of github.com/CyberAgentAILab/M3IRT (MIT), which
are not distributed here; of their conditions the one with image, question and options is used.
"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pages import replace_section

from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks.brokenitems import broken_items, simulate

MARKER = "## What 24 models can and cannot calibrate"
INTRO = """\
Abilities are measured well (a thousand items each), but only few neighbors in the ranking are
apart, and the standard error of a difficulty is half a logit: 24 models order items coarsely, give
the mean difficulty of a subject or design cell, and carry no slope. `2pl` is refused. Nor can they
convict single items. Those whose slope, if it alone were free, is near or below zero (its 95 %
interval ends below .3 of the others') are listed; but tables simulated from the Rasch model, in
which every item is sound, hold some, too: compare the numbers. After adjustment for the number of
items none is negative. The list says where to look first, with the pictures and the
keys, and not what is broken."""
NAMES = {"mmmu": "MMMU", "mathvista": "MathVista"}


def read(folder: Path, name: str) -> pd.DataFrame:
    """Models x items of the condition in which nothing is left out."""
    frame = pd.read_csv(folder / f"normal_{name}.csv", index_col=0)
    return frame.loc[:, [c for c in frame.columns if not c.startswith("<")]]


def _flat(codes: NDArray[np.int16]) -> int:
    """Return the number of items of a simulated table that are called flat."""
    table: Any = broken_items(fit_irt("rasch", pd.DataFrame(codes)), simulations=0).table
    return int((table["reason"] == "near_zero_discrimination").sum())


def section(folder: Path, simulations: int, seed: int) -> str:
    lines = [
        MARKER, "",
        f"`python benchmarks/irt_m3irt.py FOLDER --simulations {simulations} --seed {seed}`, "
        f"{datetime.now(UTC).date().isoformat()}; responses of 24 models published with M3IRT "
        "(github.com/CyberAgentAILab/M3IRT, MIT license), image, question and options shown. The "
        "data are not distributed here.", "", INTRO, "",
        "| | MMMU | MathVista |", "|---|---:|---:|",
    ]  # fmt: skip
    columns, lists = [], []
    for name, title in NAMES.items():
        data: Any = read(folder, name)
        fit = fit_irt("rasch", data)
        broken = broken_items(fit, simulations=100, seed=seed)
        rng = np.random.default_rng(seed)
        flagged: Any = broken.table[broken.table["reason"] == "near_zero_discrimination"]
        chance = [_flat(simulate(fit, rng)) for _ in range(simulations)]
        eap: Any = fit.scores("eap")
        gaps = np.diff(np.sort(eap["theta"].to_numpy(float)))
        apart = gaps > 1.96 * np.sqrt(2) * float(eap["se"].median())
        reasons = broken.table["reason"].value_counts()
        columns.append({
            "models x items": f"{len(data)} x {data.shape[1]:,}",
            "items solved by all, by none": f"{int((data.mean() == 1).sum())}, "
                                            f"{int((data.mean() == 0).sum())}",
            "reliability of abilities (empirical)": f"{fit.reliability['empirical']:.2f}",
            "standard error of an ability, median": f"{eap['se'].median():.2f}",
            "neighboring models that differ (95 %)": f"{int(apart.sum())} of {len(gaps)}",
            "standard error of a difficulty, median": f"{fit.items['se_b'].median():.2f}",
            "standard deviation of difficulties": f"{fit.items['b'].std():.2f}",
            "items with negative discrimination, adjusted p < .05":
                f"{reasons.get('negative_discrimination', 0)}",
            "items whose slope ends below .3": f"{len(flagged)}",
            "as many in tables simulated from the model (mean, largest)":
                f"{np.mean(chance):.1f}, {max(chance)}",
            "pairs locally dependent; items that fit nobody":
                f"{reasons.get('locally_dependent', 0)}; {reasons.get('fits_nobody', 0)}",
        })  # fmt: skip
        worst = flagged.sort_values("statistic", kind="stable")
        share = data.mean()
        lists += [
            f"**{title}**, {len(worst)} items (slope, share of "
            "models that solve it): "
            + ", ".join(
                f"{str(row['item']).removeprefix('validation_')} ({row['statistic']:.2f}, "
                f"{100 * share[row['item']]:.0f} %)" for row in worst.to_dict("records")
            ) + ".", "",
        ]  # fmt: skip
    for key in columns[0]:
        lines.append(f"| {key} | {columns[0][key]} | {columns[1][key]} |")
    lines += ["", *lists]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    text = section(given.folder, given.simulations, given.seed)
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
