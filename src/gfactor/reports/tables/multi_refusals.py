"""MULTI's figure 7: how often a reply declines where the image is missing."""

from __future__ import annotations

import pandas as pd

from gfactor.administration.presenting.condition import NO_PICTURE
from gfactor.administration.presenting.condition_text import read_key
from gfactor.frames import column, mapped, pick
from gfactor.reports.answers.group_rates import (
    RATE_NOTE,
    RateMeasure,
    having,
    item_rows,
    ordered,
    rates,
)
from gfactor.reports.answers.papers import beside
from gfactor.reports.answers.results import Results
from gfactor.reports.answers.settings import IMAGES, alike
from gfactor.reports.table_registry import Table, table

REFUSED = RateMeasure("_refused", chance="_none")


@table("multi_refusals", section="conditions", order=14, needs=("image_type",),
       benchmarks=("multi",))  # fmt: skip
def refusals(results: Results) -> Table | None:
    """Return the share of questions with images that examinees refused when the images were left
    out."""
    rows = item_rows(results)
    keys = [
        key
        for group in alike(rows["condition"], IMAGES).values()
        for key in group
        if read_key(key).images in NO_PICTURE
    ]
    rows = pick(rows, rows["condition"].isin(keys) & (rows["image_type"] != "NI"))
    if rows.empty:
        return None
    parts = [
        rates(having(rows, "image_type", name), ["label"], REFUSED, results.level).assign(
            images=name
        )
        for name in ("SI", "MI")
    ]
    frame = ordered(pd.concat(parts, ignore_index=True), results, rows)
    frame = frame.rename(columns={"value": "refused", "low": "refused_low", "high": "refused_high"})
    prompts = {
        label: "yes" if read_key(key).decline else "no"
        for label, key in zip(rows["label"], rows["condition"], strict=True)
    }
    frame = frame.assign(asked=mapped(column(frame, "label"), prompts))
    names = ["label", "asked", "images", "n", "refused", "refused_low", "refused_high"]
    return Table(
        "Figure 7: refusals where the images are missing",
        beside(frame.reindex(columns=names), None),
        percent=("refused",),
        headings={"label": "examinee", "asked": "asked to decline"},
        notes=(
            "Asked to decline: under the condition decline=on, whose prompt asks to say so, "
            "instead of guessing, where information is missing. The paper's figure is of such "
            "prompts.",
            "Refused: the reply holds no answer and declines, or says that something is missing. "
            "Guessing never refuses. The paper shows its figures as bars without numbers.",
            RATE_NOTE,
        ),
    )
