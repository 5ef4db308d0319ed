"""M3GIA's figure 5 and table 2 start here: right answers by type, what `gfactor analyze gia` reads.

One table per language, for models and for people: the name and the 18 types in the order of table
3, so that the CSV files can be given to that command as they are.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from gfactor.benchmarks.m3gia import LANGUAGES, TYPES
from gfactor.frames import column, pick
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table
from gfactor.scoring import averaged

NAMES = {
    "en": "English", "zh": "Chinese", "fr": "French", "es": "Spanish", "pt": "Portuguese",
    "ko": "Korean",
}  # fmt: skip


def counts(results: Results, language: str, people: bool) -> Table | None:
    """Tabulate right answers of each examinee (or person) to each type of question in one
    language."""
    rows = averaged(results.answers)
    rows = pick(rows, rows["test_language"] == language)
    items_of_domain = rows.groupby("domain")["item_id"].nunique()
    rows = pick(rows, (rows["role"] == "person") == people)
    if rows.empty:
        return None
    cells: Any = rows.groupby(["label", "domain"])["correct"].agg(["sum", "size"])
    frame = column(cells, "sum").unstack().astype(float)
    whole = column(cells, "size").unstack().eq(items_of_domain)
    types = [name for name in TYPES if name in frame]
    frame = frame.where(whole).reindex(columns=types).rename_axis(index="examinee", columns=None)
    frame = frame.reset_index()
    if not (frame.loc[:, types] % 1 > 0).any(axis=None):
        frame = frame.astype(dict.fromkeys(types, "Int64"))
    who = "people" if people else "examinees"
    return Table(
        f"Right answers by type in {NAMES[language]}, {who}",
        frame,
        notes=(
            "As `gfactor analyze gia` reads it, which gives intervals: "
            + (f"`--human {language}=FILE`." if people else f"`{language}=FILE`.")
            + " That needs all 18 types. The occasions of an item are averaged. A cell is empty "
            "where not every item of the type was answered.",
        ),
        folded=True,
    )


for _index, _tag in enumerate(LANGUAGES):
    for _people, _name in ((False, "counts"), (True, "people")):
        table(
            f"m3gia_{_name}_{_tag}", section="paper", order=20 + _index,
            needs=("domain", "test_language"), benchmarks=("m3gia",),
        )(partial(counts, language=_tag, people=_people))  # fmt: skip
