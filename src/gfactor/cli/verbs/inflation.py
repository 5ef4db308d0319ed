"""gfactor inflation: test whether a score on public items is higher than fresh items predict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import NAME, condition_option, level_option, page_option

HEADING = "Results"


@click.command("inflation")
@click.argument("answers", type=NAME, metavar="ANSWERS")
@click.option(
    "--examinee",
    "examinees",
    required=True,
    multiple=True,
    metavar="NAME",
    help="The model to examine. May be given several times: p values are then adjusted.",
)
@click.option(
    "--public",
    required=True,
    metavar="ITEMS",
    help='The public items: their bank, or a pattern of their names such as "public*".',
)
@click.option(
    "--fresh",
    required=True,
    metavar="ITEMS",
    help="The fresh items, which no model can have seen: their bank, or a pattern of their names.",
)
@click.option(
    "--reference",
    "references",
    multiple=True,
    metavar="NAME",
    help="A reference model, best of another family than the examinee; by default all other "
    "models. May be given several times.",
)
@level_option("Confidence level of the interval.")
@condition_option
@page_option
@json_option
def command(
    answers: str,
    examinees: tuple[str, ...],
    public: str,
    fresh: str,
    references: tuple[str, ...],
    level: float,
    condition: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Estimate how far a public score is above the score that ability on fresh items predicts.

    ANSWERS is a table of models x items (1 right, 0 wrong) or a journal. Reference models say how
    accuracy on the public items follows from accuracy on the fresh ones: at least 5 are needed, and
    19 for the rank test. If PUBLIC and FRESH are the banks that gfactor transform --variants random
    made, an exact test needs no references.

    \b
    Example:
      gfactor inflation answers.csv --examinee MODEL --public "public*" --fresh "fresh*"

    Python: gfactor.inflation(answers, examinee=..., public=..., fresh=...),
    gfactor.inflation_each(answers, examinees=[...], public=..., fresh=...)
    """
    from gfactor.api.inflating import inflation, inflation_each

    given = Path(answers) if "://" not in answers else answers
    options: Any = {
        "public": public, "fresh": fresh, "references": references or None, "level": level,
        "condition": condition,
    }  # fmt: skip
    result = (
        inflation(given, examinee=examinees[0], **options) if len(examinees) == 1
        else inflation_each(given, examinees=examinees, **options)
    )  # fmt: skip
    written = result.report(output) if output else None
    if as_json:
        put_json(result.to_dict())
        return
    say(result.summary())
    if written is not None:
        say(f"open {written.path}")
