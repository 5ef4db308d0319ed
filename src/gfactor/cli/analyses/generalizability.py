"""gfactor analyze generalizability: how much of a score is the item, the occasion, the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import NAME, seed_option
from gfactor.cli.scoring import scoring_options
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring


@click.command("generalizability")
@click.argument("data", metavar="JOURNAL|DATA.csv", type=NAME)
@click.option(
    "--facets",
    required=True,
    metavar="A,B",
    help="What varies beside the object: columns, or of a journal item, occasion, condition, a "
    "parameter of conditions, a label of items, or judge (all judges whose verdicts it keeps).",
)
@click.option(
    "--object", "measured", default="examinee", show_default=True, help="What is measured."
)
@click.option(
    "--value",
    metavar="COLUMN",
    help="The scores; 'score' of a table, of a journal points, correct or correct_lenient.",
)
@click.option(
    "--nested",
    multiple=True,
    metavar="A:B",
    help="A facet whose levels differ between those of another: item:template. Repeatable.",
)
@click.option(
    "--omit", multiple=True, metavar="EFFECT", help="An effect taken to be 0. Repeatable."
)
@click.option(
    "--estimator",
    type=click.Choice(["auto", "anova", "reml", "logistic"]),
    default="auto",
    show_default=True,
    help="auto: mean squares for complete data, else REML; logistic for right and wrong.",
)
@click.option(
    "--d-study",
    "grid",
    multiple=True,
    metavar="FACET=N,N",
    help="Numbers of conditions to be tried: item=50,100,200. Repeatable.",
)
@click.option(
    "--fixed", multiple=True, metavar="FACET", help="A facet whose conditions are all there are."
)
@click.option("--cut", type=float, metavar="SCORE", help="Also Phi(lambda) for this cut score.")
@seed_option("Of the draws behind intervals.")
@json_option
@scoring_options
def command(
    data: str,
    facets: str,
    measured: str,
    value: str | None,
    nested: tuple[str, ...],
    omit: tuple[str, ...],
    estimator: str,
    grid: tuple[str, ...],
    fixed: tuple[str, ...],
    cut: float | None,
    seed: int,
    as_json: bool,
    scoring: Scoring,
) -> int:
    """Estimate variance components of scores, and how dependable means over conditions are.

    DATA is a long table with a row per score, or a journal. docs/generalizability.md says how
    everything is computed.

    \b
    Example:
      gfactor analyze generalizability c.db --facets item,occasion --d-study item=50,100,200
      gfactor analyze generalizability ratings.csv --object person --facets task,rater \\
        --nested rater:task

    Python: gfactor.gtheory(data, facets=["item", "occasion"])
    """
    from gfactor.administration.opening import is_journal
    from gfactor.api.evidence import facet_table
    from gfactor.api.taking import opened as opened_journal
    from gfactor.items.table_files import read_frame
    from gfactor.psychometrics.generalizability import gtheory

    names = [name.strip() for name in facets.split(",") if name.strip()]
    if is_journal(data):
        with opened_journal(data) as journal:
            table = facet_table(journal, scoring, [measured, *names], value or "points")
        value = "score"
    else:
        if scoring.named:
            raise ParameterError(f"{scoring.named[0]} is for a journal; {data!r} is a table")
        table = read_frame(data)
    result = gtheory(
        table,
        object=measured,
        facets=names,
        value=value or "score",
        nested=dict(_pair(text) for text in nested),
        omit=omit,
        estimator=estimator,  # type: ignore[arg-type]
        seed=seed,
    )
    tried = result.d_study(dict(_sizes(text) for text in grid), fixed=fixed) if grid else None
    if as_json:
        document = {"data": data, **result.to_dict()}
        document["d_study"] = [] if tried is None else tried.to_dict("records")
        if cut is not None:
            document["phi_lambda"] = {"cut": cut, "estimate": result.phi_lambda(cut)}
        put_json(document)
        return scoring.code
    say(result.summary())
    if tried is not None:
        say("\nd study\n" + tried.to_string(index=False, float_format="%.3f"))
    if cut is not None:
        say(f"\nPhi({cut:g})  {result.phi_lambda(cut):.3f}")
    return scoring.code


def _pair(text: str) -> tuple[str, str]:
    inner, colon, outer = text.partition(":")
    if not colon or not inner or not outer:
        raise ParameterError(f"--nested is written FACET:FACET, as item:template; got {text!r}")
    return inner.strip(), outer.strip()


def _sizes(text: str) -> tuple[str, list[float]]:
    name, _, numbers = text.partition("=")
    try:
        return name.strip(), [float(number) for number in numbers.split(",")]
    except ValueError:
        raise ParameterError(
            f"--d-study is written FACET=N,N, as item=50,100; got {text!r}"
        ) from None
