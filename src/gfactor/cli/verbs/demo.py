"""gfactor demo: build, run, score and report an example offline, in one command."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, jobs_option

HEADING = "Tools"


@click.command("demo")
@click.option(
    "-o",
    "--output",
    type=PATH,
    default=Path("demo"),
    show_default=True,
    metavar="DIR",
    help="Folder for all files; made if it does not exist.",
)
@click.option("--seed", default="7", show_default=True, metavar="N", help="Seed of the bank.")
@jobs_option("Number of processes (default one per core).", default=None)
@json_option
def command(output: Path, seed: str, jobs: int | None, as_json: bool) -> None:
    """Build a test, have simulated examinees answer it, and write a page with the results.

    Builds the audited edition of Percept-V (6,000 items), has the ideal observer, the trivial
    baselines and a population of 14 limited observers answer one item of every domain and size
    (600), makes an adaptive profile of one observer, and writes a report, a leaderboard and
    index.html, which leads to both. Then it places three real models by 60 of their recorded
    answers, beside their true scores. Called again, it goes on where it was stopped.

    \b
    Example:
      gfactor demo -o demo/

    Python: gfactor.demo("demo/")
    """
    from gfactor.api.demonstration import demo
    from gfactor.benchmarks.percept_v.options import parse_seed

    done = demo(output, seed=parse_seed(seed), jobs=jobs)
    if as_json:
        put_json(done.to_dict())
        return
    say(
        f"Percept-V: {done.items:,} items drawn from seed {seed}; {done.examinees} simulated "
        f"examinees answered {done.asked:,} of them each; {done.seconds:.0f} s"
    )
    for sentence in done.results:
        say(f"- {sentence}")
    say(f"open {Path(done.page).resolve()}")
