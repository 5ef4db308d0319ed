"""gfactor bank: publish a bank on the Hugging Face hub."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.folder import HelpfulGroup
from gfactor.cli.options import PATH, bank_argument

HEADING = "Banks"


@click.group("bank", cls=HelpfulGroup)
def command() -> None:
    """Put a bank on a hub.

    \b
    Example:
      gfactor bank push percept_v.parquet an-institute/percept-v

    Python: gfactor.push_bank(bank, "an-institute/percept-v")
    """


@command.command("push")
@bank_argument
@click.argument("repo", metavar="ORGANIZATION/NAME")
@click.option(
    "-o",
    "--output",
    type=PATH,
    metavar="FOLDER",
    help="Keep the files in this folder, which must be empty or missing.",
)
@click.option("--write-only", is_flag=True, help="Write the files to -o and push nothing.")
@click.option("--public", is_flag=True, help="Make a public repository; keys can then be learned.")
@click.option("--endpoint", metavar="URL", help="Address of another hub.")
@json_option
def push(
    bank: Path,
    repo: str,
    output: Path | None,
    write_only: bool,
    public: bool,
    endpoint: str | None,
    as_json: bool,
) -> None:
    """Put BANK on the Hugging Face hub as the data set ORGANIZATION/NAME.

    One commit has the bank's files, a card, CITATION.cff, Croissant metadata and eval.yaml, which
    registers the items that Inspect can ask of a table. The token is the one that `hf auth login`
    stored. A repository that is missing is made, private where --public is not given.

    \b
    Example:
      gfactor bank push percept_v.parquet an-institute/percept-v
      gfactor bank push percept_v.parquet an-institute/percept-v -o hub/ --write-only

    Python: gfactor.push_bank(bank, "an-institute/percept-v")
    """
    from gfactor.api.pushing import push_bank

    done = push_bank(
        bank, repo, path=output, private=not public, endpoint=endpoint, write_only=write_only
    )
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
