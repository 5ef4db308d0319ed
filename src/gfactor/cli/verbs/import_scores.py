"""gfactor import-scores: join the score tables of other programs into one table.

gfactor import-scores GPT4o/GPT4o_MMBench_DEV_EN_acc.csv arena.csv -o scores.csv
gfactor import-scores answers.csv --tasks "validation_([A-Za-z_]+)_[0-9]+" -o scores.csv
"""

from gfactor.cli.printing import printed

HEADING = "Results"

command = printed(
    __doc__, "import_scores",
    {
        "format_name": "--format FORMAT", "model": "--model NAME",
        "index": "--index COLUMN",
        "path": "-o FILE",
    },
    reads={"tasks": str},
)  # fmt: skip
