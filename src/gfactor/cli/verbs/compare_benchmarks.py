"""gfactor compare-benchmarks: compare benchmarks by their tasks and by the people who took them.

gfactor compare-benchmarks scores.csv --criterion arena.csv --chance 0.25 -o compared/
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.common import put_json, say
from gfactor.cli.criterion import pairs
from gfactor.cli.deriving import PAGE_OPTION, derived, function_of
from gfactor.errors import ParameterError

HEADING = "Results"


def _models(texts: tuple[str, ...]) -> dict[str, str]:
    models = {}
    for pair in texts:
        name, sign, file = pair.partition("=")
        if not sign:
            raise ParameterError(f"--model is NAME=FILE (the benchmark it is of), not {pair!r}")
        models[name] = file
    return models


@derived(
    __doc__,
    "compare_benchmarks",
    {
        "data": "DATA.csv...",
        "models": "--model NAME=FILE...",
        "benchmarks": "--benchmark NAME",
        "chance": "--chance LEVEL|FILE",
        "items": "--items N|FILE",
        "tasks": "--tasks FILE|PATTERN",
        "condition": "--condition KEY",
        "above": "--above SCORE",
        "without": "--without MODEL",
        "where": "--where COLUMN=VALUE...",
        "n_bootstrap": "--draws N",
    },
    reads={"models": _models, "chance": str, "items": str, "tasks": str, "where": pairs},
    options=[PAGE_OPTION],
)
def command(
    data: tuple[str, ...],
    condition: str | None,
    criterion: Path | None,
    names: Path | None,
    where: Any,
    page: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    from gfactor.api.reach import as_flag
    from gfactor.api.score_tables import naming_of, rated
    from gfactor.scoring.tables import format_of

    rating = rated(criterion, names, where or {}, as_flag)
    _ = naming_of({"condition": condition}, [format_of(file) for file in data])
    comparison = function_of("compare_benchmarks")(
        list(data), condition=condition, **rating.given, **given
    )
    written = None
    if page:
        from gfactor.reports.analysis import write_analysis
        from gfactor.reports.benchmark_comparison import comparison_report

        written = write_analysis(comparison_report(comparison, ", ".join(data)), page).path
    if as_json:
        put_json(comparison.to_dict())
        return
    say(comparison.summary())
    if written:
        say(f"\n{written}: the page")
