"""Models that answered, if the model of a run changed or is not the asked one."""

from __future__ import annotations

from gfactor.frames import pick
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table


@table("answering_models", section="summary", order=6)
def answering_models(results: Results) -> Table | None:
    """Tabulate the models and fingerprints that servers named; only if one changed within a run or
    is not the asked one."""
    if not results.model_changes or results.answering is None:
        return None
    names = {where for one in results.model_changes for where in one.where[:1]}
    chosen = [name in names for name in results.answering["examinee"]]
    others_only = all(one.code == "other_model" for one in results.model_changes)
    return Table(
        "Another model answered" if others_only else "The model changed within a run",
        pick(results.answering, chosen).reset_index(drop=True),
        headings={"answered_by": "answered by"},
        notes=tuple(str(one) for one in results.model_changes),
    )
