"""gfactor build: make the item bank of a benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gfactor.api.progress_bars import progress
from gfactor.benchmarks import BENCHMARKS, Benchmark, Option, build
from gfactor.cli.backends import jobs_option
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import Decorator, bank_option, together
from gfactor.items import Built

HEADING = "Banks"

_SHOWN = 10
"""Number of skipped rows that are printed; `--json` and the bank's metadata have more."""


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

    Python: gfactor.build("percept-v", seed=7, path="percept_v.parquet")
    """


def _command_for(benchmark: Benchmark) -> click.Command:
    words = " ".join(filter(None, ["gfactor build", benchmark.name, benchmark.example]))

    @click.command(
        benchmark.name,
        help=f"{benchmark.description}\n\n\b\nExample:\n  {words} -o bank.parquet\n\n"
        f'Python: gfactor.build("{benchmark.name}", path="bank.parquet")',
    )
    @together(*map(_option, benchmark.options))
    @bank_option
    @jobs_option()
    @json_option
    def run(output: Path, jobs: int, as_json: bool, **typed: Any) -> None:
        values = {o.name: o.parse(_as_typed(typed[o.name])) for o in benchmark.options}
        built = build(benchmark.name, output, jobs=jobs, watch=progress, **values)
        _report(built, as_json)

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


def _report(built: Built, as_json: bool) -> None:
    document = built.to_dict()
    if as_json:
        put_json(document)
        return
    how = [document["edition"]] if document["edition"] else []
    how += [f"seed {document['seed']}"] if document["seed"] >= 0 else []
    what = f"{document['benchmark']} ({', '.join(how)})" if how else document["benchmark"]
    say(
        f"{document['path']}: {document['items']:,} items with {document['images']:,} images of "
        f"{what} in {document['seconds']:.1f} s"
    )
    if built.skipped:
        say(f"{built.skipped:,} rows were skipped:")
        for text in built.skipped_rows[:_SHOWN]:
            say(f"  {text}")
        if built.skipped > _SHOWN:
            say(f"  and {built.skipped - _SHOWN:,} more; the bank's metadata name the first 100")
    for kind, count in built.metadata.get("not_generated", {}).items():
        say(f"not generated: {kind}, {count:,} item{'s' * (count != 1)}")
    for path in built.beside:
        say(f"beside it: {path}")
    say(f"scenes {document['scene_digest']}")
    say(f"pixels {document['pixel_digest']}")
