"""The answers on which an examinee and its references are compared, and unanswered items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.inference.form_completion import completed
from gfactor.results import number_of

Floats = NDArray[np.float64]

MIN_ITEMS = 20
"""Smallest number of answers that a model needs on each form."""
_MUCH = 0.1
"""Share of unanswered items from which on they are a warning, whatever their difficulty."""
_LITTLE = 0.01
"""Share of unanswered items of references without a warning, because they are completed."""
_HARDER = 1.645
"""Standardized difference in difficulty from which on an examinee's unanswered items count as
harder than the others: chance exceeds it in 1 of 20. Smaller differences would change the score
little."""
_BEYOND_CHANCE = 2.58
"""The same for references, in either direction: chance exceeds it in 1 of 100."""


@dataclass(frozen=True)
class ComparedForm:
    """The answers to one form's items that the examinee and at least one reference answered.

    Parameters
    ----------
    items : tuple of str
    answers : array (models, items)
        Answers, the examinee's first; NaN is not answered, which only references have.
    filled : array (models, items)
        The same, with the answers of the references completed (`form_completion.completed`).
    unanswered : tuple of str
        Items that the examinee did not answer.
    left_out : array (all items of the form,) of bool
        True for items that are not compared.
    easiness : array (all items of the form,)
        Share of the references that have each item right, completed; NaN if none answered it.
    """

    items: tuple[str, ...]
    answers: Floats
    filled: Floats
    unanswered: tuple[str, ...]
    left_out: NDArray[np.bool_]
    easiness: Floats

    @classmethod
    def of(
        cls, table: pd.DataFrame, items: Sequence[str], usable: NDArray[np.bool_]
    ) -> ComparedForm:
        """Return a form with these items and usable rows; the first row is the examinee's."""
        form = table[list(items)].to_numpy()[usable]
        references = form[1:]
        some = (~np.isnan(references)).any(axis=0) if len(references) else np.isfinite(form[0])
        lacking = np.isnan(form[0])
        stays = ~lacking & some
        easiness = np.full(len(items), np.nan)
        easiness[some] = completed(references[:, some]).mean(axis=0) if len(references) else np.nan
        if not stays.all():
            form = form[:, stays]
        filled = form
        if np.isnan(form).any():
            filled = np.vstack([form[:1], completed(form[1:])])
        names = tuple(str(name) for name, one in zip(items, stays, strict=True) if one)
        unanswered = tuple(str(name) for name, one in zip(items, lacking, strict=True) if one)
        return cls(names, form, filled, unanswered, ~stays, easiness)

    @property
    def hard_left_out(self) -> bool:
        """Return True if the items left out are harder than a random choice of items would be."""
        return _standardized(self.left_out.astype(np.float64), self.easiness) < -_HARDER

    def expected_right(self, items: Sequence[str]) -> float:
        """Return the expected number of right answers of references to these items, over all items
        of the form."""
        chosen = self.left_out & np.isfinite(self.easiness)
        return float(self.easiness[chosen].sum()) / len(self.left_out) if items else 0.0

    @property
    def n(self) -> NDArray[np.int64]:
        """Number of answers of each model."""
        return (~np.isnan(self.answers)).sum(axis=1)

    @property
    def right(self) -> Floats:
        """Number of right answers of each model, completed if the model left out items."""
        n = self.n
        share = self.filled.sum(axis=1) / max(len(self.items), 1)
        return np.where(n == len(self.items), np.nansum(self.answers, axis=1), share * n)


def compared(
    table: pd.DataFrame, public: Sequence[str], fresh: Sequence[str]
) -> tuple[ComparedForm, ComparedForm, NDArray[np.bool_]]:
    """Return both forms, and the rows of the table in them.

    Items that the examinee (the first row) did not answer are left out for everybody: otherwise an
    examinee that left out hard public items would be above a prediction for all of them. References
    with too few answers to the other items are left out.

    Raises
    ------
    ParameterError
        If the examinee has too few answers.
    """
    given = ~table.iloc[0].isna().to_numpy()
    columns = [table.columns.get_indexer(list(items)) for items in (public, fresh)]
    answered = [(~table.iloc[:, at[given[at]]].isna()).sum(axis=1).to_numpy() for at in columns]
    usable = np.minimum(*answered) >= MIN_ITEMS
    usable[0] = True
    forms = tuple(ComparedForm.of(table, items, usable) for items in (public, fresh))
    counts = [len(form.items) for form in forms]
    if min(counts) < MIN_ITEMS:
        raise ParameterError(
            f"{str(table.index[0])!r} has {counts[0]} answers to public and {counts[1]} to fresh "
            f"items; {MIN_ITEMS} of each are needed: have it answer more items of both forms"
        )
    return forms[0], forms[1], usable


def unanswered(examinee: str, public: ComparedForm, fresh: ComparedForm) -> list[Diagnostic]:
    """Return diagnostics of items that the examinee or references did not answer."""
    diagnostics = []
    for what, form in (("public", public), ("fresh", fresh)):
        if form.left_out.any():
            diagnostics.append(_of_examinee(examinee, what, form))
        if np.isnan(form.answers).any():
            diagnostics.append(_of_references(what, form))
    return diagnostics


def _of_examinee(examinee: str, what: str, form: ComparedForm) -> Diagnostic:
    out, judged = form.left_out, np.isfinite(form.easiness)
    words = ""
    if (out & judged).any():
        shares = [100 * float(form.easiness[one & judged].mean()) for one in (out, ~out)]
        words = (
            f" The references have {shares[0]:.1f} % of these and {shares[1]:.1f} % of the "
            "others right."
        )
    if form.hard_left_out:
        end = "lower end of the interval and p" if what == "public" else "upper end of the interval"
        words += (
            " They are harder than by chance, and if it would have failed them, its score on the "
            f"others is too high: the {end} also hold if they count as wrong."
        )
    return Diagnostic(
        "unanswered", "warning" if form.hard_left_out or out.mean() > _MUCH else "note",
        f"{out.sum()} of {len(out)} {what} items have no answer of {examinee} or of any reference "
        f"and are left out for all models.{words}", "Ask these items again.",
    )  # fmt: skip


def _of_references(what: str, form: ComparedForm) -> Diagnostic:
    missing = np.isnan(form.answers)
    chosen = _is_beyond_chance(missing.sum(axis=0).astype(np.float64), form.filled[1:].mean(axis=0))
    share = missing[1:].mean()
    words = f" Mostly {'easy' if chosen > 0 else 'hard'} items are missing." if chosen else ""
    count = number_of(int(missing.any(axis=1).sum()), "reference")
    return Diagnostic(
        f"references_unanswered_{what}",
        "warning" if (chosen and share > _LITTLE) or share > _MUCH else "note",
        f"{count} left out {100 * share:.1f} % of all answers to the {what} items; their accuracy "
        f"is completed from the items that they answered.{words}",
        "Ask these items again, or take references that answered all.",
    )  # fmt: skip


def _is_beyond_chance(missing: Floats, easiness: Floats) -> int:
    """Return 1 or -1 if easier or harder items are missing more often than by chance, else 0."""
    z = _standardized(missing, easiness)
    return int(np.sign(z)) if abs(z) > _BEYOND_CHANCE else 0


def _standardized(missing: Floats, easiness: Floats) -> float:
    """Return the difference in easiness between missing and other items, in standard errors of
    chance."""
    finite = np.isfinite(easiness)
    x, y = missing[finite], easiness[finite]
    if len(x) < 2 or x.min() == x.max() or y.min() == y.max():
        return 0.0
    return float(np.corrcoef(x, y)[0, 1]) * np.sqrt(len(x) - 1)
