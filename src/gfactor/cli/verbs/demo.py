"""gfactor demo: build a bank, administer it, score and report, offline, in one command."""

from __future__ import annotations

import time
from pathlib import Path

import click
import joblib

from gfactor.administration import Journal, run
from gfactor.api.progress import counter, progress
from gfactor.benchmarks import build
from gfactor.benchmarks.percept_v.options import parse_seed
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, jobs_option
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


@click.command("demo")
@click.option(
    "-o",
    "--output",
    type=PATH,
    default=Path("demo"),
    show_default=True,
    metavar="DIR",
    help="Folder for the bank, the journal and the report; made where it does not exist.",
)
@click.option("--seed", default="7", show_default=True, metavar="N", help="Seed of the bank.")
@jobs_option("Processes; by default one per core.", default=None)
@json_option
def command(output: Path, seed: str, jobs: int | None, as_json: bool) -> None:
    """Build a bank, administer it, score and report: everything, offline.

    Builds the audited edition of Percept-V (6,000 items), has the ideal observer, the trivial
    baselines and a population of 14 limited observers answer one item of every domain and size
    (600), and writes a report. Called again, it goes on where it was stopped.

    \b
    Example:
      gfactor demo -o demo/
    """
    started = time.perf_counter()
    workers = jobs or joblib.cpu_count()
    number = parse_seed(seed)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(
            f"cannot make the folder {str(output)!r}: {error.strerror}; name another with -o"
        ) from error
    bank = ItemBank.open(_bank(output / "percept_v.parquet", number, workers))
    asked = bank.sample(per=("domain", "size"), n=1, seed=0)
    with Journal.open(str(output / f"journal-{number}.db")) as journal:
        for spec in (*TRIVIAL, *POPULATION):
            # The baselines learn from the whole bank: from one item a cell they would know all.
            examinee = make_examinee(spec, bank=bank, jobs=workers)
            with counter(len(asked), examinee.name) as bar:
                run(asked, examinee, journal, progress=bar.update)
        results = Results.from_journal(journal)
    written = write_report(results, output / "report")
    seconds = time.perf_counter() - started
    if as_json:
        put_json({
            "bank": str(bank.path), "items": len(bank), "asked": len(asked),
            "examinees": len(TRIVIAL) + len(POPULATION), "report": str(written.path),
            "seconds": round(seconds, 1),
        })  # fmt: skip
        return
    say(
        f"{len(bank):,} items built; {len(TRIVIAL) + len(POPULATION)} examinees answered "
        f"{len(asked):,} of them each; {seconds:.0f} s"
    )
    say(f"open {written.path.resolve()}")


def _bank(path: Path, seed: int, jobs: int) -> Path:
    """The demo's bank: the one that is there if it has this seed, else a new one."""
    if path.exists() and ItemBank.open(path).metadata.get("seed") == seed:
        return path
    build("percept-v", path, jobs=jobs, watch=progress, seed=seed)
    return path
