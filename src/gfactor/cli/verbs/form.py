"""gfactor form: assemble parallel test forms with equal information from a calibrated bank."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_option, seed_option
from gfactor.errors import ParameterError

HEADING = "Banks"


@click.command("form")
@click.argument("calibration", metavar="CALIBRATION", type=PATH)
@folder_option(
    "For forms.csv (with the key), information.csv, forms.json and a bank per form, with --bank or "
    "where items are made."
)
@click.option("--length", type=int, metavar="N", help="Items of a form, anchors included.")
@click.option(
    "--target-se",
    type=float,
    metavar="SE",
    help="Largest standard error at --theta. Without --length forms are as short as it allows; "
    "without this option they are as informative as can be.",
)
@click.option("--parallel", type=int, default=1, show_default=True, metavar="N", help="Forms.")
@click.option(
    "--anchors", type=int, default=0, show_default=True, metavar="N", help="Items all forms share."
)
@click.option(
    "--bank",
    type=PATH,
    metavar="BANK",
    help="The items: those calibrated, or items of calibrated cells.",
)
@click.option(
    "--content",
    "typed",
    multiple=True,
    metavar="LABEL=VALUE:LEAST-MOST",
    help="How many items of a content every form has; repeat for others.",
)
@click.option(
    "--theta",
    metavar="X,...",
    help="Abilities that are aimed at.  [default: the population's mean, one SD below and above]",
)
@click.option(
    "--tolerance",
    type=float,
    default=0.05,
    show_default=True,
    metavar="SHARE",
    help="By which the information of two forms may differ.",
)
@click.option(
    "--per-cell",
    type=int,
    metavar="N",
    help="Most items of a cell in a form, without --bank.  [default: twice an even share]",
)
@click.option(
    "--respondents",
    type=int,
    metavar="N",
    help="Of each form: gives the expected error of linking forms by their anchors.",
)
@seed_option("Of the choice among equally good forms, of the order of items, and of new items.")
@click.option(
    "--language", default="en", show_default=True, metavar="TAG", help="Of items that are made."
)
@json_option
def command(
    calibration: Path, output: Path, typed: tuple[str, ...], theta: str | None, as_json: bool,
    **given: Any,
) -> None:  # fmt: skip
    """Assemble linear forms from CALIBRATION, as gfactor calibrate writes it: equal test
    information, content, a key, and anchors that all forms share. Without --bank new items of
    calibrated generated families are made.

    Forms that are administered are linked by gfactor calibrate --link, which gives the line with
    its standard errors. The same seed and options give the same files.

    \b
    Example:
      gfactor form bank.calibration.json --bank bank.parquet --length 60 --parallel 4 -o forms
      gfactor form bank.calibration.json --target-se 0.3 --anchors 10 --parallel 2 -o forms

    Python: gfactor.form(calibration, length=60, parallel=4)
    """
    from gfactor.api.forms import content_of, form

    result = form(
        calibration, content=content_of(typed), theta=_numbers(theta), path=output, **given
    )
    if as_json:
        put_json({"path": str(output), **result.to_dict()})
        return
    lines = result.summary().splitlines()
    # The items are in the files.
    say("\n".join(lines[: lines.index("forms")]).rstrip())
    say(f"\n{output}: {len(result.forms)} forms of {result.request['length']} items")


def _numbers(text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
    except ValueError as error:
        raise ParameterError(
            f"--theta is a list of numbers such as -1,0,1; got {text!r}"
        ) from error
