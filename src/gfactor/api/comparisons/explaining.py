"""Why two reported scores of one model on one benchmark differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from gfactor.administration import Condition
from gfactor.administration.presenting.condition_text import read_key
from gfactor.api.comparisons.matching import (
    AGAIN,
    MODEL,
    MatchedPair,
    decoding_of,
    images_of,
    matched_items,
    prompt_of,
)
from gfactor.api.comparisons.measurements import Measurement, PointsRule, measured
from gfactor.api.inputs.taking import JournalLike
from gfactor.api.scores.compared_runs import ComparedQuestion
from gfactor.errors import ParameterError
from gfactor.psychometrics import Sampling
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM
from gfactor.psychometrics.inference.explaining import (
    NOT_KNOWN,
    DifferenceExplanation,
    Share,
    State,
    asked_again,
    share_row,
    shares_of_gap,
)
from gfactor.psychometrics.inference.paired import ROUNDING
from gfactor.scoring.averaging import DOMAIN
from gfactor.scoring.judging import left_open
from gfactor.scoring.sampling import sampling_of

CAUSES = ("items", "prompt", "images", "decoding", "extraction", "judge", "scoring rule",
          "answer key")  # fmt: skip
"""In the order of the table; the model version, where servers named different models, `sampling
error` and `unexplained` follow."""

_IN_THE_REST = "not known; its share is in what is left"
_TAKEN = "not known; taken to be the same"
_PUT = ("prompt", "images", "decoding", MODEL)
"""Settings under which replies come about; the others make points of replies."""


_NOTHING = {"estimate": 0.0, "se": np.nan, "ci_lower": np.nan, "ci_upper": np.nan}


def explain_difference(
    first: JournalLike,
    second: JournalLike,
    *,
    first_settings: Mapping[str, str | float] | None = None,
    second_settings: Mapping[str, str | float] | None = None,
    benchmark: str | None = None,
    match: str = "auto",
    claim: str | None = None,
    domain_label: str = DOMAIN,
    cluster: str | None = None,
    level: float = 0.95,
) -> DifferenceExplanation:
    """Explain the difference between two scores of a model on a benchmark: the share of each cause.

    The possible causes are items, prompt, image alteration, decoding, extraction, judge, scoring
    rule, answer key, the model version that servers named, and sampling error; a part may stay
    unexplained. If a journal can be scored with the other's settings, or holds a run under them,
    the share of a cause is its mean effect over all orders in which the settings can be exchanged
    (Shapley value). Otherwise causes are separated by the items that they concern, or get one
    share together.

    Parameters
    ----------
    first : Journal or path
        Journal (of `run` or an import) with the first measurement; or a log file of Inspect
        (.eval), or of lm-evaluation-harness or lmms-eval (samples, .jsonl).
    second : Journal or path
        Journal or log file with the second measurement. It may be the same journal again, to
        compare two of its conditions or readings.
    first_settings : mapping, optional
        Settings of the first measurement: `examinee`, `condition` and `benchmark` (each needed if
        a journal holds several), `reading` ("strict", "lenient", "vlmevalkit", or "harness" for
        the verdicts in a log), `judge`, `policy`, `points` ("on" for partial credit), `bank` (path
        of the bank or log with the images, if it was moved) and `reported` (the published score,
        from 0 to 1).
    second_settings : mapping, optional
        The same settings of the second measurement.
    benchmark : str, optional
        The benchmark of both measurements; needed if a journal holds several.
    match : {"auto", "hash", "id", "text", "number"}
        Property by which the items of both measurements are matched: "hash" (content), "id",
        "text" (of the question) or "number" (the part of an id after its last slash). "auto" tries
        the content, then the id, then the text.
    claim : {"same-domains", "other-domains"}, optional
        Population that the intervals generalize to: other items of the same domains (the default),
        or other domains.
    domain_label : str
        Label of the items whose values are their domains (default "domain").
    cluster : str, optional
        Older way to state the claim, as in `compare`.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DifferenceExplanation
        `shares` (a row per cause, with its interval), `scores` (of both measurements), `images`
        (comparison of the images) and `diagnostics`.

    Raises
    ------
    ParameterError
        If a measurement holds several examinees or conditions and the settings choose none, or no
        item matches.

    References
    ----------
    Shapley, L. S. (1953). A value for n-person games. Contributions to the Theory of Games II,
    307-317.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> a = gf.run(bank, ["observer:ideal"], journal="a.db")
    >>> b = gf.run(bank, ["observer:ideal"], journal="b.db", condition="images=removed")
    >>> explanation = gf.explain_difference(a, b)
    >>> float(explanation.shares["estimate"].sum().round(6)) == round(explanation.gap, 6)
    True
    >>> explanation.shares["estimate"].abs().idxmax()
    'images'
    """
    both = {} if benchmark is None else {"benchmark": benchmark}
    with (
        measured("first", first, {**both, **(first_settings or {})}) as one,
        measured("second", second, {**both, **(second_settings or {})}) as other,
    ):
        pairs = matched_items(one.items, other.items, match)
        question = ComparedQuestion.of(claim, domain_label, cluster)
        if question.claim == "these-items":
            raise ParameterError(
                "the causes of a difference are estimated over items, which excludes the claim "
                "these-items; choose same-domains or other-domains"
            )
        return _Explaining(one, other, pairs, [], question, level).explained()


@dataclass
class _Explaining(MatchedPair):
    """A pair of measurements whose gap is shared out."""

    question: ComparedQuestion
    level: float

    def explained(self) -> DifferenceExplanation:
        matching = len(self.pairs)
        if matching < 2:
            raise ParameterError(
                f"{matching} items of both measurements match, and a difference needs at least "
                "two; give match='number' if both measurements number the items in the same way"
            )
        self._leave_out_unanswered()
        if len(self.pairs) < 2:
            raise ParameterError(
                f"{len(self.pairs)} of the {matching} items that match have an answer in both "
                "measurements, and a difference needs two; ask for the missing answers again with "
                "gfactor run"
            )
        if self.first.examinee != self.second.examinee:
            names = f"{self.first.examinee!r} and {self.second.examinee!r}"
            self.note("other_names", "note", f"The examinees are called {names}.",
                       "Make sure that they are the same model.")  # fmt: skip
        self.harness = "harness" in (self.first.rule.reading, self.second.rule.reading)
        concerned, images = self.concerned()
        states = self._states(list(concerned))
        factors = [f for f in (*concerned, *self._scoring()) if f]
        shares = shares_of_gap(states, factors, {k: v for k, v in concerned.items() if len(v)})
        return self._result(shares, states, images)

    def _leave_out_unanswered(self) -> None:
        """Keep the pairs with an answer in both measurements; the others count as items of one."""
        answered = np.ones(len(self.pairs), bool)
        for side in (self.first, self.second):
            earned = side.points(side.rule)["earned"].reindex(self.pairs[side.name])
            answered &= earned.notna().to_numpy()
        if answered.all():
            return
        left = int((~answered).sum())
        self.note("missing_answers", "note",
                   f"{left:,} of {answered.size:,} items that match have no answer in one of the "
                   "measurements; they count as items that only the other has.",
                   "Ask for the missing answers again with gfactor run.")  # fmt: skip
        self.pairs = self.pairs.loc[answered].reset_index(drop=True)

    def _scoring(self) -> list[str]:
        """The settings that differ in how points are made of replies."""
        one, other = self.first.rule, self.second.rule
        differing = ["extraction"] * (one.reading != other.reading)
        if self.harness:
            return differing
        differing += ["judge"] * (one.judge != other.judge)
        differing += ["scoring rule"] * (one.rule_text != other.rule_text)
        return differing + ["answer key"] * bool(self.keys)

    def _states(self, put: list[str]) -> dict[State, pd.DataFrame]:
        """The scores of the matched items under all settings for which they are known."""
        scoring = self._scoring()
        states: dict[State, pd.DataFrame] = {}
        for side, other in ((self.first, self.second), (self.second, self.first)):
            for key in sorted(side.conditions(), key=lambda k: k != side.key):
                replies = self._state_of(side, key, put)
                if replies is None or (side.rule.reading == "harness" and key != side.key):
                    continue
                for chosen in product((False, True), repeat=len(scoring)):
                    swapped = {f for f, yes in zip(scoring, chosen, strict=True) if yes}
                    state = replies | frozenset(swapped)
                    if state in states:
                        continue
                    table = self._scored(side, other, key, swapped)
                    if table is not None:
                        states[state] = table
        return states

    def _state_of(self, side: Measurement, key: str, put: list[str]) -> State | None:
        """Return the settings of asking that a run of a journal shares with the second measurement.
        Return None if one setting is that of neither measurement.
        """
        if key == side.key:
            return frozenset(put) if side is self.second else frozenset()
        condition = read_key(key)
        # Other conditions of a journal were answered by the model of that journal.
        state = {MODEL} if MODEL in put and side is self.second else set()
        for name, part in (("prompt", prompt_of), ("decoding", decoding_of), ("images", images_of)):
            here = part(condition)
            ends = part(self.first.condition), part(self.second.condition)
            if name == "images" and name in put and ends[0] == ends[1]:
                # The pictures themselves differ: they are those of this journal.
                if here != ends[0]:
                    return None
                state |= {name} if side is self.second else set()
            elif here == ends[1] and name in put and here != ends[0]:
                state.add(name)
            elif here != ends[0]:
                return None
        return frozenset(state)

    def _scored(
        self, side: Measurement, other: Measurement, key: str, second: set[str]
    ) -> pd.DataFrame | None:
        """The points of a run's replies with these settings of scoring as in the second; None if
        they cannot be scored so."""
        one, two = self.first.rule, self.second.rule
        rule = PointsRule(
            two.reading if "extraction" in second else one.reading,
            two.judge if "judge" in second else one.judge,
            *(((two if "scoring rule" in second else one).policy),
              (two if "scoring rule" in second else one).points),
        )  # fmt: skip
        if self.harness:
            rule = two if "extraction" in second else one
            if rule.reading == "harness" and side.rule.reading != "harness":
                return None
        swapped = ("answer key" in second) != (side is self.second)
        keys = self.keys.get(side.name) if swapped else None
        if rule.judge and not self._judged(side, rule.judge):
            self.note("not_judged", "warning",
                       f"The {side.name} journal holds no verdicts of judge {rule.judge!r}.",
                       "Run gfactor score with --judge on it first.")  # fmt: skip
            return None
        column = "first" if side is self.first else "second"
        points = side.points(rule, key, keys)
        table = points.reindex(self.pairs[column])
        table["possible"] = table["possible"].fillna(table["possible"].mean())
        if not np.isfinite(table["earned"].to_numpy(float)).any():
            return None
        return table.reset_index(drop=True)

    def _judged(self, side: Measurement, judge: str) -> bool:
        responses: Any = side.journal.responses()
        has_replies = ((responses["examinee"] == judge) & (responses["condition"] == "judge")).any()
        if has_replies:
            return True
        rows = side.rows(replace(side.rule, judge=""), side.key, None)
        return left_open(rows).empty

    def _result(
        self, shares: dict[str, Share], states: dict[State, pd.DataFrame], images: pd.DataFrame
    ) -> DifferenceExplanation:
        whole = [m.points(m.rule) for m in (self.first, self.second)]
        totals = [_score(table) for table in whole]
        ends = [_score(states[frozenset()]), _score(states[max(states, key=len)])]
        sampling_here = self._sampling(self.first.items.loc[self.pairs["first"]])
        rows: dict[str, dict[str, Any]] = {}
        rows["items"] = self._items_row(whole, totals, ends)
        rest = shares.pop("rest")
        again = shares.pop(AGAIN, None)
        for name, share in shares.items():
            rows[name] = share_row(share, sampling_here, self.level)
        left = rest.estimate + (again.estimate if again else 0.0)
        parts = rest.contributions + (again.contributions if again else 0.0)
        sampling, beyond = asked_again(left, parts, self.level)
        sampling["method"], beyond["method"] = (
            "within the range that asking again gives",
            "beyond that range; interval: gap less range",
        )
        if again is None and abs(left) <= ROUNDING and not np.nan_to_num(parts).any():
            sampling = self._repeats(states)
            beyond = _NOTHING | {"method": "nothing is left"}
        reported = [m.reported for m in (self.first, self.second)]
        published = [
            total if stated is None else stated
            for stated, total in zip(reported, totals, strict=True)
        ]
        gap = published[0] - published[1]
        if any(stated is not None for stated in reported):
            rows["not reproduced"] = {"estimate": gap - (totals[0] - totals[1]),
                                      "method": "reported less scored here"}  # fmt: skip
        table = self._table(rows, sampling, beyond)
        scores = pd.DataFrame(
            {"score": published, "scored": totals, "matched": ends,
             "items": [len(t) for t in whole]},
            index=pd.Index(["first", "second"], name="measurement"),
        )  # fmt: skip
        self._joint(table)
        return DifferenceExplanation(
            f"{self.first.examinee} ({self.first.key})",
            f"{self.second.examinee} ({self.second.key})",
            scores, table, gap, self.level, len(self.pairs), images, by_severity(self.notes),
            self.question.claim or DEFAULT_CLAIM,
            sampling_here.words if self.question.claim else "takes every item by itself",
        )  # fmt: skip

    def _items_row(self, whole: Any, totals: Any, ends: Any) -> dict[str, Any]:
        """The part that items make which only one of the two has."""
        both = self.pairs.index
        of_pairs, parts, tables = np.zeros(len(both)), [], []
        for sign, side, table, total, end in zip(
            (1, -1), (self.first, self.second), whole, totals, ends, strict=True
        ):
            at = table.index.get_indexer(self.pairs[side.name])
            earned, possible = table["earned"].to_numpy(), table["possible"].to_numpy()
            there = ~np.isnan(earned)
            part = np.where(there, earned - total * possible, 0) / possible[there].sum()
            of_pairs += sign * (part[at] - (earned[at] - end * possible[at]) / possible[at].sum())
            alone = there.copy()
            alone[at] = False
            parts.append(sign * part[alone])
            tables.append(side.items.loc[table.index[alone]])
        estimate = (totals[0] - ends[0]) - (totals[1] - ends[1])
        if not any(len(part) for part in parts):
            return self._normal(0.0, 0.0) | {"method": "the same in both"}
        items = pd.concat([self.first.items.loc[self.pairs["first"]], *tables])
        influence = np.concatenate([of_pairs, *parts])
        share = Share(
            estimate, influence, "scored on common items", np.full(influence.size, np.nan)
        )
        return share_row(share, self._sampling(items), self.level)

    def _normal(self, estimate: float, se: float) -> dict[str, Any]:
        half = float(special.ndtri(0.5 + self.level / 2)) * se
        return {"estimate": estimate, "se": se, "ci_lower": estimate - half,
                "ci_upper": estimate + half}  # fmt: skip

    def _repeats(self, states: dict[State, pd.DataFrame]) -> dict[str, Any]:
        """Sampling error from repeated answers, if nothing but it is left."""
        ends = [states[frozenset()], states[max(states, key=len)]]
        within: list[Any] = [table["within"] for table in ends]
        if not any(one.count() for one in within):
            return _NOTHING | {"method": "in the other intervals; several occasions tell its size"}
        variance = [
            (one.fillna(one.mean()) if one.count() else within[1 - k].fillna(0.0))
            / table["answers"].clip(lower=1)
            for k, (one, table) in enumerate(zip(within, ends, strict=True))
        ]
        se = float(np.sqrt(sum(v.sum() for v in variance))) / len(self.pairs)
        return self._normal(0.0, se) | {"method": "repeated answers; in the other intervals"}

    def _table(self, rows: Any, sampling: Any, beyond: Any) -> pd.DataFrame:
        settings = self._settings()
        ordered = [*CAUSES, *(name for name in rows if name not in CAUSES)]
        joint = {part for name in rows if " + " in name for part in name.split(" + ")}
        listed = []
        for name in ordered:
            row = rows.get(name)
            if row is None:
                how = "in a joint share" if name in joint else "the same in both"
                if self.harness and name in ("judge", "scoring rule", "answer key"):
                    how = "in extraction: the harness' own verdicts"
                zero = {"estimate": 0.0, "se": 0.0, "ci_lower": 0.0, "ci_upper": 0.0}
                row = {**(dict.fromkeys(zero, np.nan) | {"estimate": 0.0}
                          if name in joint else zero), "method": how}  # fmt: skip
                if name not in joint and self.unstated(name):
                    how = _IN_THE_REST if name == "decoding" else _TAKEN
                    row = {**dict.fromkeys(zero, np.nan), "method": how}
            one, other = settings.get(name, ("", ""))
            listed.append({"cause": name, **row, "first": one, "second": other})
        listed.append({"cause": "sampling error", **sampling, "first": "", "second": ""})
        listed.append({"cause": "unexplained", **beyond, "first": "", "second": ""})
        columns = ["estimate", "se", "ci_lower", "ci_upper", "method", "first", "second"]
        return pd.DataFrame(listed).set_index("cause").reindex(columns=columns)

    def _settings(self) -> dict[str, tuple[str, str]]:
        one, other = self.first, self.second
        conditions = {"prompt": prompt_of, "images": images_of, "decoding": decoding_of}.items()
        return {
            "items": (str(len(one.items)), str(len(other.items))),
            **{
                name: (_text(one, name, part), _text(other, name, part))
                for name, part in conditions
            },
            "extraction": (one.rule.reading, other.rule.reading),
            "judge": (one.rule.judge or "none", other.rule.judge or "none"),
            "scoring rule": (one.rule.rule_text, other.rule.rule_text),
            "answer key": ("own", "own") if self.keys else ("", ""),
            MODEL: (", ".join(one.answered_by), ", ".join(other.answered_by)),
        }

    def _sampling(self, items: Any) -> Sampling:
        """Return the sampling of items under the claim."""
        items = items.rename(columns={"content_hash": "item_hash"}).reset_index(drop=True)
        question = self.question
        if question.claim is None:
            return Sampling.of(DEFAULT_CLAIM, len(items))
        named = items if question.domains else items.drop(columns=DOMAIN, errors="ignore")
        sampling = sampling_of(named, question.claim, question.domains or DOMAIN)
        if question.claim == "other-domains" and sampling.domains < 2:
            raise ParameterError(
                f"the claim other-domains needs items of two {question.domains}s or more; the "
                f"matched items have {sampling.domains}"
            )
        return sampling

    def _joint(self, table: pd.DataFrame) -> None:
        for name in table.index:
            if " + " in str(name):
                parts = str(name).split(" + ")
                put = [part for part in parts if part in _PUT]
                remedy = "Leave it joint."
                if len(put) > 1:
                    remedy = (
                        f"To separate them, run the examinee once more with the {put[0]} of the "
                        "second and all else as in the first, into the first journal."
                    )
                self.note(f"joint {name}", "warning",
                           f"The data do not separate {' and '.join(parts)}.", remedy)  # fmt: skip


def _score(table: pd.DataFrame) -> float:
    there = table["earned"].notna()
    return float(table.loc[there, "earned"].sum() / table.loc[there, "possible"].sum())


def _text(one: Measurement, name: str, part: Callable[[Condition], str]) -> str:
    """Return a setting of asking in words; a default that nobody stated is not known."""
    text = part(one.condition)
    return NOT_KNOWN if name in one.unstated and text == part(Condition()) else text
