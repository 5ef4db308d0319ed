"""Results of `plan` and `status`: tables of cells and models, money and hours."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.administration.sharing.accounts import Account
from gfactor.psychometrics import Diagnostic
from gfactor.results import Result

COMPLETE, FAILED_LEFT, BUDGET_REACHED, UNFINISHED = 0, 1, 3, 4
"""Exit codes: all is answered; only questions that failed are left; a budget is reached; questions
are left."""

_KNOWN_FROM = 0.02
"""From this share of the answers on, the estimate decides how a budget is shared out."""

_CELL = ["bank", "model", "condition", "occasion"]
_PLANNED = [*_CELL, "items", "requests", "tokens_in", "tokens_out", "cost"]
_IN_BATCHES = ["model", "batch", "questions", "since"]
_COUNTED = [*_CELL, "wanted", "done", "failed", "left"]


@dataclass(frozen=True, repr=False)
class CampaignPlan(Result):
    """Questions of a campaign that are still to be asked, and an estimate of their cost and time.

    Parameters
    ----------
    name : str
        Name of the campaign.
    cells : DataFrame
        A row per bank, model, condition and occasion: `items` (still to be asked), and their
        expected `requests`, `tokens_in`, `tokens_out` and `cost` (NaN without a price).
    hours : float, optional
        Expected hours for the remaining questions if all models are asked at the same time; None
        if unknown.
    rests_on : str
        Basis of the estimate, in words.
    budget : float, optional
        Budget for all models together.
    diagnostics : tuple of Diagnostic
        Budgets that are too small.

    Examples
    --------
    >>> import gfactor as gf
    >>> from pathlib import Path
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = Path("c.toml").write_text('''
    ... [[banks]]
    ... path = "pv.parquet"
    ... [[models]]
    ... spec = "observer:ideal"
    ... ''')
    >>> isinstance(gf.campaign.plan("c.toml"), gf.campaign.CampaignPlan)
    True
    """

    name: str
    cells: pd.DataFrame
    hours: float | None
    rests_on: str
    budget: float | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        """Return the number of questions left, in one line."""
        left = int(_sum(self.cells, "items"))
        return f"Campaign {self.name}: {left:,} answers to ask in {len(self.cells):,} cells"

    @property
    def facts(self) -> Mapping[str, Any]:
        """Sums over all cells."""
        priced = bool(np.isfinite(self.cells["cost"].to_numpy(float)).any())
        return {
            "answers": int(_sum(self.cells, "items")),
            "requests": int(_sum(self.cells, "requests")),
            "tokens_in": round(_sum(self.cells, "tokens_in")),
            "tokens_out": round(_sum(self.cells, "tokens_out")),
            "cost": _sum(self.cells, "cost") if priced else None,
            "budget": self.budget,
            "hours": self.hours,
            "rests_on": self.rests_on,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """The cells."""
        return {"cells": self.cells}


@dataclass(frozen=True, repr=False)
class CampaignStatus(Result):
    """Progress of a campaign, by its journal.

    Parameters
    ----------
    name : str
        Name of the campaign.
    cells : DataFrame
        A row per bank, model, condition and occasion: numbers of answers `wanted`, `done`,
        `failed` (no success so far) and `left` (failed ones included), and money `spent` and
        expected (`cost_left`).
    accounts : DataFrame
        A row per model: `examinee` (its name in the journal), `done`, `left`, `spent`, `reserved`
        (for questions that are being asked), `unanswered` (may have been charged although no
        answer came), `budget`, `cost_in_all` (expected total).
    budget : float, optional
        Budget for all models together.
    hours : float, optional
        Expected hours for the remaining questions; None if unknown.
    processes : int
        Number of processes that are working on the campaign now.
    rests_on : str
        Basis of the estimate, in words.
    stopped : dict of str to str
        Models that are no longer asked, with the reason: those that `run` gave up, later those
        whose budget is spent.
    code : int
        0 if everything is answered, 1 if only failed questions are left, 3 if a budget is reached,
        4 if questions are left.
    diagnostics : tuple of Diagnostic
        Budgets that are too small, batches in progress, and, in `status`, runs that were not
        answered as asked.
    batches : DataFrame
        A row per batch that was submitted and whose answers are not in: `model`, `batch` (the
        vendor's id, "" if none came back), `questions`, and the time `since` which it is noted.

    Examples
    --------
    >>> import gfactor as gf
    >>> from pathlib import Path
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = Path("c.toml").write_text('''
    ... [[banks]]
    ... path = "pv.parquet"
    ... [[models]]
    ... spec = "observer:ideal"
    ... ''')
    >>> done = gf.campaign.run("c.toml")
    >>> isinstance(done, gf.campaign.CampaignStatus), done.code
    (True, 0)
    """

    name: str
    cells: pd.DataFrame
    accounts: pd.DataFrame
    budget: float | None
    hours: float | None
    processes: int
    rests_on: str
    stopped: Mapping[str, str]
    code: int
    diagnostics: tuple[Diagnostic, ...] = ()
    batches: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=_IN_BATCHES))

    @property
    def title(self) -> str:
        """Return the number of answers done, in one line."""
        done, wanted = int(_sum(self.cells, "done")), int(_sum(self.cells, "wanted"))
        return f"Campaign {self.name}: {done:,} of {wanted:,} answers"

    @property
    def facts(self) -> Mapping[str, Any]:
        """Sums over all cells and models."""
        counts, money = _COUNTED[4:], ("spent", "reserved", "unanswered", "cost_in_all")
        return {
            **{name: int(_sum(self.cells, name)) for name in counts},
            **{name: _sum(self.accounts, name) for name in money},
            "budget": self.budget,
            "hours": self.hours,
            "processes": self.processes,
            "in_batches": int(_sum(self.batches, "questions")),
            "batches_since": min(self.batches["since"], default=None),
            "rests_on": self.rests_on,
            "stopped": dict(self.stopped),
            "code": self.code,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """Models, batches if any are in progress, and cells."""
        batches = {"batches": self.batches} if len(self.batches) else {}
        return {"accounts": self.accounts, **batches, "cells": self.cells}


def plan_of(
    name: str, rows: pd.DataFrame, hours: float | None, budget: float | None, priced: set[str],
    spent: float = 0.0,
) -> CampaignPlan:  # fmt: skip
    """Return the plan of projected rows (`survey.project`)."""
    cells: Any = rows.drop(columns=["items", "tokens_in", "tokens_out", "cost"]).rename(columns={
        "left": "items", "tokens_in_left": "tokens_in", "tokens_out_left": "tokens_out",
        "cost_left": "cost",
    })  # fmt: skip
    cells["cost"] = cells["cost"].where([model in priced for model in cells["model"]])
    cells[["tokens_in", "tokens_out"]] = cells[["tokens_in", "tokens_out"]].round().astype(int)
    expected = spent + _sum(cells, "cost")
    return CampaignPlan(
        name, cells[_PLANNED].reset_index(drop=True), hours, rests_on(rows), budget,
        _short(budget, expected),
    )  # fmt: skip


def status_of(
    name: str,
    rows: pd.DataFrame,
    hours: float | None,
    money: Mapping[str, Account],
    caps: Mapping[str, float],
    budget: float | None,
    processes: int,
    stopped: Mapping[str, str],
    at_budget: Container[str],
    batches: pd.DataFrame | None = None,
) -> CampaignStatus:
    """Return the status of projected rows (`survey.project`); money by examinee.

    `at_budget` are the models whose budget is reached, `batches` those in progress, by examinee.
    """
    cells: Any = rows.assign(spent=rows["cost_sum"])[[*_COUNTED, "spent", "cost_left"]]
    # `groupby` with named aggregations takes a third of the time of a small campaign's run.
    of_model, models = pd.factorize(rows["model"])
    first = np.unique(of_model, return_index=True)[1]
    examinees = [str(name) for name in rows["examinee"].iloc[first]]
    most = np.full(len(models), np.nan)
    np.fmin.at(most, of_model, rows["cost_most"].to_numpy(float))

    def sums(column: str) -> NDArray[np.float64]:
        values = np.nan_to_num(rows[column].to_numpy(float))
        return np.bincount(of_model, values, len(models)).astype(float)

    accounts = pd.DataFrame(
        {
            "model": models,
            "examinee": examinees,
            "done": sums("done").astype(int),
            "left": sums("left").astype(int),
            **{
                key: [getattr(money.get(e, Account()), key) for e in examinees]
                for key in ("spent", "reserved", "unanswered")
            },
            "budget": [caps.get(e, float("nan")) for e in examinees],
        }
    )
    accounts["cost_in_all"] = accounts["spent"] + sums("cost_left")
    reached = _budget_reached(accounts, most, budget) or any(
        model in at_budget for model in accounts["model"][accounts["left"] > 0]
    )
    left, failed = _sum(cells, "left"), _sum(cells, "failed")
    code = UNFINISHED
    if not left:
        code = COMPLETE
    elif reached:
        code = BUDGET_REACHED
    elif left <= failed:
        code = FAILED_LEFT
    expected = _sum(accounts, "cost_in_all") + _sum(accounts, "unanswered")
    in_batches = _of_models(batches, accounts)
    return CampaignStatus(
        name, cells.reset_index(drop=True), accounts, budget, hours, processes, rests_on(rows),
        dict(stopped), code,
        (*(_short(budget, expected) if left else ()), *_in_progress(in_batches)), in_batches,
    )  # fmt: skip


def _of_models(batches: pd.DataFrame | None, accounts: pd.DataFrame) -> pd.DataFrame:
    """Return the batches of a campaign's models, with the models' names."""
    if batches is None:
        return pd.DataFrame(columns=_IN_BATCHES)
    models = dict(zip(accounts["examinee"], accounts["model"], strict=True))
    of_campaign: Any = batches[batches["examinee"].isin(list(models))]
    return of_campaign.assign(model=of_campaign["examinee"].map(models))[_IN_BATCHES].reset_index(
        drop=True
    )


def _in_progress(batches: pd.DataFrame) -> tuple[Diagnostic, ...]:
    """Say how many questions are in batches, and since when."""
    if not len(batches):
        return ()
    questions, since = int(_sum(batches, "questions")), min(batches["since"])
    many = "1 batch" if len(batches) == 1 else f"{len(batches):,} batches, the first"
    first = datetime.fromisoformat(since).astimezone(UTC)
    return (Diagnostic(
        "batches_in_progress", "note",
        f"{questions:,} questions are in {many} since {first:%Y-%m-%d %H:%M} UTC; their answers "
        "are not in.",
        "The vendor goes on with them while no process is at work; `gfactor campaign run` collects "
        "them.",
        tuple(dict.fromkeys(batches["model"])),
        {"questions": questions, "batches": len(batches), "since": since},
    ),)  # fmt: skip


def _budget_reached(accounts: Any, most: NDArray[np.float64], budget: float | None) -> bool:
    """Return True if the rest of a budget may not pay for a model's next answer (cost `most`)."""
    counted = accounts["spent"] + accounts["unanswered"]
    waiting = accounts["left"] > 0
    short = waiting & (accounts["budget"] - counted < most)
    if budget is not None:
        short |= waiting & (budget - float(np.sum(counted.to_numpy())) < most)
    return bool(short.any())


def shares_of(status: CampaignStatus) -> dict[str, float]:
    """Return the total amount that each examinee may spend if the budget does not pay for
    everything: the same share of each one's cost. Empty if the budget is sufficient, or the costs
    are hardly known."""
    accounts: Any = status.accounts
    expected = _sum(accounts, "cost_in_all")
    done, wanted = _sum(status.cells, "done"), _sum(status.cells, "wanted")
    if status.budget is None or expected <= status.budget or done < _KNOWN_FROM * wanted:
        return {}
    affordable = (status.budget - _sum(accounts, "unanswered")) / expected
    money = affordable * accounts["cost_in_all"] + accounts["unanswered"]
    priced = accounts["cost_in_all"] > 0
    return dict(zip(accounts["examinee"][priced], money[priced], strict=True))


def rests_on(rows: pd.DataFrame) -> str:
    """Return the basis of an estimate, in words."""
    done = int(_sum(rows, "done"))
    if done:
        return f"the {done:,} answers in the journal"
    return (
        "rules for images and texts by vendor, and assumed lengths of answers; the first answers "
        "will correct it"
    )


def _sum(table: pd.DataFrame, column: str) -> float:
    return float(np.nansum(table[column].to_numpy(float)))


def _short(budget: float | None, expected: float) -> tuple[Diagnostic, ...]:
    if budget is None or expected <= budget:
        return ()
    return (Diagnostic(
        "budget", "warning",
        f"The budget of {budget:.4g} is less than the {expected:.4g} expected in all.",
        "Raise it, or ask less; what is asked until it is reached is balanced over cells.",
    ),)  # fmt: skip
