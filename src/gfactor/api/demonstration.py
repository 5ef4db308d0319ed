"""A bank, a population of examinees, a report and a leaderboard, offline, in one call."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import joblib
import pandas as pd

from gfactor.administration import Journal
from gfactor.administration import run as administer
from gfactor.api.asking.profiling import profile
from gfactor.api.comparisons.leaderboards import leaderboard
from gfactor.api.comparisons.placing import place
from gfactor.api.datasets.loading import load
from gfactor.api.inputs.progress_bars import counter, progress
from gfactor.benchmarks import build
from gfactor.errors import ParameterError
from gfactor.examinees import make_examinee
from gfactor.items import Item, ItemBank
from gfactor.parameters import Jobs
from gfactor.psychometrics.irt.scores.profiles import Profile
from gfactor.reports import Results, write_report
from gfactor.reports.pages.demo_page import DemoResults, PlacedModels, write_demo_page
from gfactor.reports.pages.profile import write_profile

TRIVIAL = ("observer:ideal", "baseline:random", "baseline:constant", "baseline:size-aware")

# Eyes from 20/20 to 20/90, contrast sensitivity from normal to a thirtieth, memory for 3 to 12
# objects: crossed so that no two parameters go together over the population.
POPULATION = tuple(
    f"observer:limited?acuity={acuity}&contrast={contrast}&capacity={capacity}&seed={seed}"
    for seed, (acuity, contrast, capacity) in enumerate(
        [
            (1.0, 1.0, 4),
            (1.0, 0.2, 8),
            (1.0, 0.04, 9),
            (0.9, 0.5, 12),
            (0.8, 0.03, 10),
            (0.8, 1.0, 3),
            (0.7, 0.3, 6),
            (0.5, 1.0, 10),
            (0.4, 0.05, 6),
            (0.35, 0.5, 12),
            (0.3, 0.2, 8),
            (0.3, 0.4, 4),
            (0.25, 1.0, 7),
            (0.22, 0.6, 11),
        ],
        start=1,
    )
)


PROFILED = (
    "observer:limited?acuity=0.45&contrast=0.09&capacity=2.5&retention=5&hypotheses=16&seed=2"
)
"""The observer whose profile is made."""

PLACED = ("Moondream2", "InternVL2-8B", "Qwen2-VL-72B-Instruct")
"""Real models that are placed by some of their recorded answers: a weak one to a strong one."""

SIZES = tuple(range(2, 20, 4))
"""Every fourth size of an item: enough for curves over size, and a result within a minute."""

_PICTURED = 6
"""Items that the page shows, one per domain."""


@dataclass(frozen=True)
class Demo:
    """Files and results of the demonstration.

    Parameters
    ----------
    bank, report, leaderboard, journal : str
        Files that were written.
    items, seed : int
        Number of items in the bank, and the seed from which they are drawn.
    asked : int
        Number of items that each examinee answered.
    examinees : int
        Number of examinees.
    seconds : float
        Duration, in seconds.
    page : str
        The page to open, which leads to all others.
    results : tuple of str
        Main results in plain words, with their intervals.
    """

    bank: str
    items: int
    asked: int
    examinees: int
    report: str
    leaderboard: str
    seconds: float
    journal: str
    page: str
    results: tuple[str, ...]
    seed: int

    def summary(self) -> str:
        """Return the numbers of answers, the results and the path of the page, as text."""
        first = (
            f"Percept-V: {self.items:,} items drawn from seed {self.seed}; {self.examinees} "
            f"simulated examinees answered {self.asked:,} of them each; {self.seconds:.0f} s"
        )
        results = [f"- {sentence}" for sentence in self.results]
        return "\n".join([first, *results, f"open {Path(self.page).resolve()}"])

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor demo --json`."""
        facts = asdict(self)
        return {name: facts[name] for name in facts if name != "journal"}


def demo(
    folder: Path | str = "demo",
    *,
    seed: int = 7,
    domains: tuple[str, ...] | list[str] | None = None,
    profile_items: int = 120,
    placed_items: int = 60,
    jobs: Jobs | None = None,
) -> Demo:
    """Build a bank, have simulated examinees answer it, and write a page with the results.

    The bank is the audited edition of Percept-V with every fourth size. The ideal observer, the
    trivial baselines and 14 limited observers answer one item of every domain and size, and one
    observer gets an adaptive profile. The results are a report, a leaderboard and `index.html`. The
    last step places three real models by a few of their recorded answers, beside their true scores.
    A demo that was stopped continues when it is called again. It uses no network.

    Parameters
    ----------
    folder : path
        Folder for all files; it is created if missing.
    seed : int
        Seed of the bank.
    domains : list of str, optional
        Domains of Percept-V to use; by default all thirty, with 1,500 items.
    profile_items : int
        Number of items of the adaptive profile; 0 for no profile.
    placed_items : int
        Number of recorded answers that place each of three real models; 0 for none.
    jobs : int, optional
        Number of processes (default one per core).

    Returns
    -------
    Demo
        `page` (the file to open), `results` (sentences), and the other files and counts.

    Raises
    ------
    ParameterError
        If the folder cannot be made, or the seed is negative.
    UnknownNameError
        For an unknown domain.

    Examples
    --------
    >>> import gfactor as gf
    >>> done = gf.demo("demo", domains=["change_colour"], profile_items=0, placed_items=0, jobs=1)
    >>> done.asked, done.examinees
    (5, 18)
    """
    started = time.perf_counter()
    folder, workers = Path(folder), jobs or joblib.cpu_count()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(
            f"cannot make the folder {str(folder)!r}: {error.strerror}; name another"
        ) from error
    bank = ItemBank.open(_bank(folder / "percept_v.parquet", seed, domains, workers))
    administered = bank.sample(per=("domain", "size"), n=1, seed=0)
    path = folder / f"journal-{seed}.db"
    with Journal.open(path) as journal:
        for spec in (*TRIVIAL, *POPULATION):
            # The baselines learn from the whole bank: from one item a cell they would know all.
            examinee = make_examinee(spec, bank=bank, jobs=workers)
            with counter(len(administered), examinee.name) as bar:
                administer(administered, examinee, journal, progress=bar.update)
        results = Results.from_journal(journal)
    written = write_report(results, folder / "report")
    board = leaderboard(path, folder / "leaderboard", banks=[bank], title="Percept-V")
    figures = DemoResults(
        items=len(bank),
        domains=len(set(map(str, bank.frame()["domain"]))),
        examinees=len(TRIVIAL) + len(POPULATION),
        asked=len(administered),
        standings=pd.read_csv(folder / "leaderboard" / "tables" / "board-1.csv"),
        profile=_profile(folder / "profile", profile_items, workers),
        placed=_placed(folder / "real-models", placed_items),
    )
    page = write_demo_page(folder, figures, _samples(administered), str(bank.path))
    return Demo(
        bank=str(bank.path),
        items=figures.items,
        asked=figures.asked,
        examinees=figures.examinees,
        report=str(written.path),
        leaderboard=str(board.path),
        seconds=round(time.perf_counter() - started, 1),
        journal=str(path),
        page=str(page),
        results=figures.sentences,
        seed=seed,
    )


def _profile(folder: Path, items: int, jobs: int) -> Profile | None:
    """Return the profile of `PROFILED`, with its page in a folder; None if it has no items."""
    if not items:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    measured = profile(PROFILED, journal=folder / "journal.db", max_items=items, jobs=jobs)
    write_profile(measured, folder)
    return measured


def _placed(folder: Path, items: int) -> PlacedModels | None:
    """Return `PLACED` among real models, with the page in a folder; None if there are no items."""
    if not items:
        return None
    recorded = load("vlm_items").answers.loc[list(PLACED)]
    placement = place(recorded, items=items, select="adaptive")
    placement.report(folder)
    return PlacedModels.of(placement, recorded)


def _samples(bank: ItemBank) -> list[Item]:
    """Return one item of middle size of each of a few domains, spread over all."""
    by_domain: dict[str, list[Item]] = {}
    for item in bank:
        by_domain.setdefault(str(item.labels["domain"]), []).append(item)
    step = max(1, len(by_domain) // _PICTURED)
    chosen = list(by_domain.values())[::step][:_PICTURED]
    return [sorted(items, key=lambda item: str(item.id))[len(items) // 3] for items in chosen]


def _bank(path: Path, seed: int, domains: Any, jobs: int) -> Path:
    """Return the demo's bank: the stored one if its seed and domains are these, else a new one."""
    chosen = {} if domains is None else {"domains": tuple(domains)}
    if path.exists():
        there = ItemBank.open(path)
        stored, sizes = (set(there.frame()[name]) for name in ("domain", "size"))
        same = stored == set(domains or stored) and sizes == set(SIZES)
        if there.metadata.get("seed") == seed and same:
            return path
    build("percept-v", path, jobs=jobs, watch=progress, seed=seed, sizes=SIZES, **chosen)
    return path
