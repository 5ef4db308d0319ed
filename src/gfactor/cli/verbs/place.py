"""gfactor place: place models among real ones, by some of their answers to public benchmarks.

gfactor place answers.csv
gfactor place answers.csv --select adaptive --items mmmu_dev_val=100
"""

import click

from gfactor.cli.printing import printed
from gfactor.cli.values import NamedValue

HEADING = "Results"

command = printed(
    __doc__,
    "place",
    {
        "calibration": "--calibration NAME",
        "items": "--items N|BENCHMARK=N...",
    },
    reads={"items": NamedValue("[BENCHMARK=]N", click.INT, last=True), "calibration": str},
    page=True,
)
