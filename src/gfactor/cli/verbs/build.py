"""gfactor build: make the item bank of a benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.declarations import declaration
from gfactor.cli.deriving import derived
from gfactor.cli.folder import HelpfulGroup
from gfactor.cli.options import Decorator
from gfactor.cli.plug_ins import Plugin, plugged
from gfactor.cli.printing import put

if TYPE_CHECKING:
    from gfactor.benchmarks import Benchmark, Option

HEADING = "Banks"


class _Benchmarks(HelpfulGroup):
    """One sub-command a registered benchmark, with the options that it declares."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [one.name for one in _plugged()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        from gfactor.benchmarks import BENCHMARKS

        return _command_for(BENCHMARKS[cmd_name])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lines = {one.name: click.Command(one.name, help=one.about) for one in _plugged()}
        click.Group(commands=lines).format_commands(ctx, formatter)


def _plugged() -> Sequence[Plugin]:
    return plugged("gfactor.benchmarks.benchmark", "BENCHMARKS")


HELP = """{text}

\b
Example:
  gfactor build percept-v --seed 7 -o percept_v.parquet

Python: gfactor.build("percept-v", seed=7, path="percept_v.parquet")
"""


@click.command(
    cls=_Benchmarks,
    name="build",
    subcommand_metavar="BENCHMARK [OPTIONS]...",
    help=HELP.format(text=declaration("build").text),
)
def command() -> None:
    pass


def _command_for(benchmark: Benchmark) -> click.Command:
    words = " ".join(filter(None, ["gfactor build", benchmark.name, benchmark.example]))

    @derived(
        f"gfactor build {benchmark.name}: one benchmark\n\n{words} -o bank.parquet",
        "build",
        {"path": "-o FILE"},
        without=["benchmark", "show_progress"],
        options=[_option(one) for one in benchmark.options],
        says=benchmark.description,
    )
    def run(path: Path, jobs: int, as_json: bool, **typed: Any) -> None:
        from gfactor.api.inputs.progress_bars import progress
        from gfactor.api.inputs.prompt_packs import build_with_notes

        values = {o.name: o.parse(_as_typed(typed[o.name])) for o in benchmark.options}
        put(build_with_notes(benchmark.name, path, jobs=jobs, watch=progress, **values), as_json)

    return run


def _as_typed(value: str | bool) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return value


def _option(option: Option) -> Decorator:
    if option.switch:
        return click.option(option.flag, option.name, is_flag=True, help=option.help)
    return click.option(
        option.flag,
        option.name,
        default=option.default,
        show_default=bool(option.default),
        metavar=option.metavar,
        help=option.help,
    )
