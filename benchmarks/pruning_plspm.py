"""plspm's side of benchmarks/pruning.py; runs in an environment that has plspm.

python pruning_plspm.py DATA.csv: Algorithm 1 with a plspm fit per removal, which is what GOLD's
authors' tool does, without the rest that the tool computes at every step.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import sys
import time
from typing import Any

import numpy as np
import pandas as pd

HUMAN = "arena"


def main() -> None:
    """Print the seconds of the whole pruning and its removals."""
    config: Any = importlib.import_module("plspm.config")
    scheme: Any = importlib.import_module("plspm.scheme").Scheme
    mode: Any = importlib.import_module("plspm.mode").Mode
    scale: Any = importlib.import_module("plspm.scale").Scale
    plspm: Any = importlib.import_module("plspm.plspm").Plspm
    data = pd.read_csv(sys.argv[1])
    blocks: dict[str, list[str]] = {}
    for name in data.columns.drop(HUMAN):
        blocks.setdefault(name[0], []).append(name)

    def loadings() -> dict[str, float]:
        structure = config.Structure()
        structure.add_path(list(blocks), ["Human"])
        made = config.Config(structure.path(), default_scale=scale.NUM)
        for name, own in blocks.items():
            made.add_lv(name, mode.A, *[config.MV(task) for task in own])
        made.add_lv("Human", mode.A, config.MV(HUMAN))
        fitted = plspm(data, made, scheme.PATH, 300, 1e-7)
        return fitted.outer_model()["loading"].abs().to_dict()

    def inflation() -> dict[str, float]:
        return {
            task: float(value)
            for own in blocks.values()
            for task, value in zip(
                own, np.diag(np.linalg.inv(np.corrcoef(data[own].to_numpy().T))), strict=True
            )
        }

    start, removed = time.perf_counter(), []
    while True:
        loading, vif = loadings(), inflation()
        free = [task for own in blocks.values() if len(own) > 2 for task in own]
        copies = [task for task in free if vif[task] > 5]
        weak = [task for task in free if loading[task] < 0.75]
        if copies:
            worst = max(vif[task] for task in copies)
            weak = [task for task in copies if vif[task] >= 0.95 * worst]
        if not weak:
            break
        gone = min(weak, key=loading.__getitem__)
        removed.append(gone)
        blocks[gone[0]].remove(gone)
    seconds = time.perf_counter() - start
    version = importlib.metadata.version("plspm")
    print(json.dumps({"seconds": seconds, "removed": removed, "version": version}))


if __name__ == "__main__":
    main()
