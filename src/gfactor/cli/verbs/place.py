"""gfactor place: models among real ones, by some of their answers to public benchmarks."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import NAME, level_option, page_option, seed_option
from gfactor.errors import ParameterError

HEADING = "Results"


@click.command("place")
@click.argument("answers", type=NAME, metavar="ANSWERS")
@click.option(
    "--calibration",
    default="real-vlm-2025",
    show_default=True,
    metavar="NAME",
    help="Scale of real models: a name of gfactor list calibrations, or its folder.",
)
@click.option(
    "--items",
    multiple=True,
    metavar="N|BENCHMARK=N",
    help="Use complete rows as if their models were asked so many questions, in all or of a "
    "benchmark. May be given several times for several benchmarks.",
)
@click.option(
    "--select",
    type=click.Choice(["given", "adaptive", "random", "stratified"]),
    default="given",
    show_default=True,
    help="How questions are chosen with --items; given: all answers count.",
)
@seed_option("Seed of the random number generator.")
@level_option("Confidence level of the intervals.")
@page_option
@json_option
def command(
    answers: str,
    calibration: str,
    items: tuple[str, ...],
    select: str,
    seed: int,
    level: float,
    output: Path | None,
    as_json: bool,
) -> None:
    """Place models among real ones, and predict their scores on full benchmarks.

    ANSWERS is a table with a row per model and a column BENCHMARK:INDEX per item (1 right, 0 wrong,
    empty not asked), or a journal of answers to items of gfactor build vlmevalkit.

    \b
    Example:
      gfactor place answers.csv
      gfactor place answers.csv --select adaptive --items mmmu_dev_val=100

    Python: gfactor.place(answers, items={"mmmu_dev_val": 100}, select="adaptive")
    """
    from gfactor.api.placing import place

    placed = place(
        Path(answers) if "://" not in answers else answers,
        calibration=calibration,
        items=_wanted(items),
        select=select,
        seed=seed,
        level=level,
    )
    written = placed.report(output) if output else None
    if as_json:
        put_json(placed.to_dict())
        return
    say(placed.summary())
    if written is not None:
        say(f"open {written.path}")


def _wanted(items: tuple[str, ...]) -> int | dict[str, int] | None:
    """The number of questions in all, or by benchmark."""
    if not items:
        return None
    if len(items) == 1 and items[0].isdecimal():
        return int(items[0])
    wanted = {}
    for text in items:
        name, equals, number = text.rpartition("=")
        if not (name and equals and number.isdecimal()):
            raise ParameterError(
                "--items takes a number, or BENCHMARK=NUMBER, such as mmmu_dev_val=100; "
                f"got {text!r}"
            )
        wanted[name] = int(number)
    return wanted
