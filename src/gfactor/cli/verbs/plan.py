"""gfactor plan: plan a study: how many items, occasions and models are enough, and their cost."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import (
    NAME,
    PATH,
    condition_option,
    domain_label_option,
    examinees_option,
    seed_option,
)
from gfactor.errors import ParameterError

HEADING = "Statistics"

AIMS = declared("gfactor.api.planning", "AIMS")


@click.command(name="plan")
@click.argument("pilot", metavar="[PILOT.db]", type=NAME, required=False)
@click.option("--aim", type=click.Choice([*AIMS]), required=True, help="What the study is for.")
@click.option("--target", type=float, metavar="X", help="What shall be reached.")
@click.option(
    "--known",
    multiple=True,
    metavar="NAME=VALUE",
    help="A known quantity, as listed above. Repeatable.",
)
@click.option(
    "--components",
    type=PATH,
    metavar="FILE",
    help="Variance components: what gfactor analyze generalizability --json prints, or a table "
    "with the columns effect and variance.",
)
@click.option(
    "--try",
    "tries",
    multiple=True,
    metavar="FACET=N,N",
    help="Numbers to be tried: occasion=1,2,5. Of the facet that is solved for (item), too: then "
    "it says what they reach. Repeatable.",
)
@click.option(
    "--facets",
    metavar="A,B",
    help="Facets of the pilot; item, and occasion and condition where they vary.",
)
@click.option("--fixed", multiple=True, metavar="FACET", help="A facet that is all there is.")
@click.option(
    "--solve", default="item", show_default=True, metavar="FACET", help="Whose number is planned."
)
@click.option(
    "--claim",
    type=click.Choice(["same-domains", "other-domains"]),
    help="For se, difference and ranks: what scores generalize to, as in gfactor compare; by "
    "default other items of the same domains.",
)
@domain_label_option
@click.option("--benchmark", metavar="NAME", help="The pilot's benchmark, where it has several.")
@click.option(
    "--cluster",
    metavar="LABEL",
    help="Older name: --claim other-domains with --domain-label LABEL.",
)
@click.option("--calibration", type=PATH, metavar="FILE", help="For the aim ability.")
@examinees_option
@condition_option
@click.option("--prices", type=PATH, metavar="FILE", help="Prices by model, as gfactor run reads.")
@click.option("--model", "models", multiple=True, metavar="NAME", help="A model of the prices.")
@click.option("--tokens", metavar="IN,OUT", help="Tokens that an answer reads and writes.")
@click.option("--seconds", type=float, metavar="S", help="Seconds that an answer takes.")
@click.option(
    "--parallel", type=click.IntRange(1), default=1, show_default=True, help="Answers at once."
)
@click.option(
    "--rater-cost", "raters", multiple=True, metavar="FACET=X", help="Money of one rating."
)
@click.option(
    "--simulations",
    type=click.IntRange(0, 100_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Simulated data sets of the chosen design; 0 for none.",
)
@click.option("--prereg", type=PATH, metavar="FILE", help="Write the plan as a hashed document.")
@click.option(
    "--declare",
    multiple=True,
    metavar="NAME=VALUE",
    help="For --prereg: examinee, condition, bank (a file), policy, judge, cluster, analysis. "
    "Repeatable.",
)
@seed_option("Of the simulation.")
@json_option
def command(
    pilot: str | None,
    aim: str,
    target: float | None,
    known: tuple[str, ...],
    components: Path | None,
    tries: tuple[str, ...],
    facets: str | None,
    fixed: tuple[str, ...],
    solve: str,
    claim: str | None,
    domain_label: str,
    benchmark: str | None,
    cluster: str | None,
    calibration: Path | None,
    names: tuple[str, ...],
    condition: str | None,
    prices: Path | None,
    models: tuple[str, ...],
    tokens: str | None,
    seconds: float | None,
    parallel: int,
    raters: tuple[str, ...],
    simulations: int,
    prereg: Path | None,
    declare: tuple[str, ...],
    seed: int,
    as_json: bool,
) -> int:
    """Plan a study from a pilot journal, or from known quantities.

    For every design: what it reaches, answers, tokens, money, hours; the cheapest that is enough is
    marked, tried on simulated data, and the coverage of its interval told. docs/planning.md has all
    formulas.

    \b
    Aims, their targets, and what may be --known (a pilot tells most of it):
      se          standard error     accuracy or sd, domains, cluster_size, icc
      difference  the difference     discordant or sd_difference, domains, cluster_size, icc,
                                     power, alpha
      phi, e_rho2 the coefficient    (--components, or a pilot)
      alpha       width of interval  alpha, items
      threshold   standard error     sizes, threshold, slope, guess, lapse
      ability     standard error     theta, select (random, best); --calibration
      cfa         power              df, null, alternative, alpha
      ranks       probability        means, r, decided (first, all), alpha
      inflation   percentage points  accuracy, interaction, item_share, power, alpha

    \b
    Example:
      gfactor plan --aim difference --target 0.05 --known discordant=0.3
      gfactor plan pilot.db --aim phi --target 0.8 --try occasion=1,2,3
      gfactor plan --aim cfa --known df=100 --try examinee=100,200,400
      gfactor plan --aim inflation --target 5 --try reference=10,20,60
      gfactor plan pilot.db --aim difference --target 0.05 --prereg plan.md \\
        --declare examinee=openai:gpt-4o --declare bank=bank.parquet

    Python: gfactor.plan(journal, aim="difference", target=0.05)
    """
    from gfactor.api.planning import plan

    planned = plan(
        pilot,
        aim=aim,
        target=target,
        known=dict(_pair(text, "--known") for text in known),
        components=components,
        tries={name: _whole(text, "--try") for name, text in _pairs(tries, "--try")},
        facets=[name.strip() for name in facets.split(",")] if facets else None,
        fixed=fixed,
        solve=solve,
        claim=claim,
        domain_label=domain_label,
        benchmark=benchmark,
        cluster=cluster,
        calibration=calibration,
        examinees=names,
        condition=condition,
        models=models,
        prices=prices,
        tokens=None if tokens is None else _two(tokens),
        seconds=seconds,
        parallel=parallel,
        raters={
            name: _number(text, "--rater-cost") for name, text in _pairs(raters, "--rater-cost")
        },
        simulations=simulations,
        seed=seed,
        prereg=prereg,
        declare=_pairs(declare, "--declare"),
    )
    if as_json:
        put_json(planned.to_dict() | ({} if prereg is None else {"preregistered": str(prereg)}))
        return 0
    say(planned.summary())
    if prereg is not None:
        say(f"\npreregistered: {prereg}")
    return 0


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise ParameterError(f"{option} {text!r}: give NAME=VALUE")
    return name.strip(), value.strip()


def _pairs(texts: tuple[str, ...], option: str) -> list[tuple[str, str]]:
    return [_pair(text, option) for text in texts]


def _whole(text: str, option: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(f"{option} {text!r}: give whole numbers, as in 1,2,5") from None


def _number(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"{option} {text!r}: give a number") from None


def _two(text: str) -> tuple[int, int]:
    numbers = _whole(text, "--tokens")
    if len(numbers) != 2 or min(numbers) < 0:
        raise ParameterError(f"--tokens {text!r}: give read,written, as in 1200,60")
    return numbers[0], numbers[1]
