"""Differential item functioning: does an item mean the same for people and models?

References
----------
Thissen, D., Steinberg, L., Wainer, H. (1993). Detection of differential item functioning using the
    parameters of item response models. In Holland and Wainer, Differential Item Functioning.
Zwick, R. (2012). A review of ETS differential item functioning assessment procedures. ETS RR-12-08.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import linalg, special

from gfactor.errors import ParameterError
from gfactor.listing import first_few
from gfactor.numbers_in_text import printed
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.given import model_and_data_in_either_order
from gfactor.psychometrics.inference.multiplicity import benjamini_hochberg
from gfactor.psychometrics.irt.checks.differential_findings import (
    DELTA,
    EFFECTS,
    LOG_ODDS,
    crossing_curves,
    items_not_tested,
    little_power,
)
from gfactor.psychometrics.irt.data import read_responses
from gfactor.psychometrics.irt.fit import fit_irt
from gfactor.psychometrics.irt.likelihood.curves import derivatives
from gfactor.psychometrics.irt.likelihood.shared_categories import with_shared_categories
from gfactor.psychometrics.irt.request import UNIT_SLOPE, groups_in_order, named_model
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.results import Result

FEW_ANCHORS = 4
"""Smallest number of items without DIF that gives two groups a common scale."""


@dataclass(frozen=True, repr=False)
class DIF(Result):
    """Items that differ between two groups.

    Parameters
    ----------
    method : str
        Test that was computed.
    groups : tuple of str
        Reference and focal group.
    table : DataFrame
        One row per item; see `dif`.
    anchors : tuple of str
        Items that were assumed to be equal in both groups when the others were tested.
    diagnostics : tuple of Diagnostic
    model : str
        Item response model; "" if the test has none.
    sizes : tuple of int
        Persons of the reference and the focal group.
    missing : int
        Missing answers.
    """

    method: str
    groups: tuple[str, str]
    table: pd.DataFrame
    anchors: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...] = field(default=())
    model: str = ""
    sizes: tuple[int, int] = (0, 0)
    missing: int = 0

    @property
    def title(self) -> str:
        flagged = int(np.sum(self.table["p_adjusted"].to_numpy() < 0.05))
        sizes = [f", n = {n:,}" if n else "" for n in self.sizes]
        return (
            f"DIF by {self.method} between {self.groups[0]} (reference{sizes[0]}) and "
            f"{self.groups[1]} (focal{sizes[1]}): {flagged} of {len(self.table)} items "
            "differ (adjusted p < .05)"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "method": self.method, "reference": self.groups[0], "focal": self.groups[1],
            "anchors": list(self.anchors),
        }  # fmt: skip

    def _lines(self) -> list[str]:
        count = len(self.table)
        anchors = f"all {count} items" if len(self.anchors) == count else ", ".join(self.anchors)
        effects = (DELTA, EFFECTS)["signed" in self.table]
        # Only items with two categories have a delta and a class.
        table = self.table
        if not table["delta"].notna().to_numpy().any():
            table = table.drop(columns=["delta", "delta_se", "ets_class"])
            notes = f"{effects}."
        else:
            more = LOG_ODDS * ("signed" in table)
            notes = f"{effects}{more}. ETS classes rest on tests that are not adjusted."
        return [self.title, f"anchors: {anchors}", notes, printed(table, missing="")]

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"items": self.table}


def two_groups(groups: Sequence[Any], reference: str | None = None) -> tuple[str, ...]:
    """Return the names of two groups, the reference group first; ParameterError for others."""
    names = groups_in_order(groups, reference)
    if len(names) != 2:
        some = first_few(names)
        raise ParameterError(
            f"DIF compares two groups, got {len(names)}: {some}; take the rows of two groups, or "
            "join groups to two"
        )
    return names


@model_and_data_in_either_order
def dif(
    model: str, data: pd.DataFrame, *, groups: Sequence[str],
    reference: str | None = None, method: Literal["lr", "wald"] = "lr", uniform: bool = False,
    anchors: Sequence[str] | None = None, level: float = 0.05, purify: bool = True,
    progress: Callable[[int, int], None] | None = None, **settings: Any,
) -> DIF:  # fmt: skip
    """Test which items' parameters differ between two groups.

    Parameters
    ----------
    model : str
        An item response model. Model and data may also be given in the other order.
    data : DataFrame (P, J)
        Scores.
    groups : sequence of str
        Group of every person; two of them.
    reference : str or None
        Reference group; by default the group of the first person in the data.
    method : {"lr", "wald"}
        Likelihood ratio of freeing one item, or Wald's test in a model with all but the anchors
        free.
    uniform : bool
        True to free thresholds alone in the likelihood ratio test, with equal slopes.
    anchors : sequence of str or None
        Items taken to be equal; "wald" needs some. If None, all others, purified: items that differ
        at `level` leave the anchors and the others are tested again, until nothing changes.
    level : float
        Significance level of adjusted p values, for purification.
    purify : bool
        True to purify: to leave items that differ out of the anchors.
    progress : callable or None
        Called with tests done and tests in all.
    **settings
        Passed to `fit_irt`.

    Returns
    -------
    DIF
        Table per item: `statistic`, `df`, `p`, `p_adjusted` (Benjamini and Hochberg), `anchor`,
        and effect sizes over the focal group's abilities, with standard errors by the delta method
        (the distribution of abilities taken as known): `signed` and `unsigned`, the mean difference
        (focal less reference) of the expected scores and its absolute value; for items with two
        categories also `delta`, 2.35 times that of the log odds (below 0: harder for the focal
        group; in Rasch models what Mantel and Haenszel's D-DIF estimates), and `ets_class`.

    Raises
    ------
    ParameterError
        If there are not exactly two groups, an anchor is not an item, or the anchors do not define
        a scale.
    """
    names = two_groups(groups, reference)
    data, joined = with_shared_categories(data, [str(group) for group in groups])
    table, _ = read_responses(data)
    items = list(table.items)
    if uniform and (method != "lr" or named_model(model) == "nrm"):
        raise ParameterError(
            "uniform differences are tested by method 'lr', and not in the model 'nrm', whose "
            "slopes and thresholds are not separate parameters"
        )
    chosen = {"groups": groups, "reference": names[0], **settings}
    equal = list(names) if uniform and named_model(model) not in (*UNIT_SLOPE, "1pl") else ()
    anchored = list(anchors) if anchors is not None else list(items)
    for item in anchored:
        if item not in items:
            raise ParameterError(f"anchor {item!r} is not an item of the data")
    if not anchored or (method == "wald" and set(anchored) == set(items)):
        raise ParameterError(
            "anchors define the common scale of both groups: name at least one item (for method "
            "'wald', not all of them), or use method 'lr' without anchors"
        )
    rounds = 0
    while True:
        rows = _tested(data, model, items, anchored, method, chosen, equal, progress)
        frame = pd.DataFrame(rows).set_index("item")
        frame["p_adjusted"] = benjamini_hochberg(frame["p"].to_numpy())
        frame["anchor"] = [item in anchored for item in frame.index]
        rounds += 1
        if anchors is not None or not purify or rounds == 5:
            break
        adjusted = dict(zip(frame.index, frame["p_adjusted"].to_numpy(), strict=True))
        clean = [item for item in items if not adjusted.get(item, 1.0) < level]
        if clean == anchored or len(clean) < 2:
            break
        anchored = clean
    diagnostics = [*joined, *items_not_tested(frame), *crossing_curves(frame)]
    flagged = [str(i) for i in frame.index[frame["p_adjusted"].to_numpy() < level]]
    if anchors is None and len(items) - len(flagged) < max(FEW_ANCHORS, len(items) // 3):
        diagnostics.append(Diagnostic(
            "no_common_scale", "error",
            f"{len(flagged)} of {len(items)} items differ between {names[0]} and {names[1]}; too "
            "few are left to hold a common scale.",
            "Do not compare abilities of the two groups on this test; compare within each.",
            tuple(flagged),
        ))  # fmt: skip
    diagnostics += little_power(frame, [str(g) for g in groups])
    title = {"lr": "likelihood ratio", "wald": "Wald"}[method] + (", uniform" if uniform else "")
    return DIF(
        title, (names[0], names[1]), frame, tuple(anchored), tuple(diagnostics), model,
        group_sizes(groups, names), int((table.codes < 0).sum()),
    )  # fmt: skip


def group_sizes(groups: Sequence[Any], names: Sequence[str]) -> tuple[int, int]:
    """Return the numbers of persons of the reference and the focal group."""
    members = [str(group) for group in groups]
    return members.count(names[0]), members.count(names[1])


def _tested(
    data: pd.DataFrame, model: str, items: list[str], anchors: list[str], method: str,
    settings: dict[str, Any], equal: Sequence[str], progress: Callable[[int, int], None] | None,
) -> list[dict[str, Any]]:  # fmt: skip
    others = [item for item in items if item not in anchors]
    rows = []
    if method == "wald":
        free = fit_irt(model, data, free_items=others, **settings)
        return [_wald(free, item) for item in others]

    def freed(item: str) -> IRTFit:
        """The model in which one more item has its own parameters in each group; its slopes may be
        equal."""
        same = [*settings.get("constraints", ()), [f"{group}:{item}.a1" for group in equal]]
        given = settings if not equal else settings | {"constraints": same}
        return fit_irt(model, data, free_items=[*(i for i in others if i != item), item], **given)

    base = fit_irt(model, data, free_items=others, **settings)
    for number, item in enumerate(items):
        if item in others:
            wide = freed(item) if equal else base
            narrow = fit_irt(model, data, free_items=[i for i in others if i != item], **settings)
        else:
            narrow = base
            wide = freed(item)
        statistic, p, df = np.nan, np.nan, wide.n_free - narrow.n_free
        if wide.converged and narrow.converged:
            statistic = max(2 * (wide.optimum.at.objective - narrow.optimum.at.objective), 0.0)
            p = float(special.chdtrc(df, statistic))
        rows.append({"item": item, "statistic": statistic, "df": df, "p": p,
                     **_effect(wide, item)})  # fmt: skip
        if progress is not None:
            progress(number + 1, len(items))
    return rows


def _wald(fit: IRTFit, item: str) -> dict[str, Any]:
    model = fit.likelihood.model
    column = fit.table.items.index(item)
    turns, values = [], []
    for group in model.groups:
        block = next(b for b in group.blocks if column in b.columns)
        index = block.index[list(block.columns).index(column)]
        turns.append(model.design[index].toarray())
        values.append(fit.optimum.at.values[index])
    contrast = turns[1] - turns[0]
    estimated = contrast.any(axis=1)
    contrast, away = contrast[estimated], (values[1] - values[0])[estimated]
    if fit.vcov is None or not len(contrast):
        statistic = np.nan
    else:
        statistic = float(away @ linalg.solve(fit.vcov.between(contrast), away))
    df = len(contrast)
    p = float(special.chdtrc(df, statistic)) if np.isfinite(statistic) else np.nan
    return {"item": item, "statistic": statistic, "df": df, "p": p, **_effect(fit, item)}


def _effect(fit: IRTFit, item: str) -> dict[str, Any]:
    """Differences between the groups over the focal group's abilities, with standard errors."""
    model, values = fit.likelihood.model, fit.optimum.at.values
    column = fit.table.items.index(item)
    nodes = fit.likelihood.nodes
    weights = np.exp(fit.likelihood.latent(model.groups[1], values).log_weights[0])
    gap, odds = np.zeros(len(nodes)), np.zeros(len(nodes))
    turn, turn_odds = np.zeros(fit.n_free), np.zeros(fit.n_free)
    for sign, group in zip((-1, 1), model.groups, strict=True):
        block = next(b for b in group.blocks if column in b.columns)
        index = block.index[list(block.columns).index(column)]
        at = derivatives(
            block.kind, values[index][None], nodes[:, list(block.factors)], block.categories
        )
        p, first = np.exp(at.value[0]), np.nan_to_num(at.first[0])
        scores, free = np.asarray(fit.table.scores[column]), model.design[index]
        gap += sign * (scores @ p)
        turn += sign * (einsum("q,k,kq,kqm->m", weights, scores, p, first) @ free)
        odds += sign * (at.value[0, -1] - at.value[0, 0])
        turn_odds += sign * (einsum("q,qm->m", weights, first[-1] - first[0]) @ free)
    error = error_odds = np.nan
    if fit.vcov is not None:
        both = fit.vcov.between(np.stack([turn, turn_odds]))
        error, error_odds = map(float, np.sqrt(np.maximum(np.diag(both), 0)))
    two = len(fit.table.scores[column]) == 2
    delta, delta_se = (2.35 * float(odds @ weights), 2.35 * error_odds) if two else (np.nan, np.nan)
    return {
        "signed": float(gap @ weights), "signed_se": error,
        "unsigned": float(np.abs(gap) @ weights), "delta": delta, "delta_se": delta_se,
        "ets_class": ets_class(delta, delta_se, abs(delta) > 1.96 * delta_se) if two else "",
    }  # fmt: skip


def ets_class(delta: float, error: float, significant: bool) -> str:
    """Return the DIF class of the Educational Testing Service: A (negligible), B (moderate) or C
    (large)."""
    if not (significant and abs(delta) >= 1):
        return "A"
    return "C" if abs(delta) >= 1.5 and abs(delta) - special.ndtri(0.95) * error > 1 else "B"
