"""Results of every room of psychometrics but structural equation models, on simulated data."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from support.benchmarks import simulated
from support.factor_samples import three_correlated_factors
from support.oracles import ORACLES
from support.persons import POINTS, counts, independent
from support.records import told

from gfactor import psychometrics as ps
from gfactor.psychometrics import alignment, gold, irt, pruning, respondents
from gfactor.psychometrics.classical.agreement import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)
from gfactor.psychometrics.factor.correlations import correlate
from gfactor.psychometrics.factor.exploratory import efa, parallel_analysis, schmid_leiman
from gfactor.psychometrics.factor.suitability import adequacy
from gfactor.psychometrics.inference.intervals import cluster_t_counts
from gfactor.psychometrics.irt.checks.brokenitems import broken_items
from gfactor.psychometrics.irt.checks.differential import dif
from gfactor.psychometrics.irt.checks.itemfit import item_fit, person_fit, q3
from gfactor.psychometrics.irt.checks.observed_differential import logistic_dif, mantel_haenszel
from gfactor.psychometrics.irt.checks.overallfit import overall_fit
from gfactor.psychometrics.irt.documents import document
from gfactor.psychometrics.irt.estimation.conditional import fit_conditional
from gfactor.psychometrics.irt.models.explanatory import design_matrix, fit_design

sys.path.insert(0, str(Path(__file__).parent / "pls"))
from pls_cases import CASES as PLS  # pyright: ignore[reportMissingImports]
from pls_cases import with_gaps  # pyright: ignore[reportMissingImports]

Parts = dict[str, Any]


def answers(persons: int = 90, items: int = 14, seed: int = 1) -> pd.DataFrame:
    """Right and wrong answers with some gaps; two items run against the others."""
    rng = np.random.default_rng(seed)
    theta, b = rng.normal(size=(persons, 1)), np.linspace(-1.8, 1.8, items)
    turn = np.where(np.arange(items) % 7 == 6, -0.6, 1.0)
    right = rng.random((persons, items)) < 1 / (1 + np.exp(-1.3 * turn * (theta - b)))
    frame = pd.DataFrame(right.astype(float), columns=[f"i{k:02}" for k in range(items)])
    return frame.mask(rng.random(frame.shape) < 0.03)


def intervals() -> Parts:
    k, n = np.array([0, 1, 3, 9, 10, 0]), np.array([10, 10, 10, 10, 10, 0])
    rng = np.random.default_rng(2)
    values, clusters = rng.random(40), rng.integers(0, 8, 40)
    other = values + rng.normal(0, 0.2, 40)
    return told(
        wilson=lambda: [ps.wilson(k, n), ps.wilson(k, n, 0.9)],
        jeffreys=lambda: [ps.jeffreys(k, n), ps.jeffreys(k, n, 0.8)],
        cluster_t=lambda: [ps.cluster_t(values, clusters), ps.cluster_t(values, clusters, 0.9)],
        one_cluster=lambda: [ps.cluster_t(values[:3], [1, 1, 1]), ps.cluster_t([], [])],
        cluster_t_counts=lambda: [cluster_t_counts([[3, 4], [5, 1]], [[6, 6], [6, 6]])],
        cluster_bootstrap=lambda: ps.cluster_bootstrap(values, clusters, n_bootstrap=200),
        paired_bootstrap=lambda: ps.paired_bootstrap(values, other, clusters, n_bootstrap=200),
    )


def differences() -> Parts:
    data = answers(120, 5, 3).fillna(0.0)
    points = data + np.random.default_rng(4).integers(0, 3, data.shape) / 4
    clusters = np.arange(120) // 6
    methods: Any = ("auto", "exact", "t", "bootstrap")
    every = told(**{
        m: lambda m=m: ps.difference(data["i00"], data["i01"], method=m, n_bootstrap=200)
        for m in methods
    })  # fmt: skip
    pairs = ps.all_pairs(points, n_bootstrap=200)
    p = [0.001, 0.02, 0.03, 0.04, 0.5, 0.9]
    return every | told(
        pairs=lambda: pairs,
        clustered=lambda: ps.all_pairs(data, clusters, n_bootstrap=200, level=0.9),
        small=lambda: ps.all_pairs(data.iloc[:9], n_bootstrap=100),
        ranks=lambda: ps.rank_sets(pairs, n_bootstrap=200),
        families=lambda: [ps.holm(p), ps.benjamini_hochberg(p), ps.benjamini_yekutieli(p),
                          ps.holm_directional(p)],
    )  # fmt: skip


def classical() -> Parts:
    data: Any = answers(70, 9, 5).fillna(0.0)
    rng = np.random.default_rng(6)
    truth = rng.integers(1, 5, 50)
    rated = pd.DataFrame({
        r: np.where(rng.random(50) < 0.7, truth, rng.integers(1, 5, 50)) for r in "abc"
    }).astype(float)  # fmt: skip
    gaps = rated.mask(rng.random(rated.shape) < 0.1)
    two: Any = rated[["a", "b"]]
    return told(
        reliability=lambda: [ps.reliability(data), ps.reliability(data, level=0.9, splits=50)],
        alpha=lambda: [ps.cronbach_alpha(data), ps.cronbach_alpha(data[["i00"]])],
        feldt=lambda: [ps.feldt_interval(0.8, 50, 9), ps.feldt_interval(0.8, 1, 9)],
        halves=lambda: ps.split_half(data, 20),
        kappa=lambda: [cohen_kappa(two, w, n_bootstrap=60)
                       for w in ("none", "linear", "quadratic")],
        fleiss=lambda: fleiss_kappa(rated, n_bootstrap=60),
        fleiss_gaps=lambda: fleiss_kappa(gaps, n_bootstrap=60),
        alphas=lambda: [krippendorff_alpha(gaps, level, n_bootstrap=60)
                        for level in ("nominal", "ordinal", "interval", "ratio")],
    )  # fmt: skip


def exploratory(method: str, rotation: str) -> Parts:
    data = three_correlated_factors()
    solution = efa(data, 3, method=method, rotation=rotation, starts=4)
    return told(
        solution=lambda: solution,
        loadings=lambda: [solution.loadings, solution.phi, solution.fit],
        general=lambda: schmid_leiman(solution),
    )


def factors() -> Parts:
    data: Any = three_correlated_factors()
    made = correlate(data)
    few = data.iloc[:40].assign(v10=lambda x: x["v1"] + x["v2"], v11=lambda x: x["v3"] ** 2)
    gaps = data.mask(np.random.default_rng(3).random(data.shape) < 0.02)
    names = list(data.columns)
    return told(
        adequacy=lambda: [adequacy(data), adequacy(data.corr(), 240)],
        doubtful=lambda: [adequacy(few), adequacy(gaps)],
        parallel=lambda: [parallel_analysis(made, kind, draws=40, seed=1)
                          for kind in ("factors", "components")],
        mean=lambda: parallel_analysis(made, percentile=50, draws=40, seed=2),
        chosen=lambda: efa(gaps, starts=3),
        singular=lambda: efa(few, 5, starts=2),
        many=lambda: efa(few.drop(columns="v10"), 5, starts=2),
        one=lambda: efa(data[names[:4]], 1),
        bifactor=lambda: efa(data, 4, method="minres", rotation="geomin", starts=3, delta=0.02),
        power=lambda: efa(data, 3, rotation="promax", power=3.0),
        kaiser=lambda: efa(data, 2, rotation="varimax", kaiser=False, starts=2),
        gamma=lambda: efa(data, 2, rotation="oblimin", gamma=0.1, starts=2),
    )  # fmt: skip


def pls(name: str) -> Parts:
    case = PLS[name]
    fit = ps.fit_pls(case.model(), case.data(), **case.settings())
    return told(
        fit=lambda: fit,
        tables=lambda: [fit.measurement, fit.paths, fit.r2, fit.reliability, fit.htmt, fit.fit],
        bootstrap=lambda: ps.bootstrap_pls(fit, 30, seed=2),
        no_signs=lambda: ps.bootstrap_pls(fit, 12, seed=3, signs="none", bca=False, level=0.9),
        prediction=lambda: ps.predict_pls(fit, folds=4, seed=4),
        repeated=lambda: ps.predict_pls(fit, folds=3, repeats=2, technique="earliest",
                                        linear_model="others"),
    )  # fmt: skip


def pls_with_gaps() -> Parts:
    model = PLS["chain_path"].model()
    ways = ("error", "listwise", "mean", "em", "pairwise")
    return told(**{
        way: lambda way=way: ps.fit_pls(model, with_gaps(), missing=way)  # type: ignore[arg-type]
        for way in ways
    })  # fmt: skip


def rated(data: pd.DataFrame, n: int) -> alignment.Criterion:
    values = data.iloc[:n].mean(axis=1) + np.random.default_rng(7).normal(0, 4.0, n)
    return alignment.Criterion("arena", values, pd.Series(3.0, index=data.index[:n]))


def benchmarks() -> Parts:
    data = simulated(60, tasks=4)
    model = gold.model_from_columns(list(data))
    other = simulated(50, tasks=3, seed=4)
    named = {"B.C1.t1": 45.0}
    low = data.mask(np.random.default_rng(8).random(data.shape) < 0.02)
    short = data.set_axis([f"fam{k // 3}-{k % 3 + 1}b" for k in range(60)])
    criterion = rated(data, 30)
    found = gold.benchmark_diagnostics(data, model, n_bootstrap=30)
    one = gold.BenchmarkScores(data, model)
    two = gold.BenchmarkScores(other, gold.model_from_columns(list(other)))
    return told(
        diagnostics=lambda: found,
        tasks=lambda: [found.tasks, found.table, found.htmt],
        chance=lambda: gold.benchmark_diagnostics(low, model, missing="mean", chance=named,
                                                  n_bootstrap=20, size=15),
        families=lambda: gold.benchmark_diagnostics(short, model, n_bootstrap=20,
                                                    families="clusters"),
        one_each=lambda: gold.benchmark_diagnostics(short, model, n_bootstrap=20, families="one"),
        compared=lambda: gold.compare_benchmarks({"a": one, "b": two}, criterion=criterion,
                                                 n_bootstrap=20),
        correlations=lambda: gold.diagnostics_of_correlations(data.corr(), model),
        reference=lambda: [gold.exchangeable(5, 0.4), gold.restricted(0.6, 0.7),
                           gold.chance_inflation(40, 6)],
        alignment=lambda: alignment.align(data.mean(axis=1), criterion),
        agreement=lambda: alignment.rank_agreement(data.mean(axis=1), criterion.ratings, 12),
        coefficients=lambda: [alignment.coefficient(data["B.C1.t1"], data["B.C2.t1"], k)
                              for k in ("pearson", "spearman", "kendall")],
        difference=lambda: alignment.correlation_difference(
            data["B.C1.t1"], data["B.C2.t1"], data["B.C3.t1"], "spearman", 0.9),
        standardized=lambda: alignment.standardized_mean(data, data.iloc[:20]),
    )  # fmt: skip


def pruned() -> Parts:
    data = simulated(60, tasks=4, spread=1.4)
    model = gold.model_from_columns(list(data))
    made = pruning.prune(model, data, pruning.PruningRules(vif=3, loading=0.8))
    return told(
        pruning=lambda: [made, pruning.prune(model, data)],
        rules=lambda: [pruning.prune(model, data, pruning.PruningRules(order=o, vif=2.5))
                       for o in ("one", "all")],
        stability=lambda: pruning.stability(data, made, n_bootstrap=40, seed=1),
        ablation=lambda: pruning.ablation(model, data, vif=(3.0, 5.0), loading=(0.7, 0.8)),
        validation=lambda: pruning.validate(data, made, folds=3, criterion=rated(data, 40)),
        plain=lambda: pruning.validate(data, made, folds=4, size=10, seed=2),
    )  # fmt: skip


def examined() -> Parts:
    samples = independent(np.random.default_rng(9))
    a, b = samples["A"], samples["B"].copy()
    b.iloc[:12] = a.iloc[:12].to_numpy()
    raw = counts(60, np.random.default_rng(10))
    points = {name: float(p) for name, p in zip(raw.columns, POINTS, strict=True)}
    odd = raw.copy()
    odd["t00"] = 4.0
    odd.iloc[3, 2], odd.iloc[4, 3] = 16.0, -1.0
    odd.iloc[7], odd.iloc[8] = odd.iloc[6], odd.iloc[6]
    odd.iloc[20] = 0.0
    return told(
        copied=lambda: respondents.forensics({"a": a, "b": b, "C": samples["C"]}),
        counts=lambda: respondents.forensics(odd, points=points, counts=True),
        reference=lambda: respondents.forensics(raw.iloc[:30], reference=raw.iloc[30:], seed=2),
        continuous=lambda: respondents.forensics({
            "x": raw + np.random.default_rng(1).normal(0, 0.01, raw.shape),
            "y": odd + np.random.default_rng(2).normal(0, 0.01, odd.shape),
        }),
        families=lambda: respondents.families("a", odd),
    )  # fmt: skip


def valid() -> Parts:
    case = PLS["chain_path"]
    data, blocks = case.data(), case.blocks
    variants: Any = ("htmt", "htmt2", "raw", "gold")
    return told(**{
        v: lambda v=v: ps.discriminant_validity(data, blocks, variant=v, n_bootstrap=40)
        for v in variants
    }, gaps=lambda: ps.discriminant_validity(with_gaps(), blocks, missing="listwise",
                                             n_bootstrap=30, level=0.9, seed=3))  # fmt: skip


def curves() -> Parts:
    sizes = np.arange(1, 13, dtype=float)
    truth = ps.accuracy_at(sizes, 6.0, 0.7, lapse=0.02, guess=0.25)
    asked = np.full((5, 12), 20)
    right = np.random.default_rng(11).binomial(asked, truth)
    right[3], right[4] = 20, 5
    guess = np.tile(1 / (sizes + 1), (2, 1))
    return told(
        fixed=lambda: ps.fit_curves(right, asked, sizes, 0.25, n_bootstrap=20),
        falling=lambda: ps.fit_curves(
            right[:2], asked[:2], sizes, guess, n_bootstrap=20, level=0.9
        ),
        none=lambda: ps.fit_curves(right[:2], asked[:2], sizes, n_bootstrap=10, seed=3),
        few=lambda: ps.fit_curves(right[:1, :3], asked[:1, :3], sizes[:3], n_bootstrap=5),
    )


def sim(name: str) -> pd.DataFrame:
    return pd.read_csv(ORACLES / "irt" / "data" / f"{name}.csv")


def fitted(data: pd.DataFrame, model: Any, **options: Any) -> Parts:
    fit = irt.fit_irt(model, data, **options)
    given = np.linspace(-2, 2, 5)
    return told(
        information=lambda: fit.information(given),
        sums=fit.sum_scores,
        document=lambda: document(fit),
        text=lambda: [fit.summary(), repr(fit)],
        eap=lambda: [fit.scores().head(12), fit.reliability, fit.plausible_values(2).head(6)],
        scores=lambda: [fit.scores(m).head(12) for m in ("map", "wle", "ml")],
        overall=lambda: overall_fit(fit),
        items=lambda: item_fit(fit),
        persons=lambda: person_fit(fit).head(20),
        residuals=lambda: q3(fit),
    )


def responses() -> Parts:
    data = answers(120, 10, 12)
    return told(
        broken=lambda: broken_items(irt.fit_irt("2pl", data)),
        conditional=lambda: [fit_conditional("rasch", data.dropna()),
                             fit_conditional("rsm", sim("sim_rating")),
                             fit_conditional("pcm", sim("sim_pcm").iloc[:150])],
    )  # fmt: skip


def differential() -> Parts:
    frame = sim("sim_mg_dif")
    focal = frame["group"].to_numpy() == 1
    items = frame.drop(columns="group")
    return told(
        mantel=lambda: mantel_haenszel(items, focal),
        logistic=lambda: logistic_dif(items, focal),
        models=lambda: dif("2pl", items.iloc[::3, :6], groups=frame["group"].iloc[::3]),
    )


def designed() -> Parts:
    frame = sim("sim_design")
    items = frame.drop(columns=["age", "trained"]).iloc[:150]
    known = pd.DataFrame(
        [str(n).split("_")[:3] for n in items], items.columns, ["kind", "half", "size"]
    )
    design = design_matrix("~ C(kind) + C(half) + C(size)", known)
    return told(
        design=lambda: design,
        fit=lambda: fit_design(items, design),
        plain=lambda: fit_design(items, design, restricted=False),
    )


CASES: dict[str, Callable[[], Parts]] = {
    "intervals": intervals,
    "differences": differences,
    "classical": classical,
    "factors": factors,
    **{
        f"efa {method} {rotation}": lambda m=method, r=rotation: exploratory(m, r)
        for method, rotation in (("ml", "oblimin"), ("minres", "geomin"), ("pa", "promax"),
                                 ("ml", "varimax"), ("minres", "quartimax"), ("ml", "none"))
    },
    **{f"pls {name}": lambda name=name: pls(name) for name in PLS},
    "pls with gaps": pls_with_gaps,
    "benchmarks": benchmarks,
    "pruning": pruned,
    "respondents": examined,
    "validity": valid,
    "psychophysics": curves,
    "rasch": lambda: fitted(answers(), "rasch"),
    "2pl": lambda: fitted(sim("sim_2pl").iloc[:250], "2pl"),
    "3pl": lambda: fitted(sim("sim_3pl").iloc[:400, :12], "3pl"),
    "graded": lambda: fitted(sim("sim_grm").iloc[:250], "grm"),
    "partial credit": lambda: fitted(sim("sim_pcm").iloc[:200], "pcm"),
    "generalized partial credit": lambda: fitted(sim("sim_gpcm").iloc[:250], "gpcm"),
    "rating": lambda: fitted(sim("sim_rating"), "rsm"),
    "nominal": lambda: fitted(sim("sim_nrm").iloc[:400, :5], "nrm"),
    "clustered": lambda: fitted(answers(), "rasch", clusters=np.arange(90) // 5),
    "sandwich": lambda: fitted(answers(), "2pl", errors="sandwich"),
    "bifactor": lambda: fitted(
        answers(150, 7, 13), "2pl", quadrature=irt.Quadrature(15, 5.0), errors="sandwich",
        bifactor={"s": ["i01", "i02", "i03"], "t": ["i04", "i05"]},
    ),
    "two factors": lambda: fitted(
        sim("sim_mirt2").iloc[:200], "2pl", quadrature=irt.Quadrature(11, 4.0),
        factors={"f": [*sim("sim_mirt2")][::2], "g": [*sim("sim_mirt2")][1::2]},
    ),
    "exploratory": lambda: fitted(
        answers(120, 6, 14), "2pl", factors=2, quadrature=irt.Quadrature(9, 4.0)
    ),
    "groups": lambda: fitted(
        answers(120, 6, 15), "2pl", groups=["a", "b"] * 60, free_items=["i01"], reference="b"
    ),
    "unequal intercepts": lambda: fitted(
        answers(120, 6, 16), "1pl", groups=["a", "b", "b"] * 40, equal=("slopes",)
    ),
    "covariates": lambda: fitted(
        answers(90, 6, 17), "rasch", covariates=pd.DataFrame({"x": np.arange(90) % 7})
    ),
    "guess": lambda: fitted(answers(90, 8, 18), "2pl", guess=0.2),
    "priors": lambda: fitted(
        answers(90, 6, 19), "4pl",
        priors={"slope": ("lognormal", 0.0, 0.5), "guess": ("beta", 5.0, 17.0)},
    ),
    "restricted": lambda: fitted(
        answers(90, 6, 20), "2pl", constraints=[["i01.a1", "i02.a1"]], fixed={"i03.a1": 1.2},
        weights=np.arange(90) % 3 + 1.0, starts=2, seed=5,
    ),
    "one model per item": lambda: fitted(
        sim("sim_pcm").iloc[:150, :5], {"i01": "grm", "i02": "pcm", "i03": "gpcm", "i04": "nrm",
                                         "i05": "gpcm"},
    ),
    "few persons": lambda: fitted(answers(12, 6, 21), "2pl", force=True),
    "responses": responses,
    "dif": differential,
    "design": designed,
}  # fmt: skip
