"""Options and arguments that several commands have in common, each written once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import click

from gfactor.cli.constants import declared
from gfactor.cli.values import NAME, PATH, range_of

Decorator: TypeAlias = Callable[[Any], Any]


JOBS = range_of("Jobs")
"""How many processes may be asked for."""

DRAWS = range_of("Draws")
"""How many resamples may be asked for."""

data_argument: Decorator = click.argument("data", metavar="DATA.csv", type=PATH)

bank_argument: Decorator = click.argument("bank", metavar="BANK", type=PATH)

folder_argument: Decorator = click.argument("folder", metavar="FOLDER", type=PATH)

pilot_option: Decorator = click.option(
    "--pilot", is_flag=True, help="The pilot, which is kept apart in pilot.db."
)

journal_argument: Decorator = click.argument("journal", metavar="JOURNAL", type=NAME)

journal_option: Decorator = click.option(
    "--journal",
    type=NAME,
    required=True,
    metavar="FILE",
    help="Journal of the answers; it is made if it is missing.",
)

page_option: Decorator = click.option(
    "-o",
    "--output",
    type=PATH,
    metavar="FOLDER",
    help="Write a page with tables and figures.",
)

bank_option: Decorator = click.option(
    "-o",
    "--output",
    type=PATH,
    required=True,
    metavar="FILE",
    help="The Parquet file to write.",
)

calibration_option: Decorator = click.option(
    "--calibration",
    type=PATH,
    metavar="FILE",
    help="Give abilities, too, on the scale of this file of gfactor calibrate.",
)

norms_option: Decorator = click.option(
    "--norms",
    type=PATH,
    metavar="FILE",
    help="Say where scores stand among the people of this file of gfactor norms.",
)

adaptive_calibration_option: Decorator = click.option(
    "--calibration",
    type=PATH,
    metavar="FILE",
    help="With --adaptive: the bank's, of gfactor calibrate.",
)

persons_option: Decorator = click.option(
    "--n", type=click.IntRange(3), help="DATA.csv is a correlation matrix of this many persons."
)


group_option: Decorator = click.option(
    "--group", metavar="COLUMN", help="Analyze the rows of each value of this column separately."
)

lenient_option: Decorator = click.option(
    "--lenient", is_flag=True, help="Use the lenient reading, not the benchmark's rule."
)


claim_option: Decorator = click.option(
    "--claim",
    type=click.Choice(list(declared("gfactor.psychometrics.inference.claim", "CLAIMS"))),
    help="What scores generalize to: other items of the same domains (the default), other "
    "domains, or these items alone.",
)

domain_label_option: Decorator = click.option(
    "--domain-label",
    default=declared("gfactor.scoring.sampling", "DOMAIN"),
    show_default=True,
    metavar="LABEL",
    help="The label that divides items into domains, for --claim.",
)


examinees_option: Decorator = click.option(
    "--examinee",
    "names",
    multiple=True,
    metavar="SPEC",
    help="Only this examinee, or all that have the parameters named; may be given several times.",
)

condition_option: Decorator = click.option(
    "--condition", metavar="KEY", help="Only this condition."
)


def folder_option(help_text: str) -> Decorator:
    """The option `-o`: a folder that has to be named."""
    return click.option(
        "-o", "--output", type=PATH, required=True, metavar="FOLDER", help=help_text
    )


def model_option(help_text: str, *, required: bool = True) -> Decorator:
    """The option `--model`: a file, or the model itself; the command gets it as `model_given`."""
    return click.option("--model", "model_given", required=required, metavar="FILE", help=help_text)


lavaan_option = model_option("A file with lavaan syntax, or the model itself.")

lavaan_missing_option: Decorator = click.option(
    "--missing",
    type=click.Choice(["listwise", "fiml", "pairwise", "two.stage", "robust.two.stage"]),
    callback=lambda _context, _option, given: "ml" if given == "fiml" else given,
    help="Incomplete cases: left out, full information, used pair by pair (ordinal variables), or "
    "in two stages."
    "  [default: listwise]",
)
"""The command gets lavaan's word for it: "listwise", "ml", "pairwise", or None where nothing is
said."""


def seed_option(help_text: str) -> Decorator:
    """The option `--seed`: a whole number from 0 on."""
    return click.option(
        "--seed",
        type=range_of("Seed"),
        default=0,
        show_default=True,
        metavar="N",
        help=help_text,
    )


def level_option(help_text: str) -> Decorator:
    """The option `--level`: a confidence level between 0 and 1."""
    return click.option(
        "--level",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        metavar="P",
        help=help_text,
    )


def decisions_option(help_text: str) -> Decorator:
    """The option `--decisions`: what people decided about a bank's suspicious items."""
    return click.option("--decisions", type=PATH, metavar="FILE", help=help_text)


def serving_options(port: int) -> Decorator:
    """The options of a server: `--host`, `--port` (`port` by default), `--https`, `--public-url`,
    `--proxy` and `--insecure-http`."""
    return together(
        click.option(
            "--host",
            default="127.0.0.1",
            show_default=True,
            metavar="ADDRESS",
            help="Address to listen at.",
        ),
        click.option(
            "--port",
            type=range_of("Port"),
            default=port,
            show_default=True,
            metavar="N",
            help="Port; 0 for any free one.",
        ),
        click.option("--https", is_flag=True, help="Browsers come over HTTPS, through a proxy."),
        click.option(
            "--public-url",
            default="",
            metavar="URL",
            help="Where browsers reach it: https://lab.example/study.",
        ),
        click.option(
            "--proxy",
            "proxies",
            multiple=True,
            metavar="ADDRESS",
            help="Address of a proxy whose X-Forwarded-For is believed; may be given several "
            "times. Without it the header is ignored.",
        ),
        click.option(
            "--insecure-http",
            is_flag=True,
            help="Serve plain HTTP also at addresses that other machines reach.",
        ),
    )


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, in the order in which help shows them."""

    def added(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return added


log_options: Decorator = together(
    click.option(
        "--log",
        type=NAME,
        metavar="FILE",
        help='Write a line of JSON for each request, without ids or answers; "-" for standard '
        "error.",
    ),
    click.option(
        "--log-addresses", is_flag=True, help="With --log: also the address it comes from."
    ),
)
"""Of a server's log of requests."""

domain_option: Decorator = click.option(
    "--domain", required=True, metavar="NAME", help="Of the machine: lab.example."
)

path_option: Decorator = click.option(
    "--path",
    default="",
    metavar="PATH",
    help="Below which browsers reach it: /study; by default the whole site.",
)

wheel_option: Decorator = click.option(
    "--wheel", type=PATH, metavar="FILE", help="Install this wheel of gfactor, not the release."
)

keep_option: Decorator = click.option(
    "--keep",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="How many backups stay; 0 for all.",
)
