"""Restricted likelihoods are those of the dense covariance matrix, and intervals their profiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special

from gfactor.psychometrics.generalizability import gtheory
from gfactor.psychometrics.generalizability.components import mean_squares
from gfactor.psychometrics.generalizability.designs import FacetDesign, joint_levels
from gfactor.psychometrics.generalizability.equations import Equations, Layers, layers_of
from gfactor.psychometrics.generalizability.likelihoods import Strata
from gfactor.psychometrics.generalizability.profiles import (
    ProfiledVariance,
    equivalent_design,
    minimized,
)

TRUE = {"p": 0.5, "i": 0.3, "o": 0.1, "pi": 0.2, "po": 0.1, "io": 0.05, "e": 1.0}


def scores(
    persons: int, items: int, occasions: int, seed: int = 1, **variances: float
) -> pd.DataFrame:
    """Persons x items x occasions as rows, with variances by effect."""
    rng, size = np.random.default_rng(seed), {"p": persons, "i": items, "o": occasions}
    at = np.indices(tuple(size.values())).reshape(3, -1)
    table = pd.DataFrame(dict(zip("pio", at, strict=True)))
    table["score"] = 0.0
    for effect, variance in (TRUE | variances).items():
        names = list("pio" if effect == "e" else effect)
        drawn = rng.normal(size=[size[name] for name in names])
        table["score"] += np.sqrt(variance) * drawn[tuple(table[name] for name in names)]
    return table


def some(table: pd.DataFrame, share: float, seed: int = 2) -> pd.DataFrame:
    return table.loc[np.random.default_rng(seed).random(len(table)) < share]


def levels_of(table: pd.DataFrame, design: FacetDesign) -> tuple[dict[str, Any], list[Any]]:
    codes = {name: pd.factorize(table[name])[0] for name in (design.object, *design.facets)}
    return codes, [joint_levels(codes, effect) for effect in design.effects[:-1]]


def equations_of(table: pd.DataFrame, design: FacetDesign | None = None) -> Equations:
    design = design or FacetDesign("p", ("i", "o"), {})
    codes, levels = levels_of(table, design)
    layers = layers_of(levels, design.effects[:-1], codes)
    return Equations(levels, layers, table["score"].to_numpy())


def dense(levels: list[Any], y: np.ndarray, variances: np.ndarray) -> tuple[Any, ...]:
    """Criterion, gradient, average and expected information, from V itself."""
    parts = [(of[:, None] == of).astype(float) for of in levels] + [np.eye(y.size)]
    v = sum(a * b for a, b in zip(variances, parts, strict=True))
    inverse = np.linalg.inv(v)
    ones = inverse.sum(axis=0)
    p = inverse - np.outer(ones, ones) / ones.sum()
    products, rest = [p @ part for part in parts], p @ y
    value = np.linalg.slogdet(v)[1] + np.log(ones.sum()) + y @ rest
    gradient = [np.trace(a) - rest @ b @ rest for a, b in zip(products, parts, strict=True)]
    average = [[rest @ a @ p @ b @ rest for a in parts] for b in parts]
    expected = [[np.sum(a * b.T) for a in products] for b in products]
    return value + (y.size - 1) * np.log(2 * np.pi), gradient, average, expected


@pytest.mark.thorough
@pytest.mark.parametrize("share", [1.0, 0.6])
def test_criterion_and_derivatives_are_those_of_the_dense_covariance(share: float) -> None:
    table, design = some(scores(5, 4, 3), share), FacetDesign("p", ("i", "o"), {})
    equations = equations_of(table)
    _, levels = levels_of(table, design)
    variances = np.array([0.5, 0.2, 0.3, 0.0, 0.1, 0.2, 0.9])
    value, gradient, average, expected = dense(levels, table["score"].to_numpy(), variances)
    found = equations(variances)
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.gradient == pytest.approx(np.array(gradient), abs=1e-5)
    assert found.information == pytest.approx(np.array(average), rel=1e-5, abs=1e-5)
    scale = np.abs(expected).max()
    assert equations.expected(variances) == pytest.approx(np.array(expected), abs=1e-6 * scale)


@pytest.mark.thorough
@pytest.mark.parametrize("facets", [("i",), ("i", "o")])
def test_a_complete_design_has_the_same_likelihood_by_its_mean_squares(
    facets: tuple[str, ...],
) -> None:
    table = scores(5, 4, 3) if len(facets) == 2 else scores(5, 6, 1).drop(columns="o")
    design = FacetDesign("p", facets, {})
    codes, _ = levels_of(table, design)
    y = table["score"].to_numpy()
    squares = mean_squares(design, codes, y)
    strata = Strata(squares.values, squares.df, squares.expected, y.size, float(y.mean()))
    equations = equations_of(table, design)
    variances = np.linspace(0.2, 0.9, len(design.effects))
    ours, theirs = equations(variances), strata(variances)
    assert ours.value == pytest.approx(theirs.value, abs=1e-8)
    assert ours.gradient == pytest.approx(theirs.gradient, abs=1e-7)
    assert ours.mean == pytest.approx(theirs.mean)
    assert equations.expected(variances) == pytest.approx(
        strata.expected(variances), rel=1e-5, abs=1e-8
    )


def test_every_order_of_elimination_gives_the_same_likelihood() -> None:
    table, design = some(scores(4, 3, 2), 0.8), FacetDesign("p", ("i", "o"), {})
    codes, levels = levels_of(table, design)
    effects, y = design.effects[:-1], table["score"].to_numpy()
    variances = np.array([0.5, 0.2, 0.3, 0.1, 0.1, 0.2, 0.9])
    found = []
    for first, name in ((3, "p"), (3, "i"), (0, "p"), (5, "o"), (4, "o")):
        inside = tuple(k for k, e in enumerate(effects) if k != first and name in e)
        block_of = codes[name]
        sizes = np.zeros(block_of.max() + 1, int)
        for k in inside:
            sizes += pd.Series(levels[k]).groupby(block_of).nunique().to_numpy()
        rest = sum(int(levels[k].max()) + 1 for k in range(6) if k != first and k not in inside)
        layers = Layers(first, inside, block_of, sizes.size, int(sizes.max()), rest)
        found.append(Equations(levels, layers, y)(variances))
    for other in found[1:]:
        assert other.value == pytest.approx(found[0].value, abs=1e-9)
        assert other.gradient == pytest.approx(found[0].gradient, abs=1e-8)


def test_the_chosen_order_of_elimination_has_the_largest_effect_first_and_blocks_of_items() -> None:
    codes, levels = levels_of(scores(5, 20, 2), FacetDesign("p", ("i", "o"), {}))
    layers = layers_of(levels, FacetDesign("p", ("i", "o"), {}).effects[:-1], codes)
    # The effects are p, i, o, p x i, p x o, i x o: blocks of i and i x o, then p, o and p x o.
    assert (layers.first, layers.inside) == (3, (1, 5))
    assert (layers.n_blocks, layers.width, layers.n_rest) == (20, 3, 17)


def test_the_equivalent_of_a_complete_design_is_the_design_itself() -> None:
    table, design = scores(6, 8, 2), FacetDesign("p", ("i", "o"), {})
    codes, _ = levels_of(table, design)
    squares = mean_squares(design, codes, table["score"].to_numpy())
    equations = equations_of(table)
    variances, here = minimized(equations, np.full(7, 0.3))
    found: Any = equivalent_design(equations, variances, here)
    assert found.df == pytest.approx(squares.df, rel=1e-4)
    assert found.ratio == pytest.approx(squares.values / (squares.expected @ variances), rel=1e-4)


@pytest.mark.thorough
def test_the_minimum_is_that_of_a_general_search() -> None:
    equations = equations_of(some(scores(6, 8, 2, o=0.0), 0.8))
    variances, here = minimized(equations, np.full(7, 0.3))
    searched = optimize.minimize(
        lambda v: equations(v).value, np.full(7, 0.3), jac=lambda v: equations(v).gradient,
        bounds=[(0, None)] * 6 + [(1e-3, None)], method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 2000},
    )  # fmt: skip
    assert here.value <= searched.fun + 1e-9
    assert variances == pytest.approx(searched.x, abs=1e-3)
    free = variances > 0
    assert here.gradient[free] == pytest.approx(np.zeros(free.sum()), abs=1e-3)
    assert (here.gradient[~free] > 0).all()


def test_at_the_end_of_a_profile_the_criterion_has_risen_by_the_cut() -> None:
    equations = equations_of(some(scores(6, 8, 2, p=5.0), 0.8))
    best, here = minimized(equations, np.full(7, 0.3))
    equivalent: Any = equivalent_design(equations, best, here)
    k = 0
    profile = ProfiledVariance(equations, best, here, equivalent, k)
    for side in (-1, 1):
        end = profile.end(2.0, side, best[k] * (1 + 0.3 * side))
        assert (end - best[k]) * side > 0
        rest: list[Any] = [(0, None)] * 6 + [(1e-3, None)]
        rest[k] = (end, end)
        searched = optimize.minimize(
            lambda v: equations(v).value, np.where(np.arange(7) == k, end, best),
            jac=lambda v: equations(v).gradient, bounds=rest, method="L-BFGS-B",
            options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 2000},
        )  # fmt: skip
        assert searched.fun - here.value == pytest.approx(2.0, abs=1e-3)
    # Far above the estimate the criterion rises without a limit; down to 0 it does not.
    assert profile.end(100.0, -1, best[k] / 2) == 0


def study(table: pd.DataFrame, **options: Any) -> Any:
    return gtheory(table, object="p", facets=["i", "o"], **options)


@pytest.mark.thorough
def test_one_missing_cell_changes_no_interval_by_much() -> None:
    table = scores(12, 15, 2, o=0.0, pi=0.0, po=0.0, seed=4)
    whole = study(table, estimator="reml")
    lacking = study(table.drop(index=7))
    for column in ("ci_lower", "ci_upper"):
        assert lacking.components[column].to_numpy() == pytest.approx(
            whole.components[column].to_numpy(), rel=0.1, abs=0.02
        )
    ends = ("phi_ci_lower", "phi_ci_upper", "e_rho2_ci_lower", "e_rho2_ci_upper")
    mine, others = lacking.coefficients(), whole.coefficients()
    assert [mine[end] for end in ends] == pytest.approx([others[end] for end in ends], abs=0.02)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [4, 5, 6])
def test_an_estimate_of_zero_has_an_interval_from_zero_of_some_width_and_a_note(seed: int) -> None:
    found = study(some(scores(10, 8, 2, o=0.0, pi=0.0, po=0.0, seed=seed), 0.85))
    parts = found.components
    at = parts.index[parts["variance"] == 0].tolist()
    assert at
    assert (parts.loc[at, "ci_lower"] == 0).all()
    assert (parts["ci_upper"] > 1e-4).all()
    notes = {d.where[0]: d for d in found.diagnostics if d.code == "boundary_variance"}
    assert sorted(notes) == sorted(at)
    for name, note in notes.items():
        assert note.severity == "note"
        assert f"from 0 to {parts.loc[name, 'ci_upper']:.3g}" in note.sentence


@pytest.mark.thorough
def test_the_upper_end_of_a_zero_is_the_quantile_of_the_mixture_or_beyond() -> None:
    table = some(scores(10, 8, 2, o=0.0, pi=0.0, po=0.0, seed=4), 0.85)
    found, equations = study(table), equations_of(table)
    best = found.components["variance"].to_numpy()
    here = equations(best)
    equivalent: Any = equivalent_design(equations, best, here)
    for k in np.flatnonzero(best == 0):
        profile = ProfiledVariance(equations, best, here, equivalent, int(k))
        rise = profile.rise(found.components["ci_upper"].iloc[k])
        assert rise > special.chdtri(1, 0.1) - 1e-3
    narrow = study(table, level=0.8).components["ci_upper"]
    assert (narrow < found.components["ci_upper"]).all()


@pytest.mark.thorough
def test_a_small_component_has_an_interval_of_its_own_order() -> None:
    table = some(scores(30, 20, 2, pi=0.02, seed=9), 0.9)
    row: Any = study(table).components.loc["p x i"].to_dict()
    assert 0 <= row["ci_lower"] <= row["variance"] <= row["ci_upper"] < 0.25


def test_effects_may_be_left_out_down_to_one() -> None:
    table = some(scores(8, 6, 1).drop(columns="o"), 0.9)
    found = gtheory(table, object="p", facets=["i"], omit=["i"])
    groups: Any = table.groupby("p")["score"]
    assert found.components.index.tolist() == ["p", "p x i"]
    # One-way analysis of variance, of nearly equal groups.
    within = float((groups.var() * (groups.size() - 1)).sum() / (len(table) - 8))
    assert found.components.loc["p x i", "variance"] == pytest.approx(within, rel=0.05)
