"""One small result of every analysis, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from gfactor.administration.sharing.accounts import Account
from gfactor.api.analyses.fit_comparison import compare_fits
from gfactor.api.analyses.internal_consistency import consistency
from gfactor.api.analyses.q_matrices import audit_q_matrix
from gfactor.api.campaign.calibration_plan import CalibrationPlan, plan_calibration
from gfactor.api.campaign.reporting import CampaignPlan, CampaignStatus, plan_of, status_of
from gfactor.api.comparisons.comparing import Comparison
from gfactor.api.comparisons.placing import place
from gfactor.api.comparisons.updating import update_calibration
from gfactor.api.datasets import load
from gfactor.api.scores.compared_runs import Compared, ComparedQuestion
from gfactor.api.scores.correcting import CorrectedScores, correct_scores
from gfactor.benchmarks.vlmevalkit.shipped import read_anchor_set
from gfactor.psychometrics import (
    all_pairs,
    cronbach_alpha,
    difference,
    discriminant_validity,
    fit_curves,
    rank_sets,
    reliability,
    sem,
)
from gfactor.psychometrics.alignment import align, criterion_from_table
from gfactor.psychometrics.class_models import latent_classes
from gfactor.psychometrics.classical.agreement import (
    cohen_kappa,
    dawid_skene,
    fleiss_kappa,
    krippendorff_alpha,
)
from gfactor.psychometrics.factor.correlations import correlate
from gfactor.psychometrics.factor.exploratory import (
    bootstrap_efa,
    efa,
    parallel_analysis,
    schmid_leiman,
)
from gfactor.psychometrics.factor.suitability import adequacy
from gfactor.psychometrics.generalizability import gtheory, multivariate_gtheory
from gfactor.psychometrics.gold import BenchmarkScores, benchmark_diagnostics, compare_benchmarks
from gfactor.psychometrics.inference.deciding import rank_sequentially
from gfactor.psychometrics.inference.explaining import DifferenceExplanation
from gfactor.psychometrics.inference.inflation import Inflation, inflation_of
from gfactor.psychometrics.inference.inflation_each import Inflations, inflation_of_each
from gfactor.psychometrics.inference.resampling import bootstrap
from gfactor.psychometrics.irt.anchors.update_results import CalibrationUpdate
from gfactor.psychometrics.irt.checks.brokenitems import broken_items
from gfactor.psychometrics.irt.checks.comparison import compare_irt_fits
from gfactor.psychometrics.irt.checks.differential import dif
from gfactor.psychometrics.irt.estimation.conditional import fit_conditional
from gfactor.psychometrics.irt.fit import fit_irt
from gfactor.psychometrics.irt.models.explanatory import fit_design
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry
from gfactor.psychometrics.irt.scales.forms import assemble_forms
from gfactor.psychometrics.irt.scores.profiles import Profile, Ranking
from gfactor.psychometrics.norms import norm_scores
from gfactor.psychometrics.planning import FitAim, StandardError, make_plan
from gfactor.psychometrics.pls import PLSModel, bootstrap_pls, cvpat, fit_pls, predict_pls
from gfactor.psychometrics.pls.permutation import compare_groups_pls
from gfactor.psychometrics.pruning import PruningRules, prune, stability, validate
from gfactor.psychometrics.respondents import forensics
from gfactor.psychometrics.trees import analyze_gap, fit_processing_tree, perception_gap
from gfactor.replications.m3gia import (
    INDICATORS,
    POINTS,
    LanguageSample,
    published_gia,
    read_counts,
    read_human,
    repaired_gia,
    study,
)
from support.m3gia_population import sample
from support.sem_samples import two_levels

ROWS = 90
MODEL = "f =~ a1 + a2 + a3\ng =~ b1 + b2 + b3"


def _inflation() -> Inflation:
    right = (np.random.default_rng(2).random((25, 60)) < 0.6).astype(float)
    names = [f"i{k}" for k in range(60)]
    table = pd.DataFrame(right, [f"m{k}" for k in range(25)], names)
    return inflation_of(table, examinee="m0", public=names[:30], fresh=names[30:])


def _inflations() -> Inflations:
    right = (np.random.default_rng(2).random((25, 60)) < 0.6).astype(float)
    names = [f"i{k}" for k in range(60)]
    table = pd.DataFrame(right, [f"m{k}" for k in range(25)], names)
    return inflation_of_each(table, examinees=["m0", "m1"], public=names[:30], fresh=names[30:])


def _corrected() -> CorrectedScores:
    rng = np.random.default_rng(3)
    right, judge = (rng.random((2, 200)) < 0.6) * 1.0
    table = pd.DataFrame({"examinee": ["a", "b"] * 100, "item": range(200), "judge": judge})
    return correct_scores(table.assign(people=np.where(np.arange(200) < 80, right, np.nan)))


def _table() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    general = rng.normal(size=(ROWS, 1))
    parts = 0.8 * general + 0.6 * rng.normal(size=(ROWS, 2))
    values = np.repeat(parts, 3, axis=1) * 0.8 + 0.5 * rng.normal(size=(ROWS, 6))
    names = ["a1", "a2", "a3", "b1", "b2", "b3"]
    return pd.DataFrame(values, columns=names, index=[f"m{k}" for k in range(ROWS)])


TABLE: Any = _table()
RATINGS = pd.DataFrame({"r1": [1, 2, 3, 3, 2, 1, 1, 2], "r2": [1, 2, 3, 2, 2, 1, 3, 2]})
PATHS = PLSModel.of({"A": ["a1", "a2", "a3"], "B": ["b1", "b2", "b3"]}, [("A", "B")])
POOL = PLSModel.of({"A": ["a1", "a2", "a3"], "B": ["b1", "b2", "b3"], "P": ["A", "B"]}, ())
SKILLS = pd.DataFrame(
    {"A": [1, 1, 1, 0, 0, 0], "B": [0, 0, 1, 1, 1, 1]}, ["q1", "q2", "q3", "q4", "q5", "q6"]
)
HUMAN = criterion_from_table(
    pd.DataFrame({"model": TABLE.index, "rating": 1000 + 50 * TABLE["a2"].to_numpy()}), "arena"
)


@cache
def _cfa() -> Any:
    return sem.fit(MODEL, TABLE, estimator="MLR")


@cache
def _ordinal() -> Any:
    rounded = TABLE.apply(lambda column: np.digitize(column, [-0.6, 0.6]))
    return sem.fit(MODEL, rounded, ordered=list(TABLE), estimator="WLSMV")


@cache
def _pruned() -> Any:
    return prune(POOL, TABLE, PruningRules(vif=5, loading=0.75))


@cache
def _paths() -> Any:
    return fit_pls(PATHS, TABLE)


@cache
def _persons() -> pd.DataFrame:
    z = sample(1, 80).to_numpy()
    counts = np.clip(np.rint(POINTS * (0.72 + 0.13 * z)), 0, POINTS)
    return pd.DataFrame(counts, columns=list(INDICATORS))


@cache
def _models() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    level = np.linspace(0.2, 0.75, 8)[:, None]
    share = np.clip(level + rng.normal(0, 0.08, (8, 18)), 0, 1)
    frame = pd.DataFrame(np.rint(share * POINTS), columns=list(INDICATORS))
    return frame.set_axis([f"m{i}" for i in range(8)], axis=0)


def _study() -> Any:
    given = LanguageSample("En", read_counts(_models()), read_human(_persons()))
    return study([given, LanguageSample("Zh", read_counts(_models()))], n_bootstrap=20, splits=2)


def _curves() -> Any:
    right = [[10, 10, 9, 6, 5], [3, 4, 5, 1, 2]]
    return fit_curves(right, [[10] * 5] * 2, [1, 2, 3, 4, 5], 0.5, n_bootstrap=20)


def _kappa_of_one_value() -> Any:
    return cohen_kappa(pd.DataFrame({"a": [1, 1, 1], "b": [1, 1, 1]}), n_bootstrap=20)


@cache
def _answers() -> Any:
    rng = np.random.default_rng(6)
    theta = rng.normal(size=(200, 1))
    right = rng.uniform(size=(200, 6)) < 1 / (1 + np.exp(np.linspace(-1, 1, 6) - 1.5 * theta))
    return pd.DataFrame(right.astype(int), columns=[f"i{k}" for k in range(6)])


def _scored() -> Any:
    """Scores of persons on items of two tests, one per row."""
    rng = np.random.default_rng(3)
    persons = rng.normal(size=30)
    rows = [
        (p, f"{test}{k}", test, persons[p] + rng.normal())
        for p in range(30)
        for test in "ab"
        for k in range(6)
    ]
    return pd.DataFrame(rows, columns=["person", "item", "test", "score"])


def _three_views() -> Any:
    """The same items with a picture, in words, and without either."""
    rng = np.random.default_rng(1)
    seen, reasoned = rng.random((2, 200)) < [[0.6], [0.9]]
    guess = rng.random((3, 200)) < 0.25
    views = {"image": seen & reasoned | guess[0], "text": reasoned | guess[1], "blind": guess[2]}
    return pd.DataFrame(views).astype(int)


def _forms() -> Any:
    """Two forms of twelve items, linked by three."""
    entries = [Entry(f"i{k}", "2pl", (0.0, 1.0), (1.0, k / 6 - 1)) for k in range(12)]
    names = tuple(f"{entry.name}.d" for entry in entries)
    known = Calibration("item", "rasch", tuple(entries), names, 0.01 * np.eye(12))
    return assemble_forms(known, length=6, parallel=2, anchors=3, tolerance=0.1, respondents=90)


TREE = {
    "text": {"right": "r + (1 - r) * g", "wrong": "(1 - r) * (1 - g)"},
    "blind": {"right": "g", "wrong": "1 - g"},
}
COUNTS = {"text.right": 80, "text.wrong": 20, "blind.right": 25, "blind.wrong": 75}


def _explained() -> DifferenceExplanation:
    shares = pd.DataFrame({
        "estimate": [0.1, 0.0], "se": [0.02, np.nan],
        "ci_lower": [0.06, np.nan], "ci_upper": [0.14, np.nan], "method": ["runs", "rest"],
        "first": ["as they are", ""], "second": ["half size", ""],
    }, ["images", "unexplained"])  # fmt: skip
    scores = pd.DataFrame({"score": [0.6, 0.5], "items": 90}, ["first", "second"])
    return DifferenceExplanation("m (a)", "m (b)", scores, shares, 0.1, 0.95, 90, pd.DataFrame())


def _profile() -> Profile:
    abilities = pd.DataFrame({
        "ability": ["Gf"], "name": ["reasoning (Gf)"],
        "theta": [0.5], "se": [0.3], "ci_lower": [-0.09], "ci_upper": [1.09],
        "theta_logits": [1.0], "se_logits": [0.6],
        "ci_lower_logits": [-0.18], "ci_upper_logits": [2.18],
        "p_families": [np.nan], "power": [0.4], "p_apart": [0.3], "difference": [1.0],
        "p_guessing": [0.001],
        "withheld": ["power"],
        "items": [2], "stop": ["se"], "se_measurement": [0.29], "se_calibration": [0.08],
        "zh": [0.1], "p_fit": [0.5], "outfit": [1.0], "claim": [False],
        "wle": [0.6], "wle_lower": [-0.1], "wle_upper": [1.4],
    })  # fmt: skip
    thresholds = pd.DataFrame({
        "family": ["matrices"], "radical": ["rules"], "threshold": [2.5], "ci_lower": [np.nan],
        "ci_upper": [2.9], "supported": [False], "n": [2], "right": [1.0], "p_falls": [0.5],
        "says": [""],
    })  # fmt: skip
    families = pd.DataFrame({
        "ability": ["Gf"], "family": ["matrices"], "n": [2], "right": [1.0], "expected": [1.2],
        "p": [np.nan], "p_adjusted": [np.nan], "detectable": [np.nan],
    })  # fmt: skip
    answers = pd.DataFrame({
        "step": [0, 1], "ability": "Gf", "family": "matrices", "cell": ["a", "b"], "number": 0,
        "item_hash": ["x", "y"], "score": [1.0, np.nan], "chance": [0.6, 0.4],
        "theta_before": [0.0, 0.3], "se_before": [1.0, 0.8], "reply": ["A", "B"], "asked": 1,
        "tokens": 0, "counted": False, "cost": 0.0, "priced": False, "twin": np.nan,
    })  # fmt: skip
    curves = pd.DataFrame({
        "family": "matrices", "radical": "rules", "level": [2, 3], "right": [1.0, 0.0],
        "n": [1.0, 1.0], "fitted": [0.7, 0.3],
    })  # fmt: skip
    twins = pd.DataFrame({
        "ability": ["all"], "n": [2], "image": [0.5], "text": [1.0], "difference": [-0.5],
        "ci_lower": [-0.9], "ci_upper": [0.2],
    })  # fmt: skip
    others = pd.DataFrame({
        "examinee": [f"person:{k}" for k in "abc"] + ["openai:m"],
        "kind": ["person"] * 3 + ["model"], "ability": "Gf", "theta": [0.1, 0.2, 0.3, 0.9],
        "se": 0.3, "n": 20,
    })  # fmt: skip
    known = {"population": "30 people", "digest": "0" * 64, "simulated": False}
    return Profile("openai:n", "default", abilities, thresholds, families, answers, known, 2,
                   None, 0.5, curves, twins, others)  # fmt: skip


def _ranking() -> Ranking:
    table = pd.DataFrame({
        "ability": "Gf", "rank": [1, 2], "examinee": ["a", "b"], "theta": [1.0, -1.0],
        "se": 0.3, "items": 12, "apart": True, "theta_logits": [2.0, -2.0], "se_logits": 0.6,
    })  # fmt: skip
    undecided = pd.DataFrame(columns=["ability", "first", "second"])
    known = {"population": "limited observers", "digest": "0" * 64, "simulated": True}
    return Ranking(table, undecided, 0.95, 24, 80, known)


def _campaign_rows() -> pd.DataFrame:
    return pd.DataFrame({
        "bank": "b", "model": ["m", "n"], "examinee": ["openai:m", "observer:ideal"],
        "condition": "default", "occasion": 0, "items": 10, "wanted": 10, "done": [4, 10],
        "failed": [1, 0], "left": [6, 0], "requests": [6, 0], "tokens_in": 50.0, "tokens_out": 9.0,
        "cost": [0.5, 0.0], "cost_most": [1.0, 0.0], "cost_sum": [2.0, 0.0],
        "cost_left": [3.0, 0.0], "tokens_in_left": [300.0, 0.0], "tokens_out_left": [54.0, 0.0],
    })  # fmt: skip


def _campaign_plan() -> CampaignPlan:
    return plan_of("c", _campaign_rows(), 0.1, 2.5, {"m"})


def _campaign_status() -> CampaignStatus:
    money = {"openai:m": Account(2.0, 0.25, 0.5)}
    caps = {"openai:m": 4.0}
    return status_of("c", _campaign_rows(), None, money, caps, 2.5, 1, {"n": "it is down"}, ())


def _comparison() -> Comparison:
    differences = all_pairs(TABLE[["a1", "a2", "b1"]])
    runs = list(differences.runs.scores.columns)
    ranks = rank_sets(differences, n_bootstrap=50)
    none = dict.fromkeys(runs, 0)
    whole = Compared(differences, ranks, none, dict.fromkeys(runs, 0.25), {})
    return Comparison({"toy": whole}, {}, None, ComparedQuestion(), False, False)


@cache
def _answers_of_models() -> pd.DataFrame:
    return load("vlm_items").answers.iloc[:3, ::60]


def _calibration_update() -> CalibrationUpdate:
    answers = _answers_of_models().rename(index=lambda name: f"{name}-next")
    return update_calibration("real-vlm-2025", answers, families={n: n for n in answers.index})


def _calibration_plan() -> CalibrationPlan:
    models = [f"observer:limited?capacity={k}&seed={k}" for k in range(4, 34)]
    with TemporaryDirectory() as folder:
        plan = plan_calibration(
            models, Path(folder) / "c.toml", item_families=["letter_series"], se=0.5
        )
    return replace(plan, path=Path("c.toml"))


def _two_levels() -> Any:
    model = "level: 1\nf =~ y1 + y2 + y3\nlevel: 2\ng =~ y1 + y2 + y3"
    return sem.fit(model, two_levels(), cluster="school")


_MAKERS: dict[str, Callable[[], Any]] = {
    "calibration plan": _calibration_plan,
    "campaign plan": _campaign_plan,
    "campaign status": _campaign_status,
    "anchors": lambda: read_anchor_set("real-vlm-2025"),
    "calibration update": _calibration_update,
    "placement": lambda: place(_answers_of_models().iloc[:2]),
    "adequacy": lambda: adequacy(TABLE),
    "adequacy of a singular matrix": lambda: adequacy(TABLE.assign(a4=TABLE["a1"] * 2)),
    "latent classes": lambda: latent_classes((TABLE > 0).astype(int), 2, starts=3),
    "q-matrix": lambda: audit_q_matrix(SKILLS, TABLE.set_axis(SKILLS.index, axis=1)),
    "agreement, alpha": lambda: krippendorff_alpha(RATINGS, "ordinal", n_bootstrap=50),
    "agreement, Fleiss": lambda: fleiss_kappa(RATINGS, n_bootstrap=50),
    "agreement, undefined": _kappa_of_one_value,
    "consensus": lambda: dawid_skene(RATINGS.assign(r3=RATINGS["r1"]), prior=0.5, n_bootstrap=20),
    "alignment": lambda: align(pd.Series(TABLE.mean(axis=1)), HUMAN),
    "bootstrap": lambda: bootstrap(cronbach_alpha, TABLE, n_bootstrap=20),
    "bootstrap of an efa": lambda: bootstrap_efa(efa(TABLE, 2), TABLE, n_bootstrap=5),
    "difference": lambda: difference(TABLE["a1"], TABLE["a2"]),
    "difference of two items": lambda: difference(TABLE["a1"].head(2), TABLE["a2"].head(2)),
    "decisions": lambda: rank_sequentially((TABLE[["a1", "a2", "b1"]] > 0).astype(float)),
    "comparison": _comparison,
    "inflation": _inflation,
    "inflation of several": _inflations,
    "corrected scores": _corrected,
    "differences": lambda: all_pairs(TABLE[["a1", "a2", "b1"]]),
    "discriminant validity": lambda: discriminant_validity(
        TABLE, {"A": ["a1", "a2", "a3"], "B": ["b1", "b2", "b3"]}, n_bootstrap=50
    ),
    "explained difference": _explained,
    "efa": lambda: efa(TABLE, 2),
    "efa, no degrees of freedom": lambda: efa(TABLE[["a1", "a2", "a3"]], 1, rotation="none"),
    "efa, parallel": lambda: efa(TABLE),
    "forensics": lambda: forensics({"a": TABLE.round(1), "b": TABLE.round(1).head(30)}),
    "forms": _forms,
    "generalizability": lambda: gtheory(_scored(), object="person", facets=["item"]),
    "generalizability of several": lambda: multivariate_gtheory(
        _scored(), object="person", facet="item", stratum="test"
    ),
    "gold": lambda: benchmark_diagnostics(TABLE, POOL, n_bootstrap=20),
    "gold of several": lambda: compare_benchmarks(
        {"a": BenchmarkScores(TABLE, POOL), "b": BenchmarkScores(TABLE.head(50), POOL)},
        criterion=HUMAN,
        n_bootstrap=20,
    ),
    "gia, published": lambda: published_gia(read_counts(_models()), "En"),
    "gia, repaired": lambda: repaired_gia(
        read_counts(_models()), read_human(_persons()), "En", n_bootstrap=20, splits=2
    ),
    "gia, study": _study,
    "irt": lambda: fit_irt("rasch", _answers()),
    "irt, broken items": lambda: broken_items(fit_irt("rasch", _answers()), simulations=5),
    "consistency": lambda: consistency(TABLE.drop(columns="lab", errors="ignore")),
    "irt, drawn": lambda: fit_irt("rasch", _answers(), method="mhrm"),
    "irt, fits": lambda: compare_fits(
        *(fit_irt(name, _answers()) for name in ("rasch", "1pl", "2pl"))
    ),
    "irt, comparison": lambda: compare_irt_fits(
        fit_irt("rasch", _answers()), fit_irt("1pl", _answers())
    ),
    "irt, conditional": lambda: fit_conditional("rasch", _answers()),
    "irt, functioning": lambda: dif("2pl", _answers(), groups=["u", "v"] * 100),
    "irt, design": lambda: fit_design(
        _answers(),
        pd.DataFrame({"one": 1.0, "size": np.arange(6.0)}, index=list(_answers())),
    ),
    "norms": lambda: norm_scores(
        TABLE[["a1"]].round(1), pd.DataFrame({"g": ["u", "v", "v"] * 30}, index=TABLE.index)
    ),
    "parallel": lambda: parallel_analysis(correlate(TABLE), draws=20),
    "plan": lambda: make_plan(FitAim(40.0), 0.8, simulations=50),
    "plan, not reached": lambda: make_plan(
        StandardError(accuracy=0.5), 0.01, tries={"item": [50]}, simulations=0
    ),
    "pls": _paths,
    "profile": _profile,
    "profile, ranking": _ranking,
    "pls bootstrap": lambda: bootstrap_pls(_paths(), 20, seed=1, bca=False),
    "pls groups": lambda: compare_groups_pls(
        _paths(), ["a", "b"] * (len(TABLE) // 2), seed=1, permutations=20
    ),
    "pls prediction": lambda: predict_pls(_paths(), folds=3, seed=1),
    "pls predictive ability": lambda: cvpat(predict_pls(_paths(), folds=3, seed=1)),
    "perception gap": lambda: perception_gap(_three_views()),
    "gap analysis": lambda: analyze_gap(_three_views()),
    "processing tree": lambda: fit_processing_tree(TREE, COUNTS),
    "pruning": _pruned,
    "pruning stability": lambda: stability(TABLE, _pruned(), n_bootstrap=20),
    "pruning validation": lambda: validate(TABLE, _pruned(), criterion=HUMAN, folds=3),
    "psychometric functions": _curves,
    "rank sets": lambda: rank_sets(all_pairs(TABLE[["a1", "a2", "b1"]]), n_bootstrap=50),
    "reliability": lambda: reliability(TABLE),
    "reliability of two": lambda: reliability(TABLE[["a1", "a2"]].head(4)),
    "schmid-leiman": lambda: schmid_leiman(efa(TABLE, 2)),
    "sem": _cfa,
    "sem, ordinal": _ordinal,
    "sem, no degrees of freedom": lambda: sem.fit("f =~ a1 + a2 + a3", TABLE),
    "sem, two levels": _two_levels,
    "sem, not identified": lambda: sem.fit("f =~ a1 + a2", TABLE),
    "sem bootstrap": lambda: sem.bootstrap(_cfa(), 20, seed=1),
    "sem comparison": lambda: sem.compare_fits(
        sem.fit(MODEL + "\nf ~~ 0.5*g", TABLE, estimator="MLR"), _cfa()
    ),
    "sem, not nested": lambda: sem.compare_non_nested(
        sem.fit(MODEL, TABLE, meanstructure=True),
        sem.fit("f =~ a1 + a2 + a3 + b1 + b2 + b3\na1 ~~ b1", TABLE, meanstructure=True),
    ),
    "sem, Wald": lambda: sem.fit(MODEL + "\nf ~~ r*g", TABLE).wald_test("r == 0"),
    "sem invariance": lambda: sem.invariance(
        MODEL, TABLE.assign(lab=["u", "v"] * (ROWS // 2)), "lab"
    ),
    "sem reliability": lambda: sem.reliability(_cfa()),
    "sem scores": lambda: _cfa().scores(),
    "sem simulation": lambda: sem.simulation_study(_cfa(), 80, replications=20, seed=1),
}

RESULTS = {name: cache(make) for name, make in _MAKERS.items()}
"""Each is made once for a process: results are frozen."""
