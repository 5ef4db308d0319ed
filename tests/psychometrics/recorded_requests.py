"""What odd requests are answered with, and what options stand for: every combination resolved."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from recorded_designs import scores
from recorded_plans import NODES, exam
from recorded_sem import TWO
from support import lavaan_recorded as lavaan
from support.factor_samples import three_correlated_factors
from support.records import told

from gfactor import psychometrics as ps
from gfactor.psychometrics import irt, sem
from gfactor.psychometrics.factor.correlations import correlate
from gfactor.psychometrics.factor.exploratory import efa, parallel_analysis, schmid_leiman
from gfactor.psychometrics.generalizability import gtheory, multivariate_gtheory
from gfactor.psychometrics.irt import adaptive
from gfactor.psychometrics.irt.adaptive import AbilityPosterior
from gfactor.psychometrics.irt.adaptive.scales import four_parameters
from gfactor.psychometrics.irt.checks.brokenitems import broken_items
from gfactor.psychometrics.irt.checks.distractors import option_table
from gfactor.psychometrics.irt.checks.itemfit import item_fit, observed_points
from gfactor.psychometrics.irt.checks.overallfit import overall_fit
from gfactor.psychometrics.irt.scales.calibration import calibrate_items
from gfactor.psychometrics.sem.comparison import compare_fits
from gfactor.psychometrics.sem.option_values import ALLOWED, SYNONYMS

sys.path.insert(0, str(Path(__file__).parent / "pls"))
from pls_cases import CASES as PLS  # pyright: ignore[reportMissingImports]

Parts = dict[str, Any]
NOTHING: Mapping[str, Any] = {}


def answers(call: Callable[..., Any], cases: Mapping[str, Callable[[], Any]]) -> list[Any]:
    return list(
        told({name: lambda case=case: call(case()) for name, case in cases.items()}).values()
    )


def unusual(options: Any, usual: Any) -> str:
    """Return the options that are not as usual."""
    before = vars(usual)
    return ", ".join(f"{k}={v!r}" for k, v in vars(options).items() if v != before[k])


def options() -> Parts:
    """`Options` of every allowed value and of values that are none."""
    every = {name: sorted(values) for name, values in ALLOWED.items()}
    odd: dict[str, list[Any]] = {
        **{name: [None, "", [], ["x"], "x", 3, True] for name in every},
        "test": [("standard", "satorra.bentler"), ["standard"], ("a",), ["standard"] * 3],
        "information": [("expected", "observed"), ["observed"] * 3],
        "bounds": [True, False, ["standard"], ["standard", "wide"]],
        "group_equal": ["loadings", ["loadings", "means"], ["slopes"], None, "", 4, True],
        "group_partial": ["f=~x2", [], 1.5],
        "group_label": [("a", "b"), {"a": 1}],
        "ordered": [True, False, "x1", None, ["x1"], 2],
        "effect_coding": [True, False, "loadings", "x"],
        "sampling_weights": ["w", ["w"], ["w", "v"], [], None, 3],
        "cluster": ["c", "", (), 1],
        "std_lv": [0, 1, 2, None, "yes"],
        "meanstructure": [None, 0, 1, "default"],
        "em_h1_tol": [1e-3, 0, -1, True, "x", 1],
        "ci_level": [0.9, 0, 1, 1.5, True],
        "bootstrap": [2, 1, 2.0, 2.5, None, True],
        "iseed": [0, -1, None, [], {}, 3.0, 1.2, False],
    }
    odd |= {
        name: [*odd.get(name, []), *list(SYNONYMS[name]), *map(str.upper, values)]
        for name, values in every.items()
        if name in SYNONYMS
    }
    pairs: list[dict[str, Any]] = [
        {"effect_coding": True, "bounds": "wide"},
        {"effect_coding": "loadings", "std_lv": True},
        {"effect_coding": "intercepts", "std_lv": True},
        {"effect_coding": "loadings", "bounds": "none"},
    ]
    pairs += [{name: value} for name, values in odd.items() for value in values]
    pairs += [{name: value} for name, values in every.items() for value in values]

    def seen(given: dict[str, Any]) -> Any:
        kept = sem.Options(**given)
        return [
            unusual(kept, sem.Options()),
            kept.minimised,
            kept.designed,
            kept.full_information,
            kept.two_stage,
            kept.divisor_less_one,
        ]

    names = [
        "std.lv",
        "estimator",
        "zero.add",
        "ridge",
        "rotation",
        "verbose",
        "group.equal",
        "nope",
        "fixed.x",
        "missing",
        "sample.cov.rescale",
        "optim.bounds",
        "link",
    ]
    values: list[Any] = [True, None, "MLR", [0.5, 0.0], [], "probit", "ml", ["loadings"]]
    return {
        "usual": str(vars(sem.Options())),
        "options": answers(seen, {str(k): lambda o=o: o for k, o in enumerate(pairs)}),
        "lavaan's": answers(
            lambda o: unusual(sem.Options.from_lavaan(o), sem.Options()),
            {f"{n} {k}": lambda n=n, v=v: {n: v} for n in names for k, v in enumerate(values)},
        ),
        "both": answers(
            lambda o: unusual(sem.Options.from_lavaan(o), sem.Options()),
            {
                f"{e} {o}": lambda e=e, o=o: {"estimator": e, "ordered": o}
                for e in ("ML", "mlr", "WLSMV", None)
                for o in (True, False, ["x"], [])
            },
        ),
        "replaced": answers(
            lambda o: unusual(sem.Options().replaced(**o), sem.Options()),
            {"a": lambda: {"std_lv": True}, "b": lambda: {"std": 1}},
        ),
    }


def resolved() -> Parts:
    """Defaults that depend on others, of every estimator with each choice."""
    choices: list[dict[str, Any]] = [
        *({"se": v} for v in sorted(ALLOWED["se"])),
        *({"test": v} for v in sorted(ALLOWED["test"])),
        *({"missing": v} for v in sorted(ALLOWED["missing"])),
        {"mimic": "Mplus"},
        {"mimic": "Mplus", "se": "robust.sem"},
        {"mimic": "Mplus", "group_equal": "loadings"},
        {"mimic": "Mplus", "missing": "listwise"},
        {"information": "first.order"},
        {"information": ("observed", "expected")},
        {"information": ("default", "first.order")},
        {"observed_information": "h1"},
        {"h1_information": ("unstructured", "structured")},
        {"likelihood": "wishart"},
        {"likelihood": "wishart", "missing": "ml"},
        {"ordered": "x"},
        {"ordered": "x", "fixed_x": False},
        {"ordered": "x", "mimic": "Mplus"},
        {"ordered": "x", "missing": "pairwise"},
        {"ordered": "x", "test": "bollen.stine"},
        {"fixed_x": False},
        {"conditional_x": True},
        {"conditional_x": True, "fixed_x": False},
        {"cluster": "c"},
        {"sampling_weights": "w"},
        {"cluster": "c", "sampling_weights": "w"},
        {"cluster": "c", "missing": "ml"},
        {"cluster": "c", "missing": "pairwise"},
        {"cluster": "c", "ordered": "x"},
        {"cluster": "c", "likelihood": "wishart"},
        {"cluster": "c", "se": "standard"},
        {"cluster": "c", "std_ov": True},
        {"cluster": "c", "se": "robust"},
        {"cluster": "c", "se": "none", "test": "none"},
        {"sampling_weights": "w", "conditional_x": True},
        {"meanstructure": True},
        {"sampling_weights": "w", "test": "satorra.bentler"},
        {"meanstructure": False},
        {"model_type": "growth"},
        {"missing": "two.stage", "se": "robust"},
        {"missing": "two.stage", "se": "bootstrap"},
        {"missing": "robust.two.stage", "test": "none"},
        {"missing": "two.stage", "test": "yuan.bentler"},
        {"missing": "two.stage", "ordered": "x"},
        {"missing": "two.stage", "se": "robust.two.stage"},
        {"missing": "ml", "se": "robust"},
        {"se": "robust", "test": "yuan.bentler"},
        {"se": "none", "test": "satorra.bentler"},
        {"se": "first.order", "information": "observed"},
        {"parameterization": "theta"},
        {"se": "robust", "information": ("first.order", "default")},
        {"test": "browne.residual.adf", "information": ("default", "first.order")},
        {"test": "bollen.stine", "missing": "ml"},
        {"test": "bollen.stine", "se": "bootstrap"},
    ]

    def of(estimator: str, given: dict[str, Any], groups: int = 1, means: bool = False) -> Any:
        options = sem.Options(estimator=estimator, **given)
        return sem.resolved(options, n_groups=groups, means_in_model=means)

    def seen(case: tuple[str, dict[str, Any], int, bool]) -> str:
        """What differs from the same options of one group, or from the estimator's own."""
        estimator, given, groups, means = case
        if groups > 1 or means:
            plain, these = told(
                plain=lambda: of(estimator, given), these=lambda: of(*case)
            ).values()
            if isinstance(plain, str) or isinstance(these, str):
                return "the same" if plain == these else str(these)
            return unusual(these, plain)
        found = of(estimator, given)
        return unusual(found, of(estimator, {})) if given else str(vars(found))

    return {
        f"{estimator} {groups} {means}": answers(
            seen,
            {
                str(k): lambda e=estimator, o=given, g=groups, m=means: (e, o, g, m)
                for k, given in enumerate([{}, *choices])
            },
        )
        for estimator in sorted(ALLOWED["estimator"] - {"default"})
        for groups, means in ((1, False), (2, False), (1, True))
    }


def posteriors() -> Parts:
    odd: list[tuple[Any, dict[str, Any]]] = [
        (NODES[::20], {}),
        (NODES[:2], {}),
        (NODES[:3], {}),
        (NODES[::-1], {}),
        (NODES.reshape(11, 11), {}),
        (np.array([0.0, 0.0, 1.0]), {}),
        (NODES, {"mean": np.nan}),
        (NODES, {"mean": np.inf}),
        (NODES, {"variance": 0.0}),
        (NODES, {"variance": -1.0}),
        (NODES, {"variance": np.inf}),
        (NODES, {"testlet_variance": -0.1}),
        (NODES, {"testlet_variance": np.nan}),
        (NODES, {"testlet_variance": 0.0}),
        (NODES, {"testlet_variance": np.inf}),
    ]
    known = AbilityPosterior(NODES, 0.2, 1.1)
    more: list[Any] = [
        np.zeros(121),
        np.full(121, np.nan),
        np.full(121, -np.inf),
        np.zeros(3),
        np.where(NODES > 1, 0.0, -np.inf),
        np.zeros((2, 121)),
    ]

    def seen(q: AbilityPosterior) -> Any:
        return [q.theta, q.se, q.interval(), q.density[::10]]

    return {
        "made": answers(
            lambda c: seen(AbilityPosterior(c[0], **c[1])),
            {str(k): lambda c=case: c for k, case in enumerate(odd)},
        ),
        "updated": answers(
            lambda m: seen(known.updated(m)), {str(k): lambda m=m: m for k, m in enumerate(more)}
        ),
        "intervals": answers(known.interval, {str(v): lambda v=v: v for v in (0.0, 0.5, 1.0, 1.2)}),
    }


def curves() -> Parts:
    k, n, at = np.array([[4.0, 3, 1]]), np.full((1, 3), 4.0), [1.0, 2, 3]
    cases: dict[str, Any] = {
        "shape": (k, n[:, :2], at),
        "sizes": (k, n, at[:2]),
        "vector": (k[0], n[0], at),
        "one size": (k[:, :1], n[:, :1], at[:1]),
        "falling": (k, n, at[::-1]),
        "equal": (k, n, [1.0, 1, 2]),
        "more": (k + np.eye(3)[:1], n, at),
        "less": (k - 2 * np.eye(3)[2:], n, at),
        "nothing": (k * 0, n, at),
        "guess": (k, n, at, 0.9),
        "high guess": (k, n, at, 0.89),
        "negative": (k, n, at, -0.01),
        "guesses": (k, n, at, [0.1, 0.2]),
        "none asked": (k * 0, n * 0, at),
        "by size": (k, n, at, [[0.1, 0.2, 0.3]]),
        "more by size": (k, n, at, [[0.1, 0.2]]),
    }
    return {
        "said": answers(
            lambda c: ps.fit_curves(*c, n_bootstrap=3).table,
            {name: lambda c=case: c for name, case in cases.items()},
        ),
    }


def studies() -> Parts:
    table: Any = scores()
    right = table.assign(score=(table["score"] > 0) * 1.0)
    common: dict[str, Any] = {"object": "p", "facets": ["t", "r"], "nested": {"r": "t"}}
    cases: dict[str, tuple[Any, dict[str, Any]]] = {
        "no column": (table, {**common, "object": "q"}),
        "no value": (table, {**common, "value": "v"}),
        "twice": (table, {"object": "p", "facets": ["t", "t"]}),
        "none": (table, {"object": "p", "facets": []}),
        "itself": (table, {"object": "p", "facets": ["p"]}),
        "nested in none": (table, {**common, "nested": {"r": "q"}}),
        "nested itself": (table, {**common, "nested": {"r": "r"}}),
        "not nested": (table, {**common, "nested": {"q": "t"}}),
        "one condition": (table[table["t"] == "t1"], {"object": "p", "facets": ["t"]}),
        "one object": (table[table["p"] == "p01"], common),
        "empty": (table.head(0), common),
        "text": (table.assign(score="x"), common),
        "gaps": (table.assign(score=np.nan), common),
        "omit": (table, {**common, "omit": ["p x t"], "estimator": "anova"}),
        "unknown effect": (table, {**common, "omit": ["p x q"]}),
        "unbalanced": (table.iloc[5:], {**common, "estimator": "anova"}),
        "scores": (table, {**common, "estimator": "logistic"}),
        "same": (table.assign(score=1.0), {**common, "estimator": "reml"}),
        "same right": (right.assign(score=1.0), {**common, "estimator": "logistic"}),
        "same by squares": (table.assign(score=2.5), {**common, "estimator": "anova"}),
        "level": (table, {**common, "level": 1.0}),
        "estimator": (table, {**common, "estimator": "ml"}),
        "crossed": (
            table.groupby(["p", "t"], as_index=False)["score"].mean(),
            {"object": "p", "facets": ["t"]},
        ),
        "doubled": (pd.concat([table, table.head(3)]), common),
    }
    study = gtheory(table, **common)
    halves = table.assign(s=np.where(table["t"] < "t3", "a", "b"))
    sizes: list[Any] = [{"q": 2}, {"t": 0}, {"t": 1.5}, {"t": 2, "r": 3}]
    return told(
        {
            "said": lambda: answers(
                lambda c: gtheory(c[0], **c[1]).components,
                {name: lambda c=case: c for name, case in cases.items()},
            ),
            "coefficients": lambda: answers(
                study.coefficients, {str(s): lambda s=s: s for s in sizes}
            ),
            "fixed": lambda: answers(
                lambda f: study.coefficients({"t": 3}, fixed=f),
                {str(f): lambda f=f: f for f in (["t"], ["q"], ["t", "r"], ["p"])},
            ),
            "cut": lambda: [study.phi_lambda(c, s) for c in (0.0, 1.3) for s in (None, {"t": 9})],
            "grid": lambda: answers(
                study.d_study,
                {str(s): lambda s=s: s for s in ({"t": [1, 4]}, {"q": [1]}, {"t": [], "r": [2]})},
            ),
            "strata": lambda: answers(
                lambda o: multivariate_gtheory(halves, **o).covariance,
                {
                    str(o): lambda o=o: o
                    for o in (
                        {"object": "p", "facet": "r", "stratum": "q"},
                        {"object": "p", "facet": "t", "stratum": "s"},
                        {"object": "p", "facet": "r", "stratum": "p"},
                    )
                },
            ),
        }
    )


def simulations() -> Parts:
    cases: dict[str, tuple[Any, dict[str, Any]]] = {
        "n": (TWO, {"n": 0}),
        "ns": (TWO, {"n": [5, 5]}),
        "threshold": (TWO + "\nx1 | t1", {}),
        "ordinal": (TWO, {"ordinal": {"q": (0.0,)}}),
        "cuts": (TWO, {"ordinal": {"x1": (0.5, 0.1)}}),
        "no cuts": (TWO, {"ordinal": {"x1": ()}}),
        "skewness": (TWO, {"skewness": {"q": 1.0}}),
        "too skewed": (TWO, {"skewness": 3.0, "kurtosis": 0.0}),
        "free": ("f =~ 0.7*x1 + x2 + 0.5*x3", {}),
        "labels": ("f =~ 0.7*x1 + a*x2 + 0.5*x3", {}),
        "above one": ("f =~ 1.2*x1 + 0.8*x2 + 0.5*x3", {}),
        "one": ("f =~ 1*x1 + 0.8*x2 + 0.5*x3", {}),
        "variances": ("f =~ 2*x1 + 3*x2\nf ~~ 2*f\nx1 ~~ 1*x1", {}),
        "means": ("f =~ 0.7*x1 + 0.8*x2\nf ~ 0.3*1\nx1 ~ 2*1", {}),
        "cause": ("y ~ 0.5*x + 0.3*z\nx ~~ 0.2*z", {}),
        "strong": ("y ~ 0.9*x + 0.9*z\nx ~~ 0.5*z", {}),
        "not positive": ("x ~~ 1.5*z\nx ~~ 1*x\nz ~~ 1*z", {}),
        "skewed": (
            "f =~ 1.4*x1 + 0.8*x2\nx1 ~ 2*1\nx2 ~ -1*1\nx1 ~~ 2*x1\nx2 ~~ 0.7*x2\nf ~~ 1*f",
            {"skewness": 0.8, "kurtosis": 1.5},
        ),
        "groups": ("f =~ c(0.7, 0.5)*x1 + 0.6*x2\nf ~ c(0, 1)*1", {"n": [5, 6]}),
    }
    gaps: dict[str, dict[str, Any]] = {
        "share": {"share": 1.0},
        "below": {"share": -0.1},
        "by": {"share": 0.2, "columns": ("x1",), "by": "x1"},
        "column": {"share": 0.2, "columns": ("q",)},
        "all": {"share": 0.3},
        "other": {"share": 0.3, "by": "q"},
        "by x1": {"share": 0.3, "by": "x1", "slope": -2.0},
        "nothing": {"share": 0.0},
    }
    return {
        "said": answers(
            lambda c: sem.simulate_data(c[0], **{"n": 6, "seed": 2, **c[1]}),
            {name: lambda c=case: c for name, case in cases.items()},
        ),
        "missing": answers(
            lambda g: sem.simulate_data(TWO, 8, seed=3, missing=sem.Missing(**g)),
            {name: lambda g=g: g for name, g in gaps.items()},
        ),
        "studies": answers(
            lambda r: sem.simulation_study(TWO, 60, replications=r, seed=1).parameters,
            {str(r): lambda r=r: r for r in (1, 2)},
        ),
        "scaled": sem.simulate_data(
            "x ~ 3*1\nz ~ -2*1\nx ~~ 4*x\nz ~~ 9*z\nx ~~ 2*z",
            40,
            seed=5,
            missing=sem.Missing(0.3, ("z",), by="x", slope=1.5),
        ),
        "fits": [sem.simulate_data(lavaan.replay(name), 4, seed=1) for name in ("growth", "fiml")],
    }


def item_models() -> Parts:
    frame = exam(60, 5, 9)
    steps = frame + (np.random.default_rng(1).random(frame.shape) < 0.4)
    cases: dict[str, dict[str, Any]] = {
        "model": {"model": "5pl"},
        "mapping": {"model": {"q0": "2pl"}},
        "unknown item": {"model": dict.fromkeys([*frame, "q9"], "rasch")},
        "factors": {"factors": 0},
        "factor items": {"factors": {"f": ["q0", "q9"]}},
        "bifactor": {"bifactor": {"s": ["q0"]}},
        "bifactor and factors": {"bifactor": {"s": ["q0", "q1"]}, "factors": 2},
        "bifactor twice": {"bifactor": {"s": ["q0", "q1"], "t": ["q1", "q2"]}},
        "guess": {"guess": 1.0},
        "negative guess": {"guess": -0.1},
        "guess of": {"guess": {"q9": 0.2}},
        "guess graded": {"guess": 0.2, "model": "grm"},
        "groups": {"groups": ["a"] * 59},
        "one group": {"groups": ["a"] * 60},
        "reference": {"groups": ["a", "b"] * 30, "reference": "c"},
        "equal": {"groups": ["a", "b"] * 30, "equal": ("means",)},
        "free": {"free_items": ["q9"]},
        "free without": {"free_items": ["q1"]},
        "priors": {"priors": {"spread": ("normal", 0, 1)}},
        "density": {"priors": {"slope": ("cauchy", 0, 1)}},
        "prior sd": {"priors": {"slope": ("normal", 0, 0)}},
        "prior of item": {"priors": {"q1.d": ("normal", 0.3, 0.2)}},
        "beta": {"priors": {"guess": ("beta", 0, 1)}},
        "constraints": {"constraints": [["q0.a1", "q9.a1"]]},
        "constraint": {"constraints": [["q0.d"]]},
        "fixed": {"fixed": {"q0.d": 0.5}},
        "fixed of none": {"fixed": {"q0.e": 0.5}},
        "weights": {"weights": [1.0] * 59},
        "negative": {"weights": [-1.0] * 60},
        "clusters": {"clusters": [1] * 59},
        "one cluster": {"clusters": [1] * 60},
        "errors": {"errors": "robust"},
        "cluster errors": {"errors": "cluster"},
        "starts": {"starts": 0},
        "tolerance": {"tolerance": 0.0},
        "categories": {"categories": [0, 1, 2]},
        "design": {"design": pd.DataFrame({"x": [1.0] * 5}, index=list(frame))},
        "quadrature": {"quadrature": irt.Quadrature(2, 3.0)},
    }

    def seen(given: dict[str, Any]) -> Any:
        table = steps if given.get("model") == "grm" else frame
        fit = irt.fit_irt(
            data=table, **{"model": "rasch", "tolerance": 1e2, "force": True, **given}
        )
        return [fit.parameters[["item", "parameter", "free"]], [d.code for d in fit.diagnostics]]

    return {"said": answers(seen, {name: lambda c=case: c for name, case in cases.items()})}


def adaptive_tests() -> Parts:
    """Banks, candidates, rules and orders, right and odd ones."""
    bank = pd.DataFrame({"a": [1.0, 0.7, 2.0], "b": [-1.0, 0.0, 1.5]}, index=list("xyz"))
    two = pd.DataFrame({"a1": [1.0, 0.0], "a2": [0.5, 1.2], "intercept": [0.3, -0.2]})
    banks: dict[str, Any] = {
        "plain": bank,
        "none": bank.head(0),
        "twice": bank.set_axis(list("xyx")),
        "lacks": bank[["a"]],
        "lacks two": two[["a1", "a2"]],
        "cells": bank.assign(clone_sd=[0.0, 0.3, 0.0]),
        "no cells": bank.assign(clone_sd=0.0),
        "hole": bank.assign(b=[0.0, np.nan, 1.0]),
        "hole of a": bank.assign(a=[1.0, 1.0, np.inf]),
        "below": bank.assign(c=[0.0, -0.1, 0.0]),
        "above": bank.assign(d=[1.0, 1.1, 1.0]),
        "equal": bank.assign(c=[0.2, 0.2, 0.5], d=[1.0, 0.9, 0.5]),
        "limits": bank.assign(c=0.0, d=1.0),
        "asymptotes": bank.assign(c=[0.1, 0.25, 0.0], d=[0.95, 1.0, 0.9]),
        "flat": bank.assign(a=[1.0, 0.0, 1.0]),
        "negative": bank.assign(a=[1.0, 1.0, -1.0]),
        "two": two,
        "one of two": two.assign(a1=[-0.1, 1.0]),
        "neither": two.assign(a2=[0.0, 1.0], a1=0.0),
    }
    p = np.array([[0.2, 0.9], [0.0, 1.0]])
    names, sides = ["i", "j"], ["Gf", "Gf"]
    candidates: dict[str, tuple[Any, ...]] = {
        "plain": (names, sides, p, [1.0, 2.0]),
        "vector": (names, sides, p[0]),
        "rows": (names, sides, p[:1]),
        "none": ([], [], p[:0]),
        "above": (names, sides, p + 0.01),
        "below": (names, sides, p - 0.01),
        "hole": (names, sides, p * [1.0, np.nan]),
        "costs": (names, sides, p, [1.0, 0.0]),
        "few costs": (names, sides, p, [1.0]),
        "sides": (names, sides[:1], p),
        "families": (names, sides, p, None, ["f"]),
        "testlets": (names, sides, p, None, ["f", "g"], ["s"]),
    }
    rules: dict[str, dict[str, Any]] = {
        "se": {"se": 0.3},
        "items": {"max_items": 5, "se": 0.9},
        "cost": {"max_cost": 2.0},
        "least": {"se": 0.3, "min_items": 5},
        "cut": {"cut": 0.25, "level": 0.8},
        "change": {"se_change": 0.05, "window": 2},
        "zero": {"se": 0.0},
        "zero items": {"max_items": 0},
        "level": {"level": 1.0},
        "no level": {"level": 0.0},
        "window": {"window": 0},
        "window of one": {"window": 1, "se_change": 0.1},
    }
    states = [
        adaptive.Progress(t, se, n, cost, errors)
        for t in (0.25, 0.8)
        for se, n, cost in ((0.3, 5, 2.0), (0.31, 4, 1.9), (0.29, 6, 2.1))
        for errors in ((), (0.5, 0.45), (0.5, 0.48, 0.45), (np.inf, 0.5, 0.4), (0.5, 0.47, 0.46))
    ]
    orders: list[tuple[Any, ...]] = [
        ([0.0, 1.0], [0.3, 0.3]),
        ([0.0], [0.3]),
        ([0.0, 1.0], [0.3]),
        ([[0.0, 1.0]], [[0.3, 0.3]]),
        ([0.0, 1.0], [0.3, 0.0]),
        ([0.0, np.nan], [0.3, 0.3]),
        ([0.0, 0.5, 3.0], [0.3, 0.4, 0.2]),
        ([0.0, 0.5], [0.3, -0.4]),
    ]
    return {
        "banks": answers(four_parameters, {k: lambda b=b: b for k, b in banks.items()}),
        "candidates": answers(
            lambda c: adaptive.Candidates(*c),
            {k: lambda c=c: c for k, c in candidates.items()},
        ),
        "rules": answers(
            lambda o: [adaptive.StopRule(**o).reason(s) for s in states],
            {k: lambda o=o: o for k, o in rules.items()},
        ),
        "orders": answers(
            lambda c: [adaptive.undecided_pairs(*c), adaptive.ranking_decided(*c)],
            {str(k): lambda c=c: c for k, c in enumerate(orders)},
        ),
        "flights": answers(
            lambda c: adaptive.in_flight(*c),
            {str(c): lambda c=c: c for c in ((0, 1), (-1, 4), (3, 0), (7, 2), (200, 8))},
        ),
    }


def path_models() -> Parts:
    """Resamples and folds of a path model at their least, and below."""
    case = PLS["chain_path"]
    fit = ps.fit_pls(case.model(), case.data(), **case.settings())
    drawn = np.random.default_rng(2).integers(0, fit.n, (3, fit.n))
    resamples: dict[str, Any] = {
        "two": {"n_bootstrap": 2},
        "one": {"n_bootstrap": 1},
        "level": {"n_bootstrap": 3, "level": 1.0},
        "indices": {"indices": drawn},
        "same row": {"indices": np.zeros((3, fit.n), int)},
        "beyond": {"indices": drawn + 1},
        "below": {"indices": drawn - 1},
        "vector": {"indices": drawn[0]},
        "floats": {"indices": drawn * 1.0},
        "none": {"indices": drawn[:0]},
        "single": {"indices": drawn[:1]},
        "other": {"indices": drawn[:2], "bca": False},
    }
    folds: dict[str, Any] = {
        "two": {"folds": 2},
        "one": {"folds": 1},
        "all": {"folds": fit.n},
        "more": {"folds": fit.n + 1},
        "loo": {"folds": "loo", "repeats": 2},
        "again": {"folds": 3, "repeats": 2, "seed": 5},
        "never": {"folds": 3, "repeats": 0},
        "technique": {"technique": "none"},
        "linear": {"linear_model": "none"},
    }
    smaller, larger = lavaan.replay("cfa_ml"), lavaan.replay("cfa_orthogonal")
    return {
        "bootstrap": answers(
            lambda o: ps.bootstrap_pls(fit, **o).table,
            {k: lambda o=o: o for k, o in resamples.items()},
        ),
        "prediction": answers(
            lambda o: (
                [found.table, found.power, found.title]
                if (found := ps.predict_pls(fit, **o))
                else None
            ),
            {k: lambda o=o: o for k, o in folds.items()},
        ),
        "compared": answers(
            lambda c: compare_fits(*c[:2], method=c[2] if c[2:] else "standard"),
            {
                "same": lambda: (smaller, smaller),
                "turned": lambda: (smaller, larger),
                "right": lambda: (larger, smaller),
                "method": lambda: (larger, smaller, "wald"),
                "other": lambda: (larger, lavaan.replay("mediation")),
            },
        ),
    }


def outside() -> Parts:
    """Models and data for which something cannot be computed, and the nearest for which it can."""
    frame = exam(90, 5, 9)
    pairs = {"a": ["q0", "q1", "q2"], "b": ["q3", "q4"]}
    loose: Any = {"tolerance": 1e3, "force": True}
    rasch = irt.fit_irt("rasch", frame)
    others = {
        "factors": irt.fit_irt(
            "2pl", frame, factors=pairs, quadrature=irt.Quadrature(5, 3.0), **loose
        ),
        "groups": irt.fit_irt("rasch", frame, groups=["u", "v"] * 45, **loose),
    }
    choices = frame.replace({0.0: "B", 1.0: "A"})
    key = dict.fromkeys(frame, "A")
    analyses: dict[str, Callable[[Any], Any]] = {
        "options": lambda f: option_table(f, choices, key),
        "points": lambda f: observed_points(f, ["q1"], points=4),
        "broken": lambda f: broken_items(f, simulations=3).table,
        "items": item_fit,
        "calibration": lambda f: calibrate_items(f, {}, {}).table,
        "overall": overall_fit,
        "sums": lambda f: f.sum_scores(),
        "plausible": lambda f: f.plausible_values(2).head(3),
    }
    half = [frame.mask((np.arange(90) < n)[:, None] & (np.arange(5) == 2)) for n in (45, 46)]
    correlations = correlate(three_correlated_factors())
    tests: dict[str, tuple[Any, ...]] = {
        "draws": (correlations, "factors", 95, 19),
        "least draws": (correlations, "factors", 95, 20),
        "half": (correlations, "components", 50, 20),
        "below": (correlations, "components", 49.9, 20),
        "high": (correlations, "components", 99.9, 20),
        "above": (correlations, "components", 99.95, 20),
        "kind": (correlations, "images", 95, 20),
        "few": (correlate(three_correlated_factors().iloc[:10]), "factors", 95, 20),
        "least": (correlate(three_correlated_factors().iloc[:11]), "factors", 95, 20),
        "few components": (correlate(three_correlated_factors().iloc[:10]), "components", 95, 20),
    }
    bank = pd.DataFrame({"a": [1.0, 0.7, 2.0], "b": [-1.0, 0.0, 1.5], "side": ["l", "l", "r"]})
    plane = pd.DataFrame({"a1": [1.0, 0.2], "a2": [0.5, 1.2], "intercept": [0.3, -0.2]})
    space = plane.assign(a3=0.4, a4=0.1, a5=0.2)
    cats: dict[str, tuple[Any, dict[str, Any]]] = {
        "negative": (bank, {"content": "side", "targets": {"l": 2.0, "r": -1.0}}),
        "zero": (bank, {"content": "side", "targets": {"l": 0.0, "r": 0.0}}),
        "one zero": (bank, {"content": "side", "targets": {"l": 1.0, "r": 0.0}}),
        "content": (bank, {"content": "side"}),
        "targets": (bank, {"targets": {"l": 1.0}}),
        "column": (bank, {"content": "area", "targets": {"l": 1.0}}),
        "unknown": (bank, {"content": "side", "targets": {"m": 1.0}}),
        "variance": (bank, {"prior": (0.0, 0.0)}),
        "plane": (plane, {"criterion": "d", "prior": (0.0, [[1.0, 1.0], [1.0, 1.0]])}),
        "shape": (plane, {"criterion": "d", "prior": (0.0, np.eye(3))}),
        "good plane": (plane, {"criterion": "d", "prior": (0.2, [[1.0, 0.9], [0.9, 1.0]])}),
        "space": (space, {"criterion": "d", "estimator": "eap"}),
        "space by map": (space, {"criterion": "d", "estimator": "map"}),
    }
    square = pd.DataFrame(np.eye(3) + 0.4, index=list("abc"), columns=list("abc"))
    model = "f =~ a + b + c"
    moments: dict[str, dict[str, Any]] = {
        "n": {"sample_cov": square, "n": 1},
        "least n": {"sample_cov": square, "n": 2},
        "singular": {"sample_cov": square * 0 + 1.0, "n": 50},
        "lacks": {"sample_cov": square.iloc[:2, :2], "n": 50},
        "few cases": {"data": frame.head(2).set_axis(list("abcde"), axis=1), "ordered": ("a",)},
        "many columns": {"data": pd.DataFrame(1.0, index=[0, 1], columns=list("defghijklmnopq"))},
        "as many columns": {"data": pd.DataFrame(1.0, index=[0, 1], columns=list("defghijklmno"))},
    }
    return told(
        {
            **{
                f"{name} {kind}": lambda call=call, f=f: call(f)
                for name, call in analyses.items()
                for kind, f in {"rasch": rasch, **others}.items()
            },
            "half": lambda: answers(
                lambda d: overall_fit(irt.fit_irt("rasch", d)),
                {str(k): lambda d=d: d for k, d in enumerate(half)},
            ),
            "parallel": lambda: answers(
                lambda c: parallel_analysis(*c), {k: lambda c=c: c for k, c in tests.items()}
            ),
            "general": lambda: answers(
                lambda m: schmid_leiman(efa(three_correlated_factors(), m, rotation="oblimin")),
                {str(m): lambda m=m: m for m in (1, 2)},
            ),
            "varimax": lambda: schmid_leiman(
                efa(three_correlated_factors(), 2, rotation="varimax")
            ),
            "exposure": lambda: answers(
                lambda c: c(),
                {
                    "none": lambda: lambda: adaptive.Randomesque(0),
                    "one": lambda: lambda: adaptive.Randomesque(1),
                    "short": lambda: lambda: adaptive.Progressive(1),
                    "two": lambda: lambda: adaptive.Progressive(2),
                },
            ),
            "cats": lambda: answers(
                lambda c: [(cat := irt.Cat(c[0], **c[1])).next(), cat.theta, cat.se],
                {k: lambda c=c: c for k, c in cats.items()},
            ),
            "moments": lambda: answers(
                lambda o: sem.fit(model, **o).theta, {k: lambda o=o: o for k, o in moments.items()}
            ),
        }
    )


CASES: dict[str, Callable[[], Parts]] = {
    "options": options,
    "resolved": resolved,
    "posteriors": posteriors,
    "curves": curves,
    "studies": studies,
    "simulations": simulations,
    "item models": item_models,
    "adaptive tests": adaptive_tests,
    "path models": path_models,
    "outside": outside,
}
