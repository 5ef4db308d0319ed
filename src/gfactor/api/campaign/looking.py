"""Planning a campaign and looking at it; nobody is asked."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from gfactor.administration import Journal
from gfactor.administration.asking.batch_rows import batches_in_progress
from gfactor.administration.sharing.accounts import Account
from gfactor.administration.sharing.ledger import Ledger
from gfactor.administration.storing.deviations import run_deviations
from gfactor.administration.storing.stops import noted_stops
from gfactor.api.campaign.declaring import CampaignFile, read_campaign
from gfactor.api.campaign.projecting import hours_left, observe, project
from gfactor.api.campaign.reporting import (
    CampaignPlan,
    CampaignStatus,
    plan_of,
    status_of,
)
from gfactor.api.campaign.survey import (
    Open,
    budgets_of,
    caps_of,
    ledger_of,
    open_campaign,
)
from gfactor.errors import JournalError


def plan(file: Path | str) -> CampaignPlan:
    """Estimate the questions, cost and time of a campaign without asking anything.

    Banks that the file describes are built. Questions that are answered in the journal are not
    counted; their tokens and times improve the estimate for the others.

    Parameters
    ----------
    file : path
        TOML file of the campaign; docs/campaigns.md describes its content.

    Returns
    -------
    CampaignPlan
        `cells` (a row per bank, model, condition and occasion), `hours`, and the basis of the
        estimates.

    Raises
    ------
    ParameterError
        If something in the file is unknown, missing or given twice.

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
    ... [[models]]
    ... spec = "baseline:random"
    ... [conditions]
    ... images = ["shown", "removed"]
    ... ''')
    >>> gf.campaign.plan("c.toml").facts["answers"]
    40
    """
    declared = read_campaign(file)
    campaign = open_campaign(declared)
    journal = journal_of(declared)
    with journal or nullcontext():
        seen, rates = observe(campaign, journal)
        spent = 0.0
        if journal is not None:
            accounts = ledger_of(declared, journal).accounts()
            spent = sum(one.spent for one in accounts.values())
    rows = project(seen)
    priced = {entry.name for entry in declared.models if entry.price is not None}
    hours = hours_left(campaign, rows, rates)
    return plan_of(declared.name, rows, hours, declared.budget, priced, spent)


def status(file: Path | str) -> CampaignStatus:
    """Report the progress of a campaign from its journal, without asking anything.

    Parameters
    ----------
    file : path
        TOML file of the campaign.

    Returns
    -------
    CampaignStatus
        `cells` (numbers of answers that are done, failed and left), `accounts` (money), `hours`
        left, and an exit `code`.

    Raises
    ------
    ParameterError
        If something in the file is unknown, missing or given twice.

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
    >>> gf.campaign.status("c.toml").facts["left"]
    10
    """
    declared = read_campaign(file)
    campaign = open_campaign(declared)
    journal = journal_of(declared)
    with journal or nullcontext():
        return look_closely(campaign, journal)


def look_closely(campaign: Open, journal: Journal | None) -> CampaignStatus:
    """Return the status of an open campaign, with the runs that were not answered as asked."""
    seen = look(campaign, journal)
    if journal is None:
        return seen
    not_as_asked = run_deviations(journal, set(campaign.names.values()))
    return replace(seen, diagnostics=(*seen.diagnostics, *not_as_asked))


def look(
    campaign: Open,
    journal: Journal | None,
    ledger: Ledger | None = None,
    stopped: Mapping[str, str] | None = None,
) -> CampaignStatus:
    """Return the status of an open campaign."""
    declared = campaign.file
    seen, rates = observe(campaign, journal)
    rows = project(seen)
    money: Mapping[str, Account] = {}
    reached: Mapping[str, str] = {}
    processes, batches = 0, None
    if journal is not None:
        batches = batches_in_progress(journal)
        ledger = ledger or ledger_of(declared, journal)
        money, processes = ledger.accounts(), ledger.at_work()
        by_examinee = noted_stops(journal, budgets_of(declared))
        reached = {m: by_examinee[e] for m, e in campaign.names.items() if e in by_examinee}
    hours = hours_left(campaign, rows, rates if processes else {})
    return status_of(
        declared.name, rows, hours, money, caps_of(declared), declared.budget, processes,
        {**reached, **(stopped or {})}, reached, batches,
    )  # fmt: skip


def journal_of(declared: CampaignFile) -> Journal | None:
    """Return the journal to read from; None if it does not exist yet."""
    if "://" not in declared.journal and not Path(declared.journal).exists():
        return None
    try:
        return Journal.open(declared.journal, create=False)
    except JournalError:
        if "://" in declared.journal:
            return Journal.open(declared.journal)
        raise
