"""gfactor audit: find defects of an item bank: leaks, cues, wrong keys, duplicates.

gfactor audit percept_v.parquet --jobs 2
gfactor audit multi.parquet --decisions decisions.csv --text-only c.db
gfactor audit english.csv french.csv --counts --points points.csv
gfactor audit answers.csv --tasks items.csv
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.common import refuse_typed
from gfactor.cli.deriving import derived
from gfactor.cli.printing import function_of, put
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.psychometrics.respondents import Forensics

HEADING = "Banks"

ABOUT = """A bank: guessing, duplicates, legibility, color distances, solvability from pixels; then
the checks of quality: pictures and texts that are nearly the same, options, keys, cues, languages,
formulas. The exit code is 1 if the bank breaks a limit of its edition or a check finds an error.

Score matrices (CSV, TSV or Parquet; persons or models in rows, numbers in columns): persons that
occur twice, within a file and across files up to a shift and scale per column; constant columns,
impossible values, straight-lining, families of near-copies. The exit code is 1 if an error is
found."""


@derived(
    __doc__,
    "audit",
    {
        "bank": "BANK|SCORES...",
        "ideal": "--ideal/--no-ideal",
        "decisions": "--decisions FILE",
        "text_only": "--text-only JOURNAL",
        "points": "--points N|FILE",
        "tasks": "--tasks FILE|PATTERN",
    },
    reads={"bank": PATH},
    helps={"bank": "The bank, or several files of scores."},
    twins=["forensics"],
    about=ABOUT,
)
def command(
    bank: tuple[Path, ...], review: Path | None = None, points: str | None = None,
    counts: bool = False, reference: Path | None = None, tasks: str | None = None, *,
    as_json: bool, **given: Any,
) -> int:  # fmt: skip
    """Audit a bank, or score matrices together.

    Parameters
    ----------
    review : path, optional
        Write the suspicions that nobody has decided as a CSV to be filled in (banks).
    points : str, optional
        Points per column: one number, or a CSV with the columns column and points (scores).
    counts : bool
        As in `forensics`.
    reference : path, optional
        An unrestricted sample with the same columns, for range restriction (scores).
    tasks : str, optional
        The columns are items (0 wrong, 1 right): a CSV with the columns item and task (and options
        or chance, where known), or a regular expression whose group, or match, is the task.
    """
    from gfactor.api.matrix_files import holds_scores
    from gfactor.benchmarks import write_review
    from gfactor.items.reading import is_database

    first, *more = bank
    if all(map(holds_scores, bank)):
        refuse_typed(
            f"is for banks; {str(first)!r} is a score matrix",
            among=("decisions", "review", "text_only", "probe"),
        )
        return put(_forensics(bank, points, counts, reference, tasks), as_json)
    if more:
        other = next(path for path in bank if not holds_scores(path))
        raise ParameterError(
            f"{str(other)!r} is not a score matrix; audit banks one at a time, and score matrices "
            "(CSV, TSV, Parquet of numbers) together"
        )
    if is_database(first):
        raise ParameterError(
            f"{str(first)!r} is a database, such as a journal, and an audit reads the items of a "
            f"bank or a table of scores. Broken items by their answers: gfactor analyze irt {first}"
        )
    refuse_typed(
        f"is for score matrices; {str(first)!r} is none",
        among=("points", "counts", "reference", "tasks"),
    )
    result = function_of("audit")(first, **given)
    if review:
        write_review(result.quality.open_cases, review)
    return put(result, as_json)


def _forensics(
    files: Sequence[Path], points: str | None, counts: bool, reference: Path | None,
    tasks: str | None,
) -> Forensics:  # fmt: skip
    from gfactor.api.matrix_files import read_points, read_scores
    from gfactor.api.score_tables import as_table

    samples = {}
    for path in files:
        name = path.stem
        if name in samples:
            raise ParameterError(f"two files are called {name!r}; rename one to tell them apart")
        samples[name] = as_table(path, tasks).scores if tasks else read_scores(path)
    columns = [str(column) for sample in samples.values() for column in sample.columns]
    return function_of("forensics")(
        samples,
        points=read_points(points, columns) if points else None,
        counts=counts,
        reference=read_scores(reference) if reference else None,
    )
