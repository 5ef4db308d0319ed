"""MULTI's table 8: score by what is given of the images, and the gain over nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd

from gfactor.administration import Condition
from gfactor.benchmarks.published import published
from gfactor.reports.answers.changes import CHANGE_NOTE, change, single_examinees, under, with_holm
from gfactor.reports.answers.group_rates import SCORE, expected, having, item_rows, rate
from gfactor.reports.answers.papers import HERE, PRINTED, PRINTED_NOTE, beside
from gfactor.reports.answers.results import Results
from gfactor.reports.answers.settings import IMAGES, alike, with_images
from gfactor.reports.table_registry import Table, table
from gfactor.reports.tables.multi_scores import SCORE_NOTE

PAPER = "multi-8"
INPUTS = {
    "removed": "no image", "captioned": "caption", "transcribed": "ocr", "first": "first image",
}  # fmt: skip
IMAGE, TEXT = "image", "text"
_PRINTED = {"no_image": "no image"}


@table("multi_inputs", section="conditions", order=12, needs=("image_type",),
       benchmarks=("multi",))  # fmt: skip
def inputs(results: Results) -> Table | None:
    """Tabulate table 8 for every examinee that answered two or more of its forms of input."""
    rows = item_rows(results)
    lines = [
        row
        for rest, group in alike(rows["condition"], IMAGES).items()
        for who in single_examinees(rows)
        for row in _rows(rows, who, rest, _named(group), results.level)
    ]
    if not lines:
        return None
    frame = beside(with_holm(pd.DataFrame(lines)), _printed())
    return Table(
        "Table 8: score by what is given of the images",
        frame,
        percent=("score", "gain", "chance"),
        headings={
            "label": "examinee", "condition": "otherwise", "image_type": "images",
            "p_holm": "p (Holm)",
        },
        notes=(
            SCORE_NOTE,
            CHANGE_NOTE,
            "Gain: over no image, in percentage points of the score. Without images the questions "
            "with none (NI) are the same under every input and are listed once. First image: that "
            "one alone was shown (images=first), as the paper does with models that take one.",
            f"{PRINTED_NOTE} Source: {published(PAPER).source}",
        ),
        p_values=("p", "p_holm"),
    )  # fmt: skip


def _named(group: dict[str, Condition]) -> dict[str, str]:
    """Input -> condition; of several with images the first."""
    named: dict[str, str] = {}
    for key, condition in group.items():
        name = IMAGE if with_images(condition) else INPUTS.get(condition.images, "")
        if name:
            named.setdefault(name, key)
    return named


def _rows(
    rows: pd.DataFrame, who: str, rest: str, named: dict[str, str], level: float
) -> list[dict[str, object]]:
    by_input = {name: under(rows, who, key) for name, key in named.items()}
    by_input = {name: answers for name, answers in by_input.items() if len(answers)}
    if len(by_input) < 2:
        return []
    lines = []
    for images in ("NI", "SI", "MI"):
        order = [
            name
            for name in ("no image", "caption", "ocr", "first image", IMAGE)
            if name in by_input
        ]
        for name in order if images != "NI" else [IMAGE if IMAGE in by_input else order[0]]:
            answers = having(by_input[name], "image_type", images)
            if not len(answers):
                continue
            estimate = rate(answers, SCORE, level)
            row = {
                "label": who, "condition": rest, "source": HERE, "image_type": images,
                "input": TEXT if images == "NI" else name, "n": estimate["n"],
                "score": estimate["value"], "score_low": estimate["low"],
                "score_high": estimate["high"],
                "gain": np.nan, "gain_low": np.nan, "gain_high": np.nan, "p": np.nan,
                "chance": expected(answers, SCORE),
            }  # fmt: skip
            if images != "NI" and name != "no image" and "no image" in by_input:
                without = having(by_input["no image"], "image_type", images)
                difference = change(without, answers, SCORE, level)
                if difference is not None:
                    ends = ("", "_low", "_high")
                    row |= {f"gain{end}": difference[f"difference{end}"] for end in ends}
                    row |= {"p": difference["p"]}
            lines.append(row)
    return lines


def _printed() -> pd.DataFrame:
    theirs = published(PAPER).frame
    scored = theirs.loc[theirs["score"].notna().to_numpy(bool)]
    return pd.DataFrame(
        {
            "label": scored["model"],
            "source": PRINTED,
            "image_type": scored["image_type"],
            "input": scored["input"].replace(_PRINTED),
            "score": scored["score"].astype(float) / 100,
            "gain": scored["printed_gain"].astype(float) / 100,
        }
    )
