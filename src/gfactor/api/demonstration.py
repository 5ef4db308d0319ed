"""A bank, a population of examinees, a report and a leaderboard, offline, in one call."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import joblib

from gfactor.administration import Journal
from gfactor.administration import run as administer
from gfactor.api.leaderboards import leaderboard
from gfactor.api.progress_bars import counter, progress
from gfactor.benchmarks import build
from gfactor.errors import ParameterError
from gfactor.examinees import make_examinee
from gfactor.items import ItemBank
from gfactor.reports import Results, write_report

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


@dataclass(frozen=True)
class Demo:
    """What the demonstration wrote.

    Parameters
    ----------
    bank, journal, report, leaderboard: the files.
    items: in the bank; `asked`: of these, by each of the `examinees`.
    seconds: of wall time.
    """

    bank: str
    items: int
    asked: int
    examinees: int
    report: str
    leaderboard: str
    seconds: float
    journal: str

    def to_dict(self) -> dict[str, Any]:
        """The document of `gfactor demo --json`."""
        facts = asdict(self)
        return {name: facts[name] for name in facts if name != "journal"}


def demo(
    folder: Path | str = "demo",
    *,
    seed: int = 7,
    domains: tuple[str, ...] | list[str] | None = None,
    jobs: int | None = None,
) -> Demo:
    """Build a bank, have a population of examinees answer it, write a report and a leaderboard.

    Builds the audited edition of Percept-V, has the ideal observer, the trivial baselines and a
    population of 14 limited observers answer one item of every domain and size, and writes a
    report and a leaderboard. Called again, it goes on where it was stopped; offline.

    Parameters
    ----------
    folder : path
        For the bank, the journal, the report and the leaderboard; made where it does not exist.
    seed : int
        Of the bank.
    domains : list of str, optional
        Only these domains of Percept-V; all thirty (6,000 items) where None.
    jobs : int, optional
        Processes; by default one per core.

    Returns
    -------
    Demo
        `bank`, `journal`, `report` and `leaderboard` (files), `items`, `asked`, `examinees`,
        `seconds`.

    Raises
    ------
    ParameterError
        Where the folder cannot be made, or the seed is negative.
    UnknownNameError
        For a domain that there is not.

    Examples
    --------
    >>> import gfactor as gf
    >>> done = gf.demo("demo", domains=["change_colour"], jobs=1)
    >>> done.asked, done.examinees
    (20, 18)
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
    asked = bank.sample(per=("domain", "size"), n=1, seed=0)
    path = folder / f"journal-{seed}.db"
    with Journal.open(path) as journal:
        for spec in (*TRIVIAL, *POPULATION):
            # The baselines learn from the whole bank: from one item a cell they would know all.
            examinee = make_examinee(spec, bank=bank, jobs=workers)
            with counter(len(asked), examinee.name) as bar:
                administer(asked, examinee, journal, progress=bar.update)
        results = Results.from_journal(journal)
    written = write_report(results, folder / "report")
    board = leaderboard(path, folder / "leaderboard", banks=[bank], title="Percept-V")
    return Demo(
        bank=str(bank.path),
        items=len(bank),
        asked=len(asked),
        examinees=len(TRIVIAL) + len(POPULATION),
        report=str(written.path),
        leaderboard=str(board.path),
        seconds=round(time.perf_counter() - started, 1),
        journal=str(path),
    )


def _bank(path: Path, seed: int, domains: Any, jobs: int) -> Path:
    """The demo's bank: the one that is there if it has this seed and these domains, else new."""
    chosen = {} if domains is None else {"domains": tuple(domains)}
    if path.exists():
        there = ItemBank.open(path)
        known = set(map(str, there.frame()["domain"]))
        if there.metadata.get("seed") == seed and known == set(domains or known):
            return path
    build("percept-v", path, jobs=jobs, watch=progress, seed=seed, **chosen)
    return path
