"""gfactor profile: measure the abilities of an examinee with an adaptive test."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gfactor.cli.backends import jobs_option
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.conditions import condition_options
from gfactor.cli.endpoints import endpoint_options
from gfactor.cli.options import NAME, PATH, level_option, norms_option, seed_option
from gfactor.cli.verbs.run import spare_the_collector
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.administering import Given
    from gfactor.api.reach import Reach

HEADING = "Asking models"


@click.command("profile")
@click.argument("specs", metavar="SPEC...", nargs=-1, required=True)
@click.option(
    "--abilities", default="", metavar="A,B", help="Abilities of the calibration; else all."
)
@click.option(
    "--se",
    type=click.FloatRange(min=0, min_open=True),
    default=0.4,
    show_default=True,
    metavar="SE",
    help="Standard error at which an ability is measured well enough, in standard deviations of "
    "the calibrated population.",
)
@click.option(
    "--se-change",
    type=click.FloatRange(min=0, min_open=True),
    metavar="D",
    help="Stop an ability when its standard error fell by less over five answers, in standard "
    "deviations.",
)
@click.option(
    "--cut",
    type=float,
    metavar="X",
    help="Stop an ability when its interval leaves out this value, in standard deviations from "
    "the middle of the calibrated population.",
)
@click.option(
    "--max-items",
    type=click.IntRange(min=1),
    default=400,
    show_default=True,
    metavar="N",
    help="Most items in all.",
)
@click.option(
    "--min-items",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Answers to each ability before --se can end it. More answers exclude more misfit, which "
    "a claim needs.",
)
@click.option(
    "--calibration",
    type=PATH,
    metavar="FILE",
    help="By design: a folder of gfactor calibrate --each ability, or one of its files.  [default: "
    "the shipped one, of simulated people]",
)
@click.option(
    "--bank",
    "banks",
    type=PATH,
    multiple=True,
    metavar="BANK",
    help="Ask stored items of a benchmark with a calibration of real models, such as "
    "--calibration real-vlm-2025, instead of making items. May be given several times.",
)
@click.option(
    "--people",
    type=NAME,
    metavar="JOURNAL",
    help="People (and models) who answered items of the same cells, shown beside.",
)
@norms_option
@click.option(
    "--rank",
    is_flag=True,
    help="Ask several SPECs until their order in each ability is decided, then stop.",
)
@level_option("With --rank: probability with which an ability's whole order is right.")
@seed_option("Seed of the items; another seed gives items that nobody has seen.")
@click.option("--twin", is_flag=True, help="Ask every scene in words, too: image against text.")
@click.option("--language", default="en", show_default=True, metavar="TAG", help="Of the items.")
@click.option(
    "--journal",
    type=NAME,
    metavar="FILE",
    help="Where items, steps and answers are kept.  [default: FOLDER/journal.db]",
)
@jobs_option(
    "Processes for examinees that compute; by default one per core, at most four.", default=None
)
@click.option(
    "-o",
    "--output",
    type=PATH,
    default=Path("profile"),
    show_default=True,
    metavar="FOLDER",
    help="Folder for the page, with JSON and CSV.",
)
@condition_options
@endpoint_options
@json_option
def command(
    specs: tuple[str, ...],
    abilities: str,
    se: float,
    se_change: float | None,
    cut: float | None,
    max_items: int,
    min_items: int,
    calibration: Path | None,
    banks: tuple[Path, ...],
    people: str | None,
    norms: Path | None,
    rank: bool,
    level: float,
    seed: int,
    twin: bool,
    language: str,
    journal: str | None,
    jobs: int | None,
    output: Path,
    given: Given,
    reach: Reach,
    as_json: bool,
) -> int:
    """Measure the abilities of SPEC with items that are made while it is asked.

    Each item is made where it is expected to tell most, and asked as gfactor run asks. What the
    journal holds is not asked again: the same command goes on where it was stopped. --max-cost ends
    the profile when the money is spent. Several SPECs are profiled one after the other, each into a
    folder of its own below FOLDER; with --rank they are asked until their order is decided.

    \b
    Example:
      gfactor profile observer:ideal --abilities EF --max-items 20 -o profile/
      gfactor profile openai:gpt-4o --prices prices.toml --max-cost 5 -o profile/
      gfactor profile openai:gpt-4o openai:gpt-4o-mini --rank -o order/
      gfactor profile openai:gpt-4o --bank mmmu.parquet --calibration real-vlm-2025 --max-items 100

    Python: gfactor.profile("observer:ideal", abilities=["EF"], max_items=20),
    gfactor.rank_abilities(["observer:ideal", "observer:limited"]),
    gfactor.place_examinee("openai:gpt-4o", ["mmmu.parquet"], items=100)
    """
    from gfactor.api.files import journal_to_write
    from gfactor.api.profile_norms import Among
    from gfactor.api.profiling import ProfilePlan, calibrations_of, window_of
    from gfactor.api.ranking import check_ranked, ranking_of
    from gfactor.psychometrics.irt.adaptive import StopRule

    if banks:
        _refuse_beside_banks()
        return _placed(
            specs, banks, calibration, max_items, journal, output, given, reach, seed, as_json
        )
    chosen = tuple(name.strip() for name in abilities.split(",") if name.strip())
    window, reach = window_of(reach)
    rule = StopRule(max_items=max_items) if rank else StopRule(
        se=se, se_change=se_change, cut=cut, max_items=max_items, max_cost=reach.max_cost,
        min_items=min_items,
    )  # fmt: skip
    plan = ProfilePlan(
        calibrations_of(calibration, chosen), rule, reach, window, seed, twin and not rank,
        language, given, jobs,
    )  # fmt: skip
    among = None if norms is None else Among.of(norms, plan.calibrations)
    if rank:
        check_ranked(plan, specs, level)
        if among is not None:
            raise ParameterError("--norms is for profiles; --rank says who stands above whom")
    for spec in specs:
        plan.check(spec)
    output.mkdir(parents=True, exist_ok=True)
    spare_the_collector()
    with journal_to_write(journal or str(output / "journal.db")) as kept:
        if rank:
            results = [ranking_of(plan, specs, kept, level)]
        else:
            results = [plan.profile(spec, kept, people) for spec in specs]
            results = [one if among is None else among.placed(one) for one in results]
    for number, result in enumerate(results, 1):
        page = result.report(output / str(number) if len(results) > 1 else output)
        if not as_json:
            say(result.title)
            say(result.summary())
            say(f"open {page.path}")
    if as_json:
        documents = [result.to_dict() for result in results]
        put_json(documents[0] if len(documents) == 1 else {"profiles": documents})
    return 1 if any(d.code == "stopped" for one in results for d in one.diagnostics) else 0


_NOT_WITH_BANKS = (
    "abilities",
    "se",
    "se_change",
    "cut",
    "people",
    "norms",
    "rank",
    "twin",
    "language",
)
"""Options of items that are made, which stored items do not have."""


def _refuse_beside_banks() -> None:
    context = click.get_current_context()
    for name in _NOT_WITH_BANKS:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            option = "--" + name.replace("_", "-")
            raise ParameterError(
                f"{option} is for items that are made; leave it out with --bank, whose questions "
                "end at --max-items"
            )


def _placed(
    specs: tuple[str, ...], banks: tuple[Path, ...], calibration: Path | None, max_items: int,
    journal: str | None, output: Path, given: Given, reach: Reach, seed: int, as_json: bool,
) -> int:  # fmt: skip
    """Ask stored items, and place each examinee among real models."""
    from gfactor.api.files import journal_to_write
    from gfactor.api.placing_live import LivePlacement

    name = "real-vlm-2025" if calibration is None else str(calibration)
    plan = LivePlacement.of(name, banks, max_items, given, reach, seed, 0.95)
    output.mkdir(parents=True, exist_ok=True)
    results = []
    with journal_to_write(journal or str(output / "journal.db")) as opened:
        for number, spec in enumerate(specs, 1):
            placed = plan.place(spec, opened)
            page = placed.report(output / str(number) if len(specs) > 1 else output)
            results.append(placed.to_dict())
            if not as_json:
                say(placed.summary())
                say(f"open {page.path}")
    if as_json:
        put_json(results[0] if len(results) == 1 else {"placements": results})
    return 0
