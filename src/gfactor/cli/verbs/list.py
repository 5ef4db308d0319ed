"""gfactor list: what benchmarks, domains, generated families and examinee schemes there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import click

from gfactor.benchmarks import BENCHMARKS
from gfactor.benchmarks.chc import FAMILIES
from gfactor.benchmarks.percept_v.domain import DOMAINS
from gfactor.cli.common import json_option, put_json, say
from gfactor.errors import UnknownNameError
from gfactor.examinees.base import EXAMINEES


def _benchmarks() -> dict[str, str]:
    return {name: BENCHMARKS[name].description for name in BENCHMARKS}


def _domains() -> dict[str, str]:
    return {name: ", ".join(DOMAINS[name].skills) for name in DOMAINS}


def _examinees() -> dict[str, str]:
    return {name: _first_line(EXAMINEES[name]) for name in EXAMINEES}


def _first_line(thing: object) -> str:
    return (thing.__doc__ or "").strip().partition("\n")[0]


def _families() -> dict[str, str]:
    return {
        name: f"{family.ability}: {', '.join(family.radicals)}" for name, family in FAMILIES.items()
    }


KINDS: Mapping[str, Callable[[], dict[str, str]]] = {
    "benchmarks": _benchmarks,
    "domains": _domains,
    "examinees": _examinees,
    "families": _families,
}
"""What can be listed: name -> a line for each."""


@click.command(name="list")
@click.argument("kind", metavar="|".join(KINDS))
@json_option
def command(kind: str, as_json: bool) -> None:
    """List the benchmarks, domains, families or examinee schemes that are installed.

    With --json, families come with their radicals, answer types, languages and origin.

    \b
    Example:
      gfactor list domains
    """
    if kind not in KINDS:
        raise UnknownNameError("kind of thing to list", kind, KINDS)
    lines = KINDS[kind]()
    if as_json and kind == "families":
        put_json([family.to_dict() for family in FAMILIES.values()])
        return
    if as_json:
        put_json([{"name": name, "description": text} for name, text in lines.items()])
        return
    width = max(map(len, lines), default=0)
    for name, text in lines.items():
        say(f"{name:<{width}}  {text}".rstrip())
