"""Responses that cannot carry a model: one sentence, or a fit that says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks.itemfit import item_fit
from gfactor.psychometrics.irt.documents import document
from gfactor.psychometrics.irt.fit import _about_fit
from gfactor.psychometrics.irt.item_tables import free_slopes


def _responses(persons: int, items: int, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(persons, 1)) - np.linspace(-1, 1, items)
    return pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(int)).add_prefix("i")


def _codes(fit: object) -> set[str]:
    return {entry.code for entry in fit.diagnostics}  # type: ignore[attr-defined]


def test_constant_items_are_left_out_by_name() -> None:
    fit: Any = fit_irt("rasch", _responses(100, 5).assign(always=1, never=0))
    assert fit.table.left_out == ("always", "never")
    assert "constant_items" in _codes(fit)
    assert fit.converged


@pytest.mark.thorough
def test_persons_with_all_or_nothing_right_have_finite_scores_but_for_ml() -> None:
    frame = _responses(100, 5)
    frame.iloc[0], frame.iloc[1] = 1, 0
    fit: Any = fit_irt("rasch", frame)
    for method in ("eap", "map", "wle"):
        assert np.isfinite(fit.scores(method)["theta"]).all()
    ml = fit.scores("ml")["theta"].to_numpy()
    assert (ml[0], ml[1]) == (np.inf, -np.inf)
    assert document(fit)["scores"][0]["wle"] is not None
    said = next(entry for entry in fit.diagnostics if entry.code == "extreme_persons")
    codes = frame.to_numpy()
    assert said.values == {"all": int(codes.all(axis=1).sum()),
                           "none": int((~codes.astype(bool)).all(axis=1).sum()),
                           "persons": len(codes)}  # fmt: skip


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (_responses(1, 5), "at least two persons"),
        (_responses(50, 3).assign(i1="yes"), "item 'i1', row 0: 'yes' is not a number"),
        (_responses(50, 3).assign(i1=np.inf), "infinite"),
        (_responses(50, 3).assign(i1=np.arange(50) / 7), "50 distinct scores"),
        (  # all columns that are no items are named by the first refusal
            _responses(50, 3).assign(sex=["f", "m"] * 25, age=range(50)),
            r"if 'sex' and 'age' are no items, leave them out \(--drop sex,age;",
        ),
        (_responses(50, 1), "at least two items"),
    ],
)  # fmt: skip
def test_what_is_no_data_is_refused_in_one_sentence(frame: pd.DataFrame, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        fit_irt("rasch", frame)


@pytest.mark.slow
def test_ten_thousand_items_by_five_persons_are_fitted_with_a_warning() -> None:
    fit: Any = fit_irt("rasch", _responses(5, 10_000))
    assert fit.converged
    assert {"few_respondents", "constant_items"} <= _codes(fit)
    assert fit.items["se_b"].min() > 0.5
    assert document(fit)["fit"]["m2"] is None


@pytest.mark.thorough
def test_duplicated_items_are_named_and_chance_agreement_is_not() -> None:
    frame = _responses(200, 6)
    fit: Any = fit_irt("2pl", frame.assign(copy=frame["i2"]))
    said = next(entry for entry in fit.diagnostics if entry.code == "duplicated_items")
    assert set(said.where) == {"i2", "copy"}
    few: Any = fit_irt("rasch", _responses(12, 400))
    assert "duplicated_items" not in _codes(few)


def test_a_population_wider_than_the_grid_widens_it() -> None:
    rng = np.random.default_rng(2)
    z = 3 * rng.normal(size=(300, 1)) - np.linspace(-4, 4, 15)
    frame = pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(int))
    fit: Any = fit_irt("rasch", frame)
    assert fit.likelihood.quadrature.limit > 10
    assert fit.latent["estimate"][1] == pytest.approx(9, rel=0.25)
    assert "grid_too_narrow" not in _codes(fit)


def test_sum_scores_of_one_person_are_merged_and_not_lost() -> None:
    """With few persons most sum scores have one; S-X2 then has few groups, or none."""
    found: Any = item_fit(fit_irt("rasch", _responses(25, 12)))
    assert found["outfit"].notna().all()
    assert ((found["s_x2"] >= 0) | found["s_x2"].isna()).all()


def answers(shifts: tuple[float, ...] = (0, 0, 0, 0, 0, 1.4), n: int = 400) -> pd.DataFrame:
    """Rasch items; the second half of the people finds some of them harder."""
    rng = np.random.default_rng(7)
    theta = rng.normal(size=(n, 1)) + np.repeat([0, 0.3], n // 2)[:, None]
    b = np.linspace(-1, 1, len(shifts)) + np.repeat([0, 1], n // 2)[:, None] * np.array(shifts)
    right = rng.random((n, len(shifts))) < special.expit(theta - b)
    return pd.DataFrame(right.astype(float), columns=[f"i{k}" for k in range(len(shifts))])


def test_missing_standard_errors_are_an_error_where_the_data_do_not_determine_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fit = fit_irt("rasch", answers((0, 0, 0, 0)))
    codes = {d.code for d in _about_fit(fit)}
    assert not codes & {"not_converged", "not_identified", "no_standard_errors"}
    for information, code in ((np.eye(2), "not_identified"), (None, "no_standard_errors")):
        optimum = replace(fit.optimum, information=information)
        said = [d.code for d in _about_fit(replace(fit, vcov=None, optimum=optimum))]
        assert said[0] == code
    never = replace(fit, vcov=None, optimum=replace(fit.optimum, converged=False))
    assert _about_fit(never)[0].code == "not_converged"


@pytest.mark.thorough
def test_few_respondents_are_named_with_the_error_of_a_difficulty() -> None:
    """Half of n answers are right: the error of a logit is 1 / sqrt(n / 4)."""
    right = np.random.default_rng(10).normal(size=(5, 6)) > 0
    fit = fit_irt("rasch", pd.DataFrame(right, columns=list("abcdef")).astype(float))
    (few,) = [d for d in fit.diagnostics if d.code == "few_respondents"]
    assert f"of about {2 / np.sqrt(5):.1f} logits" in few.sentence


def test_slopes_below_zero_and_near_zero_are_named() -> None:
    rng = np.random.default_rng(2)
    theta = rng.normal(size=(400, 1)) * [1, 1, 1, -1.2, 0.02, 1]
    right = rng.random((400, 6)) < 1 / (1 + np.exp(np.linspace(-1, 1, 6) - theta))
    data = pd.DataFrame(right.astype(int)).add_prefix("i")
    fit = fit_irt("2pl", data)
    named = {d.code: d.where for d in fit.diagnostics if d.code.endswith("_slope")}
    assert named == {"negative_slope": ("i3",), "flat_slope": ("i4",)}


@pytest.mark.thorough
def test_free_slopes_are_those_of_the_table_of_parameters() -> None:
    rng = np.random.default_rng(4)
    data = pd.DataFrame((rng.random((200, 4)) < 0.5).astype(int)).add_prefix("i")
    fit = fit_irt(
        "2pl", data, groups=["u", "v"] * 100, free_items=["i2", "i0"],
        fixed={"i1.a1": 1.0}, priors={"slope": ("lognormal", 0.0, 0.5)},
    )  # fmt: skip
    table = fit.parameters.query("parameter == 'a1' and free")
    items, slopes = free_slopes(fit.likelihood.model, fit.optimum.at.values, fit.table.items)
    assert items.tolist() == table["item"].tolist()
    assert slopes.tolist() == table["estimate"].tolist()
    assert len(set(table["group"])) == 2
