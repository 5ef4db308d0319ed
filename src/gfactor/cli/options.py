"""Options and arguments that several commands have in common, each written once."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import click

from gfactor.cli.constants import declared
from gfactor.computing import BACKENDS, backend
from gfactor.errors import ParameterError

Decorator: TypeAlias = Callable[[Any], Any]


class _Named(click.Path):
    """A path with a name: "" is what a shell makes of a variable without a value."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if value == "":
            self.fail("it is empty; give the name of a file or folder", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Named(path_type=Path)
"""A file or folder, as a Path."""

NAME = _Named()
"""A file, as the text it was given in; what has a scheme is an address."""

JOBS = click.IntRange(1, 1024)
"""How many processes may be asked for."""

DRAWS = click.IntRange(2, 1_000_000)
"""How many resamples may be asked for."""

_LARGEST_SEED = 2**32 - 1
"""What every generator in use takes, pandas' among them."""

_PORTS = click.IntRange(0, 65_535)

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


def table_options(command: Any) -> Any:
    """Add `--columns`, `--drop`, `--id` and `--where`; the command gets `selection`."""

    @functools.wraps(command)
    def selecting(*args: Any, **given: Any) -> Any:
        from gfactor.api.table_selection import TableSelection

        names = ("columns", "drop", "identifier", "where")
        return command(
            *args, selection=TableSelection(**{name: given.pop(name) for name in names}), **given
        )

    return _TABLE_OPTIONS(selecting)


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
        type=click.IntRange(0, _LARGEST_SEED),
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


def jobs_option(
    help_text: str = "Processes; the result does not depend on it.",
    default: int | None = 1,
    *,
    handed_on: bool = True,
) -> Decorator:
    """The options `--jobs`, `--backend` and `--backend-options`: where the command computes.

    `jobs` is None where the command finds a number that fits the machine; a command that it is not
    `handed_on` to computes in so many processes all the same.
    """
    options = together(
        click.option(
            "--jobs",
            type=JOBS,
            default=default,
            show_default=default is not None,
            metavar="N",
            help=help_text,
        ),
        click.option(
            "--backend",
            type=click.Choice(BACKENDS),
            help="Compute in processes of this machine (loky), or on a cluster of Dask's or Ray's; "
            "the result does not depend on it.  [default: loky]",
        ),
        click.option(
            "--backend-options",
            default="",
            metavar="KEY=VALUE,...",
            help="Of the backend: address=tcp://HOST:8786 (dask), address=auto (ray); a cluster on "
            "this machine where there is no address.",
        ),
    )

    def added(command: Any) -> Any:
        @functools.wraps(command)
        def computing(*args: Any, **given: Any) -> Any:
            name, settings = given.pop("backend"), backend_settings(given.pop("backend_options"))
            jobs = given["jobs"] if handed_on else given.pop("jobs")
            if name is None and (handed_on or jobs == 1) and not settings:
                return command(*args, **given)
            several = jobs if name in (None, "loky") or jobs != default else None
            with backend(name or "loky", several, **settings):
                return command(*args, **given)

        return options(computing)

    return added


def backend_settings(text: str) -> dict[str, Any]:
    """The options in a text, "key=value,key=value"; numbers, true and false are read as such.

    Raises ParameterError where a part is no "key=value".
    """
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.strip().isidentifier():
            raise ParameterError(
                f"backend options {text!r}: {part!r} is not KEY=VALUE; write "
                "address=tcp://HOST:8786,timeout=30"
            )
        options[key.strip()] = _value(value.strip())
    return options


def _value(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


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
            type=_PORTS,
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


_TABLE_OPTIONS: Decorator = together(
    click.option(
        "--columns",
        default="",
        metavar="NAMES",
        help="Take only these columns, separated by commas: names, patterns such as 'item*', "
        "ranges such as x1:x9.",
    ),
    click.option(
        "--drop", default="", metavar="NAMES", help="Leave these columns out, written in that way."
    ),
    click.option("--id", "identifier", metavar="COLUMN", help="Column that names the rows."),
    click.option(
        "--where",
        multiple=True,
        metavar="CONDITION",
        help="Take only rows that meet it, such as country=DE or 'age>=18'; may be given several "
        "times.",
    ),
)

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
