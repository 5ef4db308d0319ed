"""False alarms of `gf.inflation` in every pair of forms, with thousands of draws of each.

    nice python benchmarks/inflation_sizes.py [--draws 2000] [--seed 2042]

Draws honest examinees as inflation.py does and computes the tests of all draws at once; the first
draws of each pair are compared with `inflation_of`. Two minutes of one idle core. Writes the table
of docs/evidence/inflation-evidence.md between its markers (`--dry` prints it).
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
import pandas as pd
from inflation import DOCS, ITEMS, REFERENCES, cases, draw, markdown, show
from numpy.typing import NDArray
from scipy import special, stats

from gfactor.psychometrics.inference.inflation import inflation_of
from gfactor.psychometrics.inference.inflation_fit import MIN_FOR_RANK, leaning
from gfactor.psychometrics.inference.reference_line import _CUT, SLOPE_SD, item_share, logits

Floats = NDArray[np.float64]
COMPARED = 2
"""Draws of each pair that are also given to the package."""
ROUNDS = 100


def alarms(
    rng: np.random.Generator, public: Floats, fresh: Floats | None, family: object, count: int,
    easier: float, draws: int,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Return p of `t` and of `rank` of every draw (draws,)."""
    right, shares, first = [], [], []
    for k in range(draws):
        form, other = draw(rng, public, fresh, family, count, easier)
        right.append((form.sum(axis=1), other.sum(axis=1)))
        shares.append((item_share(form[1:]), item_share(other[1:])))
        if k < COMPARED:
            first.append(p_of_package(form, other))
    p, f = np.swapaxes(np.array(right), 0, 1)
    of_p, of_f = np.array(shares).T
    standardized = beside_lines(p, f, of_p, of_f)
    t, rank = p_values(standardized)
    np.testing.assert_allclose([t[:COMPARED], rank[:COMPARED]], np.transpose(first), atol=1e-6)
    return t, rank


def p_values(standardized: Floats) -> tuple[Floats, Floats]:
    """Return p of `t` and of `rank` of draws whose first model is the examinee."""
    count = standardized.shape[1] - 1
    above = (standardized[:, 1:] >= standardized[:, :1]).sum(axis=1)
    share = leaning(count)
    t = (1 - share) * special.stdtr(count - 1.5, -standardized[:, 0])
    return t + share * (above + 0.5) / (count + 1), (above + 1) / (count + 1)


def p_of_package(form: Floats, other: Floats) -> tuple[float, float]:
    """Return p of `t` and of the rank as the package computes them."""
    names = [f"i{k}" for k in range(2 * ITEMS)]
    table = pd.DataFrame(np.hstack([form, other]), [f"m{k}" for k in range(len(form))], names)
    found = inflation_of(table, examinee="m0", public=names[:ITEMS], fresh=names[ITEMS:])
    beside = found.references["standardized"].to_numpy(float)
    p = found.tests.set_index("test")
    above = np.count_nonzero(beside >= float(p["statistic"].to_dict()["t"]))
    return float(p["p"].to_dict()["t"]), (above + 1) / len(form)


def beside_lines(
    right_p: Floats, right_f: Floats, of_p: Floats, of_f: Floats, public: float = ITEMS
) -> Floats:
    """Return `ReferenceLine.standardized` of many draws (draws, models) of so many public items."""
    n_p, n_f = (np.full(right_p.shape, float(count)) for count in (public, ITEMS))
    (y, var_y), (x, var_x) = logits(right_p, n_p), logits(right_f, n_f)
    var_y, var_x = of_p[:, None] * var_y, of_f[:, None] * var_x
    df = y.shape[1] - 2.5
    weights, rounds = np.ones_like(y[:, 1:]), 0
    while True:
        slope = slopes(y[:, 1:], var_y[:, 1:], x[:, 1:], var_x[:, 1:], weights)
        variance = var_y + slope[:, None] ** 2 * var_x
        weight = weights / variance[:, 1:]
        total = weight.sum(axis=1)
        raw = y - slope[:, None] * x
        intercept = (weight * raw[:, 1:]).sum(axis=1) / total
        differences = raw - intercept[:, None]
        distances = differences[:, 1:] / np.sqrt(variance[:, 1:])
        scale = robust(distances, df)
        before = weights
        bound = _CUT * np.sqrt(scale)[:, None]
        weights = np.minimum(1, bound / np.maximum(np.abs(distances), 1e-12))
        rounds += 1
        if np.abs(weights - before).max() < 1e-9 or rounds == ROUNDS:
            break
    predicted = special.expit(intercept + slope * x[:, 0])
    variance[:, 0] = of_p / public / np.maximum(predicted * (1 - predicted), 1e-12)
    variance[:, 0] += slope**2 * var_x[:, 0]
    center = (weight * x[:, 1:]).sum(axis=1) / total
    squares = (weight * (x[:, 1:] - center[:, None]) ** 2).sum(axis=1)
    of_slope = 1 / (squares / scale + 1 / SLOPE_SD**2)
    at = (x - center[:, None]) ** 2 * of_slope[:, None]
    return differences / np.sqrt(scale[:, None] * (variance + 1 / total[:, None]) + at)


def slopes(y: Floats, var_y: Floats, x: Floats, var_x: Floats, weights: Floats) -> Floats:
    """Return the slope of each draw, as `reference_line` computes it."""
    slope, prior = np.ones(len(y)), 1 / SLOPE_SD**2
    for _ in range(ROUNDS):
        precision = 1 / (var_y + slope[:, None] ** 2 * var_x)
        weight = weights * precision
        total = weight.sum(axis=1)
        dx = x - ((weight * x).sum(axis=1) / total)[:, None]
        dy = y - ((weight * y).sum(axis=1) / total)[:, None]
        mixed = weight * precision * (dx * var_y + slope[:, None] * dy * var_x)
        new = ((mixed * dy).sum(axis=1) + prior) / ((mixed * dx).sum(axis=1) + prior)
        done = np.abs(new - slope).max() < 1e-12
        slope = new
        if done:
            break
    return slope


def robust(distances: Floats, df: float) -> Floats:
    """Return the spread of each draw, as `reference_line` computes it."""
    expected = float(stats.chi2.cdf(_CUT**2, 3) + _CUT**2 * stats.chi2.sf(_CUT**2, 1))
    scale = (distances**2).sum(axis=1) / df
    for _ in range(ROUNDS):
        clipped = np.clip(distances / np.sqrt(scale)[:, None], -_CUT, _CUT)
        new = scale * (clipped**2).sum(axis=1) / (expected * df)
        done = bool((np.abs(new - scale) <= 1e-12 * scale).all())
        scale = new
        if done:
            break
    return scale


def main() -> None:
    """Measure, and write or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=2042)
    parser.add_argument("--dry", action="store_true", help="print the table and write nothing")
    given = parser.parse_args()
    rows = [["forms", "", *(f"{test}, {n}" for n in REFERENCES for test in ("`t`", "`rank`"))]]
    for number, (kind, forms, public, fresh, family, easier) in enumerate(cases()):
        row = [forms, kind]
        for count in REFERENCES:
            rng = np.random.default_rng([given.seed, number, count])
            found = alarms(rng, public, fresh, family, count, easier, given.draws)
            ranked = f"{np.mean(found[1] <= 0.05):.3f}" if count >= MIN_FOR_RANK else ""
            row += [f"{np.mean(found[0] <= 0.05):.3f}", ranked]
        print(*row, file=sys.stderr, flush=True)
        rows.append(row)
    error = np.sqrt(0.05 * 0.95 / given.draws)
    lines = [
        f"Written by `python benchmarks/inflation_sizes.py --draws {given.draws} --seed "
        f"{given.seed}`: share of honest draws that alarm at .05 with 10, 20 and 60 references "
        f"({given.draws:,} draws of each pair; Monte Carlo standard error {error:.3f}).",
        "", *markdown(rows, 2),
    ]  # fmt: skip
    show(lines, None if given.dry else DOCS / "inflation-evidence.md", "inflation sizes")


if __name__ == "__main__":
    main()
