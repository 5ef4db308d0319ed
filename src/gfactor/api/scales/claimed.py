"""Claims about scenes of a gap and about the items of a scale of norms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.inference.claim import (
    DEFAULT_CLAIM,
    Claim,
    Sampling,
    checked_claim,
    claim_in_words,
)
from gfactor.scoring.averaging import DOMAIN
from gfactor.scoring.sampling import sampling_of


def sampling_of_scenes(answers: pd.DataFrame, claim: str | None, label: str) -> Sampling:
    """Return the sampling of scenes: the questions on one scene form a unit, and domains are those
    of `compare`.

    Raises ParameterError if the claim cannot be made of these scenes, UnknownNameError for an
    unknown claim or label.
    """
    checked = DEFAULT_CLAIM if claim is None else checked_claim(claim)
    if checked == "these-items":
        raise ParameterError(
            "a gap is estimated over scenes, which excludes the claim these-items; choose "
            "same-domains or other-domains"
        )
    if label not in answers and label != DOMAIN:
        raise UnknownNameError("label", label, map(str, answers.columns))
    domains = None
    if label in answers:
        domains = (answers["benchmark"].astype(str) + " " + answers[label].astype(str)).to_numpy()
    scenes = pd.factorize(answers["scene"])[0]
    sampling = Sampling.of(checked, len(answers), units=scenes, domains=domains, label=label)
    if checked == "other-domains" and sampling.domains < 2:
        raise ParameterError(
            f"the claim other-domains needs scenes of at least two {label}s, and these have "
            f"{sampling.domains}; choose same-domains"
        )
    return sampling


def claim_of_scale(rows: pd.DataFrame, claim: Claim, label: str) -> dict[str, Any]:
    """Return the claim of a scale, and the standard error of its mean over the items drawn, with
    the degrees of freedom of that error.

    All persons have the same weight. The variance over items includes the variance of single
    answers, which the variance over people already includes; it is subtracted once.

    Raises ParameterError if the claim cannot be made of these items.
    """
    if claim == "these-items":
        return {"claim": claim, "generalizes_to": claim_in_words(claim, 0), "se_items": 0.0}
    right = rows["correct"].to_numpy(float)
    counted = ~np.isnan(right)
    rows, right = rows.loc[counted], right[counted]
    people: Any = rows["examinee"]
    weight = 1.0 / people.map(people.value_counts()).to_numpy(float) / people.nunique()
    items, codes = _numbered(rows)
    sampling = sampling_of(items, claim, label)
    if claim == "other-domains" and sampling.domains < 2:
        raise ParameterError(
            f"the claim other-domains needs items of two {label}s or more, a scale has "
            f"{sampling.domains}; choose same-domains"
        )
    earned, possible = np.bincount(codes, weight * right), np.bincount(codes, weight)
    means = sampling.means(np.zeros(len(items), int), earned, possible=possible)
    mean, se = float(means.value[0]), float(means.se[0])
    noise = float(((weight * (right - mean)) ** 2).sum())
    beyond = max(se**2 - noise, 0.0) if math.isfinite(se) else 0.0
    return {
        "claim": claim, "generalizes_to": sampling.words, "se_items": math.sqrt(beyond),
        "df_items": float(means.df[0]),
    }  # fmt: skip


def _numbered(rows: pd.DataFrame) -> tuple[pd.DataFrame, NDArray[np.intp]]:
    """The items, a row each, and the number of the item of every row."""
    codes = pd.factorize(rows["item_hash"].astype(str) + " " + rows["item_id"].astype(str))[0]
    first = pd.Series(codes).drop_duplicates().index
    return rows.iloc[first].reset_index(drop=True), codes
