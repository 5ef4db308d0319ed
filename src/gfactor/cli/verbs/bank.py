"""gfactor bank: publish a bank on the Hugging Face hub."""

from __future__ import annotations

from typing import Any

import click

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived, function_of
from gfactor.cli.folder import HelpfulGroup

HEADING = "Banks"


@click.group("bank", cls=HelpfulGroup)
def command() -> None:
    """Put a bank on a hub.

    \b
    Example:
      gfactor bank push percept_v.parquet an-institute/percept-v

    Python: gfactor.push_bank(bank, "an-institute/percept-v")
    """


PUSH = """gfactor bank push: put a bank on the Hugging Face hub.

gfactor bank push percept_v.parquet an-institute/percept-v
gfactor bank push percept_v.parquet an-institute/percept-v -o hub/ --write-only
"""
SPELLED = {"bank": "BANK", "repo": "ORGANIZATION/NAME", "path": "-o FOLDER", "private": "--public",
           "endpoint": "--endpoint URL"}  # fmt: skip
PUBLIC = "Make a public repository; keys can then be learned."


@derived(PUSH, "push_bank", SPELLED, helps={"private": PUBLIC})
def push(as_json: bool, **given: Any) -> None:
    done = function_of("push_bank")(**given)
    if as_json:
        put_json(done.to_dict())
        return
    say(f"{done.url or done.folder}: {len(done.files)} files")
    if done.questions:
        say(f"eval.yaml describes {done.questions:,} items")
    if done.left_out:
        say(
            f"{done.left_out:,} items are not in eval.yaml, which knows one picture and one right "
            "line or option; `inspect eval gfactor/bank` asks them"
        )


command.add_command(push)
