"""Rank of newly measured models among the calibrated ones."""

from __future__ import annotations

import pandas as pd

from gfactor.psychometrics.irt.anchors.anchor_set import Anchors


def real_models(anchors: Anchors) -> pd.DataFrame:
    """Return the score of every calibrated model on every benchmark that it answered."""
    parts = [
        pd.DataFrame({
            "benchmark": name, "model": anchors.models.index, "family": anchors.models["family"],
            "accuracy": anchors.models[f"accuracy:{name}"],
        })
        for name in anchors.names
    ]  # fmt: skip
    return pd.concat(parts).dropna(subset="accuracy").reset_index(drop=True)


def standing_of(predictions: pd.DataFrame, real: pd.DataFrame) -> pd.DataFrame:
    """Return the rank of each prediction among the real models of its benchmark."""
    rows = []
    for one in predictions.to_dict("records"):
        others = real[real["benchmark"] == one["benchmark"]]
        score = others["accuracy"]
        higher, lower = int((score > one["ci_upper"]).sum()), int((score < one["ci_lower"]).sum())
        nearest = others.loc[(score - one["accuracy"]).abs().idxmin()]
        rows.append({
            "model": one["model"], "benchmark": one["benchmark"], "higher": higher,
            "lower": lower, "of": len(others), "best_rank": higher + 1,
            "worst_rank": len(others) - lower + 1, "nearest": nearest["model"],
            "family": nearest["family"],
        })  # fmt: skip
    return pd.DataFrame(rows)
