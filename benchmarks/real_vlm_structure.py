"""Tables of docs/evidence/real-models-evidence.md: dimensions, broken items, families that differ.

`real_vlm_study.py` calls `sections`. Structures are compared by what they predict: a family is left
out, half of its models' answers are given, and the log-likelihood of the other answers counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from real_vlm_predictions import TITLES, markdown
from scipy import special, stats

from gfactor.psychometrics.irt.anchors.calibrating import AnchorCalibration, calibrate_with_evidence
from gfactor.psychometrics.irt.anchors.placing import posterior
from gfactor.psychometrics.irt.anchors.pool import logit_variances, working_point
from gfactor.psychometrics.irt.anchors.validation import FOLDS, family_folds
from gfactor.psychometrics.irt.likelihood.curves import Floats

_FOLDS = 5
_ROUNDS = 20
_FEWEST_OF_A_FAMILY = 5
_RATE = 0.05
_NAMED = 12


@dataclass(frozen=True)
class Structure:
    """Which items load on which abilities.

    Parameters
    ----------
    title : str
    free : array (J, D) of bool
    correlated : bool
        Whether the abilities' correlations are estimated, or are 0.
    """

    title: str
    free: NDArray[np.bool_]
    correlated: bool = False


@dataclass(frozen=True)
class _Fit:
    items: Floats
    covariance: Floats
    correlation: Floats


def sections(calibration: AnchorCalibration) -> list[str]:
    """Return the sections of the page about dimensions, broken items and families."""
    return [
        _noise(calibration),
        _dimensions(calibration),
        _broken(calibration),
        _families(calibration),
    ]


# How much of a score is noise


def _noise(calibration: AnchorCalibration) -> str:
    rows = []
    for name, title in TITLES.items():
        part = calibration.answers.filter(like=f"{name}:")
        x = part[part.notna().all(axis=1)].to_numpy(np.float64)
        between = float(np.var(x.mean(1), ddof=1))
        sampling = float((x.var(axis=1, ddof=1) / x.shape[1]).mean())
        cells, real = [], max(between - sampling, 0.0)
        for n in (50, 100, 200, x.shape[1]):
            error = sampling * x.shape[1] / n
            cells.append(f"{100 * np.sqrt(error):.1f} ({real / (real + error):.3f})")
        rows.append([title, len(x), x.shape[1], f"{100 * np.sqrt(between):.1f}", *cells])
    head = (
        "benchmark",
        "models",
        "items",
        "SD of scores",
        "50 random items",
        "100",
        "200",
        "all items",
    )
    return f"""## How much of a score is noise

Standard error in points of the accuracy on random items, if the items stand for others like them;
in parentheses the share of the variance between models that is not this error.

{markdown(rows, head)}"""


# Dimensions


def _dimensions(calibration: AnchorCalibration) -> str:
    answers = _read_answers(calibration)
    code = np.concatenate([
        np.full(len(b.items), k) for k, b in enumerate(calibration.anchors.benchmarks)
    ])  # fmt: skip
    own = code[:, None] == np.arange(3)
    one = np.ones((len(code), 1), dtype=bool)
    structures = (
        Structure("one ability", one),
        Structure("one ability per benchmark, correlated", own, correlated=True),
        Structure("bifactor: a general ability and one per benchmark", np.hstack([one, own])),
        Structure("two abilities for all items", np.hstack([one, one])),
        Structure("bifactor with two general abilities", np.hstack([one, one, own])),
    )
    scores = {s.title: held_out(s, answers, code, calibration.families) for s in structures}
    for dimensions, title in (
        (
            1,
            "gfactor's scale: an ability, a level and a loss of easy items per benchmark, testlets",
        ),
        (2, "the same with two abilities per benchmark"),
    ):
        scores[title] = _held_out_of_scale(calibration, dimensions)
    reference = scores[structures[1].title]
    rows = []
    for title, score in scores.items():
        cells = [f"{score[kind].mean():.4f}" for kind in ("half", "transfer")]
        gaps = [
            _gap(score[kind] - reference[kind], calibration.families)
            for kind in ("half", "transfer")
        ]
        rows.append([title, cells[0], gaps[0], cells[1], gaps[1]])
    head = ("structure", "half of each benchmark given", "better than one per benchmark",
            "other benchmarks given", "better than one per benchmark")  # fmt: skip
    whole = fit(structures[1], answers, code)
    r = whole.correlation
    between = ", ".join(
        f"{list(TITLES.values())[a]} and {list(TITLES.values())[b]} {r[a, b]:.2f}"
        for a, b in ((0, 1), (0, 2), (1, 2))
    )
    return f"""## How many dimensions

Mean log-likelihood of answers that were not given, of families left out ({_FOLDS} parts): from a
random half of the answers to each benchmark, and from all answers to the two other benchmarks.
Larger is better. Differences are in 1/1000 with their standard error over families.

{markdown(rows, head)}

Correlations of the abilities on the benchmarks (one per benchmark, free of measurement error):
{between}."""


def _read_answers(calibration: AnchorCalibration) -> Floats:
    """Answers with NaN for models whose replies to a benchmark were not read."""
    answers = calibration.answers.copy()
    for benchmark, used in zip(calibration.anchors.benchmarks, calibration.fitted, strict=True):
        columns = [c for c in answers.columns if c.startswith(f"{benchmark.name}:")]
        answers.loc[~used, columns] = np.nan
    return answers.to_numpy(np.float64)


def _gap(difference: Floats, families: pd.Series) -> str:
    by_family = (
        pd.Series(difference, index=families.to_numpy()).groupby(level=0).agg(["sum", "count"])
    )
    total, count = by_family.to_numpy(np.float64).T
    mean = float(total.sum() / count.sum())
    k = len(by_family)
    error = float(np.sqrt(k / (k - 1) * ((total - mean * count) ** 2).sum()) / count.sum())
    return f"{1000 * mean:+.1f} ({1000 * error:.1f})"


def held_out(
    structure: Structure, answers: Floats, code: NDArray[np.int64], families: pd.Series
) -> dict[str, Floats]:
    """Return the mean log-likelihood of each model's held-out answers, by what was given."""
    fold_of = family_folds(families.tolist(), _FOLDS)
    scores = {kind: np.full(len(answers), np.nan) for kind in ("half", "transfer")}
    for fold in range(_FOLDS):
        known = fit(structure, answers[fold_of != fold], code)
        for i in np.flatnonzero(fold_of == fold):
            for kind, given in givens(answers[i], code, int(i)):
                scores[kind][i] = np.mean([
                    _score(known, answers[i], part, wanted) for part, wanted in given
                ])  # fmt: skip
    return {kind: np.where(np.isnan(v), np.nanmean(v), v) for kind, v in scores.items()}


def givens(
    x: Floats, code: NDArray[np.int64], who: int
) -> list[tuple[str, list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]]]:
    """Return for each kind of test which answers are given, and which are to be predicted."""
    there = np.isfinite(x)
    half = np.random.default_rng([5, who]).random(len(x)) < 0.5
    result = [("half", [(there & half, there & ~half)])]
    benchmarks = np.unique(code[there])
    if len(benchmarks) == 3:
        result.append(
            ("transfer", [(there & (code != b), there & (code == b)) for b in benchmarks])
        )
    return result


def _score(known: _Fit, x: Floats, given: NDArray[np.bool_], wanted: NDArray[np.bool_]) -> float:
    prior = np.linalg.inv(known.correlation)
    a, d = known.items[given, :-1], known.items[given, -1]
    theta = np.zeros(len(prior))
    precision = prior
    for _ in range(25):
        p = special.expit(a @ theta + d)
        precision = prior + (a * (p * (1 - p))[:, None]).T @ a
        step = np.linalg.solve(precision, a.T @ (x[given] - p) - prior @ theta)
        theta = theta + np.clip(step, -1, 1)
    spread = np.linalg.inv(precision)
    a = known.items[wanted, :-1]
    z = np.r_[theta, 1.0]
    variance = np.einsum("jk,kl,jl->j", a, spread, a) + z @ known.covariance[wanted] @ z
    p = special.expit((a @ theta + known.items[wanted, -1]) / np.sqrt(1 + np.pi * variance / 8))
    return float(np.log(np.where(x[wanted] > 0, p, 1 - p)).mean())


def fit(structure: Structure, answers: Floats, code: NDArray[np.int64]) -> _Fit:
    """Fit items and abilities in turns of Newton steps; priors of items come from the data."""
    free = np.hstack([structure.free, np.ones((len(code), 1), dtype=bool)])
    n, (j, d) = len(answers), structure.free.shape
    there = np.isfinite(answers).astype(float)
    x = np.where(there > 0, answers, 0.0)
    theta = _start(x, there, structure.free)
    items = np.where(free, 0.3, 0.0)
    items[:, -1] = special.logit(np.clip(x.sum(0) / np.maximum(there.sum(0), 1), 0.02, 0.98))
    mean = np.tile(np.r_[np.full(d, 0.3), 0.0], (3, 1))
    variance = np.tile(np.r_[np.full(d, 0.25), 4.0], (3, 1))
    correlation = np.eye(d)
    covariance: Floats = np.zeros((j, d + 1, d + 1))
    precision = covariance
    for _ in range(_ROUNDS):
        z = np.column_stack([theta, np.ones(n)])
        products = np.einsum("nk,nl->nkl", z, z).reshape(n, -1)
        center = np.where(free, mean[code], 0.0)
        strength = np.where(free, 1 / variance[code], 1e8)
        for _ in range(2):
            p = special.expit(z @ items.T)
            precision = ((there * p * (1 - p)).T @ products).reshape(j, d + 1, d + 1)
            precision[:, np.arange(d + 1), np.arange(d + 1)] += strength
            gradient = (there * (x - p)).T @ z - strength * (items - center)
            step = np.linalg.solve(precision, gradient[..., None])[..., 0]
            items = items + np.clip(step, -1, 1)
        covariance = np.asarray(np.linalg.inv(precision), dtype=np.float64)
        diagonal = np.diagonal(covariance, axis1=1, axis2=2)
        for b in range(3):
            rows = code == b
            mean[b] = items[rows].mean(0)
            variance[b] = ((items[rows] - mean[b]) ** 2 + diagonal[rows]).mean(0)
        variance = np.maximum(variance, 1e-4)
        a, prior = items[:, :-1], np.linalg.inv(correlation)
        pairs = np.einsum("jk,jl->jkl", a, a).reshape(j, -1)
        for _ in range(2):
            p = special.expit(theta @ a.T + items[:, -1])
            precision = ((there * p * (1 - p)) @ pairs).reshape(n, d, d) + prior
            gradient = (there * (x - p)) @ a - theta @ prior
            step = np.linalg.solve(precision, gradient[..., None])[..., 0]
            theta = theta + np.clip(step, -1, 1)
        shift = theta.mean(0)
        items[:, -1] += a @ shift
        theta = theta - shift
        second = theta.T @ theta / n + np.linalg.inv(precision).mean(0)
        size = np.sqrt(np.diag(second))
        theta, items = theta / size, items * np.r_[size, 1.0]
        if structure.correlated:
            correlation = second / np.outer(size, size)
    return _Fit(items, covariance, correlation)


def _start(x: Floats, there: Floats, free: NDArray[np.bool_]) -> Floats:
    """Standardized accuracy on the items of each ability, less what earlier ones explain.

    A second ability for the same items starts from easy against hard items.
    """
    columns: list[Floats] = []
    hard = x.sum(0) / np.maximum(there.sum(0), 1) < 0.5
    for k in range(free.shape[1]):
        again = any((free[:, k] == free[:, m]).all() for m in range(k))
        rows = free[:, k] & (hard if again else True)
        share = x[:, rows].sum(1) / np.maximum(there[:, rows].sum(1), 1)
        column = np.where(there[:, rows].sum(1) > 0, share, np.nan)
        column = np.where(np.isnan(column), np.nanmean(column), column)
        column = column - column.mean()
        orthogonal = columns if free[:, 0].all() else []
        for earlier in orthogonal:
            column = column - earlier * (earlier @ column) / (earlier @ earlier)
        columns.append(column / max(column.std(), 1e-9))
    return np.column_stack(columns)


def _held_out_of_scale(calibration: AnchorCalibration, dimensions: int) -> dict[str, Floats]:
    whole = calibration
    if dimensions > 1:
        whole = calibrate_with_evidence(
            calibration.answers, calibration.families, dimensions=dimensions
        )
    read = _read_answers(calibration)
    sizes = np.cumsum([len(b.items) for b in whole.anchors.benchmarks])[:-1]
    code = np.repeat(np.arange(3), [len(b.items) for b in whole.anchors.benchmarks])
    fold_of = family_folds(calibration.families.tolist(), _FOLDS)
    scores = {kind: np.full(len(read), np.nan) for kind in ("half", "transfer")}
    for fold in range(_FOLDS):
        pool = whole.without(fold_of == fold).pool
        for i in np.flatnonzero(fold_of == fold):
            for kind, given in givens(read[i], code, int(i)):
                values = []
                for part, wanted in given:
                    belief = posterior(pool, np.split(np.where(part, read[i], np.nan), sizes))
                    chance = np.concatenate([
                        working_point(
                            items, belief.mean, logit_variances(items, belief.covariance)
                        ).probability
                        for items in pool.parts
                    ])  # fmt: skip
                    p = chance[wanted]
                    values.append(np.log(np.where(read[i][wanted] > 0, p, 1 - p)).mean())
                scores[kind][i] = np.mean(values)
    return {kind: np.where(np.isnan(v), np.nanmean(v), v) for kind, v in scores.items()}


# Broken items


def _broken(calibration: AnchorCalibration) -> str:
    fold_of = family_folds(calibration.families.tolist(), FOLDS)
    anchors = calibration.anchors
    always = [np.ones(len(b.items), dtype=int) * 0 for b in anchors.benchmarks]
    for fold in range(FOLDS):
        for b, part in enumerate(calibration.without(fold_of == fold).benchmarks):
            always[b] += np.array([state == "negative" for state in part.status])
    rows, lists = [], []
    for b, benchmark in enumerate(anchors.benchmarks):
        title = TITLES[benchmark.name]
        states = np.array(benchmark.status)
        negative, nobody = states == "negative", states == "nobody"
        steady = int((always[b][negative] == FOLDS).sum())
        rows.append([title, len(states), int(negative.sum()), steady, int(nobody.sum())])
        for state, where in (("better models do worse", negative), ("nobody solves", nobody)):
            names = ", ".join(benchmark.items[k] for k in np.flatnonzero(where))
            lists.append(f"- {title}, {state}: {names}")
    head = ("benchmark", "items", "better models do worse", "of these, in each of ten calibrations "
            "without a tenth of the families", "at most 2 % of the models solve")  # fmt: skip
    return f"""## Broken items

Items whose slope is below 0 by 2.58 standard errors, which suggests a wrong key or a question that
is read in two ways, and items that hardly any model solves. They are never asked.

{markdown(rows, head)}

Their index in VLMEvalKit's TSV:

{chr(10).join(lists)}"""


# Families that differ


def _families(calibration: AnchorCalibration) -> str:
    chance = expected_answers(calibration)
    answers = _read_answers(calibration)
    labels = calibration.families.to_numpy()
    sizes = calibration.families.value_counts()
    code = np.repeat(np.arange(3), [len(b.items) for b in calibration.anchors.benchmarks])
    columns = calibration.answers.columns
    usable = np.concatenate([b.usable for b in calibration.anchors.benchmarks])
    rows, named = [], []
    for family, size in sizes.loc[sizes >= _FEWEST_OF_A_FAMILY].items():
        found, effect, spread = differing_items(answers, chance, labels == family, usable)
        mixed = _mixed_family(labels, int(size))
        placebo, _, usual = differing_items(answers, chance, mixed, usable)
        rows.append([
            family, int(size),
            *(int(found[code == b].sum()) for b in range(3)),
            int((effect[found] > 0).sum()), int((effect[found] < 0).sum()), f"{spread:.2f}",
            int(placebo.sum()), f"{usual:.2f}",
        ])  # fmt: skip
        largest = np.flatnonzero(found)[np.argsort(-np.abs(effect[found]), kind="stable")][:_NAMED]
        if len(largest):
            named.append(
                f"- {family}: "
                + ", ".join(f"{columns[k]} ({100 * effect[k]:+.0f})" for k in largest)
            )
    head = ("family", "models", *TITLES.values(), "better", "worse", "spread",
            "mixed", "spread of mixed")  # fmt: skip
    return f"""## Where families differ (differential item functioning)

Items on which a family's models are right more or less often than their ability, level and loss of
easy items on that benchmark lead to expect. The test of the number of right answers is exact
(mid-p, two-sided), with {100 * _RATE:.0f} % false discoveries (Benjamini and Hochberg).
*Spread* is the variance of the standardized differences over all items, 1 if answers are
independent. *Mixed* gives both for as many models that are each of another family.

{markdown(rows, head)}

The items that differ most (in points, the family's accuracy less the expected one):

{chr(10).join(named)}

Copies of one model share what they learned, so a family differs on more items than chance explains.
The prediction intervals count this as a family's misfit."""


def expected_answers(calibration: AnchorCalibration) -> Floats:
    """Probability of each answer from the model's effects on whole benchmarks, without testlets."""
    anchors = calibration.anchors
    pool, count = anchors.pool, len(anchors.mean)
    columns = [f"{e}:{b.name}" for b in anchors.benchmarks for e in b.effect_names]
    rows = []
    for values in np.nan_to_num(anchors.models[columns].to_numpy(np.float64)):
        effects = np.zeros(len(pool.mean))
        effects[:count] = values
        rows.append(np.concatenate([working_point(p, effects).probability for p in pool.parts]))
    return np.array(rows)


def differing_items(
    answers: Floats, chance: Floats, members: NDArray[np.bool_], usable: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], Floats, float]:
    """Return which items differ for some models, by how much, and the spread of all.

    Differences are shares of right answers.

    The number of right answers is tested against its exact distribution, a sum of independent
    answers with known probabilities.
    """
    x, p = answers[members], np.where(np.isfinite(answers[members]), chance[members], 0.0)
    right, asked = np.nansum(x, axis=0).astype(int), np.isfinite(x).sum(0)
    counts = np.zeros((len(usable), len(x) + 1))
    counts[:, 0] = 1.0
    for row in p:
        moved = counts * (1 - row)[:, None]
        moved[:, 1:] += counts[:, :-1] * row[:, None]
        counts = moved
    items = np.arange(len(usable))
    below = np.cumsum(counts, axis=1)
    low = below[items, right] - counts[items, right] / 2
    high = 1 - low
    p_value = np.where(usable & (asked > 0), np.minimum(1.0, 2 * np.minimum(low, high)), 1.0)
    found = stats.false_discovery_control(np.clip(p_value, 1e-300, 1.0)) <= _RATE
    difference = right - p.sum(0)
    standardized = difference / np.sqrt(np.maximum((p * (1 - p)).sum(0), 1e-9))
    return found, difference / np.maximum(asked, 1), float(standardized[usable].var())


def _mixed_family(labels: NDArray[np.object_], size: int) -> NDArray[np.bool_]:
    """Models of as many families, at random."""
    rng = np.random.default_rng(3)
    order = rng.permutation(len(labels))
    chosen: list[int] = []
    taken: set[str] = set()
    for k in order.tolist():
        if len(chosen) < size and labels[k] not in taken:
            chosen.append(k)
            taken.add(str(labels[k]))
    members = np.zeros(len(labels), dtype=bool)
    members[chosen] = True
    return members
