"""Item response models: recovery of what was simulated, coverage of intervals, and time.

    python benchmarks/irt.py --part recovery [--replications 100] [--seed 1] [--write FILE]
    python benchmarks/irt.py --part time [--seed 1] [--write FILE]

Rasch responses to 20 items (theta ~ N(0, 1)) by n respondents, or by n respondents in families
whose members resemble each other: three in four answers of a member are those of the first member
of its family. 2PL where n allows it without a prior.
"""

from __future__ import annotations

import argparse
import platform
import resource
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pages import replace_section
from scipy import special

from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.estimation.errors import ErrorKind, covariance

MARKER = "## Recovery by item response models"
TIME_MARKER = "## Time of item response models"
ITEMS, FAMILY, COPIED = 20, 5, 0.75
Floats = NDArray[np.float64]


def draw(
    rng: np.random.Generator, a: Floats, b: Floats, persons: int, family: int
) -> tuple[pd.DataFrame, Floats, NDArray[np.intp]]:
    """Responses, abilities and families; `family` members copy most answers of the first."""
    families = np.arange(persons) // family
    theta = rng.normal(size=families[-1] + 1)[families]
    right = rng.uniform(size=(persons, len(a))) < special.expit(a * (theta[:, None] - b))
    if family > 1:
        first = right[families * family]
        right = np.where(rng.uniform(size=right.shape) < COPIED, first, right)
    return pd.DataFrame(right.astype(int)).add_prefix("i"), theta, families


def study(model: str, persons: int, family: int, replications: int, seed: int) -> dict[str, float]:
    """Bias, root mean squared error and coverage of 95 % intervals of b (a, theta)."""
    rng = np.random.default_rng([seed, persons, family])
    b = np.linspace(-1.5, 1.5, ITEMS)
    a = np.ones(ITEMS) if model == "rasch" else np.tile([0.8, 1.2, 1.6, 1.0], ITEMS // 4)
    away: dict[str, list[Floats]] = {"b": [], "a": [], "theta": []}
    inside: dict[str, list[NDArray[np.bool_]]] = {
        "b": [],
        "a": [],
        "theta": [],
        "robust": [],
        "plain": [],
    }
    for _ in range(replications):
        data, theta, families = draw(rng, a, b, persons, family)
        fit = fit_irt(model, data)
        kept = np.isin(data.columns.to_numpy(), fit.table.items)
        for name, truth in (("b", b[kept]), ("a", a[kept])):
            error = fit.items[name].to_numpy() - truth
            away[name].append(error)
            inside[name].append(np.abs(error) < 1.96 * fit.items[f"se_{name}"].to_numpy())
        if family > 1:
            kinds: tuple[tuple[str, ErrorKind], ...] = (
                ("plain", "cluster-plain"), ("robust", "cluster"),
            )  # fmt: skip
            for name, kind in kinds:
                vcov = covariance(fit.likelihood, fit.optimum, kind, list(families))
                se = replace(fit, vcov=vcov).items["se_b"].to_numpy()
                inside[name].append(np.abs(away["b"][-1]) < 1.96 * se)
        eap = fit.scores()
        away["theta"].append(eap["theta"].to_numpy() - theta)
        inside["theta"].append(np.abs(away["theta"][-1]) < 1.96 * eap["se"].to_numpy())
    found: dict[str, float] = {}
    for name, errors in away.items():
        every = np.concatenate(errors)
        found[f"bias_{name}"] = float(every.mean())
        found[f"rmse_{name}"] = float(np.sqrt((every**2).mean()))
    for name, hits in inside.items():
        found[f"covered_{name}"] = float(np.concatenate(hits).mean()) if hits else float("nan")
    return found


def large(persons: int, items: int, model: str, seed: int) -> tuple[float, str]:
    """CPU seconds for one fit with standard errors, and the largest entry of its gradient."""
    rng = np.random.default_rng(seed)
    a = rng.lognormal(0, 0.3, items) if model == "2pl" else np.ones(items)
    z = a * (rng.normal(size=(persons, 1)) - rng.normal(size=items))
    data = pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(np.int8))
    start = time.process_time()
    fit = fit_irt(model, data.add_prefix("i"))
    assert fit.converged
    assert np.all(fit.items["se_b"].notna())
    return time.process_time() - start, f"{fit.optimum.gradient:.0e}"


def _percent(value: float) -> str:
    return "-" if np.isnan(value) else f"{100 * value:.1f} %"


def recovery(replications: int, seed: int) -> str:
    lines = [
        MARKER, "",
        f"`python benchmarks/irt.py --part recovery --replications {replications} --seed {seed}`; "
        f"{ITEMS} items; b from -1.5 to 1.5; 2PL slopes 0.8 to 1.6; families of {FAMILY}, whose "
        f"members take {100 * COPIED:.0f} % of their answers from the first one. Coverage is that "
        "of 95 % intervals; theta's is of the EAP.", "",
        "| model | n | in families of | bias b | RMSE b | b covered | by a plain sandwich "
        "over families | by `--cluster` "
        "| RMSE a | a covered | RMSE theta | theta covered |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]  # fmt: skip
    plans = [("rasch", n, f) for f in (1, FAMILY) for n in (30, 100, 300, 1000)]
    plans += [("2pl", n, f) for f in (1, FAMILY) for n in (300, 1000)]
    for model, n, family in plans:
        found = study(model, n, family, replications, seed)
        free = model == "2pl"
        lines.append(
            f"| {model} | {n} | {family} | {found['bias_b']:.3f} | {found['rmse_b']:.3f} | "
            f"{_percent(found['covered_b'])} | {_percent(found['covered_plain'])} | "
            f"{_percent(found['covered_robust'])} | "
            + (f"{found['rmse_a']:.3f} | {_percent(found['covered_a'])}" if free else "- | -")
            + f" | {found['rmse_theta']:.3f} | {_percent(found['covered_theta'])} |"
        )
        print(lines[-1], flush=True)
    return "\n".join([*lines, ""])


def times(seed: int) -> str:
    lines = [
        TIME_MARKER, "",
        f"`python benchmarks/irt.py --part time --seed {seed}`; Python "
        f"{platform.python_version()}; "
        "one thread (OMP_NUM_THREADS=1), CPU seconds for one fit with standard errors, gradient "
        "below 1e-7.", "",
        "| model, persons x items | CPU seconds | largest gradient | largest resident set |",
        "|---|---:|---:|---:|",
    ]  # fmt: skip
    for model, persons, items in (
        ("2pl", 1_000, 40), ("2pl", 200, 300), ("rasch", 12, 41_871), ("2pl", 4_680, 1_045),
    ):  # fmt: skip
        seconds, gradient = large(persons, items, model, seed)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        size = f"{model}, {persons:,} x {items:,}"
        lines.append(f"| {size} | {seconds:.1f} | {gradient} | {most:.0f} MiB |")
        print(lines[-1], flush=True)
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=["recovery", "time"], default="recovery")
    parser.add_argument("--replications", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    if given.part == "time":
        marker, text = TIME_MARKER, times(given.seed)
    else:
        marker, text = MARKER, recovery(given.replications, given.seed)
    if given.write:
        replace_section(given.write, marker, text)


if __name__ == "__main__":
    main()
