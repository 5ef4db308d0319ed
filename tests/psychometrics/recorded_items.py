"""Results of item response models at their edges: spreads of clones, functions of stimuli, checks
by simulation, shrunk items, designs, many items, odd responses, testlets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from recorded_plans import bank, exam
from recorded_rooms import answers, fitted, sim
from scipy import special
from support.records import told

from gfactor.psychometrics import irt
from gfactor.psychometrics.irt import fit as irt_fit
from gfactor.psychometrics.irt.adaptive import AbilityPosterior, StopRule
from gfactor.psychometrics.irt.checks import brokenitems
from gfactor.psychometrics.irt.checks.differential import dif
from gfactor.psychometrics.irt.checks.itemfit import item_fit, person_fit, q3
from gfactor.psychometrics.irt.checks.observed_differential import logistic_dif, mantel_haenszel
from gfactor.psychometrics.irt.checks.overallfit import overall_fit
from gfactor.psychometrics.irt.checks.predictive import predictive_check
from gfactor.psychometrics.irt.estimation.conditional import fit_conditional
from gfactor.psychometrics.irt.likelihood import information
from gfactor.psychometrics.irt.models import clonevariance
from gfactor.psychometrics.irt.models.explanatory import fit_design, fit_slope_design
from gfactor.psychometrics.irt.models.hierarchical import fit_hierarchical
from gfactor.psychometrics.irt.models.itemfamilies import fit_families
from gfactor.psychometrics.irt.models.testlets import fit_testlets
from gfactor.psychometrics.irt.scales.calibration import calibrate_cells, calibrate_items
from gfactor.psychometrics.irt.scales.calibration_files import to_document
from gfactor.psychometrics.irt.scales.forms import _expected_covariance
from gfactor.psychometrics.irt.scores.calibrated_scores import score_responses

Parts = dict[str, Any]


def clones() -> Parts:
    rng = np.random.default_rng(1)
    root = rng.normal(size=(9, 14))
    a = root @ root.T / 3 + np.diag(np.linspace(2, 6, 9))
    b = np.array([-1.0, -0.2, 0.6, 0.4, 1.9, -0.7, 0.1, 1.2, 0.3])
    z = np.zeros((9, 4))
    z[[0, 1, 2, 3], 0], z[[4, 5, 6], 1], z[7, 2], z[8, 3] = 1, 1, 1, 1
    pairs = np.repeat(np.eye(5), 2, axis=0)[:9, :4]
    h = a @ b + rng.normal(0, 0.8, 9)
    silent = a.copy()
    silent[4:7], silent[:, 4:7] = 0, 0
    return told(
        cells=lambda: clonevariance.clone_spreads(a, h, b, z),
        pairs=lambda: clonevariance.clone_spreads(8 * a, 8 * h, b, pairs),
        silent=lambda: clonevariance.clone_spreads(silent, h, b, z),
        one=lambda: clonevariance.clone_spreads(a, h, b, np.ones((9, 1))),
    )


def stimuli() -> Parts:
    def quest(function: Any, grid: Any, at: Any, replies: Any, **options: Any) -> Any:
        known = irt.QuestPlus(at, grid, function, **options)
        rows = []
        for reply in replies:
            size = known.next()
            if size is None:
                break
            rows.append([size, known.expected_entropy, known.entropy])
            known.answer(size, reply)
        return [rows, known.theta, known.se, known.posterior, known.finished,
                [known.marginal(name) for name in grid]]  # fmt: skip

    decibels = np.arange(-20.0, 6.0, 2.0)
    full = {"threshold": np.arange(-14.0, 1.0, 2.0), "slope": [1.5, 3.5], "lapse_rate": [0.0, 0.05],
            "lower_asymptote": [0.25, 0.5]}  # fmt: skip
    mean = {"mean": [-1.0, 0.0, 1.0, 2.0], "sd": [0.5, 1.5], "lapse_rate": [0.03]}
    sizes = {"threshold": [2.0, 4.0, 6.0], "slope": [0.6], "lower_asymptote": [0.2]}
    replies = [1, 1, 0, 1, 0, 0, 1]

    def three(x: Any, k: Any) -> Any:
        first = special.expit(x - k) * 0.8
        return np.stack([first, 0.7 * (1 - first), 0.3 * (1 - first)])

    odd = {"threshold": [1.0, 2.0], "slope": [1.0]}
    return told(
        weibull=lambda: quest("weibull", full, decibels, replies),
        normal=lambda: quest("normal", mean, np.linspace(-3, 3, 9), replies,
                             prior={"mean": [1, 2, 3, 1]}, nuisance=["sd"]),
        size=lambda: quest("size", sizes, range(1, 9), replies, prior=[[[1]], [[2]], [[1]]]),
        three=lambda: quest(three, {"k": [0.0, 0.5, 1.5]}, [-1.0, 0.0, 1.0], ["a", "c", "b"],
                            outcomes=["a", "b", "c"]),
        stop=lambda: quest("size", sizes, range(1, 9), replies, stop=StopRule(se=1.2, min_items=2)),
        **{
            f"odd {k}": lambda o=given: quest("size", odd, [1.0, 2.0], [1], **o)
            for k, given in enumerate((
                {"prior": {"sort": [1]}}, {"prior": {"threshold": [1, 2, 3]}}, {"prior": [1, 2]},
                {"prior": {"threshold": [0, 0]}}, {"prior": {"threshold": [-1, 2]}},
                {"prior": {"threshold": [np.nan, 2]}}, {"outcomes": [1]}, {"outcomes": [1, 1]},
                {"nuisance": ["sort"]}, {"nuisance": ["slope", "threshold"]},
            ))
        },
        function=lambda: quest("logistic", odd, [1.0], [1]),
        grid=lambda: quest("size", {"threshold": [], "slope": [1.0]}, [1.0], [1]),
        no_stimuli=lambda: quest("size", odd, [], [1]),
        chance=lambda: quest(lambda x, k: x * k, {"k": [1.0]}, [0.5, 2.0], [1]),
    )  # fmt: skip


def predicted() -> Parts:
    frame = exam(120, 7, 4)
    steep = np.random.default_rng(3).normal(size=(160, 1)) * np.repeat([0.1, 3.0], 4)
    mixed = pd.DataFrame((np.random.default_rng(5).random((160, 8)) < special.expit(steep)) * 1.0)
    gaps = frame.mask(np.random.default_rng(6).random(frame.shape) < 0.3)
    gaps.iloc[3:, 6] = np.nan
    gaps.iloc[:9, 1:] = np.nan

    def checked(fit: Any, **options: Any) -> Any:
        result = predictive_check(fit, **options)
        return [result, result.table, result.draws, [d.to_dict() for d in result.diagnostics]]

    rasch = irt.fit_irt("rasch", frame)
    seen: list[Any] = []

    def watched(call: Any, **options: Any) -> list[Any]:
        seen.clear()
        call(rasch, progress=lambda *at: seen.append(at), **options)
        return [*seen]

    return told(
        watched=lambda: [
            watched(predictive_check, draws=20),
            watched(brokenitems.broken_items, simulations=3),
        ],
        rasch=lambda: checked(rasch, draws=25, seed=4),
        mixed=lambda: checked(irt.fit_irt("rasch", mixed.add_prefix("i")), draws=40),
        gaps=lambda: checked(irt.fit_irt("2pl", gaps, force=True), draws=21, seed=1),
        graded=lambda: checked(irt.fit_irt("grm", sim("sim_grm").iloc[:150, :5]), draws=20),
        few=lambda: checked(rasch, draws=19),
        groups=lambda: checked(irt.fit_irt("rasch", frame, groups=["a", "b"] * 60)),
        factors=lambda: checked(irt.fit_irt("2pl", frame, factors=2, quadrature=irt.Quadrature(5))),
    )


def broken() -> Parts:
    frame = exam(90, 6, 8)
    frame["twin"] = frame["q3"].where(np.arange(90) % 3 > 0, 1 - frame["q3"])
    frame["near"] = frame["q2"].where(np.arange(90) % 7 > 2, 1 - frame["q2"])
    frame["noise"] = (np.random.default_rng(2).random(90) < 0.9).astype(float)
    frame.loc[frame[["q0", "q1", "q2"]].sum(axis=1) == 3, "noise"] = 0.0
    fits = {"rasch": irt.fit_irt("rasch", frame), "2pl": irt.fit_irt("2pl", frame, force=True)}
    patched = pytest.MonkeyPatch.context
    parts: dict[str, Any] = {}
    for name, fit in fits.items():
        for level in (0.9, 0.3, 0.12):
            with patched() as patch:
                patch.setattr(brokenitems, "LEVEL", level)
                patch.setattr(brokenitems, "NOISY", 0.5)
                parts[f"{name} {level}"] = brokenitems.broken_items(fit, simulations=9, seed=3)
    steps = sim("sim_grm").iloc[:120, :5].assign(odd=np.random.default_rng(3).integers(0, 3, 120))
    return parts | told(
        graded=lambda: [
            brokenitems.broken_items(irt.fit_irt(m, steps, force=True), simulations=5)
            for m in ("grm", "pcm")
        ],
        most=lambda: [brokenitems.affordable_simulations(fits["rasch"], n) for n in (7, 10**9)],
    )


def shrunk() -> Parts:
    frame = exam(40, 9, 11)
    gaps = frame.mask(np.random.default_rng(1).random(frame.shape) < 0.15)

    def fit(data: pd.DataFrame, model: str, **options: Any) -> Any:
        result = fit_hierarchical(model, data, **options)
        return [result.items, result.vcov.core if result.vcov else None, result.loglik,
                [d.to_dict() for d in result.diagnostics]]  # fmt: skip

    return told(
        rasch=lambda: fit(gaps, "rasch"),
        one=lambda: fit(frame, "1pl"),
        two=lambda: fit(gaps, "2pl", errors="sandwich"),
        guess=lambda: fit(frame, "rasch", guess=0.15),
        forced=lambda: fit(frame.head(22), "2pl", force=True),
        few=lambda: fit(frame.head(22), "2pl"),
        least=lambda: [fit(frame.head(30).iloc[:, :5], m) for m in ("2pl", "rasch")],
        four=lambda: fit(frame.iloc[:, :4], "rasch"),
        three=lambda: fit(frame + (np.arange(40) % 9 == 0)[:, None], "rasch"),
        other=lambda: fit(frame, "3pl"),
        priors=lambda: fit(frame, "rasch", priors={"intercept": ("normal", 0.0, 1.0)}),
        groups=lambda: fit(frame, "rasch", groups=["a", "b"] * 20),
    )


def by_design() -> Parts:
    rng = np.random.default_rng(5)
    steep = np.array([0.5, 1.6, 0.9, 2.2, 1.3, 0.7, 1.9, 1.1])
    z = steep * (rng.normal(size=(220, 1)) - [-1.0, 0.8, -0.2, -0.6, 0.3, 1.2, 1.0, 0.1])
    frame = pd.DataFrame((rng.random(z.shape) < special.expit(z)) * 1.0).add_prefix("q")
    x: Any = pd.DataFrame({"one": 1.0, "size": [0.0, 3, 1, 0, 2, 2, 3, 1], "odd": [0.0, 1] * 4},
                     index=list(frame))  # fmt: skip
    alone = x.assign(last=[0.0] * 7 + [1.0])
    prior = {"slope": ("lognormal", 0.1, 0.4)}
    turned = frame.assign(q3=1 - frame["q3"])

    def of(fit: Any) -> Any:
        return [fit, fit.effects, fit.facts, [d.to_dict() for d in fit.diagnostics]]

    return told(
        slopes=lambda: of(fit_slope_design(frame, x)),
        prior=lambda: of(fit_slope_design(frame, x[["one", "size"]], priors=prior)),
        normal=lambda: of(fit_slope_design(frame, x, priors={"slope": ("normal", 1.0, 0.5)})),
        turned=lambda: of(fit_slope_design(turned, x)),
        many=lambda: of(fit_slope_design(frame, pd.DataFrame(np.eye(8), index=list(frame)))),
        difficulties=lambda: [of(fit_design(frame, d, restricted=r)) for d in (x, alone)
                              for r in (True, False)],
        cells=lambda: [of(fit_design(frame, d)) for d in
                       (x[["one"]], x[["one"]].assign(half=[0.0, 1, 1, 2, 0, 2, 1, 0]))],
    )  # fmt: skip


def many() -> Parts:
    data = answers(70, 9, 31)
    groups = ["a", "b", "b", "c", "a"] * 14
    weights: Any = 1.0 + np.arange(70) % 4
    fours: Any = np.arange(160) // 4
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(information, "MANY_ITEMS", data.shape[1])
        smooth = [irt.fit_irt("2pl", data, force=True), irt.fit_irt("rasch", data, weights=weights),
                  irt.fit_irt("1pl", data, groups=groups)]  # fmt: skip
    return told(
        smooth=lambda: [[f.items, f.vcov.core, f.loglik] for f in smooth],  # type: ignore[union-attr]
        groups=lambda: fitted(data, "rasch", groups=groups, equal=("slopes",), weights=weights),
        together=lambda: irt.fit_irt(
            "grm", sim("sim_grm").iloc[:160, :5], groups=["x", "y"] * 80, errors="sandwich",
            clusters=fours,
        ).parameters,
        covariates=lambda: [
            fit.parameters for errors in ("observed", "sandwich") for fit in (
                irt.fit_irt("2pl", data, covariates=pd.DataFrame({
                    "age": np.arange(70) % 11 - 3.0, "hours": np.arange(70) % 5 * 0.5
                }), errors=errors, force=True),
            )
        ],
    )  # fmt: skip


def polytomous() -> Parts:
    parts: dict[str, Any] = {}
    for name, data, model in (
        ("grm", sim("sim_grm").iloc[:160, :5], "grm"),
        ("gpcm", sim("sim_gpcm").iloc[:160, :5], "gpcm"),
        ("rsm", sim("sim_rating").iloc[:140], "rsm"), ("nrm", sim("sim_nrm").iloc[:250, :5], "nrm"),
    ):  # fmt: skip
        gaps = data.mask(np.random.default_rng(7).random(data.shape) < 0.1)
        fit = irt.fit_irt(model, gaps, force=True)
        parts |= told({
            f"{name} items": lambda f=fit: [item_fit(f, smallest=s) for s in (0.5, 3.0)],
            f"{name} persons": lambda f=fit: [person_fit(f).head(9), q3(f)],
            f"{name} whole": lambda f=fit, d=data, m=model:
                [overall_fit(irt.fit_irt(m, d, force=True)), overall_fit(f)],
            f"{name} scores": lambda f=fit: [
                f.scores(m).head(9) for m in ("eap", "map", "wle", "ml")
            ],
            f"{name} information": lambda f=fit: [f.information([-2.1, 0.3]), f.sum_scores()],
        })  # fmt: skip
    return parts


def unequal() -> Parts:
    data = exam(200, 7, 21)
    groups = np.repeat(["r", "s", "t"], [80, 70, 50])
    data.loc[80:149, "q2"] = (np.random.default_rng(1).random(70) < 0.25).astype(float)
    data.loc[150:, "q5"] = 1.0 - data.loc[150:, "q5"] * (np.arange(50) % 2)
    focal = groups[:150] != "r"
    few = data.iloc[:150].mask(np.random.default_rng(2).random((150, 7)) < 0.02)
    return told(
        mantel=lambda: [mantel_haenszel(few, focal, correction=c) for c in (True, False)],
        logistic=lambda: logistic_dif(few, focal),
        models=lambda: dif("rasch", data.iloc[:150, :5], groups=list(groups[:150]), reference="s"),
        wald=lambda: dif("2pl", data.iloc[:150], groups=list(groups[:150]), method="wald",
                         force=True, anchors=["q0", "q4", "q6"]),
        anchors=lambda: dif("rasch", data.iloc[:150], groups=list(groups[:150]), level=0.2,
                            anchors=["q0", "q1", "q3"]),
        three=lambda: dif("rasch", data, groups=list(groups)),
        conditional=lambda: [[f.parameters, f.loglik, f.facts["n_used"], f.vcov]
                             for f in (fit_conditional("rasch", d) for d in (few.dropna(), few))],
        one=lambda: mantel_haenszel(few, focal & False),
        unknown=lambda: dif("rasch", data.iloc[:150], groups=list(groups[:150]), anchors=["q9"]),
    )  # fmt: skip


def of_testlets() -> Parts:
    rng = np.random.default_rng(12)
    names = [f"kind={k}" for k in "abc" for _ in range(4)]
    effects = rng.normal(0, 0.9, (80, 3)).repeat(4, axis=1)
    z = rng.normal(0, 1.3, (80, 1)) + effects - np.linspace(-1.2, 1.3, 12)
    data = pd.DataFrame((rng.random(z.shape) < 0.15 + 0.85 * special.expit(z)) * 1.0).add_prefix(
        "i"
    )
    data = data.mask(rng.random(data.shape) < 0.05)
    families = fit_families(data, names, guess=0.15)
    with_effects = fit_testlets(data, families, names, 0.15)
    alone = fit_testlets(data, families, list(rng.permutation(names)), 0.15)
    labels = {n: {"kind": n[-1]} for n in names}
    guess = dict.fromkeys(names, 0.15)
    known = calibrate_cells(families, labels, guess, {"n": 80}, with_effects, "kind")
    entries = dict(zip(data, names, strict=True))
    nodes = np.linspace(-6, 6, 61)
    after = AbilityPosterior(nodes, 0.1, 1.1, testlet_variance=0.7)
    for k, name in enumerate(("a", "b", "", "a")):
        after = after.updated(np.log(special.expit(nodes - 0.4 * k + 0.3)), name)
    return told(
        families=lambda: [families, families.items, families.covariance],
        testlets=lambda: [vars(with_effects), with_effects.se, vars(alone), alone.se],
        calibration=lambda: to_document(known),
        scores=lambda: [score_responses(known, data.head(8), entries, level=v)
                        for v in (0.95, 0.5)],
        curves=lambda: [known.information([-1.0, 0.7]), known.table, known.least_se],
        posterior=lambda: [after.theta, after.se, after.interval(0.8), after.density],
        errors=lambda: [_expected_covariance(c, c.entries[2], 90, shift)
                        for c in (bank(), known) for shift in (True, False)],
        item=lambda: to_document(calibrate_items(
            irt.fit_irt("3pl", data, priors={"guess": ("beta", 3.0, 9.0)}, force=True), {}, {})),
        shifted=lambda: replace(known, mean=0.4).information([0.1]),
        few=lambda: fit_testlets(data, families, names[:4] + ["x"] * 8, 0.15),
        one=lambda: fit_testlets(data, families, ["x"] * 12, 0.15),
    )  # fmt: skip


def warned() -> Parts:
    """What is said about respondents, slopes and grids, on both sides of each limit."""
    loose: Any = {"tolerance": 1e3}

    def of(persons: int, model: Any, **options: Any) -> Any:
        frame = exam(persons, 5, 2)
        frame.iloc[: len(frame) // 2, 1] = np.nan
        fit = irt.fit_irt(model, frame, **{**loose, **options})
        return [[d.to_dict() for d in fit.diagnostics], fit.request.priors, fit.n_free]

    limits = (irt_fit.FEW_FOR_DIFFICULTY, irt_fit.FEW_FOR_SLOPES, irt_fit.FEW_FOR_FREE_SLOPES)
    sizes = sorted({n + k for n in limits for k in (-1, 0)})
    models = ("rasch", "1pl", "2pl")
    turned: Any = exam(260, 13, 3)
    turned.iloc[:, 7:] = 1 - turned.iloc[:, 7:]
    flat = exam(260, 9, 6).assign(
        **{f"r{k}": np.random.default_rng(k).integers(0, 2, 260) * 1.0 for k in range(7)}
    )
    twins = exam(260, 4, 7).assign(twin=lambda f: f["q1"].mask(np.arange(260) % 40 == 0, 0.0))
    wide = exam(120, 6, 8)
    wide[np.random.default_rng(1).random(120) < 0.05] = np.array([1.0, 1, 1, 1, 1, 0])
    grid = irt.Quadrature(31, 3.0)

    def told_of(fit: Any) -> Any:
        nodes = fit.likelihood.quadrature
        return [[d.to_dict() for d in fit.diagnostics], nodes.points, nodes.limit]

    request = irt.Request("2pl")
    specific = irt.Request("2pl", bifactor={"s": ["a", "b"]})
    return told(
        {f"{m} {n}": lambda m=m, n=n: of(n, m) for m in models for n in sizes},
        forced=lambda: [of(n, "2pl", force=True) for n in sizes[:4]],
        clusters=lambda: of(120, "2pl", clusters=np.arange(120) // 3),
        guessing=lambda: [of(n, "3pl", guess=g, force=True) for g in (None, 0.2)
                          for n in (irt_fit.FEW_FOR_GUESSING - 1, irt_fit.FEW_FOR_GUESSING)],
        own_prior=lambda: of(25, "2pl", priors={"slope": ("normal", 1.1, 0.3)}),
        slopes=lambda: [told_of(irt.fit_irt("2pl", d, force=True))
                        for d in (turned.iloc[:, :12], turned, flat.iloc[:, :14], flat, twins)],
        grids=lambda: [told_of(irt.fit_irt("rasch", wide, quadrature=g))
                       for g in (grid, irt.Quadrature(41, 5.0), None)],
        nodes=lambda: [irt_fit._quadrature(r, f, n) for r in (request, specific)
                       for f in (1, 2, 3) for n in (1, 49, 56, 57, 64, 400)],
        design=lambda: [irt.fit_irt("rasch", wide, design=d) for d in (
            pd.DataFrame({"x": [1.0, 2, 3, 4, 5]}, index=list(wide)[:5]),)],
        covariates=lambda: irt.fit_irt("rasch", wide, covariates=pd.DataFrame({"x": [1.0, 2.0]})),
        holes=lambda: irt.fit_irt("rasch", wide, covariates=pd.DataFrame({"x": [np.nan] * 120})),
    )  # fmt: skip


CASES: dict[str, Callable[[], Parts]] = {
    "clones": clones,
    "stimuli": stimuli,
    "predicted": predicted,
    "broken": broken,
    "shrunk": shrunk,
    "by design": by_design,
    "many": many,
    "polytomous": polytomous,
    "unequal": unequal,
    "testlets": of_testlets,
    "warned": warned,
}
