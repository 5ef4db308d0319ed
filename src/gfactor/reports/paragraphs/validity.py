"""Sentences on discriminant validity."""

from __future__ import annotations

from collections.abc import Iterable

from gfactor.numbers_in_text import share
from gfactor.psychometrics.validity.assess import LIMIT, DiscriminantValidity
from gfactor.reports.paragraphs.wording import (
    MOST_LISTED,
    range_of,
    share_between,
    software,
)
from gfactor.results import number_of

_VARIANTS = {
    "htmt": "heterotrait-monotrait ratios of absolute correlations (HTMT)",
    "htmt2": "heterotrait-monotrait ratios of geometric means (HTMT2)",
    "raw": "heterotrait-monotrait ratios of signed correlations (HTMT)",
    "gold": "ratios of correlations between constructs to those within the first one",
}


def sentences_on_validity(result: DiscriminantValidity) -> Iterable[str]:
    rows = result.table.to_dict("records")
    yield (
        f"Discriminant validity of {number_of(len(result.matrix), 'construct')} was examined by "
        f"{_VARIANTS[result.variant]} from {number_of(result.n, 'row')} with {software()}; "
        f"intervals are BCa intervals of {number_of(result.resamples, 'bootstrap sample')}."
    )
    if len(rows) > MOST_LISTED:
        yield f"The {len(rows)} ratios were {range_of(row['ratio'] for row in rows)}."
    else:
        parts = [
            f"{row['left']} and {row['right']} {share(row['ratio'], 2)}, "
            f"{share_between(row['bca_low'], row['bca_high'], result.level)}"
            for row in rows
        ]
        yield f"Ratios: {'; '.join(parts)}."
    apart = [f"{row['left']} and {row['right']}" for row in rows if row["separate"]]
    bound = f"the one-sided {result.level:.0%} upper bound of the ratio is below {share(LIMIT, 2)}"
    if not apart:
        yield f"For no pair {bound}."
    elif len(apart) == len(rows) > 1:
        yield f"For every pair {bound}, so that its constructs are distinct."
    elif len(apart) > MOST_LISTED:
        yield f"For {len(apart)} of {len(rows)} pairs {bound}."
    else:
        yield f"For {'; for '.join(apart)} {bound}, so that these constructs are distinct."
