"""Times semopy on the data and models that benchmarks/sem.py wrote, in an environment of its own.

python sem_semopy.py FOLDER REPEATS    prints JSON, seconds of processor time per call.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
import warnings
from pathlib import Path

import pandas as pd
import semopy  # type: ignore[import-not-found]


def main() -> None:
    """Fit every case that semopy can fit."""
    warnings.simplefilter("ignore")
    folder, repeats = Path(sys.argv[1]), int(sys.argv[2])
    out: dict[str, object] = {"version": semopy.__version__}
    for case in json.loads((folder / "cases.json").read_text()):
        if not case["semopy"]:
            continue
        data = pd.read_csv(folder / case["data"])
        times = []
        for _ in range(repeats):
            start = time.process_time()
            model = semopy.Model(case["semopy"])
            model.fit(data)
            model.inspect()
            semopy.calc_stats(model)
            times.append(time.process_time() - start)
        out[case["name"]] = {"seconds": statistics.median(times)}
    print(json.dumps(out))


if __name__ == "__main__":
    main()
