"""gfactor audit: find defects of an item bank: leaks, cues, wrong keys, duplicates.

gfactor audit percept_v.parquet --jobs 2
gfactor audit multi.parquet --decisions decisions.csv --text-only c.db
gfactor audit mmbench.parquet --answers c.db
gfactor audit english.csv french.csv --counts --points points.csv
gfactor audit answers.csv --tasks items.csv

A bank is checked for items that can be guessed, duplicates, legibility, distances of colors, and
whether it can be solved from its pixels. Then it is checked for near-duplicate pictures and texts,
and for flaws of options, answer keys, cues, languages and formulas. A key that names a wrong option
shows only in answers (--answers). The exit code is 1 if the bank breaks a limit of its edition, or
a check finds an error.

Files with scores (CSV, TSV or Parquet; a row per person or model, columns of numbers) are checked
for persons that occur twice, constant columns, impossible values, persons who give the same answer
throughout, and families of near-copies. Persons in two files are compared up to a shift and a
scale of each column. The exit code is 1 if an error is found.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gfactor.cli.deriving import derived
from gfactor.cli.printing import called, put
from gfactor.cli.spelling import options_with
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

HEADING = "Banks"


FOR_SCORES = options_with(
    "For scores",
    "forensics",
    ("points", "counts", "reference", "tasks"),
    {"points": "--points N|FILE"},
    {"points": click.STRING, "tasks": click.STRING},
)


@derived(
    __doc__,
    "audit",
    {
        "bank": "BANK|SCORES...",
        "ideal": "--ideal/--no-ideal",
        "decisions": "--decisions FILE",
        "text_only": "--text-only JOURNAL",
        "answers": "--answers JOURNAL",
    },
    reads={"bank": PATH},
    helps={"bank": "Bank to audit; or files with scores, one or several."},
    options=[FOR_SCORES],
    twins=["forensics"],
)
def command(bank: tuple[Path, ...], as_json: bool, **given: Any) -> int:
    from gfactor.api.inputs.matrix_files import holds_scores

    first = bank[0]
    others = [path for path in bank if not holds_scores(path)]
    if not others:
        reason = f"is for banks; {str(first)!r} is a score matrix"
        beside = ("bank", "jobs", "ideal")
        return put(called("forensics", given | {"samples": bank}, reason, beside=beside), as_json)
    if len(bank) > 1:
        raise ParameterError(
            f"{str(others[0])!r} is not a score matrix; audit banks one at a time, and score "
            "matrices (CSV, TSV, Parquet of numbers) together"
        )
    reason = f"is for score matrices; {str(first)!r} is none"
    return put(called("audit", given | {"bank": first}, reason), as_json)
