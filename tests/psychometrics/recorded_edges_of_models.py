"""Results of many small inputs: gold and pruning, trees, validity, plans."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from recorded_edges import Parts, each, named
from support.records import told

from gfactor import psychometrics as ps
from gfactor.psychometrics import gold, pruning, trees
from gfactor.psychometrics.gold import checks, model, precision, stack
from gfactor.psychometrics.planning import AnswerCosts, Components, make_plan
from gfactor.psychometrics.planning.models import Alpha, FitAim, Threshold
from gfactor.psychometrics.planning.scores import DifferenceAim, StandardError, t_power
from gfactor.psychometrics.pruning.validation import rank_yardstick
from gfactor.psychometrics.trees import likelihood
from gfactor.psychometrics.trees.model import TreeModel
from gfactor.psychometrics.validity import collinearity, heterotrait


def gold_and_pruned() -> Parts:
    rng = np.random.default_rng(9)
    g = rng.normal(size=(24, 1))
    columns = ["B.C1.t1", "B.C1.t2", "B.C2.t1", "B.C2.t2", "B.C3.t1"]
    data = pd.DataFrame(
        50 + 10 * g + rng.normal(0, 8, (24, 5)),
        columns=columns,
        index=[f"fam{k // 2}-{1 + k % 2}b" for k in range(24)],
    ).round(1)
    tree = gold.model_from_columns(columns)
    frames = {
        "plain": data,
        "short": data.head(6),
        "tiny": data.head(4),
        "gaps": data.mask(rng.random(data.shape) < 0.05),
        "twin": data.assign(**{"B.C1.t2": data["B.C1.t1"] + 0.1}),
        "flat": data.assign(**{"B.C2.t1": 50.0}),
        "turned": data.assign(**{"B.C2.t2": 100 - data["B.C2.t2"]}),
        "ends": data.clip(45, 55),
        "chance": data.where(data > 48, 25.0),
    }
    lists = {
        "": [],
        "one": ["B.t"],
        "deep": ["B.C.t", "B.C.u", "B.D.t"],
        "two": ["A.C.t", "B.C.t"],
        "flat": ["x", "y"],
        "mixed": ["B.C.t", "x"],
    }
    correlations = [np.where(np.eye(5) == 1, 1.0, v) for v in (0.0, 0.3, 0.9)]
    pool = model.pool_of(tree)
    alive = [np.ones(5, bool), np.array([1, 1, 1, 0, 1], bool), np.array([1, 0, 1, 0, 1], bool)]
    rules = {
        "": None,
        "one": pruning.PruningRules(order="one", vif=2.0, loading=0.85),
        "all": pruning.PruningRules(order="all", vif=2.0, loading=0.85),
    }
    missing = named("error", "listwise", "mean")

    def prepared_for(t: Any, chance: Any) -> Any:
        return told(
            checks=lambda: checks.data_checks(t, tree, chance),
            labels=lambda: checks.family_labels(t),
            one=lambda: checks.one_per_family(t),
        )

    def checked(t: Any) -> Any:
        made = pruning.prune(tree, t, rules["one"], missing="listwise")
        return told(
            stability=lambda: pruning.stability(t, made, missing="listwise", n_bootstrap=8),
            valid=lambda: pruning.validate(t, made, folds=2, missing="listwise", seed=1),
        )

    return {
        **each(
            prepared_for,
            t=frames,
            chance={"": None, "25": dict.fromkeys(columns, 25.0), "50": {columns[0]: 50.0}},
        ),
        **each(
            lambda t, missing: gold.benchmark_diagnostics(t, tree, missing=missing, n_bootstrap=8),
            t=frames,
            missing=missing,
        ),
        **each(
            lambda t, rule: pruning.prune(tree, t, rule, missing="listwise"), t=frames, rule=rules
        ),
        **each(checked, t={name: frames[name] for name in ("plain", "gaps", "short", "chance")}),
        **each(
            lambda t: pruning.ablation(tree, t, vif=(2.0, 5.0), loading=(0.7,), missing="listwise"),
            t=frames,
        ),
        **each(
            lambda c: [vars(gold.model_from_columns(c)), model.tasks(gold.model_from_columns(c))],
            c=lists,
        ),
        **told(
            stacks=lambda: [
                [
                    stack.own_loadings(r[:, :4, :4], a[:, :4], pool),
                    stack.own_inflation(r[:, :4, :4], a[:, :4], pool),
                    stack.own_inflation(r[:, :4, :4], a[:, :4], pool, True),
                    stack.separation(r[:, :4, :4], a[:, :4], pool),
                    stack.three(r[:, :4, :4], a[:, :4], pool),
                ]
                for r in np.array(correlations)[:, None]
                for a in np.array(alive)[:, None]
            ],
            counts=lambda: [
                list(precision.model_counts(5, c, 3, 1)) for c in (None, np.array([0, 0, 1, 1, 2]))
            ],
            attenuated=lambda: [
                precision.disattenuated(correlations[1], np.array(x))
                for x in ([0.9] * 5, [0.5, 1, 0.0, 0.2, 0.9], [np.nan, 1, 1, 1, 0.04])
            ],
            weights=lambda: gold.gold_scores(data, pd.Series([1.0, 0.5, 0, 2, 1], columns)),
            reference=lambda: [
                [checks.exchangeable(k, r) for k in (1, 2, 6) for r in (0.0, 0.5, 1.0)],
                [checks.restricted(r, q) for r in (-0.5, 0.0, 0.9) for q in (0.0, 0.5, 1.0, 2.0)],
                [checks.chance_inflation(n, k) for n in (3, 7, 40) for k in (1, 2, 6)],
            ],
            yard=lambda: [
                rank_yardstick(data.mean(axis=1), data.to_numpy(), s) for s in (None, 5, 30)
            ],
            without=lambda: [
                vars(model.without(tree, removed)) for removed in ([], columns[:1], columns[:3])
            ],
        ),
    }


def trees_of_gaps() -> Parts:
    one = {"t": {"a": "p + (1 - p) * g", "b": "(1 - p) * (1 - g)"}}
    two = {
        "old": {"hit": "d + (1 - d) * g", "miss": "(1-d)*(1-g)"},
        "new": {"alarm": "(1 - d) * g", "right": "d + (1 - d) * (1 - g)"},
    }
    wrong = {"t": {"a": "p", "b": "p"}}
    counts = {
        "plain": [30, 10, 8, 32],
        "zero": [40, 0, 0, 40],
        "even": [20, 20, 20, 20],
        "few": [2, 1, 0, 1],
        "none": [0, 0, 0, 0],
        "turned": [5, 35, 30, 10],
    }

    def rounded(value: Any) -> Any:
        # Ends of profile intervals are exact to 1e-7.
        return value.round(4) if isinstance(value, pd.DataFrame) else value

    def fitted(c: Any, fixed: Any, level: float) -> Any:
        keys = [f"{tree}.{name}" for tree, every in two.items() for name in every]
        given = dict(zip(keys, c, strict=True))
        made = trees.fit_processing_tree(two, given, fixed=fixed, level=level, n_starts=2)
        return [made, *(rounded(t) for t in made.tables.values())]

    def likely(c: Any, theta: Any) -> Any:
        at, n = np.array(theta), np.array(c, float)
        tree = TreeModel(two, {})
        return [
            f(tree, n, at)
            for f in (
                likelihood.log_likelihood,
                likelihood.gradient,
                likelihood.information,
                likelihood.expected_information,
            )
        ]

    rng = np.random.default_rng(10)
    sizes = [12, 22, 30]
    frames = {}
    for n in sizes:
        seen = pd.DataFrame(
            {
                "image": rng.random(n) < 0.5,
                "text": rng.random(n) < 0.8,
                "blind": rng.random(n) < 0.25,
            }
        ).astype(float)
        frames[f"{n}"] = seen.assign(
            family=np.where(np.arange(n) % 2, "x", "y"), size=np.arange(n) % 5 + 1.0
        )
    whole = frames["30"]
    frames |= {
        "gaps": whole.mask(rng.random(whole.shape) < 0.1),
        "turned": whole.assign(image=whole["text"], text=whole["image"]),
        "same": whole.assign(image=whole["text"]),
        "all": whole.assign(image=1.0, text=1.0),
        "none": whole.head(0),
        "chance": whole.assign(chance=np.where(np.arange(30) % 2, 0.25, np.nan)),
        "sighted": whole.drop(columns="blind"),
    }
    triplets = {str(k): pd.DataFrame((rng.random((k, 3)) < 0.7) * 1.0) for k in (1, 2, 9)}
    triplets |= {
        "gap": triplets["9"].mask(np.eye(9, 3) == 1),
        "four": pd.DataFrame(np.ones((2, 4))),
        "other": pd.DataFrame([[0, 1, 2]]),
        "empty": triplets["9"].head(0),
    }

    def analyzed(t: Any, options: Any) -> Any:
        found = trees.analyze_gap(t, level=0.9, **options)
        return [
            found.title,
            *(rounded(x) for x in found.tables.values()),
            [d.to_dict() for d in found.diagnostics],
        ]

    options: dict[str, dict[str, Any]] = {
        "by": {"by": ["family", "size"]},
        "guess": {"guess": 0.2},
        "size": {"size": "size"},
        "triplets": {"triplets": triplets["9"], "about": {"run": "r"}},
        "no": {"by": ["no"]},
    }
    return {
        **each(
            fitted, c=counts, fixed={"": None, "g": {"g": 0.5}, "x": {"x": 0.5}}, level=named(0.95)
        ),
        **each(likely, c=counts, theta={"mid": [0.4, 0.5], "end": [0.0, 0.5], "top": [1.0, 0.25]}),
        **each(analyzed, t={"30": whole, "turned": frames["turned"]}, options=options),
        **each(analyzed, t=frames, options={"": {}}),
        **each(trees.genuine_accuracy, triplets=triplets, level=named(0.8, 0.95)),
        **told(
            wrong=lambda: trees.fit_processing_tree(wrong, {"t.a": 3, "t.b": 4}),
            unknown=lambda: trees.fit_processing_tree(one, {"a": 3, "c": 4}),
            single=lambda: trees.fit_processing_tree(one, {"t.a": 3, "t.b": 4}),
            fixed=lambda: (
                trees.fit_processing_tree(one, {"t.a": 30, "t.b": 14}, fixed={"g": 0.25}).tables
            ),
            clusters=lambda: trees.fit_processing_tree(
                one,
                pd.DataFrame({"t.a": [1, 0, 1, 1] * 6, "t.b": [0, 1, 0, 0] * 6}),
                fixed={"g": 0.25},
                clusters=np.arange(24) // 4,
            ),
        ),
    }


def valid() -> Parts:
    rng = np.random.default_rng(11)
    r = {str(v): np.where(np.eye(4) == 1, 1.0, v) for v in (0.0, 0.5, -0.3, 1.0)}
    mixed: Any = np.corrcoef(rng.normal(size=(30, 4)) + rng.normal(size=(30, 1)), rowvar=False)
    r["mixed"], r["turned"] = mixed, mixed * np.outer([1, -1, 1, 1], [1, -1, 1, 1])
    member = {
        "two": np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]]),
        "one": np.array([[1.0, 0], [1, 0], [1, 0], [0, 1]]),
    }
    active = {
        "": None,
        "some": np.array([1, 1, 0, 1], bool),
        "single": np.array([1, 0, 0, 0], bool),
    }
    blocks = [np.array([0, 1]), np.array([2, 3])]
    data = pd.DataFrame(rng.normal(size=(20, 4)) + rng.normal(size=(20, 1)), columns=list("abcd"))
    frames = {
        "plain": data,
        "few": data.head(4),
        "gaps": data.mask(rng.random(data.shape) < 0.1),
        "flat": data.assign(a=1.0),
        "turned": data.assign(b=-data["b"]),
    }
    sides = {
        "two": {"x": ["a", "b"], "y": ["c", "d"]},
        "one": {"x": ["a", "b", "c"], "y": ["d"]},
        "single": {"x": ["a", "b"]},
        "unknown": {"x": ["a", "z"], "y": ["c"]},
    }
    ave = pd.Series({"x": 0.5, "y": 0.36})
    related = pd.DataFrame([[1.0, 0.6], [0.6, 1.0]], ["x", "y"], ["x", "y"])
    return {
        **each(
            heterotrait.htmt,
            correlations=r,
            member=member,
            active=active,
            variant=named("htmt", "htmt2", "raw", "gold"),
        ),
        **each(collinearity.variance_inflation, correlations=r, active=active),
        **each(
            lambda correlations, active: collinearity.block_inflation(correlations, blocks, active),
            correlations=r,
            active=active,
        ),
        **each(
            lambda t, b, v, missing: ps.discriminant_validity(
                t, b, variant=v, missing=missing, n_bootstrap=12
            ),
            t=frames,
            b=sides,
            v=named("htmt", "gold"),
            missing=named("error", "listwise"),
        ),
        **told(fornell=lambda: heterotrait.fornell_larcker(ave, related)),
    }


def planned() -> Parts:
    variances = {"examinee": 0.04, "item": 0.05, "examinee x item": 0.2}
    parts = Components(variances)
    costs = {
        "": AnswerCosts(),
        "money": AnswerCosts(money=0.5, tokens=10),
        "time": AnswerCosts(seconds=36, parallel=3),
        "raters": AnswerCosts(money=1.0, raters={"rater": 2.0}),
        "only raters": AnswerCosts(raters={"rater": 2.0}),
    }

    def simulated(aim: Any, counts: Any) -> Any:
        tries = {**{n: [3] for n in aim.facets}, aim.solves: [counts * aim.step]}
        given = {name: n for name, n in tries.items() if name not in aim.given}
        return make_plan(aim, tries=given, simulations=5, seed=2)

    def reached(aim: Any, counts: int) -> Any:
        return aim.reached(
            {**aim.defaults, **dict.fromkeys(aim.facets, 3), **aim.given, aim.solves: counts}
        )

    aims = {
        "se": StandardError(parts),
        "accuracy": StandardError(accuracy=0.6),
        "clusters": StandardError(accuracy=0.9, cluster_size=4, icc=0.2),
        "difference": DifferenceAim(discordant=0.4),
        "spread": DifferenceAim(sd_difference=0.3, power=0.7),
        "components": DifferenceAim(components=parts, delta=0.2),
        "alpha": Alpha(0.6, 3),
        "threshold": Threshold(tuple(range(1, 6)), 3.0, 0.9, 0.2, 0.02),
        "fit": FitAim(6.0),
    }
    return {
        **each(
            lambda c, facets: c.of({"item": 20, "rater": 3, "examinee": 2}, facets),
            c=costs,
            facets={"item": ["item"], "both": ["item", "rater"]},
        ),
        **each(reached, aim=aims, counts=named(1, 2, 4, 20)),
        **each(simulated, aim=aims, counts=named(4, 12)),
        **each(
            t_power,
            noncentrality=named(0.0, 0.5, 3.0),
            df=named(1, 9, 400),
            alpha=named(0.01, 0.05),
        ),
        **told(
            wrong=lambda: StandardError(accuracy=1.5),
            cluster=lambda: StandardError(accuracy=0.5, cluster_size=0),
            alpha=lambda: Alpha(1.2, 3),
            fit=lambda: FitAim(-1.0),
            nothing=DifferenceAim,
        ),
    }


CASES: dict[str, Callable[[], Parts]] = {
    "gold and pruned": gold_and_pruned,
    "trees of gaps": trees_of_gaps,
    "valid": valid,
    "planned": planned,
}
