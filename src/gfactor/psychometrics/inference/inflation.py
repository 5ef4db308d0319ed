"""Tests of whether a score on public items is higher than ability on fresh items predicts.

A model that has seen the public items answers more of them than its ability explains. Reference
models show what ability explains: their accuracy on the fresh form predicts that on the public
form. So the two forms may differ in difficulty, as long as the difference is the same for the
examinee and the references.

The line is in `reference_line`, the tests are in `inflation_tests`.

References
----------
Dekoninck, J., Mueller, M. N., Vechev, M. (2024). ConStat: performance-based contamination detection
    in large language models. arXiv:2405.16281.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.inference.inflation_answers import (
    check_references_vary,
    check_twins,
    check_wrong_keys,
    checked_answers,
)
from gfactor.psychometrics.inference.inflation_fit import misfits
from gfactor.psychometrics.inference.inflation_forms import (
    ComparedForm,
    compared,
    unanswered,
)
from gfactor.psychometrics.inference.inflation_limits import (
    few_wrong_keys,
    limits_of_models,
    unexpected_items,
)
from gfactor.psychometrics.inference.inflation_tests import (
    ALPHA,
    MIN_REFERENCES,
    Evidence,
    all_tests,
    power_table,
    twin_difference,
    twin_pairs,
    uneven_twins,
)
from gfactor.psychometrics.inference.intervals import checked_level
from gfactor.psychometrics.inference.reference_line import (
    ReferenceLine,
    item_share,
    logits,
    occasion_share,
)
from gfactor.results import Result, number_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Inflation(Result):
    """The difference between a model's public score and the score predicted from its fresh score.

    Parameters
    ----------
    examinee : str
        The model that was examined.
    estimate, ci_lower, ci_upper : float
        Observed minus predicted accuracy on the public items, in percentage points, with its
        prediction interval. With fewer than five references, the predicted accuracy is that on the
        fresh twins; without twins it is NaN.
    public, fresh, predicted : float
        Observed accuracy on the public and the fresh items, and the predicted public accuracy.
    n_public, n_fresh : int
        Numbers of public and of fresh items that are compared: those that the examinee and a
        reference answered. The others are left out for all models.
    level : float
        Confidence level of the interval.
    tests : DataFrame
        A row per test: `test`, `statistic`, one-sided `p`, `offered`, `size` (largest probability
        of a false alarm at .05, if it is not .05), `assumption`.
    power : DataFrame
        A row per assumed share of public items that the model would get wrong but has learned:
        `leak` (this share), `points` (the inflation that it causes) and `power` of the t test at
        .05; NaN with fewer than five references.
    items : DataFrame
        Public items whose right answers are the least expected: `item`, `expected` (probability of
        a right answer, given the references' answers and the examinee's fresh accuracy); empty
        with fewer than five references.
    references : DataFrame
        A row per reference: `public`, `fresh`, `difference` (public logit minus its prediction,
        computed as for the examinee), `n_public`, `n_fresh`. If a reference did not answer all
        items, its shares are completed from its ability and the difficulty of these items.
    standardized : float
        Public logit of the examinee minus its prediction, divided by the standard error.
    pairs : tuple of int, optional
        Number of pairs of twins whose public item was answered better, and number of those whose
        fresh item was.
    diagnostics : tuple of Diagnostic
    withheld : str
        Reason why no verdict is given; empty if one is given.
    samples : tuple of Sample
        The listed items as they were shown, with replies, for the page; empty without a bank or a
        journal.
    """

    examinee: str
    estimate: float
    ci_lower: float
    ci_upper: float
    public: float
    fresh: float
    predicted: float
    n_public: int
    n_fresh: int
    level: float
    tests: pd.DataFrame
    power: pd.DataFrame
    items: pd.DataFrame
    references: pd.DataFrame
    standardized: float = math.nan
    pairs: tuple[int, int] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    withheld: str = ""
    samples: tuple[Any, ...] = ()

    @property
    def sentence(self) -> str:
        """The result in one sentence."""
        if self.pairs is not None and self._test == "twins":
            return self._of_twins(self.pairs)
        if not np.isfinite(self.estimate):
            return f"{self.examinee} cannot be judged: there are too few reference models."
        as_much = self._as_much()
        more = "none differs" if not as_much else f"{as_much} differ" + "s" * (as_much == 1)
        return (
            self._difference("the score that its ability on fresh ones predicts",
                             "its ability on fresh ones predicts", self._p("t"))
            + f"; of {len(self.references)} reference models {more} as much."
        )  # fmt: skip

    def _of_twins(self, pairs: tuple[int, int]) -> str:
        p = self._p("twins")
        return (
            self._difference("the score on their twins", "on their twins", p)
            + f": it does better on the public one in {pairs[0]} pairs and on the fresh one in "
            f"{pairs[1]} (p {p_value(p, '= ')}, exact)."
        )

    @property
    def higher(self) -> bool:
        """Return True if interval and test both show that the public score is higher than
        predicted.

        The interval is two-sided and uses the variation among the references; the p value also
        uses the rank of the examinee among them. A finding needs both.
        """
        return self.side == 1

    @property
    def side(self) -> int:
        """1 if interval and test both show a higher score, -1 if both show a lower one, else 0
        (also if the verdict is withheld)."""
        if self.withheld:
            return 0
        p = self._p(self._test)
        if self.ci_lower > 0 and p <= ALPHA:
            return 1
        return -1 if self.ci_upper < 0 and 1 - p <= ALPHA else 0

    @property
    def by_twins(self) -> bool:
        """Return True if the verdict rests on pairs of twins, because there are too few
        references."""
        return self.pairs is not None and len(self.references) < MIN_REFERENCES

    @property
    def _test(self) -> str:
        return "twins" if self.by_twins else "t"

    def _difference(self, other_score: str, predicts: str, p: float) -> str:
        """The estimate in words; with a direction only if interval and test both say so."""
        sign = self.side
        if not sign:
            return (
                f"{self.examinee}: {self._undecided(p)}. The difference between its score on the "
                f"public items and {other_score} is {_signed(self.estimate)} points "
                f"[{_signed(self.ci_lower)}, {_signed(self.ci_upper)}]"
            )
        side = "higher" if sign == 1 else "lower"
        low, high = sorted((sign * self.ci_lower, sign * self.ci_upper))
        return (
            f"{self.examinee} scores {abs(self.estimate):.1f} points [{low:z.1f}, {high:z.1f}] "
            f"{side} on the public items than {predicts}"
        )

    def _undecided(self, p: float) -> str:
        """Return the sentence for a result whose interval and test do not agree on inflation."""
        if self.withheld:
            return f"not decided, as {self.withheld}"
        above = self.ci_lower > 0
        if above == (p <= ALPHA):
            return "no inflation shown"
        holds = "lies above 0" if above else "holds 0"
        return (
            f"not decided, as the interval {holds} and the one-sided test has p {p_value(p, '= ')}"
        )

    def _p(self, test: str) -> float:
        return float(self.tests.loc[self.tests["test"] == test, "p"].to_numpy(float)[0])

    def _as_much(self) -> int:
        """Number of references that are at least as far from their prediction, in either
        direction."""
        others = self.references["standardized"].to_numpy(float)
        return int(np.count_nonzero(np.abs(others) >= abs(self.standardized)))

    @property
    def title(self) -> str:
        return self.sentence

    def _document(self) -> Mapping[str, Any]:
        return {"sentence": self.sentence, **super()._document()}

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("examinee", "estimate", "ci_lower", "ci_upper", "public", "fresh", "predicted")
        counts = ("n_public", "n_fresh", "level")
        return {name: getattr(self, name) for name in (*names, *counts)}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        computed = bool(self.power["power"].notna().any())
        return {
            "tests": self.tests, **({"power": self.power} if computed else {}),
            **({"items": self.items} if len(self.items) else {}), "references": self.references,
        }  # fmt: skip

    def _lines(self) -> list[str]:
        narrow = replace(self, tests=self.tests.drop(columns="assumption"))
        offered = self.tests.loc[self.tests["offered"].to_numpy(bool)]
        rows = offered.to_dict("records")
        return [
            *super(Inflation, narrow)._lines(), "", "assumptions",
            *(f"{row['test']}: {row['assumption']}" for row in rows),
        ]  # fmt: skip


def _signed(points: float) -> str:
    """Return points with a sign; 0 has none."""
    text = f"{points:+z.1f}"
    return text if float(text) else "0.0"


def inflation_of(
    answers: pd.DataFrame,
    *,
    examinee: str,
    public: Sequence[str],
    fresh: Sequence[str],
    references: Sequence[str] | None = None,
    twins: Mapping[str, str] | None = None,
    wrong_keys: Sequence[str] = (),
    level: float = 0.95,
) -> Inflation:
    """Compare a model's score on public items with the score that fresh items predict.

    `gfactor.inflation` describes the parameters and has an example; here `answers` is a table
    (models x items), and `public` and `fresh` are names of its columns.
    """
    checked_level(level)
    table, listed = checked_answers(answers, examinee, public, fresh, references)
    check_wrong_keys(wrong_keys, public)
    check_twins(twins or {}, public, fresh)
    given = _Given(table, listed, tuple(public), tuple(fresh), twins or {}, wrong_keys, level)
    left_out, forms = _examined(given)
    first, second = (form.unanswered if form.hard_left_out else () for form in forms)
    if left_out.by_twins and uneven_twins(table.iloc[0], given.twins):
        first = forms[0].unanswered
    return _with_ends(left_out, given, first, second, forms[0].expected_right(first))


@dataclass(frozen=True)
class _Given:
    """Checked answers, the examinee's first, and how they are compared."""

    table: pd.DataFrame
    references: Sequence[str]
    public: Sequence[str]
    fresh: Sequence[str]
    twins: Mapping[str, str]
    wrong_keys: Sequence[str]
    level: float

    def counted_wrong(self, items: Sequence[str]) -> _Given:
        """Return the data with wrong answers of the examinee to these items."""
        table = self.table.copy()
        table.loc[table.index[0], list(items)] = 0.0
        return replace(self, table=table)


def _with_ends(
    left_out: Inflation, given: _Given, public: Sequence[str], fresh: Sequence[str], lost: float
) -> Inflation:
    """Return the result with an interval and tests that are valid even if the examinee would have
    failed these items. If time-outs occur on such items, the examinee is above its prediction on
    the others, and the data cannot show this. The public items are therefore once left out and once
    counted as wrong; the lower end of the interval and each p are the less favorable of the two
    results. The upper end is found in the same way with the fresh items.
    """
    result = left_out
    if public:
        end, _ = _examined(given.counted_wrong(public), lost)
        before, after = (one.tests["p"].fillna(-1.0).to_numpy(float) for one in (left_out, end))
        result = replace(
            left_out, ci_lower=min(left_out.ci_lower, end.ci_lower), pairs=end.pairs,
            tests=end.tests.where(pd.Series(after >= before), left_out.tests), power=end.power,
        )  # fmt: skip
    if fresh:
        end, _ = _examined(given.counted_wrong(fresh))
        result = replace(result, ci_upper=max(left_out.ci_upper, end.ci_upper))
    if left_out.side in (0, result.side):
        return result
    form, items = ("public", public) if left_out.side == 1 else ("fresh", fresh)
    return replace(
        result,
        withheld=f"this does not hold if its {number_of(len(items), f'unanswered {form} item')} "
        "would have been wrong",
    )


def _examined(
    given: _Given, lost: float = 0.0
) -> tuple[Inflation, tuple[ComparedForm, ComparedForm]]:
    """Return the result of the answers as they are, and the forms that it compares.

    `lost` is the share of right public answers that counting unanswered items as wrong costs.
    """
    table, listed, level, twins = given.table, given.references, given.level, given.twins
    examinee = str(table.index[0])
    first, second, usable = compared(table, given.public, given.fresh)
    names = [name for name, stays in zip(listed, usable[1:], strict=True) if stays]
    dropped = [name for name, stays in zip(listed, usable[1:], strict=True) if not stays]
    line = _line(first, second) if len(names) >= 2 else None
    enough = line is not None and len(names) >= MIN_REFERENCES
    share_p, share_f = first.right / first.n, second.right / second.n
    if enough:
        check_references_vary(names, share_p[1:], share_f[1:])
    pairs, predicted_by_twins = twin_pairs(table.iloc[0], twins), (np.nan,) * 3
    if pairs is not None and not enough:
        difference, low, high = twin_difference(table.iloc[0], twins, level)
        predicted_by_twins = tuple(share_p[0] - np.array([difference, high, low]))
    prediction, expected = predicted_by_twins, predicted_by_twins[0]
    if line is not None and enough:
        prediction, expected = line.prediction(level, float(first.n[0])), line.expected
    reference_table = pd.DataFrame(
        {
            "public": share_p[1:], "fresh": share_f[1:],
            "difference": line.differences[1:] if line else np.nan,
            "standardized": line.standardized[1:] if line else np.nan,
            "n_public": first.n[1:], "n_fresh": second.n[1:],
        },
        index=pd.Index(names, name="reference"),
    )  # fmt: skip
    rows = table.loc[usable]
    result = Inflation(
        examinee=examinee,
        estimate=100 * (share_p[0] - prediction[0]),
        ci_lower=100 * (share_p[0] - prediction[2]),
        ci_upper=100 * (share_p[0] - prediction[1]),
        public=float(share_p[0]),
        fresh=float(share_f[0]),
        predicted=float(prediction[0]),
        n_public=int(first.n[0]),
        n_fresh=int(second.n[0]),
        level=level,
        tests=all_tests(line, _evidence(rows, first, second, pairs, given.wrong_keys)),
        power=power_table(line if enough else None, expected, lost),
        # With so few references, nothing can be concluded about single items.
        items=unexpected_items(rows[list(first.items)], float(expected) if enough else math.nan),
        references=reference_table,
        standardized=float(line.standardized[0]) if line is not None and enough else math.nan,
        pairs=pairs,
        diagnostics=by_severity([
            *limits_of_models(examinee, names, dropped, share_p, share_f, twins=pairs is not None,
                          higher=bool(share_p[0] > prediction[2])),
            *unanswered(examinee, first, second),
            *few_wrong_keys(len(set(given.wrong_keys) & set(first.items))),
        ]),
    )  # fmt: skip
    return result, (first, second)


def _line(public: ComparedForm, fresh: ComparedForm) -> ReferenceLine:
    """Return the references' line of two forms."""
    shares = [
        item_share(form.answers[1:], form.filled[1:]) * occasion_share(form.answers, form.filled)
        for form in (public, fresh)
    ]
    (y, var_y), (x, var_x) = (logits(form.right, form.n.astype(float)) for form in (public, fresh))
    return ReferenceLine.of(
        y, shares[0] * var_y, x, shares[1] * var_x, per_answer=float(shares[0][0] / public.n[0])
    )


def _evidence(
    table: pd.DataFrame,
    public: ComparedForm,
    fresh: ComparedForm,
    pairs: tuple[int, int] | None,
    wrong_keys: Sequence[str],
) -> Evidence:
    """Return the data of the tests of single items; rows of the table are the usable models."""
    if len(table) <= MIN_REFERENCES:
        return Evidence(pairs)
    keys = None
    if wrong_keys:
        stays = set(public.items)
        agreed = table[[name for name in dict.fromkeys(wrong_keys) if name in stays]].to_numpy()
        keys = np.nansum(agreed, axis=1), (~np.isnan(agreed)).sum(axis=1).astype(float)
    return Evidence(pairs, (misfits(public.answers), misfits(fresh.answers)), keys)
