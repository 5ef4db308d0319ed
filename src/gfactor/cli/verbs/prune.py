"""gfactor prune: choose the tasks of a battery that are worth keeping (GOLD, Algorithm 1).

gfactor prune scores.csv --model gold.pls --stability 500 --validate 5 -o pruned/
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.backends import jobs_option
from gfactor.cli.common import put_json, say
from gfactor.cli.criterion import pairs
from gfactor.cli.deriving import PAGE_OPTION, derived
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.pruning import PrunedTasks
    from gfactor.psychometrics import Diagnostic
    from gfactor.psychometrics.pruning import Pruning, PruningStability, PruningValidation

HEADING = "Statistics"


@derived(
    __doc__,
    "prune",
    {
        "model": "--model FILE",
        "data": "DATA.csv",
        "without": "--without MODEL",
        "tasks": "--tasks FILE|PATTERN",
        "condition": "--condition KEY",
        "n_bootstrap": "--stability N",
        "folds": "--validate K",
        "where": "--where COLUMN=VALUE...",
    },
    reads={"model": str, "tasks": str, "where": pairs},
    optional=["model"],
    options=[
        jobs_option("Processes for --stability; the result does not depend on it."),
        PAGE_OPTION,
    ],
)
def command(
    model: str | None,
    data: str,
    condition: str | None,
    folds: int,
    criterion: Path | None,
    names: Path | None,
    where: Any,
    page: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    from gfactor.api.pruning import prune
    from gfactor.api.reach import as_flag
    from gfactor.api.score_tables import naming_of, rated
    from gfactor.scoring.tables import format_of

    rating = rated(criterion, names, where or {}, as_flag)
    if rating.criterion is not None and not folds:
        raise ParameterError("a criterion is for the validation; give --validate K")
    _ = naming_of({"condition": condition}, [format_of(data)])
    matches = prune(model, data, condition=condition, folds=folds, **rating.given, **given)
    written = matches.report(page).path if page else None
    if as_json:
        put_json(matches.to_dict())
        return
    _say(matches)
    if written:
        say(f"\n{written}: the page")


def _say(matches: PrunedTasks) -> None:
    pruning, steady, validation = matches.pruning, matches.stability, matches.validation
    diagnostics = matches.diagnostics
    for diagnostic in diagnostics:
        say(str(diagnostic))
    say("\n" + _body(pruning, diagnostics))
    say("\n" + pruning.tasks.to_string(index=False, float_format="{:.3f}".format))
    say("\n" + pruning.three.to_string(index=False, float_format="{:.3f}".format))
    if steady is not None:
        say("\n" + _body(steady, diagnostics))
        say(steady.tasks.to_string(index=False, float_format="{:.2f}".format))
    if matches.ablation is not None:
        say("\n" + matches.ablation.to_string(index=False, float_format="{:.3f}".format))
    if validation is not None:
        say("\n" + _body(validation, diagnostics))
        say(validation.three.to_string(index=False, float_format="{:.3f}".format, na_rep="-"))


def _body(
    result: Pruning | PruningStability | PruningValidation, diagnostics: tuple[Diagnostic, ...]
) -> str:
    """The summary without the diagnostics, which were said before."""
    lines = set(map(str, diagnostics))
    return "\n".join(line for line in result.summary().splitlines() if line not in lines)
