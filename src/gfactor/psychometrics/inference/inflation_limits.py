"""Limits of a verdict on inflation, and the public items that contribute most to it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.inference.inflation_fit import MIN_FOR_RANK
from gfactor.psychometrics.inference.inflation_forms import MIN_ITEMS
from gfactor.psychometrics.inference.inflation_tests import MIN_REFERENCES, MIN_WRONG_KEYS
from gfactor.results import number_of

Floats = NDArray[np.float64]

_LISTED = 20


def few_wrong_keys(count: int) -> list[Diagnostic]:
    """Return a note if items with wrong keys are named, but too few for their test."""
    if not 0 < count < MIN_WRONG_KEYS:
        return []
    return [Diagnostic(
        "few_wrong_keys", "note",
        f"The test keys is not offered: {number_of(count, 'public item')} with a wrong key can be "
        f"compared, and it takes {MIN_WRONG_KEYS}.", "Name more items whose key is wrong.",
    )]  # fmt: skip


def unexpected_items(public: pd.DataFrame, predicted: float) -> pd.DataFrame:
    """Return the right answers of the first row that are least expected given the other rows."""
    answers = public.to_numpy(float)
    others = answers[1:]
    if not np.isfinite(predicted) or not len(others):
        return pd.DataFrame({"item": [], "expected": []})
    right, n = np.nansum(others, axis=0), (~np.isnan(others)).sum(axis=0)
    odds = (right + 0.5) / (n - right + 0.5)
    low, high = -20.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        mean = float((1 / (1 + np.exp(-middle) / odds)).mean())
        low, high = (middle, high) if mean < predicted else (low, middle)
    expected = 1 / (1 + np.exp(-low) / odds)
    hits = np.flatnonzero(answers[0] > 0.5)
    # Sorted by odds, whose ties are exact on every processor.
    chosen = hits[np.argsort(odds[hits], kind="stable")][:_LISTED]
    names = public.columns[chosen].astype(str)
    return pd.DataFrame({"item": names, "expected": expected[chosen]})


def _same_but_for_prefix(names: Iterable[str]) -> str:
    """Return what to do if some names differ in the words before their colon alone, as if one model
    had been imported from files of two formats; "" for others."""
    by_model: dict[str, list[str]] = {}
    for name in names:
        by_model.setdefault(name.partition(":")[2] or name, []).append(name)
    pairs = [same for same in by_model.values() if len(same) > 1]
    if not pairs:
        return ""
    listed = first_few((" and ".join(map(repr, same)) for same in pairs), 3, between="; ")
    return (
        f"If names that differ before the colon alone mean one model ({listed}), import its files "
        "again under one name, with --examinee NAME; else complete their answers."
    )


def limits_of_models(
    examinee: str, names: list[str], dropped: list[str], public: Floats, fresh: Floats, *,
    twins: bool, higher: bool,
) -> list[Diagnostic]:  # fmt: skip
    """Return limits of a verdict due to the number and the scores of the models.

    `public` and `fresh` are shares of right answers, the examinee's first; `names` are the
    references that can be used, and `dropped` the others.
    """
    diagnostics = []
    if dropped:
        diagnostics.append(Diagnostic(
            "references_left_out", "warning",
            f"Left out, with fewer than {MIN_ITEMS} answers to a form: "
            f"{number_of(len(dropped), 'reference')}.",
            _same_but_for_prefix(dropped) or "Complete their answers.", tuple(dropped),
        ))  # fmt: skip
    if len(names) < MIN_REFERENCES:
        diagnostics.append(Diagnostic(
            "few_references", "note" if twins else "error",
            f"{number_of(len(names), 'reference model')} can be used; {MIN_REFERENCES} are the "
            f"least for an estimate and {MIN_FOR_RANK} for a rank.",
            "Add answers of models of other families, or draw which variant of each item becomes "
            "public (gfactor transform --variants random).",
        ))  # fmt: skip
    elif not fresh[1:].min() <= fresh[0] <= fresh[1:].max():
        diagnostics.append(Diagnostic(
            "outside_references", "warning",
            f"The accuracy of {examinee} on fresh items, {100 * fresh[0]:.1f} %, lies outside that "
            f"of the references ({100 * fresh[1:].min():.1f} to {100 * fresh[1:].max():.1f} %): "
            "the prediction extrapolates.", "Add references of its ability.",
        ))  # fmt: skip
    if public[0] > 0.97 and not higher:
        diagnostics.append(Diagnostic(
            "ceiling", "note",
            f"{examinee} has {100 * public[0]:.1f} % of the public items right: at the ceiling "
            "inflation can hardly show.",
            "Examine it on harder items." if len(names) < MIN_REFERENCES
            else "Read the power table.",
        ))  # fmt: skip
    return diagnostics
