"""A fitted item response model as one JSON document, with everything that exists for it.

What does not exist for a model (M2 with missing responses, weighted likelihood scores of several
abilities) is None, and a diagnostic says why.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.checks.brokenitems import S_X2_REMEDY, BrokenItems
from gfactor.psychometrics.irt.checks.itemfit import item_fit, s_x2_note
from gfactor.psychometrics.irt.checks.overallfit import overall_fit, remedy_without_m2
from gfactor.psychometrics.irt.item_tables import ALL
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.results import plain

_MEASURES = ("m2", "df", "p", "rmsea2", "srmsr", "cfi", "tli", "n")
_ITEM_FIT = ("s_x2", "s_x2_df", "s_x2_p", "s_x2_n", "infit", "outfit")


def document(fit: IRTFit, broken: BrokenItems | None = None) -> dict[str, Any]:
    """Return the document of `gfactor analyze irt --json`.

    Parameters
    ----------
    fit : IRTFit
        The fit.
    broken : BrokenItems or None
        Its broken items, if they were looked for.

    Returns
    -------
    dict
        `model`, `n_persons`, `n_items`, `n_free`, `loglik`, `log_prior`, `aic`, `bic`,
        `converged`, `items`, `latent`, `effects`, `scores`, `reliability`, `fit`,
        `broken_items`, `diagnostics`, and if they are known `options` and `replies`;
        strict JSON.
    """
    diagnostics = [*fit.diagnostics, *(broken.diagnostics if broken else ())]
    items = _items(fit, _item_fit(fit, diagnostics))
    measures = _measures(fit, diagnostics)
    content = {
        **fit.facts,
        "items": items,
        "latent": _latent(fit),
        "effects": fit.effects.to_dict("records") if fit.request.design_names else None,
        "scores": _scores(fit, diagnostics),
        "reliability": _reliability(fit),
        "fit": measures,
        "broken_items": None if broken is None else broken.table.to_dict("records"),
        **_evidence(broken),
        "diagnostics": [entry.to_dict() for entry in by_severity(diagnostics)],
    }
    return plain(content)


def _evidence(broken: BrokenItems | None) -> dict[str, Any]:
    """Options and replies of items, if they are known."""
    tables = {} if broken is None else {"options": broken.options, "replies": broken.replies}
    return {name: table.to_dict("records") for name, table in tables.items() if table is not None}


def _item_fit(fit: IRTFit, diagnostics: list[Diagnostic]) -> pd.DataFrame:
    none = pd.DataFrame(np.nan, index=list(fit.table.items), columns=list(_ITEM_FIT))
    try:
        table = item_fit(fit)
    except ParameterError as error:
        diagnostics.append(Diagnostic(
            "no_item_fit", "note", f"Item fit was not computed: {error}.",
            "Fit one factor to one group for it.",
        ))  # fmt: skip
        return none
    note = s_x2_note(fit)
    if note is None and np.isnan(table["s_x2"].to_numpy(dtype=float)).all():
        note = "no_s_x2", "S-X2 was not computed: too few persons have the same sum score."
    if note is not None and note[0] not in {entry.code for entry in diagnostics}:
        diagnostics.append(Diagnostic(note[0], "note", note[1], S_X2_REMEDY))
    return table


def _measures(fit: IRTFit, diagnostics: list[Diagnostic]) -> dict[str, Any]:
    try:
        return asdict(overall_fit(fit))
    except (ParameterError, np.linalg.LinAlgError) as error:
        why = str(error) if isinstance(error, ParameterError) else (
            f"the covariance matrix of the moments of {fit.n_persons} persons is singular"
        )  # fmt: skip
        diagnostics.append(Diagnostic(
            "no_m2", "note", f"M2 was not computed: {why}.",
            remedy_without_m2(fit),
        ))  # fmt: skip
        return dict.fromkeys(_MEASURES)


def _items(fit: IRTFit, item_fits: pd.DataFrame) -> list[dict[str, Any]]:
    model = fit.likelihood.model
    keys = ["group", "item"] if "group" in fit.items else ["item"]
    raw: dict[Any, dict[str, tuple[float, float]]] = {}
    columns = [fit.parameters[key] for key in ("group", "item", "parameter", "estimate", "se")]
    for group, item, name, estimate, se in zip(*columns, strict=True):
        raw.setdefault((group, item), {})[name] = (float(estimate), float(se))
    steps: dict[Any, list[tuple[float, float]]] = {}
    for row in fit.thresholds.to_dict("records"):
        thresholds = steps.setdefault((row.get("group", ALL), row["item"]), [])
        thresholds.append((float(row["b"]), float(row["se"])))
    entries = []
    for row in fit.items.to_dict("records"):
        group = row.get("group", ALL)
        thresholds = steps.get((group, row["item"]))
        one = model.groups[0].name if group == ALL else group
        estimates = raw[one, row["item"]]
        slopes = [estimates.get(f"a{f}", (0.0, np.nan)) for f in range(1, model.factors + 1)]
        intercepts = [v for k, v in estimates.items() if k[0] == "d"] or _rating_intercepts(
            estimates
        )
        scoring = [estimates[k][0] for k in estimates if k.startswith("ak")]
        entry = {
            **{key: row[key] for key in keys}, "a": row["a"],
            "b": row["b"] if thresholds is None else [b for b, _ in thresholds],
            "c": row["c"], "d": row["d"],
            "slopes": [v for v, _ in slopes], "intercepts": [v for v, _ in intercepts],
            "se": {
                "a": row["se_a"],
                "b": row["se_b"] if thresholds is None else [se for _, se in thresholds],
                "c": row["se_c"], "d": row["se_d"],
                "slopes": [se for _, se in slopes], "intercepts": [se for _, se in intercepts],
            },
            "n": row["n"],
            **({"scoring": [0.0, *scoring, len(intercepts)]} if scoring else {}),
            **{name: item_fits.loc[row["item"], name] for name in _ITEM_FIT},
        }  # fmt: skip
        entries.append(entry)
    return entries


def _rating_intercepts(estimates: dict[str, tuple[float, float]]) -> list[tuple[float, float]]:
    """Cumulative intercepts of a rating-scale item, as a partial-credit item has them."""
    steps = [v for k, (v, _) in estimates.items() if k[0] == "b"]
    shift = estimates["c"][0] if "c" in estimates else 0.0
    return [(float(total), np.nan) for total in np.cumsum([shift - b for b in steps])]


def _latent(fit: IRTFit) -> dict[str, Any]:
    model, values = fit.likelihood.model, fit.optimum.at.values
    named = [
        {
            "group": group.name,
            "mean": values[group.mean],
            "covariance": values[group.covariance],
            "regression": None if group.regression is None else values[group.regression].T,
        }
        for group in model.groups
    ]
    first = {k: v for k, v in named[0].items() if k != "group"}
    return {
        **first,
        "groups": named if len(named) > 1 else None,
        "parameters": fit.latent.to_dict("records"),
    }


def _scores(fit: IRTFit, diagnostics: list[Diagnostic]) -> list[dict[str, Any]]:
    eap, count = fit.scores("eap"), fit.likelihood.model.factors
    if count > 1:
        diagnostics.append(Diagnostic(
            "no_wle", "note", f"Weighted likelihood scores of {count} abilities do not exist here.",
            "Take the EAP scores.",
        ))  # fmt: skip
        theta = eap[[f"F{f}" for f in range(1, count + 1)]].to_numpy()
        se = eap[[f"F{f}_se" for f in range(1, count + 1)]].to_numpy()
        return [
            {"examinee": str(name), "eap": t, "eap_se": s, "wle": None, "wle_se": None}
            for name, t, s in zip(eap.index, theta, se, strict=True)
        ]
    wle = fit.scores("wle")
    names = ("eap", "eap_se", "wle", "wle_se")
    rows = zip(eap.index, eap["theta"], eap["se"], wle["theta"], wle["se"], strict=True)
    return [
        {"examinee": str(name), **dict(zip(names, values, strict=True))} for name, *values in rows
    ]


def _reliability(fit: IRTFit) -> dict[str, Any]:
    if fit.likelihood.model.factors == 1:
        return fit.reliability
    return {"empirical": list(fit.reliability.values()), "marginal": None}
