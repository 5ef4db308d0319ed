"""gfactor report: tables, figures, one self-contained page."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.administration import Journal
from gfactor.cli.common import json_option, put_json, say
from gfactor.reports import Results, write_report


@click.command(name="report")
@click.argument("journal", metavar="JOURNAL")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Folder for the report; made where it does not exist.",
)
@json_option
def command(journal: str, output: Path, as_json: bool) -> int:
    """Report what was measured: DIR/report.html, DIR/tables/ and DIR/figures/.

    The page opens from disk and needs no network. Every table lies beside it as CSV, Markdown and
    LaTeX, every figure as SVG and PNG. The same journal gives the same bytes.

    \b
    Example:
      gfactor report c.db -o report/
    """
    with Journal.open(journal, create=False) as opened:
        results = Results.from_journal(opened)
    written = write_report(results, output)
    if as_json:
        put_json(
            {
                "path": str(written.path),
                "tables": list(written.tables),
                "figures": list(written.figures),
            }
        )
    else:
        say(
            f"{written.path}: {len(written.tables)} tables, {len(written.figures)} figures, "
            f"{len(results.counted):,} answers of {len(results.labels())} examinees."
        )
    return 0
