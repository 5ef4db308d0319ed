"""gfactor prune: choose the tasks of a battery that are worth keeping (GOLD, Algorithm 1).

gfactor prune scores.csv --model gold.pls --stability 500 --validate 5 -o pruned/
"""

from gfactor.cli.backends import jobs_option
from gfactor.cli.printing import printed

HEADING = "Statistics"

command = printed(
    __doc__,
    "prune",
    {
        "model": "--model FILE", "data": "DATA.csv",
        "n_bootstrap": "--stability N", "folds": "--validate K",
        "where": "--where COLUMN=VALUE...",
    },
    page=True,
    reads={"model": str, "tasks": str},
    optional=["model"],
    options=[jobs_option("Processes for --stability; the result does not depend on it.")],
)  # fmt: skip
