"""Estimators for ordinal variables agree with lavaan: estimates, standard errors, tests, fit.

Each case prints its worst relative difference per kind (pytest -rP shows them). Recorded cases:
lavaan 0.6-14 on R 4.2.2, see record.R and record_ordinal.R; those of Holzinger and Swineford are in
tests/oracles/lavaan.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.oracles import ORACLES
from support.sem_samples import SAMPLES

from gfactor.psychometrics.sem import Options, resolved
from gfactor.psychometrics.sem.fitting import group_labels
from gfactor.psychometrics.sem.ordinal import OrdinalFit, fit_ordinal, ordinal_moments
from gfactor.psychometrics.sem.preparation import completion_options
from gfactor.psychometrics.sem.scores import factor_scores

HERE = Path(__file__).parent
LAVAAN = ORACLES / "lavaan"
RECORDED = [
    HERE / "recorded" / "binary.json",
    *sorted(HERE.glob("recorded/ordinal_*.json")),
    *sorted(HERE.glob("recorded_ordinal/*.json")),
]
GIVEN = ("hs_ordinal3_WLSMV", "hs_ordinal3_DWLS", "hs_binary_WLSMV")

# lavaan finds a polychoric correlation to about 3e-8; intervals of RMSEA to 1e-5 of themselves.
WITHIN = {"est": 1e-6, "se": 1e-5, "std": 1e-6, "std.se": 1e-5, "fit": 1e-6, "interval": 1e-5}

# lavaan counts a continuous variable's mean twice in these three sums.
TWICE = {"rmr", "srmr_bentler", "crmr"}


def fitted(syntax: str, data: pd.DataFrame, given: dict[str, Any], model_type: str) -> OrdinalFit:
    arguments: dict[str, Any] = {"estimator": "WLSMV"}
    arguments |= {name.replace(".", "_"): value for name, value in given.items()}
    group = arguments.pop("group", None)
    labels = group_labels(data, group)
    options = resolved(Options(model_type=model_type, **arguments), n_groups=max(1, len(labels)))
    completion = completion_options(options)
    return fit_ordinal(syntax, data, options, completion, group=group, labels=labels)


def difference(found: Any, expected: Any, floor: float = 1e-2) -> float:
    """Relative to the expected value, absolute below `floor`."""
    return float(abs(found - expected) / max(abs(expected), floor))


def of_rows(frame: pd.DataFrame, rows: list[tuple[Any, ...]], column: str) -> float:
    """The worst difference over rows (lhs, op, rhs, group, expected)."""
    values = frame.set_index(["lhs", "op", "rhs", "group"])[column].to_dict()
    found = [(values[row[:4]], row[4]) for row in rows if row[1] != "==" and row[4] is not None]
    return max(difference(x, y) for x, y in found)


def of_fit(fit: OrdinalFit, expected: dict[str, Any], mixed: bool) -> dict[str, float]:
    worst = {"fit": 0.0, "interval": 0.0}
    for name, value in expected.items():
        if value is None or (mixed and name in TWICE):
            continue
        kind = "interval" if ".ci." in name or "pvalue" in name else "fit"
        found = fit.measures[name]
        assert found is not None, name
        worst[kind] = max(worst[kind], difference(found, value, 1e-3))
    return worst


def settle(name: str, worst: dict[str, float]) -> None:
    print(name, *(f"{kind} {value:.0e}" for kind, value in worst.items()))
    for kind, value in worst.items():
        assert value < WITHIN[kind], (name, kind, value)


@pytest.mark.thorough
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded(path: Path) -> None:
    case = json.loads(path.read_text())
    sample = SAMPLES[case["sample"]]()
    fit = fitted(case["syntax"], sample, case["arguments"], case["model_type"])
    assert fit.converged
    assert not [d for d in fit.diagnostics if d.severity == "error"]

    def rows(part: str, column: str) -> list[tuple[Any, ...]]:
        columns = case[part]
        names = ("lhs", "op", "rhs", "group", column)
        return list(zip(*(columns[name] for name in names), strict=True))

    standardized = fit.standardized()
    mixed = len(case["arguments"]["ordered"]) < len(fit.sample.variables)
    settle(
        path.stem,
        {
            "est": of_rows(fit.estimates, rows("estimates", "est"), "est"),
            "se": of_rows(fit.estimates, rows("estimates", "se"), "se"),
            "std": of_rows(standardized, rows("standardized", "est"), "est.std"),
            "std.se": of_rows(standardized, rows("standardized", "se"), "se"),
            **of_fit(fit, case["fit"], mixed),
        },
    )


@pytest.mark.thorough
@pytest.mark.parametrize("name", GIVEN)
def test_oracles_of_holzinger_and_swineford(name: str) -> None:
    case = json.loads((LAVAAN / f"{name}.json").read_text())
    data = pd.read_csv(LAVAAN / case["data_file"])
    given = {
        "estimator": name.rsplit("_", maxsplit=1)[-1],
        "std_lv": case["options"]["std.lv"],
        "ordered": tuple(f"x{i}" for i in range(1, 10)),
    }
    fit = fitted(case["syntax"], data, given, "cfa")
    rows = case["parameter_estimates"]

    def of(column: str) -> list[tuple[Any, ...]]:
        return [(r["lhs"], r["op"], r["rhs"], 1, r[column]) for r in rows]

    settle(
        name,
        {
            "est": of_rows(fit.estimates, of("est"), "est"),
            "se": of_rows(fit.estimates, of("se"), "se"),
            "std": of_rows(fit.estimates, of("std.all"), "std.all"),
            **of_fit(fit, case["fit_measures"], mixed=False),
        },
    )
    implied = np.array(case["implied"]["cov"]["values"])
    np.testing.assert_allclose(fit.implied()[1].to_numpy(), implied, rtol=1e-6)
    residual = np.array(case["residual_cor"]["values"])
    np.testing.assert_allclose(fit.residuals("cor").to_numpy(), residual, atol=1e-7)


@pytest.mark.parametrize("name", GIVEN[::2])
def test_factor_scores(name: str) -> None:
    case = json.loads((LAVAAN / f"{name}.json").read_text())
    data = pd.read_csv(LAVAAN / case["data_file"])
    given = {
        "estimator": "WLSMV",
        "std_lv": case["options"]["std.lv"],
        "ordered": tuple(f"x{i}" for i in range(1, 10)),
    }
    found = factor_scores(fitted(case["syntax"], data, given, "cfa")).scores.to_numpy()
    # lavaan's search ends within 6e-4 of the mode, most often within 1e-5.
    away = np.abs(found - np.array(case["fs_regression"]["values"], float))
    assert away.max() < 1e-3
    assert np.median(away) < 1e-5


@pytest.mark.parametrize("name", ["polychoric", "tetrachoric"])
def test_polychoric_correlations_of_psych_and_lavaan(name: str) -> None:
    psych = json.loads((LAVAAN / "psych_polychoric_HS.json").read_text())
    lavaan = json.loads(
        (LAVAAN / f"hs_{'ordinal3' if name == 'polychoric' else 'binary'}_WLSMV.json").read_text()
    )
    data = pd.read_csv(LAVAAN / lavaan["data_file"]).filter(regex="^x[1-9]$")
    found = ordinal_moments(data, list(data.columns))
    np.testing.assert_allclose(found.cov, np.array(lavaan["polychoric"]["values"]), atol=1e-7)
    np.testing.assert_allclose(found.thresholds, list(lavaan["thresholds"].values()), atol=1e-12)
    # psych stops at about five digits.
    np.testing.assert_allclose(found.cov, np.array(psych[name]["values"]), atol=5e-5)
