"""The audit of Q-matrices: completeness, identification of DINA models, support by answers."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.benchmarks.percept_v import DOMAINS, SKILLS
from gfactor.benchmarks.percept_v.options import chosen_domains
from gfactor.errors import ParameterError
from gfactor.psychometrics.q_matrices import audit_of

PAPER = chosen_domains((), "audited")
PERCEPT_V = pd.DataFrame(
    {skill: [int(skill in DOMAINS[name].skills) for name in PAPER] for skill in SKILLS}, index=PAPER
)


def q_of(*rows: str) -> pd.DataFrame:
    cells = [[int(cell) for cell in row] for row in rows]
    return pd.DataFrame(
        cells, [f"i{k}" for k in range(len(rows))], [f"s{k}" for k in range(len(rows[0]))]
    )


def codes(audit: object) -> list[str]:
    return [one.code for one in audit.diagnostics]  # type: ignore[attr-defined]


def probabilities(q: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """Of every answer pattern under a DINA model: guessing, 1 - slipping, shares of patterns."""
    items, skills = q.shape
    low, high = theta[:items], theta[items : 2 * items]
    share = np.append(theta[2 * items :], 1 - theta[2 * items :].sum())
    patterns = np.array(list(product((0, 1), repeat=skills)))
    right = np.where((1 - patterns) @ q.T == 0, high, low)
    answers = np.array(list(product((0, 1), repeat=items)))
    each = np.where(answers[:, None, :] == 1, right, 1 - right).prod(axis=2)
    return each @ share


@pytest.mark.parametrize(
    ("rows", "identified"),
    [
        (("10", "01", "11"), False),
        (("10", "01", "11", "11"), False),
        (("10", "01", "10", "11"), False),
        (("10", "01", "10", "01", "11"), True),
        (("10", "01", "10", "11", "11"), True),
        (("10", "11", "11", "10", "10"), False),
    ],
)
def test_identified_is_where_the_answers_determine_all_parameters(
    rows: tuple[str, ...], identified: bool
) -> None:
    q = q_of(*rows)
    assert gf.audit_q_matrix(q).identified is identified
    items, rng = len(rows), np.random.default_rng(1)
    theta = np.concatenate(
        [rng.uniform(0.1, 0.3, items), rng.uniform(0.7, 0.9, items), [0.2, 0.27, 0.31]]
    )
    steps = 1e-5 * np.eye(len(theta))
    slopes = [
        (probabilities(q.to_numpy(), theta + step) - probabilities(q.to_numpy(), theta - step))
        / 2e-5
        for step in steps
    ]
    rank = int(np.linalg.matrix_rank(np.array(slopes), tol=1e-7))
    assert (rank == len(theta)) is identified


def test_percept_v_has_no_domain_for_two_of_its_skills_alone() -> None:
    audit = gf.audit_q_matrix(PERCEPT_V)
    assert not audit.complete
    assert not audit.identified
    assert audit.rank == 8
    [found] = audit.diagnostics
    assert found.where == ("Visual Figure Ground", "Visual Closure")
    ideal = {
        tuple(all(skill in has for skill in DOMAINS[name].skills) for name in PAPER)
        for mask in product((0, 1), repeat=8)
        for has in [{skill for skill, bit in zip(SKILLS, mask, strict=True) if bit}]
    }
    assert (audit.distinct_patterns, audit.patterns) == (len(ideal), 256) == (152, 256)


def test_one_pure_domain_for_each_makes_percept_v_complete_and_identified() -> None:
    pure = pd.DataFrame(np.eye(8, dtype=int)[[5, 7]], ["ground", "closure"], SKILLS)
    audit = gf.audit_q_matrix(pd.concat([PERCEPT_V, pure]))
    assert audit.complete
    assert audit.identified
    assert audit.distinct_patterns == 256
    assert not audit.diagnostics


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        (q_of("10", "10", "11", "01", "00"), "row_without_skill"),
        (q_of("10", "01", "11"), "skill_rarely_asked"),
        (q_of("11", "11", "11"), "skills_in_the_same_rows"),
        (q_of("100", "010", "110"), "skill_never_asked"),
        (q_of("110", "011", "101", "110", "011").assign(s2=[1, 1, 2, 1, 1]), "2"),
        (q_of("10", "01", "11", "11"), "skills_alike_beside_pure_rows"),
        (q_of("1100", "0110", "0011", "1001"), "skills_dependent"),
    ],
)
def test_what_is_missing_is_named(q: pd.DataFrame, expected: str) -> None:
    if expected == "2":
        with pytest.raises(ParameterError, match=r"row 'i2' .* has np.int64\(2\)|has 2"):
            gf.audit_q_matrix(q)
    else:
        assert expected in codes(gf.audit_q_matrix(q))


def answers_of(q: pd.DataFrame, n: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    has = rng.random((n, q.shape[1])) < 0.5
    right = (1 - has) @ q.to_numpy().T == 0
    cells = rng.random((n, len(q))) < np.where(right, 0.9, 0.15)
    return pd.DataFrame(cells.astype(int), columns=q.index)


TRUE = q_of("100", "010", "001", "100", "010", "001", "110", "011", "101")


def test_answers_support_the_skills_that_they_were_made_with() -> None:
    audit: Any = gf.audit_q_matrix(TRUE, answers_of(TRUE, 800, 1))
    assert audit.n == 800
    assert set(audit.support["supported"]) == {"yes"}
    assert not audit.support["closer"].any()
    assert not [code for code in codes(audit) if "support" in code or "closer" in code]


def test_a_wrong_skill_and_a_skill_too_many_are_found() -> None:
    wrong = TRUE.copy()
    wrong.loc["i3"] = [0, 1, 0]  # asks for s0 in truth
    wrong.loc["i8"] = [1, 1, 1]  # does not ask for s1
    audit: Any = gf.audit_q_matrix(wrong, answers_of(TRUE, 800, 1))
    verdict = audit.support.set_index(["row", "skill"])
    assert verdict.loc[("i3", "s1"), "closest"] == "s0"
    assert verdict.loc[("i3", "s1"), "closer"]
    assert verdict.loc[("i8", "s1"), "supported"] != "yes"
    assert verdict.loc[("i8", "s0"), "supported"] == "yes"
    assert "row_closer_to_another_skill" in codes(audit)


def test_answers_that_depend_on_nothing_support_little() -> None:
    noise = pd.DataFrame(
        np.random.default_rng(2).integers(0, 2, (400, 9)), columns=list(TRUE.index)
    )
    audit: Any = gf.audit_q_matrix(TRUE, noise)
    assert (audit.support["supported"] == "yes").mean() < 0.2
    assert not audit.support["closer"].any()
    assert "skill_not_supported" in codes(audit)


def test_files_and_banks_are_taken_and_answers_need_every_row(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    TRUE.to_csv(path, index_label="item")
    assert gf.audit_q_matrix(path).skills.equals(gf.audit_q_matrix(TRUE).skills)
    with pytest.raises(ParameterError, match="no column 'i8'"):
        gf.audit_q_matrix(TRUE, answers_of(TRUE, 50, 1).drop(columns="i8"))
    with pytest.raises(ParameterError, match="9 respondents"):
        gf.audit_q_matrix(TRUE, answers_of(TRUE, 9, 1))
    bank = gf.build("percept-v", seed=1, sizes=[1], instances=2, path=tmp_path / "b.parquet")
    audit = gf.audit_q_matrix(bank)
    assert (audit.n_rows, audit.n_items) == (30, 60)
    assert set(audit.diagnostics[0].where) == {"Visual Figure Ground", "Visual Closure"}
    assert "152 of 256 patterns distinguished" in audit.summary()


def named_twice(q: np.ndarray) -> bool:
    """Whether two items can be named for every skill, and one is left that asks for it."""
    items, skills = q.shape
    for chosen in permutations(range(items), 2 * skills):
        pairs = zip(chosen, list(range(skills)) * 2, strict=True)
        left = np.setdiff1d(np.arange(items), chosen)
        if all(q[item, skill] for item, skill in pairs) and q[left].any(axis=0).all():
            return True
    return False


def gdina_rank(q: np.ndarray, rng: np.random.Generator) -> tuple[int, int]:
    """Rank of the derivatives of all answer patterns' probabilities, and the number of parameters
    of a general model: a chance for each pattern of the skills that an item asks for."""
    items, skills = q.shape
    patterns = np.array(list(product((0, 1), repeat=skills)))
    places = [np.unique(patterns * row, axis=0, return_inverse=True)[1].ravel() for row in q]
    sizes = [int(place.max()) + 1 for place in places]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    theta = np.append(rng.uniform(0.1, 0.9, starts[-1]), rng.dirichlet(np.ones(len(patterns)))[1:])
    answers = np.array(list(product((0, 1), repeat=items)))

    def chances(at: np.ndarray) -> np.ndarray:
        right = np.array([at[a + place] for a, place in zip(starts, places, strict=False)])
        share = np.append(1 - at[starts[-1] :].sum(), at[starts[-1] :])
        each = np.where(answers[:, :, None] == 1, right, 1 - right).prod(axis=1)
        return each @ share

    steps = 1e-6 * np.eye(len(theta))
    slopes = [(chances(theta + step) - chances(theta - step)) / 2e-6 for step in steps]
    size = np.linalg.svd(np.array(slopes), compute_uv=False)
    return int((size > 1e-7 * size[0]).sum()), len(theta)


@pytest.mark.thorough
def test_a_general_model_is_identified_where_every_skill_has_two_items_and_one_more() -> None:
    rng = np.random.default_rng(5)
    verdicts = []
    for _ in range(60):
        q = (rng.random((rng.integers(5, 8), 2)) < 0.55).astype(int)
        audit = gf.audit_q_matrix(q_of(*("".join(map(str, row)) for row in q)))
        assert audit.generic is named_twice(q), q
        assert ("general_model_not_identified" in codes(audit)) is not audit.generic
        verdicts.append(audit.generic)
        if audit.generic:
            rank, count = gdina_rank(q, rng)
            assert rank == count, q
    assert 10 < sum(verdicts) < 55
    rank, count = gdina_rank(np.array([[1, 0], [0, 1], [1, 1]]), rng)
    assert rank < count


def test_items_of_a_row_count_for_a_general_model() -> None:
    q = q_of("11", "10", "01")
    assert not gf.audit_q_matrix(q).generic
    assert audit_of(q, items=[1, 2, 2]).generic
    assert not audit_of(q, items=[1, 2, 1]).generic
    assert "for G-DINA: yes" in audit_of(q, items=[5, 1, 1]).summary()
