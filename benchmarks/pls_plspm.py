"""plspm's side of benchmarks/pls.py; runs in an environment that has plspm.

python pls_plspm.py DATA.csv RESAMPLES
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import sys
import time
from typing import Any

import pandas as pd

BLOCKS = {"A": "a", "B": "b", "C": "c"}


def main() -> None:
    """Print the seconds of one fit and of a bootstrap in one process, and the loadings."""
    config: Any = importlib.import_module("plspm.config")
    scheme: Any = importlib.import_module("plspm.scheme").Scheme
    mode: Any = importlib.import_module("plspm.mode").Mode
    scale: Any = importlib.import_module("plspm.scale").Scale
    plspm: Any = importlib.import_module("plspm.plspm").Plspm
    data, resamples = pd.read_csv(sys.argv[1]), int(sys.argv[2])
    structure = config.Structure()
    structure.add_path(["A"], ["B", "C"])
    structure.add_path(["B"], ["C"])
    made = config.Config(structure.path(), default_scale=scale.NUM)
    for name, letter in BLOCKS.items():
        columns = [config.MV(f"{letter}{i}") for i in range(1, 5)]
        made.add_lv(name, mode.A, *columns)

    def seconds(**keywords: Any) -> tuple[float, Any]:
        start = time.perf_counter()
        fitted = plspm(data, made, scheme.PATH, 300, 1e-7, **keywords)
        return time.perf_counter() - start, fitted

    one, fitted = min((seconds() for _ in range(5)), key=lambda pair: pair[0])
    many = float("nan")
    if resamples:
        many, _ = seconds(bootstrap=True, bootstrap_iterations=resamples, processes=1)
    loadings = fitted.outer_model()["loading"].to_dict()
    version = importlib.metadata.version("plspm")
    print(json.dumps({"fit": one, "bootstrap": many, "loadings": loadings, "version": version}))


if __name__ == "__main__":
    main()
