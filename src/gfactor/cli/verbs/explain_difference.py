"""gfactor explain-difference: explain why two scores of one model on one benchmark differ."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import NAME, domain_label_option, page_option
from gfactor.errors import ParameterError

HEADING = "Results"

READINGS = declared("gfactor.api.measurements", "READINGS")
SETTINGS = declared("gfactor.api.measurements", "SETTINGS")

_SETTINGS = (
    f"may be given several times. Names: {', '.join(SETTINGS)}. reading is one of "
    f"{', '.join(READINGS)}; reported is a published score from 0 to 1."
)


@click.command("explain-difference")
@click.argument("first", metavar="JOURNAL_A", type=NAME)
@click.argument("second", metavar="JOURNAL_B", type=NAME)
@click.option(
    "--first",
    "first_said",
    multiple=True,
    metavar="NAME=VALUE",
    help=f"A setting of the first measurement; {_SETTINGS}",
)
@click.option(
    "--second",
    "second_said",
    multiple=True,
    metavar="NAME=VALUE",
    help="The same for the second measurement.",
)
@click.option(
    "--match",
    type=click.Choice(["auto", "hash", "id", "text", "number"]),
    default="auto",
    show_default=True,
    help="How items are matched: auto by content, then id, then text; number by what stands "
    "behind the last slash of their ids.",
)
@click.option(
    "--claim",
    type=click.Choice(["same-domains", "other-domains"]),
    help="What intervals generalize to, as in gfactor compare; by default other items of the same "
    "domains.",
)
@domain_label_option
@click.option("--cluster", metavar="LABEL", help="Older name of --claim, as in gfactor compare.")
@page_option
@json_option
def command(
    first: str,
    second: str,
    first_said: tuple[str, ...],
    second_said: tuple[str, ...],
    match: str,
    claim: str | None,
    domain_label: str,
    cluster: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Share out the gap between two scores of one model on one benchmark among its causes.

    Items, prompt, image alteration, decoding, extraction, judge, scoring rule, answer key, sampling
    error, and what stays unexplained: each in points of the gap, with a 95 % interval. JOURNAL_A
    and JOURNAL_B are journals, also imported ones, or logs of Inspect (.eval) and lmms-eval
    (samples, .jsonl). The same journal twice compares two of its conditions, or two readings.

    \b
    Example:
      gfactor explain-difference ours.db theirs.db
      gfactor explain-difference ours.db 2026_samples_mmmu.jsonl --second reading=harness
      gfactor explain-difference c.db c.db --first reading=strict --second reading=lenient

    Python: gfactor.explain_difference("a.db", "b.db")
    """
    import pandas as pd

    from gfactor.api.explaining import explain_difference

    explanation = explain_difference(
        first,
        second,
        first_settings=_said(first_said, "--first"),
        second_settings=_said(second_said, "--second"),
        match=match,
        claim=claim,
        domain_label=domain_label,
        cluster=cluster,
    )
    if output is not None:
        explanation.report(output)
    if as_json:
        put_json(explanation.to_dict())
        return
    for note in explanation.diagnostics:
        say(str(note))
    say(f"{explanation.title}; every share {explanation.generalizes_to}\n")
    say(f"{explanation.scores.round(4).to_string()}\n{explanation.matched:,} items match\n")
    rows = [
        {
            "cause": cause,
            "points": "-"
            if pd.isna(row["estimate"]) or (pd.isna(row["se"]) and not row["estimate"])
            else f"{100 * row['estimate']:+.1f}",
            "interval": "-"
            if pd.isna(row["ci_lower"])
            else f"[{100 * row['ci_lower']:+.1f}, {100 * row['ci_upper']:+.1f}]",
            "how": row["method"],
            "first": row["first"],
            "second": row["second"] if row["second"] != row["first"] else "the same",
        }
        for cause, row in zip(
            explanation.shares.index, explanation.shares.to_dict("records"), strict=True
        )
    ]
    say(pd.DataFrame(rows).to_string(index=False))
    if len(explanation.images):
        say(f"\nimages\n{explanation.images.to_string(index=False)}")
    if output is not None:
        say(f"page in {output}")


def _said(words: tuple[str, ...], option: str) -> dict[str, str]:
    said: dict[str, str] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not value:
            raise ParameterError(f"{option} is NAME=VALUE, such as reading=lenient, got {word!r}")
        if name.strip() in said:
            raise ParameterError(f"{option} has {name.strip()} twice")
        said[name.strip()] = value.strip()
    return said
