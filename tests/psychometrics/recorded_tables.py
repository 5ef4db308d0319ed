"""Results of tables: forms, calibration files, pairs of runs, people beside models, parts of gaps,
equalities released between groups, tests of residuals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from recorded_plans import bank
from scipy import special
from support import lavaan_recorded as lavaan
from support.records import told

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.inference.crossed import people_beside
from gfactor.psychometrics.inference.pairwise import compare_pairs, pair_table
from gfactor.psychometrics.inference.resampling import bootstrap
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.estimation import collapse
from gfactor.psychometrics.irt.scales.calibration_files import (
    calibration_digest,
    from_document,
    to_document,
)
from gfactor.psychometrics.irt.scales.forms import assemble_forms
from gfactor.psychometrics.sem.exactfit import exact_fit
from gfactor.psychometrics.trees import perception_gap

Parts = dict[str, Any]


def pool(**more: Any) -> Any:
    """Thirty items of three kinds, with a covariance of their parameters."""
    known = bank()
    labels = tuple(f"{e.name}.{p}" for e in known.entries for p in ("a1", "d"))
    root = np.random.default_rng(1).normal(0, 0.05, (60, 60))
    entries = tuple(
        replace(e, facts={"labels": {"kind": "xyz"[k % 3], "size": str(k % 2)}})
        for k, e in enumerate(known.entries)
    )
    # A digest names every digit, and the last ones of a product are the processor's.
    covariance = np.round(root @ root.T, 10)
    return replace(known, entries=entries, labels=labels, covariance=covariance, **more)


def forms() -> Parts:
    known: Any = pool()
    cells = replace(known, by="design", entries=tuple(
        replace(e, clone_sd=0.1 + 0.01 * k) for k, e in enumerate(known.entries)
    ))  # fmt: skip
    names = [f"item {k}" for k in range(40)]
    items = pd.DataFrame({"entry": [f"i{k % 30}" for k in range(40)],
                          "kind": ["even" if k % 2 else "odd" for k in range(40)],
                          "key": ["ABCD"[k % 4] for k in range(40)]}, index=names)  # fmt: skip
    free: Any = {"tolerance": 1.0, "gap": 0.0}
    return told(
        one=lambda: assemble_forms(known, length=5, **free),
        few=lambda: assemble_forms(known, target_se=0.5, **free),
        content=lambda: assemble_forms(
            known, length=4, content={"kind": {"x": (1, 1), "y": (2, 3)}}, theta=[0.5, 1.5],
            seed=3, **free,
        ),
        linked=lambda: assemble_forms(
            known, length=6, parallel=2, anchors=3, respondents=200, **free
        ),
        unlinked=lambda: assemble_forms(known, length=6, parallel=2, anchors=1, respondents=2,
                                        **free),
        items=lambda: assemble_forms(known, length=4, items=items, seed=1,
                                     content={"kind": {"odd": (2, 2)}}, **free),
        cells=lambda: assemble_forms(cells, length=8, parallel=3, respondents=150, seed=2, **free),
        cell=lambda: assemble_forms(cells, length=6, per_cell=1, **free),
        many=lambda: assemble_forms(known, length=31),
        label=lambda: assemble_forms(known, length=4, content={"sort": {"x": (1, 1)}}),
        value=lambda: assemble_forms(known, length=4, content={"kind": {"w": (1, 1)}}),
        order=lambda: assemble_forms(known, length=4, content={"kind": {"x": (2, 1)}}),
        none=lambda: assemble_forms(known, length=4, content={"kind": {"x": (3, 3), "y": (2, 2)}}),
        precise=lambda: assemble_forms(known, length=3, target_se=0.2),
        copies=lambda: assemble_forms(known, length=3, per_cell=2),
        persons=lambda: assemble_forms(known, length=5, parallel=2, anchors=2, respondents=1),
        alone=lambda: assemble_forms(known, length=3, anchors=1),
        nothing=lambda: assemble_forms(known),
        points=lambda: assemble_forms(known, length=3, theta=[]),
    )  # fmt: skip


def files() -> Parts:
    known: Any = pool(about={"population": "all", "n": 5})
    document = to_document(known)
    return told(
        document=lambda: document,
        digest=lambda: calibration_digest(known),
        again=lambda: to_document(from_document(document)),
        table=lambda: known.table,
        information=lambda: known.information(np.linspace(-2, 2, 5)),
        **{
            f"without {name}": lambda name=name: from_document(
                {k: v for k, v in document.items() if k != name}
            )
            for name in document
        },
        **{
            f"odd {name}": lambda name=name: from_document({**document, name: [None]})
            for name in document
        },
    )


def scores(n: int = 40, k: int = 5) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    p = special.expit(rng.normal(size=(n, 1)) + np.linspace(-1.5, 1.5, k))
    return pd.DataFrame((rng.random((n, k)) < p).astype(float), columns=list("abcdefgh")[:k])


def pairs() -> Parts:
    right, rng = scores(), np.random.default_rng(5)
    gaps = right.where(rng.random(right.shape) < 0.8)
    graded = gaps * 0.8 + 0.1 * rng.integers(0, 2, right.shape)
    same = right.assign(b=right["a"], c=right["a"] - 0.25)
    few = right.head(2)
    apart = gaps.assign(
        a=gaps["a"].where(np.arange(40) < 20), b=gaps["b"].where(np.arange(40) > 19)
    )
    groups = pd.Series(np.arange(40) // 4, index=right.index)

    def all_of(table: pd.DataFrame, clusters: Any = None) -> list[Any]:
        found = compare_pairs(table, clusters)
        parts = [found.estimate, found.se, found.p, found.n, found.clusters, found.p_holm]
        kept = [pair_table(found, table, clusters, level) for level in (0.95, 0.8)]
        sets = [found.rank_sets(), found.rank_sets(0.5), found.ordered(list("cab")).p_holm]
        return [*parts, *kept, *sets, found.exact]

    return told(
        right=lambda: all_of(right),
        gaps=lambda: all_of(gaps),
        graded=lambda: all_of(graded),
        same=lambda: all_of(same),
        few=lambda: all_of(few * 0.5),
        apart=lambda: [all_of(apart), all_of(apart * 0.5)],
        clusters=lambda: [all_of(table, groups) for table in (right, gaps, graded, same)],
        single=lambda: all_of(right, groups * 0),
    )


def beside() -> Parts:
    rng = np.random.default_rng(6)
    people = pd.DataFrame(rng.random((12, 9)) < 0.7, columns=list("abcdefghi")).astype(float)
    some = people.where(rng.random(people.shape) < 0.6)
    models = pd.DataFrame(rng.random((9, 2)) < 0.5, index=people.columns, columns=["m", "n"])
    models = models.astype(float)
    gaps = models.assign(n=models["n"].where(np.arange(9) < 2))

    def told_of(x: pd.DataFrame, y: pd.DataFrame, **options: Any) -> Any:
        found = people_beside(x, y, n_bootstrap=60, **options)
        return [found.intervals, found.labels, found.n, dict(found.failures)]

    return told(
        whole=lambda: told_of(people, models),
        some=lambda: told_of(some, gaps, level=0.8, seed=3),
        unasked=lambda: told_of(some.assign(a=np.nan), gaps),
        other=lambda: told_of(people, models.iloc[::-1]),
        one=lambda: told_of(people.head(1), models),
    )


def parts_of_gaps() -> Parts:
    rng = np.random.default_rng(7)
    seen, known, guessed = (rng.random((80, 1)) < p for p in (0.7, 0.8, 0.25))
    right = np.hstack([seen & known | guessed, known | guessed, guessed])
    frame = pd.DataFrame(right, columns=["image", "text", "blind"]).astype(float)
    gaps = frame.copy()
    gaps.loc[:15, "blind"] = np.nan
    clusters = [f"t{k // 5}" for k in range(80)]

    def told_of(data: pd.DataFrame, **options: Any) -> list[Any]:
        found: Any = perception_gap(data, **options)
        return [found, found.gap, found.accuracy, found.losses, found.tests, found.facts]

    return told(
        plain=lambda: told_of(frame),
        gaps=lambda: told_of(gaps, level=0.9),
        clusters=lambda: told_of(frame, clusters=clusters),
    )


MODEL = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"


def unequal() -> pd.DataFrame:
    """Two schools that differ in a loading, two intercepts and a residual variance."""
    data = lavaan.sample("three_factors").copy()
    second = (data["school"] == data["school"].iloc[-1]).to_numpy()
    rng = np.random.default_rng(8)
    data.loc[second, "x2"] += 0.6 * data.loc[second, "x1"]
    data.loc[second, "x5"] += 1.0
    data.loc[second, "x8"] -= 0.7
    data.loc[second, "x9"] += 1.4 * rng.normal(size=second.sum())
    return data


def categories(data: pd.DataFrame) -> pd.DataFrame:
    """Every indicator in four categories."""
    cut = data.copy()
    for name in (f"x{k}" for k in range(1, 10)):
        cut[name] = np.digitize(data[name], np.quantile(data[name], [0.3, 0.6, 0.85]))
    return cut


def released() -> Parts:
    data = unequal()
    cut = categories(lavaan.sample("three_factors"))
    second = np.flatnonzero(data["school"] == data["school"].iloc[-1])
    moved = second[np.random.default_rng(2).random(len(second)) < 0.5]
    cut.loc[cut.index[moved], "x5"] = np.minimum(cut["x5"].iloc[moved] + 1, 3)

    def told_of(table: pd.DataFrame, **options: Any) -> list[Any]:
        found = sem.invariance(MODEL, table, "school", **options)
        return [found, found.table, found.level]

    return told(
        partial=lambda: told_of(data, partial=True, estimator="ML"),
        few=lambda: told_of(data, partial=True, most_releases=1, std_lv=False),
        singular=lambda: told_of(categories(data), ordered=[f"x{k}" for k in range(1, 7)]),
        fit=lambda: told_of(data, partial=True, criterion="fit", estimator="MLR"),
        ordinal=lambda: told_of(cut, partial=True, ordered=[f"x{k}" for k in range(1, 10)]),
    )


def tests_of_residuals() -> Parts:
    names = [f"browne.residual.{kind}" for kind in ("adf", "nt", "nt.model")]
    fits = {name: lavaan.replay(name) for name in ("cfa_ml", "groups_scalar", "cfa_uls")}
    return told({
        f"{name} {test}": lambda fit=fit, test=test: exact_fit(fit.estimated, test)
        for name, fit in fits.items()
        for test in names
    })  # fmt: skip


def many_items() -> Parts:
    data = scores(60, 8)
    data["a2"], data["a3"] = data["a"], data["a"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collapse, "MANY_PARAMETERS", 5)
        fit = fit_irt("rasch", data)
    return told(
        items=lambda: fit.items,
        loglik=lambda: [fit.loglik, fit.converged],
        covariance=lambda: fit.vcov.variances(fit.likelihood.model.design),  # type: ignore[union-attr]
    )


def mean_and_spread(rows: Any) -> dict[str, float]:
    """Of some samples there is none, as of statistics that do not converge."""
    if rows["a"].mean() > 0.25:
        raise ParameterError("too large")
    return {"mean": float(rows["a"].mean()), "sd": float(rows["b"].std())}


def resampled() -> Parts:
    data = pd.DataFrame(np.random.default_rng(9).normal(size=(30, 3)), columns=list("abc"))

    def told_of(**options: Any) -> list[Any]:
        found = bootstrap(mean_and_spread, data, n_bootstrap=40, seed=1, **options)
        tables = [found.interval_table(m) for m in ("percentile", "basic", "normal", "bca")]
        return [found, found.draws, dict(found.failures), tables]

    return told(
        plain=told_of,
        clusters=lambda: told_of(clusters=np.arange(30) // 3, level=0.8),
        few=lambda: told_of(clusters=[1, 2]),
        one=lambda: told_of(clusters=np.ones(30)),
    )


CASES: dict[str, Callable[[], Parts]] = {
    "forms": forms,
    "calibration files": files,
    "pairs": pairs,
    "people beside models": beside,
    "parts of gaps": parts_of_gaps,
    "released equalities": released,
    "tests of residuals": tests_of_residuals,
    "many items": many_items,
    "resampled": resampled,
}
