"""The same data, five programs: mirt (recorded), girth, py-irt, torch_measure and gfactor.

    OMP_NUM_THREADS=1 python benchmarks/five_programs.py --part answers --peers VENV/bin/python
    OMP_NUM_THREADS=1 python benchmarks/five_programs.py --part speed --peers VENV/bin/python \
        [--oracles FOLDER]

VENV has girth, py-irt and torch_measure. `answers` writes the tables of
docs/evidence/five-programs.md, `speed` compares with the recorded timings of mirt
(docs/evidence/benchmarks.md); both with --write FILE. Every program's answer is judged by the
marginal log-likelihood that gfactor's engine computes at its parameters, ability being normal with
the mean and variance that suit the answer best, so that another scale of ability costs nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pages import replace_section
from scipy import optimize, special

from gfactor.psychometrics.irt import IRTFit, Quadrature, fit_irt

ROOT = Path(__file__).parents[1]
RECORDED = ROOT / "tests" / "oracles" / "irt"
PEERS = ("girth", "py-irt:vague", "py-irt:hierarchical", "torch_measure:em", "torch_measure:mle")
LIMIT = 600
"""Seconds after which a peer is stopped."""
REPEATS = 5
PRIORS = {"slope": ("lognormal", 0.0, 0.5), "intercept": ("normal", 0.0, 2.0)}
ANSWERS, SPEED = "## Measured", "## Item response models against mirt and girth"
GIRTH_THEN = {"2PL 1000x40": 1.46, "GRM 1000x30x5": 0.89}
"""CPU seconds of girth 0.8.0 when mirt was recorded."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Answer:
    """What a program answers: slopes, difficulties, CPU seconds; or why there is nothing."""

    program: str
    a: Floats | None = None
    b: Floats | None = None
    seconds: float = float("nan")
    version: str = ""
    why: str = ""


def simulated_2pl() -> tuple[pd.DataFrame, Floats, Floats]:
    """1,000 persons x 40 items, as mirt was timed on; slopes and intercepts."""
    rng = np.random.default_rng(301)
    theta = rng.normal(size=(1000, 1))
    a, d = rng.lognormal(0.1, 0.3, (40, 1))[:, 0], rng.normal(0, 1, 40)
    p = special.expit(theta * a + d)
    return _frame(rng.random(p.shape) < p), a, d


def simulated_grm() -> pd.DataFrame:
    """1,000 persons x 30 items with five categories, as mirt was timed on."""
    rng = np.random.default_rng(302)
    steps = rng.normal(0, 0.4, (30, 1)) + np.array([2.2, 0.8, -0.6, -2.0])
    d = -np.sort(-(steps + rng.normal(0, 0.2, (30, 4))), axis=1)
    z = rng.normal(size=(1000, 1)) @ rng.lognormal(0.3, 0.3, (30, 1)).T
    above = special.expit(z[:, :, None] + d[None])
    return _frame((rng.random(z.shape)[:, :, None] < above).sum(axis=2))


def simulated_bifactor() -> pd.DataFrame:
    """1,000 persons x 40 items, a general and four specific factors."""
    rng = np.random.default_rng(303)
    a = np.zeros((40, 5))
    a[:, 0] = rng.uniform(0.9, 1.9, 40)
    for s in range(4):
        a[10 * s : 10 * s + 10, s + 1] = rng.uniform(0.6, 1.4, 10)
    p = special.expit(rng.normal(size=(1000, 5)) @ a.T + rng.normal(0, 0.9, 40))
    return _frame(rng.random(p.shape) < p)


def _frame(codes: NDArray[Any]) -> pd.DataFrame:
    names = [f"i{j + 1:02d}" for j in range(codes.shape[1])]
    return pd.DataFrame(codes.astype(int), columns=names)


def models_24() -> pd.DataFrame:
    """24 multimodal models x the 813 of 847 items of MMMU that vary (M3IRT, MIT license)."""
    frame = pd.read_csv(RECORDED / "data" / "m3irt_mmmu_24x847.csv", index_col=0)
    return frame.loc[:, (frame.nunique() > 1).to_numpy()].astype(int)


def ask_peer(program: str, data: pd.DataFrame, python: Path, graded: bool = False) -> Answer:
    """Run a peer in its own interpreter, on one thread, for ten minutes at the most."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        data.to_csv(path, index=False)
        words = [str(python), str(Path(__file__).with_name("five_programs_peers.py")), program]
        words += [str(path), *(["grm"] if graded else [])]
        one = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
        try:
            done = subprocess.run(
                words, capture_output=True, text=True, timeout=LIMIT, check=True,
                env={**os.environ, **one},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Answer(program, why=f"stopped after {LIMIT} s")
        except subprocess.CalledProcessError as error:
            last = (error.stderr.strip().splitlines() or ["?"])[-1]
            return Answer(program, why=f"failed: {last[:80]}")
    found = json.loads(done.stdout.strip().splitlines()[-1])
    return Answer(
        program, np.array(found["a"]), np.array(found["b"]), found["seconds"], found["version"]
    )


def timed(fit: Callable[[], IRTFit], repeats: int = REPEATS) -> tuple[IRTFit, float]:
    """A fit, and the median of its CPU seconds."""
    seconds, found = [], fit()
    for _ in range(repeats):
        start = time.process_time()
        found = fit()
        seconds.append(time.process_time() - start)
    return found, float(np.median(seconds))


class Judge:
    """The marginal likelihood of the 2PL for some data, on a fine grid."""

    def __init__(self, data: pd.DataFrame) -> None:
        fit = fit_irt("2pl", data, priors=PRIORS, quadrature=Quadrature(241, 12.0))
        self._likelihood = fit.likelihood
        names = [f"{item}.{p}" for item in fit.table.items for p in ("a1", "d")]
        self._order = [names.index(name) for name in fit.likelihood.model.free_labels]

    def at(self, a: Floats, d: Floats) -> float:
        """Log-likelihood at slopes and intercepts, ability standard normal."""
        x = np.column_stack([a, d]).ravel()[self._order]
        return self._likelihood.evaluate(x, derivative=False).loglik

    def best(self, a: Floats, b: Floats) -> tuple[float, Floats, Floats]:
        """The same with the mean and variance of ability that suit best; a and b on that scale."""

        def lost(where: Floats) -> float:
            spread = np.exp(where[1])
            return -self.at(a * spread, a * (where[0] - b))

        found: Any = optimize.minimize(
            lost, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-8}
        )
        mean, spread = found.x[0], float(np.exp(found.x[1]))
        return -float(found.fun), a * spread, (b - mean) / spread


def gfactor_answer(data: pd.DataFrame, model: str, **options: Any) -> Answer:
    fit, seconds = timed(lambda: fit_irt(model, data, **options))
    items = fit.items
    return Answer(
        "gfactor" if model == "2pl" else f"gfactor, {model}", items["a"].to_numpy(),
        items["b"].to_numpy(), seconds,
    )  # fmt: skip


def judged(
    data: pd.DataFrame, answers: list[Answer], mirt: tuple[float, float],
    truth: tuple[Floats, Floats] | None,
) -> list[str]:  # fmt: skip
    """Rows of a table: log-likelihoods, errors, seconds; the first answer is gfactor's."""
    judge = Judge(data)
    ours = answers[0]
    assert ours.a is not None
    assert ours.b is not None
    top = judge.at(ours.a, -ours.a * ours.b)
    known = truth is not None
    lines = [
        "| program | log-likelihood | below gfactor's | at its best scale, below "
        + ("| RMSE a | r a | RMSE b " if known else "") + "| CPU seconds | times gfactor's |",
        "|---|---:|---:|---:" + ("|---:|---:|---:" if known else "") + "|---:|---:|",
    ]  # fmt: skip
    value, seconds = mirt
    lines.append(
        f"| mirt 1.46.1 (recorded) | {value:.3f} | {top - value:.3f} | - "
        + ("| - | - | - " if known else "")
        + (f"| {seconds:.2f} | {seconds / ours.seconds:.1f} |" if seconds > 0 else "| - | - |")
    )
    for answer in answers:
        name = f"{answer.program} {answer.version}".strip()
        if answer.a is None or answer.b is None:
            lines.append(f"| {name}: {answer.why} | - | - | - {'| - | - | - ' * known}| - | - |")
            continue
        plain = judge.at(answer.a, -answer.a * answer.b)
        best, a, b = judge.best(answer.a, answer.b)
        errors = ""
        if truth is not None:
            off = [
                float(np.sqrt(np.mean((x - y) ** 2))) for x, y in zip((a, b), truth, strict=True)
            ]
            r = float(np.corrcoef(a, truth[0])[0, 1])
            errors = f"| {off[0]:.3f} | {r:.3f} | {off[1]:.3f} "
        lines.append(
            f"| {name} | {plain:.3f} | {top - plain:.3f} | {top - best:.3f} {errors}"
            f"| {answer.seconds:.2f} | {answer.seconds / ours.seconds:.1f} |"
        )
        print(lines[-1], flush=True)
    return lines


def answers_page(python: Path) -> str:
    """The measured tables of docs/evidence/five-programs.md."""
    recorded = json.loads((RECORDED / "timing_mirt.json").read_text("utf-8"))
    lsat = pd.read_csv(RECORDED / "data" / "lsat7.csv")
    case = json.loads((RECORDED / "cases" / "2pl_lsat7.json").read_text("utf-8"))
    data, a, d = simulated_2pl()
    few = models_24()
    plans = [
        ("LSAT7, 1,000 x 5", lsat, [gfactor_answer(lsat, "2pl")], (case["logLik"], 0.0), None),
        ("2PL, 1,000 x 40, simulated", data, [gfactor_answer(data, "2pl")],
         (recorded["2PL 1000x40 TOL 1e-07"]["logLik"],
          recorded["2PL 1000x40 TOL 1e-07"]["median"]), (a, -d / a)),
        ("24 models x 813 items of MMMU", few,
         [gfactor_answer(few, "2pl", priors=PRIORS), gfactor_answer(few, "rasch")],
         (recorded["2PL with priors 24x813 (items that vary) TOL 1e-4"]["logLik"],
          recorded["2PL with priors 24x813 (items that vary) TOL 1e-4"]["median"]), None),
    ]  # fmt: skip
    lines = [
        ANSWERS, "",
        f"`python benchmarks/five_programs.py --part answers`, {_today()}; Python "
        f"{platform.python_version()}; one thread, CPU seconds (the machine was shared, load "
        f"{os.getloadavg()[0]:.1f}); gfactor's the median of {REPEATS}, peers' of one run, mirt's "
        "recorded beforehand (median of 3).", "",
    ]  # fmt: skip
    for title, frame, own, mirt, truth in plans:
        print(title, flush=True)
        found = own + [ask_peer(name, frame, python) for name in PEERS]
        lines += [f"### {title}", "", *judged(frame, found, mirt, truth), ""]
    return "\n".join(lines)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def speed_page(python: Path | None, oracles: Path | None) -> str:
    """Every recorded timing of mirt against a fit with standard errors and a zero gradient."""
    recorded = json.loads((RECORDED / "timing_mirt.json").read_text("utf-8"))
    grid, general = Quadrature(61, 6.0), Quadrature(21, 6.0)
    data = simulated_2pl()[0]
    graded, nested, few = simulated_grm(), simulated_bifactor(), models_24()
    blocks = {f"S{s + 1}": list(nested.columns[10 * s : 10 * s + 10]) for s in range(4)}
    plans: list[tuple[str, pd.DataFrame, Callable[[], IRTFit], bool]] = [
        ("2PL 1000x40", data, lambda: fit_irt("2pl", data, quadrature=grid), False),
        ("2PL with priors 24x813", few,
         lambda: fit_irt("2pl", few, priors=PRIORS, quadrature=grid), False),
        ("GRM 1000x30x5", graded, lambda: fit_irt("grm", graded, quadrature=grid), True),
        ("bifactor 1000x40", nested,
         lambda: fit_irt("2pl", nested, bifactor=blocks, quadrature=general), False),
    ]  # fmt: skip
    if oracles is not None:
        verbal, design = _verbal_aggression(oracles)
        plans.append((
            "LLTM 316x24", verbal,
            lambda: fit_irt("rasch", verbal, design=design, quadrature=grid), False,
        ))  # fmt: skip
    lines = [
        SPEED, "",
        f"`python benchmarks/five_programs.py --part speed`, {_today()}; Python "
        f"{platform.python_version()}, NumPy {np.__version__}; one thread, CPU seconds (the "
        f"machine was shared, load {os.getloadavg()[0]:.1f}): gfactor's median of {REPEATS} fits "
        "with standard errors on mirt's grid, gradient below 1e-7; mirt 1.46.1's recorded before "
        "on a machine of the same kind, median of 3; girth's median of 3 in this run. girth took "
        "1.46 s (2PL) and 0.89 s (GRM) when mirt was recorded: `at girth's pace` divides mirt's "
        "seconds by how much longer girth took then. mirt's have no standard errors but where it "
        "says so, girth's none. Goal: at least 3 times, at tighter convergence.", "",
        "| mirt's task | mirt, s | gfactor, s | times | times, at girth's pace | largest "
        "gradient | log-likelihood less mirt's | girth, s | times |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]  # fmt: skip
    paces: dict[str, float] = {}
    for prefix, frame, fit, is_graded in plans:
        found, seconds = timed(fit)
        girth = _girth_seconds(prefix, frame, python, is_graded)
        pace = paces.get("2PL 1000x40", float("nan"))
        if girth > 0:
            pace = girth / GIRTH_THEN[prefix]
        paces[prefix] = pace
        for name, row in recorded.items():
            if not name.startswith(prefix):
                continue
            lines.append(
                f"| {name} | {row['median']:.2f} | {seconds:.3f} | {row['median'] / seconds:.1f} | "
                f"{row['median'] * pace / seconds:.1f} | "
                f"{found.optimum.gradient:.0e} | {found.loglik - row['logLik']:+.4f} | "
                + (f"{girth:.2f} | {girth / seconds:.1f} |" if girth > 0 else "- | - |")
            )
            print(lines[-1], flush=True)
    return "\n".join([*lines, ""])


def _girth_seconds(prefix: str, data: pd.DataFrame, python: Path | None, graded: bool) -> float:
    if python is None or not prefix.endswith(("1000x40", "x5")) or "bifactor" in prefix:
        return float("nan")
    return float(np.median([ask_peer("girth", data, python, graded).seconds for _ in range(3)]))


def _verbal_aggression(oracles: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """316 persons x 24 items (lme4's VerbAgg, not distributed here) and their design."""
    data = pd.read_csv(oracles / "data" / "verbagg_dichotomous.csv").iloc[:, 3:]
    items = pd.read_csv(oracles / "data" / "verbagg_items.csv")
    design = pd.DataFrame({
        "one": 1.0, "want": items["mode"] == "want", "scold": items["btype"] == "scold",
        "shout": items["btype"] == "shout", "self": items["situ"] == "self",
    }).astype(float)  # fmt: skip
    return data, design.set_axis(data.columns, axis=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=["answers", "speed"], default="answers")
    parser.add_argument("--peers", type=Path, help="interpreter that has the peers")
    parser.add_argument("--oracles", type=Path, help="folder with mirt's data/ (for the LLTM)")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    if given.part == "answers":
        if given.peers is None:
            parser.error("--part answers needs --peers")
        marker, text = ANSWERS, answers_page(given.peers)
    else:
        marker, text = SPEED, speed_page(given.peers, given.oracles)
    if given.write:
        replace_section(given.write, marker, text)
    else:
        print(text)


if __name__ == "__main__":
    main()
