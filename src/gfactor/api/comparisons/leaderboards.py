"""The leaderboard of journals: a static site, or a served one that follows them as they grow."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.storing.deviations import left_out_parameters, run_deviations
from gfactor.administration.storing.marked_people import PERSON, invalid_people
from gfactor.api.comparisons.leaderboard_serving import Leaderboard, Served
from gfactor.api.inputs.calls import option
from gfactor.api.inputs.progress_bars import counter, ticks
from gfactor.api.inputs.score_tables import Scores, as_table
from gfactor.api.inputs.scoring import Scoring, scoring_of
from gfactor.api.inputs.serving import Serving, ServingOptions, check_options
from gfactor.api.inputs.taking import BankLike, JournalLike, as_bank, opened, several
from gfactor.api.scales.calibrated import abilities_of, entries_of
from gfactor.api.scores.item_versions import several_contents
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.items import Image, ItemBank
from gfactor.parameters import Megabytes, Port
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM, checked_claim
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import read_calibration
from gfactor.psychometrics.norms import Norms, read_norms
from gfactor.reports.leaderboard.among_people import check_benchmarks, of_shares
from gfactor.reports.leaderboard.answers import Answers, items_of, read_answers
from gfactor.reports.leaderboard.imported_figures import ImportedFigures
from gfactor.reports.leaderboard.plan import SitePlan
from gfactor.reports.leaderboard.replies import Spool
from gfactor.reports.leaderboard.site import Site, write_site
from gfactor.reports.leaderboard.standings import boards
from gfactor.scoring.judging import judges
from gfactor.scoring.policies import BENCHMARKS_POLICY

SHARDS = 100
"""Data files of replies, about."""

FEWEST = 20
"""Items of a data file of replies at least."""

MEGABYTE = 1_000_000
STEPS = 7
"""Steps of writing, for progress bars."""


def leaderboard(
    journals: JournalLike | Sequence[JournalLike],
    folder: Path | str | None = None,
    *,
    banks: BankLike | Sequence[BankLike] = (),
    claim: str = DEFAULT_CLAIM,
    calibration: Calibration | Path | str | None = None,
    norms: Norms | Path | str | None = None,
    figures: Scores | None = None,
    title: str = "Leaderboard",
    people: str = "",
    judge: str = "",
    policy: str = BENCHMARKS_POLICY,
    megabytes: Megabytes = 15.0,
    serve: bool = False,
    host: str = "127.0.0.1",
    port: Port = 8200,
    ready: Callable[[str], None] | None = None,
    **web: Unpack[ServingOptions],
) -> Leaderboard:
    """Write a static site with the results of journals: rank sets, profiles, items, every reply.

    Each model has a rank set, an accuracy with interval, and chance, trivial baselines, observers
    and people for comparison. There is a page per model, a page per item, a page that compares any
    two models, and a search in replies. The site opens from disk and loads nothing from the
    network. Only sorting, filters, search and the choice of two models need its script. The same
    journals give the same bytes.

    Parameters
    ----------
    journals : Journal or path, or several
        Journals of runs, or their files. If two hold an answer to the same question, the first
        journal's answer is used.
    folder : path, optional
        Folder for the site; created if missing. It may be left out when the site is served.
    banks : list of ItemBank or paths
        Item banks with the pictures of the items, which journals do not store. They choose no
        items: all items of the journals count.
    claim : {"same-domains", "other-domains"}
        Population that intervals, differences and rank sets generalize to: other items of the same
        domains, or other domains. The other one stands in a column beside.
    calibration : Calibration or path, optional
        Calibration that `calibrate` returned, or its file. It adds abilities and curves of items.
    norms : Norms or path, optional
        Norms (the result of `gfactor.norms`), or their file. They give each run a percentile and a
        T score among people.
    figures : DataFrame, ImportedScores or path, optional
        Scores that others report (models x benchmarks, in a format of `import_scores`). They stand
        in a separate table without intervals and ranks, because there are no answers to items
        behind them.
    title : str
        Title of the site.
    people : str
        Source of the people's answers; by default the names of the journals that hold them.
    judge : str
        Judge whose verdicts are in the journals (`gfactor score --judge` asks it).
    policy : str
        As in `score`.
    megabytes : float
        Largest size of the site in megabytes, without pictures of items. Replies are shortened if
        it would be larger; the site says so.
    serve : bool
        Serve the site until interrupted, and write it again when the journals grow.
    host : str
        Address at which the site is served; this machine alone by default.
    port : int
        Port to listen at; 0 for any free port.
    ready : callable, optional
        Function that is called with the address once the site is served.
    **web : any
        Options for how browsers reach the site: `https`, `public_url`, `proxies` and
        `insecure_http`, as `ServingOptions` describes them.

    Returns
    -------
    Leaderboard
        `path` of the first page, `models`, `items`, `pages`, `bytes`.

    Raises
    ------
    JournalError
        If a journal cannot be read, or none holds an answer.
    ParameterError
        If the folder cannot be written, holds a page of something else, or is missing, or if others
        would reach the served site over plain HTTP.
    UnknownNameError
        For a judge whose verdicts no journal keeps.

    References
    ----------
    Mogstad, M., Romano, J. P., Shaikh, A. M., Wilhelm, D. (2024). Inference for ranks with
    applications to mobility across neighbourhoods and academic achievement across countries.
    Review of Economic Studies 91, 476-518.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> done = gf.leaderboard(journal, "site/", banks=[bank])
    >>> done.path.name, done.models, done.items
    ('index.html', 2, 10)
    """
    check_options(web)
    serving = Serving.of(host, port, ready, web) if serve else None
    given = several(journals)
    if folder is None and not serve:
        raise ParameterError(
            f"name the folder of the site with {option('folder')}, or {option('serve')} it"
        )
    making = making_of(
        given, banks, calibration, norms=norms, figures=figures, title=title, people=people,
        judge=judge, policy=policy, megabytes=megabytes, claim=claim,
    )  # fmt: skip
    if serving is None:
        assert folder is not None
        return making.write(Path(folder))
    with _folder(folder) as site:
        served = Served(making.size, making.write, site)
        return served.serve(serving)


def making_of(
    journals: Sequence[JournalLike],
    banks: BankLike | Sequence[BankLike] = (),
    calibration: Calibration | Path | str | None = None,
    *,
    norms: Norms | Path | str | None = None,
    figures: Scores | None = None,
    title: str = "Leaderboard",
    people: str = "",
    judge: str = "",
    policy: str = BENCHMARKS_POLICY,
    megabytes: Megabytes = 15,
    claim: str = DEFAULT_CLAIM,
) -> SiteInputs:
    """Return the inputs of a site, opened; the parameters are those of `leaderboard`."""
    if not journals:
        raise ParameterError("a leaderboard needs a journal")
    if checked_claim(claim) == "these-items":
        raise ParameterError(
            "a leaderboard has no ranks for the claim these-items; choose same-domains or "
            "other-domains"
        )
    loaded = calibration
    if loaded is not None and not isinstance(loaded, Calibration):
        loaded = read_calibration(loaded)
    opened_banks = tuple(map(as_bank, several(banks)))
    scoring = scoring_of((), None, None, policy, {})
    size = int(megabytes * MEGABYTE)
    among = norms if norms is None or isinstance(norms, Norms) else read_norms(norms)
    among = None if among is None else of_shares(among)
    elsewhere = None if figures is None else _figures(figures)
    return SiteInputs(
        tuple(journals),
        opened_banks,
        loaded,
        title,
        people,
        judge,
        scoring,
        size,
        among,
        claim,
        elsewhere,
    )


def _figures(given: Scores) -> ImportedFigures:
    table = as_table(given)
    source = Path(table.source).name if isinstance(given, Path | str) else "a table"
    return ImportedFigures(table.scores, source)


@contextmanager
def _folder(folder: Path | str | None) -> Iterator[Path]:
    """The folder, or one that is gone at the end."""
    if folder is not None:
        yield Path(folder)
        return
    with tempfile.TemporaryDirectory(prefix="gfactor-leaderboard-") as name:
        yield Path(name)


@dataclass(frozen=True)
class SiteInputs:
    """Inputs from which a site is written, as often as needed."""

    journals: tuple[JournalLike, ...]
    banks: tuple[ItemBank, ...]
    calibration: Calibration | None
    title: str
    people: str
    judge: str
    scoring: Scoring
    max_bytes: int
    norms: Norms | None = None
    claim: str = DEFAULT_CLAIM
    figures: ImportedFigures | None = None

    def size(self) -> tuple[tuple[int, int, int], ...]:
        """Return the sizes of the journals, which grow while answers arrive."""
        with ExitStack() as stack:
            return tuple(stack.enter_context(opened(one)).size() for one in self.journals)

    def write(self, folder: Path) -> Leaderboard:
        with ExitStack() as stack:
            open_journals = [stack.enter_context(opened(one)) for one in self.journals]
            temporary = stack.enter_context(tempfile.TemporaryDirectory(prefix="gfactor-"))
            site = self._write(open_journals, folder, Path(temporary))
        return Leaderboard(
            site.path, site.models, site.items, site.pages, site.bytes, site.picture_bytes,
            site.digest, site.warnings,
        )  # fmt: skip

    def _write(self, open_journals: Sequence[Journal], folder: Path, temporary: Path) -> Site:
        self._check_judge(open_journals)
        items = items_of(open_journals)
        spool = Spool(temporary, max(FEWEST, -(-len(items) // SHARDS)))
        names = {name for one in open_journals for name in one.examinees()}
        with counter(len(names) + STEPS, "leaderboard", "step") as bar:
            answers = read_answers(
                open_journals, spool, policy=self.scoring.policy, judge=self.judge, items=items,
                watch=ticks(bar), claim=self.claim,
            )  # fmt: skip
            answers = replace(answers, sources=tuple(_source_name(one) for one in open_journals))
            changed = several_contents(_answered_items(answers))
            ranked = boards(answers, claim=self.claim)
            if self.norms is not None:
                check_benchmarks(self.norms, {board.benchmark for board in ranked})
            plan = SitePlan(
                answers, spool, ranked, self.title, self.banks, _samples(open_journals),
                max_bytes=self.max_bytes, people=self.people or _people(open_journals),
                norms=self.norms,
                figures=self.figures, calibration=self.calibration,
                changes=(
                    *map(str, answers.unread.warning(answers.sources[0])),
                    *map(str, changed),
                    *(
                        str(note) for one in open_journals
                        for note in (*invalid_people(one, one.examinees()), *run_deviations(one))
                    ),
                ),
                left_out=tuple(run for one in open_journals for run in left_out_parameters(one)),
                **self._calibrated(open_journals, items),
            )  # fmt: skip
            return write_site(plan, folder, ticks(bar))

    def _check_judge(self, open_journals: Sequence[Journal]) -> None:
        available = (
            sorted({name for one in open_journals for name in judges(one)}) if self.judge else []
        )
        if self.judge and self.judge not in available:
            raise UnknownNameError("judge", self.judge, available)

    def _calibrated(self, open_journals: Sequence[Journal], items: pd.DataFrame) -> dict[str, Any]:
        """Abilities and the entries of items; nothing without a calibration."""
        if self.calibration is None:
            return {}
        scoring = replace(self.scoring, judge=None, judge_name=self.judge)
        tables = [abilities_of(one, scoring, self.calibration).table for one in open_journals]
        entries = entries_of(self.calibration, items.rename(index=str))
        return {
            "abilities": pd.concat(tables, ignore_index=True),
            "entries": {int(name): entry for name, entry in entries.items()},
        }


def _answered_items(answers: Answers) -> pd.DataFrame:
    """Items that a run has answered, as scored tables name their columns."""
    answered = pick(answers.items, np.isfinite(answers.scores).any(axis=1))
    return answered.rename(columns={"id": "item_id", "content_hash": "item_hash"})


def _source_name(journal: Journal) -> str:
    """A journal's name without the folders of this machine."""
    return journal.name if "://" in journal.name else Path(journal.name).name


def _people(journals: Sequence[Journal]) -> str:
    """The journals that hold answers of people."""
    sources = [_source_name(one) for one in journals
            if any(name.startswith(PERSON) for name in one.examinees())]  # fmt: skip
    return ", ".join(sources)


def _samples(journals: Sequence[Journal]) -> dict[str, tuple[Image, ...]]:
    """Pictures of the items that journals keep as samples."""
    return {
        sample.item_id: tuple(part for part in sample.content if isinstance(part, Image))
        for one in journals
        for sample in one.samples()
    }
