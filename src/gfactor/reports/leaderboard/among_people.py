"""Positions of a leaderboard's runs among the people of norms, on the items of the norms."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.norms import Norms, Standing
from gfactor.reports.answers.group_rates import ACCURACY, rate
from gfactor.reports.leaderboard.answers import Answers
from gfactor.reports.leaderboard.standings import PEOPLE, BenchmarkStandings

ENOUGH = 0.9
"""Share of the items of a scale that a run must have answered to be placed among people."""

COLUMNS = (
    "run", "scale", "group", "n", "items", "items_of_norms", "score", "score_low", "score_high",
    "percentile", "percentile_low", "percentile_high", "t_area", "t_area_low", "t_area_high",
    "t_linear", "t_linear_low", "t_linear_high",
)  # fmt: skip


def of_shares(norms: Norms) -> Norms:
    """Return the norms; raise ParameterError for norms of abilities, because the board shows shares
    of right answers."""
    if norms.about.get("unit") != "share right":
        raise ParameterError(
            "the leaderboard has shares of right answers, but these norms are of abilities; make "
            "norms without --calibration, or give these to gfactor profile"
        )
    return norms


def check_benchmarks(norms: Norms, ranked: Collection[str]) -> None:
    """Raise ParameterError if no benchmark of the norms is on the leaderboard."""
    benchmarks = {
        str(facts["benchmark"]) for facts in norms.scales.values() if "benchmark" in facts
    }
    if not benchmarks.intersection(ranked):
        raise ParameterError(
            f"the norms are of {', '.join(sorted(benchmarks)) or 'no benchmark'}, and the "
            f"leaderboard has {', '.join(sorted(ranked))}; give norms of people who answered the "
            "same items"
        )


def placed(answers: Answers, board: BenchmarkStandings, norms: Norms) -> pd.DataFrame:
    """Tabulate the positions of a board's runs among people: a row per run, scale and group.

    The columns are `COLUMNS`. Scores use only the items of the norms; a run that answered fewer
    than nine in ten of them has no position. Intervals include the errors of sampling the people
    and the items.
    """
    hashes = answers.items["content_hash"].astype(str).to_numpy()
    runs = [int(run) for run in board.table["run"] if run >= 0 and run != PEOPLE]
    rows = []
    for scale, facts in norms.scales.items():
        if facts.get("benchmark") != board.benchmark:
            continue
        of_scale = np.isin(hashes, list(facts["items"]))
        for run in runs:
            answered = of_scale & np.isfinite(answers.scores[:, run])
            standing_of = {
                "run": run,
                "items": int(answered.sum()),
                "items_of_norms": len(facts["items"]),
            }
            if answered.sum() < ENOUGH * len(facts["items"]):
                rows.append({**standing_of, "scale": scale, "group": "all people"})
                continue
            part = pd.DataFrame({
                "correct": answers.scores[answered, run].astype(float), "_one": 1.0, "_person": -1,
                "_unit": pd.factorize(answers.items["unit"].to_numpy()[answered])[0],
            })  # fmt: skip
            mean = rate(part, ACCURACY, norms.level)
            ends = {"score_low": mean["low"], "score_high": mean["high"]}
            rows += [
                {**standing_of, **ends, **standing.row()}
                for standing in norms.standings(scale, mean["value"], mean["low"], mean["high"])
            ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def among_all(answers: Answers, board: BenchmarkStandings, norms: Norms) -> Mapping[int, Standing]:
    """Return the standing of every run of a board among all people of the norms, on all items of
    the norms."""
    table = placed(answers, board, norms)
    wanted = (table["scale"] == board.benchmark) & (table["group"] == "all people")
    names = [name for name in Standing.__dataclass_fields__ if name != "group"]
    return {
        int(row["run"]): Standing(group={}, **{name: row[name] for name in names})
        for row in table.loc[(wanted & table["percentile"].notna()).to_numpy()].to_dict("records")
    }


def sentences(norms: Norms) -> tuple[str, ...]:
    """Return sentences about norms: the people, and the limits to their use."""
    cell = max(norms.cells, key=lambda one: one.n)
    sample = norms.about.get("sample") or "not described"
    return (
        f"People of the norms: {cell.n} ({sample}). Percentile: per cent of these people with a "
        "lower score, and half of those with the same; T: 50 + 10 z of the percentile (area "
        f"transformation). {norms.level:.0%} intervals hold the choice of persons and of items.",
        *(str(one) for one in norms.diagnostics if one.severity != "note"),
    )
