"""MULTI's tables 4 to 7: score ratio by level, number of images and type, and on Elite."""

from __future__ import annotations

from gfactor.reports.answers.group_rates import ACCURACY, SCORE, having, item_rows
from gfactor.reports.answers.papers import Column, paper_table
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table

SCORE_NOTE = (
    "Score: points earned per possible point (section 4.3): one per question of type SA, one per "
    "right option of MA and none once a wrong one is chosen, one per blank of FB, ROUGE-L of OP. "
    "MA_acc: the share of MA questions of which all is right. n counts questions."
)
IMAGES = tuple(Column(name, "image_type", name, SCORE) for name in ("NI", "SI", "MI"))
TYPES = (
    Column("SA", "type", "SA", SCORE),
    Column("MA", "type", "MA", SCORE),
    Column("MA_acc", "type", "MA", ACCURACY),
    Column("FB", "type", "FB", SCORE),
    Column("OP", "type", "OP", SCORE),
)
OVERALL = Column("Overall", measure=SCORE)


@table("multi_levels", section="paper", order=4, needs=("level",), benchmarks=("multi",))
def by_level(results: Results) -> Table | None:
    """Tabulate table 4: a row per examinee, a column per level."""
    names = ("JuH", "SeH", "Uni", "Driv", "AAT")
    columns = [OVERALL, *(Column(name, "level", name, SCORE) for name in names)]
    return paper_table(results, "Table 4: score by level", columns, "multi-4", (SCORE_NOTE,))


@table("multi_images", section="paper", order=5, needs=("image_type",), benchmarks=("multi",))
def by_images(results: Results) -> Table | None:
    """Tabulate table 5: without, with one and with several images."""
    title = "Table 5: score by number of images"
    return paper_table(results, title, IMAGES, "multi-5", (SCORE_NOTE,))


@table("multi_types", section="paper", order=6, needs=("type",), benchmarks=("multi",))
def by_type(results: Results) -> Table | None:
    """Tabulate table 6: a column per type of question."""
    title = "Table 6: score by type of question"
    return paper_table(results, title, TYPES, "multi-6", (SCORE_NOTE,))


@table("multi_elite", section="paper", order=7, needs=("elite", "type"), benchmarks=("multi",))
def on_elite(results: Results) -> Table | None:
    """Tabulate table 7: the hard subset."""
    columns = [OVERALL, *TYPES[:-1], *IMAGES]
    note = (
        "Elite was chosen by the errors of early models, GPT-4V and Gemini Vision Pro among them: "
        "their published scores are biased downwards."
    )
    elite = having(item_rows(results), "elite", "yes")
    title = "Table 7: score on Elite, the hard subset"
    return paper_table(results, title, columns, "multi-7", (SCORE_NOTE, note), elite)
