"""gfactor build: make the bank of a benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gfactor.benchmarks import BENCHMARKS, Benchmark, Option, build
from gfactor.cli.common import json_option, progress, put_json, say


class _Benchmarks(click.Group):
    """One sub-command a registered benchmark, with the options that it declares."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(BENCHMARKS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        return _command_for(BENCHMARKS[cmd_name])


@click.command(
    cls=_Benchmarks,
    name="build",
    subcommand_metavar="BENCHMARK [OPTIONS]...",
    no_args_is_help=True,
)
def command() -> None:
    """Build the bank of a benchmark: one Parquet file, and Croissant metadata beside it.

    The same options give the same items and pixels on any machine and with any number of jobs. A
    build that was stopped goes on where it was when it is called again.

    \b
    Example:
      gfactor build percept-v --seed 7 -o percept_v.parquet
    """


def _command_for(benchmark: Benchmark) -> click.Command:
    def run(output: Path, jobs: int, as_json: bool, **typed: str) -> None:
        values = {o.name: o.parse(typed[o.name]) for o in benchmark.options}
        built = build(benchmark.name, output, jobs=jobs, watch=progress, **values)
        _report(built.to_dict(), as_json)

    return click.Command(
        benchmark.name,
        callback=run,
        params=[*map(_option, benchmark.options), *_shared()],
        help=f"{benchmark.description}\n\n\b\nExample:\n"
        f"  gfactor build {benchmark.name} -o bank.parquet",
    )


def _option(option: Option) -> click.Option:
    return click.Option(
        [f"--{option.name}"],
        default=option.default,
        show_default=bool(option.default),
        metavar=option.metavar,
        help=option.help,
    )


def _shared() -> list[click.Parameter]:
    @json_option
    @click.option(
        "--jobs",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        metavar="N",
        help="Processes; the result does not depend on it.",
    )
    @click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        required=True,
        metavar="FILE",
        help="The Parquet file to write.",
    )
    def holder() -> None: ...

    return list(reversed(holder.__click_params__))


def _report(made: dict[str, Any], as_json: bool) -> None:
    if as_json:
        put_json(made)
        return
    say(
        f"{made['path']}: {made['items']:,} items with {made['images']:,} images of "
        f"{made['benchmark']} ({made['edition']}, seed {made['seed']}) in {made['seconds']:.1f} s"
    )
    say(f"scenes {made['scene_digest']}")
    say(f"pixels {made['pixel_digest']}")
