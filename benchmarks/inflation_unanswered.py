"""False alarms and power of `gf.inflation` if the examinee left public items unanswered.

    nice python benchmarks/inflation_unanswered.py [--draws 400] [--seed 2043]

Writes a table of docs/evidence/inflation-evidence.md between its markers (`--dry` prints it). A
draw is that of `inflation.py` with 20 references; public and fresh items differ in difficulty by
chance. Unanswered are items that are hard for the references (as after time-outs), items drawn by
lot, or items that the examinee fails, the worst for an honest one. All draws are computed at once;
the first ones of each pair of forms are compared with `inflation_of`.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
import pandas as pd
from inflation import DOCS, EASIER, ITEMS, OTHER, cases, draw, leaked, markdown, share, show
from inflation_sizes import beside_lines, p_values
from numpy.typing import NDArray
from scipy import stats

from gfactor.psychometrics.inference.inflation import inflation_of
from gfactor.psychometrics.inference.inflation_forms import _HARDER
from gfactor.psychometrics.inference.reference_line import item_share

Floats = NDArray[np.float64]

REFERENCES = 20
WAYS = {
    "none": (0.0, ""),
    "hardest 5 %": (0.05, "hardest"),
    "hardest 10 %": (0.1, "hardest"),
    "10 % by lot": (0.1, "lot"),
    "2 %, all failed": (0.02, "failed"),
    "5 %, all failed": (0.05, "failed"),
    "10 %, all failed": (0.1, "failed"),
    "10 %, half of them failed": (0.1, "half"),
}
"""Shares of the public items, and which ones are unanswered."""
COMPARED = 2


def unanswered(
    rng: np.random.Generator, form: Floats, amount: float, which: str
) -> NDArray[np.intp]:
    """Return the public items that the examinee, the first row, left unanswered."""
    count = round(amount * ITEMS)
    if which == "hardest":
        return np.argsort(form[1:].mean(axis=0), kind="stable")[:count]
    failed = {"failed": count, "half": count // 2}.get(which, 0)
    chosen = rng.permutation(np.flatnonzero(form[0] == 0))[:failed]
    others = np.setdiff1d(np.arange(ITEMS), chosen)
    return np.r_[chosen, rng.choice(others, count - len(chosen), replace=False)]


def decided(
    forms: list[Floats], fresh: list[Floats], out: list[NDArray[np.intp]]
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Return p of `t`, whether a score is called higher, whether the interval holds 0, whether
    unanswered items count as wrong, and p if they were left out alone, of each draw."""
    rights = np.array([form.sum(axis=1) for form in fresh])
    shares = np.array([item_share(form[1:]) for form in fresh])
    stays = [np.delete(form, gone, axis=1) for form, gone in zip(forms, out, strict=True)]
    filled = [form.copy() for form in forms]
    for form, gone in zip(filled, out, strict=True):
        form[0, gone] = 0.0
    harder = np.array([
        len(gone) > 0 and _z(form[1:].mean(axis=0), gone) < -_HARDER
        for form, gone in zip(forms, out, strict=True)
    ])  # fmt: skip
    bound, z, p = stats.t.ppf(0.975, REFERENCES - 1.5), [], []
    for public in (stays, filled):
        standardized = beside_lines(
            np.array([form.sum(axis=1) for form in public]), rights,
            np.array([item_share(form[1:]) for form in public]), shares, public[0].shape[1],
        )  # fmt: skip
        z.append(standardized[:, 0])
        p.append(p_values(standardized)[0])
    worse = np.where(harder, np.maximum(*p), p[0])
    low = np.where(harder, np.minimum(*z), z[0])
    higher = (worse <= 0.05) & (low > bound)
    return worse, higher, (low <= bound) & (z[0] >= -bound), harder, p[0]


def _z(easiness: Floats, gone: NDArray[np.intp]) -> float:
    missing = np.isin(np.arange(ITEMS), gone) * 1.0
    return float(np.corrcoef(missing, easiness)[0, 1] * np.sqrt(ITEMS - 1))


def by_package(form: Floats, other: Floats, gone: NDArray[np.intp]) -> tuple[float, bool, bool]:
    """Return p of `t`, whether the score is called higher, and whether 0 lies in the interval."""
    public, fresh = ([f"{name}{k}" for k in range(ITEMS)] for name in "pf")
    rows = [f"m{k}" for k in range(len(form))]
    table = pd.DataFrame(np.hstack([form, other]), rows, [*public, *fresh])
    table.iloc[0, gone] = np.nan
    found = inflation_of(table, examinee="m0", public=public, fresh=fresh)
    return float(found.tests["p"].iloc[0]), found.higher, found.ci_lower <= 0 <= found.ci_upper


def measured(draws: int, seed: int) -> list[list[str]]:
    """Return the rows of the table."""
    found: dict[tuple[str, str], list[Floats]] = {}
    for number, (kind, names, public, fresh, family, _) in enumerate(cases()):
        if kind not in (EASIER, OTHER):
            continue
        rng = np.random.default_rng([seed, number])
        pairs = [draw(rng, public, fresh, family, REFERENCES, 0.0) for _ in range(draws)]
        others = [pair[1] for pair in pairs]
        learned = [leaked(rng, pair[0], "20 %")[0] for pair in pairs]
        for way, (amount, which) in WAYS.items():
            columns: list[Floats] = []
            for forms in ([pair[0] for pair in pairs], learned):
                out = [unanswered(rng, form, amount, which) for form in forms]
                p, higher, holds, harder, left_out = decided(forms, others, out)
                for k in range(COMPARED):
                    expected = by_package(forms[k], others[k], out[k])
                    np.testing.assert_allclose(expected, (p[k], higher[k], holds[k]), atol=1e-6)
                columns += [p <= 0.05, higher, holds, harder, left_out <= 0.05]
            found.setdefault((kind, way), []).append(np.transpose(columns) * 1.0)
        print(names, file=sys.stderr, flush=True)
    rows = []
    for kind, words in ((EASIER, "of one benchmark"), (OTHER, "of two benchmarks")):
        for way in WAYS:
            every = np.vstack(found[kind, way])
            rows.append([words, way, *(share(every[:, k]) for k in (3, 4, 0, 1, 2, 5, 6))])
    return rows


def main() -> None:
    """Measure, and write or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--draws", type=int, default=400, help="of each pair of forms")
    parser.add_argument("--seed", type=int, default=2043)
    parser.add_argument("--dry", action="store_true", help="print the table and write nothing")
    given = parser.parse_args()
    head = [
        "forms", "public items unanswered", "count as wrong",
        "honest: `t` would alarm if they were left out", "`t` alarms", "called higher",
        "interval holds 0", "leak of 20 %: `t` alarms", "called higher",
    ]  # fmt: skip
    lines = [
        f"Written by `python benchmarks/inflation_unanswered.py --draws {given.draws} --seed "
        f"{given.seed}`: shares of draws with {REFERENCES} references, at .05 (Monte Carlo "
        "standard error in parentheses).",
        "", *markdown([head, *measured(given.draws, given.seed)], 2),
    ]  # fmt: skip
    page = None if given.dry else DOCS / "inflation-evidence.md"
    show(lines, page, "inflation unanswered")


if __name__ == "__main__":
    main()
