"""gfactor select: choose items of a bank: at random, by quota, or the hardest.

gfactor select multi.parquet -o chosen.parquet --method appendix-d --seed 7
gfactor select multi.parquet -o hard.parquet --method elite --by level,subject --errors c.db
gfactor select multi.parquet -o few.parquet --method stratified --by type,level --n 200
gfactor select mm_iq.parquet -o ninety.parquet --method quota --by paradigm --quota 10,Math=20
gfactor select multi.parquet -o clean.parquet --method all --decisions decisions.csv
"""

from __future__ import annotations

from typing import Any

import click

from gfactor.cli.declarations import declaration
from gfactor.cli.deriving import derived
from gfactor.cli.options import together
from gfactor.cli.plug_ins import plugged
from gfactor.cli.printing import put

HEADING = "Banks"

METHODS = plugged("gfactor.benchmarks.selection.method", "METHODS")
BY_METHOD = {option[0] for method in METHODS for option in method.options}


def _method_options(command: Any) -> Any:
    """Add the options of all methods; if several share a name, each says what it takes."""
    helps: dict[str, list[str]] = {}
    shapes: dict[str, str] = {}
    for method in METHODS:
        for name, default, shapes[name], text in method.options:
            usual = f" [default: {default}]" if default else ""
            helps.setdefault(name, []).append(f"{method.name}: {text}{usual}")
    options = (
        click.option(f"--{name}", name, metavar=shapes[name], help=" ".join(texts))
        for name, texts in helps.items()
    )
    return together(*options)(command)


@derived(
    __doc__,
    "select",
    {"method": "--method NAME", "path": "-o FILE", "errors": "--errors JOURNAL"},
    helps={
        "method": f"One of {', '.join(one.name for one in METHODS)}.",
        "errors": "elite: journal with answers of examinees to the bank's items. --examinee, "
        "--condition, --judge and --policy choose and score these answers as in gfactor "
        "score.",
    },
    without=[one.name for one in declaration("select").parameters if one.name in BY_METHOD],
    options=[_method_options],
    about="\b\n" + "\n".join(f"{method.name}: {method.about}" for method in METHODS),
)
def command(bank: Any, method: str, as_json: bool, **given: Any) -> None:
    from gfactor.api.banks.selecting import selected

    texts = {name: given.pop(name) for name in BY_METHOD}
    typed = {name: text for name, text in texts.items() if text is not None}
    put(selected(bank, method, typed, **given), as_json)
