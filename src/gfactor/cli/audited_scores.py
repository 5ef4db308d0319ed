"""What `gfactor audit` does with score matrices."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from pathlib import Path

from gfactor.cli.common import put_json, say
from gfactor.cli.lines import aligned
from gfactor.cli.scores import read_points, read_scores
from gfactor.cli.task_tables import table_of_tasks
from gfactor.errors import ParameterError
from gfactor.psychometrics.respondents import Forensics, forensics


def audit_scores(
    files: Sequence[Path],
    points: str | None = None,
    counts: bool = False,
    reference: Path | None = None,
    as_json: bool = False,
    tasks: str | None = None,
) -> int:
    """Read, examine and print; 1 where an error was found, else 0."""
    samples = {}
    for path in files:
        name = path.stem
        if name in samples:
            raise ParameterError(f"two files are called {name!r}; rename one to tell them apart")
        samples[name] = table_of_tasks(path, tasks).scores if tasks else read_scores(path)
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
        _show(result)
    return 1 if any(d.severity == "error" for d in result.diagnostics) else 0


def _show(result: Forensics) -> None:
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
