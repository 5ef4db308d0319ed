"""The domains added to Percept-V identify a DINA model of its eight skills; its thirty do not."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import gfactor as gf
from gfactor.benchmarks.percept_v import DOMAINS, SKILLS
from gfactor.benchmarks.percept_v.options import chosen_domains

Floats = NDArray[np.float64]

PATTERNS = np.array(list(product((0, 1), repeat=len(SKILLS))))
"""Every pattern of mastered skills."""
ITEMS, PERSONS, SLIP = 3, 800, 0.15
CLOSURE, GROUND = SKILLS.index("Visual Closure"), SKILLS.index("Visual Figure Ground")


def q_of(group: str) -> pd.DataFrame:
    names = chosen_domains([group], "audited")
    cells = [[int(skill in DOMAINS[name].skills) for skill in SKILLS] for name in names]
    return pd.DataFrame(cells, index=names, columns=list(SKILLS))


def ideal(patterns: NDArray[np.int_], q: NDArray[np.int_]) -> NDArray[np.bool_]:
    """Patterns x rows: whether a pattern has every skill that the row asks for."""
    return (1 - patterns) @ q.T == 0


def fitted(answers: Floats, q: NDArray[np.int_], shares: Floats) -> tuple[Floats, Floats]:
    """Shares of the patterns and their posteriors per person, by EM of a DINA model."""
    has = ideal(PATTERNS, q).astype(float)
    low, high = np.full(len(q), 0.25), np.full(len(q), 0.75)
    posterior = np.empty((len(answers), len(PATTERNS)))
    for _ in range(60):
        right = has * high + (1 - has) * low
        logs = answers @ np.log(right).T + (1 - answers) @ np.log(1 - right).T + np.log(shares)
        posterior = np.exp(logs - logs.max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)
        shares = posterior.mean(axis=0) + 1e-12
        with_skills = posterior @ has
        high = (with_skills * answers).sum(axis=0) / with_skills.sum(axis=0)
        low = ((1 - with_skills) * answers).sum(axis=0) / (1 - with_skills).sum(axis=0)
    return shares, posterior


def recovered(group: str, prior: float) -> tuple[Floats, Floats]:
    """How many have each skill by the model, and how many are classified rightly.

    `prior` is how many have closure where the estimation starts; half have every skill in truth.
    """
    rng = np.random.default_rng(3)
    q = np.repeat(q_of(group).to_numpy(), ITEMS, axis=0)
    masters = rng.integers(0, len(PATTERNS), PERSONS)
    chances = np.where(ideal(PATTERNS, q)[masters], 1 - SLIP, SLIP)
    answers = (rng.random(chances.shape) < chances).astype(float)
    start = np.where(PATTERNS[:, CLOSURE] == 1, prior, 1 - prior)
    shares, posterior = fitted(answers, q, start / start.sum())
    classified = posterior @ PATTERNS > 0.5
    return shares @ PATTERNS, (classified == PATTERNS[masters]).mean(axis=0)


def test_the_audit_calls_the_whole_matrix_complete_and_identified() -> None:
    audit = gf.audit_q_matrix(q_of("all"))
    assert audit.n_rows == 34
    assert audit.complete
    assert audit.identified
    assert (audit.distinct_patterns, audit.patterns) == (256, 256)
    assert not audit.diagnostics
    alone = audit.skills.set_index("skill")["rows_alone"]
    assert (alone["Visual Closure"], alone["Visual Figure Ground"]) == (2, 2)


@pytest.mark.parametrize(("group", "hidden"), [("paper", 80), ("all", 0)])
def test_whoever_has_closure_may_show_it_nowhere_but_in_the_added_domains(
    group: str, hidden: int
) -> None:
    """Of 128 patterns with closure, so many answer as the pattern that lacks only that."""
    q = q_of(group).to_numpy()
    has = PATTERNS[:, CLOSURE] == 1
    lacking = PATTERNS[has].copy()
    lacking[:, CLOSURE] = 0
    same = (ideal(PATTERNS[has], q) == ideal(lacking, q)).all(axis=1)
    assert same.sum() == hidden


@pytest.mark.thorough
def test_mastery_is_recovered_with_the_added_domains() -> None:
    (few, right), (many, _) = recovered("all", 0.1), recovered("all", 0.9)
    assert np.abs(few - many).max() < 0.01
    assert np.abs(few - 0.5).max() < 0.06
    assert right[[CLOSURE, GROUND]].min() > 0.96


@pytest.mark.thorough
def test_without_them_the_estimate_is_where_it_started() -> None:
    (few, right), (many, _) = recovered("paper", 0.1), recovered("paper", 0.9)
    assert few[CLOSURE] < 0.35
    assert many[CLOSURE] > 0.65
    assert right[CLOSURE] < 0.75
    assert right[GROUND] < 0.9
    others = [k for k in range(len(SKILLS)) if k not in (CLOSURE, GROUND)]
    assert np.abs(few - many)[others].max() < 0.01
