"""Make the scale of real models that comes with gfactor, and measure what it predicts.

    python benchmarks/real_vlm_calibration.py

calibrates the three benchmarks of the example data set `vlm_items`, leaves families out to see how
well they are predicted, and writes `src/gfactor/benchmarks/vlmevalkit/calibrations/real-vlm-2025`.
The same machine writes the same bytes. With `--check` nothing is written: the program compares what
it would write with the folder, number by number. `--trials FILE` keeps or reuses the predictions of
families left out.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from gfactor.api.datasets.loading import load
from gfactor.benchmarks.vlmevalkit.shipped import FOLDER
from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.calibrating import AnchorCalibration, calibrate_with_evidence
from gfactor.psychometrics.irt.anchors.files import read_anchors, write_anchors
from gfactor.psychometrics.irt.anchors.unseen_families import validated
from gfactor.psychometrics.irt.anchors.validation import validate_anchors
from gfactor.psychometrics.irt.likelihood.curves import Floats

NAME = "real-vlm-2025"
BENCHMARKS = ("mmt_bench_val", "mmmu_dev_val", "ai2d_test")
SIX_DIGITS = 1e-6
ABOUT = {
    "source": "response matrices of IMNearth/AutoJudger (model_performance/, commit adbae65), a "
    "part of the model families",
    "license": "Apache-2.0",
    "scoring": "right or wrong by the rules of VLMEvalKit",
    "date": "2025",
    "checksums": None,
}


def calibration_of_the_data(dimensions: int = 1) -> AnchorCalibration:
    """Calibrate the three benchmarks of the example data set."""
    data = load("vlm_items")
    answers = pd.concat([data.answers.filter(regex=f"^{name}:") for name in BENCHMARKS], axis=1)
    return calibrate_with_evidence(
        answers, pd.Series(data.models["family"]), name=NAME, about=ABOUT, dimensions=dimensions
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument(
        "--trials", type=Path, help="Parquet file of predictions of families left out"
    )
    parser.add_argument("--into", type=Path, default=FOLDER / NAME, help="folder to write")
    parser.add_argument("--every", type=int, default=1, help="place every so many models")
    parser.add_argument("--dimensions", type=int, default=1, help="abilities of each benchmark")
    given = parser.parse_args()
    begun = time.process_time()
    calibration = calibration_of_the_data(given.dimensions)
    families = calibration.families
    print(f"calibrated in {time.process_time() - begun:.0f} s of processor time", flush=True)
    if given.trials and given.trials.exists():
        trials = pd.read_parquet(given.trials)
    else:
        trials = validate_anchors(
            calibration, every=given.every, progress=lambda text: print(text, flush=True)
        )
        if given.trials:
            trials.to_parquet(given.trials)
    anchors = validated(calibration.anchors, trials, families)
    print(pd.DataFrame(anchors.about["validation"]).to_string(index=False))
    print({b.name: b.misfit_sd for b in anchors.benchmarks}, anchors.ability_inflation)
    if given.check:
        sys.exit(0 if _same(anchors, given.into) else 1)
    write_anchors(anchors, given.into)
    size = sum(path.stat().st_size for path in given.into.iterdir())
    print(f"{given.into}: {size / 1e6:.2f} MB; {time.process_time() - begun:.0f} s")


def _same(anchors: Anchors, folder: Path) -> bool:
    """Whether what was made equals the folder in six digits, with the same states of items."""
    with tempfile.TemporaryDirectory() as place:
        made = read_anchors(write_anchors(anchors, place))
    shipped = read_anchors(folder)
    gaps = [_gap(*pair) for pair in zip(_numbers(made), _numbers(shipped), strict=True)]
    print(f"largest relative difference of items and population: {max(gaps[:-1]):.1e}")
    print(f"largest relative difference of errors of families left out: {gaps[-1]:.1e}")
    return max(gaps) < SIX_DIGITS and list(made.items["status"]) == list(shipped.items["status"])


def _numbers(anchors: Anchors) -> list[Floats]:
    """Slopes and intercepts, their errors, population, effects of models, and prediction errors."""
    numbers = anchors.models.drop(columns="family").to_numpy(np.float64)
    return [
        anchors.items[["a", "d"]].to_numpy(np.float64),
        anchors.items[["se_a", "se_d"]].to_numpy(np.float64),
        anchors.mean, anchors.covariance, np.nan_to_num(numbers),
        np.r_[[b.misfit_sd for b in anchors.benchmarks], anchors.ability_inflation],
    ]  # fmt: skip


def _gap(made: Floats, shipped: Floats) -> float:
    """Largest difference, relative to the largest number of its column."""
    return float((np.abs(made - shipped) / np.abs(shipped).max(axis=0)).max())


if __name__ == "__main__":
    main()
