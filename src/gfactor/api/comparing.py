"""Who is better on the same items, and which ranks that leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
import pandas as pd

from gfactor.administration import Journal
from gfactor.api.reach import ReachOptions
from gfactor.api.scoring import Scoring, scoring_of, shares_of
from gfactor.api.taking import JournalLike, opened
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics import Differences, RankSets, all_pairs, benjamini_hochberg, rank_sets
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.results import Result
from gfactor.scoring import by_label, units, with_chance
from gfactor.scoring.policies import BENCHMARKS_POLICY

ITEM = ["item_id", "item_hash"]
INDEPENDENT, UNIT = "none", "unit"


def compare(
    journal: JournalLike,
    *,
    by: str | None = None,
    cluster: str | None = None,
    lenient: bool = False,
    ratio: bool = False,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    **reach: Unpack[ReachOptions],
) -> Comparison:
    """Compare examinees, each pair on the items that both answered.

    Failed attempts are missing and left out. Several conditions in a journal are compared like
    several examinees.

    Parameters
    ----------
    journal : Journal or path
        What `run` returned, or the file.
    by : str, optional
        Also within every value of this label: "domain", "size", "skill" ...
    cluster : str, optional
        The label whose items are not independent of each other; by default the domain, where there
        are several, else "unit", the problem or number that items share. "none": every item by
        itself.
    lenient : bool
        Use the lenient reading, not the benchmark's rule.
    ratio : bool
        Compare points earned per possible point, not items right as a whole.
    examinees : list of str
        As in `gfactor.score`.
    condition : str, optional
        As in `gfactor.score`.
    judge : str, optional
        As in `gfactor.score`.
    policy : str
        As in `gfactor.score`.
    **reach : any
        As in `gfactor.score`.

    Returns
    -------
    Comparison
        `differences` (a DataFrame: every pair with its difference, interval and adjusted p) and
        `ranks` (every examinee with the ranks that are left possible).

    Raises
    ------
    ParameterError
        Where there are fewer than two examinees, or options contradict each other.
    UnknownNameError
        For a label that items do not have.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal
    of Statistics 6, 65-70.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> comparison = gf.compare(journal)
    >>> comparison.differences[["first", "second", "n"]]
                first             second   n
    0  observer:ideal  baseline:constant  20
    """
    if lenient and ratio:
        raise ParameterError("points are given by the benchmark's own rule; leave out lenient")
    with opened(journal) as kept:
        scoring = scoring_of(examinees, condition, judge, policy, reach)
        return Comparison.of(kept, scoring, by, cluster, lenient, ratio)


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Examinees compared pair by pair.

    Parameters
    ----------
    whole: on all items. parts: on the items of every value of the label `by`; empty without one.
    cluster: the label whose items are not independent of each other.
    lenient, ratio: how answers were scored.
    """

    whole: Compared
    parts: Mapping[str, Compared]
    by: str | None
    cluster: str
    lenient: bool
    ratio: bool

    @classmethod
    def of(
        cls,
        journal: Journal,
        scoring: Scoring,
        by: str | None,
        cluster: str | None,
        lenient: bool,
        ratio: bool,
    ) -> Comparison:
        """Compare what an open journal holds."""
        reading = "points" if ratio else "correct_lenient" if lenient else "correct"
        table = with_runs(with_chance(scoring.table(journal), journal.items()), reading)
        cluster = cluster or _default_cluster(table)
        runs = _from_best(table)
        whole = _compare(table, runs, cluster)
        groups = by_label(table, by) if by else {}
        parts = {str(value): _compare(rows, runs, cluster) for value, rows in groups.items()}
        parts = dict(zip(parts, _adjusted_together(parts.values()), strict=True))
        return cls(whole, parts, by, cluster, lenient, ratio)

    @property
    def differences(self) -> pd.DataFrame:
        """A row per pair: `first`, `second`, their means, `estimate` with `ci_lower`, `ci_upper`,
        `se`, `p`, `p_holm` and `p_fdr`, `effect`, `n` and what was left out."""
        return self.whole.differences.table.rename(columns=_ENDS)

    @property
    def ranks(self) -> pd.DataFrame:
        """A row per examinee, from the best: `mean`, `n`, `rank`, and its rank set `best` to
        `worst`."""
        return self.whole.ranks.table

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Of the differences and of the rank sets, on all items."""
        both = (*self.whole.differences.diagnostics, *self.whole.ranks.diagnostics)
        return by_severity(one for k, one in enumerate(both) if one not in both[:k])

    @property
    def title(self) -> str:
        """Who is best, and how many pairs differ."""
        return self.whole.differences.title

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """`ranks` and `differences`."""
        return {"ranks": self.ranks, "differences": self.differences}

    def _document(self) -> Mapping[str, Any]:
        """The document of `gfactor compare --json`."""
        parts = {value: part.to_dict() for value, part in self.parts.items()}
        return {
            "reading": "lenient" if self.lenient else "strict",
            "ratio": self.ratio,
            "cluster": self.cluster,
            **self.whole.to_dict(),
            **({"by": self.by, "parts": parts} if self.by else {}),
        }

    def _lines(self) -> list[str]:
        return [self.title, self.whole.ranks.title]


_ENDS = {"low": "ci_lower", "high": "ci_upper"}


@dataclass(frozen=True)
class Compared:
    """The runs on some items: differences, rank sets; of each failed attempts, what chance earns,
    and who found the answers."""

    differences: Differences
    ranks: RankSets
    missing: Mapping[str, int]
    chance: Mapping[str, float]
    read: Mapping[str, Mapping[str, float]]

    def to_dict(self) -> dict[str, Any]:
        ranks = self.ranks.to_dict()
        rows = [
            row
            | {"missing": self.missing[row["run"]]}
            | {"chance": self.chance.get(row["run"]), "read": self.read.get(row["run"], {})}
            for row in ranks["ranks"]
        ]
        document = {**self.differences.to_dict(), **ranks, "ranks": rows}
        del document["diagnostics"]
        return document


def with_runs(table: pd.DataFrame, reading: str) -> pd.DataFrame:
    """The table with columns `score`, `of` (what it is out of) and `run`: the examinee, and its
    condition if several."""
    several = len(set(table["condition"])) > 1
    run = table["examinee"] + " | " + table["condition"] if several else table["examinee"]
    runs = sorted(set(run))
    if len(runs) < 2:
        raise ParameterError(
            f"a comparison needs at least two examinees, found {', '.join(runs) or 'none'}; run "
            "another on the same bank into the same journal"
        )
    possible = table["points_possible"] if reading == "points" else 1.0
    return table.assign(run=run, of=possible, score=table[reading].where(~table["missing"]))


def _from_best(table: pd.DataFrame) -> list[str]:
    """The runs by their mean, so that most differences are positive."""
    means = {run: rows["score"].mean() for run, rows in table.groupby("run")}
    return sorted(map(str, means), key=lambda run: (-np.nan_to_num(means[run]), run))


def _compare(rows: pd.DataFrame, runs: Sequence[str], cluster: str) -> Compared:
    """Compare `runs` on the items of `rows`; the occasions of an item are averaged.

    Scores are out of what an item is worth on average, so that the mean over all items is their sum
    per possible point, as `gfactor score` has it: heavy items count for more.
    """
    scores = rows.pivot_table(values="score", index=ITEM, columns="run", aggfunc="mean")
    worth = rows.drop_duplicates(ITEM)["of"].to_numpy(dtype=float)
    scores = scores.reindex(columns=runs) / worth.mean()
    differences = all_pairs(scores, _clusters(rows, cluster))
    failed = rows.loc[rows["missing"].to_numpy(dtype=bool), "run"]
    missing = {run: int(np.count_nonzero(failed == run)) for run in runs}
    return Compared(
        differences, rank_sets(differences), missing, _chance(rows), shares_of(rows, "run")
    )


def _chance(rows: pd.DataFrame) -> dict[str, float]:
    """What chance earns on the items that every run answered, where it is known; as `_compare` has
    scores, out of what an item is worth on average."""
    items = rows.loc[~rows["missing"].to_numpy(bool)].drop_duplicates(["run", *ITEM])
    name = "chance" if (items["of"] == 1).all() else "chance_share"
    known = items.loc[items[name].notna()].assign(_earned=lambda frame: frame[name] * frame["of"])
    sums: Any = known.groupby("run")[["_earned", "of"]].sum()
    return {str(run): float(value) for run, value in (sums["_earned"] / sums["of"]).items()}


def _clusters(rows: pd.DataFrame, cluster: str) -> pd.Series | None:
    """The cluster of every item; None where every item is one by itself.

    Where all share one value of the label, clusters are the units (`gfactor.scoring.units`).
    """
    if cluster == INDEPENDENT:
        return None
    if cluster != UNIT and cluster not in rows:
        raise UnknownNameError("label", cluster, {*map(str, rows.columns), INDEPENDENT, UNIT})
    items = rows.drop_duplicates(ITEM)
    index = pd.MultiIndex.from_frame(items.loc[:, ITEM])
    if cluster != UNIT and len(set(items[cluster].astype(str))) > 1:
        return pd.Series([str(value) for value in items[cluster]], index=index)
    names = list(units(items))
    return pd.Series(names, index=index) if 1 < len(set(names)) < len(names) else None


def _default_cluster(table: pd.DataFrame) -> str:
    return "domain" if "domain" in table and len(set(table["domain"])) > 1 else UNIT


def _adjusted_together(parts: Iterable[Compared]) -> list[Compared]:
    """The same with `p_fdr` over the pairs of all parts: the whole table is searched at once."""
    completed = list(parts)
    if not completed:
        return completed
    tables = [part.differences.table for part in completed]
    adjusted = benjamini_hochberg(np.concatenate([t["p"].to_numpy() for t in tables]))
    shares = np.split(adjusted, np.cumsum([len(t) for t in tables])[:-1])
    return [
        replace(part, differences=replace(part.differences, table=t.assign(p_fdr=share)))
        for part, t, share in zip(completed, tables, shares, strict=True)
    ]
