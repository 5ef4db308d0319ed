"""gfactor score: how much of a journal is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
import pandas as pd

from gfactor.administration import Journal
from gfactor.cli.common import json_option, put_json, say
from gfactor.scoring import chance_levels, choose, scored, summary


@click.command("score")
@click.argument("journal", metavar="JOURNAL")
@click.option(
    "--examinee",
    "names",
    multiple=True,
    metavar="SPEC",
    help="Only this examinee, or all that have the parameters named; may be given several times.",
)
@click.option("--condition", metavar="KEY", help="Only this condition.")
@json_option
def command(journal: str, names: tuple[str, ...], condition: str | None, as_json: bool) -> None:
    """Score the answers in JOURNAL: whole, and by domain, size and skill.

    `strict` is the benchmark's own rule: a reply that does not conform to the output format is an
    error and wrong. `accuracy` reads replies leniently, without guessing. Failed attempts are
    missing, not wrong. Intervals are Wilson's, 95 %; `chance` is what answering with the answer
    of another, random item of the domain earns.

    \b
    Example:
      gfactor score c.db
      gfactor score c.db --examinee observer:human-like --json
    """
    with Journal.open(journal, create=False) as opened:
        table = choose(scored(opened), names, condition)
        items = opened.items()
    chance = chance_levels(items) if "domain" in items else None
    result = summary(table, chance)
    if as_json:
        put_json(result)
        return
    name = "examinee"
    people = result.get("examinees") or {n: result for n in table["examinee"].unique()}
    say(f"{journal}: {result['n']:,} responses of {len(people)} examinee(s)\n")
    _say_table(name, people)
    for name, groups in result["by"].items():
        _say_table(name, groups)


def _say_table(name: str, groups: Mapping[str, Mapping[str, Any]]) -> None:
    rows = [
        {
            name: value,
            "n": own["n"],
            "accuracy": _share(own["accuracy"], own["interval"]),
            "strict": _share(own["accuracy_strict"], own["interval_strict"]),
            "errors": own["errors"],
            "missing": own["missing"],
            **({"chance": f"{own['chance']:.3f}"} if "chance" in own else {}),
        }
        for value, own in groups.items()
    ]
    if rows:
        say(pd.DataFrame(rows).to_string(index=False))
        say("")


def _share(share: float | None, interval: tuple[float, float]) -> str:
    if share is None:
        return "-"
    return f"{share:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"
