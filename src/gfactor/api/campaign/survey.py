"""What a campaign asks, what its journal holds of it, and what the rest will take."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import joblib
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor import benchmarks
from gfactor.administration import Journal
from gfactor.administration.cells import Cell
from gfactor.administration.estimate import Model, assumed_tokens, tokens_of_rounds
from gfactor.administration.ledger import Ledger
from gfactor.administration.order import keyed_order
from gfactor.api.administering import ITEMS_PER_JOB
from gfactor.api.campaign.declaring import BankEntry, CampaignFile, ModelEntry
from gfactor.api.progress import progress
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee, make_examinee
from gfactor.examinees.http import Budget, read_key
from gfactor.examinees.http.endpoint import OPENAI_URL
from gfactor.examinees.http.limits import Limits
from gfactor.examinees.http.pricing import OUTPUT_TOKENS, Price, read_and_written
from gfactor.items import ItemBank

_SAMPLED = 60
"""So many items of a bank, in random order, are rendered to estimate the tokens of all."""

_ENOUGH_OF_CELL, _ENOUGH = 30, 5
"""So many answers make a mean of a cell; of a condition, a model or a server, a factor by which
estimates are corrected."""

_TOKENS_A_SECOND, _FIRST_TOKEN_S = 50, 1.0
"""How fast a model is taken to answer while the journal has no answer of it."""

_RECENT_S = 300.0
"""The rate of the last so many seconds tells how long the rest takes."""

QUANTITIES = ("tokens_in", "tokens_out", "cost", "seconds")

Make = Callable[[ModelEntry, ItemBank | None, Budget | None], Examinee]


@dataclass(frozen=True)
class Open:
    """A campaign whose banks are open and whose conditions have their materials.

    Parameters
    ----------
    banks: the items that are asked, by the bank's name; `whole` has the banks they are a part of.
    names: examinees' names in the journal, by the model's name in the file.
    cells: what is asked, by the file's (bank, model, condition).
    expected: a row per cell with bank, model, examinee, condition (the key in the journal), items,
        rounds, and per answer `tokens_in`, `tokens_out`, `cost`, `seconds` before anything is
        known.
    """

    file: CampaignFile
    banks: Mapping[str, ItemBank]
    whole: Mapping[str, ItemBank]
    names: Mapping[str, str]
    cells: Mapping[tuple[str, str, str], Cell]
    expected: pd.DataFrame


def caps_of(file: CampaignFile) -> dict[str, float]:
    """The budgets of examinees, by their names in the journal."""
    return {make_plain(m).name: m.budget for m in file.models if m.budget is not None}


def ledger_of(file: CampaignFile, journal: Journal) -> Ledger:
    """The accounts of a campaign: of its models over HTTP, all others cost nothing."""
    names = [make_plain(m).name for m in file.models if m.server]
    return Ledger(journal, names, caps_of(file), file.budget)


def open_campaign(
    file: CampaignFile, kept: Journal | None = None, make: Make | None = None
) -> Open:
    """Open banks, building those that are missing, and prepare every condition.

    `kept` is the journal, open: with it images are described now, where a condition wants it.
    `make` makes who describes; without it nobody is asked.
    """
    whole = {entry.name: _bank_of(entry) for entry in file.banks}
    banks = {
        entry.name: whole[entry.name].sample(n=entry.sample) if entry.sample else whole[entry.name]
        for entry in file.banks
    }
    names = {entry.name: _name_of(entry, banks) for entry in file.models}
    twice = {n for n in names.values() if list(names.values()).count(n) > 1}
    if twice:
        raise ParameterError(
            f"campaign file {str(file.path)!r}, models: two are the same examinee, "
            f"{sorted(twice)[0]!r}; leave one out"
        )
    make = make or make_plain
    entries = {entry.name: entry for entry in file.models}
    cells: dict[tuple[str, str, str], Cell] = {}
    rows: list[dict[str, Any]] = []
    pairs = list(dict.fromkeys((bank, key) for bank, _, key in file.cells))
    for bank, key in progress(pairs, len(pairs), "preparing conditions", "condition"):
        given = file.given(file.conditions[key])
        condition, materials = given.prepared(
            banks[bank], whole[bank], file.journal,
            lambda name: make(entries[name], None, None), lambda _, work: work(), kept,
        )  # fmt: skip
        condition = materials.stamped(condition)
        cell = Cell(banks[bank], condition, materials, file.occasions)
        asked = [m for m in file.models if (bank, m.name, key) in set(file.cells)]
        cells |= {(bank, m.name, key): cell for m in asked}
        rows += _expected(bank, cell, asked, names, file.seed)
    order = {cell: n for n, cell in enumerate(file.cells)}
    cells = dict(sorted(cells.items(), key=lambda pair: order[pair[0]]))
    frame = pd.DataFrame(rows)
    names_of = zip(frame["bank"], frame["model"], frame["key"], strict=True)
    ranks = [order[cell] for cell in names_of]
    frame = frame.iloc[np.argsort(ranks)].drop(columns="key").reset_index(drop=True)
    return Open(file, banks, whole, names, cells, frame)


def _bank_of(entry: BankEntry) -> ItemBank:
    if entry.benchmark and not entry.path.exists():
        benchmarks.build(
            entry.benchmark, entry.path, jobs=joblib.cpu_count(), watch=progress, **entry.options
        )
    return ItemBank.open(entry.path)


def _name_of(entry: ModelEntry, banks: Mapping[str, ItemBank]) -> str:
    return make_plain(entry, next(iter(banks.values()))).name


def make_plain(
    entry: ModelEntry, bank: ItemBank | None = None, budget: Budget | None = None, **more: Any
) -> Examinee:
    """The examinee of an entry; without `key`, `shared` or a budget it is good for its name."""
    jobs = 1 if bank is None else min(joblib.cpu_count(), max(1, len(bank) // ITEMS_PER_JOB))
    context: dict[str, Any] = {"bank": bank, "jobs": jobs}
    if entry.server:
        endpoint = replace(entry.endpoint, key=more.pop("key", ""))
        context |= {"endpoint": endpoint, "budget": budget or Budget(entry.price), **more}
    return make_examinee(str(entry.spec), **context)


def key_of(entry: ModelEntry) -> str:
    """The key of a model's server, from the environment; ParameterError where it is not set."""
    if entry.server is None:
        return ""
    name = entry.server.key_env
    if not name and entry.endpoint.base_url.rstrip("/") == OPENAI_URL:
        name = "OPENAI_API_KEY" if os.environ.get("OPENAI_API_KEY") else ""
    return read_key(name) if name else ""


def shared_limits(file: CampaignFile) -> dict[str, Limits]:
    """The limits of every server, for all its models."""
    servers = {entry.server.name: entry.server.endpoint for entry in file.models if entry.server}
    return {n: Limits(e.max_in_flight, e.rpm, e.tpm) for n, e in servers.items()}


def _expected(
    bank: str, cell: Cell, asked: list[ModelEntry], names: Mapping[str, str], seed: int
) -> list[dict[str, Any]]:
    """What an answer of each model takes before anything is known."""
    frame = cell.bank.frame()
    first = dict(zip(frame["content_hash"], frame["id"], strict=True))
    order = keyed_order(first, seed)
    some = cell.bank.select([first[h] for h in order[:_SAMPLED]])
    reads = [m for m in asked if m.server]
    models = [Model(m.spec.argument, m.price, m.endpoint.detail) for m in reads]
    if models:
        rounds, tokens = tokens_of_rounds(some, cell.condition, cell.materials, models)
    else:
        rounds, tokens = 1.0, []
    per_model = dict(zip((m.name for m in reads), tokens, strict=True))
    rows = []
    for entry in asked:
        written = rounds * assumed_tokens(entry.spec.argument, cell.condition)
        limit = dict(cell.condition.decoding).get("max_tokens")
        written = min(written, rounds * int(limit)) if limit is not None else written
        read, written = (per_model[entry.name], written) if entry.server else (0.0, 0.0)
        rows.append({
            "bank": bank, "model": entry.name, "key": _key(cell), "examinee": names[entry.name],
            "condition": cell.condition.key, "items": len(first), "rounds": rounds,
            "tokens_in": read, "tokens_out": written,
            "cost": _cost(entry.price, read, written),
            "cost_most": _cost(entry.price, read, OUTPUT_TOKENS if limit is None else int(limit)),
            "seconds": _FIRST_TOKEN_S + written / _TOKENS_A_SECOND if entry.server else 0.0,
        })  # fmt: skip
    return rows


def _key(cell: Cell) -> str:
    return replace(cell.condition, sources=()).key


def _cost(price: Price | None, read: float, written: float) -> float:
    if price is None:
        return 0.0
    return (price.input * read + price.output * written) / 1e6


def observe(campaign: Open, journal: Journal | None) -> tuple[pd.DataFrame, dict[str, float]]:
    """What the journal holds: a row per cell and occasion with what is done, failed and left, and
    the sums of what the answers took (`told` of them say their tokens); and the answers a second of
    the examinees that have answered in the last minutes."""
    occasions = range(campaign.file.occasions)
    wanted = campaign.expected.merge(pd.DataFrame({"occasion": list(occasions)}), how="cross")
    if journal is None:
        empty = dict.fromkeys(("done", "failed", "told"), 0)
        return wanted.assign(**empty, **{f"{q}_sum": 0.0 for q in QUANTITIES}), {}
    hashes = {n: set(b.frame()["content_hash"]) for n, b in campaign.banks.items()}
    parts, rates = [], {}
    for examinee in dict.fromkeys(campaign.names.values()):
        done = _with_tokens(journal.outline(examinee))
        if rate := _rate(done["at"].to_numpy(float)):
            rates[examinee] = rate
        vain = journal.outline(examinee, failed=True)[["item_hash", "condition", "occasion"]]
        vain = vain.drop_duplicates().merge(
            done[["item_hash", "condition", "occasion"]], how="left", indicator=True
        )
        vain = vain[vain["_merge"] == "left_only"]
        for name, of_bank in hashes.items():
            in_bank = done[done["item_hash"].isin(of_bank)]
            by = ["condition", "occasion"]
            counted = in_bank.groupby(by, as_index=False).agg(
                done=("item_hash", "size"), told=("told", "sum"),
                **{f"{q}_sum": (q, "sum") for q in QUANTITIES},
            )  # fmt: skip
            failed = vain[vain["item_hash"].isin(of_bank)].groupby(by, as_index=False).size()
            both = counted.merge(failed.rename(columns={"size": "failed"}), on=by, how="outer")
            parts.append(both.assign(examinee=examinee, bank=name))
    seen = pd.concat(parts, ignore_index=True)
    merged = wanted.merge(seen, on=["bank", "examinee", "condition", "occasion"], how="left")
    numbers = ["done", "failed", "told", *(f"{q}_sum" for q in QUANTITIES)]
    merged[numbers] = merged[numbers].astype(float).fillna(0.0)
    return merged.astype({"done": int, "failed": int, "told": int}), rates


def _rate(at: NDArray[np.float64]) -> float:
    """Answers a second in the last minutes; 0 where there were too few."""
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


def per_answer(seen: pd.DataFrame) -> pd.DataFrame:
    """What an answer of each row is expected to take, corrected by the answers there are.

    A cell with enough answers has their mean. Else the estimate made before is multiplied by how
    far the answers were from theirs: of the examinee under the condition, of the examinee, or of
    all, whichever is the first to have enough.
    """
    cell = seen.groupby(["bank", "examinee", "condition"], sort=False)
    levels = [["examinee", "condition"], ["examinee"], []]
    columns = {}
    for quantity in QUANTITIES:
        count = seen["done"] if quantity in ("cost", "seconds") else seen["told"]
        prior, total = seen[quantity], seen[f"{quantity}_sum"]
        factor = pd.Series(np.nan, seen.index)
        for level in levels:
            keys = [seen[name] for name in level] or [pd.Series(0, seen.index)]
            summed = [(s.groupby(keys).transform("sum")) for s in (count, total, prior * count)]
            known = (summed[0] >= _ENOUGH) & (summed[2] > 0) & factor.isna()
            factor = factor.mask(known, summed[1] / summed[2].where(summed[2] > 0))
        corrected = prior * factor.fillna(1.0)
        n = cell[count.name].transform("sum")
        mean = cell[f"{quantity}_sum"].transform("sum") / n.where(n > 0)
        columns[quantity] = mean.where(n >= _ENOUGH_OF_CELL, corrected)
    return pd.DataFrame(columns)


def project(seen: pd.DataFrame) -> pd.DataFrame:
    """`seen` with what is left and expected: `wanted`, `left`, `requests`, `tokens_in_left`,
    `tokens_out_left`, `cost_left`."""
    each = per_answer(seen)
    wanted = seen["items"]
    left = (wanted - seen["done"]).clip(lower=0)
    return seen.assign(
        wanted=wanted, left=left, requests=(left * seen["rounds"]).round().astype(int),
        tokens_in_left=left * each["tokens_in"], tokens_out_left=left * each["tokens_out"],
        cost_left=left * each["cost"], seconds_left=left * each["seconds"],
    )  # fmt: skip


def hours_left(campaign: Open, rows: pd.DataFrame, rates: Mapping[str, float]) -> float | None:
    """Hours that the rest takes: of the slowest server, or model, as all are asked at once.

    `rates` are answers a second of examinees that are being asked. Others are bound by limits and
    by how long an answer takes; None where all that is left computes and was never timed.
    """
    seconds: list[float] = []
    by_server: dict[str, list[float]] = {}
    for entry in campaign.file.models:
        part = rows[rows["model"] == entry.name]
        left = part["left"].sum()
        if not left:
            continue
        name = campaign.names[entry.name]
        if name in rates:
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


def _limited(part: pd.DataFrame, limits: Mapping[str, int], at_once: int) -> float:
    tokens = part["tokens_in_left"].sum() + part["tokens_out_left"].sum()
    rpm, tpm = limits.get("rpm"), limits.get("tpm")
    return max(
        part["requests"].sum() / rpm * 60 if rpm else 0.0,
        tokens / tpm * 60 if tpm else 0.0,
        part["seconds_left"].sum() / at_once,
    )
