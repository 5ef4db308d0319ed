"""Results of many small inputs of each room: few rows, ties, gaps, columns that do not
vary, ends of scales, and every option; what is refused, in its words.

Small whole numbers meet thresholds exactly, where samples as large as real ones pass them by.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from support.records import told

from gfactor import psychometrics as ps
from gfactor.psychometrics.inference import multiplicity, paired, resampling, sequential
from gfactor.psychometrics.inference.deciding import rank_sequentially
from gfactor.psychometrics.inference.explaining import (
    asked_again,
    share_row,
    shares_of_gap,
    standard_error,
)
from gfactor.psychometrics.inference.pairwise import compare_pairs, pair_table
from gfactor.psychometrics.inference.peeking import false_alarm
from gfactor.psychometrics.inference.ranks import bounds_of_ranks
from gfactor.psychometrics.inference.runs import side_by_side

Parts = dict[str, Any]
LEVELS = (0.5, 0.95, 0.999)


def each(call: Callable[..., Any], **given: Mapping[str, Any]) -> Parts:
    """What a function gives for all combinations of named values."""
    names = [*given]
    return {
        " ".join(map(str, keys)): told(
            r=partial(call, **{n: given[n][k] for n, k in zip(names, keys, strict=True)})
        )
        for keys in itertools.product(*given.values())
    }


def numbered(values: Any) -> dict[str, Any]:
    return {str(k): value for k, value in enumerate(values)}


def named(*values: Any) -> dict[str, Any]:
    return {str(value): value for value in values}


def tables() -> dict[str, pd.DataFrame]:
    """Small tables of right and wrong answers and of points."""
    rng, frames = np.random.default_rng(1), {}
    for rows, columns in ((1, 2), (2, 2), (3, 3), (5, 2), (6, 4), (10, 3), (12, 5)):
        names = list("abcdefgh")[:columns]
        right = pd.DataFrame((rng.random((rows, columns)) < 0.6) * 1.0, columns=names)
        frames[f"{rows}x{columns}"] = right
        if rows > 3:
            frames[f"{rows}x{columns} graded"] = right * 0.75 + rng.integers(0, 2, right.shape) / 4
    some = frames["12x5"]
    gaps = some.mask(np.random.default_rng(2).random(some.shape) < 0.2)
    steps = pd.DataFrame((np.arange(12)[:, None] > [1, 4, 7, 10]) * 1.0, columns=list("abcd"))
    return {
        **frames,
        "gaps": gaps,
        "same": some.assign(b=some["a"], c=some["a"]),
        "steps": steps,
        "constant": some.assign(a=1.0, b=0.0),
        "all right": some * 0 + 1,
        "none": some.head(0),
        "one column": some[["a"]],
        "empty column": gaps.assign(a=np.nan),
        "counts": pd.DataFrame(np.arange(24).reshape(8, 3) % 5 * 1.0, columns=list("abc")),
    }


PAIRS = {
    "equal": ([1, 0, 1], [1, 0, 1]),
    "one": ([1], [0]),
    "two": ([1, 0], [0, 0]),
    "all": ([1] * 6, [0] * 6),
    "tie": ([1, 1, 0, 0, 1, 0], [0, 0, 1, 1, 1, 0]),
    "graded": ([0.5, 0.25, 1, 0, 0.75], [0.25, 0.25, 0.5, 0, 1]),
    "shifted": ([0.5, 0.7, 0.9], [0.25, 0.45, 0.65]),
    "gap": ([1, np.nan, 0, 1], [0, 1, np.nan, 0]),
    "many": ([1, 0, 1, 1] * 8, [0, 1, 0, 1] * 8),
    "none": ([], []),
    "unlike": ([1, 0], [1]),
}


def differences() -> Parts:
    clusters = {
        "": lambda n: None,
        "one": lambda n: [1] * n,
        "pairs": lambda n: [k // 2 for k in range(n)],
    }

    def one(pair: Any, method: Any, cluster: Any, level: float) -> Any:
        groups = cluster(len(pair[0]))
        return ps.difference(*pair, clusters=groups, method=method, level=level, n_bootstrap=40)

    methods = named("auto", "exact", "t", "bootstrap")
    return {
        **each(one, pair=PAIRS, method=methods, cluster=clusters, level=named(0.95)),
        **each(one, pair=PAIRS, method=named("auto"), cluster=clusters, level=named(0.5, 1.0)),
        **{
            f"all of {name}": told(
                pairs=lambda t=t: ps.all_pairs(t, n_bootstrap=30),
                sets=lambda t=t: ps.rank_sets(ps.all_pairs(t, n_bootstrap=30), n_bootstrap=30),
                clusters=lambda t=t: ps.all_pairs(
                    t, np.arange(len(t)) // 3, n_bootstrap=30, level=0.8
                ),
                compared=lambda t=t: pair_table(compare_pairs(t), t),
                sequential=lambda t=t: rank_sequentially(t),
                graded=lambda t=t: rank_sequentially(t, graded=True, level=0.8),
            )
            for name, t in tables().items()
        },
    }


def proportions() -> Parts:
    k, n = (
        np.array(x) for x in zip(*((k, n) for n in range(7) for k in range(n + 1)), strict=True)
    )
    grid = [c for c in itertools.product(range(5), repeat=4) if sum(c) and sum(c) < 7]
    few = {
        "none": [],
        "one": [0.5],
        "same": [0.5, 0.5, 0.5],
        "two": [0, 1],
        "ties": [1, 1, 0, 0, 1],
    }
    groups = {"single": [1, 1, 1, 1, 1], "own": [0, 1, 2, 3, 4], "pairs": [0, 0, 1, 1, 2]}

    def of_clusters(values: Any, group: Any, level: float) -> Any:
        parts = values, group[: len(values)], level
        return told(
            t=lambda: ps.cluster_t(*parts),
            b=lambda: ps.cluster_bootstrap(*parts, n_bootstrap=30),
            p=lambda: ps.paired_bootstrap(values, [0.25] * len(values), *parts[1:], n_bootstrap=30),
        )

    return {
        **each(
            lambda f, level: f(k, n, level),
            f={"wilson": ps.wilson, "jeffreys": ps.jeffreys},
            level=named(*LEVELS, 0.0, 1.0),
        ),
        **each(of_clusters, values=few, group=groups, level=named(0.5, 0.95)),
        **told(
            mcnemar=lambda: [
                [
                    paired.mcnemar_p(b, c),
                    paired.mcnemar_p(b, c, mid=True),
                    paired.mcnemar_exact(b, c),
                    paired.mcnemar_mid_p(b, c),
                ]
                for b in range(8)
                for c in range(8)
            ],
            newcombe=lambda: [
                paired.newcombe(*c, corrected=d) for c in grid for d in (True, False)
            ],
            tango=lambda: [
                paired.tango(b, c, n, v)
                for b in range(4)
                for c in range(4)
                for n in (b + c, b + c + 1, 9)
                if n
                for v in (0.8, 0.95)
            ],
            no_pairs=lambda: paired.tango(0, 0, 0),
            odd=lambda: ps.wilson(3, 2),
            negative=lambda: ps.wilson(-1, 2),
        ),
    }


def tests_at_once() -> Parts:
    lists = [
        [],
        [0.5],
        [0.01, 0.01, 0.01],
        [0.04, 0.01, 0.03],
        [1.0, 0.0],
        [0.05] * 4,
        [0.2, np.nan, 0.01],
        [1.5],
        [-0.1],
        [0.001, 0.04, 0.03, 0.02, 0.5, 0.9, 1.0],
    ]
    families = {
        f.__name__: f
        for f in (
            multiplicity.holm,
            multiplicity.benjamini_hochberg,
            multiplicity.benjamini_yekutieli,
            multiplicity.holm_directional,
        )
    }
    rng = np.random.default_rng(3)
    worse = [rng.random((n, n)) < p for n in (1, 2, 4, 6) for p in (0.0, 0.3, 1.0)]
    return {
        **each(lambda f, p: f(p), f=families, p=numbered(lists)),
        **told(bounds=lambda: [bounds_of_ranks(w) for w in worse]),
        **each(
            asked_again,
            difference=named(-0.1, 0.0, 0.2),
            level=named(0.5, 0.95),
            contributions=numbered([np.zeros(3), np.array([1.0, 0, -1]), np.array([0.5])]),
        ),
    }


def one_by_one() -> Parts:
    rng = np.random.default_rng(4)
    series = {
        "none": [],
        "one": [1.0],
        "right": [1.0] * 8,
        "wrong": [0.0] * 8,
        "mixed": [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0],
        "graded": [0.5, 0.25, 1.0, 0.0, 0.75, 0.5],
        "outside": [0.5, 2.0],
        "long": (rng.random(60) < 0.8).astype(float).tolist(),
    }
    sums = np.array([[b, c] for b in range(6) for c in range(6)])

    def sequence(values: Any, method: Any, level: float, running: bool, bounds: Any) -> Any:
        return sequential.confidence_sequence(
            values, method=method, level=level, bounds=bounds, running_intersection=running
        )

    def compared(a: Any, graded: bool, level: float) -> Any:
        other = [1 - x if k % 3 else x for k, x in enumerate(a)]
        return sequential.compare_sequentially(a, other, graded=graded, level=level)

    return {
        **each(
            sequence,
            values=series,
            method=named("betting", "mixture"),
            level=named(0.8, 0.95),
            running=named(True, False),
            bounds={"unit": (0.0, 1.0), "wide": (-1.0, 2.0)},
        ),
        **each(compared, a=series, graded=named(True, False), level=named(0.8, 0.99)),
        **told(
            e=lambda: [
                sequential.mcnemar_log_e(*sums.T, prior=p, alternative=a)
                for p in (0.5, 1.0, 3.0)
                for a in ("two-sided", "greater")
            ],
            p=lambda: [sequential.anytime_p([-1.0, 0.0, 2.0, 1.0, 5.0])],
            so_far=lambda: [
                sequential.interval_so_far(v, level=w)
                for v in series.values()
                if len(v) > 1 and max(v) <= 1
                for w in (0.5, 0.95)
            ],
            capital=lambda: [
                sequential.betting_log_capital(series[name], [0.0, 0.3, 0.5, 1.0])
                for name in ("mixed", "graded", "right", "wrong")
            ],
            prior=lambda: sequential.confidence_sequence(
                series["mixed"], method="mixture", prior=(2, 3)
            ),
            alarms=lambda: [
                false_alarm(p, n, first_look=f, rule=r)
                for p in (0.5, 0.9)
                for n, f in ((20, 20), (25, 5), (40, 10))
                for r in ("wald", "wald_t", "wilson", "mixture")
            ],
            runs=lambda: [
                side_by_side(pd.Series(a), pd.Series(b)) for a, b in (PAIRS["tie"], PAIRS["graded"])
            ],
        ),
    }


def resamples() -> Parts:
    rng = np.random.default_rng(5)
    draws = {
        "few": np.round(rng.normal(size=(11, 2)), 1),
        "ties": np.repeat([[0.0], [1.0]], 6, 0),
        "gaps": np.where(rng.random((20, 2)) < 0.2, np.nan, rng.normal(size=(20, 2))),
        "one": np.ones((1, 1)),
        "lost": np.full((4, 1), np.nan),
    }

    def ends(drawn: Any, level: float, method: Any, rule: Any) -> Any:
        width = drawn.shape[1]
        tilt = np.full(width, 0.05) if method == "bca" else None
        return resampling.interval(drawn, np.full(width, 0.4), level, method, tilt, rule)

    r: Any = resampling
    return {
        **each(
            ends,
            drawn=draws,
            level=named(0.5, 0.95),
            method=named("percentile", "basic", "normal", "bca"),
            rule=named("order", "type7"),
        ),
        **told(
            spread=lambda: [r.spread(d) for d in draws.values()],
            quantiles=lambda: [
                r.quantiles(d, np.full(d.shape[1], share), rule)
                for d in draws.values()
                for share in (0.0, 0.1, 0.5, 1.0, np.nan)
                for rule in ("order", "type7")
            ],
            acceleration=lambda: [r.acceleration([rng.normal(size=(n, 2))]) for n in (2, 5)],
            flat=lambda: r.acceleration([np.ones((4, 2)), np.zeros((3, 2))]),
            weights=lambda: [list(r.bootstrap_weights(n, d, 2)) for n, d in ((1, 3), (5, 4))],
            left=lambda: [
                r.left_out(a, b, "they fail")
                for a, b in ((10, 10), (10, 9), (40, 39), (10, 4), (10, 1), (10, 0))
            ],
        ),
    }


def shared_out() -> Parts:
    """Gaps of points shared out among settings, where answers or items are missing."""
    rng = np.random.default_rng(12)
    every = [frozenset(n for k, n in enumerate("xy") if code >> k & 1) for code in range(4)]
    whole = {
        s: pd.DataFrame({"earned": rng.integers(0, 3, 10) / 2, "possible": 1.0 + np.arange(10) % 2})
        for s in every
    }
    gaps = {s: t.assign(earned=t["earned"].where(rng.random(10) < 0.8)) for s, t in whole.items()}
    lost = {s: t[np.arange(10) > len(s)].reindex(t.index) for s, t in whole.items()}
    same = dict.fromkeys(every, whole[every[0]])
    none = {s: t.assign(earned=np.nan) for s, t in whole.items()}
    ends = {s: gaps[s] for s in (every[0], every[3])}
    one = {s: whole[s] for s in every[:2]}
    flags = {"": None, "x": {"x": (np.arange(10) < 4) * 1.0}, "none": {"x": np.zeros(10)}}
    groups = {"": None, "pairs": np.arange(10) // 2, "single": np.zeros(10)}

    def shares(states: Any, factors: str, concerned: Any) -> Any:
        rows = []
        for name, share in shares_of_gap(states, list(factors), concerned).items():
            ends = [share_row(share, g, v) for g in groups.values() for v in (0.5, 0.95)]
            errors = [standard_error(share.influence, g) for g in groups.values()]
            rows.append([name, share, ends, errors])
        return rows

    states = {"whole": whole, "gaps": gaps, "lost": lost, "same": same, "none": none,
              "ends": ends, "one": one}  # fmt: skip
    return each(shares, states=states, factors=named("xy", "x"), concerned=flags)


CASES: dict[str, Callable[[], Parts]] = {
    "shared out": shared_out,
    "differences": differences,
    "proportions": proportions,
    "tests at once": tests_at_once,
    "one by one": one_by_one,
    "resamples": resamples,
}
