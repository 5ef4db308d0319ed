"""MM-IQ with and without step-by-step reasoning, on the same items."""

from __future__ import annotations

import pandas as pd

from gfactor.reports.answers.changes import CHANGE_NOTE, change, single_examinees, under, with_holm
from gfactor.reports.answers.group_rates import ACCURACY, CHANCE_NOTE, expected, item_rows
from gfactor.reports.answers.papers import beside
from gfactor.reports.answers.results import Results
from gfactor.reports.answers.settings import THINKING, alike
from gfactor.reports.table_registry import Table, table


@table("mm_iq_thinking", section="conditions", order=11, needs=("paradigm",),
       benchmarks=("mm-iq",))  # fmt: skip
def thinking(results: Results) -> Table | None:
    """Tabulate every examinee that answered both with step-by-step reasoning (cot=on) and
    without."""
    rows = item_rows(results)
    changes = [
        {"label": who, "condition": rest, **difference, "chance": expected(under(rows, who, plain),
                                                                     ACCURACY)}
        for rest, group in alike(rows["condition"], THINKING).items()
        for plain in (key for key, c in group.items() if not c.cot)
        for thinking_on in (key for key, c in group.items() if c.cot)
        for who in single_examinees(rows)
        for difference in [change(under(rows, who, plain), under(rows, who, thinking_on), ACCURACY,
                            results.level)]
        if difference is not None
    ]  # fmt: skip
    if not changes:
        return None
    names = {"before": "plain", "after": "cot", "difference": "gain"}
    ends = ("", "_low", "_high")
    frame = with_holm(pd.DataFrame(changes)).rename(
        columns={f"{a}{end}": f"{b}{end}" for a, b in names.items() for end in ends}
    )
    return Table(
        "Accuracy with and without cot=on",
        beside(frame, None),
        percent=("plain", "cot", "gain", "chance"),
        headings={"label": "examinee", "condition": "otherwise", "p_holm": "p (Holm)"},
        notes=(CHANGE_NOTE, CHANCE_NOTE, "Gain: in percentage points."),
        p_values=("p", "p_holm"),
    )
