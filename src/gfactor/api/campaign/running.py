"""Running a campaign: one process's part in it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from gfactor.administration import Journal
from gfactor.administration.asking.batch_plan import BatchPlan
from gfactor.administration.asking.batch_rows import stored_batches
from gfactor.administration.asking.batches import administer_batches
from gfactor.administration.asking.cells import BankCell, administer_cells
from gfactor.administration.asking.cost_estimates import PricedModel, learned_tokens
from gfactor.administration.asking.interrupting import completed, first_error
from gfactor.administration.sharing.shared_budget import SharedBudget
from gfactor.administration.storing.failure_reasons import reasons_in_words
from gfactor.administration.storing.stops import forget_stops, note_stop
from gfactor.administration.storing.who_answered import model_changes
from gfactor.api.campaign.declaring import CampaignFile, ModelEntry, ServerEntry, read_campaign
from gfactor.api.campaign.looking import look
from gfactor.api.campaign.reporting import (
    BUDGET_REACHED,
    UNFINISHED,
    CampaignStatus,
    shares_of,
)
from gfactor.api.campaign.survey import (
    budgets_of,
    key_of,
    ledger_of,
    make_plain,
    open_campaign,
    shared_limits,
)
from gfactor.api.campaign.watching import Watch
from gfactor.api.inputs.files import journal_to_write
from gfactor.api.inputs.progress_bars import tell
from gfactor.errors import JournalError
from gfactor.examinees import Examinee
from gfactor.examinees.http import HttpExaminee
from gfactor.examinees.http.batches import batch_format
from gfactor.examinees.http.limits import CapReachedError, RunStoppedError

BEAT_SECONDS = 5.0
"""Between looks at how many processes share the campaign."""

_SHARE_OF_LOOKING = 0.02
"""Largest share of the time that goes into reading the journal for the progress display."""


def run(file: Path | str) -> CampaignStatus:
    """Ask all questions of a campaign that its journal does not yet hold, within its budgets.

    All models are asked at the same time, and each model gets its conditions and banks in turn, so
    that a campaign that is stopped early is balanced. A run that was stopped or killed continues
    when the function is called again. Several processes share the work and the budgets, on one
    machine, or on many machines with a journal on PostgreSQL. Progress is shown on a terminal, or
    as plain lines if the output is redirected.

    Parameters
    ----------
    file : path
        TOML file of the campaign.

    Returns
    -------
    CampaignStatus
        Result of `status`; `stopped` holds the models that were given up, with the reason.

    Raises
    ------
    GfactorError
        If a model or bank cannot be asked. This is checked before the first question.

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
    >>> gf.campaign.run("c.toml").facts["done"]
    10
    """
    declared = read_campaign(file)
    keys = {entry.name: key_of(entry) for entry in declared.models}
    with journal_to_write(declared.journal) as journal:
        return _CampaignRun(declared, keys, journal).work()


class _CampaignRun:
    """One process's part in a campaign."""

    def __init__(self, declared: CampaignFile, keys: Mapping[str, str], journal: Journal) -> None:
        self._journal, self._keys = journal, keys
        self._ledger = ledger_of(declared, journal)
        self._limits = shared_limits(declared)
        self._http_examinees: list[HttpExaminee] = []
        self._processes = 1
        self._stopped: dict[str, str] = {}
        self._budgets = budgets_of(declared)
        self._code = 0
        self._ledger.beat()
        try:
            self._campaign = open_campaign(declared, journal, self._make)
            self._watch = Watch(self._look())
        except BaseException:
            self._ledger.leave()
            raise

    def work(self) -> CampaignStatus:
        """Ask what is missing."""
        try:
            forget_stops(self._journal, self._budgets)
            completed(self._work())
            done = self._look()
            self._watch.show(done, last=True)
            for model, reasons in self._watch.failures().items():
                tell(f"{model}: {reasons.total():,} failed attempts: {reasons_in_words(reasons)}")
            for note in model_changes(self._journal, set(self._campaign.names.values())):
                tell(str(note))
        finally:
            self._watch.close()
            self._ledger.leave()
        if self._code and done.code:
            done = replace(done, code=self._code)
        return replace(done, processes=max(0, done.processes - 1))

    def _look(self) -> CampaignStatus:
        seen = look(self._campaign, self._journal, self._ledger, self._stopped)
        self._ledger.shares = shares_of(seen)
        return seen

    async def _work(self) -> None:
        one_by_one = asyncio.Lock()
        watching = asyncio.create_task(self._keep_watch())
        try:
            async with asyncio.TaskGroup() as models:
                for entry in self._campaign.file.models:
                    models.create_task(self._ask(entry, one_by_one))
        except BaseExceptionGroup as group:
            raise first_error(group) from None
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching

    async def _ask(self, entry: ModelEntry, one_by_one: asyncio.Lock) -> None:
        """Ask one model all its cells; if it has to be given up, the others go on."""
        cells = [
            cell for (_, model, _), cell in self._campaign.cells.items() if model == entry.name
        ]
        if not cells:
            return
        try:
            if entry.server:
                await self._ask_cells(entry, cells)
                return
            # What computes has the processors for itself, and may learn from the bank it is given.
            for bank in dict.fromkeys(cell.bank for cell in cells):
                async with one_by_one:
                    await self._ask_cells(entry, [c for c in cells if c.bank is bank])
        except RunStoppedError as error:
            reached = isinstance(error, CapReachedError)
            self._stopped[entry.name] = str(error)
            if reached:
                name = self._campaign.names[entry.name]
                note_stop(self._journal, name, str(error), self._budgets[name])
            self._code = max(self._code, BUDGET_REACHED if reached else UNFINISHED)
            tell(_of_model(entry.name, self._campaign.names[entry.name], str(error)))

    async def _ask_cells(self, entry: ModelEntry, cells: list[BankCell]) -> None:
        examinee = self._make(entry, cells[0].bank)
        try:
            if isinstance(examinee, HttpExaminee):
                await asyncio.to_thread(self._teach, examinee, cells)
                self._http_examinees.append(examinee)
                examinee.limits.divide(self._processes)
            seed = self._campaign.file.seed
            how: dict[str, Any] = {
                "tell": tell,
                "progress": partial(self._watch.count, entry.name),
                "on_stored": partial(self._watch.note, entry.name),
            }
            if entry.server is None or not entry.server.batch:
                await administer_cells(examinee, cells, self._journal, seed, **how)
            else:
                await self._ask_in_batches(entry, entry.server, examinee, cells, how)
            for note in getattr(examinee, "notes", ()):
                tell(f"{entry.name}: {note}")
        finally:
            await examinee.close()

    async def _ask_in_batches(
        self,
        entry: ModelEntry,
        server: ServerEntry,
        examinee: Examinee,
        cells: list[BankCell],
        how: dict[str, Any],
    ) -> None:
        assert isinstance(examinee, HttpExaminee)
        api = batch_format(server.batch, examinee.endpoint)
        batches = BatchPlan(
            api, entry.price, examinee.dialect, server.batch_size, server.poll_s,
            server.batch_tokens, server.batch_search_s, examinee.budget, server.batch_wait_s,
            server.given_up,
        )  # fmt: skip
        seed = self._campaign.file.seed
        what = examinee, cells, self._journal, self._ledger, batches, seed
        try:
            await administer_batches(*what, **how)
        except asyncio.CancelledError:
            open_batches = stored_batches(self._journal, examinee.name, examinee.dialect.current)
            if open_batches:
                tell(_going_on(entry.name, [len(batch.keys) for batch in open_batches]))
            raise

    def _make(self, entry: ModelEntry, bank: Any = None, _: Any = None) -> Examinee:
        if entry.server is None:
            return make_plain(entry, bank)
        budget = SharedBudget(entry.price, self._ledger, make_plain(entry).name)
        shared = self._limits[entry.server.name]
        return make_plain(entry, bank, budget, key=self._keys[entry.name], shared=shared)

    def _teach(self, examinee: HttpExaminee, cells: list[BankCell]) -> None:
        """Let a budget know what answers in the journal took."""
        if examinee.budget.price is None:
            return
        usage = self._journal.usage(examinee.name)
        model = PricedModel(examinee.endpoint.model, None, examinee.endpoint.detail)
        for cell in cells:
            how = cell.bank, cell.condition, cell.materials, model
            for took, tokens in learned_tokens(*how, usage):
                examinee.budget.learn(took, tokens)

    async def _keep_watch(self) -> None:
        """Renew this process's sign of life, share limits with others, show the progress."""
        next_look = time.monotonic() + BEAT_SECONDS
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            with suppress(JournalError):
                processes = await asyncio.to_thread(self._ledger.beat)
                if processes != self._processes:
                    self._processes = processes
                    own_limits = [examinee.limits for examinee in self._http_examinees]
                    for limits in (*self._limits.values(), *own_limits):
                        limits.divide(processes)
                if time.monotonic() >= next_look:
                    began = time.monotonic()
                    self._watch.show(await asyncio.to_thread(self._look))
                    took = time.monotonic() - began
                    next_look = began + max(BEAT_SECONDS, took / _SHARE_OF_LOOKING)


def _going_on(model: str, sizes: Sequence[int]) -> str:
    """Say that submitted batches go on while no process looks after them."""
    batches = "1 batch" if len(sizes) == 1 else f"{len(sizes):,} batches"
    return (
        f"{model}: {sum(sizes):,} questions in {batches} were submitted; the vendor goes on "
        "answering and charging them; run the same command again to collect the answers"
    )


def _of_model(model: str, examinee: str, sentence: str) -> str:
    """Return a sentence with the model's name before it, unless it names the examinee itself."""
    plain = sentence.removeprefix(f"{examinee}: ")
    return plain if plain.startswith(examinee) else f"{model}: {plain}"
