"""gfactor compare-benchmarks: compare benchmarks by diagnostics of tasks, and by human ratings.

gfactor compare-benchmarks scores.csv --criterion arena.csv --chance 0.25 -o compared/
"""

from gfactor.cli.printing import printed

HEADING = "Results"

command = printed(
    __doc__,
    "compare_benchmarks",
    {
        "data": "DATA.csv...", "models": "--model NAME=FILE...", "benchmarks": "--benchmark NAME",
        "chance": "--chance LEVEL|FILE", "items": "--items N|FILE",
        "above": "--above SCORE",
        "where": "--where COLUMN=VALUE...", "n_bootstrap": "--draws N",
    },
    page=True,
    reads={"chance": str, "items": str, "tasks": str},
)  # fmt: skip
