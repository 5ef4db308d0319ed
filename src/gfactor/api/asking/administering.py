"""A campaign: examinees answer a bank under a condition, and a journal keeps every answer."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import joblib
import pandas as pd

from gfactor.administration import Condition, Journal, Materials, RunResult
from gfactor.administration import run as administer
from gfactor.administration.asking.preparing import Files, prepare
from gfactor.administration.asking.questions import check_accepted
from gfactor.administration.asking.stages import run_in_stages
from gfactor.administration.presenting.condition_text import read_condition
from gfactor.administration.presenting.unchanged import check_changes
from gfactor.administration.storing.opening import is_journal
from gfactor.administration.storing.who_answered import other_addresses
from gfactor.api.asking.run_reports import RunForecast, RunReport
from gfactor.api.asking.stopping import RunStopRule, what_is_decided
from gfactor.api.inputs.calls import in_command, option
from gfactor.api.inputs.files import journal_to_write
from gfactor.api.inputs.progress_bars import counter, tell
from gfactor.api.inputs.reach import Reach, ReachOptions, options_by_name, reach_of
from gfactor.api.inputs.taking import BankLike, JournalLike, address_of, as_bank, several
from gfactor.api.scores.answer_tokens import COLUMNS, tokens_in_words, tokens_taken
from gfactor.api.scores.answer_warnings import deviations_of_run, unread_replies_of_run
from gfactor.computing import workers
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee
from gfactor.examinees.http import HttpExaminee
from gfactor.items import ItemBank
from gfactor.parameters import Count, Jobs, Occasions
from gfactor.psychometrics.diagnostic import Diagnostic

_IN_MEMORY = "sqlite://"

ITEMS_PER_JOB = 200
"""Below this, starting another process costs more than it saves."""


class CampaignJournal(Journal):
    """The open journal that `run` returns; `results` has the outcome of the call for each
    examinee."""

    results: tuple[RunResult, ...] = ()
    decided: tuple[str, ...] = ()
    """One sentence for each rule of `until`: what it decided, or "" if it decided nothing."""
    report: RunReport | RunForecast | None = None
    """Report that `gfactor run` prints: `summary()`, `to_dict()`, `diagnostics`."""
    tokens: pd.DataFrame = pd.DataFrame(columns=COLUMNS)
    """Tokens that the examinees' answers in the journal took, a row per condition."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Warnings about replies that cannot be read."""

    @classmethod
    def of_run(cls, report: RunReport, journal: JournalLike) -> CampaignJournal:
        """Return the journal of a run, with its report."""
        opened = _opened(address_of(journal))
        opened.results, opened.decided = tuple(report.results), tuple(report.decided.values())
        opened.report, opened.tokens = report, report.tokens
        opened.diagnostics = tuple(report.diagnostics)
        return opened

    @classmethod
    def of_forecast(cls, forecast: RunForecast, journal: JournalLike) -> CampaignJournal:
        """Return the journal of a run that is forecast; an empty one in memory if there is none."""
        address = address_of(journal)
        opened = _opened(address if is_journal(address) else _IN_MEMORY)
        opened.name, opened.report = forecast.journal, forecast
        return opened

    def summary(self) -> str:
        """Return a line for every examinee of the call: numbers of questions asked, of answers
        stored before, and of failures."""
        if isinstance(self.report, RunForecast):
            return self.report.summary()
        decisions = [f"decided: {one}" if one else "undecided" for one in self.decided]
        lines = [f"journal {self.name}"]
        for one in self.results:
            more = [*one.notes, *tokens_in_words(self.tokens, one.examinee)]
            lines += [_line(one), *(f"  {text}" for text in more)]
        return "\n".join([*lines, *decisions, *map(str, self.diagnostics)])

    def __repr__(self) -> str:
        return self.summary()


def _opened(address: Path | str) -> CampaignJournal:
    opened = CampaignJournal.open(address, create=address == _IN_MEMORY)
    assert isinstance(opened, CampaignJournal)
    return opened


def run(
    bank: BankLike,
    examinees: Sequence[str] | str,
    *,
    journal: JournalLike,
    condition: Condition | str = "default",
    sample: Count | None = None,
    occasions: Occasions = 1,
    jobs: Jobs | None = None,
    packs: Sequence[Path | str] = (),
    captions: Path | str | None = None,
    captions_by: str | None = None,
    shots_from: Path | str | None = None,
    knowledge: Path | str | None = None,
    until: Sequence[str] | str = (),
    order_seed: int = 0,
    dry_run: bool = False,
    **reach: Unpack[ReachOptions],
) -> CampaignJournal:
    """Have examinees answer the items of a bank, and store every answer in a journal.

    Items that are answered in the journal are not asked again: a run that was stopped continues
    when it is called again. Several calls at the same time share the work. A progress bar is shown
    on a terminal and in a notebook.

    Parameters
    ----------
    bank : ItemBank or path
        Items to be answered: a bank or a part of one (`bank.sample(...)`, `bank.select(...)`).
    examinees : list of str
        Names of the examinees, as "SCHEME:NAME?key=value": "observer:ideal", "openai:gpt-4o".
    journal : path or URL
        Journal for the answers; it is created if missing.
    condition : str or Condition
        Condition under which items are presented: "images=removed,cot=on" or the name of a TOML
        file.
    sample : int, optional
        Number of items of each domain and size that are asked, always the same ones; by default
        all items.
    occasions : int
        Number of times that each item is asked, earlier answers in the journal included (default
        1).
    jobs : int, optional
        Number of processes for examinees that run on this machine, such as observers; by default
        one per 200 items, at most one per core.
    packs : list of paths
        Prompt packs (TOML) that replace sentences of the shipped packs; the first has priority.
    captions : path, optional
        File with a text for each image (CSV or JSON lines with image and text), for the conditions
        images=captioned and images=transcribed. With `captions_by`, the file in which its texts
        are stored.
    captions_by : str, optional
        Examinee that describes or transcribes the images without a text. Its texts are stored in
        JOURNAL.captions.jsonl, unless `captions` names a file.
    shots_from : path, optional
        Bank from which solved examples are taken, for conditions with shots=K (K examples). Items
        of the bank that is asked are never used as examples.
    knowledge : path, optional
        File with pieces of knowledge (CSV or JSON lines with label, value and text), for the
        condition knowledge=on.
    until : str or list of str
        Rule that stops the run as soon as it is decided: "A - B decided at 0.05", "ranking
        decided", "A above 0.7" or "A width below 0.1". If there are several rules, all must be
        decided. All examinees get the items in the same random order, and decisions are valid
        however often the data are looked at. In Python, `journal.decided` has them.
    order_seed : int
        Seed of the random order of the items under `until`.
    dry_run : bool
        Ask nothing, but estimate the number of questions, their tokens and their cost.
    **reach : any
        Options for models over HTTP: `base_url`, `key_env`, `key_file`, `detail`, `image_limit`,
        `rpm`, `tpm`, `max_in_flight`, `timeout` (seconds), `attempts`, `deadline` (seconds),
        `prices` (a TOML file), `max_cost`; see `ReachOptions`.

    Returns
    -------
    CampaignJournal
        The opened journal. `results` has one `RunResult` per examinee, and `report` has what the
        command prints (with `dry_run` a `RunForecast`; a journal that does not exist is not
        created then). A warning is given if attempts failed; the next call repeats them.

    Raises
    ------
    GfactorError
        If an examinee cannot be asked. This is checked before the first question, and no journal
        is then created.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal"], journal="c.db")
    >>> journal.results[0].asked
    10
    >>> gf.run(bank, ["observer:ideal"], journal="c.db").results[0].known
    10
    """
    reached = reach_of(reach, options_by_name(run))
    given = given_of(condition, packs, captions, captions_by, shots_from, knowledge)
    specs = (examinees,) if isinstance(examinees, str) else tuple(examinees)
    if not specs:
        raise ParameterError("a run needs an examinee; give one, such as 'observer:ideal'")
    campaign = Campaign.plan(as_bank(bank), specs, given, reached, sample, occasions, jobs)
    rules = campaign.rules((until,) if isinstance(until, str) else tuple(until))
    if order_seed and not rules:
        raise ParameterError(
            f"{option('order_seed')} is the order of the items under {option('until')}; give a "
            "rule, or leave it out"
        )
    name = str(address_of(journal))
    if dry_run:
        return CampaignJournal.of_forecast(RunForecast.of(campaign, name), journal)
    decisions: tuple[str, ...] = ()
    with journal_to_write(journal) as open_journal:
        if rules:
            results, decisions = campaign.ask_until(open_journal, rules, order_seed)
        else:
            results = campaign.ask(open_journal)
        unread = unread_replies_of_run(open_journal, results, campaign.administered.ids)
        notes = (*unread, *deviations_of_run(open_journal, results))
        tokens = tokens_taken(open_journal, [one.examinee for one in results])
    decided = dict(zip((rule.text for rule in rules), decisions, strict=True))
    spent = reached.spent if reached.prices else None
    report = RunReport(name, results, spent, decided, notes, tokens)
    _warn_of_failures(results)
    return CampaignJournal.of_run(report, journal)


def _warn_of_failures(results: Sequence[RunResult]) -> None:
    """Warn where attempts failed, unless a command is running, whose text says so."""
    failed = sum(r.failed + r.failed_elsewhere for r in results)
    if not failed or in_command():
        return
    last = next((r.detail for r in reversed(results) if r.detail), "")
    warnings.warn(
        f"{failed:,} attempts failed, the last with: {last}; call run again to ask them again",
        RuntimeWarning,
        stacklevel=4,
    )


@dataclass(frozen=True)
class Presentation:
    """A user's settings for the presentation of items."""

    condition: Condition
    files: Files
    captions_by: str | None

    def scaled_to(self, limit: str) -> Presentation:
        """Return the same settings, with images scaled down to a limit; unchanged if the limit is
        ""."""
        if not limit:
            return self
        return replace(self, condition=replace(self.condition, image_limit=limit))

    def prepared(
        self,
        administered: ItemBank,
        whole: ItemBank,
        journal: str,
        make: Callable[[str], Examinee],
        ask: Callable[[Examinee, Callable[[], Any]], Any],
        source: Journal | None = None,
        batch: bool = False,
    ) -> tuple[Condition, Materials]:
        """Prepare the condition and its materials for the items that will be asked.

        If the user named an examinee that describes images, they are described now. `make` makes an
        examinee, and `ask` runs a function that asks one and counts the cost. `source` is the open
        journal; without it no image is described. `batch` says that more items will follow.

        Raises ParameterError if condition, files and bank do not fit each other, and if the
        condition changes no item.
        """
        files = self.files
        if self.captions_by:
            files = replace(
                files,
                captions=files.captions or _beside(journal),
                captioner=make(self.captions_by),
            )

        def work() -> tuple[Condition, Materials]:
            with counter(administered.metadata["images"], "describing images", "image") as bar:
                return prepare(administered, self.condition, files, whole, bar.update, source, tell)

        condition, materials = ask(files.captioner, work) if files.captioner else work()
        if not batch and (note := check_changes(administered, condition, materials)):
            tell(note)
        return condition, materials


def given_of(
    condition: Condition | str,
    packs: Sequence[Path | str] = (),
    captions: Path | str | None = None,
    captions_by: str | None = None,
    shots_from: Path | str | None = None,
    knowledge: Path | str | None = None,
) -> Presentation:
    """Return the presentation of items that a condition (or its name) and the files for it
    describe."""
    how = condition if isinstance(condition, Condition) else read_condition(condition)
    files = Files(
        tuple(map(Path, several(packs))), _path(captions), None, _path(knowledge), _path(shots_from)
    )
    return Presentation(how, files, captions_by)


@dataclass(frozen=True)
class Campaign:
    """A planned run: examinees, questions, and access to models.

    Parameters
    ----------
    whole, administered: the bank, and the part of it that is asked.
    examinees: made, before any is asked: a typo in the last must not cost the time of the others.
    make: makes another, such as one that describes images.
    batch: True if the items are only some of those that the examinees will answer.
    """

    whole: ItemBank
    administered: ItemBank
    examinees: tuple[Examinee, ...]
    given: Presentation
    reach: Reach
    occasions: int
    make: Callable[[str], Examinee]
    batch: bool = False

    @classmethod
    def plan(
        cls,
        bank: ItemBank,
        specs: Sequence[str],
        given: Presentation,
        reach: Reach,
        sample: int | None = None,
        occasions: int = 1,
        jobs: int | None = None,
    ) -> Campaign:
        """Make the examinees of the specifications; ParameterError if one cannot be made."""
        administered = bank.sample(per=("domain", "size"), n=sample) if sample else bank
        # Not more than there is work for, unless somebody asked for more.
        enough = min(joblib.cpu_count(), max(1, len(administered) // ITEMS_PER_JOB))
        processes = jobs or (workers() if workers() > 1 else enough)
        make = functools.partial(reach.make, bank=bank, jobs=processes)
        reach.check((*specs, *filter(None, [given.captions_by])))
        examinees = tuple(make(spec) for spec in specs)
        return cls(
            bank, administered, examinees, given.scaled_to(reach.scaled_to), reach, occasions, make
        )

    def prepared(self, journal: str, source: Journal | None = None) -> tuple[Condition, Materials]:
        """Return the condition and its materials (`Given.prepared`).

        Raises ParameterError, before any image is described, if one of the examinees is known to
        refuse a parameter of the condition: the others are not asked either.
        """
        for examinee in self.examinees:
            check_accepted(examinee, self.given.condition)
        return self.given.prepared(
            self.administered, self.whole, journal, self.make, self.reach.ask, source, self.batch
        )

    def ask(self, journal: Journal) -> tuple[RunResult, ...]:
        """Have every examinee answer what the journal does not hold."""
        condition, materials = self.prepared(journal.name, journal)
        _tell_of_other_addresses(journal, self.examinees, materials.stamped(condition).key)
        results = (
            self.reach.ask(
                examinee,
                functools.partial(
                    _ask, self.administered, examinee, journal, condition, materials, self.occasions
                ),
            )
            for examinee in self.examinees
        )
        return _under(materials.stamped(condition).key, results)

    def rules(self, texts: Sequence[str]) -> tuple[RunStopRule, ...]:
        """Parse stop rules; raise ParameterError if a text is not a rule, or names no examinee of
        this run."""
        return tuple(RunStopRule.parse(text, [e.name for e in self.examinees]) for text in texts)

    def ask_until(
        self, journal: Journal, rules: Sequence[RunStopRule], order_seed: int = 0
    ) -> tuple[tuple[RunResult, ...], tuple[str, ...]]:
        """Have examinees answer the same items until all rules are decided; return decisions."""
        condition, materials = self.prepared(journal.name, journal)
        key = materials.stamped(condition).key
        _tell_of_other_addresses(journal, self.examinees, key)
        names, within = (
            [e.name for e in self.examinees],
            set(self.administered.frame()["content_hash"]),
        )
        decisions: list[str] = []

        def enough() -> bool:
            decisions[:] = what_is_decided(journal, rules, names, key, within, self.occasions)
            return all(decisions)

        for examinee in self.examinees:
            _learn(examinee, journal, key)
        wanted = len(within) * self.occasions * len(names)
        with counter(wanted, " and ".join(rule.text for rule in rules)) as bar:
            done = run_in_stages(
                self.administered, self.examinees, journal, condition, self.occasions, enough,
                order_seed=order_seed, materials=materials, account=self.reach.account,
                progress=bar.update, tell=tell,
            )  # fmt: skip
        return _under(key, done.results), tuple(decisions)


def _tell_of_other_addresses(
    journal: Journal, examinees: Iterable[Examinee], condition: str
) -> None:
    """Warn, before anything is asked, of models that the journal holds at another address."""
    for examinee in examinees:
        if addresses := other_addresses(journal, examinee.name, condition):
            at = " and ".join(one or "the vendor's own address" for one in addresses)
            tell(
                f"warning: {examinee.name} has no answer in {journal.name}, but the same model has "
                f"at {at}: another address is another examinee, and is asked everything. If the "
                "server is the same, stop with Ctrl-C and give that address."
            )


def _under(key: str, results: Iterable[RunResult]) -> tuple[RunResult, ...]:
    """Return results with the key of the condition under which they were asked."""
    return tuple(replace(one, condition=key) for one in results)


def _learn(examinee: Examinee, journal: Journal, condition: str) -> None:
    """Let a budget know what earlier answers took."""
    if isinstance(examinee, HttpExaminee) and examinee.budget.cap is not None:
        for _, key, usage in journal.usage(examinee.name):
            if key == condition:
                examinee.budget.learn(usage)


def _ask(
    bank: ItemBank,
    examinee: Examinee,
    journal: Journal,
    condition: Condition,
    materials: Materials,
    occasions: int,
) -> RunResult:
    _learn(examinee, journal, condition.key)
    with counter(len(bank) * occasions, examinee.name) as bar:
        return administer(
            bank, examinee, journal, condition, occasions, bar.update, materials, tell
        )


def _line(result: RunResult) -> str:
    answered = f", {result.known:,} known already" if result.known else ""
    failed = result.failed + result.failed_elsewhere
    lost = f", {failed:,} attempts failed" if failed else ""
    return f"{result.examinee}: {result.asked:,} asked{answered}{lost}"


def _path(given: Path | str | None) -> Path | None:
    return None if given is None else Path(given)


def _beside(journal: str) -> Path:
    if "://" in journal:
        raise ParameterError(
            "descriptions made by --captions-by are stored in a file, and the journal is on a "
            "server; name the file with --captions"
        )
    return Path(f"{journal}.captions.jsonl")
