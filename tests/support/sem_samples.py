"""Samples for structural equation models, drawn from a seed: the data of the recorded fits.

Only integer and normal draws of a PCG64 generator are used, sums are made term by term (never by a
matrix product, whose last bits depend on the linear-algebra library), and values are rounded to
four decimals: the same data everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

Column = np.ndarray
Draw = Callable[[], Column]


def _draws(seed: int, n: int) -> tuple[np.random.Generator, Draw]:
    rng = np.random.Generator(np.random.PCG64(seed))
    return rng, lambda: rng.normal(size=n)


def _skewed(z: Column) -> Column:
    """Mean 0, variance 1, skewness about 1: normal estimators are wrong here, robust ones not."""
    return (z + 0.25 * (z * z - 1.0)) / 1.0606601717798212


def _indicators(
    draw: Draw, factor: Column, prefix: str, loadings: Sequence[float], start: int = 1
) -> dict[str, Column]:
    made: dict[str, Column] = {}
    for place, loading in enumerate(loadings):
        rest = (1.0 - loading * loading) ** 0.5
        made[f"{prefix}{start + place}"] = loading * factor + rest * _skewed(draw())
    return made


def _frame(columns: Mapping[str, Column]) -> pd.DataFrame:
    return pd.DataFrame({name: np.round(values, 4) for name, values in columns.items()})


def three_factors() -> pd.DataFrame:
    """320 persons of two schools, nine skewed indicators of three correlated abilities."""
    rng, draw = _draws(41, 320)
    general = draw()
    school = rng.integers(0, 2, size=320)
    factors = [0.6 * general + 0.8 * _skewed(draw()) for _ in range(3)]
    factors[1] = factors[1] * (1.0 + 0.3 * school) + 0.4 * school
    columns: dict[str, Column] = {}
    for place, factor in enumerate(factors):
        columns |= _indicators(draw, factor, "x", (0.8, 0.7, 0.6), 3 * place + 1)
    columns["x3"] = columns["x3"] + 0.3 * school
    shared = draw()
    columns["x7"] = columns["x7"] + 0.4 * shared
    columns["x8"] = columns["x8"] + 0.4 * shared
    frame = _frame({name: 5.0 + 1.5 * values for name, values in columns.items()})
    return frame.assign(school=np.where(school == 1, "north", "south"))


def with_gaps() -> pd.DataFrame:
    """The three abilities with about an eighth of the cells missing at random."""
    frame = three_factors()
    rng, _ = _draws(42, 320)
    values = frame.drop(columns="school")
    gone = rng.integers(0, 8, size=values.shape) == 0
    return values.mask(gone).assign(school=frame["school"])


def ordinal() -> pd.DataFrame:
    """The three abilities as answers in three and four steps."""
    frame = three_factors()
    values = {
        f"x{k}": np.digitize(frame[f"x{k}"], (3.9, 5.6) if k % 2 else (3.5, 4.8, 6.4)) + 1
        for k in range(1, 10)
    }
    return pd.DataFrame(values).assign(school=frame["school"])


def binary() -> pd.DataFrame:
    """The first six indicators as right and wrong."""
    frame = three_factors()
    cuts = {f"x{k}": 4.3 + 0.2 * k for k in range(1, 7)}
    return pd.DataFrame({name: (frame[name] > cut).astype(int) for name, cut in cuts.items()})


def ordinal_covariates() -> pd.DataFrame:
    """The answers in steps with age, sex and a continuous outcome of the second ability."""
    frame, latent = ordinal(), three_factors()
    rng, draw = _draws(48, 320)
    ability, other = (latent[name].to_numpy() for name in ("x1", "x4"))
    age = 40.0 + 8.0 * (0.3 * (ability - 5.0) + draw())
    sex = rng.integers(0, 2, size=320)
    mark = 3.0 + 0.3 * other - 0.02 * age + draw()
    made = _frame({"age": age, "mark": mark}).assign(sex=sex)
    return pd.concat([frame, made], axis=1)


def ordinal_gaps() -> pd.DataFrame:
    """The answers in steps with about an eighth of the cells missing, and two marks with gaps."""
    frame = ordinal()
    rng, _ = _draws(49, 320)
    values = frame.drop(columns="school").astype(float)
    gone = rng.integers(0, 8, size=values.shape) == 0
    marks = with_gaps()
    return values.mask(gone).assign(
        school=frame["school"],
        mark8=marks["x8"],
        mark9=marks["x9"],
        age=ordinal_covariates()["age"],
    )


def ordinal_weights() -> pd.DataFrame:
    """The answers in steps with covariates and the sampling weights of `designed`."""
    return ordinal_covariates().assign(weight=designed()["weight"])


def ordinal_weights_gaps() -> pd.DataFrame:
    """The answers in steps with missing cells, and the same weights."""
    return ordinal_gaps().assign(weight=designed()["weight"])


def hierarchy() -> pd.DataFrame:
    """360 persons, twelve indicators of four abilities that share a general one."""
    _, draw = _draws(43, 360)
    general = draw()
    columns: dict[str, Column] = {}
    for place, loading in enumerate((0.8, 0.7, 0.75, 0.6)):
        factor = loading * general + (1.0 - loading * loading) ** 0.5 * draw()
        columns |= _indicators(draw, factor, "y", (0.8, 0.75, 0.65), 3 * place + 1)
    return _frame(columns)


def few() -> pd.DataFrame:
    """48 persons of `hierarchy`: one residual variance wants to be negative."""
    return hierarchy().iloc[200:248].reset_index(drop=True)


def paths() -> pd.DataFrame:
    """260 persons: two causes, a mediator, an outcome."""
    _, draw = _draws(44, 260)
    a, b = draw(), draw()
    b = 0.3 * a + b
    m = 0.5 * a + 0.2 * b + _skewed(draw())
    y = 0.4 * m + 0.3 * b + 0.1 * a + _skewed(draw())
    return _frame({"a": 2.0 + a, "b": b, "m": 1.0 + m, "y": 3.0 + 2.0 * y})


def mediation() -> pd.DataFrame:
    """280 persons: three latent variables in a chain, three indicators each, and a covariate."""
    _, draw = _draws(45, 280)
    age = draw()
    cause = 0.3 * age + draw()
    between = 0.6 * cause + 0.8 * draw()
    outcome = 0.5 * between + 0.2 * cause + 0.7 * draw()
    columns: dict[str, Column] = {"age": 40.0 + 10.0 * age}
    for place, factor in enumerate((cause, between, outcome)):
        columns |= _indicators(draw, factor, "z", (0.8, 0.75, 0.7), 3 * place + 1)
    return _frame(columns)


def growth() -> pd.DataFrame:
    """240 persons at four occasions, with a covariate."""
    _, draw = _draws(46, 240)
    covariate = draw()
    level = 5.0 + 0.4 * covariate + draw()
    slope = 0.8 - 0.2 * covariate + 0.5 * draw()
    columns: dict[str, Column] = {"w": covariate}
    for time in range(4):
        columns[f"t{time + 1}"] = level + time * slope + 0.8 * _skewed(draw())
    return _frame(columns)


def resamples(n: int = 320, count: int = 10) -> np.ndarray:
    """Rows (from 0) of bootstrap samples, shape (count, n)."""
    rng, _ = _draws(47, n)
    return rng.integers(0, n, size=(count, n))


def designed() -> pd.DataFrame:
    """The three abilities, with sampling weights, clusters of cases that share part of an answer,
    and clusters within schools."""
    frame = three_factors()
    rng, _ = _draws(47, 320)
    cluster = rng.integers(0, 40, size=320)
    shared = rng.integers(-4, 5, size=(40, 9)) / 8
    for k in range(1, 10):
        frame[f"x{k}"] += shared[cluster, k - 1]
    inside = np.where(frame["school"] == "south", cluster % 25, 100 + cluster)
    weight = (20 + rng.integers(0, 280, size=320)) / 100
    return frame.assign(weight=weight, family=cluster, nested=inside)


def designed_gaps() -> pd.DataFrame:
    """The same with the missing cells of `with_gaps`."""
    frame, gaps = designed(), with_gaps()
    names = [f"x{k}" for k in range(1, 10)]
    return frame.assign(**{name: frame[name].mask(gaps[name].isna()) for name in names})


def two_levels() -> pd.DataFrame:
    """90 schools of 6 to 20 pupils, unbalanced: six indicators of two abilities at both levels, two
    covariates of pupils (x2 of schools, too), one of schools, and a mark of the school."""
    rng, draw = _draws(50, 90)
    sizes = 6 + rng.integers(0, 15, size=90)
    school = np.repeat(np.arange(90), sizes)
    funds, climate = draw(), draw()
    between = [0.4 * funds + 0.5 * climate + 0.7 * draw(), 0.6 * climate + 0.7 * draw()]
    shared = [0.5 * draw() for _ in range(6)]
    grade = 0.6 * between[0] + 0.6 * draw()
    _, draw = _draws(51, len(school))
    x1, own = draw(), draw()
    x2 = own + 0.8 * climate[school]
    within = [0.5 * x1 + 0.3 * own + draw(), 0.4 * own + draw()]
    within[1] = within[1] + 0.4 * within[0]
    columns: dict[str, Column] = {}
    for k, loading in enumerate((1.0, 0.8, 0.7, 1.0, 0.9, 0.7)):
        both = within[k // 3] + 0.9 * between[k // 3][school]
        columns[f"y{k + 1}"] = loading * both + shared[k][school] + 0.8 * _skewed(draw())
    columns |= {"x1": x1, "x2": x2, "funds": funds[school], "grade": grade[school]}
    return _frame(columns).assign(school=school)


def two_levels_gaps() -> pd.DataFrame:
    """The same without 12 % of the indicators' values, and without the mark of ten schools."""
    frame = two_levels()
    rng, _ = _draws(52, len(frame))
    names = [f"y{k}" for k in range(1, 7)]
    gaps = rng.uniform(size=(len(frame), len(names))) < 0.12
    unmarked = frame["school"] % 9 == 4
    return frame.assign(
        **{name: frame[name].mask(gaps[:, k]) for k, name in enumerate(names)},
        grade=frame["grade"].mask(unmarked),
    )


def two_levels_groups() -> pd.DataFrame:
    """The same schools in two regions; those of the north answer y2 more easily."""
    frame = two_levels()
    north = frame["school"] % 3 == 0
    return frame.assign(
        y2=frame["y2"].where(~north, frame["y2"] + 0.5), region=np.where(north, "north", "south")
    )


SAMPLES: Mapping[str, Callable[[], pd.DataFrame]] = {
    "three_factors": three_factors,
    "with_gaps": with_gaps,
    "ordinal": ordinal,
    "binary": binary,
    "ordinal_covariates": ordinal_covariates,
    "ordinal_gaps": ordinal_gaps,
    "ordinal_weights": ordinal_weights,
    "ordinal_weights_gaps": ordinal_weights_gaps,
    "hierarchy": hierarchy,
    "few": few,
    "paths": paths,
    "mediation": mediation,
    "growth": growth,
    "designed": designed,
    "designed_gaps": designed_gaps,
    "two_levels": two_levels,
    "two_levels_gaps": two_levels_gaps,
    "two_levels_groups": two_levels_groups,
}
"""Every sample by its name in the recorded files."""
