"""Write the samples as CSV and let lavaan record its results: run by hand, needs R.

    python tests/psychometrics/sem/record.py

It writes tests/psychometrics/sem/recorded/*.json by record.R beside this file.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from support.sem_samples import SAMPLES, resamples  # noqa: E402


def main() -> None:
    recorded = HERE / "recorded"
    recorded.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        sums: dict[str, str] = {}
        for name, sample in SAMPLES.items():
            text = sample().to_csv(index=False, lineterminator="\n")
            (Path(folder) / f"{name}.csv").write_text(text, encoding="utf-8")
            sums[name] = sha256(text.encode()).hexdigest()
        (recorded / "samples.json").write_text(json.dumps(sums, indent=1) + "\n", "utf-8")
        rows = "\n".join(",".join(map(str, one)) for one in resamples())
        (Path(folder) / "resamples.csv").write_text(rows + "\n", encoding="utf-8")
        subprocess.run(["Rscript", str(HERE / "record.R"), folder, str(recorded)], check=True)


if __name__ == "__main__":
    main()
