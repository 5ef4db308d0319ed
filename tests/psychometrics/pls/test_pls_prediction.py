"""Left-out cases are predicted as PLS written out on scores, row by row, predicts them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.tiers import few

from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.psychometrics import fit_pls, predict_pls
from gfactor.psychometrics.pls.predict import LinearModel, PLSPrediction, Technique

BLOCKS = {"A": ["a1", "a2", "a3"], "X": ["x1", "x2"], "B": ["b1", "b2", "b3"],
          "C": ["c1", "c2"], "D": ["d1", "d2", "d3"]}  # fmt: skip
SOURCES = {"B": ["A"], "C": ["B"], "D": ["X", "C"]}
EARLIEST = {"B": ["A"], "C": ["A"], "D": ["A", "X"]}
MODEL = "; ".join([f"{c} =~ {' + '.join(own)}" for c, own in BLOCKS.items()]
                  + [f"{c} ~ {' + '.join(own)}" for c, own in SOURCES.items()])  # fmt: skip


def staged(n: int = 40) -> pd.DataFrame:
    """A chain of four constructs and one beside it."""
    rng = np.random.default_rng(5)
    a, x = rng.normal(size=(2, n))
    b = 0.7 * a + 0.7 * rng.normal(size=n)
    c = 0.7 * b + 0.7 * rng.normal(size=n)
    d = 0.5 * c + 0.5 * x + 0.7 * rng.normal(size=n)
    scores = dict(zip(BLOCKS, (a, x, b, c, d), strict=True))
    return pd.DataFrame(
        {i: 3 + 2 * scores[k] + rng.normal(size=n) for k, own in BLOCKS.items() for i in own}
    )


def regressed(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(x, y, rcond=None)[0]


@cache
def written_out(case: int) -> dict[str, Any]:
    """Weights by construct without a case: Lohmoeller's iteration on scores, mode A, path
    weighting."""
    train: Any = staged().drop(index=case)
    z = (train - train.mean()) / train.std()
    n = len(z)
    weights: dict[str, Any] = {c: pd.Series(1.0, own) for c, own in BLOCKS.items()}
    for _ in range(500):
        before = dict(weights)
        scores: Any = pd.DataFrame({c: z[w.index] @ w for c, w in weights.items()})
        scores = (scores - scores.mean()) / scores.std()
        for c, own in BLOCKS.items():
            proxy = np.zeros(n)
            if c in SOURCES:
                above = scores[SOURCES[c]].to_numpy()
                proxy += above @ regressed(scores[c].to_numpy(), above)
            for later, sources in SOURCES.items():
                if c in sources:
                    proxy += np.corrcoef(scores[c], scores[later])[0, 1] * scores[later].to_numpy()
            weights[c] = pd.Series([float(z[i] @ proxy) / (n - 1) for i in own], own)
            weights[c] /= float((z[own] @ weights[c]).std())
        if all(float((weights[c] - before[c]).abs().max()) < 1e-13 for c in BLOCKS):
            return weights
    raise AssertionError("the iteration has no end")


def left_out_errors(
    data: Any, case: int, technique: Technique, linear: LinearModel
) -> tuple[dict[str, float], dict[str, float]]:
    """Of PLS and of the linear regression, for one case."""
    train, test = data.drop(index=case), data.loc[case]
    mean, sd = train.mean(), train.std()
    weights = written_out(case)
    z = (train - mean) / sd
    scores = pd.DataFrame({c: z[w.index] @ w for c, w in weights.items()})
    new = {c: float(((test - mean) / sd)[w.index] @ w) for c, w in weights.items()}
    told = dict(new)
    pls, lm = {}, {}
    for c, sources in SOURCES.items():
        slope = regressed(scores[c].to_numpy(), scores[sources].to_numpy())
        known = new if technique == "direct" else told
        told[c] = float(sum(b * known[s] for b, s in zip(slope, sources, strict=True)))
        origin = SOURCES if technique == "direct" else EARLIEST
        near = [i for s in origin[c] for i in BLOCKS[s]]
        rest = [i for s, own in BLOCKS.items() if s != c for i in own]
        columns = near if linear == "antecedents" else rest
        left = np.column_stack([np.ones(len(train)), train[columns]])
        for i in BLOCKS[c]:
            loading = float(np.corrcoef(z[i], scores[c])[0, 1])
            pls[i] = float(test[i]) - (told[c] * loading * sd[i] + mean[i])
            b = regressed(train[i].to_numpy(), left)
            lm[i] = float(test[i] - b[0] - test[columns].to_numpy() @ b[1:])
    return pls, lm


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("linear", "technique"),
    few([("antecedents", "direct"), ("antecedents", "earliest"), ("others", "direct"),
         ("others", "earliest")], 2),
)  # fmt: skip
def test_every_left_out_case_of_four_stages_is_predicted_as_written_out(
    technique: Technique, linear: LinearModel
) -> None:
    data = staged()
    fit = fit_pls(MODEL, data, tolerance=1e-13)
    found = predict_pls(fit, folds="loo", technique=technique, linear_model=linear)
    for case in (0, 17, 39):
        pls, lm = left_out_errors(data, case, technique, linear)
        for i in pls:
            assert found.errors.loc[case, i] == pytest.approx(pls[i], abs=1e-8)
            assert found.lm_errors.loc[case, i] == pytest.approx(lm[i], abs=1e-8)


def test_techniques_agree_where_there_is_nothing_between() -> None:
    fit = fit_pls("A =~ a1 + a2; B =~ b1 + b2; B ~ A", staged())
    one = predict_pls(fit, folds=5, technique="direct")
    pd.testing.assert_frame_equal(one.table, predict_pls(fit, folds=5, technique="earliest").table)


def test_prediction_of_a_corrected_fit_is_warned_of() -> None:
    data, model = staged(), "A =~ a1 + a2 + a3; B =~ b1 + b2 + b3; B ~ A"
    corrected = predict_pls(fit_pls(model, data, consistent=True), folds=5)
    assert "corrected_paths_predict_too_far" in {d.code for d in corrected.diagnostics}
    assert predict_pls(fit_pls(model, data), folds=5).diagnostics == ()


def test_an_unknown_linear_model_is_refused() -> None:
    with pytest.raises(ParameterError, match="linear_model 'all' is none of antecedents, others"):
        predict_pls(fit_pls(MODEL, staged()), linear_model="all")  # pyright: ignore[reportArgumentType]


def test_the_command_line_has_both_techniques_and_both_linear_models(tmp_path: Path) -> None:
    staged().to_csv(tmp_path / "d.csv", index=False)
    done = CliRunner().invoke(cli, [
        "analyze", "pls", str(tmp_path / "d.csv"), "--model", MODEL, "--predict", "5", "--json",
        "--technique", "earliest", "--linear-model", "others",
    ])  # fmt: skip
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["prediction"]
    assert (found["technique"], found["linear_model"]) == ("earliest", "others")


def test_predictive_power_is_medium_from_half_of_the_indicators_on() -> None:
    def power(*rmse: float) -> str:
        table = pd.DataFrame({"rmse": rmse, "lm_rmse": 1.0})
        return PLSPrediction(table, table, table, 5, 1, "direct", "direct", 50).power  # type: ignore[arg-type]

    assert power(0.9, 1.0, 1.1, 0.8) == "medium"
    assert power(0.9, 1.0, 1.1) == "low"
    assert (power(0.9, 0.8), power(1.0, 1.2), power(0.5, np.nan)) == ("high", "none", "medium")
