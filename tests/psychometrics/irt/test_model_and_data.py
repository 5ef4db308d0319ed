"""What users type for a model and a table: order, spelling, columns that are no items."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import special

import gfactor as gf
from gfactor.cli.analyses.irt import command
from gfactor.errors import GfactorError
from gfactor.psychometrics import sem
from gfactor.psychometrics.gold import model_from_columns
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks.differential import dif
from gfactor.psychometrics.irt.estimation.conditional import fit_conditional
from gfactor.psychometrics.irt.models.hierarchical import fit_hierarchical
from gfactor.psychometrics.irt.request import MODELS, named_model
from gfactor.psychometrics.pls import fit_pls
from gfactor.psychometrics.pruning import PruningRules, ablation, prune


def _responses(persons: int = 250, items: int = 4, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(persons, 1)) - np.linspace(-1, 1, items)
    return pd.DataFrame((rng.uniform(size=z.shape) < special.expit(z)).astype(int)).add_prefix("i")


def _codes(fit: Any) -> set[str]:
    return {entry.code for entry in fit.diagnostics}


def test_model_and_data_are_taken_in_either_order_and_by_name() -> None:
    frame, untyped, unordered = _responses(), cast("Any", gf.irt), cast(Any, fit_irt)
    expected = gf.irt("rasch", frame).loglik
    for fit in (
        untyped(frame, "rasch"), untyped(frame, model="rasch"), untyped(data=frame, model="rasch"),
        untyped("rasch", data=frame), fit_irt("rasch", frame), fit_irt(data=frame, model="rasch"),
        unordered(frame, "rasch"), unordered(frame, model="rasch"),
        untyped(frame.to_numpy(), "rasch"),
    ):  # fmt: skip
        assert fit.loglik == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    "fit", [fit_irt, fit_hierarchical, fit_conditional, fit_pls, sem.fit, dif, prune, ablation]
)
def test_every_function_of_both_takes_the_model_first(fit: Callable[..., Any]) -> None:
    assert [*inspect.signature(fit).parameters][:2] == ["model", "data"]


def test_a_pruning_takes_either_order_before_its_rules() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(60, 1)) + rng.normal(size=(60, 6))).add_prefix("B.t")
    model, rules = model_from_columns(list(frame)), PruningRules(vif=1.2)
    untyped = cast(Any, prune)
    expected = prune(model, frame, rules).trace
    assert len(expected)
    for made in (untyped(frame, model, rules), untyped(frame, model=model, rules=rules)):
        pd.testing.assert_frame_equal(made.trace, expected)


def test_what_is_no_table_is_refused_in_a_sentence() -> None:
    with pytest.raises(GfactorError, match="data must be a table"):
        gf.irt("rasch", "scores.csv")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["2PL", "2-pl", "2 PL", "2pl", "2_Pl"])
def test_a_model_has_one_name_in_every_spelling(name: str) -> None:
    assert named_model(name) == "2pl"


def test_every_model_is_known_by_its_own_name_and_in_capitals() -> None:
    for name in MODELS:
        assert named_model(name) == named_model(name.upper()) == name
    assert named_model("graded") == "grm"
    assert named_model("5pl") == "5pl"


@pytest.mark.thorough
def test_spellings_reach_the_fit_the_mapping_and_shrunken_items() -> None:
    frame = _responses(items=5)
    assert gf.irt("2-PL", frame).request.model == "2pl"
    mixed = gf.irt(dict.fromkeys(frame.columns, "Rasch"), frame)
    assert set(mixed.request.model.values()) == {"rasch"}  # type: ignore[union-attr]
    assert fit_hierarchical("Rasch", frame).request.model == "rasch"
    with pytest.raises(GfactorError, match="'five-pl'"):
        gf.irt("five-pl", frame)


def test_the_command_line_takes_the_same_spellings(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    _responses().to_csv(path, index=False)
    options = tmp_path / "options.json"
    options.write_text('{"model": "2pl"}', "utf-8")
    output = CliRunner().invoke(
        command, [str(path), "--model", "2-PL", "--simulations", "0", "--irt-options", str(options)]
    )
    assert output.exit_code == 0, output.output
    assert "2pl: 250 persons" in output.output


def test_covariates_and_identifiers_taken_for_items_are_reported_by_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rng = np.random.default_rng(2)
    frame = _responses().assign(Age=rng.integers(18, 31, 250), pages=rng.integers(0, 12, 250))
    fit = gf.irt("grm", frame)
    (entry,) = [e for e in fit.diagnostics if e.code == "columns_unlike_items"]
    assert entry.severity == "warning"
    assert entry.where == ("pages",)
    assert "'Age' has the name of a variable of persons" in capsys.readouterr().err
    assert "12 distinct values" in entry.sentence


@pytest.mark.thorough
def test_items_alone_and_items_of_many_points_are_not_reported() -> None:
    assert "columns_unlike_items" not in _codes(gf.irt("rasch", _responses()))
    rng = np.random.default_rng(3)
    ratings = pd.DataFrame(rng.binomial(9, special.expit(rng.normal(size=(200, 1))), (200, 3)))
    assert "columns_unlike_items" not in _codes(gf.irt("pcm", ratings.add_prefix("rating")))


def _opposed() -> pd.DataFrame:
    """Three items that exclude each other, so that no ability is behind them, and a constant."""
    frame = pd.DataFrame(np.repeat(np.eye(3, dtype=int), 13, axis=0)).add_prefix("i")
    return frame.assign(constant=0)


def test_items_with_nothing_in_common_are_an_error_of_the_fit() -> None:
    fit = gf.irt("rasch", _opposed())
    assert {"no_variance_of_ability", "constant_items"} <= _codes(fit)
    assert fit.diagnostics[0].code == "no_variance_of_ability"
    assert "no_variance_of_ability" not in _codes(gf.irt("rasch", _responses()))


def test_abilities_that_do_not_differ_have_reliability_zero() -> None:
    fit = gf.irt("rasch", _opposed())
    free = fit.optimum.x.copy()
    free[-1] = 1e-12  # the variance
    at = fit.likelihood.evaluate(free)
    flat = replace(fit, optimum=replace(fit.optimum, x=free, at=at))
    assert flat.reliability["empirical"] == pytest.approx(0.0, abs=1e-9)
    assert flat.reliability["marginal"] == pytest.approx(0.0, abs=1e-9)


def test_a_table_with_a_constant_item_ends_in_a_page_not_in_an_error(tmp_path: Path) -> None:
    _opposed().to_csv(tmp_path / "scores.csv", index=False)
    output = CliRunner().invoke(
        command,
        [str(tmp_path / "scores.csv"), "--model", "rasch", "--simulations", "0", "-o",
         str(tmp_path / "page")],
    )  # fmt: skip
    assert output.exit_code == 0, output.exception
    assert "1 item does not vary and was left out: constant" in output.output
