"""Agreement of annotators on drafts and labels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.psychometrics.classical.agreement import Agreement, cohen_kappa, krippendorff_alpha
from gfactor.studies.annotation.draft import AnnotationDraft, completed, draft_of
from gfactor.studies.annotation.state import grades, independent_drafts, labels
from gfactor.studies.annotation.store import AnnotationStore

COLUMNS = ("what", "coefficient", "estimate", "low", "high", "units", "raters", "alike", "said")
NOT_YET = "nobody has rated the same units yet"


def agreement_table(store: AnnotationStore, bank: ItemBank) -> pd.DataFrame:
    """Return a row per coefficient and judgment that several people made.

    Columns: `what`; `coefficient`, its `estimate` with the ends of its 95 % interval (`low`,
    `high`), `units` that two or more have judged, `raters`, `alike` (share of pairs of judgments
    that are the same); and `said`, the row in one sentence.
    """
    judged: list[tuple[str, pd.DataFrame, str]] = [
        ("Difficulty", grades(store, "difficulty"), "ordinal"),
        ("Quality", grades(store, "quality"), "ordinal"),
        ("Whether to drop", grades(store, "dropped"), "nominal"),
        ("Types of answers", grades(store, "type"), "nominal"),
        ("Whether the key is right", key_judgments(store, bank), "nominal"),
        ("Category of error", labels(store), "nominal"),
    ]
    rows = []
    for what, table, level in judged:
        rows.append(_row(what, partial(krippendorff_alpha, table, level)))
        if table.shape[1] == 2 and level == "nominal":
            rows.append(_row(what, partial(cohen_kappa, table)))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def key_judgments(store: AnnotationStore, bank: ItemBank) -> pd.DataFrame:
    """Return, items x annotators, "as it was" if the annotator left the key of the item and
    "changed" otherwise; missing if the item was dropped.
    """
    rows: dict[str, dict[str, str]] = {}
    for (item_id, name), entry in independent_drafts(store).items():
        item = bank.item(item_id)
        draft, before = (
            completed(AnnotationDraft.from_json(entry.content), item),
            draft_of(item).parts[0],
        )
        if draft.dropped:
            continue
        same = [
            (part.answer_type, part.answer, part.accepted)
            == (before.answer_type, before.answer, before.accepted)
            for part in draft.parts
        ]
        rows.setdefault(item_id, {})[name] = "as it was" if same == [True] else "changed"
    return pd.DataFrame.from_dict(rows, orient="index")


def _row(what: str, compute: Callable[[], Agreement]) -> dict[str, object]:
    try:
        one = compute()
    except ParameterError:  # no unit has two judgments
        return {"what": what, "coefficient": "", "units": 0, "raters": 0, "said": NOT_YET}
    return {
        "what": what, "coefficient": one.coefficient, "estimate": one.estimate, "low": one.low,
        "high": one.high, "units": one.n, "raters": one.raters, "alike": one.observed,
        "said": one.title,
    }  # fmt: skip
