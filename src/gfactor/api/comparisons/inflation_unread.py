"""Replies that were not read, by form: a form on which fewer are read looks harder than it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.inference.inflation import Inflation

_LEAST = 0.05
"""Difference between the shares of unread replies on both forms, beyond the references', from which
on a verdict is withheld: it can move the score by as much."""
_BEYOND_CHANCE = 2.58
"""Standard errors that this difference exceeds by chance in 1 of 100."""


def with_unread(
    result: Inflation, responses: pd.DataFrame, public: Sequence[str], fresh: Sequence[str]
) -> Inflation:
    """Return the result with diagnostics of the examinee's unread replies.

    A reply in which no answer was found counts as wrong. If on one form the examinee has many more
    unread replies than the references, the verdict is withheld. A refusal counts as read.

    Parameters
    ----------
    result : Inflation
    responses : DataFrame
        The scored responses with the column `item`; empty for a table, of which nothing is said.
    public, fresh : sequence of str
        The items of both forms.
    """
    if responses.empty:
        return result
    given = responses.loc[~responses["missing"].to_numpy(bool)]
    status = given["status"].to_numpy(object)
    lost = (status == "no_answer") | (given["format_error"].to_numpy(bool) & (status != "refused"))
    given = given.assign(unread=lost.astype(float))
    tables = [
        given.loc[given["item"].isin(list(form))]
        .groupby("examinee")["unread"]
        .agg(["mean", "size"])
        for form in (public, fresh)
    ]
    (share_public, n_p), (share_fresh, n_f) = (form.loc[result.examinee] for form in tables)
    if not share_public + share_fresh:
        return result
    others = (tables[0]["mean"] - tables[1]["mean"]).reindex(result.references.index)
    usual = float(others.median()) if len(others) else 0.0
    beyond = float(share_public - share_fresh) - usual
    # One unread and one read reply more on each form: few replies say little.
    raised = [(share * n + 1) / (n + 2) for share, n in ((share_public, n_p), (share_fresh, n_f))]
    error = np.sqrt(sum(p * (1 - p) / n for p, n in zip(raised, (n_p, n_f), strict=True)))
    differs = abs(beyond) >= _LEAST and abs(beyond) > _BEYOND_CHANCE * error
    shares = (
        f"{100 * share_public:.1f} % of its replies to public and {100 * share_fresh:.1f} % to "
        "fresh items"
    )
    diagnostic = Diagnostic(
        "unread_replies", "error" if differs else "note",
        f"No answer was found in {shares} of {result.examinee}; they count as wrong."
        + (f" Of the references the median difference is {100 * usual:+z.1f} points." if differs
           else ""),
        "Look at these replies, and ask the items again with a clearer request for an answer.",
    )  # fmt: skip
    return replace(
        result,
        diagnostics=by_severity([*result.diagnostics, diagnostic]),
        withheld=f"no answer was found in {shares}" if differs else result.withheld,
    )
