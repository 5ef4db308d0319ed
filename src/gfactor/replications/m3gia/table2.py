"""The published Table 2 beside the scores that the published parameters give."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.replications.m3gia.published import LANGUAGES, language_code, published_table2


def published_human(language: str) -> float:
    """The human GIA of Table 2, in the score's own unit."""
    return published_table2()["Human"][language_code(language)]


def compare_table2(scores: Mapping[str, float], language: str) -> pd.DataFrame:
    """Models that Table 2 has: `model`, `paper`, `computed`, `difference` and whether they agree
    to the two decimals printed. Empty where no name matches."""
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
    """Says how many of the compared cells disagree, and by how much."""
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
