"""M3GIA's table 4: accuracy with the images and without, by cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from gfactor.benchmarks.m3gia import CLUSTERS
from gfactor.benchmarks.published import published
from gfactor.reports.answers.changes import CHANGE_NOTE, change, single_examinees, under, with_holm
from gfactor.reports.answers.group_rates import ACCURACY, RATE_NOTE, expected, having, item_rows
from gfactor.reports.answers.papers import HERE, PRINTED, PRINTED_NOTE, beside
from gfactor.reports.answers.results import Results
from gfactor.reports.answers.settings import IMAGES, alike, with_images
from gfactor.reports.table_registry import Table, table

PAPER = "m3gia-4"
WITH_IMAGES = "overall, questions with images"

_ENDS = ("", "_low", "_high")


@table("m3gia_images", section="conditions", order=10, needs=("cluster",), benchmarks=("m3gia",))
def ablation(results: Results) -> Table | None:
    """Return Table 4: accuracy with and without images of each examinee with both, by cluster."""
    rows = item_rows(results)
    changes = [
        {"label": who, "condition": rest, "source": HERE, "cluster": name, **difference}
        for rest, with_pictures, removed in _pairs(rows)
        for who in single_examinees(rows)
        for name, cluster in _clusters(rows)
        for difference in [change(under(cluster, who, with_pictures), under(cluster, who, removed),
                                  ACCURACY, results.level)]
        if difference is not None
        for difference in [difference | {"chance": expected(cluster, ACCURACY)}]
    ]  # fmt: skip
    if not changes:
        return None
    frame = with_holm(pd.DataFrame(changes))
    frame = beside(frame, _printed())
    names = {"before": "with_images", "after": "without_images"}
    frame = frame.rename(columns={f"{a}{e}": f"{b}{e}" for a, b in names.items() for e in _ENDS})
    return Table(
        "Table 4: accuracy with and without images",
        frame,
        percent=("with_images", "without_images", "difference", "chance"),
        headings={"label": "examinee", "condition": "otherwise", "p_holm": "p (Holm)"},
        notes=(
            CHANGE_NOTE,
            RATE_NOTE,
            "Difference: without minus with images, in percentage points. Table 4 counts all "
            "questions of a cluster, of which a third has no image; the last row of each examinee "
            "counts those with one. Chance: of picking options without looking.",
            f"{PRINTED_NOTE} Source: {published(PAPER).source}",
        ),
        p_values=("p", "p_holm"),
    )


def _pairs(rows: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Yield what is common to the conditions, one with images, and one without."""
    for rest, group in alike(rows["condition"], IMAGES).items():
        for with_pictures in (key for key, c in group.items() if with_images(c)):
            for removed in (key for key, c in group.items() if c.images == "removed"):
                yield rest, with_pictures, removed


def _clusters(rows: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    parts = [(name, having(rows, "cluster", name)) for name in CLUSTERS]
    whole = [("overall", rows)]
    if "image_type" in rows:
        whole.append((WITH_IMAGES, having(rows, "image_type", "SI")))
    return [(name, cluster) for name, cluster in (*parts, *whole) if len(cluster)]


def _printed() -> pd.DataFrame:
    theirs = published(PAPER).frame.set_index("images")
    printed: list[dict[str, Any]] = []
    for name in theirs.columns:
        with_pictures, removed = (
            float(np.asarray(theirs.loc[k, name])) / 100 for k in ("with", "without")
        )
        cluster = {"visual-spatial": "Visual-spatial", "overall": "overall"}
        printed.append(
            {
                "label": "GPT-4V", "condition": "default", "source": PRINTED,
                "cluster": cluster.get(str(name).casefold(), str(name)),
                "before": with_pictures, "after": removed, "difference": removed - with_pictures,
            }
        )  # fmt: skip
    return pd.DataFrame(printed)
