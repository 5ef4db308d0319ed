"""Questions of a campaign, and the expected size of an answer before anything is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import joblib
import numpy as np
import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.asking.cells import BankCell
from gfactor.administration.asking.cost_estimates import (
    PricedModel,
    assumed_tokens,
    tokens_of_rounds,
)
from gfactor.administration.asking.order import keyed_order
from gfactor.administration.asking.questions import check_accepted
from gfactor.administration.sharing.ledger import Ledger
from gfactor.administration.storing.stops import Budgets
from gfactor.api.asking.administering import ITEMS_PER_JOB
from gfactor.api.campaign.declaring import BankEntry, CampaignFile, ModelEntry
from gfactor.api.inputs.progress_bars import progress
from gfactor.benchmarks import BENCHMARKS
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee, make_examinee
from gfactor.examinees.http import OPENAI, VENDORS, Budget, read_key
from gfactor.examinees.http.endpoint import address_of, vendors_key
from gfactor.examinees.http.limits import Limits
from gfactor.examinees.http.pricing import OUTPUT_TOKENS, TokenPrice
from gfactor.items import ItemBank
from gfactor.items.building import build_bank

_SAMPLED = 60
"""So many items of a bank, in random order, are rendered to estimate the tokens of all."""

_TOKENS_A_SECOND, _FIRST_TOKEN_S = 50, 1.0
"""Assumed speed of a model as long as the journal has no answer of it."""

Make = Callable[[ModelEntry, ItemBank | None, Budget | None], Examinee]


@dataclass(frozen=True)
class Open:
    """A campaign whose banks are open and whose conditions have their materials.

    Parameters
    ----------
    banks: the items that are asked, by the bank's name; `whole` has the banks they are a part of.
    names: examinees' names in the journal, by the model's name in the file.
    cells: cells to ask, by the file's (bank, model, condition).
    expected: a row per cell with bank, model, examinee, condition (the key in the journal), items,
        rounds, and per answer `tokens_in`, `tokens_out`, `cost`, `seconds` before anything is
        known.
    """

    file: CampaignFile
    banks: Mapping[str, ItemBank]
    whole: Mapping[str, ItemBank]
    names: Mapping[str, str]
    cells: Mapping[tuple[str, str, str], BankCell]
    expected: pd.DataFrame


def caps_of(file: CampaignFile) -> dict[str, float]:
    """Return the budgets of examinees, by their names in the journal."""
    return {make_plain(m).name: m.budget for m in file.models if m.budget is not None}


def budgets_of(file: CampaignFile) -> dict[str, Budgets]:
    """Return the budgets that each examinee must keep, by its name in the journal."""
    caps = caps_of(file)
    names = [make_plain(model).name for model in file.models if model.server]
    return {name: (caps.get(name), file.budget) for name in names}


def ledger_of(file: CampaignFile, journal: Journal) -> Ledger:
    """Return the accounts of a campaign: of its models over HTTP, all others cost nothing."""
    names = [make_plain(m).name for m in file.models if m.server]
    return Ledger(journal, names, caps_of(file), file.budget)


def open_campaign(
    file: CampaignFile, source: Journal | None = None, make: Make | None = None
) -> Open:
    """Open banks, building those that are missing, and prepare every condition.

    `source` is the open journal; with it, images are described now if a condition needs that.
    `make` makes the examinee that describes them; without `make` nobody is asked.

    Raises ParameterError, before anybody is asked, for parameters that a model is known to refuse.
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
            f"campaign file {str(file.path)!r}, models: two entries give the same examinee, "
            f"{sorted(twice)[0]!r}; leave one out"
        )
    make = make or make_plain
    entries = {entry.name: entry for entry in file.models}
    cells: dict[tuple[str, str, str], BankCell] = {}
    rows: list[dict[str, Any]] = []
    for _, model, key in file.cells:
        if entries[model].server:
            check_accepted(make_plain(entries[model]), file.given(file.conditions[key]).condition)
    pairs = list(dict.fromkeys((bank, key) for bank, _, key in file.cells))
    for bank, key in progress(pairs, len(pairs), "preparing conditions", "condition"):
        given = file.given(file.conditions[key])
        condition, materials = given.prepared(
            banks[bank], whole[bank], file.journal,
            lambda name: make(entries[name], None, None), lambda _, work: work(), source,
        )  # fmt: skip
        condition = materials.stamped(condition)
        cell = BankCell(banks[bank], condition, materials, file.occasions)
        models = [m for m in file.models if (bank, m.name, key) in set(file.cells)]
        cells |= {(bank, m.name, key): cell for m in models}
        rows += _expected(bank, cell, models, names, file.seed)
    order = {cell: n for n, cell in enumerate(file.cells)}
    cells = dict(sorted(cells.items(), key=lambda pair: order[pair[0]]))
    frame = pd.DataFrame(rows)
    names_of = zip(frame["bank"], frame["model"], frame["key"], strict=True)
    ranks = [order[cell] for cell in names_of]
    frame = frame.iloc[np.argsort(ranks)].drop(columns="key").reset_index(drop=True)
    return Open(file, banks, whole, names, cells, frame)


def _bank_of(entry: BankEntry) -> ItemBank:
    if entry.benchmark and not entry.path.exists():
        try:
            plan = BENCHMARKS[entry.benchmark].plan(**entry.options)
        except (TypeError, ValueError) as error:
            raise ParameterError(
                f"bank {entry.name!r} cannot be built: an option of {entry.benchmark} has a value "
                f"of the wrong type ({error}); `gfactor build {entry.benchmark} --help` lists them"
            ) from error
        build_bank(plan, entry.path, jobs=joblib.cpu_count(), watch=progress)
    return ItemBank.open(entry.path)


def _name_of(entry: ModelEntry, banks: Mapping[str, ItemBank]) -> str:
    return make_plain(entry, next(iter(banks.values()))).name


def make_plain(
    entry: ModelEntry, bank: ItemBank | None = None, budget: Budget | None = None, **more: Any
) -> Examinee:
    """Return the examinee of an entry. Without `key`, `shared` or a budget only its name can be
    used."""
    jobs = 1 if bank is None else min(joblib.cpu_count(), max(1, len(bank) // ITEMS_PER_JOB))
    context: dict[str, Any] = {"bank": bank, "jobs": jobs}
    if entry.server:
        endpoint = replace(entry.endpoint, key=more.pop("key", ""))
        context |= {"endpoint": endpoint, "budget": budget or Budget(entry.price), **more}
    return make_examinee(str(entry.spec), **context)


def key_of(entry: ModelEntry) -> str:
    """Return the key of a model's server, from the environment; raise ParameterError if it is not
    set."""
    if entry.server is None:
        return ""
    if entry.server.key_env:
        return read_key(entry.server.key_env)
    vendor = VENDORS.get(entry.spec.scheme, OPENAI)
    return vendors_key(address_of(entry.endpoint.base_url, vendor), vendor)


def shared_limits(file: CampaignFile) -> dict[str, Limits]:
    """Return the limits of every server, for all its models."""
    servers = {entry.server.name: entry.server.endpoint for entry in file.models if entry.server}
    return {n: Limits(e.max_in_flight, e.rpm, e.tpm) for n, e in servers.items()}


def _expected(
    bank: str, cell: BankCell, administered: list[ModelEntry], names: Mapping[str, str], seed: int
) -> list[dict[str, Any]]:
    """Return the expected tokens, cost and time of an answer of each model at the start."""
    frame = cell.bank.frame()
    first = dict(zip(frame["content_hash"], frame["id"], strict=True))
    order = keyed_order(first, seed)
    some = cell.bank.select([first[h] for h in order[:_SAMPLED]])
    reads = [m for m in administered if m.server]
    models = [PricedModel(m.spec.argument, m.price, m.endpoint.detail) for m in reads]
    if models:
        rounds, tokens = tokens_of_rounds(some, cell.condition, cell.materials, models)
    else:
        rounds, tokens = 1.0, []
    per_model = dict(zip((m.name for m in reads), tokens, strict=True))
    rows = []
    for entry in administered:
        thinking = entry.spec.parameters.get("thinking", "")
        written = rounds * assumed_tokens(entry.spec.argument, cell.condition, thinking)
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


def _key(cell: BankCell) -> str:
    return replace(cell.condition, sources=()).key


def _cost(price: TokenPrice | None, read: float, written: float) -> float:
    if price is None:
        return 0.0
    return (price.input * read + price.output * written) / 1e6
