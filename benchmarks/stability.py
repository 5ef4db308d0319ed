"""Do results depend on the last bit? Lists the recorded results that do.

All recorded results of psychometrics (`CASES` of tests/psychometrics/recorded_*.py) are computed
again under other kernels of OpenBLAS, with one and two threads, and with data that differ by one
part in 10**12. Every number that moves by more than one part in a million, and every word that
changes, is listed:

    python benchmarks/stability.py                                # everything
    python benchmarks/stability.py --kernels SkylakeX,Nehalem --threads 1 --only pairs,irt

Data are moved where they enter: what random number generators give and what is read from a table
is multiplied by 1 + 1e-12 u, and u in [-1, 1] depends on the value alone, so that ties stay ties.
Kernels that the processor does not have are replaced by OpenBLAS; the program names those that it
ran. A number counts as moved only if it moved by more than `FLOOR` of the largest number beside
it, too: of a mean loading of 1e-9 no digit is known.
"""

# ruff: noqa: PLC0415 - numpy is loaded in the processes that compute, under the kernel of each
from __future__ import annotations

import argparse
import dataclasses
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "psychometrics")]

KERNELS = ("Haswell", "Nehalem", "Prescott", "Sandybridge", "Zen", "SkylakeX")
WITHIN = 1e-6
FLOOR = 1e-9
MOVED = 1e-12
_ROOMS = ("sem", "syntax", "latent", "items", "requests", "rooms", "designs", "plans", "tables")
_EDGES = ("edges", "edges_of_scores", "edges_of_models")

_CONTINUOUS = ("random", "normal", "standard_normal", "uniform", "exponential", "gamma", "beta",
    "lognormal", "multivariate_normal", "standard_t", "logistic", "chisquare")  # fmt: skip

_IDENTITIES = (".digest",)
"""Leaves that name a file by all of its digits: not a result of measurement."""

Leaf = float | str


def cases() -> dict[str, Callable[[], Any]]:
    """Return the recorded cases by name."""
    from importlib import import_module

    made: dict[str, Callable[[], Any]] = {}
    for room in (*_ROOMS, *_EDGES):
        for name, case in import_module(f"recorded_{room}").CASES.items():
            made[f"{room}: {name}"] = case
    return made


def named_leaves(value: Any, path: str = "") -> Iterator[tuple[str, Leaf]]:
    """Yield all numbers and words of a value with the path that leads to each."""
    import numpy as np
    import pandas as pd

    if isinstance(value, bool | np.bool_) or value is None:
        yield path, str(value)
    elif isinstance(value, int | float | np.integer | np.floating):
        number = float(value)
        yield path, number if math.isfinite(number) else str(number)
    elif isinstance(value, str):
        yield path, value
    elif isinstance(value, pd.DataFrame):
        yield from named_leaves(value.index.tolist(), f"{path}.index")
        for k, column in enumerate(value):
            yield from named_leaves(value.iloc[:, k].tolist(), f"{path}.{column}")
    elif isinstance(value, pd.Series):
        yield from named_leaves(value.index.tolist(), f"{path}.index")
        yield from named_leaves(value.tolist(), f"{path}.values")
    elif isinstance(value, np.ndarray):
        yield f"{path}.shape", str(value.shape)
        yield from named_leaves(value.tolist(), path)
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from named_leaves(part, f"{path}.{name}")
    elif isinstance(value, set | frozenset):
        yield from named_leaves(sorted(value, key=str), path)
    elif isinstance(value, list | tuple):
        yield f"{path}.length", str(len(value))
        for k, part in enumerate(value):
            yield from named_leaves(part, f"{path}[{k}]")
    elif hasattr(value, "to_dict"):
        yield from named_leaves(value.to_dict(), path)
        if hasattr(value, "summary"):
            yield f"{path}.summary", value.summary()
    elif dataclasses.is_dataclass(value):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        yield from named_leaves(fields, path)
    else:
        yield path, type(value).__name__


def compute(only: list[str], moved: bool) -> dict[str, dict[str, Leaf]]:
    """Compute the leaves of all cases whose name holds one of the words of `only`."""
    import numpy as np

    if moved:
        _move_data()
    found: dict[str, dict[str, Leaf]] = {}
    for name, case in cases().items():
        if only and not any(word in name for word in only):
            continue
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found[name] = dict(named_leaves(case()))
    return found


def _move_data() -> None:
    """Let generators and readers of tables give values that differ by about `MOVED`."""
    import numpy as np
    import pandas as pd

    def move(values: Any) -> Any:
        if not isinstance(values, float | np.floating | np.ndarray):
            return values
        x = np.asarray(values)
        if x.dtype != np.float64 or (x == np.round(x)).all():
            return values
        spread = np.modf(np.abs(x) * 1e4)[0] * 2 - 1
        out = np.where(x == np.round(x), x, x * (1 + MOVED * spread))
        return out if isinstance(values, np.ndarray) else type(values)(out)

    class Moved(np.random.Generator):
        """A generator whose continuous draws differ in the twelfth digit."""

    def moving(name: str) -> Callable[..., Any]:
        draw = getattr(np.random.Generator, name)
        return lambda self, *args, **options: move(draw(self, *args, **options))

    for name in _CONTINUOUS:
        setattr(Moved, name, moving(name))
    plain, read = np.random.default_rng, pd.read_csv

    def default_rng(seed: Any = None) -> np.random.Generator:
        return Moved(plain(seed).bit_generator)

    def read_csv(*args: Any, **options: Any) -> Any:
        frame: Any = read(*args, **options)
        for column in frame.columns[frame.dtypes == np.float64]:
            frame[column] = move(frame[column].to_numpy())
        return frame

    np.random.default_rng, pd.read_csv = default_rng, read_csv  # pyright: ignore


def differences(first: Mapping[str, Leaf], second: Mapping[str, Leaf]) -> list[str]:
    """List the leaves of a case that differ between two computations."""
    sizes: Counter[str] = Counter()
    for path, leaf in (*first.items(), *second.items()):
        if not isinstance(leaf, str):
            part = _part(path)
            sizes[part] = max(sizes[part], abs(leaf))  # pyright: ignore
    listed = []
    for path in {**first, **second}:
        if path.endswith(_IDENTITIES):
            continue
        one, other = first.get(path, "(absent)"), second.get(path, "(absent)")
        if isinstance(one, str) or isinstance(other, str):
            if one != other:
                listed.append(f"{path}: {_excerpt(str(one), str(other))}")
        elif abs(one - other) > max(WITHIN * max(abs(one), abs(other)), FLOOR * sizes[_part(path)]):
            listed.append(f"{path}: {one!r} {other!r}")
    return listed


def _part(path: str) -> str:
    """The column or table of a leaf: its path without numbers of rows."""
    return re.sub(r"\[\d+\]", "", path)


def _excerpt(one: str, other: str) -> str:
    at = next(
        (k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    start = max(0, at - 30)
    return f"{one[start : at + 30]!r} {other[start : at + 30]!r}"


def computed(
    kernel: str, threads: int, only: list[str], folder: Path, *, moved: bool = False
) -> dict[str, dict[str, Leaf]]:
    """Compute the leaves in a process of its own under a kernel of OpenBLAS."""
    file = folder / f"{kernel}-{threads}{'-moved' * moved}.json"
    if not file.exists():
        environment = {
            **os.environ,
            "OPENBLAS_CORETYPE": kernel,
            "OPENBLAS_NUM_THREADS": str(threads),
        }
        command = [sys.executable, __file__, "--leaves", str(file), "--only", ",".join(only)]
        subprocess.run([*command, *["--moved"] * moved], env=environment, check=True)
    return json.loads(file.read_text())


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--kernels", default=",".join(KERNELS))
    options.add_argument("--threads", default="1,2")
    options.add_argument("--only", default="", help="words of the names of cases")
    options.add_argument("--folder", help="where leaves are stored and looked for")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--rows", type=int, default=8, help="differences shown per case")
    options.add_argument("--no-moved", action="store_true", help="compare kernels only")
    options.add_argument("--leaves", help=argparse.SUPPRESS)
    options.add_argument("--moved", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    only = [word for word in given.only.split(",") if word]
    if given.leaves:
        Path(given.leaves).write_text(json.dumps(compute(only, given.moved)))
        return
    kernels = given.kernels.split(",")
    folder = Path(given.folder or tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    runs = [(kernel, int(n), False) for kernel in kernels for n in given.threads.split(",")]
    if not given.no_moved:
        runs.append((runs[0][0], runs[0][1], True))
    with ThreadPoolExecutor(given.jobs) as pool:
        found = list(
            pool.map(lambda run: computed(run[0], run[1], only, folder, moved=run[2]), runs)
        )
    every: Counter[str] = Counter()
    for run, leaves in zip(runs[1:], found[1:], strict=True):
        names = "data moved by 1e-12" if run[2] else f"{run[0]}, {run[1]} threads"
        rows = {case: differences(found[0][case], leaves[case]) for case in found[0]}
        unstable = {case: one for case, one in rows.items() if one}
        every.update(unstable.keys())
        print(
            f"\n## {names}: {len(unstable)} of {len(rows)} cases, "
            f"{sum(map(len, unstable.values()))} of {sum(map(len, leaves.values()))} values"
        )
        for case, one in unstable.items():
            print(f"\n{case}: {len(one)}")
            print(*(f"    {row[:230]}" for row in one[: given.rows]), sep="\n")
    print(f"\n{len(every)} of {len(found[0])} cases are unstable in one comparison or more.")


if __name__ == "__main__":
    main()
