"""Results of plans, adaptive tests, profiles, shared-out gaps, and a small one of each analysis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy import special
from support.every_result import RESULTS
from support.records import told

from gfactor.psychometrics import gold, irt, planning, trees
from gfactor.psychometrics.inference import power
from gfactor.psychometrics.inference.deciding import rank_sequentially
from gfactor.psychometrics.inference.explaining import (
    asked_again,
    share_row,
    shares_of_gap,
    standard_error,
)
from gfactor.psychometrics.irt import adaptive
from gfactor.psychometrics.irt.checks import profile_fit
from gfactor.psychometrics.irt.checks.brokenitems import broken_items
from gfactor.psychometrics.irt.checks.distractors import option_table
from gfactor.psychometrics.irt.checks.itemfit import item_fit, observed_points, person_fit
from gfactor.psychometrics.irt.models.explanatory import fit_slope_design
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry
from gfactor.psychometrics.irt.scales.linking import link

Parts = dict[str, Any]
NODES = np.linspace(-6, 6, 121)


VARIANCES = {
    "examinee": 0.03, "item": 0.05, "occasion": 0.001, "examinee x item": 0.1,
    "examinee x occasion": 0.002, "item x occasion": 0.003, "examinee x item x occasion": 0.05,
}  # fmt: skip
NESTED = {
    "examinee": 0.5, "template": 0.1, "template:item": 0.2, "examinee x template": 0.15,
    "examinee x template:item": 0.7,
}  # fmt: skip


def bank(count: int = 30) -> Calibration:
    entries = tuple(
        Entry(f"i{k}", "2pl", (0.0, 1.0), (0.7 + 0.05 * k, 0.15 * (k - 15))) for k in range(count)
    )
    return Calibration("item", "2pl", entries, (), np.zeros((0, 0)), 0.2, 1.3)


def aims() -> dict[str, Callable[[], planning.Aim]]:
    crossed, fixed = planning.Components(VARIANCES), planning.Components(
        VARIANCES, fixed=("occasion",)
    )  # fmt: skip
    pilot = pd.DataFrame(np.random.default_rng(3).random((40, 3)) < [0.8, 0.6, 0.5]).astype(float)
    return {
        "se": lambda: planning.StandardError(crossed),
        "se, fixed": lambda: planning.StandardError(fixed),
        "se, accuracy": lambda: planning.StandardError(accuracy=0.7),
        "se, clusters": lambda: planning.StandardError(accuracy=0.8, cluster_size=5, icc=0.3),
        "discordant": lambda: planning.DifferenceAim(discordant=0.3),
        "spread": lambda: planning.DifferenceAim(sd_difference=0.5, power=0.9, alpha=0.01),
        "clusters": lambda: planning.DifferenceAim(sd_difference=0.4, cluster_size=4, icc=0.2),
        "components": lambda: planning.DifferenceAim(components=crossed, delta=0.1),
        "phi": lambda: planning.DependabilityAim(crossed),
        "e_rho2": lambda: planning.DependabilityAim(fixed, "e_rho2"),
        "alpha": lambda: planning.Alpha(0.85, 12),
        "threshold": lambda: planning.Threshold(tuple(range(1, 9)), 5.0, 1.2, 0.25, 0.02),
        "ability": lambda: planning.Ability(bank(), (-1.0, 1.0)),
        "best items": lambda: planning.Ability(bank(), (0.5,), "best"),
        "fit": lambda: planning.FitAim(30.0),
        "not close": lambda: planning.FitAim(40.0, 0.05, 0.01, 0.1),
        "exact fit": lambda: planning.FitAim(20.0, 0.0, 0.06),
        "first": lambda: planning.Ranks(means=(0.8, 0.65, 0.6), r=0.4),
        "all ranks": lambda: planning.Ranks(means=(0.9, 0.7, 0.5), decided="all"),
        "pilot": lambda: planning.Ranks(pilot),
        "graded pilot": lambda: planning.Ranks(pilot * 0.9 + 0.05, decided="all", alpha=0.1),
    }


TARGETS = {
    "se": 0.05, "se, fixed": 0.05, "se, accuracy": 0.04, "se, clusters": 0.05, "discordant": 0.2,
    "spread": 0.2, "clusters": 0.15, "components": 0.2, "phi": 0.7, "e_rho2": 0.7, "alpha": 0.15,
    "threshold": 0.5, "ability": 0.45, "best items": 0.3, "fit": 0.6, "not close": 0.6,
    "exact fit": 0.6, "first": 0.6, "all ranks": 0.6, "pilot": 0.5, "graded pilot": 0.5,
}  # fmt: skip


def planned(name: str) -> Parts:
    aim = aims()[name]()
    unit = aim.step
    costs = planning.AnswerCosts(tokens=400, money=0.003, seconds=2, parallel=4)
    tries: Any = {n: [1, 3] for n in aim.facets if n != aim.solves and n not in aim.given}
    few = {"phi": 8, "e_rho2": 8, "first": 12, "all ranks": 12, "pilot": 12, "graded pilot": 12}
    drawn = few.get(name, 30)
    beyond = 0.9999999 if aim.sense == "at least" else 0.25 if name == "discordant" else 1e-6
    counts = {**aim.defaults, **{n: 2 for n in aim.facets}, **aim.given}
    return told(
        plan=lambda: planning.make_plan(aim, TARGETS[name], tries=tries, costs=costs,
                                        simulations=drawn, seed=3),
        reverse=lambda: planning.make_plan(aim, tries={aim.solves: [unit * 8, unit * 40]},
                                           simulations=0, known={"model": "m"}, name="n"),
        reached=lambda: [aim.reached({**counts, aim.solves: unit * n}) for n in (2, 5, 17)],
        simulated=lambda: aim.simulate({**counts, aim.solves: unit * 40}, 6,
                                       np.random.default_rng(4)),
        beyond=lambda: planning.make_plan(aim, beyond, simulations=0),
        words=lambda: [aim.name, aim.measure, aim.sense, aim.solves, aim.facets, aim.remarks],
    )  # fmt: skip


def components() -> Parts:
    nested = planning.Components(NESTED, sampled="template")
    levels = {"template": 6, "item": 3, "examinee": 4, "occasion": 2}
    return told(
        errors=lambda: [planning.Components(VARIANCES).errors({**levels, "item": 20}),
                        nested.errors(levels)],
        split=lambda: [c.split({**levels, "item": 20}, relative=r)
                       for c in (planning.Components(VARIANCES), nested) for r in (True, False)],
        nested=lambda: planning.make_plan(planning.DependabilityAim(nested), 0.6,
                                          tries={"item": [2, 5]}, simulations=5, seed=1),
        wrong=lambda: planning.Components({"item": -0.1}),
        unknown=lambda: planning.Components(VARIANCES, fixed=("rater",)),
    )  # fmt: skip


def powers() -> Parts:
    p: Any = power
    return told(
        design=lambda: [p.design_effect(m, r) for m, r in ((1, 0.5), (8, 0.2), (2.5, 0.0))],
        mcnemar=lambda: [[p.mcnemar_power(n, 0.2, 0.08, test=t),
                          p.mcnemar_power(n, 0.1, 0.1, alpha=0.1, test=t)]
                         for n in (10, 60, 150) for t in ("exact", "mid_p", "asymptotic")],
        needed=lambda: [p.mcnemar_n(0.25, 0.1), p.mcnemar_n(0.2, 0.05, power=0.9, alpha=0.01),
                        p.connor_n(0.25, 0.1), p.connor_n(0.2, 0.05, power=0.9, alpha=0.01)],
        rmsea=lambda: [p.rmsea_power(d, 150, null=a, alternative=b) for d in (5, 60)
                       for a, b in ((0.05, 0.08), (0.05, 0.01), (0.0, 0.05), (0.05, 0.0))],
        below=lambda: p.mcnemar_n(0.1, 0.1),
        odd=lambda: p.design_effect(0.5, 0.1),
    )  # fmt: skip


def stored_bank() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"a": rng.lognormal(0, 0.3, 40), "b": rng.normal(size=40)})
    frame["c"], frame["d"] = 0.1, 0.98
    frame["area"] = np.where(np.arange(40) < 10, "rare", "common")
    return frame.set_axis([f"i{k}" for k in range(40)])


def administered(cat: Any, theta: Any = 0.4) -> list[Any]:
    cat.simulate(theta, np.random.default_rng(5))
    return [cat.administered, cat.scores, cat.theta, cat.se, cat.finished]


def adapted() -> Parts:
    items, stop = stored_bank(), adaptive.StopRule(max_items=8)
    rng = np.random.default_rng(7)
    plane = pd.DataFrame(rng.uniform(0.2, 1.8, (25, 2)), columns=["a1", "a2"])
    plane = plane.assign(intercept=rng.normal(size=25), c=0.15)
    covariance = np.array([[1.0, 0.4], [0.4, 1.2]])
    two: Any = lambda e: irt.Cat(plane, "d", e, prior=([0, 0.2], covariance), stop=stop)  # noqa: E731
    rules = [
        adaptive.StopRule(se_change=0.05, min_items=4, max_items=25),
        adaptive.StopRule(cut=-1.0, max_items=20),
        adaptive.StopRule(se=0.5, max_items=12),
    ]
    return told(
        criteria=lambda: [administered(irt.Cat(items, c, stop=stop))  # type: ignore[arg-type]
                          for c in ("mfi", "kl", "mepv", "entropy", "d")],
        estimators=lambda: [administered(irt.Cat(items, estimator=e, stop=stop))  # type: ignore[arg-type]
                            for e in ("eap", "map", "wle", "ml")],
        prior=lambda: administered(irt.Cat(items, prior=(0.5, 0.5), estimator="map", stop=stop)),
        content=lambda: administered(
            irt.Cat(items, content="area", targets={"rare": 1, "common": 2}, stop=stop)
        ),
        exposure=lambda: [administered(irt.Cat(items, exposure=e, stop=stop, seed=2))
                          for e in (adaptive.Randomesque(4), adaptive.Progressive(8))],
        control=lambda: adaptive.sympson_hetter(
            items, 0.6, 6, examinees=12, iterations=2, seed=4
        ),
        several=lambda: [administered(two(e), np.array([0.5, -0.5])) for e in ("eap", "map")],
        rules=lambda: [administered(irt.Cat(items, stop=r), 1.2) for r in rules],
    )  # fmt: skip


def chosen() -> Parts:
    b = np.tile(np.linspace(-2, 2, 9), 3)
    p = 0.1 + 0.9 * special.expit(1.7 * (NODES - b[:, None]))
    names = [f"f{k // 9}:{k % 9}" for k in range(27)]
    families = [n[:2] for n in names]
    sides = ["Gv" if f == "f2" else "Gf" for f in families]
    known = adaptive.Candidates(
        names, sides, p, [1.0 + k % 4 for k in range(27)], families=families
    )
    first = adaptive.AbilityPosterior(NODES, 0.2, 0.8)
    wide = {"Gf": first, "Gv": first.updated(np.log(p[3]))}

    def walk(criterion: Any, **options: Any) -> list[int]:
        flying: list[int] = []
        for step in range(6):
            counts = {f: sum(families[k] == f for k in flying) for f in ("f0", "f1", "f2")}
            more = {"counts": counts} if "targets" in options else {}
            flying.append(
                adaptive.choose(
                    known,
                    wide,
                    criterion=criterion,
                    pending=flying[-3:],
                    rng=np.random.default_rng(step),
                    **more,
                    **options,
                )
            )
        return flying

    quest = irt.QuestPlus(range(1, 9), {"threshold": np.linspace(2, 8, 13), "slope": [0.5, 2.0],
                                        "lapse_rate": [0.0, 0.1]}, "size",
                          nuisance=["lapse_rate"], prior={"lapse_rate": [3, 1]},
                          stop=adaptive.StopRule(max_items=9))  # fmt: skip
    asked = []
    while (size := quest.next()) is not None:
        asked.append([size, quest.entropy, quest.expected_entropies()])
        quest.answer(size, int(size < 5))
    theta, se = np.arange(5) * 0.6, np.full(5, 0.2)
    return told(
        walks=lambda: [walk(c) for c in ("mfi", "kl", "mepv", "entropy", "d", "random")],
        shares=lambda: walk("mepv", targets={"f0": 2, "f1": 1, "f2": 1}),
        posteriors=lambda: [[q.theta, q.se, q.interval(), q.interval(0.8), q.density[::20]]
                            for q in wide.values()],
        flight=lambda: [adaptive.in_flight(n, most) for n in range(0, 90, 3) for most in (4, 8)],
        quest=lambda: [asked, quest.theta, quest.se, quest.marginal("slope"), quest.finished],
        pairs=lambda: [adaptive.undecided_pairs(theta * k, se, level=v)
                       for k in (0.5, 1.0, 2.0) for v in (0.8, 0.95)],
        decided=lambda: [adaptive.ranking_decided(theta * k, se) for k in (0.5, 1, 1.5, 2, 3)],
    )  # fmt: skip


def profiled() -> Parts:
    rng = np.random.default_rng(8)
    b = np.linspace(-2, 2, 12)
    p = 0.1 + 0.85 * special.expit(1.2 * (NODES - b[:, None]))
    right = (rng.random(12) < 0.6).astype(float)
    prior = adaptive.AbilityPosterior(NODES, -0.2, 1.4)
    after = prior.updated(np.where(right[:, None] == 1, np.log(p), np.log1p(-p)).sum(axis=0))
    families = {"a": slice(0, 6), "b": slice(6, 11), "c": slice(11, 12), "d": slice(12, 12)}
    split = {k: p[s] for k, s in families.items()}, {k: right[s] for k, s in families.items()}
    at, hits, n = [3, 4, 5, 6, 7], [8, 7, 6, 1, 0], [8, 8, 8, 8, 7]
    return told(
        located=lambda: [profile_fit.locate(at, hits, n, g, v) for g in (0.0, 0.25)
                         for v in (0.95, 0.8)],
        falling=lambda: profile_fit.locate(at[::-1], hits, n, 0.2),
        beyond=lambda: [profile_fit.locate(at, h, [4] * 5, 0.1) for h in ([4] * 5, [0] * 5)],
        person=lambda: [profile_fit.person_fit(p, right, after),
                        profile_fit.person_fit(p, 1 - right, after)],
        families=lambda: [profile_fit.family_fit(*split, prior),
                          profile_fit.family_fit({"a": p}, {"a": right}, prior)],
        adjusted=lambda: [profile_fit.adjusted([0.01, 0.2, float("nan"), 0.02]),
                          profile_fit.adjusted([])],
    )  # fmt: skip


def explained() -> Parts:
    rng = np.random.default_rng(9)
    names = ["images", "prompt", "decoding"]
    every = [frozenset(n for k, n in enumerate(names) if code >> k & 1) for code in range(8)]
    states = {
        s: pd.DataFrame({"earned": (rng.random(40) < 0.8 - 0.12 * len(s)).astype(float),
                         "possible": 1.0 + (np.arange(40) % 5 == 0)}) for s in every
    }  # fmt: skip
    flags: Any = {"images": (np.arange(40) % 3 < 2) * 1.0, "prompt": (np.arange(40) < 30) * 1.0}
    some = {s: states[s] for s in every if s in (every[0], every[1], every[3], every[7])}
    ends = {s: states[s] for s in (every[0], every[7])}
    clusters = np.arange(40) // 2

    def rows(found: Any) -> list[Any]:
        return [[name, share.estimate, share.method, share_row(share, None, 0.9),
                 share_row(share, clusters, 0.95), standard_error(share.influence),
                 np.nan_to_num(share.contributions)] for name, share in found.items()]  # fmt: skip

    return told(
        shapley=lambda: rows(shares_of_gap(states, names)),
        some=lambda: rows(shares_of_gap(some, names)),
        ends=lambda: rows(shares_of_gap(ends, names)),
        matched=lambda: rows(shares_of_gap(ends, names, flags)),
        part=lambda: rows(shares_of_gap(some, names, {"images": flags["images"]})),
        again=lambda: [asked_again(0.1, rng.normal(0.1, 0.5, 40)), asked_again(0.0, np.zeros(5))],
    )  # fmt: skip


def gaps() -> Parts:
    rng, n = np.random.default_rng(4), 120
    family = np.where(np.arange(n) % 2, "mazes", "graphs")
    seen = rng.random(n) < np.where(family == "mazes", 0.5, 0.9)
    reasoned = rng.random(n) < 0.8
    views = {"image": seen & reasoned, "text": reasoned, "blind": rng.random(n) < 0.2}
    data = pd.DataFrame(views).astype(float).assign(family=family, size=np.arange(n) % 6)

    def rounded(found: Any) -> list[Any]:
        # Ends of profile intervals are exact to 1e-7; 17 of 32 right is a tie of four decimals.
        return [found.title, *(t.round(7).round(4) for t in found.tables.values()),
                [d.to_dict() for d in found.diagnostics]]  # fmt: skip

    return told(
        by=lambda: rounded(trees.analyze_gap(data, by=["family", "size"], size="size")),
        clusters=lambda: rounded(trees.analyze_gap(data, by=["family"], level=0.9,
                                                   clusters=np.arange(n) // 3)),
        known=lambda: rounded(trees.analyze_gap(data.drop(columns="blind"), guess=0.15)),
        thresholds=lambda: [trees.size_thresholds(data, "size", g, level=v).round(4)
                            for g, v in ((None, 0.95), ("family", 0.8))],
    )  # fmt: skip


def exam(persons: int = 150, items: int = 8, seed: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    z = 1.3 * (rng.normal(size=(persons, 1)) - np.linspace(-1.5, 1.5, items))
    frame = pd.DataFrame((rng.random(z.shape) < special.expit(z)).astype(float))
    return frame.set_axis([f"q{j}" for j in range(items)], axis=1)


def examined() -> Parts:
    frame, rng = exam(), np.random.default_rng(5)
    frame["turned"], frame["noise"] = 1 - frame["q4"], rng.integers(0, 2, 150)
    frame["copy"] = np.where(rng.random(150) < 0.8, frame["q3"], rng.integers(0, 2, 150))
    frame["easy"], frame["all"] = (np.arange(150) > 1).astype(float), 1.0
    choices = pd.DataFrame({
        name: np.where(column == 1, "A", rng.choice(["B", "C", "D"], 150))
        for name, column in frame.items()
    })  # fmt: skip
    key = {**dict.fromkeys(frame, "A"), "q2": "B"}
    frame["q2"] = (choices["q2"] == "B").astype(float)
    choices = choices.mask(rng.random(choices.shape) < 0.05)
    rasch, two = irt.fit_irt("rasch", frame), irt.fit_irt("2pl", frame, force=True)
    gaps = frame.mask(rng.random(frame.shape) < 0.1)
    return told(
        broken=lambda: broken_items(two, choices=choices, key=key, simulations=12, seed=2),
        plain=lambda: broken_items(rasch, simulations=6, seed=1),
        gaps=lambda: broken_items(irt.fit_irt("rasch", gaps), simulations=4),
        options=lambda: [option_table(rasch, choices, key),
                         option_table(two, choices, key, level=0.8, alpha=0.2)],
        points=lambda: [observed_points(rasch, ["q1", "turned"], points=6),
                        observed_points(two)],
        fits=lambda: [item_fit(rasch, smallest=5.0), item_fit(two, smallest=0.2)],
        persons=lambda: [person_fit(two).head(9), person_fit(irt.fit_irt("rasch", gaps)).head(9)],
    )  # fmt: skip


def linked() -> Parts:
    frame = pd.DataFrame({"a": [0.8, 1.1, 1.5, 2.0], "b": [-1.0, -0.2, 0.4, 1.1]})
    frame = frame.set_axis(list("wxyz"))
    other = frame.assign(a=frame["a"] / 1.2, b=frame["b"] * 1.2 + 0.3 + [0.1, -0.1, 0.05, 0.0])
    root = np.random.default_rng(1).normal(0, 0.05, (8, 8))
    first, second = (t.assign(c=0.2) for t in (frame, other))
    methods: Any = ("mean-mean", "mean-sigma", "haebara", "stocking-lord")
    return told(**{
        m: lambda m=m: [link(frame, other, m), link(first, second, m, old_vcov=root @ root.T,
                                                    new_vcov=2 * root @ root.T)] for m in methods
    }, few=lambda: link(frame.head(1), other.head(1)))  # fmt: skip


def precise() -> Parts:
    rng, tasks = np.random.default_rng(6), ["B.C1.t1", "B.C1.t2", "B.C2.t1", "B.C2.t2"]
    level = rng.normal(size=(30, 1))
    answers = {
        f"{t}#{k}": (rng.random(30) < special.expit(1.5 * level[:, 0] + rng.normal(0, 0.5)))
        for t in tasks for k in range(5)
    }  # fmt: skip
    table = pd.DataFrame(answers).astype(float).set_axis([f"m{k}" for k in range(30)])
    owner = {name: name.split("#")[0] for name in table}
    scores = pd.DataFrame({t: table.filter(like=f"{t}#").mean(axis=1) for t in tasks})
    some = table.mask(rng.random(table.shape) < 0.1)
    model = gold.model_from_columns(tasks)
    counted = gold.TaskItems(counts=dict.fromkeys(tasks, 5))

    def said(items: Any, **options: Any) -> Any:
        found = gold.benchmark_diagnostics(scores, model, n_bootstrap=12, items=items, **options)
        return [found, found.table, found.disattenuated]

    return told(
        answers=lambda: said(gold.TaskItems(table, owner)),
        gaps=lambda: said(gold.TaskItems(some, owner), families="clusters"),
        counts=lambda: said(counted),
        reliabilities=lambda: [gold.reliabilities(scores, gold.TaskItems(some, owner)),
                               gold.reliabilities(scores, counted)],
        compared=lambda: gold.compare_benchmarks(
            {"a": gold.BenchmarkScores(scores, model, items=gold.TaskItems(table, owner)),
             "b": gold.BenchmarkScores(scores.iloc[:20], model, items=counted)}, n_bootstrap=12),
    )  # fmt: skip


def ranked() -> Parts:
    rng = np.random.default_rng(11)
    right = pd.DataFrame(rng.random((90, 3)) < [0.9, 0.7, 0.3], columns=list("abc")).astype(float)
    settled = pd.DataFrame(np.arange(90)[:, None] < [90, 60, 80], columns=list("abc"))
    return told(
        right=lambda: rank_sequentially(right),
        settled=lambda: rank_sequentially(right, settled=settled, level=0.9),
        graded=lambda: rank_sequentially(right * 0.8 + 0.1),
        forced=lambda: rank_sequentially(right, graded=True),
    )


def slopes() -> Parts:
    frame = exam(200, 6, 7)
    design = pd.DataFrame({"one": 1.0, "size": np.arange(6.0)}, index=list(frame))
    return told(slopes=lambda: fit_slope_design(frame, design))


LEFT_OUT = (
    "anchors", "forms", "gia", "sem", "irt", "pls", "pruning", "efa", "gold", "gap", "bootstrap"
)  # fmt: skip
"""Recorded elsewhere (anchors are the shipped file), exact to fewer digits, or solved by a program
of integers."""

CASES: dict[str, Callable[[], Parts]] = {
    **{f"plan {name}": lambda name=name: planned(name) for name in TARGETS},
    "components": components,
    "powers": powers,
    "adaptive tests": adapted,
    "choices": chosen,
    "profiles": profiled,
    "shares of a gap": explained,
    "gap analysis": gaps,
    "exam": examined,
    "linking": linked,
    "precision": precise,
    "sequential ranks": ranked,
    "slopes by design": slopes,
    **{
        f"small {name}": lambda name=name: {"result": RESULTS[name]()}
        for name in RESULTS if not name.startswith(LEFT_OUT)
    },
}  # fmt: skip
