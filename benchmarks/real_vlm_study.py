"""Write what real models show into docs/evidence/real-models-evidence.md.

    python benchmarks/real_vlm_study.py [--trials FILE] [--part NAME] [--print]

The page's sections between the marks are made anew from the example data set `vlm_items`:
predictions of families left out, dimensions, broken items and differences between families, the
same analysis where the truth is known, and false alarms and power of the tests of drift. `--part`
makes one of them; `--trials` reads or keeps the predictions of families left out, as
`real_vlm_calibration.py` does.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import pandas as pd
import real_vlm_drift
import real_vlm_known_truth
import real_vlm_predictions
import real_vlm_structure
from real_vlm_calibration import calibration_of_the_data

from gfactor.psychometrics.irt.anchors.calibrating import AnchorCalibration
from gfactor.psychometrics.irt.anchors.validation import validate_anchors

PAGE = Path(__file__).parent.parent / "docs" / "evidence" / "real-models-evidence.md"
PARTS = ("predictions", "structure", "truth", "drift")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--trials", type=Path, help="Parquet file of predictions")
    parser.add_argument("--part", choices=PARTS, action="append", help="make this part only")
    parser.add_argument("--print", action="store_true", help="print, leave the page as it is")
    given = parser.parse_args()
    calibration = calibration_of_the_data()
    for part in given.part or PARTS:
        begun = time.process_time()
        text = "\n\n".join(_sections(part, calibration, given.trials))
        if given.print:
            print(text)
        else:
            put(PAGE, part, text)
        print(f"{part}: {time.process_time() - begun:.0f} s of processor time", flush=True)


def _sections(part: str, calibration: AnchorCalibration, file: Path | None) -> list[str]:
    if part == "structure":
        return real_vlm_structure.sections(calibration)
    if part == "truth":
        return real_vlm_known_truth.sections(calibration)
    if part == "drift":
        return real_vlm_drift.sections(calibration)
    if file and file.exists():
        trials = pd.read_parquet(file)
    else:
        trials = validate_anchors(calibration)
        if file:
            trials.to_parquet(file)
    return real_vlm_predictions.sections(calibration, trials)


def put(page: Path, part: str, text: str) -> None:
    """Replace what stands between the marks of a part."""
    begin, end = f"<!-- {part}: begin -->", f"<!-- {part}: end -->"
    before, found, rest = page.read_text("utf-8").partition(begin)
    if not found:
        raise SystemExit(f"{page} has no mark {begin}")
    after = rest.partition(end)[2]
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", "utf-8")


if __name__ == "__main__":
    main()
