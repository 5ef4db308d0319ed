"""Results of studies' designs, processing trees, sequential tests and calibrations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from support.design_oracles import data

from gfactor.psychometrics import irt
from gfactor.psychometrics.generalizability import gtheory, multivariate_gtheory
from gfactor.psychometrics.inference.peeking import false_alarm
from gfactor.psychometrics.inference.sequential import compare_sequentially, confidence_sequence
from gfactor.psychometrics.irt.checks.predictive import predictive_check
from gfactor.psychometrics.irt.models.hierarchical import fit_hierarchical
from gfactor.psychometrics.irt.models.itemfamilies import fit_families
from gfactor.psychometrics.irt.scales.calibration import calibrate_cells, calibrate_items
from gfactor.psychometrics.irt.scales.calibration_files import to_document
from gfactor.psychometrics.irt.scales.calibration_linking import link_calibration
from gfactor.psychometrics.irt.scores.calibrated_scores import score_responses
from gfactor.psychometrics.trees import fit_processing_tree, perception_gap

Parts = dict[str, Any]


def scores(persons: int = 14, items: int = 6, seed: int = 1) -> pd.DataFrame:
    """A row per person, task and rater; two raters of each task."""
    rng = np.random.default_rng(seed)
    person, task = rng.normal(size=persons), 0.6 * rng.normal(size=items)
    rows = [
        (f"p{p:02}", f"t{t}", f"r{t}{r}", person[p] + task[t] + 0.3 * r + rng.normal())
        for p in range(persons)
        for t in range(items)
        for r in range(2)
    ]
    return pd.DataFrame(rows, columns=["p", "t", "r", "score"])


def generalizability() -> Parts:
    table: Any = scores()
    nested: Any = {"object": "p", "facets": ["t", "r"], "nested": {"r": "t"}}
    anova = gtheory(table, **nested)
    some: Any = table.iloc[np.flatnonzero(np.arange(len(table)) % 7)]
    right = some.assign(score=(some["score"] > 0).astype(float))
    logits = gtheory(right, object="p", facets=["t"], estimator="logistic")
    halves = table.assign(s=np.where(table["t"] < "t3", "a", "b"))
    return {
        "anova": anova,
        "grid": anova.d_study({"t": [2, 9], "r": [1, 3]}),
        "fixed": anova.coefficients({"t": 4}, fixed=["t"]),
        "reml": gtheory(some, **nested, omit=["p x t"], level=0.9, seed=2),
        "logistic": [logits.components["variance"].round(4), round(logits.mean, 4)],
        "strata": multivariate_gtheory(halves, object="p", facet="r", stratum="s"),
    }


def trees() -> Parts:
    answers = data("srg_paired_400").iloc[:120]
    some = answers.mask(np.random.default_rng(1).random(answers.shape) < 0.1)
    pairs = {
        "pair": {"both": "c * r", "one": "2 * u * (1 - u) * (1 - c)",
                 "none": "c * (1 - r) + (1 - c) * (u^2 + (1 - u)^2)"},
        "single": {"seen": "u", "not": "1 - u"},
    }  # fmt: skip
    counts = {"pair.both": 41, "pair.one": 30, "pair.none": 29, "single.seen": 22, "single.not": 28}
    gaps = {
        "gap": perception_gap(answers),
        "clustered": perception_gap(some, clusters=np.arange(120) // 4, level=0.9),
        "known": perception_gap(some.drop(columns="blind"), guess=0.2),
    }
    fits = {
        "pairs": fit_processing_tree(pairs, counts, level=0.8),
        "fixed": fit_processing_tree(pairs, counts, fixed={"u": 0.4}, n_starts=2, seed=3),
    }
    # Ends of profile intervals are exact to 1e-7.
    tables = {
        name: [found.title, *(table.round(5) for table in found.tables.values())]
        for name, found in {**gaps, **fits}.items()
    }
    said = {name: [d.to_dict() for d in found.diagnostics] for name, found in fits.items()}
    return tables | {"said": said, "tests": [found.tests for found in gaps.values()]}


def sequential() -> Parts:
    rng = np.random.default_rng(2)
    first, second = (rng.random((2, 120)) < [[0.8], [0.55]]).astype(float)
    return {
        "betting": confidence_sequence(rng.random(40), level=0.9),
        "mixture": confidence_sequence(first, method="mixture", prior=(2.0, 0.5)),
        "compared": vars(compare_sequentially(first, second)),
        "peeking": [false_alarm(0.6, 40, rule=rule, first_look=10)  # type: ignore[arg-type]
                    for rule in ("wald", "wald_t", "wilson", "mixture")],
    }  # fmt: skip


def right(b: np.ndarray, persons: int, seed: int, a: float = 1.0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    z = a * (rng.normal(size=(persons, 1)) - b)
    made = pd.DataFrame((rng.random(z.shape) < 1 / (1 + np.exp(-z))).astype(float))
    return made.add_prefix("i").mask(rng.random(z.shape) < 0.04)


def calibrations() -> Parts:
    b = np.linspace(-1.6, 1.6, 8)
    old = calibrate_items(irt.fit_irt("2pl", right(b, 150, 3)), {}, {"population": "x"})
    other = irt.fit_irt("2pl", right(b - 0.5, 140, 4, 1.2))
    new = calibrate_items(other, {}, {})
    asked = right(b, 12, 5)
    return {
        "document": to_document(old),
        "scores": score_responses(old, asked, {i: i for i in asked}, level=0.9),
        "linked": to_document(link_calibration(new, old, "mean-sigma")),
        "by curves": [link_calibration(new, old, m).table.drop(columns="se_b").round(5)
                      for m in ("haebara", "stocking-lord")],
        "curves": [old.probabilities([-1.0, 0.5]), old.information([-1.0, 0.5]), old.table],
        "predictive": predictive_check(other, draws=20, seed=1),
        "hierarchical": fit_hierarchical("2pl", right(b, 45, 8)),
    }  # fmt: skip


def families() -> Parts:
    rng = np.random.default_rng(6)
    names = [f"size={k}" for k in (1, 2, 3) for _ in range(5)]
    b = np.repeat([-1.0, 0.0, 1.0], 5) + 0.6 * rng.normal(size=15)
    answers = right(b, 70, 7)
    answers["i0"] = 1.0
    made = fit_families(answers, names, guess=0.1)
    design = pd.DataFrame({"one": 1.0, "size": [1.0, 2, 3]}, index=sorted(set(names)))
    labels = {name: {"size": int(name[-1])} for name in names}
    known = calibrate_cells(made, labels, {"size=2": 0.1}, {})
    return {
        "families": [made, made.items, made.covariance, made.variance_se],
        "design": fit_families(answers, names, design=design, clusters=[k // 2 for k in range(70)]),
        "calibration": to_document(known),
        "curves": [known.probabilities([-1.0, 0.5]), known.information([-1.0, 0.5])],
        "scores": score_responses(known, answers.head(6), dict(zip(answers, names, strict=True))),
    }


CASES: dict[str, Callable[[], Parts]] = {
    "generalizability": generalizability,
    "trees": trees,
    "sequential": sequential,
    "calibrations": calibrations,
    "item families": families,
}
