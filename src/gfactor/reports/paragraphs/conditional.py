"""Sentences on a model of the Rasch family by conditional maximum likelihood."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from gfactor.frames import distinct
from gfactor.numbers_in_text import fixed
from gfactor.psychometrics.irt.estimation.conditional import ConditionalFit
from gfactor.reports.paragraphs.wording import MOST_LISTED, Z, between, software, span_of
from gfactor.results import number_of

_NAMES = {
    "rasch": "A Rasch model", "pcm": "A partial credit model", "rsm": "A rating scale model",
    "lltm": "A linear logistic test model",
}  # fmt: skip


def sentences_on_conditional(fit: ConditionalFit) -> Iterable[str]:
    items = distinct(fit.easiness, "item")
    yield (
        f"{_NAMES[fit.model]} was fitted to the answers of {number_of(fit.n_used, 'person')} to "
        f"{number_of(len(items), 'item')} by conditional maximum likelihood with {software()}, "
        "which assumes nothing about the distribution of abilities."
    )
    left = fit.n_persons - fit.n_used
    if left:
        verb, have = ("was", "has") if left == 1 else ("were", "have")
        yield (
            f"{number_of(left, 'further person')} {verb} left out, who {have} the lowest or the "
            "highest sum possible."
        )
    yield (
        f"The conditional log-likelihood of the {number_of(len(fit.names), 'free parameter')} was "
        f"{fixed(fit.loglik)}; standard errors are from the observed information."
    )
    if fit.model in {"rsm", "lltm"}:
        kind = "Effects on easiness" if fit.model == "lltm" else "Parameters (easiness)"
        named = {"parameter": "name", "estimate": "value"}
        yield _estimates(kind, fit.parameters.rename(columns=named).to_dict("records"))
    rows = [
        {**row, "name": _step(row, len(fit.easiness) > len(items)), "value": row["easiness"]}
        for row in fit.easiness.to_dict("records")
    ]
    centered = "" if fit.model in {"rsm", "lltm"} else ", sum 0"
    yield _estimates(f"Easiness of items (logits{centered})", rows)


def _step(row: dict[Any, Any], polytomous: bool) -> str:
    return f"{row['item']}, category {row['category']}," if polytomous else str(row["item"])


def _estimates(title: str, rows: list[dict[Any, Any]]) -> str:
    if len(rows) > MOST_LISTED:
        errors = span_of(row["se"] for row in rows if row["se"] > 0)
        return (
            f"{title}: {span_of(row['value'] for row in rows)} (standard errors {errors}); the "
            "table has each."
        )
    return f"{title}: {'; '.join(_estimate(row) for row in rows)}."


def _estimate(row: dict[Any, Any]) -> str:
    middle, se = float(row["value"]), float(row["se"])
    if not (math.isfinite(se) and se > 0):
        return f"{row['name']} {fixed(middle)} (fixed)"
    return f"{row['name']} {fixed(middle)}, {between(middle - Z * se, middle + Z * se)}"
