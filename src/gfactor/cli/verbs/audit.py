"""gfactor audit: find defects of an item bank: leaks, cues, wrong keys, duplicates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.backends import jobs_option
from gfactor.cli.common import aligned, json_option, put_json, say
from gfactor.cli.options import decisions_option
from gfactor.cli.task_tables import tasks_option
from gfactor.cli.values import NAME, PATH
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.benchmarks import Audit, Quality
    from gfactor.psychometrics.respondents import Forensics

HEADING = "Banks"

_COLUMNS: Mapping[str, tuple[str, str]] = {
    "n": ("n", "d"),
    "constant": ("constant", ".1%"),
    "size_aware": ("size-aware", ".1%"),
    "cue_gain": ("cue gain", ".1%"),
    "ideal_observer": ("ideal", ".1%"),
    "min_object_px": ("object px", ".1f"),
    "min_gap_px": ("gap px", ".1f"),
    "min_option_px": ("option px", ".0f"),
    "min_delta_e": ("dE", ".1f"),
    "delta_e_protan": ("protan", ".1f"),
    "delta_e_deutan": ("deutan", ".1f"),
    "delta_e_tritan": ("tritan", ".1f"),
    "duplicates": ("duplicates", "d"),
    "near_duplicates": ("near", ".1%"),
}
"""Column of the audit -> heading and format in the table."""

_CASES = 5
"""Cases of a finding that are printed."""


@click.command(name="audit")
@click.argument(
    "files",
    type=PATH,
    metavar="BANK | SCORES [MORE ...]",
    nargs=-1,
    required=True,
)
@click.option(
    "--ideal/--no-ideal",
    default=True,
    show_default=True,
    help="Have the ideal observer answer every item from its pixels (banks).",
)
@jobs_option("Processes; the result does not depend on it (banks).")
@decisions_option("What people decided about suspicions; these are not listed again (banks).")
@click.option(
    "--review",
    type=PATH,
    metavar="FILE",
    help="Write the suspicions that nobody has decided as a CSV to be filled in (banks).",
)
@click.option(
    "--text-only",
    type=NAME,
    metavar="JOURNAL",
    help="A journal with runs under images=removed: can it be answered without them (banks)?",
)
@click.option(
    "--points",
    metavar="N|FILE",
    help="Points per column: one number, or a CSV with the columns column and points (scores).",
)
@click.option("--counts", is_flag=True, help="The values are whole numbers of points (scores).")
@click.option(
    "--reference",
    type=PATH,
    metavar="FILE",
    help="An unrestricted sample with the same columns, for range restriction (scores).",
)
@tasks_option
@json_option
def command(
    files: tuple[Path, ...],
    ideal: bool,
    jobs: int,
    decisions: Path | None,
    review: Path | None,
    text_only: str | None,
    points: str | None,
    counts: bool,
    reference: Path | None,
    tasks: str | None,
    as_json: bool,
) -> int:
    """Audit an item bank, or score matrices.

    A bank: guessing, duplicates, legibility, color distances, solvability from pixels; then the
    checks of quality: pictures and texts that are nearly the same, options, keys, cues, languages,
    formulas. All pixels are decoded and compared with their stored hashes. The exit code is 1 where
    the bank breaks a limit of its edition or a check finds an error.

    Score matrices (CSV, TSV or Parquet; persons or models in rows, numbers in columns): persons
    that occur twice, within a file and across files up to a shift and scale per column; constant
    columns, impossible values, straight-lining, families of near-copies. The exit code is 1 where
    an error is found.

    \b
    Example:
      gfactor audit percept_v.parquet --jobs 2
      gfactor audit multi.parquet --decisions decisions.csv --text-only c.db
      gfactor audit english.csv french.csv --counts --points points.csv
      gfactor audit answers.csv --tasks items.csv

    Python: gfactor.audit(bank), gfactor.forensics(scores)
    """
    from gfactor.api.auditing import audit as audit_of
    from gfactor.api.matrix_files import holds_scores
    from gfactor.benchmarks import write_review

    first, *more = files
    if all(map(holds_scores, files)):
        given = {"--decisions": decisions, "--review": review, "--text-only": text_only}
        for name in (name for name, value in given.items() if value):
            raise ParameterError(f"{name} is for banks; {str(first)!r} is a score matrix")
        return audit_scores(files, points, counts, reference, as_json, tasks)
    if more:
        other = next(path for path in files if not holds_scores(path))
        raise ParameterError(
            f"{str(other)!r} is no score matrix; audit banks one at a time, and score matrices "
            "(CSV, TSV, Parquet of numbers) together"
        )
    if points or counts or reference or tasks:
        raise ParameterError(
            "--points, --counts, --reference and --tasks are for score matrices; "
            f"{str(first)!r} is none"
        )
    result = audit_of(first, ideal=ideal, decisions=decisions, text_only=text_only, jobs=jobs)
    if review:
        write_review(result.quality.open_cases, review)
    if as_json:
        put_json(result.to_dict())
    else:
        _show_quality(result.quality)
        _show(result.audit, result.quality, first)
    return 0 if result.passed else 1


def _show_quality(quality: Quality) -> None:
    """The findings, each with its first cases."""
    for finding in quality.findings:
        say(str(finding))
        for case in finding.cases[:_CASES]:
            say(f"  {' and '.join(case.items)}: {case.detail}")
        if len(finding.cases) > _CASES:
            say(f"  and {len(finding.cases) - _CASES:,} more; see --json, or --review FILE")
    if quality.findings:
        say("")


def _show(audit: Audit, quality: Quality, bank: Path) -> None:
    document = audit.to_dict()
    shown = [
        c for c in _COLUMNS if any(columns.get(c) is not None for columns in document.values())
    ]
    head = ["domain", *(_COLUMNS[c][0] for c in shown)]
    rows = [[name, *(_cell(columns, c) for c in shown)] for name, columns in document.items()]
    say(aligned([head, *rows]))
    items = sum(columns["n"] for columns in document.values())
    what = f"{bank}: {items:,} items in {len(document)} domains"
    edition = f" ({audit.edition} edition)" if audit.edition else ""
    if not audit.broken:
        say(f"{what}{edition}; no limit is broken; {quality.verdict}.")
        return
    say(f"{what}{edition}; {quality.verdict}; broken limits:")
    for text in audit.broken:
        say(f"  {text}")


def _cell(columns: Mapping[str, Any], name: str) -> str:
    value = columns.get(name)
    return "-" if value is None else format(value, _COLUMNS[name][1])


def audit_scores(
    files: Sequence[Path],
    points: str | None = None,
    counts: bool = False,
    reference: Path | None = None,
    as_json: bool = False,
    tasks: str | None = None,
) -> int:
    """Read, examine and print; 1 where an error was found, else 0."""
    from gfactor.api.matrix_files import read_points, read_scores
    from gfactor.api.score_tables import as_table
    from gfactor.psychometrics.respondents import forensics

    samples = {}
    for path in files:
        name = path.stem
        if name in samples:
            raise ParameterError(f"two files are called {name!r}; rename one to tell them apart")
        samples[name] = as_table(path, tasks).scores if tasks else read_scores(path)
    columns = [str(column) for sample in samples.values() for column in sample.columns]
    result = forensics(
        samples,
        points=read_points(points, columns) if points else None,
        counts=counts,
        reference=read_scores(reference) if reference else None,
    )
    if as_json:
        put_json(result.to_dict())
    else:
        _show_forensics(result)
    return 1 if any(d.severity == "error" for d in result.diagnostics) else 0


def _show_forensics(result: Forensics) -> None:
    for diagnostic in result.diagnostics:
        say(str(diagnostic))
    if result.diagnostics:
        say("")
    head = ["sample", "n", "columns", "copies within", "families", "n (design)", "n (eigen)"]
    rows = [
        [str(r["sample"]), str(r["n"]), str(r["columns"]), str(r["copies_within"]),
         str(r["families"]), _number(r["n_design"]), _number(r["n_eigen"])]
        for r in result.samples.to_dict("records")
    ]  # fmt: skip
    say(aligned([head, *rows]))
    if len(result.overlaps):
        head = ["samples", "persons", "shared", "exact", "needed", "by chance"]
        rows = [
            [f"{r['first']} - {r['second']}", f"{r['n_first']} - {r['n_second']}",
             f"{r['first_shared']} - {r['second_shared']}", str(r["exact"]), _needed(r),
             f"{r['chance_mean']:.1f} (SD {r['chance_sd']:.1f})"]
            for r in result.overlaps.to_dict("records")
        ]  # fmt: skip
        say("")
        say(aligned([head, *rows]))
    say("")
    say(result.summary().splitlines()[-1])


def _number(value: float) -> str:
    return "-" if isnan(value) else f"{value:.1f}"


def _needed(row: dict[object, object]) -> str:
    """Agreeing columns that make a copy; a dash where nothing was one."""
    return f"{row['needed']} of {row['columns']}" if row["first_shared"] else "-"
