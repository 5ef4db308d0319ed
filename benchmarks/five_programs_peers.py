"""The peers' side of benchmarks/five_programs.py; runs in an environment that has them.

    python five_programs_peers.py PROGRAM DATA.csv [grm]

PROGRAM is girth, py-irt:vague, py-irt:hierarchical, torch_measure:em or torch_measure:mle. Prints
JSON:
slopes and difficulties (of graded items also thresholds), CPU seconds of the fit, and the version.
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

SEED = 1


def girth(data: pd.DataFrame, graded: bool) -> dict[str, Any]:
    """Marginal maximum likelihood."""
    module: Any = importlib.import_module("girth")
    codes = data.to_numpy(int).T
    start = time.process_time()
    found = module.grm_mml(codes + 1) if graded else module.twopl_mml(codes)
    return {
        "seconds": time.process_time() - start,
        "a": np.asarray(found["Discrimination"]).tolist(),
        "b": np.asarray(found["Difficulty"]).tolist(),
    }


def py_irt(data: pd.DataFrame, priors: str) -> dict[str, Any]:
    """Stochastic variational inference, with the settings that the package has by itself."""
    torch: Any = importlib.import_module("torch")
    pyro: Any = importlib.import_module("pyro")
    config: Any = importlib.import_module("py_irt.config").IrtConfig
    dataset: Any = importlib.import_module("py_irt.dataset").Dataset
    trainer: Any = importlib.import_module("py_irt.training").IrtModelTrainer
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    pyro.set_rng_seed(SEED)
    given = dataset.from_pandas(data.assign(person=data.index.astype(str)), subject_column="person")
    made = trainer(
        config=config(model_type="2pl", priors=priors), data_path=None, dataset=given,
        verbose=False,
    )  # fmt: skip
    start = time.process_time()
    made.train()
    seconds = time.process_time() - start
    found = made.last_params
    # Its items are in an order of its choosing.
    place = {name: int(index) for index, name in found["item_ids"].items()}
    order = [place[str(name)] for name in data.columns]
    return {
        "seconds": seconds,
        "a": [found["disc"][k] for k in order],
        "b": [found["diff"][k] for k in order],
    }


def torch_measure(data: pd.DataFrame, method: str) -> dict[str, Any]:
    """Its "em" (500 epochs, 31 nodes) or "mle" (its default: abilities are parameters)."""
    torch: Any = importlib.import_module("torch")
    models: Any = importlib.import_module("torch_measure.models")
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    model = models.TwoPL(*data.shape)
    start = time.process_time()
    model.fit(torch.tensor(data.to_numpy(), dtype=torch.float32), method=method, verbose=False)
    seconds = time.process_time() - start
    return {
        "seconds": seconds,
        "a": model.discrimination.detach().tolist(),
        "b": model.difficulty.detach().tolist(),
    }


def main() -> None:
    program, path = sys.argv[1:3]
    graded = len(sys.argv) > 3
    data = pd.read_csv(path)
    package, _, variant = program.partition(":")
    if package == "girth":
        found = girth(data, graded)
    elif package == "py-irt":
        found = py_irt(data, variant)
    else:
        found = torch_measure(data, variant)
    print(json.dumps({**found, "version": importlib.metadata.version(package)}))


if __name__ == "__main__":
    main()
