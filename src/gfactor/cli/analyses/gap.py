"""gfactor analyze gap: does an examinee fail to see, or fail to reason?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import NAME, domain_label_option, page_option
from gfactor.cli.scoring import scoring_options

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring


@click.command("gap")
@click.argument("journal", metavar="JOURNAL", type=NAME)
@click.option(
    "--by",
    metavar="A,B",
    help="Groups: family, size, ability, or labels of the items; else those of the three that "
    "there are.",
)
@click.option(
    "--guess",
    type=click.FloatRange(0, 1, max_open=True),
    metavar="P",
    help="Probability of a right guess, where nothing was asked blind.",
)
@click.option(
    "--claim",
    type=click.Choice(["same-domains", "other-domains"]),
    help="Generalize the gap to other scenes of the same domains (the default) or to other "
    "domains, as in gfactor compare.",
)
@domain_label_option
@page_option
@json_option
@scoring_options
def command(
    journal: str,
    by: str | None,
    guess: float | None,
    claim: str | None,
    domain_label: str,
    output: Path | None,
    as_json: bool,
    scoring: Scoring,
) -> int:
    """Compare pictures with their text twins: what is lost in seeing, what in reasoning.

    The journal holds one examinee's answers to a bank built with --twin both, and to its pictures
    under the condition images=blank. --condition names that of pictures and twins where there are
    several. docs/gap.md says how everything is computed.

    \b
    Example:
      gfactor build percept-v --twin both -o twins.parquet
      gfactor run twins.parquet --examinee openai:gpt-4o --journal g.db
      gfactor run twins.parquet --examinee openai:gpt-4o --journal g.db --condition images=blank
      gfactor analyze gap g.db --by family,size -o gap/

    Python: gfactor.gap(journal)
    """
    from gfactor.api.gaps import gap_of
    from gfactor.api.taking import opened as opened_journal

    names = None if by is None else [name.strip() for name in by.split(",") if name.strip()]
    with opened_journal(journal) as one:
        result = gap_of(one, scoring, by=names, guess=guess, claim=claim, domain_label=domain_label)
    page = result.report(output).path if output else None
    if as_json:
        put_json({"data": journal, **result.to_dict()})
        return scoring.code
    say(result.summary())
    if page:
        say(f"\n{page}: the page")
    return scoring.code
