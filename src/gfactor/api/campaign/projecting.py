"""Progress of a campaign by its journal, and a projection of the rest, corrected by the answers."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.administration import Journal
from gfactor.api.campaign.survey import Open
from gfactor.examinees.http.batches import BATCH_WINDOW_S
from gfactor.examinees.token_usage import read_and_written

_ENOUGH_OF_CELL, _ENOUGH = 30, 5
"""So many answers make a mean of a cell; of a condition, a model or all, a factor by which
estimates are corrected."""

_RECENT_S = 300.0
"""The rate of the last so many seconds tells how long the rest takes."""

QUANTITIES = ("tokens_in", "tokens_out", "cost", "seconds")


def observe(campaign: Open, journal: Journal | None) -> tuple[pd.DataFrame, dict[str, float]]:
    """Return the progress that the journal holds, and the current rates of answers. The table has a
    row per cell and occasion: answers done, failed and left, and the sums of their tokens, cost and
    time (`told` is the number of answers with a count of tokens). The rates are answers per second
    of the examinees that
    have answered in the last minutes.
    """
    occasions = range(campaign.file.occasions)
    wanted = campaign.expected.merge(pd.DataFrame({"occasion": list(occasions)}), how="cross")
    measured = ["done", "told", *QUANTITIES]
    totals = np.zeros((len(wanted), len(measured) + 1))
    rates: dict[str, float] = {}
    if journal is not None:
        rows: dict[tuple[Any, ...], list[int]] = {}
        names = ("bank", "examinee", "condition", "occasion")
        for row, cell in enumerate(zip(*(wanted[name] for name in names), strict=True)):
            rows.setdefault(cell, []).append(row)
        items: dict[str, Any] = {
            name: set(bank.frame()["content_hash"]) for name, bank in campaign.banks.items()
        }
        for examinee in dict.fromkeys(campaign.names.values()):
            done: Any = _with_tokens(journal.outline(examinee)).assign(done=1)
            if rate := _rate(done["at"].to_numpy(float)):
                rates[examinee] = rate
            failed = _unanswered(journal.outline(examinee, failed=True), done)
            for name, of_bank in items.items():
                in_bank = done[done["item_hash"].isin(of_bank)]
                sums = in_bank.groupby(["condition", "occasion"])[measured].sum()
                for cell, values in zip(sums.index, sums.to_numpy(float), strict=True):
                    totals[rows.get((name, examinee, *cell), []), :-1] += values
                for item, *cell in failed:
                    if item in of_bank:
                        totals[rows.get((name, examinee, *cell), []), -1] += 1
    columns = ["done", "told", *(f"{quantity}_sum" for quantity in QUANTITIES), "failed"]
    seen = wanted.assign(**dict(zip(columns, totals.T, strict=True)))
    return seen.astype({"done": int, "failed": int, "told": int}), rates


def _unanswered(attempts: Any, done: Any) -> set[tuple[str, str, int]]:
    """Return item, condition and occasion of failed attempts that no answer came after."""
    if attempts.empty:
        return set()
    answers = done[done["item_hash"].isin(attempts["item_hash"])]
    failed, answered = (
        set(zip(table["item_hash"], table["condition"], table["occasion"], strict=True))
        for table in (attempts, answers)
    )
    return failed - answered


def _rate(at: NDArray[np.float64]) -> float:
    """Answers a second in the last minutes; 0 if there were too few."""
    clock = time.time()
    recent = at[at > clock - _RECENT_S]
    if len(recent) < _ENOUGH:
        return 0.0
    return len(recent) / max(1.0, clock - float(recent.min()))


def _with_tokens(outline: pd.DataFrame) -> pd.DataFrame:
    usage = [read_and_written(json.loads(text)) for text in outline.pop("tokens")]
    read = np.array([r for r, _ in usage], float)
    output = np.array([w for _, w in usage], float)
    return outline.assign(
        tokens_in=read, tokens_out=output, told=(read + output > 0).astype(int),
        cost=outline["cost"].astype(float).fillna(0.0), seconds=outline["latency_s"].astype(float),
        at=pd.to_datetime(outline["created"], format="ISO8601", utc=True).astype("int64") / 1e9
        if len(outline) else 0.0,
    )  # fmt: skip


def per_answer(seen: Any) -> pd.DataFrame:
    """Return the expected tokens, cost and time of an answer of each row.

    A cell with enough answers has their mean. Otherwise the earlier estimate is multiplied by the
    ratio of observed to estimated values: of the examinee under the condition, of the examinee, or
    of all, whichever first has enough answers.
    """
    cell = _groups(seen, ["bank", "examinee", "condition"])
    levels = [_groups(seen, names) for names in (["examinee", "condition"], ["examinee"], [])]
    columns = {}
    for quantity in QUANTITIES:
        count = seen["done" if quantity in ("cost", "seconds") else "told"].to_numpy(float)
        prior, total = seen[quantity].to_numpy(float), seen[f"{quantity}_sum"].to_numpy(float)
        factor = np.full(len(seen), np.nan)
        for level in levels:
            answers, sums, estimates = (_sums(v, level) for v in (count, total, prior * count))
            measurable = (answers >= _ENOUGH) & (estimates > 0) & np.isnan(factor)
            factor[measurable] = sums[measurable] / estimates[measurable]
        corrected = prior * np.where(np.isnan(factor), 1.0, factor)
        n = _sums(count, cell)
        mean = _sums(total, cell) / np.maximum(n, 1)
        columns[quantity] = np.where(n >= _ENOUGH_OF_CELL, mean, corrected)
    return pd.DataFrame(columns, index=seen.index)


def _groups(seen: Any, names: list[str]) -> NDArray[np.intp]:
    """Return the number of each row's group, of the rows that agree in the columns named."""
    groups = np.zeros(len(seen), np.intp)
    for name in names:
        codes, values = pd.factorize(seen[name])
        # Renumbered, so that numbers stay below that of the rows.
        groups = np.unique(groups * len(values) + codes, return_inverse=True)[1].reshape(-1)
    return groups


def _sums(values: NDArray[np.float64], groups: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return for each row the sum of its group; what is missing adds nothing."""
    return np.bincount(groups, np.nan_to_num(values)).astype(float)[groups]


def project(seen: Any) -> pd.DataFrame:
    """Return `seen` with the expected rest: `wanted`, `left`, `requests`, `tokens_in_left`,
    `tokens_out_left`, `cost_left`."""
    each = per_answer(seen)
    wanted = seen["items"]
    left = (wanted - seen["done"]).clip(lower=0)
    return seen.assign(
        wanted=wanted, left=left, requests=(left * seen["rounds"]).round().astype(int),
        tokens_in_left=left * each["tokens_in"], tokens_out_left=left * each["tokens_out"],
        cost_left=left * each["cost"], seconds_left=left * each["seconds"],
    )  # fmt: skip


def hours_left(campaign: Open, rows: Any, rates: Mapping[str, float]) -> float | None:
    """Return the hours that the rest takes: those of the slowest server or model, because all are
    asked at once.

    `rates` are answers per second of examinees that are being asked. The time of others follows
    from their limits and the time of one answer, that of batches from the vendors' window. None if
    only examinees that compute here are left and none was timed.
    """
    seconds: list[float] = []
    by_server: dict[str, list[float]] = {}
    for entry in campaign.file.models:
        part = rows[rows["model"] == entry.name]
        left = part["left"].sum()
        if not left:
            continue
        name = campaign.names[entry.name]
        if entry.server and entry.server.batch:
            seconds.append(BATCH_WINDOW_S)
        elif name in rates:
            seconds.append(left / rates[name])
        elif entry.server:
            seconds.append(_limited(part, entry.limits, entry.endpoint.max_in_flight))
            totals = by_server.setdefault(entry.server.name, [0.0, 0.0, 0.0])
            sums = (["requests"], ["tokens_in_left", "tokens_out_left"], ["seconds_left"])
            for k, column in enumerate(sums):
                totals[k] += float(np.sum(part[column].to_numpy()))
        elif part["seconds_left"].sum() > 0:
            seconds.append(float(part["seconds_left"].sum()))
    servers = {e.server.name: e.server.endpoint for e in campaign.file.models if e.server}
    for name, (requests, tokens, spent) in by_server.items():
        end = servers[name]
        seconds += [requests / end.rpm * 60 if end.rpm else 0.0]
        seconds += [tokens / end.tpm * 60 if end.tpm else 0.0, spent / end.max_in_flight]
    left_at_all = rows["left"].sum()
    return max(seconds) / 3600 if seconds else (None if left_at_all else 0.0)


def _limited(part: Any, limits: Mapping[str, int], at_once: int) -> float:
    tokens = part["tokens_in_left"].sum() + part["tokens_out_left"].sum()
    rpm, tpm = limits.get("rpm"), limits.get("tpm")
    return max(
        part["requests"].sum() / rpm * 60 if rpm else 0.0,
        tokens / tpm * 60 if tpm else 0.0,
        part["seconds_left"].sum() / at_once,
    )
