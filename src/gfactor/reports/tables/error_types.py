"""MM-IQ's figure 12 and MULTI's figure 9: the kinds of errors in wrong responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from gfactor.benchmarks.published import published
from gfactor.frames import distinct, pick
from gfactor.psychometrics import cluster_t_counts, wilson
from gfactor.psychometrics.classical.agreement import Agreement, krippendorff_alpha
from gfactor.reports.answers.error_labels import UNDECIDED, decided, needed, ratings
from gfactor.reports.answers.papers import HERE, PRINTED, PRINTED_NOTE, beside
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table

EVERYBODY = "all examinees"
BENCHMARKS = ("mm-iq", "multi")

_MULTI: Mapping[str, str] = {
    "Alignment Errors": "alignment",
    "Text Understanding Errors": "text",
    "Image Understanding Errors": "image",
    "Reasoning Errors": "reasoning",
    "Lack of Knowledge or Common Sense": "knowledge",
    "System Bias": "system",
}

SAMPLE_NOTE = (
    "Shares of the labeled responses, which are a sample of the wrong ones: where it was drawn in "
    "equal numbers from every paradigm, they are shares of that mixture, not of all errors. A "
    f"response gets the category that most annotators named; {UNDECIDED} where two were named as "
    "often."
)


@table("error_types", section="errors", order=30, needs=("answer_type",), benchmarks=BENCHMARKS)
def error_types(results: Results) -> Table | None:
    """Return the share of each category, of every examinee and of all."""
    labels = _labels_of_benchmark(results)
    if labels is None:
        return None
    responses = decided(labels)
    names = sorted(set(responses["category"]) | set(labels["category"]))
    groups = [(str(label), group) for label, group in responses.groupby("label", sort=True)]
    if len(groups) > 1:
        groups.append((EVERYBODY, responses))
    shares = [
        {"label": label, "source": HERE, "category": name, **_share(group, name, results.level)}
        for label, group in groups
        for name in names
    ]
    benchmark = results.benchmarks[0]
    return Table(
        "Types of errors",
        beside(pd.DataFrame(shares), _printed(benchmark)),
        percent=("share",),
        headings={"label": "examinee", "n": "n (responses)"},
        notes=(
            SAMPLE_NOTE,
            "Brackets: 95 % Wilson intervals (1927); over all examinees each end is the outer one "
            "of Wilson's and of a cluster-robust t interval over items, since the same item often "
            "goes wrong in the same way.",
            f"{PRINTED_NOTE} Source: {published(_PAPER[benchmark]).source}",
        ),
    )


@table("error_types_by_domain", section="errors", order=31, needs=("domain",),
       benchmarks=BENCHMARKS)  # fmt: skip
def by_domain(results: Results) -> Table | None:
    """Return the share of each category within the domains (MM-IQ's figure 14)."""
    labels = _labels_of_benchmark(results)
    if labels is None or not distinct(labels, "domain"):
        return None
    responses = decided(labels)
    shares = [
        {"domain": domain, "category": name, **_share(group, name, results.level)}
        for domain, group in responses.groupby("domain", sort=True)
        for name in sorted(set(responses["category"]))
    ]
    return Table(
        "Types of errors by domain, all examinees",
        pd.DataFrame(shares),
        percent=("share",),
        headings={"n": "n (responses)"},
        notes=(SAMPLE_NOTE,),
        folded=True,
    )


@table("error_agreement", section="errors", order=32, needs=("answer_type",),
       benchmarks=BENCHMARKS)  # fmt: skip
def agreement(results: Results) -> Table | None:
    """Tabulate the agreement of annotators on the category and on each ability."""
    labels = _labels_of_benchmark(results)
    if labels is None:
        return None
    of: list[tuple[str, pd.DataFrame]] = [("category", ratings(labels))]
    abilities = needed(labels)
    for name in sorted(frozenset().union(*abilities["abilities"])):
        marked = abilities.assign(has=[name in listed for listed in abilities["abilities"]])
        of.append((f"ability: {name}", marked.pivot(index="item", columns="annotator", values="has")
                   .astype(object)))  # fmt: skip
    rows = [_agreement(name, units, results) for name, units in of]
    return Table(
        "Agreement of the annotators",
        pd.DataFrame(rows).astype({"n": "Int64"}),
        percent=("observed",),
        headings={"of": "label", "n": "n (labeled twice)", "observed": "pairs alike",
                  "alpha": "Krippendorff's alpha"},
        notes=(
            "Krippendorff's alpha for nominal data (2011), percentile interval of 2,000 resamples "
            "of the units: responses for the category, items for abilities. It is not defined "
            "where all labels are alike, and there is none if nothing was labeled twice.",
        ),
    )  # fmt: skip


def _labels_of_benchmark(results: Results) -> pd.DataFrame | None:
    if results.error_labels is None:
        return None
    labels = results.error_labels
    of_benchmark = pick(labels, labels["benchmark"] == results.benchmarks[0])
    return of_benchmark if len(of_benchmark) else None


def _share(responses: pd.DataFrame, name: str, level: float) -> dict[str, Any]:
    hits: Any = (responses["category"] == name).astype(float)
    n = len(responses)
    low, high = (float(end) for end in wilson(hits.sum(), n, level))
    if responses["item"].duplicated().any():
        sums: Any = (
            pd.DataFrame({"k": hits, "n": 1.0, "item": responses["item"]}).groupby("item").sum()
        )
        k, of = (sums[c].to_numpy(float)[None] for c in ("k", "n"))
        t_low, t_high = (float(end[0]) for end in cluster_t_counts(k, of, level))
        low = float(np.fmin(low, np.clip(t_low, 0, 1)))
        high = float(np.fmax(high, np.clip(t_high, 0, 1)))
    return {"n": n, "responses": int(hits.sum()), "share": hits.mean(), "share_low": low,
            "share_high": high}  # fmt: skip


def _agreement(name: str, units: pd.DataFrame, results: Results) -> dict[str, Any]:
    row: dict[str, Any] = {
        "of": name, "annotators": units.shape[1], "n": int((units.notna().sum(axis=1) > 1).sum()),
        "observed": None, "alpha": None, "alpha_low": None, "alpha_high": None,
    }  # fmt: skip
    if row["n"]:
        alpha: Agreement = krippendorff_alpha(units, seed=results.seed)
        row |= {"observed": alpha.observed, "alpha": alpha.estimate, "alpha_low": alpha.low,
                "alpha_high": alpha.high}  # fmt: skip
    return {k: float("nan") if v is None else v for k, v in row.items()}


_PAPER = {"mm-iq": "mm-iq-claims", "multi": "multi-errors"}


def _printed(benchmark: str) -> pd.DataFrame:
    theirs = published(_PAPER[benchmark]).frame
    if benchmark == "multi":
        categories = [_MULTI[name] for name in theirs["error"]]
        shares = theirs["percent"].astype(float) / 100
        return pd.DataFrame({"label": "eight models, Elite, cot", "source": PRINTED,
                             "category": categories, "share": shares})  # fmt: skip
    claims = dict(zip(theirs["claim"], theirs["value"], strict=True))
    claim = claims["fig12 incorrect paradigm reasoning share avg"]
    return pd.DataFrame(
        [{"label": "three models", "source": PRINTED, "category": "reasoning",
          "share": float(claim) / 100}]
    )  # fmt: skip
