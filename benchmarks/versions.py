"""How fast is this version beside an earlier one, on the same inputs in the same run?

Structural equation models, their bootstrap, PLS path models and a run over HTTP. Each version works
in a process of its own, the two in turn; processor time, which a shared machine disturbs least. The
earlier version is a folder with its `src` and `benchmarks`, for example of

    git archive 93504152 | tar x -C /tmp/earlier      (0.1.0, before the rooms were rearranged)

    python benchmarks/versions.py /tmp/earlier --name 0.1.0 [--rounds 7] [--write FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
MARKER = "## Beside version 0.1"
ITEMS, IN_FLIGHT, RESAMPLES = 2000, 50, 300

Times = dict[str, list[float]]
"""Seconds of processor time by task, one of each round."""


def tasks(folder: Path) -> dict[str, tuple[int, Callable[[], object]]]:
    """What is measured: how often it is done for one figure, and what is done."""
    import numpy as np  # noqa: PLC0415
    import pandas as pd  # noqa: PLC0415
    from pls import MODEL  # noqa: PLC0415
    from sem import SECOND_ORDER  # noqa: PLC0415

    from gfactor.psychometrics.pls import bootstrap_pls, fit_pls  # noqa: PLC0415
    from gfactor.psychometrics.sem import bootstrap, fit  # noqa: PLC0415

    scores, table = pd.read_csv(folder / "sem.csv"), pd.read_csv(folder / "pls.csv")
    absent = pd.read_csv(folder / "missing.csv").to_numpy(bool)
    holes = pd.DataFrame(np.where(absent, np.nan, scores), columns=scores.columns)
    first = list(scores.columns[:9])
    cells = scores.to_numpy()[:, :9]
    categories = pd.DataFrame((cells > -0.5) * 1.0 + (cells > 0.5), columns=first)
    three = "\n".join(f"f{k} =~ " + " + ".join(first[k : k + 3]) for k in (0, 3, 6))
    fitted = fit(SECOND_ORDER, scores, std_lv=True)
    paths = fit_pls(MODEL, table)
    return {
        "SEM, ML": (20, lambda: fit(SECOND_ORDER, scores)),
        "SEM, MLR with all measures": (
            10,
            lambda: fit(SECOND_ORDER, scores, estimator="MLR").to_dict(),
        ),
        "SEM, MLR, 5 % missing": (
            2,
            lambda: fit(SECOND_ORDER, holes, estimator="MLR", missing="ml"),
        ),
        "SEM, three ordered categories": (
            3,
            lambda: fit(three, categories, ordered=first),
        ),
        f"SEM, {RESAMPLES} resamples": (1, lambda: bootstrap(fitted, RESAMPLES)),
        "PLS": (20, lambda: fit_pls(MODEL, table)),
        "PLS, 1,000 resamples": (3, lambda: bootstrap_pls(paths, 1000, bca=False)),
    }


def work(folder: Path) -> dict[str, float]:
    """Seconds of processor time by task, after one round that is not counted."""
    spent = {}
    for name, (times, task) in tasks(folder).items():
        task()
        begun = time.process_time()
        for _ in range(times):
            task()
        spent[name] = (time.process_time() - begun) / times
    return spent


def output_of(tree: Path, *command: str) -> dict[str, float]:
    """The JSON that a process of a version prints last."""
    paths = [str(tree / "src"), str(HERE)]
    known = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, *command], env=known, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{tree}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def over_http(tree: Path, folder: Path) -> float:
    """Seconds of processor time of a run of text items, whole, by a version's own client."""
    from throughput import server  # noqa: PLC0415

    bank = folder / f"{tree.name}.parquet"
    if not bank.exists():
        code = (
            "import json, sys; from pathlib import Path; from big_bank import synthetic_bank; "
            f"synthetic_bank(Path(sys.argv[1]), {ITEMS}, 0); print(json.dumps({{}}))"
        )
        output_of(tree, "-c", code, str(bank))
    client = str(tree / "benchmarks" / "throughput_clients.py")
    with server(0) as url:
        return output_of(tree, client, "gfactor", str(bank), url, str(IN_FLIGHT))["cpu_seconds"]


def measure(earlier: Path, rounds: int) -> tuple[Times, Times]:
    """The earlier version's seconds and this one's, by task."""
    from pls import simulated as blocks  # noqa: PLC0415
    from sem import simulated  # noqa: PLC0415

    before: Times = {}
    now: Times = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scores = simulated("second")
        scores.to_csv(folder / "sem.csv", index=False)
        blocks().to_csv(folder / "pls.csv", index=False)
        holes = scores.rank(pct=True).mul(997).round().mod(20).eq(7)
        holes.astype(int).to_csv(folder / "missing.csv", index=False)
        for k in range(rounds):
            sides = [(earlier, before), (HERE.parent, now)]
            for tree, times in sides if k % 2 else sides[::-1]:
                spent = output_of(tree, str(HERE / "versions.py"), "--work", str(folder))
                spent[f"run over HTTP, {ITEMS:,} items"] = over_http(tree, folder)
                for task, seconds in spent.items():
                    times.setdefault(task, []).append(seconds)
    return before, now


def report(before: Times, now: Times, given: argparse.Namespace, load: float) -> str:
    """The section of docs/evidence/benchmarks.md."""
    lines = [
        f"{MARKER}\n",
        f"`python benchmarks/versions.py EARLIER --name {given.name} --rounds {given.rounds}`; "
        f"Python {platform.python_version()}, one thread, the machine shared (load {load:.0f}). "
        "Each version in a process of its own, the two in turn, on the same inputs; milliseconds "
        "of processor time, medians; ratio: of this version to the earlier one within a round, "
        "median, least and greatest. The model has 18 indicators of a second-order factor, n = 68; "
        "PLS 3 constructs of 4 indicators, n = 165; the run answers text items from a server on "
        "the same machine, everything stored. Since 0.2 resamples are fitted 250 at a "
        "time, so that processes can share them (`--backend`).\n",
        f"| task | {given.name} | now | ratio |",
        "|---|---:|---:|---|",
    ]
    for task, earlier in before.items():
        ratios = sorted(b / a for a, b in zip(earlier, now[task], strict=True))
        lines.append(
            f"| {task} | {1000 * statistics.median(earlier):.3g} "
            f"| {1000 * statistics.median(now[task]):.3g} "
            f"| {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) |"
        )
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("earlier", type=Path)
    parser.add_argument("--name", default="earlier")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        print(json.dumps(work(given.earlier)))
        return
    from pages import replace_section  # noqa: PLC0415

    load = os.getloadavg()[0]
    text = report(*measure(given.earlier.resolve(), given.rounds), given, load)
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
