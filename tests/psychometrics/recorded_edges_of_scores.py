"""Results of many small inputs: consistency, agreement, criteria, copies, norms."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from recorded_edges import Parts, each, named, tables
from support.records import told

from gfactor import psychometrics as ps
from gfactor.psychometrics import alignment, respondents
from gfactor.psychometrics.alignment.criterion import close_names, overlap
from gfactor.psychometrics.classical.agreement import (
    cohen_kappa,
    dawid_skene,
    fleiss_kappa,
    krippendorff_alpha,
)
from gfactor.psychometrics.classical.consistency import composites
from gfactor.psychometrics.norms import norm_scores, read_norms, write_norms
from gfactor.psychometrics.respondents import alignment as lined_up
from gfactor.psychometrics.respondents.chance import chance_agreement
from gfactor.psychometrics.respondents.grid import recover_grid
from gfactor.psychometrics.validity import heterotrait


def _rated() -> tuple[dict[str, Any], dict[str, Any]]:
    """Tables of scores, and these with tables of categories."""
    frames = tables()
    letters = {
        name: t.replace({0.0: "no", 1.0: "yes"}).astype(object).where(t.notna())
        for name, t in frames.items()
        if name in ("6x4", "gaps", "same", "5x2")
    }
    rng = np.random.default_rng(6)
    rated = pd.DataFrame({c: rng.choice(["x", "y", "z"], 9, p=[0.6, 0.3, 0.1]) for c in "abc"})
    known = {
        **frames,
        **letters,
        "three": rated,
        "two raters": rated[["a", "b"]],
        "gap": rated.where(rng.random(rated.shape) < 0.7),
    }
    return frames, known


def consensus() -> Parts:
    return each(
        lambda t, prior: dawid_skene(t, prior=prior, n_bootstrap=10),
        t=_rated()[1],
        prior=named(0.0, 0.5),
    )


def consistent() -> Parts:
    frames, known = _rated()
    blocks = {
        "two": [np.array([0, 1]), np.array([2, 3])],
        "uneven": [np.array([0, 1, 2]), np.array([3])],
    }
    r = {str(v): np.where(np.eye(4) == 1, 1.0, v) for v in (0.0, 0.4, -0.2, 1.0)}
    member = np.array([[1.0, 0], [1, 0], [1, 0], [0, 1]])
    loads = {"plain": np.array([0.9, 0.7, 0.0, 0.5]), "negative": np.array([-0.9, 0.7, 0.8, -0.5])}
    return {
        **each(
            lambda t, level: ps.reliability(t, level=level, splits=20),
            t=frames,
            level=named(0.8, 0.95),
        ),
        **each(lambda t: [ps.cronbach_alpha(t), ps.cronbach_alpha(t.to_numpy())], t=frames),
        **each(lambda t, splits: ps.split_half(t, splits, 3), t=frames, splits=named(1, 7)),
        **each(
            ps.feldt_interval, alpha=named(-0.2, 0.0, 0.8, 1.0), n=named(1, 2, 30), k=named(1, 2, 9)
        ),
        **each(
            lambda t, w: cohen_kappa(t, w, n_bootstrap=20),
            t=known,
            w=named("none", "linear", "quadratic", "no"),
        ),
        **each(lambda t: fleiss_kappa(t, n_bootstrap=20), t=known),
        **each(
            lambda t, level: krippendorff_alpha(t, level, n_bootstrap=20),
            t=known,
            level=named("nominal", "ordinal", "interval", "ratio"),
        ),
        **each(
            lambda f, r, b: f(r, b),
            r=r,
            b=blocks,
            f={
                f.__name__: f
                for f in (
                    composites.standardized_alpha,
                    composites.omega,
                    composites.component_reliability,
                )
            },
        ),
        **each(
            lambda a: [
                composites.composite_reliability(a, member),
                heterotrait.average_variance_extracted(a, member),
            ],
            a=loads,
        ),
    }


def aligned() -> Parts:
    vectors = {
        "rising": [1, 2, 3, 4, 5, 6],
        "ties": [1, 1, 2, 2, 3, 3],
        "same": [2] * 6,
        "mixed": [3, 1, 4, 1, 5, 9],
        "falling": [6, 5, 4, 3, 2, 1],
        "few": [1, 2, 4],
        "gap": [1, np.nan, 3, 2, 5, 4],
        "four": [1, 3, 2, 4],
    }
    kinds, criterion = named("pearson", "spearman", "kendall"), [2, 7, 1, 8, 2, 8]
    rows = {"model": ["m-7B", "n-2B", "o", "p", "q", "r"], "score": [1, 2, 3, 4, 5, 9.5]}
    ends = {"rating_q025": [0, 1, 1, 3, 4, 8], "rating_q975": [2, 3, 5, 5, 6, 11]}
    frames = {
        "plain": pd.DataFrame(rows),
        "ends": pd.DataFrame({**rows, **ends}),
        "low": pd.DataFrame({**rows, "low": ends["rating_q025"], "high": ends["rating_q975"]}),
        "twice": pd.DataFrame({**rows, "model": ["a", "a", "b", "c", "d", "e"], "set": 1}),
        "words": pd.DataFrame({**rows, "score": list("abcdef")}),
        "none": pd.DataFrame({"model": ["a"]}),
        "gap": pd.DataFrame({**rows, "score": [1, None, 3, 4, 5, 6]}),
        "names": pd.DataFrame({"name": ["a"], "elo": [3]}),
        "wide": pd.DataFrame({**rows, "low": [-40.0] * 6, "high": [40.0] * 6}),
        "equal": pd.DataFrame({**rows, "score": [3.0] * 6, "low": [1] * 6, "high": [2] * 6}),
    }
    scores = {
        "same": pd.Series([2.0, 1, 4, 3, 6, 5], rows["model"]),
        "other": pd.Series(range(7), ["M-7b", "n-3B", "o", "p", "q", "r", "x"], dtype=float),
        "few": pd.Series([1.0, 2, 3, 4], ["o", "p", "q", "r"]),
        "gap": pd.Series([2.0, 1, np.nan, 3, 6, 5], rows["model"]),
    }
    maps: dict[str, Any] = {"": None, "map": {"M-7b": "m-7B", "n-3B": "n-2B"}, "both": {"x": "o"}}

    def along(table: Any, scores: pd.Series, names: Any, level: float) -> Any:
        known = alignment.criterion_from_table(table, level=level)
        near = frozenset({"M-7b"})
        return told(
            known=lambda: [
                known.ratings,
                known.se,
                known.reliability(),
                known.of(scores.index[:3]).ratings,
            ],
            overlap=lambda: overlap(scores.index, known, names, near),
            result=lambda: alignment.align(scores, known, names, approximate=near, level=level),
        )

    def matched(table: Any, **given: Any) -> Any:
        known = alignment.criterion_from_table(table, **given)
        return [known.name, known.ratings, known.se]

    def coefficients(a: Any, kind: Any, level: float) -> Any:
        return alignment.coefficient(a, criterion[: len(a)], kind, level)

    def changed(a: Any, b: Any, kind: Any) -> Any:
        return alignment.correlation_difference(a, b, criterion[: len(a)], kind)

    long = {n: pd.Series(v, list("abcdef")[: len(v)], dtype=float) for n, v in vectors.items()}
    wide = {n: t.set_axis([f"m{k}" for k in range(len(t))]) for n, t in tables().items()}
    return {
        **each(coefficients, a=vectors, kind=kinds, level=named(0.5, 0.95)),
        **each(changed, a=vectors, b=vectors, kind=named("pearson", "spearman")),
        **each(alignment.rank_agreement, first=long, second=long, size=named(None, 2, 4)),
        **each(
            lambda t, reference: alignment.standardized_mean(t, t.head(4) if reference else None),
            t=wide,
            reference=named(True, False),
        ),
        **each(along, table=frames, scores=scores, names=maps, level=named(0.9)),
        **each(
            matched, table=frames, rating=named(None, "score", "elo"), model=named("model", "name")
        ),
        **told(
            close=lambda: [
                close_names(
                    ["GPT-4o mini", "llava 7b", "x"], ["gpt-4o-mini", "LLaVA-7B", "llava-13b"]
                ),
                close_names([], ["a"]),
            ]
        ),
    }


def copied() -> Parts:
    rng = np.random.default_rng(7)
    whole = pd.DataFrame(rng.integers(0, 5, (14, 6)) / 4, columns=list("abcdef"))
    twin = pd.DataFrame(rng.integers(0, 5, (10, 6)) / 4, columns=list("abcdef"))
    twin.iloc[:4] = whole.iloc[:4].to_numpy()
    frames = {
        **tables(),
        "whole": whole,
        "copies": whole.iloc[[0, 0, 0, 1, 2, 2, 3, 4, 5, 6]],
        "shifted": whole.add([0, 1, 0, 2, 0, 0]),
        "third": whole.round(0) / 3,
        "continuous": pd.DataFrame(rng.normal(size=(12, 4)), columns=list("abcd")),
        "negative": whole - 0.5,
        "zeros": whole * (np.arange(14) > 4)[:, None],
    }
    both = {
        "pair": {"a": whole, "b": twin},
        "same": {"a": whole, "b": whole},
        "short": {"a": whole.head(3), "b": twin.head(2)},
        "other": {"a": whole, "b": whole[["a", "b"]]},
        "three": {"a": whole, "b": twin, "c": twin + 0.25},
    }
    values = {
        "": [],
        "one": [2.0],
        "halves": [0, 0.5, 1, 2.5],
        "thirds": [1 / 3, 2 / 3, 1],
        "ten": [10, 30, 70],
        "free": rng.normal(size=9),
        "gap": [1.0, np.nan, 3.0],
        "same": [4.0] * 5,
        "minus": [-1.0, -0.5, 0.5],
    }
    agreements = {
        "none": np.zeros((0, 0)),
        "zero": np.zeros((3, 4)),
        "all": np.full((4, 4), 6),
        "some": rng.integers(0, 4, (9, 8)),
        "self": rng.integers(0, 4, (7, 7)) - 7 * np.eye(7),
        "best": rng.integers(0, 3, (8, 8)) + 3 * np.eye(8),
        "line": np.arange(6)[None],
    }

    def chance(agreed: Any, columns: int) -> Any:
        made = chance_agreement(np.maximum(agreed, -1).astype(np.int64), columns, 0.01)
        return [made, [made.expected(k) for k in (0, 2, 5, 6)]]

    def line_up(n: int, m: int, k: int) -> Any:
        made = np.random.default_rng(n + m)
        a, b = (made.integers(0, k, (size, 4)) for size in (n, m))
        return lined_up.align(a, b, np.random.default_rng(1))

    return {
        **each(
            lambda t, counts: respondents.forensics(t, counts=counts),
            t=frames,
            counts=named(True, False),
        ),
        **each(lambda t: respondents.forensics(t, points=dict.fromkeys(t, 4.0)), t=frames),
        **each(lambda s, seed: respondents.forensics(s, seed=seed), s=both, seed=named(0, 3)),
        **each(lambda v: recover_grid(np.array(v, float)), v=values),
        **each(chance, agreed=agreements, columns=named(0, 6, 9)),
        **each(line_up, n=named(1, 5), m=named(1, 7), k=named(2, 9)),
        **each(lambda t: respondents.families("s", t), t=frames),
    }


def normed() -> Parts:
    rng = np.random.default_rng(8)
    people = pd.DataFrame(
        {"memory": rng.integers(3, 9, 46) * 1.0, "speed": np.round(rng.normal(5, 2, 46), 1)}
    )
    groups = pd.DataFrame(
        {
            "age": np.where(np.arange(46) < 20, "18-29", "30-"),
            "sex": np.where(np.arange(46) % 2, "f", "m"),
        }
    )
    groups.loc[3:5, "age"] = ""
    cases: dict[str, tuple[Any, Any, dict[str, Any]]] = {
        "all": (people, None, {}),
        "groups": (people, groups, {"min_n": 12}),
        "crossed": (people, groups, {"crossed": True, "min_n": 10, "level": 0.8, "seed": 2}),
        "gaps": (people.mask(rng.random(people.shape) < 0.3), groups, {"min_n": 15}),
        "same": (people.assign(speed=4.0), None, {}),
        "few": (people.head(9), None, {}),
        "low": (people, None, {"min_n": 9}),
        "described": (
            people[["speed"]],
            groups[["sex"]],
            {
                "min_n": 20,
                "about": {"sample": "visitors", "year": 2026},
                "scales": {"speed": {"unit": "s"}},
            },
        ),
        "nearly": (people.head(11), None, {"min_n": 11}),
        "level": (people, None, {"level": 1.0}),
        "others": (people, groups.head(5), {}),
    }

    def made(name: str) -> Any:
        scores, known, options = cases[name]
        norms = norm_scores(scores, known, **options)
        with tempfile.TemporaryDirectory() as folder:
            path = write_norms(norms, Path(folder) / "n.json") or Path(folder) / "n.json"
            again = read_norms(path)
        cell = norms.cells[0]
        at = [(6.0,), (6.0, 5.0, 8.0), (-40.0,), (99.0, 90.0, 100.0), (5.0, 6.0, 4.0)]
        return [
            norms,
            norms.table,
            norms.conversion,
            again.to_dict(),
            again.table,
            [cell.standing(*a).row() for a in at],
            norms.standings(cell.scale, 5.5),
        ]

    whole = norm_scores(people, groups, min_n=12)
    return {
        **each(made, name=named(*cases)),
        **told(
            scale=lambda: whole.cell("no"),
            group=lambda: whole.cell("speed", age="no"),
            cell=lambda: vars(whole.cell("speed", age="30-")),
        ),
    }


CASES: dict[str, Callable[[], Parts]] = {
    "consistent": consistent,
    "consensus": consensus,
    "aligned": aligned,
    "copied": copied,
    "normed": normed,
}
