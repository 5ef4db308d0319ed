"""Rules that say when a run has asked enough, and what they find decided."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gfactor.administration import Journal
from gfactor.api.comparisons.deciding import in_order, of_units, pair_named, run_named
from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.inference.deciding import rank_sequentially
from gfactor.psychometrics.inference.sequential import interval_so_far
from gfactor.scoring import scored, units

_AT = r"(?: at (?P<alpha>[0-9.]+))?"
_RULES = {
    "difference": re.compile(rf"(?P<pair>.+ - .+?) decided{_AT}"),
    "ranking": re.compile(rf"ranking decided{_AT}"),
    "cut": re.compile(rf"(?P<who>.+?) above (?P<value>[0-9.]+){_AT}"),
    "width": re.compile(rf"(?:(?P<who>.+?) )?width below (?P<value>[0-9.]+){_AT}"),
}
GRAMMAR = (
    "'A - B decided at 0.05', 'ranking decided at 0.05', 'A above 0.7 at 0.05', "
    "'A width below 0.1 at 0.05' or 'width below 0.1 at 0.05'"
)


@dataclass(frozen=True)
class RunStopRule:
    """Rule that ends a run.

    Parameters
    ----------
    text: rule as the user wrote it.
    kind: "difference", "ranking", "cut" or "width".
    who: the examinees that it is about, by their canonical names.
    value: the cut, or the width.
    alpha: probability that the decision is ever wrong.
    """

    text: str
    kind: str
    who: tuple[str, ...]
    value: float
    alpha: float

    @classmethod
    def parse(cls, text: str, names: Sequence[str]) -> RunStopRule:
        """Read a rule such as "A - B decided at 0.05", about the examinees of a run.

        Raises ParameterError if the text is not a rule, or names an unknown examinee.
        """
        words = " ".join(text.split())
        for kind in ("ranking", "difference", "width", "cut"):
            if ranking := _RULES[kind].fullmatch(words):
                break
        else:
            raise ParameterError(f"there is no stop rule {text!r}; write {GRAMMAR}")
        parts = ranking.groupdict()
        alpha = _number(parts.get("alpha") or "0.05", text)
        value = _number(parts["value"], text) if parts.get("value") else 0.0
        if not 0 < alpha < 1:
            raise ParameterError(
                f"{text!r}: at must be a probability between 0 and 1, not {alpha:g}"
            )
        if parts.get("value") and not 0 < value < 1:
            raise ParameterError(f"{text!r}: a score must lie between 0 and 1, not {value:g}")
        if kind == "difference":
            who = pair_named(parts["pair"], names)
        elif parts.get("who"):
            who = (run_named(parts["who"], names),)
        else:
            who = tuple(names)
        if kind == "ranking" and len(who) < 2:
            raise ParameterError(f"{text!r} needs two examinees or more, got {', '.join(who)}")
        return cls(words, kind, who, value, alpha)

    def decision(self, scores: pd.DataFrame, settled: pd.DataFrame, *, graded: bool = False) -> str:
        """Return the decision in words; "" if nothing is decided yet.

        `scores` and `settled` are items in their order x examinees, as `in_order` gives them;
        `graded` is True if scores may lie between 0 and 1, now or later.
        """
        level = 1 - self.alpha
        who = list(self.who)
        if self.kind in ("difference", "ranking"):
            ranking = rank_sequentially(
                pick(scores, who), settled=pick(settled, who), level=level, graded=graded
            )
            if not ranking.decided:
                return ""
            if self.kind == "ranking":
                return "ranking: " + ", ".join(map(str, ranking.ranks.index))
            row = ranking.pairs.iloc[0]
            return (
                f"{who[0]} is {ranking.between(*who)} than {who[1]}: {row['estimate']:+z.3f} "
                f"[{row['ci_lower']:+z.3f}, {row['ci_upper']:+z.3f}], "
                f"p {p_value(row['p'], '= ')} at all looks, {row['n']} items"
            )
        ends = {name: _interval(scores[name], settled[name], level) for name in who}
        ends_text = "; ".join(
            f"{name} [{low:z.3f}, {high:z.3f}]" for name, (low, high) in ends.items()
        )
        if self.kind == "width":
            narrow = all(high - low < self.value for low, high in ends.values())
            return f"width below {self.value:g}: {ends_text}" if narrow else ""
        ((low, high),) = ends.values()
        if low > self.value:
            return f"above {self.value:g}: {ends_text}"
        return f"below {self.value:g}: {ends_text}" if high < self.value else ""


def _number(text: str, rule: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise ParameterError(f"{rule!r}: {text!r} is not a number") from error


def _interval(scores: Any, settled: Any, level: float) -> tuple[float, float]:
    there = settled.to_numpy(dtype=bool)
    until = there.size if there.all() else int(np.argmin(there))
    values = scores.to_numpy(dtype=float)[:until]
    return interval_so_far(values[~np.isnan(values)], level=level)


def what_is_decided(
    journal: Journal,
    rules: Sequence[RunStopRule],
    names: Sequence[str],
    condition: str,
    within: Collection[str],
    occasions: int = 1,
) -> list[str]:
    """Return the decision of each rule in words, "" for a rule without one.

    Scores follow the benchmark's own rule, for the items `within` (hashes) under a condition; the
    `occasions` of an item are averaged.
    """
    table = scored(journal)
    rows = pick(table, table["examinee"].isin(list(names)) & (table["condition"] == condition))
    if set(rows["examinee"]) != set(names):
        return [""] * len(rules)
    score = rows["correct"].where(~rows["missing"].to_numpy(bool))
    rows = rows.assign(run=rows["examinee"], of=1.0, score=score)
    scores, settled = in_order(journal, rows, within=within)
    items = rows.drop_duplicates("item_hash")
    unit_names = dict(zip(items["item_hash"], units(items), strict=True))
    scores, settled, several = of_units(scores, settled, unit_names)
    return [rule.decision(scores, settled, graded=occasions > 1 or several) for rule in rules]
