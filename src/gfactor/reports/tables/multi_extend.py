"""MULTI's figure 6: what pieces of knowledge (Extend) add, against the context window."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from gfactor.reports.answers.changes import CHANGE_NOTE, change, single_examinees, under, with_holm
from gfactor.reports.answers.group_rates import SCORE, expected, having, item_rows
from gfactor.reports.answers.model_facts import WINDOW
from gfactor.reports.answers.papers import beside
from gfactor.reports.answers.results import Results
from gfactor.reports.answers.settings import KNOWLEDGE, alike
from gfactor.reports.table_registry import Table, table
from gfactor.reports.tables.multi_scores import SCORE_NOTE

_ENDS = ("", "_low", "_high")


@table("multi_extend", section="conditions", order=15, needs=("extended",), benchmarks=("multi",))
def extend(results: Results) -> Table | None:
    """Tabulate figure 6: every examinee that answered with knowledge and without."""
    rows = item_rows(results)
    windows = {} if results.models is None else results.models[WINDOW].to_dict()
    names = dict(zip(rows["_who"], rows["examinee"], strict=True))
    changes = [
        {"label": who, "condition": rest, "items": name, WINDOW: windows.get(names[who], np.nan),
         **difference, "chance": expected(part, SCORE)}
        for rest, without, given in _pairs(rows)
        for who in single_examinees(rows)
        for name, part in _parts(rows)
        for difference in [change(under(part, who, without), under(part, who, given), SCORE,
                            results.level)]
        if difference is not None
    ]  # fmt: skip
    if not changes:
        return None
    frame = with_holm(pd.DataFrame(changes)).astype({WINDOW: "Int64"})
    new = {"before": "without", "after": "with_knowledge", "difference": "gain"}
    frame = frame.rename(columns={f"{a}{e}": f"{b}{e}" for a, b in new.items() for e in _ENDS})
    return Table(
        "Figure 6: gain by the knowledge of Extend",
        beside(frame, None),
        percent=("without", "with_knowledge", "gain", "chance"),
        headings={"label": "examinee", "condition": "otherwise", "p_holm": "p (Holm)",
                  WINDOW: "context window (tokens)"},
        notes=(
            SCORE_NOTE,
            CHANGE_NOTE,
            "Questions that have pieces of knowledge with a text; Elite: those of the hard subset, "
            "which the paper's figure shows (without numbers). Context windows are those of the "
            "file given by --models.",
        ),
        p_values=("p", "p_holm"),
    )  # fmt: skip


def _pairs(rows: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Yield pairs of conditions, without and with knowledge, after the settings they share."""
    for rest, group in alike(rows["condition"], KNOWLEDGE).items():
        without = [key for key, c in group.items() if not c.knowledge]
        for given in (key for key, c in group.items() if c.knowledge):
            for key in without:
                yield rest, key, given


def _parts(rows: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    extended = having(rows, "extended", "yes")
    parts = [("with knowledge", extended)]
    if "elite" in rows:
        parts.append(("Elite, with knowledge", having(extended, "elite", "yes")))
    return [(name, part) for name, part in parts if len(part)]
