"""gfactor compare: who is better on the same items, and which ranks that leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click
import numpy as np
import pandas as pd

from gfactor.administration import Journal
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import journal_argument, lenient_option
from gfactor.cli.scoring import Scoring, say_shares, scoring_options, shares_of
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics import Differences, RankSets, all_pairs, benjamini_hochberg, rank_sets
from gfactor.scoring import by_label, units, with_chance

ITEM = ["item_id", "item_hash"]
INDEPENDENT, UNIT = "none", "unit"


@click.command("compare")
@journal_argument
@click.option("--by", metavar="LABEL", help="Also within every domain, size, skill, other label.")
@click.option(
    "--cluster",
    metavar="LABEL",
    help="The label whose items are not independent of each other; by default the domain, where "
    f"there are several, else {UNIT!r}, the problem or number that items share. {INDEPENDENT!r}: "
    "every item by itself.",
)
@lenient_option
@click.option(
    "--ratio",
    is_flag=True,
    help="Compare points earned per possible point, not items right as a whole.",
)
@json_option
@scoring_options
def command(
    journal: str,
    by: str | None,
    cluster: str | None,
    lenient: bool,
    ratio: bool,
    as_json: bool,
    scoring: Scoring,
) -> int:
    """Compare examinees, each pair on the items that both answered.

    For every pair: the difference of their means with its 95 % interval and p, and p adjusted for
    the number of pairs: p_holm, on which the rank sets rest, and p_fdr, for a search through the
    table. For every examinee: the ranks that its differences leave possible. Failed attempts are
    missing and left out. Several conditions in a journal are compared like several examinees.
    --judge and --policy are those of gfactor score.

    \b
    Example:
      gfactor compare c.db
      gfactor compare c.db --by domain --json
      gfactor compare multi.db --ratio
    """
    if lenient and ratio:
        raise ParameterError("points are given by the benchmark's own rule; leave out --lenient")
    reading = "points" if ratio else "correct_lenient" if lenient else "correct"
    with Journal.open(journal, create=False) as opened:
        table = with_chance(scoring.table(opened), opened.items())
    table = _with_runs(table, reading)
    cluster = cluster or _default_cluster(table)
    runs = _from_best(table)
    whole = _compare(table, runs, cluster)
    groups = by_label(table, by) if by else {}
    parts = {str(value): _compare(own, runs, cluster) for value, own in groups.items()}
    parts = dict(zip(parts, _adjusted_together(parts.values()), strict=True))
    if as_json:
        told = {"reading": "lenient" if lenient else "strict", "ratio": ratio, "cluster": cluster}
        put_json(
            told
            | whole.to_dict()
            | ({"by": by, "parts": {v: part.to_dict() for v, part in parts.items()}} if by else {})
        )
    else:
        _say_whole(whole, journal, cluster)
        if by:
            _say_parts(by, parts, whole)
        say_shares({f"#{number}": whole.read[run] for run, number in _numbers(whole).items()})
    return scoring.code


@dataclass(frozen=True)
class _Comparison:
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
        return {**self.differences.to_dict(), **ranks, "ranks": rows}


def _with_runs(table: pd.DataFrame, reading: str) -> pd.DataFrame:
    """The table with columns `score`, `of` (what it is out of) and `run`: the examinee, and its
    condition if several."""
    several = len(set(table["condition"])) > 1
    run = table["examinee"] + " | " + table["condition"] if several else table["examinee"]
    found = sorted(set(run))
    if len(found) < 2:
        raise ParameterError(
            f"a comparison needs at least two examinees, found {', '.join(found) or 'none'}; run "
            "another on the same bank into the same journal"
        )
    possible = table["points_possible"] if reading == "points" else 1.0
    return table.assign(run=run, of=possible, score=table[reading].where(~table["missing"]))


def _from_best(table: pd.DataFrame) -> list[str]:
    """The runs by their mean, so that most differences are positive."""
    means = {run: own["score"].mean() for run, own in table.groupby("run")}
    return sorted(map(str, means), key=lambda run: (-np.nan_to_num(means[run]), run))


def _compare(rows: pd.DataFrame, runs: Sequence[str], cluster: str) -> _Comparison:
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
    return _Comparison(
        differences, rank_sets(differences), missing, _chance(rows), shares_of(rows, "run")
    )


def _chance(rows: pd.DataFrame) -> dict[str, float]:
    """What chance earns on the items that every run answered, where it is known; as `_compare` has
    scores, out of what an item is worth on average."""
    items = rows.loc[~rows["missing"].to_numpy(bool)].drop_duplicates(["run", *ITEM])
    name = "chance" if (items["of"] == 1).all() else "chance_share"
    known = items.loc[items[name].notna()].assign(_earned=lambda own: own[name] * own["of"])
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


def _adjusted_together(parts: Iterable[_Comparison]) -> list[_Comparison]:
    """The same with `p_fdr` over the pairs of all parts: the whole table is searched at once."""
    made = list(parts)
    if not made:
        return made
    tables = [part.differences.table for part in made]
    adjusted = benjamini_hochberg(np.concatenate([t["p"].to_numpy() for t in tables]))
    shares = np.split(adjusted, np.cumsum([len(t) for t in tables])[:-1])
    return [
        replace(part, differences=replace(part.differences, table=t.assign(p_fdr=share)))
        for part, t, share in zip(made, tables, shares, strict=True)
    ]


def _say_whole(whole: _Comparison, journal: str, cluster: str) -> None:
    settings, ranks = whole.differences.settings, whole.ranks.table
    items = len(whole.differences.runs.scores)
    nested = "independent" if whole.differences.runs.clusters is None else f"nested in {cluster}"
    say(f"{journal}: {len(ranks)} examinees, {items:,} items ({nested})\n")
    spans, first_in = whole.ranks.spans(), whole.ranks.probabilities[1]
    rows = [
        {
            "#": number,
            "ranks": spans[run],
            "mean": _shown(float(ranks["mean"].iloc[number - 1]), ".3f"),
            "n": ranks["n"].iloc[number - 1],
            "missing": whole.missing[run],
            "chance": _shown(whole.chance.get(run, np.nan), ".3f"),
            "first in": f"{first_in.iloc[number - 1]:.0%}",
            "examinee": run,
        }
        for run, number in _numbers(whole).items()
    ]
    say(pd.DataFrame(rows).to_string(index=False))
    say(
        f"\nranks: those left possible, all together at {settings.level:.0%}; first in: share of "
        f"{whole.ranks.draws:,} bootstrap draws\n"
    )
    say(pd.DataFrame(_pair_rows(whole, whole)).to_string(index=False))


def _say_parts(by: str, parts: Mapping[str, _Comparison], whole: _Comparison) -> None:
    pairs = [{by: v} | row for v, part in parts.items() for row in _pair_rows(part, whole)]
    say(f"\n{pd.DataFrame(pairs).to_string(index=False)}\n")
    numbers = _numbers(whole)
    spans = [
        {by: value} | {f"#{number}": part.ranks.spans()[run] for run, number in numbers.items()}
        for value, part in parts.items()
    ]
    say(f"ranks in every {by}\n{pd.DataFrame(spans).to_string(index=False)}")


def _pair_rows(part: _Comparison, whole: _Comparison) -> list[dict[str, Any]]:
    number = _numbers(whole)
    return [
        {
            "pair": f"#{number[row['first']]} - #{number[row['second']]}",
            "difference": _shown(row["estimate"], "+.3f"),
            "interval": f"[{_shown(row['low'], '+.3f')}, {_shown(row['high'], '+.3f')}]",
            **{name: _shown(row[name], ".2g") for name in ("p", "p_holm", "p_fdr")},
            "n": row["n"],
            "unpaired": row["first_only"] + row["second_only"],
            "effect": _shown(row["effect"], ".2f"),
            "method": row["method"],
        }
        for row in part.differences.table.to_dict("records")
    ]


def _shown(value: float, form: str) -> str:
    return "-" if np.isnan(value) else format(value, form)


def _numbers(whole: _Comparison) -> dict[str, int]:
    """Every run with the number that stands for it in the tables."""
    return {str(run): number for number, run in enumerate(whole.ranks.table.index, 1)}
