"""Several examinees compared while asking goes on: pairs, means and rank sets that are valid at any
time. The results may be looked at after every item, and asking may stop because of them. Per pair
the evidence is an e-process (`sequential`); over pairs, p values that are valid at any time and
adjusted by Holm's method are valid at any time, too, because such p values can only fall.

References
----------
Ramdas, A., Gruenwald, P., Vovk, V., Shafer, G. (2023). Game-theoretic statistics and safe anytime-
    valid inference. Statistical Science 38, 576-601.
Mogstad, M., Romano, J. P., Shaikh, A. M., Wilhelm, D. (2024). Inference for ranks with applications
    to mobility across neighbourhoods and academic achievement across countries. Review of Economic
    Studies 91, 476-518.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.inference.intervals import checked_level
from gfactor.psychometrics.inference.multiplicity import holm_directional
from gfactor.psychometrics.inference.peeking import false_alarm
from gfactor.psychometrics.inference.sequential import (
    betting_log_capital,
    interval_so_far,
    mcnemar_log_e,
)
from gfactor.results import Result, decimal

Floats = NDArray[np.float64]

FIRST_LOOK = 20
"""Number of items before the first look, for the false alarms of looking at fixed intervals."""


_GATE_CODES = {"worse": 3, "undecided": 4}


@dataclass(frozen=True, repr=False)
class SequentialRanking(Result):
    """Decisions about pairs of examinees, from the items that were answered so far.

    Parameters
    ----------
    pairs : DataFrame
        A row per pair: `first`, `second`, `n` (items of the pair), `waiting` (answered items that
        come after the first one that one of them has not answered, and do not count yet),
        `estimate` with `ci_lower`, `ci_upper` (confidence sequence), `b` and `c` (items that only
        the first or only the second solved; NaN for graded scores), `e_value`, `p`, `p_holm` (both
        valid at all looks), `decision` ("first", "second", "undecided"), `decided_at` (number of
        the item at which this pair was decided, NaN if it was not), and `naive_false_alarm`:
        probability that an ordinary test (McNemar's) after every item would have called two equal
        examinees different, with as many discordant items.
    ranks : DataFrame
        A row per examinee: `mean` with `ci_lower`, `ci_upper`, `n`, and its rank set `best` to
        `worst`. The confidence level is for all rank sets at all looks together.
    level : float
        Confidence level of intervals, decisions and rank sets.
    naive_false_alarm : float
        Probability that an ordinary 95 % interval of a mean, computed after every item from the
        20th on, would have missed the true mean at least once by now.
    diagnostics : tuple of Diagnostic
    claim, generalizes_to : str
        Population that decisions generalize to: its name, and a description in words.
    gate, decision : str
        The requested pair "A - B", and the decision from the view of A; "" if none was requested.
    """

    pairs: Any
    ranks: Any
    level: float
    naive_false_alarm: float
    diagnostics: tuple[Diagnostic, ...] = ()
    claim: str = "same-domains"
    generalizes_to: str = "generalizes to other items of this kind"
    gate: str = ""
    decision: str = ""

    @property
    def code(self) -> int:
        """Return the exit code of the command. For a gate it is 0 if A is better, 3 if A is worse
        and 4 if this is undecided; 1 means that a judge failed, 2 that the call was wrong."""
        return _GATE_CODES.get(self.decision, 0)

    def _document(self) -> Mapping[str, Any]:
        gate = {"pair": self.gate, "decision": self.decision}
        return {**super()._document(), **({"gate": gate} if self.gate else {})}

    @property
    def decided(self) -> bool:
        """Return True if every pair is decided."""
        return bool((self.pairs["decision"] != "undecided").all())

    def between(self, first: str, second: str) -> str:
        """Return the decision about a pair, from the view of `first`: "better", "worse" or
        "undecided".

        Parameters
        ----------
        first, second : str
            Two of the examinees.

        Returns
        -------
        str
            "better", "worse" or "undecided".

        Raises
        ------
        ParameterError
            If they were not compared.
        """
        for row in self.pairs.to_dict("records"):
            if {row["first"], row["second"]} == {first, second}:
                if row["decision"] == "undecided":
                    return "undecided"
                return "better" if row[row["decision"]] == first else "worse"
        names = ", ".join(map(str, self.ranks.index))
        raise ParameterError(
            f"{first!r} and {second!r} were not compared; the examinees compared are {names}"
        )

    @property
    def title(self) -> str:
        sure = int((self.pairs["decision"] != "undecided").sum())
        return (
            f"{sure} of {len(self.pairs)} pairs decided at {1 - self.level:.3g}, at all looks "
            f"together, after {int(self.pairs['n'].max())} items"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "level": self.level, "claim": self.claim, "generalizes_to": self.generalizes_to,
            "naive_false_alarm": self.naive_false_alarm,
        }  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"pairs": self.pairs, "ranks": self.ranks}

    def _lines(self) -> list[str]:
        numbers = {str(run): number for number, run in enumerate(self.ranks.index, 1)}
        lines = [
            f"{self.title}; {self.generalizes_to}",
            "",
            pd.DataFrame(self._rank_rows(numbers)).to_string(index=False),
            "",
            pd.DataFrame(self._pair_rows(numbers)).to_string(index=False),
            "",
            f"intervals, p and ranks hold at all looks together at {self.level:.0%}. "
            "naive alarms: how often an ordinary McNemar test, looked at after every discordant "
            f"item from the {FIRST_LOOK}th, would by now have called equal examinees different",
        ]
        if not np.isnan(self.naive_false_alarm):
            lines.append(
                "an ordinary 95 % interval of one mean, looked at after every item from the "
                f"{FIRST_LOOK}th, would have missed in {self.naive_false_alarm:.1%} of such runs"
            )
        if self.gate:
            lines += ["", f"{self.gate}: {self.decision}"]
        return lines

    def _rank_rows(self, numbers: Mapping[str, int]) -> list[dict[str, Any]]:
        return [
            {
                "#": numbers[str(run)],
                "ranks": str(row["best"])
                if row["best"] == row["worst"]
                else f"{row['best']}-{row['worst']}",
                "mean": decimal(row["mean"], ".3f"),
                "interval": f"[{row['ci_lower']:z.3f}, {row['ci_upper']:z.3f}]",
                "n": int(row["n"]),
                "examinee": run,
            }
            for run, row in zip(self.ranks.index, self.ranks.to_dict("records"), strict=True)
        ]

    def _pair_rows(self, numbers: Mapping[str, int]) -> list[dict[str, Any]]:
        decisions = {"first": "better", "second": "worse"}
        return [
            {
                "pair": f"#{numbers[row['first']]} - #{numbers[row['second']]}",
                "decision": decisions.get(row["decision"], "undecided"),
                "difference": decimal(row["estimate"], "+z.3f"),
                "interval": f"[{row['ci_lower']:+z.3f}, {row['ci_upper']:+z.3f}]",
                "e": decimal(row["e_value"], ".3g"),
                "p": p_value(row["p"]),
                "p_holm": p_value(row["p_holm"]),
                "n": row["n"],
                "decided at": decimal(row["decided_at"], ".0f"),
                "naive alarms": decimal(row["naive_false_alarm"], ".1%"),
            }
            for row in self.pairs.to_dict("records")
        ]


def rank_sequentially(
    scores: pd.DataFrame,
    *,
    settled: pd.DataFrame | None = None,
    level: float = 0.95,
    graded: bool | None = None,
) -> SequentialRanking:
    """Compare examinees on items in the order in which these were asked, with decisions that are
    valid at any time.

    Parameters
    ----------
    scores : DataFrame
        Items x examinees, from 0 to 1, the items in an order that does not depend on their
        answers (best a random one); NaN for a failed attempt, and for items without an answer.
    settled : DataFrame of bool, optional
        True for items that were answered or whose attempts failed; same shape as `scores`. A pair
        is compared on the items before the first one that one of the two has still to answer, so
        that slow answers are not left out. None means all items.
    level : float
        One minus the probability that a result is ever wrong: per mean, per interval,
        per pair for `p`, and over all pairs together for `p_holm`, `decision` and the rank sets.
    graded : bool, optional
        True if scores between 0 and 1 may occur; None finds this from the scores. Set it if the
        answers to come may be graded.

    Returns
    -------
    SequentialRanking
        Rank sets and the pairs that are decided so far.

    Raises
    ------
    ParameterError
        For fewer than two examinees, scores outside 0 to 1, or a level outside (0, 1).

    Examples
    --------
    >>> right = np.random.default_rng(1).random((300, 3)) < [0.9, 0.6, 0.6]
    >>> ranking = rank_sequentially(pd.DataFrame(right.astype(float), columns=list("abc")))
    >>> ranking.pairs["decision"].tolist(), ranking.ranks.loc["a", ["best", "worst"]].tolist()
    (['first', 'first', 'undecided'], [1, 1])
    """
    checked_level(level)
    x = scores.to_numpy(dtype=float)
    observed = x[~np.isnan(x)]
    if x.shape[1] < 2:
        raise ParameterError(f"a comparison needs two examinees or more, got {x.shape[1]}")
    if observed.size and (observed.min() < 0 or observed.max() > 1):
        raise ParameterError("scores of a sequential comparison must lie between 0 and 1")
    if graded is None:
        graded = not np.isin(observed, (0.0, 1.0)).all()
    there = np.ones(x.shape, bool) if settled is None else settled.to_numpy(dtype=bool)
    names = [str(name) for name in scores.columns]
    rows = []
    for i, j in combinations(range(x.shape[1]), 2):
        both = there[:, i] & there[:, j]
        until = _until(both)
        first, second = x[:until, i], x[:until, j]
        shared = ~(np.isnan(first) | np.isnan(second))
        row = _pair(first[shared], second[shared], level, graded)
        waiting = int((~both[until:]).sum())
        rows.append({"first": names[i], "second": names[j], "waiting": waiting, **row})
    pairs = _decided(pd.DataFrame(rows), level)
    ranks: Any = _rank_table(x, there, names, pairs, level)
    naive = np.nan
    if observed.size and (n := int(ranks["n"].max())):
        mean = float(np.clip(ranks["mean"].mean(), 0.05, 0.95))
        naive = false_alarm(mean, n, first_look=FIRST_LOOK)
    return SequentialRanking(pairs, ranks, level, naive, _notes(pairs))


def _until(settled: NDArray[np.bool_]) -> int:
    """Return the number of items before the first that is not settled."""
    return int(settled.size if settled.all() else np.argmin(settled))


def _pair(x: Floats, y: Floats, level: float, graded: bool) -> dict[str, Any]:
    d, alpha = x - y, 1 - level
    low, high = interval_so_far(d, level=level, bounds=(-1.0, 1.0))
    b, c = np.cumsum(d > 0), np.cumsum(d < 0)
    if graded:
        log_e = betting_log_capital((d + 1) / 2, [0.5], alpha=alpha)[:, 0] if d.size else d
        strict = log_e
    else:
        log_e = mcnemar_log_e(b, c)
        # Each direction has its own e-process with half of the level, as Holm's adjustment of
        # directions needs.
        sides = [mcnemar_log_e(*one, alternative="greater") for one in ((b, c), (c, b))]
        strict = np.maximum(*sides) - np.log(2)
    best = float(log_e.max(initial=0.0))
    sure = np.flatnonzero(log_e >= -np.log(alpha) - 1e-12)
    return {
        "n": d.size,
        "estimate": float(d.mean()) if d.size else np.nan,
        "ci_lower": low,
        "ci_upper": high,
        "b": np.nan if graded or not d.size else float(b[-1]),
        "c": np.nan if graded or not d.size else float(c[-1]),
        "e_value": float(np.exp(min(log_e[-1], 700.0))) if d.size else 1.0,
        "p": float(np.exp(-best)),
        "_strict": float(np.exp(-strict.max(initial=0.0))),
        "decided_at": float(sure[0] + 1) if sure.size else np.nan,
        "_side": float(np.sign(d[: sure[0] + 1].sum())) if sure.size else np.sign(d.sum()),
        "naive_false_alarm": _naive(int((d != 0).sum()), level),
    }


def _naive(discordant: int, level: float) -> float:
    """Probability of a false alarm if McNemar's test is computed after every discordant item from
    the 20th on."""
    if discordant < FIRST_LOOK:
        return np.nan
    return false_alarm(0.5, discordant, first_look=FIRST_LOOK, level=level)


def _decided(pairs: Any, level: float) -> pd.DataFrame:
    """Return the pairs with `p_holm` and `decision`; a single pair is its own family."""
    adjusted = pairs["p"] if len(pairs) == 1 else holm_directional(pairs["_strict"].to_numpy())
    sure = np.asarray(adjusted) <= 1 - level + 1e-12
    better = np.where(pairs["_side"] > 0, "first", "second")
    table = pairs.assign(p_holm=adjusted, decision=np.where(sure, better, "undecided"))
    columns = ["first", "second", "n", "waiting", "estimate", "ci_lower", "ci_upper", "b", "c",
               "e_value", "p", "p_holm", "decision", "decided_at", "naive_false_alarm"]  # fmt: skip
    return table.loc[:, columns]


def _rank_table(
    x: Floats,
    settled: NDArray[np.bool_],
    names: Sequence[str],
    pairs: Any,
    level: float,
) -> pd.DataFrame:
    better = {name: 0 for name in names}
    worse = dict(better)
    for row in pairs.to_dict("records"):
        if row["decision"] != "undecided":
            winner, loser = row["first"], row["second"]
            if row["decision"] == "second":
                winner, loser = loser, winner
            better[loser] += 1
            worse[winner] += 1
    rows = []
    for column, name in enumerate(names):
        values = x[: _until(settled[:, column]), column]
        values = values[~np.isnan(values)]
        low, high = interval_so_far(values, level=level)
        rows.append(
            {
                "examinee": name,
                "mean": float(values.mean()) if values.size else np.nan,
                "ci_lower": low,
                "ci_upper": high,
                "n": values.size,
                "best": 1 + better[name],
                "worst": len(names) - worse[name],
            }
        )
    table: Any = pd.DataFrame(rows).set_index("examinee")
    return table.sort_values(
        ["best", "worst", "mean"], ascending=[True, True, False], kind="stable"
    )


def _notes(pairs: Any) -> tuple[Diagnostic, ...]:
    notes = []
    behind = pairs.loc[pairs["waiting"] > 0]
    if len(behind):
        most = int(behind["waiting"].max())
        notes.append(
            Diagnostic(
                "unsettled_items",
                "warning",
                f"Up to {most:,} items of a pair are not answered by both; each pair is compared "
                "on the items before the first of these.",
                "Let the run go on.",
                values={"waiting": most},
            )
        )
    if (pairs["n"] == 0).any():
        notes.append(
            Diagnostic(
                "no_common_items",
                "warning",
                f"{int((pairs['n'] == 0).sum())} pairs have no item in common yet.",
                "Ask both of a pair the same items.",
            )
        )
    return by_severity(notes)
