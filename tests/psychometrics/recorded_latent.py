"""Results of latent variable models at their edges: scores, odd columns, moments, bounds,
covariates of ordinal variables, resampled solutions, curves of groups, composites of strata."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from recorded_designs import scores as rated_scores
from recorded_sem import TWO, of_fit
from support import lavaan_recorded as lavaan
from support.factor_samples import three_correlated_factors
from support.records import told

from gfactor import psychometrics as ps
from gfactor.psychometrics import sem
from gfactor.psychometrics.factor.correlations import correlate, given_correlations
from gfactor.psychometrics.factor.exploratory import bootstrap_efa, efa, schmid_leiman
from gfactor.psychometrics.generalizability import multivariate_gtheory
from gfactor.psychometrics.sem.optimize import bounds_of

sys.path.insert(0, str(Path(__file__).parent / "pls"))
from pls_cases import CASES as PLS  # pyright: ignore[reportMissingImports]
from pls_cases import with_gaps  # pyright: ignore[reportMissingImports]

Parts = dict[str, Any]
THREE = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"
NINE = [f"x{k}" for k in range(1, 10)]


def scored() -> Parts:
    fits = {name: lavaan.replay(name) for name in
            ("cfa_ml", "fiml", "groups_metric", "second_order", "heywood", "mediation",
             "growth")}  # fmt: skip
    data: Any = lavaan.sample("three_factors")
    other: Any = data[NINE].head(40)
    near = other.head(4)
    away = data[NINE].std().to_numpy() * np.linspace(2.8, 3.3, 9) + data[NINE].mean().to_numpy()
    rows = pd.DataFrame(np.tile(away, (6, 1)) + 0.1 * np.arange(6)[:, None], columns=NINE)

    def of(fit: sem.Fit, *given: Any, **options: Any) -> list[Any]:
        result = sem.factor_scores(fit, *given, **options)
        return [result.scores.head(5), result.error.head(5), result.determinacy,
                [d.to_dict() for d in result.diagnostics], result.summary()]  # fmt: skip

    methods = ("regression", "bartlett", "tenberge")
    every = {
        f"{name} {method}": lambda f=fit, m=method: of(f, method=m)
        for name, fit in fits.items()
        for method in methods
    }
    new: dict[str, pd.DataFrame] = {
        "near": near, "scaled": other * 10, "wide": other * 3.2, "narrow": other * 0.2 + 3,
        "at the edge": rows, "one away": other.assign(x4=other["x4"] + 20),
        "five": rows.head(5) * 1.4, "four": rows.head(4) * 1.4,
        "gaps": other.assign(x1=np.nan, x2=other["x2"].where(np.arange(40) < 3)),
        "empty": near * np.nan, "none": near.head(0), "less": near[NINE[:4]],
    }  # fmt: skip
    every |= {f"new {k}": lambda t=table: of(fits["cfa_ml"], t) for k, table in new.items()}
    schools = list(fits["groups_metric"].sample.labels)
    two = data[[*NINE, "school"]].iloc[::9]
    grouped = {
        "both": lambda: of(fits["groups_metric"], two, group="school"),
        "one": lambda: of(fits["groups_metric"], two[NINE], group=schools[1]),
        "unsaid": lambda: of(fits["groups_metric"], two),
        "no column": lambda: of(fits["groups_metric"], two, group="class"),
        "unknown": lambda: of(fits["groups_metric"], two.assign(school="z"), group="school"),
        "other method": lambda: of(fits["cfa_ml"], method="mean"),
    }
    return told(every, **grouped)


MODEL = "f =~ a + b + c + d"


def columns(n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    f = rng.normal(size=(n, 1))
    values = f * [0.9, 0.7, 0.8, 0.5] + 0.7 * rng.normal(size=(n, 4)) + [1.0, 2.0, -1.0, 0.5]
    return pd.DataFrame(values, columns=list("abcd"))


def odd_columns() -> Parts:
    data = columns()
    whole = data.round()
    group = ["u"] * 25 + ["v"] * 20 + ["w"] * 15

    def fitted(table: Any, model: str = MODEL, **options: Any) -> Any:
        fit = sem.fit(model, table, **options)
        return [fit.n, fit.theta, fit.measures["chisq"], [d.to_dict() for d in fit.diagnostics]]

    tables: dict[str, Any] = {
        "whole numbers": whole.astype(int), "truth": data.assign(a=data["a"] > 1.2),
        "Int64": whole.astype("Int64").mask(whole["a"] > 2),
        "objects": data.astype(object).where(data["a"] > 0, None),
        "categories": whole.astype({"a": "category"}), "text": data.assign(b="x"),
        "numbers as text": data.astype({"b": str}), "dates": data.astype({"a": "datetime64[ns]"}),
        "complex": data.assign(c=data["c"] + 1j), "endless": data.replace(data.iloc[7, 1], -np.inf),
        "twice": pd.concat([data, data[["a"]]], axis=1), "less": data[["a", "b"]],
        "levels": data.set_axis(pd.MultiIndex.from_product([["p"], list("abcd")]), axis=1),
        "none": data[[]], "no rows": data.head(0), "one row": data.head(1),
        "array": data.to_numpy(),
        "constant": data.assign(d=2.0), "same": data.assign(d=data["a"] + data["b"]),
        "many": data.iloc[:3], "gaps": data.mask(np.random.default_rng(1).random((60, 4)) < 0.1),
        "empty row": data.mask(data.index.to_series() < 2), "other": data.add_prefix("z" * 5),
    }  # fmt: skip
    every = {k: lambda t=table: fitted(t) for k, table in tables.items()}
    numbers = data.set_axis([1, 2, 3, 4], axis=1)
    pieces = data.assign(g=group)
    cov, mean = data.cov(), data.mean()
    return told(
        every,
        names=lambda: fitted(numbers, "f =~ `1` + `2` + `3` + `4`"),
        standardized=lambda: [
            fitted(data, std_ov=True, meanstructure=True),
            fitted(pieces, group="g", std_ov=True, group_equal=("loadings",)),
        ],
        groups=lambda: fitted(pieces, group="g", group_label=("w", "u")),
        no_group=lambda: fitted(pieces, group="h"),
        one_group=lambda: fitted(pieces.head(20), group="g"),
        no_label=lambda: fitted(pieces, group="g", group_label=("w", "q")),
        one_case=lambda: fitted(pieces.iloc[:26], group="g"),
        two_cases=lambda: fitted(pieces.iloc[:27], "f =~ 1*a + 1*b\na ~~ v*a\nb ~~ v*b", group="g"),
        two_rows=lambda: fitted(data.head(2), "a ~~ a"),
        as_many_rows=lambda: fitted(data.head(4)),
        as_many_moments=lambda: fitted(data.head(10), estimator="WLS"),
        moments=lambda: fitted(None, sample_cov=cov, sample_mean=mean, n=60),
        two_moments=lambda: [
            fitted(None, sample_cov=given, sample_mean=means, n=[60, 40], group_equal=("loadings",))
            for given, means in (([cov, 2 * cov], [mean, mean + 1]), ([cov, cov * 1.5], None))
        ],
        by_name=lambda: fitted(None, sample_cov={"k": cov, "j": 2 * cov}, n=[60, 40]),
        no_n=lambda: fitted(None, sample_cov=cov),
        both=lambda: fitted(data, sample_cov=cov, n=60),
        no_number=lambda: fitted(None, sample_cov=[cov, cov], n=[3]),
        shared=lambda: fitted(data, "a =~ a + b + c"),
        table=lambda: sem.fit(3, data),  # type: ignore[arg-type]
        few=lambda: fitted(data.head(8), estimator="WLS"),
        dependent=lambda: [
            fitted(data.assign(d=data["a"] - data["b"]), estimator=name) for name in ("GLS", "WLS")
        ],
    )


def least_squares() -> Parts:
    data = columns(90)
    model = MODEL + "\na ~~ b"
    options: dict[str, dict[str, Any]] = {
        f"{name}{' means' if means else ''}": {"estimator": name, "meanstructure": means}
        for name in ("GLS", "WLS", "ULS", "DWLS")
        for means in (False, True)
    }
    options |= {"Mplus": {"estimator": "GLS", "meanstructure": True, "mimic": "Mplus"},
                "unbiased": {"estimator": "ULS", "likelihood": "wishart"}}  # fmt: skip

    def fitted(text: str, **given: Any) -> Any:
        fit = sem.fit(text, data, **given)
        return [fit.estimates, dict(fit.measures), fit.implied()]

    covariate = "f =~ a + b + c\nf ~ d"
    fixed = "f =~ a + q*b + 0.8*c + s*c + r*d\nq == s*0.5 + r\nr > 0.1*s\ng := q*r - s"
    three = np.digitize(data, [0.0, 1.5]).astype(float)
    steps = pd.DataFrame(three, columns=list(data))
    return told(
        {name: lambda o=given: fitted(model, **o) for name, given in options.items()},
        no_errors=lambda: [fitted(model, se="none"), fitted(model, se="none", test="none")],
        observed=lambda: [
            fitted(model, estimator=e, information="observed") for e in ("GLS", "ULS", "ML")
        ],
        first_order=lambda: [fitted(model, estimator="MLF"), fitted(model, se="first.order")],
        fixed=lambda: fitted(fixed),
        ordinal=lambda: [
            of_fit(sem.fit(MODEL, steps, ordered=tuple(steps), mimic=m, se=e))["document"]
            for m, e in (("Mplus", "default"), ("lavaan", "none"))
        ],
        covariate=lambda: [fitted(covariate, estimator=e) for e in ("GLS", "WLS", "DWLS")],
    )


BOUNDED = {
    "two": TWO.replace("0.7*", "").replace("0.8*", "").replace("0.6*", "").replace("0.5*", ""),
    "second": "f =~ x1 + x2 + x3\ng =~ y1 + y2 + y3\nh =~ 1*f + 1*g\nx1 ~~ y1",
    "paths": "y1 ~ x1 + x2\ny2 ~ y1 + x3\ny1 ~~ y1\nf =~ y3 + x1 + x2",
    "unit": "f =~ x1 + x2 + x3\ng =~ y1 + y2 + y3\nf ~~ 1*f\nx1 ~~ x2",
    "own": "f =~ x1 + lower(0.2)*x2 + upper(0.9)*x3\nx1 ~~ lower(-1)*x1\nx2 ~~ upper(9)*x2",
}


def bounded() -> Parts:
    data = sem.simulate_data(TWO, 80, seed=4)

    def limits(text: str, bounds: str, **options: Any) -> Any:
        fit = sem.fit(text, data, bounds=bounds, **options)
        known = fit.estimated.problem
        limits_ = bounds_of(fit.table, known.structure, known.bounding_variances, bounds)
        low, high = limits_ or ([], [])
        return [low, high, fit.theta, fit.convergence.at_bound]

    kinds = ("pos.var", "pos.ov.var", "pos.lv.var", "standard", "wide")
    return told({
        f"{name} {kind}{' unit' if unit else ''}":
            lambda t=text, k=kind, u=unit: limits(t, k, std_lv=u)
        for name, text in BOUNDED.items() for kind in kinds for unit in (False, True)
    })  # fmt: skip


def ordinal_with_covariates() -> Parts:
    data = lavaan.sample("ordinal_covariates").iloc[:160]
    named = NINE[:6]
    text = "f =~ x1 + x2 + x3\ng =~ x4 + x5 + x6\nf + g ~ age + sex"

    def resampled(fit: sem.Fit) -> Any:
        result = sem.bootstrap(fit, 4, seed=1)
        return [result.draws, result.interval_table("percentile"), result.fits.chisq]

    def whole(**options: Any) -> Iterator[Any]:
        fit = sem.fit(text, data, ordered=tuple(named), **options)
        yield of_fit(fit)
        yield sem.factor_scores(fit, data.head(5)).scores
        yield resampled(fit)

    return told(
        delta=lambda: list(whole()),
        theta=lambda: list(whole(parameterization="theta"))[:2],
        star=lambda: sem.fit(text, data, ordered=("*",), conditional_x=True).estimates,
        nothing=lambda: sem.fit(text, sample_cov=data[named].cov(), n=9, ordered=tuple(named)),
        means=lambda: list(whole(estimator="ULSMV"))[:2],
    )


def resampled() -> Parts:
    fit, groups = lavaan.replay("cfa_ml"), lavaan.replay("groups_metric")
    drawn = lavaan.resamples(fit.n, 3)

    def of(kept: sem.Fit, *given: Any, **options: Any) -> Any:
        result = sem.bootstrap(kept, *given, **options)
        kinds: Any = ("percentile", "basic", "normal")
        tables = [result.interval_table(k, standardized=s) for k in kinds for s in (False, True)]
        return [result.draws, result.fits.chisq, tables, result, result.p_value, result.shares]

    counts = [group.n for group in groups.sample.groups]
    by_group = [np.arange(3 * n).reshape(3, n) * 7 % n for n in counts]
    text = "f =~ x1 + x2 + x3\ny ~ f"
    data = lavaan.sample("three_factors").rename(columns={"x9": "y"})

    def inner(**options: Any) -> Any:
        kept = sem.fit(text, data, iseed=3, bootstrap=20, **options)
        return [kept.estimates, dict(kept.measures), kept.standardized()]

    inside = {
        kind: lambda o=options: inner(**o)
        for kind, options in {
            "errors": {"se": "bootstrap"}, "test": {"test": "bollen.stine"},
            "both": {"se": "bootstrap", "test": "bollen.stine", "ci_level": 0.8},
        }.items()
    }  # fmt: skip
    return told(
        inside,
        indices=lambda: of(fit, indices=drawn),
        groups=lambda: of(groups, indices=by_group),
        level=lambda: of(fit, 12, seed=2, level=0.8),
        parametric=lambda: of(fit, 12, seed=2, kind="parametric"),
        stine=lambda: of(fit, 12, seed=2, kind="bollen-stine"),
        few=lambda: of(fit, 1),
        two=lambda: of(fit, 2),
        negative=lambda: of(fit, indices=drawn - 1),
        beyond=lambda: of(fit, indices=drawn + 1),
        short=lambda: of(fit, indices=drawn[:, :9]),
        one=lambda: of(groups, indices=by_group[:1]),
        named=lambda: of(fit, kind="parametric", indices=drawn),
        gaps=lambda: of(lavaan.replay("fiml"), 5, kind="bollen-stine"),
        kind=lambda: of(fit, 5, kind="jackknife"),
    )


def explored() -> Parts:
    data: Any = three_correlated_factors()
    solution = efa(data, 2, starts=2)
    few = data.iloc[:44]
    turned = np.where(np.arange(9) % 3 > 0, -1.0, 1.0)
    names = list(data)
    matrices = {
        "plain": data.corr(), "unequal": data.corr().assign(v1=0.1), "large": data.corr() * 1.2,
        "gaps": data.corr().mask(np.eye(len(names), k=1) > 0),
    }  # fmt: skip
    return told(
        turned=lambda: [
            [found, found.loadings, found.phi, schmid_leiman(found) if r == "oblimin" else ""]
            for sign in (turned, -turned) for k, r in ((1, "none"), (2, "oblimin"), (3, "oblimin"),
                                                       (3, "varimax"), (3, "geomin"))
            for found in (efa(data * sign, k, starts=2, rotation=r),)
        ],
        bootstrap=lambda: bootstrap_efa(solution, data, n_bootstrap=6, seed=1, starts=2),
        intervals=lambda: [
            found.errors.intervals(found.loadings, 0.9)  # type: ignore[union-attr]
            for k, r in ((1, "none"), (2, "varimax"), (2, "oblimin"))
            for found in (efa(data, k, starts=2, rotation=r),)
        ],
        few=lambda: [correlate(few), correlate(few.iloc[: len(names)])],
        limit=lambda: [correlate(data.iloc[: 5 * len(names) - k]).diagnostics for k in (0, 1)],
        constant=lambda: [correlate(data.assign(v1=1.0)).diagnostics,
                          correlate(data.assign(v1=1.0, v2=2.0)).diagnostics],
        rows=lambda: [correlate(data.mask(data.index.to_series() < k)).diagnostics
                      for k in (1, len(data) // 10, len(data) // 10 + 1)],
        dependent=lambda: correlate(data.assign(v3=data["v1"] + data["v2"])).diagnostics,
        numbers=lambda: [efa(data, k) for k in (0, len(names))],
        small=lambda: efa(data[names[:3]], 2),
        exact=lambda: [efa(data[names[:3]], 1), efa(data[names[:6]], 3, starts=2)],
        **{f"given {k}": lambda m=m: given_correlations(m, 90) for k, m in matrices.items()},
    )  # fmt: skip


def groups_of_people() -> Parts:
    sizes = np.array([1.0, 2.0, 3.0, 5.0, 8.0])
    rng = np.random.default_rng(11)
    asked = rng.integers(4, 9, (2, 7, 5))
    truth = ps.accuracy_at(sizes, np.array([3.0, 4.5])[:, None], 0.8, lapse=0.03, guess=0.2)
    right = rng.binomial(asked, truth[:, None, :])
    return told(
        people=lambda: ps.fit_curves(right, asked, sizes, 0.2, n_bootstrap=12, seed=4),
        level=lambda: ps.fit_curves(right, asked, sizes, [0.2, 0.1], n_bootstrap=12, level=0.8),
        one=lambda: ps.fit_curves(right[:, :1], asked[:, :1], sizes, 0.2, n_bootstrap=8),
    )


def strata() -> Parts:
    table: Any = rated_scores()
    halves = table.assign(s=np.where(table["t"] < "t2", "a", np.where(table["t"] < "t4", "b", "c")))
    study = multivariate_gtheory(halves, object="p", facet="r", stratum="s")
    return told(
        study=lambda: [study, study.correlation, study.tables],
        composite=lambda: [study.composite({"a": 0.5, "b": 2.0, "c": -1.0}),
                           study.composite({"a": 1.0}, {"a": 6}),
                           study.composite({"a": 0.7, "c": 0.4}, {"c": 3, "b": 2})],
        unknown=lambda: study.composite({"d": 1.0}),
        unknown_size=lambda: study.composite({"a": 1.0}, {"e": 2}),
    )  # fmt: skip


def path_results() -> Parts:
    def whole(fit: Any) -> list[Any]:
        return [fit.weights, fit.loadings, fit.cross_loadings, fit.paths, fit.correlations,
                fit.total_effects, fit.f2, fit.scores.head(4), fit.raw_scores.head(4), fit.effects,
                fit.composites, fit.fit_measures, fit.moderation, fit.title, fit.facts, fit.srmr,
                fit.heterotrait_monotrait("htmt2"), fit.fornell_larcker,
                fit.antecedent_vif]  # fmt: skip

    every = {
        name: lambda c=case: whole(ps.fit_pls(
            c.model(), c.data() * np.linspace(1, 3, c.data().shape[1]), **c.settings()))
        for name, case in PLS.items()
    }  # fmt: skip
    model = PLS["chain_path"].model()
    noise: Any = pd.DataFrame(np.random.default_rng(8).normal(size=(14, len(model.columns))),
                              columns=list(model.columns))  # fmt: skip
    flipping = ps.fit_pls(model, noise)
    signs: Any = ("none", "construct")
    noisy = {f"noise {k}": lambda k=k: ps.bootstrap_pls(flipping, 25, seed=1, signs=k)
             for k in signs}  # fmt: skip
    ways: Any = ("mean", "em", "pairwise", "listwise")
    return told(
        {w: lambda w=w: whole(ps.fit_pls(model, with_gaps(), missing=w)) for w in ways},
        **every, **noisy,
    )  # fmt: skip


CASES: dict[str, Callable[[], Parts]] = {
    "scored": scored,
    "odd columns": odd_columns,
    "least squares": least_squares,
    "bounded": bounded,
    "ordinal with covariates": ordinal_with_covariates,
    "resampled fits": resampled,
    "explored": explored,
    "groups of people": groups_of_people,
    "strata": strata,
    "path results": path_results,
}
