"""Inputs of a plan from a pilot journal: components, disagreement, clusters, cost of an answer."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from gfactor.administration import Journal
from gfactor.api.analyses.evidence import facet_table
from gfactor.api.inputs.scoring import Scoring
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees import Spec
from gfactor.examinees.http import read_prices
from gfactor.examinees.token_usage import read_and_written
from gfactor.frames import pick
from gfactor.psychometrics import Sampling
from gfactor.psychometrics.classical.consistency import cronbach_alpha
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.generalizability import gtheory
from gfactor.psychometrics.planning import AnswerCosts, Components
from gfactor.psychometrics.psychophysics.fits import fit_curves
from gfactor.scoring import with_chance
from gfactor.scoring.averaging import DOMAIN
from gfactor.scoring.sampling import sampling_of
from gfactor.scoring.score_matrix import item_names
from gfactor.scoring.summaries import require_one_condition

_FEWEST = 2
"""Items that examinees have in common, of which a spread can be known."""

_MANY_DOMAINS = 200
"""Domains of a pilot from which on the spread between them is known to about a tenth."""

_ROUNDING = 1e-9
"""A variance below this share of the largest is a rounded zero."""


def from_pilot(
    aim: str, journal: Journal, scoring: Scoring, table: Any, stated: dict[str, Any],
    facets: Sequence[str] | None, sampled: tuple[str, tuple[str, ...]], claimed: tuple[str, str],
) -> tuple[Components | None, dict[str, Any]]:  # fmt: skip
    """Return the quantities that the pilot implies for an aim; stated values take precedence."""
    if aim in ("ability", "cfa"):
        return None, stated
    if aim == "threshold":
        return None, _curve(journal, table) | stated
    table = table.assign(item_id=item_names(table))  # An id with two contents is two items.
    if aim == "alpha":
        if {"alpha", "items"} <= set(stated):
            return None, stated
        require_one_condition(table)
        return None, _alpha(_runs(table)) | stated
    if aim == "ranks":
        require_one_condition(table)
    runs = _runs(table)
    examinees = table["examinee"].nunique()
    if aim in ("ranks", "difference") and examinees < 2 and not stated:
        what = "an order" if aim == "ranks" else "a difference"
        raise ParameterError(
            f"{what} needs a pilot with two examinees or more, and this one has {examinees}; "
            "have another answer the same items"
            + (f", or {stating('discordant or sd_difference')}" if aim == "difference" else "")
        )
    if aim == "ranks":
        whole = runs.dropna()
        if len(whole) < _FEWEST:
            raise ParameterError(
                f"an order needs items that all {runs.shape[1]} examinees of the pilot answered, "
                f"and there are {len(whole)}; choose examinees who were asked the same items"
            )
        label = claimed[1]
        labels = {"labels": _of_items(table, whole, label)} if label in table else {}
        return None, {"table": whole} | labels | stated
    claim, label = claimed
    cluster = label if claim == "other-domains" else None
    single = table["occasion"].nunique() == 1 and table["condition"].nunique() == 1
    if cluster and not {"discordant", "sd_difference"} & set(stated):
        require_one_condition(table)  # Examinees are counted, and nobody is two of them.
    if aim == "se" and "accuracy" in stated:
        return None, _accuracy(table, runs, cluster) | stated
    if aim == "se" and (cluster or (single and not facets)):
        estimates = (
            _accuracy(table, runs, cluster) if cluster else _within(table, runs, label, "sd")
        )
        return None, estimates | stated
    if aim == "difference":
        if {"discordant", "sd_difference"} & set(stated):
            return None, stated
        if examinees < 2:
            raise ParameterError(
                f"a difference needs a pilot with two examinees or more, but this one has "
                f"{examinees}; have another answer the same items, or "
                f"{stating('discordant or sd_difference')}"
            )
        if cluster or (single and not facets):
            return None, _disagreement(table, runs, cluster, label) | stated
    chosen = list(facets or ["item", *(n for n in ("occasion", "condition")
                                       if table[n].nunique() > 1)])  # fmt: skip
    only = str(table["benchmark"].iloc[0]) if "benchmark" in table and len(table) else None
    long = facet_table(journal, scoring, ["examinee", *chosen], "points", only)
    study: Any = gtheory(long, object="examinee", facets=chosen)
    values = study.components["variance"]
    # Occasions that are all alike leave rounding errors, not variances.
    values = values.where(values.abs() > _ROUNDING * values.abs().max(), 0.0)
    variances = {str(k): float(v) for k, v in values.items()}
    return Components(variances, "examinee", sampled[0], sampled[1]), stated


def few_domains(domains: int) -> tuple[Diagnostic, ...]:
    """Return a sentence on the possible error of half-widths if few domains were observed.

    Parameters
    ----------
    domains : int
        Number of domains of the pilot.

    Returns
    -------
    tuple of Diagnostic
        A warning with the limits of the chi-square distribution; empty for many domains.

    Examples
    --------
    >>> few_domains(12)[0].sentence[-58:]
    'will be 0.7 to 1.7 times the planned one (95 % of pilots).'
    """
    if domains >= _MANY_DOMAINS:
        return ()
    df = domains - 1
    low, high = (math.sqrt(df / special.chdtri(df, tail)) for tail in (0.025, 0.975))
    sentence = (
        f"The spread between domains was estimated from {domains} domains: the half-width of a run "
        f"of this size will be {low:.1f} to {high:.1f} times the planned one (95 % of pilots)."
    )
    remedy = "Ask a few items of many domains in the pilot, or plan for more than is needed."
    return (Diagnostic("few_pilot_domains", "warning", sentence, remedy),)


def stating(names: str) -> str:
    """Return the remedy for a quantity that the pilot does not give, as the end of a message."""
    return f"state {names} (--known NAME=VALUE; in Python known=)"


def _alpha(runs: Any) -> dict[str, Any]:
    """Coefficient alpha of the items that all answered."""
    answered = runs.dropna()
    alpha = cronbach_alpha(answered.T) if min(answered.shape) > 1 else math.nan
    if not 0 < alpha < 1:
        in_words = "not known" if math.isnan(alpha) else f"{alpha:z.2f}"
        raise ParameterError(
            f"the pilot gives no coefficient alpha between 0 and 1: the number of its examinees is "
            f"{runs.shape[1]}, that of the items that all of them answered {len(answered)}, and "
            f"alpha is {in_words}; have more examinees answer the same items, or "
            f"{stating('alpha and items')}"
        )
    return {"alpha": alpha, "items": len(answered)}


def _runs(table: Any) -> Any:
    """Items x examinees (under each condition): shares of points, occasions averaged."""
    rows: Any = pick(table, ~table["missing"].astype(bool))
    several = rows["condition"].nunique() > 1
    names = rows["examinee"] + " | " + rows["condition"] if several else rows["examinee"]
    share = rows["points"].astype(float) / rows["points_possible"].astype(float)
    long = pd.DataFrame({"run": names, "item": rows["item_id"], "share": share})
    return long.pivot_table(values="share", index="item", columns="run", aggfunc="mean")


def _of_items(table: Any, runs: Any, cluster: str) -> Any:
    if cluster not in table:
        raise UnknownNameError("label", cluster, map(str, table.columns))
    labels = table.drop_duplicates("item_id").set_index("item_id")[cluster].astype(str)
    return labels.reindex(runs.index)


def _clustering(values: Any, labels: Any) -> dict[str, Any]:
    """Items per cluster and the intraclass correlation, by one-way mean squares."""
    observed = values.notna()
    x, groups = values[observed].to_numpy(float), labels[observed].to_numpy()
    names, codes, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    if names.size < 2 or x.size <= names.size:
        raise ParameterError("clusters of a pilot need two labels or more, and two items in some")
    means = np.bincount(codes, x) / sizes
    between = float(sizes @ (means - x.mean()) ** 2) / (names.size - 1)
    within = float(((x - means[codes]) ** 2).sum()) / (x.size - names.size)
    common = (x.size - (sizes**2).sum() / x.size) / (names.size - 1)
    variance = max(0.0, (between - within) / common)
    total = variance + within
    return {"cluster_size": max(1, round((sizes**2).sum() / x.size)),
            "icc": variance / total if total > 0 else 0.0}  # fmt: skip


def _accuracy(table: Any, runs: Any, cluster: str | None) -> dict[str, Any]:
    estimates: dict[str, Any] = {"accuracy": float(runs.stack().mean())}
    if cluster:
        labels = _of_items(table, runs, cluster)
        each = [_clustering(runs[name], labels) for name in runs]
        estimates["cluster_size"] = each[0]["cluster_size"]
        estimates["icc"] = float(np.mean([one["icc"] for one in each]))
    return estimates


def _sampling(table: Any, runs: Any, label: str) -> Sampling:
    """Return the sampling of the pilot's items within their domains."""
    items = table.drop_duplicates("item_id").set_index("item_id", drop=False).loc[runs.index]
    named = items if label in items else items.drop(columns=DOMAIN, errors="ignore")
    return sampling_of(named.reset_index(drop=True), "same-domains",
                       label if label in items else DOMAIN)  # fmt: skip


def _within(table: Any, runs: Any, label: str, name: str) -> dict[str, Any]:
    """The spread of one item within its domain, whose square over n is the variance of the mean."""
    sampling = _sampling(table, runs, label)
    spreads = []
    for run in runs:
        there = runs[run].notna().to_numpy()
        means = sampling.among(there).means(
            np.zeros(int(there.sum()), int), runs[run].to_numpy(float)[there]
        )
        spreads.append(float(means.se[0]) ** 2 * int(there.sum()))
    return {name: float(np.sqrt(np.mean(spreads))), "domains": max(1, sampling.domains)}


def _disagreement(table: Any, runs: Any, cluster: str | None, label: str) -> dict[str, Any]:
    """Return the average over pairs of examinees: discordant items, or spread of differences."""
    both = {f"{a} - {b}": (runs[a] - runs[b]).dropna() for a, b in combinations(runs.columns, 2)}
    both = {name: pair for name, pair in both.items() if len(pair) >= _FEWEST}
    if not both:
        raise ParameterError(
            f"no two of the {runs.shape[1]} examinees of the pilot answered {_FEWEST} items in "
            "common; choose examinees who were asked the same items"
        )
    pairs = list(both.values())
    if all((pair == 0).all() for pair in pairs):
        raise ParameterError(
            "the examinees of the pilot differ on no item, so it gives no estimate of "
            f"differences; {stating('discordant or sd_difference')}"
        )
    if cluster is None:
        sampling = _sampling(table, runs, label)
        alone = len(np.unique(sampling.units)) == len(runs)
        if alone and sampling.domains < 2 and np.isin(runs.stack().to_numpy(), (0, 1)).all():
            return {"discordant": float(np.mean([(pair != 0).mean() for pair in pairs]))}
        differences = pd.DataFrame(both).reindex(runs.index)
        return _within(table, differences, label, "sd_difference")
    estimates: dict[str, Any] = {
        "sd_difference": float(np.sqrt(np.mean([pair.var(ddof=1) for pair in pairs])))
    }
    if cluster:
        labels = _of_items(table, runs, cluster)
        each = [_clustering(pair, labels.reindex(pair.index)) for pair in pairs]
        estimates["cluster_size"] = each[0]["cluster_size"]
        estimates["icc"] = float(np.mean([one["icc"] for one in each]))
    return estimates


def _curve(journal: Journal, table: Any) -> dict[str, Any]:
    if "size" not in table:
        raise ParameterError(
            "the aim threshold needs items with the label size, and the pilot has none; plan "
            f"without a pilot, and {stating('sizes, threshold and slope')}"
        )
    rows: Any = pick(table, ~table["missing"].astype(bool))
    size = pd.to_numeric(rows["size"], errors="coerce")
    counts = rows.assign(_size=size).groupby("_size")["correct"].agg(["sum", "count"])
    chance = with_chance(rows, journal.items())["chance"].to_numpy(float)
    guess = float(np.nanmean(chance)) if np.isfinite(chance).any() else 0.0
    fit: Any = fit_curves(
        [counts["sum"].to_numpy(float)], [counts["count"].to_numpy(float)],
        counts.index.to_numpy(float), guess, n_bootstrap=1,
    ).table.iloc[0]  # fmt: skip
    if not math.isfinite(fit["threshold"]) or not math.isfinite(fit["slope"]):
        raise ParameterError(
            "the accuracy of the pilot over sizes has no threshold within them "
            f"({fit['flag'] or fit['censored']}); have more items of smaller and larger sizes "
            f"answered, or plan without a pilot, and {stating('sizes, threshold and slope')}"
        )
    return {
        "sizes": tuple(counts.index.to_numpy(float)), "threshold": float(fit["threshold"]),
        "slope": float(fit["slope"]), "guess": float(fit["guess"]), "lapse": float(fit["lapse"]),
    }  # fmt: skip


def pilot_tokens(journal: Journal, table: Any) -> tuple[int, int] | None:
    """Return the mean tokens read and written of an answer; None if none were counted."""
    given = journal.responses()
    rows: Any = pick(given, given["examinee"].isin(list(set(table["examinee"]))))
    counts = [read_and_written(json.loads(text)) for text in rows["tokens"]]
    counted = [one for one in counts if any(one)]
    if not counted:
        return None
    read, written = np.mean(counted, axis=0)
    return round(read), round(written)


def pilot_costs(
    journal: Journal, table: Any, costs: AnswerCosts, prices: Path | str | None
) -> AnswerCosts:
    """Return the cost of an answer in the pilot, for quantities that are not stated."""
    who = set(table["examinee"])
    given = journal.responses()
    rows: Any = pick(given, given["examinee"].isin(list(who)))
    usage = [json.loads(text) for text in rows["tokens"]]
    counted = [sum(read_and_written(one)) for one in usage if one]
    money = None
    recorded = rows["cost"].dropna()
    if prices is not None:
        priced = read_prices(Path(prices))
        names = {name: Spec.parse(name).argument for name in who}
        missing = sorted(set(names.values()) - set(priced))
        if missing:
            raise UnknownNameError("model in the price table", missing[0], priced)
        pairs = zip(rows["examinee"], usage, strict=True)
        money = float(np.mean([priced[names[e]].of(one) for e, one in pairs]))
    elif len(recorded):
        money = float(recorded.mean())
    took = float(rows["latency_s"].mean()) if len(rows) else None
    return dataclasses.replace(
        costs,
        tokens=costs.tokens if costs.tokens is not None else (
            float(np.mean(counted)) if counted else None),
        money=costs.money if costs.money is not None else money,
        seconds=costs.seconds if costs.seconds is not None else took,
    )  # fmt: skip
