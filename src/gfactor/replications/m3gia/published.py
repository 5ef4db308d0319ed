"""The published parameter sets, and reading others in the same form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.diagnostic import Diagnostic

LANGUAGES: Mapping[str, str] = {
    "En": "English", "Zh": "Chinese", "Fr": "French", "Sp": "Spanish", "Pt": "Portuguese",
    "Ko": "Korean",
}  # fmt: skip
_OTHER_NAMES = {"es": "Sp", "ch": "Zh", "cn": "Zh", "kr": "Ko"}


@dataclass(frozen=True)
class ParameterSet:
    """The parts of a fitted factor model that scoring and diagnostics need.

    Parameters
    ----------
    language: code of the language ("En").
    indicators, factors: names, in the order of the matrices.
    loadings: indicators x factors.
    residuals: indicators x indicators covariances of the residuals.
    factor_covariances: factors x factors.
    means: implied means of the indicators, in the unit of the fit.
    n: number of persons; None if it is unknown.
    free_parameters, max_abs_gradient, iterations: values of the fit; None if they are unknown.
    fit: fit measures by lavaan's names.
    """

    language: str
    indicators: tuple[str, ...]
    factors: tuple[str, ...]
    loadings: NDArray[np.float64]
    residuals: NDArray[np.float64]
    factor_covariances: NDArray[np.float64]
    means: NDArray[np.float64]
    n: int | None = None
    free_parameters: int | None = None
    max_abs_gradient: float | None = None
    iterations: int | None = None
    fit: Mapping[str, float] = field(default_factory=dict)

    @property
    def implied(self) -> NDArray[np.float64]:
        """Covariances that the model implies, indicators x indicators."""
        return self.loadings @ self.factor_covariances @ self.loadings.T + self.residuals

    @property
    def general(self) -> int:
        """Position of the factor on which all indicators load (GIA); the last factor if there is no
        such."""
        full = np.flatnonzero((self.loadings != 0).all(axis=0))
        return int(full[0]) if len(full) else len(self.factors) - 1


def language_code(given: str) -> str:
    """Return a language's code: "En" for "En", "en", "English"; UnknownNameError for others."""
    wanted = given.strip().lower()
    for code, name in LANGUAGES.items():
        if wanted in {code.lower(), name.lower()}:
            return code
    if wanted in _OTHER_NAMES:
        return _OTHER_NAMES[wanted]
    raise UnknownNameError("language", given, [c.lower() for c in LANGUAGES])


def published_parameters(language: str) -> ParameterSet:
    """Return the parameters that M3GIA's authors published for a language."""
    code = language_code(language)
    stored = _stored()
    values = stored["languages"][code]
    indicators, factors = tuple(stored["indicators"]), tuple(stored["factors"])
    loadings = np.zeros((len(indicators), len(factors)))
    for name, value in zip(stored["loadings"], values["loading"], strict=True):
        factor, item = name.split("=~")
        loadings[indicators.index(item), factors.index(factor)] = value
    return ParameterSet(
        code, indicators, factors, loadings, np.diag(values["residual"]), np.eye(len(factors)),
        np.zeros(len(indicators)), values["n"], values["free_parameters"],
        values["max_abs_gradient"], values["iterations"], dict(values["fit"]),
    )  # fmt: skip


def published_table2() -> dict[str, dict[str, float]]:
    """Return GIA scores of Table 2 of the paper: model -> language -> score, with the row
    "Human"."""
    return {model: dict(row) for model, row in _stored()["table2"].items()}


def read_parameters(path: Path | str, language: str = "") -> ParameterSet:
    """Return a parameter set from a JSON file with lavaan's parameter estimates.

    The file holds `parameter_estimates` (records with lhs, op, rhs, est), `variable_names` and
    `lv_names`, and may hold `language`, `ntotal`, `npar`, `max_abs_gradient`, `iterations` and
    `fit_measures`. Raises ParameterError, with its name, if a part is missing.
    """
    try:
        stored = json.loads(Path(path).read_text(encoding="utf-8"))
        rows = stored["parameter_estimates"]
        indicators = tuple(stored["variable_names"])
        factors = tuple(stored["lv_names"])
        matrices = _matrices(rows, indicators, factors)
    except FileNotFoundError as error:
        raise ParameterError(f"{str(path)!r}: there is no such file") from error
    except OSError as error:
        raise ParameterError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ParameterError(f"{str(path)!r} is not text in UTF-8") from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise ParameterError(f"{str(path)!r} is no JSON: {error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise ParameterError(
            f"{str(path)!r} is not a parameter set: {error} is missing or not as expected; it "
            "needs parameter_estimates (lhs, op, rhs, est), variable_names and lv_names"
        ) from error
    fit = {k: float(v) for k, v in (stored.get("fit_measures") or {}).items() if _number(v)}
    code = language_code(language or stored.get("language") or "En")
    return ParameterSet(
        code, indicators, factors, *matrices, n=stored.get("ntotal"),
        free_parameters=stored.get("npar"), max_abs_gradient=stored.get("max_abs_gradient"),
        iterations=stored.get("iterations"), fit=fit,
    )  # fmt: skip


def _matrices(
    rows: list[dict[str, Any]], indicators: tuple[str, ...], factors: tuple[str, ...]
) -> tuple[NDArray[np.float64], ...]:
    loadings = np.zeros((len(indicators), len(factors)))
    residuals = np.zeros((len(indicators),) * 2)
    covariances = np.zeros((len(factors),) * 2)
    intercepts, latent_means = np.zeros(len(indicators)), np.zeros(len(factors))
    for row in rows:
        lhs, op, rhs, value = row["lhs"], row["op"], row["rhs"], float(row["est"])
        if op == "=~":
            loadings[indicators.index(rhs), factors.index(lhs)] = value
        elif op == "~~":
            names, matrix = (factors, covariances) if lhs in factors else (indicators, residuals)
            i, j = names.index(lhs), names.index(rhs)
            matrix[i, j] = matrix[j, i] = value
        elif op == "~1" and lhs in factors:
            latent_means[factors.index(lhs)] = value
        elif op == "~1":
            intercepts[indicators.index(lhs)] = value
    return loadings, residuals, covariances, intercepts + loadings @ latent_means


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@cache
def _stored() -> dict[str, Any]:
    text = files("gfactor.replications.m3gia").joinpath("published.json").read_text("utf-8")
    return json.loads(text)


def published_human(language: str) -> float:
    """Return the human GIA of Table 2, in the score's own unit."""
    return published_table2()["Human"][language_code(language)]


def compare_table2(scores: Mapping[str, float], language: str) -> pd.DataFrame:
    """Compare the models of Table 2: `model`, `paper`, `computed`, `difference`, agreement.

    Agreement means equal to the two decimals printed. The table is empty if no name matches."""
    code = language_code(language)
    table = published_table2()
    rows = [
        (model, table[model][code], value, value - table[model][code],
         bool(abs(np.round(value, 2) - table[model][code]) < 0.005))
        for model, value in scores.items()
        if model in table and model != "Human"
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["model", "paper", "computed", "difference", "agrees"])


def table2_findings(compared: pd.DataFrame, language: str) -> list[Diagnostic]:
    """Report how many of the compared cells disagree, and by how much."""
    off = [row for row in compared.to_dict("records") if not row["agrees"]]
    if not off:
        return []
    worst = max(off, key=lambda row: abs(row["difference"]))
    return [
        Diagnostic(
            "differs_from_table2",
            "warning",
            f"{len(off)} of {len(compared)} {LANGUAGES[language_code(language)]} scores are not "
            f"those of Table 2; the largest difference is {worst['model']} with "
            f"{worst['computed']:.2f} against {worst['paper']:.2f} printed.",
            "Quote both; the printed figure does not follow from the published parameters and "
            "these counts.",
            tuple(str(row["model"]) for row in off),
            {str(row["model"]): row["difference"] for row in off},
        )
    ]
