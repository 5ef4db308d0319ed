"""Checks of the conditions on which the three diagnostics depend: size, families, chance, range.

Tasks of one construct that all correlate by r are the simplest case. The loading of each on the
mean of k of them, and the VIF of each given the others, are then functions of k and r alone. The
correlation r itself grows with the spread of ability among the models: it is the share of a task's
variance that is due to ability. A benchmark therefore has a larger TC and a smaller D_valid with
every weak model that is added, and a smaller TC and a smaller D_valid with every task.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.gold.model import anchors, measured, tasks
from gfactor.psychometrics.pls.model import PLSModel
from gfactor.psychometrics.respondents import families


def exchangeable(k: int, r: float) -> tuple[float, float]:
    """Return TC and D_valid of one construct whose `k` tasks all correlate by `r`.

    The loading is sqrt((1 + (k - 1) r) / k); the VIF is (1 + (k - 2) r) / ((1 - r) (1 + (k - 1)
    r)), from the inverse of an equicorrelation matrix. Raises ParameterError for k below 2 or r
    outside [0, 1).
    """
    if k < 2 or not 0 <= r < 1:
        raise ParameterError(
            f"the number of tasks must be 2 or more, and r from 0 to below 1; got {k} and {r}"
        )
    tc = float(np.sqrt((1 + (k - 1) * r) / k))
    valid = (1 - r) * (1 + (k - 1) * r) / (1 + (k - 2) * r)
    return tc, float(valid)


def restricted(r: float, ratio: float) -> float:
    """Return the correlation of two tasks after the spread of ability has changed by the factor
    `ratio`.

    If ability's share of a task's variance is r and the rest is unchanged, it is r ratio^2 / (r
    ratio^2 + 1 - r). Raises ParameterError for r outside [0, 1] or a negative ratio.
    """
    if not 0 <= r <= 1 or ratio < 0:
        raise ParameterError(f"r must be from 0 to 1 and the ratio 0 or more, got {r} and {ratio}")
    signal = r * ratio**2
    return signal / (signal + 1 - r) if signal + 1 - r > 0 else 1.0


def chance_inflation(n: int, k: int) -> float:
    """Return the VIF of `k` unrelated tasks over `n` models, (n - 1) / (n - k); infinite for k >=
    n.

    It follows from the expected R2 of a regression on k - 1 unrelated predictors, (k - 1) / (n -
    1).
    """
    return (n - 1) / (n - k) if n > k else float("inf")


def data_checks(
    data: pd.DataFrame, model: PLSModel, chance: Mapping[str, float] | None = None
) -> list[Diagnostic]:
    """Return diagnostics of the data: the number of models, families of near-copies, tasks at
    chance, anchors."""
    diagnostics = [*_few_models(len(data), model), *_single(model)]
    scores = pick(data, list(tasks(model))).astype(float)
    diagnostics += _families(scores)
    if chance:
        diagnostics += _at_chance(scores, chance)
    return diagnostics


def _few_models(n: int, model: PLSModel) -> list[Diagnostic]:
    name, k = max(((c, len(t)) for c, t in measured(model).items()), key=lambda pair: pair[1])
    vif = chance_inflation(n, k)
    if k >= n:
        return [
            Diagnostic(
                "more_tasks_than_models",
                "error",
                f"Construct {name!r} has {k} tasks, but there are {n} models: every VIF is "
                "infinite and D_valid is zero whatever the tasks are.",
                "Add models, or split the construct.",
                where=(name,),
                values={"tasks": k, "models": n},
            )
        ]
    if vif > 1.25 or n < 30:
        return [
            Diagnostic(
                "few_models",
                "warning",
                f"{n} models for up to {k} tasks per construct: unrelated tasks would have a VIF "
                f"of {vif:.2f} by chance alone.",
                "Read the intervals; do not compare with benchmarks that had more models.",
                where=(name,),
                values={"models": n, "tasks": k, "chance_vif": vif},
            )
        ]
    return []


def _single(model: PLSModel) -> list[Diagnostic]:
    alone = anchors(model)
    if not alone:
        return []
    return [
        Diagnostic(
            "one_indicator",
            "note",
            f"{', '.join(alone)} has one indicator: it is an anchor, without HTMT, and counts in "
            "none of the three diagnostics.",
            "Give it a second task if it is meant to be a construct.",
            where=tuple(alone),
        )
    ]


def family_labels(scores: pd.DataFrame) -> NDArray[np.intp]:
    """Return the number of every model's family of near-copies; a model without one forms its
    own."""
    alike = families("the table", scores) if len(scores) <= _MOST_MODELS else None
    names = [str(m) for m in scores.index]
    family = {}
    if alike is not None:
        family = {str(p): f"family {f}" for p, f in
                  zip(alike.members["person"], alike.members["family"], strict=True)}  # fmt: skip
    labels = [family.get(name, f"model {name}") for name in names]
    order = {label: k for k, label in enumerate(dict.fromkeys(labels))}
    return np.array([order[label] for label in labels], np.intp)


def one_per_family(scores: pd.DataFrame) -> list[str]:
    """Return the models left when each family of near-copies keeps its first."""
    labels = family_labels(scores)
    firsts = np.unique(labels, return_index=True)[1]
    return [str(scores.index[k]) for k in sorted(firsts.tolist())]


_MOST_MODELS = 3000
"""Largest number of models whose profiles are compared in pairs, limited by memory."""


def _families(scores: pd.DataFrame) -> list[Diagnostic]:
    if len(scores) > _MOST_MODELS:
        return []
    alike = families("the table", scores)
    if alike is None or alike.members.empty:
        return []
    count, persons = alike.members["family"].nunique(), [str(p) for p in alike.members["person"]]
    return [
        Diagnostic(
            "near_copies",
            "warning",
            f"{len(persons)} of {alike.n} models belong to {count} families of near-copies "
            f"(profiles over tasks that correlate {alike.limit:.2f} or more): they count as "
            f"{alike.n_design:.0f} independent models, and intervals are too narrow.",
            "Keep one model per family and compare.",
            where=tuple(persons[:20]),
            values={"models": alike.n, "families": count, "effective": alike.n_design},
        )
    ]


def _at_chance(scores: pd.DataFrame, chance: Mapping[str, float]) -> list[Diagnostic]:
    columns = [c for c in scores.columns if c in chance]
    if not columns:
        return []
    level = np.array([chance[c] for c in columns])
    values = scores[columns].to_numpy(float)
    observed = ~np.isnan(values)
    below = np.where(observed, values <= level, False).sum(axis=0) / np.maximum(
        observed.sum(axis=0), 1
    )
    bad = [c for c, share in zip(columns, below, strict=True) if share >= 0.25]
    above = np.where(observed, values - level, 0.0).sum(axis=1)
    whole = observed.any(axis=1) & (above <= 0)
    if not bad and not whole.any():
        return []
    models = [str(m) for m in scores.index[whole]]
    return [
        Diagnostic(
            "at_chance",
            "warning",
            f"In {len(bad)} of {len(columns)} tasks a quarter of the models or more is at or "
            f"below chance, and {len(models)} of {len(scores)} models are so on average: their "
            "scores measure answer formats, not ability.",
            "Leave these models out and compare; a common failure inflates TC and VIFs.",
            where=(*bad[:20], *models[:20]),
            values={"tasks": len(bad), "models": len(models)},
        )
    ]


def range_check(by_range: pd.DataFrame) -> list[Diagnostic]:
    """Compare the three diagnostics of the best and of the worst models with those of all."""
    cells = by_range.pivot(index="diagnostic", columns="range", values="estimate")
    n = by_range.groupby("range")["n"].first()
    parts, far = [], False
    for name in ("D_div", "TC", "D_valid"):
        whole = float(cells.loc[name, "all"])
        others = {r: float(cells.loc[name, r]) for r in ("top", "bottom") if r in cells}
        if np.isnan(whole) or not others:
            continue
        limit = 0.1 if name == "TC" else 0.25 * whole
        far |= any(abs(v - whole) > limit for v in others.values())
        listed = ", ".join(f"{v:.2f} ({r} {n[r]})" for r, v in others.items())
        parts.append(f"{name} {whole:.2f}, {listed}")
    if not parts:
        return []
    return [
        Diagnostic(
            "range_restriction",
            "warning" if far else "note",
            f"The diagnostics follow the spread of ability: {'; '.join(parts)}.",
            "Compare benchmarks only over the same models.",
            values={f"{row['range']}.{row['diagnostic']}": float(row["estimate"])
                    for row in by_range.to_dict("records") if not np.isnan(row["estimate"])},
        )
    ]  # fmt: skip
